import { describe, expect, it } from 'vitest';
import { explainIn, run } from './run.ts';

const dump = 'examples/media-library.yaml';

describe('a what-if', () => {
  it('tells which claims end otherwise when a field is set', async () => {
    const { stdout } = await run(['-f', dump, '--set', 'pv/archive-03:spec.capacity.storage=500Gi']);
    expect(stdout).toMatch(
      /^With these changes 1 claim ends otherwise:\n {2}media\/films {2}Stuck → WillBind: to volume archive-03/,
    );
  });

  it('tells when nothing does', async () => {
    const { stdout } = await run(['-f', dump, '--set', 'pv/scratch-1:spec.capacity.storage=11Gi']);
    expect(stdout).toMatch(/^With these changes nothing is other than before\.\n/);
  });

  it('removes objects', async () => {
    const { differences } = await explainIn(['-f', dump, '--without', 'pvc/media/series']);
    expect(differences).toMatchObject([{ claim: 'media/series', before: { outcome: 'Bound' } }]);
    expect(differences?.[0]).not.toHaveProperty('after');
  });

  it('adds objects as the API server would create them', async () => {
    const { differences } = await explainIn(['-f', dump, '--with', 'examples/task-pv-volume.yaml']);
    expect(differences).toMatchObject([{ claim: 'default/task-pv-claim', after: { outcome: 'WillBind' } }]);
  });

  it('takes everything together, in the order of removing, adding and setting', async () => {
    const { differences } = await explainIn([
      '-f',
      dump,
      '--without',
      'pv/scratch-1',
      '--with',
      'examples/task-pv-volume.yaml',
      '--set',
      'pv/task-pv-volume:spec.storageClassName=other',
    ]);
    expect(differences).toMatchObject([{ claim: 'default/task-pv-claim', after: { outcome: 'Stuck' } }]);
  });

  it.each([
    [
      ['--without', 'pvc/media/serie'],
      'PersistentVolumeClaim "media/serie" is not in the input; did you mean "media/series"?',
    ],
    [['--without', 'film'], '"film" is not of the form KIND/[NAMESPACE/]NAME'],
    [['--set', 'pv/archive-03'], 'not of the form KIND/[NAMESPACE/]NAME:path=value'],
    [['--set', 'pv/archive-03:spec.accessModes[7]=x'], 'there is no item 7'],
    [['--with', 'nowhere.yaml'], 'nowhere.yaml'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run(['-f', dump, ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

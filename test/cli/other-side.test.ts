import { describe, expect, it } from 'vitest';
import { run } from './run.ts';

const library = 'examples/media-library.yaml';
const capacity = 'test/scenarios/036-no-capacity-objects/input.yaml';
const released = 'test/scenarios/024-released-recreated-claim/input.yaml';

describe('pv', () => {
  it('lists every volume with who has it, or why nobody takes it', async () => {
    const { code, stdout } = await run(['pv', '-f', library]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^archive-01 +archive +1Ti +RWO +Bound +media\/series/m);
    expect(stdout).toMatch(/^archive-03 +archive +500G +RWO +Available +<none> +too small by 34.3Gi/m);
  });

  it('tells what is left by class and modes', async () => {
    const { stdout } = await run(['pv', '-f', library]);
    expect(stdout).toMatch(/^<none> +RWO +Filesystem +2 +20Gi +2 × 10Gi$/m);
  });

  it('explains one volume, with the claims that it does not fit', async () => {
    const { stdout } = await run(['pv', 'pv/archive-03', '-f', library]);
    expect(stdout).toMatch(/^archive-03 +Available .*nobody takes it/);
    expect(stdout).toMatch(/^media\/films +500Gi +RWO +archive +Stuck +too small by 34.3Gi$/m);
  });

  it('tells what freeing a Released volume would do', async () => {
    const { stdout } = await run(['pv', 'nfs-pv', '-f', released]);
    expect(stdout).toContain('default/site-data');
    expect(stdout).toContain('claimRef');
  });

  it('is a list of names for scripts', async () => {
    const { stdout } = await run(['pv', '-f', library, '-o', 'name']);
    expect(stdout.split('\n')[0]).toBe('persistentvolume/archive-01');
  });

  it('refuses a volume that is not there, with the nearest name', async () => {
    const { code, stderr } = await run(['pv', 'archive-04', '-f', library]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/archive-04.*did you mean "archive-0/);
  });
});

describe('pod', () => {
  it('explains a pod that fits nowhere: claims, nodes, and the events held against the run', async () => {
    const { code, stdout } = await run(['pod', '-f', capacity]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^default\/pg-0 +Pending .*Unschedulable/);
    expect(stdout).toMatch(/^pg-data +Pending +WaitsForPod/m);
    expect(stdout).toMatch(/^node-1 +VolumeBinding +fits +not enough free storage/m);
    expect(stdout).toContain('Events agree with the run.');
  });

  it('is a document for programs', async () => {
    const { stdout } = await run(['pod', 'pg-0', '-f', capacity, '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'PodReportList', items: [{ metadata: { name: 'pg-0' } }] });
  });

  it('refuses a pod that is not there', async () => {
    const { code, stderr } = await run(['pod', 'nobody', '-f', capacity]);
    expect(code).toBe(2);
    expect(stderr).toContain('"nobody"');
  });
});

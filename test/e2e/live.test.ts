import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClaimReport } from '../../src/report/claim-report.ts';
import { kubelab, type Lab, scratch, skipped, startLab } from './kubelab.ts';

// The program against a real API server.
const bin = process.env.PVC_EXPLAIN ?? new URL('../../bin/kubectl-pvc_explain', import.meta.url).pathname;
const file = (path: string) => new URL(`../../${path}`, import.meta.url).pathname;
const dump = file('test/scenarios/012-small-claim-took-big-pv/input.yaml');

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
if (kubelab === undefined) console.warn(skipped);
else if (!hasKubectl) console.warn('skipped: no kubectl');
const slow = 120_000;

const folder = scratch();
afterAll(folder.remove);

function command(name: string, args: readonly string[], env: NodeJS.ProcessEnv, input = '') {
  const { status, stdout, stderr } = spawnSync(name, args, {
    encoding: 'utf8',
    input,
    env: { ...process.env, NO_COLOR: '1', HOME: folder.path, ...env },
  });
  return { code: status, out: stdout, err: stderr };
}

const explain = (kubeconfig: string, ...args: readonly string[]) =>
  command(process.execPath, [bin, ...args], { KUBECONFIG: kubeconfig });

/** What is said of each claim, without uids and times, which a restored cluster has anew. */
function said(json: string): readonly unknown[] {
  return (JSON.parse(json).items as readonly ClaimReport[]).map(({ metadata, verdict, findings, volumes }) => ({
    claim: `${metadata.namespace}/${metadata.name}`,
    outcome: verdict.outcome,
    volumes: verdict.volumes,
    codes: findings.map(({ code }) => code),
    considered: volumes.map(({ examples }) => examples.map(({ name }) => name)),
  }));
}

describe.skipIf(kubelab === undefined || !hasKubectl)('a real API server that holds a dump', () => {
  let lab: Lab;
  const kubectl = (...args: readonly string[]) => {
    const done = command('kubectl', args, { KUBECONFIG: lab.kubeconfig });
    expect(done.err).toBe('');
    return done;
  };
  const alice = () => `${lab.kubeconfig}.alice`;

  beforeAll(async () => {
    const place = join(folder.path, 'frozen');
    mkdirSync(place);
    lab = await startLab(place, ['--no-controllers', '--load', dump, '--limited-user', 'alice']);
  }, slow);
  afterAll(() => lab?.stop());

  it('is explained as the dump is', () => {
    const { code, out, err } = explain(lab.kubeconfig, '-A', '--all', '-o', 'json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(said(out)).toEqual(said(explain(lab.kubeconfig, '-f', dump, '--all', '-o', 'json').out));
    expect(JSON.parse(out).cluster.kubernetesVersion).toBe('v1.37.2');
  });

  it('is explained from a snapshot as it is', () => {
    const to = join(folder.path, 'snapshot.json');
    expect(explain(lab.kubeconfig, 'snapshot', '-A', '--to', to)).toEqual({ code: 0, out: '', err: '' });
    const [live, stored] = [[], ['-f', to]].map((from) =>
      JSON.parse(explain(lab.kubeconfig, ...from, '-A', '--all', '-o', 'json').out),
    );
    expect(said(JSON.stringify(stored))).toEqual(said(JSON.stringify(live)));
    expect(stored.cluster.coverage).toEqual(live.cluster.coverage);
  });

  it('looks into the namespace of the context, as kubectl does', () => {
    expect(explain(lab.kubeconfig)).toEqual({ code: 0, out: '', err: 'No resources found in default namespace.\n' });
  });

  it('is explained when kubectl runs the plugin, which kubectl lists without a warning', () => {
    const path = `${join(bin, '..')}${delimiter}${process.env.PATH}`;
    const args = ['-A', '--all', '-o', 'json'];
    const asPlugin = command('kubectl', ['pvc-explain', ...args], { KUBECONFIG: lab.kubeconfig, PATH: path });
    expect(said(asPlugin.out)).toEqual(said(explain(lab.kubeconfig, ...args).out));
    const listed = command('kubectl', ['plugin', 'list'], { KUBECONFIG: lab.kubeconfig, PATH: path });
    expect(listed.out).toContain('kubectl-pvc_explain');
    expect(listed.err).not.toContain('warning');
  });

  it('tells who may see nothing what is forbidden, and ends with 2', () => {
    const { code, out, err } = explain(alice());
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(
      'User "alice" cannot list resource "persistentvolumeclaims" in API group "" in the namespace "default"',
    );
  });

  it('tells who may see one namespace that the volumes are not known, and which permission would settle it', () => {
    const [{ claim }] = said(explain(lab.kubeconfig, '-A', '--all', '-o', 'json').out) as [{ claim: string }];
    const namespace = claim.slice(0, claim.indexOf('/'));
    if (namespace !== 'default')
      kubectl('create', 'rolebinding', 'alice', '--clusterrole=view', '--user=alice', '-n', namespace);
    const { code, out } = explain(alice(), '-n', namespace, '--all', '-o', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(out).cluster.coverage.PersistentVolume).toEqual({
      is: 'notCollected',
      because: expect.stringContaining('User "alice" cannot list resource "persistentvolumes"'),
      settledBy: 'list persistentvolumes',
    });
  });

  it('shows everything to who has the role of examples/rbac.yaml', () => {
    kubectl('apply', '-f', file('examples/rbac.yaml'));
    kubectl('create', 'clusterrolebinding', 'alice', '--clusterrole=pvc-explain', '--user=alice');
    const args = ['-A', '--all', '-o', 'json'];
    const { out, err } = explain(alice(), ...args);
    expect(err).toBe('');
    expect(said(out)).toEqual(said(explain(lab.kubeconfig, ...args).out));
    expect(JSON.parse(out).cluster.coverage).toEqual(JSON.parse(explain(lab.kubeconfig, ...args).out).cluster.coverage);
  });

  it('says of a server that does not answer what kubectl says, and ends with 2', () => {
    const { code, out, err } = explain(lab.kubeconfig, '-s', 'https://localhost:1');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const real = command('kubectl', ['get', 'pvc', '-s', 'https://localhost:1'], { KUBECONFIG: lab.kubeconfig });
    expect(err.trim()).toBe(real.err.trim().split('\n').at(-1));
  });

  it('says of a user who may not see the claims what kubectl says', () => {
    const real = command('kubectl', ['get', 'pvc', '--as', 'bob'], { KUBECONFIG: lab.kubeconfig });
    const [, forbidden = 'no answer'] = /^Error from server \(Forbidden\): (.*)$/m.exec(real.err) ?? [];
    expect(explain(lab.kubeconfig, '--as', 'bob').err).toContain(forbidden);
  });
});

const library = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: films, namespace: default}
spec: {storageClassName: '', accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`;
const shelf = `
apiVersion: v1
kind: PersistentVolume
metadata: {name: shelf}
spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /tmp/shelf}}
`;

describe.skipIf(kubelab === undefined || !hasKubectl)('a real cluster at work', () => {
  let lab: Lab;
  const apply = (manifest: string) =>
    expect(command('kubectl', ['apply', '-f', '-'], { KUBECONFIG: lab.kubeconfig }, manifest).err).toBe('');

  beforeAll(async () => {
    const place = join(folder.path, 'working');
    mkdirSync(place);
    lab = await startLab(place, []);
    apply(library);
  }, slow);
  afterAll(() => lab?.stop());

  it('gives up waiting for a claim that is stuck with 1', () => {
    const { code, out, err } = explain(lab.kubeconfig, 'films', '--until-bound', '--timeout', '1s');
    expect({ code, err }).toEqual({ code: 1, err: 'error: timed out waiting for the claims to be bound\n' });
    expect(out).toContain('default/films  Pending');
  });

  it(
    'waits until the claim is bound',
    async () => {
      const child = spawn(process.execPath, [bin, 'films', '--until-bound', '--timeout', '60s'], {
        env: { ...process.env, KUBECONFIG: lab.kubeconfig },
      });
      let out = '';
      const isWatching = new Promise<void>((resolve) => {
        child.stdout.on('data', (chunk) => {
          out += chunk;
          resolve();
        });
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      await isWatching;
      apply(shelf);
      expect(await ended).toBe(0);
      const looks = out.split(/^\d{4}-\d\d-\d\dT[\d:]+Z\n/m).slice(1);
      expect(looks[0]).toContain('default/films  Pending');
      expect(looks.at(-1)).toContain('default/films  Bound');
    },
    slow,
  );
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { execute } from '../../src/cli/main.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import { snapshotDocument } from '../../src/snapshot/document.ts';
import { allKinds } from '../../src/snapshot/kinds.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { loadFiles } from '../../src/sources/files.ts';
import { type Reading, snapshotOf } from '../../src/sources/live/reading.ts';
import { type Scenario, scenarios } from '../scenarios/scenario.ts';

const folder = mkdtempSync(join(tmpdir(), 'pvc-explain-snapshot-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(args: readonly string[], input = ''): Promise<{ code: number; out: string; err: string }> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const texts = Promise.all([textOf(stdout), textOf(stderr)]);
  const code = await execute(args, { stdin: Readable.from([Buffer.from(input)]), stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, err] = await texts;
  return { code, out, err };
}

async function textOf(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

/** A report without the places where its objects stand. */
async function reportOf(path: string): Promise<unknown> {
  const { code, out, err } = await run(['-f', path, '-A', '--all', '-o', 'json']);
  expect(code, err).toBe(0);
  const {
    load: _,
    cluster,
    ...report
  } = JSON.parse(out, (key, value) =>
    ['file', 'document', 'line', 'sources', 'location', 'provenance'].includes(key) ? undefined : value,
  );
  return { ...report, cluster };
}

describe('a snapshot', () => {
  it.each(scenarios().map(({ name, input }, i) => ({ name, input, ending: i % 2 === 0 ? 'yaml' : 'json' })))(
    'of $name as $ending is explained as the dump it was taken of',
    async ({ input, name, ending }) => {
      const to = join(folder, `${name}.${ending}`);
      expect(await run(['snapshot', '-f', input, '--to', to])).toMatchObject({ code: 0, out: '' });
      expect(await reportOf(to)).toEqual(await reportOf(input));
    },
  );

  it('of a snapshot is the same snapshot, byte by byte', async () => {
    const { input } = scenarios()[0] as Scenario;
    const first = (await run(['snapshot', '-f', input, '--to', '-'])).out;
    expect((await run(['snapshot', '-f', '-', '--to', '-'], first)).out).toBe(first);
  });

  it('is compressed if its name ends in .gz, and has the same bytes every time', async () => {
    const { input } = scenarios()[0] as Scenario;
    const paths = ['a', 'b'].map((name) => join(folder, `${name}.yaml.gz`));
    for (const path of paths) expect((await run(['snapshot', '-f', input, '--to', path])).code).toBe(0);
    const [a, b] = paths.map((path) => readFileSync(path)) as [Buffer, Buffer];
    expect(a.equals(b)).toBe(true);
    expect(await reportOf(paths[0] as string)).toEqual(await reportOf(input));
    expect(gunzipSync(a).toString()).toBe((await run(['snapshot', '-f', input, '--to', '-'])).out);
  });

  it('that was cut off is told', async () => {
    const { input } = scenarios()[0] as Scenario;
    const path = join(folder, 'cut.yaml.gz');
    await run(['snapshot', '-f', input, '--to', path]);
    writeFileSync(path, readFileSync(path).subarray(0, 200));
    const { code, err } = await run(['-f', path]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/^error: reading ".*cut\.yaml\.gz": it is no complete gzip file: /),
    });
  });

  it('needs a name that tells its format', async () => {
    const { code, err } = await run(['snapshot', '-f', 'x', '--to', 'cluster.txt']);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('error: "cluster.txt" has to end in .yaml or .json'),
    });
  });

  it('that cannot be written ends with 2', async () => {
    const { input } = scenarios()[0] as Scenario;
    const to = join(folder, 'nowhere', 'a.yaml');
    expect(await run(['snapshot', '-f', input, '--to', to])).toMatchObject({
      code: 2,
      err: `error: writing ${JSON.stringify(to)}: no such folder\n`,
    });
  });

  it('holds no environment, no foreign annotations, no Secrets but their names, no credentials', async () => {
    const { code, out } = await run(['snapshot', '-f', '-', '--to', '-'], secretive);
    expect(code).toBe(0);
    expect(out).not.toMatch(/hunter2/);
    expect(out).toContain('volume.kubernetes.io/selected-node: node-1');
    expect(out).toContain('name: library-credentials');
    expect(out).toContain('restuserkey: redacted');
    expect(out).toContain('- --strict-topology');
    expect(out).toContain('- --token=redacted');
    expect(out).toContain('csi.storage.k8s.io/provisioner-secret-name: library-credentials');
  });
});

const secretive = `
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Pod
  metadata: {name: player, namespace: media, uid: a, annotations: {example.com/password: hunter2, checksum.kubernetes.io/hunter2: hunter2}}
  spec:
    containers:
    - {name: player, image: player, env: [{name: PASSWORD, value: hunter2}], args: [--password=hunter2]}
- apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: {name: films, namespace: media, uid: b, annotations: {volume.kubernetes.io/selected-node: node-1}}
  spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
- apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: library, namespace: media, uid: c}
  spec:
    template: {metadata: {annotations: {token.kubernetes.io/x: hunter2}}, spec: {containers: [{name: a, env: [{name: A, value: hunter2}]}]}}
    volumeClaimTemplates: [{metadata: {name: data, annotations: {key.kubernetes.io/x: hunter2}}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: csi-provisioner, namespace: media, uid: d}
  spec:
    template: {spec: {containers: [{name: a, args: [--strict-topology, --token=hunter2, --password, hunter2]}]}}
- apiVersion: storage.k8s.io/v1
  kind: StorageClass
  metadata: {name: library}
  provisioner: kubernetes.io/glusterfs
  parameters: {restuserkey: hunter2, csi.storage.k8s.io/provisioner-secret-name: library-credentials}
- apiVersion: v1
  kind: Secret
  metadata: {name: library-credentials, namespace: media}
  data: {password: hunter2}
  stringData: {password: hunter2}
`;

/** A live cluster of which one namespace could be read, volumes were forbidden, and nothing was there. */
const reading: Reading = {
  server: 'https://cluster',
  parts: [],
  single: [],
  coverage: [
    {
      kind: 'PersistentVolume',
      scope: 'cluster',
      coverage: { is: 'notCollected', because: 'forbidden: no', settledBy: 'list persistentvolumes' },
    },
    { kind: 'PersistentVolumeClaim', scope: 'cluster', coverage: { is: 'empty' } },
    {
      kind: 'Pod',
      scope: 'cluster',
      coverage: { is: 'notCollected', because: 'only namespace media was read', settledBy: '-A' },
    },
    { kind: 'Pod', scope: { namespace: 'media' }, coverage: { is: 'empty' } },
  ],
  issues: [],
  kubernetesVersion: 'v1.37.2',
  takenAt: '2026-11-30T10:00:00Z',
};

describe('what a snapshot records beside its objects', () => {
  const said = (snapshot: Snapshot) =>
    allKinds.flatMap((kind) =>
      [undefined, 'media', 'elsewhere'].map((namespace) => [kind, namespace, snapshot.coverage(kind, namespace)]),
    );

  it.each(['yaml', 'json'])('as %s tells what was forbidden from what is not there', async (ending) => {
    const original = snapshotOf(reading);
    const document = snapshotDocument(original, ['media']);
    const { printYaml } = await import('../../src/printers/yaml.ts');
    const { printJson } = await import('../../src/printers/json.ts');
    const { writeDocument } = await import('../../src/sources/write-document.ts');
    const path = join(folder, `live.${ending}`);
    await writeDocument(path, ending === 'yaml' ? printYaml(document) : printJson(document));
    const read = buildSnapshot(await loadFiles([path]));
    expect(said(read)).toEqual(said(original));
    expect(read).toMatchObject({ kubernetesVersion: 'v1.37.2', capturedAt: '2026-11-30T10:00:00Z' });
  });
});

import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Loaded } from '../../src/snapshot/loaded.ts';
import { loadFiles } from '../../src/sources/files.ts';
import { InputError } from '../../src/sources/input-error.ts';

const storageClass = (name: string) => `kind: StorageClass\nmetadata: {name: ${name}}\n`;
const dump =
  'kubectl get pv,pvc,sc,node,pod,event,sts,quota,limits,csinode,csidriver,volumeattachment -A -o yaml > cluster.yaml';

let root: string;
let before: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'dump-'));
  before = process.cwd();
  process.chdir(root);
});

afterEach(async () => {
  process.chdir(before);
  await rm(root, { recursive: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(name), { recursive: true });
    await writeFile(name, text);
  }
}

/** "archive in a.yaml:1:1", source by source. */
function found({ sources }: Loaded): string[][] {
  return sources.map(({ objects }) =>
    objects.map(
      ({ object, provenance: { file, document, line } }) => `${object.metadata.name} in ${file}:${document}:${line}`,
    ),
  );
}

function told({ issues }: Loaded): string[] {
  return issues.map(
    ({ severity, file, document, line, reason }) =>
      `${severity} ${[file, document, line].filter((part) => part !== undefined).join(':')}: ${reason}`,
  );
}

async function* stdin(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** The message of the error that loading throws. */
async function refusal(paths: readonly string[], options: Parameters<typeof loadFiles>[1] = {}): Promise<string> {
  const error = await loadFiles(paths, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}

describe('what is read', () => {
  it('files in the order in which they were named, whatever their ending', async () => {
    await write({ 'b.txt': storageClass('b'), a: storageClass('a') });
    const loaded = await loadFiles(['b.txt', 'a']);
    expect(found(loaded)).toEqual([['b in b.txt:1:1'], ['a in a:1:1']]);
    expect(loaded.sources.map(({ name }) => name)).toEqual(['b.txt', 'a']);
  });

  it('of a folder the files on top, in the order of their names', async () => {
    await write({
      'dump/b.yaml': storageClass('b'),
      'dump/a.JSON': '{"kind": "StorageClass", "metadata": {"name": "a"}}',
      'dump/c.yml': storageClass('c'),
      'dump/notes.txt': storageClass('no'),
      'dump/.hidden.yaml': storageClass('no'),
      'dump/secrets.yaml': storageClass('no'),
      'dump/secrets-media.json': storageClass('no'),
      'dump/pvcs-errors.json': storageClass('no'),
      'dump/audit.log.1.yaml': storageClass('no'),
      'dump/more/d.yaml': storageClass('d'),
    });
    const loaded = await loadFiles(['dump']);
    expect(found(loaded)).toEqual([['a in dump/a.JSON:1:1', 'b in dump/b.yaml:1:1', 'c in dump/c.yml:1:1']]);
    expect(told(loaded)).toEqual([]);
    expect(loaded.sources.map(({ name }) => name)).toEqual(['dump']);
  });

  it('of a folder everything below it if asked to descend', async () => {
    await write({
      'dump/a.yaml': storageClass('a'),
      'dump/more/deep/d.yaml': storageClass('d'),
      'dump/.git/e.yaml': storageClass('e'),
    });
    await symlink('..', 'dump/more/circle');
    await symlink('deep/d.yaml', 'dump/more/link.yaml');
    const loaded = await loadFiles(['dump'], { recursive: true });
    expect(found(loaded)).toEqual([
      ['a in dump/a.yaml:1:1', 'd in dump/more/deep/d.yaml:1:1', 'd in dump/more/link.yaml:1:1'],
    ]);
  });

  it('standard input, once', async () => {
    expect(found(await loadFiles(['-'], { stdin: stdin(storageClass('a')) }))).toEqual([['a in -:1:1']]);
    expect(await refusal(['-', '-'], { stdin: stdin('') })).toBe('standard input ("-") can be read only once');
  });

  it('kinds from the names of files and folders', async () => {
    await write({ 'dump/pvs.json': '[{"metadata": {"name": "a"}, "spec": {"volumeMode": "Block"}}]' });
    const { sources } = await loadFiles(['dump']);
    expect(sources[0]?.objects.map(({ kind }) => kind)).toEqual(['PersistentVolume']);
  });

  it('an empty List, which says nothing, and an empty typed list, which does', async () => {
    await write({
      'list.json': '{"kind": "List", "items": []}',
      'pv.json': '{"kind": "PersistentVolumeList", "apiVersion": "v1", "items": []}',
      'pvc.yaml': 'apiVersion: v1\nitems: null\nkind: PersistentVolumeClaimList\n',
      'other.json': '{"kind": "NodeList", "apiVersion": "longhorn.io/v1", "items": []}',
    });
    const { sources } = await loadFiles(['list.json', 'pv.json', 'pvc.yaml', 'other.json']);
    expect(sources.map(({ coverage }) => coverage)).toEqual([
      [],
      [{ kind: 'PersistentVolume', scope: 'cluster', coverage: { is: 'empty' } }],
      [{ kind: 'PersistentVolumeClaim', scope: 'unknown', coverage: { is: 'empty' } }],
      [],
    ]);
  });

  it('the newest time, heartbeats included', async () => {
    await write({
      'a.yaml': `kind: Node
metadata: {name: a, creationTimestamp: 2025-01-01T00:00:00Z, deletionTimestamp: 2025-12-01T00:00:00Z}
status:
  conditions:
  - {type: Ready, status: "True", lastHeartbeatTime: 2025-01-03T00:00:00Z, lastTransitionTime: 2025-01-02T00:00:00Z}
`,
    });
    const { sources } = await loadFiles(['a.yaml']);
    expect(sources[0]?.newestTimestamp).toBe('2025-01-03T00:00:00Z');
  });

  it('and how far it is', async () => {
    await write({ 'a.yaml': storageClass('a'), 'b.yaml': storageClass('bb') });
    const seen: (number | undefined)[][] = [];
    await loadFiles(['a.yaml', 'b.yaml'], { onProgress: (...progress) => seen.push(progress) });
    expect(seen).toEqual([
      [39, 79],
      [79, 79],
    ]);
    seen.length = 0;
    await loadFiles(['a.yaml', '-'], {
      stdin: stdin(storageClass('a')),
      onProgress: (...progress) => seen.push(progress),
    });
    expect(seen).toEqual([[39], [78]]);
  });
});

describe('what is passed over in a folder is told', () => {
  it('files that are empty, broken or display text', async () => {
    await write({
      'dump/a.yaml': storageClass('a'),
      'dump/b.yaml': '',
      'dump/c.yaml': 'NAME    STATUS\nfilms   Bound\n',
      'dump/d.yaml': 'kind: StorageClass\nmetadata: [\n',
    });
    const loaded = await loadFiles(['dump']);
    expect(found(loaded)).toEqual([['a in dump/a.yaml:1:1']]);
    expect(told(loaded)).toEqual([
      'warning dump/b.yaml: the file is empty',
      'error dump/c.yaml:1:1: this is display text, and matching needs every field: run the command again with -o yaml',
      'error dump/d.yaml:1:3: unexpected end of the stream within a flow collection',
    ]);
  });

  it('a huge file, unless its name is that of a resource', async () => {
    await write({ 'dump/a.yaml': storageClass('a'), 'dump/core.json': '{}' });
    await truncate('dump/core.json', 1024 ** 3 + 1);
    expect(told(await loadFiles(['dump']))).toEqual([
      'warning dump/core.json: longer than 1 GiB and not named after a resource: passed over; name the file itself to read it',
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('a file that may not be read', async () => {
    await write({ 'dump/a.yaml': storageClass('a'), 'dump/b.yaml': storageClass('b') });
    await chmod('dump/b.yaml', 0);
    expect(told(await loadFiles(['dump']))).toEqual(['error dump/b.yaml: permission denied']);
  });

  it('a link to nowhere', async () => {
    await write({ 'dump/a.yaml': storageClass('a') });
    await symlink('gone.yaml', 'dump/b.yaml');
    expect(told(await loadFiles(['dump']))).toEqual(['warning dump/b.yaml: no such file or folder']);
  });
});

describe('an input that is of no use is refused in one sentence', () => {
  const cases: readonly { name: string; files?: Readonly<Record<string, string>>; path: string; message: string }[] = [
    {
      name: 'a path that is not there',
      path: 'pv.yaml',
      message: `reading "pv.yaml": no such file or folder; take a dump with: ${dump}`,
    },
    {
      name: 'an empty file',
      files: { 'pv.yaml': '' },
      path: 'pv.yaml',
      message: `"pv.yaml" is empty; if kubectl wrote it, the command failed; take a dump with: ${dump}`,
    },
    {
      name: 'an empty standard input',
      path: '-',
      message: `standard input is empty; if kubectl wrote it, the command failed; take a dump with: ${dump}`,
    },
    {
      name: 'a table',
      files: { 'pv.txt': 'NAME    CAPACITY   STATUS\nfilms   2Ti        Bound\n' },
      path: 'pv.txt',
      message: '"pv.txt": this is display text, and matching needs every field: run the command again with -o yaml',
    },
    {
      name: 'an archive',
      files: { 'bundle.zip': 'PK\x03\x04abcd' },
      path: 'bundle.zip',
      message: '"bundle.zip": this is an archive: unpack it first',
    },
    {
      name: 'nothing but comments',
      files: { 'a.yaml': '# nothing\n---\n' },
      path: 'a.yaml',
      message: `"a.yaml" holds no object that matters here; take a dump with: ${dump}`,
    },
    {
      name: 'a text',
      files: { 'kubelet.log': 'I0101 12:00:00 kubelet started\n' },
      path: 'kubelet.log',
      message: `"kubelet.log" holds no object that matters here (kubelet.log:1:1: not a Kubernetes object); take a dump with: ${dump}`,
    },
    {
      name: 'Secrets only',
      files: { 'a.yaml': 'kind: Secret\nmetadata: {name: a}\ndata: {a: b}\n' },
      path: 'a.yaml',
      message: `"a.yaml" holds Secrets only: there is nothing to analyse, Secrets are never read; take a dump with: ${dump}`,
    },
    {
      name: 'other kinds only',
      files: { 'a.yaml': 'kind: Service\n---\nkind: Ingress\n' },
      path: 'a.yaml',
      message: `"a.yaml" holds no object that matters here, only Ingress, Service; take a dump with: ${dump}`,
    },
    {
      name: 'a folder without files',
      files: { 'dump/notes.txt': 'x' },
      path: 'dump',
      message: `"dump" holds no file to read (.json, .yaml, .yml); take a dump with: ${dump}`,
    },
    {
      name: 'a folder with folders only',
      files: { 'dump/media/pv.yaml': storageClass('a') },
      path: 'dump',
      message: '"dump" holds no file to read (.json, .yaml, .yml); add -R to look into the folders in it',
    },
    {
      name: 'a folder without objects',
      files: { 'dump/values.yaml': 'replicas: 3\n' },
      path: 'dump',
      message: `"dump" holds no object that matters here (dump/values.yaml:1:1: not a Kubernetes object: it has no kind); take a dump with: ${dump}`,
    },
    {
      name: 'a chart',
      files: { 'pvc.yaml': 'kind: PersistentVolumeClaim\nmetadata:\n  name: {{ .Values.name }}\n' },
      path: 'pvc.yaml',
      message: '"pvc.yaml": this is an unrendered Helm chart: run "helm template CHART" and pipe the result',
    },
  ];

  it.each(cases)('$name', async ({ files = {}, path, message }) => {
    await write(files);
    expect(await refusal([path], { stdin: stdin('') })).toBe(message);
  });
});

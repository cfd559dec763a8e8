import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { inNamespace, loadManifests } from '../../src/sources/manifests.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pvc-explain-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let next = 0;

/** A folder with these files. */
function files(contents: Readonly<Record<string, string | Buffer>>): string {
  const root = join(folder, String(next++));
  for (const [name, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const load = (paths: readonly string[], options: { recursive?: boolean; stdin?: Readable } = {}) =>
  loadManifests(paths, [], options);

const loadText = async (text: string) => load(['-'], { stdin: Readable.from([Buffer.from(text)]) });

const claim = (name: string, more = '') =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: ${name}}\nspec: {accessModes: [ReadWriteOnce]${more}}\n`;

const namesOf = ({ manifests }: Awaited<ReturnType<typeof load>>) =>
  manifests.map(({ object }) => object.metadata.name);

describe('where manifests are', () => {
  it('a folder is read as kubectl reads it: by name, without the folders in it', async () => {
    const root = files({
      'b.yaml': claim('b'),
      'a.yml': claim('a'),
      'c.json': '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"c"}}',
      'sub/d.yaml': claim('d'),
      '.hidden.yaml': claim('e'),
      'notes.txt': 'x',
    });
    expect(namesOf(await load([root]))).toEqual(['a', 'b', 'c']);
    expect(namesOf(await load([root], { recursive: true }))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('a List, a typed list and several documents give their objects, each with its line', async () => {
    const text = `# first\n${claim('a')}---\n\n---\napiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: PersistentVolumeClaim\n  metadata: {name: b}\n  spec: {}\n---\napiVersion: v1\nkind: PersistentVolumeClaimList\nitems:\n- metadata: {name: c}\n  spec: {}\n`;
    const { manifests } = await loadText(text);
    expect(
      manifests.map(({ object, at, root }) => [object.metadata.name, at.document, at.line, root.join('.')]),
    ).toEqual([
      ['a', 1, 2, ''],
      ['b', 2, 12, 'items.0'],
      ['c', 3, 20, 'items.0'],
    ]);
  });

  it('what Windows PowerShell has redirected is read', async () => {
    const utf16 = Buffer.from(`\ufeff${claim('a').replaceAll('\n', '\r\n')}`, 'utf16le');
    expect(namesOf(await load([join(files({ 'a.yaml': utf16 }), 'a.yaml')]))).toEqual(['a']);
  });

  it('standard input can be read once', async () => {
    await expect(load(['-', '-'])).rejects.toThrow('standard input ("-") can be read only once');
  });

  it.each([
    { name: 'a file that is not there', path: 'nowhere.yaml', says: 'no such file or folder' },
    { name: 'a folder without manifests', path: '.', says: 'holds no manifest (.json, .yaml, .yml); add -R' },
  ])('$name is an error', async ({ path, says }) => {
    await expect(load([join(files({ 'sub/a.yaml': claim('a') }), path)])).rejects.toThrow(says);
  });

  it.each([
    { name: 'an archive', bytes: Buffer.from([0x1f, 0x8b, 8, 0]), says: 'this is an archive: unpack it first' },
    {
      name: 'display text',
      bytes: Buffer.from('NAME   STATUS   VOLUME\nfilms  Bound    a\n'),
      says: 'this is display text',
    },
  ])('$name is refused', async ({ bytes, says }) => {
    await expect(load([join(files({ 'x.yaml': bytes }), 'x.yaml')])).rejects.toThrow(says);
  });
});

describe('what manifests hold', () => {
  it('an object is sent as kubectl reads YAML 1.1', async () => {
    const { manifests } = await loadText(
      'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: films\n  labels: {a: yes, b: "yes", c: 010, d: 1.5, e: ~}\nspec:\n  resources: {requests: {storage: 5}}\n',
    );
    expect(manifests[0]?.raw).toEqual({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'films', labels: { a: true, b: 'yes', c: 8, d: 1.5, e: null } },
      spec: { resources: { requests: { storage: 5 } } },
    });
  });

  it('other kinds of Kubernetes are passed over in silence, custom resources are counted', async () => {
    const found = await loadText(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: batch.volcano.sh/v1\nkind: Job\nmetadata: {name: b}\n---\napiVersion: snapshot.storage.k8s.io/v1\nkind: VolumeSnapshot\nmetadata: {name: c}\n',
    );
    expect(found.manifests).toEqual([]);
    expect(found.custom.map(({ kind, at }) => `${kind} ${at.line}`)).toEqual(['Job 5', 'VolumeSnapshot 9']);
    expect(found.passedOver).toEqual([]);
  });

  it.each([
    { name: 'a text', text: 'just words\n', reason: 'not a Kubernetes object' },
    { name: 'values of a chart', text: 'replicas: 3\n', reason: 'not a Kubernetes object: it has no kind' },
    {
      name: 'a kustomization',
      text: 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []\n',
      reason: 'a kustomization is built with -k',
    },
  ])('$name is passed over with a reason', async ({ text, reason }) => {
    const { passedOver, manifests } = await loadText(text);
    expect(manifests).toEqual([]);
    expect(passedOver.map((one) => one.reason)).toEqual([reason]);
  });

  it.each([
    { name: 'broken YAML', text: 'a: [1\nb: 2\n', line: 2, reason: 'missed comma' },
    { name: 'a key twice', text: `${claim('a')}kind: Pod\n`, line: 5, reason: 'duplicated mapping key' },
    {
      name: 'no apiVersion',
      text: 'kind: PersistentVolumeClaim\nmetadata: {name: a}\n',
      line: 1,
      reason: 'apiVersion not set',
    },
    {
      name: 'a version that is gone',
      text: 'apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: a}\n',
      line: 1,
      reason: 'no matches for kind "Deployment" in version "apps/v1beta1"',
    },
    {
      name: 'a kind of another group',
      text: 'apiVersion: apps/v1\nkind: CronJob\nmetadata: {name: a}\n',
      line: 1,
      reason: 'no matches for kind "CronJob" in version "apps/v1"',
    },
    {
      name: 'no name',
      text: '\napiVersion: v1\nkind: Pod\nmetadata: {}\nspec: {}\n',
      line: 2,
      reason: 'Pod without a name',
    },
  ])('$name cannot be read, and its line is told', async ({ text, line, reason }) => {
    const { unreadable, manifests } = await loadText(text);
    expect(manifests).toEqual([]);
    expect(unreadable).toHaveLength(1);
    expect(unreadable[0]?.at.line).toBe(line);
    expect(unreadable[0]?.reason).toContain(reason);
  });

  it('a name that the API server makes up ends in letters that stand for it', async () => {
    const { manifests } = await loadText(
      'apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: import-}\nspec: {}\n',
    );
    expect(manifests[0]?.object.metadata.name).toBe('import-xxxxx');
  });

  it('objects without a namespace are where kubectl would put them', async () => {
    const { manifests } = await loadText(
      `${claim('a')}---\napiVersion: v1\nkind: Pod\nmetadata: {name: b, namespace: shop}\nspec: {}\n---\napiVersion: v1\nkind: PersistentVolume\nmetadata: {name: c, namespace: shop}\nspec: {}\n---\napiVersion: v1\nkind: ReplicationController\nmetadata: {name: d}\nspec: {}\n`,
    );
    expect(
      inNamespace(manifests, 'media').map(({ object }) => `${object.metadata.namespace} ${object.metadata.name}`),
    ).toEqual(['media a', 'shop b', 'undefined c', 'media d']);
  });
});

describe('Helm', () => {
  it('the template of a rendered object is known', async () => {
    const { manifests } = await loadText(`---\n# Source: shop/templates/pvc.yaml\n${claim('a')}---\n${claim('b')}`);
    expect(manifests.map(({ renderedFrom, at }) => [renderedFrom, at.line])).toEqual([
      ['shop/templates/pvc.yaml', 3],
      [undefined, 8],
    ]);
  });

  it.each([
    { name: 'an action on a line', text: `{{- if .Values.persistence }}\n${claim('a')}{{- end }}\n`, line: 1 },
    {
      name: 'an unquoted value',
      text: 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: {{ .Release.Name }}\n',
      line: 4,
    },
    {
      name: 'a quoted name',
      text: 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: "{{ .Release.Name }}-data"\n',
      line: 4,
    },
    { name: 'a quoted size', text: claim('a', ', resources: {requests: {storage: "{{ .Values.size }}"}}'), line: 4 },
    { name: 'a class', text: claim('a', ', storageClassName: "{{ .Values.class }}"'), line: 4 },
  ])('a chart that was not rendered is refused: $name', async ({ text, line }) => {
    const root = files({ 'templates/pvc.yaml': text });
    const file = join(root, 'templates/pvc.yaml');
    await expect(load([file])).rejects.toThrow(
      `${file}:${line}: this is an unrendered Helm chart: run "helm template CHART"`,
    );
  });

  it('braces in what is none of our business are none of our business', async () => {
    const found = await loadText(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {page: "{{ .Title }}"}\n',
    );
    expect(found.unreadable).toEqual([]);
  });
});

const hasKubectl = spawnSync('kubectl', ['kustomize', '--help']).status === 0;

describe.skipIf(!hasKubectl)('kustomize', () => {
  const overlay = () =>
    files({
      'base/kustomization.yaml': 'resources: [claims.yaml]\n',
      'base/claims.yaml': `# of the base\n---\n${claim('other')}---\n${claim('films', ', resources: {requests: {storage: 5Gi}}')}`,
      'prod/kustomization.yaml':
        'namePrefix: prod-\nnamespace: shop\nresources: [../base]\npatches:\n- target: {kind: PersistentVolumeClaim, name: films}\n  patch: |\n    - {op: replace, path: /spec/resources/requests/storage, value: 50Gi}\n',
    });

  it('an object is what was built, at the place where somebody wrote it', async () => {
    const root = overlay();
    const { manifests, files: read } = await loadManifests([], [join(root, 'prod')]);
    expect(read).toEqual([join(root, 'prod/kustomization.yaml')]);
    const films = manifests.find(({ object }) => object.metadata.name === 'prod-films');
    expect(films?.object.metadata.namespace).toBe('shop');
    expect(films?.raw).toMatchObject({ spec: { resources: { requests: { storage: '50Gi' } } } });
    expect(films?.at).toEqual({ file: relative('', join(root, 'base/claims.yaml')), document: 2, line: 8 });
  });

  it('the words of kubectl say what is wrong', async () => {
    const root = files({ 'kustomization.yaml': 'resources: [nowhere.yaml]\n' });
    await expect(loadManifests([], [root])).rejects.toThrow(/^kubectl kustomize ".*": .*nowhere\.yaml/);
  });

  it('a folder without a kustomization is an error', async () => {
    await expect(loadManifests([], [files({ 'a.yaml': claim('a') })])).rejects.toThrow('holds no kustomization.yaml');
  });
});

it('a kubectl that is not there is told', async () => {
  const root = files({ 'kustomization.yaml': 'resources: []\n' });
  await expect(loadManifests([], [root], { kubectl: join(folder, 'no-kubectl') })).rejects.toThrow(
    'kubectl is not installed',
  );
});

import { describe, expect, it } from 'vitest';
import { placed, readText, told } from '../read-text.ts';

const good = 'kind: StorageClass\nmetadata: {name: archive}\n';

describe('hostile input is told, and what stands beside it is read', () => {
  it.each([
    {
      name: 'YAML that is nested too deeply',
      text: `kind: Pod\nmetadata: {name: x}\nspec: ${'['.repeat(100_000)}\n`,
      issue: 'nesting exceeded maxDepth (100)',
    },
    {
      name: 'JSON that is nested too deeply to be read exactly',
      text: `{"kind": "PersistentVolume", "spec": {"capacity": {"storage": 5}}, "metadata": {"name": "x", "x": ${'['.repeat(100_000)}${']'.repeat(100_000)}}}\n`,
      issue: 'nesting exceeds 100 levels',
    },
    {
      name: 'aliases that multiply',
      text: `kind: PersistentVolume
metadata: {name: x}
x: &values [${'a, '.repeat(100)}]
y: &expressions [${'{key: a, operator: In, values: *values}, '.repeat(100)}]
z: &terms [${'{matchExpressions: *expressions}, '.repeat(100)}]
spec: {nodeAffinity: {required: {nodeSelectorTerms: *terms}}}
`,
      issue: 'its aliases expand to more values than any object has',
    },
    {
      name: 'lists of lists that multiply',
      text: `kind: List
a: &a {kind: List, items: [${`{kind: StorageClass, metadata: {name: x}}, `.repeat(100)}]}
b: &b {kind: List, items: [${'*a, '.repeat(100)}]}
c: &c {kind: List, items: [${'*b, '.repeat(100)}]}
items: [${'*c, '.repeat(100)}]
`,
      issue: 'its aliases expand to more values than any object has',
    },
    {
      name: 'a list in itself',
      text: 'kind: List\nitems: &items [{kind: List, items: *items}]\n',
      issue: 'lists are nested too deeply',
    },
    {
      name: 'an event in itself',
      text: '--- &event\ntype: ADDED\nobject: *event\n',
      issue: 'not a Kubernetes object: it has no kind',
    },
    {
      name: 'merge keys that multiply',
      text: `kind: Pod\na: &a {${Array.from({ length: 200 }, (_, i) => `k${i}: 1`).join(', ')}}\nmetadata: {name: x}\nb:\n${'- {<<: *a}\n'.repeat(100)}`,
      issue: 'merge keys exceeded maxTotalMergeKeys (10000)',
    },
  ])('$name', async ({ text, issue }) => {
    const read = await readText(`${text}---\n${good}`);
    expect(told(read)).toEqual([expect.stringContaining(issue)]);
    expect(placed(read)).toEqual([expect.stringContaining('StorageClass archive')]);
  });

  it('keys that are names of object methods stay keys', async () => {
    const labels = { constructor: 'a', toString: 'b', hasOwnProperty: 'c', valueOf: 'd' };
    const json = `{"__proto__": {"polluted": "1"}, ${JSON.stringify(labels).slice(1)}`;
    for (const text of [
      `{"kind": "StorageClass", "__proto__": {"provisioner": "x"}, "metadata": {"name": "a", "labels": ${json.replace('{"polluted": "1"}', '"p"')}}}`,
      `kind: StorageClass\n__proto__: {provisioner: x}\nmetadata: {name: a, labels: ${json.replace('{"polluted": "1"}', '"p"')}}\n`,
    ]) {
      const { objects } = await readText(text);
      const object = objects[0]?.object as { provisioner?: string } & (typeof objects)[0]['object'];
      expect(Object.entries(object.metadata.labels ?? {}).sort()).toEqual(
        [['__proto__', 'p'], ...Object.entries(labels)].sort(),
      );
      expect(object.provisioner).toBeUndefined();
      expect(Object.getPrototypeOf(object.metadata.labels)).toBe(Object.prototype);
    }
  });

  it('a message holds no more than a line of the input', async () => {
    const text = `kind: StorageClass\nmetadata: {name: "${'x'.repeat(10_000)}", creationTimestamp: "a\\nb${'y'.repeat(10_000)}"}\n`;
    const { issues } = await readText(text);
    expect(issues).toHaveLength(1);
    expect(issues[0]?.reason.length).toBeLessThan(500);
    expect(issues[0]?.reason).not.toContain('\n');
  });
});

describe('text that was made for people', () => {
  const refusal = 'this is display text, and matching needs every field: run the command again with -o yaml';

  it.each([
    { name: 'a table', text: 'NAME    CAPACITY   ACCESS MODES   STATUS\nfilms   2Ti        RWO            Bound\n' },
    {
      name: 'a table of all namespaces',
      text: 'NAMESPACE   NAME    STATUS   VOLUME\nmedia       films   Bound    films\n',
    },
    { name: 'a table of names', text: 'NAME\nfilms\n' },
    { name: 'a table of events', text: 'LAST SEEN   TYPE      REASON\n3m          Warning   ProvisioningFailed\n' },
    { name: 'a description', text: 'Name:          films\nNamespace:     media\nStatus:        Pending\n' },
    { name: 'names', text: 'persistentvolumeclaim/films\npersistentvolumeclaim/series\n' },
    { name: 'a table of the API', text: '{"kind": "Table", "apiVersion": "meta.k8s.io/v1", "rows": []}\n' },
  ])('$name is refused', async ({ text }) => {
    const read = await readText(`${text}---\n${good}`);
    expect(told(read)).toEqual([`error 1:1 ${refusal}`]);
    expect(placed(read)).toEqual([expect.stringContaining('StorageClass archive')]);
    expect(read.reader.refusal).toBe(refusal);
  });

  it('names without objects are refused', async () => {
    const read = await readText('{"kind": "PartialObjectMetadataList", "items": []}');
    expect(told(read)).toEqual(['error 1:1 this list holds names only: run the command again with -o yaml']);
  });
});

describe('bytes that are no text', () => {
  const bytes = (...parts: readonly (string | number[])[]) =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

  it.each([
    { name: 'a compressed archive', content: bytes([0x1f, 0x8b, 8, 0]), told: 'this is an archive: unpack it first' },
    { name: 'a zip archive', content: bytes('PK\x03\x04abcd'), told: 'this is an archive: unpack it first' },
    { name: 'a tar archive', content: bytes('\0'.repeat(257), 'ustar\0'), told: 'this is an archive: unpack it first' },
    { name: 'an etcd snapshot', content: bytes('\0'.repeat(16), [0xed, 0xda, 0x0c, 0xed]), told: 'etcd snapshot' },
    { name: 'the database of k3s', content: bytes('SQLite format 3\0'), told: 'SQLite database' },
    { name: 'anything else', content: bytes('kind: List', [0, 1, 2]), told: 'neither YAML nor JSON' },
  ])('$name is refused', async ({ content, told: expected }) => {
    const read = await readText(content);
    expect(told(read)).toEqual([expect.stringContaining(expected)]);
    expect(read.objects).toEqual([]);
  });
});

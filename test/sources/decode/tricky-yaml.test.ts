import { describe, expect, it } from 'vitest';
import type { StorageClass } from '../../../src/api/objects.ts';
import { placed, readText, told } from '../read-text.ts';

// Texts in which something looks like the layout of a document and is not. The annotations tell what became of it.

const annotated = (value: string) =>
  `apiVersion: v1
kind: List
items:
- kind: PersistentVolume
  metadata:
    name: films
    annotations:
      k8s.io/note: ${value}
  spec:
    volumeMode: Block
- kind: PersistentVolume
  metadata:
    name: series
  spec:
    volumeMode: Block
`;

const notes: readonly { name: string; value: string; note: string }[] = [
  {
    name: 'a block scalar that looks like items',
    value:
      '|\n        - kind: PersistentVolume\n          metadata:\n            name: fake\n        kind: Secret\n        ---\n        apiVersion: v1',
    note: '- kind: PersistentVolume\n  metadata:\n    name: fake\nkind: Secret\n---\napiVersion: v1\n',
  },
  {
    name: 'a folded scalar with empty lines and a comment sign',
    value: '>-\n\n        one\n        # two\n\n\n        three',
    note: '\none # two\n\nthree',
  },
  { name: 'a kept block scalar', value: '|+\n        one\n\n', note: 'one\n\n\n' },
  { name: 'a block scalar with an indentation mark', value: '|2-\n          - indented', note: '  - indented' },
  {
    name: 'a double-quoted scalar over lines',
    value: '"one\n        - kind: PersistentVolume\n        \\"kind: List\\"\n        \\\n        --- end"',
    note: 'one - kind: PersistentVolume "kind: List" --- end',
  },
  { name: 'a single-quoted scalar over lines', value: "'it''s\n\n        - two'", note: "it's\n- two" },
  {
    name: 'a plain scalar over lines',
    value: 'one\n        - two\n        items\n        # comment',
    note: 'one - two items',
  },
  { name: 'a scalar with an anchor', value: '&note text # comment', note: 'text' },
  { name: 'a scalar with a tag', value: '!!str 7', note: '7' },
  { name: 'a value on its own line', value: '\n        text', note: 'text' },
];

describe.each([4 * 1024 * 1024, 64, 5])('with a window of %d bytes', (windowSize) => {
  it.each(notes)('reads $name', async ({ value, note }) => {
    const read = await readText(annotated(value), { windowSize });
    expect(told(read)).toEqual([]);
    expect(placed(read)).toEqual([
      'PersistentVolume films at 1:4',
      `PersistentVolume series at 1:${value.split('\n').length + 10}`,
    ]);
    expect(read.objects[0]?.object.metadata.annotations).toEqual({ 'k8s.io/note': note });
  });

  it('follows aliases from one item to another, past items that are not wanted', async () => {
    const text = `apiVersion: v1
kind: List
metadata: &nothing {}
items:
- kind: Secret
  data: &spec
    storageClassName: archive
- kind: PersistentVolume
  metadata: {name: films, labels: &labels {shelf: a}}
  spec: *spec
- kind: PersistentVolume
  metadata:
    name: series
    labels: *labels
    annotations: *nothing
  spec: *spec
- kind: PersistentVolume
  metadata:
    name: broken
    labels: *unknown
  spec: *spec
- kind: PersistentVolume
  metadata:
    name: again
    labels: &labels {shelf: b}
  spec: {volumeMode: Block}
- kind: PersistentVolume
  metadata:
    name: music
    labels: *labels
  spec: {volumeMode: Block}
`;
    const read = await readText(text, { windowSize });
    expect(told(read)).toEqual(['error 1:20 unidentified alias "unknown"']);
    expect(read.objects.map(({ object }) => [object.metadata.name, object.metadata.labels])).toEqual([
      ['films', { shelf: 'a' }],
      ['series', { shelf: 'a' }],
      ['again', { shelf: 'b' }],
      ['music', { shelf: 'b' }],
    ]);
    expect(read.objects[1]?.object).toMatchObject({ spec: { storageClassName: 'archive' } });
  });

  it('takes the anchor that stands before the alias, although the kind of the items stands behind both', async () => {
    const items = ['&p {a: "1"}', '*p', '&p {a: "2"}', '*p'].map(
      (parameters, i) => `- metadata: {name: class-${i}}\n  parameters: ${parameters}\n`,
    );
    const text = `apiVersion: storage.k8s.io/v1\nitems:\n${items.join('')}kind: StorageClassList\n`;
    const { objects } = await readText(text, { windowSize });
    expect(objects.map(({ object }) => (object as StorageClass).parameters?.a)).toEqual(['1', '1', '2', '2']);
  });

  it('follows an alias from behind the items into them', async () => {
    const text =
      'items:\n- metadata: &meta {name: films}\n  provisioner: a\napiVersion: storage.k8s.io/v1\nkind: StorageClassList\nmetadata: *meta\n';
    const read = await readText(text, { windowSize });
    expect(told(read)).toEqual([]);
    expect(placed(read)).toEqual(['StorageClass films at 1:2']);
  });

  it('merges keys as kubectl does', async () => {
    const text = `kind: List
items:
- &base
  kind: PersistentVolume
  metadata: {name: films}
  spec: {volumeMode: Block}
- <<: *base
  metadata: {name: series}
`;
    const read = await readText(text, { windowSize });
    expect(placed(read)).toEqual(['PersistentVolume films at 1:3', 'PersistentVolume series at 1:7']);
    expect(read.objects[1]?.object).toMatchObject({ spec: { volumeMode: 'Block' } });
  });
});

it.each([
  { name: 'a quoted kind', line: '"kind": "Secret"' },
  { name: 'a kind with a comment', line: 'kind: Secret # do not read' },
  { name: 'a kind in single quotes', line: "kind: 'Secret'" },
])('passes over $name', async ({ line }) => {
  const read = await readText(
    `${line}\nmetadata:\n  name: password\n---\nkind: List\nitems:\n- ${line}\n  metadata: {name: password}\n`,
  );
  expect(placed(read)).toEqual([]);
  expect(read.reader.unwantedKinds).toEqual(new Set(['Secret']));
});

it.each([
  {
    name: 'YAML',
    text: 'kind: List\nitems:\n- kind: Secret\n  data: {a: [}\n- metadata:\n    name: x\n  data: {a: b: c}\n  kind: ConfigMap\n',
  },
  { name: 'YAML documents', text: 'kind: Secret\ndata: {a: [}\n---\nmetadata: &x [\nkind: ConfigMap\n' },
  { name: 'a typed list', text: 'items:\n- data: {a: [}\nkind: SecretList\n' },
  {
    name: 'JSON',
    text: '{"items": [{"kind": "Secret", "data": nonsense}, {"metadata": {}, "kind": "ConfigMap", "a": 01}]}',
  },
  { name: 'pretty JSON', text: '{"items": [\n  {\n    "kind": "Secret",\n    "data": nonsense\n  }\n]}' },
  { name: 'a typed JSON list', text: '{"kind": "SecretList", "items": [{"data": nonsense}]}' },
  { name: 'watch events', text: '{"type": "ADDED", "object": {"metadata": {}, "kind": "Secret", "data": nonsense}}' },
  { name: 'watch events in YAML', text: 'object:\n  data: {a: [}\n  kind: Secret\ntype: ADDED\n' },
])('never parses Secrets and ConfigMaps in $name: what is wrong in them is not even seen', async ({ text }) => {
  const read = await readText(text);
  expect(told(read)).toEqual([]);
  expect(placed(read)).toEqual([]);
});

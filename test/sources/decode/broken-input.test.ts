import { describe, expect, it } from 'vitest';
import { placed, type ReadOptions, readText, told } from '../read-text.ts';

const item = (name: string) =>
  `- kind: PersistentVolume\n  metadata:\n    name: ${name}\n  spec:\n    volumeMode: Block\n`;
const json = (name: string) =>
  JSON.stringify({ kind: 'PersistentVolume', metadata: { name }, spec: { volumeMode: 'Block' } });

interface Row {
  readonly name: string;
  readonly text: string;
  readonly kept: readonly string[];
  readonly issues: readonly string[];
  readonly options?: ReadOptions;
}

const films = 'PersistentVolume films';
const series = 'PersistentVolume series';

const rows: readonly Row[] = [
  {
    name: 'an item that is no YAML is told, the others are kept',
    text: `apiVersion: v1\nitems:\n${item('films')}- kind: PersistentVolume\n  metadata:\n    name: broken\n   spec: {}\n${item('series')}kind: List\n`,
    kept: [`${films} at 1:3`, `${series} at 1:12`],
    issues: ['error 1:11 bad indentation of a mapping entry'],
  },
  {
    name: 'a key that occurs twice in an item',
    text: `kind: List\nitems:\n${item('films')}- kind: PersistentVolume\n  metadata:\n    name: one\n  metadata:\n    name: two\n${item('series')}`,
    kept: [`${films} at 1:3`, `${series} at 1:13`],
    issues: ['error 1:11 duplicated mapping key'],
  },
  {
    name: 'a key that occurs twice in a document',
    text: `kind: PersistentVolume\nmetadata:\n  name: films\nkind: PersistentVolumeClaim\n---\nkind: PersistentVolume\nmetadata:\n  name: series\nspec:\n  volumeMode: Block\n`,
    kept: [`${series} at 2:6`],
    issues: ['error 1:4 duplicated mapping key'],
  },
  {
    name: 'two item lists in one document',
    text: `kind: List\nitems:\n${item('films')}items:\n${item('series')}`,
    kept: [`${films} at 1:3`],
    issues: ['error 1:8 duplicated mapping key'],
  },
  {
    name: 'a List whose end is broken',
    text: `items:\n${item('films')}kind: List\nmetadata: {\n---\n${item('series')}`,
    kept: [`${films} at 1:2`, `${series} at 2:10`],
    issues: ['error 1:9 unexpected end of the stream within a flow collection'],
  },
  {
    name: 'an item that is not an object',
    text: `kind: List\nitems:\n- films\n-\n- 7\n- [a, b]\n${item('series')}`,
    kept: [`${series} at 1:7`],
    issues: [3, 4, 5, 6].map((line) => `error 1:${line} an item of the list is not an object`),
  },
  {
    name: 'an item without a kind',
    text: `kind: List\nitems:\n- metadata:\n    name: films\n${item('series')}`,
    kept: [`${series} at 1:5`],
    issues: ['error 1:3 not a Kubernetes object: it has no kind'],
  },
  {
    name: 'a document that is not an object',
    text: `just words\n---\n${item('films')}`,
    kept: [`${films} at 2:3`],
    issues: ['error 1:1 not a Kubernetes object'],
  },
  {
    name: 'a mapping that is no object of Kubernetes',
    text: `replicas: 3\nimage: films\n---\n${item('films')}`,
    kept: [`${films} at 2:4`],
    issues: ['error 1:1 not a Kubernetes object: it has no kind'],
  },
  {
    name: 'an unknown alias',
    text: `kind: List\nitems:\n- kind: PersistentVolume\n  metadata: *unknown\n${item('series')}`,
    kept: [`${series} at 1:5`],
    issues: ['error 1:4 unidentified alias "unknown"'],
  },
  {
    name: 'an unclosed quote takes the rest of its item only',
    text: `kind: List\nitems:\n- kind: PersistentVolume\n  metadata:\n    name: "films\n${item('series')}`,
    kept: [`${series} at 1:6`],
    issues: ['error 1:6 unexpected end of the stream within a double quoted scalar'],
  },
  {
    name: 'a tag that is unknown',
    text: `kind: List\nitems:\n- !!js/function 'x'\n${item('series')}`,
    kept: [`${series} at 1:4`],
    issues: ['error 1:3 unknown tag !<tag:yaml.org,2002:js/function>'],
  },
  {
    name: 'a null byte in the middle',
    text: `kind: List\nitems:\n${item('films')}${' '.repeat(5000)}\n- kind: PersistentVolume\n  metadata:\n    name: "a\0b"\n${item('series')}`,
    kept: [`${films} at 1:3`, `${series} at 1:12`],
    issues: ['error 1:9 null byte is not allowed in input'],
  },
  {
    name: 'JSON that was cut off inside a List keeps what came before',
    text: `{"kind": "List", "items": [\n${json('films')},\n${json('series')},\n{"kind": "PersistentVolume", "meta`,
    kept: [`${films} at 1:2`, `${series} at 1:3`],
    issues: ['error 1:4 the JSON text is cut off inside this object'],
  },
  {
    name: 'JSON that was cut off behind its items',
    text: `{"apiVersion": "v1", "items": [\n${json('films')}\n],\n"kind": "Li`,
    kept: [`${films} at 1:2`],
    issues: ['error 1:3 the JSON text is cut off inside this object'],
  },
  {
    name: 'a typed List that was cut off has lost its kind',
    text: `{"apiVersion": "v1", "items": [{"metadata": {"name": "films"}},\n{"metadata": {"name": "ser`,
    kept: [],
    issues: [
      'error 1:1 not a Kubernetes object: it has no kind',
      'error 1:2 the JSON text is cut off inside this object',
    ],
  },
  {
    name: 'a line of NDJSON that was cut off, inside a string and outside',
    text: `${json('films')}\n{"kind": "Pod", "metadata": {"na\n${json('series')}\n{"kind": "Pod", "metadata": {"name": "x"},\n${json('music')}\n${json('books')}\n`,
    kept: [`${films} at 1:1`, `${series} at 3:3`, 'PersistentVolume music at 5:5', 'PersistentVolume books at 6:6'],
    issues: [
      'error 2:2 the JSON text is cut off inside this object',
      'error 4:4 the JSON text is cut off inside this object',
    ],
  },
  {
    name: 'a line of NDJSON that was cut off inside a string, before one with a brace in a string',
    text: `{"kind": "Pod", "na\n{"kind": "StorageClass", "metadata": {"name": "odd"}, "parameters": {"a": "}"}}\n${json('films')}\n`,
    kept: ['StorageClass odd at 2:2', `${films} at 3:3`],
    issues: ['error 1:1 the JSON text is cut off inside this object'],
  },
  {
    name: 'JSON with a key without quotes around it is YAML',
    text: '{"kind": "PersistentVolume", metadata: {"name": "films"}, "spec": {"volumeMode": "Block"}}',
    kept: [`${films} at 1:1`],
    issues: [],
  },
  {
    name: 'JSON without a comma',
    text: `{\n  "kind": "Pod"\n  "metadata": {}\n}\n${json('films')}`,
    kept: [`${films} at 2:5`],
    issues: ['error 1:3 expected "," or "}", found "\\""'],
  },
  {
    name: 'an item of a JSON List without a colon',
    text: `{\n    "kind": "List",\n    "items": [\n        {\n            "kind" "Pod"\n        },\n        ${json('films')}\n    ]\n}\n`,
    kept: [`${films} at 1:7`],
    issues: ['error 1:5 expected ":" after a key, found "\\""'],
  },
  {
    name: 'items of a JSON List without a comma between them',
    text: `{"kind": "List", "items": [${json('films')}\n${json('series')}]}`,
    kept: [`${films} at 1:1`, `${series} at 1:2`],
    issues: ['error 1:2 the items of the list are not separated by one comma each'],
  },
  {
    name: 'two item lists in one JSON document',
    text: `{"kind": "List", "items": [${json('films')}], "items": [${json('series')}]}`,
    kept: [`${films} at 1:1`],
    issues: ['error 1:1 duplicated mapping key "items": only the first list is used'],
  },
  {
    name: 'text between JSON documents',
    text: `${json('films')}\n==== START logs for container db of pod db/db-0 ====\nready: {"a": 1}\n==== END ====\n${json('series')}\n`,
    kept: [`${films} at 1:1`, `${series} at 2:5`],
    issues: ['error 1:2 text between JSON documents: passed over'],
  },
  {
    name: 'an answer of the API server that refuses',
    text: '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"persistentvolumes is forbidden","code":403}',
    kept: [],
    issues: ['error 1:1 an answer of the API server that says: persistentvolumes is forbidden'],
  },
  {
    name: 'one page of a list',
    text: `{"kind": "List", "metadata": {"continue": "abc"}, "items": [${json('films')}]}`,
    kept: [`${films} at 1:1`],
    issues: ['warning 1:1 this list is one page of several: the rest of it is missing'],
  },
  {
    name: 'a kind with items that is no list',
    text: `kind: Template\nitems:\n${item('films')}`,
    kept: [`${films} at 1:3`],
    issues: ['warning 1:1 a Template with items is read as a list'],
  },
  {
    name: 'an item that is too long to be held',
    text: `kind: List\nitems:\n${item('films')}- kind: PersistentVolume\n  metadata:\n    name: long\n  note: |\n${'    all of it\n'.repeat(300)}${item('series')}`,
    kept: [`${films} at 1:3`, `${series} at 1:312`],
    issues: ['error 1:8 longer than 1 MiB: passed over'],
    options: { windowSize: 64, pieceLimit: 1000 },
  },
  {
    name: 'a document that is too long to be held',
    text: `kind: PersistentVolume\nnote: |\n${'  all of it\n'.repeat(300)}---\n${item('series')}`,
    kept: [`${series} at 2:304`],
    issues: ['error 1:1 longer than 1 MiB: passed over'],
    options: { windowSize: 64, pieceLimit: 1000 },
  },
  {
    name: 'a JSON document that is too long to be held',
    text: `{"kind": "PersistentVolume", "note": [${'"all of it",\n'.repeat(300)}""]}\n${json('series')}`,
    kept: [`${series} at 2:302`],
    issues: ['error 1:1 longer than 1 MiB: passed over'],
    options: { windowSize: 64, pieceLimit: 1000 },
  },
  {
    name: 'items without a kind that are too many to be held',
    text: `apiVersion: storage.k8s.io/v1\nitems:\n${['films', 'series', 'music'].map((name) => `- metadata:\n    name: ${name}\n`).join('')}kind: StorageClassList\n`,
    kept: ['StorageClass films at 1:3', 'StorageClass series at 1:5'],
    issues: ['error 1:7 the kind of the items stands behind more of them than can be held: the rest is passed over'],
    options: { deferralLimit: 60 },
  },
  {
    name: 'a chart that was not rendered',
    text: 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: {{ .Values.name }}\nspec:\n  {{- toYaml .Values.spec | nindent 2 }}\n',
    kept: [],
    issues: ['error 1:1 this is an unrendered Helm chart: run "helm template CHART" and pipe the result'],
  },
  {
    name: 'a chart that is YAML by accident',
    text: 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: data-{{ .Values.name }}\nspec:\n  accessModes: [ReadWriteOnce]\n',
    kept: [],
    issues: ['error 1:1 this is an unrendered Helm chart: run "helm template CHART" and pipe the result'],
  },
];

describe.each([4 * 1024 * 1024, 64])('with a window of %d bytes', (windowSize) => {
  it.each(rows)('$name', async ({ text, kept, issues, options = {} }) => {
    const read = await readText(text, { windowSize, ...options });
    expect(told(read)).toEqual(issues);
    expect(placed(read)).toEqual(kept);
  });
});

it('many lines that were cut off are not read again and again', async () => {
  const lines = `{"kind": "Pod", "metadata": {"name": "x"},\n`.repeat(20_000);
  const started = performance.now();
  const read = await readText(`${lines}${json('films')}\n`);
  expect(placed(read)).toEqual([`${films} at 20001:20001`]);
  // Reading on to the end for each of them takes ten times as long.
  expect(performance.now() - started).toBeLessThan(4000);
});

it('lists so many problems of a file and counts the rest', async () => {
  const { issues } = await readText(`kind: List\nitems:\n${'- 7\n'.repeat(1000)}`);
  expect(issues).toHaveLength(201);
  expect(issues.at(-1)).toEqual({
    severity: 'error',
    file: 'cluster.yaml',
    reason: '800 more problems, which are not listed',
  });
});

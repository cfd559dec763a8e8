import { describe, expect, it } from 'vitest';
import { placed, readText, told } from '../read-text.ts';

const volume = (name: string, indent = '') =>
  [
    'apiVersion: v1',
    'kind: PersistentVolume',
    'metadata:',
    `  name: ${name}`,
    'spec:',
    '  capacity:',
    '    storage: 2Ti',
    '',
  ]
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n');

const item = (name: string, indent = '') => `${indent}- ${volume(name, `${indent}  `).trimStart()}`;
const json = (name: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: { capacity: { storage: '2Ti' } },
});
const typed = (name: string) => ({ metadata: { name }, spec: { capacity: { storage: '2Ti' } } });

const films = 'PersistentVolume films';
const series = 'PersistentVolume series';

const shapes: readonly {
  name: string;
  text: string;
  expected: readonly string[];
  issues?: readonly string[];
  file?: string;
}[] = [
  { name: 'one object', text: volume('films'), expected: [`${films} at 1:1`] },
  { name: 'one object that is indented as a whole', text: volume('films', '  '), expected: [`${films} at 1:1`] },
  {
    name: 'a List as kubectl prints it',
    text: `apiVersion: v1\nitems:\n${item('films')}${item('series')}kind: List\nmetadata:\n  resourceVersion: ""\n`,
    expected: [`${films} at 1:3`, `${series} at 1:10`],
  },
  {
    name: 'a List with its kind first and indented items',
    text: `kind: List\napiVersion: v1\nitems:\n${item('films', '  ')}${item('series', '  ')}`,
    expected: [`${films} at 1:4`, `${series} at 1:11`],
  },
  {
    name: 'a List whose items are indented deeply',
    text: `apiVersion: v1\nitems:\n${item('films', '        ')}${item('series', '        ')}kind: List\n`,
    expected: [`${films} at 1:3`, `${series} at 1:10`],
  },
  {
    name: 'a List with comments and empty lines between its items',
    text: `# a library\napiVersion: v1\nitems: # all of it\n\n# first\n${item('films')}\n# second\n${item('series')}# end\nkind: List\n`,
    expected: [`${films} at 1:6`, `${series} at 1:15`],
  },
  {
    name: 'a List whose dashes stand alone',
    text: `apiVersion: v1\nkind: List\nitems:\n-\n  # first\n${volume('films', '  ')}-\n${volume('series', '  ')}`,
    expected: [`${films} at 1:6`, `${series} at 1:14`],
  },
  {
    name: 'a List whose items are indented more than by the dash',
    text: `apiVersion: v1\nkind: List\nitems:\n-   ${volume('films', '    ').trimStart()}-   ${volume('series', '    ').trimStart()}`,
    expected: [`${films} at 1:4`, `${series} at 1:11`],
  },
  {
    name: 'a List in flow style',
    text: `apiVersion: v1\nkind: List\nitems: [\n  {kind: PersistentVolume, metadata: {name: films}, spec: {capacity: {storage: 2Ti}}},\n  {kind: PersistentVolume, metadata: {name: series}, spec: {capacity: {storage: 2Ti}}}]\n`,
    expected: [`${films} at 1:4`, `${series} at 1:5`],
  },
  {
    name: 'a List whose items are in flow style',
    text: `apiVersion: v1\nkind: List\nitems:\n- {kind: PersistentVolume, metadata: {name: films}, spec: {capacity: {storage: 2Ti}}}\n- ${JSON.stringify(json('series'))}\n`,
    expected: [`${films} at 1:4`, `${series} at 1:5`],
  },
  {
    name: 'a flow mapping over several lines',
    text: '{\n  apiVersion: v1, # not JSON\n  kind: PersistentVolume,\n  metadata: {name: films},\n  spec: {capacity: {storage: 2Ti}}\n}\n',
    expected: [`${films} at 1:1`],
  },
  {
    name: 'a bare sequence',
    text: `${item('films')}${item('series')}`,
    expected: [`${films} at 1:1`, `${series} at 1:8`],
  },
  {
    name: 'an indented bare sequence after a marker',
    text: `---\n${item('films', '  ')}${item('series', '  ')}---\n${volume('music')}`,
    expected: [`${films} at 1:2`, `${series} at 1:9`, 'PersistentVolume music at 2:17'],
  },
  {
    name: 'many documents, the first with a marker, some empty',
    text: `---\n${volume('films')}---\n---\n# nothing\n---\n${volume('series')}---\n`,
    expected: [`${films} at 1:2`, `${series} at 4:13`],
  },
  {
    name: 'many documents, the first without a marker',
    text: `${volume('films')}---\n${volume('series')}`,
    expected: [`${films} at 1:1`, `${series} at 2:9`],
  },
  {
    name: 'documents that end with dots',
    text: `${volume('films')}...\n---\n${volume('series')}...\n# over\n`,
    expected: [`${films} at 1:1`, `${series} at 2:10`],
  },
  {
    name: 'documents with comments before the marker and on it',
    text: `# Source: library/templates/films.yaml\n--- # first\n${volume('films')}--- # second\n# Source: series\n${volume('series')}`,
    expected: [`${films} at 1:3`, `${series} at 2:12`],
  },
  {
    name: 'a document with a directive',
    text: `%YAML 1.2\n---\n${volume('films')}---\n${volume('series')}`,
    expected: [`${films} at 1:3`, `${series} at 2:11`],
  },
  {
    name: 'a document that begins on the line of its marker',
    text: `--- !!map\n${volume('films')}--- {kind: PersistentVolume, metadata: {name: series}, spec: {mountOptions: [ro]}}\n`,
    expected: [`${films} at 1:1`, `${series} at 2:9`],
  },
  {
    name: 'two lists appended without a separator',
    text: `apiVersion: v1\nitems:\n${item('films')}kind: List\napiVersion: v1\nitems:\n${item('series')}kind: List\n`,
    expected: [`${films} at 1:3`, `${series} at 2:13`],
    issues: ['warning 1:11 documents were appended without "---" between them: each is read on its own'],
  },
  {
    name: 'three objects appended without a separator are told once',
    text: volume('films') + volume('series') + volume('music'),
    expected: [`${films} at 1:1`, `${series} at 2:8`, 'PersistentVolume music at 3:15'],
    issues: ['warning 1:8 documents were appended without "---" between them: each is read on its own'],
  },
  {
    name: 'a list in flow style and an object appended to it',
    text: `apiVersion: v1\nkind: List\nitems: [{kind: PersistentVolume, metadata: {name: films}, spec: {mountOptions: [ro]}}]\n${volume('series')}`,
    expected: [`${films} at 1:3`, `${series} at 2:4`],
    issues: ['warning 1:4 documents were appended without "---" between them: each is read on its own'],
  },
  { name: 'JSON on one line', text: JSON.stringify(json('films')), expected: [`${films} at 1:1`] },
  {
    name: 'a JSON List as kubectl prints it',
    text: `${JSON.stringify({ apiVersion: 'v1', items: [json('films'), json('series')], kind: 'List' }, null, 4)}\n`,
    expected: [`${films} at 1:4`, `${series} at 1:16`],
  },
  {
    name: 'a JSON List on one line',
    text: JSON.stringify({ kind: 'List', apiVersion: 'v1', items: [json('films'), json('series')] }),
    expected: [`${films} at 1:1`, `${series} at 1:1`],
  },
  {
    name: 'a JSON List of which no line is indented',
    text: JSON.stringify({ kind: 'List', items: [json('films'), json('series')] }, null, 1).replace(/^ +/gm, ''),
    expected: [`${films} at 1:4`, `${series} at 1:16`],
  },
  {
    name: 'a JSON List whose inner braces stand where items end',
    text: '{\n    "items": [\n        {\n"kind": "PersistentVolume",\n            "metadata": {\n            "name": "films"\n        },\n            "spec": {\n            "volumeMode": "Block"\n        }\n        },\n        {\n            "kind": "Secret",\n            "data": {\n                "a": [{\n        },\n        {\n                "kind": "PersistentVolume", "metadata": {"name": "fake"}}]\n        }\n        }\n    ]\n}\n',
    expected: [`${films} at 1:3`],
  },
  {
    name: 'a JSON List with a Secret in which something looks like the end of it and the next item',
    text: `{\n    "items": [\n        {\n            "kind": "StorageClass", "metadata": {"name": "archive"}\n        },\n        {\n            "kind": "Secret",\n            "data": [{\n        },\n        {\n            "kind": "PersistentVolume", "metadata": {"name": "fake"}, "spec": {"volumeMode": "Block"}\n        }]\n        },\n        ${JSON.stringify(json('films'))}\n    ]\n}\n`,
    expected: ['StorageClass archive at 1:3', `${films} at 1:14`],
  },
  {
    name: 'concatenated JSON',
    text: `${JSON.stringify(json('films'), null, 4)}\n${JSON.stringify(json('series'), null, 4)}${JSON.stringify(json('music'))}`,
    expected: [`${films} at 1:1`, `${series} at 2:13`, 'PersistentVolume music at 3:24'],
  },
  {
    name: 'NDJSON',
    text: `${JSON.stringify(json('films'))}\n${JSON.stringify(json('series'))}\n`,
    expected: [`${films} at 1:1`, `${series} at 2:2`],
  },
  {
    name: 'JSON documents with markers between them',
    text: `---\n${JSON.stringify(json('films'), null, 2)}\n---\n${JSON.stringify(json('series'))}\n`,
    expected: [`${films} at 1:2`, `${series} at 2:15`],
  },
  {
    name: 'YAML appended to JSON',
    text: `${JSON.stringify(json('films'))}\n${volume('series')}`,
    expected: [`${films} at 1:1`, `${series} at 2:2`],
  },
  {
    name: 'JSON appended to YAML',
    text: `${volume('films')}${JSON.stringify(json('series'))}\n${volume('music')}`,
    expected: [`${films} at 1:1`, `${series} at 2:8`, 'PersistentVolume music at 3:9'],
  },
  {
    name: 'a bare JSON array',
    text: `[\n  ${JSON.stringify(json('films'))},\n  ${JSON.stringify(json('series'))}\n]\n`,
    expected: [`${films} at 1:2`, `${series} at 1:3`],
  },
  {
    name: 'JSON with a trailing comma and a comment, which kubectl reads as YAML',
    text: '{"kind": "PersistentVolume", "metadata": {"name": "films",}, # here\n "spec": {"volumeMode": "Block"}}',
    expected: [`${films} at 1:1`],
  },
  {
    name: 'a typed list with its kind in front',
    text: JSON.stringify({ kind: 'PersistentVolumeList', apiVersion: 'v1', metadata: {}, items: [typed('films')] }),
    expected: [`${films} at 1:1`],
  },
  {
    name: 'a typed list with its kind behind the items',
    text: `apiVersion: v1\nitems:\n- metadata:\n    name: films\n  spec:\n    volumeMode: Block\n- metadata:\n    name: series\n  spec:\n    volumeMode: Block\nkind: PersistentVolumeList\n`,
    expected: [`${films} at 1:3`, `${series} at 1:7`],
  },
  {
    name: 'a JSON typed list with its kind behind the items',
    text: JSON.stringify(
      { apiVersion: 'v1', items: [typed('films'), typed('series')], kind: 'PersistentVolumeList' },
      null,
      2,
    ),
    expected: [`${films} at 1:4`, `${series} at 1:14`],
  },
  {
    name: 'a list without kinds in a file that is named after its resource',
    file: 'dump/pvs.json',
    text: JSON.stringify({ items: [typed('films')] }),
    expected: [`${films} at 1:1`],
  },
  {
    name: 'a bare array without kinds in a folder that is named after its resource',
    file: 'cluster-resources/storage-classes/all.json',
    text: JSON.stringify([{ metadata: { name: 'archive' }, provisioner: 'example.com/tape' }]),
    expected: ['StorageClass archive at 1:1'],
  },
  {
    name: 'one object without a kind in a file that is named after its resource',
    file: 'persistentvolumes.yaml',
    text: 'metadata:\n  name: films\nspec:\n  volumeMode: Block\n',
    expected: [`${films} at 1:1`],
  },
  {
    name: 'arrays under the names of their resources',
    text: `{\n  "pvs": [\n    ${JSON.stringify(typed('films'))},\n    ${JSON.stringify(typed('series'))}],\n  "storageClasses": [{"metadata": {"name": "archive"}}], "schedulerConfig": {}}`,
    expected: [`${films} at 1:3`, `${series} at 1:4`, 'StorageClass archive at 1:5'],
  },
  {
    name: 'a List in a List',
    text: JSON.stringify({
      kind: 'List',
      items: [{ kind: 'PersistentVolumeList', items: [typed('films')] }, json('series')],
    }),
    expected: [`${films} at 1:1`, `${series} at 1:1`],
  },
  {
    name: 'a watch stream of plain objects',
    text: `${JSON.stringify(json('films'), null, 4)}\n${JSON.stringify(json('films'), null, 4)}\n`,
    expected: [`${films} at 1:1`, `${films} at 2:13`],
  },
  {
    name: 'watch events',
    text: ['ADDED', 'MODIFIED', 'BOOKMARK', 'DELETED']
      .map((type) => `${JSON.stringify({ type, object: json('films') })}\n`)
      .join(''),
    expected: [`${films} at 1:1`, `${films} at 2:2`, `${films} at 4:4`],
  },
  {
    name: 'watch events in YAML',
    text: `object:\n${volume('films', '  ')}type: ADDED\n---\nobject:\n${volume('series', '  ')}type: ADDED\n`,
    expected: [`${films} at 1:1`, `${series} at 2:11`],
  },
  { name: 'an object behind a byte order mark', text: `\ufeff${volume('films')}`, expected: [`${films} at 1:1`] },
  {
    name: 'lines that end as on Windows',
    text: volume('films').replaceAll('\n', '\r\n'),
    expected: [`${films} at 1:1`],
  },
  {
    name: 'a List with lines that end as on Windows',
    text: `apiVersion: v1\nitems:\n${item('films')}${item('series')}kind: List\n---\n${volume('music')}`.replaceAll(
      '\n',
      '\r\n',
    ),
    expected: [`${films} at 1:3`, `${series} at 1:10`, 'PersistentVolume music at 2:19'],
  },
  {
    name: 'lines that end as on the first Macintosh',
    text: `apiVersion: v1\nitems:\n${item('films')}${item('series')}kind: List\n`.replaceAll('\n', '\r'),
    expected: [`${films} at 1:3`, `${series} at 1:10`],
  },
  {
    name: 'documents with lines that end as on the first Macintosh',
    text: `${volume('films')}---\n# next\n${volume('series')}`.replaceAll('\n', '\r'),
    expected: [`${films} at 1:1`, `${series} at 2:10`],
  },
  {
    name: 'no line end at the end',
    text: `apiVersion: v1\nkind: List\nitems:\n${item('films')}${item('series').trimEnd()}`,
    expected: [`${films} at 1:4`, `${series} at 1:11`],
  },
];

describe.each([4 * 1024 * 1024, 64, 7])('with a window of %d bytes', (windowSize) => {
  it.each(shapes)('reads $name', async ({ text, expected, issues = [], file = 'cluster.yaml' }) => {
    const read = await readText(text, { windowSize, file });
    expect(placed(read)).toEqual(expected);
    expect(told(read)).toEqual(issues);
  });

  it.each(['utf16le', 'utf16be'])('reads %s with a byte order mark', async (encoding) => {
    const bytes = Buffer.from(`\ufeff${volume('fílms')}---\n${volume('sèries')}`, 'utf16le');
    if (encoding === 'utf16be') bytes.swap16();
    expect(placed(await readText(bytes, { windowSize }))).toEqual([
      'PersistentVolume fílms at 1:1',
      'PersistentVolume sèries at 2:9',
    ]);
  });

  it('cuts no character in two', async () => {
    const name = 'películas-日本語-🎬'.repeat(9);
    expect(placed(await readText(volume(name), { windowSize }))).toEqual([`PersistentVolume ${name} at 1:1`]);
  });
});

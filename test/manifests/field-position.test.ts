import * as fc from 'fast-check';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { positionOfField } from '../../src/manifests/field-position.ts';
import { type FieldPath, valueAt } from '../../src/manifests/manifest.ts';

/** What stands at the place that was found. */
function textAt(text: string, path: FieldPath): string {
  const { line, column, endColumn } = positionOfField(text, path);
  const found = text.split('\n')[line] ?? '';
  return found.slice(column - 1, endColumn - 1);
}

const placeOf = (text: string, path: FieldPath) => {
  const { line, column } = positionOfField(text, path);
  return `${line}:${column}`;
};

const block = `# Films of the library
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: films   # not the series
  annotations:
    "note: of old": |
      spec:
        storageClassName: not this one

    plain/key: text
spec: &spec
  accessModes:
  - ReadWriteOnce
  - ReadOnlyMany
  storageClassName: archive
  resources: {requests: {storage: 500Gi, "other": [1, {deep: 2}]}}
  selector:
    matchExpressions:
      - key: tier
        operator: In
        values: [gold,
          silver]
      -
        key: zone
        operator: Exists
`;

describe('a field is found', () => {
  it.each<{ name: string; path: FieldPath; place: string; text: string }>([
    { name: 'at the top', path: ['kind'], place: '3:1', text: 'kind' },
    { name: 'in a mapping', path: ['metadata', 'name'], place: '5:3', text: 'name' },
    {
      name: 'behind a block scalar that looks like it',
      path: ['spec', 'storageClassName'],
      place: '16:3',
      text: 'storageClassName',
    },
    {
      name: 'with a quoted key',
      path: ['metadata', 'annotations', 'note: of old'],
      place: '7:5',
      text: '"note: of old"',
    },
    {
      name: 'with a slash in its key',
      path: ['metadata', 'annotations', 'plain/key'],
      place: '11:5',
      text: 'plain/key',
    },
    {
      name: 'as an item at the column of its key',
      path: ['spec', 'accessModes', 1],
      place: '15:5',
      text: 'ReadOnlyMany',
    },
    { name: 'in flow style', path: ['spec', 'resources', 'requests', 'storage'], place: '17:26', text: 'storage' },
    {
      name: 'deep in flow style',
      path: ['spec', 'resources', 'requests', 'other', 1, 'deep'],
      place: '17:56',
      text: 'deep',
    },
    {
      name: 'on the line of a dash',
      path: ['spec', 'selector', 'matchExpressions', 0, 'key'],
      place: '20:9',
      text: 'key',
    },
    {
      name: 'on a line below a dash',
      path: ['spec', 'selector', 'matchExpressions', 0, 'operator'],
      place: '21:9',
      text: 'operator',
    },
    {
      name: 'as an item of a list over lines',
      path: ['spec', 'selector', 'matchExpressions', 0, 'values', 1],
      place: '23:11',
      text: 'silver',
    },
    {
      name: 'below a dash that stands alone',
      path: ['spec', 'selector', 'matchExpressions', 1, 'operator'],
      place: '26:9',
      text: 'operator',
    },
  ])('$name', ({ path, place, text }) => {
    expect(placeOf(block, path)).toBe(place);
    expect(textAt(block, path)).toBe(text);
  });

  it.each<{ name: string; path: FieldPath; text: string }>([
    { name: 'the mapping that lacks it', path: ['spec', 'volumeName'], text: 'spec' },
    { name: 'the list that is too short', path: ['spec', 'accessModes', 5], text: 'accessModes' },
    { name: 'the scalar where a mapping was looked for', path: ['kind', 'of', 'what'], text: 'kind' },
    { name: 'the key in flow style', path: ['spec', 'resources', 'requests', 'cpu'], text: 'requests' },
    { name: 'the beginning of the document', path: ['status'], text: 'apiVersion' },
  ])('a field that is not there stands for $name', ({ path, text }) => {
    expect(textAt(block, path)).toBe(text);
  });

  it('in JSON', () => {
    const json = JSON.stringify(
      { kind: 'List', items: [{ a: 1 }, { spec: { 'x:y': ['{', '}'], storage: '5Gi' } }] },
      null,
      2,
    );
    expect(textAt(json, ['items', 1, 'spec', 'storage'])).toBe('"storage"');
    expect(textAt(json, ['items', 1, 'spec', 'x:y', 1])).toBe('"}"');
    expect(textAt(JSON.stringify(JSON.parse(json)), ['items', 1, 'spec', 'storage'])).toBe('"storage"');
  });

  it('in an alias only as far as the alias', () => {
    const text = 'base: &base\n  size: 1\ncopy: *base\n';
    expect(textAt(text, ['copy', 'size'])).toBe('copy');
  });

  it('nowhere in an empty text', () => {
    expect(positionOfField('# nothing\n', ['spec'])).toEqual({ line: 0, column: 1, endColumn: 1 });
  });
});

describe('as a property', () => {
  const key = fc.oneof(
    fc.stringMatching(/^[a-z][a-zA-Z./-]{0,8}$/),
    fc.constantFrom('true', 'a: b', 'a #b', "it's", '"quoted"', 'yes', '12', '- x', '{', 'null', '~'),
  );
  const scalar = fc.oneof(
    fc.constantFrom(
      '',
      'text',
      'a: b',
      '- item',
      '# no comment',
      '{x',
      'two\nlines',
      'two\n  lines: deep\n',
      "'",
      '"',
      '*a',
      '&b',
      '|',
      '> ',
    ),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.dictionary(key, tie('tree'), { minKeys: 1, maxKeys: 4 }),
      fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
    ),
  }));
  const document = fc.dictionary(key, tree, { minKeys: 1, maxKeys: 5 });
  const layout = fc.record({
    indent: fc.constantFrom(2, 4),
    noArrayIndent: fc.boolean(),
    flowLevel: fc.constantFrom(-1, -1, 1, 2, 3),
    lineWidth: fc.constantFrom(-1, 20),
    forceQuotes: fc.boolean(),
  });

  /** The ways to every value of a document. */
  function* paths(value: unknown, path: FieldPath = []): Generator<FieldPath> {
    if (path.length > 0) yield path;
    if (typeof value !== 'object' || value === null) return;
    for (const step of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      yield* paths(valueAt(value, [step]), [...path, step]);
    }
  }

  /** A key as it may be spelt. */
  const isSpelling = (text: string, name: string): boolean =>
    [name, `'${name.replaceAll("'", "''")}'`, JSON.stringify(name)].includes(text);

  it('every key of every document is found where js-yaml has written it', () => {
    fc.assert(
      fc.property(document, layout, (value, options) => {
        const text = dump(value, options);
        for (const path of paths(value)) {
          const last = path.at(-1);
          if (typeof last === 'string')
            expect(isSpelling(textAt(text, path), last), `${text}\n${path}: ${textAt(text, path)}`).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('every key is found in JSON, and two keys never at one place', () => {
    fc.assert(
      fc.property(document, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const named = [...paths(value)].filter((path) => typeof path.at(-1) === 'string');
        for (const path of named) expect(textAt(text, path)).toBe(JSON.stringify(path.at(-1)));
        expect(new Set(named.map((path) => placeOf(text, path))).size).toBe(named.length);
      }),
      { numRuns: 200 },
    );
  });
});

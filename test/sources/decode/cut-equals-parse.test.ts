import fc from 'fast-check';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import type { Cuts, Piece } from '../../../src/sources/decode/cuts.ts';
import { decode } from '../../../src/sources/decode/decode.ts';
import { parsePiece, WrongGuessError } from '../../../src/sources/decode/parse-piece.ts';
import { type YamlReader, yamlReader } from '../../../src/sources/decode/yaml.ts';

/** A document as its pieces tell it, and the lines on which its items begin, 0 for scalars. */
interface Told {
  readonly value: unknown;
  readonly lines: readonly number[];
}

/** What the cut makes of a text, piece by piece. */
async function cut(text: string, windowSize: number): Promise<readonly Told[]> {
  const yaml = await yamlReader();
  const documents: Told[] = [];
  let items: unknown[] = [];
  let lines: number[] = [];
  const problems: string[] = [];
  const cuts: Cuts = {
    beginDocument: () => {},
    document: (piece) => {
      if (piece.format === 'json') documents.push({ value: parsePiece(piece, false, yaml), lines: [] });
      else documents.push(parsedWhole(piece.bytes.toString(), yaml, piece.line));
    },
    beginList: () => {
      items = [];
      lines = [];
    },
    item: (piece: Piece, line) => {
      try {
        items.push(parsePiece(piece, true, yaml));
      } catch (error) {
        if (error instanceof WrongGuessError) return 'recut';
        throw error;
      }
      lines.push(isObject(items.at(-1)) ? line : 0);
      return undefined;
    },
    endList: ({ format, isArray, head }, tail = '') => {
      const around = format === 'json' ? JSON.parse(`${head}${tail}` || '[]') : yaml.parse(head + tail);
      documents.push({ value: isArray ? items : { ...(around as object), items }, lines });
    },
    appended: () => {},
    problem: (line, reason) => problems.push(`${line}: ${reason}`),
    refuse: (line, reason) => problems.push(`${line}: ${reason}`),
  };
  await decode({ name: 'text', read: () => chunksOf(Buffer.from(text), windowSize) }, cuts, {
    windowSize,
    pieceLimit: 1_000_000,
  });
  expect(problems).toEqual([]);
  return documents;
}

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** What js-yaml makes of the whole document. */
function parsedWhole(text: string, yaml: YamlReader, line: number): Told {
  const { value, lineOf } = yaml.parseWithLines(text);
  const items = Array.isArray(value) ? value : (value as { items?: unknown } | null)?.items;
  const starts = (Array.isArray(items) ? items : [value]).map((item) => {
    const start = isObject(item) ? lineOf.get(item) : undefined;
    return start === undefined ? 0 : line + start;
  });
  return { value, lines: starts };
}

/** js-yaml does not quote everything that it would have to in flow style; such texts are no test. */
function isReadable(text: string, yaml: YamlReader): boolean {
  try {
    yaml.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Of scalars the parser does not tell the line. */
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Texts that look like the layout of a document. */
const treacherous = [
  '- kind: PersistentVolume',
  '---',
  '--- # no',
  '...',
  'apiVersion: v1',
  'items:\n- kind: PersistentVolume\n',
  'kind: List\napiVersion: v1\n',
  '\n---\n',
  '# no comment',
  'a # b',
  ': ',
  '"',
  "'",
  '}',
  '{',
  ']\n}',
  '        },\n        {',
  '&anchor',
  '*alias',
  '{{ .Values.name }}',
  'yes',
  '010',
  '1e3',
  '9007199254740993',
  'null',
  '~',
  '2025-01-01T00:00:00Z',
  'película 日本語 🎬',
  ' leading',
  'trailing ',
  '\ttab',
  'two\nlines',
  'two\n\n  lines\n\n',
  '',
  '\\',
  '\\"',
];

const text = fc.oneof(fc.constantFrom(...treacherous), fc.string({ maxLength: 12 }), fc.lorem({ maxCount: 30 }));
const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
const key = fc.constantFrom(
  'name',
  'kind',
  'items',
  'apiVersion',
  'metadata',
  'spec',
  'a b',
  '- x',
  'on',
  '7',
  '__proto__',
);
const { value: anything, object: someObject } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

const list = fc.record(
  {
    apiVersion: fc.constant('v1'),
    items: fc.array(fc.oneof({ arbitrary: someObject, weight: 5 }, anything), { minLength: 1, maxLength: 4 }),
    kind: fc.constantFrom('List', 'PersistentVolumeList'),
    metadata: fc.constant({ resourceVersion: '' }),
    notes: anything,
  },
  { requiredKeys: ['apiVersion', 'items'] },
);

const layout = fc.record({
  indent: fc.integer({ min: 1, max: 5 }),
  noArrayIndent: fc.boolean(),
  flowLevel: fc.constantFrom(-1, -1, -1, 1, 2, 3),
  lineWidth: fc.constantFrom(20, 80, -1),
  forceQuotes: fc.boolean(),
  quotingType: fc.constantFrom('"' as const, "'" as const),
  noRefs: fc.constant(true),
});

const windowSize = fc.oneof(fc.integer({ min: 1, max: 80 }), fc.constant(4096));

describe('what the cut makes of a text is what a parser of the whole makes of it', () => {
  it('for YAML documents in any layout', async () => {
    const yaml = await yamlReader();
    const document = fc.oneof(
      list,
      someObject.filter((object) => Object.keys(object as object).length > 0),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(document, layout), { minLength: 1, maxLength: 3 }),
        windowSize,
        async (documents, size) => {
          const texts = documents.map(([value, options]) => dump(value, options));
          fc.pre(texts.every((document) => isReadable(document, yaml)));
          const expected: Told[] = [];
          let line = 2;
          for (const document of texts) {
            expected.push(parsedWhole(document, yaml, line));
            line += document.split('\n').length;
          }
          expect(await cut(texts.map((document) => `---\n${document}`).join(''), size)).toEqual(expected);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('for items at any indent, with comments and empty lines between them', async () => {
    const yaml = await yamlReader();
    const gap = fc.constantFrom('', '', '\n', '# - kind: PersistentVolume\n', '      # deep\n\n', '\n\n');
    const entry = fc.tuple(gap, someObject, layout);
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 1, maxLength: 4 }),
        fc.nat(9),
        fc.nat(3),
        fc.boolean(),
        windowSize,
        async (entries, column, more, isArray, size) => {
          const outer = ' '.repeat(column);
          const inner = ' '.repeat(more + 1);
          const items = entries.map(([before, value, options]) => {
            const lines = dump(value, options).trimEnd().split('\n');
            const indented = lines.map((line, i) =>
              i === 0 ? `${outer}-${inner}${line}` : line === '' ? '' : `${outer} ${inner}${line}`,
            );
            return `${before}${indented.join('\n')}\n`;
          });
          const whole = isArray ? items.join('') : `apiVersion: v1\nitems:\n${items.join('')}kind: List\n`;
          fc.pre(isReadable(whole, yaml));
          expect(await cut(whole, size)).toEqual([parsedWhole(whole, yaml, 1)]);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('for JSON documents one after the other', async () => {
    const space = fc.constantFrom<string | number>(0, 1, 2, 4, '\t', '\n');
    const between = fc.constantFrom('', '\n', ' ', '\n\n', '\n---\n');
    const document = fc.tuple(fc.oneof(list, someObject, fc.array(someObject, { maxLength: 3 })), space, between);
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 3 }), windowSize, async (documents, size) => {
        const whole = documents.map(([value, indent, gap]) => JSON.stringify(value, null, indent) + gap).join('');
        const values = (await cut(whole, size)).map(({ value }) => value);
        expect(values).toEqual(documents.map(([value]) => JSON.parse(JSON.stringify(value)) as unknown));
      }),
      { numRuns: 400 },
    );
  });
});

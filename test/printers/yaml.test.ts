import fc from 'fast-check';
import { CORE_SCHEMA, load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { printYaml } from '../../src/printers/yaml.ts';

function print(document: object): string {
  return [...printYaml(document)].join('');
}

const words = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen';

describe('a document as YAML', () => {
  it.each([
    {
      name: 'has sorted keys, and lists that are not indented',
      document: {
        kind: 'ClaimReportList',
        items: [
          { verdict: { outcome: 'Stuck', volumes: ['archive-01', 'archive-02'] }, metadata: { name: 'films' } },
          { metadata: { name: 'series' }, nodes: [], facts: {}, rows: [[1, [2, 3]], [], {}] },
        ],
        apiVersion: 'pvc-explain/v1',
      },
      expected: `apiVersion: pvc-explain/v1
items:
- metadata:
    name: films
  verdict:
    outcome: Stuck
    volumes:
    - archive-01
    - archive-02
- facts: {}
  metadata:
    name: series
  nodes: []
  rows:
  - - 1
    - - 2
      - 3
  - []
  - {}
kind: ClaimReportList
`,
    },
    {
      name: 'sorts numbers within keys as numbers, and other characters before letters',
      document: {
        a10: 1,
        a9: 2,
        a: 3,
        'a-b': 4,
        ab: 5,
        'a.b': 6,
        B: 7,
        '10': 8,
        '9': 9,
        a010: 10,
        'x1.10': 11,
        'x1.9': 12,
      },
      expected: '"9": 9\n"10": 8\nB: 7\na: 3\na-b: 4\na.b: 6\na9: 2\na10: 1\na010: 10\nab: 5\nx1.9: 12\nx1.10: 11\n',
    },
    {
      name: 'leaves out what is undefined',
      document: { volume: undefined, claim: { volume: undefined }, list: [undefined] },
      expected: 'claim: {}\nlist:\n- null\n',
    },
    {
      name: 'prints numbers, booleans and null',
      document: { a: [0, -5, 0.1, 1234567.5, 0.00001, 2 ** 53, 1e21, true, false, null] },
      expected:
        'a:\n- 0\n- -5\n- 0.1\n- 1.2345675e+06\n- 1e-05\n- 9007199254740992\n- 1e+21\n- true\n- false\n- null\n',
    },
    {
      name: 'writes lines as a block',
      document: {
        kept: 'one\ntwo\n',
        cut: 'one\ntwo',
        more: 'one\n\n',
        indented: '  one\ntwo',
        only: '\n',
        deep: [{ a: 'x\n\ny' }],
      },
      expected: `cut: |-
  one
  two
deep:
- a: |-
    x

    y
indented: |2-
    one
  two
kept: |
  one
  two
more: |+
  one

only: |2+

`,
    },
    {
      name: 'writes lines in quotes where a block would lose something',
      document: { blank: 'one \ntwo', end: 'one\n ', tab: 'one\n\ttwo' },
      expected: 'blank: "one \\ntwo"\nend: "one\\n "\ntab: "one\\n\\ttwo"\n',
    },
    {
      name: 'folds what is longer than 80 columns',
      document: {
        plain: words,
        single: `it: ${words}`,
        double: `\t${words}`,
        list: [{ deep: words }],
        tight: 'x'.repeat(100),
      },
      expected: `double: "\\tone two three four five six seven eight nine ten eleven twelve thirteen
  fourteen fifteen sixteen"
list:
- deep: one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen
plain: one two three four five six seven eight nine ten eleven twelve thirteen fourteen
  fifteen sixteen
single: 'it: one two three four five six seven eight nine ten eleven twelve thirteen
  fourteen fifteen sixteen'
tight: ${'x'.repeat(100)}
`,
    },
    {
      name: 'writes a key that is long or has lines behind a question mark',
      document: { ['k'.repeat(129)]: { b: 1, a: [1] }, 'a\nb': ['x'] },
      expected: `? |-
  a
  b
: - x
? ${'k'.repeat(129)}
: a:
  - 1
  b: 1
`,
    },
    { name: 'may be empty', document: {}, expected: '{}\n' },
    { name: 'may have empty lists and objects at the top', document: { a: [], b: {} }, expected: 'a: []\nb: {}\n' },
  ])('$name', ({ document, expected }) => {
    expect(print(document)).toBe(expected);
  });

  it.each([
    ['plain text', 'plain text'],
    ['10Gi', '10Gi'],
    ['v1.31.4', 'v1.31.4'],
    ['kubernetes.io/no-provisioner', 'kubernetes.io/no-provisioner'],
    ['a:b', 'a:b'],
    ['a#b', 'a#b'],
    ['-a', '-a'],
    ['?a', '?a'],
    ['<none>', '<none>'],
    ['=', '='],
    ['_1', '_1'],
    ['0xfffffffffffffffff', '0xfffffffffffffffff'],
    ['2026-02-30', '2026-02-30'],
    ['1.2.3', '1.2.3'],
    ['yess', 'yess'],

    ['', '""'],
    ['true', '"true"'],
    ['yes', '"yes"'],
    ['Off', '"Off"'],
    ['n', '"n"'],
    ['null', '"null"'],
    ['~', '"~"'],
    ['123', '"123"'],
    ['-1', '"-1"'],
    ['0777', '"0777"'],
    ['08', '"08"'],
    ['0x1F', '"0x1F"'],
    ['0o17', '"0o17"'],
    ['0b11', '"0b11"'],
    ['1_000', '"1_000"'],
    ['1.5', '"1.5"'],
    ['.5', '".5"'],
    ['1e3', '"1e3"'],
    ['.inf', '".inf"'],
    ['12:30:45', '"12:30:45"'],
    ['2026-03-10', '"2026-03-10"'],
    ['2026-03-10T12:00:00Z', '"2026-03-10T12:00:00Z"'],
    ['2026-03-10 12:00:00', '"2026-03-10 12:00:00"'],
    ['18446744073709551615', '"18446744073709551615"'],

    ['a: b', "'a: b'"],
    ['a #b', "'a #b'"],
    ['ends:', "'ends:'"],
    ['- a', "'- a'"],
    ['-', "'-'"],
    ['---', "'---'"],
    ["'it'", "'''it'''"],
    ['"it"', `'"it"'`],
    ['*', "'*'"],
    ['&a', "'&a'"],
    ['{a}', "'{a}'"],
    ['@a', "'@a'"],
    [' a', "' a'"],
    ['a ', "'a '"],

    ['a\tb', '"a\\tb"'],
    ['\x1b[31m', '"\\e[31m"'],
    ['a\rb', '"a\\rb"'],
    ['a"b\t\\', '"a\\"b\\t\\\\"'],
    ['🔥', '"\\U0001F525"'],
    ['\ufeff', '"\\uFEFF"'],
    ['a\u2028b', '"a\\Lb"'],
    ['a\x7fb', '"a\\x7Fb"'],
    ['é保\u00a0', 'é保\u00a0'],
  ])('the string %j is written %s', (text, expected) => {
    expect(print({ a: text })).toBe(`a: ${expected}\n`);
  });

  it('comes in pieces, each item made when it is asked for', () => {
    let made = 0;
    function* items() {
      for (; made < 1000; made++) yield { metadata: { name: `claim-${made}` } };
    }
    let pieces = 0;
    for (const piece of printYaml({ items: items() })) {
      pieces += 1;
      expect(piece.length).toBeLessThan(100);
      expect(made).toBeLessThanOrEqual(pieces);
    }
    expect(made).toBe(1000);
  });

  it('reads back as what it was', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('a', ' ', ':', '-', '#', '\n', '"', "'", '1', '.', 'é') }),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(text, tie('value')),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(text, value), (dictionary) => {
        const document = JSON.parse(JSON.stringify(dictionary));
        expect(load(print(document), { schema: CORE_SCHEMA })).toEqual(document);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactJson, indentedJson, printJson } from '../../src/printers/json.ts';

describe('a document as JSON', () => {
  it.each([
    {
      name: 'has sorted keys and four blanks a level',
      document: {
        kind: 'ClaimReportList',
        items: [
          { metadata: { namespace: 'media', name: 'films' }, volumes: [], facts: {} },
          { count: 3, late: true, volume: null },
        ],
        apiVersion: 'pvc-explain/v1',
      },
      expected: `{
    "apiVersion": "pvc-explain/v1",
    "items": [
        {
            "facts": {},
            "metadata": {
                "name": "films",
                "namespace": "media"
            },
            "volumes": []
        },
        {
            "count": 3,
            "late": true,
            "volume": null
        }
    ],
    "kind": "ClaimReportList"
}
`,
    },
    {
      name: 'has lists in lists',
      document: { nodes: [['a', ['b']], [], 'c'] },
      expected: `{
    "nodes": [
        [
            "a",
            [
                "b"
            ]
        ],
        [],
        "c"
    ]
}
`,
    },
    {
      name: 'leaves out what is undefined, and null stands in for it in lists',
      document: { volume: undefined, deeper: { volume: undefined, name: 'films' }, list: [undefined] },
      expected: `{
    "deeper": {
        "name": "films"
    },
    "list": [
        null
    ]
}
`,
    },
    {
      name: 'escapes what Go escapes',
      document: { 'a&b': 'x <y> "q" \\ \u2028\u2029 \n\t\b\f\u0001 é保🔥 /' },
      expected: `{
    "a\\u0026b": "x \\u003cy\\u003e \\"q\\" \\\\ \\u2028\\u2029 \\n\\t\\b\\f\\u0001 é保🔥 /"
}
`,
    },
    {
      name: 'has numbers as Go prints them',
      document: { n: [0, -5, 0.1, 1e20, 1e21, 0.000001, 1e-7, 1234567.5] },
      expected: `{
    "n": [
        0,
        -5,
        0.1,
        100000000000000000000,
        1e+21,
        0.000001,
        1e-7,
        1234567.5
    ]
}
`,
    },
    { name: 'may be empty', document: {}, expected: '{}\n' },
    { name: 'may have an empty list at the top', document: { items: [] }, expected: '{\n    "items": []\n}\n' },
  ])('$name', ({ document, expected }) => {
    expect([...printJson(document)].join('')).toBe(expected);
  });

  it('of many items comes in pieces, each item made when it is asked for', () => {
    let made = 0;
    function* items() {
      for (; made < 100_000; made++) yield { metadata: { name: `claim-${made}` } };
    }
    let pieces = 0;
    let longest = 0;
    for (const piece of printJson({ kind: 'ClaimReportList', items: items() })) {
      pieces += 1;
      longest = Math.max(longest, piece.length);
      if (pieces <= 100) expect(made).toBeLessThanOrEqual(pieces);
    }
    expect(made).toBe(100_000);
    expect(pieces).toBeGreaterThan(100_000);
    expect(longest).toBeLessThan(200);
  });

  it('reads back as what it was', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (dictionary) => {
        const document = JSON.parse(JSON.stringify(dictionary));
        expect(JSON.parse([...printJson(document)].join(''))).toEqual(document);
        expect(JSON.parse(compactJson(document))).toEqual(document);
        expect(JSON.parse(indentedJson(document))).toEqual(document);
      }),
    );
  });

  it('is the same whatever the order of its keys', () => {
    expect([...printJson({ b: 1, a: { d: 2, c: 3 } })]).toEqual([...printJson({ a: { c: 3, d: 2 }, b: 1 })]);
  });
});

it.each([
  [{ b: [1, 'x', null], a: {} }, '{"a":{},"b":[1,"x",null]}'],
  ['<a>', '"\\u003ca\\u003e"'],
  [[], '[]'],
])('%j on one line is %s', (value, expected) => {
  expect(compactJson(value)).toBe(expected);
});

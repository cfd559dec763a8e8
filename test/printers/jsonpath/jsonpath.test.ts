import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/printers/format-error.ts';
import { parseJsonpath, printJsonpath } from '../../../src/printers/jsonpath/print.ts';

const library = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'films', namespace: 'media', labels: { 'app.kubernetes.io/name': 'player', tier: 'front' } },
      spec: { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], storage: '500Gi' },
      resyncs: 930,
      ratio: 0.5,
      isLate: true,
      conditions: [
        { type: 'Resizing', status: 'True', weight: 3 },
        { type: 'Ready', status: 'False', weight: 10 },
      ],
    },
    {
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'series', namespace: 'media', labels: { 'app.kubernetes.io/name': 'player' } },
      spec: { accessModes: ['ReadWriteMany'], storage: '<none> & more' },
      resyncs: 4,
      ratio: 2,
      isLate: false,
      conditions: [{ type: 'Ready', status: 'True', weight: 7 }],
      volumeName: null,
    },
  ],
  sizes: [0, 1, 2, 3, 4, 5],
  shelves: [[1, 2], [], [3]],
  nothing: [],
  large: 1234567.5,
  small: 0.00001,
  huge: 123456789012,
};

function print(template: string, asJson = false, document: unknown = library): string {
  return [...printJsonpath(document, parseJsonpath(template), { asJson })].join('');
}

describe('a template selects', () => {
  it.each([
    ['text outside braces, as it stands', 'no braces\n', 'no braces\n'],
    ['a field', '{.kind}', 'List'],
    ['a field of the root', '{$.kind}', 'List'],
    ['a field of the current object', '{@.kind}', 'List'],
    ['with blanks within braces', '{ .kind }', 'List'],
    ['text between fields', '{.apiVersion}/{.kind}!', 'v1/List!'],
    ['nothing for a key that is missing', '[{.nope}] [{.nope.deeper}] [{.kind.deeper}]', '[] [] []'],
    ['null', '{.items[1].volumeName}', 'null'],
    ['nothing below null', '[{.items[1].volumeName.x}] [{.items[1].volumeName[0]}]', '[] []'],
    ['numbers and booleans', '{.items[*].resyncs} {.items[*].ratio} {.items[*].isLate}', '930 4 0.5 2 true false'],
    ['large and small numbers as Go prints them', '{.large} {.small} {.huge}', '1.2345675e+06 1e-05 123456789012'],
    ['a list as JSON', '{.items[0].spec.accessModes}', '["ReadWriteOnce","ReadOnlyMany"]'],
    [
      'an object as JSON with sorted keys',
      '{.items[0].metadata.labels}',
      '{"app.kubernetes.io/name":"player","tier":"front"}',
    ],
    [
      'JSON with the escapes of Go',
      '{.items[1].spec}',
      '{"accessModes":["ReadWriteMany"],"storage":"\\u003cnone\\u003e \\u0026 more"}',
    ],
    ['strings without escapes', '{.items[1].spec.storage}', '<none> & more'],
    ['the whole document', '{}', JSON.stringify({ a: 1 }), { a: 1 }],
    ['the document by @', '{@}', JSON.stringify({ a: 1 }), { a: 1 }],
    ['nothing by a lone dot', '[{.}]', '[]'],

    ['a key with escaped dots', '{.items[0].metadata.labels.app\\.kubernetes\\.io/name}', 'player'],
    ['a quoted key in brackets', "{.items[0]['kind']}", 'PersistentVolumeClaim'],
    ['a quoted key with escaped dots', "{.items[0].metadata.labels['app\\.kubernetes\\.io/name']}", 'player'],
    ['a path in a quoted key', "{.items[0]['metadata.name']}", 'films'],
    ['keys with dashes and slashes', '{.a-b}{.c/d}', '12', { 'a-b': 1, 'c/d': 2 }],
    ['a key that objects inherit only if it is there', '[{.constructor}{.toString}]', '[]'],

    ['an element', '{.sizes[3]}', '3'],
    ['an element from the end', '{.sizes[-1]} {.sizes[-6]}', '5 0'],
    ['a slice', '{.sizes[1:3]}', '1 2'],
    ['a slice from the beginning', '{.sizes[:2]}', '0 1'],
    ['a slice to the end', '{.sizes[4:]}', '4 5'],
    ['a slice from the end', '{.sizes[-2:]} {.sizes[:-4]}', '4 5 0 1'],
    ['every second element', '{.sizes[::2]} {.sizes[1:5:3]}', '0 2 4 1 4'],
    ['all elements', '{.sizes[*]}', '0 1 2 3 4 5'],
    ['the first element by empty brackets', '{.sizes[]}', '0'],
    ['nothing of an empty slice', '[{.sizes[2:2]}] [{.nothing[*]}]', '[] []'],
    ['the elements of all lists, empty ones in between', '{.shelves[*][*]}', '1 2 3'],
    ['a union of elements', '{.sizes[0,2,-1]}', '0 2 5'],
    ['a union of keys', "{.items[*]['metadata.name', 'resyncs']}", 'films series 930 4'],
    ['a union of slices', '{.sizes[0:2,4:]}', '0 1 4 5'],
    ['all values of an object, by sorted key', '{.items[0].metadata.labels.*}', 'player front'],
    ['all elements of a list by a wildcard', '{.sizes.*}', '0 1 2 3 4 5'],
    ['the bytes of a string by a wildcard', '{.apiVersion.*}', '118 49'],

    ['a field at any depth', '{..name}', 'films series'],
    ['a field at any depth below another', '{.items[0]..type}', 'Resizing Ready'],
    [
      'lists, objects and strings at any depth',
      '{..}',
      '{"a":{"b":["c"]},"d":1} {"b":["c"]} ["c"] c',
      { a: { b: ['c'] }, d: 1 },
    ],
    ['three dots like two', '{...name}', 'films series'],

    ['escapes in double quotes', '{"a\\tb\\n\\u00e9\\x41\\101\\"\\\\."}', 'a\tb\néAA"\\.'],
    ['escapes in single quotes', "{'it\\'s'}", "it's"],
    ['bytes of UTF-8 in quotes', '{"\\xe4\\xbf\\x9d\\U0001f525"}', '保🔥'],
    ['a brace in quotes', '{"{"}{"}"}', '{}'],
    ['the last of two texts in one pair of braces', '{"a" "b"}', 'b'],
    ['literal numbers and booleans', '{5} {-2} {+3} {1.50} {true} {false}', '5 -2 3 1.5 true false'],
  ])('%s: %s', (_what, template, expected, document: unknown = library) => {
    expect(print(template, false, document)).toBe(expected);
  });
});

describe('a filter keeps', () => {
  it.each([
    ['equal strings', '{.items[0].conditions[?(@.type=="Ready")].status}', 'False'],
    ['equal strings in single quotes', "{.items[0].conditions[?(@.type=='Ready')].status}", 'False'],
    ['with blanks around the operator', '{.items[0].conditions[?( @.type == "Ready" )].status}', 'False'],
    ['different strings', '{.items[0].conditions[?(@.type!="Ready")].type}', 'Resizing'],
    ['smaller numbers', '{.sizes[?(@<2)]}', '0 1'],
    ['smaller or equal numbers', '{.sizes[?(@<=2)]}', '0 1 2'],
    ['larger numbers', '{.sizes[?(@>3)]}', '4 5'],
    ['larger or equal numbers', '{.sizes[?(@>=3)]}', '3 4 5'],
    [
      'equal numbers, also beside fractions',
      '{.items[?(@.ratio==0.5)].metadata.name} {.items[?(@.ratio>1)].metadata.name}',
      'films series',
    ],
    ['strings by the alphabet', '{.items[?(@.metadata.name>"g")].metadata.name}', 'series'],
    ['booleans', '{.items[?(@.isLate==true)].metadata.name} {.items[?(@.isLate!=true)].metadata.name}', 'films series'],
    ['what has a field', '{.items[?(@.metadata.labels.tier)].metadata.name}', 'films'],
    ['what has a field that is null', '{.items[?(@.volumeName)].metadata.name}', 'series'],
    [
      'what has a key with escaped dots',
      '{.items[?(@.metadata.labels.app\\.kubernetes\\.io/name=="player")].resyncs}',
      '930 4',
    ],
    ['by an element of a list', '{.items[?(@.conditions[0].type=="Ready")].metadata.name}', 'series'],
    ['by a field at any depth', '{.items[?(@..tier=="front")].metadata.name}', 'films'],
    [
      'by two fields of the element',
      '{.pairs[?(@.a==@.b)].n}',
      '2',
      {
        pairs: [
          { a: 1, b: 2, n: 1 },
          { a: 3, b: 3, n: 2 },
        ],
      },
    ],
    ['by a filter within', '{.items[*].conditions[?(@.weight>5)].type}', 'Ready Ready'],
    [
      'a string with a bracket and a parenthesis',
      '{.l[?(@.s==")]")].n}',
      '1',
      {
        l: [
          { s: ')]', n: 1 },
          { s: ')', n: 2 },
        ],
      },
    ],
    ['a string with an operator in it', '{.l[?(@.s=="a==b")].n}', '1', { l: [{ s: 'a==b', n: 1 }] }],
    ['a string with an escaped quote', '{.l[?(@.s=="a\\"b")].n}', '1', { l: [{ s: 'a"b', n: 1 }] }],
    ['not what lacks the field', '[{.items[?(@.nope=="x")].kind}]', '[]'],
    ['what a path cannot be walked in, if only existence is asked', '{.sizes[?(@[0])]}', '0 1 2 3 4 5'],
  ])('%s: %s', (_what, template, expected, document: unknown = library) => {
    expect(print(template, false, document)).toBe(expected);
  });
});

describe('a range', () => {
  it.each([
    ['repeats its parts for each value', '{range .items[*]}{.metadata.name}{"\\n"}{end}', 'films\nseries\n'],
    ['takes text into the repetition', '{range .sizes[0:2]}<{@}>{end}.', '<0><1>.'],
    ['goes on with the document', '{range .items[*]}{.resyncs} {end}{.kind}', '930 4 List'],
    [
      'within a range',
      '{range .items[*]}{.metadata.name}:{range .conditions[*]} {.type}={.status}{end};{end}',
      'films: Resizing=True Ready=False;series: Ready=True;',
    ],
    ['after a range', '{range .sizes[0:2]}{@}{end}{range .sizes[4:]}{@}{end}', '0145'],
    ['without elements prints nothing', '[{range .nothing[*]}{.x}{range .y[*]}{.z}{end}{end}]', '[]'],
    ['without elements tolerates indexes and filters', '[{range .nope}{[0]}{[?(@.x)]}{end}]', '[]'],
    ['over single values', '{range .kind}{@}{end}', 'List'],
  ])('%s: %s', (_what, template, expected) => {
    expect(print(template)).toBe(expected);
  });

  it('without an end evaluates what follows once more with the document, as kubectl does', () => {
    expect(print('{range .items[*]}{.kind},')).toBe('PersistentVolumeClaim,PersistentVolumeClaim,List,');
  });

  it('whose end was taken by a range within goes on behind that end', () => {
    expect(print('{range .sizes[0:2]}{range @}x{end}')).toBe('xx');
  });
});

describe('as JSON', () => {
  it('each expression is a list of what it selects', () => {
    expect(print('{.items[*].metadata.name}{.nope}', true)).toBe('[\n    "films",\n    "series"\n]\n[]\n');
  });

  it('text is a list too, and objects are indented', () => {
    expect(print('x{.items[0].metadata.labels}', true)).toBe(
      [
        '[',
        '    "x"',
        ']',
        '[',
        '    {',
        '        "app.kubernetes.io/name": "player",',
        '        "tier": "front"',
        '    }',
        ']',
        '',
      ].join('\n'),
    );
  });
});

describe('a template that cannot be parsed is refused in the words of kubectl', () => {
  it.each([
    ['{.a', 'unclosed action'],
    ['{.a\n}', 'unclosed action'],
    ['{range .items[*]', 'unclosed action'],
    ['{&}', "unrecognized character in action: U+0026 '&'"],
    ['{*}', "unrecognized character in action: U+002A '*'"],
    ['{\t}', 'unrecognized character in action: U+0009'],
    ['{..*}', "unrecognized character in action: U+002A '*'"],
    ['{....a}', 'invalid multiple recursive descent'],
    ['{.a[1}', 'unterminated array'],
    ['{.a[1\n]}', 'unterminated array'],
    ['{.a["b"]}', 'invalid array index "b"'],
    ['{.a[b]}', 'invalid array index b'],
    ['{.a[1:2:3:4]}', 'invalid array index 1:2:3:4'],
    ['{.a[-]}', 'array index - is not a number'],
    ['{.a[0,b]}', 'invalid array index b'],
    ['{.a[?(@.b}', 'unterminated filter'],
    ['{.a[?(@.b=="c)]}', 'unterminated filter'],
    ['{.a[?(@.b)}', 'unclosed array expect ]'],
    ['{.a[?(@.b=~"c")]}', "unrecognized character in action: U+007E '~'"],
    ['{.a[?(@.b=="c" && @.d=="e")]}', "unrecognized character in action: U+0026 '&'"],
    ['{"a', 'unterminated quoted string'],
    ["{'a\n'}", 'unterminated quoted string'],
    ['{"\\q"}', 'unquote string "\\q" error invalid syntax'],
    ['{"\\\'"}', 'unquote string "\\\'" error invalid syntax'],
    ['{"\\ud800"}', 'unquote string "\\ud800" error invalid syntax'],
    ['{"\\400"}', 'unquote string "\\400" error invalid syntax'],
    ['{1.2.3}', 'cannot parse number 1.2.3'],
    ['{-}', 'cannot parse number -'],
  ])('%j: %s', (template, reason) => {
    expect(() => parseJsonpath(template)).toThrow(new FormatError(`error parsing jsonpath ${template}, ${reason}`));
  });
});

describe('a template that does not fit the document is refused in the words of kubectl', () => {
  it.each([
    ['{word}', 'unrecognized identifier word'],
    ['{end}', 'not in range, nothing to end'],
    ['{range .items[*]}{.kind}{end}{end}', 'not in range, nothing to end'],
    ['{.sizes[6]}', 'array index out of bounds: index 6, length 6'],
    ['{.sizes[-7]}', 'array index out of bounds: index -1, length 6'],
    ['{.sizes[2:9]}', 'array index out of bounds: index 8, length 6'],
    ['{.nothing[0]}', 'array index out of bounds: index 0, length 0'],
    ['{.sizes[3:1]}', 'starting index 3 is greater than ending index 1'],
    ['{.sizes[::0]}', 'step must be > 0'],
    ['{.kind[0]}', 'string is not array or slice'],
    ['{.huge[0]}', 'int64 is not array or slice'],
    ['{.large[0]}', 'float64 is not array or slice'],
    ['{.items[0].isLate[0]}', 'bool is not array or slice'],
    ['{.items[0].metadata[0]}', 'map[string]interface {} is not array or slice'],
    ['{.kind[?(@.a)]}', 'List is not array or slice and cannot be filtered'],
    ['{.items[1].volumeName[?(@.a)]}', '<nil> is not array or slice and cannot be filtered'],
    [
      '{.items[1].metadata[?(@.a)]}',
      'map[labels:map[app.kubernetes.io/name:player] name:series namespace:media] is not array or slice and cannot be filtered',
    ],
    ['{.sizes[?(@<>1)]}', 'unrecognized filter operator <>'],
    ['{.sizes[?(@=1)]}', 'unrecognized filter operator ='],
    ['{.sizes[?(@=="a")]}', 'incompatible types for comparison'],
    ['{.items[?(@.metadata=="a")]}', 'invalid type for comparison'],
    ['{.items[?(@.volumeName==1)]}', 'invalid type for comparison'],
    ['{.items[?(@.isLate<true)]}', 'invalid type for comparison'],
    ['{.items[?(@.spec.accessModes[*]=="ReadWriteOnce")]}', 'can only compare one element at a time'],
    ['{.sizes[?(@==word)]}', 'unrecognized identifier word'],
  ])('%s: %s', (template, reason) => {
    const message = `error executing jsonpath ${JSON.stringify(template)}: Error executing template: ${reason}`;
    expect(() => print(template)).toThrow(new FormatError(message));
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  describeSelector,
  parseLabelSelector,
  parseSelectorText,
  SelectorError,
} from '../../src/api/label-selector.ts';
import type { LabelSelector, LabelSelectorRequirement, Labels } from '../../src/api/objects.ts';

const expression = (key: string, operator: string, ...values: readonly string[]): LabelSelector => ({
  matchExpressions: [{ key, operator, ...(values.length === 0 ? {} : { values }) }],
});

describe('a selector matches labels', () => {
  it.each<[string, LabelSelector, Labels | undefined, boolean]>([
    ['nothing asked, no labels', {}, undefined, true],
    ['nothing asked, some labels', { matchLabels: {}, matchExpressions: [] }, { tier: 'gold' }, true],
    ['the label is equal', { matchLabels: { tier: 'gold' } }, { tier: 'gold' }, true],
    ['the label differs', { matchLabels: { tier: 'gold' } }, { tier: 'Gold' }, false],
    ['the label is absent', { matchLabels: { tier: 'gold' } }, undefined, false],
    ['an empty value is asked for and there', { matchLabels: { tier: '' } }, { tier: '' }, true],
    ['an empty value is asked for, the label absent', { matchLabels: { tier: '' } }, {}, false],
    ['In, listed', expression('zone', 'In', 'a', 'b'), { zone: 'b' }, true],
    ['In, not listed', expression('zone', 'In', 'a', 'b'), { zone: 'c' }, false],
    ['In, absent', expression('zone', 'In', 'a', 'b'), {}, false],
    ['In the empty value, absent', expression('zone', 'In', ''), {}, false],
    ['In the empty value, empty', expression('zone', 'In', ''), { zone: '' }, true],
    ['NotIn, listed', expression('zone', 'NotIn', 'a'), { zone: 'a' }, false],
    ['NotIn, not listed', expression('zone', 'NotIn', 'a'), { zone: 'b' }, true],
    ['NotIn, absent', expression('zone', 'NotIn', 'a'), {}, true],
    ['Exists, empty', expression('zone', 'Exists'), { zone: '' }, true],
    ['Exists, absent', expression('zone', 'Exists'), { region: 'a' }, false],
    ['DoesNotExist, absent', expression('zone', 'DoesNotExist'), { region: 'a' }, true],
    ['DoesNotExist, empty', expression('zone', 'DoesNotExist'), { zone: '' }, false],
    [
      'all must hold: labels and expressions',
      { matchLabels: { tier: 'gold' }, ...expression('zone', 'In', 'a') },
      { tier: 'gold' },
      false,
    ],
    ['the same key twice', { matchLabels: { zone: 'a' }, ...expression('zone', 'NotIn', 'a') }, { zone: 'a' }, false],
    ['a key that every object seems to have', expression('constructor', 'Exists'), {}, false],
    ['such a key as a label', expression('constructor', 'In', 'x'), { constructor: 'x' } as unknown as Labels, true],
  ])('%s', (_name, selector, labels, matches) => {
    const parsed = parseLabelSelector(selector);
    expect(parsed.matches(labels)).toBe(matches);
    expect(parsed.firstFailure(labels) === undefined).toBe(matches);
  });

  it('and names the requirement that does not hold', () => {
    const parsed = parseLabelSelector({ matchLabels: { tier: 'gold' }, ...expression('zone', 'NotIn', 'a', 'b') });
    expect(parsed.firstFailure({ tier: 'gold', zone: 'b' })).toEqual({
      key: 'zone',
      operator: 'NotIn',
      values: ['a', 'b'],
    });
    expect(parsed.firstFailure({ zone: 'c' })).toEqual({ key: 'tier', operator: 'In', values: ['gold'] });
  });
});

const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const domainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const long = 'x'.repeat(64);

// Observed with k8s.io/apimachinery v0.37.2.
describe('a selector that no API server would have admitted is refused in upstream words', () => {
  it.each<[LabelSelector, string]>([
    [expression('zone', 'Equals', 'a'), '"Equals" is not a valid label selector operator'],
    [expression('zone', 'in', 'a'), '"in" is not a valid label selector operator'],
    [expression('zone', 'Gt', '1'), '"Gt" is not a valid label selector operator'],
    [expression('zone', ''), '"" is not a valid label selector operator'],
    [expression('zone', 'In'), "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"],
    [
      { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: [] }] },
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      expression('zone', 'Exists', 'x'),
      'values: Invalid value: ["x"]: values set must be empty for exists and does not exist',
    ],
    [
      expression('zone', 'DoesNotExist', 'a', '<b>'),
      `[values: Invalid value: ["a","\\u003cb\\u003e"]: values set must be empty for exists and does not exist, values[1][zone]: Invalid value: "<b>": ${valueRule}]`,
    ],
    [{ matchLabels: { zone: 'a b' } }, `values[0][zone]: Invalid value: "a b": ${valueRule}`],
    [{ matchLabels: { zone: long } }, `values[0][zone]: Invalid value: "${long}": must be no more than 63 bytes`],
    [{ matchLabels: { '': 'a' } }, `key: Invalid value: "": name part must be non-empty; name part ${nameRule}`],
    [{ matchLabels: { [long]: 'a' } }, `key: Invalid value: "${long}": name part must be no more than 63 bytes`],
    [{ matchLabels: { '/zone': 'a' } }, 'key: Invalid value: "/zone": prefix part must be non-empty'],
    [{ matchLabels: { 'Example/zone': 'a' } }, `key: Invalid value: "Example/zone": prefix part ${domainRule}`],
    [{ matchLabels: { 'a..b/zone': 'a' } }, `key: Invalid value: "a..b/zone": prefix part ${domainRule}`],
    [
      { matchLabels: { 'a/b/c': 'a' } },
      `key: Invalid value: "a/b/c": a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ],
    [{ matchLabels: { 'tïer\n': 'a' } }, `key: Invalid value: "tïer\\n": name part ${nameRule}`],
  ])('%j', (selector, message) => {
    expect(() => parseLabelSelector(selector)).toThrow(new SelectorError(message));
  });

  it('the first bad requirement is told', () => {
    const selector = {
      matchLabels: { tier: 'gold' },
      matchExpressions: [
        { key: 'a', operator: 'x' },
        { key: 'b', operator: 'y' },
      ],
    };
    expect(() => parseLabelSelector(selector)).toThrow('"x" is not a valid label selector operator');
  });
});

describe('what kubectl takes after -l', () => {
  it.each<[string, readonly LabelSelectorRequirement[]]>([
    ['', []],
    ['  ', []],
    ['a=b', [{ key: 'a', operator: 'In', values: ['b'] }]],
    ['a==b', [{ key: 'a', operator: 'In', values: ['b'] }]],
    ['a!=b', [{ key: 'a', operator: 'NotIn', values: ['b'] }]],
    ['a=', [{ key: 'a', operator: 'In', values: [''] }]],
    [
      'a=,b',
      [
        { key: 'a', operator: 'In', values: [''] },
        { key: 'b', operator: 'Exists', values: [] },
      ],
    ],
    [' a = b ', [{ key: 'a', operator: 'In', values: ['b'] }]],
    ['a', [{ key: 'a', operator: 'Exists', values: [] }]],
    ['!a', [{ key: 'a', operator: 'DoesNotExist', values: [] }]],
    ['a>4', [{ key: 'a', operator: 'Gt', values: ['4'] }]],
    ['a<4', [{ key: 'a', operator: 'Lt', values: ['4'] }]],
    ['e in (x,y)', [{ key: 'e', operator: 'In', values: ['x', 'y'] }]],
    ['e in (y,x,y)', [{ key: 'e', operator: 'In', values: ['x', 'y'] }]],
    ['e notin (x)', [{ key: 'e', operator: 'NotIn', values: ['x'] }]],
    ['e in ()', [{ key: 'e', operator: 'In', values: [''] }]],
    ['e in (,x,,)', [{ key: 'e', operator: 'In', values: ['', 'x'] }]],
    ['in in (in,notin)', [{ key: 'in', operator: 'In', values: ['in', 'notin'] }]],
    [
      'a=b,c!=d,e in (x,y),!f',
      [
        { key: 'a', operator: 'In', values: ['b'] },
        { key: 'c', operator: 'NotIn', values: ['d'] },
        { key: 'e', operator: 'In', values: ['x', 'y'] },
        { key: 'f', operator: 'DoesNotExist', values: [] },
      ],
    ],
    [
      'z,example.com/a',
      [
        { key: 'example.com/a', operator: 'Exists', values: [] },
        { key: 'z', operator: 'Exists', values: [] },
      ],
    ],
  ])('%j', (text, requirements) => {
    expect(parseSelectorText(text).requirements).toEqual(requirements);
  });

  it.each([
    ['a>4', { a: '10' }, true],
    ['a>4', { a: '4' }, false],
    ['a>4', { a: 'many' }, false],
    ['a>4', {}, false],
    ['a<4', { a: '-10' }, true],
    ['a<4', { a: '' }, false],
    ['a!=b', {}, true],
    ['a=', {}, false],
    ['a=', { a: '' }, true],
  ])('%s on %j: %s', (text, labels, matches) => {
    expect(parseSelectorText(text).matches(labels as Labels)).toBe(matches);
  });

  // Observed with k8s.io/apimachinery v0.37.2.
  it.each([
    [',', "found ',', expected: !, identifier, or 'end of string'"],
    ['=b', "found '=', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a,,b', "found ',', expected: identifier after ','"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['!!a', "unable to parse requirement: found '!', expected: identifier"],
    ['a==(', "unable to parse requirement: found '(', expected: identifier"],
    ['a in x', "unable to parse requirement: found 'x' expected: '('"],
    ['a in', "unable to parse requirement: found '' expected: '('"],
    ['a in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ['a in (x', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (x,', "unable to parse requirement: found '', expected: ',', or identifier"],
    ['a in (x y)', "unable to parse requirement: found 'y', expected: ',' or ')'"],
    ['a in (x,=)', "unable to parse requirement: found '=', expected: ',', or identifier"],
    [
      'a>x',
      `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
    ['a<-4', `unable to parse requirement: values[0][a]: Invalid value: "-4": ${valueRule}`],
    ['a=-', `unable to parse requirement: values[0][a]: Invalid value: "-": ${valueRule}`],
    ['/a', 'unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty'],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parseSelectorText(text)).toThrow(new SelectorError(message));
  });
});

describe('a selector is printed as kubectl prints it', () => {
  it.each<[LabelSelector | undefined, string]>([
    [undefined, '<none>'],
    [{}, '<none>'],
    [{ matchLabels: { tier: 'gold' } }, 'tier=gold'],
    [{ matchLabels: { tier: 'gold' }, ...expression('zone', 'In', 'b', 'a') }, 'tier=gold,zone in (a,b)'],
    [{ matchLabels: { zone: 'a' }, ...expression('tier', 'In', 'gold') }, 'tier in (gold),zone=a'],
    [expression('zone', 'NotIn', 'a'), 'zone notin (a)'],
    [expression('zone', 'Exists'), 'zone'],
    [expression('zone', 'DoesNotExist'), '!zone'],
    // kubectl prints "<error>" here.
    [expression('zone', 'Equals', 'a'), 'zone Equals (a)'],
  ])('%j: %s', (selector, text) => {
    expect(describeSelector(selector)).toBe(text);
  });
});

describe('for any selector', () => {
  const key = fc.constantFrom('tier', 'zone', 'example.com/disk');
  const value = fc.constantFrom('', 'a', 'b', 'gold');
  const labels = fc.dictionary(key, value, { maxKeys: 3 });
  const requirement: fc.Arbitrary<LabelSelectorRequirement> = fc.oneof(
    fc.record({
      key,
      operator: fc.constantFrom('In', 'NotIn'),
      values: fc.array(value, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ key, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
  );
  const selector = fc.record({ matchLabels: labels, matchExpressions: fc.array(requirement, { maxLength: 3 }) });

  const naive = ({ key: name, operator, values = [] }: LabelSelectorRequirement, given: Labels): boolean => {
    const has = Object.keys(given).includes(name);
    if (operator === 'Exists') return has;
    if (operator === 'DoesNotExist') return !has;
    const listed = has && values.some((one) => one === given[name]);
    return operator === 'In' ? listed : !listed;
  };

  it('it matches what all its parts match', () => {
    fc.assert(
      fc.property(selector, labels, (one, given) => {
        const byLabels = Object.entries(one.matchLabels).every(([name, text]) => given[name] === text);
        const byExpressions = one.matchExpressions.every((part) => naive(part, given));
        expect(parseLabelSelector(one).matches(given)).toBe(byLabels && byExpressions);
      }),
    );
  });

  it('what is printed is read as the same selector', () => {
    fc.assert(
      fc.property(selector, labels, (one, given) => {
        fc.pre(Object.keys(one.matchLabels).length + one.matchExpressions.length > 0);
        expect(parseSelectorText(describeSelector(one)).matches(given)).toBe(parseLabelSelector(one).matches(given));
      }),
    );
  });

  it('any text is read or refused', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab!=<>(), ]{0,12}$/), (text) => {
        try {
          parseSelectorText(text);
        } catch (error) {
          expect(error).toBeInstanceOf(SelectorError);
        }
      }),
    );
  });
});

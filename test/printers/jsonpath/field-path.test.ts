import { expect, it } from 'vitest';
import { FormatError } from '../../../src/printers/format-error.ts';
import { fieldValues, parseFieldPath } from '../../../src/printers/jsonpath/field-path.ts';

const claim = { metadata: { name: 'films' }, spec: { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] } };

it.each(['metadata.name', '.metadata.name', '{metadata.name}', '{.metadata.name}'])('%s is the name', (path) => {
  expect(parseFieldPath(path).source).toBe('{.metadata.name}');
  expect(fieldValues(claim, parseFieldPath(path))).toEqual(['films']);
});

it.each([
  ['spec.accessModes[*]', ['ReadWriteOnce', 'ReadOnlyMany']],
  ['spec.accessModes[-1]', ['ReadOnlyMany']],
  ['spec.nope', []],
  ['', []],
])('%j selects %j', (path, expected) => {
  expect(fieldValues(claim, parseFieldPath(path))).toEqual(expected);
});

const expectedForms =
  "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'";

it.each([
  ['{metadata.name', expectedForms],
  ['metadata.name}', expectedForms],
  ['{metadata.name}}', expectedForms],
  ['{{metadata.name}', expectedForms],
  ['{.a}{.b}', expectedForms],
  ['a[', 'unterminated array'],
])('%s is refused: %s', (path, message) => {
  expect(() => parseFieldPath(path)).toThrow(new FormatError(message));
});

it('that does not fit the item is refused', () => {
  expect(() => fieldValues(claim, parseFieldPath('spec.accessModes[5]'))).toThrow(
    new FormatError('array index out of bounds: index 5, length 2'),
  );
});

import { expect, it } from 'vitest';
import { goFloat, goNumber, goText } from '../../src/printers/go-values.ts';

it.each([
  ['films', 'films'],
  [true, 'true'],
  [3, '3'],
  [null, '<nil>'],
  [undefined, '<nil>'],
  [['a', 'b c', null], '[a b c <nil>]'],
  [{ b: 1, a: { d: [], c: 'x' }, gone: undefined }, 'map[a:map[c:x d:[]] b:1]'],
])('%j is printed %s', (value, expected) => {
  expect(goText(value)).toBe(expected);
});

it.each([
  [0, '0'],
  [-7, '-7'],
  [1000000, '1000000'],
  [2 ** 53, '9007199254740992'],
  [2 ** 63, '9.223372036854776e+18'],
  [0.1, '0.1'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [-1.5e-10, '-1.5e-10'],
  [123456.5, '123456.5'],
  [1234567.5, '1.2345675e+06'],
  [1e300, '1e+300'],
])('the number %d is printed %s', (value, expected) => {
  expect(goNumber(value)).toBe(expected);
});

it('a million as a float has an exponent', () => {
  expect([goFloat(100000), goFloat(1000000)]).toEqual(['100000', '1e+06']);
});

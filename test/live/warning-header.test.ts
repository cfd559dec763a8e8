import { expect, it } from 'vitest';
import { warningTexts } from '../../src/sources/live/warning-header.ts';

it.each([
  { headers: ['299 - "v1beta1 is old"'], expected: ['v1beta1 is old'] },
  { headers: ['299 - "one", 299 - "two"', '299 - "three"'], expected: ['one', 'two', 'three'] },
  { headers: ['299 - "one" "Tue, 15 Nov 1994 08:12:31 GMT", 299 - "two"'], expected: ['one', 'two'] },
  { headers: ['299 - "say \\"please\\", twice \\\\"'], expected: ['say "please", twice \\'] },
  { headers: ['199 - "other code"', '299 - ""', 'nonsense', ''], expected: [] },
])('the warnings in $headers are $expected', ({ headers, expected }) => {
  expect(warningTexts(headers)).toEqual(expected);
});

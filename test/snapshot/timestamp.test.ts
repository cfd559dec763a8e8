import { expect, it } from 'vitest';
import { isTimestamp, laterTimestamp } from '../../src/snapshot/timestamp.ts';

it.each([
  { text: '2025-01-01T00:00:00Z', expected: true },
  { text: '2025-01-01T00:00:00.123456Z', expected: true },
  { text: '2025-01-01T00:00:00+02:00', expected: true },
  { text: '2025-13-01T00:00:00Z', expected: false },
  { text: '2025-01-01T24:00:00Z', expected: false },
  { text: '2025-01-01T00:00:00', expected: false },
  { text: '2025-01-01 00:00:00Z', expected: false },
  { text: '', expected: false },
])('"$text" is a timestamp: $expected', ({ text, expected }) => {
  expect(isTimestamp(text)).toBe(expected);
});

it.each([
  { a: '2025-01-01T00:00:00Z', b: '2025-01-02T00:00:00Z', later: 'b' },
  { a: '2025-01-02T00:00:00Z', b: '2025-01-01T00:00:00Z', later: 'a' },
  { a: '2025-01-01T00:00:00.5Z', b: '2025-01-01T00:00:00Z', later: 'a' },
  { a: '2025-01-01T00:00:00Z', b: '2025-01-01T01:00:00+02:00', later: 'a' },
  { a: '2025-01-01T00:00:00Z', b: undefined, later: 'a' },
  { a: undefined, b: '2025-01-01T00:00:00Z', later: 'b' },
])('of $a and $b the later one is $later', ({ a, b, later }) => {
  expect(laterTimestamp(a, b)).toBe(later === 'a' ? a : b);
});

import { expect, it } from 'vitest';
import { age, humanDuration } from '../../src/printers/age.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

it.each([
  [-2 * second, '<invalid>'],
  [-1999, '0s'],
  [-1, '0s'],
  [0, '0s'],
  [999, '0s'],
  [second, '1s'],
  [119 * second + 999, '119s'],
  [2 * minute, '2m'],
  [2 * minute + second, '2m1s'],
  [3 * minute + 20 * second, '3m20s'],
  [10 * minute - 1, '9m59s'],
  [10 * minute, '10m'],
  [3 * hour - 1, '179m'],
  [3 * hour, '3h'],
  [3 * hour + minute, '3h1m'],
  [4 * hour + 12 * minute, '4h12m'],
  [8 * hour - 1, '7h59m'],
  [8 * hour, '8h'],
  [2 * day - 1, '47h'],
  [2 * day, '2d'],
  [2 * day + hour, '2d1h'],
  [3 * day + 4 * hour, '3d4h'],
  [8 * day - 1, '7d23h'],
  [8 * day, '8d'],
  [2 * year - 1, '729d'],
  [2 * year, '2y'],
  [2 * year + day, '2y1d'],
  [3 * year + 12 * day, '3y12d'],
  [8 * year - 1, '7y364d'],
  [8 * year, '8y'],
  [9 * year + 300 * day, '9y'],
])('%d milliseconds are %s', (ms, expected) => {
  expect(humanDuration(ms)).toBe(expected);
});

const now = Date.parse('2026-03-10T12:00:00Z');

it.each([
  ['2026-03-10T11:58:30Z', '90s'],
  ['2026-03-10T11:58:30.500Z', '89s'],
  ['2026-03-10T13:58:30+02:00', '90s'],
  ['2026-03-07T08:00:00Z', '3d4h'],
  ['2026-03-10T12:00:01Z', '0s'],
  ['2026-03-11T12:00:00Z', '<invalid>'],
  ['0001-01-01T00:00:00Z', '<unknown>'],
  ['2026-13-45T12:00:00Z', '<unknown>'],
  ['2026-03-10', '<unknown>'],
  ['yesterday', '<unknown>'],
  ['', '<unknown>'],
  [undefined, '<unknown>'],
])('what was created at %s is %s old', (timestamp, expected) => {
  expect(age(timestamp, now)).toBe(expected);
  expect(age(timestamp, new Date(now))).toBe(expected);
});

import { describe, expect, it } from 'vitest';
import { FormatError } from '../../src/printers/format-error.ts';
import { sortBy } from '../../src/printers/sort-by.ts';

const claims = [
  { name: 'films', size: '5Gi', retries: 3, label: 'b', at: '2026-03-10T12:00:00Z', late: true, mixed: 1 },
  { name: 'series', size: '500M', retries: 10, label: null, at: '2025-03-10T12:00:00Z', late: false, mixed: '1' },
  { name: 'books', size: '1Ti', retries: 2.5, label: 'a', at: '2026-01-10T12:00:00Z', late: true, mixed: 1 },
  { name: 'music', label: 'b', at: '2026-03-10T12:00:01Z', late: true, mixed: 1 },
];

function names(field: string): string {
  return sortBy(claims, field)
    .map(({ name }) => name)
    .join(' ');
}

describe('items are sorted', () => {
  it.each([
    ['strings by the alphabet', '.name', 'books films music series'],
    ['in each spelling of a path', '{name}', 'books films music series'],
    ['timestamps by the alphabet', 'at', 'series books films music'],
    ['numbers by value, those without first', '.retries', 'music books films series'],
    ['quantities by amount, those without first', '.size', 'music series films books'],
    ['null before values, equal ones as they were', '.label', 'series books films music'],
  ])('%s (%s)', (_what, field, expected) => {
    expect(names(field)).toBe(expected);
  });

  it('into a new list', () => {
    const before = [...claims];
    sortBy(claims, '.name');
    expect(claims).toEqual(before);
  });

  it('quantities that are equal in amount keep their order', () => {
    const volumes = [{ s: '1024Mi' }, { s: '1Gi' }, { s: '1000Mi' }];
    expect(sortBy(volumes, 's')).toEqual([{ s: '1000Mi' }, { s: '1024Mi' }, { s: '1Gi' }]);
  });
});

describe('sorting is refused', () => {
  it.each([
    ['.nope', `couldn't find any field with path "{.nope}" in the list of objects`],
    ['.late', 'field {.late} is an unsortable type: bool'],
    ['.mixed', 'field {.mixed} is an unsortable type: int64 and string'],
    [
      '{.a',
      "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
    ],
    ['.a[', 'unterminated array'],
    ['.name[0]', 'string is not array or slice'],
  ])('by %s: %s', (field, message) => {
    expect(() => sortBy(claims, field)).toThrow(FormatError);
    expect(() => sortBy(claims, field)).toThrow(message);
  });
});

it.each([0, 1])('%d items are sorted by any field', (count) => {
  expect(sortBy(claims.slice(0, count), '.nope')).toEqual(claims.slice(0, count));
});

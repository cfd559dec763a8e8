import { describe, expect, it } from 'vitest';
import { connectionFlags, parseTimeout, parseUserExtra } from '../../src/sources/live/flags.ts';

describe('--request-timeout', () => {
  it.each([
    ['0', 0],
    ['5', 5000],
    ['1s', 1000],
    ['2m', 120_000],
    ['3h', 10_800_000],
    ['1m30s', 90_000],
    ['1.5s', 1500],
    ['.5s', 500],
    ['250ms', 250],
  ])('%s is %d ms', (text, ms) => {
    expect(parseTimeout(text)).toBe(ms);
  });

  it.each(['', 'soon', '1d', '-1', '1s!', '1.2.3s'])('%j is refused', (text) => {
    expect(() => parseTimeout(text)).toThrow(/^invalid timeout value: /);
  });
});

describe('--as-user-extra', () => {
  it('gathers the values of a key, in order', () => {
    expect(parseUserExtra(['scopes=view', 'team=db=1', 'scopes=edit'])).toEqual({
      scopes: ['view', 'edit'],
      team: ['db=1'],
    });
  });

  it.each(['scopes', '=view'])('%j is refused', (pair) => {
    expect(() => parseUserExtra([pair])).toThrow(`invalid --as-user-extra "${pair}": it must be KEY=VALUE`);
  });
});

it('the flags are sorted by name and described without a final period', () => {
  const names = connectionFlags.map(({ flag }) => /--([a-z-]+)/.exec(flag)![1]!);
  expect(names).toEqual([...names].sort());
  expect(connectionFlags.filter(({ description }) => !/^[A-Z].*[^.]$/.test(description))).toEqual([]);
});

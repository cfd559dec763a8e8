import { expect, it } from 'vitest';
import { type Theme, themeFor } from '../../src/printers/theme.ts';

const meanings = ['bad', 'warn', 'good', 'dim', 'bold', 'heading'] as const satisfies readonly (keyof Theme)[];

it.each(meanings)('without colour, %s returns the text unchanged', (meaning) => {
  expect(themeFor(false)[meaning]('Stuck')).toBe('Stuck');
});

it.each([
  ['bad', '\x1b[31mStuck\x1b[39m'],
  ['warn', '\x1b[35mStuck\x1b[39m'],
  ['good', '\x1b[32mStuck\x1b[39m'],
  ['dim', '\x1b[2mStuck\x1b[22m'],
  ['bold', '\x1b[1mStuck\x1b[22m'],
  ['heading', '\x1b[1mStuck\x1b[22m'],
] as const)('with colour, %s opens and closes its code', (meaning, expected) => {
  expect(themeFor(true)[meaning]('Stuck')).toBe(expected);
});

it.each(meanings)('with colour, %s leaves an empty text empty', (meaning) => {
  expect(themeFor(true)[meaning]('')).toBe('');
});

it('an inner style does not end the outer one', () => {
  const { dim, bold } = themeFor(true);
  expect(dim(`a ${bold('b')} c`)).toBe('\x1b[2ma \x1b[1mb\x1b[22m\x1b[2m c\x1b[22m');
});

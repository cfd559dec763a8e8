import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/printers/display-width.ts';
import { themeFor } from '../../src/printers/theme.ts';
import { keepTogether, type WrapOptions, wrap } from '../../src/printers/wrap.ts';

const { bold } = themeFor(true);

describe('prose', () => {
  it.each<{ name: string; text: string; options: WrapOptions; expected: string[] }>([
    {
      name: 'that fits stays on one line',
      text: 'no volume fits',
      options: { width: 14 },
      expected: ['no volume fits'],
    },
    {
      name: 'is broken at blanks',
      text: 'no volume fits, and class "archive" makes none.',
      options: { width: 20 },
      expected: ['no volume fits, and', 'class "archive"', 'makes none.'],
    },
    {
      name: 'hangs under the word it follows',
      text: 'The nearest volume, archive-03, is too small: its 500G are 465.7Gi.',
      options: { width: 44, first: 'Why    ' },
      expected: ['Why    The nearest volume, archive-03, is', '       too small: its 500G are 465.7Gi.'],
    },
    {
      name: 'hangs where it is told to',
      text: 'one two three four',
      options: { width: 10, first: '- ', rest: '    ' },
      expected: ['- one two', '    three', '    four'],
    },
    {
      name: 'keeps its own line breaks',
      text: 'one\ntwo three\n\nfour',
      options: { width: 40, first: 'A ' },
      expected: ['A one', '  two three', '', '  four'],
    },
    {
      name: 'never breaks a word that is longer than the line',
      text: 'see storage.kubernetes.io/selected-node there',
      options: { width: 12 },
      expected: ['see', 'storage.kubernetes.io/selected-node', 'there'],
    },
    {
      name: 'never breaks a line that begins with a blank: it is a command',
      text: 'Raise it:\n  kubectl patch pv archive-03 --type merge',
      options: { width: 12, first: '  ' },
      expected: ['  Raise it:', '    kubectl patch pv archive-03 --type merge'],
    },
    {
      name: 'never breaks what is to be kept together',
      text: `Add ${keepTogether('kubectl get pv -o yaml > pv.yaml')} then again`,
      options: { width: 20 },
      expected: ['Add', 'kubectl get pv -o yaml > pv.yaml', 'then again'],
    },
    {
      name: 'counts wide characters as two',
      text: '保存 保存 保存',
      options: { width: 9 },
      expected: ['保存 保存', '保存'],
    },
    {
      name: 'does not count colour codes',
      text: `${bold('Stuck')}: ${bold('no')} volume`,
      options: { width: 9 },
      expected: [`${bold('Stuck')}: ${bold('no')}`, 'volume'],
    },
    { name: 'without words is one line', text: '', options: { width: 20, first: 'Why    ' }, expected: ['Why'] },
    {
      name: 'without a limit stays on one line',
      text: 'one two three',
      options: { width: Number.POSITIVE_INFINITY },
      expected: ['one two three'],
    },
  ])('$name', ({ text, options, expected }) => {
    expect(wrap(text, options)).toEqual(expected);
  });

  it('keeps every word in order, and within the width unless a word alone is wider', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '保'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), fc.integer({ min: 5, max: 40 }), (words, width) => {
        const lines = wrap(words.join(' '), { width, first: '> ' });
        expect(lines.map((line) => line.slice(2)).join(' ')).toBe(words.join(' '));
        for (const line of lines) {
          expect(displayWidth(line) <= width || !line.slice(2).includes(' ')).toBe(true);
        }
      }),
    );
  });
});

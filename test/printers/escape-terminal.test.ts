import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeTerminal } from '../../src/printers/escape-terminal.ts';

it.each([
  { what: 'an escape sequence', raw: '\x1b[31mred\x1b[0m', shown: '^[[31mred^[[0m' },
  { what: 'an operating system command', raw: '\x1b]0;title\x07', shown: '^[]0;title^G' },
  { what: 'a carriage return', raw: 'Bound\rStuck', shown: 'Bound\\rStuck' },
  { what: 'a line feed', raw: 'one\ntwo', shown: 'one\\ntwo' },
  { what: 'a tab', raw: 'one\ttwo', shown: 'one\\ttwo' },
  { what: 'a backspace', raw: 'abc\b\b', shown: 'abc^H^H' },
  { what: 'NUL', raw: 'a\0b', shown: 'a^@b' },
  { what: 'DEL', raw: 'a\x7fb', shown: 'a^?b' },
  { what: 'an eight-bit control sequence', raw: '\x9b31m', shown: '\\x9b31m' },
  { what: 'a right-to-left override', raw: 'exe\u202efdp', shown: 'exe\\u202efdp' },
  { what: 'a directional isolate', raw: 'a\u2066b\u2069', shown: 'a\\u2066b\\u2069' },
  { what: 'a right-to-left mark', raw: 'a\u200fb', shown: 'a\\u200fb' },
  { what: 'a zero-width space', raw: 'data\u200b-0', shown: 'data\\u200b-0' },
  { what: 'a byte order mark', raw: '\ufeffdata', shown: '\\ufeffdata' },
  { what: 'a soft hyphen', raw: 'da\u00adta', shown: 'da\\xadta' },
  { what: 'an invisible letter', raw: 'a\u3164b', shown: 'a\\u3164b' },
  { what: 'a tag character', raw: 'a\u{e0041}', shown: 'a\\u{e0041}' },
  { what: 'a line separator', raw: 'a\u2028b', shown: 'a\\u2028b' },
  { what: 'half a surrogate pair', raw: 'a\ud800b', shown: 'a\\ud800b' },
])('$what is shown, not obeyed', ({ raw, shown }) => {
  expect(escapeTerminal(raw)).toBe(shown);
});

it.each([
  'data-db-0',
  'größe 保存庫 🔥',
  'no persistent volumes available for this claim and no storage class is set',
  '\\n',
  '',
])('%j stays as it is', (text) => {
  expect(escapeTerminal(text)).toBe(text);
});

it('leaves nothing that a terminal obeys, and escaping twice changes nothing', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.integer({ min: 0, max: 0x2fff }).map((code) => String.fromCodePoint(code)) }),
      (raw) => {
        const escaped = escapeTerminal(raw);
        expect(escaped).not.toMatch(/[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069]/);
        expect(escapeTerminal(escaped)).toBe(escaped);
      },
    ),
  );
});

import { expect, it } from 'vitest';
import { displayWidth } from '../../src/printers/display-width.ts';

it.each([
  { text: '', width: 0, what: 'nothing' },
  { text: 'data-db-0', width: 9, what: 'ASCII' },
  { text: 'größe', width: 5, what: 'Latin letters' },
  { text: 'данные', width: 6, what: 'Cyrillic letters' },
  { text: 'gro\u0308\u00dfe', width: 5, what: 'a letter with a combining mark' },
  { text: '保存庫', width: 6, what: 'Chinese characters' },
  { text: 'アーカイブ', width: 10, what: 'Japanese syllables' },
  { text: 'ｱｰｶｲﾌﾞ', width: 6, what: 'halfwidth Japanese syllables' },
  { text: '보관소', width: 6, what: 'Korean syllables' },
  { text: 'ＡＢ', width: 4, what: 'fullwidth letters' },
  { text: '𠮷', width: 2, what: 'a Chinese character outside the basic plane' },
  { text: '✅🔥', width: 4, what: 'emoji' },
  { text: '🇨🇭', width: 2, what: 'a flag' },
  { text: '→ ✓ …', width: 5, what: 'arrows and ticks' },
  { text: 'a\u200bb\u2060c', width: 3, what: 'zero-width characters' },
  { text: '\x1b[31mStuck\x1b[39m', width: 5, what: 'a coloured word' },
  { text: '\x1b[1m保存\x1b[22m!', width: 5, what: 'coloured wide characters' },
])('$what takes $width columns', ({ text, width }) => {
  expect(displayWidth(text)).toBe(width);
});

/**
 * The number of terminal columns a text takes: wide East Asian characters and emoji take two, combining and format
 * characters none. Colour codes (SGR sequences, as theme.ts writes them) take none either.
 */
export function displayWidth(text: string): number {
  if (!beyondPrintableAscii.test(text)) return text.length;
  let width = 0;
  for (const character of text.replace(colourCodes, '')) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (zeroWidth.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

const beyondPrintableAscii = /[^\x20-\x7e]/;

const colourCodes = /\x1b\[[0-9;]*m/g;

const zeroWidth = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

// Unicode 16 EastAsianWidth.txt, classes W and F, as blocks; the scattered wide symbols are those that are emoji by default.
// Two regional indicators draw one flag of width two, hence one column each.
const wide = new RegExp(
  '^(?:[' +
    '\\u{1100}-\\u{115f}\\u{2329}\\u{232a}\\u{2e80}-\\u{303e}\\u{3041}-\\u{a4cf}\\u{a960}-\\u{a97c}\\u{ac00}-\\u{d7a3}' +
    '\\u{f900}-\\u{faff}\\u{fe10}-\\u{fe19}\\u{fe30}-\\u{fe6b}\\u{ff01}-\\u{ff60}\\u{ffe0}-\\u{ffe6}' +
    '\\u{16fe0}-\\u{18d08}\\u{1aff0}-\\u{1b2fb}\\u{1d300}-\\u{1d376}\\u{1f200}-\\u{1f265}\\u{20000}-\\u{3fffd}' +
    ']|(?!\\p{Regional_Indicator})\\p{Emoji_Presentation})',
  'u',
);

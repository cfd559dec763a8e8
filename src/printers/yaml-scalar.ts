import { goFloat } from './go-values.ts';
import { readsAsOther } from './yaml-ambiguous.ts';

/** Where a scalar stands. */
export interface ScalarPlace {
  /** A key before a colon, which must stay on one line. */
  readonly isKey: boolean;
  /** The column of its first character, from 0. */
  readonly column: number;
  /** The column where its further lines begin. */
  readonly indent: number;
}

/**
 * A string, number, boolean or null as go-yaml 2 prints it: plain where that reads back as the same, strings in double quotes
 * where YAML would see another type, in single quotes where it would see an indicator, as a block where they have lines. Long
 * lines are folded at the first blank behind column 80.
 *
 * go-yaml 2 encode.go (stringv, floatv) and emitterc.go (analyze_scalar, select_scalar_style and the writers).
 */
export function yamlScalar(value: unknown, place: ScalarPlace): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'string') return String(value ?? null);
  if (value.includes('\n')) {
    return hasBlock(value) && !place.isKey ? block(value, place.indent) : doubleQuoted(value, place);
  }
  if (special.test(value) || readsAsOther(value)) return doubleQuoted(value, place);
  return isPlain(value) ? fold(value, place, plainBlank) : singleQuoted(value, place);
}

/** Whether a key can stand before its colon on one line: YAML asks for at most 128 bytes. */
export function isSimpleKey(key: string): boolean {
  return !lineBreak.test(key) && (key.length * 3 <= 128 || new TextEncoder().encode(key).length <= 128);
}

function numberText(value: number): string {
  // As far as 64 bits reach, whole numbers are integers for Go, and printed in full.
  const isInteger = Number.isInteger(value) && value < 2 ** 64 && value > -(2 ** 63);
  return isInteger ? String(value) : goFloat(value);
}

function isPlain(text: string): boolean {
  if (/^(?:---|\.\.\.)/.test(text) || /^[ #,[\]{}&*!|>'"%@`]/.test(text) || text.endsWith(' ')) return false;
  return !/^[?:-](?: |$)|:(?: |$)| #/.test(text);
}

function hasBlock(text: string): boolean {
  return !special.test(text) && !/ (?:\n|$)/.test(text);
}

function block(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = text.endsWith('\n') ? (/^\n$|\n\n$/.test(text) ? '+' : '') : '-';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  const margin = ' '.repeat(indent);
  return `|${hint}${chomp}\n${lines.map((line) => (line === '' ? '' : margin + line)).join('\n')}`;
}

function singleQuoted(text: string, place: ScalarPlace): string {
  return `'${fold(text.replaceAll("'", "''"), { ...place, column: place.column + 1 }, innerBlank)}'`;
}

function doubleQuoted(text: string, place: ScalarPlace): string {
  const escaped = text.replace(escapedInQuotes, escapeCharacter);
  return `"${fold(escaped, { ...place, column: place.column + 1 }, innerBlank, '\\')}"`;
}

/** Which blank a line may end at: not at the ends of a quoted text. */
type MayFold = (text: string, at: number) => boolean;

function plainBlank(): boolean {
  return true;
}

function innerBlank(text: string, at: number): boolean {
  return at > 0 && at < text.length - 1;
}

/**
 * Breaks a text at the first blank behind column 80, again and again. Blanks that follow one another are kept together, unless
 * `keeper` can stand before the rest of them at the start of a line.
 */
function fold(text: string, place: ScalarPlace, mayFold: MayFold, keeper?: string): string {
  if (place.isKey || place.column + text.length <= bestWidth) return text;
  let folded = '';
  let column = place.column;
  let isAfterBlank = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    const isFollowedByBlank = text[at + 1] === ' ';
    const canBreak = character === ' ' && !isAfterBlank && (keeper !== undefined || !isFollowedByBlank);
    if (canBreak && column > bestWidth && mayFold(text, at)) {
      folded += `\n${' '.repeat(place.indent)}${isFollowedByBlank ? keeper : ''}`;
      column = place.indent + (isFollowedByBlank ? 1 : 0);
    } else {
      folded += character;
      column += 1;
    }
    isAfterBlank = character === ' ';
  }
  return folded;
}

function escapeCharacter(character: string): string {
  const named = escapes.get(character);
  if (named !== undefined) return `\\${named}`;
  const codePoint = character.codePointAt(0)!;
  const hex = codePoint.toString(16).toUpperCase();
  if (codePoint <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return codePoint <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

const bestWidth = 80;

/** Characters that go-yaml takes for unprintable; the two Unicode line ends besides, which it would print as they are. */
const special = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

const escapedInQuotes = /[^\x20\x21\x23-\x5b\x5d-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/gu;

const lineBreak = /[\n\r\x85\u2028\u2029]/;

const escapes: ReadonlyMap<string, string> = new Map([
  ['\0', '0'],
  ['\x07', 'a'],
  ['\b', 'b'],
  ['\t', 't'],
  ['\n', 'n'],
  ['\v', 'v'],
  ['\f', 'f'],
  ['\r', 'r'],
  ['\x1b', 'e'],
  ['"', '"'],
  ['\\', '\\'],
  ['\x85', 'N'],
  ['\u2028', 'L'],
  ['\u2029', 'P'],
]);

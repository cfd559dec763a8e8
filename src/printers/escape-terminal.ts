/**
 * The text with everything made visible that a terminal would obey or hide: escape sequences, control characters, line
 * breaks, overrides of the writing direction, invisible characters, halves of surrogate pairs. Every string that came from a
 * cluster or a file goes through here before a human format prints it; the result is always one line. Not reversible.
 *
 * kubernetes/cli-runtime pkg/printers/terminal.go spells ESC "^[" and carriage return "\r"; it lets the others pass.
 */
export function escapeTerminal(text: string): string {
  if (!suspicious.test(text)) return text;
  return text.replace(unsafe, spell);
}

const suspicious = /[^\x20-\x7e]/;

const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

function spell(character: string): string {
  const named = spellings.get(character);
  if (named !== undefined) return named;
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x20) return `^${String.fromCharCode(codePoint + 0x40)}`;
  if (codePoint < 0x100) return `\\x${codePoint.toString(16)}`;
  if (codePoint < 0x10000) return `\\u${codePoint.toString(16).padStart(4, '0')}`;
  return `\\u{${codePoint.toString(16)}}`;
}

const spellings: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\x7f', '^?'],
]);

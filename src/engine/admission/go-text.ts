// How the API server, a Go program, prints values into its messages.

/** A text in double quotes as Go's %q prints it. */
export function quote(text: string): string {
  return `"${[...text].map(quotedRune).join('')}"`;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

function quotedRune(rune: string): string {
  const escaped = escapes[rune];
  if (escaped !== undefined) return escaped;
  if (printable.test(rune)) return rune;
  const code = rune.codePointAt(0) ?? 0;
  const hex = (digits: number) => code.toString(16).padStart(digits, '0');
  if (code < 0x20 || code === 0x7f) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

/** A value as Go's encoding/json prints it: like JSON.stringify, with HTML's special characters and line separators escaped. */
export function marshal(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(
    /[<>&\u2028\u2029]/g,
    (rune) => `\\u${rune.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Go's strings.ToLower: rune by rune, without the rules for whole words that JavaScript applies. */
export function lowerCase(text: string): string {
  return [...text].map((rune) => (rune === '\u0130' ? 'i' : rune.toLowerCase())).join('');
}

/** The length that Go's len() tells: UTF-8 bytes. */
export function byteLength(text: string): number {
  let length = 0;
  for (const rune of text) {
    const code = rune.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}

/** The entries of a Go map in the order in which encoding/json and sorted listings print them: by the keys' bytes. */
export function sortedEntries<T>(map: Readonly<Record<string, T>> | undefined): [string, T][] {
  return Object.entries(map ?? {}).sort(([a], [b]) => compareBytes(a, b));
}

/** Go's order of strings: by bytes, which in UTF-8 is the order of code points. */
export function compareBytes(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (const [i, rune] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    if (rune !== other) return (rune.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
  }
  return left.length - right.length;
}

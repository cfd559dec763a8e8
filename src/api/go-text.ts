// How Kubernetes, a Go program, prints values into its messages.

/** A text in double quotes as Go's %q prints it. */
export function quote(text: string): string {
  return `"${[...text].map(quotedRune).join('')}"`;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

function quotedRune(rune: string): string {
  const escaped = escapes.get(rune);
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

/** The length that Go's len() tells: UTF-8 bytes. */
export function byteLength(text: string): number {
  let length = 0;
  for (const rune of text) {
    const code = rune.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}

/**
 * A whole number as strconv.ParseInt reads it in base 10 with 64 bits; undefined if it is none.
 */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** Several errors as one text: each once, in brackets if there are more than one (apimachinery pkg/util/errors, aggregate.Error). */
export function aggregate(errors: readonly string[]): string {
  const unique = [...new Set(errors)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}

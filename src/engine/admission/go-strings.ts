// How Go, in which the API server is written, compares strings and changes their case.

/** Go's strings.ToLower: rune by rune, without the rules for whole words that JavaScript applies. */
export function lowerCase(text: string): string {
  return [...text].map((rune) => (rune === '\u0130' ? 'i' : rune.toLowerCase())).join('');
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

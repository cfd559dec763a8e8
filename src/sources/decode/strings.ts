/** The length from which V8 cuts a substring out of its parent, which then stays in memory. */
const shortestSlice = 13;
/** Longer texts are rarely met twice. */
const longestInterned = 128;

/** Keeps one copy of each text that occurs again and again, and no text that holds on to the input. */
export class Strings {
  readonly #known = new Map<string, string>();

  /** For class names, labels, namespaces. */
  interned(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const own = this.own(text);
    if (own.length <= longestInterned) this.#known.set(own, own);
    return own;
  }

  /** For what is different in each object. */
  own(text: string): string {
    if (text.length < shortestSlice) return text;
    // UTF-16 for the rest: a lone surrogate has to come back as it was.
    const encoding = /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf16le';
    return Buffer.from(text, encoding).toString(encoding);
  }
}

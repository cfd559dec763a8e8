import { lowerBound } from './sorted-list.ts';

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A set of names that knows its first by text order; taking the first again and again costs no re-sorting. */
export class Names implements Iterable<string> {
  readonly #members = new Set<string>();
  // Ascending; holds names that have left, too. INVARIANT: every member is at or behind #head.
  #ascending: string[] = [];
  #head = 0;

  get size(): number {
    return this.#members.size;
  }

  get first(): string | undefined {
    while (this.#head < this.#ascending.length && !this.#members.has(this.#ascending[this.#head] as string))
      this.#head++;
    return this.#ascending[this.#head];
  }

  has(name: string): boolean {
    return this.#members.has(name);
  }

  add(name: string): void {
    if (this.#members.has(name)) return;
    this.#members.add(name);
    const last = this.#ascending.at(-1);
    if (last === undefined || last < name) {
      this.#ascending.push(name);
      return;
    }
    const at = lowerBound(this.#ascending, (other) => compare(other, name));
    if (this.#ascending[at] !== name) this.#ascending.splice(at, 0, name);
    if (at < this.#head) this.#head = at;
  }

  delete(name: string): void {
    this.#members.delete(name);
    if (this.#members.size === 0) {
      this.#ascending = [];
      this.#head = 0;
    }
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#members[Symbol.iterator]();
  }
}

const chunkSize = 256;

/**
 * A sorted list without duplicates in chunks, so that adding, removing and searching stay near-logarithmic for 100,000
 * different capacities.
 */
export class SortedList<T> {
  readonly #compare: (a: T, b: T) => number;
  // INVARIANT: no chunk is empty; chunks and their items ascend.
  readonly #chunks: T[][] = [];

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  /** The first item that is not before the sought place; `place` tells negative where an item lies before it. */
  firstNotBefore(place: (item: T) => number): T | undefined {
    const chunk = this.#chunks[this.#chunkOf(place)];
    return chunk?.[lowerBound(chunk, place)];
  }

  add(item: T): void {
    const place = (other: T) => this.#compare(other, item);
    const at = Math.min(this.#chunkOf(place), this.#chunks.length - 1);
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#chunks.push([item]);
      return;
    }
    chunk.splice(lowerBound(chunk, place), 0, item);
    if (chunk.length > 2 * chunkSize) this.#chunks.splice(at + 1, 0, chunk.splice(chunkSize));
  }

  remove(item: T): void {
    const place = (other: T) => this.#compare(other, item);
    const at = this.#chunkOf(place);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return;
    const index = lowerBound(chunk, place);
    if (chunk[index] !== item) return;
    chunk.splice(index, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  *[Symbol.iterator](): IterableIterator<T> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  /** Index of the first chunk whose last item is not before the place. */
  #chunkOf(place: (item: T) => number): number {
    return lowerBound(this.#chunks, (chunk) => place(chunk[chunk.length - 1] as T));
  }
}

/** Index of the first item for which `place` is not negative. */
export function lowerBound<T>(items: readonly T[], place: (item: T) => number): number {
  let from = 0;
  let to = items.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (place(items[middle] as T) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** How many bytes the window holds as a rule; it grows for an item that is longer. */
export const windowSize = 4 * 1024 * 1024;

/**
 * A moving view of a text: a dump may be longer than the longest string (536,870,888 characters) and than the memory.
 * Positions in `bytes` hold until the next `grow`, which moves them.
 */
export class Window {
  bytes: Buffer;
  /** The first byte that was not dropped. */
  start = 0;
  /** After the last byte that was read. */
  end = 0;
  /** The line on which `start` stands, from 1. */
  line = 1;
  /** Nothing more will come. */
  ended = false;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #size: number;
  /** A carriage return at the end: what follows tells whether it is a line break of its own. */
  #holdsBack = false;

  constructor(chunks: AsyncIterable<Uint8Array>, size: number = windowSize) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#size = size;
    this.bytes = Buffer.allocUnsafe(size);
  }

  get length(): number {
    return this.end - this.start;
  }

  /**
   * Reads until the window holds twice what it held, at least its usual size. Whoever did not find the end of an item starts
   * again at its beginning afterwards; because of the doubling that costs no more than the item is long.
   * False if there was nothing more to read.
   */
  async grow(): Promise<boolean> {
    if (this.ended) return false;
    const wanted = Math.max(this.#size, 2 * this.length);
    while (this.length < wanted && !this.ended) {
      const next = await this.#chunks.next();
      if (next.done === true) this.#finish();
      else this.#append(next.value);
    }
    return true;
  }

  /** Drops what comes before the position; `lines` is how many lines end there, for whoever has counted them already. */
  dropTo(position: number, lines = this.linesBefore(position)): void {
    this.line += lines;
    this.start = position;
  }

  /** How many lines end between the start and the position. */
  linesBefore(position: number): number {
    // The search must not run on behind the position: there may be no line end for megabytes.
    const bytes = this.bytes.subarray(this.start, position);
    let lines = 0;
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines++;
    return lines;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #append(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.#holdsBack) this.end++;
    this.#makeRoom(chunk.length);
    const from = this.#holdsBack ? this.end - 1 : this.end;
    this.bytes.set(chunk, this.end);
    this.end += chunk.length;
    this.#breakLines(from);
    this.#holdsBack = this.bytes[this.end - 1] === carriageReturn;
    if (this.#holdsBack) this.end--;
  }

  #makeRoom(count: number): void {
    if (this.end + count <= this.bytes.length) return;
    const length = this.length;
    // Moving less than half of the room keeps the cost of all moves below that of reading.
    if (length + count <= this.bytes.length && length <= this.bytes.length / 2) {
      this.bytes.copyWithin(0, this.start, this.end);
    } else {
      const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, length + count));
      this.bytes.copy(larger, 0, this.start, this.end);
      this.bytes = larger;
    }
    this.start = 0;
    this.end = length;
  }

  /** A carriage return that no line feed follows is a line break to YAML and white space to JSON; here lines end with a line feed. */
  #breakLines(from: number): void {
    const { bytes, end } = this;
    for (let i = bytes.indexOf(carriageReturn, from); i >= 0 && i < end - 1; i = bytes.indexOf(carriageReturn, i + 1)) {
      if (bytes[i + 1] !== lineFeed) bytes[i] = lineFeed;
    }
  }

  #finish(): void {
    this.ended = true;
    if (!this.#holdsBack) return;
    this.bytes[this.end++] = lineFeed;
    this.#holdsBack = false;
  }
}

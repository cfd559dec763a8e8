/** A piece that cannot be parsed. `lines` is how many lines of the piece come before the place of the error. */
export class ParseError extends Error {
  override readonly name = 'ParseError';
  readonly lines: number;

  constructor(reason: string, lines: number) {
    super(reason);
    this.lines = lines;
  }
}

/** Deeper than any object of Kubernetes; hostile input would go on. */
export const depthLimit = 100;

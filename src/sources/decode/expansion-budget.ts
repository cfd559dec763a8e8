import { ParseError } from './parse-error.ts';

/** What any honest piece may expand to, however short it is. */
const least = 100_000;

/**
 * How many values a piece may still turn into. Without aliases it cannot hold more values than bytes; aliases of aliases multiply.
 */
export class ExpansionBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = Math.max(least, bytes);
  }

  /** Throws ParseError when nothing is left. */
  spend(): void {
    if (--this.#left < 0) throw new ParseError('its aliases expand to more values than any object has', 0);
  }
}

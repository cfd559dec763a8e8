import type { Timing } from '../../src/sources/live/timing.ts';

/** A clock that stands still until it is told to go on. */
export class FakeTiming implements Timing {
  #now = Date.parse('2026-11-30T12:00:00Z');
  readonly #timers = new Set<{ readonly at: number; readonly delayMs: number; readonly run: () => void }>();
  readonly #waiting: { readonly delayMs: number; readonly resolve: () => void }[] = [];
  readonly #chance: number;

  constructor(chance = 0) {
    this.#chance = chance;
  }

  now(): number {
    return this.#now;
  }

  random(): number {
    return this.#chance;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + delayMs, delayMs, run };
    this.#timers.add(timer);
    for (const waiting of this.#waiting) if (waiting.delayMs === delayMs) waiting.resolve();
    return () => this.#timers.delete(timer);
  }

  /** The delays of all timers that are running, shortest first. */
  get delays(): readonly number[] {
    return [...this.#timers].map(({ delayMs }) => delayMs).sort((a, b) => a - b);
  }

  /** Until a timer with that delay is running. */
  started(delayMs: number): Promise<void> {
    if (this.delays.includes(delayMs)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ delayMs, resolve }));
  }

  /** Lets time pass; timers run in their order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.run();
    }
    this.#now = end;
  }
}

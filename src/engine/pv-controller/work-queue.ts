/** A queue that holds each key once: a key that is added again while it waits is not added (client-go util/workqueue). */
export class WorkQueue {
  #keys: string[] = [];
  #head = 0;
  readonly #waiting = new Set<string>();

  get size(): number {
    return this.#waiting.size;
  }

  add(key: string): void {
    if (this.#waiting.has(key)) return;
    this.#waiting.add(key);
    this.#keys.push(key);
  }

  /** The key that waits longest. Only to be asked when the queue is not empty. */
  take(): string {
    const key = this.#keys[this.#head++] as string;
    if (this.#head > 1024 && this.#head * 2 > this.#keys.length) {
      this.#keys = this.#keys.slice(this.#head);
      this.#head = 0;
    }
    this.#waiting.delete(key);
    return key;
  }
}

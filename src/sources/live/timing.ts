/** The clock, the timers and the chance that reading a cluster needs. Tests bring their own and wait for nothing. */
export interface Timing {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs something once, later; what comes back calls it off. */
  after(delayMs: number, run: () => void): () => void;
  /** In [0, 1). */
  random(): number;
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** Waits; an abort ends the wait at once and is no error. */
export function pause(timing: Timing, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = timing.after(delayMs, finish);
    signal?.addEventListener('abort', finish);
  });
}

/** Now, as the API server writes it. */
export function timestampOf(timing: Timing): string {
  return new Date(timing.now()).toISOString().replace(/\.\d+Z$/, 'Z');
}

import type { Writable } from 'node:stream';
import { type Kind, kinds } from '../../snapshot/kinds.ts';
import type { Timing } from './timing.ts';

/** A line on standard error that tells how far the reading is. */
export interface ProgressLine {
  tell(kind: Kind, count: number): void;
  /** Wipes the line. */
  end(): void;
}

/** What is read in less time needs no line. */
const delayMs = 500;
const wipe = '\r\x1b[K';

/** Only for a terminal, and only when reading takes long. */
export function createProgressLine(stream: Writable & { readonly isTTY?: boolean }, timing: Timing): ProgressLine {
  if (stream.isTTY !== true) return { tell: () => {}, end: () => {} };
  let latest = '';
  let isShown = false;
  const show = () => {
    if (latest !== '') stream.write(wipe + latest);
    isShown = true;
  };
  const cancel = timing.after(delayMs, show);
  return {
    tell(kind, count) {
      latest = `listing ${kinds[kind].resource}... ${count}`;
      if (isShown) show();
    },
    end() {
      cancel();
      if (isShown) stream.write(wipe);
    },
  };
}

import type { Readable, Writable } from 'node:stream';

/** Where a command reads and writes. */
export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** The reader of our output has gone away (`| head`): there is nothing left to say. */
export class BrokenPipe extends Error {}

/** Writes pieces of text, small ones gathered, waiting while the reader is slower than we are. Throws BrokenPipe. */
export async function writeAll(stream: Writable, pieces: Iterable<string>): Promise<void> {
  let gathered = '';
  for (const piece of pieces) {
    gathered += piece;
    if (gathered.length < 65_536) continue;
    await write(stream, gathered);
    gathered = '';
  }
  if (gathered !== '') await write(stream, gathered);
}

function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error == null) resolve();
      else reject((error as NodeJS.ErrnoException).code === 'EPIPE' ? new BrokenPipe() : error);
    });
  });
}

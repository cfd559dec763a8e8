import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { InputError } from './input-error.ts';

/** Writes pieces of text into a file, compressed if its name ends in .gz. The same text gives the same bytes. Throws InputError. */
export async function writeDocument(path: string, pieces: Iterable<string>): Promise<void> {
  const file = createWriteStream(path);
  const text = Readable.from(gathered(pieces), { objectMode: false });
  try {
    await (path.endsWith('.gz') ? pipeline(text, createGzip(), file) : pipeline(text, file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new InputError(`writing ${JSON.stringify(path)}: ${reasons[code ?? ''] ?? message}`, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such folder',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'no space left',
};

function* gathered(pieces: Iterable<string>): Iterable<Buffer> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

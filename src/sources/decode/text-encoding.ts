const utf8Mark = [0xef, 0xbb, 0xbf];
const utf16LittleEndianMark = [0xff, 0xfe];
const utf16BigEndianMark = [0xfe, 0xff];

/**
 * The bytes of a text as UTF-8 without a byte order mark. UTF-16 is recognised by its mark: `>` in Windows PowerShell 5
 * writes it. Specification dump-formats 1.5.
 */
export async function* asUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const head = await firstBytes(iterator, utf8Mark.length);
    if (startsWith(head, utf16LittleEndianMark)) yield* transcoded(head.subarray(2), iterator, 'utf-16le');
    else if (startsWith(head, utf16BigEndianMark)) yield* transcoded(head.subarray(2), iterator, 'utf-16be');
    else {
      yield startsWith(head, utf8Mark) ? head.subarray(utf8Mark.length) : head;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** At least so many of the first bytes, if there are that many. */
async function firstBytes(iterator: AsyncIterator<Uint8Array>, count: number): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < count) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = head.length === 0 && next.value.length >= count ? next.value : Buffer.concat([head, next.value]);
  }
  return head;
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, i) => bytes[i] === byte);
}

async function* transcoded(
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  encoding: 'utf-16le' | 'utf-16be',
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  yield Buffer.from(decoder.decode(head, { stream: true }));
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    yield Buffer.from(decoder.decode(next.value, { stream: true }));
  }
  yield Buffer.from(decoder.decode());
}

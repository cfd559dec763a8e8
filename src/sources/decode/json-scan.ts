// Finds where JSON values end without parsing them.

const quote = 0x22;
const backslash = 0x5c;
const lineFeed = 0x0a;
const openBrace = 0x7b;
const openBracket = 0x5b;

/** What a scan returns if the bytes end before the value does. */
export const unfinished = -1;
/** What a scan returns if the value is known never to end: the text was cut off and another one follows. */
export const cutOff = -2;

// Ordinary bytes are 0, so that the loop has one test for most of them.
const ordinary = 0;
const opens = 1;
const closes = 2;
const quotes = 3;
const feeds = 4;
const classes = new Uint8Array(256);
classes[openBrace] = opens;
classes[openBracket] = opens;
classes[0x7d] = closes;
classes[0x5d] = closes;
classes[quote] = quotes;
classes[lineFeed] = feeds;

/** The position after the string that begins at the position. */
export function endOfString(bytes: Buffer, at: number, end: number): number {
  for (let i = at + 1; i < end; i++) {
    const byte = bytes[i];
    if (byte === quote) return i + 1;
    if (byte === backslash) i++;
    // A string cannot hold a line break; one before an object in the first column is where the writer was interrupted.
    else if (byte === lineFeed && i + 1 < end && bytes[i + 1] === openBrace) return cutOff;
  }
  return unfinished;
}

/**
 * The position after the value that begins at the position. With `isStrict`, an object in the first column is never inside another
 * one: so it is in what kubectl prints, and only a text that was cut off before looks otherwise.
 */
export function endOfValue(bytes: Buffer, at: number, end: number, isStrict = false): number {
  const first = classes[bytes[at] as number];
  if (first === quotes) return endOfString(bytes, at, end);
  if (first !== opens) return endOfScalar(bytes, at, end);
  let depth = 0;
  for (let i = at; i < end; i++) {
    const found = classes[bytes[i] as number];
    if (found === ordinary) continue;
    if (found === quotes) {
      const after = endOfString(bytes, i, end);
      if (after < 0) return after;
      i = after - 1;
    } else if (found === opens) depth++;
    else if (found === closes) {
      if (--depth === 0) return i + 1;
    } else if (isStrict && bytes[i + 1] === openBrace && i + 1 < end) return cutOff;
  }
  return unfinished;
}

/** A number or a word ends before white space or punctuation. */
function endOfScalar(bytes: Buffer, at: number, end: number): number {
  for (let i = at; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte <= 0x20 || byte === 0x2c || byte === 0x5d || byte === 0x7d || byte === 0x3a) return i;
  }
  return unfinished;
}

import type { Window } from './window.ts';

// The lines of a block collection that tell where its entries begin and end. YAML 1.2.2, 8.2: everything inside an entry is
// indented deeper than the collection, continued lines of plain, quoted and block scalars included; 9.1.2: `---` and `...` in
// the first column end a document wherever they stand. So looking at the shallow lines alone cuts exactly.

export const space = 0x20;
export const tab = 0x09;
export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;
export const dash = 0x2d;
export const dot = 0x2e;
export const hash = 0x23;

/** A line that is neither blank, nor a comment, nor indented deeper than the collection. */
export interface ShallowLine {
  /** Position of the line's first byte; the end of the window if there is no such line. */
  readonly at: number;
  readonly indent: number;
  /** Lines that end before it, counted from where the search began. */
  readonly lines: number;
}

/**
 * The first shallow line that begins after `from`. Undefined if the window must grow first.
 */
export function nextShallowLine(window: Window, from: number, column: number): ShallowLine | undefined {
  const { bytes, end, ended } = window;
  let lines = 0;
  for (let i = bytes.indexOf(lineFeed, from); i >= 0 && i < end; i = bytes.indexOf(lineFeed, i + 1)) {
    lines++;
    let at = i + 1;
    while (at <= i + column && bytes[at] === space && at < end) at++;
    // The byte after the indentation and those of a marker behind it have to be there.
    if (at + 4 > end && !ended) return undefined;
    if (at >= end) break;
    const byte = bytes[at] as number;
    if (
      byte > hash ||
      (byte !== space && byte !== lineFeed && byte !== carriageReturn && byte !== hash && byte !== tab)
    ) {
      return { at: i + 1, indent: at - i - 1, lines };
    }
  }
  return ended ? { at: end, indent: 0, lines } : undefined;
}

/** Whether a document marker stands at the position, which is the beginning of a line. */
export function isMarker(window: Window, at: number, byte: number): boolean {
  const { bytes } = window;
  return (
    bytes[at] === byte &&
    bytes[at + 1] === byte &&
    bytes[at + 2] === byte &&
    at + 3 <= window.end &&
    isGap(window, at + 3)
  );
}

export function isDocumentMarker(window: Window, at: number): boolean {
  return isMarker(window, at, dash) || isMarker(window, at, dot);
}

/** Whether an entry of a block sequence begins at the position. */
export function isEntry(window: Window, at: number): boolean {
  return at < window.end && window.bytes[at] === dash && isGap(window, at + 1);
}

/** White space or the end of the text. */
export function isGap(window: Window, at: number): boolean {
  if (at >= window.end) return true;
  const byte = window.bytes[at];
  return byte === space || byte === lineFeed || byte === carriageReturn || byte === tab;
}

/** Position of the line's end (its line feed, or the end of the text). Undefined if the window must grow first. */
export function endOfLine(window: Window, at: number): number | undefined {
  const found = window.bytes.indexOf(lineFeed, at);
  if (found >= 0 && found < window.end) return found;
  return window.ended ? window.end : undefined;
}

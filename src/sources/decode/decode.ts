import { binaryReason } from './binary.ts';
import { cutJsonDocument } from './cut-json.ts';
import { cutWhole, cutYamlDocument, lineAt, rootKeyOf } from './cut-yaml.ts';
import type { CutOptions, Cuts } from './cuts.ts';
import type { Input } from './input.ts';
import { asUtf8 } from './text-encoding.ts';
import { Window, windowSize } from './window.ts';
import { carriageReturn, dash, dot, endOfLine, hash, isMarker, lineFeed, space, tab } from './yaml-lines.ts';

const comma = 0x2c;
const percent = 0x25;
const openBracket = 0x5b;
const openBrace = 0x7b;

/** A window of 4 MiB that grows up to 64 MiB for one item. */
export const defaultCutOptions: CutOptions = { windowSize, pieceLimit: 64 * 1024 * 1024 };

/**
 * Cuts an input into documents and the items of lists, in the order in which they stand: YAML and JSON, one document or many,
 * with or without separators. Specification dump-formats 1.5, 1.6. Rejects if the input cannot be read.
 */
export async function decode(input: Input, cuts: Cuts, options: CutOptions = defaultCutOptions): Promise<void> {
  const window = new Window(asUtf8(input.read()), options.windowSize);
  try {
    await window.grow();
    const reason = binaryReason(window.bytes.subarray(window.start, window.end));
    if (reason === undefined) await decodeText(window, cuts, options);
    else cuts.refuse(1, reason);
  } finally {
    await window.close();
  }
}

async function decodeText(window: Window, cuts: Cuts, options: CutOptions): Promise<void> {
  let document = 0;
  // A marker has counted the document that follows it.
  let isCounted = false;
  let isAfterJson = false;
  let isStrict = false;
  const begin = () => {
    if (!isCounted) document++;
    isCounted = false;
    cuts.beginDocument(document);
  };
  for (;;) {
    const content = await nextContent(window, isAfterJson);
    if (content === undefined) return;
    const { at, lineStart } = content;
    const byte = window.bytes[at];
    if (at === lineStart && isMarker(window, at, dot)) {
      await dropToEndOfLine(window);
      isAfterJson = false;
    } else if (at === lineStart && isMarker(window, at, dash)) {
      isAfterJson = false;
      document++;
      isCounted = true;
      const inline = await inlineContent(window);
      if (inline === undefined) await dropToEndOfLine(window);
      else if (inline.isJson) window.dropTo(inline.at);
      else {
        begin();
        await cutWhole(window, cuts, options, 0);
      }
    } else if (byte === openBrace || byte === openBracket) {
      begin();
      if (lineStart !== undefined) window.dropTo(at);
      const end = await cutJsonDocument(window, cuts, options, isStrict);
      isAfterJson = end !== 'notJson';
      if (end === 'notJson') await cutWhole(window, cuts, options, 0);
      if (end === 'lost') {
        isStrict = true;
        await seekDocument(window);
      }
    } else if (isAfterJson && !(await isRootKeyAt(window, content))) {
      cuts.problem(window.line, 'text between JSON documents: passed over');
      await seekDocument(window);
    } else {
      begin();
      isAfterJson = false;
      if (at === lineStart && byte === percent) await cutWhole(window, cuts, options, 1);
      else await cutYamlDocument(window, cuts, options);
    }
  }
}

/** Whether YAML as kubectl prints it was appended to JSON. */
async function isRootKeyAt(window: Window, { at, lineStart }: Content): Promise<boolean> {
  return at === lineStart && rootKeyOf(await lineAt(window, at - window.start)) !== undefined;
}

interface Content {
  readonly at: number;
  /** Where its line begins, if nothing but white space stands before it there. */
  readonly lineStart: number | undefined;
}

/**
 * The next byte that is neither white space nor in a comment; undefined at the end. What comes before its line is dropped. After
 * JSON, where the window may stand inside a line, what comes before the byte itself is dropped, and a comma is passed over.
 */
async function nextContent(window: Window, isAfterJson: boolean): Promise<Content | undefined> {
  let isInLine = isAfterJson && !isLineStart(window);
  for (;;) {
    let lineStart = isInLine ? undefined : window.start;
    let at = window.start;
    let isComment = false;
    for (; at < window.end; at++) {
      const byte = window.bytes[at];
      if (byte === lineFeed) lineStart = at + 1;
      else if (byte === hash && (at === window.start || isBlank(window.bytes[at - 1]))) {
        const feed = endOfLine(window, at);
        isComment = feed === undefined;
        if (feed === undefined) break;
        at = feed - 1;
      } else if (!isBlank(byte) && !(isAfterJson && byte === comma)) break;
    }
    if (isComment) {
      window.dropTo(at);
      await dropToEndOfLine(window);
      isInLine = true;
      continue;
    }
    // A marker needs the three bytes behind it to be told.
    if (at + 4 <= window.end || window.ended) {
      window.dropTo(Math.min(lineStart ?? at, at));
      return at < window.end ? { at, lineStart } : undefined;
    }
    if (lineStart !== undefined && lineStart > window.start) {
      window.dropTo(lineStart);
      isInLine = false;
    }
    await window.grow();
  }
}

function isLineStart(window: Window): boolean {
  return window.start > 0 && window.bytes[window.start - 1] === lineFeed;
}

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === tab || byte === carriageReturn || byte === lineFeed;
}

/** What stands on the line of a document marker; undefined if that is nothing. */
async function inlineContent(window: Window): Promise<{ at: number; isJson: boolean } | undefined> {
  for (;;) {
    let at = window.start + 3;
    while (at < window.end && window.bytes[at] !== lineFeed && isBlank(window.bytes[at])) at++;
    if (at >= window.end && !window.ended) {
      await window.grow();
      continue;
    }
    const byte = window.bytes[at];
    if (at >= window.end || byte === lineFeed || byte === hash) return undefined;
    return { at, isJson: byte === openBrace || byte === openBracket };
  }
}

async function dropToEndOfLine(window: Window): Promise<void> {
  let end = endOfLine(window, window.start);
  while (end === undefined) {
    window.dropTo(window.end);
    await window.grow();
    end = endOfLine(window, window.start);
  }
  window.dropTo(end);
}

/** Moves to the next line that can only begin a document: an object or a list in the first column, or a marker. */
async function seekDocument(window: Window): Promise<void> {
  for (;;) {
    const { bytes, end } = window;
    for (
      let feed = bytes.indexOf(lineFeed, window.start);
      feed >= 0 && feed + 1 < end;
      feed = bytes.indexOf(lineFeed, feed + 1)
    ) {
      const next = bytes[feed + 1];
      if (next !== openBrace && next !== openBracket && next !== dash) continue;
      if (feed + 5 > end && !window.ended) break;
      if (next === dash && !isMarker(window, feed + 1, dash)) continue;
      return window.dropTo(feed + 1);
    }
    if (window.ended) return window.dropTo(end);
    const last = bytes.lastIndexOf(lineFeed, end - 6);
    window.dropTo(last < window.start ? Math.max(window.start, end - 6) : last);
    await window.grow();
  }
}

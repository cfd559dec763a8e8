import type { CutOptions, Cuts, ListText } from './cuts.ts';
import { tooLongReason } from './cuts.ts';
import { displayTextReason } from './display-text.ts';
import { plainKind } from './look.ts';
import type { Window } from './window.ts';
import {
  carriageReturn,
  endOfLine,
  hash,
  isDocumentMarker,
  isEntry,
  lineFeed,
  nextShallowLine,
  type ShallowLine,
  space,
  tab,
} from './yaml-lines.ts';

const openBrace = 0x7b;

// Cuts one YAML document. Lists as kubectl prints them (items below each other in block style) are cut into their items, whose
// edges are exact (see yaml-lines.ts); everything else is handed on as one document.

/**
 * Cuts the document whose first content line is at the window's start. Afterwards the window stands on the document marker
 * that ended it, on the first line of a document that was appended without one, or at the end.
 */
export async function cutYamlDocument(window: Window, cuts: Cuts, options: CutOptions): Promise<void> {
  const first = await lineAt(window, 0);
  const reason = displayTextReason(first);
  if (reason !== undefined) {
    cuts.refuse(window.line, reason);
    return skipDocument(window, 0);
  }
  const column = entryColumn(first);
  if (column !== undefined) {
    const list: ListText = { format: 'yaml', isArray: true, head: '', line: window.line, kind: undefined };
    cuts.beginList(list);
    await cutEntries(window, cuts, options, { column, isValue: false });
    return cuts.endList(list, '', window.line);
  }
  if (rootKeyOf(first) === undefined) return cutWhole(window, cuts, options, 0);
  return cutMapping(window, cuts, options);
}

/** Hands the document on without looking into it; `markers` is how many document markers belong to it. */
export async function cutWhole(window: Window, cuts: Cuts, options: CutOptions, markers: number): Promise<void> {
  let offset = 0;
  for (let left = markers; ; ) {
    const found =
      nextShallowLine(window, window.start + offset, 0) ?? (await shallowLine(window, offset, options.pieceLimit));
    if (found === undefined) {
      cuts.problem(window.line, tooLongReason(options.pieceLimit));
      return skipDocument(window, left);
    }
    offset = found.at - window.start;
    if (found.at < window.end && (!isDocumentMarker(window, found.at) || left-- > 0)) continue;
    return handOn(window, cuts, offset, false);
  }
}

/** A document whose root is a block mapping in the first column. */
async function cutMapping(window: Window, cuts: Cuts, options: CutOptions): Promise<void> {
  let offset = 0;
  let kind: string | undefined;
  let isVersioned = false;
  // Its items cannot be cut: it is parsed in one piece.
  let isOdd = false;
  for (;;) {
    const key = rootKeyOf(await lineAt(window, offset));
    if (key?.name === 'apiVersion') {
      if (isVersioned) {
        await handOn(window, cuts, offset, !isOdd);
        return cuts.appended(window.line);
      }
      isVersioned = true;
    }
    if (key?.name === 'kind') kind = plainKind(key.rest);
    if (key?.name === 'items' && !isOdd) {
      const items = await itemsAfter(window, offset, key.rest, options.pieceLimit);
      if (items?.is === 'entries') {
        return cutList(window, cuts, options, {
          kind,
          itemsAt: offset,
          firstAt: items.at,
          column: items.column,
          isVersioned,
        });
      }
      isOdd = items?.is === 'odd';
    }
    const found =
      nextShallowLine(window, window.start + offset, 0) ?? (await shallowLine(window, offset, options.pieceLimit));
    if (found === undefined) {
      cuts.problem(window.line, tooLongReason(options.pieceLimit));
      return skipDocument(window, 0);
    }
    offset = found.at - window.start;
    if (endsBlock(window, found.at)) return handOn(window, cuts, offset, !isOdd);
  }
}

interface Items {
  readonly kind: string | undefined;
  readonly itemsAt: number;
  readonly firstAt: number;
  readonly column: number;
  readonly isVersioned: boolean;
}

async function cutList(window: Window, cuts: Cuts, options: CutOptions, items: Items): Promise<void> {
  const head = window.bytes.toString('utf8', window.start, window.start + items.itemsAt);
  const list: ListText = { format: 'yaml', isArray: false, head, line: window.line, kind: items.kind };
  window.dropTo(window.start + items.firstAt);
  cuts.beginList(list);
  await cutEntries(window, cuts, options, { column: items.column, isValue: true });
  let isVersioned = items.isVersioned;
  let isAppended = false;
  let offset = 0;
  for (;;) {
    const at = window.start + offset;
    if (endsBlock(window, at)) break;
    const name = rootKeyOf(await lineAt(window, offset))?.name;
    if (name === 'apiVersion') {
      isAppended = isVersioned;
      if (isAppended) break;
      isVersioned = true;
    }
    if (name === 'items') cuts.problem(window.line + linesIn(window, offset), 'duplicated mapping key');
    const found =
      nextShallowLine(window, window.start + offset, 0) ?? (await shallowLine(window, offset, options.pieceLimit));
    if (found === undefined) {
      cuts.problem(window.line, tooLongReason(options.pieceLimit));
      return skipDocument(window, 0);
    }
    offset = found.at - window.start;
  }
  const tail = window.bytes.toString('utf8', window.start, window.start + offset);
  await cuts.endList(list, tail, window.line);
  window.dropTo(window.start + offset);
  if (isAppended) cuts.appended(window.line);
}

/** Cuts the entries of a block sequence, whose first dash stands on the window's first line. */
async function cutEntries(window: Window, cuts: Cuts, { pieceLimit }: CutOptions, sequence: Sequence): Promise<void> {
  for (;;) {
    let isPassedOver = false;
    let edge = nextEdge(window, sequence);
    while (edge === undefined) {
      if (window.length >= pieceLimit) {
        if (!isPassedOver) cuts.problem(window.line, tooLongReason(pieceLimit));
        isPassedOver = true;
        dropFullLines(window);
      }
      await window.grow();
      edge = nextEdge(window, sequence);
    }
    if (!isPassedOver) {
      const bytes = window.bytes.subarray(window.start, edge.at);
      const line = window.line + linesToContent(bytes, sequence.column + 1);
      const waiting = cuts.item({ format: 'yaml', bytes, line: window.line }, line);
      if (waiting instanceof Promise) await waiting;
    }
    window.dropTo(edge.at, edge.lines);
    if (edge.isEnd) return;
  }
}

interface Sequence {
  readonly column: number;
  /** It is the value of a root key: the next root key ends it. */
  readonly isValue: boolean;
}

/** Where the entry at the window's start ends; undefined if the window must grow first. */
function nextEdge(
  window: Window,
  { column, isValue }: Sequence,
): { at: number; lines: number; isEnd: boolean } | undefined {
  let from = window.start;
  for (let lines = 0; ; ) {
    const line = nextShallowLine(window, from, column);
    if (line === undefined) return undefined;
    from = line.at;
    lines += line.lines;
    if (line.indent === column && isEntry(window, from + column)) return { at: from, lines, isEnd: false };
    if (line.indent === 0 && endsBlock(window, from)) return { at: from, lines, isEnd: true };
    if (!isValue || line.indent > 0) continue;
    const end = endOfLine(window, from) ?? (window.end - from > lineLimit ? window.end : undefined);
    if (end === undefined) return undefined;
    if (rootKeyOf(textOfLine(window, from, end)) !== undefined) return { at: from, lines, isEnd: true };
  }
}

/** What follows the root key `items`: block entries, nothing special, or a form that cannot be cut. */
async function itemsAfter(
  window: Window,
  offset: number,
  rest: string,
  pieceLimit: number,
): Promise<{ is: 'entries'; at: number; column: number } | { is: 'ordinary' } | { is: 'odd' } | undefined> {
  const value = rest.replace(/(^|[ \t])#.*$/, '').trim();
  if (value !== '') return { is: /^\[[ \t]*\]$/.test(value) ? 'ordinary' : 'odd' };
  const found = await within(window, pieceLimit, () => nextContentLine(window, window.start + offset));
  if (found === undefined) return undefined;
  const at = found - window.start;
  if (found >= window.end || isDocumentMarker(window, found)) return { is: 'ordinary' };
  const line = await lineAt(window, at);
  const column = entryColumn(line);
  if (column !== undefined) return { is: 'entries', at, column };
  return { is: /^[ \t]/.test(line) ? 'odd' : 'ordinary' };
}

/** The first line after the one at `from` that is neither blank nor a comment. */
function nextContentLine(window: Window, from: number): number | undefined {
  const { bytes, end, ended } = window;
  for (let at = from; ; ) {
    const feed = endOfLine(window, at);
    if (feed === undefined) return undefined;
    at = feed + 1;
    if (at >= end) return ended ? end : undefined;
    let i = at;
    while (i < end && (bytes[i] === space || bytes[i] === tab || bytes[i] === carriageReturn)) i++;
    if (i + 4 > end && !ended) return undefined;
    if (i < end && bytes[i] !== lineFeed && bytes[i] !== hash) return at;
    if (i >= end) return end;
  }
}

async function handOn(window: Window, cuts: Cuts, length: number, isBlock: boolean): Promise<void> {
  const bytes = window.bytes.subarray(window.start, window.start + length);
  await cuts.document({ format: 'yaml', bytes, line: window.line }, isBlock, window.line);
  window.dropTo(window.start + length);
}

async function skipDocument(window: Window, markers: number): Promise<void> {
  for (let left = markers; ; ) {
    const found = nextShallowLine(window, window.start, 0);
    if (found === undefined) {
      dropFullLines(window);
      await window.grow();
      continue;
    }
    window.dropTo(found.at);
    if (found.at >= window.end || (isDocumentMarker(window, found.at) && left-- === 0)) return;
  }
}

/** Whether a document in block style ends before the line: at a marker, at the end, or at JSON that was appended to it. */
function endsBlock(window: Window, at: number): boolean {
  return at >= window.end || isDocumentMarker(window, at) || window.bytes[at] === openBrace;
}

/** Drops everything but what is needed to find the next line. */
function dropFullLines(window: Window): void {
  const feed = window.bytes.lastIndexOf(lineFeed, window.end - 1);
  window.dropTo(feed < window.start ? window.end : feed);
}

async function shallowLine(window: Window, offset: number, pieceLimit: number): Promise<ShallowLine | undefined> {
  return within(window, pieceLimit, () => nextShallowLine(window, window.start + offset, 0));
}

/** What the search finds once the window is large enough; undefined if it would have to be larger than allowed. */
async function within<T>(window: Window, limit: number, search: () => T | undefined): Promise<T | undefined> {
  for (;;) {
    const found = search();
    if (found !== undefined || window.length >= limit) return found;
    await window.grow();
  }
}

/** More than any line on which the layout of a document depends. */
const lineLimit = 4096;

/** The line at the offset without its end; cut off if it is long. */
export async function lineAt(window: Window, offset: number): Promise<string> {
  await within(window, offset + lineLimit, () => endOfLine(window, window.start + offset));
  const at = window.start + offset;
  return textOfLine(window, at, endOfLine(window, at) ?? window.end);
}

function textOfLine(window: Window, at: number, end: number): string {
  const text = window.bytes.toString('utf8', at, Math.min(end, at + lineLimit));
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

/** A plain or quoted key and a colon; or the beginning of a key with an explicit mark, a tag or an anchor. */
const rootKey =
  /^(?:((?:[^\s,[\]{}#&*!|>'"%@`?:-]|[?:-](?=\S)).*?)|"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')[ \t]*:(?:[ \t](.*))?$|^(?:\?(?=[ \t]|$)|[&*!]\S)/s;

export function rootKeyOf(line: string): { name: string; rest: string } | undefined {
  const match = rootKey.exec(line);
  if (match === null || match[1]?.includes(' #')) return undefined;
  return { name: match[1] ?? match[2] ?? match[3] ?? '', rest: match[4] ?? '' };
}

/** The column of the dash if the line begins an entry of a block sequence. */
function entryColumn(line: string): number | undefined {
  return /^ *-(?:[ \t]|$)/.test(line) ? line.indexOf('-') : undefined;
}

/** How many lines pass before the first content after the position. */
function linesToContent(bytes: Buffer, from: number): number {
  let lines = 0;
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === lineFeed) lines++;
    else if (byte === hash) {
      const feed = bytes.indexOf(lineFeed, i);
      if (feed < 0) return 0;
      i = feed - 1;
    } else if (byte !== space && byte !== tab && byte !== carriageReturn) return lines;
  }
  return 0;
}

function linesIn(window: Window, length: number): number {
  return window.linesBefore(window.start + length);
}

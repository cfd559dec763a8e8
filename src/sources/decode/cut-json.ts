import { type CutOptions, type Cuts, type ListText, type Piece, type Reception, tooLongReason } from './cuts.ts';
import { cutOff, endOfString, endOfValue, unfinished } from './json-scan.ts';
import { plainKind } from './look.ts';
import type { Window } from './window.ts';

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const space = 0x20;
const lineFeed = 0x0a;

/**
 * How a document ended. "lost": the text was cut off inside, or is too long, and where the next document begins has to be
 * searched for. "notJson": nothing was read, it only begins like JSON.
 */
export type JsonEnd = 'complete' | 'lost' | 'notJson';

/**
 * Cuts the document that begins with the bracket at the window's start: a list into its items, whatever the layout, anything else in
 * one piece. `isStrict`: an object in the first column always begins a document.
 */
export async function cutJsonDocument(
  window: Window,
  cuts: Cuts,
  options: CutOptions,
  isStrict: boolean,
): Promise<JsonEnd> {
  for (;;) {
    const root = rootOf(window, isStrict);
    switch (root.is) {
      case 'notJson':
        return 'notJson';
      case 'document': {
        const bytes = window.bytes.subarray(window.start, root.to);
        await cuts.document({ format: 'json', bytes, line: window.line }, false, window.line);
        window.dropTo(root.to);
        return 'complete';
      }
      case 'list':
        return cutList(window, cuts, options, isStrict, root);
      case 'unfinished':
        if (window.ended || root.isCutOff || window.length >= options.pieceLimit) {
          return lose(window, cuts, options, window.line);
        }
        await window.grow();
    }
  }
}

type Root =
  | { readonly is: 'document'; readonly to: number }
  | { readonly is: 'list'; readonly from: number; readonly kind: string | undefined }
  | { readonly is: 'unfinished'; readonly isCutOff: boolean }
  | { readonly is: 'notJson' };

function rootOf(window: Window, isStrict: boolean): Root {
  const { bytes, start, end } = window;
  if (bytes[start] === openBracket) return { is: 'list', from: start + 1, kind: undefined };
  const first = afterSpace(bytes, start + 1, end);
  if (first >= end) return { is: 'unfinished', isCutOff: false };
  if (bytes[first] !== quote && bytes[first] !== closeBrace) return { is: 'notJson' };
  const walk = walkMembers(bytes, first, end, isStrict, true);
  if (walk.is === 'end') return { is: 'document', to: walk.to };
  if (walk.is === 'items') return { is: 'list', from: walk.at + 1, kind: walk.kind };
  if (walk.is === 'unfinished') return walk;
  // No valid JSON; its brackets still tell where it ends.
  const to = endOfValue(bytes, start, end, isStrict);
  return to < 0 ? { is: 'unfinished', isCutOff: to === cutOff } : { is: 'document', to };
}

type Walk =
  | { readonly is: 'end'; readonly to: number; readonly hasItems: boolean }
  | { readonly is: 'items'; readonly at: number; readonly kind: string | undefined }
  | { readonly is: 'unfinished'; readonly isCutOff: boolean }
  | { readonly is: 'malformed' };

/** Walks over the members of an object, from inside its braces, to its end or to the array of its items. */
function walkMembers(bytes: Buffer, from: number, end: number, isStrict: boolean, stopsAtItems: boolean): Walk {
  let kind: string | undefined;
  let hasItems = false;
  for (let at = from; ; ) {
    at = afterSpace(bytes, at, end);
    if (at < end && bytes[at] === comma) at = afterSpace(bytes, at + 1, end);
    if (at >= end) return { is: 'unfinished', isCutOff: false };
    if (bytes[at] === closeBrace) return { is: 'end', to: at + 1, hasItems };
    if (bytes[at] !== quote) return { is: 'malformed' };
    const afterKey = endOfString(bytes, at, end);
    if (afterKey < 0) return { is: 'unfinished', isCutOff: afterKey === cutOff };
    const key = bytes.toString('latin1', at + 1, Math.min(afterKey - 1, at + 1 + longestKey));
    at = afterSpace(bytes, afterKey, end);
    if (at < end && bytes[at] !== colon) return { is: 'malformed' };
    at = afterSpace(bytes, at + 1, end);
    if (at >= end) return { is: 'unfinished', isCutOff: false };
    if (key === 'items' && bytes[at] === openBracket) {
      if (stopsAtItems) return { is: 'items', at, kind };
      hasItems = true;
    }
    const to = endOfValue(bytes, at, end, isStrict);
    if (to < 0) return { is: 'unfinished', isCutOff: to === cutOff };
    if (to === at) return { is: 'malformed' };
    if (key === 'kind' && bytes[at] === quote) kind = plainKind(bytes.toString('latin1', at, to));
    at = to;
  }
}

/** Longer than any key that is looked for. */
const longestKey = 16;

async function cutList(
  window: Window,
  cuts: Cuts,
  options: CutOptions,
  isStrict: boolean,
  { from, kind }: { readonly from: number; readonly kind: string | undefined },
): Promise<JsonEnd> {
  const isArray = window.bytes[window.start] === openBracket;
  const head = isArray ? '' : window.bytes.toString('utf8', window.start, from);
  const list: ListText = { format: 'json', isArray, head, line: window.line, kind };
  window.dropTo(from);
  cuts.beginList(list);
  let mayGuess = true;
  for (let count = 0; ; count++) {
    const commas = await skipToElement(window);
    if (window.length > 0 && window.bytes[window.start] === closeBracket) break;
    if (commas !== Math.min(count, 1)) {
      cuts.problem(window.line, 'the items of the list are not separated by one comma each');
    }
    let to = mayGuess ? guessedEnd(window) : noGuess;
    let reception: Reception = 'recut';
    if (to >= 0) reception = cuts.item(pieceUpTo(window, to, true), window.line);
    if (reception === 'recut') {
      const guessed = to;
      to = endOfValue(window.bytes, window.start, window.end, isStrict);
      if (to >= 0 && to !== guessed && guessed !== noGuess) mayGuess = false;
      while (to === unfinished && !window.ended && window.length < options.pieceLimit) {
        await window.grow();
        to = endOfValue(window.bytes, window.start, window.end, isStrict);
      }
      if (to <= window.start) {
        const { line } = window;
        await cuts.endList(list, undefined, line);
        return lose(window, cuts, options, line, to < 0);
      }
      reception = cuts.item(pieceUpTo(window, to, false), window.line);
    }
    if (reception instanceof Promise) await reception;
    window.dropTo(to);
  }
  return isArray ? endArray(window, cuts, list) : endObject(window, cuts, options, list, isStrict);
}

function pieceUpTo(window: Window, to: number, isGuess: boolean): Piece {
  return { format: 'json', bytes: window.bytes.subarray(window.start, to), line: window.line, isGuess };
}

/** Drops white space and commas before the next item; how many commas that were. */
async function skipToElement(window: Window): Promise<number> {
  let commas = 0;
  for (;;) {
    const { bytes, end } = window;
    let at = window.start;
    for (; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte === comma) commas++;
      else if (byte > 0x20) break;
    }
    window.dropTo(at);
    if (at < end || window.ended) return commas;
    await window.grow();
  }
}

/** Nothing tells how the item is laid out. */
const noGuess = -3;

/**
 * Where the item ends if it is printed as kubectl does: its closing brace stands on a line of its own, indented like the line on which
 * it begins. A string cannot hold a line break, so the brace is none of a string; whether it is that of the item, only parsing tells.
 */
function guessedEnd({ bytes, start, end }: Window): number {
  if (bytes[start] !== openBrace || bytes[start + 1] !== lineFeed) return noGuess;
  let lineStart = start;
  while (lineStart > 0 && bytes[lineStart - 1] === space) lineStart--;
  if (lineStart === 0 || bytes[lineStart - 1] !== lineFeed) return noGuess;
  const indent = start - lineStart;
  for (let at = bytes.indexOf(closeBrace, start); at >= 0 && at < end; at = bytes.indexOf(closeBrace, at + 1)) {
    if (bytes[at - indent - 1] !== lineFeed) continue;
    let i = at - indent;
    while (i < at && bytes[i] === space) i++;
    if (i === at) return at + 1;
  }
  return unfinished;
}

async function endArray(window: Window, cuts: Cuts, list: ListText): Promise<JsonEnd> {
  window.dropTo(window.start + 1);
  await cuts.endList(list, '', window.line);
  return 'complete';
}

/** The members after the items. */
async function endObject(
  window: Window,
  cuts: Cuts,
  options: CutOptions,
  list: ListText,
  isStrict: boolean,
): Promise<JsonEnd> {
  let walk = walkMembers(window.bytes, window.start + 1, window.end, isStrict, false);
  while (walk.is === 'unfinished' && !walk.isCutOff && !window.ended && window.length < options.pieceLimit) {
    await window.grow();
    walk = walkMembers(window.bytes, window.start + 1, window.end, isStrict, false);
  }
  if (walk.is !== 'end') {
    await cuts.endList(list, undefined, window.line);
    return lose(window, cuts, options, window.line, walk.is === 'unfinished');
  }
  if (walk.hasItems) cuts.problem(window.line, 'duplicated mapping key "items": only the first list is used');
  await cuts.endList(list, window.bytes.toString('utf8', window.start, walk.to), window.line);
  window.dropTo(walk.to);
  return 'complete';
}

function lose(window: Window, cuts: Cuts, { pieceLimit }: CutOptions, line: number, isCutOff = true): JsonEnd {
  const isTooLong = isCutOff && !window.ended && window.length >= pieceLimit;
  const broken = isCutOff ? 'the JSON text is cut off inside this object' : 'unexpected character: passed over';
  cuts.problem(line, isTooLong ? tooLongReason(pieceLimit) : broken);
  return 'lost';
}

function afterSpace(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && (bytes[at] as number) <= 0x20) at++;
  return at;
}

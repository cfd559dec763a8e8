import { type CutOptions, type Cuts, type ListText, tooLongReason } from './cuts.ts';
import { cutOff, endOfString, endOfValue } from './json-scan.ts';
import { plainKind } from './look.ts';
import type { Window } from './window.ts';

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const closeBrace = 0x7d;

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
  let isGuessing = true;
  let isSeparated = true;
  for (let count = 0; ; ) {
    let element = nextElement(window, isStrict, isGuessing);
    while (element.is === 'unfinished') {
      if (window.ended || element.isCutOff || window.length >= options.pieceLimit) {
        const line = window.line + window.linesBefore(element.at);
        await cuts.endList(list, undefined, window.line);
        return lose(window, cuts, options, line);
      }
      await window.grow();
      element = nextElement(window, isStrict, isGuessing);
    }
    const { at, to, commas } = element;
    window.dropTo(at);
    if (element.is === 'end') break;
    if (commas !== (isFirst ? 0 : 1))
      cuts.problem(window.line, 'the items of the list are not separated by one comma each');
    if (to === at) {
      await cuts.endList(list, undefined, window.line);
      cuts.problem(window.line, 'unexpected character in a list: the rest of the document is passed over');
      return 'lost';
    }
    const reception = cuts.item(pieceOf(window, to, element.isGuess), window.line);
    if (reception === 'recut') {
      isGuessing = false;
      continue;
    }
    if (reception !== undefined) await reception;
    isGuessing = true;
    count++;
    window.dropTo(window.start + to - at);
  }
  return isArray ? endArray(window, cuts, list) : endObject(window, cuts, options, list, isStrict);
}

type Element =
  | { readonly is: 'element' | 'end'; readonly at: number; readonly to: number; readonly commas: number }
  | { readonly is: 'unfinished'; readonly at: number; readonly isCutOff: boolean };

function nextElement({ bytes, start, end }: Window, isStrict: boolean): Element {
  let commas = 0;
  let at = afterSpace(bytes, start, end);
  while (at < end && bytes[at] === comma) {
    commas++;
    at = afterSpace(bytes, at + 1, end);
  }
  if (at >= end) return { is: 'unfinished', at, isCutOff: false };
  if (bytes[at] === closeBracket) return { is: 'end', at, to: at, commas };
  const to = endOfValue(bytes, at, end, isStrict);
  if (to < 0) return { is: 'unfinished', at, isCutOff: to === cutOff };
  return { is: 'element', at, to, commas };
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
    return lose(window, cuts, options, window.line);
  }
  if (walk.hasItems) cuts.problem(window.line, 'duplicated mapping key "items": only the first list is used');
  await cuts.endList(list, window.bytes.toString('utf8', window.start, walk.to), window.line);
  window.dropTo(walk.to);
  return 'complete';
}

function lose(window: Window, cuts: Cuts, { pieceLimit }: CutOptions, line: number): JsonEnd {
  const isTooLong = !window.ended && window.length >= pieceLimit;
  cuts.problem(line, isTooLong ? tooLongReason(pieceLimit) : 'the JSON text is cut off inside this object');
  return 'lost';
}

function afterSpace(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && (bytes[at] as number) <= 0x20) at++;
  return at;
}

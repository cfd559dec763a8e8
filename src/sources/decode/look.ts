import { endOfString, endOfValue } from './json-scan.ts';

// Finds the kind of a piece without parsing it, so that what is not wanted (Secrets first of all) is never parsed. Undefined means
// "not found in its plain spelling": then only parsing tells. Of a Secret, name and namespace are found in the same way: no other
// part of it is ever looked at.

const lineFeed = 0x0a;
const space = 0x20;
const dash = 0x2d;
const quote = 0x22;
const colon = 0x3a;
const comma = 0x2c;
const openBrace = 0x7b;

/** The kind that a value of the key `kind` spells plainly: a bare or quoted word, a comment after it. */
export function plainKind(value: string): string | undefined {
  const match = /^[ \t]*(?:"([A-Za-z]\w*)"|'([A-Za-z]\w*)'|([A-Za-z]\w*))[ \t]*(?:[ \t]#.*)?\r?$/.exec(value);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

/** The kind of an item of a block sequence, its dash included. */
export function kindOfYamlItem(bytes: Buffer): string | undefined {
  let at = 0;
  while (bytes[at] === space) at++;
  if (bytes[at] !== dash) return undefined;
  at++;
  while (bytes[at] === space) at++;
  return kindAmongKeys(bytes, at, at);
}

/** The kind of a block mapping in the first column; for a watch event, that of its object. */
export function kindOfYamlDocument(bytes: Buffer): string | undefined {
  const kind = kindAmongKeys(bytes, 0, 0);
  if (kind !== undefined) return kind;
  const object = keyLine(bytes, 0, 0, 'object:');
  if (object < 0) return undefined;
  const first = bytes.indexOf(lineFeed, object) + 1;
  if (first === 0) return undefined;
  let at = first;
  while (bytes[at] === space) at++;
  return at === first ? undefined : kindAmongKeys(bytes, at, at - first);
}

/** The value of `kind` among the keys that stand at the column; the first of them is at the position. */
function kindAmongKeys(bytes: Buffer, first: number, column: number): string | undefined {
  const at = keyLine(bytes, first, column, 'kind:');
  if (at < 0) return undefined;
  const feed = bytes.indexOf(lineFeed, at);
  return plainKind(bytes.toString('latin1', at + 'kind:'.length, feed < 0 ? bytes.length : feed));
}

/** Where the key stands, -1 if nowhere. */
function keyLine(bytes: Buffer, first: number, column: number, key: string): number {
  if (isAt(bytes, first, key)) return first;
  for (let feed = bytes.indexOf(lineFeed, first); feed >= 0; feed = bytes.indexOf(lineFeed, feed + 1)) {
    let at = feed + 1;
    while (bytes[at] === space) at++;
    const indent = at - feed - 1;
    if (indent === column && isAt(bytes, at, key)) return at;
    // Left the mapping: what follows has another meaning.
    if (indent < column && at < bytes.length && bytes[at] !== lineFeed) return -1;
    feed = at - 1;
  }
  return -1;
}

function isAt(bytes: Buffer, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** The kind of a JSON object; for a watch event, that of its object. */
export function kindOfJson(bytes: Buffer): string | undefined {
  return kindOfObject(bytes, 0, 'object');
}

function kindOfObject(bytes: Buffer, start: number, nested: string | undefined): string | undefined {
  let at = afterSpace(bytes, start);
  if (bytes[at] !== openBrace) return undefined;
  at++;
  let object = -1;
  for (;;) {
    at = afterSpace(bytes, at);
    if (bytes[at] === comma) at = afterSpace(bytes, at + 1);
    if (bytes[at] !== quote) break;
    const end = endOfString(bytes, at, bytes.length);
    if (end < 0) return undefined;
    const isKind = end - at === 6 && isAt(bytes, at, '"kind"');
    if (nested !== undefined && end - at === nested.length + 2 && isAt(bytes, at + 1, nested)) object = end;
    at = afterSpace(bytes, end);
    if (bytes[at] !== colon) return undefined;
    at = afterSpace(bytes, at + 1);
    const after = endOfValue(bytes, at, bytes.length);
    if (after < 0) return undefined;
    if (isKind) return bytes[at] === quote ? plainKind(bytes.toString('latin1', at, after)) : undefined;
    if (object === end) object = at;
    at = after;
  }
  return object < 0 ? undefined : kindOfObject(bytes, object, undefined);
}

function afterSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] as number) <= space) at++;
  return at;
}

/** What tells a Secret from another. */
export interface SecretName {
  readonly name: string;
  readonly namespace: string;
}

/** Name and namespace of a JSON object, if both are spelt plainly. */
export function secretNameOfJson(bytes: Buffer): SecretName | undefined {
  const metadata = valueBytesOf(bytes, afterSpace(bytes, 0), 'metadata');
  if (metadata < 0) return undefined;
  const text = (key: string) => {
    const at = valueBytesOf(bytes, metadata, key);
    const end = at < 0 || bytes[at] !== quote ? -1 : endOfString(bytes, at, bytes.length);
    return end < 0 ? undefined : plainName(bytes.toString('latin1', at, end));
  };
  return asSecretName(text('name'), text('namespace'));
}

/** Name and namespace of an item of a block sequence, if both are spelt plainly. */
export function secretNameOfYamlItem(bytes: Buffer): SecretName | undefined {
  let at = 0;
  while (bytes[at] === space) at++;
  if (bytes[at] !== dash) return undefined;
  at++;
  while (bytes[at] === space) at++;
  return secretNameAmongKeys(bytes, at, at);
}

/** Name and namespace of a block mapping in the first column, if both are spelt plainly. */
export function secretNameOfYamlDocument(bytes: Buffer): SecretName | undefined {
  return secretNameAmongKeys(bytes, 0, 0);
}

function secretNameAmongKeys(bytes: Buffer, first: number, column: number): SecretName | undefined {
  const metadata = keyLine(bytes, first, column, 'metadata:');
  const feed = metadata < 0 ? -1 : bytes.indexOf(lineFeed, metadata);
  if (feed < 0 || bytes.toString('latin1', metadata + 'metadata:'.length, feed).trim() !== '') return undefined;
  let at = feed + 1;
  while (bytes[at] === space) at++;
  const indent = at - feed - 1;
  if (indent <= column) return undefined;
  const text = (key: string) => {
    const line = keyLine(bytes, at, indent, `${key}:`);
    if (line < 0) return undefined;
    const end = bytes.indexOf(lineFeed, line);
    return plainName(bytes.toString('latin1', line + key.length + 1, end < 0 ? bytes.length : end));
  };
  return asSecretName(text('name'), text('namespace'));
}

function asSecretName(name: string | undefined, namespace: string | undefined): SecretName | undefined {
  return name === undefined || namespace === undefined ? undefined : { name, namespace };
}

/** A name as the API server admits it, bare or in quotes. */
function plainName(value: string): string | undefined {
  const match = /^[ \t]*(["']?)([a-z0-9](?:[-a-z0-9.]*[a-z0-9])?)\1[ \t]*(?:[ \t]#.*)?\r?$/.exec(value);
  return match?.[2];
}

/** Where the value of a key begins in the JSON object at the position; -1 if it is no object or has no such key. */
function valueBytesOf(bytes: Buffer, object: number, key: string): number {
  if (bytes[object] !== openBrace) return -1;
  let at = object + 1;
  for (;;) {
    at = afterSpace(bytes, at);
    if (bytes[at] === comma) at = afterSpace(bytes, at + 1);
    if (bytes[at] !== quote) return -1;
    const end = endOfString(bytes, at, bytes.length);
    if (end < 0) return -1;
    const isKey = end - at === key.length + 2 && isAt(bytes, at + 1, key);
    at = afterSpace(bytes, end);
    if (bytes[at] !== colon) return -1;
    at = afterSpace(bytes, at + 1);
    if (isKey) return at;
    at = endOfValue(bytes, at, bytes.length);
    if (at < 0) return -1;
  }
}

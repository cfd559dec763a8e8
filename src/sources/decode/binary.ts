import { captureCommand } from './display-text.ts';

const archiveMarks: readonly (readonly [offset: number, bytes: readonly number[]])[] = [
  [0, [0x1f, 0x8b]],
  [0, [0x50, 0x4b, 0x03, 0x04]],
  [0, [0x28, 0xb5, 0x2f, 0xfd]],
  [0, [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  [0, [0x42, 0x5a, 0x68]],
  [257, [0x75, 0x73, 0x74, 0x61, 0x72]],
];
/** bbolt's magic number, 0xED0CDAED, in its first page. */
const bboltMark = [0xed, 0xda, 0x0c, 0xed];
const bboltOffset = 16;
const sqliteMark = [...'SQLite format 3'].map((character) => character.charCodeAt(0));

/** How far to look for a zero byte, which no text holds. */
const lookAhead = 4096;

/** Why bytes that are no text cannot be used, and what to do; undefined for text. Specification dump-formats 4.18, 6. */
export function binaryReason(bytes: Uint8Array): string | undefined {
  if (isAt(bytes, bboltOffset, bboltMark)) {
    return 'this is an etcd snapshot: turn it into YAML first, with "koff use snap.db" and "koff get pv,pvc,sc,node,pod,event -A -o yaml"';
  }
  if (isAt(bytes, 0, sqliteMark)) return `this is an SQLite database; take a dump instead: ${captureCommand}`;
  if (archiveMarks.some(([offset, mark]) => isAt(bytes, offset, mark))) return 'this is an archive: unpack it first';
  if (bytes.subarray(0, lookAhead).includes(0))
    return `this is neither YAML nor JSON; take a dump with: ${captureCommand}`;
  return undefined;
}

function isAt(bytes: Uint8Array, offset: number, mark: readonly number[]): boolean {
  return mark.every((byte, i) => bytes[offset + i] === byte);
}

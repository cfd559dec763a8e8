import type { LoadedObject } from '../../src/snapshot/loaded.ts';
import type { LoadIssue } from '../../src/snapshot/snapshot.ts';
import { decode } from '../../src/sources/decode/decode.ts';
import { kindOfPath } from '../../src/sources/decode/kind-names.ts';
import { ObjectReader } from '../../src/sources/decode/object-reader.ts';
import { Strings } from '../../src/sources/decode/strings.ts';
import { IssueLog } from '../../src/sources/issue-log.ts';

export interface ReadOptions {
  readonly file?: string;
  /** Bytes at a time; 64 makes the window end everywhere. */
  readonly windowSize?: number;
  readonly pieceLimit?: number;
  readonly deferralLimit?: number;
}

export interface Read {
  readonly objects: readonly LoadedObject[];
  readonly issues: readonly LoadIssue[];
  readonly reader: ObjectReader;
}

/** Reads a text, or bytes, as a file of that name. */
export async function readText(text: string | Uint8Array, options: ReadOptions = {}): Promise<Read> {
  const { file = 'cluster.yaml', windowSize = 4 * 1024 * 1024, pieceLimit = 64 * 1024 * 1024, deferralLimit } = options;
  const issues = new IssueLog();
  issues.beginFile(file);
  const reader = new ObjectReader({
    file,
    issues,
    strings: new Strings(),
    itemKind: kindOfPath(file),
    ...(deferralLimit !== undefined && { deferralLimit }),
  });
  await decode({ name: file, read: () => chunksOf(Buffer.from(text), windowSize) }, reader, { windowSize, pieceLimit });
  issues.endFile();
  return { objects: reader.objects, issues: issues.issues, reader };
}

/** Hands out the same memory again and again, as reading a file does. */
async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(size);
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    chunk.fill(0xff);
    chunk.set(part);
    yield chunk.subarray(0, part.length);
  }
}

/** "PersistentVolume archive-01 at 1:3": what was found, in which document, on which line. */
export function placed({ objects }: Read): string[] {
  return objects.map(({ kind, object: { metadata }, provenance: { document, line } }) => {
    const name = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
    return `${kind} ${name} at ${document}:${line}`;
  });
}

/** "error 1:3 reason". */
export function told({ issues }: Read): string[] {
  return issues.map(({ severity, document, line, reason }) => `${severity} ${document}:${line} ${reason}`);
}

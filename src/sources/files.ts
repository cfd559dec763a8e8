import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { isNamespaced } from '../snapshot/kinds.ts';
import type { Loaded, LoadedObject, LoadedSource, StatedCoverage } from '../snapshot/loaded.ts';
import { statementsOf } from '../snapshot/record.ts';
import { laterTimestamp } from '../snapshot/timestamp.ts';
import { decode } from './decode/decode.ts';
import { captureCommand } from './decode/display-text.ts';
import type { Input } from './decode/input.ts';
import { kindOfPath } from './decode/kind-names.ts';
import { ObjectReader } from './decode/object-reader.ts';
import { Strings } from './decode/strings.ts';
import { InputError } from './input-error.ts';
import { IssueLog } from './issue-log.ts';

export interface LoadOptions {
  /** Folders are descended into. */
  readonly recursive?: boolean;
  /** What "-" reads. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Bytes read so far, and of how many, as far as that is known. */
  readonly onProgress?: (bytesRead: number, totalBytes?: number) => void;
}

/** How many bytes are read from a file at a time. */
const chunkSize = 1024 * 1024;
/** A file in a folder that is longer is only read if its name promises objects that are wanted. */
const sizeLimit = 1024 * 1024 * 1024;

/**
 * Reads files, folders and standard input ("-") into objects. What cannot be used among much that can is an issue; throws InputError
 * where nothing sensible can follow: a path that is not there, an input that is empty, or display text, or without a single object.
 */
export async function loadFiles(paths: readonly string[], options: LoadOptions = {}): Promise<Loaded> {
  if (paths.filter((path) => path === '-').length > 1) {
    throw new InputError('standard input ("-") can be read only once');
  }
  const inputs: FoundInputs[] = [];
  for (const path of paths) inputs.push(await findInputs(path, options));
  const reading: Reading = {
    issues: new IssueLog(),
    strings: new Strings(),
    progress: progressOf(inputs, options.onProgress),
  };
  const sources: LoadedSource[] = [];
  for (const found of inputs) sources.push(await load(found, reading));
  reading.issues.endFile();
  return { sources, issues: reading.issues.issues };
}

/** What a path of the user leads to. */
interface FoundInputs {
  readonly path: string;
  readonly isFolder: boolean;
  readonly inputs: readonly FileInput[];
  /** Files in the folder that are passed over, and why. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

/** An input and how long it is, where that is known. */
interface FileInput extends Input {
  readonly size?: number;
}

interface Reading {
  readonly issues: IssueLog;
  readonly strings: Strings;
  readonly progress: (bytes: number) => void;
}

async function load({ path, isFolder, inputs, skipped }: FoundInputs, reading: Reading): Promise<LoadedSource> {
  const { issues } = reading;
  const objects: LoadedObject[] = [];
  const coverage: StatedCoverage[] = [];
  let newestTimestamp: string | undefined;
  let record: LoadedSource['record'];
  const readers: ObjectReader[] = [];
  for (const input of inputs) {
    issues.beginFile(input.name);
    const reader = await read(input, isFolder, reading);
    if (reader === undefined) continue;
    readers.push(reader);
    for (const object of reader.objects) objects.push(object);
    for (const kind of reader.emptyKinds) {
      // A list of a namespaced kind may be that of one namespace.
      coverage.push({ kind, scope: isNamespaced(kind) ? 'unknown' : 'cluster', coverage: { is: 'empty' } });
    }
    newestTimestamp = laterTimestamp(newestTimestamp, reader.newestTimestamp);
    if (reader.record === undefined) continue;
    coverage.push(...statementsOf(reader.record));
    if (inputs.length === 1) record = reader.record;
  }
  for (const { name, reason } of skipped) {
    issues.beginFile(name);
    issues.add({ severity: 'warning', reason });
  }
  if (!readers.some(isUsable)) throw new InputError(uselessness(path, readers, issues));
  return {
    name: path,
    objects,
    coverage,
    ...(newestTimestamp !== undefined && { newestTimestamp }),
    ...(record !== undefined && { record }),
  };
}

/** Undefined for a file of a folder that cannot be read, which is told. Throws InputError for one that the user named. */
async function read(input: FileInput, isInFolder: boolean, reading: Reading): Promise<ObjectReader | undefined> {
  const { issues, strings, progress } = reading;
  const reader = new ObjectReader({ file: input.name, issues, strings, itemKind: kindOfPath(input.name) });
  let bytes = 0;
  const counted: Input = {
    name: input.name,
    async *read() {
      for await (const chunk of input.read()) {
        bytes += chunk.length;
        progress(chunk.length);
        yield chunk;
      }
    },
  };
  try {
    await decode(counted, reader);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (!isInFolder) throw new InputError(`reading ${nameOf(input.name)}: ${systemReason(error)}`, { cause: error });
    issues.add({ severity: 'error', reason: systemReason(error) });
    return undefined;
  }
  if (bytes > 0) return reader;
  if (!isInFolder) {
    throw new InputError(
      `${nameOf(input.name)} is empty; if kubectl wrote it, the command failed; take a dump with: ${captureCommand}`,
    );
  }
  issues.add({ severity: 'warning', reason: 'the file is empty' });
  return undefined;
}

/** Objects were found, or a list that says that there are none. */
function isUsable(reader: ObjectReader): boolean {
  if (reader.objects.some(({ kind }) => kind !== 'Secret') || reader.emptyKinds.size > 0) return true;
  return reader.hasLists && reader.unwantedKinds.size === 0 && !reader.hasProblems;
}

/** One sentence on why nothing in the path is of use, and what to run instead. Specification dump-formats 6. */
function uselessness(path: string, readers: readonly ObjectReader[], issues: IssueLog): string {
  const name = nameOf(path);
  const refusal = readers.map((reader) => reader.refusal).find((reason) => reason !== undefined);
  if (refusal !== undefined) return `${name}: ${refusal}`;
  const kinds = [...new Set(readers.flatMap((reader) => [...reader.unwantedKinds]))].sort();
  if (kinds.length > 0 && kinds.every((kind) => kind === 'Secret')) {
    return `${name} holds Secrets only: there is nothing to analyse, Secrets are never read; take a dump with: ${captureCommand}`;
  }
  const error = issues.issues.find(({ severity }) => severity === 'error');
  const cause = error === undefined ? '' : ` (${placeOf(error)}: ${error.reason})`;
  const others = kinds.length === 0 ? '' : `, only ${listed(kinds)}`;
  return `${name} holds no object that matters here${others}${cause}; take a dump with: ${captureCommand}`;
}

const mostListed = 5;

function listed(kinds: readonly string[]): string {
  const shown = kinds.slice(0, mostListed).join(', ');
  return kinds.length > mostListed ? `${shown} and ${kinds.length - mostListed} more kinds` : shown;
}

function placeOf({ file, document, line }: { file: string; document?: number; line?: number }): string {
  return [file, document, line].filter((part) => part !== undefined).join(':');
}

async function findInputs(path: string, { recursive, stdin }: LoadOptions): Promise<FoundInputs> {
  if (path === '-') {
    if (stdin === undefined) throw new InputError('there is no standard input to read');
    return { path, isFolder: false, inputs: [{ name: '-', read: () => stdin }], skipped: [] };
  }
  try {
    const found = await stat(path);
    if (found.isDirectory()) return await findInFolder(path, recursive === true);
    return { path, isFolder: false, inputs: [fileInput(path, found.isFile() ? found.size : undefined)], skipped: [] };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const advice = error.code === 'ENOENT' ? `; take a dump with: ${captureCommand}` : '';
    throw new InputError(`reading ${nameOf(path)}: ${systemReason(error)}${advice}`, { cause: error });
  }
}

async function findInFolder(path: string, recursive: boolean): Promise<FoundInputs> {
  const inputs: FileInput[] = [];
  const skipped: { name: string; reason: string }[] = [];
  let hasFolders = false;
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const name = join(folder, entry.name);
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) {
        hasFolders = true;
        if (recursive) await visitOrSkip(name);
      } else if (isReadInFolders(entry.name)) await add(name);
    }
  };
  const visitOrSkip = async (name: string): Promise<void> => {
    try {
      await visit(name);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      skipped.push({ name, reason: systemReason(error) });
    }
  };
  const add = async (name: string): Promise<void> => {
    try {
      // Of a link, that to which it points; one to a folder could lead in circles.
      const found = await stat(name);
      if (!found.isFile()) return;
      if (found.size <= sizeLimit || kindOfPath(name) !== undefined) inputs.push(fileInput(name, found.size));
      else
        skipped.push({
          name,
          reason: 'longer than 1 GiB and not named after a resource: passed over; name the file itself to read it',
        });
    } catch (error) {
      if (!isSystemError(error)) throw error;
      skipped.push({ name, reason: systemReason(error) });
    }
  };
  await visit(path);
  if (inputs.length === 0) {
    const advice =
      hasFolders && !recursive ? '; add -R to look into the folders in it' : `; take a dump with: ${captureCommand}`;
    throw new InputError(`${nameOf(path)} holds no file to read (.json, .yaml, .yml)${advice}`);
  }
  return { path, isFolder: true, inputs, skipped };
}

/** Files of a folder that may hold objects and are wanted. Specification dump-formats 1.4. */
function isReadInFolders(name: string): boolean {
  return /\.(?:json|ya?ml)$/i.test(name) && !/^secrets|-errors\.json$|\.log\./i.test(basename(name));
}

function fileInput(path: string, size: number | undefined): FileInput {
  // How long it is unpacked is not known. Archives of several files are no single text.
  if (/(?<!\.tar)\.gz$/i.test(path)) return { name: path, read: () => unpacked(path) };
  return { name: path, ...(size !== undefined && { size }), read: () => chunksOf(path) };
}

/** What `snapshot --to FILE.gz` wrote, or gzip. Throws InputError if it is damaged. */
async function* unpacked(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path).compose(createGunzip());
  } catch (error) {
    if (isSystemError(error)) throw error;
    throw new InputError(`reading ${nameOf(path)}: it is no complete gzip file: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Always the same memory: the next chunk overwrites the last. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  const file: FileHandle = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(chunkSize);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function progressOf(found: readonly FoundInputs[], onProgress: LoadOptions['onProgress']): (bytes: number) => void {
  if (onProgress === undefined) return () => {};
  const sizes = found.flatMap(({ inputs }) => inputs.map(({ size }) => size));
  const total = sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + (size as number), 0);
  let read = 0;
  return (bytes) => {
    read += bytes;
    if (total === undefined) onProgress(read);
    else onProgress(read, total);
  };
}

function nameOf(path: string): string {
  return path === '-' ? 'standard input' : JSON.stringify(path);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

const systemReasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'too many links',
  ENOTDIR: 'a part of the path is not a folder',
  ENAMETOOLONG: 'the name is too long',
};

function systemReason(error: NodeJS.ErrnoException): string {
  return systemReasons[error.code ?? ''] ?? error.message.toLowerCase();
}

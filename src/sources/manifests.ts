import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { KubernetesObject } from '../api/objects.ts';
import { isKind, isNamespaced, type Kind } from '../snapshot/kinds.ts';
import type { Provenance } from '../snapshot/snapshot.ts';
import { binaryReason } from './decode/binary.ts';
import { isMapping, type Mapping, shown } from './decode/classify.ts';
import { displayTextReason, helmRefusal } from './decode/display-text.ts';
import { ExpansionBudget } from './decode/expansion-budget.ts';
import { isServedBy, itemKindOf } from './decode/kind-names.ts';
import { ParseError } from './decode/parse-error.ts';
import { isNumber, kubectlReading, PlainScalar } from './decode/plain-scalar.ts';
import { InexactNumberError, type Remark, select } from './decode/select.ts';
import { Strings } from './decode/strings.ts';
import { asUtf8 } from './decode/text-encoding.ts';
import { type YamlReader, yamlReader } from './decode/yaml.ts';
import { InputError } from './input-error.ts';
import { buildKustomization } from './kustomize.ts';

export interface ManifestOptions {
  /** Folders are descended into. */
  readonly recursive?: boolean;
  /** What "-" reads. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** The program that builds kustomizations. */
  readonly kubectl?: string;
}

/** An object of a manifest. */
export interface ReadManifest {
  readonly kind: Kind | 'ReplicationController';
  /** The fields that count, of the right types. */
  readonly object: KubernetesObject;
  /** As kubectl would send it: numbers and booleans are what YAML 1.1 makes of them. */
  readonly raw: unknown;
  readonly at: Provenance;
  readonly renderedFrom?: string;
  readonly text: string;
  readonly textLine: number;
  readonly root: readonly (string | number)[];
  /** What in the object has not the type that its kind wants. */
  readonly remarks: readonly Remark[];
}

/** What was found in the manifests. */
export interface ReadManifests {
  readonly manifests: readonly ReadManifest[];
  /** Documents that kubectl could not read either. */
  readonly unreadable: readonly ManifestProblem[];
  /** Files that hold no Kubernetes object, and documents that are none. */
  readonly passedOver: readonly ManifestProblem[];
  /** Objects that are not Kubernetes' own. */
  readonly custom: readonly { readonly kind: string; readonly at: Provenance }[];
  readonly files: readonly string[];
}

export interface ManifestProblem {
  readonly at: Provenance;
  readonly reason: string;
}

/** A manifest is no dump: what is longer was not written by hand, nor rendered from what was. In bytes. */
const longestFile = 64 * 1024 * 1024;

/**
 * Reads manifests from files, folders, standard input ("-") and kustomizations, in the order given. What cannot be used is in the
 * result; throws InputError for a path that is not there, for a chart that was not rendered, and where nothing at all was found.
 */
export async function loadManifests(
  paths: readonly string[],
  kustomizations: readonly string[],
  options: ManifestOptions = {},
): Promise<ReadManifests> {
  if (paths.filter((path) => path === '-').length > 1) {
    throw new InputError('standard input ("-") can be read only once');
  }
  const yaml = await yamlReader();
  const read: ReadManifests[] = [];
  for (const path of paths) {
    for (const file of await filesOf(path, options)) {
      read.push(new FileReading(yaml, file.name).read(await file.text(), file.isNamed));
    }
  }
  for (const folder of kustomizations) {
    const { name, text, originsFrom } = await buildKustomization(folder, options.kubectl ?? 'kubectl');
    const found = new FileReading(yaml, name).read(text, true);
    const origins = new Origins(yaml, originsFrom);
    const manifests: ReadManifest[] = [];
    for (const manifest of found.manifests) manifests.push(await origins.placed(manifest));
    read.push({ ...found, manifests });
  }
  const all = <F extends keyof ReadManifests>(field: F) => read.flatMap((one) => one[field] as readonly never[]);
  return {
    manifests: all('manifests'),
    unreadable: all('unreadable'),
    passedOver: all('passedOver'),
    custom: all('custom'),
    files: all('files'),
  };
}

/** Finds in the files of a kustomization the objects that it changes. */
class Origins {
  readonly #yaml: YamlReader;
  readonly #from: string;
  readonly #files = new Map<string, readonly ReadManifest[]>();

  constructor(yaml: YamlReader, from: string) {
    this.#yaml = yaml;
    this.#from = from;
  }

  /** The manifest at the place that somebody wrote, if that can be told; else at the kustomization itself. */
  async placed(manifest: ReadManifest): Promise<ReadManifest> {
    const unknown = { ...manifest, at: { ...manifest.at, document: 1, line: 1 }, text: '', textLine: 1 };
    if (manifest.renderedFrom === undefined) return unknown;
    const file = relative('', resolve(this.#from, manifest.renderedFrom));
    const { kind, object } = manifest;
    // Prefixes and suffixes are put around the name that was written.
    const candidates = (await this.#manifestsIn(file)).filter(
      (one) => one.kind === kind && object.metadata.name.includes(one.object.metadata.name),
    );
    const exact = candidates.filter((one) => one.object.metadata.name === object.metadata.name);
    const [found] = exact.length > 0 ? exact : candidates;
    const renderedFrom = file;
    if (found === undefined) return { ...unknown, at: { file, document: 1, line: 1 }, renderedFrom };
    const { at, text, textLine, root } = found;
    return { ...manifest, at, text, textLine, root, renderedFrom };
  }

  async #manifestsIn(file: string): Promise<readonly ReadManifest[]> {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    let found: readonly ReadManifest[] = [];
    try {
      found = new FileReading(this.#yaml, file).read(await readFile(file, 'utf8'), false).manifests;
    } catch (error) {
      // A patch is no whole object, and a remote base no file: then the kustomization has to do.
      if (!(error instanceof InputError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    }
    this.#files.set(file, found);
    return found;
  }
}

interface ManifestFile {
  readonly name: string;
  /** Whether the user named the file itself. */
  readonly isNamed: boolean;
  readonly text: () => Promise<string>;
}

async function filesOf(path: string, { recursive, stdin }: ManifestOptions): Promise<readonly ManifestFile[]> {
  if (path === '-') {
    if (stdin === undefined) throw new InputError('there is no standard input to read');
    return [{ name: '-', isNamed: true, text: () => textOf('-', stdin) }];
  }
  const found = await statOf(path);
  if (!found.isDirectory()) return [{ name: path, isNamed: true, text: () => textOf(path, bytesOf(path)) }];
  const names = await filesIn(path, recursive === true);
  if (names.length === 0) {
    const advice = recursive === true ? '' : '; add -R to look into the folders in it';
    throw new InputError(`${JSON.stringify(path)} holds no manifest (.json, .yaml, .yml)${advice}`);
  }
  return names.map((name) => ({ name, isNamed: false, text: () => textOf(name, bytesOf(name)) }));
}

// kubernetes/cli-runtime pkg/resource/visitor.go, ExpandPathsToFileVisitors: .json, .yaml and .yml, by name
async function filesIn(folder: string, recursive: boolean): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const found: string[] = [];
  for (const entry of entries) {
    const name = join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) {
      if (recursive) found.push(...(await filesIn(name, true)));
    } else if (/\.(?:json|ya?ml)$/i.test(entry.name)) found.push(name);
  }
  return found;
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  yield await readFile(path);
}

async function statOf(path: string): Promise<Awaited<ReturnType<typeof stat>>> {
  try {
    return await stat(path);
  } catch (error) {
    throw unreadableFile(path, error);
  }
}

async function textOf(name: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of asUtf8(chunks)) {
      bytes += chunk.length;
      if (bytes > longestFile) throw new InputError(`${nameOf(name)} is longer than 64 MiB: no manifest is`);
      parts.push(Buffer.from(chunk));
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw unreadableFile(name, error);
  }
  const whole = Buffer.concat(parts);
  const reason = binaryReason(whole);
  if (reason !== undefined) throw new InputError(`${nameOf(name)}: ${reason.replace(/[;:] take a dump.*$/, '')}`);
  return whole.toString('utf8');
}

function unreadableFile(name: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const reason = code === 'ENOENT' ? 'no such file or folder' : message.toLowerCase();
  return new InputError(`reading ${nameOf(name)}: ${reason}`, { cause: error });
}

const nameOf = (path: string): string => (path === '-' ? 'standard input' : JSON.stringify(path));

/** One document of a file. */
interface TextDocument {
  readonly text: string;
  readonly number: number;
  /** From 1. */
  readonly line: number;
}

/** Reads the objects of one file. */
class FileReading {
  readonly #yaml: YamlReader;
  readonly #file: string;
  readonly #strings = new Strings();
  readonly #manifests: ReadManifest[] = [];
  readonly #unreadable: ManifestProblem[] = [];
  readonly #passedOver: ManifestProblem[] = [];
  readonly #custom: { kind: string; at: Provenance }[] = [];

  constructor(yaml: YamlReader, file: string) {
    this.#yaml = yaml;
    this.#file = file;
  }

  /** Throws InputError for a chart that was not rendered, and for display text that the user named. */
  read(text: string, isNamed: boolean): ReadManifests {
    const display = displayTextReason(text.slice(0, text.search(/\n|$/)));
    if (display !== undefined && isNamed) throw new InputError(`${nameOf(this.#file)}: ${display}`);
    for (const document of documentsOf(text)) {
      const at: Provenance = { file: this.#file, document: document.number, line: document.line };
      // helm template writes the chart's file above each document.
      const renderedFrom = /^# Source: (\S.*)$/m.exec(document.text)?.[1]?.trim();
      this.#document(document, at, renderedFrom);
    }
    return {
      manifests: this.#manifests,
      unreadable: this.#unreadable,
      passedOver: this.#passedOver,
      custom: this.#custom,
      files: [this.#file],
    };
  }

  #document(document: TextDocument, at: Provenance, renderedFrom: string | undefined): void {
    try {
      const { value, lineOf } = this.#yaml.parseWithLines(document.text);
      if (value === undefined || value === null) return;
      const budget = new ExpansionBudget(document.text.length);
      const lineOfObject = (object: object) => document.line + (lineOf.get(object) ?? 0);
      this.#value(value, [], { document, at, renderedFrom, budget, lineOfObject, fallbackKind: undefined });
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      const place = { ...at, line: document.line + error.lines };
      if (holdsTemplate(document.text)) throw unrendered(document, at);
      this.#unreadable.push({ at: place, reason: shown(error.message) });
    }
  }

  #value(value: unknown, root: ReadManifest['root'], around: Around): void {
    around.budget.spend();
    const at = isObject(value) ? { ...around.at, line: around.lineOfObject(value) } : around.at;
    if (!isMapping(value)) {
      this.#passedOver.push({ at, reason: 'not a Kubernetes object' });
      return;
    }
    const kind = typeof value.kind === 'string' ? value.kind : around.fallbackKind;
    if (Array.isArray(value.items) && (kind === undefined || kind.endsWith('List'))) {
      const fallbackKind = kind === undefined ? undefined : itemKindOf(kind);
      for (const [i, item] of value.items.entries())
        this.#value(item, [...root, 'items', i], { ...around, fallbackKind });
    } else if (kind === undefined) this.#passedOver.push({ at, reason: 'not a Kubernetes object: it has no kind' });
    else this.#object(kind, value, root, at, around);
  }

  #object(kind: string, value: Mapping, root: ReadManifest['root'], at: Provenance, around: Around): void {
    const apiVersion = typeof value.apiVersion === 'string' ? value.apiVersion : undefined;
    if (kind === 'Kustomization' && apiVersion?.startsWith('kustomize.config.k8s.io/') !== false) {
      this.#passedOver.push({ at, reason: 'a kustomization is built with -k' });
      return;
    }
    // A baseline or a report of this program lies beside the manifests.
    if (apiVersion?.startsWith('pvc-explain/')) return;
    if (!isOfKubernetes(apiVersion)) {
      this.#custom.push({ kind, at });
      return;
    }
    if (kind !== 'ReplicationController' && (!isKind(kind) || kind === 'Event')) return;
    if (apiVersion === undefined ? around.fallbackKind === undefined : !isServed(kind, apiVersion)) {
      const version = apiVersion === undefined ? '' : ` in version ${JSON.stringify(apiVersion)}`;
      const reason =
        apiVersion === undefined ? 'apiVersion not set' : `no matches for kind ${JSON.stringify(kind)}${version}`;
      this.#unreadable.push({ at, reason });
      return;
    }
    const named = withName(value);
    const { object, remarks } = this.#select(kind, named, around.budget);
    if (object === undefined) {
      if (holdsTemplate(around.document.text)) throw unrendered(around.document, at);
      const reason = remarks.map((remark) => remark.reason).join('; ');
      this.#unreadable.push({ at, reason: reason.replace(/^.*: left out: it has no name$/, `${kind} without a name`) });
      return;
    }
    // A template that was not rendered is YAML by accident.
    if (JSON.stringify([object, remarks]).includes('{{')) throw unrendered(around.document, at);
    const { text, line } = around.document;
    const origin = originOf(value);
    const renderedFrom = origin ?? around.renderedFrom;
    this.#manifests.push({
      kind,
      object,
      raw: asSent(named),
      at,
      ...(renderedFrom === undefined ? {} : { renderedFrom }),
      text,
      textLine: line,
      root,
      remarks,
    });
  }

  #select(kind: ReadManifest['kind'], value: Mapping, budget: ExpansionBudget) {
    // What makes pods from a template is read alike.
    const as = kind === 'ReplicationController' ? 'ReplicaSet' : kind;
    const options = { strings: this.#strings, budget, apiVersion: undefined };
    try {
      const { object, remarks } = select(as, value, options);
      return { object: object && { ...object, kind }, remarks };
    } catch (error) {
      if (!(error instanceof InexactNumberError)) throw error;
      return { object: undefined, remarks: [{ severity: 'error' as const, reason: `${kind}: a number is too long` }] };
    }
  }
}

/** The manifests in the namespace where kubectl would create those that name none, and in none where their kind has none. */
export function inNamespace(manifests: readonly ReadManifest[], namespace: string): readonly ReadManifest[] {
  return manifests.map((manifest) => {
    const { kind, object } = manifest;
    const { namespace: own, ...metadata } = object.metadata;
    const hasNone = kind !== 'ReplicationController' && !isNamespaced(kind);
    const placed = hasNone ? metadata : { ...metadata, namespace: own || namespace };
    return { ...manifest, object: { ...object, metadata: placed } };
  });
}

interface Around {
  readonly document: TextDocument;
  readonly at: Provenance;
  readonly renderedFrom: string | undefined;
  readonly budget: ExpansionBudget;
  readonly lineOfObject: (object: object) => number;
  /** The kind of items of a typed list. */
  readonly fallbackKind: string | undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Cuts at the lines that begin with three dashes. */
function documentsOf(text: string): readonly TextDocument[] {
  const documents: TextDocument[] = [];
  let line = 1;
  let number = 0;
  for (const part of text.split(/^(?=---(?:\s|$))/m)) {
    const content = part.replace(/^---[ \t]*(?:#.*)?\r?$/m, '');
    if (!/^[\s#]*$/.test(content.replace(/^\s*#.*$/gm, ''))) {
      number++;
      documents.push({ text: content, number, line });
    }
    line += part.split('\n').length - 1;
  }
  return documents;
}

/** Whether a text that cannot be read holds an action of a template, which tells why. */
const holdsTemplate = (text: string): boolean => /\{\{-?\s*(?:[.$(]|[a-z])/.test(text);

function unrendered({ text, line }: TextDocument, at: Provenance): InputError {
  const before = text.slice(0, text.indexOf('{{'));
  return new InputError(`${at.file}:${line + before.split('\n').length - 1}: ${helmRefusal}`);
}

/** Whether the releases that can be simulated serve the kind in that version: all of them in v1, new ones also before. */
function isServed(kind: ReadManifest['kind'], apiVersion: string): boolean {
  if (kind === 'ReplicationController') return apiVersion === 'v1';
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  return isServedBy(kind, apiVersion) && (version === 'v1' || kind === 'VolumeAttributesClass');
}

/** Groups that the API server itself serves. */
const ownGroups: ReadonlySet<string> = new Set([
  ...['', 'apps', 'autoscaling', 'batch', 'extensions', 'policy'],
  ...[
    'admissionregistration',
    'apiextensions',
    'apiregistration',
    'authentication',
    'authorization',
    'certificates',
    'coordination',
    'discovery',
    'events',
    'flowcontrol.apiserver',
    'internal.apiserver',
    'networking',
    'node',
    'rbac.authorization',
    'resource',
    'scheduling',
    'storage',
    'storagemigration',
  ].map((group) => `${group}.k8s.io`),
]);

function isOfKubernetes(apiVersion = ''): boolean {
  return ownGroups.has(apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '');
}

/** `kubectl create` lets the API server make up the end of a name. */
function withName(value: Mapping): Mapping {
  const { metadata } = value;
  if (!isMapping(metadata) || (metadata.name ?? '') !== '' || typeof metadata.generateName !== 'string') return value;
  if (metadata.generateName === '') return value;
  return { ...value, metadata: { ...metadata, name: `${metadata.generateName}xxxxx` } };
}

/** kustomize notes where an object comes from, if it is told to (buildMetadata: originAnnotations). */
function originOf({ metadata }: Mapping): string | undefined {
  const annotations = isMapping(metadata) && isMapping(metadata.annotations) ? metadata.annotations : {};
  const origin = annotations['config.kubernetes.io/origin'];
  if (typeof origin !== 'string' || /^repo:/m.test(origin)) return undefined;
  return /^path: (.+)$/m.exec(origin)?.[1]?.trim();
}

/** The JSON that kubectl makes of a parsed document. */
function asSent(value: unknown): unknown {
  if (value instanceof PlainScalar) {
    const text = kubectlReading(value) ?? value.text;
    if (text === 'true' || text === 'false') return text === 'true';
    return isNumber(value) && Number.isFinite(Number(text)) ? Number(text) : text;
  }
  if (Array.isArray(value)) return value.map(asSent);
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, asSent(part)]));
}

import type { KubernetesObject, PersistentVolumeClaim } from '../api/objects.ts';
import { withDefaultClass } from '../engine/admission/default-class.ts';
import { isNamespaced, type Kind, kinds } from '../snapshot/kinds.ts';
import { overlay } from '../snapshot/overlay.ts';
import { FieldPathError, setField } from '../snapshot/set-field.ts';
import { type Key, keyOf, type Snapshot } from '../snapshot/snapshot.ts';
import { asStored } from '../snapshot/stored.ts';
import { loadFiles } from '../sources/files.ts';
import { didYouMean, UsageError } from './errors.ts';
import type { Streams } from './streams.ts';

export interface WhatIfOptions {
  /** Manifests of objects to add or replace. */
  readonly with?: readonly string[];
  /** KIND/[NAMESPACE/]NAME of objects to remove. */
  readonly without?: readonly string[];
  /** KIND/[NAMESPACE/]NAME:path=value, fields to change. */
  readonly set?: readonly string[];
  readonly namespace?: string;
}

/** The cluster with what the options change in it. Throws UsageError, InputError. */
export async function whatIf(
  snapshot: Snapshot,
  options: WhatIfOptions,
  { stdin, stderr }: Streams,
): Promise<Snapshot> {
  const { with: files = [], without = [], set = [], namespace = 'default' } = options;
  let changed = overlay(snapshot, { remove: without.map((text) => find(text, namespace, snapshot)) });
  if (files.length > 0) {
    const { sources, issues } = await loadFiles(files, { stdin });
    for (const { file, line, reason } of issues)
      stderr.write(`error: ${[file, line].filter(Boolean).join(':')}: ${reason}\n`);
    const objects = sources.flatMap((source) => source.objects);
    changed = overlay(changed, { put: objects.map(({ kind, object }) => applied(kind, object, namespace, snapshot)) });
  }
  for (const text of set) changed = overlay(changed, { put: [edited(text, namespace, changed)] });
  return asStored(changed);
}

/** What the API server makes of a manifest: it changes the object that is there, or creates one. */
function applied(kind: Kind, manifest: KubernetesObject, namespace: string, snapshot: Snapshot): KubernetesObject {
  const object = isNamespaced(kind) && !manifest.metadata.namespace ? inNamespace(manifest, namespace) : manifest;
  const before = snapshot.get(kind, keyOf(object));
  if (before !== undefined) {
    const { uid, creationTimestamp } = before.metadata;
    return {
      ...before,
      ...object,
      metadata: {
        ...object.metadata,
        ...(uid === undefined ? {} : { uid }),
        ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      },
    };
  }
  if (kind !== 'PersistentVolumeClaim') return object;
  return withDefaultClass(object as PersistentVolumeClaim, snapshot.list('StorageClass'));
}

const inNamespace = (object: KubernetesObject, namespace: string): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, namespace },
});

function edited(text: string, namespace: string, snapshot: Snapshot): KubernetesObject {
  const [, where, path, value] = /^([^:=]+):((?:\\.|[^=\\])+)=(.*)$/s.exec(text) ?? [];
  if (where === undefined) {
    throw new UsageError(`--set ${JSON.stringify(text)}: not of the form KIND/[NAMESPACE/]NAME:path=value`);
  }
  const { kind, key } = find(where, namespace, snapshot);
  try {
    return setField(snapshot.get(kind, key) as KubernetesObject, path as string, value as string);
  } catch (error) {
    if (error instanceof FieldPathError) throw new UsageError(`--set ${JSON.stringify(text)}: ${error.message}`);
    throw error;
  }
}

/** KIND/[NAMESPACE/]NAME of an object that is there. */
function find(text: string, namespace: string, snapshot: Snapshot): { readonly kind: Kind; readonly key: Key } {
  const [type = '', ...parts] = text.split('/');
  const kind = kindNamed(type);
  if (kind === undefined || parts.length < 1 || parts.length > 2) {
    throw new UsageError(`${JSON.stringify(text)} is not of the form KIND/[NAMESPACE/]NAME, such as pvc/media/films`);
  }
  const key = isNamespaced(kind) && parts.length === 1 ? `${namespace}/${parts[0]}` : parts.join('/');
  if (snapshot.get(kind, key) !== undefined) return { kind, key };
  throw new UsageError(
    `${kind} ${JSON.stringify(key)} is not in the input${didYouMean(key, snapshot.list(kind).map(keyOf))}`,
  );
}

/** A kind by any name that kubectl knows it by: pv, persistentvolume, persistentvolumes, PersistentVolume. */
function kindNamed(text: string): Kind | undefined {
  const name = text.toLowerCase();
  return (Object.keys(kinds) as Kind[]).find((kind) => {
    const { resource, ...info } = kinds[kind];
    return name === resource || name === kind.toLowerCase() || ('short' in info && name === info.short);
  });
}

import * as known from '../api/annotations.ts';
import type { KubernetesObject, ObjectMeta } from '../api/objects.ts';
import { allKinds, type Kind, type KindInfo, kinds } from './kinds.ts';
import { recordOf, type SnapshotRecord } from './record.ts';
import type { Snapshot } from './snapshot.ts';

/** A snapshot as one List that can be read again. */
export interface SnapshotDocument {
  readonly apiVersion: 'v1';
  readonly kind: 'List';
  readonly metadata: { readonly pvcExplain: SnapshotRecord };
  readonly items: readonly KubernetesObject[];
}

/**
 * What was read of a cluster, for somebody else to explain: nothing that the program does not read, of annotations those that it
 * knows, of Secrets their names, of parameters and arguments no credentials. Sorted by kind and key, so that the same cluster gives the same
 * bytes. `namespaces`: those that were asked for.
 */
export function snapshotDocument(snapshot: Snapshot, namespaces: readonly string[]): SnapshotDocument {
  const written: readonly Kind[] = [...allKinds, 'Secret'].sort() as Kind[];
  return {
    apiVersion: 'v1',
    kind: 'List',
    metadata: { pvcExplain: recordOf(snapshot, namespaces) },
    items: written.flatMap((kind) =>
      (snapshot.list(kind) as readonly KubernetesObject[]).map((object) => shareable(kind, object)),
    ),
  };
}

function shareable(kind: Kind, object: KubernetesObject): KubernetesObject {
  const { group }: KindInfo = kinds[kind];
  const clean = redacted(object, callsItselfProvisioner(object)) as KubernetesObject;
  const parameters = (clean as { readonly parameters?: Parameters }).parameters;
  return {
    ...clean,
    ...(parameters === undefined ? {} : { parameters: withoutCredentials(parameters) }),
    apiVersion: object.apiVersion ?? (group === '' ? 'v1' : `${group}/v1`),
    kind,
  };
}

const knownAnnotations: ReadonlySet<string> = new Set([
  ...Object.entries(known).flatMap(([name, value]) => (name.startsWith('Ann') ? [value] : [])),
  // Read by the validation of volumes and by provisioners of snapshots.
  'volume.beta.kubernetes.io/mount-options',
  'snapshot.storage.kubernetes.io/allow-volume-mode-change',
]);

/** Of other workloads the program looks at no arguments. specification scheduler-and-provisioning 5.9 */
const callsItselfProvisioner = ({ metadata: { name }, ...rest }: KubernetesObject): boolean =>
  JSON.stringify([name, rest]).toLowerCase().includes('provisioner');

/** At any depth: templates of pods and claims have metadata, and of containers there are several. */
function redacted(value: unknown, withArguments: boolean): unknown {
  if (Array.isArray(value)) return value.map((element) => redacted(element, withArguments));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key === 'metadata') return [[key, knownMetadata(inner as ObjectMeta)]];
      if (key !== 'command' && key !== 'args') return [[key, redacted(inner, withArguments)]];
      return withArguments ? [[key, withoutSecretArguments(inner as readonly string[])]] : [];
    }),
  );
}

function knownMetadata({ annotations = {}, ...metadata }: ObjectMeta): ObjectMeta {
  const kept = Object.entries(annotations).filter(([name]) => knownAnnotations.has(name));
  return kept.length === 0 ? metadata : { ...metadata, annotations: Object.fromEntries(kept) };
}

/** `--token=x`, `--token x`, `TOKEN=x`. */
function withoutSecretArguments(words: readonly string[]): readonly string[] {
  return words.map((word, i) => {
    const [flag = '', ...value] = word.split('=');
    if (value.length > 0) return isCredential(flag) ? `${flag}=redacted` : word;
    const before = words[i - 1] ?? '';
    return before.startsWith('-') && !before.includes('=') && isCredential(before) ? 'redacted' : word;
  });
}

type Parameters = Readonly<Record<string, string>>;

/** Old drivers took credentials as parameters (glusterfs: restuserkey). The name of a Secret is none. */
function withoutCredentials(parameters: Parameters): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => [key, isCredential(key) ? 'redacted' : value]),
  );
}

const isCredential = (key: string): boolean =>
  /password|passwd|passphrase|token|credential|(?:user|secret|access|api|private)[-_]?key/i.test(key) &&
  !/name(?:space)?$/i.test(key);

import type { KubernetesObject } from '../../api/objects.ts';
import type { Kind } from '../../snapshot/kinds.ts';
import type { Loaded, LoadedObject, StatedCoverage } from '../../snapshot/loaded.ts';
import type { Key, LoadIssue } from '../../snapshot/snapshot.ts';
import type { Resource } from './resource-path.ts';

/** The namespaces whose objects were asked for. */
export type Scope = 'all' | readonly string[];

/** What one list gave: the objects of a kind in all namespaces or in one. */
export interface Part {
  readonly resource: Resource;
  /** Undefined: all namespaces, or a kind without namespaces. */
  readonly namespace?: string;
  readonly path: string;
  readonly objects: ReadonlyMap<Key, KubernetesObject>;
  readonly resourceVersion: string;
}

/** An object that was read by its name, of a kind that may not be listed. */
export interface Single {
  readonly kind: Kind;
  readonly path: string;
  readonly object: KubernetesObject;
}

/** A cluster as it was read. */
export interface Reading {
  readonly server: string;
  readonly parts: readonly Part[];
  readonly single: readonly Single[];
  readonly coverage: readonly StatedCoverage[];
  readonly issues: readonly LoadIssue[];
  /** As the server tells it: "v1.37.2". */
  readonly kubernetesVersion?: string;
  /** RFC 3339. */
  readonly takenAt: string;
}

/** What the file loader gives, and what only a server knows. */
export interface LiveLoaded extends Loaded {
  readonly kubernetesVersion?: string;
  /** RFC 3339. */
  readonly capturedAt: string;
}

/** A reading in the form in which dumps arrive, too. */
export function loadedOf({ server, parts, single, coverage, issues, kubernetesVersion, takenAt }: Reading): LiveLoaded {
  const listed = parts.flatMap(({ resource: { kind }, path, objects }) =>
    loadedObjects(kind, server + path, [...objects.values()]),
  );
  const read = single.flatMap(({ kind, path, object }) => loadedObjects(kind, server + path, [object]));
  return {
    sources: [{ name: server, objects: [...listed, ...read], coverage, newestTimestamp: takenAt }],
    issues,
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    capturedAt: takenAt,
  };
}

function loadedObjects(kind: Kind, file: string, objects: readonly KubernetesObject[]): readonly LoadedObject[] {
  return objects.map((object, i) => ({ kind, object, provenance: { file, document: i + 1, line: 1 }, told: 'listed' }));
}

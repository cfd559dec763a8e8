import type { KubernetesObject } from '../../api/objects.ts';
import { buildSnapshot } from '../../snapshot/build.ts';
import type { Kind } from '../../snapshot/kinds.ts';
import type { Loaded, LoadedObject, StatedCoverage } from '../../snapshot/loaded.ts';
import type { Coverage, Key, LoadIssue, Snapshot } from '../../snapshot/snapshot.ts';
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

/** The cluster at that moment. Unlike a dump's, a reading's coverage is exact: objects of a kind do not mean that they are all. */
export function snapshotOf(reading: Reading): Snapshot {
  const { coverage, kubernetesVersion, takenAt } = reading;
  const whole = new Map<Kind, Coverage>();
  const inNamespaces = new Map<string, Coverage>();
  for (const { kind, scope, coverage: found } of coverage) {
    if (typeof scope === 'string') whole.set(kind, found);
    else inNamespaces.set(`${kind} ${scope.namespace}`, found);
  }
  const snapshot = buildSnapshot(loadedOf(reading));
  return {
    ...snapshot,
    coverage(kind, namespace) {
      const stated = inNamespaces.get(`${kind} ${namespace}`) ?? whole.get(kind);
      if (stated?.is === 'notCollected') return stated;
      // A list that was empty may have been filled since, while it was watched.
      return { is: snapshot.coverage(kind, namespace).is === 'present' ? 'present' : 'empty' };
    },
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    capturedAt: takenAt,
  };
}

/** A reading in the form in which dumps arrive. */
function loadedOf({ server, parts, single, coverage, issues, takenAt }: Reading): Loaded {
  const listed = parts.flatMap(({ resource: { kind }, path, objects }) =>
    loadedObjects(kind, server + path, [...objects.values()]),
  );
  const read = single.flatMap(({ kind, path, object }) => loadedObjects(kind, server + path, [object]));
  return { sources: [{ name: server, objects: [...listed, ...read], coverage, newestTimestamp: takenAt }], issues };
}

function loadedObjects(kind: Kind, file: string, objects: readonly KubernetesObject[]): readonly LoadedObject[] {
  return objects.map((object, i) => ({ kind, object, provenance: { file, document: i + 1, line: 1 }, told: 'listed' }));
}

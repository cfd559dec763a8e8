import type { KubernetesObject } from '../api/objects.ts';
import type { Kind, KindOf } from './kinds.ts';
import { type Key, keyOf, type Snapshot } from './snapshot.ts';

/** What is other in a cluster than in the one that was read. */
export interface Changes {
  /** Objects that are added or take the place of those with the same key. */
  readonly put?: readonly KubernetesObject[];
  readonly remove?: readonly { readonly kind: Kind; readonly key: Key }[];
  /** Of these kinds only these objects are there at all. */
  readonly only?: Readonly<Partial<Record<Kind, ReadonlySet<Key>>>>;
}

/** A cluster with changes; the snapshot below is not touched. */
export function overlay(snapshot: Snapshot, { put = [], remove = [], only = {} }: Changes): Snapshot {
  const byKind = new Map<string, Map<Key, KubernetesObject | undefined>>();
  const change = (kind: string, key: Key, object: KubernetesObject | undefined) => {
    const changed = byKind.get(kind) ?? new Map<Key, KubernetesObject | undefined>();
    byKind.set(kind, changed.set(key, object));
  };
  for (const { kind, key } of remove) change(kind, key, undefined);
  for (const object of put) change(object.kind, keyOf(object), object);

  const lists = new Map<Kind, readonly KubernetesObject[]>();
  const listOf = (kind: Kind): readonly KubernetesObject[] => {
    const kept = only[kind];
    const changed = byKind.get(kind);
    const before: readonly KubernetesObject[] = snapshot.list(kind);
    if (changed === undefined && kept === undefined) return before;
    const left = before.filter(
      (object) => !changed?.has(keyOf(object)) && (kept === undefined || kept.has(keyOf(object))),
    );
    const added = [...(changed?.values() ?? [])].filter((object) => object !== undefined);
    return [...left, ...added].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  };
  return {
    list<K extends Kind>(kind: K) {
      const list = lists.get(kind) ?? listOf(kind);
      lists.set(kind, list);
      return list as readonly KindOf[K][];
    },
    get<K extends Kind>(kind: K, key: Key) {
      const changed = byKind.get(kind);
      if (changed?.has(key)) return changed.get(key) as KindOf[K] | undefined;
      return only[kind] === undefined || only[kind].has(key) ? snapshot.get(kind, key) : undefined;
    },
    coverage(kind, namespace) {
      const found = snapshot.coverage(kind, namespace);
      const isAdded = [...(byKind.get(kind)?.values() ?? [])].some((object) => object !== undefined);
      return found.is === 'empty' && isAdded ? { is: 'present' } : found;
    },
    provenance: (object) => snapshot.provenance(object),
    issues: snapshot.issues,
    sources: snapshot.sources,
    ...(snapshot.kubernetesVersion === undefined ? {} : { kubernetesVersion: snapshot.kubernetesVersion }),
    ...(snapshot.capturedAt === undefined ? {} : { capturedAt: snapshot.capturedAt }),
  };
}

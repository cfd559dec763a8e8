import { withDefaults } from '../api/defaults.ts';
import type { KubernetesObject } from '../api/objects.ts';
import type { Kind, KindOf } from './kinds.ts';
import { type Key, keyOf, type Snapshot } from './snapshot.ts';

/** A manifest that was never created has no uid; it gets one that no cluster gives. */
const manifestUid = 'not created: ';

/** Whether the object is a manifest that was never created, as far as it tells. */
export const isManifest = ({ metadata }: KubernetesObject): boolean => metadata.uid?.startsWith(manifestUid) === true;

/** The cluster as the API server would hold it: defaults filled in, and a uid for what was never created. */
// specification pv-controller 0.2 and 16
export function asStored(snapshot: Snapshot): Snapshot {
  const stored = new WeakMap<KubernetesObject, KubernetesObject>();
  const origins = new WeakMap<KubernetesObject, KubernetesObject>();
  const lists = new Map<Kind, readonly KubernetesObject[]>();
  const store = <T extends KubernetesObject>(object: T): T => {
    const known = stored.get(object);
    if (known !== undefined) return known as T;
    const defaulted = withDefaults(object);
    const made = defaulted.metadata.uid === undefined ? withUid(defaulted) : defaulted;
    stored.set(object, made);
    if (made !== object) origins.set(made, object);
    return made as T;
  };
  return {
    ...snapshot,
    list<K extends Kind>(kind: K) {
      let list = lists.get(kind);
      if (list === undefined) {
        list = snapshot.list(kind).map((object) => store(object));
        lists.set(kind, list);
      }
      return list as readonly KindOf[K][];
    },
    get<K extends Kind>(kind: K, key: Key) {
      const object = snapshot.get(kind, key);
      return object && (store(object) as KindOf[K]);
    },
    provenance: (object) => snapshot.provenance(origins.get(object) ?? object),
  };
}

const withUid = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, uid: `${manifestUid}${object.kind} ${keyOf(object)}` },
});

import { withDefaults } from '../api/defaults.ts';
import type { KubernetesObject } from '../api/objects.ts';
import { keyOf } from '../snapshot/snapshot.ts';

/** Later than any object of a cluster: what the manifests create is the newest there is. */
const afterAll = '9999-12-31T23:59:59Z';

/**
 * An object as the API server would hold it right after it was created: defaults filled in, a uid of its own and a time. Which uid and
 * when nobody knows in advance; that they are new is all that counts.
 */
export function created<T extends KubernetesObject>(object: T): T {
  const {
    uid: _uid,
    creationTimestamp: _time,
    deletionTimestamp: _end,
    resourceVersion: _version,
    ...metadata
  } = object.metadata;
  const uid = `to be created: ${object.kind} ${keyOf(object)}`;
  return withDefaults({ ...object, metadata: { ...metadata, uid, creationTimestamp: afterAll } } as T);
}

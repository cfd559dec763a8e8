import type { KubernetesObject } from '../../api/objects.ts';
import type { Kind } from '../../snapshot/kinds.ts';
import { type Key, keyOf } from '../../snapshot/snapshot.ts';
import { isNotFound } from './errors.ts';
import { listAll } from './pager.ts';
import { present } from './present.ts';
import type { Part } from './reading.ts';
import { mayBeAbsent, pathOf, type Resource, resourcesOf } from './resource-path.ts';
import type { RestClient } from './rest-client.ts';
import type { Take } from './take-object.ts';

/** What listing needs beside the kind and the namespace. */
export interface Listing {
  readonly client: RestClient;
  readonly take: Take;
  /** Called after each page with the number of objects so far. */
  readonly progress?: (kind: Kind, count: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Lists a kind in all namespaces or in one, under the newest version that the server has. Undefined if it has none. Rejects as
 * RestClient does; a core kind that is not found is an error, too.
 */
export async function listPart(listing: Listing, kind: Kind, namespace: string | undefined): Promise<Part | undefined> {
  for (const resource of resourcesOf(kind)) {
    try {
      return await listAgain(listing, present({ resource, path: pathOf(resource, namespace), namespace }));
    } catch (error) {
      if (!isNotFound(error) || !mayBeAbsent(kind)) throw error;
    }
  }
  return undefined;
}

/** Lists what was listed before. */
export async function listAgain(
  { client, take, progress, signal }: Listing,
  part: Pick<Part, 'resource' | 'namespace' | 'path'>,
): Promise<Part> {
  const { resource, path } = part;
  const { items, resourceVersion } = await listAll(client, path, {
    take: (element) => take(resource, client.server + path, element),
    progress: (count) => progress?.(resource.kind, count),
    signal,
  });
  return { ...part, objects: byKey(items), resourceVersion };
}

/** Reads one object. Undefined if it is not there. Rejects as RestClient does. */
export async function getObject(
  { client, take, signal }: Listing,
  resource: Resource,
  key: Key,
): Promise<{ readonly path: string; readonly object: KubernetesObject } | undefined> {
  const [name = '', namespace] = key.split('/').reverse();
  const path = pathOf(resource, namespace, name);
  try {
    const object = take(resource, client.server + path, await client.get(path, {}, signal));
    return object && { path, object };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function byKey(objects: readonly KubernetesObject[]): ReadonlyMap<Key, KubernetesObject> {
  return new Map(objects.map((object) => [keyOf(object), object]));
}

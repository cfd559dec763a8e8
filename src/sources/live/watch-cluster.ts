import { setMaxListeners } from 'node:events';
import type { KubernetesObject } from '../../api/objects.ts';
import { type Key, keyOf } from '../../snapshot/snapshot.ts';
import { ApiStatusError, ConnectionError, isUnauthorized } from './errors.ts';
import { type Listing, listAgain } from './list-part.ts';
import type { Part, Reading } from './reading.ts';
import type { RestClient } from './rest-client.ts';
import { createTake } from './take-object.ts';
import { pause, timestampOf } from './timing.ts';
import { backOffMs, type WatchOptions, watchList } from './watch-list.ts';

/** Changes that come together are told together: one bind writes the volume twice and the claim twice. */
export const coalesceMs = 250;

/** A lost connection ends dozens of watches: it is told once in this time. */
const troubleMs = 30_000;

/**
 * The reading again each time the cluster has changed, until the signal. Changes in fields that are not read, such as heartbeats,
 * are not told. Rejects with ApiStatusError when the user is no longer let in.
 */
export async function* watchCluster(
  client: RestClient,
  reading: Reading,
  options: WatchOptions,
): AsyncGenerator<Reading> {
  const { timing } = options;
  let toldAt = Number.NEGATIVE_INFINITY;
  const trouble = (error: Error) => {
    if (timing.now() - toldAt < troubleMs) return;
    toldAt = timing.now();
    options.trouble(error);
  };
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  // Dozens of requests listen to it; that is no leak.
  setMaxListeners(0, signal);
  // What could not be read of an object was told when it was listed.
  const listing = { client, signal, take: createTake(() => {}) };
  const parts: readonly LivePart[] = reading.parts.map((part) => ({ ...part, objects: new Map(part.objects) }));
  const changes = new Changes();
  const watching = Promise.all(
    parts.map((part) => follow(listing, part, { timing, signal, trouble }, () => changes.tell())),
  );
  watching.catch(() => {});
  try {
    for (;;) {
      await Promise.race([changes.come(), watching]);
      await pause(timing, coalesceMs, signal);
      if (signal.aborted || !changes.have()) return;
      changes.forget();
      yield {
        ...reading,
        parts: parts.map((part) => ({ ...part, objects: new Map(part.objects) })),
        takenAt: timestampOf(timing),
      };
    }
  } finally {
    ended.abort();
  }
}

/** A part that is kept up to date in place: a copy for each event of a busy cluster would cost more than the events. */
interface LivePart extends Part {
  readonly objects: Map<Key, KubernetesObject>;
}

async function follow(listing: Listing, part: LivePart, options: WatchOptions, changed: () => void): Promise<void> {
  const { client, take } = listing;
  const { resource, path, objects } = part;
  const read = (element: unknown) => take(resource, client.server + path, element);
  for await (const change of watchList(client, path, part.resourceVersion, options)) {
    switch (change.is) {
      case 'put': {
        const object = read(change.element);
        if (object !== undefined && put(objects, object)) changed();
        break;
      }
      case 'delete': {
        const object = read(change.element);
        if (object !== undefined && objects.delete(keyOf(object))) changed();
        break;
      }
      case 'relist': {
        const next = await relist(listing, part, options);
        if (next === undefined) return;
        change.from(next.resourceVersion);
        if (replace(objects, next.objects)) changed();
        break;
      }
      default:
        change satisfies never;
    }
  }
}

/** Until it succeeds; undefined if the signal ends it. */
async function relist(
  listing: Listing,
  part: Part,
  { timing, signal, trouble }: WatchOptions,
): Promise<Part | undefined> {
  for (let failures = 1; ; failures++) {
    try {
      return await listAgain(listing, part);
    } catch (error) {
      if (signal.aborted) return undefined;
      const isAnswer = error instanceof ApiStatusError || error instanceof ConnectionError;
      if (!isAnswer || isUnauthorized(error)) throw error;
      if (failures === 1) trouble(error);
    }
    await pause(timing, backOffMs(failures, timing), signal);
  }
}

/** Whether anything that is read has changed. */
function put(objects: Map<Key, KubernetesObject>, object: KubernetesObject): boolean {
  const before = objects.get(keyOf(object));
  objects.set(keyOf(object), object);
  return before === undefined || contentOf(before) !== contentOf(object);
}

function replace(objects: Map<Key, KubernetesObject>, next: ReadonlyMap<Key, KubernetesObject>): boolean {
  let isChanged = false;
  for (const key of [...objects.keys()]) if (!next.has(key)) isChanged = objects.delete(key);
  for (const object of next.values()) isChanged = put(objects, object) || isChanged;
  return isChanged;
}

function contentOf({ metadata: { resourceVersion: _, ...metadata }, ...object }: KubernetesObject): string {
  return JSON.stringify([metadata, object]);
}

/** Something has changed: told by many, waited for by one. */
class Changes {
  #isTold = false;
  #wake = () => {};

  tell(): void {
    this.#isTold = true;
    this.#wake();
  }

  have(): boolean {
    return this.#isTold;
  }

  forget(): void {
    this.#isTold = false;
  }

  come(): Promise<void> {
    return this.#isTold
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#wake = resolve;
        });
  }
}

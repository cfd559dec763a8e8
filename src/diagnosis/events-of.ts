import { getOrSet } from '../api/get-or-set.ts';
import type { Event } from '../api/objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

const indexes = new WeakMap<Snapshot, ReadonlyMap<string, readonly Event[]>>();

/** The events about an object, "StatefulSet shop/web", in the order of the input. Sorted out once for a snapshot. */
export function eventsOf(snapshot: Snapshot, object: string): readonly Event[] {
  let index = indexes.get(snapshot);
  if (index === undefined) {
    const events = new Map<string, Event[]>();
    for (const event of snapshot.list('Event')) {
      const { kind, namespace, name } = event.involvedObject;
      if (kind === undefined || kind === 'PersistentVolumeClaim') continue;
      getOrSet(events, `${kind} ${namespace ?? ''}/${name ?? ''}`, () => []).push(event);
    }
    indexes.set(snapshot, events);
    index = events;
  }
  return index.get(object) ?? [];
}

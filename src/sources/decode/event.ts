import type { Event, KubernetesObject } from '../../api/objects.ts';
import type { EventFields } from './shapes.ts';

/**
 * One form for both kinds of events, core/v1 and events.k8s.io/v1, with the values that kubectl shows.
 * kubernetes/kubernetes pkg/printers/internalversion/printers.go, printEvent (1.37); specification dump-formats 1.9.
 */
export function eventOf(object: KubernetesObject, fields: EventFields): Event {
  const first = fields.firstTimestamp ?? fields.deprecatedFirstTimestamp ?? fields.eventTime;
  // A series counts for itself; the other fields are those of its first event.
  const last = fields.series?.lastObservedTime ?? fields.lastTimestamp ?? fields.deprecatedLastTimestamp ?? first;
  const component =
    filled(fields.source?.component) ??
    filled(fields.reportingComponent) ??
    filled(fields.deprecatedSource?.component) ??
    filled(fields.reportingController);
  const message = filled(fields.message) ?? fields.note;
  return {
    ...object,
    involvedObject: fields.involvedObject ?? fields.regarding ?? {},
    ...(fields.type !== undefined && { type: fields.type }),
    ...(fields.reason !== undefined && { reason: fields.reason }),
    ...(message !== undefined && { message }),
    // The new API does not count an event that happened once.
    count: fields.series?.count ?? (fields.count || fields.deprecatedCount || 1),
    ...(first !== undefined && { firstTimestamp: first }),
    ...(last !== undefined && { lastTimestamp: last }),
    ...(component !== undefined && { source: { component } }),
  };
}

/** Go writes an empty text where there is none. */
function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

import type { ClaimKey } from '../api/accessors.ts';
import type { Event } from '../api/objects.ts';
import { messages } from '../engine/pv-controller/messages.ts';
import type { Examination } from './diagnose.ts';

/** The events about a claim that the input holds, beside those that the dry run would emit. */
export interface EventsReport {
  /** agree: the controller's latest event is one that the dry run emits, too. absent: there is none of the controller's. */
  readonly is: 'agree' | 'disagree' | 'absent';
  readonly seen: readonly SeenEvent[];
  readonly expected: readonly { readonly type: string; readonly reason: string; readonly message: string }[];
}

export interface SeenEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly lastSeen?: string;
  readonly component?: string;
}

const component = 'persistentvolume-controller';

/** What the input's events say about a claim, held against the dry run. */
export function eventsOf(examination: Examination, key: ClaimKey): EventsReport {
  const seen = examination.eventsOfClaim(key).map(seenEvent).sort(latestFirst);
  const emitted = (examination.sync(key)?.events ?? [])
    .filter(({ object }) => object === `claim ${key}`)
    .map(({ type, reason, message }) => ({ type, reason, message }));
  const expected = emitted.length > 0 ? emitted : emittedOnce(examination, key);
  const latest = seen.find((event) => event.component === component || event.component === undefined);
  const is =
    latest === undefined ? 'absent' : expected.some((event) => sameEvent(event, latest)) ? 'agree' : 'disagree';
  return { is, seen, expected };
}

/** A claim turns Lost with an event that is not repeated while it stays Lost. */
function emittedOnce(examination: Examination, key: ClaimKey): EventsReport['expected'] {
  switch (examination.branch(key, 'syncBoundClaim')?.took) {
    case 'lostReference':
      return [{ type: 'Warning', reason: 'ClaimLost', message: messages.lostReference }];
    case 'lostVolume':
      return [{ type: 'Warning', reason: 'ClaimLost', message: messages.lostVolume }];
    case 'misbound':
      return [{ type: 'Warning', reason: 'ClaimMisbound', message: messages.misbound }];
    default:
      return [];
  }
}

/** Texts were reworded over time and list pods in any order: the reason decides where it is not ambiguous. */
function sameEvent(expected: { reason: string; message: string }, seen: SeenEvent): boolean {
  if (expected.reason !== seen.reason) return false;
  return expected.reason !== 'ProvisioningFailed' || expected.message === seen.message;
}

export function seenEvent(event: Event): SeenEvent {
  const lastSeen = event.lastTimestamp ?? event.firstTimestamp ?? event.metadata.creationTimestamp;
  return {
    type: event.type ?? 'Normal',
    reason: event.reason ?? '',
    message: event.message ?? '',
    count: event.count ?? 1,
    ...(lastSeen === undefined ? {} : { lastSeen }),
    ...(event.source?.component === undefined ? {} : { component: event.source.component }),
  };
}

export const latestFirst = (a: SeenEvent, b: SeenEvent): number => {
  const [x, y] = [a.lastSeen ?? '', b.lastSeen ?? ''];
  return x === y ? 0 : x < y ? 1 : -1;
};

import type { KubernetesObject } from '../api/objects.ts';
import type { LoadedObject } from './loaded.ts';
import type { LoadIssue } from './snapshot.ts';

/** Decides between copies of an object, and remembers what has to be told about it. */
export interface Duplicates {
  /** The copy that counts of two in one source, the later one given second. */
  within(before: LoadedObject, after: LoadedObject): LoadedObject;
  /** Notes that a later source replaces a copy. */
  across(before: LoadedObject, after: LoadedObject): void;
  /** One issue for all objects of a kind to which the same happened in the same file. */
  issues(): readonly LoadIssue[];
}

interface Note {
  readonly kept: LoadedObject;
  readonly reason: string;
  count: number;
}

/** Specification dump-formats 1.1 (a later source wins), 5.7 (one source: the higher resourceVersion of the same uid). */
export function duplicates(): Duplicates {
  const notes = new Map<string, Note>();
  const note = (kept: LoadedObject, dropped: LoadedObject, what: string) => {
    const id = JSON.stringify([kept.provenance.file, dropped.provenance.file, kept.kind, what]);
    const known = notes.get(id);
    if (known !== undefined) {
      known.count++;
      return;
    }
    const versions = [kept, dropped].map(({ object }) => object.metadata.resourceVersion);
    const told = versions.includes(undefined) ? '' : ` (resourceVersion ${versions[0]}, not ${versions[1]})`;
    const reason = `${nameOf(kept)} is also at ${placeOf(dropped)}${what}; this one counts${told}`;
    notes.set(id, { kept, reason, count: 1 });
  };
  return {
    within: (before, after) => {
      // A watch tells the states of an object one after the other.
      if (after.told !== 'listed' || before.told === 'deleted') return after;
      if (before.object.metadata.uid !== after.object.metadata.uid) {
        note(after, before, ', with another uid');
        return after;
      }
      const kept = isNewer(before.object, after.object) ? before : after;
      if (differs(before, after)) note(kept, kept === after ? before : after, ', with another spec');
      return kept;
    },
    across: (before, after) => {
      const [older, newer] = [before.object.metadata, after.object.metadata];
      const isOther = older.uid !== newer.uid || older.resourceVersion !== newer.resourceVersion;
      if (differs(before, after)) note(after, before, ', with another spec');
      else if (isOther) note(after, before, '');
    },
    issues: () =>
      [...notes.values()].map(({ kept, reason, count }) => ({
        severity: 'warning',
        ...kept.provenance,
        reason: count === 1 ? reason : `${reason}; the same goes for ${count - 1} more of the kind`,
      })),
  };
}

function isNewer(a: KubernetesObject, b: KubernetesObject): boolean {
  const [mine, others] = [a, b].map(({ metadata }) => metadata.resourceVersion ?? '');
  if (!/^\d{1,20}$/.test(mine ?? '') || !/^\d{1,20}$/.test(others ?? '')) return false;
  return BigInt(mine as string) > BigInt(others as string);
}

/** Whether more than metadata and status is different. */
function differs(a: LoadedObject, b: LoadedObject): boolean {
  return !isEqual({ ...a.object, metadata: 0, status: 0 }, { ...b.object, metadata: 0, status: 0 });
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [mine, others] = [Object.entries(a), b as Readonly<Record<string, unknown>>];
  if (mine.length !== Object.keys(others).length) return false;
  return mine.every(([key, value]) => Object.hasOwn(others, key) && isEqual(value, others[key]));
}

function nameOf({ kind, object: { metadata } }: LoadedObject): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

function placeOf({ provenance: { file, document, line } }: LoadedObject): string {
  return `${file}:${document}:${line}`;
}

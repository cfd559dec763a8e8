import { getOrSet } from '../api/get-or-set.ts';
import type { KubernetesObject } from '../api/objects.ts';
import { duplicates } from './duplicates.ts';
import { isNamespaced, type Kind, type KindOf } from './kinds.ts';
import type { Loaded, LoadedObject, LoadedSource, StatedCoverage } from './loaded.ts';
import { withRecord } from './record.ts';
import { type Coverage, type Key, keyOf, type LoadIssue, type Provenance, type Snapshot } from './snapshot.ts';
import { laterTimestamp } from './timestamp.ts';

/** Puts together what was read: one object for each key, the later source before the earlier one. */
export function buildSnapshot(loaded: Loaded): Snapshot {
  const issues: LoadIssue[] = [...loaded.issues];
  const merged = merge(loaded.sources, issues);
  const lists = new Map<Kind, readonly KubernetesObject[]>();
  const provenances = new Map<KubernetesObject, Provenance>();
  const namespaces = new Map<Kind, Set<string>>();
  for (const [kind, objects] of merged) {
    const sorted = [...objects].sort(([a], [b]) => (a < b ? -1 : 1));
    lists.set(kind, Object.freeze(sorted.map(([, { object }]) => object)));
    namespaces.set(kind, new Set(sorted.map(([, { object }]) => object.metadata.namespace ?? '')));
    for (const [, { object, provenance }] of sorted) provenances.set(object, provenance);
  }
  const list = <K extends Kind>(kind: K) => (lists.get(kind) ?? []) as readonly KindOf[K][];
  const kubernetesVersion = lowestVersion(list('Node').map(({ status }) => status?.nodeInfo?.kubeletVersion));
  const capturedAt = newestTimestamp(loaded.sources);
  const snapshot: Snapshot = {
    list,
    get: <K extends Kind>(kind: K, key: Key) => merged.get(kind)?.get(key)?.object as KindOf[K] | undefined,
    coverage: (kind, namespace) => coverageOf(kind, namespace, namespaces.get(kind), loaded.sources),
    provenance: (object) => provenances.get(object),
    issues,
    sources: loaded.sources.map(({ name }) => name),
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    ...(capturedAt !== undefined && { capturedAt }),
  };
  const [only, ...others] = loaded.sources;
  return only?.record === undefined || others.length > 0 ? snapshot : withRecord(snapshot, only.record);
}

type Objects = Map<Key, LoadedObject>;

function merge(sources: readonly LoadedSource[], issues: LoadIssue[]): ReadonlyMap<Kind, Objects> {
  const merged = new Map<Kind, Objects>();
  const twice = duplicates();
  const placed = placement(issues);
  for (const source of sources) {
    const own = new Map<Kind, Objects>();
    for (const found of source.objects) {
      const entry = placed(found);
      const key = keyOf(entry.object);
      const objects = own.get(entry.kind) ?? new Map<Key, LoadedObject>();
      own.set(entry.kind, objects);
      const before = objects.get(key);
      objects.set(key, before === undefined ? entry : twice.within(before, entry));
    }
    for (const [kind, objects] of own) {
      const all = getOrSet(merged, kind, () => new Map());
      for (const [key, entry] of objects) {
        const before = all.get(key);
        if (entry.told === 'deleted') all.delete(key);
        else {
          if (before !== undefined) twice.across(before, entry);
          all.set(key, entry);
        }
      }
    }
  }
  issues.push(...twice.issues());
  return merged;
}

/** Gives objects the namespace under which the API server would hold them; told once for each file. */
function placement(issues: LoadIssue[]): (found: LoadedObject) => LoadedObject {
  const told = new Set<string>();
  const tell = ({ kind, object, provenance }: LoadedObject, reason: string) => {
    const { file, document, line } = provenance;
    const id = JSON.stringify([file, reason]);
    if (told.has(id)) return;
    told.add(id);
    issues.push({ severity: 'warning', file, document, line, reason: `${kind} ${object.metadata.name} ${reason}` });
  };
  return (found) => {
    const { namespace, ...others } = found.object.metadata;
    const hasNamespace = namespace !== undefined && namespace !== '';
    if (isNamespaced(found.kind)) {
      if (hasNamespace) return found;
      tell(found, 'has no namespace: such objects of this file are taken to be in "default"');
      return { ...found, object: { ...found.object, metadata: { ...others, namespace: 'default' } } };
    }
    if (namespace === undefined) return found;
    if (hasNamespace)
      tell(found, 'is not in any namespace, although it names one: such namespaces in this file are ignored');
    return { ...found, object: { ...found.object, metadata: others } };
  };
}

/** Seen objects say more than an empty list, and that says more than a collector that failed: another one may not have. */
function coverageOf(
  kind: Kind,
  namespace: string | undefined,
  seenIn: ReadonlySet<string> | undefined,
  sources: readonly LoadedSource[],
): Coverage {
  const asked = isNamespaced(kind) ? namespace : undefined;
  if (asked === undefined ? (seenIn?.size ?? 0) > 0 : seenIn?.has(asked)) return { is: 'present' };
  const stated = sources
    .flatMap(({ coverage }) => coverage)
    .filter((about) => about.kind === kind && isAbout(about, asked))
    .map(({ coverage }) => coverage);
  const first = (is: Coverage['is']) => stated.find((coverage) => coverage.is === is);
  return first('empty') ?? first('notCollected') ?? { is: 'unstated' };
}

/** Whether a statement answers for the namespace, or, without one, for the kind as a whole. */
function isAbout({ scope, coverage }: StatedCoverage, namespace: string | undefined): boolean {
  if (scope === 'cluster') return true;
  if (scope === 'unknown') return namespace === undefined;
  // What is missing in one namespace is missing in the whole; what is empty there may be elsewhere.
  return namespace === undefined ? coverage.is === 'notCollected' : scope.namespace === namespace;
}

/** The lowest of the kubelets' releases: the control plane may be newer, but never older. */
function lowestVersion(versions: readonly (string | undefined)[]): string | undefined {
  const known = versions.flatMap((text) => {
    const match = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(text ?? '');
    return match === null ? [] : [{ text: text as string, numbers: match.slice(1).map((part) => Number(part ?? 0)) }];
  });
  known.sort((a, b) => compareNumbers(a.numbers, b.numbers) || (a.text < b.text ? -1 : 1));
  return known[0]?.text;
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** When the input was taken at the earliest: something in it happened then. */
function newestTimestamp(sources: readonly LoadedSource[]): string | undefined {
  let newest: string | undefined;
  for (const { newestTimestamp: known, objects } of sources) {
    newest = laterTimestamp(newest, known);
    if (known !== undefined) continue;
    for (const { object } of objects) for (const time of timesOf(object)) newest = laterTimestamp(newest, time);
  }
  return newest;
}

interface Timed {
  readonly lastTimestamp?: string;
  readonly status?: { readonly conditions?: readonly { readonly lastTransitionTime?: string }[] };
}

function timesOf(object: KubernetesObject): readonly (string | undefined)[] {
  const { lastTimestamp, status } = object as Timed;
  const transitions = status?.conditions?.map(({ lastTransitionTime }) => lastTransitionTime) ?? [];
  return [object.metadata.creationTimestamp, lastTimestamp, ...transitions];
}

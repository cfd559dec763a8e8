import type { KubernetesObject } from '../api/objects.ts';
import { allKinds, isNamespaced, type Kind } from './kinds.ts';
import type { StatedCoverage } from './loaded.ts';
import type { Coverage, Snapshot } from './snapshot.ts';

/** What a snapshot says about a kind, objects aside. */
export interface RecordedCoverage {
  /** Of the kind as a whole. */
  readonly whole: Coverage;
  /** In namespaces of which nothing is said and where no object of the kind is. Only for kinds in namespaces. */
  readonly elsewhere?: Coverage;
  readonly namespaces?: Readonly<Record<string, Coverage>>;
}

/** What a snapshot knows beside its objects: a list of objects alone cannot tell what was forbidden from what is not there. */
export interface SnapshotRecord {
  readonly coverage: Readonly<Partial<Record<Kind, RecordedCoverage>>>;
  readonly kubernetesVersion?: string;
  readonly capturedAt?: string;
}

/** No namespace can have this name. */
const nowhere = '-';

/** `namespaces`: those that were asked for, in which there may be nothing. */
export function recordOf(snapshot: Snapshot, namespaces: readonly string[]): SnapshotRecord {
  const { kubernetesVersion, capturedAt } = snapshot;
  const all = new Set(namespaces);
  for (const kind of allKinds) for (const { metadata } of objectsOf(snapshot, kind)) all.add(metadata.namespace ?? '');
  for (const { metadata } of snapshot.list('Namespace')) all.add(metadata.name);
  all.delete('');
  const sorted = [...all].sort();
  return {
    coverage: Object.fromEntries(allKinds.map((kind) => [kind, coverageIn(snapshot, kind, sorted)])),
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    ...(capturedAt === undefined ? {} : { capturedAt }),
  };
}

function coverageIn(snapshot: Snapshot, kind: Kind, namespaces: readonly string[]): RecordedCoverage {
  const whole = snapshot.coverage(kind);
  if (!isNamespaced(kind)) return { whole };
  const elsewhere = snapshot.coverage(kind, nowhere);
  const held = namespacesOf(snapshot, kind);
  const told = namespaces
    .map((namespace) => [namespace, snapshot.coverage(kind, namespace)] as const)
    .filter(([namespace, coverage]) => !isSame(coverage, held.has(namespace) ? present : elsewhere));
  return { whole, elsewhere, ...(told.length === 0 ? {} : { namespaces: Object.fromEntries(told) }) };
}

const present: Coverage = { is: 'present' };

const isSame = (a: Coverage, b: Coverage): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The snapshot with what was recorded of it. Its objects alone would be taken for those of a dump that says nothing more. */
export function withRecord(snapshot: Snapshot, { coverage, kubernetesVersion, capturedAt }: SnapshotRecord): Snapshot {
  const held = new Map(allKinds.map((kind) => [kind, namespacesOf(snapshot, kind)]));
  return {
    ...snapshot,
    coverage(kind, namespace) {
      const recorded = coverage[kind];
      if (recorded === undefined) return snapshot.coverage(kind, namespace);
      if (namespace === undefined || !isNamespaced(kind)) return recorded.whole;
      const { namespaces = {}, elsewhere = recorded.whole } = recorded;
      if (Object.hasOwn(namespaces, namespace)) return namespaces[namespace] as Coverage;
      return held.get(kind)?.has(namespace) ? present : elsewhere;
    },
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    ...(capturedAt === undefined ? {} : { capturedAt }),
  };
}

/** The same as statements, for a snapshot that is read together with other sources. */
export function statementsOf({ coverage }: SnapshotRecord): readonly StatedCoverage[] {
  return allKinds.flatMap((kind): StatedCoverage[] => {
    const recorded = coverage[kind];
    if (recorded === undefined) return [];
    const { elsewhere = recorded.whole, namespaces = {} } = recorded;
    return [
      { kind, scope: 'cluster', coverage: elsewhere },
      ...Object.entries(namespaces).map(([namespace, one]) => ({ kind, scope: { namespace }, coverage: one })),
    ];
  });
}

const objectsOf = (snapshot: Snapshot, kind: Kind): readonly KubernetesObject[] => snapshot.list(kind);

const namespacesOf = (snapshot: Snapshot, kind: Kind): ReadonlySet<string> =>
  new Set(objectsOf(snapshot, kind).map(({ metadata }) => metadata.namespace ?? ''));

import type { Features } from '../../api/features.ts';
import type { Labels } from '../../api/objects.ts';
import { type Plugin, type PreFiltered, partial, reject, skip, unknown } from './framework.ts';
import type { NodeInfo } from './node-info.ts';
import { type AffinityTerm, type PodInfo, termMatches } from './pod-info.ts';
import type { SchedulerCache } from './scheduler-cache.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/interpodaffinity (1.37); specification scheduler-and-provisioning 3.9. The
// gate InterPodAffinityHostnameFastPath changes how fast the answer comes, not which.

export const interPodAffinity: Plugin = {
  name: 'InterPodAffinity',
  preFilter: (cache, pod) => {
    if (pod.termsError !== undefined) {
      const facts = { is: 'unreadable', error: pod.termsError } as const;
      const reason = `parsing pod: ${pod.termsError}`;
      return {
        is: 'rejected',
        status: reject('InterPodAffinity', 'UnschedulableAndUnresolvable', reason, facts),
      };
    }
    const { cluster, namespaceLabels } = cache;
    const affinityTerms = pod.affinityTerms.map((term) => withNamespaces(cache, term));
    const antiAffinityTerms = pod.antiAffinityTerms.map((term) => withNamespaces(cache, term));
    const mayMissNamespaces =
      cluster.lacks('Namespace') &&
      [...pod.affinityTerms, ...pod.antiAffinityTerms].some(({ namespaceSelector }) => isAsked(namespaceSelector));
    const ownLabels = namespaceLabels.get(pod.namespace) ?? (cluster.lacks('Namespace') ? undefined : noLabels);

    const existing = new Counts();
    let asksForOwnLabels = false;
    for (const { pod: other, node } of cache.antiAffinePods) {
      countExisting(existing, other, pod, ownLabels, node);
      if (other.antiAffinityTerms.some((term) => asksForLabels(term, pod))) asksForOwnLabels = true;
    }
    const lacks = [
      ...(cluster.lacks('Pod') ? (['Pod'] as const) : []),
      ...(mayMissNamespaces || (ownLabels === undefined && asksForOwnLabels) ? (['Namespace'] as const) : []),
    ];
    const hasTerms = affinityTerms.length > 0 || antiAffinityTerms.length > 0;
    if (existing.isEmpty && !hasTerms) {
      return lacks.length === 0 ? skip : { is: 'ready', filter: () => unknown('InterPodAffinity', lacks) };
    }

    const affinity = new Counts();
    const antiAffinity = new Counts();
    if (hasTerms) {
      for (const node of cache.nodes) {
        for (const other of node.pods) {
          countAffinity(affinity, affinityTerms, other, node);
          countAntiAffinity(antiAffinity, antiAffinityTerms, other, node);
        }
      }
    }
    return ready({ pod, ownLabels, affinityTerms, antiAffinityTerms, existing, affinity, antiAffinity, lacks });
  },
};

interface State {
  readonly pod: PodInfo;
  /** Labels of the pod's namespace; undefined if they are not known. */
  readonly ownLabels: Labels | undefined;
  readonly affinityTerms: readonly AffinityTerm[];
  readonly antiAffinityTerms: readonly AffinityTerm[];
  /** Pods with anti-affinity against this one, by domain. */
  readonly existing: Counts;
  /** Pods that match all affinity terms, by domain. */
  readonly affinity: Counts;
  /** Pods that match some anti-affinity term, by domain. */
  readonly antiAffinity: Counts;
  readonly lacks: readonly ('Pod' | 'Namespace')[];
}

function ready(state: State): PreFiltered {
  const { pod, affinityTerms, antiAffinityTerms, existing, affinity, antiAffinity, lacks } = state;
  const matchesItself = matchesAll(affinityTerms, pod);
  const notKnown = lacks.length === 0 ? undefined : unknown('InterPodAffinity', lacks);
  return {
    is: 'ready',
    filter: ({ labels }) => {
      const isNear = affinityTerms.every(({ topologyKey }) => affinity.has(topologyKey, labels[topologyKey]));
      if (!isNear) {
        const hasKeys = affinityTerms.every(({ topologyKey }) => labels[topologyKey] !== undefined);
        // The first of a group of pods that want to be together has nobody to be near to.
        if (!(hasKeys && affinity.isEmpty && matchesItself)) {
          if (notKnown !== undefined && hasKeys) return notKnown;
          const topologyKeys = affinityTerms.map(({ topologyKey }) => topologyKey);
          const facts = { is: 'affinity', topologyKeys } as const;
          const reason = "node(s) didn't match pod affinity rules";
          return reject('InterPodAffinity', 'UnschedulableAndUnresolvable', reason, facts);
        }
      }
      const against = antiAffinityTerms.find(({ topologyKey }) => antiAffinity.has(topologyKey, labels[topologyKey]));
      if (against !== undefined) {
        const facts = { is: 'antiAffinity', topologyKey: against.topologyKey } as const;
        const reason = "node(s) didn't match pod anti-affinity rules";
        return reject('InterPodAffinity', 'Unschedulable', reason, facts);
      }
      const topologyKey = existing.firstKeyAt(labels);
      if (topologyKey !== undefined) {
        const facts = { is: 'existingAntiAffinity', topologyKey } as const;
        const reason = "node(s) didn't satisfy existing pods anti-affinity rules";
        return partial(reject('InterPodAffinity', 'Unschedulable', reason, facts), notKnown !== undefined);
      }
      return notKnown;
    },
    withPod: (added, node) => {
      const more = { existing: existing.copy(), affinity: affinity.copy(), antiAffinity: antiAffinity.copy() };
      countExisting(more.existing, added, pod, state.ownLabels, node);
      countAffinity(more.affinity, affinityTerms, added, node);
      countAntiAffinity(more.antiAffinity, antiAffinityTerms, added, node);
      const asks = state.ownLabels === undefined && added.antiAffinityTerms.some((term) => asksForLabels(term, pod));
      return ready({ ...state, ...more, lacks: asks ? [...new Set([...lacks, 'Namespace' as const])] : lacks });
    },
  };
}

/** Number of pods by topology key and value. */
class Counts {
  readonly #byKey = new Map<string, Map<string, number>>();

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  add({ labels }: NodeInfo, topologyKey: string): void {
    const value = labels[topologyKey];
    if (value === undefined) return;
    const byValue = this.#byKey.get(topologyKey) ?? new Map<string, number>();
    this.#byKey.set(topologyKey, byValue);
    byValue.set(value, (byValue.get(value) ?? 0) + 1);
  }

  has(topologyKey: string, value: string | undefined): boolean {
    return value !== undefined && this.#byKey.get(topologyKey)?.has(value) === true;
  }

  firstKeyAt(labels: Labels): string | undefined {
    for (const [key, byValue] of this.#byKey) {
      const value = labels[key];
      if (value !== undefined && byValue.has(value)) return key;
    }
    return undefined;
  }

  copy(): Counts {
    const copy = new Counts();
    for (const [key, byValue] of this.#byKey) copy.#byKey.set(key, new Map(byValue));
    return copy;
  }
}

/** Whether it is the labels of the pod's namespace that decide whether a term means the pod. */
const asksForLabels = (term: AffinityTerm, pod: PodInfo): boolean =>
  isAsked(term.namespaceSelector) && !term.namespaces.has(pod.namespace);

const isAsked = (selector: AffinityTerm['namespaceSelector']): boolean => selector !== undefined && selector !== 'all';

/** A term of the pod that is scheduled: its namespace selector is resolved to names once (mergeAffinityTermNamespacesIfNotEmpty). */
function withNamespaces({ cluster, namespaceLabels }: SchedulerCache, term: AffinityTerm): AffinityTerm {
  const { namespaceSelector } = term;
  if (namespaceSelector === undefined || namespaceSelector === 'all') return term;
  const selected = [...namespaceLabels].filter(([, labels]) => namespaceSelector.matches(labels)).map(([name]) => name);
  const namespaces = new Set([...term.namespaces, ...selected]);
  return affinityKeepsNamespaceSelector(cluster.features)
    ? { ...term, namespaces }
    : { ...term, namespaces, namespaceSelector: undefined };
}

/**
 * In some releases the selector is asked a second time, then with no labels at all: one that holds for those ("team does not exist")
 * means every namespace.
 */
function affinityKeepsNamespaceSelector({ release }: Features): boolean {
  return ['1.34', '1.35', '1.36'].includes(release);
}

/** The labels of a namespace whose labels upstream does not look up. */
const noLabels: Labels = {};

function matchesAll(terms: readonly AffinityTerm[], pod: PodInfo): boolean {
  return terms.length > 0 && terms.every((term) => termMatches(term, pod, noLabels));
}

function countAffinity(counts: Counts, terms: readonly AffinityTerm[], other: PodInfo, node: NodeInfo): void {
  if (!matchesAll(terms, other)) return;
  for (const { topologyKey } of terms) counts.add(node, topologyKey);
}

function countAntiAffinity(counts: Counts, terms: readonly AffinityTerm[], other: PodInfo, node: NodeInfo): void {
  for (const term of terms) if (termMatches(term, other, noLabels)) counts.add(node, term.topologyKey);
}

/** Counts the terms of another pod that forbid this one; those that ask for labels which are not known are passed over. */
function countExisting(
  counts: Counts,
  other: PodInfo,
  pod: PodInfo,
  ownLabels: Labels | undefined,
  node: NodeInfo,
): void {
  for (const term of other.antiAffinityTerms) {
    if (ownLabels === undefined && asksForLabels(term, pod)) continue;
    if (termMatches(term, pod, ownLabels ?? noLabels)) counts.add(node, term.topologyKey);
  }
}

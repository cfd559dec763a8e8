import type { Features } from '../../api/features.ts';
import type { Labels } from '../../api/objects.ts';
import { type Plugin, type PreFiltered, reject, skip, unknown } from './framework.ts';
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
    const ownLabels = namespaceLabels.get(pod.namespace) ?? {};

    const existing = new Counts();
    let needsOwnLabels = false;
    for (const { pod: other, node } of cache.antiAffinePods) {
      for (const term of other.antiAffinityTerms) {
        if (termMatches(term, pod, ownLabels)) existing.add(node, term.topologyKey);
        if (isAsked(term.namespaceSelector) && !term.namespaces.has(pod.namespace)) needsOwnLabels = true;
      }
    }
    const mayMissOwnLabels = needsOwnLabels && !namespaceLabels.has(pod.namespace) && cluster.lacks('Namespace');
    const hasTerms = affinityTerms.length > 0 || antiAffinityTerms.length > 0;
    const mayMissPods = cluster.lacks('Pod');
    if (existing.isEmpty && !hasTerms && !mayMissOwnLabels && !mayMissPods) return skip;

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
    const lacks = [
      ...(mayMissPods ? (['Pod'] as const) : []),
      ...(mayMissNamespaces || mayMissOwnLabels ? (['Namespace'] as const) : []),
    ];
    return ready({ pod, ownLabels, affinityTerms, antiAffinityTerms, existing, affinity, antiAffinity, lacks });
  },
};

interface State {
  readonly pod: PodInfo;
  readonly ownLabels: Labels;
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
        return reject('InterPodAffinity', 'Unschedulable', "node(s) didn't match pod anti-affinity rules", facts);
      }
      const topologyKey = existing.firstKeyAt(labels);
      if (topologyKey !== undefined) {
        const facts = { is: 'existingAntiAffinity', topologyKey } as const;
        const reason = "node(s) didn't satisfy existing pods anti-affinity rules";
        return reject('InterPodAffinity', 'Unschedulable', reason, facts);
      }
      return notKnown;
    },
    withPod: (added, node) => {
      const more = { existing: existing.copy(), affinity: affinity.copy(), antiAffinity: antiAffinity.copy() };
      countAntiAffinityOf(more.existing, added, state, node);
      countAffinity(more.affinity, affinityTerms, added, node);
      countAntiAffinity(more.antiAffinity, antiAffinityTerms, added, node);
      return ready({ ...state, ...more });
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

function countAntiAffinityOf(counts: Counts, other: PodInfo, { pod, ownLabels }: State, node: NodeInfo): void {
  for (const term of other.antiAffinityTerms) {
    if (termMatches(term, pod, ownLabels)) counts.add(node, term.topologyKey);
  }
}

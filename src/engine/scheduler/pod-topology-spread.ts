import { type ParsedLabelSelector, parseLabelSelector, SelectorError } from '../../api/label-selector.ts';
import type { TopologySpreadConstraint } from '../../api/objects.ts';
import { type Plugin, type PreFiltered, reject, skip, unknown } from './framework.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { SchedulerCache } from './scheduler-cache.ts';
import { tolerates } from './tolerations.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/podtopologyspread (1.37); specification scheduler-and-provisioning 3.8. The
// system's default constraints are soft, so that they never filter.

interface Constraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly minDomains: number;
  /** Undefined matches nothing. */
  readonly selector: ParsedLabelSelector | undefined;
  readonly honorsAffinity: boolean;
  readonly honorsTaints: boolean;
}

/** A constraint with the number of matching pods in each of its domains. */
interface Counted extends Constraint {
  readonly matching: ReadonlyMap<string, number>;
}

export const podTopologySpread: Plugin = {
  name: 'PodTopologySpread',
  preFilter: (cache, pod) => {
    try {
      const constraints = getConstraints(cache, pod);
      if (constraints.length === 0) return skip;
      return ready(cache, pod, count(cache, pod, constraints));
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      const cause = `get constraints from pod: obtaining pod's hard topology spread constraints: ${error.message}`;
      const reasons = [`running PreFilter plugin "PodTopologySpread": ${cause}`];
      return { is: 'rejected', status: { code: 'Error', plugin: 'PodTopologySpread', reasons } };
    }
  },
};

function getConstraints({ cluster }: SchedulerCache, { pod, labels }: PodInfo): readonly Constraint[] {
  const { nodeInclusionPolicy, spreadMatchLabelKeys } = cluster.features;
  const hard = (pod.spec.topologySpreadConstraints ?? []).filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
  );
  return hard.map((constraint) => ({
    maxSkew: constraint.maxSkew,
    topologyKey: constraint.topologyKey,
    minDomains: constraint.minDomains ?? 1,
    selector: selectorOf(constraint, spreadMatchLabelKeys ? labels : {}),
    honorsAffinity: !nodeInclusionPolicy || (constraint.nodeAffinityPolicy ?? 'Honor') === 'Honor',
    honorsTaints: nodeInclusionPolicy && constraint.nodeTaintsPolicy === 'Honor',
  }));
}

/** The label selector, narrowed to the pod's own values of `matchLabelKeys`; throws SelectorError. */
function selectorOf(
  { labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint,
  labels: PodInfo['labels'],
): ParsedLabelSelector | undefined {
  if (labelSelector === undefined) return undefined;
  parseLabelSelector(labelSelector);
  const own = matchLabelKeys.flatMap((key) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator: 'In', values: [value] }];
  });
  return parseLabelSelector({
    ...labelSelector,
    matchExpressions: [...(labelSelector.matchExpressions ?? []), ...own],
  });
}

/** Which nodes count for a constraint: those that the pod could use, as far as the constraint asks for that. */
function matchesInclusionPolicies(
  cache: SchedulerCache,
  pod: PodInfo,
  constraint: Constraint,
): (node: NodeInfo) => boolean {
  const { spec } = pod.pod;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const fitting = cache.nodesMatchingPod(spec.nodeSelector ?? {}, required);
  return ({ index, taints }) => {
    if (constraint.honorsAffinity && !fitting.has(index)) return false;
    return !constraint.honorsTaints || taints.every((taint) => tolerates(spec.tolerations ?? [], taint));
  };
}

const hasAllKeys = ({ labels }: NodeInfo, constraints: readonly Constraint[]): boolean =>
  constraints.every(({ topologyKey }) => labels[topologyKey] !== undefined);

function count(cache: SchedulerCache, pod: PodInfo, constraints: readonly Constraint[]): readonly Counted[] {
  const nodes = cache.nodes.filter((node) => hasAllKeys(node, constraints));
  return constraints.map((constraint) => {
    const counts = countPodsMatchSelector(cache, constraint.selector, pod.namespace);
    const isCounted = matchesInclusionPolicies(cache, pod, constraint);
    const matching = new Map<string, number>();
    for (const node of nodes) {
      if (!isCounted(node)) continue;
      const value = node.labels[constraint.topologyKey] as string;
      matching.set(value, (matching.get(value) ?? 0) + (counts[node.index] ?? 0));
    }
    return { ...constraint, matching };
  });
}

/** Pods of the namespace that are not being deleted and match, by node; an empty selector counts none. */
function countPodsMatchSelector(
  cache: SchedulerCache,
  selector: ParsedLabelSelector | undefined,
  namespace: string,
): readonly number[] {
  if (selector === undefined || selector.requirements.length === 0) return [];
  const key = `spread ${JSON.stringify([namespace, selector.requirements])}`;
  return cache.podCounts(key, (other) => isCountedPod(other, selector, namespace));
}

const isCountedPod = (other: PodInfo, selector: ParsedLabelSelector, namespace: string): boolean =>
  other.pod.metadata.deletionTimestamp === undefined && other.namespace === namespace && selector.matches(other.labels);

function ready(cache: SchedulerCache, pod: PodInfo, constraints: readonly Counted[]): PreFiltered {
  const mayMissPods = cache.cluster.lacks('Pod', pod.namespace);
  const least = constraints.map(minMatchNum);
  const self = constraints.map(({ selector }) => (selector?.matches(pod.labels) ? 1 : 0));
  return {
    is: 'ready',
    filter: ({ labels }) => {
      for (const [i, { topologyKey, maxSkew, matching }] of constraints.entries()) {
        const value = labels[topologyKey];
        if (value === undefined) {
          const reason = "node(s) didn't match pod topology spread constraints (missing required label)";
          const facts = { is: 'labelMissing', topologyKey } as const;
          return reject('PodTopologySpread', 'UnschedulableAndUnresolvable', reason, facts);
        }
        if (mayMissPods) return unknown('PodTopologySpread', ['Pod']);
        const here = matching.get(value) ?? 0;
        if (here + (self[i] ?? 0) - (least[i] ?? 0) > maxSkew) {
          const reason = "node(s) didn't match pod topology spread constraints";
          const facts = { is: 'skew', topologyKey, value, matching: here, least: least[i] ?? 0, maxSkew } as const;
          return reject('PodTopologySpread', 'Unschedulable', reason, facts);
        }
      }
      return undefined;
    },
    withPod: (added, node) => {
      if (added.namespace !== pod.namespace || !hasAllKeys(node, constraints)) return ready(cache, pod, constraints);
      return ready(
        cache,
        pod,
        constraints.map((constraint) => {
          if (!constraint.selector?.matches(added.labels)) return constraint;
          if (!matchesInclusionPolicies(cache, pod, constraint)(node)) return constraint;
          const value = node.labels[constraint.topologyKey] as string;
          return {
            ...constraint,
            matching: new Map([...constraint.matching, [value, (constraint.matching.get(value) ?? 0) + 1]]),
          };
        }),
      );
    },
  };
}

/** The least number of matching pods in a domain; nothing while there are fewer domains than wanted. */
function minMatchNum({ matching, minDomains }: Counted): number {
  return matching.size < minDomains ? 0 : Math.min(...matching.values());
}

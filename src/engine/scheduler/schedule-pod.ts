import type { Pod } from '../../api/objects.ts';
import type { Kind } from '../../snapshot/kinds.ts';
import { chooseFirstVolume, type SchedulerChoose } from './choice.ts';
import type { ClaimOnNode, PluginName } from './facts.ts';
import { fitErrorOf, noNodes, outsideNodeList, preFilterErrorOf } from './fit-error.ts';
import {
  type Failure,
  type Plugin,
  type PreFiltered,
  type Rejection,
  reject,
  type Status,
  type Unknown,
} from './framework.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { nodeAffinity } from './node-affinity.ts';
import type { NodeInfo } from './node-info.ts';
import { nodeName } from './node-name.ts';
import { nodePorts } from './node-ports.ts';
import { nodeResourcesFit } from './node-resources-fit.ts';
import { nodeUnschedulable } from './node-unschedulable.ts';
import { nodeVolumeLimits } from './node-volume-limits.ts';
import type { PodInfo } from './pod-info.ts';
import { podTopologySpread } from './pod-topology-spread.ts';
import { type Queueing, queueingOf } from './queueing.ts';
import type { SchedulerCache } from './scheduler-cache.ts';
import { taintToleration } from './taint-toleration.ts';
import { type Unsimulated, unsimulatedOf } from './unsimulated.ts';
import { volumeBinding } from './volume-binding/volume-binding.ts';
import { volumeRestrictions } from './volume-restrictions.ts';
import { volumeZone } from './volume-zone.ts';

// kubernetes/kubernetes pkg/scheduler/schedule_one.go, findNodesThatFitPod, and framework/runtime/framework.go (1.37); specification
// scheduler-and-provisioning 1.1 and 3.11. Scores, preemption and everything after the filters are not simulated.

export interface ScheduleOptions {
  readonly choose?: SchedulerChoose;
  /** Leave out that pods may be nominated to nodes. */
  readonly ignoreNominations?: boolean;
}

/** What the plugins say of a pod on one node. */
export interface NodeDecision {
  readonly node: string;
  readonly verdict: 'fits' | 'rejected' | 'error' | 'unknown';
  /** What decides: the first plugin in order that does not pass; undefined if the node fits. */
  readonly status: Status | undefined;
  /** Every plugin that does not pass, in order. */
  readonly failing: readonly Status[];
  /** Plugins whose node lists leave this node out; it was not looked at, `failing` tells what would have come of it. */
  readonly outsideOf?: readonly PluginName[];
  /** The node fits only without the pods that are nominated to it. */
  readonly nominatedPodsInTheWay?: true;
  /** What the volume binder makes of the pod's claims here, if it got that far. */
  readonly claims?: readonly ClaimOnNode[];
}

/** One scheduling cycle of a pod, up to the filters. */
export interface PodDecision {
  /** "namespace/name" */
  readonly pod: string;
  readonly queueing: Queueing;
  /** The rejection that ends the cycle before any node is looked at. */
  readonly preFilter: Rejection | Failure | undefined;
  /** Every plugin that rejects the pod before any node is looked at, the deciding one in front. */
  readonly rejections: readonly (Rejection | Failure)[];
  /** Plugins that cannot tell whether the pod gets past them. */
  readonly unknowns: readonly Unknown[];
  /** What the pod uses that is not simulated: the answer may be another. */
  readonly unsimulated: readonly Unsimulated[];
  /** The only nodes that are looked at, if plugins named some. */
  readonly only: readonly string[] | undefined;
  /** All nodes, by name, whether they were looked at or not. */
  readonly nodes: readonly NodeDecision[];
  readonly feasible: readonly string[];
  /** The node that the pod is nominated to and that fits: it is taken, whatever others would do. */
  readonly nominated?: string;
  /** Kinds that were not collected and could change whether or where the pod can go. */
  readonly lacks: readonly Kind[];
  /** The scheduler's words if no node is left, without what PostFilter adds; undefined if it fits somewhere or nobody knows. */
  readonly message: string | undefined;
  /** The error that ends the cycle. */
  readonly error: string | undefined;
}

/** Runs the filters of the default profile over every node. */
export function schedulePod(cache: SchedulerCache, pod: Pod, options: ScheduleOptions = {}): PodDecision {
  const info = cache.podInfo(pod);
  const start: PodDecision = {
    pod: info.key,
    queueing: queueingOf(pod, cache.cluster.features),
    preFilter: undefined,
    rejections: [],
    unknowns: [],
    unsimulated: [],
    only: undefined,
    nodes: [],
    feasible: [],
    lacks: [],
    message: undefined,
    error: undefined,
  };
  if (start.queueing.is !== 'queued') return start;
  if (cache.nodes.length === 0) {
    return cache.cluster.lacks('Node') ? { ...start, lacks: ['Node'] } : { ...start, message: noNodes };
  }
  const binding = volumeBinding(options.choose ?? chooseFirstVolume);
  const pre = runPreFilterPlugins(cache, info, pluginsInOrder(cache, binding));
  const unsimulated = unsimulatedOf(pod);
  const nodes = cache.nodes.map((node): NodeDecision => {
    const nominated = options.ignoreNominations ? none : otherNominatedPods(cache, info, node);
    const { verdict, status, failing, nominatedPodsInTheWay } = runFilterPluginsWithNominatedPods(
      pre.ready,
      node,
      nominated,
    );
    const claims = binding.podVolumes.get(node.index)?.claims;
    // A million of these are made for a thousand pods on a thousand nodes.
    const decision: { -readonly [F in keyof NodeDecision]: NodeDecision[F] } = {
      node: node.name,
      // A filter that is not simulated comes after all others, so that it can only refuse more.
      verdict: verdict === 'fits' && unsimulated.length > 0 ? 'unknown' : verdict,
      status,
      failing,
    };
    if (nominatedPodsInTheWay !== undefined) decision.nominatedPodsInTheWay = nominatedPodsInTheWay;
    if (pre.nodeNames !== undefined && !pre.nodeNames.has(node.name)) decision.outsideOf = pre.pluginsWithNodes;
    if (claims !== undefined) decision.claims = claims;
    return decision;
  });
  return { ...start, unsimulated, ...conclude(cache, info, pre, nodes, unsimulated) };
}

const none: readonly PodInfo[] = [];

function pluginsInOrder({ cluster }: SchedulerCache, binding: Plugin): readonly Plugin[] {
  return [
    ...(cluster.features.nodeNameFirst ? [nodeName, nodeUnschedulable] : [nodeUnschedulable, nodeName]),
    taintToleration,
    nodeAffinity,
    nodePorts,
    nodeResourcesFit,
    volumeRestrictions,
    nodeVolumeLimits,
    binding,
    volumeZone,
    podTopologySpread,
    interPodAffinity,
  ];
}

type Ready = Extract<PreFiltered, { readonly is: 'ready' }>;

interface PreFilterRun {
  /** The plugins that filter, in order. */
  readonly ready: readonly Ready[];
  readonly rejections: readonly (Rejection | Failure)[];
  readonly unknowns: readonly Unknown[];
  /** Whether some plugin cannot tell before the first that rejects. */
  readonly isOpen: boolean;
  readonly nodeNames: ReadonlySet<string> | undefined;
  readonly pluginsWithNodes: readonly PluginName[];
}

/** Upstream stops at the first rejection; the others are asked for the explanation. */
function runPreFilterPlugins(cache: SchedulerCache, pod: PodInfo, plugins: readonly Plugin[]): PreFilterRun {
  const ready: Ready[] = [];
  const rejections: (Rejection | Failure)[] = [];
  const unknowns: Unknown[] = [];
  const pluginsWithNodes: PluginName[] = [];
  let isOpen = false;
  let nodeNames: ReadonlySet<string> | undefined;
  for (const plugin of plugins) {
    const result = plugin.preFilter(cache, pod);
    switch (result.is) {
      case 'skip':
        continue;
      case 'rejected':
        rejections.push(result.status);
        continue;
      case 'unknown':
        if (rejections.length === 0) isOpen = true;
        unknowns.push(result.status);
        ready.push({ is: 'ready', filter: () => result.status });
        continue;
      case 'ready':
        ready.push(result);
    }
    const { nodeNames: named } = result;
    if (named === undefined) continue;
    pluginsWithNodes.push(plugin.name);
    pluginsWithNodes.sort();
    const before = nodeNames;
    nodeNames = before === undefined ? named : new Set([...named].filter((name) => before.has(name)));
    if (nodeNames.size === 0 && before?.size !== 0) rejections.push(nothingInCommon([...pluginsWithNodes]));
  }
  return { ready, rejections, unknowns, isOpen, nodeNames, pluginsWithNodes };
}

function nothingInCommon(plugins: readonly PluginName[]): Rejection {
  const reason =
    plugins.length === 1
      ? `node(s) didn't satisfy plugin ${plugins.join('')}`
      : `node(s) didn't satisfy plugin(s) [${plugins.join(' ')}] simultaneously`;
  return reject('NodeList', 'UnschedulableAndUnresolvable', reason, { plugins });
}

type FilterRun = Pick<NodeDecision, 'verdict' | 'status' | 'failing' | 'nominatedPodsInTheWay'>;

const fits: FilterRun = { verdict: 'fits', status: undefined, failing: [] };

function runFilterPlugins(ready: readonly Ready[], node: NodeInfo): FilterRun {
  let failing: Status[] | undefined;
  for (const { filter } of ready) {
    const status = filter(node);
    if (status === undefined) continue;
    failing ??= [];
    failing.push(status);
  }
  if (failing === undefined) return fits;
  const decided = failing.find(({ code }) => code !== 'Unknown');
  const isFirst = decided === failing[0];
  // Behind a plugin that cannot tell, a rejection is certain, but not that it is the one that is told.
  if (decided === undefined || (decided.code === 'Error' && !isFirst))
    return { verdict: 'unknown', status: failing[0], failing };
  return { verdict: decided.code === 'Error' ? 'error' : 'rejected', status: failing[0], failing };
}

/**
 * A node must do with the pods that wait for room on it and come first, and, as they may yet go elsewhere, without them.
 */
function runFilterPluginsWithNominatedPods(
  ready: readonly Ready[],
  node: NodeInfo,
  nominated: readonly PodInfo[],
): FilterRun {
  const without = runFilterPlugins(ready, node);
  if (nominated.length === 0) return without;
  let withThem = ready;
  for (const added of nominated) {
    withThem = withThem.map((plugin) => {
      const next = plugin.withPod?.(added, node);
      return next?.is === 'ready' ? next : plugin;
    });
  }
  const first = runFilterPlugins(withThem, node.with(nominated));
  if (first.verdict === 'fits') return without;
  return without.verdict === 'fits' ? { ...first, nominatedPodsInTheWay: true } : first;
}

function otherNominatedPods(cache: SchedulerCache, pod: PodInfo, node: NodeInfo): readonly PodInfo[] {
  const nominated = cache.nominatedPods(node.name);
  if (nominated.length === 0) return none;
  const priority = pod.pod.spec.priority ?? 0;
  return nominated.filter((other) => other.key !== pod.key && (other.pod.spec.priority ?? 0) >= priority);
}

const isWordCertain = (status: Status): boolean =>
  status.code !== 'Unknown' && !('isPartial' in status && status.isPartial);

function conclude(
  cache: SchedulerCache,
  pod: PodInfo,
  pre: PreFilterRun,
  nodes: readonly NodeDecision[],
  unsimulated: readonly Unsimulated[],
): Omit<PodDecision, 'pod' | 'queueing' | 'unsimulated'> {
  const { features } = cache.cluster;
  const { rejections, unknowns } = pre;
  const [preFilter] = rejections;
  const told = { preFilter, rejections, unknowns, nodes };
  const isOpen = pre.isOpen || unsimulated.includes('PodGroups');
  if (preFilter !== undefined) {
    const isError = preFilter.code === 'Error';
    return {
      ...told,
      only: undefined,
      feasible: [],
      lacks: [],
      message: isOpen || isError ? undefined : preFilterErrorOf(nodes.length, preFilter.reasons, features),
      error: isError ? preFilter.reasons[0] : undefined,
    };
  }
  const lookedAt = nodes.filter(({ outsideOf }) => outsideOf === undefined);
  const feasible = lookedAt.filter(({ verdict }) => verdict === 'fits').map(({ node }) => node);
  const error = lookedAt.find(({ verdict }) => verdict === 'error')?.status?.reasons[0];
  const open = lookedAt.filter(({ verdict }) => verdict === 'unknown');
  const lacks = new Set(unknowns.flatMap((status) => status.lacks));
  for (const { failing } of open)
    for (const status of failing) if (status.code === 'Unknown') for (const kind of status.lacks) lacks.add(kind);
  const { nominatedNodeName = '' } = pod.pod.status ?? {};
  const isNominatedFine = nodes.some(({ node, verdict }) => node === nominatedNodeName && verdict === 'fits');
  const isCertain =
    !isOpen && open.length === 0 && lookedAt.every(({ status }) => status === undefined || isWordCertain(status));
  return {
    ...told,
    only: pre.nodeNames === undefined ? undefined : lookedAt.map(({ node }) => node),
    feasible,
    ...(isNominatedFine ? { nominated: nominatedNodeName } : {}),
    lacks: [...lacks],
    message:
      feasible.length > 0 || error !== undefined || !isCertain
        ? undefined
        : fitErrorOf(
            nodes.length,
            nodes.map(({ outsideOf, status }) =>
              outsideOf === undefined ? (status?.reasons ?? []) : outsideNodeList(outsideOf, features),
            ),
          ),
    error,
  };
}

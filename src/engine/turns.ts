import { AnnBindCompleted } from '../api/annotations.ts';
import { getOrSet } from '../api/get-or-set.ts';
import type { Pod } from '../api/objects.ts';
import type { Kind } from '../snapshot/kinds.ts';
import { claimsOfPod } from './pv-controller/pod-index.ts';
import type { ControllerRun } from './pv-controller/run.ts';
import type { SchedulerChoose } from './scheduler/choice.ts';
import { isFinished } from './scheduler/queueing.ts';
import { type PodDecision, type ScheduleOptions, schedulePod } from './scheduler/schedule-pod.ts';
import type { SchedulerCache } from './scheduler/scheduler-cache.ts';
import { assumePodVolumes } from './scheduler/volume-binding/assume-pod-volumes.ts';
import type { World } from './world.ts';

/** "namespace/name" */
export type PodKey = string;

export const podKey = ({ metadata }: Pod): PodKey => `${metadata.namespace ?? ''}/${metadata.name}`;

export interface TurnsOptions extends ScheduleOptions {
  /** The order of the pods; those that are not named follow by name. */
  readonly pods?: readonly PodKey[];
  /** Among feasible nodes, which are never none; scores are not simulated, so any may be taken. */
  readonly chooseNode: (pod: PodKey, feasible: readonly string[]) => string;
  readonly choose?: SchedulerChoose;
}

/** What came of the pods. */
export interface Turns {
  /** The latest decision about each pod that the scheduler took up. */
  readonly decisions: ReadonlyMap<PodKey, PodDecision>;
  /** The nodes that the scheduler could choose from when it wrote its choice to claims; later decisions know that one only. */
  readonly choices: ReadonlyMap<PodKey, readonly string[]>;
  /** The kinds that some decision about a pod lacked; a later one may know the node and lack nothing. */
  readonly doubts: ReadonlyMap<PodKey, ReadonlySet<Kind>>;
  /** The pods that got a node, in order. */
  readonly scheduled: readonly { readonly pod: PodKey; readonly node: string }[];
}

/** How often every pod is tried. */
const passes = 5;

/**
 * The scheduler and the controller take turns, one pod after the other, until neither has anything to do: filters, a node, what
 * the binder writes, the controller to rest; a pod whose claims are all bound then has its node. Nobody provisions.
 */
export function takeTurns(world: World, run: ControllerRun, cache: SchedulerCache, options: TurnsOptions): Turns {
  const decisions = new Map<PodKey, PodDecision>();
  const choices = new Map<PodKey, readonly string[]>();
  const doubts = new Map<PodKey, Set<Kind>>();
  const scheduled: { pod: PodKey; node: string }[] = [];
  const waiting = new Map(
    inOrder(
      world.surroundings.pods.filter((pod) => isPending(pod, world)),
      options.pods,
    ).map((pod) => [podKey(pod), pod]),
  );
  let hasChanged = true;
  for (let pass = 0; pass < passes && hasChanged; pass++) {
    hasChanged = false;
    for (const [key, pod] of waiting) {
      const decision = schedulePod(cache, pod, options);
      decisions.set(key, decision);
      for (const kind of decision.lacks) getOrSet(doubts, key, () => new Set<Kind>()).add(kind);
      if (decision.feasible.length === 0 || decision.error !== undefined) continue;
      const node = decision.nominated ?? options.chooseNode(key, decision.feasible);
      if (carryOut(world, cache, decision, node)) {
        if (!choices.has(key)) choices.set(key, decision.feasible);
        hasChanged = true;
        settle(run, world, cache);
      }
      if (!areAllBound(world, pod)) continue;
      hasChanged = true;
      world.assignPod(pod, node);
      cache.assignPod(pod, node);
      scheduled.push({ pod: key, node });
      waiting.delete(key);
    }
  }
  return { decisions, choices, doubts, scheduled };
}

function isPending(pod: Pod, world: World): boolean {
  return world.nodeOf(pod) === '' && pod.metadata.deletionTimestamp === undefined && !isFinished(pod);
}

function inOrder(pods: readonly Pod[], first: readonly PodKey[] = []): readonly Pod[] {
  const rank = new Map(first.map((key, i) => [key, i]));
  const place = (pod: Pod) => rank.get(podKey(pod)) ?? first.length;
  return [...pods].sort((a, b) => place(a) - place(b) || (podKey(a) < podKey(b) ? -1 : 1));
}

/** Writes what the binder writes for a pod on its node; whether that was anything. */
function carryOut(world: World, cache: SchedulerCache, decision: PodDecision, node: string): boolean {
  const claims = decision.nodes.find((one) => one.node === node)?.claims ?? [];
  const writes = assumePodVolumes(cache.cluster, node, claims);
  for (const volume of writes.volumes) world.putVolume(volume);
  for (const claim of writes.claims) world.putClaim(claim);
  return writes.volumes.length + writes.claims.length > 0;
}

/** The controller to rest; the scheduler's cache hears of all that has changed. */
function settle(run: ControllerRun, world: World, cache: SchedulerCache): void {
  const written = world.takeChanges();
  run.settle([], written);
  for (const { object, key } of [...written, ...world.takeChanges()]) {
    if (object === 'volume') cache.volumeChanged(key, world.peekVolume(key));
    else cache.claimChanged(key);
  }
}

function areAllBound(world: World, pod: Pod): boolean {
  return claimsOfPod(pod).every((key) => {
    const claim = world.peekClaim(key);
    return (claim?.spec.volumeName ?? '') !== '' && (claim?.metadata.annotations?.[AnnBindCompleted] ?? '') !== '';
  });
}

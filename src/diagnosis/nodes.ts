import { claimKey, volumeCapacity } from '../api/accessors.ts';
import { getOrSet } from '../api/get-or-set.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/objects.ts';
import { compareQuantities } from '../api/quantity.ts';
import type { ClaimOnNode } from '../engine/scheduler/facts.ts';
import type { Status } from '../engine/scheduler/framework.ts';
import type { NodeDecision, PodDecision } from '../engine/scheduler/schedule-pod.ts';
import type { SchedulerCache } from '../engine/scheduler/scheduler-cache.ts';
import { allFailures, type Failure, type Site, type Wants, wantsOf } from '../engine/volume-checks.ts';
import { claimShape } from './claim-shape.ts';

/** A pod and its claim on one node: what stands in the pod's way besides the claim, and what the claim finds there. */
export interface OnNode {
  readonly node: string;
  readonly verdict: NodeDecision['verdict'];
  /** Every plugin that refuses the node for another reason than the volumes of the pod's claims, the deciding one first. */
  readonly pod: readonly Status[];
  /** The plugin whose word the scheduler tells, if the node is refused. */
  readonly decides: Status | undefined;
  /** What the binder makes of the claim here. */
  readonly claim: ClaimOnNode | undefined;
  /** Where nothing fits: the volume on this node that comes nearest. */
  readonly nearest: { readonly volume: PersistentVolume; readonly failures: readonly Failure[] } | undefined;
}

/** The nodes as a pod and one of its claims see them: those where least is wrong first. */
export function nodesFor(
  decision: PodDecision,
  claim: PersistentVolumeClaim,
  cache: SchedulerCache,
  site: Site,
): readonly OnNode[] {
  const key = claimKey(claim);
  const nearestOn = nearestFinder(claim, cache, site);
  const rows = decision.nodes.map(({ node, verdict, failing, status, claims = [] }): OnNode => {
    const found = claims.find((one) => one.claim === key);
    const isLeftOut = found?.is === 'refused' && found.refusal.is === 'noProvisioner';
    return {
      node,
      verdict,
      pod: failing.filter(({ plugin }) => plugin !== 'VolumeBinding'),
      decides: status,
      claim: found,
      nearest: isLeftOut ? nearestOn(node) : undefined,
    };
  });
  return rows.sort((a, b) => wrongness(a) - wrongness(b) || (a.node < b.node ? -1 : 1));
}

const isGood = (claim: ClaimOnNode | undefined): boolean =>
  claim === undefined || claim.is === 'bound' || claim.is === 'static' || claim.is === 'provision';

/** Nodes with a volume for the claim come first, then those that the pod could use. */
function wrongness({ verdict, pod, claim, nearest }: OnNode): number {
  if (verdict === 'fits') return 0;
  const volume = isGood(claim) ? 0 : nearest === undefined ? 4 : 2;
  return 1 + volume + Math.min(pod.length, 1) * (volume === 0 ? 1 : 3);
}

/** Whether the claim could be served on the node. */
export const servesClaim = ({ claim }: OnNode): boolean => claim !== undefined && isGood(claim);

/** Plugins whose refusal has to do with volumes, besides the binder. */
export const isAboutVolumes = ({ plugin }: Status): boolean =>
  plugin === 'NodeVolumeLimits' || plugin === 'VolumeRestrictions' || plugin === 'VolumeZone';

/** Whether nothing but volumes is in the pod's way on the node. */
export const admitsPod = ({ pod }: OnNode): boolean => pod.every(isAboutVolumes);

type NearestOn = (nodeName: string) => OnNode['nearest'];

/** By the shape of the claim: pods of one workload ask for the same on the same nodes. */
const nearestFinders = new WeakMap<SchedulerCache, Map<string, NearestOn>>();

/** Looks, on a node that has nothing for the claim, for the free volume that comes nearest. */
function nearestFinder(claim: PersistentVolumeClaim, cache: SchedulerCache, site: Site): NearestOn {
  let finder: NearestOn | undefined;
  const finderOfShape = () => {
    const wants = wantsOf(claim);
    const finders = getOrSet(nearestFinders, cache, () => new Map<string, NearestOn>());
    return getOrSet(finders, claimShape(wants), () => newNearestFinder(wants, cache, site));
  };
  return (nodeName) => {
    finder ??= finderOfShape();
    return finder(nodeName);
  };
}

function newNearestFinder(wants: Wants, cache: SchedulerCache, site: Site): NearestOn {
  const free = [...cache.classVolumes(wants.className)]
    .filter(({ spec }) => spec.claimRef === undefined)
    .map((volume) => ({ volume, failures: allFailures('scheduling', wants, volume, site) }))
    .sort(
      (a, b) =>
        a.failures.length - b.failures.length || compareQuantities(volumeCapacity(b.volume), volumeCapacity(a.volume)),
    );
  const found = new Map<string, { readonly nearest: OnNode['nearest'] }>();
  const look = (nodeName: string) => {
    const node = cache.node(nodeName);
    return { nearest: node && free.find(({ volume }) => cache.isVolumeReachable(volume, false, node)) };
  };
  return (nodeName) => getOrSet(found, nodeName, () => look(nodeName)).nearest;
}

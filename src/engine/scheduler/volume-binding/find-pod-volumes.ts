import { claimKey, claimRequest } from '../../../api/accessors.ts';
import { AnnSelectedNode } from '../../../api/annotations.ts';
import { TranslationError } from '../../../api/csi-migration.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../api/objects.ts';
import { compareQuantities } from '../../../api/quantity.ts';
import type { Kind } from '../../../snapshot/kinds.ts';
import type { ClaimOnNode } from '../facts.ts';
import { PluginError, partial, reject, type Status, unknown } from '../framework.ts';
import { isTranslatedOnNode } from '../migrated-on-node.ts';
import type { NodeInfo } from '../node-info.ts';
import type { SchedulerCache } from '../scheduler-cache.ts';
import { checkVolumeProvision } from './check-volume-provisions.ts';
import type { VolumeSearch } from './find-matching-volume.ts';
import type { PodVolumeClaims } from './pod-volume-claims.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/volumebinding/binder.go, FindPodVolumes (1.37); specification
// scheduler-and-provisioning 1.4 to 1.7.

const bindConflict = "node(s) didn't find available persistent volumes to bind";
const notEnoughSpace = 'node(s) did not have enough free storage';
const pvNotExist = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

/** What the binder makes of a pod's claims on one node. Without a status the pod's volumes are in order there. */
export interface PodVolumes {
  readonly claims: readonly ClaimOnNode[];
  readonly status: Status | undefined;
}

export function findPodVolumes(
  cache: SchedulerCache,
  podClaims: PodVolumeClaims,
  searchOf: (claim: PersistentVolumeClaim) => VolumeSearch,
  node: NodeInfo,
): PodVolumes {
  const state: State = {
    claims: [],
    lacks: new Set(),
    boundVolumesSatisfied: true,
    boundPVsFound: true,
    unboundVolumesSatisfied: true,
    sufficientStorage: true,
  };
  try {
    checkBoundClaims(cache, podClaims.bound, node, state);
    bindUnboundClaims(cache, podClaims.unboundDelayBinding, searchOf, node, state);
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    const reasons = [`running "VolumeBinding" filter plugin: ${error.message}`];
    return { claims: state.claims, status: { code: 'Error', plugin: 'VolumeBinding', reasons } };
  }
  const { claims, lacks } = state;
  const reasons = [
    ...(state.boundVolumesSatisfied ? [] : [cache.cluster.features.wording.nodeConflict]),
    ...(state.unboundVolumesSatisfied ? [] : [bindConflict]),
    ...(state.sufficientStorage ? [] : [notEnoughSpace]),
    ...(state.boundPVsFound ? [] : [pvNotExist]),
  ];
  if (reasons.length > 0) {
    const facts = { is: 'claims', claims } as const;
    const rejection = reject('VolumeBinding', 'UnschedulableAndUnresolvable', reasons, facts);
    return { claims, status: partial(rejection, lacks.size > 0) };
  }
  return { claims, status: lacks.size > 0 ? unknown('VolumeBinding', [...lacks]) : undefined };
}

interface State {
  readonly claims: ClaimOnNode[];
  readonly lacks: Set<Kind>;
  boundVolumesSatisfied: boolean;
  boundPVsFound: boolean;
  unboundVolumesSatisfied: boolean;
  sufficientStorage: boolean;
}

/** The first bound claim that fails decides; the others are looked at for the explanation. */
function checkBoundClaims(
  cache: SchedulerCache,
  bound: readonly PersistentVolumeClaim[],
  node: NodeInfo,
  state: State,
): void {
  let isDecided = false;
  for (const pvc of bound) {
    const claim = claimKey(pvc);
    const name = pvc.spec.volumeName ?? '';
    const volume = cache.cluster.volume(name);
    if (volume === undefined) {
      if (cache.cluster.lacks('PersistentVolume')) {
        state.claims.push({ is: 'unknown', claim, lacks: ['PersistentVolume'] });
        state.lacks.add('PersistentVolume');
        continue;
      }
      state.claims.push({ is: 'volumeMissing', claim, volume: name });
      if (!isDecided) state.boundPVsFound = false;
      isDecided = true;
      continue;
    }
    const isTranslated = isTranslatedOnNode(volume, node, cache.cluster);
    const isReached =
      isTranslated === undefined
        ? isReachedEitherWay(cache, volume, node)
        : reaches(cache, volume, isTranslated, node, isDecided);
    if (isReached === undefined) {
      state.claims.push({ is: 'unknown', claim, lacks: ['CSINode'] });
      state.lacks.add('CSINode');
    } else if (isReached) state.claims.push({ is: 'bound', claim, volume: name });
    else {
      state.claims.push({ is: 'outOfReach', claim, volume: name, translated: isTranslated === true });
      if (!isDecided) state.boundVolumesSatisfied = false;
      isDecided = true;
    }
  }
}

/** Undefined if the answer depends on whether the volume is translated. */
function isReachedEitherWay(cache: SchedulerCache, volume: PersistentVolume, node: NodeInfo): boolean | undefined {
  const asItIs = cache.isVolumeReachable(volume, false, node);
  try {
    return cache.isVolumeReachable(volume, true, node) === asItIs ? asItIs : undefined;
  } catch (error) {
    if (error instanceof TranslationError) return undefined;
    throw error;
  }
}

function reaches(
  cache: SchedulerCache,
  volume: PersistentVolume,
  isTranslated: boolean,
  node: NodeInfo,
  isDecided: boolean,
): boolean {
  try {
    return cache.isVolumeReachable(volume, isTranslated, node);
  } catch (error) {
    if (!(error instanceof TranslationError)) throw error;
    // Upstream does not get as far as this volume, so that its translation cannot fail.
    if (isDecided) return false;
    throw new PluginError(`could not translate pv: ${error.message}`);
  }
}

function bindUnboundClaims(
  cache: SchedulerCache,
  unbound: readonly PersistentVolumeClaim[],
  searchOf: (claim: PersistentVolumeClaim) => VolumeSearch,
  node: NodeInfo,
  state: State,
): void {
  const toMatch: PersistentVolumeClaim[] = [];
  const toProvision: ToProvision[] = [];
  for (const claim of unbound) {
    const selectedNode = claim.metadata.annotations?.[AnnSelectedNode];
    if (selectedNode === undefined) toMatch.push(claim);
    else if (selectedNode === node.name) toProvision.push({ claim });
    else {
      // Another node was chosen earlier: nothing else is looked at here.
      state.claims.push({ is: 'selectedElsewhere', claim: claimKey(claim), selectedNode });
      state.unboundVolumesSatisfied = false;
      return;
    }
  }
  toProvision.push(...findMatchingVolumes(cache, toMatch, searchOf, node, state));
  if (toProvision.length > 0) checkVolumeProvisions(cache, toProvision, node, state);
}

/** A claim without an existing volume on the node, and why, where that is known. */
interface ToProvision {
  readonly claim: PersistentVolumeClaim;
  /** A volume that is reserved for it but out of reach. */
  readonly reserved?: string;
  /** Volumes were not collected, so that there may be one after all. */
  readonly mayMatch?: true;
}

/** Small claims choose first; a volume serves one claim of the pod only, and no choice is taken back. */
function findMatchingVolumes(
  cache: SchedulerCache,
  toMatch: readonly PersistentVolumeClaim[],
  searchOf: (claim: PersistentVolumeClaim) => VolumeSearch,
  node: NodeInfo,
  state: State,
): readonly ToProvision[] {
  const bySize =
    toMatch.length < 2 ? toMatch : [...toMatch].sort((a, b) => compareQuantities(claimRequest(a), claimRequest(b)));
  const mayMatch = cache.cluster.lacks('PersistentVolume');
  const chosen = new Set<string>();
  const unmatched: ToProvision[] = [];
  for (const claim of bySize) {
    const match = searchOf(claim).findMatchingVolume(node, chosen);
    if (mayMatch) unmatched.push({ claim, mayMatch });
    else if (match.is === 'found') {
      const volume = match.volume.metadata.name;
      chosen.add(volume);
      state.claims.push({ is: 'static', claim: claimKey(claim), volume, equals: match.equals });
    } else unmatched.push({ claim, ...(match.is === 'outOfReach' ? { reserved: match.volume.metadata.name } : {}) });
  }
  return unmatched;
}

/** The first claim that is refused decides; the others are looked at for the explanation. */
function checkVolumeProvisions(
  cache: SchedulerCache,
  toProvision: readonly ToProvision[],
  node: NodeInfo,
  state: State,
): void {
  let isDecided = false;
  for (const { claim: pvc, reserved, mayMatch } of toProvision) {
    const claim = claimKey(pvc);
    const provisioning = checkVolumeProvision(cache, pvc, node);
    const kept = reserved === undefined ? {} : { reserved };
    if (mayMatch || provisioning.is === 'unknown') {
      const lacks: Kind[] = [
        ...(mayMatch ? (['PersistentVolume'] as const) : []),
        ...(provisioning.is === 'unknown' ? provisioning.lacks : []),
      ];
      state.claims.push({ is: 'unknown', claim, lacks });
      if (provisioning.is !== 'possible') for (const kind of lacks) state.lacks.add(kind);
    } else if (provisioning.is === 'possible') {
      state.claims.push({ is: 'provision', claim, className: provisioning.className, ...kept });
    } else {
      const { refusal } = provisioning;
      state.claims.push({ is: 'refused', claim, refusal, ...kept });
      if (!isDecided && refusal.is === 'capacity') state.sufficientStorage = false;
      else if (!isDecided) state.unboundVolumesSatisfied = false;
      isDecided = true;
    }
  }
}

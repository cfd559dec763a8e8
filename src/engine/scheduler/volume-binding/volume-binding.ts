import { claimKey } from '../../../api/accessors.ts';
import type { PersistentVolumeClaim } from '../../../api/objects.ts';
import { claimClass } from '../../../api/storage-class.ts';
import { wantsOf } from '../../volume-checks.ts';
import type { SchedulerChoose } from '../choice.ts';
import type { PluginFacts } from '../facts.ts';
import {
  type Failure,
  type Plugin,
  PluginError,
  type PreFiltered,
  type Rejection,
  reject,
  skip,
  unknown,
} from '../framework.ts';
import type { PodInfo } from '../pod-info.ts';
import type { SchedulerCache } from '../scheduler-cache.ts';
import { VolumeSearch } from './find-matching-volume.ts';
import { findPodVolumes, type PodVolumes } from './find-pod-volumes.ts';
import { getPodVolumeClaims, isClaimOfPod, notOwner } from './pod-volume-claims.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/volumebinding/volume_binding.go (1.37); specification
// scheduler-and-provisioning 1.2 and 1.4.

/** The plugin, with what it has found on each node that it was asked for. */
export function volumeBinding(
  choose: SchedulerChoose,
): Plugin & { readonly podVolumes: ReadonlyMap<number, PodVolumes> } {
  const podVolumes = new Map<number, PodVolumes>();
  return {
    name: 'VolumeBinding',
    podVolumes,
    preFilter: (cache, pod) => {
      const refused = podHasPVCs(cache, pod);
      if (refused !== undefined) return refused;
      if (pod.claims.length === 0) return skip;
      const podClaims = splitClaims(cache, pod);
      if ('code' in podClaims) return { is: 'rejected', status: podClaims };
      if ('lacks' in podClaims) return { is: 'unknown', status: unknown('VolumeBinding', podClaims.lacks) };
      const immediate = podClaims.unboundImmediate.map(claimKey);
      if (immediate.length > 0) {
        const reason = 'pod has unbound immediate PersistentVolumeClaims';
        return no(reason, { is: 'unboundImmediate', claims: immediate });
      }
      const searchOf = searches(cache, choose);
      return {
        is: 'ready',
        filter: (node) => {
          const found = findPodVolumes(cache, podClaims, searchOf, node);
          podVolumes.set(node.index, found);
          return found.status;
        },
      };
    },
  };
}

/** Why the pod's claims, as they are, make every node pointless; undefined if they do not. */
function podHasPVCs(cache: SchedulerCache, { pod, namespace, claims }: PodInfo): PreFiltered | undefined {
  for (const { claim: name, key, ephemeral } of claims) {
    const claim = cache.claim(key);
    if (claim === undefined) {
      if (cache.cluster.lacks('PersistentVolumeClaim', namespace)) {
        return { is: 'unknown', status: unknown('VolumeBinding', ['PersistentVolumeClaim']) };
      }
      const reason = ephemeral
        ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
        : `persistentvolumeclaim "${name}" not found`;
      return no(reason, { is: 'claimMissing', claim: key, ephemeral });
    }
    if (claim.status?.phase === 'Lost') {
      const volume = claim.spec.volumeName ?? '';
      const reason = `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${volume}"`;
      return no(reason, { is: 'claimLost', claim: key, volume });
    }
    if (claim.metadata.deletionTimestamp !== undefined) {
      return no(`persistentvolumeclaim "${name}" is being deleted`, { is: 'claimTerminating', claim: key });
    }
    if (ephemeral && !isClaimOfPod(claim, pod)) return no(notOwner(key, pod), { is: 'claimNotOwned', claim: key });
  }
  return undefined;
}

function no(
  reason: string,
  facts: PluginFacts['VolumeBinding'],
): { readonly is: 'rejected'; readonly status: Rejection } {
  return { is: 'rejected', status: reject('VolumeBinding', 'UnschedulableAndUnresolvable', reason, facts) };
}

function splitClaims(cache: SchedulerCache, pod: PodInfo): ReturnType<typeof getPodVolumeClaims> | Failure {
  try {
    return getPodVolumeClaims(cache, pod);
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    const reasons = [`running PreFilter plugin "VolumeBinding": ${error.message}`];
    return { code: 'Error', plugin: 'VolumeBinding', reasons };
  }
}

function searches(cache: SchedulerCache, choose: SchedulerChoose): (claim: PersistentVolumeClaim) => VolumeSearch {
  const prepared = new Map<PersistentVolumeClaim, VolumeSearch>();
  return (claim) => {
    let search = prepared.get(claim);
    if (search === undefined) {
      search = new VolumeSearch(wantsOf(claim), cache.classVolumes(claimClass(claim)), cache.cluster.features, choose);
      prepared.set(claim, search);
    }
    return search;
  };
}

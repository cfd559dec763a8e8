import { type ClaimKey, hasAnnotation } from '../../../api/accessors.ts';
import { AnnBindCompleted } from '../../../api/annotations.ts';
import type { PersistentVolumeClaim, Pod } from '../../../api/objects.ts';
import { claimClass } from '../../../api/storage-class.ts';
import type { Kind } from '../../../snapshot/kinds.ts';
import { PluginError } from '../framework.ts';
import { claimVolumesOf, type PodInfo } from '../pod-info.ts';
import type { SchedulerCache } from '../scheduler-cache.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/volumebinding/binder.go, GetPodVolumeClaims (1.37); specification
// scheduler-and-provisioning 1.3.

/** A pod's claims by what is left to do for them, each list in the order of the pod's volumes. */
export interface PodVolumeClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  readonly unboundDelayBinding: readonly PersistentVolumeClaim[];
  readonly unboundImmediate: readonly PersistentVolumeClaim[];
}

/** Splits a pod's claims, all of which exist. Throws PluginError; `lacks` if nobody knows how a class binds. */
export function getPodVolumeClaims(
  cache: SchedulerCache,
  pod: PodInfo,
): PodVolumeClaims | { readonly lacks: readonly Kind[] } {
  const bound: PersistentVolumeClaim[] = [];
  const unboundDelayBinding: PersistentVolumeClaim[] = [];
  const unboundImmediate: PersistentVolumeClaim[] = [];
  for (const { key, ephemeral } of pod.claims) {
    const claim = cache.claim(key);
    if (claim === undefined)
      throw new PluginError(`error getting PVC "${key}": could not find v1.PersistentVolumeClaim "${key}"`);
    if (ephemeral && !isClaimOfPod(claim, pod.pod)) throw new PluginError(notOwner(key, pod.pod));
    if (isFullyBound(claim)) {
      bound.push(claim);
      continue;
    }
    const isDelayed = isDelayBindingMode(cache, claim);
    if (isDelayed === 'unknown') return { lacks: ['StorageClass'] };
    if (isDelayed && !claim.spec.volumeName) unboundDelayBinding.push(claim);
    else unboundImmediate.push(claim);
  }
  return { bound, unboundDelayBinding, unboundImmediate };
}

/** Whether both sides of the binding are written (isPVCFullyBound); the phase is not asked. */
export function isFullyBound(claim: PersistentVolumeClaim): boolean {
  return Boolean(claim.spec.volumeName) && hasAnnotation(claim, AnnBindCompleted);
}

/** Whether every claim of the pod is fully bound, so that nothing is left to the binder (arePodVolumesBound). */
export function arePodVolumesBound(claimOf: (key: ClaimKey) => PersistentVolumeClaim | undefined, pod: Pod): boolean {
  return claimVolumesOf(pod).every(({ key, ephemeral }) => {
    const claim = claimOf(key);
    return claim !== undefined && isFullyBound(claim) && (!ephemeral || isClaimOfPod(claim, pod));
  });
}

// component-helpers storage/volume/pv_helpers.go, IsDelayBindingMode (1.37); specification pv-controller 7.1
function isDelayBindingMode({ cluster }: SchedulerCache, claim: PersistentVolumeClaim): boolean | 'unknown' {
  const className = claimClass(claim);
  if (className === '') return false;
  const storageClass = cluster.storageClass(className);
  if (storageClass === undefined) return cluster.lacks('StorageClass') ? 'unknown' : false;
  if (storageClass.volumeBindingMode === undefined) {
    throw new PluginError(`VolumeBindingMode not set for StorageClass "${className}"`);
  }
  return storageClass.volumeBindingMode === 'WaitForFirstConsumer';
}

/** Whether the claim was made for the pod (component-helpers storage/ephemeral; specification scheduler-and-provisioning 4.1). */
export function isClaimOfPod({ metadata }: PersistentVolumeClaim, pod: Pod): boolean {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller === true);
  return (
    (metadata.namespace ?? '') === (pod.metadata.namespace ?? '') &&
    controller !== undefined &&
    (controller.uid ?? '') === (pod.metadata.uid ?? '')
  );
}

export function notOwner(claim: ClaimKey, { metadata }: Pod): string {
  return `PVC ${claim} was not created for pod ${metadata.namespace ?? ''}/${metadata.name} (pod is not owner)`;
}

import type { ClaimKey } from '../../api/accessors.ts';
import { getOrSet } from '../../api/get-or-set.ts';
import type { ContainerStatus, Pod } from '../../api/objects.ts';

// kubernetes/kubernetes pkg/controller/volume/common/common.go, PodPVCIndexFunc, and pkg/volume/util/util.go,
// IsPodTerminated (1.37); specification pv-controller 1.4.

export type PodIndex = ReadonlyMap<ClaimKey, readonly Pod[]>;

const indexes = new WeakMap<readonly Pod[], PodIndex>();

/** podsByClaim of a list that does not change, made once. */
export function podIndexOf(pods: readonly Pod[]): PodIndex {
  let index = indexes.get(pods);
  if (index === undefined) {
    index = podsByClaim(pods);
    indexes.set(pods, index);
  }
  return index;
}

/** The pods by the claims that they use, those of generic ephemeral volumes included. */
export function podsByClaim(pods: Iterable<Pod>): PodIndex {
  const index = new Map<ClaimKey, Pod[]>();
  for (const pod of pods) {
    for (const key of claimsOfPod(pod)) {
      getOrSet(index, key, () => []).push(pod);
    }
  }
  return index;
}

/** The keys of the claims that a pod uses, each once. */
export function claimsOfPod(pod: Pod): readonly ClaimKey[] {
  const names = new Set<string>();
  for (const volume of pod.spec.volumes ?? []) {
    if (volume.persistentVolumeClaim !== undefined) names.add(volume.persistentVolumeClaim.claimName);
    else if (volume.ephemeral !== undefined) names.add(`${pod.metadata.name}-${volume.name}`);
  }
  return [...names].map((name) => `${pod.metadata.namespace ?? ''}/${name}`);
}

/** Failed, succeeded, or being deleted with no container running. */
export function isPodTerminated(pod: Pod): boolean {
  const { phase, containerStatuses, initContainerStatuses, ephemeralContainerStatuses } = pod.status ?? {};
  if (phase === 'Failed' || phase === 'Succeeded') return true;
  if (pod.metadata.deletionTimestamp === undefined) return false;
  return [initContainerStatuses, containerStatuses, ephemeralContainerStatuses].every((list) =>
    (list ?? []).every(isNotRunning),
  );
}

const isNotRunning = ({ state }: ContainerStatus): boolean =>
  state?.terminated !== undefined || state?.waiting !== undefined;

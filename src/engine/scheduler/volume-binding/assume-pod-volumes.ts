import { AnnSelectedNode } from '../../../api/annotations.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../api/objects.ts';
import { getBindVolumeToClaim } from '../../pv-controller/bind.ts';
import type { SchedulerCluster } from '../cluster.ts';
import type { ClaimOnNode } from '../facts.ts';

/** What the binder writes when a pod has got its node: whole objects, those only that change. */
export interface VolumeWrites {
  /** Volumes that now point at their claims. */
  readonly volumes: readonly PersistentVolume[];
  /** Claims that now name the selected node. */
  readonly claims: readonly PersistentVolumeClaim[];
}

/**
 * The writes that carry out what a decision says of a pod's claims on the node. The PersistentVolume controller does the rest: it
 * completes the bindings and has the other claims provisioned.
 */
// kubernetes/kubernetes pkg/scheduler/framework/plugins/volumebinding/binder.go, AssumePodVolumes and bindAPIUpdate (1.37);
// specification scheduler-and-provisioning 1.11 and 1.12
export function assumePodVolumes(
  cluster: Pick<SchedulerCluster, 'claim' | 'volume'>,
  nodeName: string,
  podVolumes: readonly ClaimOnNode[],
): VolumeWrites {
  const volumes: PersistentVolume[] = [];
  const claims: PersistentVolumeClaim[] = [];
  for (const decided of podVolumes) {
    const claim = cluster.claim(decided.claim);
    if (claim === undefined) continue;
    if (decided.is === 'static') {
      const volume = cluster.volume(decided.volume);
      const bound = volume && getBindVolumeToClaim(volume, claim);
      if (bound !== undefined && bound !== volume) volumes.push(bound);
    } else if (decided.is === 'provision' && claim.metadata.annotations?.[AnnSelectedNode] !== nodeName) {
      const annotations = { ...claim.metadata.annotations, [AnnSelectedNode]: nodeName };
      claims.push({ ...claim, metadata: { ...claim.metadata, annotations } });
    }
  }
  return { volumes, claims };
}

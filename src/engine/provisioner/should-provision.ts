import {
  AnnBetaStorageProvisioner,
  AnnMigratedTo,
  AnnSelectedNode,
  AnnStorageProvisioner,
} from '../../api/annotations.ts';
import { inTreeNameFromCSI } from '../../api/csi-migration.ts';
import type { PersistentVolumeClaim, StorageClass } from '../../api/objects.ts';
import { claimClass } from '../../api/storage-class.ts';

/** Why a provisioner leaves a claim alone, without a word. */
export type Ignored =
  | { readonly is: 'namesVolume'; readonly volume: string }
  /** The controller has not handed the claim over yet. */
  | { readonly is: 'notHandedOver' }
  /** The controller handed it to somebody else; the class was recreated since. */
  | { readonly is: 'otherProvisioner'; readonly provisioner: string }
  | { readonly is: 'classMissing'; readonly class: string }
  | { readonly is: 'noSelectedNode' };

/** Whether the provisioner of a driver takes up a claim; undefined if it does. */
// sig-storage-lib-external-provisioner controller/controller.go, shouldProvision, and external-provisioner
// pkg/controller/controller.go, ShouldProvision (library 13.0, provisioner 6.3); specification scheduler-and-provisioning 5.1
export function ignoredBy(
  driver: string,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass | undefined,
): Ignored | undefined {
  const { annotations = {} } = claim.metadata;
  if ((claim.spec.volumeName ?? '') !== '') return { is: 'namesVolume', volume: claim.spec.volumeName as string };
  const provisioner = annotations[AnnStorageProvisioner] ?? annotations[AnnBetaStorageProvisioner];
  if (provisioner === undefined) return { is: 'notHandedOver' };
  const isOurs = provisioner === driver || annotations[AnnMigratedTo] === driver;
  if (!isOurs || (provisioner !== driver && provisioner !== inTreeNameFromCSI(driver))) {
    return { is: 'otherProvisioner', provisioner };
  }
  if (storageClass === undefined) return { is: 'classMissing', class: claimClass(claim) };
  const isDelayed = storageClass.volumeBindingMode === 'WaitForFirstConsumer';
  if (isDelayed && (annotations[AnnSelectedNode] ?? '') === '') return { is: 'noSelectedNode' };
  return undefined;
}

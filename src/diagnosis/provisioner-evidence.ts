import { AnnDynamicallyProvisioned } from '../api/annotations.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Whether a provisioner is known to be there, known to be missing, or not to be told. */
export type ProvisionerEvidence = 'there' | 'missing' | 'unknown';

/** What the cluster's objects tell about an external provisioner. */
// specification scheduler-and-provisioning 5.9
export function provisionerEvidence(snapshot: Snapshot, provisioner: string): ProvisionerEvidence {
  const isListed = snapshot
    .list('CSINode')
    .some(({ spec }) => spec?.drivers?.some((driver) => driver.name === provisioner));
  if (snapshot.get('CSIDriver', provisioner) !== undefined || isListed) return 'there';
  // A driver of the CSI kind shows itself by one of the two; other provisioners only by what they made.
  const isDriverName = !provisioner.includes('/');
  const isTold = snapshot.list('CSIDriver').length > 0 || snapshot.list('CSINode').length > 0;
  if (isDriverName && isTold) return 'missing';
  const hasMade = snapshot
    .list('PersistentVolume')
    .some(({ metadata }) => metadata.annotations?.[AnnDynamicallyProvisioned] === provisioner);
  return hasMade ? 'there' : 'unknown';
}

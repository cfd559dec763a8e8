import {
  AnnBetaStorageProvisioner,
  AnnDynamicallyProvisioned,
  AnnMigratedTo,
  AnnStorageProvisioner,
  ExternalProvisionerFinalizer,
  InTreeFinalizer,
} from '../../api/annotations.ts';
import { csiNameFromInTree, isMigrated } from '../../api/csi-migration.ts';
import type { Features } from '../../api/features.ts';
import type { Annotations, PersistentVolume, PersistentVolumeClaim } from '../../api/objects.ts';
import { ApiError } from '../world.ts';
import { storeClaim, storeVolume } from './bind.ts';
import type { Controller } from './controller.ts';
import { SyncError } from './sync-error.ts';

// kubernetes/kubernetes pkg/controller/volume/persistentvolume/pv_controller_base.go (1.37); specification pv-controller 3.6, 9.2.

/** Writes the claim's migration annotation if it is not as it should be. Returns the claim as stored. Throws SyncError. */
export function updateClaimMigrationAnnotations(ctrl: Controller, claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const annotations = updateMigrationAnnotations(ctrl.features, claim.metadata.annotations, 'claim');
  if (annotations === claim.metadata.annotations) return claim;
  ctrl.took({ at: 'syncClaim', took: 'annealed' });
  const changed = { ...claim, metadata: { ...claim.metadata, ...(annotations === undefined ? {} : { annotations }) } };
  return annealing("can't anneal migration annotations", () => storeClaim(ctrl, ctrl.world.updateClaim(changed)));
}

/** Writes the volume's migration annotation and deletion finalizers if they are not as they should be. Returns the volume as stored. Throws SyncError. */
export function updateVolumeMigrationAnnotationsAndFinalizers(
  ctrl: Controller,
  volume: PersistentVolume,
): PersistentVolume {
  const annotations = updateMigrationAnnotations(ctrl.features, volume.metadata.annotations, 'volume');
  const finalizers = ctrl.features.honorPVReclaimPolicy
    ? modifyDeletionFinalizers(ctrl.features, volume)
    : volume.metadata.finalizers;
  if (annotations === volume.metadata.annotations && finalizers === volume.metadata.finalizers) return volume;
  ctrl.took({ at: 'syncVolume', took: 'annealed' });
  const { annotations: _annotations, finalizers: _finalizers, ...rest } = volume.metadata;
  const metadata = {
    ...rest,
    ...(annotations === undefined ? {} : { annotations }),
    ...(finalizers === undefined || finalizers.length === 0 ? {} : { finalizers }),
  };
  return annealing("can't anneal migration annotations or finalizer", () =>
    storeVolume(ctrl, ctrl.world.updateVolume({ ...volume, metadata })),
  );
}

function annealing<T>(what: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof ApiError) throw new SyncError(`persistent Volume Controller ${what}: ${error.message}`);
    throw error;
  }
}

/** The annotations with pv.kubernetes.io/migrated-to as migration wants it; the same map if it is so already. */
export function updateMigrationAnnotations(
  features: Features,
  annotations: Annotations | undefined,
  of: 'claim' | 'volume',
): Annotations | undefined {
  if (annotations === undefined) return annotations;
  const provisioner =
    of === 'claim'
      ? (annotations[AnnStorageProvisioner] ?? annotations[AnnBetaStorageProvisioner])
      : annotations[AnnDynamicallyProvisioned];
  // Not provisioned dynamically: a migrated-to annotation that strayed here is left alone.
  if (provisioner === undefined) return annotations;
  const migratedTo = annotations[AnnMigratedTo];
  if (isMigrated(provisioner, features)) {
    const driver = csiNameFromInTree(provisioner);
    return driver === undefined || migratedTo === driver ? annotations : { ...annotations, [AnnMigratedTo]: driver };
  }
  if (migratedTo === undefined || migratedTo === '') return annotations;
  const { [AnnMigratedTo]: _removed, ...rest } = annotations;
  return rest;
}

/** The finalizers with those that protect storage until it is reclaimed; the same list if it is so already. */
export function modifyDeletionFinalizers(features: Features, volume: PersistentVolume): readonly string[] | undefined {
  const provisioner = volume.metadata.annotations?.[AnnDynamicallyProvisioned];
  const before = volume.metadata.finalizers;
  if (provisioner === undefined) return before;
  if (isMigrated(provisioner, features)) return without(before, InTreeFinalizer);
  if (!provisioner.startsWith('kubernetes.io/')) return before;
  const policy = volume.spec.persistentVolumeReclaimPolicy;
  let after = before;
  if (policy === 'Delete') {
    if (!before?.includes(InTreeFinalizer)) after = [...(before ?? []), InTreeFinalizer];
  } else if (policy === 'Retain' || policy === 'Recycle') {
    after = without(before, InTreeFinalizer);
  }
  return without(after, ExternalProvisionerFinalizer);
}

export function without(finalizers: readonly string[] | undefined, finalizer: string): readonly string[] | undefined {
  return finalizers?.includes(finalizer) ? finalizers.filter((one) => one !== finalizer) : finalizers;
}

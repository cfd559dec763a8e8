import { claimKey, hasAnnotation } from '../../api/accessors.ts';
import {
  AnnBetaStorageProvisioner,
  AnnBoundByController,
  AnnDynamicallyProvisioned,
  AnnSelectedNode,
  AnnStorageProvisioner,
  InTreeFinalizer,
} from '../../api/annotations.ts';
import { csiNameFromInTree, isMigrated } from '../../api/csi-migration.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../api/objects.ts';
import { claimClass } from '../../api/storage-class.ts';
import { ApiError } from '../world.ts';
import { referenceTo, storeClaim, withAnnotation, withoutAnnotation } from './bind.ts';
import type { Controller } from './controller.ts';
import { messages, quoted } from './messages.ts';
import { updateMigrationAnnotations } from './metadata.ts';
import type { Provisioner, VolumePlugin } from './plugins.ts';
import { doDeleteVolume, findDeletablePlugin } from './reclaim.ts';
import { SyncError } from './sync-error.ts';

// kubernetes/kubernetes pkg/controller/volume/persistentvolume/pv_controller.go (1.37); specification pv-controller 6.

/** How often the creation of a provisioned volume, and its clean-up, are tried (createProvisionedPVRetryCount). */
const tries = 5;

type Found =
  | { readonly is: 'internal'; readonly plugin: VolumePlugin; readonly storageClass: StorageClass }
  | { readonly is: 'external'; readonly storageClass: StorageClass }
  | { readonly is: 'none'; readonly cause: string };

/** Starts provisioning for a claim, or tells why that cannot be. Throws Blocked. */
export function provisionClaim(ctrl: Controller, claim: PersistentVolumeClaim): void {
  if (!ctrl.dynamicProvisioning) {
    ctrl.took({ at: 'provisionClaim', took: 'disabled' });
    return;
  }
  const found = findProvisionablePlugin(ctrl, claim);
  if (found.is === 'none') {
    ctrl.took({ at: 'provisionClaim', took: 'noProvisioner', class: claimClass(claim), cause: found.cause });
    ctrl.event(claim, 'Warning', 'ProvisioningFailed', found.cause);
    return;
  }
  const { storageClass } = found;
  ctrl.took({ at: 'provisionClaim', took: found.is, provisioner: storageClass.provisioner ?? '' });
  ctrl.scheduleOperation(`provision-${claimKey(claim)}[${claim.metadata.uid}]`, () => {
    if (found.is === 'external') provisionClaimOperationExternal(ctrl, claim, storageClass);
    else provisionClaimOperation(ctrl, claim, found.plugin, storageClass);
  });
}

function findProvisionablePlugin(ctrl: Controller, claim: PersistentVolumeClaim): Found {
  const className = claimClass(claim);
  const storageClass = ctrl.world.storageClass(className);
  if (storageClass === undefined) return { is: 'none', cause: messages.classNotFound(className) };
  const provisioner = storageClass.provisioner ?? '';
  if (isMigrated(provisioner, ctrl.features)) return { is: 'external', storageClass };
  const plugin = ctrl.plugins.find((one) => one.name === provisioner);
  if (plugin?.newProvisioner !== undefined) return { is: 'internal', plugin, storageClass };
  if (!provisioner.startsWith('kubernetes.io/')) return { is: 'external', storageClass };
  const cause = plugin === undefined ? messages.noPluginMatchedName(provisioner) : messages.noProvisionablePlugin;
  return { is: 'none', cause };
}

/** Tells an external provisioner, by an annotation, that the claim is waiting for it. Throws ApiError. */
function provisionClaimOperationExternal(
  ctrl: Controller,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
): void {
  const named = storageClass.provisioner ?? '';
  const provisioner = isMigrated(named, ctrl.features) ? (csiNameFromInTree(named) as string) : named;
  let stored: PersistentVolumeClaim;
  try {
    stored = setClaimProvisioner(ctrl, claim, provisioner);
  } catch (error) {
    if (error instanceof ApiError) {
      ctrl.took({ at: 'provisionClaimOperation', took: 'failed', cause: error.message });
      ctrl.event(claim, 'Warning', 'ProvisioningFailed', messages.errorSavingClaim(error.message));
    }
    throw error;
  }
  const text = ctrl.features.rewordedExternalProvisioning
    ? messages.externalProvisioning
    : messages.externalProvisioningOld;
  ctrl.event(stored, 'Normal', 'ExternalProvisioning', text(provisioner));
}

function setClaimProvisioner(
  ctrl: Controller,
  claim: PersistentVolumeClaim,
  provisioner: string,
): PersistentVolumeClaim {
  if (claim.metadata.annotations?.[AnnStorageProvisioner] === provisioner) return claim;
  const annotated = withAnnotation(
    withAnnotation(claim, AnnBetaStorageProvisioner, provisioner),
    AnnStorageProvisioner,
    provisioner,
  );
  const annotations = updateMigrationAnnotations(ctrl.features, annotated.metadata.annotations, 'claim') ?? {};
  return storeClaim(ctrl, ctrl.world.updateClaim({ ...annotated, metadata: { ...annotated.metadata, annotations } }));
}

/** Has a plugin of the controller make the volume. Throws SyncError, ApiError. */
// specification pv-controller 6.3
function provisionClaimOperation(
  ctrl: Controller,
  claimBefore: PersistentVolumeClaim,
  plugin: VolumePlugin,
  storageClass: StorageClass,
): void {
  const fail = (claim: PersistentVolumeClaim, message: string, cause = message): never => {
    ctrl.took({ at: 'provisionClaimOperation', took: 'failed', cause: message });
    ctrl.event(claim, 'Warning', 'ProvisioningFailed', message);
    throw new SyncError(cause);
  };

  if (plugin.name !== 'kubernetes.io/csi' && claimBefore.spec.dataSource !== undefined) {
    fail(claimBefore, messages.notCSI(plugin.name));
  }
  const claim = setClaimProvisioner(ctrl, claimBefore, storageClass.provisioner ?? '');

  const volumeName = `pvc-${claim.metadata.uid ?? ''}`;
  if (ctrl.world.hasVolume(volumeName)) {
    ctrl.took({ at: 'provisionClaimOperation', took: 'exists', volume: volumeName });
    return;
  }
  const className = storageClass.metadata.name;
  const mountOptions = storageClass.mountOptions ?? [];
  if (!plugin.supportsMountOptions && mountOptions.length > 0) {
    fail(
      claim,
      messages.mountOptions(className, mountOptions),
      `provisioner ${quoted(plugin.name)} doesn't support mount options`,
    );
  }
  const provision = attempt(
    () => plugin.newProvisioner?.(storageClass) as Provisioner,
    (cause) => fail(claim, messages.createProvisioner(cause), cause),
  );
  const selectedNode = claim.metadata.annotations?.[AnnSelectedNode];
  if (
    selectedNode !== undefined &&
    !ctrl.world.surroundings.nodes.some((node) => node.metadata.name === selectedNode)
  ) {
    ctrl.world.require('Node');
    fail(claim, messages.getNode(`node ${quoted(selectedNode)} not found`));
  }
  const made = attempt(
    () => provision(claim),
    (cause) => {
      rescheduleProvisioning(ctrl, claim);
      fail(claim, messages.provision(className, cause), cause);
    },
  );

  const volume = provisionedVolume(made, volumeName, claim, plugin);
  const refusal = createProvisionedVolume(ctrl, volume);
  if (refusal === undefined) {
    ctrl.took({ at: 'provisionClaimOperation', took: 'created', volume: volume.metadata.name });
    ctrl.event(claim, 'Normal', 'ProvisioningSucceeded', messages.provisioned(volume.metadata.name, plugin.name));
    return;
  }
  ctrl.took({ at: 'provisionClaimOperation', took: 'failed', cause: refusal });
  ctrl.event(claim, 'Warning', 'ProvisioningFailed', messages.createVolume(claimKey(claim), refusal));
  const leftover = cleanUp(ctrl, volume);
  if (leftover !== undefined) {
    ctrl.event(claim, 'Warning', 'ProvisioningCleanupFailed', messages.cleanUp(claimKey(claim), leftover));
  }
}

function provisionedVolume(
  made: ReturnType<Provisioner>,
  name: string,
  claim: PersistentVolumeClaim,
  plugin: VolumePlugin,
): PersistentVolume {
  const isDeleted = made.spec.persistentVolumeReclaimPolicy === 'Delete';
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      ...made.metadata,
      name: made.metadata.name === '' ? name : made.metadata.name,
      annotations: {
        ...made.metadata.annotations,
        [AnnBoundByController]: 'yes',
        [AnnDynamicallyProvisioned]: plugin.name,
      },
      ...(isDeleted ? { finalizers: [InTreeFinalizer] } : {}),
    },
    spec: { ...made.spec, claimRef: referenceTo(claim), storageClassName: claimClass(claim) },
  };
}

/** Stores the volume; the last refusal if every try was refused. A volume that exists already counts as stored. */
function createProvisionedVolume(ctrl: Controller, volume: PersistentVolume): string | undefined {
  let refusal: string | undefined;
  for (let i = 0; i < tries; i++) {
    try {
      ctrl.storeVolumeUpdate(ctrl.world.createVolume(volume));
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason === 'AlreadyExists') return undefined;
      refusal = error.message;
    }
  }
  return refusal;
}

/** Deletes the storage of a volume that could not be stored; the last error if that failed every time. */
function cleanUp(ctrl: Controller, volume: PersistentVolume): string | undefined {
  const found = findDeletablePlugin(ctrl, volume);
  if ('error' in found) return found.error;
  const { plugin } = found;
  if (plugin === undefined) return undefined;
  let last: string | undefined;
  // Up to 1.35 only the last step, taking off the finalizer, is tried again.
  const isRepeated = (error: Error) => ctrl.features.retriesProvisioningCleanup || error instanceof ApiError;
  for (let i = 0; i < tries; i++) {
    try {
      doDeleteVolume(ctrl, volume, plugin);
      return undefined;
    } catch (error) {
      if (!(error instanceof SyncError) && !(error instanceof ApiError)) throw error;
      last = error.message;
      if (!isRepeated(error)) break;
    }
  }
  return last;
}

/** Takes the node off the claim so that the scheduler chooses again; a failed write is only logged. */
function rescheduleProvisioning(ctrl: Controller, claim: PersistentVolumeClaim): void {
  if (!hasAnnotation(claim, AnnSelectedNode)) return;
  try {
    storeClaim(ctrl, ctrl.world.updateClaim(withoutAnnotation(claim, AnnSelectedNode)));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

function attempt<T>(action: () => T, otherwise: (cause: string) => void): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof SyncError) otherwise(error.message);
    throw error;
  }
}

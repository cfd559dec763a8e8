import { hasAnnotation, reservedFor } from '../../api/accessors.ts';
import { AnnDynamicallyProvisioned, AnnMigratedTo, InTreeFinalizer } from '../../api/annotations.ts';
import type { PersistentVolume } from '../../api/objects.ts';
import { ApiError } from '../world.ts';
import { unbindVolume, updateVolumePhaseWithEvent } from './bind.ts';
import type { Controller } from './controller.ts';
import { messages } from './messages.ts';
import { without } from './metadata.ts';
import type { VolumePlugin } from './plugins.ts';
import { isPodTerminated } from './pod-index.ts';
import { SyncError } from './sync-error.ts';

// kubernetes/kubernetes pkg/controller/volume/persistentvolume/pv_controller.go (1.37); specification pv-controller 3.2 to 3.5.

/** What becomes of a volume whose claim is gone. Throws SyncError, ApiError. */
export function reclaimVolume(ctrl: Controller, volume: PersistentVolume): void {
  if ((volume.metadata.annotations?.[AnnMigratedTo] ?? '') !== '') {
    ctrl.took({ at: 'reclaimVolume', took: 'migrated' });
    return;
  }
  const { name, uid } = volume.metadata;
  switch (volume.spec.persistentVolumeReclaimPolicy) {
    case 'Retain':
      ctrl.took({ at: 'reclaimVolume', took: 'retain' });
      break;
    case 'Recycle':
      ctrl.took({ at: 'reclaimVolume', took: 'recycle' });
      ctrl.scheduleOperation(`recycle-${name}[${uid}]`, () => recycleVolumeOperation(ctrl, volume));
      break;
    case 'Delete':
      ctrl.took({ at: 'reclaimVolume', took: 'delete' });
      ctrl.scheduleOperation(`delete-${name}[${uid}]`, () => deleteVolumeOperation(ctrl, volume));
      break;
    default:
      ctrl.took({ at: 'reclaimVolume', took: 'unknownPolicy' });
      updateVolumePhaseWithEvent(
        ctrl,
        volume,
        'Failed',
        'Warning',
        'VolumeUnknownReclaimPolicy',
        messages.unknownReclaimPolicy,
      );
  }
}

function deleteVolumeOperation(ctrl: Controller, volume: PersistentVolume): void {
  // Since 1.36 the deleter is looked up before the volume is read again, and a failed look-up does not back off.
  if (ctrl.features.deleterLookupFirst) {
    const plugin = findDeletablePluginOrFail(ctrl, volume);
    if (plugin !== undefined && isStillReleased(ctrl, volume)) deleteVolume(ctrl, volume, plugin);
    return;
  }
  if (!isStillReleased(ctrl, volume)) return;
  const plugin = findDeletablePluginOrFail(ctrl, volume);
  if (plugin !== undefined) deleteVolume(ctrl, volume, plugin);
}

/** The plugin that deletes the volume; undefined if that is somebody else's business, or if none can and the volume is Failed now. */
function findDeletablePluginOrFail(ctrl: Controller, volume: PersistentVolume): VolumePlugin | undefined {
  const found = findDeletablePlugin(ctrl, volume);
  if ('error' in found) {
    ctrl.took({ at: 'deleteVolumeOperation', took: 'noPlugin', cause: found.error });
    updateVolumePhaseWithEvent(ctrl, volume, 'Failed', 'Warning', 'VolumeFailedDelete', found.error);
    if (!ctrl.features.deleterLookupFirst) throw new SyncError(found.error);
    return undefined;
  }
  if (found.plugin === undefined) ctrl.took({ at: 'deleteVolumeOperation', took: 'external' });
  return found.plugin;
}

function isStillReleased(ctrl: Controller, volume: PersistentVolume): boolean {
  const { name } = volume.metadata;
  if (!ctrl.world.hasVolume(name)) {
    ctrl.took({ at: 'deleteVolumeOperation', took: 'gone' });
    return false;
  }
  if (isVolumeReleased(ctrl, ctrl.world.volume(name) as PersistentVolume)) return true;
  ctrl.took({ at: 'deleteVolumeOperation', took: 'notReleased' });
  return false;
}

function deleteVolume(ctrl: Controller, volume: PersistentVolume, plugin: VolumePlugin): void {
  try {
    doDeleteVolume(ctrl, volume, plugin);
  } catch (error) {
    if (error instanceof VolumeInUseError) {
      ctrl.took({ at: 'deleteVolumeOperation', took: 'inUse' });
      ctrl.event(volume, 'Normal', 'VolumeDelete', error.message);
    } else if (error instanceof SyncError || error instanceof ApiError) {
      ctrl.took({ at: 'deleteVolumeOperation', took: 'failed', cause: error.message });
      updateVolumePhaseWithEvent(ctrl, volume, 'Failed', 'Warning', 'VolumeFailedDelete', error.message);
    }
    throw error;
  }
  ctrl.took({ at: 'deleteVolumeOperation', took: 'deleted' });
  // A deletion that the API server refuses is only logged: the next sync tries again.
  if (ctrl.world.hasVolume(volume.metadata.name)) ctrl.world.deleteVolume(volume.metadata.name);
}

/** The storage is still attached somewhere: the deleter wants to be asked again later. */
export class VolumeInUseError extends SyncError {}

/** Deletes the storage and takes off the finalizer that protected it. Throws SyncError, ApiError. */
export function doDeleteVolume(ctrl: Controller, volume: PersistentVolume, plugin: VolumePlugin): void {
  let remove: () => void;
  try {
    remove = plugin.newDeleter?.(volume) as () => void;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    throw new SyncError(messages.createDeleter(volume.metadata.name, error.message));
  }
  remove();
  removeDeletionProtectionFinalizer(ctrl, volume.metadata.name);
}

function removeDeletionProtectionFinalizer(ctrl: Controller, name: string): void {
  const volume = ctrl.world.readVolume(name);
  const finalizers = without(volume.metadata.finalizers, InTreeFinalizer);
  if (finalizers === volume.metadata.finalizers || finalizers === undefined) return;
  const changed = { ...volume, metadata: { ...volume.metadata, finalizers } };
  try {
    ctrl.world.updateVolume(changed);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new SyncError(`persistent volume controller can't update finalizer: ${error.message}`);
  }
  ctrl.storeVolumeUpdate(changed);
}

/** Who deletes the storage of a volume: a plugin, somebody outside (no plugin), or nobody (an error). */
// specification pv-controller 9.4
export function findDeletablePlugin(
  ctrl: Controller,
  volume: PersistentVolume,
): { plugin?: VolumePlugin } | { error: string } {
  const provisioner = volume.metadata.annotations?.[AnnDynamicallyProvisioned] ?? '';
  if (provisioner !== '') {
    const plugin = ctrl.plugins.find((one) => one.name === provisioner);
    if (plugin?.newDeleter !== undefined) return { plugin };
    if (!provisioner.startsWith('kubernetes.io/')) return {};
    const cause = plugin === undefined ? messages.noPluginMatchedName(provisioner) : messages.noDeletablePlugin;
    return { error: cause };
  }
  if (ctrl.features.externalDeleterForStaticCSI) {
    if (hasAnnotation(volume, AnnMigratedTo)) return {};
    if (volume.spec.csi !== undefined) return {};
  }
  const plugin = ctrl.plugins.find((one) => one.canSupport(volume));
  if (plugin?.newDeleter !== undefined) return { plugin };
  const cause = plugin === undefined ? messages.noPluginMatched : messages.noDeletablePlugin;
  return { error: messages.deleterPlugin(volume.metadata.name, cause) };
}

/** Whether no claim has the volume any more, as far as the controller's own cache knows. */
// specification pv-controller 3.5
function isVolumeReleased(ctrl: Controller, volume: PersistentVolume): boolean {
  const uid = volume.spec.claimRef?.uid ?? '';
  if (uid === '') return false;
  const claim = ctrl.claims.get(reservedFor(volume) as string);
  if (claim === undefined || claim.metadata.uid !== uid) return true;
  const volumeName = claim.spec.volumeName ?? '';
  return volumeName !== '' && volumeName !== volume.metadata.name;
}

// specification pv-controller 3.4
function recycleVolumeOperation(ctrl: Controller, volumeBefore: PersistentVolume): void {
  const { name } = volumeBefore.metadata;
  if (!ctrl.world.hasVolume(name)) {
    ctrl.took({ at: 'recycleVolumeOperation', took: 'gone' });
    return;
  }
  const volume = ctrl.world.readVolume(name);
  if (!isVolumeReleased(ctrl, volume)) {
    ctrl.took({ at: 'recycleVolumeOperation', took: 'notReleased' });
    return;
  }
  const key = reservedFor(volume) as string;
  const pods = podsUsing(ctrl, key);
  // A claim of that name must be a newer one, with a volume of its own: pods that use it do not use this volume.
  if (pods.length > 0 && !ctrl.claims.has(key)) {
    ctrl.took({ at: 'recycleVolumeOperation', took: 'usedByPods', pods });
    ctrl.event(volumeBefore, 'Normal', 'VolumeFailedRecycle', messages.usedByPods(pods));
    return;
  }
  const plugin = ctrl.plugins.find((one) => one.canSupport(volume));
  // What the operation cannot write it tries again at the next sync: it never returns an error, so it never backs off.
  try {
    if (plugin?.recycle === undefined) {
      ctrl.took({ at: 'recycleVolumeOperation', took: 'noPlugin' });
      updateVolumePhaseWithEvent(ctrl, volume, 'Failed', 'Warning', 'VolumeFailedRecycle', messages.noRecycler);
      return;
    }
    const cause = causeOfFailure(() => plugin.recycle?.(volume));
    if (cause !== undefined) {
      ctrl.took({ at: 'recycleVolumeOperation', took: 'failed', cause });
      updateVolumePhaseWithEvent(ctrl, volume, 'Failed', 'Warning', 'VolumeFailedRecycle', `Recycle failed: ${cause}`);
      return;
    }
    ctrl.took({ at: 'recycleVolumeOperation', took: 'recycled' });
    ctrl.event(volume, 'Normal', 'VolumeRecycled', messages.recycled);
    unbindVolume(ctrl, volume);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

function causeOfFailure(action: () => void): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof SyncError) return error.message;
    throw error;
  }
}

/** The pods that use a claim and have not ended, sorted, "namespace/name". */
function podsUsing(ctrl: Controller, key: string): readonly string[] {
  return (ctrl.pods.get(key) ?? [])
    .filter((pod) => !isPodTerminated(pod))
    .map((pod) => `${pod.metadata.namespace}/${pod.metadata.name}`)
    .sort();
}

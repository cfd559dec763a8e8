import { hasAnnotation, isVolumeBoundToClaim, volumeCapacity } from '../../api/accessors.ts';
import { AnnBindCompleted, AnnBoundByController, AnnPreResizeCapacity } from '../../api/annotations.ts';
import type { ObjectReference, PersistentVolume, PersistentVolumeClaim } from '../../api/objects.ts';
import { canonicalQuantity, compareQuantities, parseQuantity, QuantityError } from '../../api/quantity.ts';
import type { Controller } from './controller.ts';
import { type EventReason, type EventType, quoted } from './messages.ts';
import { SyncError } from './sync-error.ts';

// kubernetes/kubernetes pkg/controller/volume/persistentvolume/pv_controller.go (1.37); specification pv-controller 5.

/**
 * Binds a volume and a claim by four writes, stopping at the first that fails; whatever has been written, a later sync takes up
 * where this one stopped. Checks nothing. Throws ApiError or SyncError.
 */
export function bind(ctrl: Controller, volume: PersistentVolume, claim: PersistentVolumeClaim): void {
  const boundVolume = bindVolumeToClaim(ctrl, volume, claim);
  ctrl.took({ at: 'bind', took: 'volume', written: boundVolume !== volume });
  const volumeWithStatus = updateVolumePhase(ctrl, boundVolume, 'Bound', '');
  ctrl.took({ at: 'bind', took: 'volumeStatus', written: volumeWithStatus !== boundVolume });
  const boundClaim = bindClaimToVolume(ctrl, claim, volumeWithStatus);
  ctrl.took({ at: 'bind', took: 'claim', written: boundClaim !== claim });
  const claimWithStatus = updateClaimStatus(ctrl, boundClaim, 'Bound', volumeWithStatus);
  ctrl.took({ at: 'bind', took: 'claimStatus', written: claimWithStatus !== boundClaim });
}

function bindVolumeToClaim(ctrl: Controller, volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const bound = getBindVolumeToClaim(volume, claim);
  if (bound === volume) return volume;
  return storeVolume(ctrl, ctrl.world.updateVolume(bound));
}

/**
 * The volume as it is when it points at the claim; the same object if it does so already. The scheduler's binder uses it, too.
 */
// component-helpers storage/volume/pv_helpers.go, GetBindVolumeToClaim (1.37); specification pv-controller 5.2
export function getBindVolumeToClaim(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  let bound = volume;
  const shouldSetBoundByController = !isVolumeBoundToClaim(volume, claim);
  const ref = volume.spec.claimRef;
  const { name, namespace, uid } = claim.metadata;
  if (ref === undefined || ref.name !== name || ref.namespace !== namespace || (ref.uid ?? '') !== (uid ?? '')) {
    bound = { ...bound, spec: { ...bound.spec, claimRef: referenceTo(claim) } };
  }
  if (shouldSetBoundByController && !hasAnnotation(bound, AnnBoundByController)) {
    bound = withAnnotation(bound, AnnBoundByController, 'yes');
  }
  return bound;
}

function bindClaimToVolume(
  ctrl: Controller,
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
): PersistentVolumeClaim {
  let bound = claim;
  // A claim that named its volume itself never gets the mark of the controller.
  if ((claim.spec.volumeName ?? '') !== volume.metadata.name) {
    bound = { ...bound, spec: { ...bound.spec, volumeName: volume.metadata.name } };
    if (!hasAnnotation(bound, AnnBoundByController)) bound = withAnnotation(bound, AnnBoundByController, 'yes');
  }
  if (!hasAnnotation(bound, AnnBindCompleted)) bound = withAnnotation(bound, AnnBindCompleted, 'yes');
  return bound === claim ? claim : storeClaim(ctrl, ctrl.world.updateClaim(bound));
}

/** Takes the claim off a volume: a reservation that the controller made goes, one that a user made stays by name. */
export function unbindVolume(ctrl: Controller, volume: PersistentVolume): void {
  const madeByController = hasAnnotation(volume, AnnBoundByController);
  ctrl.took({ at: 'unbindVolume', took: madeByController ? 'forgetsClaim' : 'keepsReservation' });
  const unbound = madeByController ? forgetClaim(volume) : forgetUid(volume);
  const stored = storeVolume(ctrl, ctrl.world.updateVolume(unbound));
  updateVolumePhase(ctrl, stored, 'Available', '');
}

function forgetClaim(volume: PersistentVolume): PersistentVolume {
  const { claimRef: _claimRef, ...spec } = volume.spec;
  return withoutAnnotation({ ...volume, spec }, AnnBoundByController);
}

function forgetUid(volume: PersistentVolume): PersistentVolume {
  const { uid: _uid, ...claimRef } = volume.spec.claimRef ?? {};
  return { ...volume, spec: { ...volume.spec, claimRef } };
}

/** Writes the phase if it differs; a message alone is not written. Returns the volume as stored. */
export function updateVolumePhase(
  ctrl: Controller,
  volume: PersistentVolume,
  phase: string,
  message: string,
): PersistentVolume {
  if (volume.status?.phase === phase) return volume;
  const { reason, lastPhaseTransitionTime } = volume.status ?? {};
  const status = {
    phase,
    ...(message === '' ? {} : { message }),
    ...(reason === undefined ? {} : { reason }),
    ...(lastPhaseTransitionTime === undefined ? {} : { lastPhaseTransitionTime }),
  };
  const changed = { ...volume, status };
  return storeVolume(ctrl, ctrl.world.updateVolumeStatus(changed));
}

/** updateVolumePhase with an event; neither happens if the volume has the phase. */
export function updateVolumePhaseWithEvent(
  ctrl: Controller,
  volume: PersistentVolume,
  phase: string,
  type: EventType,
  reason: EventReason,
  message: string,
): void {
  if (volume.status?.phase === phase) return;
  const stored = updateVolumePhase(ctrl, volume, phase, message);
  ctrl.event(stored, type, reason, message);
}

/** Writes the claim's status if it differs. Returns the claim as stored. */
// specification pv-controller 5.5
export function updateClaimStatus(
  ctrl: Controller,
  claim: PersistentVolumeClaim,
  phase: string,
  volume: PersistentVolume | undefined,
): PersistentVolumeClaim {
  const before = claim.status ?? {};
  let after = before;
  if (before.phase !== phase) after = { ...after, phase };
  if (volume === undefined) {
    const { accessModes, capacity, currentVolumeAttributesClassName, ...rest } = after;
    if (accessModes !== undefined || capacity !== undefined || currentVolumeAttributesClassName !== undefined)
      after = rest;
  } else {
    if (!sameList(volume.spec.accessModes, after.accessModes))
      after = withField(after, 'accessModes', volume.spec.accessModes);
    // The size of a claim that is bound already belongs to the resize controllers.
    if (before.phase !== phase) {
      after = { ...after, capacity: capacityOfBound(after.capacity, volume) };
      if (ctrl.features.volumeAttributesClass && before.phase === 'Pending' && phase === 'Bound') {
        after = withField(after, 'currentVolumeAttributesClassName', volume.spec.volumeAttributesClassName);
      }
    }
  }
  return after === before ? claim : storeClaim(ctrl, ctrl.world.updateClaimStatus({ ...claim, status: after }));
}

type ClaimStatus = NonNullable<PersistentVolumeClaim['status']>;
type Capacity = NonNullable<ClaimStatus['capacity']>;

function capacityOfBound(before: Capacity | undefined, volume: PersistentVolume): Capacity {
  if (volume.spec.capacity?.storage === undefined) {
    throw new SyncError(`PersistentVolume ${quoted(volume.metadata.name)} is without a storage capacity`);
  }
  const preResize = volume.metadata.annotations?.[AnnPreResizeCapacity];
  if (preResize !== undefined) return { ...before, storage: parsedOr(preResize, volume.spec.capacity.storage) };
  const isSame =
    before?.storage !== undefined && compareQuantities(parseQuantity(before.storage), volumeCapacity(volume)) === 0;
  return isSame && before !== undefined ? before : volume.spec.capacity;
}

function parsedOr(text: string, otherwise: string): string {
  try {
    return canonicalQuantity(parseQuantity(text));
  } catch (error) {
    if (error instanceof QuantityError) return otherwise;
    throw error;
  }
}

/** updateClaimStatus with an event; neither happens if the claim has the phase. */
export function updateClaimStatusWithEvent(
  ctrl: Controller,
  claim: PersistentVolumeClaim,
  phase: string,
  type: EventType,
  reason: EventReason,
  message: string,
): void {
  if (claim.status?.phase === phase) return;
  const stored = updateClaimStatus(ctrl, claim, phase, undefined);
  ctrl.event(stored, type, reason, message);
}

/** Keeps the cache as new as what was just written. */
export function storeVolume(ctrl: Controller, volume: PersistentVolume): PersistentVolume {
  ctrl.storeVolumeUpdate(volume);
  return volume;
}

/** Keeps the cache as new as what was just written. */
export function storeClaim(ctrl: Controller, claim: PersistentVolumeClaim): PersistentVolumeClaim {
  ctrl.storeClaimUpdate(claim);
  return claim;
}

export function referenceTo(claim: PersistentVolumeClaim): ObjectReference {
  const { namespace, name, uid, resourceVersion } = claim.metadata;
  return {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

export function withAnnotation<T extends PersistentVolume | PersistentVolumeClaim>(
  object: T,
  key: string,
  value: string,
): T {
  const annotations = { ...object.metadata.annotations, [key]: value };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** The object without the annotation; the last one takes the map with it. */
export function withoutAnnotation<T extends PersistentVolume | PersistentVolumeClaim>(object: T, key: string): T {
  const { annotations: before, ...metadata } = object.metadata;
  const { [key]: _removed, ...annotations } = before ?? {};
  return { ...object, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } };
}

function withField<K extends keyof ClaimStatus>(
  status: ClaimStatus,
  key: K,
  value: ClaimStatus[K] | undefined,
): ClaimStatus {
  const { [key]: _before, ...rest } = status;
  return (value === undefined ? rest : { ...rest, [key]: value }) as ClaimStatus;
}

const sameList = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a?.length === b?.length && (a ?? []).every((value, i) => value === b?.[i]);

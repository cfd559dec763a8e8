import { claimKey, hasAnnotation, isVolumeBoundToClaim, reservedFor } from '../../api/accessors.ts';
import { AnnBindCompleted, AnnBoundByController, AnnSelectedNode } from '../../api/annotations.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/objects.ts';
import { claimClass, claimHasClass, defaultClass } from '../../api/storage-class.ts';
import { type Failure, firstFailure, siteOf, wantsOf } from '../volume-checks.ts';
import { ApiError } from '../world.ts';
import { bind, updateClaimStatus, updateClaimStatusWithEvent } from './bind.ts';
import type { Controller } from './controller.ts';
import { type Candidate, findByClaim } from './find-matching-volume.ts';
import { messages, mismatchReasons, quoted } from './messages.ts';
import { updateClaimMigrationAnnotations } from './metadata.ts';
import { isPodTerminated } from './pod-index.ts';
import { provisionClaim } from './provision.ts';
import { SyncError } from './sync-error.ts';

// kubernetes/kubernetes pkg/controller/volume/persistentvolume/pv_controller.go (1.37); specification pv-controller 2.

/** One sync of a claim. Whether it is bound is told by the bind-completed annotation, never by its phase. Throws SyncError, ApiError, Blocked. */
export function syncClaim(ctrl: Controller, claim: PersistentVolumeClaim): void {
  const annealed = updateClaimMigrationAnnotations(ctrl, claim);
  if (hasAnnotation(annealed, AnnBindCompleted)) {
    ctrl.took({ at: 'syncClaim', took: 'bound' });
    syncBoundClaim(ctrl, annealed);
  } else {
    ctrl.took({ at: 'syncClaim', took: 'unbound' });
    syncUnboundClaim(ctrl, annealed);
  }
}

function syncUnboundClaim(ctrl: Controller, claim: PersistentVolumeClaim): void {
  if ((claim.spec.volumeName ?? '') === '') syncUnnamedClaim(ctrl, claim);
  else syncNamedClaim(ctrl, claim, claim.spec.volumeName as string);
}

/** syncUnboundClaim, the half for a claim that leaves the choice of a volume to the controller. */
// specification pv-controller 2.2
function syncUnnamedClaim(ctrl: Controller, claim: PersistentVolumeClaim): void {
  const isDelayed = isDelayBindingMode(ctrl, claim);
  const found = findBestMatch(ctrl, claim, isDelayed);
  if (found !== undefined) {
    const { volume, equals } = found;
    const reserved = volume.spec.claimRef !== undefined;
    ctrl.took({ at: 'syncUnboundClaim', took: 'matched', volume: volume.metadata.name, equals, reserved });
    bind(ctrl, volume, claim);
    return;
  }

  // Matching comes before defaulting: from here on the claim can only get a volume of the default class.
  const assigned = assignDefaultStorageClass(ctrl, claim);
  if (assigned !== undefined) {
    ctrl.took({ at: 'syncUnboundClaim', took: 'assignedDefaultClass', class: assigned });
    return;
  }

  const className = claimClass(claim);
  if (isDelayed && !isDelayBindingProvisioning(claim)) {
    emitEventForUnboundDelayBindingClaim(ctrl, claim, className);
  } else if (className !== '') {
    const selectedNode = claim.metadata.annotations?.[AnnSelectedNode];
    ctrl.took({
      at: 'syncUnboundClaim',
      took: 'provisions',
      class: className,
      ...(selectedNode === undefined ? {} : { selectedNode }),
    });
    // The phase is not touched: whatever it was, it stays.
    provisionClaim(ctrl, claim);
    return;
  } else {
    ctrl.took({ at: 'syncUnboundClaim', took: 'noVolumeAndNoClass' });
    ctrl.event(claim, 'Normal', 'FailedBinding', messages.noVolumeAndNoClass);
  }
  updateClaimStatus(ctrl, claim, 'Pending', undefined);
}

/** syncUnboundClaim, the half for a claim that names its volume. */
// specification pv-controller 2.3
function syncNamedClaim(ctrl: Controller, claim: PersistentVolumeClaim, name: string): void {
  const volume = cachedVolume(ctrl, name);
  if (volume === undefined) {
    ctrl.took({ at: 'syncUnboundClaim', took: 'namedVolumeMissing', volume: name });
    updateClaimStatus(ctrl, claim, 'Pending', undefined);
  } else if (volume.spec.claimRef === undefined) {
    const failure = checkVolumeSatisfyClaim(ctrl, volume, claim);
    if (failure !== undefined) {
      ctrl.took({ at: 'syncUnboundClaim', took: 'namedVolumeUnsuitable', volume: name, failure });
      const message = messages.cannotBindToRequested(name, mismatchReason(volume, failure));
      ctrl.event(claim, 'Warning', 'VolumeMismatch', message);
      updateClaimStatus(ctrl, claim, 'Pending', undefined);
      return;
    }
    ctrl.took({ at: 'syncUnboundClaim', took: 'namedVolumeFree', volume: name });
    bind(ctrl, volume, claim);
  } else if (isVolumeBoundToClaim(volume, claim)) {
    // Both sides name each other: nothing is checked any more.
    ctrl.took({ at: 'syncUnboundClaim', took: 'namedVolumeReserved', volume: name });
    bind(ctrl, volume, claim);
  } else if (!hasAnnotation(claim, AnnBoundByController)) {
    ctrl.took({ at: 'syncUnboundClaim', took: 'namedVolumeTaken', volume: name, by: reservedFor(volume) as string });
    ctrl.event(claim, 'Warning', 'FailedBinding', messages.boundToDifferentClaim(name));
    updateClaimStatus(ctrl, claim, 'Pending', undefined);
  } else {
    // The controller chose this volume itself, and now it belongs to somebody else: that must not happen.
    const by = reservedFor(volume) as string;
    ctrl.took({ at: 'syncUnboundClaim', took: 'namedVolumeTakenAfterMatch', volume: name, by });
    ctrl.event(claim, 'Warning', 'FailedBinding', messages.boundToDifferentClaim(name));
    throw new SyncError(
      `invalid binding of claim ${quoted(claimKey(claim))} to volume ${quoted(name)}: volume already claimed by ${quoted(by)}`,
    );
  }
}

/** A claim whose binding was completed once: it stays bound, is repaired, or is lost. */
// specification pv-controller 2.6
function syncBoundClaim(ctrl: Controller, claim: PersistentVolumeClaim): void {
  const name = claim.spec.volumeName ?? '';
  if (name === '') {
    ctrl.took({ at: 'syncBoundClaim', took: 'lostReference' });
    updateClaimStatusWithEvent(ctrl, claim, 'Lost', 'Warning', 'ClaimLost', messages.lostReference);
    return;
  }
  const volume = cachedVolume(ctrl, name);
  if (volume === undefined) {
    ctrl.took({ at: 'syncBoundClaim', took: 'lostVolume', volume: name });
    updateClaimStatusWithEvent(ctrl, claim, 'Lost', 'Warning', 'ClaimLost', messages.lostVolume);
  } else if (volume.spec.claimRef === undefined) {
    // Somebody took the reference off the volume: it is put back without any check.
    ctrl.took({ at: 'syncBoundClaim', took: 'rebinds', volume: name });
    bind(ctrl, volume, claim);
  } else if ((volume.spec.claimRef.uid ?? '') === (claim.metadata.uid ?? '')) {
    ctrl.took({ at: 'syncBoundClaim', took: 'isBound', volume: name });
    bind(ctrl, volume, claim);
  } else {
    ctrl.took({ at: 'syncBoundClaim', took: 'misbound', volume: name, by: reservedFor(volume) as string });
    updateClaimStatusWithEvent(ctrl, claim, 'Lost', 'Warning', 'ClaimMisbound', messages.misbound);
  }
}

function cachedVolume(ctrl: Controller, name: string): PersistentVolume | undefined {
  const volume = ctrl.volumes.get(name);
  if (volume === undefined) ctrl.world.require('PersistentVolume');
  return volume;
}

/** Why a free volume that the claim names cannot be its volume, or undefined. */
// specification pv-controller 4.4
function checkVolumeSatisfyClaim(
  ctrl: Controller,
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
): Failure | undefined {
  return firstFailure('named', wantsOf(claim), volume, { ...siteOf(ctrl.features), sizeAsValue: true });
}

function mismatchReason(volume: PersistentVolume, failure: Failure): string {
  switch (failure.code) {
    case 'VolumeTerminating':
      return mismatchReasons.VolumeTerminating(volume.metadata.name);
    case 'VolumeAttributesClassMismatch':
      return failure.facts.disabled
        ? mismatchReasons.volumeAttributesClassDisabled
        : mismatchReasons.VolumeAttributesClassMismatch;
    case 'CapacityTooSmall':
    case 'ClassMismatch':
    case 'VolumeModeMismatch':
    case 'AccessModesMissing':
      return mismatchReasons[failure.code];
    default:
      throw new Error(`${failure.code} is not asked of a named volume`);
  }
}

interface BestMatch extends Candidate {
  /** The volumes that were equally right, this one included; at most `equalsKept` of them. */
  readonly equals: readonly string[];
}

/** The volume for a claim, chosen among those that are equally right. Throws SyncError, Blocked. */
function findBestMatch(ctrl: Controller, claim: PersistentVolumeClaim, delayed: boolean): BestMatch | undefined {
  ctrl.world.require('PersistentVolume');
  try {
    const options = findByClaim(ctrl.volumes, wantsOf(claim), { ...siteOf(ctrl.features), delayed });
    if (options === undefined) return undefined;
    const point = { at: 'volume', claim: claimKey(claim) } as const;
    if (options.size === 1) return { ...options.first, equals: [options.first.volume.metadata.name] };
    return { ...ctrl.choose(point, options), equals: someOf(options) };
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    throw new SyncError(`error finding PV for claim ${quoted(claimKey(claim))}: ${error.message}`);
  }
}

/** How many equally right volumes a step names. */
const equalsKept = 4;

function someOf(options: Iterable<Candidate>): readonly string[] {
  const names: string[] = [];
  for (const { volume } of options) {
    if (names.push(volume.metadata.name) === equalsKept) break;
  }
  return names;
}

/** Whether the claim's class leaves binding to the scheduler. A class without an object does not. Throws SyncError, Blocked. */
// component-helpers storage/volume/pv_helpers.go, IsDelayBindingMode (1.37); specification pv-controller 7.1
export function isDelayBindingMode(ctrl: Controller, claim: PersistentVolumeClaim): boolean {
  const className = claimClass(claim);
  if (className === '') return false;
  const found = ctrl.world.storageClass(className);
  if (found === undefined) return false;
  if (found.volumeBindingMode === undefined) {
    throw new SyncError(`VolumeBindingMode not set for StorageClass ${quoted(className)}`);
  }
  return found.volumeBindingMode === 'WaitForFirstConsumer';
}

/** Whether the scheduler has asked for a volume to be made; the value of the annotation does not matter. */
const isDelayBindingProvisioning = (claim: PersistentVolumeClaim): boolean => hasAnnotation(claim, AnnSelectedNode);

/** Gives a claim without any class the default class; the name of the class, or undefined. Throws SyncError, Blocked. */
// specification pv-controller 2.5
function assignDefaultStorageClass(ctrl: Controller, claim: PersistentVolumeClaim): string | undefined {
  if (!ctrl.features.retroactiveDefaultStorageClass) return undefined;
  if (ctrl.features.emptyClassIsClass ? claimHasClass(claim) : claimClass(claim) !== '') return undefined;
  ctrl.world.require('StorageClass');
  const found = defaultClass(ctrl.world.surroundings.classes.values());
  if (found === undefined) return undefined;
  const storageClassName = found.metadata.name;
  // Releases that take "" for no class try to change it at each sync, which the API server refuses.
  if (claimHasClass(claim))
    throw new SyncError(
      `can't update PersistentVolumeClaim[${quoted(claimKey(claim))}]: ${messages.immutableSpec(claim.metadata.name)}`,
    );
  try {
    ctrl.world.updateClaim({ ...claim, spec: { ...claim.spec, storageClassName } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new SyncError(`can't update PersistentVolumeClaim[${quoted(claimKey(claim))}]: ${error.message}`);
  }
  return storageClassName;
}

/** Tells what a delayed claim waits for: a first pod, or the scheduling of those that it has. */
// specification pv-controller 7.3
function emitEventForUnboundDelayBindingClaim(ctrl: Controller, claim: PersistentVolumeClaim, className: string): void {
  const pods = findNonScheduledPodsByPVC(ctrl, claim);
  ctrl.took({ at: 'syncUnboundClaim', took: 'waitsForConsumer', class: className, pods });
  if (pods.length > 0) ctrl.event(claim, 'Normal', 'WaitForPodScheduled', messages.waitForPodsScheduled(pods));
  else if (!ctrl.world.surroundings.lacks('Pod', claim.metadata.namespace)) {
    ctrl.event(claim, 'Normal', 'WaitForFirstConsumer', messages.waitForFirstConsumer);
  }
}

function findNonScheduledPodsByPVC(ctrl: Controller, claim: PersistentVolumeClaim): readonly string[] {
  return (ctrl.pods.get(claimKey(claim)) ?? [])
    .filter((pod) => !isPodTerminated(pod) && ctrl.world.nodeOf(pod) === '')
    .map((pod) => pod.metadata.name);
}

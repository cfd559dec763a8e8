import { type ClaimKey, hasAnnotation, reservedFor, volumeModeOf } from '../../api/accessors.ts';
import { AnnDynamicallyProvisioned } from '../../api/annotations.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/objects.ts';
import { unbindVolume, updateVolumePhase } from './bind.ts';
import type { Controller } from './controller.ts';
import { messages } from './messages.ts';
import { updateVolumeMigrationAnnotationsAndFinalizers } from './metadata.ts';
import { reclaimVolume } from './reclaim.ts';

// kubernetes/kubernetes pkg/controller/volume/persistentvolume/pv_controller.go, syncVolume (1.37); specification pv-controller 3.1.

/** One sync of a volume. Throws SyncError, ApiError, Blocked. */
export function syncVolume(ctrl: Controller, volumeBefore: PersistentVolume): void {
  const volume = updateVolumeMigrationAnnotationsAndFinalizers(ctrl, volumeBefore);
  const claimRef = volume.spec.claimRef;
  if (claimRef === undefined) {
    ctrl.took({ at: 'syncVolume', took: 'unused' });
    updateVolumePhase(ctrl, volume, 'Available', '');
    return;
  }
  const key = reservedFor(volume) as ClaimKey;
  if ((claimRef.uid ?? '') === '') {
    // Reserved by name for a claim that has not taken it yet.
    ctrl.took({ at: 'syncVolume', took: 'reserved', claim: key });
    updateVolumePhase(ctrl, volume, 'Available', '');
    return;
  }

  const named = findClaim(ctrl, volume, key);
  const claim =
    named === undefined || named.metadata.uid === claimRef.uid ? named : theSameClaim(ctrl, key, claimRef.uid);
  if (claim === undefined) {
    ctrl.took({ at: 'syncVolume', took: named === undefined ? 'claimGone' : 'claimReplaced', claim: key });
    reclaimVolume(ctrl, released(ctrl, volume));
    return;
  }

  const volumeName = claim.spec.volumeName ?? '';
  if (volumeName === '') {
    if (volumeModeOf(volume) !== volumeModeOf(claim)) {
      ctrl.took({ at: 'syncVolume', took: 'volumeModeDiffers', claim: key });
      ctrl.event(volume, 'Warning', 'VolumeMismatch', messages.volumeModeOfVolume(claim.metadata.name));
      ctrl.event(claim, 'Warning', 'VolumeMismatch', messages.volumeModeOfClaim(volume.metadata.name));
      return;
    }
    // Matched by the scheduler or made by a provisioner: the sync of the claim completes the bind.
    ctrl.took({ at: 'syncVolume', took: 'awaitsClaim', claim: key });
    ctrl.enqueueClaim(key);
  } else if (volumeName === volume.metadata.name) {
    ctrl.took({ at: 'syncVolume', took: 'isBound', claim: key });
    updateVolumePhase(ctrl, volume, 'Bound', '');
  } else if (
    hasAnnotation(volume, AnnDynamicallyProvisioned) &&
    volume.spec.persistentVolumeReclaimPolicy === 'Delete'
  ) {
    // Made for this claim, which has another volume meanwhile: nobody needs it.
    ctrl.took({ at: 'syncVolume', took: 'unneededCopy', claim: key });
    reclaimVolume(ctrl, released(ctrl, volume));
  } else {
    ctrl.took({ at: 'syncVolume', took: 'claimBoundElsewhere', claim: key });
    unbindVolume(ctrl, volume);
  }
}

/** The claim that a claimRef names, whatever its uid: from the cache, and for volumes in use from the API server, too. */
function findClaim(ctrl: Controller, volume: PersistentVolume, key: ClaimKey): PersistentVolumeClaim | undefined {
  const cached = ctrl.claims.get(key);
  if (cached !== undefined) return cached;
  const phase = volume.status?.phase;
  if (phase === 'Released' || phase === 'Failed') {
    ctrl.world.requireIn('PersistentVolumeClaim', volume.spec.claimRef?.namespace);
    return undefined;
  }
  return ctrl.world.claim(key);
}

/** The claim of that uid, if the cache only was behind: the API server has the last word. */
function theSameClaim(ctrl: Controller, key: ClaimKey, uid: string | undefined): PersistentVolumeClaim | undefined {
  const claim = ctrl.world.claim(key);
  return claim?.metadata.uid === uid ? claim : undefined;
}

function released(ctrl: Controller, volume: PersistentVolume): PersistentVolume {
  const phase = volume.status?.phase;
  return phase === 'Released' || phase === 'Failed' ? volume : updateVolumePhase(ctrl, volume, 'Released', '');
}

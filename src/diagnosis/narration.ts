import type { Branch } from '../engine/pv-controller/branches.ts';
import { what } from './catalogue.ts';
import { findingOfFailure } from './census.ts';
import { className, list, quote } from './words.ts';

type Told = {
  readonly [A in Branch['at']]: {
    readonly [T in Extract<Branch, { at: A }>['took']]: (branch: Narrow<A, T>) => string;
  };
};
type Narrow<A extends Branch['at'], T extends string> = Extract<Branch, { at: A; took: T }> &
  Extract<Branch, { at: A }>;

/** What each branch of the controller means, in the words of somebody who explains how it works. */
const told: Told = {
  syncClaim: {
    annealed: () => 'its migration annotation is brought up to date',
    unbound: () => 'it has no annotation bind-completed, so it is not bound yet (the phase is not asked)',
    bound: () => 'it has the annotation bind-completed: it was bound once',
  },
  syncUnboundClaim: {
    matched: ({ volume, equals, reserved }) =>
      reserved
        ? `volume ${volume} is reserved for it and is taken at once: phase, selector and class are not asked`
        : equals.length > 1
          ? `${list(equals)} are equally right: the smallest that fit, with the fewest access modes; chance takes ${volume}`
          : `volume ${volume} is the smallest that fits among those with the fewest access modes`,
    assignedDefaultClass: ({ class: name }) =>
      `no volume without a class fits: the default class ${quote(name)} is written into it; the next sync goes on from there`,
    waitsForConsumer: ({ class: name, pods }) =>
      pods.length === 0
        ? `class ${quote(name)} waits for a first pod, and no volume is reserved for the claim`
        : `class ${quote(name)} waits for ${list(pods)} to be scheduled`,
    provisions: ({ class: name, selectedNode }) =>
      `no volume fits${selectedNode === undefined ? '' : ` (the scheduler has chosen node ${selectedNode}, so free volumes are left alone)`}; it has ${className(name)}, so a volume is to be made`,
    noVolumeAndNoClass: () => 'no volume fits, and it has no class that could make one: it stays Pending',
    namedVolumeMissing: ({ volume }) => `it names volume ${volume}, which does not exist: it waits, without an event`,
    namedVolumeUnsuitable: ({ volume, failure }) =>
      `it names volume ${volume}, which is free but does not suit: ${what(findingOfFailure(failure, volume))}`,
    namedVolumeFree: ({ volume }) => `it names volume ${volume}, which is free and suits`,
    namedVolumeReserved: ({ volume }) => `it names volume ${volume}, and the volume names it: nothing is compared`,
    namedVolumeTaken: ({ volume, by }) => `it names volume ${volume}, which belongs to ${by}`,
    namedVolumeTakenAfterMatch: ({ volume, by }) =>
      `the controller once chose volume ${volume} for it, which now belongs to ${by}: that must not happen`,
  },
  syncBoundClaim: {
    lostReference: () => 'it names no volume: it is Lost',
    lostVolume: ({ volume }) => `its volume ${volume} does not exist: it is Lost`,
    rebinds: ({ volume }) => `volume ${volume} has no claimRef: it is bound to the claim again, without any check`,
    isBound: ({ volume }) => `volume ${volume} carries its uid: bound; what is missing is added`,
    misbound: ({ volume, by }) => `claimRef of volume ${volume} (${by}) has another uid: it is Lost`,
  },
  provisionClaim: {
    disabled: () => 'dynamic provisioning is switched off: nothing happens',
    noProvisioner: ({ class: name, cause }) => `class ${quote(name)} makes no volumes: ${cause}`,
    external: ({ provisioner }) =>
      `${provisioner} is not part of Kubernetes: the claim is annotated for it, and the controller waits`,
    internal: ({ provisioner }) => `${provisioner} is a plugin of the controller: it makes the volume itself`,
  },
  provisionClaimOperation: {
    failed: ({ cause }) => `making the volume failed: ${cause}`,
    exists: ({ volume }) => `volume ${volume} has been made already`,
    created: ({ volume }) => `volume ${volume} was made, reserved for the claim`,
  },
  bind: {
    volume: ({ written }) =>
      written
        ? 'write 1: claimRef of the volume names the claim'
        : 'write 1 is not needed: claimRef names the claim already',
    volumeStatus: ({ written }) =>
      written ? 'write 2: the phase of the volume becomes Bound' : 'write 2 is not needed: the volume is Bound already',
    claim: ({ written }) =>
      written
        ? 'write 3: volumeName of the claim, and the annotation bind-completed'
        : 'write 3 is not needed: the claim names the volume already',
    claimStatus: ({ written }) =>
      written
        ? 'write 4: the phase of the claim becomes Bound, with the size of the volume'
        : 'write 4 is not needed: the claim is Bound already',
  },
  syncVolume: {
    annealed: () => 'its migration annotation and finalizers are brought up to date',
    unused: () => 'it has no claimRef: Available, whatever it was before',
    reserved: ({ claim }) => `claimRef names ${claim} without a uid: reserved, and Available`,
    claimGone: ({ claim }) => `its claim ${claim} is gone: Released, then reclaimed`,
    claimReplaced: ({ claim }) =>
      `there is a claim ${claim}, but with another uid: its own is gone; Released, then reclaimed`,
    volumeModeDiffers: ({ claim }) => `claim ${claim} wants another volumeMode: the two are not bound`,
    awaitsClaim: ({ claim }) => `claim ${claim} does not name it yet: the sync of the claim completes the bind`,
    isBound: ({ claim }) => `claim ${claim} names it: Bound`,
    claimBoundElsewhere: ({ claim }) => `claim ${claim} has another volume: it lets go`,
    unneededCopy: ({ claim }) => `made for claim ${claim}, which has another volume: Released, then reclaimed`,
  },
  unbindVolume: {
    forgetsClaim: () => 'the controller had chosen the claim: claimRef is removed',
    keepsReservation: () => 'a user had reserved it: claimRef stays, without the uid',
  },
  reclaimVolume: {
    migrated: () => 'an external provisioner owns its deletion',
    retain: () => 'reclaim policy Retain: it stays as it is, with its data',
    recycle: () => 'reclaim policy Recycle: its content is to be scrubbed',
    delete: () => 'reclaim policy Delete: its storage is to be deleted',
    unknownPolicy: () => 'its reclaim policy is unknown: Failed',
  },
  deleteVolumeOperation: {
    noPlugin: ({ cause }) => `nobody can delete it: ${cause}`,
    failed: ({ cause }) => `deleting failed: ${cause}`,
    external: () => 'its external provisioner deletes it',
    gone: () => 'it is gone already',
    notReleased: () => 'somebody has it again: it is not deleted',
    deleted: () => 'its storage is deleted (the dry run takes that for granted), then the object',
    inUse: () => 'its storage is still attached: tried again later',
  },
  recycleVolumeOperation: {
    usedByPods: ({ pods }) => `${list(pods)} still use it: not recycled`,
    failed: ({ cause }) => `scrubbing failed: ${cause}`,
    gone: () => 'it is gone already',
    notReleased: () => 'somebody has it again: it is not recycled',
    noPlugin: () => 'no plugin can scrub it: Failed',
    recycled: () => 'it is scrubbed (the dry run takes that for granted)',
  },
  operation: {
    backsOff: () => 'that was tried a moment ago and failed: it waits before it is tried again',
  },
};

/** What a branch means. */
export function narrate(branch: Branch): string {
  const sentences = told[branch.at] as unknown as Record<string, (branch: Branch) => string>;
  return (sentences[branch.took] as (branch: Branch) => string)(branch);
}

import type { Failure } from '../volume-checks.ts';
import type { EventReason, EventType } from './messages.ts';

/** An event as the recorder was told. */
export interface ControllerEvent {
  /** "claim namespace/name" or "volume name". */
  readonly object: string;
  readonly type: EventType;
  readonly reason: EventReason | (string & {});
  readonly message: string;
}

/** The branch that a function of the controller took, with the facts that made it take it. */
export type Branch =
  | { readonly at: 'syncClaim'; readonly took: 'annealed' | 'unbound' | 'bound' }
  | {
      readonly at: 'syncUnboundClaim';
      readonly took: 'matched';
      readonly volume: string;
      readonly equals: readonly string[];
      readonly reserved: boolean;
    }
  | { readonly at: 'syncUnboundClaim'; readonly took: 'assignedDefaultClass'; readonly class: string }
  | {
      readonly at: 'syncUnboundClaim';
      readonly took: 'waitsForConsumer';
      readonly class: string;
      readonly pods: readonly string[];
    }
  | {
      readonly at: 'syncUnboundClaim';
      readonly took: 'provisions';
      readonly class: string;
      readonly selectedNode?: string;
    }
  | { readonly at: 'syncUnboundClaim'; readonly took: 'noVolumeAndNoClass' }
  | { readonly at: 'syncUnboundClaim'; readonly took: 'namedVolumeMissing'; readonly volume: string }
  | {
      readonly at: 'syncUnboundClaim';
      readonly took: 'namedVolumeUnsuitable';
      readonly volume: string;
      readonly failure: Failure;
    }
  | {
      readonly at: 'syncUnboundClaim';
      readonly took: 'namedVolumeFree' | 'namedVolumeReserved';
      readonly volume: string;
    }
  | {
      readonly at: 'syncUnboundClaim';
      readonly took: 'namedVolumeTaken' | 'namedVolumeTakenAfterMatch';
      readonly volume: string;
      readonly by: string;
    }
  | { readonly at: 'syncBoundClaim'; readonly took: 'lostReference' }
  | { readonly at: 'syncBoundClaim'; readonly took: 'lostVolume' | 'rebinds' | 'isBound'; readonly volume: string }
  | { readonly at: 'syncBoundClaim'; readonly took: 'misbound'; readonly volume: string; readonly by: string }
  | { readonly at: 'provisionClaim'; readonly took: 'disabled' }
  | { readonly at: 'provisionClaim'; readonly took: 'noProvisioner'; readonly class: string; readonly cause: string }
  | { readonly at: 'provisionClaim'; readonly took: 'external' | 'internal'; readonly provisioner: string }
  | { readonly at: 'provisionClaimOperation'; readonly took: 'failed'; readonly cause: string }
  | { readonly at: 'provisionClaimOperation'; readonly took: 'exists' | 'created'; readonly volume: string }
  | {
      readonly at: 'bind';
      readonly took: 'volume' | 'volumeStatus' | 'claim' | 'claimStatus';
      readonly written: boolean;
    }
  | { readonly at: 'syncVolume'; readonly took: 'annealed' | 'unused' }
  | {
      readonly at: 'syncVolume';
      readonly took:
        | 'reserved'
        | 'claimGone'
        | 'claimReplaced'
        | 'volumeModeDiffers'
        | 'awaitsClaim'
        | 'isBound'
        | 'claimBoundElsewhere'
        | 'unneededCopy';
      readonly claim: string;
    }
  | { readonly at: 'unbindVolume'; readonly took: 'forgetsClaim' | 'keepsReservation' }
  | { readonly at: 'reclaimVolume'; readonly took: 'migrated' | 'retain' | 'recycle' | 'delete' | 'unknownPolicy' }
  | { readonly at: 'deleteVolumeOperation'; readonly took: 'noPlugin' | 'failed'; readonly cause: string }
  | { readonly at: 'deleteVolumeOperation'; readonly took: 'external' | 'gone' | 'notReleased' | 'deleted' | 'inUse' }
  | { readonly at: 'recycleVolumeOperation'; readonly took: 'usedByPods'; readonly pods: readonly string[] }
  | { readonly at: 'recycleVolumeOperation'; readonly took: 'failed'; readonly cause: string }
  | { readonly at: 'recycleVolumeOperation'; readonly took: 'gone' | 'notReleased' | 'noPlugin' | 'recycled' }
  | { readonly at: 'operation'; readonly took: 'backsOff'; readonly name: string };

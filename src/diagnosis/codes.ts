import type { LabelSelectorRequirement } from '../api/objects.ts';
import type { CheckFindingArgs } from './check-codes.ts';
import type { LifecycleArgs } from './lifecycle-codes.ts';
import type { ProvisioningArgs } from './provisioning-codes.ts';

/**
 * What each code has to say. Codes are public: none is ever renamed or used for something else. Names of objects are the bare
 * names; sizes are in the spelling of the object.
 */
export interface FindingArgs extends ProvisioningArgs, LifecycleArgs, CheckFindingArgs {
  // One volume against one claim.
  CapacityTooSmall: { volume: string; capacity: string; request: string };
  AccessModesMissing: { volume: string; missing: readonly string[]; given: readonly string[] };
  VolumeModeMismatch: { volume: string; volumeMode: string; claimMode: string };
  ClassMismatch: { volume: string; volumeClass: string; claimClass: string };
  SelectorMismatch: { volume: string; requirement: LabelSelectorRequirement; value?: string };
  VolumeAttributesClassMismatch: { volume: string; volumeClass: string; claimClass: string; disabled?: boolean };
  VolumeTerminating: { volume: string; since: string; finalizers: readonly string[] };
  VolumeNotAvailable: { volume: string; phase: string };
  VolumeFailed: { volume: string; message: string };
  BoundToOtherClaim: { volume: string; claim: string };
  ReservedForOtherClaim: { volume: string; claim: string };
  VolumeReleased: { volume: string; claim: string; policy: string };
  ClaimRefUidMismatch: { volume: string; claim: string; phase: string };
  ClaimRefNameMismatch: { volume: string; claimRef: string; claim: string };
  ClaimRefNamespaceMismatch: { volume: string; claimRef: string; claim: string };
  SmallerClaimTookVolume: { volume: string; claim: string; request: string; other: string };
  BindingDelayed: { volume: string; class: string };

  // Why nothing makes a volume.
  NoVolumes: Record<never, never>;
  NoClassNoDefault: Record<never, never>;
  EmptyClass: { default?: string };
  ClassMissing: { class: string; nearest?: string };
  ClassCannotProvision: { class: string; bindingMode: string };
  InTreeProvisionerGone: { class: string; provisioner: string };
  RetroactiveDefaultUnavailable: { default: string; release: string };

  // Where the class came from.
  DefaultClassInjected: { class: string; volume: string };
  DefaultClassAssigned: { class: string };
  SeveralDefaultClasses: { classes: readonly string[]; taken: string };
  BetaClassAnnotation: { annotation: string; field?: string };
  AlphaClassAnnotation: { annotation: string; class: string };

  // The claim names its volume.
  NamedVolumeMissing: { volume: string; nearest?: string };
  NamedVolumeTaken: { volume: string; claim: string };
  BothNameEachOther: { volume: string; skipped: readonly string[] };

  // A claim that was bound once.
  LostReference: { volume?: string };
  LostVolume: { volume: string };
  Misbound: { volume: string; uid: string; claimRefUid: string; claimRef: string; claim: string };

  // Waiting.
  WaitsForFirstConsumer: { class: string };
  ConsumerNotScheduled: { pods: readonly string[]; class: string };
  ConsumerBypassesScheduler: { pod: string; node: string };
  ConsumerFinished: { pods: readonly string[] };
  ConsumerGated: { pod: string; gates: readonly string[] };
  ConsumerOtherScheduler: { pod: string; scheduler: string };
  ConsumerTerminating: { pod: string };
  ConsumerNotSimulated: { pod: string; uses: readonly string[] };
  PodFitsNowhere: { pod: string; nodes: number; message?: string };
  NoNodes: { pod: string };
  PodUnschedulable: {
    pod: string;
    node: string;
    reasons: readonly string[];
    nodes: number;
    /** Whether the pod uses claims; it does where this is absent. */
    hasClaims?: boolean;
  };
  VolumeOnUnusableNode: { pod: string; volume: string; node: string; reasons: readonly string[] };
  NoVolumeOnUsableNodes: { pod: string; class: string; nodes: readonly string[] };
  VolumeOutOfReach: {
    pod: string;
    volume: string;
    requirement: string;
    nodes: readonly string[];
    reachable: readonly string[];
    why?: string;
  };
  VolumeAffinityMatchesNoNode: { volume: string; requirement: string; nearest?: string };
  VolumeInOtherZone: { pod: string; volume: string; key: string; allowed: readonly string[] };
  ClaimsOnDifferentNodes: {
    pod: string;
    claim: string;
    volume: string;
    node: string;
    other: string;
    otherVolume: string;
  };
  OtherClaimBlocks: { pod: string; claim: string; is: 'missing' | 'lost' | 'terminating' | 'unbound' | 'unserved' };
  ClaimNotOwned: { pod: string; claim: string; owner?: string };
  UnboundImmediateClaim: { pod: string };
  TopologyNotAllowed: { pod: string; class: string; allowed: string; matchesAny: boolean };
  NoCapacityPublished: { class: string; driver: string };
  NotEnoughStorage: { class: string; request: string; largest: string; node: string };
  AttachLimitReached: { pod: string; driver: string; node: string; limit: number; attached: number; wanted: number };
  DriverNotOnNode: { pod: string; drivers: readonly string[]; node: string };
  ClaimInUse: { pod: string; claims: readonly string[]; by: readonly string[] };
  SelectedNodeGone: { node: string };
  SelectedNodeUnusable: { pod: string; node: string; reasons: readonly string[] };
  SchedulerChoosesNode: { pod: string; nodes: readonly string[] };
  AwaitsProvisioner: { provisioner: string; class: string };
  ProvisionerMissing: {
    provisioner: string;
    class: string;
    nearest?: string;
    migratedFrom?: string;
    handedOver?: number;
  };
  SelectorOnDynamicClaim: { class: string; provisioner: string; isEmpty: boolean };
  ProvisionedVolumeUnsuitable: { volume: string; provisioner?: string };

  // Other states.
  ClaimTerminating: { since: string; finalizers: readonly string[]; pods: readonly string[] };
  ClaimMissing: { pods: readonly string[] };
  InvalidClaim: { errors: readonly string[] };
  SyncFails: { error: string };
  NotCollected: { kinds: readonly string[] };

  // Nothing wrong, but worth a line.
  WillBindThoughPending: { volume: string };
  EqualVolumes: { volumes: readonly string[] };
  ContestedVolume: { volume: string; claims: readonly string[]; orNone: boolean };
  MuchLargerVolume: { volume: string; capacity: string; request: string };
  ClassWithoutObject: { class: string };
  ReservationSkipsChecks: { volume: string; skipped: readonly string[] };
}

export type Code = keyof FindingArgs;

export type Severity = 'error' | 'warning' | 'info';

/** A coded statement about a claim. */
export type Finding = { readonly [C in Code]: { readonly code: C; readonly args: Readonly<FindingArgs[C]> } }[Code];

export function finding<C extends Code>(code: C, args: FindingArgs[C]): Finding {
  return { code, args } as unknown as Finding;
}

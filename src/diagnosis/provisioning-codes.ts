import type { AccessMode, VolumeMode } from '../api/objects.ts';
import type { CloneProblem, SnapshotProblem } from '../engine/provisioner/data-source.ts';
import type { ProvisionCode } from '../engine/provisioner/prepare-provision.ts';

/** What a provisioner told about a failure, in its own words. */
export interface Told {
  readonly provisioner: string;
  readonly words: string;
  /** The gRPC code of the driver's answer. */
  readonly code?: string;
}

/** What the codes have to say about claims that are a provisioner's business: whether it acts, and what it refuses. */
export interface ProvisioningArgs {
  // Whether anybody acts.
  ControllerSilent: { since: string; state?: string };
  ProvisionerDown: { provisioner: string; what: string; state: string };
  ProvisionerSilent: { provisioner: string; times: number };
  ProvisionerNotOnNode: { provisioner: string; node: string };
  DriverOnNoNode: { driver: string };
  ProvisioningUnchecked: { provisioner: string; about: readonly ProvisionCode[] };

  // Where the volume is to be made.
  NoTopologyKey: {
    driver: string;
    node: string;
    listed: boolean;
    key?: string;
    others: readonly string[];
    isRestricted: boolean;
    class: string;
  };
  TopologyLabelMissing: { driver: string; node: string; keys: readonly string[] };
  TopologyNowhere: { driver: string; keys: readonly string[] };
  SelectedNodeNotAllowed: {
    class: string;
    node: string;
    topology: string;
    allowed: string;
    foreignKeys: readonly string[];
    driver: string;
  };
  SelectedNodeEmpty: { provisioner: string };
  SomeNodesUnfit: { driver: string; nodes: readonly string[]; fit: number };
  TopologyRefused: Told & { node?: string; segments?: string; known?: string };

  // What the claim asks for.
  ModesNotOffered: {
    provisioner: string;
    family?: 'block' | 'file';
    accessModes: readonly AccessMode[];
    volumeMode: VolumeMode;
    words?: string;
  };
  AccessModeUnknown: { mode: string };
  AttributesClassMissing: { attributesClass: string; nearest?: string };
  AttributesClassOfOtherDriver: { attributesClass: string; driver: string; provisioner: string };
  DriverLacksCapability: Told;

  // What the volume is to be filled with.
  SourceNotGranted: { source: string; kind: string; namespace: string; claimNamespace: string };
  SourceInvalid: { kind: string; why: string };
  SourceNeedsPopulator: { source: string; kind: string; group: string };
  SourceRefused: Told;
  SnapshotMissing: { snapshot: string; nearest?: string };
  SnapshotUnusable: {
    snapshot: string;
    is: Exclude<SnapshotProblem['is'], 'missing' | 'larger' | 'otherMode'>;
    content?: string;
    driver?: string;
    provisioner: string;
    error?: string;
    missingClass?: string;
  };
  SnapshotTooLarge: { snapshot: string; restoreSize: string; request: string };
  SnapshotModeDiffers: { snapshot: string; sourceMode: VolumeMode; claimMode: VolumeMode };
  CloneSourceMissing: { source: string; nearest?: string };
  CloneSourceUnusable: {
    source: string;
    is: Exclude<CloneProblem['is'], 'missing' | 'larger' | 'otherMode'>;
    phase?: string;
    volume?: string;
    driver?: string;
    provisioner: string;
  };
  CloneSourceTooLarge: { source: string; size: string; request: string };
  CloneModeDiffers: { source: string; sourceMode: VolumeMode; claimMode: VolumeMode };

  // What the class says.
  SecretMissing: { secret: string; class: string };
  SecretTemplateInvalid: { class: string; why: string };
  ClassParameterInvalid: { class: string; parameters: readonly string[]; isTwice: boolean };

  // What the provisioner told.
  ProvisionerForbidden: Told;
  StorageExhausted: Told & { request: string; node?: string; tracksCapacity?: boolean; others: readonly string[] };
  DriverUnauthorized: Told;
  DriverTimesOut: Told & { times: number };
  RequestRefused: Told & { class: string };
  ProvisioningFails: Told & { times: number };
}

import { missingAccessModes } from '../api/access-modes.ts';
import {
  claimRequest,
  isVolumeBoundToClaim,
  volumeAttributesClassOf,
  volumeCapacity,
  volumeModeOf,
} from '../api/accessors.ts';
import type { Features } from '../api/features.ts';
import { type ParsedLabelSelector, parseLabelSelector } from '../api/label-selector.ts';
import { volumeNodeAffinityMatches } from '../api/node-selector.ts';
import type {
  AccessMode,
  LabelSelectorRequirement,
  Labels,
  ObjectReference,
  PersistentVolume,
  PersistentVolumeClaim,
  VolumeMode,
} from '../api/objects.ts';
import { compareQuantities, type Quantity, quantityValue } from '../api/quantity.ts';
import { claimClass, volumeClass } from '../api/storage-class.ts';

// Every question that Kubernetes asks of a volume before a claim may have it, as data: FindMatchingVolume and
// checkVolumeSatisfyClaim ask them in their own order and stop at the first failure; the explanation asks all of them.
// component-helpers storage/volume/pv_helpers.go and pkg/controller/volume/persistentvolume/pv_controller.go (1.37);
// specification pv-controller 4.

/** What each check has to tell when it fails. */
export interface CheckFacts {
  readonly ReservedForOther: { readonly claimRef: ObjectReference };
  readonly CapacityTooSmall: { readonly capacity: string; readonly request: string };
  readonly VolumeModeMismatch: { readonly volume: VolumeMode; readonly claim: VolumeMode };
  readonly VolumeAttributesClassMismatch: { readonly volume: string; readonly claim: string; readonly disabled?: true };
  readonly VolumeTerminating: { readonly since: string };
  readonly BindingDelayed: Record<never, never>;
  readonly VolumeNotAvailable: { readonly phase: string };
  readonly SelectorMismatch: { readonly requirement: LabelSelectorRequirement; readonly value?: string };
  readonly ClassMismatch: { readonly volume: string; readonly claim: string };
  readonly NodeAffinityMismatch: { readonly node?: string; readonly error?: string };
  readonly AccessModesMissing: { readonly missing: readonly AccessMode[]; readonly volume: readonly AccessMode[] };
}

export type CheckCode = keyof CheckFacts;

export type Answer<C extends CheckCode = CheckCode> =
  | { readonly is: 'pass' }
  | { readonly is: 'fail'; readonly facts: CheckFacts[C] };

/** What a claim asks for, read once. Building it throws QuantityError; reading `selector` throws SelectorError. */
export interface Wants {
  readonly claim: PersistentVolumeClaim;
  readonly request: Quantity;
  readonly className: string;
  readonly volumeMode: VolumeMode;
  readonly volumeAttributesClass: string;
  readonly accessModes: readonly AccessMode[];
  readonly selector: ParsedLabelSelector | undefined;
}

export function wantsOf(claim: PersistentVolumeClaim): Wants {
  let parsed: { readonly selector: ParsedLabelSelector | undefined } | undefined;
  return {
    claim,
    request: claimRequest(claim),
    className: claimClass(claim),
    volumeMode: volumeModeOf(claim),
    volumeAttributesClass: volumeAttributesClassOf(claim),
    accessModes: claim.spec.accessModes ?? [],
    get selector() {
      parsed ??= { selector: claim.spec.selector === undefined ? undefined : parseLabelSelector(claim.spec.selector) };
      return parsed.selector;
    },
  };
}

/** Where a check is asked: what the answer depends on besides claim and volume. */
export interface Site {
  /** What the release makes of VolumeAttributesClasses: it does not look, it compares, or (gate off) nothing that has one matches. */
  readonly volumeAttributesClass: 'ignored' | 'compared' | 'disabled';
  /** The class of the claim delays binding and the asker is the controller. */
  readonly delayed?: boolean;
  /** The node that the scheduler asks for. */
  readonly node?: { readonly name: string; readonly labels: Labels | undefined };
  /** Compare sizes as rounded int64, as checkVolumeSatisfyClaim does, instead of exactly. */
  readonly sizeAsValue?: boolean;
}

/** The site of a question that the controller asks in a release. */
export function siteOf({ volumeAttributesClass, comparesVolumeAttributesClass }: Features): Site {
  if (!comparesVolumeAttributesClass) return { volumeAttributesClass: 'ignored' };
  return { volumeAttributesClass: volumeAttributesClass ? 'compared' : 'disabled' };
}

/** A field of a volume that some check reads. Volumes that agree in all of them are one shape. */
export type VolumeField =
  | 'claimRef'
  | 'capacity'
  | 'volumeMode'
  | 'volumeAttributesClass'
  | 'deletionTimestamp'
  | 'phase'
  | 'labels'
  | 'class'
  | 'nodeAffinity'
  | 'accessModes';

export interface Check<C extends CheckCode> {
  readonly reads: readonly VolumeField[];
  readonly ask: (wants: Wants, volume: PersistentVolume, site: Site) => Answer<C>;
}

const pass: Answer<never> = { is: 'pass' };

export const volumeChecks: { readonly [C in CheckCode]: Check<C> } = {
  ReservedForOther: {
    reads: ['claimRef'],
    ask: ({ claim }, volume) =>
      volume.spec.claimRef === undefined || isVolumeBoundToClaim(volume, claim)
        ? pass
        : { is: 'fail', facts: { claimRef: volume.spec.claimRef } },
  },
  CapacityTooSmall: {
    reads: ['capacity'],
    ask: ({ claim, request }, volume, { sizeAsValue }) => {
      const capacity = volumeCapacity(volume);
      const isSmaller = sizeAsValue
        ? quantityValue(capacity) < quantityValue(request)
        : compareQuantities(capacity, request) < 0;
      if (!isSmaller) return pass;
      const facts = {
        capacity: volume.spec.capacity?.storage ?? '0',
        request: claim.spec.resources?.requests?.storage ?? '0',
      };
      return { is: 'fail', facts };
    },
  },
  VolumeModeMismatch: {
    reads: ['volumeMode'],
    ask: (wants, volume) => {
      const mode = volumeModeOf(volume);
      return mode === wants.volumeMode ? pass : { is: 'fail', facts: { volume: mode, claim: wants.volumeMode } };
    },
  },
  VolumeAttributesClassMismatch: {
    reads: ['volumeAttributesClass'],
    ask: (wants, volume, { volumeAttributesClass: treatment }) => {
      if (treatment === 'ignored') return pass;
      const given = volumeAttributesClassOf(volume);
      const wanted = wants.volumeAttributesClass;
      if (treatment === 'disabled' && (given !== '' || wanted !== '')) {
        return { is: 'fail', facts: { volume: given, claim: wanted, disabled: true } };
      }
      return given === wanted ? pass : { is: 'fail', facts: { volume: given, claim: wanted } };
    },
  },
  VolumeTerminating: {
    reads: ['deletionTimestamp'],
    ask: (_wants, volume) => {
      const since = volume.metadata.deletionTimestamp;
      return since === undefined ? pass : { is: 'fail', facts: { since } };
    },
  },
  BindingDelayed: {
    reads: [],
    ask: (_wants, _volume, { delayed }) => (delayed ? { is: 'fail', facts: {} } : pass),
  },
  VolumeNotAvailable: {
    reads: ['phase'],
    ask: (_wants, volume) => {
      const phase = volume.status?.phase ?? '';
      return phase === 'Available' ? pass : { is: 'fail', facts: { phase } };
    },
  },
  SelectorMismatch: {
    reads: ['labels'],
    ask: ({ selector }, volume) => {
      const requirement = selector?.firstFailure(volume.metadata.labels);
      if (requirement === undefined) return pass;
      const value = volume.metadata.labels?.[requirement.key];
      return { is: 'fail', facts: { requirement, ...(value === undefined ? {} : { value }) } };
    },
  },
  ClassMismatch: {
    reads: ['class'],
    ask: (wants, volume) => {
      const given = volumeClass(volume);
      return given === wants.className ? pass : { is: 'fail', facts: { volume: given, claim: wants.className } };
    },
  },
  NodeAffinityMismatch: {
    reads: ['nodeAffinity'],
    ask: (_wants, volume, { node }) => {
      if (node === undefined) return pass;
      const answer = volumeNodeAffinityMatches(volume.spec.nodeAffinity?.required, node.labels);
      if (answer.is === 'match') return pass;
      return { is: 'fail', facts: { node: node.name, ...(answer.is === 'error' ? { error: answer.error } : {}) } };
    },
  },
  AccessModesMissing: {
    reads: ['accessModes'],
    ask: (wants, volume) => {
      const given = volume.spec.accessModes ?? [];
      const missing = missingAccessModes(given, wants.accessModes);
      return missing.length === 0 ? pass : { is: 'fail', facts: { missing, volume: given } };
    },
  },
};

/** The ways on which a volume is looked at, each with the checks that decide there, in upstream's order (specification 4.5). */
export const checkOrder = {
  /** findBestMatch, a volume that nobody has: the access modes come first because the index is asked for them. */
  search: [
    'AccessModesMissing',
    'ReservedForOther',
    'CapacityTooSmall',
    'VolumeModeMismatch',
    'VolumeAttributesClassMismatch',
    'VolumeTerminating',
    'BindingDelayed',
    'VolumeNotAvailable',
    'SelectorMismatch',
    'ClassMismatch',
  ],
  /** findBestMatch, a volume that is reserved for the claim. */
  reserved: [
    'AccessModesMissing',
    'ReservedForOther',
    'CapacityTooSmall',
    'VolumeModeMismatch',
    'VolumeAttributesClassMismatch',
    'VolumeTerminating',
  ],
  /** checkVolumeSatisfyClaim: the claim names the volume, and the volume names nobody. */
  named: [
    'VolumeTerminating',
    'CapacityTooSmall',
    'ClassMismatch',
    'VolumeAttributesClassMismatch',
    'VolumeModeMismatch',
    'AccessModesMissing',
  ],
  /** The scheduler's findMatchingVolumes on one node. */
  scheduling: [
    'ReservedForOther',
    'CapacityTooSmall',
    'VolumeModeMismatch',
    'VolumeAttributesClassMismatch',
    'VolumeTerminating',
    'VolumeNotAvailable',
    'SelectorMismatch',
    'ClassMismatch',
    'NodeAffinityMismatch',
    'AccessModesMissing',
  ],
} as const satisfies Record<string, readonly CheckCode[]>;

export type Path = keyof typeof checkOrder;

/** One failed check with its facts. */
export type Failure = { readonly [C in CheckCode]: { readonly code: C; readonly facts: CheckFacts[C] } }[CheckCode];

export function askCheck(code: CheckCode, wants: Wants, volume: PersistentVolume, site: Site): Failure | undefined {
  const answer = volumeChecks[code].ask(wants, volume, site);
  return answer.is === 'pass' ? undefined : ({ code, facts: answer.facts } as Failure);
}

/** The first check on a path that fails: what decides. */
export function firstFailure(path: Path, wants: Wants, volume: PersistentVolume, site: Site): Failure | undefined {
  for (const code of checkOrder[path]) {
    const failure = askCheck(code, wants, volume, site);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** All checks on a path that fail, in its order: what a person must know. */
export function allFailures(path: Path, wants: Wants, volume: PersistentVolume, site: Site): readonly Failure[] {
  return checkOrder[path].map((code) => askCheck(code, wants, volume, site)).filter((failure) => failure !== undefined);
}

import { accessModesAsString } from '../api/access-modes.ts';
import {
  type ClaimKey,
  claimKey,
  isVolumeBoundToClaim,
  reservedFor,
  volumeAttributesClassOf,
  volumeCapacity,
  volumeModeOf,
} from '../api/accessors.ts';
import { getOrSet } from '../api/get-or-set.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/objects.ts';
import { compareQuantities } from '../api/quantity.ts';
import { volumeClass } from '../api/storage-class.ts';
import { lowerBound } from '../engine/sorted-list.ts';
import { allFailures, type Failure, type Site, type Wants } from '../engine/volume-checks.ts';
import { claimShape } from './claim-shape.ts';
import { type Code, type Finding, finding } from './codes.ts';
import { nearestName } from './words.ts';

/** How a volume stands to a claim before anything else is compared. */
export type Relation =
  /** No claimRef. */
  | 'free'
  /** Bound to the claim, both sides agreeing. */
  | 'bound'
  /** Its claimRef names the claim. */
  | 'reserved'
  /** Its claimRef names the claim, but with another uid. */
  | 'former'
  /** Its claimRef misses the claim by a slip: no name, no namespace, nearly the name. */
  | 'misspelt'
  /** It belongs to, or is kept for, another claim. */
  | 'other';

/** Volumes that stand alike to a claim: the same relation, and the same checks fail. */
export interface Considered {
  readonly relation: Relation;
  readonly count: number;
  /** The nearest misses first, at most three, each with all that fails. */
  readonly examples: readonly Example[];
  /** The codes that fail on all of them, in the order of the checks; none if they fit. */
  readonly codes: readonly Code[];
  /** Among volumes that fit: how they compare with the one that is taken. */
  readonly standing?: Standing;
}

/** Why a volume that fits is not the one: it is larger, offers more access modes (that weighs more), or nothing tells it apart. */
export type Standing = 'taken' | 'larger' | 'moreModes' | 'equal';

export interface Example {
  readonly volume: PersistentVolume;
  readonly reasons: readonly Finding[];
  /** What would fail, but is not asked because the volume is reserved for the claim. */
  readonly skipped?: readonly Finding[];
}

/** Whose a volume is, whoever asks. */
type Ownership =
  | 'none'
  /** Of a claim that exists. */
  | 'bound'
  /** Of a claim that is gone. */
  | 'released'
  /** Of a claim that is gone, and reclaiming it failed. */
  | 'failed'
  /** Kept for a claim by name. */
  | 'reserved';

/** Volumes that no check but that of the size tells apart, for any claim. */
interface Shape {
  readonly ownership: Ownership;
  /** By capacity, then by name. */
  readonly volumes: PersistentVolume[];
}

const exampleCount = 3;

/** What claims of one shape see alike: all but the volumes whose claimRef has to do with one of them, and what one takes. */
interface View {
  readonly parts: readonly Part[];
  /** Volumes that have been compared with the shape. */
  readonly compared: Map<PersistentVolume, Compared>;
  /** The rows of a claim that no claimRef has to do with and that takes nothing. */
  rows?: readonly Considered[];
}

interface Compared extends Example {
  readonly relation: 'free' | 'other';
  readonly codes: readonly Code[];
}

/** All volumes of a cluster by shape, so that shapes of claims are compared with shapes of volumes instead of one with the other. */
export class VolumeCensus {
  readonly size: number;
  readonly #site: Site;
  readonly #shapes: readonly Shape[];
  readonly #byName: ReadonlyMap<string, PersistentVolume>;
  readonly #byClaimRef = new Map<ClaimKey, PersistentVolume[]>();
  /** Volumes whose claimRef names a claim that does not exist, by the namespace and by the name in it. */
  readonly #orphans = new Map<string, PersistentVolume[]>();
  readonly #claims: ReadonlyMap<ClaimKey, PersistentVolumeClaim>;
  readonly #views = new Map<string, View>();

  constructor(
    volumes: Iterable<PersistentVolume>,
    claims: ReadonlyMap<ClaimKey, PersistentVolumeClaim>,
    labelKeys: readonly string[],
    site: Site,
  ) {
    this.#claims = claims;
    this.#site = site;
    const shapes = new Map<string, Shape>();
    const byName = new Map<string, PersistentVolume>();
    for (const volume of volumes) {
      byName.set(volume.metadata.name, volume);
      const ownership = ownershipOf(volume, claims);
      const key = shapeKey(volume, ownership, labelKeys);
      getOrSet(shapes, key, () => ({ ownership, volumes: [] })).volumes.push(volume);
      this.#indexClaimRef(volume);
    }
    for (const { volumes: list } of shapes.values()) list.sort(byCapacity);
    this.#shapes = [...shapes.values()];
    this.#byName = byName;
    this.size = byName.size;
  }

  volume(name: string): PersistentVolume | undefined {
    return this.#byName.get(name);
  }

  names(): Iterable<string> {
    return this.#byName.keys();
  }

  /** The volumes whose claimRef names the claim, whatever its uid. */
  namedFor(key: ClaimKey): readonly PersistentVolume[] {
    return this.#byClaimRef.get(key) ?? [];
  }

  /** The volumes that are reserved for the claim. */
  reserved(wants: Wants): readonly Considered[] {
    return this.namedFor(claimKey(wants.claim)).map((volume) => this.single(volume, wants));
  }

  /** Every volume as the claim sees it, nearest miss first. `taken`: the volume that it gets, if it gets one. */
  consider(wants: Wants, takenName?: string): readonly Considered[] {
    const taken = takenName === undefined ? undefined : this.#byName.get(takenName);
    const near = this.#related(wants.claim);
    const view = getOrSet(this.#views, claimShape(wants), () => ({
      parts: this.#shapes.flatMap((shape) => partsBySize(shape, wants)),
      compared: new Map(),
    }));
    if (near.length === 0 && taken === undefined) {
      view.rows ??= this.#others(view, wants, near, taken).sort(nearestMissFirst);
      return view.rows;
    }
    const rows = near.map((volume): Considered => {
      const row = this.single(volume, wants);
      return volume === taken ? { ...row, standing: 'taken' } : row;
    });
    return [...rows, ...this.#others(view, wants, near, taken)].sort(nearestMissFirst);
  }

  /** One volume as the claim sees it. */
  single(volume: PersistentVolume, wants: Wants): Considered {
    const relation = relationOf(volume, wants.claim, this.#claims);
    const reasons = this.#reasons(volume, relation, wants);
    const skipped = relation === 'reserved' ? this.#skipped(volume, wants, reasons) : [];
    const example = { volume, reasons, ...(skipped.length === 0 ? {} : { skipped }) };
    return { relation, count: 1, codes: reasons.map(({ code }) => code), examples: [example] };
  }

  /** The volumes whose claimRef has nothing to do with the claim. `near`: those whose claimRef has. */
  #others(
    view: View,
    wants: Wants,
    near: readonly PersistentVolume[],
    taken: PersistentVolume | undefined,
  ): Considered[] {
    const skip = new Set(near);
    const groups = new Map<string, Collected>();
    for (const part of view.parts) {
      const nearest = nearestOf(part, skip);
      const count = part.to - part.from - skippedIn(part, near);
      if (nearest[0] === undefined || count <= 0) continue;
      const { relation, codes } = this.#compared(view, nearest[0], wants);
      const standing = codes.length === 0 && taken !== undefined ? standingOf(nearest[0], taken) : undefined;
      const key = `${relation} ${standing} ${codes.join(' ')}`;
      const group = getOrSet(groups, key, () => ({ relation, codes, standing, count: 0, nearest: [] }));
      group.count += count;
      group.nearest.push(...nearest);
    }
    return [...groups.values()].map(({ relation, codes, standing, count, nearest }) => ({
      relation,
      codes,
      count,
      examples: nearestFirst(nearest, codes).map((volume) => this.#compared(view, volume, wants)),
      ...(standing && { standing }),
    }));
  }

  // INVARIANT: the claimRef of the volume has nothing to do with the claim, so that the answer is that of every claim of the shape.
  #compared({ compared }: View, volume: PersistentVolume, wants: Wants): Compared {
    return getOrSet(compared, volume, () => {
      const relation = volume.spec.claimRef === undefined ? 'free' : 'other';
      const reasons = this.#reasons(volume, relation, wants);
      return { volume, relation, reasons, codes: reasons.map(({ code }) => code) };
    });
  }

  #skipped(volume: PersistentVolume, wants: Wants, reasons: readonly Finding[]): readonly Finding[] {
    const told = new Set<string>(['VolumeNotAvailable', 'BindingDelayed', ...reasons.map(({ code }) => code)]);
    return allFailures('search', wants, volume, this.#site)
      .filter(({ code }) => !told.has(code))
      .map((failure) => this.#finding(failure, volume, wants.claim));
  }

  /** The volumes whose claimRef has to do with the claim. */
  #related(claim: PersistentVolumeClaim): readonly PersistentVolume[] {
    const { namespace = '', name } = claim.metadata;
    const orphans = [...(this.#orphans.get(namespace) ?? []), ...(this.#orphans.get(`/${name}`) ?? [])];
    const misspelt = orphans.filter((volume) => relationOf(volume, claim, this.#claims) === 'misspelt');
    return [...new Set([...this.namedFor(claimKey(claim)), ...misspelt])];
  }

  #indexClaimRef(volume: PersistentVolume): void {
    const key = reservedFor(volume);
    if (key === undefined) return;
    getOrSet(this.#byClaimRef, key, () => []).push(volume);
    if (this.#claims.has(key)) return;
    getOrSet(this.#orphans, volume.spec.claimRef?.namespace ?? '', () => []).push(volume);
    getOrSet(this.#orphans, `/${volume.spec.claimRef?.name ?? ''}`, () => []).push(volume);
  }

  #reasons(volume: PersistentVolume, relation: Relation, wants: Wants): readonly Finding[] {
    if (relation === 'bound') return [];
    const path = relation === 'reserved' ? 'reserved' : 'search';
    const failures = allFailures(path, wants, volume, this.#site).filter(
      // A volume that is somebody's has a phase because of that.
      ({ code }) => code !== 'VolumeNotAvailable' || relation === 'free',
    );
    return failures.map((failure) => this.#finding(failure, volume, wants.claim));
  }

  #finding(failure: Failure, volume: PersistentVolume, claim: PersistentVolumeClaim): Finding {
    const { metadata, status } = volume;
    switch (failure.code) {
      case 'ReservedForOther':
        return claimRefFinding(failure.facts.claimRef, volume, claim, this.#claims);
      case 'VolumeTerminating': {
        const { since } = failure.facts;
        return finding('VolumeTerminating', { volume: metadata.name, since, finalizers: metadata.finalizers ?? [] });
      }
      case 'BindingDelayed':
        return finding('BindingDelayed', { volume: metadata.name, class: claim.spec.storageClassName ?? '' });
      case 'VolumeNotAvailable':
        return failure.facts.phase === 'Failed'
          ? finding('VolumeFailed', { volume: metadata.name, message: status?.message ?? '' })
          : findingOfFailure(failure, metadata.name);
      default:
        return findingOfFailure(failure, metadata.name);
    }
  }
}

/** A failed check as a finding, from what the check itself tells. */
export function findingOfFailure(failure: Failure, volume: string): Finding {
  switch (failure.code) {
    case 'CapacityTooSmall':
    case 'SelectorMismatch':
    case 'VolumeNotAvailable':
      return { code: failure.code, args: { volume, ...failure.facts } } as Finding;
    case 'VolumeModeMismatch':
      return finding('VolumeModeMismatch', {
        volume,
        volumeMode: failure.facts.volume,
        claimMode: failure.facts.claim,
      });
    case 'VolumeAttributesClassMismatch': {
      const { volume: volumeClass, claim: claimClass, disabled } = failure.facts;
      return finding('VolumeAttributesClassMismatch', {
        volume,
        volumeClass,
        claimClass,
        ...(disabled && { disabled }),
      });
    }
    case 'ClassMismatch':
      return finding('ClassMismatch', { volume, volumeClass: failure.facts.volume, claimClass: failure.facts.claim });
    case 'AccessModesMissing':
      return finding('AccessModesMissing', { volume, missing: failure.facts.missing, given: failure.facts.volume });
    case 'VolumeTerminating':
      return finding('VolumeTerminating', { volume, since: failure.facts.since, finalizers: [] });
    case 'BindingDelayed':
      return finding('BindingDelayed', { volume, class: '' });
    case 'ReservedForOther': {
      const { namespace = '', name = '' } = failure.facts.claimRef;
      return finding('ReservedForOtherClaim', { volume, claim: `${namespace}/${name}` });
    }
    case 'NodeAffinityMismatch':
      throw new Error('the controller does not ask for node affinity');
  }
}

function standingOf(volume: PersistentVolume, taken: PersistentVolume): Standing {
  const modeCount = ({ spec }: PersistentVolume) => new Set(spec.accessModes).size;
  if (modeCount(volume) > modeCount(taken)) return 'moreModes';
  return compareQuantities(volumeCapacity(volume), volumeCapacity(taken)) > 0 ? 'larger' : 'equal';
}

/** How a volume stands to a claim. */
function relationOf(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
  claims: ReadonlyMap<ClaimKey, PersistentVolumeClaim>,
): Relation {
  const ref = volume.spec.claimRef;
  if (ref === undefined) return 'free';
  if (isVolumeBoundToClaim(volume, claim)) {
    return claim.spec.volumeName === volume.metadata.name && ref.uid === claim.metadata.uid ? 'bound' : 'reserved';
  }
  if (reservedFor(volume) === claimKey(claim)) return 'former';
  if (claims.has(reservedFor(volume) as ClaimKey)) return 'other';
  const { namespace = '', name } = claim.metadata;
  if (ref.namespace === namespace && ((ref.name ?? '') === '' || isSlip(ref.name as string, name))) return 'misspelt';
  if (ref.name === name && ((ref.namespace ?? '') === '' || isSlip(ref.namespace as string, namespace)))
    return 'misspelt';
  return 'other';
}

/** Whether a reference was probably meant for the name: a slip of the pen, or a name that lacks some of the other's parts. */
function isSlip(written: string, name: string): boolean {
  if (nearestName(written, [name]) !== undefined) return true;
  const [short, long] = [written.split('-'), name.split('-')].sort((a, b) => a.length - b.length) as [
    string[],
    string[],
  ];
  return short.length > 1 && isSubsequence(short, long);
}

function isSubsequence(parts: readonly string[], of: readonly string[]): boolean {
  let at = 0;
  for (const part of of) if (part === parts[at]) at++;
  return at === parts.length;
}

function claimRefFinding(
  ref: { readonly uid?: string; readonly name?: string; readonly namespace?: string },
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
  claims: ReadonlyMap<ClaimKey, PersistentVolumeClaim>,
): Finding {
  const name = volume.metadata.name;
  const owner = reservedFor(volume) as ClaimKey;
  const key = claimKey(claim);
  const phase = volume.status?.phase ?? '';
  switch (relationOf(volume, claim, claims)) {
    case 'former':
      return finding('ClaimRefUidMismatch', { volume: name, claim: key, phase });
    case 'misspelt':
      return ref.namespace === claim.metadata.namespace
        ? finding('ClaimRefNameMismatch', { volume: name, claimRef: owner, claim: key })
        : finding('ClaimRefNamespaceMismatch', { volume: name, claimRef: owner, claim: key });
    default:
      switch (ownershipOf(volume, claims)) {
        case 'bound':
          return finding('BoundToOtherClaim', { volume: name, claim: owner });
        case 'failed':
          return finding('VolumeFailed', { volume: name, message: volume.status?.message ?? '' });
        case 'released': {
          const policy = volume.spec.persistentVolumeReclaimPolicy ?? 'Retain';
          return finding('VolumeReleased', { volume: name, claim: owner, policy });
        }
        default:
          return finding('ReservedForOtherClaim', { volume: name, claim: owner });
      }
  }
}

function ownershipOf(volume: PersistentVolume, claims: ReadonlyMap<ClaimKey, PersistentVolumeClaim>): Ownership {
  const ref = volume.spec.claimRef;
  if (ref === undefined) return 'none';
  const uid = ref.uid ?? '';
  if (uid !== '' && claims.get(reservedFor(volume) as ClaimKey)?.metadata.uid === uid) return 'bound';
  const phase = volume.status?.phase;
  if (phase === 'Failed') return 'failed';
  return uid !== '' || phase === 'Released' ? 'released' : 'reserved';
}

function shapeKey(volume: PersistentVolume, ownership: Ownership, labelKeys: readonly string[]): string {
  return JSON.stringify([...readOf(volume, labelKeys), volume.status?.phase ?? '', ownership]);
}

/** All that the checks read of a volume, but its size, its phase and whose it is. */
export function readOf(volume: PersistentVolume, labelKeys: readonly string[]): readonly unknown[] {
  const { metadata, spec } = volume;
  return [
    accessModesAsString(spec.accessModes),
    volumeClass(volume),
    volumeModeOf(volume),
    volumeAttributesClassOf(volume),
    metadata.deletionTimestamp !== undefined,
    ...labelKeys.map((key) => metadata.labels?.[key] ?? null),
  ];
}

/** The labels that the selectors of some claims ask for, sorted. */
export function labelKeysOf(claims: Iterable<PersistentVolumeClaim>): readonly string[] {
  const keys = new Set<string>();
  for (const { spec } of claims) {
    for (const key of Object.keys(spec.selector?.matchLabels ?? {})) keys.add(key);
    for (const { key } of spec.selector?.matchExpressions ?? []) keys.add(key);
  }
  return [...keys].sort();
}

/** A run of the volumes of a shape. */
interface Part {
  readonly shape: Shape;
  readonly from: number;
  readonly to: number;
  readonly isTooSmall: boolean;
}

/** The volumes of a shape that are too small for the request, and the others. */
function partsBySize(shape: Shape, wants: Wants): readonly Part[] {
  const { volumes } = shape;
  const at = lowerBound(volumes, (volume) => compareQuantities(volumeCapacity(volume), wants.request));
  const parts = [
    { shape, from: at, to: volumes.length, isTooSmall: false },
    { shape, from: 0, to: at, isTooSmall: true },
  ];
  return parts.filter(({ from, to }) => from < to);
}

/** The volumes of a part that come nearest to the request: the largest that are too small, the smallest of the others. */
function nearestOf(
  { shape: { volumes }, from, to, isTooSmall }: Part,
  skip: ReadonlySet<PersistentVolume>,
): PersistentVolume[] {
  const found: PersistentVolume[] = [];
  for (let i = 0; i < to - from && found.length < exampleCount; i++) {
    const volume = volumes[isTooSmall ? to - 1 - i : from + i];
    if (volume !== undefined && !skip.has(volume)) found.push(volume);
  }
  return found;
}

/** How many of some volumes lie in a part. */
function skippedIn({ shape: { volumes }, from, to }: Part, skipped: readonly PersistentVolume[]): number {
  return skipped.filter((volume) => {
    const at = lowerBound(volumes, (other) => byCapacity(other, volume));
    return volumes[at] === volume && at >= from && at < to;
  }).length;
}

/** Parts that stand alike to a claim. */
interface Collected {
  readonly relation: Relation;
  readonly codes: readonly Code[];
  readonly standing: Standing | undefined;
  count: number;
  /** The nearest of each part. */
  readonly nearest: PersistentVolume[];
}

/** The largest of those that are too small, the smallest of the others. */
function nearestFirst(volumes: readonly PersistentVolume[], codes: readonly Code[]): readonly PersistentVolume[] {
  const sorted = [...volumes].sort(byCapacity);
  const isTooSmall = codes.includes('CapacityTooSmall');
  return isTooSmall ? sorted.slice(-exampleCount).reverse() : sorted.slice(0, exampleCount);
}

function byCapacity(a: PersistentVolume, b: PersistentVolume): number {
  return compareQuantities(volumeCapacity(a), volumeCapacity(b)) || (a.metadata.name < b.metadata.name ? -1 : 1);
}

/** Who can mend what fails: the owner of the claim, the owner of the volume, nobody. */
const mender: Partial<Record<Code, number>> = {
  BoundToOtherClaim: 9,
  VolumeTerminating: 4,
  VolumeReleased: 3,
  VolumeFailed: 3,
  ReservedForOtherClaim: 3,
  VolumeNotAvailable: 2,
  ClaimRefUidMismatch: 1,
  ClaimRefNameMismatch: 1,
  ClaimRefNamespaceMismatch: 1,
};

const relationOrder: readonly Relation[] = ['bound', 'reserved', 'free', 'misspelt', 'former', 'other'];

function nearestMissFirst(a: Considered, b: Considered): number {
  const hopeless = Number(isHopeless(a)) - Number(isHopeless(b));
  if (hopeless !== 0) return hopeless;
  const kept =
    Number(b.relation === 'bound' || b.relation === 'reserved') -
    Number(a.relation === 'bound' || a.relation === 'reserved');
  if (kept !== 0) return kept;
  const worst = ({ codes }: Considered) => Math.max(0, ...codes.map((code) => mender[code] ?? 0));
  return (
    a.codes.length - b.codes.length ||
    worst(a) - worst(b) ||
    relationOrder.indexOf(a.relation) - relationOrder.indexOf(b.relation) ||
    nearness(a) - nearness(b) ||
    (nameOf(a) < nameOf(b) ? -1 : 1)
  );
}

/** Nobody should take a volume away from the claim that has it. */
export const isHopeless = ({ codes }: Considered): boolean => codes.includes('BoundToOtherClaim');

/** Among equally many failures: one of size only is measured by what is missing. */
const nearness = ({ codes }: Considered): number => (codes.length === 1 && codes[0] === 'CapacityTooSmall' ? 0 : 1);

const nameOf = ({ examples }: Considered): string => examples[0]?.volume.metadata.name ?? '';

import { accessModesAsString } from '../api/access-modes.ts';
import { type ClaimKey, claimKey, hasAnnotation, reservedFor, volumeCapacity, volumeModeOf } from '../api/accessors.ts';
import { AnnBindCompleted } from '../api/annotations.ts';
import { getOrSet } from '../api/get-or-set.ts';
import { SelectorError } from '../api/label-selector.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/objects.ts';
import { compareQuantities, QuantityError, quantityValue } from '../api/quantity.ts';
import { volumeClass } from '../api/storage-class.ts';
import { simulate } from '../engine/simulate.ts';
import { lowerBound } from '../engine/sorted-list.ts';
import { allFailures, type Wants, wantsOf } from '../engine/volume-checks.ts';
import type { Kind } from '../snapshot/kinds.ts';
import { overlay } from '../snapshot/overlay.ts';
import { findingOfFailure, labelKeysOf, readOf } from './census.ts';
import { claimShape } from './claim-shape.ts';
import type { Code, Finding } from './codes.ts';
import { commandsOf } from './commands.ts';
import { Examination } from './diagnose.ts';
import { applyEdit, type Edit } from './edits.ts';
import { referenceTo } from './remedies.ts';
import type { Certainty, Verdict } from './verdict.ts';
import { verdictOf } from './verdict-of.ts';

// The other side of a binding: what becomes of a volume, who could have it, why nobody does, what freeing it would do.

/** What becomes of a volume. */
export type VolumeOutcome =
  /** It has its claim. */
  | 'Bound'
  /** A claim gets it. */
  | 'WillBeBound'
  /** A claim may get it: Kubernetes leaves that open. */
  | 'MayBeBound'
  /** Nobody has it, and nobody takes it. */
  | 'Free'
  /** Kept for a claim that does not take it. */
  | 'Reserved'
  /** Its claim is gone. */
  | 'Released'
  | 'Failed'
  | 'Terminating'
  /** The controller deletes it. */
  | 'WillBeDeleted'
  | 'Unknown';

/** Why a volume that names a claim is not taken by it. */
export type Hindrance =
  /** There is no such claim; perhaps the nearest was meant, which is looked for when it is asked for. */
  | { readonly is: 'claimMissing'; readonly claim: ClaimKey; readonly nearest: ClaimKey | undefined }
  /** The reference lacks its name or namespace. */
  | { readonly is: 'namesNobody'; readonly claim: ClaimKey }
  /** There is a claim of that name, but it is another object than the volume belonged to. */
  | { readonly is: 'formerClaim'; readonly claim: ClaimKey }
  /** The claim has, or waits for, another volume. */
  | { readonly is: 'claimHasOther'; readonly claim: ClaimKey; readonly volume: string }
  /** The claim wants it, but it does not fit. */
  | { readonly is: 'doesNotFit'; readonly claim: ClaimKey; readonly reasons: readonly Finding[] };

/** How a claim comes to a volume. */
export type Way = 'bound' | 'reserved' | 'named' | 'scheduled' | 'matched';

export interface Taker {
  readonly claim: ClaimKey;
  readonly way: Way;
  /** It gets this volume whatever Kubernetes chooses. */
  readonly isCertain: boolean;
}

/** Pending claims to which a volume stands alike. */
export interface Standing {
  readonly count: number;
  /** What fails, in the order of the checks; none if the volume fits. */
  readonly codes: readonly Code[];
  /** The claims that it comes nearest to. */
  readonly examples: readonly StandingExample[];
}

export interface StandingExample {
  readonly claim: PersistentVolumeClaim;
  /** With the class that is in force. */
  readonly className: string;
  readonly verdict: Verdict;
  readonly reasons: readonly Finding[];
}

/** What happens if the claimRef of a volume is removed, as it was tried on a copy. */
export interface Freeing {
  /** The claims that then get the volume. */
  readonly takers: readonly { readonly claim: ClaimKey; readonly before: Verdict; readonly after: Verdict }[];
  /** Other claims to which that does something. */
  readonly others: readonly { readonly claim: ClaimKey; readonly before: Verdict; readonly after: Verdict }[];
  /** Hands it to one claim and lets nobody else in; absent if none would take it. */
  readonly handOver?: { readonly claim: ClaimKey; readonly commands: readonly string[] };
  /** Lets in whoever comes first. */
  readonly commands: readonly string[];
}

export interface VolumeDiagnosis {
  /** As the input has it. */
  readonly volume: PersistentVolume;
  readonly outcome: VolumeOutcome;
  readonly certainty: Certainty;
  readonly lacks: readonly Kind[];
  /** The code that tells the rule behind the outcome, where one does. */
  readonly cause?: Code;
  readonly takers: readonly Taker[];
  readonly hindrance?: Hindrance;
  /** Pending claims that name it (volumeName) and do not get it. */
  readonly namedBy: readonly { readonly claim: ClaimKey; readonly reasons: readonly Finding[] }[];
  /** Pending claims, those that the volume fits first; as if it belonged to nobody. */
  readonly standings: readonly Standing[];
  /** Undefined where there is nothing to free. It costs a run. */
  readonly freeing: Freeing | undefined;
}

/** Volumes that nobody has when all has come to rest. */
export interface CapacityLeft {
  readonly class: string;
  readonly accessModes: string;
  readonly volumeMode: string;
  readonly count: number;
  readonly bytes: bigint;
  /** How many of which size, the largest first. */
  readonly sizes: readonly { readonly quantity: string; readonly count: number }[];
}

const exampleCount = 3;

/** Pending claims that the checks cannot tell apart, for volumes of one shape, but by size. */
interface Group {
  readonly codes: readonly Code[];
  /** By request. */
  readonly shapes: readonly Demand[];
  /** How many claims stand before each shape. */
  readonly before: readonly number[];
}

/** Pending claims of one shape. */
interface Demand {
  readonly wants: Wants;
  readonly claims: readonly PersistentVolumeClaim[];
}

/** All volumes of an examination from their side. */
export class VolumeSide {
  readonly #examination: Examination;
  readonly #verdicts = new Map<ClaimKey, Verdict>();
  readonly #groups = new Map<string, readonly Group[]>();
  #demands: readonly Demand[] | undefined;
  #takers: ReadonlyMap<string, readonly Taker[]> | undefined;
  #labelKeys: readonly string[] | undefined;
  #names: ReadonlyMap<string, readonly PersistentVolumeClaim[]> | undefined;

  constructor(examination: Examination) {
    this.#examination = examination;
  }

  /** How many claims look for a volume. */
  get wanting(): number {
    return this.#wanted().reduce((sum, { claims }) => sum + claims.length, 0);
  }

  diagnose(volume: PersistentVolume): VolumeDiagnosis {
    const { takers, hindrance, ...told } = this.#decide(volume);
    const namedBy = told.outcome === 'Bound' || takers.length > 0 ? [] : this.#namedBy(volume);
    const standings = () => (told.outcome === 'Bound' ? [] : this.#standings(volume));
    const freeing = () => (hindrance === undefined ? undefined : this.#free(volume, hindrance));
    return {
      volume,
      ...told,
      takers,
      ...(hindrance === undefined ? {} : { hindrance }),
      namedBy,
      get standings() {
        return standings();
      },
      get freeing() {
        return freeing();
      },
    };
  }

  #decide(
    volume: PersistentVolume,
  ): Pick<VolumeDiagnosis, 'outcome' | 'certainty' | 'lacks' | 'cause' | 'takers' | 'hindrance'> {
    const { name } = volume.metadata;
    const takers = this.#takersOf(name);
    const told = { certainty: 'certain' as Certainty, lacks: [] as readonly Kind[], takers };
    if (volume.metadata.deletionTimestamp !== undefined)
      return { ...told, outcome: 'Terminating', cause: 'VolumeTerminating' };
    const doubted = { ...told, ...this.#doubts(volume) };
    if (takers.some(({ way }) => way === 'bound')) return { ...told, outcome: 'Bound' };
    if (takers.length > 0) {
      const isCertain = takers.length === 1 && takers[0]?.isCertain === true;
      return isCertain
        ? { ...doubted, outcome: 'WillBeBound' }
        : {
            ...doubted,
            certainty: doubted.certainty === 'certain' ? 'open' : doubted.certainty,
            outcome: 'MayBeBound',
          };
    }
    if (doubted.lacks.length > 0 && doubted.certainty !== 'assumed') return { ...doubted, outcome: 'Unknown' };
    if (this.#examination.simulation.world.peekVolume(name) === undefined)
      return { ...doubted, outcome: 'WillBeDeleted', cause: 'VolumeReleased' };
    const hindrance = this.#hindrance(volume);
    if (hindrance === undefined) return { ...doubted, outcome: isFailed(volume) ? 'Failed' : 'Free' };
    return { ...doubted, hindrance, ...stateOf(volume, hindrance) };
  }

  /** Claims that were not collected may be the ones that have it, or want it. */
  #doubts({ spec: { claimRef } }: PersistentVolume): Pick<VolumeDiagnosis, 'certainty' | 'lacks'> {
    const { snapshot } = this.#examination.simulation;
    const { is } = snapshot.coverage('PersistentVolumeClaim', claimRef?.namespace || undefined);
    if (is === 'present' || is === 'empty') return { certainty: 'certain', lacks: [] };
    return { certainty: is === 'unstated' ? 'assumed' : 'certain', lacks: ['PersistentVolumeClaim'] };
  }

  #hindrance(volume: PersistentVolume): Hindrance | undefined {
    const claim = reservedFor(volume);
    const ref = volume.spec.claimRef;
    if (claim === undefined || ref === undefined) return undefined;
    const { claims } = this.#examination;
    if (!ref.name || !ref.namespace) return { is: 'namesNobody', claim };
    const found = claims.get(claim);
    const meant = () => this.#meant(volume, claim);
    if (found === undefined) {
      return {
        is: 'claimMissing',
        claim,
        get nearest() {
          return meant();
        },
      };
    }
    if (ref.uid && ref.uid !== found.metadata.uid) return { is: 'formerClaim', claim };
    const other = this.#examination.after(claim)?.spec.volumeName ?? '';
    if (other !== '' && other !== volume.metadata.name) return { is: 'claimHasOther', claim, volume: other };
    const reasons = this.#reasons(volume, found);
    return { is: 'doesNotFit', claim, reasons };
  }

  #takersOf(volume: string): readonly Taker[] {
    this.#takers ??= this.#everyTaker();
    return this.#takers.get(volume) ?? [];
  }

  #everyTaker(): ReadonlyMap<string, readonly Taker[]> {
    const index = new Map<string, Taker[]>();
    const { snapshot } = this.#examination.simulation;
    for (const [key, claim] of this.#examination.claims) {
      if (isSettled(claim)) {
        const name = claim.spec.volumeName as string;
        const ref = snapshot.get('PersistentVolume', name)?.spec.claimRef;
        const isItsOwn = ref?.uid === claim.metadata.uid && ref?.name === claim.metadata.name;
        if (isItsOwn) getOrSet(index, name, () => []).push({ claim: key, way: 'bound', isCertain: true });
        continue;
      }
      const { outcome, volumes, volumeCount, orNone } = this.verdict(key);
      if (outcome !== 'WillBind' && outcome !== 'MayBind') continue;
      const all = volumeCount === undefined ? volumes : (this.#examination.possible(key)?.volumes ?? volumes);
      for (const name of all) {
        const way = this.#way(key, claim, name);
        const isCertain = all.length === 1 && orNone !== true;
        getOrSet(index, name, () => []).push({ claim: key, way, isCertain });
      }
    }
    return index;
  }

  #way(key: ClaimKey, claim: PersistentVolumeClaim, volume: string): Way {
    const found = this.#examination.simulation.snapshot.get('PersistentVolume', volume);
    if (found !== undefined && reservedFor(found) === key) return 'reserved';
    if (claim.spec.volumeName === volume) return 'named';
    return this.#examination.isDelayed(claim) ? 'scheduled' : 'matched';
  }

  verdict(key: ClaimKey): Verdict {
    return getOrSet(this.#verdicts, key, () => verdictOf(this.#examination, key));
  }

  /** The claims that look for a volume, by shape: those that name one look for no other. */
  #wanted(): readonly Demand[] {
    this.#demands ??= this.#everyDemand();
    return this.#demands;
  }

  #everyDemand(): readonly Demand[] {
    const shapes = new Map<string, { readonly wants: Wants; readonly claims: PersistentVolumeClaim[] }>();
    for (const [key, claim] of this.#examination.claims) {
      const isLooking =
        (claim.spec.volumeName ?? '') === '' &&
        claim.metadata.deletionTimestamp === undefined &&
        !hasAnnotation(claim, AnnBindCompleted) &&
        claim.status?.phase !== 'Lost';
      if (!isLooking) continue;
      const after = this.#examination.after(key) ?? claim;
      const wants = tryWants({ ...claim, spec: { ...after.spec, volumeName: '' } });
      if (wants === undefined) continue;
      getOrSet(shapes, claimShape(wants), () => ({ wants, claims: [] })).claims.push(claim);
    }
    return [...shapes.values()].sort((a, b) => compareQuantities(a.wants.request, b.wants.request));
  }

  /** Shapes of claims are compared with shapes of volumes once; sizes are looked up. */
  #standings(volume: PersistentVolume): readonly Standing[] {
    const free = asFree(volume);
    const capacity = volumeCapacity(volume);
    const groups = getOrSet(this.#groups, this.#shapeOf(free), () => this.#compare(free));
    const rows = groups.flatMap((group): Standing[] => {
      const { shapes, before, codes } = group;
      // The first shape that asks for more than there is.
      const at = firstAbove(shapes, capacity);
      const counts = [before[at] as number, (before.at(-1) as number) - (before[at] as number)];
      return [
        {
          count: counts[0] as number,
          codes,
          examples: this.#examples(free, shapes.slice(Math.max(0, at - exampleCount), at).reverse()),
        },
        {
          count: counts[1] as number,
          codes: [...codes, 'CapacityTooSmall'],
          examples: this.#examples(free, shapes.slice(at, at + exampleCount)),
        },
      ];
    });
    return rows.filter(({ count }) => count > 0).sort((a, b) => a.codes.length - b.codes.length || b.count - a.count);
  }

  #compare(free: PersistentVolume): readonly Group[] {
    const site = this.#examination.site();
    const byCodes = new Map<string, { readonly codes: readonly Code[]; readonly shapes: Demand[] }>();
    for (const demand of this.#wanted()) {
      const codes = allFailures('search', demand.wants, free, site)
        .map(({ code }) => code as Code)
        .filter((code) => code !== 'CapacityTooSmall' && code !== 'BindingDelayed');
      getOrSet(byCodes, codes.join(), () => ({ codes, shapes: [] })).shapes.push(demand);
    }
    return [...byCodes.values()].map(({ codes, shapes }) => {
      const before = [0];
      for (const { claims } of shapes) before.push((before.at(-1) as number) + claims.length);
      return { codes, shapes, before };
    });
  }

  #examples(free: PersistentVolume, shapes: readonly Demand[]): readonly StandingExample[] {
    return shapes
      .flatMap(({ wants, claims }) => claims.slice(0, exampleCount).map((claim) => ({ wants, claim })))
      .slice(0, exampleCount)
      .map(({ wants, claim }) => ({
        claim,
        className: wants.className,
        verdict: this.verdict(claimKey(claim)),
        reasons: allFailures('search', wants, free, this.#examination.site())
          .filter(({ code }) => code !== 'BindingDelayed')
          .map((failure) => findingOfFailure(failure, free.metadata.name)),
      }));
  }

  /** All that the checks read of a volume that belongs to nobody, but its size. */
  #shapeOf(volume: PersistentVolume): string {
    this.#labelKeys ??= labelKeysOf(this.#wanted().map(({ wants }) => wants.claim));
    return JSON.stringify(readOf(volume, this.#labelKeys));
  }

  #free(volume: PersistentVolume, hindrance: Hindrance): Freeing | undefined {
    const { snapshot, features } = this.#examination.simulation;
    const { name } = volume.metadata;
    const edit: Edit = { is: 'patchVolume', volume: name, change: { claimRef: null } };
    const commands = commandsOf(edit, snapshot);
    const fitting = this.#standings(volume).find(({ codes }) => codes.length === 0)?.examples[0]?.claim;
    const put = applyEdit(snapshot, edit);
    // A claim that names the volume takes it as well, once it is nobody's.
    const naming = this.#naming(name)[0] ?? fitting;
    const first = naming && claimKey(naming);
    // A claim that is there may yet get its volume: it is taken away from it only for another.
    const isKept = hindrance.is === 'doesNotFit' || hindrance.is === 'claimHasOther';
    const nothing = isKept ? undefined : { takers: [], others: [], commands };
    if (first === undefined || put === undefined) return nothing;
    const { claims, changes } = this.#examination.neighbours(first, put);
    const then = new VolumeSide(new Examination(simulate(overlay(snapshot, { put, ...changes }), { features })));
    const all = claims
      .map((claim) => ({ claim, before: this.verdict(claim), after: then.verdict(claim) }))
      .filter(
        ({ before, after }) => before.outcome !== after.outcome || before.volumes.join() !== after.volumes.join(),
      );
    const isTaker = ({ after }: { after: Verdict }) => after.volumes.includes(name);
    const takers = all.filter(isTaker);
    if (takers.length === 0 && isKept) return undefined;
    // A claim that gets a volume anyway is not helped by another.
    const inNeed = takers.find(({ before }) => before.outcome !== 'WillBind' && before.outcome !== 'MayBind');
    const heir = inNeed && this.#examination.claims.get(inNeed.claim);
    return {
      takers,
      others: all.filter((one) => !isTaker(one)),
      ...(heir === undefined
        ? {}
        : {
            handOver: {
              claim: claimKey(heir),
              commands: commandsOf(
                { is: 'patchVolume', volume: name, change: { claimRef: referenceTo(heir) } },
                snapshot,
              ),
            },
          }),
      commands,
    };
  }

  /** The claim that a reference to none nearly names: by a slip, or in another namespace. */
  #meant(volume: PersistentVolume, claim: ClaimKey): ClaimKey | undefined {
    const name = claim.slice(claim.indexOf('/'));
    const { census, claims } = this.#examination;
    let elsewhere: ClaimKey | undefined;
    for (const [key, one] of claims) {
      const wants = tryWants(one);
      if (wants !== undefined && census.single(volume, wants).relation === 'misspelt') return key;
      if (key.endsWith(name)) elsewhere ??= key;
    }
    return elsewhere;
  }

  #namedBy(volume: PersistentVolume): VolumeDiagnosis['namedBy'] {
    return this.#naming(volume.metadata.name).map((claim) => ({
      claim: claimKey(claim),
      reasons: this.#reasons(volume, claim),
    }));
  }

  #reasons(volume: PersistentVolume, claim: PersistentVolumeClaim): readonly Finding[] {
    const wants = tryWants(claim);
    return wants === undefined ? [] : (this.#examination.census.single(volume, wants).examples[0]?.reasons ?? []);
  }

  /** The claims that name a volume without being bound to it. */
  #naming(volume: string): readonly PersistentVolumeClaim[] {
    this.#names ??= this.#everyName();
    return this.#names.get(volume) ?? [];
  }

  #everyName(): ReadonlyMap<string, readonly PersistentVolumeClaim[]> {
    const index = new Map<string, PersistentVolumeClaim[]>();
    for (const claim of this.#examination.claims.values()) {
      const { volumeName = '' } = claim.spec;
      if (volumeName !== '' && !isSettled(claim)) getOrSet(index, volumeName, () => []).push(claim);
    }
    return index;
  }

  /** What is left for further claims when everybody has what they get, by class and shape. */
  capacityLeft(): readonly CapacityLeft[] {
    const groups = new Map<string, PersistentVolume[]>();
    for (const volume of this.#examination.simulation.world.volumes()) {
      const { metadata, spec, status } = volume;
      if (spec.claimRef !== undefined || metadata.deletionTimestamp !== undefined || status?.phase !== 'Available')
        continue;
      const key = JSON.stringify([volumeClass(volume), accessModesAsString(spec.accessModes), volumeModeOf(volume)]);
      getOrSet(groups, key, () => []).push(volume);
    }
    return [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, volumes]) => {
        const [className, accessModes, volumeMode] = JSON.parse(key) as [string, string, string];
        const sizes = new Map<bigint, { readonly quantity: string; count: number }>();
        for (const volume of volumes) {
          const { storage: quantity = '0' } = volume.spec.capacity ?? {};
          getOrSet(sizes, quantityValue(volumeCapacity(volume)), () => ({ quantity, count: 0 })).count++;
        }
        return {
          class: className,
          accessModes,
          volumeMode,
          count: volumes.length,
          bytes: [...sizes].reduce((sum, [bytes, { count }]) => sum + bytes * BigInt(count), 0n),
          sizes: [...sizes].sort(([a], [b]) => (a < b ? 1 : -1)).map(([, size]) => size),
        };
      });
  }
}

const isFailed = ({ status }: PersistentVolume): boolean => status?.phase === 'Failed';

function stateOf(volume: PersistentVolume, hindrance: Hindrance): Pick<VolumeDiagnosis, 'outcome' | 'cause'> {
  if (isFailed(volume)) return { outcome: 'Failed', cause: 'VolumeFailed' };
  switch (hindrance.is) {
    case 'formerClaim':
      return { outcome: 'Released', cause: 'ClaimRefUidMismatch' };
    case 'claimMissing': {
      const isReleased = Boolean(volume.spec.claimRef?.uid) || volume.status?.phase === 'Released';
      if (isReleased) return { outcome: 'Released', cause: 'VolumeReleased' };
      return { outcome: 'Reserved', cause: 'ReservedForOtherClaim' };
    }
    case 'namesNobody':
      return {
        outcome: 'Reserved',
        cause: volume.spec.claimRef?.name ? 'ClaimRefNamespaceMismatch' : 'ClaimRefNameMismatch',
      };
    case 'claimHasOther':
      return { outcome: 'Reserved', cause: 'BoundToOtherClaim' };
    case 'doesNotFit': {
      const cause = hindrance.reasons[0]?.code;
      return { outcome: 'Reserved', ...(cause === undefined ? {} : { cause }) };
    }
  }
}

/** Bound when the input was taken. */
const isSettled = ({ spec, status, metadata }: PersistentVolumeClaim): boolean =>
  status?.phase === 'Bound' && (spec.volumeName ?? '') !== '' && metadata.annotations?.[AnnBindCompleted] !== undefined;

/** The volume as it would be if it belonged to nobody. */
function asFree(volume: PersistentVolume): PersistentVolume {
  const { claimRef: _claimRef, ...spec } = volume.spec;
  return { ...volume, spec, status: { ...volume.status, phase: 'Available' } };
}

/** Undefined for a claim whose request or selector cannot be read: it is compared with nothing. */
function tryWants(claim: PersistentVolumeClaim): Wants | undefined {
  try {
    const wants = wantsOf(claim);
    void wants.selector;
    return wants;
  } catch (error) {
    if (error instanceof QuantityError || error instanceof SelectorError) return undefined;
    throw error;
  }
}

const firstAbove = (shapes: readonly Demand[], capacity: Wants['request']): number =>
  lowerBound(shapes, ({ wants }) => (compareQuantities(wants.request, capacity) > 0 ? 0 : -1));

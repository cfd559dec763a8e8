import { claimKey, isVolumeBoundToClaim } from '../../../api/accessors.ts';
import type { Features } from '../../../api/features.ts';
import { SelectorError } from '../../../api/label-selector.ts';
import type { PersistentVolume } from '../../../api/objects.ts';
import { compareQuantities, type Quantity } from '../../../api/quantity.ts';
import type { Options } from '../../choose.ts';
import { askCheck, type CheckCode, type Site, siteOf, type Wants } from '../../volume-checks.ts';
import type { SchedulerChoose } from '../choice.ts';
import { PluginError } from '../framework.ts';
import type { NodeInfo } from '../node-info.ts';
import type { Cell, ClassVolumes, Group } from './class-volumes.ts';

// component-helpers storage/volume/pv_helpers.go, FindMatchingVolume (1.37), on the scheduler's way: with a node;
// specification pv-controller 4.1 and 4.2, scheduler-and-provisioning 1.6.

/** What decides about a volume that is reserved for the claim, before its node affinity does. */
export const reservedChecks: readonly CheckCode[] = [
  'ReservedForOther',
  'CapacityTooSmall',
  'VolumeModeMismatch',
  'VolumeAttributesClassMismatch',
  'VolumeTerminating',
];

/** What all volumes of a group answer alike; the index has seen to reservation, deletion, phase, class and node affinity. */
const groupChecks: readonly CheckCode[] = ['VolumeModeMismatch', 'VolumeAttributesClassMismatch', 'AccessModesMissing'];

/** Equally large volumes that serve, and their names. */
interface Offer {
  readonly capacity: Quantity;
  readonly names: Iterable<string> & { readonly size: number; readonly first: string | undefined };
}

export type Match =
  | { readonly is: 'found'; readonly volume: PersistentVolume; readonly equals: number }
  /** A volume that is reserved for the claim ends the search, even if the node cannot reach it. */
  | { readonly is: 'outOfReach'; readonly volume: PersistentVolume }
  | { readonly is: 'none' };

/** The search of a volume for one claim: prepared once for a pod, asked for every node. */
export class VolumeSearch {
  readonly wants: Wants;
  readonly #volumes: ClassVolumes;
  readonly #site: Site;
  readonly #choose: SchedulerChoose;
  /** Volumes reserved for the claim that would be taken, the one that is met first in front. */
  readonly #reserved: readonly PersistentVolume[];
  readonly #offers = new Map<Group, Offer | undefined>();
  #isPrepared = false;

  constructor(wants: Wants, volumes: ClassVolumes, features: Features, choose: SchedulerChoose) {
    this.wants = wants;
    this.#volumes = volumes;
    this.#site = siteOf(features);
    this.#choose = choose;
    const { claim } = wants;
    const reserved = volumes.reservedFor(claimKey(claim)).filter((volume) => isVolumeBoundToClaim(volume, claim));
    this.#reserved = this.#inOrder(reserved.filter((volume) => this.#passes(reservedChecks, volume)));
  }

  /** The volume that the claim gets on the node if none of the excluded may be taken. Throws PluginError. */
  findMatchingVolume(node: NodeInfo, excluded: ReadonlySet<string>): Match {
    this.#prepare();
    const reserved = this.#reserved.find(({ metadata }) => !excluded.has(metadata.name));
    if (reserved !== undefined) {
      if (!this.#volumes.isReachable(reserved, node.index)) return { is: 'outOfReach', volume: reserved };
      return { is: 'found', volume: reserved, equals: 0 };
    }
    const smallest: Offer[] = [];
    this.#gatherSmallest(this.#volumes.groupsEverywhere, excluded, smallest);
    this.#gatherSmallest(this.#volumes.groupsOn(node.index), excluded, smallest);
    const [only] = smallest;
    if (only === undefined) return { is: 'none' };
    if (smallest.length === 1 && only.names.size === 1) {
      return { is: 'found', volume: this.#volumes.get(only.names.first as string) as PersistentVolume, equals: 0 };
    }
    const options = this.#optionsOf(smallest);
    const point = { at: 'staticVolume', claim: claimKey(this.wants.claim), node: node.name } as const;
    return { is: 'found', volume: this.#choose(point, options), equals: options.size - 1 };
  }

  /** Keeps the smallest offers, which are all equally large. */
  #gatherSmallest(groups: readonly Group[], excluded: ReadonlySet<string>, smallest: Offer[]): void {
    for (const group of groups) {
      const offer = this.#offerOf(group, excluded);
      if (offer === undefined) continue;
      const order = smallest[0] === undefined ? 0 : compareQuantities(offer.capacity, smallest[0].capacity);
      if (order < 0) smallest.length = 0;
      if (order <= 0) smallest.push(offer);
    }
  }

  #prepare(): void {
    if (this.#isPrepared) return;
    const { claim, volumeAttributesClass } = this.wants;
    if (this.#site.volumeAttributesClass === 'disabled' && volumeAttributesClass !== '') {
      throw new PluginError(
        `unsupported volumeAttributesClassName is set on claim ${claimKey(claim)} when the feature-gate VolumeAttributesClass is disabled`,
      );
    }
    try {
      void this.wants.selector;
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      throw new PluginError(`error creating internal label selector for claim: ${claimKey(claim)}: ${error.message}`);
    }
    this.#isPrepared = true;
  }

  #passes(checks: readonly CheckCode[], volume: PersistentVolume): boolean {
    return checks.every((code) => askCheck(code, this.wants, volume, this.#site) === undefined);
  }

  #inOrder(volumes: readonly PersistentVolume[]): readonly PersistentVolume[] {
    const [first] = volumes;
    if (first === undefined || volumes.length === 1) return volumes;
    const options: Options<PersistentVolume> = {
      size: volumes.length,
      first,
      [Symbol.iterator]: () => volumes[Symbol.iterator](),
    };
    const chosen = this.#choose({ at: 'reservedVolume', claim: claimKey(this.wants.claim) }, options);
    return [chosen, ...volumes.filter((volume) => volume !== chosen)];
  }

  #offerOf(group: Group, excluded: ReadonlySet<string>): Offer | undefined {
    for (const name of excluded) if (this.#volumes.groupOf(name) === group) return this.#smallestOf(group, excluded);
    if (!this.#offers.has(group)) this.#offers.set(group, this.#smallestOf(group, excluded));
    return this.#offers.get(group);
  }

  #smallestOf({ representative, cells }: Group, excluded: ReadonlySet<string>): Offer | undefined {
    if (!this.#passes(groupChecks, representative)) return undefined;
    const { request, selector } = this.wants;
    for (const { capacity, names } of cellsFrom(cells, request)) {
      if (selector === undefined && !holdsSome(names, excluded)) return { capacity, names };
      const serving = [...names]
        .filter((name) => !excluded.has(name))
        .filter((name) => selector === undefined || selector.matches(this.#volumes.get(name)?.metadata.labels))
        .sort();
      if (serving.length > 0) return { capacity, names: namesOf(serving) };
    }
    return undefined;
  }

  #optionsOf(offers: readonly Offer[]): Options<PersistentVolume> {
    const volumes = this.#volumes;
    const firsts = offers.map(({ names }) => names.first as string).sort();
    return {
      size: offers.reduce((sum, { names }) => sum + names.size, 0),
      first: volumes.get(firsts[0] as string) as PersistentVolume,
      *[Symbol.iterator]() {
        for (const { names } of offers) for (const name of names) yield volumes.get(name) as PersistentVolume;
      },
    };
  }
}

function holdsSome(names: Cell['names'], sought: ReadonlySet<string>): boolean {
  for (const name of sought) if (names.has(name)) return true;
  return false;
}

/** The cells that are large enough, smallest first. */
function* cellsFrom(cells: Group['cells'], least: Quantity): IterableIterator<Cell> {
  let cell = cells.firstNotBefore(({ capacity }) => compareQuantities(capacity, least));
  while (cell !== undefined) {
    yield cell;
    const passed = cell.capacity;
    cell = cells.firstNotBefore(({ capacity }) => (compareQuantities(capacity, passed) > 0 ? 1 : -1));
  }
}

const namesOf = (names: readonly string[]): Offer['names'] => ({
  size: names.length,
  first: names[0],
  [Symbol.iterator]: () => names[Symbol.iterator](),
});

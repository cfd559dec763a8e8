import {
  type AccessModes,
  accessModesAsString,
  accessModesFromString,
  containsAccessModes,
} from '../../api/access-modes.ts';
import {
  type ClaimKey,
  reservedFor,
  volumeAttributesClassOf,
  volumeCapacity,
  volumeModeOf,
} from '../../api/accessors.ts';
import { getOrSet } from '../../api/get-or-set.ts';
import type { AccessMode, PersistentVolume } from '../../api/objects.ts';
import { compareQuantities, type Quantity } from '../../api/quantity.ts';
import { volumeClass } from '../../api/storage-class.ts';
import { Names } from '../names.ts';
import { SortedList } from '../sorted-list.ts';
import type { VolumeField } from '../volume-checks.ts';

// kubernetes/kubernetes pkg/controller/volume/persistentvolume/index.go, persistentVolumeOrderedIndex (1.37);
// specification pv-controller 1.1 and 1.2. Upstream walks over every volume of a bucket; here the volumes of a bucket that no
// check can tell apart form one group, so that a check runs once per group and the smallest fit is a search.

/** Volumes of one group that are equally large: nothing tells them apart but the name. */
export interface Cell {
  readonly capacity: Quantity;
  readonly names: Names;
  readonly group: Group;
}

/** Unreserved volumes with the same access modes that every check but the one of the size answers alike. */
export interface Group {
  readonly key: string;
  readonly bucket: Bucket;
  /** One volume of the group, for the checks to look at. */
  representative: PersistentVolume;
  /** By capacity; no empty cells. */
  readonly cells: SortedList<Cell>;
}

/** Volumes with the same access modes. */
export interface Bucket {
  readonly modes: AccessModes;
  readonly list: readonly AccessMode[];
  /** Groups by the class of their volumes: an unreserved volume of another class never serves. */
  readonly groups: Map<string, Map<string, Group>>;
  /** How many volumes are in the bucket, reserved ones included. */
  size: number;
}

interface Entry {
  readonly volume: PersistentVolume;
  readonly bucket: Bucket;
  /** Where it lies among the unreserved. */
  readonly cell: Cell | undefined;
}

/** The fields besides capacity and class in which the volumes of one group agree. */
const shapeOf = {
  volumeMode: volumeModeOf,
  volumeAttributesClass: volumeAttributesClassOf,
  deletionTimestamp: (volume) => (volume.metadata.deletionTimestamp === undefined ? '' : 'terminating'),
  phase: (volume) => volume.status?.phase ?? '',
} satisfies Partial<Record<VolumeField, (volume: PersistentVolume) => string>>;

const shapeReaders = Object.values(shapeOf);

/** The PersistentVolume controller's cache of volumes. */
export class VolumeIndex {
  readonly #entries = new Map<string, Entry>();
  readonly #buckets = new Map<AccessModes, Bucket>();
  readonly #reserved = new Map<ClaimKey, Names>();
  readonly #labelKeys: readonly string[];
  /** The answers of allPossibleMatchingAccessModes while no bucket comes or goes. */
  readonly #levels = new Map<string, readonly (readonly Bucket[])[]>();

  /** `labelKeys`: the volume labels that the selectors of claims ask for; other labels tell no volumes apart. */
  constructor(labelKeys: Iterable<string>) {
    this.#labelKeys = [...new Set(labelKeys)].sort();
  }

  get(name: string): PersistentVolume | undefined {
    return this.#entries.get(name)?.volume;
  }

  *[Symbol.iterator](): IterableIterator<PersistentVolume> {
    for (const { volume } of this.#entries.values()) yield volume;
  }

  /** Adds a volume or replaces the one of the same name. */
  set(volume: PersistentVolume): void {
    this.delete(volume.metadata.name);
    const name = volume.metadata.name;
    const bucket = this.#bucketOf(volume);
    bucket.size++;
    const key = reservedFor(volume);
    const cell = key === undefined ? this.#cellOf(bucket, volume) : undefined;
    if (key !== undefined) this.#reservedNames(key).add(name);
    cell?.names.add(name);
    this.#entries.set(name, { volume, bucket, cell });
  }

  delete(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#entries.delete(name);
    const { volume, bucket, cell } = entry;
    if (cell !== undefined) {
      cell.names.delete(name);
      if (cell.names.size === 0) cell.group.cells.remove(cell);
    }
    const key = reservedFor(volume);
    if (key !== undefined) {
      const names = this.#reservedNames(key);
      names.delete(name);
      if (names.size === 0) this.#reserved.delete(key);
    }
    if (--bucket.size > 0) return;
    this.#buckets.delete(bucket.modes);
    this.#levels.clear();
  }

  /** The volumes of a bucket whose claimRef names the claim, by name; the uid is not looked at. */
  *reservedIn(bucket: Bucket, claim: ClaimKey): IterableIterator<PersistentVolume> {
    for (const name of this.#reserved.get(claim) ?? []) {
      const entry = this.#entries.get(name);
      if (entry?.bucket === bucket) yield entry.volume;
    }
  }

  /** The volumes whose claimRef names the claim; the uid is not looked at. */
  *reservedFor(claim: ClaimKey): IterableIterator<PersistentVolume> {
    for (const name of this.#reserved.get(claim) ?? []) yield this.get(name) as PersistentVolume;
  }

  /**
   * The buckets that hold all requested modes, fewest modes first; buckets with equally many modes stand side by side because
   * upstream leaves their order to a map (allPossibleMatchingAccessModes).
   */
  allPossibleMatchingAccessModes(requested: readonly AccessMode[]): readonly (readonly Bucket[])[] {
    return getOrSet(this.#levels, requested.join(), () => this.#levelsOf(requested));
  }

  #levelsOf(requested: readonly AccessMode[]): readonly (readonly Bucket[])[] {
    const levels: Bucket[][] = [];
    for (const bucket of this.#buckets.values()) {
      if (containsAccessModes(bucket.list, requested)) {
        levels[bucket.list.length] ??= [];
        levels[bucket.list.length]?.push(bucket);
      }
    }
    return levels
      .filter((level) => level !== undefined)
      .map((level) => level.sort((a, b) => (a.modes < b.modes ? -1 : 1)));
  }

  #bucketOf(volume: PersistentVolume): Bucket {
    const modes = accessModesAsString(volume.spec.accessModes);
    let bucket = this.#buckets.get(modes);
    if (bucket === undefined) {
      bucket = { modes, list: accessModesFromString(modes), groups: new Map(), size: 0 };
      this.#buckets.set(modes, bucket);
      this.#levels.clear();
    }
    return bucket;
  }

  #cellOf(bucket: Bucket, volume: PersistentVolume): Cell {
    const className = volumeClass(volume);
    const groups = getOrSet(bucket.groups, className, () => new Map<string, Group>());
    const key = this.#shapeKey(volume);
    const group = getOrSet(groups, key, () => {
      const cells = new SortedList<Cell>((a, b) => compareQuantities(a.capacity, b.capacity));
      return { key, bucket, representative: volume, cells };
    });
    const capacity = volumeCapacity(volume);
    const found = group.cells.firstNotBefore((cell) => compareQuantities(cell.capacity, capacity));
    if (found !== undefined && compareQuantities(found.capacity, capacity) === 0) return found;
    const cell: Cell = { capacity, names: new Names(), group };
    group.cells.add(cell);
    return cell;
  }

  #shapeKey(volume: PersistentVolume): string {
    // With the length in front no value can pass for two.
    let key = '';
    for (const read of shapeReaders) {
      const value = read(volume);
      key += `${value.length}:${value}`;
    }
    for (const label of this.#labelKeys) {
      const value = volume.metadata.labels?.[label];
      key += value === undefined ? '-' : `${value.length}:${value}`;
    }
    return key;
  }

  #reservedNames(key: ClaimKey): Names {
    return getOrSet(this.#reserved, key, () => new Names());
  }
}

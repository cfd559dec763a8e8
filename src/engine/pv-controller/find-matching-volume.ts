import { claimKey } from '../../api/accessors.ts';
import { SelectorError } from '../../api/label-selector.ts';
import type { PersistentVolume } from '../../api/objects.ts';
import { compareQuantities } from '../../api/quantity.ts';
import type { Options } from '../choose.ts';
import { askCheck, type CheckCode, checkOrder, firstFailure, type Site, type Wants } from '../volume-checks.ts';
import { SyncError } from './sync-error.ts';
import type { Bucket, Cell, Group, VolumeIndex } from './volume-index.ts';

/** A volume that the claim may get, and the bucket that offered it. */
export interface Candidate {
  readonly volume: PersistentVolume;
  readonly bucket: Bucket;
}

/** Checks that a whole group answers at once; access modes, reservation and size are the index's. */
const groupChecks: readonly CheckCode[] = checkOrder.search.filter(
  (code) => code !== 'AccessModesMissing' && code !== 'ReservedForOther' && code !== 'CapacityTooSmall',
);

/**
 * The volumes of the index that the claim may get, all equally right in upstream's eyes, or undefined: findByClaim over
 * findMatchingVolume. Throws SyncError for a selector or a VolumeAttributesClass that upstream refuses to read.
 */
// kubernetes/kubernetes pkg/controller/volume/persistentvolume/index.go, findByClaim (1.37); specification pv-controller 1.2
export function findByClaim(index: VolumeIndex, wants: Wants, site: Site): Options<Candidate> | undefined {
  for (const level of index.allPossibleMatchingAccessModes(wants.accessModes)) {
    const found = level
      .map((bucket) => findMatchingVolume(index, bucket, wants, site))
      .filter((match) => match !== undefined);
    if (found.length > 0) return candidatesOf(index, found);
  }
  return undefined;
}

/** What one bucket offers: volumes reserved for the claim, or else the smallest of the others that fit. */
interface Match {
  readonly bucket: Bucket;
  readonly reserved: readonly PersistentVolume[];
  readonly smallest: readonly Cell[];
}

// component-helpers storage/volume/pv_helpers.go, FindMatchingVolume (1.37); specification pv-controller 4
function findMatchingVolume(index: VolumeIndex, bucket: Bucket, wants: Wants, site: Site): Match | undefined {
  const { claim } = wants;
  if (site.volumeAttributesClass === 'disabled' && wants.volumeAttributesClass !== '') {
    throw new SyncError(
      `unsupported volumeAttributesClassName is set on claim ${claimKey(claim)} when the feature-gate VolumeAttributesClass is disabled`,
    );
  }
  requireSelector(wants);

  // A volume reserved for the claim is taken at once: phase, selector, class and delayed binding do not apply to it.
  const reserved = [...index.reservedIn(bucket, claimKey(claim))].filter(
    (volume) => firstFailure('reserved', wants, volume, site) === undefined,
  );
  if (reserved.length > 0) return { bucket, reserved, smallest: [] };

  let smallest: Cell[] = [];
  for (const group of bucket.groups.get(wants.className)?.values() ?? []) {
    const cell = smallestThatFits(group, wants, site);
    if (cell === undefined) continue;
    const order = smallest[0] === undefined ? -1 : compareQuantities(cell.capacity, smallest[0].capacity);
    if (order < 0) smallest = [cell];
    else if (order === 0) smallest.push(cell);
  }
  return smallest.length > 0 ? { bucket, reserved: [], smallest } : undefined;
}

function requireSelector(wants: Wants): void {
  try {
    void wants.selector;
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new SyncError(`error creating internal label selector for claim: ${claimKey(wants.claim)}: ${error.message}`);
  }
}

function smallestThatFits(group: Group, wants: Wants, site: Site): Cell | undefined {
  const cell = group.cells.firstNotBefore((other) => compareQuantities(other.capacity, wants.request));
  if (cell === undefined) return undefined;
  const fits = groupChecks.every((code) => askCheck(code, wants, group.representative, site) === undefined);
  return fits ? cell : undefined;
}

function candidatesOf(index: VolumeIndex, matches: readonly Match[]): Options<Candidate> {
  const size = matches.reduce((sum, { reserved, smallest }) => sum + reserved.length + sizeOf(smallest), 0);
  return {
    size,
    get first() {
      const match = matches[0] as Match;
      const names = match.reserved.map((volume) => volume.metadata.name);
      const firsts = match.smallest.map((cell) => cell.names.first as string);
      const name = [...names, ...firsts].sort()[0] as string;
      return { volume: index.get(name) as PersistentVolume, bucket: match.bucket };
    },
    *[Symbol.iterator]() {
      for (const { bucket, reserved, smallest } of matches) {
        for (const volume of reserved) yield { volume, bucket };
        for (const cell of smallest)
          for (const name of cell.names) yield { volume: index.get(name) as PersistentVolume, bucket };
      }
    },
  };
}

const sizeOf = (cells: readonly Cell[]): number => cells.reduce((sum, cell) => sum + cell.names.size, 0);

import { accessModesAsString } from '../api/access-modes.ts';
import {
  type ClaimKey,
  claimKey,
  hasAnnotation,
  reservedFor,
  volumeAttributesClassOf,
  volumeCapacity,
  volumeModeOf,
} from '../api/accessors.ts';
import { AnnBindCompleted } from '../api/annotations.ts';
import { getOrSet } from '../api/get-or-set.ts';
import { SelectorError } from '../api/label-selector.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/objects.ts';
import { compareQuantities, QuantityError } from '../api/quantity.ts';
import { claimClass, claimHasClass, defaultClass, volumeClass } from '../api/storage-class.ts';
import { lowerBound } from './sorted-list.ts';
import { askCheck, type CheckCode, type Site, wantsOf } from './volume-checks.ts';
import type { World } from './world.ts';

/** Claims and volumes that can influence each other, and nobody else. */
export interface Component {
  readonly claims: readonly PersistentVolumeClaim[];
  readonly volumes: readonly PersistentVolume[];
}

/** Checks whose answer no controller changes; the others may pass later in a run. */
const lasting: readonly CheckCode[] = [
  'AccessModesMissing',
  'VolumeModeMismatch',
  'VolumeAttributesClassMismatch',
  'SelectorMismatch',
];

/**
 * Splits claims and volumes into groups that cannot influence each other: a claim belongs with every volume that it could take
 * in some state of the world, with those that name it and with the one that it names. Pairs that are bound and agree stay alone.
 */
export function componentsOf(world: World, site: Site): ReadonlyMap<ClaimKey, Component> {
  const groups = new UnionFind();
  const volumes = [...world.volumes()];
  const claims = [...world.claims()];
  const loose: PersistentVolume[] = [];
  for (const volume of volumes) {
    const key = reservedFor(volume);
    if (key !== undefined && world.hasClaim(key)) groups.union(`volume ${volume.metadata.name}`, `claim ${key}`);
    if (!isSettledPair(world, volume)) loose.push(volume);
  }
  const shapes = shapesOf(loose, claims);
  const usual = defaultClass(world.surroundings.classes.values())?.metadata.name;
  for (const claim of claims) {
    const node = `claim ${claimKey(claim)}`;
    const { volumeName = '' } = claim.spec;
    if (volumeName !== '') groups.union(node, `volume ${volumeName}`);
    if (volumeName !== '' || hasAnnotation(claim, AnnBindCompleted)) continue;
    const classes = new Set([claimClass(claim), ...(claimHasClass(claim) || usual === undefined ? [] : [usual])]);
    for (const name of classes) {
      for (const shape of shapes.get(name) ?? []) {
        const first = firstThatFits(shape.volumes, claim, site);
        if (first === undefined) continue;
        groups.union(node, `volume ${shape.volumes[first]?.metadata.name}`);
        // All larger ones of the shape are within reach, too; those that a former claim reached hang together already.
        for (let i = Math.min(shape.chainedFrom, shape.volumes.length - 1); i > first; i--) {
          groups.union(`volume ${shape.volumes[i - 1]?.metadata.name}`, `volume ${shape.volumes[i]?.metadata.name}`);
        }
        shape.chainedFrom = Math.min(shape.chainedFrom, first);
      }
    }
  }
  return collect(groups, claims, volumes);
}

/** Volume and claim are bound to each other and will stay so. */
function isSettledPair(world: World, volume: PersistentVolume): boolean {
  const key = reservedFor(volume);
  if (key === undefined || !world.hasClaim(key)) return false;
  const claim = world.claim(key);
  return (
    claim?.metadata.uid === volume.spec.claimRef?.uid &&
    claim?.spec.volumeName === volume.metadata.name &&
    hasAnnotation(claim, AnnBindCompleted)
  );
}

/** Volumes that lasting checks answer alike. */
interface Shape {
  /** By capacity. */
  readonly volumes: readonly PersistentVolume[];
  /** From here on the volumes are in one component. */
  chainedFrom: number;
}

/** The volumes by class and by all that lasting checks read, each list by capacity. */
function shapesOf(
  volumes: readonly PersistentVolume[],
  claims: readonly PersistentVolumeClaim[],
): ReadonlyMap<string, readonly Shape[]> {
  const keys = new Set(
    claims.flatMap(({ spec }) => [
      ...Object.keys(spec.selector?.matchLabels ?? {}),
      ...(spec.selector?.matchExpressions ?? []).map(({ key }) => key),
    ]),
  );
  const byClass = new Map<string, Map<string, PersistentVolume[]>>();
  for (const volume of volumes) {
    const name = volumeClass(volume);
    const shapes = getOrSet(byClass, name, () => new Map<string, PersistentVolume[]>());
    const key = JSON.stringify([
      accessModesAsString(volume.spec.accessModes),
      volumeModeOf(volume),
      volumeAttributesClassOf(volume),
      ...[...keys].map((label) => volume.metadata.labels?.[label] ?? null),
    ]);
    getOrSet(shapes, key, () => []).push(volume);
  }
  const bySize = (a: PersistentVolume, b: PersistentVolume) => compareQuantities(volumeCapacity(a), volumeCapacity(b));
  const asShape = (list: PersistentVolume[]): Shape => ({
    volumes: list.sort(bySize),
    chainedFrom: Number.POSITIVE_INFINITY,
  });
  return new Map([...byClass].map(([name, shapes]) => [name, [...shapes.values()].map(asShape)]));
}

/** Where the volumes begin that are large enough, if those of the shape suit the claim otherwise. */
function firstThatFits(
  shape: readonly PersistentVolume[],
  claim: PersistentVolumeClaim,
  site: Site,
): number | undefined {
  try {
    const wants = wantsOf(claim);
    const suits = lasting.every((code) => askCheck(code, wants, shape[0] as PersistentVolume, site) === undefined);
    if (!suits) return undefined;
    const at = lowerBound(shape, (volume) => compareQuantities(volumeCapacity(volume), wants.request));
    return at < shape.length ? at : undefined;
  } catch (error) {
    // A claim that cannot be read takes nothing.
    if (error instanceof SelectorError || error instanceof QuantityError) return undefined;
    throw error;
  }
}

function collect(
  groups: UnionFind,
  claims: readonly PersistentVolumeClaim[],
  volumes: readonly PersistentVolume[],
): ReadonlyMap<ClaimKey, Component> {
  const byRoot = new Map<string, { claims: PersistentVolumeClaim[]; volumes: PersistentVolume[] }>();
  const at = (node: string) => {
    return getOrSet(byRoot, groups.find(node), () => ({ claims: [], volumes: [] }));
  };
  for (const claim of claims) at(`claim ${claimKey(claim)}`).claims.push(claim);
  for (const volume of volumes) at(`volume ${volume.metadata.name}`).volumes.push(volume);
  return new Map(claims.map((claim) => [claimKey(claim), at(`claim ${claimKey(claim)}`)]));
}

/** Disjoint sets of names, by path compression. */
class UnionFind {
  readonly #parents = new Map<string, string>();

  find(node: string): string {
    let root = node;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) root = parent;
    for (let at = node; at !== root; ) {
      const next = this.#parents.get(at) as string;
      this.#parents.set(at, root);
      at = next;
    }
    return root;
  }

  /** Whether the two were apart until now. */
  union(a: string, b: string): boolean {
    const [x, y] = [this.find(a), this.find(b)];
    if (x === y) return false;
    this.#parents.set(x, y);
    return true;
  }
}

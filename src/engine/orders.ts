import { type ClaimKey, claimKey, hasAnnotation } from '../api/accessors.ts';
import { AnnBindCompleted } from '../api/annotations.ts';
import type { Features } from '../api/features.ts';
import { getOrSet } from '../api/get-or-set.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/objects.ts';
import { canonicalQuantity, parseQuantity } from '../api/quantity.ts';
import type { Choose, Options } from './choose.ts';
import type { Component } from './components.ts';
import { Controller } from './pv-controller/controller.ts';
import type { Candidate } from './pv-controller/find-matching-volume.ts';
import { pluginsOf } from './pv-controller/plugins.ts';
import { ControllerRun } from './pv-controller/run.ts';
import { type Surroundings, World } from './world.ts';

/**
 * Where a claim can end, over everything that Kubernetes leaves open: which of equal volumes is taken, and in which order claims
 * and volumes are looked at.
 */
export interface Possible {
  /** The volumes that it can be bound to in the end, by name. */
  readonly volumes: readonly string[];
  /** It can also end without a volume. */
  readonly none: boolean;
  /** Every possibility is named; otherwise there are at least these. */
  readonly exact: boolean;
}

/** How much exploring may still cost, over several components; it is used up as they are explored. */
export interface Effort {
  states: number;
}

/** How many states of the world may be visited for one component; past that only some orders are tried. */
const mostStates = 2_000;
/** Components with more objects than this are not explored exhaustively at all. */
const mostObjects = 24;
/** Components with more objects than this are not run again in other orders. */
const mostObjectsRunAgain = 100;

/** Where each claim of a component can end. */
export function explore(
  component: Component,
  surroundings: Surroundings,
  features: Features,
  effort: Effort = { states: Number.POSITIVE_INFINITY },
): ReadonlyMap<ClaimKey, Possible> {
  const twins = twinsOf(component);
  const isSmall = effort.states > 0 && component.claims.length + component.volumes.length <= mostObjects;
  const ends = (isSmall ? everyEnd(component, surroundings, features, twins, effort) : undefined) ?? {
    worlds: effort.states > 0 ? someEnds(component, surroundings, features) : [],
    exact: false,
  };
  return new Map(
    component.claims.map((claim) => {
      const key = claimKey(claim);
      const volumes = new Set<string>();
      let none = false;
      for (const world of ends.worlds) {
        const volume = boundVolume(world, key);
        if (volume === undefined) none = true;
        else for (const twin of twins.get(volume) ?? [volume]) volumes.add(twin);
      }
      return [key, { volumes: [...volumes].sort(), none, exact: ends.exact }];
    }),
  );
}

function boundVolume(world: World, key: ClaimKey): string | undefined {
  const claim = world.hasClaim(key) ? world.claim(key) : undefined;
  const isBound = claim !== undefined && hasAnnotation(claim, AnnBindCompleted) && claim.status?.phase === 'Bound';
  return isBound ? claim.spec.volumeName : undefined;
}

interface Ends {
  readonly worlds: readonly World[];
  readonly exact: boolean;
}

/**
 * Visits every state that some order of syncs and some choice leads to; the ends are those in which no sync writes anything.
 * Undefined if there are too many.
 */
function everyEnd(
  component: Component,
  surroundings: Surroundings,
  features: Features,
  twins: ReadonlyMap<string, readonly string[]>,
  effort: Effort,
): Ends | undefined {
  const start = new World(component.claims, component.volumes, surroundings);
  const keys = [
    ...component.volumes.map(({ metadata }) => ({ of: 'volume', key: metadata.name }) as const),
    ...component.claims.map((claim) => ({ of: 'claim', key: claimKey(claim) }) as const),
  ];
  const seen = new Set([fingerprint(start)]);
  const todo = [start];
  const worlds: World[] = [];
  for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
    const next = successors(state, keys, features, twins);
    if (next.length === 0) worlds.push(state);
    for (const world of next) {
      const print = fingerprint(world);
      if (seen.has(print)) continue;
      if (seen.size >= mostStates || effort.states <= 0) return undefined;
      effort.states--;
      seen.add(print);
      todo.push(world);
    }
  }
  return { worlds, exact: true };
}

type SyncKey = { readonly of: 'claim' | 'volume'; readonly key: string };

/** The worlds after one sync that writes something, for each key and each choice. */
function successors(
  state: World,
  keys: readonly SyncKey[],
  features: Features,
  twins: ReadonlyMap<string, readonly string[]>,
): readonly World[] {
  const found: World[] = [];
  for (const { of, key } of keys) {
    // Each way through the choices of a sync: the untried alternatives of one run are the scripts of further ones.
    const scripts: number[][] = [[]];
    for (let script = scripts.pop(); script !== undefined; script = scripts.pop()) {
      const world = state.fork();
      const before = world.version;
      const controller = controllerOf(world, features, scripted(script, scripts, twins));
      if (of === 'claim') controller.syncClaimByKey(key);
      else controller.syncVolumeByKey(key);
      if (world.version !== before) found.push(world);
    }
  }
  return found;
}

function controllerOf(world: World, features: Features, choose: Choose): Controller {
  return new Controller(world, { features, choose, plugins: pluginsOf(features), dynamicProvisioning: true });
}

/** A choice that follows a script; past its end it takes the first option and notes the others as scripts to be tried. */
function scripted(
  script: readonly number[],
  untried: number[][],
  twins: ReadonlyMap<string, readonly string[]>,
): Choose {
  let at = 0;
  const taken: number[] = [];
  return (_point, options) => {
    const different = oneOfEachTwin(options as unknown as Options<Candidate>, twins);
    const index = script[at] ?? 0;
    if (at >= script.length) for (let i = 1; i < different.length; i++) untried.push([...taken, i]);
    at++;
    taken.push(index);
    return different[index] as never;
  };
}

function oneOfEachTwin(
  options: Iterable<Candidate>,
  twins: ReadonlyMap<string, readonly string[]>,
): readonly Candidate[] {
  const seen = new Set<readonly string[] | string>();
  const all = [...options].sort((a, b) => (a.volume.metadata.name < b.volume.metadata.name ? -1 : 1));
  return all.filter(({ volume }) => {
    const group =
      volume.spec.claimRef === undefined
        ? (twins.get(volume.metadata.name) ?? volume.metadata.name)
        : volume.metadata.name;
    if (seen.has(group)) return false;
    seen.add(group);
    return true;
  });
}

/**
 * Volumes that nothing but the name tells apart and that no claim or claimRef singles out: whatever can happen to one of them can
 * happen to the others, so that it is enough to follow one.
 */
function twinsOf({ claims, volumes }: Component): ReadonlyMap<string, readonly string[]> {
  const named = new Set(claims.map(({ spec }) => spec.volumeName));
  const groups = new Map<string, string[]>();
  for (const volume of volumes) {
    const { name } = volume.metadata;
    if (volume.spec.claimRef !== undefined || named.has(name)) continue;
    getOrSet(groups, twinKey(volume), () => []).push(name);
  }
  return new Map(
    [...groups.values()].filter((list) => list.length > 1).flatMap((list) => list.map((name) => [name, list])),
  );
}

function twinKey({ metadata, spec, status }: PersistentVolume): string {
  const capacity = spec.capacity?.storage === undefined ? '' : canonicalQuantity(parseQuantity(spec.capacity.storage));
  const sources = Object.keys(spec).filter((field) => !['capacity', 'accessModes', 'nodeAffinity'].includes(field));
  return JSON.stringify([
    metadata.labels,
    metadata.annotations,
    metadata.finalizers,
    metadata.deletionTimestamp !== undefined,
    capacity,
    [...(spec.accessModes ?? [])].sort(),
    spec.storageClassName,
    spec.volumeMode,
    spec.volumeAttributesClassName,
    spec.persistentVolumeReclaimPolicy,
    sources.sort(),
    spec.hostPath?.path?.includes('/tmp/'),
    status?.phase,
  ]);
}

/** What tells two states apart: all that the controller writes, without versions. */
function fingerprint(world: World): string {
  const parts: unknown[] = [];
  for (const { metadata, spec, status } of world.claims()) {
    parts.push([metadata.annotations, spec.volumeName, spec.storageClassName, status]);
  }
  for (const { metadata, spec, status } of world.volumes()) {
    const { namespace, name, uid } = spec.claimRef ?? {};
    parts.push([metadata.name, metadata.annotations, metadata.finalizers, namespace, name, uid, status]);
  }
  return JSON.stringify(parts);
}

/** Some orders of a component that is too large for all of them: forwards and backwards, the ties likewise. */
function someEnds(component: Component, surroundings: Surroundings, features: Features): readonly World[] {
  if (component.claims.length + component.volumes.length > mostObjectsRunAgain) return [];
  const claims = component.claims.map(claimKey);
  const volumes = component.volumes.map(({ metadata }) => metadata.name);
  const last: Choose = (_point, options) => {
    let chosen = options.first;
    for (const option of options) chosen = option;
    return chosen;
  };
  const first: Choose = (_point, options) => options.first;
  const ends: World[] = [];
  for (const choose of [first, last]) {
    for (const order of [claims, [...claims].reverse(), ...rotations(claims)]) {
      for (const queue of ['volumes', 'claims'] as const) {
        const world = new World(component.claims, component.volumes, surroundings);
        new ControllerRun(controllerOf(world, features, choose), { claims: order, volumes, queue }).settle();
        ends.push(world);
      }
    }
  }
  return ends;
}

/** Each of the first claims in front once. */
function rotations(claims: readonly ClaimKey[]): readonly (readonly ClaimKey[])[] {
  return claims.slice(1, 5).map((_, i) => [...claims.slice(i + 1), ...claims.slice(0, i + 1)]);
}

/** The claims that nothing is left open for do not need exploring: bound, or alone with what they can reach. */
export function isContended({ claims, volumes }: Component): boolean {
  const unbound = claims.filter((claim: PersistentVolumeClaim) => !hasAnnotation(claim, AnnBindCompleted));
  return unbound.length > 0 && volumes.length > 0 && claims.length + volumes.length > 1;
}

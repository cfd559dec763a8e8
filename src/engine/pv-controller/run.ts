import { type ClaimKey, claimKey, hasAnnotation, reservedFor } from '../../api/accessors.ts';
import { AnnBindCompleted } from '../../api/annotations.ts';
import { getOrSet } from '../../api/get-or-set.ts';
import type { Write } from '../world.ts';
import type { Branch, ControllerEvent } from './branches.ts';
import type { Controller, Sync } from './controller.ts';
import { WorkQueue } from './work-queue.ts';

export interface RunOptions {
  /** The order of the first keys of each pass; keys that are not named follow by name. */
  readonly claims?: readonly ClaimKey[];
  readonly volumes?: readonly string[];
  /** Which queue gives the next key while both hold some. Upstream's two workers run side by side, so any order can happen. */
  readonly queue?: 'volumes' | 'claims' | 'alternate';
  /** How many resyncs a run may take. */
  readonly rounds?: number;
  /**
   * Resync everything, as upstream does, until a whole resync writes nothing. Otherwise only what a change can have an effect on is
   * looked at again: the rest would do nothing.
   */
  readonly wholeResyncs?: boolean;
  /** Leave it to the next resync to look at keys that a sync puts into the queues itself. */
  readonly ignoreEnqueued?: boolean;
  /** Called after every sync. */
  readonly onSync?: (sync: Sync) => void;
}

/** What happened while the controller came to rest. */
export interface Run {
  /** Whether it came to rest: looking again writes nothing. */
  readonly settled: boolean;
  /** Each event once, in order of appearance. */
  readonly events: readonly ControllerEvent[];
  /** What the latest sync of each claim did. */
  readonly lastOfClaim: ReadonlyMap<ClaimKey, Sync>;
  /** How each claim that was matched in this run got its volume. */
  readonly matchOfClaim: ReadonlyMap<ClaimKey, Matched>;
}

export type Matched = Extract<Branch, { took: 'matched' }>;

/** An object that was written, deleted, or taken away. */
export type Changed = Pick<Write, 'object' | 'key'>;

/**
 * A controller with its queues and the events so far. The first settle enqueues everything (a resync) and drains both queues; every
 * write puts its object back into its queue, as the informers do. It ends when looking again changes nothing.
 */
// kubernetes/kubernetes pkg/controller/volume/persistentvolume/pv_controller_base.go, resync and workers (1.37); specification pv-controller 1.3
export class ControllerRun implements Run {
  settled = false;
  readonly events: ControllerEvent[] = [];
  readonly lastOfClaim = new Map<ClaimKey, Sync>();
  readonly matchOfClaim = new Map<ClaimKey, Matched>();
  readonly #controller: Controller;
  readonly #options: RunOptions;
  readonly #seen = new Set<string>();
  #hasSynced = false;
  /** Counts syncs. */
  #clock = 0;
  /** When each key was looked at last. */
  readonly #claimSeen = new Map<ClaimKey, number>();
  readonly #volumeSeen = new Map<string, number>();
  /** What was written since dependents were looked for, and when. */
  #changed: (Changed & { readonly at: number })[] = [];
  /** The claims that name a volume. */
  #naming: Map<string, Set<ClaimKey>> | undefined;

  constructor(controller: Controller, options: RunOptions = {}) {
    this.#controller = controller;
    this.#options = options;
  }

  /** Runs to rest. `gone`: objects that somebody deleted; `changed`: objects that somebody else wrote. */
  settle(gone: readonly Changed[] = [], changed: readonly Changed[] = []): void {
    const { rounds = 10, wholeResyncs = false } = this.#options;
    this.settled = false;
    for (const { object, key } of [...gone, ...changed]) this.#changed.push({ object, key, at: this.#clock });
    this.#clock++;
    let first = gone;
    for (let round = 0; round < rounds && !this.settled; round++) {
      const isWhole = wholeResyncs || !this.#hasSynced;
      const [volumes, claims] = isWhole ? this.#everything(first) : this.#dependents(first);
      first = [];
      this.#hasSynced = true;
      this.settled = !this.#drain(volumes, claims);
    }
  }

  /** A resync: every volume and every claim. */
  #everything(first: readonly Changed[]): readonly [WorkQueue, WorkQueue] {
    const { world } = this.#controller;
    const { volumes, claims } = startingWith(first);
    const names = [...world.volumes()].map((volume) => volume.metadata.name);
    for (const key of inOrder(names, this.#options.volumes)) volumes.add(key);
    for (const key of inOrder([...world.claims()].map(claimKey), this.#options.claims)) claims.add(key);
    return [volumes, claims];
  }

  /** Everything whose sync can come to another end than before because of what has changed. */
  #dependents(first: readonly Changed[]): readonly [WorkQueue, WorkQueue] {
    const { world, volumes: index } = this.#controller;
    const volumes = new Set<string>();
    const claims = new Set<ClaimKey>();
    const changed = this.#changed;
    this.#changed = [];
    let hasFreeVolume = false;
    for (const { object, key, at } of changed) {
      // What was looked at after the change has seen it.
      const addVolume = (name: string) => {
        if ((this.#volumeSeen.get(name) ?? -1) <= at) volumes.add(name);
      };
      const addClaim = (claim: ClaimKey) => {
        if ((this.#claimSeen.get(claim) ?? -1) <= at) claims.add(claim);
      };
      if (object === 'claim') {
        addClaim(key);
        const volumeName = world.peekClaim(key)?.spec.volumeName ?? '';
        if (volumeName !== '') {
          addVolume(volumeName);
          this.#claimsNaming(volumeName).add(key);
        }
        for (const volume of index.reservedFor(key)) addVolume(volume.metadata.name);
        continue;
      }
      addVolume(key);
      for (const claim of this.#claimsNaming(key)) addClaim(claim);
      const volume = world.peekVolume(key) ?? index.get(key);
      const owner = volume && reservedFor(volume);
      if (owner !== undefined) addClaim(owner);
      else if (volume?.status?.phase === 'Available') hasFreeVolume = true;
    }
    // A free volume may be what a claim has been waiting for.
    if (hasFreeVolume) {
      for (const claim of world.claims()) {
        if (!hasAnnotation(claim, AnnBindCompleted) && (claim.spec.volumeName ?? '') === '')
          claims.add(claimKey(claim));
      }
    }
    const queues = startingWith(first);
    for (const key of inOrder([...volumes], this.#options.volumes)) queues.volumes.add(key);
    for (const key of inOrder([...claims], this.#options.claims)) queues.claims.add(key);
    return [queues.volumes, queues.claims];
  }

  #claimsNaming(volume: string): Set<ClaimKey> {
    if (this.#naming === undefined) {
      this.#naming = new Map();
      for (const claim of this.#controller.world.claims()) {
        const name = claim.spec.volumeName ?? '';
        if (name !== '') getOrSet(this.#naming, name, () => new Set<ClaimKey>()).add(claimKey(claim));
      }
    }
    return getOrSet(this.#naming, volume, () => new Set<ClaimKey>());
  }

  /** Works off both queues; whether anything was written. */
  #drain(volumes: WorkQueue, claims: WorkQueue): boolean {
    const { queue, wholeResyncs, ignoreEnqueued, onSync } = this.#options;
    let wrote = false;
    let isVolumesTurn = queue !== 'claims';
    // Objects that two writers fight over would keep a pass going for ever.
    const most = Math.max(100_000, 20 * (volumes.size + claims.size));
    for (let steps = 0; steps < most && (volumes.size > 0 || claims.size > 0); steps++) {
      let takeVolume = volumes.size > 0;
      if (queue === 'claims') takeVolume = claims.size === 0;
      else if (queue === 'alternate') {
        takeVolume = (isVolumesTurn && volumes.size > 0) || claims.size === 0;
        isVolumesTurn = !isVolumesTurn;
      }
      const at = this.#clock++;
      const key = (takeVolume ? volumes : claims).take();
      const sync = takeVolume ? this.#controller.syncVolumeByKey(key) : this.#controller.syncClaimByKey(key);
      if (!wholeResyncs) (takeVolume ? this.#volumeSeen : this.#claimSeen).set(key, at);
      if (sync.writes.length > 0) {
        wrote = true;
        for (const write of sync.writes) {
          (write.object === 'volume' ? volumes : claims).add(write.key);
          if (!wholeResyncs) this.#changed.push({ object: write.object, key: write.key, at });
        }
      }
      if (!ignoreEnqueued) for (const { of, key } of sync.enqueued) (of === 'volume' ? volumes : claims).add(key);
      this.#keep(sync);
      onSync?.(sync);
    }
    return wrote;
  }

  #keep(sync: Sync): void {
    if (sync.of === 'claim') {
      this.lastOfClaim.set(sync.key, sync);
      for (const branch of sync.took) if (branch.took === 'matched') this.matchOfClaim.set(sync.key, branch);
    }
    for (const event of sync.events) {
      const text = `${event.object} ${event.type} ${event.reason} ${event.message}`;
      if (this.#seen.has(text)) continue;
      this.#seen.add(text);
      this.events.push(event);
    }
  }
}

function startingWith(first: readonly Changed[]): { readonly volumes: WorkQueue; readonly claims: WorkQueue } {
  const queues = { volumes: new WorkQueue(), claims: new WorkQueue() };
  for (const { object, key } of first) (object === 'claim' ? queues.claims : queues.volumes).add(key);
  return queues;
}

/** The named keys first, in that order, and the rest behind them by name. */
export function inOrder(keys: readonly string[], first: readonly string[] = []): string[] {
  if (first.length === 0) return [...keys].sort();
  const all = new Set(keys);
  const named = new Set(first);
  return [...[...named].filter((key) => all.has(key)), ...keys.filter((key) => !named.has(key)).sort()];
}

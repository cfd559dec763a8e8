import { type ClaimKey, claimKey } from '../../api/accessors.ts';
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
  /** Leave it to the next resync to look at keys that a sync puts into the queues itself. */
  readonly ignoreEnqueued?: boolean;
  /** Called after every sync. */
  readonly onSync?: (sync: Sync) => void;
}

/** What happened while the controller came to rest. */
export interface Run {
  /** Whether a whole resync wrote nothing in the end. */
  settled: boolean;
  /** Each event once, in order of appearance. */
  readonly events: readonly ControllerEvent[];
  /** What the latest sync of each claim did. */
  readonly lastOfClaim: ReadonlyMap<ClaimKey, Sync>;
  /** What the latest sync of each volume did. */
  readonly lastOfVolume: ReadonlyMap<string, Sync>;
  /** How each claim that was matched in this run got its volume. */
  readonly matchOfClaim: ReadonlyMap<ClaimKey, Matched>;
}

export type Matched = Extract<Branch, { took: 'matched' }>;

/**
 * A controller with its queues and the events so far. Each settle enqueues everything (a resync) and drains both queues, again
 * and again until a whole resync writes nothing; every write puts its object back into its queue, as the informers do.
 */
// kubernetes/kubernetes pkg/controller/volume/persistentvolume/pv_controller_base.go, resync and workers (1.37); specification pv-controller 1.3
export class ControllerRun implements Run {
  settled = false;
  readonly events: ControllerEvent[] = [];
  readonly lastOfClaim = new Map<ClaimKey, Sync>();
  readonly lastOfVolume = new Map<string, Sync>();
  readonly matchOfClaim = new Map<ClaimKey, Matched>();
  readonly #controller: Controller;
  readonly #options: RunOptions;
  readonly #seen = new Set<string>();

  constructor(controller: Controller, options: RunOptions = {}) {
    this.#controller = controller;
    this.#options = options;
  }

  /** Runs to rest. `gone`: objects that somebody deleted ("claim namespace/name", "volume name") stand first in the queues. */
  settle(gone: readonly string[] = []): void {
    const { world } = this.#controller;
    const { rounds = 10, onSync } = this.#options;
    let first = gone;
    this.settled = false;
    for (let round = 0; round < rounds && !this.settled; round++) {
      const volumes = new WorkQueue();
      const claims = new WorkQueue();
      for (const target of first) {
        const [kind, key] = split(target);
        (kind === 'claim' ? claims : volumes).add(key);
      }
      first = [];
      const volumeNames = [...world.volumes()].map((volume) => volume.metadata.name);
      for (const key of inOrder(volumeNames, this.#options.volumes)) volumes.add(key);
      for (const key of inOrder([...world.claims()].map(claimKey), this.#options.claims)) claims.add(key);
      this.settled = !this.#drain(volumes, claims, onSync);
    }
  }

  /** Works off both queues; whether anything was written. */
  #drain(volumes: WorkQueue, claims: WorkQueue, onSync: RunOptions['onSync']): boolean {
    let wrote = false;
    let isVolumesTurn = this.#options.queue !== 'claims';
    // Objects that two writers fight over would keep a pass going for ever.
    const most = Math.max(100_000, 20 * (volumes.size + claims.size));
    for (let steps = 0; steps < most && (volumes.size > 0 || claims.size > 0); steps++) {
      let takeVolume = volumes.size > 0;
      if (this.#options.queue === 'claims') takeVolume = claims.size === 0;
      else if (this.#options.queue === 'alternate') {
        takeVolume = (isVolumesTurn && volumes.size > 0) || claims.size === 0;
        isVolumesTurn = !isVolumesTurn;
      }
      const sync = takeVolume
        ? this.#controller.syncVolumeByKey(volumes.take())
        : this.#controller.syncClaimByKey(claims.take());
      if (sync.writes.length > 0) wrote = true;
      for (const { object, key } of sync.writes) (object === 'volume' ? volumes : claims).add(key);
      if (!this.#options.ignoreEnqueued) {
        for (const { of, key } of sync.enqueued) (of === 'volume' ? volumes : claims).add(key);
      }
      this.#keep(sync);
      onSync?.(sync);
    }
    return wrote;
  }

  #keep(sync: Sync): void {
    (sync.of === 'claim' ? this.lastOfClaim : this.lastOfVolume).set(sync.key, sync);
    for (const branch of sync.took) if (branch.took === 'matched') this.matchOfClaim.set(sync.key, branch);
    for (const event of sync.events) {
      const text = `${event.object} ${event.type} ${event.reason} ${event.message}`;
      if (this.#seen.has(text)) continue;
      this.#seen.add(text);
      this.events.push(event);
    }
  }
}

function split(target: string): [string, string] {
  const at = target.indexOf(' ');
  return [target.slice(0, at), target.slice(at + 1)];
}

/** The named keys first, in that order, and the rest behind them by name. */
export function inOrder(keys: readonly string[], first: readonly string[] = []): string[] {
  const all = new Set(keys);
  const named = new Set(first);
  return [...[...named].filter((key) => all.has(key)), ...keys.filter((key) => !named.has(key)).sort()];
}

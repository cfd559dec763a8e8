import { type ClaimKey, claimKey, reservedFor } from '../../api/accessors.ts';
import type { Features } from '../../api/features.ts';
import type { KubernetesObject, PersistentVolume, PersistentVolumeClaim } from '../../api/objects.ts';
import type { Kind } from '../../snapshot/kinds.ts';
import type { Choose } from '../choose.ts';
import { ApiError, Blocked, type World, type Write } from '../world.ts';
import type { Branch, ControllerEvent } from './branches.ts';
import type { EventReason, EventType } from './messages.ts';
import type { VolumePlugin } from './plugins.ts';
import { type PodIndex, podIndexOf } from './pod-index.ts';
import { syncClaim } from './sync-claim.ts';
import { SyncError } from './sync-error.ts';
import { syncVolume } from './sync-volume.ts';
import { VolumeIndex } from './volume-index.ts';

// kubernetes/kubernetes pkg/controller/volume/persistentvolume/pv_controller_base.go (1.37); specification pv-controller 1.3.

export interface ControllerOptions {
  readonly features: Features;
  readonly choose: Choose;
  readonly plugins: readonly VolumePlugin[];
  /** --enable-dynamic-provisioning */
  readonly dynamicProvisioning: boolean;
}

/** What one sync of a key did. */
export interface Sync {
  readonly of: 'claim' | 'volume';
  readonly key: string;
  readonly took: readonly Branch[];
  readonly writes: readonly Write[];
  readonly events: readonly ControllerEvent[];
  /** The error it ended with; such a sync is tried again. */
  readonly error?: string;
  /** The kinds without which it could not be decided. */
  readonly lacks?: readonly Kind[];
  /** Keys that the sync put into the queues itself. */
  readonly enqueued: readonly { readonly of: 'claim' | 'volume'; readonly key: string }[];
}

/** Most syncs say nothing and enqueue nothing. */
const none: readonly never[] = [];

/** The PersistentVolume controller: its caches, and what the sync under way has done so far. */
export class Controller {
  readonly world: World;
  readonly features: Features;
  readonly choose: Choose;
  readonly plugins: readonly VolumePlugin[];
  readonly dynamicProvisioning: boolean;
  /** Cache of volumes. */
  readonly volumes: VolumeIndex;
  /** Cache of claims. */
  readonly claims = new Map<ClaimKey, PersistentVolumeClaim>();
  readonly pods: PodIndex;
  /**
   * Operations that returned an error. Upstream refuses to start them again for 500 ms and longer; no time passes within a
   * run. kubernetes/kubernetes pkg/util/goroutinemap; specification pv-controller 1.5
   */
  readonly #failedOperations = new Set<string>();
  #took: Branch[] = [];
  #events: readonly ControllerEvent[] = none;
  #enqueued: Sync['enqueued'] = none;

  constructor(world: World, options: ControllerOptions) {
    this.world = world;
    this.features = options.features;
    this.choose = options.choose;
    this.plugins = options.plugins;
    this.dynamicProvisioning = options.dynamicProvisioning;
    this.pods = podIndexOf(world.surroundings.pods);
    this.volumes = new VolumeIndex(selectorKeys(world.claims()));
    for (const volume of world.volumes()) this.storeVolumeUpdate(volume);
    for (const claim of world.claims()) this.storeClaimUpdate(claim);
  }

  /** One turn of the claim worker (claimWorker). */
  syncClaimByKey(key: ClaimKey): Sync {
    return this.#turn('claim', key, () => {
      const claim = this.world.hasClaim(key) ? this.world.claim(key) : undefined;
      if (claim !== undefined) this.#updateClaim(claim);
      else if (this.claims.has(key)) this.#deleteClaim(this.claims.get(key) as PersistentVolumeClaim);
    });
  }

  /** One turn of the volume worker (volumeWorker). */
  syncVolumeByKey(name: string): Sync {
    return this.#turn('volume', name, () => {
      const volume = this.world.hasVolume(name) ? this.world.volume(name) : undefined;
      const cached = this.volumes.get(name);
      if (volume !== undefined) this.#updateVolume(volume);
      else if (cached !== undefined) this.#deleteVolume(cached);
    });
  }

  /** Stores a volume in the cache unless the cache has a newer version (storeVolumeUpdate). */
  storeVolumeUpdate(volume: PersistentVolume): boolean {
    if (!isNewEnough(this.volumes.get(volume.metadata.name), volume)) return false;
    this.volumes.set(volume);
    return true;
  }

  /** Stores a claim in the cache unless the cache has a newer version (storeClaimUpdate). */
  storeClaimUpdate(claim: PersistentVolumeClaim): boolean {
    const key = claimKey(claim);
    if (!isNewEnough(this.claims.get(key), claim)) return false;
    this.claims.set(key, claim);
    return true;
  }

  took(branch: Branch): void {
    this.#took.push(branch);
  }

  event(object: PersistentVolume | PersistentVolumeClaim, type: EventType, reason: EventReason, message: string): void {
    const name =
      object.kind === 'PersistentVolume'
        ? `volume ${object.metadata.name}`
        : `claim ${claimKey(object as PersistentVolumeClaim)}`;
    this.#events = [...this.#events, { object: name, type, reason, message }];
  }

  enqueueClaim(key: ClaimKey): void {
    this.#enqueued = [...this.#enqueued, { of: 'claim', key }];
  }

  enqueueVolume(name: string): void {
    this.#enqueued = [...this.#enqueued, { of: 'volume', key: name }];
  }

  /** Runs an operation that upstream runs in the background; the next sync starts only when it has ended (scheduleOperation). */
  scheduleOperation(name: string, operation: () => void): void {
    if (this.#failedOperations.has(name)) {
      this.took({ at: 'operation', took: 'backsOff', name });
      return;
    }
    try {
      operation();
    } catch (error) {
      if (!(error instanceof SyncError) && !(error instanceof ApiError)) throw error;
      this.#failedOperations.add(name);
    }
  }

  #updateClaim(claim: PersistentVolumeClaim): void {
    if (this.storeClaimUpdate(claim)) syncClaim(this, claim);
  }

  #updateVolume(volume: PersistentVolume): void {
    if (this.storeVolumeUpdate(volume)) syncVolume(this, volume);
  }

  #deleteClaim(claim: PersistentVolumeClaim): void {
    this.claims.delete(claimKey(claim));
    // The volume of a deleted claim becomes Released at once instead of at the next resync.
    const volumeName = claim.spec.volumeName ?? '';
    if (volumeName !== '') this.enqueueVolume(volumeName);
  }

  #deleteVolume(volume: PersistentVolume): void {
    this.volumes.delete(volume.metadata.name);
    // The claim of a deleted volume becomes Lost at once instead of at the next resync.
    const key = reservedFor(volume);
    if (key !== undefined) this.enqueueClaim(key);
  }

  #turn(of: 'claim' | 'volume', key: string, turn: () => void): Sync {
    this.#took = [];
    this.#events = none;
    this.#enqueued = none;
    let ending: Pick<Sync, 'error' | 'lacks'> = {};
    try {
      turn();
    } catch (error) {
      if (error instanceof Blocked) ending = { lacks: error.lacks };
      else if (error instanceof SyncError || error instanceof ApiError) ending = { error: error.message };
      else throw error;
    }
    return {
      of,
      key,
      took: this.#took,
      writes: this.world.takeWrites(),
      events: this.#events,
      enqueued: this.#enqueued,
      ...ending,
    };
  }
}

/**
 * Whether an object may replace the cached one: resource versions are compared as numbers, an equal one passes so that resyncs
 * work (storeObjectUpdate). Throws SyncError for a version that is no number.
 */
export function isNewEnough(cached: KubernetesObject | undefined, incoming: KubernetesObject): boolean {
  if (cached === undefined || cached === incoming) return true;
  return versionOf(incoming) >= versionOf(cached);
}

function versionOf(object: KubernetesObject): bigint | number {
  const version = object.metadata.resourceVersion ?? '';
  // Versions of 15 digits and less, which is all of them in practice, are exact as numbers.
  if (/^\d{1,15}$/.test(version)) return Number(version);
  if (!/^[+-]?\d+$/.test(version)) {
    throw new SyncError(`error parsing ResourceVersion "${version}" of object "${object.metadata.name}"`);
  }
  return BigInt(version);
}

function* selectorKeys(claims: Iterable<PersistentVolumeClaim>): Generator<string> {
  for (const { spec } of claims) {
    yield* Object.keys(spec.selector?.matchLabels ?? {});
    for (const { key } of spec.selector?.matchExpressions ?? []) yield key;
  }
}

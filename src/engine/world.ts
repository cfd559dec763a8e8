import { type ClaimKey, claimKey } from '../api/accessors.ts';
import { quote } from '../api/go-text.ts';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '../api/objects.ts';
import { type Kind, kinds } from '../snapshot/kinds.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The API server said no to a request. The text is that of Kubernetes. */
export class ApiError extends Error {
  readonly reason: 'NotFound' | 'Conflict' | 'Forbidden' | 'AlreadyExists';

  constructor(reason: ApiError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A question cannot be answered because a kind was not collected. The sync that asked is blocked, not decided. */
export class Blocked extends Error {
  readonly lacks: readonly Kind[];

  constructor(lacks: readonly Kind[]) {
    super(`the input lacks ${lacks.join(', ')}`);
    this.lacks = lacks;
  }
}

/** A successful write, as the oracle spells it. */
export interface Write {
  readonly verb: 'update' | 'delete' | 'create';
  readonly object: 'claim' | 'volume';
  readonly subresource?: 'status';
  /** Claim key or volume name. */
  readonly key: string;
}

const noWrites: readonly Write[] = [];

export const textOfWrite = ({ verb, object, subresource, key }: Write): string =>
  `${verb} ${object}${subresource === undefined ? '' : `/${subresource}`} ${key}`;

/** What the API server holds besides claims and volumes, which nothing in a dry run writes. */
export interface Surroundings {
  readonly classes: ReadonlyMap<string, StorageClass>;
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  /** Whether a kind was not collected, so that its absence proves nothing; with a namespace, whether it lacks there. */
  readonly lacks: (kind: Kind, namespace?: string) => boolean;
}

export interface WorldOptions {
  /**
   * Writes that admission or a lost connection refuses: "claim default/c1", "claim/status default/c1", "volume v1",
   * "volume/status v1", "volume/create v1"; each as often as it is given a number, or always.
   */
  readonly refuse?: ReadonlyMap<string, number>;
}

/**
 * A tiny API server: it stores claims and volumes, counts versions, refuses writes against an old version, and keeps writes
 * of the status apart from writes of the rest. Stored objects are never changed, only replaced, so that a fork costs two maps.
 */
export class World {
  readonly surroundings: Surroundings;
  readonly #claims: Map<ClaimKey, PersistentVolumeClaim>;
  readonly #volumes: Map<string, PersistentVolume>;
  readonly #refuse: Map<string, number>;
  #version: number;
  readonly #placed = new Map<Pod, string>();
  #writes: Write[] | undefined;
  #changes: Pick<Write, 'object' | 'key'>[] = [];

  constructor(
    claims: Iterable<PersistentVolumeClaim>,
    volumes: Iterable<PersistentVolume>,
    surroundings: Surroundings,
    options: WorldOptions = {},
  ) {
    this.surroundings = surroundings;
    this.#claims = new Map();
    this.#volumes = new Map();
    this.#refuse = new Map(options.refuse);
    this.#version = 1;
    for (const claim of claims) this.#claims.set(claimKey(claim), this.#stored(claim));
    for (const volume of volumes) this.#volumes.set(volume.metadata.name, this.#stored(volume));
  }

  /** A world of its own with the same objects. */
  fork(): World {
    const copy = new World([], [], this.surroundings, { refuse: this.#refuse });
    for (const [key, claim] of this.#claims) copy.#claims.set(key, claim);
    for (const [name, volume] of this.#volumes) copy.#volumes.set(name, volume);
    for (const [pod, node] of this.#placed) copy.#placed.set(pod, node);
    copy.#version = this.#version;
    return copy;
  }

  /** The version of the latest write; it grows with every write. */
  get version(): number {
    return this.#version;
  }

  claims(): IterableIterator<PersistentVolumeClaim> {
    return this.#claims.values();
  }

  volumes(): IterableIterator<PersistentVolume> {
    return this.#volumes.values();
  }

  hasClaim(key: ClaimKey): boolean {
    return this.#claims.has(key);
  }

  /** The claim, or undefined if there is none. Throws Blocked if claims of its namespace were not collected. */
  claim(key: ClaimKey): PersistentVolumeClaim | undefined {
    const claim = this.#claims.get(key);
    if (claim === undefined) this.requireIn('PersistentVolumeClaim', key.slice(0, key.indexOf('/')));
    return claim;
  }

  /** The volume, or undefined if there is none. Throws Blocked if volumes were not collected. */
  volume(name: string): PersistentVolume | undefined {
    const volume = this.#volumes.get(name);
    if (volume === undefined) this.require('PersistentVolume');
    return volume;
  }

  /** The class, or undefined if there is none. Throws Blocked if classes were not collected. */
  storageClass(name: string): StorageClass | undefined {
    const found = this.surroundings.classes.get(name);
    if (found === undefined) this.require('StorageClass');
    return found;
  }

  /** The claim if it is there, whatever was collected. */
  peekClaim(key: ClaimKey): PersistentVolumeClaim | undefined {
    return this.#claims.get(key);
  }

  /** The volume if it is there, whatever was collected. */
  peekVolume(name: string): PersistentVolume | undefined {
    return this.#volumes.get(name);
  }

  /** The node of a pod, "" while it has none. */
  nodeOf(pod: Pod): string {
    return this.#placed.get(pod) ?? pod.spec.nodeName ?? '';
  }

  /** The scheduler gave the pod a node. */
  assignPod(pod: Pod, node: string): void {
    this.#placed.set(pod, node);
  }

  /** The claims and volumes that were written or deleted since the last call. */
  takeChanges(): readonly Pick<Write, 'object' | 'key'>[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  hasVolume(name: string): boolean {
    return this.#volumes.has(name);
  }

  /** The volume as the API server has it now. Throws ApiError if it is not there. */
  readVolume(name: string): PersistentVolume {
    const volume = this.#volumes.get(name);
    if (volume === undefined) throw notFound('PersistentVolume', name);
    return volume;
  }

  /** Throws Blocked if the kind was not collected. */
  require(kind: Kind): void {
    if (this.surroundings.lacks(kind)) throw new Blocked([kind]);
  }

  /** Throws Blocked if the kind was not collected in the namespace. */
  requireIn(kind: Kind, namespace: string | undefined): void {
    if (this.surroundings.lacks(kind, namespace)) throw new Blocked([kind]);
  }

  /** Writes the whole volume but its status; returns what is stored. Throws ApiError. */
  updateVolume(volume: PersistentVolume): PersistentVolume {
    const current = this.#currentVolume(volume, '');
    return this.#storeVolume(withStatus(volume, current.status), {
      verb: 'update',
      object: 'volume',
      key: volume.metadata.name,
    });
  }

  /** Writes the status of the volume only; returns what is stored. Throws ApiError. */
  updateVolumeStatus(volume: PersistentVolume): PersistentVolume {
    const current = this.#currentVolume(volume, '/status');
    const write: Write = { verb: 'update', object: 'volume', subresource: 'status', key: volume.metadata.name };
    return this.#storeVolume(withStatus(current, volume.status), write);
  }

  /** Writes the whole claim but its status; returns what is stored. Throws ApiError. */
  updateClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim {
    const current = this.#currentClaim(claim, '');
    return this.#storeClaim(withStatus(claim, current.status), {
      verb: 'update',
      object: 'claim',
      key: claimKey(claim),
    });
  }

  /** Writes the status of the claim only; returns what is stored. Throws ApiError. */
  updateClaimStatus(claim: PersistentVolumeClaim): PersistentVolumeClaim {
    const current = this.#currentClaim(claim, '/status');
    const write: Write = { verb: 'update', object: 'claim', subresource: 'status', key: claimKey(claim) };
    return this.#storeClaim(withStatus(current, claim.status), write);
  }

  /** Creates a volume; its status starts as Pending. Returns what is stored. Throws ApiError. */
  createVolume(volume: PersistentVolume): PersistentVolume {
    const { name } = volume.metadata;
    if (this.#volumes.has(name)) {
      throw new ApiError('AlreadyExists', `${resourceOf('PersistentVolume')} "${name}" already exists`);
    }
    if (this.#refuses(`volume/create ${name}`)) throw forbidden('PersistentVolume', name);
    return this.#storeVolume(
      { ...volume, status: { phase: 'Pending' } },
      { verb: 'create', object: 'volume', key: name },
    );
  }

  /** Deletes the volume. Throws ApiError if it is not there. */
  deleteVolume(name: string): void {
    if (!this.#volumes.delete(name)) throw notFound('PersistentVolume', name);
    this.#version++;
    this.#wrote({ verb: 'delete', object: 'volume', key: name });
  }

  /** Something outside takes the object away. */
  removeVolume(name: string): void {
    this.#volumes.delete(name);
  }

  /** Something outside takes the object away. */
  removeClaim(key: ClaimKey): void {
    this.#claims.delete(key);
  }

  /** The scheduler or a user writes a whole object, whatever version it had. */
  putVolume(volume: PersistentVolume): void {
    this.#storeVolume(volume);
    this.#changes.push({ object: 'volume', key: volume.metadata.name });
  }

  /** The scheduler or a user writes a whole object, whatever version it had. */
  putClaim(claim: PersistentVolumeClaim): void {
    this.#storeClaim(claim);
    this.#changes.push({ object: 'claim', key: claimKey(claim) });
  }

  /** The writes since the last call. */
  takeWrites(): readonly Write[] {
    const writes = this.#writes ?? noWrites;
    this.#writes = undefined;
    return writes;
  }

  #currentVolume(volume: PersistentVolume, subresource: '' | '/status'): PersistentVolume {
    const { name, resourceVersion } = volume.metadata;
    const current = this.#volumes.get(name);
    if (current === undefined) throw notFound('PersistentVolume', name);
    if (this.#refuses(`volume${subresource} ${name}`)) throw forbidden('PersistentVolume', name);
    if (current.metadata.resourceVersion !== resourceVersion) throw conflict('PersistentVolume', name);
    return current;
  }

  #currentClaim(claim: PersistentVolumeClaim, subresource: '' | '/status'): PersistentVolumeClaim {
    const { name, resourceVersion } = claim.metadata;
    const current = this.#claims.get(claimKey(claim));
    if (current === undefined) throw notFound('PersistentVolumeClaim', name);
    if (this.#refuses(`claim${subresource} ${claimKey(claim)}`)) throw forbidden('PersistentVolumeClaim', name);
    if (current.metadata.resourceVersion !== resourceVersion) throw conflict('PersistentVolumeClaim', name);
    return current;
  }

  #wrote(write: Write): void {
    this.#writes ??= [];
    this.#writes.push(write);
    this.#changes.push(write);
  }

  #refuses(target: string): boolean {
    if (this.#refuse.size === 0) return false;
    const times = this.#refuse.get(target) ?? 0;
    if (times > 0) this.#refuse.set(target, times - 1);
    return times > 0;
  }

  #storeVolume(volume: PersistentVolume, write?: Write): PersistentVolume {
    const stored = this.#withNextVersion(volume);
    this.#volumes.set(stored.metadata.name, stored);
    if (write !== undefined) this.#wrote(write);
    return stored;
  }

  #storeClaim(claim: PersistentVolumeClaim, write?: Write): PersistentVolumeClaim {
    const stored = this.#withNextVersion(claim);
    this.#claims.set(claimKey(stored), stored);
    if (write !== undefined) this.#wrote(write);
    return stored;
  }

  #withNextVersion<T extends PersistentVolume | PersistentVolumeClaim>(object: T): T {
    this.#version++;
    const { apiVersion, kind, spec, status } = object;
    const metadata = { ...object.metadata, resourceVersion: String(this.#version) };
    return { apiVersion, kind, metadata, spec, status } as T;
  }

  /** An object as it was read; manifests and shortened dumps carry no version. */
  #stored<T extends PersistentVolume | PersistentVolumeClaim>(object: T): T {
    const version = object.metadata.resourceVersion ?? '';
    if (!/^\d{1,15}$/.test(version)) return { ...object, metadata: { ...object.metadata, resourceVersion: '1' } };
    this.#version = Math.max(this.#version, Number(version));
    return object;
  }
}

/** The cluster of a snapshot, for a run to change. */
export function worldOf(snapshot: Snapshot, options: WorldOptions = {}): World {
  const classes = new Map(snapshot.list('StorageClass').map((one) => [one.metadata.name, one]));
  const surroundings: Surroundings = {
    classes,
    pods: snapshot.list('Pod'),
    nodes: snapshot.list('Node'),
    lacks: (kind, namespace) => snapshot.coverage(kind, namespace).is === 'notCollected',
  };
  return new World(snapshot.list('PersistentVolumeClaim'), snapshot.list('PersistentVolume'), surroundings, options);
}

/** Written out, because copying an object without one of its fields is slow, and every write of a run does it. */
function withStatus<T extends PersistentVolume | PersistentVolumeClaim>(
  { apiVersion, kind, metadata, spec }: T,
  status: T['status'],
): T {
  return { apiVersion, kind, metadata, spec, status } as T;
}

const resourceOf = (kind: Kind): string => kinds[kind].resource;

function notFound(kind: Kind, name: string): ApiError {
  return new ApiError('NotFound', `${resourceOf(kind)} ${quote(name)} not found`);
}

function forbidden(kind: Kind, name: string): ApiError {
  return new ApiError('Forbidden', `${resourceOf(kind)} ${quote(name)} is forbidden: refused`);
}

function conflict(kind: Kind, name: string): ApiError {
  const message = `Operation cannot be fulfilled on ${resourceOf(kind)} ${quote(name)}: the object has been modified`;
  return new ApiError('Conflict', message);
}

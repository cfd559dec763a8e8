import { type ClaimKey, claimKey } from '../../../src/api/accessors.ts';
import {
  AnnBetaStorageProvisioner,
  AnnBindCompleted,
  AnnBoundByController,
  AnnDynamicallyProvisioned,
  AnnStorageProvisioner,
} from '../../../src/api/annotations.ts';
import { type Features, featuresFor } from '../../../src/api/features.ts';
import type {
  AccessMode,
  Annotations,
  Labels,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
  TypedObjectReference,
} from '../../../src/api/objects.ts';
import { chooseFirst } from '../../../src/engine/choose.ts';
import type { ControllerEvent } from '../../../src/engine/pv-controller/branches.ts';
import { Controller, type ControllerOptions, type Sync } from '../../../src/engine/pv-controller/controller.ts';
import type { VolumePlugin } from '../../../src/engine/pv-controller/plugins.ts';
import { ControllerRun } from '../../../src/engine/pv-controller/run.ts';
import { SyncError } from '../../../src/engine/pv-controller/sync-error.ts';
import { World } from '../../../src/engine/world.ts';

// The conventions of kubernetes/kubernetes pkg/controller/volume/persistentvolume/framework_test.go (1.37); specification
// pv-controller 15: namespace default, modes RWO and ROX, Filesystem, policy Retain unless told otherwise.

export const mockPluginName = 'kubernetes.io/mock-volume';

export const features = featuresFor('1.37');

/**
 * Annotations in short: bound-by-controller, bind-completed, provisioned-by (the mock plugin), and both spellings of
 * storage-provisioner (the mock plugin).
 */
export type Mark = 'BC' | 'BD' | 'DP' | 'SP';

const annotationsOf: Readonly<Record<Mark, Annotations>> = {
  BC: { [AnnBoundByController]: 'yes' },
  BD: { [AnnBindCompleted]: 'yes' },
  DP: { [AnnDynamicallyProvisioned]: mockPluginName },
  SP: { [AnnStorageProvisioner]: mockPluginName, [AnnBetaStorageProvisioner]: mockPluginName },
};

function annotated(marks: readonly Mark[] = [], more: Annotations = {}): { readonly annotations?: Annotations } {
  const annotations = Object.assign({}, ...marks.map((mark) => annotationsOf[mark]), more);
  return Object.keys(annotations).length === 0 ? {} : { annotations };
}

export interface VolumeColumns {
  /** The claim that the claimRef names. */
  readonly claim?: string;
  /** The uid in the claimRef; without one the volume is reserved by name. */
  readonly uid?: string;
  readonly phase?: string;
  readonly policy?: string;
  readonly class?: string;
  readonly marks?: readonly Mark[];
  readonly annotations?: Annotations;
  readonly labels?: Labels;
  readonly finalizers?: readonly string[];
  readonly deletionTimestamp?: string;
  readonly volumeMode?: string;
  readonly vac?: string;
  readonly message?: string;
  /** The driver of a CSI volume; without one the volume is an in-tree one. */
  readonly driver?: string;
}

export function volume(name: string, capacity: string, is: VolumeColumns = {}): PersistentVolume {
  const claimRef = {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    namespace: 'default',
    ...(is.claim === undefined ? {} : { name: is.claim }),
    ...(is.uid === undefined ? {} : { uid: is.uid }),
  };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name,
      resourceVersion: '1',
      ...annotated(is.marks, is.annotations),
      ...(is.labels === undefined ? {} : { labels: is.labels }),
      ...(is.finalizers === undefined ? {} : { finalizers: is.finalizers }),
      ...(is.deletionTimestamp === undefined ? {} : { deletionTimestamp: is.deletionTimestamp }),
    },
    spec: {
      capacity: { storage: capacity },
      accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
      persistentVolumeReclaimPolicy: is.policy ?? 'Retain',
      storageClassName: is.class ?? '',
      volumeMode: is.volumeMode ?? 'Filesystem',
      ...(is.claim === undefined ? {} : { claimRef }),
      ...(is.vac === undefined ? {} : { volumeAttributesClassName: is.vac }),
      ...(is.driver === undefined
        ? { gcePersistentDisk: {} }
        : { csi: { driver: is.driver, volumeHandle: '527b55dc-c7db-4574-9226-2e33318b06a3', fsType: 'ext4' } }),
    },
    status: { phase: is.phase ?? 'Available', ...(is.message === undefined ? {} : { message: is.message }) },
  };
}

export interface ClaimColumns {
  /** spec.volumeName */
  readonly volume?: string;
  readonly phase?: string;
  readonly class?: string;
  readonly marks?: readonly Mark[];
  readonly annotations?: Annotations;
  readonly accessModes?: readonly AccessMode[];
  readonly selector?: Labels;
  readonly volumeMode?: string;
  readonly vac?: string;
  readonly currentVac?: string;
  /** status.capacity, if it is not what the claim asks for. */
  readonly capacity?: string;
  readonly dataSource?: TypedObjectReference;
}

/** A claim; one that is Bound has access modes and capacity in its status. */
export function claim(name: string, uid: string, request: string, is: ClaimColumns = {}): PersistentVolumeClaim {
  const { phase = 'Pending', accessModes = ['ReadWriteOnce', 'ReadOnlyMany'] } = is;
  const capacity = is.capacity ?? (phase === 'Bound' ? request : undefined);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default', uid, resourceVersion: '1', ...annotated(is.marks, is.annotations) },
    spec: {
      accessModes,
      resources: { requests: { storage: request } },
      volumeMode: is.volumeMode ?? 'Filesystem',
      ...(is.volume === undefined ? {} : { volumeName: is.volume }),
      ...(is.class === undefined ? {} : { storageClassName: is.class }),
      ...(is.selector === undefined ? {} : { selector: { matchLabels: is.selector } }),
      ...(is.vac === undefined ? {} : { volumeAttributesClassName: is.vac }),
      ...(is.dataSource === undefined ? {} : { dataSource: is.dataSource }),
    },
    status: {
      phase,
      ...(phase === 'Bound' ? { accessModes } : {}),
      ...(capacity === undefined ? {} : { capacity: { storage: capacity } }),
      ...(is.currentVac === undefined ? {} : { currentVolumeAttributesClassName: is.currentVac }),
    },
  };
}

export function storageClass(name: string, provisioner: string, more: Partial<StorageClass> = {}): StorageClass {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner,
    volumeBindingMode: 'Immediate',
    ...more,
  };
}

/** "claim claim1-2: Normal FailedBinding: …" */
export const textOfEvent = ({ object, type, reason, message }: ControllerEvent): string =>
  `${object.replace(' default/', ' ')}: ${type} ${reason}: ${message}`;

/** The result of a call to a mock plugin: what it returns, or the error that it ends with. */
export type Call = 'succeeds' | { readonly fails: string };

/** The results of a mock plugin's calls, in order. */
export interface MockCalls {
  readonly recycle?: readonly Call[];
  readonly delete?: readonly Call[];
  readonly provision?: readonly Call[];
  /** The class parameters that the provisioner must be called with. */
  readonly parameters?: StorageClass['parameters'];
}

/** mockVolumePlugin of upstream: it supports every volume, and fails in its own words once its results are used up. */
function mockPlugin({ recycle = [], delete: deletions = [], provision = [], parameters }: MockCalls): VolumePlugin {
  const counts = { recycle: 0, delete: 0, provision: 0 };
  const next = (calls: readonly Call[], of: keyof typeof counts, name: string): void => {
    const call = calls[counts[of]];
    if (call === undefined) throw new SyncError(`Mock plugin error: unexpected ${name} call ${counts[of]}`);
    counts[of]++;
    if (call !== 'succeeds') throw new SyncError(call.fails);
  };
  const requireAny = (calls: readonly Call[], name: string): void => {
    if (calls.length === 0) throw new SyncError(`Mock plugin error: no ${name} configured`);
  };
  return {
    name: mockPluginName,
    canSupport: () => true,
    supportsMountOptions: false,
    newProvisioner: (of) => {
      requireAny(provision, 'provisionCalls');
      return ({ metadata, spec }) => {
        if (JSON.stringify(of.parameters) !== JSON.stringify(parameters)) {
          throw new SyncError('Mock plugin error: invalid provisioner call');
        }
        next(provision, 'provision', 'provisioner');
        return {
          metadata: { name: `pvc-${metadata.uid}` },
          spec: {
            capacity: { storage: spec.resources?.requests?.storage ?? '0' },
            accessModes: spec.accessModes ?? [],
            persistentVolumeReclaimPolicy: of.reclaimPolicy ?? 'Delete',
            volumeMode: spec.volumeMode ?? 'Filesystem',
            gcePersistentDisk: {},
          },
        };
      };
    },
    newDeleter: () => {
      requireAny(deletions, 'deleteCalls');
      return () => next(deletions, 'delete', 'deleter');
    },
    recycle: () => {
      requireAny(recycle, 'recycleCalls');
      next(recycle, 'recycle', 'recycle');
    },
  };
}

/** What somebody else does between a sync and the operation that it has scheduled. `nth`: which operation of the row it is, from 1. */
export type Interruption = (world: World, ctrl: Controller, nth: number) => void;

/** A controller that can be held up where it schedules an operation, as upstream's preOperationHook does. */
class InterruptibleController extends Controller {
  readonly #beforeOperation: (ctrl: Controller) => void;

  constructor(world: World, options: ControllerOptions, beforeOperation: (ctrl: Controller) => void) {
    super(world, options);
    this.#beforeOperation = beforeOperation;
  }

  override scheduleOperation(name: string, operation: () => void): void {
    this.#beforeOperation(this);
    super.scheduleOperation(name, operation);
  }
}

/** What a row starts from. */
export interface Start {
  readonly volumes?: readonly PersistentVolume[];
  readonly claims?: readonly PersistentVolumeClaim[];
  readonly classes?: readonly StorageClass[];
  readonly pods?: readonly Pod[];
  readonly nodes?: readonly Node[];
  /** Without one no plugin is registered. */
  readonly plugin?: MockCalls;
  readonly features?: Features;
  readonly dynamicProvisioning?: boolean;
  /** Writes that the API server refuses: see WorldOptions. */
  readonly refuse?: Readonly<Record<string, number>>;
  /** An API server that behaves in its own way. */
  readonly apiServer?: typeof World;
  /** Claims that the API server has, but the controller's cache has not, or not in this version. */
  readonly claimsUnknownToCache?: readonly PersistentVolumeClaim[];
  readonly beforeOperation?: Interruption;
}

/** A row of a table: what there is, what must be afterwards. */
export interface Row extends Start {
  readonly name: string;
  /** Left out where nothing may change. */
  readonly expectedVolumes?: readonly PersistentVolume[];
  /** Left out where nothing may change. */
  readonly expectedClaims?: readonly PersistentVolumeClaim[];
  /** All of them, each once. */
  readonly events?: readonly string[];
  /** The error that the sync ends with. */
  readonly error?: string;
}

export interface Result {
  readonly volumes: readonly PersistentVolume[];
  readonly claims: readonly PersistentVolumeClaim[];
  readonly events: readonly string[];
  readonly error: string | undefined;
}

/** A cluster with its controller, and what has been seen of them. */
export class Cluster {
  readonly world: World;
  readonly #options: ControllerOptions;
  readonly #beforeOperation: (ctrl: Controller) => void;
  readonly #syncs: Sync[] = [];
  #controller: Controller;

  constructor(start: Start) {
    const { classes = [], pods = [], nodes = [], apiServer = World } = start;
    const surroundings = {
      classes: new Map(classes.map((one) => [one.metadata.name, one])),
      pods,
      nodes,
      lacks: () => false,
    };
    const refuse = new Map(Object.entries(start.refuse ?? {}));
    this.world = new apiServer(start.claims ?? [], start.volumes ?? [], surroundings, { refuse });
    this.#options = {
      features: start.features ?? features,
      choose: chooseFirst,
      plugins: start.plugin === undefined ? [] : [mockPlugin(start.plugin)],
      dynamicProvisioning: start.dynamicProvisioning ?? true,
    };
    let operations = 0;
    this.#beforeOperation = (ctrl) => {
      operations++;
      start.beforeOperation?.(this.world, ctrl, operations);
    };
    this.#controller = this.#newController();
    for (const one of start.claimsUnknownToCache ?? []) this.world.putClaim(one);
  }

  syncClaim(key: ClaimKey): void {
    this.#syncs.push(this.#controller.syncClaimByKey(key));
  }

  syncVolume(name: string): void {
    this.#syncs.push(this.#controller.syncVolumeByKey(name));
  }

  /** Resyncs until nothing changes. `gone`: deleted objects whose events stand first in the queues, "claim default/c", "volume v". */
  settle(gone: readonly string[] = []): void {
    const run = new ControllerRun(this.#controller, { wholeResyncs: true, onSync: (sync) => this.#syncs.push(sync) });
    let version: number;
    let first = gone.map((target) => {
      const [object, key] = target.split(' ') as ['claim' | 'volume', string];
      return { object, key };
    });
    do {
      version = this.world.version;
      run.settle(first);
      if (!run.settled) throw new Error('the controller does not come to rest');
      first = [];
      // What others did in between is noticed at the next resync.
    } while (this.world.version !== version);
  }

  /** Back-offs end. Within a run no time passes; a controller that has just started has no back-off either. */
  pause(): void {
    this.#controller = this.#newController();
  }

  deleteClaim(key: ClaimKey): void {
    this.world.removeClaim(key);
    this.settle([`claim ${key}`]);
  }

  deleteVolume(name: string): void {
    this.world.removeVolume(name);
    this.settle([`volume ${name}`]);
  }

  result(): Result {
    return {
      volumes: [...this.world.volumes()].map(withoutVersion).sort(byName),
      claims: [...this.world.claims()].map(withoutVersion).sort(byName),
      events: [...new Set(this.#syncs.flatMap(({ events }) => events.map(textOfEvent)))],
      error: this.#syncs.find(({ error }) => error !== undefined)?.error,
    };
  }

  #newController(): Controller {
    return new InterruptibleController(this.world, this.#options, this.#beforeOperation);
  }
}

/** One sync of the first claim. */
export function syncFirstClaim(row: Row): Result {
  const cluster = new Cluster(row);
  cluster.syncClaim(firstClaim(row));
  return cluster.result();
}

/** One sync of the first volume. */
export function syncFirstVolume(row: Row): Result {
  const cluster = new Cluster(row);
  cluster.syncVolume(firstVolume(row));
  return cluster.result();
}

/** One sync of the first claim, then all that follows from it, and resyncs until nothing changes. */
export function syncClaimsToRest(row: Row): Result {
  const cluster = new Cluster(row);
  cluster.syncClaim(firstClaim(row));
  cluster.settle();
  return cluster.result();
}

/** One sync of the first volume, a pause if the row needs one, then all that follows, and resyncs until nothing changes. */
export function syncVolumesToRest(row: Row, { pause = false } = {}): Result {
  const cluster = new Cluster(row);
  cluster.syncVolume(firstVolume(row));
  if (pause) cluster.pause();
  cluster.settle();
  return cluster.result();
}

export function expectedOf(row: Row): Result {
  return {
    volumes: (row.expectedVolumes ?? row.volumes ?? []).map(withoutVersion).sort(byName),
    claims: (row.expectedClaims ?? row.claims ?? []).map(withoutVersion).sort(byName),
    events: row.events ?? [],
    error: row.error,
  };
}

function firstClaim({ claims = [] }: Row): ClaimKey {
  if (claims[0] === undefined) throw new Error('the row has no claim');
  return claimKey(claims[0]);
}

function firstVolume({ volumes = [] }: Row): string {
  if (volumes[0] === undefined) throw new Error('the row has no volume');
  return volumes[0].metadata.name;
}

/** Versions depend on how many writes went before, which no row is about. */
function withoutVersion<T extends PersistentVolume | PersistentVolumeClaim>(object: T): T {
  const { resourceVersion: _version, ...metadata } = object.metadata;
  if (object.kind !== 'PersistentVolume') return { ...object, metadata };
  const { spec } = object as PersistentVolume;
  if (spec.claimRef === undefined) return { ...object, metadata };
  const { resourceVersion: _of, ...claimRef } = spec.claimRef;
  return { ...object, metadata, spec: { ...spec, claimRef } };
}

const byName = (a: PersistentVolume | PersistentVolumeClaim, b: PersistentVolume | PersistentVolumeClaim): number =>
  a.metadata.name < b.metadata.name ? -1 : 1;

import { AnnBindCompleted } from '../../../src/api/annotations.ts';
import { featuresFor } from '../../../src/api/features.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  Labels,
  Namespace,
  Node,
  NodeSelector,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodVolume,
  StorageClass,
  VolumeAttachment,
} from '../../../src/api/objects.ts';
import type { SchedulerCluster } from '../../../src/engine/scheduler/cluster.ts';
import type { Plugin, PreFiltered, Status } from '../../../src/engine/scheduler/framework.ts';
import { SchedulerCache } from '../../../src/engine/scheduler/scheduler-cache.ts';
import type { Kind } from '../../../src/snapshot/kinds.ts';

/** The objects of a small cluster; what is not named is not there. */
export interface Objects {
  readonly nodes?: readonly Node[];
  readonly pods?: readonly Pod[];
  readonly claims?: readonly PersistentVolumeClaim[];
  readonly volumes?: readonly PersistentVolume[];
  readonly classes?: readonly StorageClass[];
  readonly csiNodes?: readonly CSINode[];
  readonly csiDrivers?: readonly CSIDriver[];
  readonly capacities?: readonly CSIStorageCapacity[];
  readonly attachments?: readonly VolumeAttachment[];
  readonly namespaces?: readonly Namespace[];
  /** Kinds that were not collected. */
  readonly lacks?: readonly Kind[];
}

export function clusterOf(objects: Objects, version = '1.37'): SchedulerCluster {
  const byName = <T extends { readonly metadata: { readonly name: string; readonly namespace?: string } }>(
    list: readonly T[] = [],
  ): ReadonlyMap<string, T> =>
    new Map(
      list.map((one) => [
        one.metadata.namespace === undefined ? one.metadata.name : `${one.metadata.namespace}/${one.metadata.name}`,
        one,
      ]),
    );
  const claims = byName(objects.claims);
  const volumes = byName(objects.volumes);
  const classes = byName(objects.classes);
  const csiNodes = byName(objects.csiNodes);
  const csiDrivers = byName(objects.csiDrivers);
  return {
    features: featuresFor(version),
    lacks: (kind) => objects.lacks?.includes(kind) ?? false,
    nodes: objects.nodes ?? [],
    pods: objects.pods ?? [],
    claim: (key) => claims.get(key),
    volume: (name) => volumes.get(name),
    volumes: () => volumes.values(),
    storageClass: (name) => classes.get(name),
    csiNode: (name) => csiNodes.get(name),
    csiDriver: (name) => csiDrivers.get(name),
    // As in a store, the last of several with one name survives.
    capacities: [...byName(objects.capacities).values()],
    attachments: objects.attachments ?? [],
    namespaces: objects.namespaces ?? [],
  };
}

export const cacheOf = (objects: Objects, version?: string): SchedulerCache =>
  new SchedulerCache(clusterOf(objects, version));

/** What one plugin says of a pod: its PreFilter and, on the only node, its Filter. */
export function runPlugin(
  plugin: Plugin,
  cache: SchedulerCache,
  pod: Pod,
): { readonly preFilter: PreFiltered; readonly filter: Status | undefined } {
  const preFilter = plugin.preFilter(cache, cache.podInfo(pod));
  const [node] = cache.nodes;
  return { preFilter, filter: preFilter.is === 'ready' && node !== undefined ? preFilter.filter(node) : undefined };
}

export const newNode = (name: string, labels?: Labels, rest: Partial<Node> = {}): Node => ({
  kind: 'Node',
  metadata: { name, ...(labels === undefined ? {} : { labels }) },
  status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
  ...rest,
});

export function newPod(name: string, volumes: readonly PodVolume[] = [], rest: Partial<Pod['spec']> = {}): Pod {
  return {
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: `pod-${name}` },
    spec: { volumes, ...rest },
  };
}

/** A pod's volume that uses the claim. */
export const uses = (claimName: string): PodVolume => ({
  name: `volume-of-${claimName}`,
  persistentVolumeClaim: { claimName },
});

export const newClass = (name: string, provisioner: string, rest: Partial<StorageClass> = {}): StorageClass => ({
  kind: 'StorageClass',
  metadata: { name },
  provisioner,
  volumeBindingMode: 'WaitForFirstConsumer',
  ...rest,
});

export function newClaim(
  name: string,
  storageClassName: string,
  storage: string,
  rest: Partial<PersistentVolumeClaim['spec']> = {},
): PersistentVolumeClaim {
  return {
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default', uid: `claim-${name}` },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage } }, ...rest },
    status: { phase: 'Pending' },
  };
}

/** The claim with both sides of its binding written. */
export function boundTo(claim: PersistentVolumeClaim, volumeName: string): PersistentVolumeClaim {
  return {
    ...withAnnotation(claim, AnnBindCompleted, 'yes'),
    spec: { ...claim.spec, volumeName },
    status: { phase: 'Bound' },
  };
}

export function withAnnotation(claim: PersistentVolumeClaim, key: string, value: string): PersistentVolumeClaim {
  return { ...claim, metadata: { ...claim.metadata, annotations: { ...claim.metadata.annotations, [key]: value } } };
}

export function newVolume(
  name: string,
  storageClassName: string,
  storage: string,
  required?: NodeSelector,
): PersistentVolume {
  return {
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: { storage },
      accessModes: ['ReadWriteOnce'],
      storageClassName,
      ...(required === undefined ? {} : { nodeAffinity: { required } }),
    },
    status: { phase: 'Available' },
  };
}

/** The volume as it is when it is bound to the claim. */
export function reservedFor(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const { name, namespace = '', uid = '' } = claim.metadata;
  return {
    ...volume,
    spec: { ...volume.spec, claimRef: { kind: 'PersistentVolumeClaim', apiVersion: 'v1', name, namespace, uid } },
    status: { phase: 'Bound' },
  };
}

export const labelIn = (key: string, ...values: readonly string[]): NodeSelector => ({
  nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values }] }],
});

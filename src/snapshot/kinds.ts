import type * as k from '../api/objects.ts';

/** What is known about a kind before any object of it was seen. */
export interface KindInfo {
  readonly group: string;
  readonly resource: string;
  readonly short?: string;
  readonly namespaced: boolean;
}

/**
 * The kinds that are kept when a cluster is read, by their API name. Everything else is passed over, ConfigMaps first of all. Of a
 * Secret no more is ever kept than that one of its name is there.
 */
export const kinds = {
  PersistentVolume: { group: '', resource: 'persistentvolumes', short: 'pv', namespaced: false },
  PersistentVolumeClaim: { group: '', resource: 'persistentvolumeclaims', short: 'pvc', namespaced: true },
  StorageClass: { group: 'storage.k8s.io', resource: 'storageclasses', short: 'sc', namespaced: false },
  VolumeAttributesClass: {
    group: 'storage.k8s.io',
    resource: 'volumeattributesclasses',
    short: 'vac',
    namespaced: false,
  },
  Node: { group: '', resource: 'nodes', short: 'no', namespaced: false },
  Pod: { group: '', resource: 'pods', short: 'po', namespaced: true },
  Event: { group: '', resource: 'events', short: 'ev', namespaced: true },
  CSINode: { group: 'storage.k8s.io', resource: 'csinodes', namespaced: false },
  CSIDriver: { group: 'storage.k8s.io', resource: 'csidrivers', namespaced: false },
  CSIStorageCapacity: { group: 'storage.k8s.io', resource: 'csistoragecapacities', namespaced: true },
  VolumeAttachment: { group: 'storage.k8s.io', resource: 'volumeattachments', namespaced: false },
  ResourceQuota: { group: '', resource: 'resourcequotas', short: 'quota', namespaced: true },
  LimitRange: { group: '', resource: 'limitranges', short: 'limits', namespaced: true },
  Namespace: { group: '', resource: 'namespaces', short: 'ns', namespaced: false },
  StatefulSet: { group: 'apps', resource: 'statefulsets', short: 'sts', namespaced: true },
  Deployment: { group: 'apps', resource: 'deployments', short: 'deploy', namespaced: true },
  DaemonSet: { group: 'apps', resource: 'daemonsets', short: 'ds', namespaced: true },
  ReplicaSet: { group: 'apps', resource: 'replicasets', short: 'rs', namespaced: true },
  Job: { group: 'batch', resource: 'jobs', namespaced: true },
  CronJob: { group: 'batch', resource: 'cronjobs', short: 'cj', namespaced: true },
  VolumeSnapshot: { group: 'snapshot.storage.k8s.io', resource: 'volumesnapshots', short: 'vs', namespaced: true },
  VolumeSnapshotContent: {
    group: 'snapshot.storage.k8s.io',
    resource: 'volumesnapshotcontents',
    short: 'vsc',
    namespaced: false,
  },
  VolumeSnapshotClass: {
    group: 'snapshot.storage.k8s.io',
    resource: 'volumesnapshotclasses',
    short: 'vsclass',
    namespaced: false,
  },
  ReferenceGrant: {
    group: 'gateway.networking.k8s.io',
    resource: 'referencegrants',
    short: 'refgrant',
    namespaced: true,
  },
  Lease: { group: 'coordination.k8s.io', resource: 'leases', namespaced: true },
  Secret: { group: '', resource: 'secrets', namespaced: true },
} as const satisfies Record<string, KindInfo>;

export type Kind = keyof typeof kinds;

/** The type of the objects of each kind. */
export interface KindOf {
  PersistentVolume: k.PersistentVolume;
  PersistentVolumeClaim: k.PersistentVolumeClaim;
  StorageClass: k.StorageClass;
  VolumeAttributesClass: k.VolumeAttributesClass;
  Node: k.Node;
  Pod: k.Pod;
  Event: k.Event;
  CSINode: k.CSINode;
  CSIDriver: k.CSIDriver;
  CSIStorageCapacity: k.CSIStorageCapacity;
  VolumeAttachment: k.VolumeAttachment;
  ResourceQuota: k.ResourceQuota;
  LimitRange: k.LimitRange;
  Namespace: k.Namespace;
  StatefulSet: k.Workload;
  Deployment: k.Workload;
  DaemonSet: k.Workload;
  ReplicaSet: k.Workload;
  Job: k.Workload;
  CronJob: k.Workload;
  VolumeSnapshot: k.VolumeSnapshot;
  VolumeSnapshotContent: k.VolumeSnapshotContent;
  VolumeSnapshotClass: k.VolumeSnapshotClass;
  ReferenceGrant: k.ReferenceGrant;
  Lease: k.Lease;
  Secret: k.Secret;
}

/** The kinds that are asked for, listed and parsed. Secrets are not: their names are looked up where a dump happens to hold them. */
export const allKinds: readonly Kind[] = (Object.keys(kinds) as Kind[]).filter((kind) => kind !== 'Secret');

/** Whether objects of the kind are read. */
export function isKind(name: string): name is Kind {
  return Object.hasOwn(kinds, name) && name !== 'Secret';
}

export function isNamespaced(kind: Kind): boolean {
  return kinds[kind].namespaced;
}

import type { ClaimKey } from '../../api/accessors.ts';
import type { Features } from '../../api/features.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
  VolumeAttachment,
} from '../../api/objects.ts';
import type { Kind } from '../../snapshot/kinds.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/**
 * What the scheduler's informers would hold. Absent and not collected are different: a lookup that finds nothing asks `lacks`.
 * Claims and volumes are read anew each time; whoever changes them tells the SchedulerCache.
 */
export interface SchedulerCluster {
  readonly features: Features;
  /** Whether objects of the kind may exist that are not here; with a namespace, whether there. */
  readonly lacks: (kind: Kind, namespace?: string) => boolean;
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly claim: (key: ClaimKey) => PersistentVolumeClaim | undefined;
  readonly volume: (name: string) => PersistentVolume | undefined;
  readonly volumes: () => Iterable<PersistentVolume>;
  readonly storageClass: (name: string) => StorageClass | undefined;
  readonly csiNode: (name: string) => CSINode | undefined;
  readonly csiDriver: (name: string) => CSIDriver | undefined;
  readonly capacities: readonly CSIStorageCapacity[];
  readonly attachments: readonly VolumeAttachment[];
  readonly namespaces: readonly Namespace[];
}

/** The scheduler's view of a snapshot, with claims and volumes as they were read. */
export function schedulerClusterOf(snapshot: Snapshot, features: Features): SchedulerCluster {
  return {
    features,
    lacks: (kind, namespace) => snapshot.coverage(kind, namespace).is === 'notCollected',
    nodes: snapshot.list('Node'),
    pods: snapshot.list('Pod'),
    claim: (key) => snapshot.get('PersistentVolumeClaim', key),
    volume: (name) => snapshot.get('PersistentVolume', name),
    volumes: () => snapshot.list('PersistentVolume'),
    storageClass: (name) => snapshot.get('StorageClass', name),
    csiNode: (name) => snapshot.get('CSINode', name),
    csiDriver: (name) => snapshot.get('CSIDriver', name),
    capacities: snapshot.list('CSIStorageCapacity'),
    attachments: snapshot.list('VolumeAttachment'),
    namespaces: snapshot.list('Namespace'),
  };
}

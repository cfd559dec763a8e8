import { getOrSet } from '../../api/get-or-set.ts';
import type {
  CSIDriver,
  CSINode,
  Labels,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  ReferenceGrant,
  VolumeAttributesClass,
  VolumeSnapshot,
  VolumeSnapshotContent,
} from '../../api/objects.ts';
import type { Kind, KindOf } from '../../snapshot/kinds.ts';
import type { Key, Snapshot } from '../../snapshot/snapshot.ts';

/** An object as it was looked for. What was not collected may be there or not. */
export type Seen<T> =
  | { readonly is: 'found'; readonly value: T }
  | { readonly is: 'absent' }
  | { readonly is: 'unknown'; readonly lacks: readonly Kind[] };

/** What the nodes tell about a driver. */
export interface DriverTopology {
  /**
   * Whether the driver tells volumes of one place from those of another: some node has topology keys of it (yes), nodes list it and
   * none has (no), no node lists it (unknown).
   */
  readonly aware: 'yes' | 'no' | 'unknown';
  /** The nodes that list the driver. */
  readonly nodes: readonly string[];
  /** The different lists of topology keys. */
  readonly keys: readonly (readonly string[])[];
}

/** All that an external provisioner looks at in a cluster, besides the claim and its class. */
export interface ProvisionerView {
  claim(key: Key): Seen<PersistentVolumeClaim>;
  volume(name: string): Seen<PersistentVolume>;
  node(name: string): Seen<Node>;
  csiNode(name: string): Seen<CSINode>;
  csiDriver(name: string): Seen<CSIDriver>;
  snapshot(key: Key): Seen<VolumeSnapshot>;
  snapshotContent(name: string): Seen<VolumeSnapshotContent>;
  attributesClass(name: string): Seen<VolumeAttributesClass>;
  /** That the Secret is there, not what it holds. */
  secret(key: Key): Seen<unknown>;
  grants(namespace: string): Seen<readonly ReferenceGrant[]>;
  topologyOf(driver: string): Seen<DriverTopology>;
  /** The labels of the nodes that carry all the keys. */
  nodesWithLabels(keys: readonly string[]): Seen<readonly Labels[]>;
}

/** The view of a snapshot. What it works out of many objects it works out once. */
export function viewOf(snapshot: Snapshot): ProvisionerView {
  const topologies = new Map<string, Seen<DriverTopology>>();
  const labelled = new Map<string, Seen<readonly Labels[]>>();
  const isKnown = (kind: Kind, namespace?: string): boolean => {
    const { is } = snapshot.coverage(kind, namespace);
    return is === 'present' || is === 'empty';
  };
  const get = <K extends Kind>(kind: K, key: Key): Seen<KindOf[K]> => {
    const value = snapshot.get(kind, key);
    if (value !== undefined) return { is: 'found', value };
    const slash = key.indexOf('/');
    return isKnown(kind, slash < 0 ? undefined : key.slice(0, slash))
      ? { is: 'absent' }
      : { is: 'unknown', lacks: [kind] };
  };
  return {
    claim: (key) => get('PersistentVolumeClaim', key),
    volume: (name) => get('PersistentVolume', name),
    node: (name) => get('Node', name),
    csiNode: (name) => get('CSINode', name),
    csiDriver: (name) => get('CSIDriver', name),
    snapshot: (key) => get('VolumeSnapshot', key),
    snapshotContent: (name) => get('VolumeSnapshotContent', name),
    attributesClass: (name) => get('VolumeAttributesClass', name),
    secret: (key) => get('Secret', key),
    grants: (namespace) => {
      if (!isKnown('ReferenceGrant', namespace)) return { is: 'unknown', lacks: ['ReferenceGrant'] };
      const all = snapshot.list('ReferenceGrant').filter(({ metadata }) => metadata.namespace === namespace);
      return { is: 'found', value: all };
    },
    topologyOf: (driver) =>
      getOrSet(topologies, driver, () =>
        isKnown('CSINode')
          ? { is: 'found', value: topologyOf(snapshot.list('CSINode'), driver) }
          : { is: 'unknown', lacks: ['CSINode'] },
      ),
    nodesWithLabels: (keys) =>
      getOrSet(labelled, keys.join('\n'), () => {
        if (!isKnown('Node')) return { is: 'unknown', lacks: ['Node'] };
        const all = snapshot.list('Node').map(({ metadata }) => metadata.labels ?? {});
        return { is: 'found', value: all.filter((labels) => keys.every((key) => Object.hasOwn(labels, key))) };
      }),
  };
}

function topologyOf(csiNodes: readonly CSINode[], driver: string): DriverTopology {
  const nodes: string[] = [];
  const keys = new Map<string, readonly string[]>();
  for (const { metadata, spec } of csiNodes) {
    const found = spec?.drivers?.find(({ name }) => name === driver);
    if (found === undefined) continue;
    nodes.push(metadata.name);
    const { topologyKeys = [] } = found;
    if (topologyKeys.length > 0) keys.set(topologyKeys.join('\n'), topologyKeys);
  }
  return { aware: keys.size > 0 ? 'yes' : nodes.length > 0 ? 'no' : 'unknown', nodes, keys: [...keys.values()] };
}

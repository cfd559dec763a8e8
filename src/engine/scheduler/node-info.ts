import { AnnMigratedPlugins } from '../../api/annotations.ts';
import type { CSINode, Labels, Node, Taint } from '../../api/objects.ts';
import type { PodInfo } from './pod-info.ts';
import { addResources, amountsOf, noResources, type Resources, resourcesOf } from './resources.ts';

/** A node with the pods on it and the sums that filters ask for, kept up to date as pods arrive. */
// kubernetes/kubernetes pkg/scheduler/framework/types.go, NodeInfo (1.37)
export class NodeInfo {
  /** Its place among the nodes of the cluster, by name. */
  readonly index: number;
  readonly node: Node;
  readonly name: string;
  readonly labels: Labels;
  readonly allocatable: Resources;
  /** Taints that keep pods away (NoSchedule, NoExecute). */
  readonly taints: readonly Taint[];
  /** Nodes with the same text have the same `taints`. */
  readonly taintsKey: string;
  readonly csiNode: CSINode | undefined;
  /** Volumes that may be attached, by CSI driver; a driver that is not here has no limit. */
  readonly volumeLimits: ReadonlyMap<string, number>;
  /** In-tree plugins that this node's CSINode lists as migrated. */
  readonly migratedPlugins: ReadonlySet<string>;
  /** Nodes with the same text treat in-tree volumes alike. */
  readonly migrationKey: string;
  #pods: PodInfo[] = [];
  #requested: Resources = noResources;

  constructor(index: number, node: Node, csiNode: CSINode | undefined) {
    this.index = index;
    this.node = node;
    this.name = node.metadata.name;
    this.labels = node.metadata.labels ?? {};
    this.allocatable = resourcesOf(amountsOf(node.status?.allocatable));
    this.taints = (node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute');
    this.taintsKey = JSON.stringify(this.taints.map(({ key, value = '', effect }) => [key, value, effect]));
    this.csiNode = csiNode;
    this.volumeLimits = volumeLimitsOf(csiNode);
    const migrated = csiNode?.metadata.annotations?.[AnnMigratedPlugins];
    this.migratedPlugins = new Set(migrated ? migrated.split(',') : []);
    this.migrationKey = csiNode === undefined ? 'none' : `csi ${migrated ?? ''}`;
  }

  get pods(): readonly PodInfo[] {
    return this.#pods;
  }

  get requested(): Resources {
    return this.#requested;
  }

  addPod(pod: PodInfo): void {
    this.#pods.push(pod);
    this.#requested = addResources(this.#requested, pod.requested);
  }

  /** The same node with more pods on it. */
  with(pods: readonly PodInfo[]): NodeInfo {
    const copy = new NodeInfo(this.index, this.node, this.csiNode);
    copy.#pods = [...this.#pods];
    copy.#requested = this.#requested;
    for (const pod of pods) copy.addPod(pod);
    return copy;
  }
}

// pkg/scheduler/framework/plugins/nodevolumelimits/csi.go, getVolumeLimits (1.37)
function volumeLimitsOf(csiNode: CSINode | undefined): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const { name, allocatable } of csiNode?.spec?.drivers ?? []) {
    if (allocatable?.count !== undefined) limits.set(name, allocatable.count);
  }
  return limits;
}

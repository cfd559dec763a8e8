import type { ClaimKey } from '../../api/accessors.ts';
import { translateInTreeVolume } from '../../api/csi-migration.ts';
import { parseLabelSelector, SelectorError } from '../../api/label-selector.ts';
import { nodeSelectorMatches, volumeNodeAffinityMatches } from '../../api/node-selector.ts';
import type {
  CSIStorageCapacity,
  Labels,
  NodeSelector,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  TopologySelectorTerm,
  VolumeAttachment,
} from '../../api/objects.ts';
import { parseQuantity, quantityValue } from '../../api/quantity.ts';
import { volumeClass } from '../../api/storage-class.ts';
import type { SchedulerCluster } from './cluster.ts';
import { NodeInfo } from './node-info.ts';
import { type PodInfo, podInfoOf } from './pod-info.ts';
import { isFinished } from './queueing.ts';
import { ClassVolumes } from './volume-binding/class-volumes.ts';

/** A pod on its node. */
export interface PlacedPod {
  readonly pod: PodInfo;
  readonly node: NodeInfo;
}

/**
 * The scheduler's cache: nodes with their pods, and volumes by class, prepared so that one more pod costs little. It is alive:
 * `assignPod`, `claimChanged` and `volumeChanged` tell it what the binder, the controller or a pod's binding has changed in the cluster.
 */
// kubernetes/kubernetes pkg/scheduler/backend/cache (1.37). Answers that depend on a node's labels only are kept per distinct question.
export class SchedulerCache {
  readonly cluster: SchedulerCluster;
  /** By name. */
  readonly nodes: readonly NodeInfo[];
  readonly namespaceLabels: ReadonlyMap<string, Labels>;
  /** Attachments by node. */
  readonly attachments: ReadonlyMap<string, readonly VolumeAttachment[]>;
  readonly #nodesByName: ReadonlyMap<string, NodeInfo>;
  readonly #podInfos = new WeakMap<Pod, PodInfo>();
  readonly #claimUsers = new Map<ClaimKey, Set<NodeInfo>>();
  readonly #antiAffine: PlacedPod[] = [];
  readonly #nominated = new Map<string, PodInfo[]>();
  readonly #nodeSets = new Map<string, ReadonlySet<number>>();
  /** #nodeSets by the very selector, which is cheaper to ask than its text. */
  readonly #reaches = new WeakMap<NodeSelector, ReadonlySet<number>>();
  readonly #counts = new Map<string, number[]>();
  readonly #counters = new Map<string, (pod: PodInfo) => boolean>();
  readonly #attachable = new Map<NodeInfo, unknown>();
  readonly #translated = new WeakMap<PersistentVolume, { readonly required: NodeSelector | undefined }>();
  readonly #capacities = new Map<string, Map<number, bigint>>();
  readonly #classes = new Map<string, ClassVolumes>();
  readonly #classOfVolume = new Map<string, string>();
  #labelIndex: ReadonlyMap<string, ReadonlyMap<string, readonly number[]>> | undefined;

  constructor(cluster: SchedulerCluster) {
    this.cluster = cluster;
    const nodes = [...cluster.nodes].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    this.nodes = nodes.map((node, i) => new NodeInfo(i, node, cluster.csiNode(node.metadata.name)));
    this.#nodesByName = new Map(this.nodes.map((node) => [node.name, node]));
    this.namespaceLabels = new Map(cluster.namespaces.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
    const attachments = new Map<string, VolumeAttachment[]>();
    for (const attachment of cluster.attachments) {
      const node = attachment.spec?.nodeName ?? '';
      const there = attachments.get(node);
      if (there === undefined) attachments.set(node, [attachment]);
      else there.push(attachment);
    }
    this.attachments = attachments;
    for (const volume of cluster.volumes()) this.volumeChanged(volume.metadata.name, volume);
    for (const pod of cluster.pods) {
      const { nodeName = '' } = pod.spec;
      if (isFinished(pod)) continue;
      if (nodeName !== '') this.#place(this.podInfo(pod), nodeName);
      else if (pod.status?.nominatedNodeName) this.#nominate(this.podInfo(pod), pod.status.nominatedNodeName);
    }
  }

  node(name: string): NodeInfo | undefined {
    return this.#nodesByName.get(name);
  }

  podInfo(pod: Pod): PodInfo {
    let info = this.#podInfos.get(pod);
    if (info === undefined) {
      info = podInfoOf(pod, this.cluster.features);
      this.#podInfos.set(pod, info);
    }
    return info;
  }

  /** A pending pod got its node: from now on it is there. */
  assignPod(pod: Pod, nodeName: string): void {
    const info = this.podInfo(pod);
    for (const [node, pods] of this.#nominated) {
      this.#nominated.set(
        node,
        pods.filter((other) => other.key !== info.key),
      );
    }
    this.#place(info, nodeName);
  }

  /** The volume was written, or deleted (undefined). */
  volumeChanged(name: string, volume: PersistentVolume | undefined): void {
    const before = this.#classOfVolume.get(name);
    const now = volume === undefined ? undefined : volumeClass(volume);
    if (before !== undefined && before !== now) this.classVolumes(before).delete(name);
    if (volume === undefined || now === undefined) {
      this.#classOfVolume.delete(name);
      this.#attachable.clear();
      return;
    }
    this.#classOfVolume.set(name, now);
    this.classVolumes(now).set(volume);
    const ref = volume.spec.claimRef;
    if (ref !== undefined) this.claimChanged(`${ref.namespace ?? ''}/${ref.name ?? ''}`);
  }

  /** The claim was written or deleted. */
  claimChanged(key: ClaimKey): void {
    for (const node of this.#claimUsers.get(key) ?? []) this.#attachable.delete(node);
  }

  classVolumes(className: string): ClassVolumes {
    let volumes = this.#classes.get(className);
    if (volumes === undefined) {
      volumes = new ClassVolumes((required) => this.nodesMatchingVolume(required));
      this.#classes.set(className, volumes);
    }
    return volumes;
  }

  /** Whether some pod on some node uses the claim by name (ephemeral volumes do not count). */
  isClaimUsedByPods(key: ClaimKey): boolean {
    return this.#claimUsers.has(key);
  }

  /** Pods with required anti-affinity. */
  get antiAffinePods(): readonly PlacedPod[] {
    return this.#antiAffine;
  }

  /** Pending pods that wait for room on the node which preemption makes for them. */
  nominatedPods(nodeName: string): readonly PodInfo[] {
    return this.#nominated.get(nodeName) ?? nobody;
  }

  /** The nodes, by index, that a volume's node affinity admits. It looks at labels only. */
  nodesMatchingVolume(required: NodeSelector | undefined): ReadonlySet<number> | 'all' {
    if (required === undefined) return 'all';
    const known = this.#reaches.get(required);
    if (known !== undefined) return known;
    const reach = this.#nodeSet(`volume ${JSON.stringify(required)}`, () => {
      const candidates = this.#candidates(required);
      return candidates.filter((i) => volumeNodeAffinityMatches(required, this.nodes[i]?.labels).is === 'match');
    });
    this.#reaches.set(required, reach);
    return reach;
  }

  /** Whether the node satisfies the volume's node affinity, as it is or translated to CSI. Throws TranslationError. */
  isVolumeReachable(volume: PersistentVolume, isTranslated: boolean, node: NodeInfo): boolean {
    let required = volume.spec.nodeAffinity?.required;
    if (isTranslated) {
      let translated = this.#translated.get(volume);
      if (translated === undefined) {
        translated = { required: translateInTreeVolume(volume).spec.nodeAffinity?.required };
        this.#translated.set(volume, translated);
      }
      required = translated.required;
    }
    const reach = this.nodesMatchingVolume(required);
    return reach === 'all' || reach.has(node.index);
  }

  /** The nodes, by index, that a class's allowed topologies admit; an empty list admits all. */
  // pkg/apis/core/v1/helper/helpers.go, MatchTopologySelectorTerms
  nodesMatchingTopologies(terms: readonly TopologySelectorTerm[]): ReadonlySet<number> {
    return this.#nodeSet(`topologies ${JSON.stringify(terms)}`, () =>
      this.nodes
        .filter(({ labels }) => terms.length === 0 || terms.some((term) => matchesTopology(term, labels)))
        .map(({ index }) => index),
    );
  }

  /** The largest volume that some CSIStorageCapacity object promises for the class on the node, in bytes. */
  largestCapacityOn(className: string, node: NodeInfo): bigint | undefined {
    let byNode = this.#capacities.get(className);
    if (byNode === undefined) {
      byNode = new Map();
      this.#capacities.set(className, byNode);
      for (const capacity of this.cluster.capacities) {
        const limit = capacity.maximumVolumeSize ?? capacity.capacity;
        if ((capacity.storageClassName ?? '') !== className || limit === undefined) continue;
        const bytes = quantityValue(parseQuantity(limit));
        for (const index of this.#nodesWithAccess(capacity)) {
          const before = byNode.get(index);
          if (before === undefined || before < bytes) byNode.set(index, bytes);
        }
      }
    }
    return byNode.get(node.index);
  }

  /** The nodes, by index, that satisfy a pod's node selector and required node affinity; `required` may also ask for a node's name. */
  nodesMatchingPod(nodeSelector: Labels, required: NodeSelector | undefined): ReadonlySet<number> {
    return this.#nodeSet(`pod ${JSON.stringify([nodeSelector, required ?? null])}`, () =>
      this.nodes
        .filter((node) => matchesNodeSelector(nodeSelector, node.labels))
        .filter(
          ({ node }) =>
            required === undefined ||
            nodeSelectorMatches(required, node.metadata.name, node.metadata.labels).is === 'match',
        )
        .map((node) => node.index),
    );
  }

  /** How many pods of each node a question holds for, by node index. `key` names the question. */
  podCounts(key: string, holds: (pod: PodInfo) => boolean): readonly number[] {
    let counts = this.#counts.get(key);
    if (counts === undefined) {
      counts = this.nodes.map((node) => node.pods.reduce((sum, pod) => sum + (holds(pod) ? 1 : 0), 0));
      this.#counts.set(key, counts);
      this.#counters.set(key, holds);
    }
    return counts;
  }

  /** Something that depends on a node, its pods, and their claims and volumes; computed again when one of these has changed. */
  attachableOn<T>(node: NodeInfo, compute: () => T): T {
    if (!this.#attachable.has(node)) this.#attachable.set(node, compute());
    return this.#attachable.get(node) as T;
  }

  claim(key: ClaimKey): PersistentVolumeClaim | undefined {
    return this.cluster.claim(key);
  }

  /** Nodes, by index, that an object's topology selects; without one, or with one that cannot be read, there are none. */
  #nodesWithAccess({ nodeTopology }: CSIStorageCapacity): Iterable<number> {
    if (nodeTopology === undefined) return [];
    return this.#nodeSet(`capacity ${JSON.stringify(nodeTopology)}`, () => {
      try {
        const selector = parseLabelSelector(nodeTopology);
        const [pinned] = Object.entries(nodeTopology.matchLabels ?? {});
        const candidates = pinned && (this.#nodesByLabel().get(pinned[0])?.get(pinned[1]) ?? []);
        const indexes = candidates ?? this.nodes.map(({ index }) => index);
        return indexes.filter((index) => selector.matches(this.nodes[index]?.labels));
      } catch (error) {
        if (!(error instanceof SelectorError)) throw error;
        return [];
      }
    });
  }

  #place(pod: PodInfo, nodeName: string): void {
    const node = this.#nodesByName.get(nodeName);
    // A pod whose node is gone holds nothing and is nowhere.
    if (node === undefined) return;
    node.addPod(pod);
    for (const { key, ephemeral } of pod.claims) {
      if (ephemeral) continue;
      const users = this.#claimUsers.get(key);
      if (users === undefined) this.#claimUsers.set(key, new Set([node]));
      else users.add(node);
    }
    if (pod.antiAffinityTerms.length > 0) this.#antiAffine.push({ pod, node });
    for (const [key, counts] of this.#counts) {
      if (this.#counters.get(key)?.(pod)) counts[node.index] = (counts[node.index] ?? 0) + 1;
    }
    this.#attachable.delete(node);
  }

  #nominate(pod: PodInfo, nodeName: string): void {
    this.#nominated.set(nodeName, [...this.nominatedPods(nodeName), pod]);
  }

  #nodeSet(key: string, compute: () => readonly number[]): ReadonlySet<number> {
    let set = this.#nodeSets.get(key);
    if (set === undefined) {
      set = new Set(compute());
      this.#nodeSets.set(key, set);
    }
    return set;
  }

  /** Indexes of the nodes that a selector could match: by an In requirement of each term, if it has one. */
  #candidates({ nodeSelectorTerms = [] }: NodeSelector): readonly number[] {
    const found = new Set<number>();
    for (const { matchExpressions = [] } of nodeSelectorTerms) {
      const pinned = matchExpressions.find(({ operator }) => operator === 'In');
      if (pinned === undefined) return this.nodes.map((node) => node.index);
      const byValue = this.#nodesByLabel().get(pinned.key);
      for (const value of pinned.values ?? []) for (const i of byValue?.get(value) ?? []) found.add(i);
    }
    return [...found].sort((a, b) => a - b);
  }

  #nodesByLabel(): ReadonlyMap<string, ReadonlyMap<string, readonly number[]>> {
    if (this.#labelIndex === undefined) {
      const index = new Map<string, Map<string, number[]>>();
      for (const node of this.nodes) {
        for (const [key, value] of Object.entries(node.labels)) {
          const byValue = index.get(key) ?? new Map<string, number[]>();
          index.set(key, byValue);
          const there = byValue.get(value);
          if (there === undefined) byValue.set(value, [node.index]);
          else there.push(node.index);
        }
      }
      this.#labelIndex = index;
    }
    return this.#labelIndex;
  }
}

const nobody: readonly PodInfo[] = [];

/** A pod's plain node selector: every label equal. */
export function matchesNodeSelector(nodeSelector: Labels, labels: Labels): boolean {
  return Object.entries(nodeSelector).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

function matchesTopology({ matchLabelExpressions = [] }: TopologySelectorTerm, labels: Labels): boolean {
  return (
    matchLabelExpressions.length > 0 &&
    matchLabelExpressions.every(({ key, values = [] }) => labels[key] !== undefined && values.includes(labels[key]))
  );
}

import { accessModesAsString } from '../../../api/access-modes.ts';
import {
  type ClaimKey,
  reservedFor,
  volumeAttributesClassOf,
  volumeCapacity,
  volumeModeOf,
} from '../../../api/accessors.ts';
import type { NodeSelector, PersistentVolume } from '../../../api/objects.ts';
import { compareQuantities, type Quantity } from '../../../api/quantity.ts';
import { Names } from '../../names.ts';
import { SortedList } from '../../sorted-list.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/volumebinding/assume_cache.go, the index of volumes by class (1.37);
// specification scheduler-and-provisioning 1.3 and 1.6. Upstream walks over every volume of the class for each node; here volumes that
// no check can tell apart form one group, and each node knows the groups that it can reach.

/** Volumes of one group that are equally large. */
export interface Cell {
  readonly capacity: Quantity;
  readonly names: Names;
}

/** Volumes that are free to take, alike in everything but size, labels and name. */
export interface Group {
  /** One volume of the group, for checks to look at. */
  readonly representative: PersistentVolume;
  /** By capacity; no empty cells. */
  readonly cells: SortedList<Cell>;
}

interface Entry {
  readonly volume: PersistentVolume;
  readonly group: Group | undefined;
}

/** The nodes, by index, that satisfy a volume's node affinity. */
export type Reach = ReadonlySet<number> | 'all';

/** The volumes of one class. */
export class ClassVolumes {
  readonly #reachOf: (required: NodeSelector | undefined) => Reach;
  readonly #entries = new Map<string, Entry>();
  readonly #reserved = new Map<ClaimKey, Names>();
  readonly #groups = new Map<string, Group>();
  readonly #everywhere: Group[] = [];
  readonly #byNode = new Map<number, Group[]>();

  constructor(reachOf: (required: NodeSelector | undefined) => Reach) {
    this.#reachOf = reachOf;
  }

  get(name: string): PersistentVolume | undefined {
    return this.#entries.get(name)?.volume;
  }

  *[Symbol.iterator](): IterableIterator<PersistentVolume> {
    for (const { volume } of this.#entries.values()) yield volume;
  }

  /** Adds a volume or replaces the one of the same name. */
  set(volume: PersistentVolume): void {
    const { name } = volume.metadata;
    this.delete(name);
    const key = reservedFor(volume);
    if (key !== undefined) {
      const names = this.#reserved.get(key) ?? new Names();
      this.#reserved.set(key, names);
      names.add(name);
    }
    const group = key === undefined && isFree(volume) ? this.#groupOf(volume) : undefined;
    if (group !== undefined) cellOf(group, volumeCapacity(volume)).names.add(name);
    this.#entries.set(name, { volume, group });
  }

  delete(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#entries.delete(name);
    const key = reservedFor(entry.volume);
    if (key !== undefined) {
      const names = this.#reserved.get(key);
      names?.delete(name);
      if (names?.size === 0) this.#reserved.delete(key);
    }
    if (entry.group === undefined) return;
    const cell = cellOf(entry.group, volumeCapacity(entry.volume));
    cell.names.delete(name);
    if (cell.names.size === 0) entry.group.cells.remove(cell);
  }

  /** The volumes whose claimRef names the claim, by name; the uid is not looked at. */
  reservedFor(claim: ClaimKey): readonly PersistentVolume[] {
    return [...(this.#reserved.get(claim) ?? [])].sort().map((name) => this.get(name) as PersistentVolume);
  }

  /** The groups whose volumes can be reached from every node. */
  get groupsEverywhere(): readonly Group[] {
    return this.#everywhere;
  }

  /** The groups whose volumes the node can reach, besides those that every node can. */
  groupsOn(node: number): readonly Group[] {
    return this.#byNode.get(node) ?? noGroups;
  }

  groupOf(name: string): Group | undefined {
    return this.#entries.get(name)?.group;
  }

  /** Whether the volume's node affinity admits the node. */
  isReachable(volume: PersistentVolume, node: number): boolean {
    const reach = this.#reachOf(volume.spec.nodeAffinity?.required);
    return reach === 'all' || reach.has(node);
  }

  #groupOf(volume: PersistentVolume): Group {
    const required = volume.spec.nodeAffinity?.required;
    const modes = accessModesAsString(volume.spec.accessModes);
    const key = JSON.stringify([volumeModeOf(volume), volumeAttributesClassOf(volume), modes, required ?? null]);
    let group = this.#groups.get(key);
    if (group === undefined) {
      const cells = new SortedList<Cell>((a, b) => compareQuantities(a.capacity, b.capacity));
      group = { representative: volume, cells };
      this.#groups.set(key, group);
      const reach = this.#reachOf(required);
      if (reach === 'all') this.#everywhere.push(group);
      else for (const node of reach) this.#groupsAt(node).push(group);
    }
    return group;
  }

  #groupsAt(node: number): Group[] {
    let groups = this.#byNode.get(node);
    if (groups === undefined) {
      groups = [];
      this.#byNode.set(node, groups);
    }
    return groups;
  }
}

const noGroups: readonly Group[] = [];

/** Whether any claim may take the volume without a reservation. */
const isFree = ({ metadata, status }: PersistentVolume): boolean =>
  status?.phase === 'Available' && metadata.deletionTimestamp === undefined;

function cellOf({ cells }: Group, capacity: Quantity): Cell {
  const found = cells.firstNotBefore((cell) => compareQuantities(cell.capacity, capacity));
  if (found !== undefined && compareQuantities(found.capacity, capacity) === 0) return found;
  const cell: Cell = { capacity, names: new Names() };
  cells.add(cell);
  return cell;
}

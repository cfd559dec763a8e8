import { inTreePluginOf, TranslationError } from '../../api/csi-migration.ts';
import type { Features } from '../../api/features.ts';
import type { PersistentVolumeClaim, PodVolume } from '../../api/objects.ts';
import { claimClass } from '../../api/storage-class.ts';
import type { Kind } from '../../snapshot/kinds.ts';
import { type Plugin, PluginError, partial, reject, type Status, skip, unknown } from './framework.ts';
import { type CSIVolume, driverOfProvisioner, isTranslated, migratedOnNode } from './migrated-on-node.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { SchedulerCache } from './scheduler-cache.ts';
import { isClaimOfPod, notOwner } from './volume-binding/pod-volume-claims.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/nodevolumelimits/csi.go (1.37); specification
// scheduler-and-provisioning 2.2.

export const nodeVolumeLimits: Plugin = {
  name: 'NodeVolumeLimits',
  preFilter: (cache, pod) => {
    if (pod.claims.length === 0 && (pod.pod.spec.volumes ?? []).every((volume) => inTreePluginOf(volume) === undefined))
      return skip;
    const wanted = new Map<string, Attachable | Status>();
    return {
      is: 'ready',
      filter: (node) => {
        let volumes = wanted.get(node.migrationKey);
        if (volumes === undefined) {
          volumes = wantedBy(cache, pod, node);
          wanted.set(node.migrationKey, volumes);
        }
        return 'code' in volumes ? volumes : check(cache, volumes, node);
      },
    };
  },
};

/** Volumes by a name that is unique per driver and handle, and what was not collected that may hide more of them. */
interface Attachable {
  readonly drivers: ReadonlyMap<string, string>;
  readonly lacks: ReadonlySet<Kind>;
}

function wantedBy(cache: SchedulerCache, pod: PodInfo, node: NodeInfo): Attachable | Status {
  const drivers = new Map<string, string>();
  const lacks = new Set<Kind>();
  try {
    const missing = filterAttachableVolumes(cache, pod, node, drivers, lacks);
    if (missing === undefined) return { drivers, lacks };
    if (cache.cluster.lacks('PersistentVolumeClaim', pod.namespace)) {
      return unknown('NodeVolumeLimits', ['PersistentVolumeClaim']);
    }
    const name = missing.slice(pod.namespace.length + 1);
    const reason = `looking up PVC ${missing}: persistentvolumeclaim "${name}" not found`;
    return reject('NodeVolumeLimits', 'UnschedulableAndUnresolvable', reason, { is: 'claimMissing', claim: missing });
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): Status {
  if (!(error instanceof PluginError)) throw error;
  const reasons = [`running "NodeVolumeLimits" filter plugin: ${error.message}`];
  return { code: 'Error', plugin: 'NodeVolumeLimits', reasons };
}

function check(cache: SchedulerCache, wanted: Attachable, node: NodeInfo): Status | undefined {
  const { cluster } = cache;
  const lacks = new Set(wanted.lacks);
  if (wanted.drivers.size === 0) return lacks.size > 0 ? unknown('NodeVolumeLimits', [...lacks]) : undefined;
  const mayMissCSINode = node.csiNode === undefined && cluster.lacks('CSINode');
  if (cluster.features.volumeLimitScaling) {
    const drivers = [...new Set(wanted.drivers.values())].sort();
    const missing = drivers.filter((driver) => mustBeInstalled(cache, driver, lacks) && !isInstalled(driver, node));
    if (missing.length > 0 && mayMissCSINode) return unknown('NodeVolumeLimits', ['CSINode']);
    if (missing.length > 0) {
      const reason = `${missing[0]} CSI driver is not installed on the node`;
      const rejection = reject('NodeVolumeLimits', 'Unschedulable', reason, { is: 'driverMissing', drivers: missing });
      // Upstream tells one of them, in the order of a map.
      return partial(rejection, missing.length > 1);
    }
  }
  if (mayMissCSINode) lacks.add('CSINode');
  if (node.volumeLimits.size === 0) return lacks.size > 0 ? unknown('NodeVolumeLimits', [...lacks]) : undefined;
  try {
    return checkLimits(cache, wanted.drivers, node, lacks);
  } catch (error) {
    return failure(error);
  }
}

function mustBeInstalled({ cluster }: SchedulerCache, driver: string, lacks: Set<Kind>): boolean {
  const object = cluster.csiDriver(driver);
  if (object === undefined && cluster.lacks('CSIDriver')) lacks.add('CSIDriver');
  return object?.spec?.preventPodSchedulingIfMissing === true;
}

const isInstalled = (driver: string, { csiNode }: NodeInfo): boolean =>
  (csiNode?.spec?.drivers ?? []).some(({ name }) => name === driver);

function checkLimits(
  cache: SchedulerCache,
  wanted: ReadonlyMap<string, string>,
  node: NodeInfo,
  lacks: Set<Kind>,
): Status | undefined {
  const attached = cache.attachableOn(node, () => attachedTo(cache, node));
  // Another pod's claim may turn out to be somebody else's, which fails the plugin whatever the limits are.
  if (attached.lacks.has('PersistentVolumeClaim')) lacks.add('PersistentVolumeClaim');
  const fresh = new Map<string, number>();
  for (const [name, driver] of wanted) {
    // A volume that another pod of the node uses already costs nothing.
    if (!attached.inUse.has(name)) fresh.set(driver, (fresh.get(driver) ?? 0) + 1);
  }
  const exceeded = [...fresh].flatMap(([driver, count]) => {
    const limit = node.volumeLimits.get(driver);
    if (limit === undefined) return [];
    for (const kind of attached.lacks) lacks.add(kind);
    const before = attached.counts.get(driver) ?? 0;
    return before + count > limit ? [{ driver, limit, attached: before, wanted: count }] : [];
  });
  // A pod that is not seen may use the very volume, which then costs nothing; attachments alone can only make things worse.
  const maySpare = [...lacks].some((kind) => kind !== 'VolumeAttachment' && kind !== 'CSIDriver');
  if (exceeded.length > 0 && !maySpare) {
    const facts = { is: 'limitExceeded', drivers: exceeded } as const;
    const rejection = reject('NodeVolumeLimits', 'Unschedulable', 'node(s) exceed max volume count', facts);
    return partial(rejection, lacks.size > 0);
  }
  return lacks.size > 0 ? unknown('NodeVolumeLimits', [...lacks]) : undefined;
}

/** What is attached to a node: by its pods and, where nobody uses it any more, by VolumeAttachments. */
interface Attached {
  readonly inUse: ReadonlySet<string>;
  readonly counts: ReadonlyMap<string, number>;
  readonly lacks: ReadonlySet<Kind>;
}

function attachedTo(cache: SchedulerCache, node: NodeInfo): Attached {
  const { cluster } = cache;
  const inUse = new Map<string, string>();
  const lacks = new Set<Kind>(cluster.lacks('Pod') ? ['Pod'] : []);
  for (const pod of node.pods) filterAttachableVolumes(cache, pod, node, inUse, lacks, { isOnNode: true });
  const counted = new Map(inUse);
  if (cluster.features.limitsCountAttachments) {
    if (cluster.lacks('VolumeAttachment')) lacks.add('VolumeAttachment');
    for (const { spec } of cache.attachments.get(node.name) ?? []) {
      const { attacher = '', source } = spec ?? {};
      const name = source?.persistentVolumeName;
      if (attacher === '' || name === undefined) continue;
      const volume = cluster.volume(name);
      if (volume === undefined && cluster.lacks('PersistentVolume')) lacks.add('PersistentVolume');
      if (volume?.spec.csi !== undefined)
        counted.set(uniqueName(attacher, volume.spec.csi.volumeHandle ?? ''), attacher);
    }
  }
  const counts = new Map<string, number>();
  for (const driver of counted.values()) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  return { inUse: new Set(inUse.keys()), counts, lacks };
}

const uniqueName = (driver: string, handle: string): string => `${driver}/${handle}`;

/**
 * Adds the pod's attachable volumes. Returns the key of a claim that is not there and that a pod to be scheduled needs; on a node such
 * claims are passed over. Throws PluginError.
 */
function filterAttachableVolumes(
  cache: SchedulerCache,
  pod: PodInfo,
  node: NodeInfo,
  found: Map<string, string>,
  lacks: Set<Kind>,
  { isOnNode = false } = {},
): string | undefined {
  const { cluster } = cache;
  let next = 0;
  for (const volume of pod.pod.spec.volumes ?? []) {
    const claimed = pod.claims[next];
    if (claimed === undefined || claimed.volume !== volume.name) {
      if (mayBeMigrated(cache, inTreePluginOf(volume), node)) lacks.add('CSINode');
      add(found, inlineVolume(volume, node, cluster.features));
      continue;
    }
    next++;
    if (claimed.claim === '') throw new PluginError('PersistentVolumeClaim had no name');
    const claim = cache.claim(claimed.key);
    if (claim === undefined) {
      if (!isOnNode) return claimed.key;
      if (cluster.lacks('PersistentVolumeClaim', pod.namespace)) lacks.add('PersistentVolumeClaim');
      continue;
    }
    if (claimed.ephemeral && !isClaimOfPod(claim, pod.pod)) throw new PluginError(notOwner(claimed.key, pod.pod));
    add(found, getCSIDriverInfo(cache, claim, claimed.key, node, lacks));
  }
  return undefined;
}

/** Whether volumes of an in-tree plugin count or not depends on a CSINode that was not collected. */
function mayBeMigrated({ cluster }: SchedulerCache, plugin: string | undefined, node: NodeInfo): boolean {
  if (node.csiNode !== undefined || plugin === undefined || !isTranslated(plugin, cluster.features)) return false;
  return cluster.lacks('CSINode');
}

// checkAttachableInlineVolume
function inlineVolume(volume: PodVolume, node: NodeInfo, features: Features): CSIVolume | undefined {
  try {
    return migratedOnNode(volume, {}, node, features);
  } catch (error) {
    if (!(error instanceof TranslationError)) throw error;
    throw new PluginError(`converting volume(${volume.name}) from inline to csi: ${error.message}`);
  }
}

function add(found: Map<string, string>, volume: CSIVolume | undefined): void {
  if (volume === undefined || volume.driver === '' || volume.handle === '') return;
  found.set(uniqueName(volume.driver, volume.handle), volume.driver);
}

function getCSIDriverInfo(
  cache: SchedulerCache,
  claim: PersistentVolumeClaim,
  key: string,
  node: NodeInfo,
  lacks: Set<Kind>,
): CSIVolume | undefined {
  const { cluster } = cache;
  const { volumeName = '' } = claim.spec;
  const volume = volumeName === '' ? undefined : cluster.volume(volumeName);
  if (volume === undefined) {
    if (volumeName !== '' && cluster.lacks('PersistentVolume')) {
      lacks.add('PersistentVolume');
      return undefined;
    }
    return getCSIDriverInfoFromSC(cache, claim, key, node, lacks);
  }
  const { csi } = volume.spec;
  if (csi !== undefined) return { driver: csi.driver ?? '', handle: csi.volumeHandle ?? '' };
  if (mayBeMigrated(cache, inTreePluginOf(volume.spec), node)) lacks.add('CSINode');
  try {
    return migratedOnNode(volume.spec, volume.metadata.labels ?? {}, node, cluster.features);
  } catch (error) {
    if (error instanceof TranslationError) return undefined;
    throw error;
  }
}

/** A claim without a volume will be one more volume of its class's driver. */
function getCSIDriverInfoFromSC(
  cache: SchedulerCache,
  claim: PersistentVolumeClaim,
  key: string,
  node: NodeInfo,
  lacks: Set<Kind>,
): CSIVolume | undefined {
  const { cluster } = cache;
  const className = claimClass(claim);
  if (className === '') return undefined;
  const storageClass = cluster.storageClass(className);
  if (storageClass === undefined) {
    if (cluster.lacks('StorageClass')) lacks.add('StorageClass');
    return undefined;
  }
  if (mayBeMigrated(cache, storageClass.provisioner, node)) lacks.add('CSINode');
  const driver = driverOfProvisioner(storageClass.provisioner ?? '', node, cluster.features);
  return driver === undefined ? undefined : { driver, handle: `claim ${key}` };
}

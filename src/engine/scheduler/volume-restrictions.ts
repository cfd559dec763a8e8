import type { Pod, PodVolume } from '../../api/objects.ts';
import { type Plugin, type PreFiltered, partial, type Rejection, reject, skip, unknown } from './framework.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { SchedulerCache } from './scheduler-cache.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/volumerestrictions (1.37); specification scheduler-and-provisioning 2.1.

const diskConflict = 'node(s) had no available disk';

export const volumeRestrictions: Plugin = {
  name: 'VolumeRestrictions',
  preFilter: (cache, pod) => {
    const exclusive = new Set<string>();
    for (const { claim: name, key, ephemeral } of pod.claims) {
      if (ephemeral) continue;
      const claim = cache.claim(key);
      if (claim === undefined) {
        if (cache.cluster.lacks('PersistentVolumeClaim', pod.namespace)) {
          return { is: 'unknown', status: unknown('VolumeRestrictions', ['PersistentVolumeClaim']) };
        }
        const facts = { is: 'claimMissing', claim: key } as const;
        const reason = `persistentvolumeclaim "${name}" not found`;
        return {
          is: 'rejected',
          status: reject('VolumeRestrictions', 'UnschedulableAndUnresolvable', reason, facts),
        };
      }
      if (claim.spec.accessModes?.includes('ReadWriteOncePod')) exclusive.add(name);
    }
    const inUse = [...exclusive].filter((name) => cache.isClaimUsedByPods(`${pod.namespace}/${name}`));
    const mayMissUsers = exclusive.size > inUse.length && cache.cluster.lacks('Pod', pod.namespace);
    if (!hasDisk(pod.pod) && inUse.length === 0) {
      if (!mayMissUsers) return skip;
      return { is: 'ready', filter: () => unknown('VolumeRestrictions', ['Pod']) };
    }
    return ready(cache, pod, { exclusive, inUse, conflicts: inUse.length, mayMissUsers });
  },
};

interface State {
  /** Claims of the pod, by name, that only one pod may use. */
  readonly exclusive: ReadonlySet<string>;
  /** Those that a pod uses already. */
  readonly inUse: readonly string[];
  readonly conflicts: number;
  readonly mayMissUsers: boolean;
}

function ready(cache: SchedulerCache, pod: PodInfo, state: State): PreFiltered {
  const { readWriteOncePodPreemption, wording } = cache.cluster.features;
  const claims = state.inUse.map((name) => `${pod.namespace}/${name}`);
  const code = readWriteOncePodPreemption ? 'Unschedulable' : 'UnschedulableAndUnresolvable';
  const facts = { is: 'claimInUse', claims } as const;
  const inUse = reject('VolumeRestrictions', code, wording.readWriteOncePodConflict, facts);
  const mayMissDisks = hasDisk(pod.pod) && cache.cluster.lacks('Pod');
  return {
    is: 'ready',
    filter: (node) => {
      const rejection = diskInUse(pod.pod, node) ?? (state.conflicts > 0 ? partial(inUse, mayMissDisks) : undefined);
      if (rejection !== undefined) return rejection;
      return mayMissDisks || state.mayMissUsers ? unknown('VolumeRestrictions', ['Pod']) : undefined;
    },
    withPod: (added) => {
      // Upstream compares names only here, not namespaces.
      const used = (added.pod.spec.volumes ?? [])
        .map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? '')
        .filter((name) => state.exclusive.has(name));
      const more = [...new Set([...state.inUse, ...used])];
      return ready(cache, pod, { ...state, inUse: more, conflicts: state.conflicts + used.length });
    },
  };
}

function diskInUse(pod: Pod, node: NodeInfo): Rejection | undefined {
  for (const volume of pod.spec.volumes ?? []) {
    if (!isDisk(volume)) continue;
    const user = node.pods.find((other) =>
      other.pod.spec.volumes?.some((existing) => isVolumeConflict(volume, existing)),
    );
    if (user === undefined) continue;
    const facts = { is: 'diskInUse', volume: volume.name, pod: user.key } as const;
    return reject('VolumeRestrictions', 'Unschedulable', diskConflict, facts);
  }
  return undefined;
}

const isDisk = (volume: PodVolume): boolean =>
  (volume.gcePersistentDisk ?? volume.awsElasticBlockStore ?? volume.rbd ?? volume.iscsi) !== undefined;

const hasDisk = (pod: Pod): boolean => (pod.spec.volumes ?? []).some(isDisk);

/** Whether two pods may not have both volumes on one node. Elastic block stores are never shared, the others if both only read. */
function isVolumeConflict(a: PodVolume, b: PodVolume): boolean {
  const bothRead = (one: { readonly readOnly?: boolean }, other: { readonly readOnly?: boolean }): boolean =>
    one.readOnly === true && other.readOnly === true;
  if (a.gcePersistentDisk && b.gcePersistentDisk) {
    const isSame = (a.gcePersistentDisk.pdName ?? '') === (b.gcePersistentDisk.pdName ?? '');
    if (isSame && !bothRead(a.gcePersistentDisk, b.gcePersistentDisk)) return true;
  }
  if (a.awsElasticBlockStore && b.awsElasticBlockStore) {
    if ((a.awsElasticBlockStore.volumeID ?? '') === (b.awsElasticBlockStore.volumeID ?? '')) return true;
  }
  if (a.iscsi && b.iscsi) {
    if ((a.iscsi.iqn ?? '') === (b.iscsi.iqn ?? '') && !bothRead(a.iscsi, b.iscsi)) return true;
  }
  if (a.rbd && b.rbd) {
    const { monitors = [], pool = 'rbd', image = '' } = b.rbd;
    const isSame =
      (a.rbd.monitors ?? []).some((monitor) => monitors.includes(monitor)) &&
      (a.rbd.pool ?? 'rbd') === pool &&
      (a.rbd.image ?? '') === image;
    if (isSame && !bothRead(a.rbd, b.rbd)) return true;
  }
  return false;
}

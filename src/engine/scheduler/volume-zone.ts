import type { PersistentVolume } from '../../api/objects.ts';
import { claimClass } from '../../api/storage-class.ts';
import type { PluginFacts } from './facts.ts';
import { type Plugin, type PreFiltered, reject, skip, unknown } from './framework.ts';
import type { PodInfo } from './pod-info.ts';
import type { SchedulerCache } from './scheduler-cache.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/volumezone (1.37); specification scheduler-and-provisioning 2.3.

/** The zone and region labels, each with its name of today. */
const topologyLabels: readonly (readonly [key: string, today: string])[] = [
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['topology.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['topology.kubernetes.io/region', 'topology.kubernetes.io/region'],
];

/** A label of a volume that the node must agree with. */
interface Topology {
  readonly volume: string;
  readonly key: string;
  readonly today: string;
  readonly allowed: readonly string[];
}

export const volumeZone: Plugin = {
  name: 'VolumeZone',
  preFilter: (cache, pod) => {
    const topologies = getPVbyPod(cache, pod);
    if (!Array.isArray(topologies)) return topologies;
    if (topologies.length === 0) return skip;
    const { zoneLabelFallback } = cache.cluster.features;
    return {
      is: 'ready',
      filter: ({ labels }) => {
        if (!topologyLabels.some(([key]) => labels[key] !== undefined)) return undefined;
        for (const { volume, key, today, allowed } of topologies) {
          const value = labels[key] ?? (zoneLabelFallback ? labels[today] : undefined);
          if (value !== undefined && allowed.includes(value)) continue;
          const facts = { is: 'otherZone', volume, key, allowed, ...(value === undefined ? {} : { value }) } as const;
          return reject('VolumeZone', 'UnschedulableAndUnresolvable', 'node(s) had no available volume zone', facts);
        }
        return undefined;
      },
    };
  },
};

function getPVbyPod({ cluster }: SchedulerCache, pod: PodInfo): Topology[] | PreFiltered {
  const topologies: Topology[] = [];
  for (const { claim: name, key, ephemeral } of pod.claims) {
    if (ephemeral) continue;
    if (name === '') return no('PersistentVolumeClaim had no name', { is: 'claimUnnamed' });
    const claim = cluster.claim(key);
    if (claim === undefined) {
      if (cluster.lacks('PersistentVolumeClaim', pod.namespace)) return lacking('PersistentVolumeClaim');
      return no(`persistentvolumeclaim "${name}" not found`, { is: 'claimMissing', claim: key });
    }
    const { volumeName = '' } = claim.spec;
    if (volumeName === '') {
      const className = claimClass(claim);
      const unbound = { is: 'claimUnbound', claim: key } as const;
      if (className === '') return no('PersistentVolumeClaim had no pv name and storageClass name', unbound);
      const storageClass = cluster.storageClass(className);
      if (storageClass === undefined) {
        if (cluster.lacks('StorageClass')) return lacking('StorageClass');
        const facts = { is: 'classMissing', claim: key, className } as const;
        return no(`storageclass.storage.k8s.io "${className}" not found`, facts);
      }
      if (storageClass.volumeBindingMode === undefined) {
        return no(`VolumeBindingMode not set for StorageClass "${className}"`, unbound);
      }
      if (storageClass.volumeBindingMode === 'WaitForFirstConsumer') continue;
      return no('PersistentVolume had no name', unbound);
    }
    const volume = cluster.volume(volumeName);
    if (volume === undefined) {
      if (cluster.lacks('PersistentVolume')) return lacking('PersistentVolume');
      const facts = { is: 'volumeMissing', claim: key, volume: volumeName } as const;
      return no(`persistentvolume "${volumeName}" not found`, facts);
    }
    topologies.push(...getPVTopologies(volume));
  }
  return topologies;
}

const no = (reason: string, facts: PluginFacts['VolumeZone']): PreFiltered => ({
  is: 'rejected',
  status: reject('VolumeZone', 'UnschedulableAndUnresolvable', reason, facts),
});

const lacking = (kind: 'PersistentVolumeClaim' | 'StorageClass' | 'PersistentVolume'): PreFiltered => ({
  is: 'unknown',
  status: unknown('VolumeZone', [kind]),
});

/** A label's zones are joined by "__"; with an empty one among them the label says nothing. */
function getPVTopologies({ metadata }: PersistentVolume): readonly Topology[] {
  const found: Topology[] = [];
  for (const [key, today] of topologyLabels) {
    const value = metadata.labels?.[key];
    if (value === undefined) continue;
    const allowed = value.split('__').map((zone) => zone.trim());
    if (allowed.every((zone) => zone !== '')) found.push({ volume: metadata.name, key, today, allowed });
  }
  return found;
}

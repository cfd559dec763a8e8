import { describe, expect, it } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../../src/api/objects.ts';
import { schedulePod } from '../../../src/engine/scheduler/schedule-pod.ts';
import { SchedulerCache } from '../../../src/engine/scheduler/scheduler-cache.ts';
import {
  boundTo,
  clusterOf,
  newClaim,
  newClass,
  newNode,
  newPod,
  newVolume,
  uses,
} from '../../conformance/scheduler/cluster.ts';

const driver = 'disks.example.com';
const csiVolume = (name: string, by: string): PersistentVolume => {
  const volume = newVolume(name, 'cloud', '1Gi');
  return { ...volume, spec: { ...volume.spec, csi: { driver: by, volumeHandle: name } } };
};

/** A node with room for one volume of the driver, whose only pod uses the claim "films", and a pod that wants one more. */
function startedWith(films: PersistentVolumeClaim, volumes: readonly PersistentVolume[] = []) {
  const claims = new Map(
    [films, boundTo(newClaim('series', 'cloud', '1Gi'), 'pv-series')].map((one) => [one.metadata.name, one]),
  );
  const stored = new Map([csiVolume('pv-series', driver), ...volumes].map((one) => [one.metadata.name, one]));
  const cluster = {
    ...clusterOf({
      nodes: [newNode('north')],
      pods: [newPod('player', [uses('films')], { nodeName: 'north' })],
      classes: [newClass('cloud', driver)],
      csiNodes: [
        {
          kind: 'CSINode',
          metadata: { name: 'north' },
          spec: { drivers: [{ name: driver, allocatable: { count: 1 } }] },
        },
      ],
    }),
    claim: (key: string) => claims.get(key.slice('default/'.length)),
    volume: (name: string) => stored.get(name),
    volumes: () => stored.values(),
  };
  return { cache: new SchedulerCache(cluster), claims, stored };
}

const verdict = (cache: SchedulerCache, pod: Pod) => schedulePod(cache, pod).nodes[0]?.verdict;
const recorder = newPod('recorder', [uses('series')]);

describe('what is attached to a node is counted anew', () => {
  it('when a claim turns out to be served by another driver', () => {
    const pending = newClaim('films', 'cloud', '1Gi');
    const { cache, claims, stored } = startedWith(pending);
    expect(verdict(cache, recorder)).toBe('rejected');
    stored.set('pv-films', csiVolume('pv-films', 'tapes.example.com'));
    cache.volumeChanged('pv-films', stored.get('pv-films'));
    claims.set('films', boundTo(pending, 'pv-films'));
    cache.claimChanged('default/films');
    expect(verdict(cache, recorder)).toBe('fits');
  });

  it('when a volume is gone, and its class speaks for it', () => {
    const { cache, stored } = startedWith(boundTo(newClaim('films', 'cloud', '1Gi'), 'pv-films'), [
      csiVolume('pv-films', 'tapes.example.com'),
    ]);
    expect(verdict(cache, recorder)).toBe('fits');
    stored.delete('pv-films');
    cache.volumeChanged('pv-films', undefined);
    expect(verdict(cache, recorder)).toBe('rejected');
  });

  it('when a pod arrives', () => {
    const { cache, claims } = startedWith(newClaim('films', '', '1Gi'));
    claims.set('news', newClaim('news', 'cloud', '1Gi'));
    expect(verdict(cache, recorder)).toBe('fits');
    cache.assignPod(newPod('announcer', [uses('news')]), 'north');
    expect(verdict(cache, recorder)).toBe('rejected');
  });
});

describe('a pod that waited for room', () => {
  const wants = (name: string): Pod => ({
    ...newPod(name, [], { containers: [{ resources: { requests: { cpu: '3' } } }] }),
    status: { nominatedNodeName: 'north' },
  });

  it('does so no longer once it has a node', () => {
    const first = wants('first');
    const cache = new SchedulerCache(clusterOf({ nodes: [newNode('north'), newNode('south')], pods: [first] }));
    expect(schedulePod(cache, wants('second')).feasible).toEqual(['south']);
    cache.assignPod(first, 'south');
    expect(schedulePod(cache, wants('second')).feasible).toEqual(['north']);
  });
});

describe('volumes that change', () => {
  const claim = newClaim('films', 'local', '1Gi');
  const objects = {
    nodes: [newNode('north')],
    claims: [claim],
    classes: [newClass('local', 'kubernetes.io/no-provisioner')],
  };
  const player = newPod('player', [uses('films')]);

  it('are found in the class that they have now', () => {
    const volume = newVolume('pv', 'archive', '2Gi');
    const cache = new SchedulerCache(clusterOf({ ...objects, volumes: [volume] }));
    expect(schedulePod(cache, player).feasible).toEqual([]);
    cache.volumeChanged('pv', newVolume('pv', 'local', '2Gi'));
    expect(schedulePod(cache, player).feasible).toEqual(['north']);
    cache.volumeChanged('pv', { ...volume, status: { phase: 'Released' } });
    expect(schedulePod(cache, player).feasible).toEqual([]);
  });
});

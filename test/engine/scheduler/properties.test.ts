import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { featuresFor } from '../../../src/api/features.ts';
import type { SchedulerCluster } from '../../../src/engine/scheduler/cluster.ts';
import { type PodDecision, schedulePod } from '../../../src/engine/scheduler/schedule-pod.ts';
import { SchedulerCache } from '../../../src/engine/scheduler/scheduler-cache.ts';
import type { Kind } from '../../../src/snapshot/kinds.ts';
import { decode, type RawObject, type Request } from '../../conformance/protocol.ts';
import { clusterOfObjects, pendingPods } from '../../conformance/schedule-answer.ts';

// Invariants, held over the clusters of the recorded requests.

const features = featuresFor('1.37');
const recorded = new URL('../../conformance/golden/schedule.requests.ndjson.gz', import.meta.url);
const clusters = gunzipSync(readFileSync(recorded))
  .toString('utf8')
  .split('\n')
  .filter((line) => line !== '')
  .slice(0, 200)
  .map((line) => decode((JSON.parse(line) as Request).objects ?? []));

const schedule = (cluster: SchedulerCluster, objects: readonly RawObject[]): readonly PodDecision[] => {
  const cache = new SchedulerCache(cluster);
  return pendingPods(objects).map((pod) => schedulePod(cache, pod));
};

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}

describe('over recorded clusters', () => {
  it('objects are left alone, and the same objects give the same decisions', () => {
    for (const objects of clusters) {
      frozen(objects);
      const [first, second] = [0, 1].map(() => schedule(clusterOfObjects(objects, features), objects));
      expect(second).toEqual(first);
    }
  });

  it('the plugin that decides is the first of those that fail', () => {
    for (const objects of clusters) {
      for (const { nodes, preFilter, rejections } of schedule(clusterOfObjects(objects, features), objects)) {
        expect(preFilter).toBe(rejections[0]);
        for (const { verdict, status, failing } of nodes) {
          expect(status).toBe(failing[0]);
          expect(verdict === 'fits').toBe(failing.length === 0);
        }
      }
    }
  });

  const kinds: readonly Kind[] = [
    'PersistentVolume',
    'PersistentVolumeClaim',
    'StorageClass',
    'CSINode',
    'CSIDriver',
    'CSIStorageCapacity',
  ];
  it.each(kinds)('without any %s to see, nothing is claimed that is not so', (kind) => {
    for (const objects of clusters) {
      const known = schedule(clusterOfObjects(objects, features), objects);
      const seen = objects.filter((object) => object.kind !== kind);
      const cluster = { ...clusterOfObjects(seen, features), lacks: (other: Kind) => other === kind };
      for (const [i, guess] of schedule(cluster, objects).entries()) {
        const truth = known[i];
        if (guess.preFilter !== undefined) expect(truth?.preFilter).toBeDefined();
        for (const node of guess.feasible) expect(truth?.feasible).toContain(node);
        if (guess.message !== undefined) expect(guess.message).toBe(truth?.message);
        for (const { node, verdict } of guess.nodes)
          if (verdict === 'rejected') expect(truth?.feasible).not.toContain(node);
      }
    }
  });

  it('without the running pods to see, nothing is claimed that is not so', () => {
    for (const objects of clusters) {
      const known = schedule(clusterOfObjects(objects, features), objects);
      const pending = new Set<unknown>(pendingPods(objects));
      const seen = objects.filter((object) => object.kind !== 'Pod' || pending.has(object));
      const cluster = { ...clusterOfObjects(seen, features), lacks: (other: Kind) => other === 'Pod' };
      for (const [i, guess] of schedule(cluster, objects).entries()) {
        expect(guess.feasible).toEqual([]);
        if (guess.message !== undefined) expect(guess.message).toBe(known[i]?.message);
        for (const { node, verdict } of guess.nodes) {
          if (verdict === 'rejected') expect(known[i]?.feasible).not.toContain(node);
        }
      }
    }
  });

  it('a pod that is assigned later counts like one that was there from the start', () => {
    for (const objects of clusters) {
      const [first, ...others] = pendingPods(objects);
      const cluster = clusterOfObjects(objects, features);
      const node = cluster.nodes[0]?.metadata.name;
      if (first === undefined || others.length === 0 || node === undefined) continue;
      const grown = new SchedulerCache(cluster);
      for (const pod of others) schedulePod(grown, pod);
      grown.assignPod(first, node);
      const assigned = { ...first, spec: { ...first.spec, nodeName: node } };
      const pods = cluster.pods.map((pod) => (pod === first ? assigned : pod));
      const rebuilt = new SchedulerCache({ ...cluster, pods });
      for (const pod of others) expect(schedulePod(grown, pod)).toEqual(schedulePod(rebuilt, pod));
    }
  });
});

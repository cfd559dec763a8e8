import { describe, expect, it } from 'vitest';
import type { PodVolume } from '../../../src/api/objects.ts';
import { volumeRestrictions } from '../../../src/engine/scheduler/volume-restrictions.ts';
import { cacheOf, newClaim, newNode, newPod, runPlugin, uses } from './cluster.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions_test.go (1.37); specification
// scheduler-and-provisioning 10.11.
// Not ported: the queueing hints, and TestVolumeRestrictions_DeferredResizeSkipped, whose gate is off in every release.

const onNode = (name: string, volumes: readonly PodVolume[]) => newPod(name, volumes, { nodeName: 'node-1' });

const disks: readonly { readonly test: string; readonly one: PodVolume; readonly other: PodVolume }[] = [
  {
    test: 'TestGCEDiskConflicts',
    one: { name: 'disk', gcePersistentDisk: { pdName: 'films' } },
    other: { name: 'disk', gcePersistentDisk: { pdName: 'series' } },
  },
  {
    test: 'TestAWSDiskConflicts',
    one: { name: 'disk', awsElasticBlockStore: { volumeID: 'films' } },
    other: { name: 'disk', awsElasticBlockStore: { volumeID: 'series' } },
  },
  {
    test: 'TestRBDDiskConflicts',
    one: { name: 'disk', rbd: { monitors: ['a', 'b'], pool: 'films', image: 'bar' } },
    other: { name: 'disk', rbd: { monitors: ['c', 'd'], pool: 'films', image: 'bar' } },
  },
  {
    test: 'TestISCSIDiskConflicts',
    one: { name: 'disk', iscsi: { targetPortal: '127.0.0.1', iqn: 'iqn.2016-12.server:storage.target01', lun: 0 } },
    other: { name: 'disk', iscsi: { targetPortal: '127.0.0.1', iqn: 'iqn.2017-12.server:storage.target01', lun: 0 } },
  },
];

describe.each(disks)('$test', ({ one, other }) => {
  it.each([
    { name: 'nothing', volumes: [], existing: [], preFilter: 'skip', conflicts: false },
    { name: 'one state', volumes: [], existing: [one], preFilter: 'skip', conflicts: false },
    { name: 'same state', volumes: [one], existing: [one], preFilter: 'ready', conflicts: true },
    { name: 'different state', volumes: [other], existing: [one], preFilter: 'ready', conflicts: false },
    {
      name: "pod with a volume that doesn't have restrictions",
      volumes: [{ name: 'scratch' }],
      existing: [],
      preFilter: 'skip',
      conflicts: false,
    },
  ])('$name', ({ volumes, existing, preFilter, conflicts }) => {
    const cache = cacheOf({
      nodes: [newNode('node-1')],
      pods: existing.length > 0 ? [onNode('existing', existing)] : [],
    });
    const result = runPlugin(volumeRestrictions, cache, newPod('pod', volumes));
    expect(result.preFilter.is).toBe(preFilter);
    if (!conflicts) expect(result.filter).toBeUndefined();
    else expect(result.filter).toMatchObject({ code: 'Unschedulable', reasons: ['node(s) had no available disk'] });
  });
});

describe('TestAccessModeConflicts', () => {
  const exclusive = (name: string) => newClaim(name, '', '1Gi', { accessModes: ['ReadWriteOncePod'] });
  const shared = newClaim('claim-with-rwx', '', '1Gi', { accessModes: ['ReadWriteMany'] });
  const withRWX = onNode('pod-with-rwx', [uses('claim-with-rwx')]);
  const first = [uses('claim-with-rwop-1')];
  const both = [uses('claim-with-rwop-1'), uses('claim-with-rwop-2')];
  const conflict =
    'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod';

  it.each([
    { name: 'nothing', volumes: [], pods: [], claims: [], preFilter: 'skip' },
    {
      name: 'failed to get PVC',
      volumes: first,
      pods: [],
      claims: [],
      preFilter: 'rejected',
      reason: 'persistentvolumeclaim "claim-with-rwop-1" not found',
    },
    {
      name: 'no access mode conflict',
      volumes: first,
      pods: [withRWX],
      claims: [exclusive('claim-with-rwop-1'), shared],
      preFilter: 'skip',
    },
    {
      name: 'access mode conflict, unschedulable',
      volumes: first,
      pods: [onNode('pod-with-one-pvc', first), withRWX],
      claims: [exclusive('claim-with-rwop-1'), shared],
      preFilter: 'ready',
      reason: conflict,
    },
    {
      name: 'two conflicts, unschedulable',
      volumes: both,
      pods: [onNode('pod-with-two-pvcs', both), withRWX],
      claims: [exclusive('claim-with-rwop-1'), exclusive('claim-with-rwop-2'), shared],
      preFilter: 'ready',
      reason: conflict,
    },
  ])('$name', ({ volumes, pods, claims, preFilter, reason }) => {
    const cache = cacheOf({ nodes: [newNode('node-1')], pods, claims });
    const result = runPlugin(volumeRestrictions, cache, newPod('pod', volumes));
    expect(result.preFilter.is).toBe(preFilter);
    if (preFilter === 'ready') expect(result.filter).toMatchObject({ code: 'Unschedulable', reasons: [reason] });
    else expect(result.filter).toBeUndefined();
    if (preFilter === 'rejected') {
      expect(result.preFilter).toMatchObject({ status: { code: 'UnschedulableAndUnresolvable', reasons: [reason] } });
    }
  });
});

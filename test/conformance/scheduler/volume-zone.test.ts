import { describe, expect, it } from 'vitest';
import type { Labels, PersistentVolume, PersistentVolumeClaim } from '../../../src/api/objects.ts';
import { volumeZone } from '../../../src/engine/scheduler/volume-zone.ts';
import { cacheOf, newClass, newNode, newPod, runPlugin, uses } from './cluster.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/volumezone/volume_zone_test.go (1.37); specification
// scheduler-and-provisioning 10.11.
// Not ported: the queueing hints, the benchmark, and TestVolumeZone_DeferredResizeSkipped, whose gate is off in every release.

const betaZone = 'failure-domain.beta.kubernetes.io/zone';
const betaRegion = 'failure-domain.beta.kubernetes.io/region';
const zone = 'topology.kubernetes.io/zone';
const region = 'topology.kubernetes.io/region';
const conflict = 'node(s) had no available volume zone';

const volume = (name: string, labels: Labels): PersistentVolume => ({
  kind: 'PersistentVolume',
  metadata: { name, labels },
  spec: {},
});

const claim = (name: string, spec: PersistentVolumeClaim['spec']): PersistentVolumeClaim => ({
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'default' },
  spec,
});

interface Row {
  readonly name: string;
  /** Labels of the volume that the pod's claim is bound to. */
  readonly volume: Labels;
  readonly node: Labels;
  readonly matches: boolean;
}

function filterOf({ volume: labels, node }: Row) {
  const cache = cacheOf({
    nodes: [newNode('host1', node)],
    claims: [claim('PVC_1', { volumeName: 'Vol_1' })],
    volumes: [volume('Vol_1', labels)],
  });
  return runPlugin(volumeZone, cache, newPod('pod_1', [uses('PVC_1')])).filter;
}

function check(row: Row): void {
  const filter = filterOf(row);
  if (row.matches) expect(filter).toBeUndefined();
  else
    expect(filter).toMatchObject({ code: 'UnschedulableAndUnresolvable', plugin: 'VolumeZone', reasons: [conflict] });
}

describe('TestSingleZone', () => {
  it('pod without volume', () => {
    const cache = cacheOf({ nodes: [newNode('host1', { [betaZone]: 'us-west1-a' })] });
    expect(runPlugin(volumeZone, cache, newPod('pod_1')).preFilter.is).toBe('skip');
  });

  const rows: readonly Row[] = [
    { name: 'node without labels', volume: { [betaZone]: 'us-west1-a' }, node: {}, matches: true },
    {
      name: 'beta zone label matched',
      volume: { [betaZone]: 'us-west1-a' },
      node: { [betaZone]: 'us-west1-a', uselessLabel: 'none' },
      matches: true,
    },
    {
      name: 'beta region label matched',
      volume: { [betaRegion]: 'us-west1', uselessLabel: 'none' },
      node: { [betaRegion]: 'us-west1', uselessLabel: 'none' },
      matches: true,
    },
    {
      name: "beta region label doesn't match",
      volume: { [betaRegion]: 'us-west1', uselessLabel: 'none' },
      node: { [betaRegion]: 'no_us-west1', uselessLabel: 'none' },
      matches: false,
    },
    {
      name: "beta zone label doesn't match",
      volume: { [betaZone]: 'us-west1-a' },
      node: { [betaZone]: 'no_us-west1-a', uselessLabel: 'none' },
      matches: false,
    },
    {
      name: 'zone label matched',
      volume: { [zone]: 'us-west1-a' },
      node: { [zone]: 'us-west1-a', uselessLabel: 'none' },
      matches: true,
    },
    {
      name: 'region label matched',
      volume: { [region]: 'us-west1', uselessLabel: 'none' },
      node: { [region]: 'us-west1', uselessLabel: 'none' },
      matches: true,
    },
    {
      name: "region label doesn't match",
      volume: { [region]: 'us-west1', uselessLabel: 'none' },
      node: { [region]: 'no_us-west1', uselessLabel: 'none' },
      matches: false,
    },
    {
      name: "zone label doesn't match",
      volume: { [zone]: 'us-west1-a' },
      node: { [zone]: 'no_us-west1-a', uselessLabel: 'none' },
      matches: false,
    },
    {
      name: 'pv with zone and region, node with only zone',
      volume: { [zone]: 'us-west1-a', [region]: 'us-west1-a' },
      node: { [zone]: 'us-west1-a' },
      matches: false,
    },
    {
      name: 'pv with zone,node with beta zone',
      volume: { [zone]: 'us-west1-a' },
      node: { [betaZone]: 'us-west1-a' },
      matches: false,
    },
    {
      name: 'pv with beta label,node with ga label, matched',
      volume: { [betaZone]: 'us-west1-a' },
      node: { [zone]: 'us-west1-a' },
      matches: true,
    },
    {
      name: "pv with beta label,node with ga label, don't match",
      volume: { [betaZone]: 'us-west1-a' },
      node: { [zone]: 'us-west1-b' },
      matches: false,
    },
  ];
  it.each(rows)('$name', check);
});

describe('TestMultiZone', () => {
  const rows: readonly Row[] = [
    { name: 'node without labels', volume: { [betaZone]: 'us-west1-c__us-west1-a' }, node: {}, matches: true },
    {
      name: 'beta zone label matched',
      volume: { [betaZone]: 'us-west1-c__us-west1-a' },
      node: { [betaZone]: 'us-west1-a', uselessLabel: 'none' },
      matches: true,
    },
    {
      name: "beta zone label doesn't match",
      volume: { [betaZone]: 'us-west1-a' },
      node: { [betaZone]: 'us-west1-b', uselessLabel: 'none' },
      matches: false,
    },
    {
      name: 'zone label matched',
      volume: { [zone]: 'us-west1-c__us-west1-a' },
      node: { [zone]: 'us-west1-a', uselessLabel: 'none' },
      matches: true,
    },
    {
      name: "zone label doesn't match",
      volume: { [zone]: 'us-west1-a' },
      node: { [zone]: 'us-west1-b', uselessLabel: 'none' },
      matches: false,
    },
  ];
  it.each(rows)('$name', check);
});

describe('TestWithBinding', () => {
  const { volumeBindingMode: _mode, ...withoutMode } = newClass('Class_Immediate', 'example.com/disks');
  const node = newNode('host1', { [betaZone]: 'us-west1-a', uselessLabel: 'none' });

  it.each([
    { name: 'label zone failure domain matched', spec: { volumeName: 'Vol_1' }, expected: undefined },
    {
      name: 'unbound volume empty storage class',
      spec: {},
      expected: 'PersistentVolumeClaim had no pv name and storageClass name',
    },
    {
      name: 'unbound volume no storage class',
      spec: { storageClassName: 'Class_0' },
      expected: 'storageclass.storage.k8s.io "Class_0" not found',
    },
    {
      name: 'unbound volume immediate binding mode',
      spec: { storageClassName: 'Class_Immediate' },
      expected: 'VolumeBindingMode not set for StorageClass "Class_Immediate"',
    },
    { name: 'unbound volume wait binding mode', spec: { storageClassName: 'Class_Wait' }, expected: 'skip' },
  ])('$name', ({ spec, expected }) => {
    const cache = cacheOf({
      nodes: [node],
      classes: [withoutMode, newClass('Class_Wait', 'example.com/disks')],
      claims: [claim('PVC_1', spec)],
      volumes: [volume('Vol_1', { [betaZone]: 'us-west1-a' })],
    });
    const { preFilter, filter } = runPlugin(volumeZone, cache, newPod('pod_1', [uses('PVC_1')]));
    expect(filter).toBeUndefined();
    if (expected === undefined) expect(preFilter.is).toBe('ready');
    else if (expected === 'skip') expect(preFilter.is).toBe('skip');
    else {
      const status = { code: 'UnschedulableAndUnresolvable', plugin: 'VolumeZone', reasons: [expected] };
      expect(preFilter).toMatchObject({ is: 'rejected', status });
    }
  });
});

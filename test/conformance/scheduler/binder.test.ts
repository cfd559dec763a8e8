import { describe, expect, it } from 'vitest';
import { AnnBoundByController, AnnSelectedNode } from '../../../src/api/annotations.ts';
import type {
  CSIDriver,
  CSIStorageCapacity,
  PersistentVolume,
  PersistentVolumeClaim,
} from '../../../src/api/objects.ts';
import { chooseFirstVolume } from '../../../src/engine/scheduler/choice.ts';
import type { ClaimOnNode } from '../../../src/engine/scheduler/facts.ts';
import { assumePodVolumes } from '../../../src/engine/scheduler/volume-binding/assume-pod-volumes.ts';
import { arePodVolumesBound } from '../../../src/engine/scheduler/volume-binding/pod-volume-claims.ts';
import { volumeBinding } from '../../../src/engine/scheduler/volume-binding/volume-binding.ts';
import {
  boundTo,
  cacheOf,
  clusterOf,
  labelIn,
  newClaim,
  newClass,
  newNode,
  newPod,
  newVolume,
  type Objects,
  reservedFor,
  runPlugin,
  uses,
  withAnnotation,
} from './cluster.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/volumebinding/binder_test.go (1.37); specification
// scheduler-and-provisioning 10.2 to 10.6.
// Not ported: "tmpupdate-failed" and "one-binding, one-provision-tmpupdate-failed" of TestAssumePodVolumes, TestRevertAssumedPodVolumes
// and TestFindAssumeVolumes, which are about versions in the assume cache: a dry run has none. TestBindAPIUpdate, TestCheckBindings and
// TestBindPodVolumes (10.7 to 10.9) and passive_assume_cache_test.go (10.10) are about writes and waiting after the decision.

const nodeConflict = "node(s) didn't match PersistentVolume's node affinity";
const bindConflict = "node(s) didn't find available persistent volumes to bind";
const notEnoughSpace = 'node(s) did not have enough free storage';
const pvNotExist = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

const provisioner = 'disks.example.com';
const classes = [
  newClass('waitClass', 'kubernetes.io/no-provisioner'),
  newClass('immediateClass', provisioner, { volumeBindingMode: 'Immediate' }),
  newClass('waitClassWithProvisioner', provisioner),
  newClass('topoMismatchClass', provisioner, {
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'nodeKey', values: ['node2'] }] }],
  }),
];
const node1 = newNode('node1', { nodeKey: 'node1' });

const unboundPVC = newClaim('unbound-pvc', 'waitClass', '1G');
const unboundPVC2 = newClaim('unbound-pvc2', 'waitClass', '5G');
const preboundPVC = newClaim('prebound-pvc', 'waitClass', '1G', { volumeName: 'pv-node1a' });
const boundPVC = boundTo(newClaim('bound-pvc', 'waitClass', '1G'), 'pv-bound');
const immediateUnboundPVC = newClaim('immediate-unbound-pvc', 'immediateClass', '1G');
const immediateBoundPVC = boundTo(newClaim('immediate-bound-pvc', 'immediateClass', '1G'), 'pv-bound-immediate');
const provisionedPVC = newClaim('provisioned-pvc', 'waitClassWithProvisioner', '1Gi');
const selectedNodePVC = withAnnotation(provisionedPVC, AnnSelectedNode, 'node1');
const noProvisionerPVC = newClaim('no-provisioner-pvc', 'waitClass', '1Gi');
const topoMismatchPVC = newClaim('topo-mismatch-pvc', 'topoMismatchClass', '1Gi');

const pvNode1a = newVolume('pv-node1a', 'waitClass', '5G', labelIn('nodeKey', 'node1'));
const pvNode1b = newVolume('pv-node1b', 'waitClass', '10G', labelIn('nodeKey', 'node1'));
const pvNode2 = newVolume('pv-node2', 'waitClass', '1G', labelIn('nodeKey', 'node2'));
const pvBound = reservedFor(newVolume('pv-bound', 'waitClass', '1G', labelIn('nodeKey', 'node1')), boundPVC);
const pvNode1aBound = reservedFor(pvNode1a, unboundPVC);
const pvBoundImmediate = (node: string): PersistentVolume =>
  reservedFor(newVolume('pv-bound-immediate', 'immediateClass', '1G', labelIn('nodeKey', node)), immediateBoundPVC);

interface Scenario {
  readonly name: string;
  readonly podPVCs: readonly PersistentVolumeClaim[];
  /** The claims that exist, if they are not those of the pod. */
  readonly cachePVCs?: readonly PersistentVolumeClaim[];
  readonly pvs?: readonly PersistentVolume[];
  readonly bindings?: Readonly<Record<string, string>>;
  readonly provisions?: readonly string[];
  readonly reasons?: readonly string[];
  /** The pod is refused before any node is looked at. */
  readonly shouldFail?: true;
  /** It needs room where the driver tells how much there is. */
  readonly needsCapacity?: true;
}

const csiDriver = (storageCapacity: boolean): CSIDriver => ({
  kind: 'CSIDriver',
  metadata: { name: provisioner },
  spec: { storageCapacity },
});

function findPodVolumes(scenario: Scenario, objects: Objects) {
  const claims = scenario.cachePVCs ?? scenario.podPVCs;
  const cache = cacheOf({ nodes: [node1], classes, claims, volumes: scenario.pvs ?? [], ...objects });
  const plugin = volumeBinding(chooseFirstVolume);
  const pod = newPod('test-pod', [...scenario.podPVCs.map(({ metadata }) => uses(metadata.name))]);
  const { preFilter, filter } = runPlugin(plugin, cache, pod);
  const found = plugin.podVolumes.get(0)?.claims ?? [];
  return { preFilter, reasons: filter?.reasons ?? [], ...decisionsOf(found) };
}

function decisionsOf(claims: readonly ClaimOnNode[]) {
  const name = (key: string) => key.slice('default/'.length);
  return {
    bindings: Object.fromEntries(claims.flatMap((one) => (one.is === 'static' ? [[name(one.claim), one.volume]] : []))),
    provisions: claims.filter(({ is }) => is === 'provision').map(({ claim }) => name(claim)),
  };
}

function check(scenario: Scenario, objects: Objects, expected: Pick<Scenario, 'provisions' | 'reasons'>): void {
  const { preFilter, reasons, bindings, provisions } = findPodVolumes(scenario, objects);
  expect(preFilter.is === 'rejected').toBe(scenario.shouldFail ?? false);
  expect(reasons).toEqual(expected.reasons ?? []);
  expect(bindings).toEqual(scenario.bindings ?? {});
  expect(provisions).toEqual(expected.provisions ?? []);
}

describe('TestFindPodVolumesWithoutProvisioning', () => {
  const scenarios: readonly Scenario[] = [
    { name: 'no-volumes', podPVCs: [] },
    { name: 'pvc-not-found', podPVCs: [boundPVC], cachePVCs: [], shouldFail: true },
    { name: 'bound-pvc', podPVCs: [boundPVC], pvs: [pvBound] },
    { name: 'bound-pvc,pv-not-exists', podPVCs: [boundPVC], reasons: [pvNotExist] },
    { name: 'prebound-pvc', podPVCs: [preboundPVC], pvs: [pvNode1aBound], shouldFail: true },
    {
      name: 'unbound-pvc,pv-same-node',
      podPVCs: [unboundPVC],
      pvs: [pvNode2, pvNode1a, pvNode1b],
      bindings: { 'unbound-pvc': 'pv-node1a' },
    },
    { name: 'unbound-pvc,pv-different-node', podPVCs: [unboundPVC], pvs: [pvNode2], reasons: [bindConflict] },
    {
      name: 'two-unbound-pvcs',
      podPVCs: [unboundPVC, unboundPVC2],
      pvs: [pvNode1a, pvNode1b],
      bindings: { 'unbound-pvc': 'pv-node1a', 'unbound-pvc2': 'pv-node1b' },
    },
    {
      name: 'two-unbound-pvcs,order-by-size',
      podPVCs: [unboundPVC2, unboundPVC],
      pvs: [pvNode1a, pvNode1b],
      bindings: { 'unbound-pvc': 'pv-node1a', 'unbound-pvc2': 'pv-node1b' },
    },
    {
      name: 'two-unbound-pvcs,partial-match',
      podPVCs: [unboundPVC, unboundPVC2],
      pvs: [pvNode1a],
      bindings: { 'unbound-pvc': 'pv-node1a' },
      reasons: [bindConflict],
    },
    {
      name: 'one-bound,one-unbound',
      podPVCs: [unboundPVC, boundPVC],
      pvs: [pvBound, pvNode1a],
      bindings: { 'unbound-pvc': 'pv-node1a' },
    },
    {
      name: 'one-bound,one-unbound,no-match',
      podPVCs: [unboundPVC, boundPVC],
      pvs: [pvBound, pvNode2],
      reasons: [bindConflict],
    },
    {
      name: 'one-prebound,one-unbound',
      podPVCs: [unboundPVC, preboundPVC],
      pvs: [pvNode1a, pvNode1b],
      shouldFail: true,
    },
    { name: 'immediate-bound-pvc', podPVCs: [immediateBoundPVC], pvs: [pvBoundImmediate('node1')] },
    {
      name: 'immediate-bound-pvc-wrong-node',
      podPVCs: [immediateBoundPVC],
      pvs: [pvBoundImmediate('node2')],
      reasons: [nodeConflict],
    },
    { name: 'immediate-unbound-pvc', podPVCs: [immediateUnboundPVC], shouldFail: true },
    {
      name: 'immediate-unbound-pvc,delayed-mode-bound',
      podPVCs: [immediateUnboundPVC, boundPVC],
      pvs: [pvBound],
      shouldFail: true,
    },
    {
      name: 'immediate-unbound-pvc,delayed-mode-unbound',
      podPVCs: [immediateUnboundPVC, unboundPVC],
      shouldFail: true,
    },
  ];

  describe.each([
    { drivers: 'no CSIDriver', csiDrivers: [] },
    { drivers: 'CSIDriver with capacity tracking', csiDrivers: [csiDriver(true)] },
    { drivers: 'CSIDriver without capacity tracking', csiDrivers: [csiDriver(false)] },
  ])('$drivers', ({ csiDrivers }) => {
    it.each(scenarios)('$name', (scenario) => check(scenario, { csiDrivers }, scenario));
  });

  const ephemeral = newPod('test-pod', [{ name: 'scratch', ephemeral: {} }]);
  const generic = boundTo(newClaim('test-pod-scratch', 'waitClass', '1G'), 'pv-bound');
  const owned: PersistentVolumeClaim = {
    ...generic,
    metadata: {
      ...generic.metadata,
      ownerReferences: [{ kind: 'Pod', name: 'test-pod', uid: 'pod-test-pod', controller: true }],
    },
  };

  it.each([
    { name: 'no-pvcs', pod: newPod('test-pod', [{ name: 'empty-dir' }]), claims: [], expected: 'skip' },
    { name: 'generic-ephemeral,no-pvc', pod: ephemeral, claims: [], expected: 'rejected' },
    { name: 'generic-ephemeral,with-pvc', pod: ephemeral, claims: [owned], expected: 'ready' },
    { name: 'generic-ephemeral,wrong-pvc', pod: ephemeral, claims: [generic], expected: 'rejected' },
  ])('$name', ({ pod, claims, expected }) => {
    const cache = cacheOf({ nodes: [node1], classes, claims, volumes: [reservedFor(pvBound, generic)] });
    const { preFilter, filter } = runPlugin(volumeBinding(chooseFirstVolume), cache, pod);
    expect(preFilter.is).toBe(expected);
    expect(filter).toBeUndefined();
  });
});

describe('TestFindPodVolumesWithProvisioning', () => {
  const scenarios: readonly Scenario[] = [
    { name: 'one-provisioned', podPVCs: [provisionedPVC], provisions: ['provisioned-pvc'], needsCapacity: true },
    {
      name: 'two-unbound-pvcs,one-matched,one-provisioned',
      podPVCs: [unboundPVC, provisionedPVC],
      pvs: [pvNode1a],
      bindings: { 'unbound-pvc': 'pv-node1a' },
      provisions: ['provisioned-pvc'],
      needsCapacity: true,
    },
    {
      name: 'one-bound,one-provisioned',
      podPVCs: [boundPVC, provisionedPVC],
      pvs: [pvBound],
      provisions: ['provisioned-pvc'],
      needsCapacity: true,
    },
    {
      name: 'one-binding,one-selected-node',
      podPVCs: [boundPVC, selectedNodePVC],
      pvs: [pvBound],
      provisions: ['provisioned-pvc'],
      needsCapacity: true,
    },
    { name: 'immediate-unbound-pvc', podPVCs: [immediateUnboundPVC], shouldFail: true },
    {
      name: 'one-immediate-bound,one-provisioned',
      podPVCs: [immediateBoundPVC, provisionedPVC],
      pvs: [pvBoundImmediate('node1')],
      provisions: ['provisioned-pvc'],
      needsCapacity: true,
    },
    { name: 'invalid-provisioner', podPVCs: [noProvisionerPVC], reasons: [bindConflict] },
    { name: 'volume-topology-unsatisfied', podPVCs: [topoMismatchPVC], reasons: [bindConflict] },
  ];

  describe.each([
    { drivers: 'no CSIDriver', csiDrivers: [], tracked: false },
    { drivers: 'CSIDriver with capacity tracking', csiDrivers: [csiDriver(true)], tracked: true },
    { drivers: 'CSIDriver without capacity tracking', csiDrivers: [csiDriver(false)], tracked: false },
  ])('$drivers', ({ csiDrivers, tracked }) => {
    it.each(scenarios)('$name', (scenario) => {
      const isShort = tracked && scenario.needsCapacity === true;
      check(scenario, { csiDrivers }, isShort ? { reasons: [notEnoughSpace] } : scenario);
    });
  });
});

describe('TestFindPodVolumesWithCSIMigration', () => {
  const boundMigrationPVC = boundTo(newClaim('pvc-migration-bound', 'waitClass', '1G'), 'pv-migration-bound');
  const migrationPVBound = {
    ...reservedFor(newVolume('pv-migration-bound', 'waitClass', '1G'), boundMigrationPVC),
    metadata: {
      name: 'pv-migration-bound',
      labels: {
        'failure-domain.beta.kubernetes.io/zone': 'us-east-1',
        'failure-domain.beta.kubernetes.io/region': 'us-east-1a',
      },
    },
  };
  const volume = { ...migrationPVBound, spec: { ...migrationPVBound.spec, gcePersistentDisk: { pdName: 'ledger' } } };
  const csiNode = (plugins: string) => ({
    kind: 'CSINode',
    metadata: { name: 'node1', annotations: { 'storage.alpha.kubernetes.io/migrated-plugins': plugins } },
  });

  it.each([
    { name: 'pvc-bound', zone: 'us-east-1', csiNodes: [csiNode('kubernetes.io/gce-pd')], reasons: [] },
    { name: 'pvc-bound,csinode-not-migrated', zone: 'us-east-1', csiNodes: [csiNode('')], reasons: [] },
    { name: 'pvc-bound,missing-csinode', zone: 'us-east-1', csiNodes: [], reasons: [] },
    {
      name: 'pvc-bound,node-different-zone',
      zone: 'us-east-2',
      csiNodes: [csiNode('kubernetes.io/gce-pd')],
      reasons: [nodeConflict],
    },
  ])('$name', ({ zone, csiNodes, reasons }) => {
    const nodes = [newNode('node1', { 'topology.gke.io/zone': zone })];
    const scenario = { name: '', podPVCs: [boundMigrationPVC], pvs: [volume] };
    expect(findPodVolumes(scenario, { nodes, csiNodes }).reasons).toEqual(reasons);
  });
});

describe('TestCapacity', () => {
  const capacity = (className: string, node: string | undefined, size: string, maximum = ''): CSIStorageCapacity => ({
    kind: 'CSIStorageCapacity',
    metadata: { name: 'net' },
    storageClassName: className,
    nodeTopology: node === undefined ? {} : { matchLabels: { nodeKey: node } },
    ...(size === '' ? {} : { capacity: size }),
    ...(maximum === '' ? {} : { maximumVolumeSize: maximum }),
  });
  const className = 'waitClassWithProvisioner';
  const networkAttached = capacity(className, undefined, '1Gi');
  const onNode1 = capacity(className, 'node1', '1Gi');
  const onNode2 = capacity(className, 'node2', '1Gi');

  const scenarios = [
    { name: 'network-attached', capacities: [networkAttached], suffices: true },
    { name: 'local-storage', capacities: [onNode1], suffices: true },
    { name: 'multiple', capacities: [networkAttached, onNode2, onNode1], suffices: true },
    { name: 'no-storage', capacities: [], suffices: false },
    { name: 'wrong-node', capacities: [onNode2], suffices: false },
    { name: 'wrong-storage-class', capacities: [capacity('waitClass', 'node1', '1Gi')], suffices: false },
    { name: 'insufficient-storage', capacities: [capacity(className, 'node1', '1Mi')], suffices: false },
    { name: 'insufficient-volume-size', capacities: [capacity(className, 'node1', '1Gi', '1Mi')], suffices: false },
    { name: 'zero-storage', capacities: [capacity(className, 'node1', '0Mi')], suffices: false },
    { name: 'zero-volume-size', capacities: [capacity(className, 'node1', '', '0Mi')], suffices: false },
    { name: 'nil-storage', capacities: [capacity(className, 'node1', '')], suffices: false },
  ];

  it.each(scenarios)('with opt-in: $name', ({ name, capacities, suffices }) => {
    const scenario = { name, podPVCs: [provisionedPVC] };
    const expected = suffices ? { provisions: ['provisioned-pvc'] } : { reasons: [notEnoughSpace] };
    check(scenario, { csiDrivers: [csiDriver(true)], capacities }, expected);
  });

  it.each(scenarios)('without opt-in: $name', ({ name, capacities }) => {
    const scenario = { name, podPVCs: [provisionedPVC] };
    check(scenario, { csiDrivers: [csiDriver(false)], capacities }, { provisions: ['provisioned-pvc'] });
  });
});

describe('TestAssumePodVolumes', () => {
  const binding = (claim: PersistentVolumeClaim, volume: PersistentVolume): ClaimOnNode => ({
    is: 'static',
    claim: `default/${claim.metadata.name}`,
    volume: volume.metadata.name,
    equals: 0,
  });
  const provision = (claim: PersistentVolumeClaim): ClaimOnNode => ({
    is: 'provision',
    claim: `default/${claim.metadata.name}`,
    className: 'waitClassWithProvisioner',
  });

  it.each([
    {
      name: 'one-binding',
      claims: [unboundPVC],
      volumes: [pvNode1a],
      decided: [binding(unboundPVC, pvNode1a)],
      written: [['pv-node1a', 'unbound-pvc']],
      selected: [],
    },
    {
      name: 'two-bindings',
      claims: [unboundPVC, unboundPVC2],
      volumes: [pvNode1a, pvNode1b],
      decided: [binding(unboundPVC, pvNode1a), binding(unboundPVC2, pvNode1b)],
      written: [
        ['pv-node1a', 'unbound-pvc'],
        ['pv-node1b', 'unbound-pvc2'],
      ],
      selected: [],
    },
    {
      name: 'pv-already-bound',
      claims: [unboundPVC],
      volumes: [pvNode1aBound],
      decided: [binding(unboundPVC, pvNode1aBound)],
      written: [],
      selected: [],
    },
    {
      name: 'one-binding, one-pvc-provisioned',
      claims: [unboundPVC, provisionedPVC],
      volumes: [pvNode1a],
      decided: [binding(unboundPVC, pvNode1a), provision(provisionedPVC)],
      written: [['pv-node1a', 'unbound-pvc']],
      selected: ['provisioned-pvc'],
    },
  ])('$name', ({ claims, volumes, decided, written, selected }) => {
    const writes = assumePodVolumes(clusterOf({ claims, volumes }), 'node1', decided);
    expect(writes.volumes.map(({ metadata, spec }) => [metadata.name, spec.claimRef?.name])).toEqual(written);
    for (const { metadata, spec } of writes.volumes) {
      expect(metadata.annotations).toEqual({ [AnnBoundByController]: 'yes' });
      expect(spec.claimRef).toMatchObject({ namespace: 'default', uid: `claim-${spec.claimRef?.name}` });
    }
    expect(writes.claims.map(({ metadata }) => metadata.name)).toEqual(selected);
    for (const { metadata } of writes.claims) expect(metadata.annotations?.[AnnSelectedNode]).toBe('node1');
  });

  it('all-bound', () => {
    const pod = newPod('test-pod', [uses('bound-pvc')]);
    const cluster = clusterOf({ claims: [boundPVC], volumes: [pvBound] });
    expect(arePodVolumesBound(cluster.claim, pod)).toBe(true);
    expect(
      arePodVolumesBound(clusterOf({ claims: [preboundPVC] }).claim, newPod('other', [uses('prebound-pvc')])),
    ).toBe(false);
  });
});

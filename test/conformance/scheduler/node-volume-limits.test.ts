import { describe, expect, it } from 'vitest';
import type {
  CSIDriver,
  CSINode,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodVolume,
} from '../../../src/api/objects.ts';
import { nodeVolumeLimits } from '../../../src/engine/scheduler/node-volume-limits.ts';
import { cacheOf, newClaim, newClass, newNode, newPod, type Objects, runPlugin, uses } from './cluster.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/nodevolumelimits/csi_test.go (1.37); specification
// scheduler-and-provisioning 10.11.
// Not ported: the queueing hints, and TestCSILimits_DeferredResizeSkipped, whose gate is off in every release. "ephemeral disabled"
// is the same as the row after it: generic ephemeral volumes cannot be switched off any more.

const ebs = 'ebs.csi.aws.com';
const gce = 'pd.csi.storage.gke.io';
const inTree = 'kubernetes.io/aws-ebs';
const exceeded = 'node(s) exceed max volume count';

const named = (claim: string): PersistentVolumeClaim => ({
  ...newClaim(claim, '', '1Gi', { volumeName: `pv-of-${claim}` }),
});
const csi = (claim: string, driver: string): PersistentVolume => ({
  kind: 'PersistentVolume',
  metadata: { name: `pv-of-${claim}` },
  spec: { csi: { driver, volumeHandle: claim } },
});
const ebsClaims = ['ebs-0', 'ebs-1', 'ebs-2', 'ebs-3'];
const gceClaims = ['gce-1', 'gce-2'];
const inTreeClaims = ['in-tree-0', 'in-tree-1', 'in-tree-2'];
const classes = [newClass('csi-sc', ebs)];

const claims: readonly PersistentVolumeClaim[] = [
  ...[...ebsClaims, ...gceClaims, ...inTreeClaims, 'hostpath-0'].map(named),
  newClaim('pending', 'csi-sc', '1Gi'),
  newClaim('no-class', 'missing-sc', '1Gi'),
  { ...newClaim('missing-pv', 'csi-sc', '1Gi'), spec: { storageClassName: 'csi-sc', volumeName: 'gone' } },
];
const volumes: readonly PersistentVolume[] = [
  ...ebsClaims.map((claim) => csi(claim, ebs)),
  ...gceClaims.map((claim) => csi(claim, gce)),
  ...inTreeClaims.map((claim) => ({
    kind: 'PersistentVolume',
    metadata: { name: `pv-of-${claim}` },
    spec: { awsElasticBlockStore: { volumeID: claim } },
  })),
  { kind: 'PersistentVolume', metadata: { name: 'pv-of-hostpath-0' }, spec: { hostPath: { path: '/films' } } },
];

const pod = (name: string, ...claimNames: readonly string[]): Pod => newPod(name, claimNames.map(uses));
const inline = (volumeID: string): PodVolume => ({ name: 'inline', awsElasticBlockStore: { volumeID } });
const newOne = pod('new', 'ebs-0');
const running = pod('running', 'ebs-3');
const ebsTwo = pod('ebs-two', 'ebs-1', 'ebs-2');
const inTreeOne = pod('in-tree-one', 'in-tree-0');
const inTreeTwo = pod('in-tree-two', 'in-tree-1', 'in-tree-2');
const gceTwo = pod('gce-two', 'gce-1', 'gce-2');
const ephemeral = newPod('abc', [{ name: 'xyz', ephemeral: {} }]);
const ephemeralTwo = newPod('two', [
  { name: 'x', ephemeral: {} },
  { name: 'y', ephemeral: {} },
]);
const owned = (name: string, of: Pod): PersistentVolumeClaim => {
  const claim = newClaim(name, 'csi-sc', '1Gi');
  const owner = { kind: 'Pod', name: of.metadata.name, uid: of.metadata.uid ?? '', controller: true };
  return { ...claim, metadata: { ...claim.metadata, ownerReferences: [owner] } };
};

const csiNode = (drivers: readonly string[], count?: number): CSINode => ({
  kind: 'CSINode',
  metadata: { name: 'node-1' },
  spec: { drivers: drivers.map((name) => ({ name, ...(count === undefined ? {} : { allocatable: { count } }) })) },
});

interface Row {
  readonly name: string;
  readonly newPod: Pod;
  readonly existing?: readonly Pod[];
  /** Undefined: no limit is told. */
  readonly limit?: number;
  readonly drivers?: readonly string[];
  readonly extraClaims?: readonly PersistentVolumeClaim[];
  /** Volumes that are attached although no pod uses them. */
  readonly attached?: number;
  readonly withoutCSINode?: true;
  readonly expected?: { readonly code: string; readonly reason: string };
}

const isFull = { code: 'Unschedulable', reason: exceeded };
const fullAbove = { existing: [running, ebsTwo], limit: 2, expected: isFull };

const rows: readonly Row[] = [
  {
    name: 'should count VolumeAttachments towards volume limit when no pods exist',
    newPod: newOne,
    limit: 2,
    attached: 2,
    expected: isFull,
  },
  {
    name: 'should schedule pod when VolumeAttachments count does not exceed limit',
    newPod: newOne,
    limit: 2,
    attached: 1,
  },
  {
    name: 'fits when node volume limit >= new pods CSI volume',
    newPod: newOne,
    existing: [running, ebsTwo],
    limit: 4,
  },
  { name: "doesn't when node volume limit <= pods CSI volume", newPod: newOne, ...fullAbove },
  { name: 'should when driver does not support volume limits', newPod: newOne, existing: [running, ebsTwo] },
  {
    name: 'count pending PVCs towards volume limit <= pods CSI volume',
    newPod: newOne,
    existing: [pod('pending', 'pending'), ebsTwo],
    limit: 2,
    expected: isFull,
  },
  {
    name: 'count multiple pending pvcs towards volume limit >= pods CSI volume',
    newPod: newOne,
    existing: [pod('pending', 'pending'), pod('pending-too', 'pending'), ebsTwo],
    limit: 4,
  },
  {
    name: 'should count PVCs with invalid PV name but valid SC',
    newPod: newOne,
    existing: [pod('missing', 'missing-pv'), ebsTwo],
    limit: 2,
    expected: isFull,
  },
  {
    name: "don't count pvcs with missing SC towards volume limit",
    newPod: newOne,
    existing: [running, pod('no-class', 'no-class')],
    limit: 2,
  },
  {
    name: 'count pvcs with the same type towards volume limit',
    newPod: newOne,
    existing: [gceTwo, ebsTwo],
    limit: 2,
    drivers: [ebs, gce],
    expected: isFull,
  },
  {
    name: "don't count pvcs with different type towards volume limit",
    newPod: gceTwo,
    existing: [ebsTwo, running],
    limit: 2,
    drivers: [ebs, gce],
  },
  {
    name: 'should count in-tree volumes if migration is enabled',
    newPod: inTreeOne,
    existing: [inTreeTwo],
    limit: 2,
    drivers: [inTree, ebs],
    expected: isFull,
  },
  {
    name: 'nil csi node',
    newPod: newPod('inline', [inline('aws-inline1')]),
    existing: [inTreeTwo],
    withoutCSINode: true,
  },
  {
    name: 'should count unbound in-tree volumes if migration is enabled',
    newPod: pod('pending', 'pending'),
    existing: [inTreeTwo],
    limit: 2,
    drivers: [inTree, ebs],
    expected: isFull,
  },
  {
    name: 'should not limit pod if volume used does not report limits',
    newPod: inTreeOne,
    existing: [inTreeTwo],
    drivers: [inTree, ebs],
  },
  {
    name: 'should not count non-migratable in-tree volumes',
    newPod: pod('host', 'hostpath-0'),
    existing: [ebsTwo],
    limit: 2,
  },
  {
    name: 'should count in-tree inline volumes if migration is enabled',
    newPod: newPod('inline', [inline('aws-inline1')]),
    existing: [inTreeTwo],
    limit: 2,
    drivers: [inTree, ebs],
    expected: isFull,
  },
  {
    name: 'should count in-tree and csi volumes if migration is enabled (when scheduling in-tree volumes)',
    newPod: inTreeOne,
    existing: [ebsTwo],
    limit: 2,
    drivers: [inTree, ebs],
    expected: isFull,
  },
  {
    name: 'should count in-tree, inline and csi volumes if migration is enabled (when scheduling in-tree volumes)',
    newPod: newPod('inline', [inline('aws-inline1')]),
    existing: [ebsTwo, inTreeOne],
    limit: 3,
    drivers: [inTree, ebs],
    expected: isFull,
  },
  {
    name: 'should not count in-tree, inline and csi volumes if migration is enabled (when scheduling in-tree volumes)',
    newPod: newPod('inline', [inline('ebs-1')]),
    existing: [ebsTwo, inTreeOne],
    limit: 3,
    drivers: [inTree, ebs],
  },
  {
    name: 'should count in-tree and csi volumes if migration is enabled (when scheduling csi volumes)',
    newPod: newOne,
    existing: [inTreeTwo],
    limit: 2,
    drivers: [inTree, ebs],
    expected: isFull,
  },
  {
    name: 'ephemeral volume missing',
    newPod: ephemeral,
    expected: {
      code: 'UnschedulableAndUnresolvable',
      reason: 'looking up PVC default/abc-xyz: persistentvolumeclaim "abc-xyz" not found',
    },
  },
  {
    name: 'ephemeral volume not owned',
    newPod: ephemeral,
    extraClaims: [newClaim('abc-xyz', 'csi-sc', '1Gi')],
    expected: {
      code: 'Error',
      reason:
        'running "NodeVolumeLimits" filter plugin: PVC default/abc-xyz was not created for pod default/abc (pod is not owner)',
    },
  },
  { name: 'ephemeral volume unbound', newPod: ephemeral, extraClaims: [owned('abc-xyz', ephemeral)] },
  {
    name: "ephemeral doesn't when node volume limit <= pods CSI volume",
    newPod: ephemeral,
    extraClaims: [owned('abc-xyz', ephemeral)],
    ...fullAbove,
  },
  {
    name: "ephemeral doesn't when node volume limit <= pods ephemeral CSI volume",
    newPod: newOne,
    extraClaims: [owned('two-x', ephemeralTwo), owned('two-y', ephemeralTwo)],
    existing: [running, ephemeralTwo],
    limit: 2,
    expected: isFull,
  },
  {
    name: "persistent doesn't when node volume limit <= pods ephemeral CSI volume + persistent volume",
    newPod: newOne,
    extraClaims: [owned('abc-xyz', ephemeral)],
    existing: [running, ephemeral, ebsTwo],
    limit: 3,
    expected: isFull,
  },
  {
    name: 'persistent okay when node volume limit > pods ephemeral CSI volume + persistent volume',
    newPod: newOne,
    extraClaims: [owned('abc-xyz', ephemeral)],
    existing: [running, ephemeral, ebsTwo],
    limit: 5,
  },
  {
    name: "don't skip Filter when the pod has pvcs",
    newPod: newPod('mixed', [{ name: 'config' }, { name: 'secret' }, uses('ebs-0')]),
    limit: 2,
  },
  {
    name: "don't skip Filter when the pod has ephemeral volumes",
    newPod: newPod('abc', [{ name: 'config' }, { name: 'secret' }, { name: 'xyz', ephemeral: {} }]),
    expected: {
      code: 'UnschedulableAndUnresolvable',
      reason: 'looking up PVC default/abc-xyz: persistentvolumeclaim "abc-xyz" not found',
    },
  },
  {
    name: "don't skip Filter when the pod has inline migratable volumes",
    newPod: newPod('mixed', [{ name: 'config' }, { name: 'secret' }, inline('aws-inline1')]),
    existing: [inTreeTwo],
    limit: 2,
    drivers: [inTree, ebs],
    expected: isFull,
  },
];

function objectsOf({
  existing = [],
  limit,
  drivers = [ebs],
  extraClaims = [],
  attached = 0,
  withoutCSINode,
}: Row): Objects {
  const names = Array.from({ length: attached }, (_, i) => `attached-${i}`);
  return {
    nodes: [newNode('node-1')],
    pods: existing.map((one) => ({ ...one, spec: { ...one.spec, nodeName: 'node-1' } })),
    claims: [...claims, ...extraClaims],
    volumes: [...volumes, ...names.map((name) => csi(name, ebs))],
    classes,
    csiNodes: withoutCSINode ? [] : [csiNode(drivers, limit)],
    attachments: names.map((name) => ({
      kind: 'VolumeAttachment',
      metadata: { name },
      spec: { attacher: ebs, nodeName: 'node-1', source: { persistentVolumeName: `pv-of-${name}` } },
    })),
  };
}

describe('TestCSILimits', () => {
  it.each(rows)('$name', (row) => {
    const { preFilter, filter } = runPlugin(nodeVolumeLimits, cacheOf(objectsOf(row)), row.newPod);
    expect(preFilter.is).toBe('ready');
    if (row.expected === undefined) expect(filter).toBeUndefined();
    else expect(filter).toMatchObject({ code: row.expected.code, reasons: [row.expected.reason] });
  });

  it('skip Filter when the pod only uses secrets and configmaps', () => {
    const plain = newPod('plain', [{ name: 'config' }, { name: 'secret' }]);
    expect(runPlugin(nodeVolumeLimits, cacheOf({ nodes: [newNode('node-1')] }), plain).preFilter.is).toBe('skip');
  });
});

describe('drivers that must be installed (VolumeLimitScaling)', () => {
  const driver = (preventPodSchedulingIfMissing?: boolean): CSIDriver => ({
    kind: 'CSIDriver',
    metadata: { name: ebs },
    spec: preventPodSchedulingIfMissing === undefined ? {} : { preventPodSchedulingIfMissing },
  });

  it.each([
    {
      name: 'asked for and absent: rejected',
      csiDrivers: [driver(true)],
      installed: [],
      version: '1.37',
      refused: true,
    },
    {
      name: 'asked for and installed: passes',
      csiDrivers: [driver(true)],
      installed: [ebs],
      version: '1.37',
      refused: false,
    },
    { name: 'not asked for: passes', csiDrivers: [driver()], installed: [], version: '1.37', refused: false },
    { name: 'no CSIDriver: passes', csiDrivers: [], installed: [], version: '1.37', refused: false },
    {
      name: 'the gate is off up to 1.36: passes',
      csiDrivers: [driver(true)],
      installed: [],
      version: '1.36',
      refused: false,
    },
  ])('$name', ({ csiDrivers, installed, version, refused }) => {
    const objects = {
      nodes: [newNode('node-1')],
      claims,
      volumes,
      classes,
      csiDrivers,
      csiNodes: [csiNode(installed)],
    };
    const { filter } = runPlugin(nodeVolumeLimits, cacheOf(objects, version), newOne);
    const reasons = [`${ebs} CSI driver is not installed on the node`];
    if (refused) expect(filter).toMatchObject({ code: 'Unschedulable', reasons });
    else expect(filter).toBeUndefined();
  });
});

describe('migrated plugins by release', () => {
  const px = { name: 'inline', portworxVolume: { volumeID: 'px-1' } };
  const node = (plugins: string): CSINode => ({
    ...csiNode(['pxd.portworx.com', ebs], 0),
    metadata: { name: 'node-1', annotations: { 'storage.alpha.kubernetes.io/migrated-plugins': plugins } },
  });

  it.each([
    {
      name: 'EBS counts without the annotation in 1.35',
      volume: inline('vol-1'),
      plugins: '',
      version: '1.35',
      counts: true,
    },
    { name: 'Portworx does not in 1.35', volume: px, plugins: '', version: '1.35', counts: false },
    {
      name: 'Portworx does with it',
      volume: px,
      plugins: 'kubernetes.io/portworx-volume',
      version: '1.35',
      counts: true,
    },
    { name: 'Portworx does without it from 1.36 on', volume: px, plugins: '', version: '1.36', counts: true },
  ])('$name', ({ volume, plugins, version, counts }) => {
    const cache = cacheOf({ nodes: [newNode('node-1')], csiNodes: [node(plugins)] }, version);
    const { filter } = runPlugin(nodeVolumeLimits, cache, newPod('inline', [volume]));
    expect(filter?.reasons).toEqual(counts ? [exceeded] : undefined);
  });
});

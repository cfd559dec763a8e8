import { describe, expect, it } from 'vitest';
import type {
  CSINode,
  KubernetesObject,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  ReferenceGrant,
  StorageClass,
  VolumeSnapshot,
  VolumeSnapshotContent,
} from '../../../src/api/objects.ts';
import { type ProvisionCode, prepareProvision } from '../../../src/engine/provisioner/prepare-provision.ts';
import type { ProvisionerOptions } from '../../../src/engine/provisioner/request.ts';
import { viewOf } from '../../../src/engine/provisioner/view.ts';
import type { Kind } from '../../../src/snapshot/kinds.ts';
import { newClaim, newClass, newVolume } from '../../support/builders.ts';
import { collected } from '../../support/snapshots.ts';

// external-provisioner pkg/controller/{controller_test.go,topology_test.go} (6.3); specification scheduler-and-provisioning 10.12.
// What its cases ask of the driver (capabilities, what CreateVolume returns) has no counterpart here.

const driver = 'hostpath.csi.k8s.io';

interface Case {
  readonly claim?: PersistentVolumeClaim;
  readonly storageClass?: StorageClass;
  readonly objects?: readonly KubernetesObject[];
  readonly except?: readonly Kind[];
  readonly selectedNode?: string;
  readonly options?: ProvisionerOptions;
}

const plainClass = newClass('fast', driver);
const plainClaim = newClaim('films', '2Gi', { storageClassName: 'fast' });

function prepared({
  claim = plainClaim,
  storageClass = plainClass,
  objects = [],
  except,
  selectedNode,
  options = {},
}: Case) {
  const view = viewOf(collected(objects, except));
  return prepareProvision(
    { claim, storageClass, driver, options, ...(selectedNode === undefined ? {} : { selectedNode }) },
    view,
  );
}

/** What the provisioner says, its first word about the claim. */
const says = (given: Case): string | undefined => prepared(given).failures[0]?.message;

const withParameters = (parameters: Readonly<Record<string, string>>): StorageClass => ({ ...plainClass, parameters });

describe('a provisioner refuses', () => {
  it.each<Case & { name: string; message: string | undefined }>([
    { name: 'nothing of a plain claim', message: undefined },
    {
      name: 'a selector, even an empty one',
      claim: newClaim('films', '2Gi', { storageClassName: 'fast', selector: {} }),
      message: 'claim Selector is not supported',
    },
    {
      name: 'an access mode that it does not know',
      claim: newClaim('films', '2Gi', { storageClassName: 'fast', accessModes: ['ReadWriteTwice'] }),
      message: 'unsupported AccessMode combination: [ReadWriteTwice]',
    },
    {
      name: 'a file system type that is given twice',
      storageClass: withParameters({ fsType: 'ext4', 'csi.storage.k8s.io/fstype': 'xfs' }),
      message: 'fstype specified in parameters with both "fstype" and "csi.storage.k8s.io/fstype" keys',
    },
    {
      name: 'a reserved parameter that it does not know',
      storageClass: withParameters({ 'csi.storage.k8s.io/fs-type': 'xfs' }),
      message:
        'failed to strip CSI Parameters of prefixed keys: found unknown parameter key "csi.storage.k8s.io/fs-type" with reserved namespace csi.storage.k8s.io/',
    },
    {
      name: 'no parameter of the driver',
      storageClass: withParameters({ type: 'gp3', 'csi.storage.k8s.io/fstype': 'xfs' }),
      message: undefined,
    },
    {
      name: 'a VolumeAttributesClass that does not exist',
      claim: newClaim('films', '2Gi', { storageClassName: 'fast', volumeAttributesClassName: 'gold' }),
      message: 'volumeattributesclasses.storage.k8s.io "gold" not found',
    },
    {
      name: 'a VolumeAttributesClass of another driver',
      claim: newClaim('films', '2Gi', { storageClassName: 'fast', volumeAttributesClassName: 'gold' }),
      objects: [{ kind: 'VolumeAttributesClass', metadata: { name: 'gold' }, driverName: 'other' } as KubernetesObject],
      message: `VAC gold referenced in PVC is for driver other which does not match driver name ${driver}`,
    },
    {
      name: 'no VolumeAttributesClass of its own',
      claim: newClaim('films', '2Gi', { storageClassName: 'fast', volumeAttributesClassName: 'gold' }),
      objects: [{ kind: 'VolumeAttributesClass', metadata: { name: 'gold' }, driverName: driver } as KubernetesObject],
      message: undefined,
    },
    {
      name: 'a data source without a name',
      claim: newClaim('films', '2Gi', {
        storageClassName: 'fast',
        dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: '' },
      }),
      message: 'the PVC source not found for PVC films',
    },
    {
      name: 'a snapshot of another group',
      claim: newClaim('films', '2Gi', {
        storageClassName: 'fast',
        dataSource: { apiGroup: 'example.com', kind: 'VolumeSnapshot', name: 'snap-1' },
      }),
      message:
        'the PVC source does not belong to the right APIGroup. Expected snapshot.storage.k8s.io, Got example.com',
    },
    {
      name: 'nothing of a source of another kind, which it leaves to a populator',
      claim: newClaim('films', '2Gi', {
        storageClassName: 'fast',
        selector: {},
        dataSourceRef: { apiGroup: 'cdi.kubevirt.io', kind: 'VolumeImportSource', name: 'import-1' },
      }),
      message: 'Assuming an external populator will provision the volume',
    },
  ])('$name', ({ message, ...given }) => {
    expect(says(given)).toBe(message);
  });

  it('nothing more once it has left the claim to a populator', () => {
    const claim = newClaim('films', '2Gi', {
      storageClassName: 'fast',
      selector: {},
      dataSourceRef: { apiGroup: 'cdi.kubevirt.io', kind: 'VolumeImportSource', name: 'import-1' },
    });
    expect(prepared({ claim }).failures.map(({ code, state }) => [code, state])).toEqual([
      ['SourceNeedsPopulator', 'Ignored'],
    ]);
  });
});

describe('the Secrets of a class', () => {
  const secret = (key: string, value: string) => ({ [`csi.storage.k8s.io/${key}`]: value });
  const token = (name: string) => ['$', '{', name, '}'].join('');
  const pair = { ...secret('provisioner-secret-name', 'admin'), ...secret('provisioner-secret-namespace', 'ceph') };
  const there = [{ kind: 'Secret', metadata: { name: 'admin', namespace: 'ceph' } }];

  it.each<Case & { name: string; message: string | undefined }>([
    { name: 'are read', storageClass: withParameters(pair), objects: there, message: undefined },
    {
      name: 'must exist',
      storageClass: withParameters(pair),
      message: 'error getting secret admin in namespace ceph: secrets "admin" not found',
    },
    {
      name: 'come in pairs',
      storageClass: withParameters(secret('provisioner-secret-name', 'admin')),
      message:
        'failed to get name and namespace template from params: either name and namespace for Provisioner secrets specified, Both must be specified',
    },
    {
      name: 'are not empty',
      storageClass: withParameters({ ...pair, ...secret('provisioner-secret-namespace', '') }),
      message:
        'failed to get name and namespace template from params: Provisioner secrets specified in parameters but value of either namespace or name is empty',
    },
    {
      name: 'are not given under the new name and the old one',
      storageClass: withParameters({
        ...pair,
        csiProvisionerSecretName: 'admin',
        csiProvisionerSecretNamespace: 'ceph',
      }),
      message:
        'failed to get name and namespace template from params: Provisioner secrets specified in parameters with both "csi" and "csi.storage.k8s.io/" keys',
    },
    {
      name: 'may be the same for all calls',
      storageClass: withParameters({ ...secret('secret-name', 'admin'), ...secret('secret-namespace', 'ceph') }),
      message: 'error getting secret admin in namespace ceph: secrets "admin" not found',
    },
    {
      name: 'may be named after the claim',
      storageClass: withParameters({
        ...secret('provisioner-secret-name', `of-${token('pvc.name')}`),
        ...secret('provisioner-secret-namespace', token('pvc.namespace')),
      }),
      message: 'error getting secret of-films in namespace default: secrets "of-films" not found',
    },
    {
      name: 'have namespaces that the claim cannot choose',
      storageClass: withParameters({
        ...secret('provisioner-secret-name', 'admin'),
        ...secret('provisioner-secret-namespace', token('pvc.name')),
      }),
      message: `error resolving value "${token('pvc.name')}": invalid tokens: ["pvc.name"]`,
    },
    {
      name: 'have valid names',
      storageClass: withParameters({ ...pair, ...secret('provisioner-secret-name', 'Admin') }),
      message: '"Admin" is not a valid secret name',
    },
    {
      name: 'of later calls are named rightly, too',
      storageClass: withParameters({ ...pair, ...secret('node-stage-secret-name', 'admin') }),
      objects: there,
      message:
        'failed to get name and namespace template from params: either name and namespace for NodeStage secrets specified, Both must be specified',
    },
    {
      name: 'of later calls need not be there',
      storageClass: withParameters({
        ...secret('node-stage-secret-name', 'admin'),
        ...secret('node-stage-secret-namespace', 'ceph'),
      }),
      message: undefined,
    },
  ])('$name', ({ message, ...given }) => {
    expect(says(given)).toBe(message);
  });

  it('named after an annotation that was not kept are unknown', () => {
    const storageClass = withParameters({
      ...pair,
      ...secret('provisioner-secret-name', token("pvc.annotations['team']")),
    });
    const { failures, unknown } = prepared({ storageClass });
    expect(failures).toEqual([]);
    expect(unknown).toContainEqual({ code: 'SecretUnusable', lacks: [] });
  });
});

const snapshotSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'snap-1' };
const restoring = (request = '2Gi', more: Partial<PersistentVolumeClaim['spec']> = {}) =>
  newClaim('films', request, { storageClassName: 'fast', dataSource: snapshotSource, ...more });

const snapshot = (
  status: VolumeSnapshot['status'] = {},
  metadata: Partial<VolumeSnapshot['metadata']> = {},
): VolumeSnapshot => ({
  kind: 'VolumeSnapshot',
  metadata: { name: 'snap-1', namespace: 'default', uid: 'snap-uid', ...metadata },
  status: { boundVolumeSnapshotContentName: 'content-1', readyToUse: true, restoreSize: '1Gi', ...status },
});
const content = (
  spec: VolumeSnapshotContent['spec'] = {},
  status: VolumeSnapshotContent['status'] = { snapshotHandle: 'handle' },
  annotations: Readonly<Record<string, string>> = {},
): VolumeSnapshotContent => ({
  kind: 'VolumeSnapshotContent',
  metadata: { name: 'content-1', uid: 'content-uid', annotations },
  spec: { driver, volumeSnapshotRef: { name: 'snap-1', namespace: 'default', uid: 'snap-uid' }, ...spec },
  status,
});
const ofSnapshot = (detail: string) =>
  `error getting handle for DataSource Type VolumeSnapshot by Name snap-1: ${detail}`;
const modeChange = 'snapshot.storage.kubernetes.io/allow-volume-mode-change';

describe('a snapshot is restored', () => {
  it.each<Case & { name: string; message: string | undefined }>([
    { name: 'when all is right', claim: restoring(), objects: [snapshot(), content()], message: undefined },
    {
      name: 'not if it does not exist',
      claim: restoring(),
      objects: [content()],
      message: ofSnapshot(
        'error getting snapshot snap-1 from api server: volumesnapshots.snapshot.storage.k8s.io "snap-1" not found',
      ),
    },
    {
      name: 'not while it is being deleted',
      claim: restoring(),
      objects: [snapshot({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), content()],
      message: ofSnapshot('snapshot snap-1 is being deleted'),
    },
    {
      name: 'although it is being deleted, if that was begun before',
      claim: restoring(),
      objects: [
        snapshot(
          {},
          {
            deletionTimestamp: '2026-01-01T00:00:00Z',
            finalizers: ['provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection'],
          },
        ),
        content(),
      ],
      message: undefined,
    },
    {
      name: 'not while it is unbound',
      claim: restoring(),
      objects: [{ ...snapshot(), status: {} }, content()],
      message: ofSnapshot('snapshot snap-1 not bound'),
    },
    {
      name: 'not if its content is gone',
      claim: restoring(),
      objects: [snapshot()],
      message: ofSnapshot('error getting snapshotcontent content-1 for snapshot snap-1'),
    },
    ...[{ uid: 'other' }, { namespace: 'other' }, { name: 'other' }].map((other) => ({
      name: `not if its content belongs to another ${Object.keys(other)[0]}`,
      claim: restoring(),
      objects: [
        snapshot(),
        content({ volumeSnapshotRef: { name: 'snap-1', namespace: 'default', uid: 'snap-uid', ...other } }),
      ],
      message: ofSnapshot('snapshotcontent content-1 for snapshot snap-1 is bound to a different snapshot'),
    })),
    {
      name: 'not by another driver',
      claim: restoring(),
      objects: [snapshot(), content({ driver: 'other' })],
      message: ofSnapshot(
        'snapshotcontent content-1 for snapshot snap-1 is not handled by CSI driver of StorageClass fast',
      ),
    },
    {
      name: 'not before it is ready',
      claim: restoring(),
      objects: [snapshot({ readyToUse: false }), content()],
      message: ofSnapshot('snapshot snap-1 is not Ready'),
    },
    {
      name: 'not without a handle',
      claim: restoring(),
      objects: [snapshot(), content({}, {})],
      message: ofSnapshot('snapshot handle snap-1 is not available'),
    },
    {
      name: 'not into a smaller volume',
      claim: restoring('500Mi'),
      objects: [snapshot(), content()],
      message: ofSnapshot(
        'requested volume size 524288000 is less than the size 1073741824 for the source snapshot snap-1',
      ),
    },
    {
      name: 'into a volume of the same size',
      claim: restoring('1Gi'),
      objects: [snapshot(), content()],
      message: undefined,
    },
    {
      name: 'not into a volume of another mode',
      claim: restoring('2Gi', { volumeMode: 'Block' }),
      objects: [snapshot(), content({ sourceVolumeMode: 'Filesystem' })],
      message: ofSnapshot(
        `requested volume default/films modifies the mode of the source volume but does not have permission to do so. ${modeChange} annotation is not present on snapshotcontent content-1`,
      ),
    },
    {
      name: 'not into a volume of another mode where that is forbidden',
      claim: restoring('2Gi', { volumeMode: 'Block' }),
      objects: [
        snapshot(),
        content({ sourceVolumeMode: 'Filesystem' }, { snapshotHandle: 'handle' }, { [modeChange]: 'false' }),
      ],
      message: ofSnapshot(
        `requested volume default/films modifies the mode of the source volume but does not have permission to do so. ${modeChange} is set to false on snapshotcontent content-1`,
      ),
    },
    {
      name: 'into a volume of another mode where that is allowed',
      claim: restoring('2Gi', { volumeMode: 'Block' }),
      objects: [
        snapshot(),
        content({ sourceVolumeMode: 'Filesystem' }, { snapshotHandle: 'handle' }, { [modeChange]: 'true' }),
      ],
      message: undefined,
    },
  ])('$name', ({ message, ...given }) => {
    expect(says(given)).toBe(message);
  });

  const grant = (from: object, to: object): ReferenceGrant => ({
    kind: 'ReferenceGrant',
    metadata: { name: 'grant', namespace: 'prod' },
    spec: {
      from: [{ group: '', kind: 'PersistentVolumeClaim', namespace: 'default', ...from }],
      to: [{ group: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', ...to }],
    },
  });
  const refused = "accessing prod/snap-1 of VolumeSnapshot dataSource from default/films isn't allowed";

  it.each([
    { name: 'without a grant', grants: [], message: refused },
    { name: 'with a grant for all snapshots', grants: [grant({}, {})], message: undefined },
    { name: 'with a grant for this one', grants: [grant({}, { name: 'snap-1' })], message: undefined },
    { name: 'with a grant for another one', grants: [grant({}, { name: 'snap-2' })], message: refused },
    { name: 'with a grant for another kind', grants: [grant({}, { kind: 'Secret' })], message: refused },
    { name: 'with a grant for another group', grants: [grant({}, { group: '' })], message: refused },
    { name: 'with a grant to another namespace', grants: [grant({ namespace: 'test' }, {})], message: refused },
    { name: 'with a grant to another kind', grants: [grant({ kind: 'Pod' }, {})], message: refused },
    { name: 'with a grant to another group', grants: [grant({ group: 'example.com' }, {})], message: refused },
  ])('of another namespace $name: $message', ({ grants, message }) => {
    const claim = newClaim('films', '2Gi', {
      storageClassName: 'fast',
      dataSourceRef: { ...snapshotSource, namespace: 'prod' },
    });
    const objects = [
      ...grants,
      snapshot({}, { namespace: 'prod' }),
      content({ volumeSnapshotRef: { name: 'snap-1', namespace: 'prod', uid: 'snap-uid' } }),
    ];
    expect(says({ claim, objects })).toBe(message);
  });
});

const cloning = (request = '2Gi', more: Partial<PersistentVolumeClaim['spec']> = {}) =>
  newClaim('copy', request, {
    storageClassName: 'fast',
    dataSource: { kind: 'PersistentVolumeClaim', name: 'films' },
    ...more,
  });
const source = (
  phase = 'Bound',
  spec: Partial<PersistentVolumeClaim['spec']> = {},
  metadata: Partial<PersistentVolumeClaim['metadata']> = {},
): PersistentVolumeClaim => ({
  ...newClaim('films', '1Gi', { storageClassName: 'other', volumeName: 'disk-1', ...spec }, metadata),
  status: { phase },
});
const sourceVolume = (spec: Partial<PersistentVolume['spec']> = {}, phase = 'Bound'): PersistentVolume =>
  newVolume(
    'disk-1',
    '1Gi',
    {
      csi: { driver, volumeHandle: 'handle' },
      claimRef: { namespace: 'default', name: 'films', uid: 'uid-films' },
      ...spec,
    },
    {},
    phase,
  );
const ofClone = (detail: string) =>
  `error getting handle for DataSource Type PersistentVolumeClaim by Name films: ${detail}`;
const invalid = ofClone('claim in dataSource not bound or invalid');

describe('a claim is cloned', () => {
  it.each<Case & { name: string; message: string | undefined }>([
    {
      name: 'when all is right, whatever its class is called',
      claim: cloning(),
      objects: [source(), sourceVolume()],
      message: undefined,
    },
    {
      name: 'not if it does not exist',
      claim: cloning(),
      message: ofClone(
        'error getting PVC films (namespace "default") from api server: persistentvolumeclaim "films" not found',
      ),
    },
    ...['Pending', 'Lost'].map((phase) => ({
      name: `not while it is ${phase}`,
      claim: cloning(),
      objects: [source(phase), sourceVolume()],
      message: ofClone(`the PVC DataSource films must have a status of Bound.  Got ${phase}`),
    })),
    {
      name: 'not while it is being deleted',
      claim: cloning(),
      objects: [source('Bound', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), sourceVolume()],
      message: ofClone('the PVC DataSource films is currently being deleted'),
    },
    {
      name: 'not into a smaller claim',
      claim: cloning('500Mi'),
      objects: [source(), sourceVolume()],
      message: ofClone(
        'error, new PVC request must be greater than or equal in size to the specified PVC data source, requested 524288000 but source is 1073741824',
      ),
    },
    {
      name: 'not if it names no volume',
      claim: cloning(),
      objects: [source('Bound', { volumeName: '' }), sourceVolume()],
      message: ofClone('volume name is empty in source PVC films'),
    },
    { name: 'not if its volume is gone', claim: cloning(), objects: [source()], message: invalid },
    {
      name: 'not if its volume is no CSI volume',
      claim: cloning(),
      objects: [
        source(),
        newVolume('disk-1', '1Gi', { hostPath: { path: '/x' }, claimRef: { namespace: 'default', name: 'films' } }),
      ],
      message: invalid,
    },
    {
      name: 'not by another driver',
      claim: cloning(),
      objects: [source(), sourceVolume({ csi: { driver: 'other', volumeHandle: 'handle' } })],
      message: invalid,
    },
    {
      name: 'not if its volume belongs to another claim',
      claim: cloning(),
      objects: [source(), sourceVolume({ claimRef: { namespace: 'default', name: 'films', uid: 'former' } })],
      message: invalid,
    },
    ...['Released', 'Failed', 'Pending', 'Available'].map((phase) => ({
      name: `not while its volume is ${phase}`,
      claim: cloning(),
      objects: [source(), sourceVolume({}, phase)],
      message: invalid,
    })),
    {
      name: 'not into the other volume mode',
      claim: cloning('2Gi', { volumeMode: 'Block' }),
      objects: [source(), sourceVolume()],
      message: ofClone(
        'the source PVC and destination PVCs must have the same volume mode for cloning.  Source is Filesystem, but new PVC requested Block',
      ),
    },
    {
      name: 'not the other way round either',
      claim: cloning(),
      objects: [source(), sourceVolume({ volumeMode: 'Block' })],
      message: ofClone(
        'the source PVC and destination PVCs must have the same volume mode for cloning.  Source is Block, but new PVC requested Filesystem',
      ),
    },
  ])('$name', ({ message, ...given }) => {
    expect(says(given)).toBe(message);
  });
});

const zone = 'topology.example.com/zone';
const rack = 'topology.example.com/rack';
const csiNode = (name: string, keys: readonly string[] | undefined, of = driver): CSINode => ({
  kind: 'CSINode',
  metadata: { name },
  spec: { drivers: keys === undefined ? [] : [{ name: of, topologyKeys: keys }] },
});
const node = (name: string, labels: Readonly<Record<string, string>> = {}): Node => ({
  kind: 'Node',
  metadata: { name, labels },
});
const allowing = (...terms: readonly Readonly<Record<string, readonly string[]>>[]): StorageClass => ({
  ...plainClass,
  allowedTopologies: terms.map((term) => ({
    matchLabelExpressions: Object.entries(term).map(([key, values]) => ({ key, values })),
  })),
});
const ofTopology = (detail: string) => `error generating accessibility requirements: ${detail}`;
const twoZones = [
  csiNode('node-1', [zone]),
  csiNode('node-2', [zone]),
  node('node-1', { [zone]: 'a' }),
  node('node-2', { [zone]: 'b' }),
];

describe('a place for the volume is found', () => {
  it.each<Case & { name: string; message: string | undefined }>([
    { name: 'on the selected node', objects: twoZones, selectedNode: 'node-1', message: undefined },
    { name: 'anywhere, if no node is selected', objects: twoZones, message: undefined },
    {
      name: 'by a driver without topology, on a node that does not list it',
      objects: [csiNode('node-1', []), csiNode('node-2', undefined), node('node-1'), node('node-2')],
      selectedNode: 'node-2',
      message: undefined,
    },
    {
      name: 'not on a node without a CSINode',
      objects: [...twoZones, node('node-3')],
      selectedNode: 'node-3',
      message: 'failed to get selected CSINode node-3: csinode.storage.k8s.io "node-3" not found',
    },
    {
      name: 'not on a node that does not list the driver',
      objects: [...twoZones, csiNode('node-3', undefined), node('node-3')],
      selectedNode: 'node-3',
      message: ofTopology('no topology key found for node node-3'),
    },
    {
      name: 'not on a node that lists it without keys',
      objects: [...twoZones, csiNode('node-3', []), node('node-3')],
      selectedNode: 'node-3',
      message: ofTopology('no topology key found for node node-3'),
    },
    {
      name: 'not on a node that lacks a label',
      objects: [csiNode('node-1', [zone, rack]), node('node-1', { [zone]: 'a' })],
      selectedNode: 'node-1',
      message: ofTopology(
        `topology labels from selected node map[${zone}:a] does not match topology keys from CSINode [${zone} ${rack}]`,
      ),
    },
    {
      name: 'not on a node that is gone while its CSINode is there',
      objects: [csiNode('node-1', [zone])],
      selectedNode: 'node-1',
      message: ofTopology(
        `topology labels from selected node map[] does not match topology keys from CSINode [${zone}]`,
      ),
    },
    {
      name: 'on a node that the class allows',
      storageClass: allowing({ [zone]: ['a', 'b'] }),
      objects: twoZones,
      selectedNode: 'node-2',
      message: undefined,
    },
    {
      name: 'where the class allows a part of the topology of the node',
      storageClass: allowing({ [zone]: ['a'] }),
      objects: [csiNode('node-1', [zone, rack]), node('node-1', { [zone]: 'a', [rack]: '1' })],
      selectedNode: 'node-1',
      message: undefined,
    },
    {
      name: 'not on a node that the class does not allow',
      storageClass: allowing({ [zone]: ['a'] }),
      objects: twoZones,
      selectedNode: 'node-2',
      message: ofTopology(`topology [{${zone} b}] from selected node "node-2" is not in requisite: [[{${zone} a}]]`),
    },
    {
      name: 'not on a node that the class does not allow, by a strict provisioner',
      storageClass: allowing({ [zone]: ['a'] }),
      objects: twoZones,
      selectedNode: 'node-2',
      options: { strictTopology: true },
      message: ofTopology(
        `selected node '"node-2"' topology '[{${zone} b}]' is not in allowed topologies: [[{${zone} a}]]`,
      ),
    },
    {
      name: 'not where the class allows by a label that is no topology key of the driver',
      storageClass: allowing({ 'kubernetes.io/hostname': ['node-1'] }),
      objects: [csiNode('node-1', [zone]), node('node-1', { [zone]: 'a', 'kubernetes.io/hostname': 'node-1' })],
      selectedNode: 'node-1',
      message: ofTopology(
        `topology [{${zone} a}] from selected node "node-1" is not in requisite: [[{kubernetes.io/hostname node-1}]]`,
      ),
    },
    {
      name: 'nowhere, if no node carries the keys',
      objects: [csiNode('node-1', [zone]), node('node-1')],
      message: ofTopology(`topologyKeys [${zone}] were not found on any nodes`),
    },
    {
      name: 'without looking, if the class allows some',
      storageClass: allowing({ [zone]: ['a'] }),
      objects: [csiNode('node-1', [zone]), node('node-1')],
      message: undefined,
    },
    {
      name: 'without looking, by a driver that does not want to know',
      objects: [csiNode('node-1', [zone]), node('node-1')],
      options: { immediateTopology: false },
      message: undefined,
    },
  ])('$name', ({ message, ...given }) => {
    expect(says(given)).toBe(message);
  });

  it('by nobody knows whom while no node lists the driver', () => {
    const objects = [csiNode('node-1', [zone], 'other'), node('node-1')];
    expect(prepared({ objects, selectedNode: 'node-1' })).toMatchObject({
      failures: [],
      unknown: [{ code: 'NoTopology', lacks: [] }],
    });
  });

  it('on another node, if the CSINode is gone', () => {
    expect(prepared({ objects: twoZones, selectedNode: 'node-9' }).failures).toMatchObject([
      { code: 'NoTopology', state: 'Reschedule' },
    ]);
  });
});

describe('what was not collected makes a check unknown, never a failure', () => {
  const claim = restoring('500Mi');
  it.each<Case & { kind: Kind; code: ProvisionCode }>([
    { kind: 'VolumeSnapshot', code: 'SnapshotUnusable', claim, objects: [snapshot(), content()] },
    { kind: 'VolumeSnapshotContent', code: 'SnapshotUnusable', claim, objects: [snapshot(), content()] },
    {
      kind: 'PersistentVolumeClaim',
      code: 'CloneUnusable',
      claim: cloning('500Mi'),
      objects: [source(), sourceVolume()],
    },
    { kind: 'PersistentVolume', code: 'CloneUnusable', claim: cloning(), objects: [source()] },
    {
      kind: 'VolumeAttributesClass',
      code: 'AttributesClassMissing',
      claim: newClaim('films', '2Gi', { storageClassName: 'fast', volumeAttributesClassName: 'gold' }),
    },
    { kind: 'CSINode', code: 'NoTopology', selectedNode: 'node-9', objects: twoZones },
    { kind: 'Node', code: 'NoTopology', selectedNode: 'node-1', objects: [csiNode('node-1', [zone])] },
    {
      kind: 'ReferenceGrant',
      code: 'SourceNotGranted',
      claim: newClaim('films', '2Gi', {
        storageClassName: 'fast',
        dataSourceRef: { ...snapshotSource, namespace: 'prod' },
      }),
    },
    {
      kind: 'Secret',
      code: 'SecretUnusable',
      storageClass: withParameters({
        'csi.storage.k8s.io/provisioner-secret-name': 'admin',
        'csi.storage.k8s.io/provisioner-secret-namespace': 'ceph',
      }),
    },
  ])('$kind for $code', ({ kind, code, ...given }) => {
    expect(prepared(given).failures.map((failure) => failure.code)).toContain(code);
    const without = prepared({ ...given, except: [kind] });
    expect(without.failures.map((failure) => failure.code)).not.toContain(code);
    expect(without.unknown).toContainEqual({ code, lacks: [kind] });
  });
});

import { describe, expect, it } from 'vitest';
import {
  AnnBetaStorageProvisioner,
  AnnSelectedNode,
  AnnStorageProvisioner,
  InTreeFinalizer,
} from '../../../src/api/annotations.ts';
import type { PersistentVolume } from '../../../src/api/objects.ts';
import { ApiError, World } from '../../../src/engine/world.ts';
import {
  claim,
  expectedOf,
  type MockCalls,
  mockPluginName,
  type Row,
  storageClass,
  syncClaimsToRest,
  syncFirstClaim,
  volume,
} from './fixture.ts';

// kubernetes/kubernetes pkg/controller/volume/persistentvolume/provision_test.go (1.37); specification pv-controller 15.9.
// A volume that the controller has made is Pending here where upstream's rows say Bound: the API server takes no status from who
// creates an object, which upstream's fake of it does.

const parameters1 = { param1: 'value1' };
const parameters2 = { param2: 'value2' };
const reclaimPolicy = 'Delete';
const volumeBindingMode = 'WaitForFirstConsumer';
const classes = [
  storageClass('gold', mockPluginName, { parameters: parameters1, reclaimPolicy }),
  storageClass('silver', mockPluginName, { parameters: parameters2, reclaimPolicy }),
  storageClass('copper', mockPluginName, { parameters: parameters1, reclaimPolicy, volumeBindingMode }),
  storageClass('external', 'vendor.com/my-volume', { parameters: parameters1, reclaimPolicy }),
  storageClass('external-wait', 'vendor.com/my-volume-wait', {
    parameters: parameters1,
    reclaimPolicy,
    volumeBindingMode,
  }),
  storageClass('unknown-internal', 'kubernetes.io/unknown', { parameters: parameters1, reclaimPolicy }),
  storageClass('unsupported-mountoptions', mockPluginName, {
    parameters: parameters1,
    reclaimPolicy,
    mountOptions: ['foo'],
  }),
  storageClass('csi', 'mydriver.csi.k8s.io', { parameters: parameters1, reclaimPolicy }),
  storageClass('migrated', 'kubernetes.io/gce-pd', { parameters: parameters1, reclaimPolicy }),
];

const provisionsOnce: MockCalls = { provision: ['succeeds'], parameters: parameters1 };
const noCalls: MockCalls = { provision: [] };

const succeeded = (name: string, volumeName: string): string =>
  `claim ${name}: Normal ProvisioningSucceeded: Successfully provisioned volume ${volumeName} using kubernetes.io/mock-volume`;
const failed = (name: string, message: string): string => `claim ${name}: Warning ProvisioningFailed: ${message}`;
const notSaved = (name: string): string =>
  failed(
    name,
    `Error creating provisioned PV object for claim default/${name}: persistentvolumes "pvc-${name.replace('claim', 'uid')}" is forbidden: refused. Deleting the volume.`,
  );
const notCleaned = (name: string, cause: string): string =>
  `claim ${name}: Warning ProvisioningCleanupFailed: Error cleaning provisioned volume for claim default/${name}: ${cause}. Please delete manually.`;
const external = (name: string, provisioner: string): string =>
  `claim ${name}: Normal ExternalProvisioning: Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
const noVolume = (name: string): string =>
  `claim ${name}: Normal FailedBinding: no persistent volumes available for this claim and no storage class is set`;

const provisionedBy = (provisioner: string) => ({
  [AnnStorageProvisioner]: provisioner,
  [AnnBetaStorageProvisioner]: provisioner,
});
const onNode1 = { [AnnSelectedNode]: 'node1' };
const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'test-snap' };

/** A volume that the mock plugin has made. */
const provisioned = (number: string, className: string, phase: string): PersistentVolume =>
  volume(`pvc-uid${number}`, '1Gi', {
    uid: `uid${number}`,
    claim: `claim${number}`,
    phase,
    policy: 'Delete',
    class: className,
    marks: ['BC', 'DP'],
    finalizers: [InTreeFinalizer],
  });

const madeByOther = volume('pvc-uid11-7', '1Gi', {
  uid: 'uid11-7',
  claim: 'claim11-7',
  phase: 'Bound',
  policy: 'Delete',
  class: 'gold',
  marks: ['BC', 'DP'],
});

/** An API server that stores the first volume, but breaks down before it says so. */
class CrashingApiServer extends World {
  #hasCrashed = false;

  override createVolume(toCreate: PersistentVolume): PersistentVolume {
    const stored = super.createVolume(toCreate);
    if (this.#hasCrashed) return stored;
    this.#hasCrashed = true;
    throw new ApiError('Forbidden', 'Mock creation error1');
  }
}

/** Set 11 */
const rows: readonly Row[] = [
  {
    name: '11-1 a volume is made for a claim, which binds in its next sync',
    claims: [claim('claim11-1', 'uid11-1', '1Gi', { class: 'gold' })],
    plugin: provisionsOnce,
    expectedVolumes: [provisioned('11-1', 'gold', 'Pending')],
    expectedClaims: [claim('claim11-1', 'uid11-1', '1Gi', { class: 'gold', marks: ['SP'] })],
    events: [succeeded('claim11-1', 'pvc-uid11-1')],
  },
  {
    name: '11-2 there is no plugin of the name',
    claims: [claim('claim11-2', 'uid11-2', '1Gi', { class: 'gold' })],
    events: [failed('claim11-2', 'no volume plugin matched name: kubernetes.io/mock-volume')],
  },
  {
    name: '11-3 the provisioner cannot be created',
    claims: [claim('claim11-3', 'uid11-3', '1Gi', { class: 'gold' })],
    plugin: noCalls,
    expectedClaims: [claim('claim11-3', 'uid11-3', '1Gi', { class: 'gold', marks: ['SP'] })],
    events: [failed('claim11-3', 'Failed to create provisioner: Mock plugin error: no provisionCalls configured')],
  },
  {
    name: '11-4 the provisioner fails',
    claims: [claim('claim11-4', 'uid11-4', '1Gi', { class: 'gold' })],
    plugin: { provision: [{ fails: 'Mock provisioner error' }], parameters: parameters1 },
    expectedClaims: [claim('claim11-4', 'uid11-4', '1Gi', { class: 'gold', marks: ['SP'] })],
    events: [failed('claim11-4', 'Failed to provision volume with StorageClass "gold": Mock provisioner error')],
  },
  {
    name: '11-6 nothing is made where a volume of the class fits',
    volumes: [volume('volume11-6', '1Gi', { class: 'gold' })],
    claims: [claim('claim11-6', 'uid11-6', '1Gi', { class: 'gold' })],
    plugin: provisionsOnce,
    expectedVolumes: [
      volume('volume11-6', '1Gi', { class: 'gold', uid: 'uid11-6', claim: 'claim11-6', phase: 'Bound', marks: ['BC'] }),
    ],
    expectedClaims: [
      claim('claim11-6', 'uid11-6', '1Gi', {
        class: 'gold',
        volume: 'volume11-6',
        phase: 'Bound',
        marks: ['BC', 'BD'],
      }),
    ],
  },
  {
    name: '11-7 nothing is made where somebody else has made the volume meanwhile',
    claims: [claim('claim11-7', 'uid11-7', '1Gi', { class: 'gold' })],
    plugin: noCalls,
    beforeOperation: (world) => world.putVolume(madeByOther),
    expectedVolumes: [madeByOther],
    expectedClaims: [claim('claim11-7', 'uid11-7', '1Gi', { class: 'gold', marks: ['SP'] })],
  },
  {
    name: '11-8 a volume that cannot be saved is saved at the second try',
    claims: [claim('claim11-8', 'uid11-8', '1Gi', { class: 'gold' })],
    plugin: provisionsOnce,
    refuse: { 'volume/create pvc-uid11-8': 1 },
    expectedVolumes: [provisioned('11-8', 'gold', 'Pending')],
    expectedClaims: [claim('claim11-8', 'uid11-8', '1Gi', { class: 'gold', marks: ['SP'] })],
    events: [succeeded('claim11-8', 'pvc-uid11-8')],
  },
  {
    // The finalizer cannot be taken off a volume that was never saved: the clean-up is tried again and exhausts the plugin.
    name: '11-9 a volume that cannot be saved is deleted, and the clean-up is said to have failed',
    claims: [claim('claim11-9', 'uid11-9', '1Gi', { class: 'gold' })],
    plugin: { ...provisionsOnce, delete: ['succeeds'] },
    refuse: { 'volume/create pvc-uid11-9': 5 },
    expectedClaims: [claim('claim11-9', 'uid11-9', '1Gi', { class: 'gold', marks: ['SP'] })],
    events: [notSaved('claim11-9'), notCleaned('claim11-9', 'Mock plugin error: unexpected deleter call 1')],
  },
  {
    name: '11-10 a volume that cannot be saved and for which no deleter can be made is left over',
    claims: [claim('claim11-10', 'uid11-10', '1Gi', { class: 'gold' })],
    plugin: provisionsOnce,
    refuse: { 'volume/create pvc-uid11-10': 5 },
    expectedClaims: [claim('claim11-10', 'uid11-10', '1Gi', { class: 'gold', marks: ['SP'] })],
    events: [
      notSaved('claim11-10'),
      notCleaned(
        'claim11-10',
        'failed to create deleter for volume "pvc-uid11-10": Mock plugin error: no deleteCalls configured',
      ),
    ],
  },
  {
    name: '11-11 a volume that can be neither saved nor deleted is left over',
    claims: [claim('claim11-11', 'uid11-11', '1Gi', { class: 'gold' })],
    plugin: {
      ...provisionsOnce,
      delete: [
        { fails: 'Mock deletion error1' },
        { fails: 'Mock deletion error2' },
        { fails: 'Mock deletion error3' },
        { fails: 'Mock deletion error4' },
        { fails: 'Mock deletion error5' },
      ],
    },
    refuse: { 'volume/create pvc-uid11-11': 5 },
    expectedClaims: [claim('claim11-11', 'uid11-11', '1Gi', { class: 'gold', marks: ['SP'] })],
    events: [notSaved('claim11-11'), notCleaned('claim11-11', 'Mock deletion error5')],
  },
  {
    name: '11-12 a volume that cannot be saved is deleted at the second try, and the clean-up is said to have failed',
    claims: [claim('claim11-12', 'uid11-12', '1Gi', { class: 'gold' })],
    plugin: { ...provisionsOnce, delete: [{ fails: 'Mock deletion error1' }, 'succeeds'] },
    refuse: { 'volume/create pvc-uid11-12': 5 },
    expectedClaims: [claim('claim11-12', 'uid11-12', '1Gi', { class: 'gold', marks: ['SP'] })],
    events: [notSaved('claim11-12'), notCleaned('claim11-12', 'Mock plugin error: unexpected deleter call 2')],
  },
  {
    name: '11-13 a volume is made with the parameters of its class',
    claims: [claim('claim11-13', 'uid11-13', '1Gi', { class: 'silver' })],
    plugin: { provision: ['succeeds'], parameters: parameters2 },
    expectedVolumes: [provisioned('11-13', 'silver', 'Pending')],
    expectedClaims: [claim('claim11-13', 'uid11-13', '1Gi', { class: 'silver', marks: ['SP'] })],
    events: [succeeded('claim11-13', 'pvc-uid11-13')],
  },
  {
    name: '11-14 the class does not exist',
    claims: [claim('claim11-14', 'uid11-14', '1Gi', { class: 'non-existing' })],
    plugin: noCalls,
    events: [failed('claim11-14', 'storageclass.storage.k8s.io "non-existing" not found')],
  },
  {
    name: '11-15 nothing is made for the class ""',
    claims: [claim('claim11-15', 'uid11-15', '1Gi', { class: '' })],
    plugin: noCalls,
    events: [noVolume('claim11-15')],
  },
  {
    name: '11-16 nothing is made without a class',
    claims: [claim('claim11-15', 'uid11-15', '1Gi')],
    plugin: noCalls,
    events: [noVolume('claim11-15')],
  },
  {
    name: '11-17 an external provisioner is asked by an annotation',
    claims: [claim('claim11-17', 'uid11-17', '1Gi', { class: 'external' })],
    plugin: noCalls,
    expectedClaims: [
      claim('claim11-17', 'uid11-17', '1Gi', {
        class: 'external',
        annotations: provisionedBy('vendor.com/my-volume'),
      }),
    ],
    events: [external('claim11-17', 'vendor.com/my-volume')],
  },
  {
    name: '11-18 an unknown provisioner with the name of an in-tree plugin is a mistake',
    claims: [claim('claim11-18', 'uid11-18', '1Gi', { class: 'unknown-internal' })],
    plugin: noCalls,
    events: [failed('claim11-18', 'no volume plugin matched name: kubernetes.io/unknown')],
  },
  {
    // Upstream's fake does not store the volume, so that its row ends without one.
    name: '11-19 a volume that was saved although the API server broke down counts as saved',
    claims: [claim('claim11-19', 'uid11-19', '1Gi', { class: 'gold' })],
    plugin: provisionsOnce,
    apiServer: CrashingApiServer,
    expectedVolumes: [provisioned('11-19', 'gold', 'Pending')],
    expectedClaims: [claim('claim11-19', 'uid11-19', '1Gi', { class: 'gold', marks: ['SP'] })],
    events: [succeeded('claim11-19', 'pvc-uid11-19')],
  },
  {
    name: '11-20 the class has mount options that the plugin does not support',
    claims: [claim('claim11-20', 'uid11-20', '1Gi', { class: 'unsupported-mountoptions' })],
    plugin: noCalls,
    expectedClaims: [claim('claim11-20', 'uid11-20', '1Gi', { class: 'unsupported-mountoptions', marks: ['SP'] })],
    events: [
      failed(
        'claim11-20',
        'Mount options are not supported by the provisioner but StorageClass "unsupported-mountoptions" has mount options [foo]',
      ),
    ],
  },
  {
    // Upstream's fixture takes every name for a migrated one and therefore expects migrated-to, too; a driver's name is none.
    name: '11-21 the CSI driver that took over from the plugin of the class is asked',
    claims: [claim('claim11-21', 'uid11-21', '1Gi', { class: 'migrated' })],
    plugin: noCalls,
    expectedClaims: [
      claim('claim11-21', 'uid11-21', '1Gi', {
        class: 'migrated',
        annotations: provisionedBy('pd.csi.storage.gke.io'),
      }),
    ],
    events: [external('claim11-21', 'pd.csi.storage.gke.io')],
  },
  {
    name: '11-22 no external provisioner is asked where a volume of the class fits',
    volumes: [volume('volume11-22', '1Gi', { class: 'external' })],
    claims: [claim('claim11-22', 'uid11-22', '1Gi', { class: 'external' })],
    plugin: noCalls,
    expectedVolumes: [
      volume('volume11-22', '1Gi', {
        class: 'external',
        uid: 'uid11-22',
        claim: 'claim11-22',
        phase: 'Bound',
        marks: ['BC'],
      }),
    ],
    expectedClaims: [
      claim('claim11-22', 'uid11-22', '1Gi', {
        class: 'external',
        volume: 'volume11-22',
        phase: 'Bound',
        marks: ['BC', 'BD'],
      }),
    ],
  },
  {
    name: '11-23 a claim whose node is selected gets a new volume although one of the class is free',
    volumes: [volume('volume11-23', '1Gi', { class: 'copper', policy: 'Delete' })],
    claims: [claim('claim11-23', 'uid11-23', '1Gi', { class: 'copper', annotations: onNode1 })],
    nodes: [{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node1' } }],
    plugin: provisionsOnce,
    expectedVolumes: [
      volume('volume11-23', '1Gi', { class: 'copper', policy: 'Delete' }),
      provisioned('11-23', 'copper', 'Pending'),
    ],
    expectedClaims: [claim('claim11-23', 'uid11-23', '1Gi', { class: 'copper', annotations: onNode1, marks: ['SP'] })],
    events: [succeeded('claim11-23', 'pvc-uid11-23')],
  },
  {
    name: '11-24 for a claim whose node is selected an external provisioner is asked although a volume is free',
    volumes: [volume('volume11-24', '1Gi', { class: 'external-wait', policy: 'Delete' })],
    claims: [claim('claim11-24', 'uid11-24', '1Gi', { class: 'external-wait', annotations: onNode1 })],
    expectedClaims: [
      claim('claim11-24', 'uid11-24', '1Gi', {
        class: 'external-wait',
        annotations: { ...onNode1, ...provisionedBy('vendor.com/my-volume-wait') },
      }),
    ],
    events: [external('claim11-24', 'vendor.com/my-volume-wait')],
  },
  {
    name: '11-25 no plugin makes a volume with a data source',
    claims: [claim('claim11-25', 'uid11-25', '1Gi', { class: 'gold', dataSource: snapshot })],
    events: [failed('claim11-25', 'no volume plugin matched name: kubernetes.io/mock-volume')],
  },
  {
    name: '11-26 an external provisioner that was asked for a volume with a data source is waited for',
    claims: [
      claim('claim11-26', 'uid11-26', '1Gi', {
        class: 'csi',
        dataSource: snapshot,
        annotations: { [AnnStorageProvisioner]: 'mydriver.csi.k8s.io' },
      }),
    ],
    plugin: noCalls,
    events: [external('claim11-26', 'mydriver.csi.k8s.io')],
  },
];

describe('TestProvisionSync', () => {
  it.each(rows)('$name', (row) => {
    expect(syncFirstClaim({ classes, ...row })).toEqual(expectedOf(row));
  });
});

/** Set 12: until nothing changes. */
const toRest: readonly Row[] = [
  {
    name: '12-1 a volume is made for a claim and bound to it',
    claims: [claim('claim12-1', 'uid12-1', '1Gi', { class: 'gold' })],
    plugin: provisionsOnce,
    expectedVolumes: [provisioned('12-1', 'gold', 'Bound')],
    expectedClaims: [
      claim('claim12-1', 'uid12-1', '1Gi', {
        class: 'gold',
        volume: 'pvc-uid12-1',
        phase: 'Bound',
        marks: ['BC', 'BD', 'SP'],
      }),
    ],
    events: [succeeded('claim12-1', 'pvc-uid12-1')],
  },
  {
    name: '12-2 a volume of the class that appears while an external provisioner is waited for is bound',
    claims: [claim('claim12-2', 'uid12-2', '1Gi', { class: 'external' })],
    plugin: noCalls,
    beforeOperation: (world, ctrl, nth) => {
      if (nth !== 2) return;
      world.putVolume(volume('pvc-uid12-2', '1Gi', { class: 'external' }));
      ctrl.storeVolumeUpdate(world.readVolume('pvc-uid12-2'));
    },
    expectedVolumes: [
      volume('pvc-uid12-2', '1Gi', {
        class: 'external',
        uid: 'uid12-2',
        claim: 'claim12-2',
        phase: 'Bound',
        marks: ['BC'],
      }),
    ],
    expectedClaims: [
      claim('claim12-2', 'uid12-2', '1Gi', {
        class: 'external',
        annotations: provisionedBy('vendor.com/my-volume'),
        volume: 'pvc-uid12-2',
        phase: 'Bound',
        marks: ['BC', 'BD'],
      }),
    ],
    events: [external('claim12-2', 'vendor.com/my-volume')],
  },
  {
    name: '12-3 a claim waits as long as its external provisioner makes nothing',
    claims: [claim('claim12-3', 'uid12-3', '1Gi', { class: 'external' })],
    plugin: provisionsOnce,
    expectedClaims: [
      claim('claim12-3', 'uid12-3', '1Gi', { class: 'external', annotations: provisionedBy('vendor.com/my-volume') }),
    ],
    events: [external('claim12-3', 'vendor.com/my-volume')],
  },
  {
    name: '12-4 a volume that an external provisioner makes for the claim is bound',
    claims: [claim('claim12-4', 'uid12-4', '1Gi', { class: 'external' })],
    plugin: noCalls,
    beforeOperation: (world, ctrl, nth) => {
      if (nth !== 2) return;
      world.putVolume(
        volume('pvc-uid12-4', '1Gi', {
          class: 'external',
          uid: 'uid12-4',
          claim: 'claim12-4',
          phase: 'Bound',
          marks: ['BC'],
        }),
      );
      ctrl.storeVolumeUpdate(world.readVolume('pvc-uid12-4'));
    },
    expectedVolumes: [
      volume('pvc-uid12-4', '1Gi', {
        class: 'external',
        uid: 'uid12-4',
        claim: 'claim12-4',
        phase: 'Bound',
        marks: ['BC'],
      }),
    ],
    expectedClaims: [
      claim('claim12-4', 'uid12-4', '1Gi', {
        class: 'external',
        annotations: provisionedBy('vendor.com/my-volume'),
        volume: 'pvc-uid12-4',
        phase: 'Bound',
        marks: ['BC', 'BD'],
      }),
    ],
    events: [external('claim12-4', 'vendor.com/my-volume')],
  },
];

describe('TestProvisionMultiSync', () => {
  it.each(toRest)('$name', (row) => {
    expect(syncClaimsToRest({ classes, ...row })).toEqual(expectedOf(row));
  });
});

describe('TestDisablingDynamicProvisioner', () => {
  it('nothing is made and nothing is said where dynamic provisioning is disabled', () => {
    const row: Row = {
      name: '',
      claims: [claim('claim11-1', 'uid11-1', '1Gi', { class: 'gold' })],
      plugin: provisionsOnce,
      dynamicProvisioning: false,
    };
    expect(syncFirstClaim({ classes, ...row })).toEqual(expectedOf(row));
  });
});

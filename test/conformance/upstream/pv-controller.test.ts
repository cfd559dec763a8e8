import { describe, expect, it } from 'vitest';
import {
  AnnBetaStorageClass,
  AnnBetaStorageProvisioner,
  AnnDynamicallyProvisioned,
  AnnIsDefaultClass,
  AnnMigratedTo,
  AnnPreResizeCapacity,
  AnnStorageProvisioner,
  ExternalProvisionerFinalizer,
  InTreeFinalizer,
} from '../../../src/api/annotations.ts';
import type { Annotations, PersistentVolume, StorageClass } from '../../../src/api/objects.ts';
import { chooseFirst } from '../../../src/engine/choose.ts';
import { Controller } from '../../../src/engine/pv-controller/controller.ts';
import { modifyDeletionFinalizers, updateMigrationAnnotations } from '../../../src/engine/pv-controller/metadata.ts';
import { SyncError } from '../../../src/engine/pv-controller/sync-error.ts';
import { World } from '../../../src/engine/world.ts';
import {
  Cluster,
  claim,
  expectedOf,
  features,
  type Row,
  storageClass,
  syncFirstClaim,
  type VolumeColumns,
  volume,
} from './fixture.ts';

// kubernetes/kubernetes pkg/controller/volume/persistentvolume/pv_controller_test.go (1.37); specification pv-controller 15.5, 15.10
// (finalizers) and 15.11. Start times of operations and latencies, which rows 5-5 to 5-8 ask for besides, are not simulated.

/** Set 5: what somebody does to a cluster whose controller is at rest. */
interface Story extends Row {
  readonly meanwhile: (cluster: Cluster) => void;
}

const provisioner = 'gcr.io/vendor-csi';
const external = storageClass('external', provisioner);
const lostVolume = (name: string): string =>
  `claim ${name}: Warning ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!`;
const preResize = { [AnnPreResizeCapacity]: '1Gi' };
const nothing = (): void => {};

const stories: readonly Story[] = [
  {
    name: '5-2 a new claim binds to the volume that fits',
    volumes: [volume('volume5-2', '1Gi')],
    meanwhile: ({ world }) => world.putClaim(claim('claim5-2', 'uid5-2', '1Gi')),
    expectedVolumes: [volume('volume5-2', '1Gi', { uid: 'uid5-2', claim: 'claim5-2', phase: 'Bound', marks: ['BC'] })],
    expectedClaims: [claim('claim5-2', 'uid5-2', '1Gi', { volume: 'volume5-2', phase: 'Bound', marks: ['BC', 'BD'] })],
  },
  {
    name: '5-2-2 a volume and a claim that exist when the controller starts are bound',
    volumes: [volume('volume5-2', '1Gi')],
    claims: [claim('claim5-2', 'uid5-2', '1Gi')],
    meanwhile: nothing,
    expectedVolumes: [volume('volume5-2', '1Gi', { uid: 'uid5-2', claim: 'claim5-2', phase: 'Bound', marks: ['BC'] })],
    expectedClaims: [claim('claim5-2', 'uid5-2', '1Gi', { volume: 'volume5-2', phase: 'Bound', marks: ['BC', 'BD'] })],
  },
  {
    name: '5-2-3 a claim bound to a volume that is being resized gets the capacity that it had before',
    volumes: [volume('volume5-2', '2Gi', { annotations: preResize })],
    meanwhile: ({ world }) => world.putClaim(claim('claim5-2', 'uid5-2', '2Gi', { capacity: '2Gi' })),
    expectedVolumes: [
      volume('volume5-2', '2Gi', {
        annotations: preResize,
        uid: 'uid5-2',
        claim: 'claim5-2',
        phase: 'Bound',
        marks: ['BC'],
      }),
    ],
    expectedClaims: [
      claim('claim5-2', 'uid5-2', '2Gi', {
        volume: 'volume5-2',
        phase: 'Bound',
        capacity: '1Gi',
        marks: ['BC', 'BD'],
      }),
    ],
  },
  {
    name: '5-3 the volume of a claim that is deleted is Released',
    volumes: [volume('volume5-3', '10Gi', { uid: 'uid5-3', claim: 'claim5-3', phase: 'Bound', marks: ['BC'] })],
    claims: [claim('claim5-3', 'uid5-3', '1Gi', { volume: 'volume5-3', phase: 'Bound', marks: ['BC', 'BD'] })],
    meanwhile: (cluster) => cluster.deleteClaim('default/claim5-3'),
    expectedVolumes: [
      volume('volume5-3', '10Gi', { uid: 'uid5-3', claim: 'claim5-3', phase: 'Released', marks: ['BC'] }),
    ],
    expectedClaims: [],
  },
  {
    name: '5-4 the claim of a volume that is deleted is Lost',
    volumes: [volume('volume5-4', '1Gi', { uid: 'uid5-4', claim: 'claim5-4', phase: 'Bound' })],
    claims: [claim('claim5-4', 'uid5-4', '1Gi', { volume: 'volume5-4', phase: 'Bound', marks: ['BC', 'BD'] })],
    meanwhile: (cluster) => cluster.deleteVolume('volume5-4'),
    expectedVolumes: [],
    expectedClaims: [claim('claim5-4', 'uid5-4', '1Gi', { volume: 'volume5-4', phase: 'Lost', marks: ['BC', 'BD'] })],
    events: [lostVolume('claim5-4')],
  },
  {
    name: '5-5 an external deleter deletes the volume of a claim that is deleted',
    volumes: [
      volume('volume5-5', '10Gi', {
        uid: 'uid5-5',
        claim: 'claim5-5',
        phase: 'Bound',
        policy: 'Delete',
        class: 'external',
        marks: ['BC'],
        annotations: { [AnnDynamicallyProvisioned]: provisioner },
      }),
    ],
    claims: [
      claim('claim5-5', 'uid5-5', '1Gi', {
        volume: 'volume5-5',
        phase: 'Bound',
        class: 'external',
        marks: ['BC', 'BD'],
        annotations: { [AnnStorageProvisioner]: provisioner },
      }),
    ],
    meanwhile: (cluster) => {
      cluster.deleteClaim('default/claim5-5');
      expect(cluster.world.readVolume('volume5-5').status?.phase).toBe('Released');
      cluster.deleteVolume('volume5-5');
    },
    expectedVolumes: [],
    expectedClaims: [],
  },
  {
    name: '5-6 a volume that waits for its external deleter stays Released',
    volumes: [volumeOfDriver('Bound')],
    claims: [
      claim('claim5-6', 'uid5-6', '1Gi', {
        volume: 'volume5-6',
        phase: 'Bound',
        class: 'external',
        marks: ['BC', 'BD'],
        annotations: { [AnnStorageProvisioner]: provisioner },
      }),
    ],
    meanwhile: (cluster) => cluster.deleteClaim('default/claim5-6'),
    expectedVolumes: [volumeOfDriver('Released')],
    expectedClaims: [],
  },
  {
    name: '5-7 a claim is Lost when its volume is deleted, and can be deleted then',
    volumes: [
      volume('volume5-7', '10Gi', {
        uid: 'uid5-7',
        claim: 'claim5-7',
        phase: 'Bound',
        policy: 'Delete',
        class: 'external',
        marks: ['BC', 'DP'],
      }),
    ],
    claims: [
      claim('claim5-7', 'uid5-7', '1Gi', {
        volume: 'volume5-7',
        phase: 'Bound',
        class: 'external',
        marks: ['BC', 'BD'],
        annotations: { [AnnStorageProvisioner]: provisioner },
      }),
    ],
    meanwhile: (cluster) => {
      cluster.deleteVolume('volume5-7');
      expect(cluster.world.claim('default/claim5-7')?.status).toEqual({ phase: 'Lost' });
      cluster.deleteClaim('default/claim5-7');
    },
    expectedVolumes: [],
    expectedClaims: [],
    events: [lostVolume('claim5-7')],
  },
  {
    name: '5-8 a claim that waits for its external provisioner can be deleted',
    claims: [
      claim('claim5-8', 'uid5-8', '1Gi', {
        class: 'external',
        annotations: { [AnnStorageProvisioner]: provisioner },
      }),
    ],
    meanwhile: (cluster) => cluster.deleteClaim('default/claim5-8'),
    expectedClaims: [],
    events: [
      `claim claim5-8: Normal ExternalProvisioning: Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`,
    ],
  },
  {
    name: '5-9 a volume whose plugin is not migrated any more loses what migration left on it',
    volumes: [
      volume('volume-5-9', '1Gi', {
        policy: 'Delete',
        marks: ['DP'],
        annotations: { [AnnMigratedTo]: 'pd.csi.storage.gke.io' },
        finalizers: [ExternalProvisionerFinalizer],
      }),
    ],
    meanwhile: nothing,
    expectedVolumes: [volume('volume-5-9', '1Gi', { policy: 'Delete', marks: ['DP'], finalizers: [InTreeFinalizer] })],
  },
];

function volumeOfDriver(phase: string): PersistentVolume {
  return volume('volume5-6', '10Gi', {
    uid: 'uid5-6',
    claim: 'claim5-6',
    phase,
    policy: 'Delete',
    class: 'external',
    driver: 'fake.driver.csi',
    marks: ['BC'],
    annotations: { [AnnDynamicallyProvisioned]: provisioner },
  });
}

describe('TestControllerSync', () => {
  it.each(stories)('$name', (story) => {
    const cluster = new Cluster({ classes: [external], ...story });
    cluster.settle();
    story.meanwhile(cluster);
    cluster.settle();
    expect(cluster.result()).toEqual(expectedOf(story));
  });
});

describe('the cache of the controller', () => {
  const versioned = (resourceVersion: string): PersistentVolume => {
    const one = volume('pvName', '1Gi', { policy: 'Delete' });
    return { ...one, metadata: { ...one.metadata, resourceVersion } };
  };
  const newController = (): Controller =>
    new Controller(new World([], [], { classes: new Map(), pods: [], nodes: [], lacks: () => false }), {
      features,
      choose: chooseFirst,
      plugins: [],
      dynamicProvisioning: true,
    });

  it('TestControllerCache: takes what is as new as what it has, or newer, and compares versions as numbers', () => {
    const ctrl = newController();
    const stored = ['1', '1', '2', '1', '10'].map((version) => [
      ctrl.storeVolumeUpdate(versioned(version)),
      ctrl.volumes.get('pvName')?.metadata.resourceVersion,
    ]);
    expect(stored).toEqual([
      [true, '1'],
      [true, '1'],
      [true, '2'],
      [false, '2'],
      [true, '10'],
    ]);
  });

  it('TestControllerCacheParsingError: refuses a version that is no number', () => {
    const ctrl = newController();
    ctrl.storeVolumeUpdate(versioned('1'));
    expect(() => ctrl.storeVolumeUpdate(versioned('xxx'))).toThrow(SyncError);
    expect(ctrl.volumes.get('pvName')?.metadata.resourceVersion).toBe('1');
  });
});

describe('TestAnnealMigrationAnnotations', () => {
  const migratedPlugin = 'kubernetes.io/gce-pd';
  const migratedDriver = 'pd.csi.storage.gke.io';
  const otherPlugin = 'kubernetes.io/rbd';
  const otherDriver = 'rbd.csi.ceph.com';

  interface Case {
    readonly name: string;
    readonly volume: Annotations | undefined;
    readonly claim: Annotations | undefined;
    /** What pv.kubernetes.io/migrated-to is afterwards. */
    readonly migratedTo?: string;
  }

  const cases: readonly Case[] = [
    {
      name: 'migration on',
      volume: { [AnnDynamicallyProvisioned]: migratedPlugin },
      claim: { [AnnStorageProvisioner]: migratedPlugin },
      migratedTo: migratedDriver,
    },
    {
      name: 'migration on, the claim has the beta annotation',
      volume: { [AnnDynamicallyProvisioned]: migratedPlugin },
      claim: { [AnnBetaStorageProvisioner]: migratedPlugin },
      migratedTo: migratedDriver,
    },
    {
      name: 'migration off',
      volume: { [AnnDynamicallyProvisioned]: otherPlugin },
      claim: { [AnnStorageProvisioner]: otherPlugin },
    },
    {
      name: 'migration off after it was on',
      volume: { [AnnDynamicallyProvisioned]: otherPlugin, [AnnMigratedTo]: otherDriver },
      claim: { [AnnStorageProvisioner]: otherPlugin, [AnnMigratedTo]: otherDriver },
    },
    {
      name: 'migration off after it was on, the claim has the beta annotation',
      volume: { [AnnDynamicallyProvisioned]: otherPlugin, [AnnMigratedTo]: otherDriver },
      claim: { [AnnBetaStorageProvisioner]: otherPlugin, [AnnMigratedTo]: otherDriver },
    },
    {
      name: 'migration on for another plugin',
      volume: { [AnnDynamicallyProvisioned]: 'non-migrated-plugin' },
      claim: { [AnnStorageProvisioner]: 'non-migrated-plugin' },
    },
    { name: 'not provisioned', volume: {}, claim: {} },
    { name: 'no annotations', volume: undefined, claim: undefined },
  ];

  it.each(cases)('$name', (row) => {
    const expected = (before: Annotations | undefined): Annotations | undefined => {
      if (before === undefined) return undefined;
      const { [AnnMigratedTo]: _migratedTo, ...rest } = before;
      return row.migratedTo === undefined ? rest : { ...rest, [AnnMigratedTo]: row.migratedTo };
    };
    expect(updateMigrationAnnotations(features, row.volume, 'volume')).toEqual(expected(row.volume));
    expect(updateMigrationAnnotations(features, row.claim, 'claim')).toEqual(expected(row.claim));
  });
});

describe('TestModifyDeletionFinalizers', () => {
  const custom = 'test.volume.kubernetes.io/finalizer';
  const bound: VolumeColumns = {
    uid: 'uid11-23',
    claim: 'claim11-23',
    phase: 'Bound',
    policy: 'Delete',
    class: 'copper',
  };
  const inTree: VolumeColumns = { ...bound, marks: ['DP', 'BC'] };
  const driver = 'rbd.csi.ceph.com';
  const ofDriver: VolumeColumns = {
    ...bound,
    driver,
    marks: ['BC'],
    annotations: { [AnnDynamicallyProvisioned]: driver },
  };
  const migrated: VolumeColumns = {
    ...bound,
    annotations: {
      [AnnDynamicallyProvisioned]: 'kubernetes.io/gce-pd',
      [AnnMigratedTo]: 'pd.csi.storage.gke.io',
    },
  };

  interface Case {
    readonly name: string;
    readonly volume: VolumeColumns;
    readonly finalizers?: readonly string[];
    /** Left out where they stay as they are. */
    readonly expected?: readonly string[];
  }

  const cases: readonly Case[] = [
    {
      name: '13-1 a volume of an external driver keeps its finalizer',
      volume: ofDriver,
      finalizers: [ExternalProvisionerFinalizer],
    },
    { name: '13-2 a volume of an external driver gets none', volume: ofDriver },
    {
      name: '13-3 a volume of a plugin gets the finalizer beside what it has',
      volume: inTree,
      finalizers: [custom],
      expected: [custom, InTreeFinalizer],
    },
    { name: '13-4 a volume of a plugin gets the finalizer', volume: inTree, expected: [InTreeFinalizer] },
    {
      name: "13-5 the finalizer takes the place of the external provisioner's",
      volume: inTree,
      finalizers: [ExternalProvisionerFinalizer],
      expected: [InTreeFinalizer],
    },
    {
      name: "13-6 only the external provisioner's finalizer goes",
      volume: inTree,
      finalizers: [ExternalProvisionerFinalizer, custom],
      expected: [custom, InTreeFinalizer],
    },
    {
      name: "13-7 a migrated volume keeps the external provisioner's finalizer and loses the other",
      volume: migrated,
      finalizers: [ExternalProvisionerFinalizer, InTreeFinalizer],
      expected: [ExternalProvisionerFinalizer],
    },
    {
      name: '13-8 migration of another plugin changes nothing',
      volume: inTree,
      finalizers: [ExternalProvisionerFinalizer],
      expected: [InTreeFinalizer],
    },
    {
      name: '13-9 migration of another plugin changes nothing about several finalizers',
      volume: inTree,
      finalizers: [ExternalProvisionerFinalizer, custom],
      expected: [custom, InTreeFinalizer],
    },
    {
      name: '13-10 a volume that nobody provisioned keeps a finalizer',
      volume: bound,
      finalizers: [ExternalProvisionerFinalizer],
    },
    { name: '13-11 a volume that nobody provisioned gets none', volume: bound },
    { name: '13-12 a volume with policy Retain gets none', volume: { ...inTree, policy: 'Retain' } },
    { name: '13-13 a volume with policy Recycle gets none', volume: { ...inTree, policy: 'Recycle' } },
    {
      name: '13-14 a volume with policy Retain loses it',
      volume: { ...inTree, policy: 'Retain' },
      finalizers: [InTreeFinalizer],
      expected: [],
    },
    { name: '13-15 a static volume gets none', volume: { policy: 'Delete', class: 'copper' } },
  ];

  it.each(cases)('$name', ({ volume: columns, finalizers, expected }) => {
    const one = volume('volume-13', '1Gi', { ...columns, ...(finalizers === undefined ? {} : { finalizers }) });
    const modified = modifyDeletionFinalizers(features, one);
    if (expected === undefined) expect(modified).toBe(one.metadata.finalizers);
    else expect(modified).toEqual(expected);
  });
});

const unusable = (name: string, annotations?: Annotations): StorageClass =>
  storageClass(
    name,
    'kubernetes.io/no-provisioner',
    annotations === undefined ? {} : { metadata: { name, annotations } },
  );
const isDefault = { [AnnIsDefaultClass]: 'true' };
const gold = unusable('gold', isDefault);

/** Set 15 */
const retroactive: readonly Row[] = [
  {
    name: '15-1 a claim without a class keeps none where there is no default class',
    claims: [claim('claim15-1', 'uid15-1', '1Gi')],
    events: [
      'claim claim15-1: Normal FailedBinding: no persistent volumes available for this claim and no storage class is set',
    ],
  },
  {
    name: '15-3 a bound claim keeps its class although it is Lost',
    classes: [gold, unusable('silver')],
    claims: [
      claim('claim15-3', 'uid15-3', '1Gi', { volume: 'test', phase: 'Bound', class: 'copper', marks: ['BC', 'BD'] }),
    ],
    expectedClaims: [
      claim('claim15-3', 'uid15-3', '1Gi', { volume: 'test', phase: 'Lost', class: 'copper', marks: ['BC', 'BD'] }),
    ],
    events: [lostVolume('claim15-3')],
  },
  {
    name: '15-4 a claim that calls itself Bound keeps its class although it is reset to Pending',
    classes: [gold, unusable('silver')],
    claims: [claim('claim15-4', 'uid15-4', '1Gi', { volume: 'test', phase: 'Bound', class: 'copper' })],
    expectedClaims: [claim('claim15-4', 'uid15-4', '1Gi', { volume: 'test', class: 'copper' })],
  },
  {
    name: '15-5 a claim without a class gets the default class, and nothing else in this sync',
    classes: [gold, unusable('silver')],
    claims: [claim('claim15-5', 'uid15-5', '1Gi')],
    expectedClaims: [claim('claim15-5', 'uid15-5', '1Gi', { class: 'gold' })],
  },
  {
    name: '15-2 of two equally old default classes a claim gets the first by name',
    classes: [unusable('silver', isDefault), gold],
    claims: [claim('claim15-2', 'uid15-2', '1Gi')],
    expectedClaims: [claim('claim15-2', 'uid15-2', '1Gi', { class: 'gold' })],
  },
  {
    name: '15-6 a claim with a class keeps it',
    classes: [gold, unusable('copper')],
    claims: [claim('claim15-6', 'uid15-6', '1Gi', { class: 'copper' })],
    events: [
      'claim claim15-6: Warning ProvisioningFailed: no volume plugin matched name: kubernetes.io/no-provisioner',
    ],
  },
  {
    name: '15-7 a claim with a class in the annotation of old keeps it',
    classes: [gold, unusable('copper')],
    claims: [claim('claim15-7', 'uid15-7', '1Gi', { annotations: { [AnnBetaStorageClass]: 'yes' } })],
    events: ['claim claim15-7: Warning ProvisioningFailed: storageclass.storage.k8s.io "yes" not found'],
  },
];

describe('TestRetroactiveStorageClassAssignment', () => {
  it.each(retroactive)('$name', (row) => {
    expect(syncFirstClaim(row)).toEqual(expectedOf(row));
  });
});

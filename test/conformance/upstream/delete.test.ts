import { describe, expect, it } from 'vitest';
import { AnnDynamicallyProvisioned, AnnMigratedTo, InTreeFinalizer } from '../../../src/api/annotations.ts';
import { claim, expectedOf, type Row, syncFirstVolume, syncVolumesToRest, volume } from './fixture.ts';

// kubernetes/kubernetes pkg/controller/volume/persistentvolume/delete_test.go (1.37); specification pv-controller 15.7.

const failedDelete = (name: string, message: string): string =>
  `volume ${name}: Warning VolumeFailedDelete: ${message}`;
const noDeleter = 'error getting deleter volume plugin for volume "volume8-3": no volume plugin matched';
const noDeleteCalls = 'failed to create deleter for volume "volume8-4": Mock plugin error: no deleteCalls configured';

const policy = 'Delete';
const gceDriver = 'pd.csi.storage.gke.io';
const byExternal = { [AnnDynamicallyProvisioned]: 'external.io/test' };
const migrated = { [AnnDynamicallyProvisioned]: 'kubernetes.io/gce-pd', [AnnMigratedTo]: gceDriver };

/** Set 8 */
const rows: readonly Row[] = [
  {
    name: '8-1 a volume that the controller bound is deleted',
    volumes: [volume('volume8-1', '1Gi', { uid: 'uid8-1', claim: 'claim8-1', phase: 'Bound', policy, marks: ['BC'] })],
    plugin: { delete: ['succeeds'] },
    expectedVolumes: [],
  },
  {
    name: '8-2 a volume that a user bound is deleted',
    volumes: [volume('volume8-2', '1Gi', { uid: 'uid8-2', claim: 'claim8-2', phase: 'Bound', policy })],
    plugin: { delete: ['succeeds'] },
    expectedVolumes: [],
  },
  {
    name: '8-3 a volume for which there is no plugin is Failed',
    volumes: [volume('volume8-3', '1Gi', { uid: 'uid8-3', claim: 'claim8-3', phase: 'Bound', policy })],
    expectedVolumes: [
      volume('volume8-3', '1Gi', {
        uid: 'uid8-3',
        claim: 'claim8-3',
        phase: 'Failed',
        policy,
        message: noDeleter,
      }),
    ],
    events: [failedDelete('volume8-3', noDeleter)],
  },
  {
    name: '8-4 a volume for which no deleter can be made is Failed',
    volumes: [volume('volume8-4', '1Gi', { uid: 'uid8-4', claim: 'claim8-4', phase: 'Bound', policy })],
    plugin: { delete: [] },
    expectedVolumes: [
      volume('volume8-4', '1Gi', {
        uid: 'uid8-4',
        claim: 'claim8-4',
        phase: 'Failed',
        policy,
        message: noDeleteCalls,
      }),
    ],
    events: [failedDelete('volume8-4', noDeleteCalls)],
  },
  {
    name: '8-5 a volume that cannot be deleted is Failed',
    volumes: [volume('volume8-5', '1Gi', { uid: 'uid8-5', claim: 'claim8-5', phase: 'Bound', policy })],
    plugin: { delete: [{ fails: 'Mock delete error' }] },
    expectedVolumes: [
      volume('volume8-5', '1Gi', {
        uid: 'uid8-5',
        claim: 'claim8-5',
        phase: 'Failed',
        policy,
        message: 'Mock delete error',
      }),
    ],
    events: [failedDelete('volume8-5', 'Mock delete error')],
  },
  {
    name: '8-6 a volume that is gone before it is deleted is left alone',
    volumes: [volume('volume8-6', '1Gi', { uid: 'uid8-6', claim: 'claim8-6', phase: 'Bound', policy })],
    plugin: { delete: [] },
    beforeOperation: (world) => world.removeVolume('volume8-6'),
    expectedVolumes: [],
  },
  {
    // The deleter works, so that a mistake shows; what upstream's failing one would have written is refused as out of date.
    name: '8-7 a volume whose claim comes back before it is deleted is kept',
    volumes: [volume('volume8-7', '1Gi', { uid: 'uid8-7', claim: 'claim8-7', phase: 'Bound', policy, marks: ['BC'] })],
    plugin: { delete: ['succeeds'] },
    beforeOperation: (world, ctrl) => {
      const released = world.readVolume('volume8-7');
      expect(released.status?.phase).toBe('Released');
      world.putVolume({ ...released, status: { phase: 'Bound' } });
      const back = claim('claim8-7', 'uid8-7', '10Gi', { volume: 'volume8-7', phase: 'Bound' });
      world.putClaim(back);
      ctrl.storeClaimUpdate(back);
    },
    expectedClaims: [claim('claim8-7', 'uid8-7', '10Gi', { volume: 'volume8-7', phase: 'Bound' })],
  },
  {
    name: '8-9 a volume is deleted although a new claim has the name of its former one',
    volumes: [volume('volume8-9', '1Gi', { uid: 'uid8-9', claim: 'claim8-9', phase: 'Bound', policy })],
    claims: [claim('claim8-9', 'uid8-9-x', '10Gi')],
    plugin: { delete: ['succeeds'] },
    expectedVolumes: [],
  },
  {
    name: '8-10-1 a volume that an external provisioner made is left to it',
    volumes: [
      volume('volume8-10-1', '1Gi', {
        uid: 'uid10-1-1',
        claim: 'claim10-1-1',
        phase: 'Bound',
        policy,
        driver: gceDriver,
        marks: ['BC'],
        annotations: byExternal,
      }),
    ],
    expectedVolumes: [
      volume('volume8-10-1', '1Gi', {
        uid: 'uid10-1-1',
        claim: 'claim10-1-1',
        phase: 'Released',
        policy,
        driver: gceDriver,
        marks: ['BC'],
        annotations: byExternal,
      }),
    ],
  },
  {
    name: '8-10-2 a CSI volume that nobody provisioned is left to its driver',
    volumes: [
      volume('volume8-10-2', '1Gi', {
        uid: 'uid10-1-2',
        claim: 'claim10-1-2',
        phase: 'Bound',
        policy,
        driver: gceDriver,
        marks: ['BC'],
      }),
    ],
    expectedVolumes: [
      volume('volume8-10-2', '1Gi', {
        uid: 'uid10-1-2',
        claim: 'claim10-1-2',
        phase: 'Released',
        policy,
        driver: gceDriver,
        marks: ['BC'],
      }),
    ],
  },
  {
    name: '8-10-3 a migrated volume is left to its driver',
    volumes: [
      volume('volume8-10-3', '1Gi', {
        uid: 'uid10-1-3',
        claim: 'claim10-1-3',
        phase: 'Bound',
        policy,
        annotations: migrated,
      }),
    ],
    expectedVolumes: [
      volume('volume8-10-3', '1Gi', {
        uid: 'uid10-1-3',
        claim: 'claim10-1-3',
        phase: 'Released',
        policy,
        annotations: migrated,
      }),
    ],
  },
  {
    name: '8-11 of two volumes made for one claim, that which the claim does not have is deleted',
    volumes: [
      volume('volume8-11-1', '1Gi', { uid: 'uid8-11', claim: 'claim8-11', phase: 'Bound', policy, marks: ['DP'] }),
      volume('volume8-11-2', '1Gi', { uid: 'uid8-11', claim: 'claim8-11', phase: 'Bound', policy, marks: ['DP'] }),
    ],
    claims: [claim('claim8-11', 'uid8-11', '10Gi', { volume: 'volume8-11-2', phase: 'Bound' })],
    plugin: { delete: ['succeeds'] },
    expectedVolumes: [
      volume('volume8-11-2', '1Gi', { uid: 'uid8-11', claim: 'claim8-11', phase: 'Bound', policy, marks: ['DP'] }),
    ],
  },
  {
    name: '8-12 of two volumes that external provisioners made for one claim, that which it does not have is Released',
    volumes: [
      volume('volume8-12-1', '1Gi', {
        uid: 'uid8-12',
        claim: 'claim8-12',
        phase: 'Bound',
        policy,
        driver: gceDriver,
        annotations: byExternal,
      }),
      volume('volume8-12-2', '1Gi', {
        uid: 'uid8-12',
        claim: 'claim8-12',
        phase: 'Bound',
        policy,
        driver: gceDriver,
        annotations: { [AnnDynamicallyProvisioned]: gceDriver },
      }),
    ],
    claims: [claim('claim8-12', 'uid8-12', '10Gi', { volume: 'volume8-12-2', phase: 'Bound' })],
    expectedVolumes: [
      volume('volume8-12-1', '1Gi', {
        uid: 'uid8-12',
        claim: 'claim8-12',
        phase: 'Released',
        policy,
        driver: gceDriver,
        annotations: byExternal,
      }),
      volume('volume8-12-2', '1Gi', {
        uid: 'uid8-12',
        claim: 'claim8-12',
        phase: 'Bound',
        policy,
        driver: gceDriver,
        annotations: { [AnnDynamicallyProvisioned]: gceDriver },
      }),
    ],
  },
  {
    name: '8-13 a volume that somebody is deleting is deleted with its storage',
    volumes: [
      volume('volume8-13', '1Gi', {
        uid: 'uid8-13',
        claim: 'claim8-13',
        phase: 'Bound',
        policy,
        marks: ['BC'],
        deletionTimestamp: '2020-02-18T10:30:30Z',
        finalizers: [InTreeFinalizer],
      }),
    ],
    plugin: { delete: ['succeeds'] },
    expectedVolumes: [],
  },
];

describe('TestDeleteSync', () => {
  it.each(rows)('$name', (row) => {
    expect(syncFirstVolume(row)).toEqual(expectedOf(row));
  });
});

/** Set 9: until nothing changes. */
const toRest: readonly Row[] = [
  {
    name: '9-1 a deletion that failed is tried again after a pause',
    volumes: [
      volume('volume9-1', '1Gi', {
        uid: 'uid9-1',
        claim: 'claim9-1',
        phase: 'Bound',
        policy,
        finalizers: [InTreeFinalizer],
      }),
    ],
    plugin: { delete: [{ fails: 'Mock delete error' }, 'succeeds'] },
    expectedVolumes: [],
    events: [failedDelete('volume9-1', 'Mock delete error')],
  },
];

describe('TestDeleteMultiSync', () => {
  it.each(toRest)('$name', (row) => {
    expect(syncVolumesToRest(row, { pause: true })).toEqual(expectedOf(row));
  });
});

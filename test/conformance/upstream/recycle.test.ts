import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/objects.ts';
import {
  claim,
  expectedOf,
  type Interruption,
  type Row,
  syncFirstVolume,
  syncVolumesToRest,
  volume,
} from './fixture.ts';

// kubernetes/kubernetes pkg/controller/volume/persistentvolume/recycle_test.go (1.37); specification pv-controller 15.6.

const recycled = (name: string): string => `volume ${name}: Normal VolumeRecycled: Volume recycled`;
const failed = (name: string, message: string): string => `volume ${name}: Warning VolumeFailedRecycle: ${message}`;
const inUse = (name: string, pod: string): string =>
  `volume ${name}: Normal VolumeFailedRecycle: Volume is used by pods: default/${pod}`;

function pod(name: string, claimName: string, phase: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { volumes: [{ name: 'vol1', persistentVolumeClaim: { claimName } }] },
    status: { phase },
  };
}

const pods = [
  pod('runningPod', 'runningClaim', 'Running'),
  pod('pendingPod', 'pendingClaim', 'Pending'),
  pod('completedPod', 'completedClaim', 'Succeeded'),
];

/** Somebody else has recycled the volume meanwhile. */
const markVolumeAvailable =
  (name: string): Interruption =>
  (world) => {
    const { metadata, spec } = world.readVolume(name);
    const { annotations: _annotations, ...otherMetadata } = metadata;
    const { claimRef: _claimRef, ...otherSpec } = spec;
    world.putVolume({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: otherMetadata,
      spec: otherSpec,
      status: { phase: 'Available' },
    });
  };

const policy = 'Recycle';
const noCalls = 'Recycle failed: Mock plugin error: no recycleCalls configured';

/** Set 6 */
const rows: readonly Row[] = [
  {
    name: '6-1 a volume that the controller bound is recycled and forgets its claim',
    volumes: [volume('volume6-1', '1Gi', { uid: 'uid6-1', claim: 'claim6-1', phase: 'Bound', policy, marks: ['BC'] })],
    plugin: { recycle: ['succeeds'] },
    expectedVolumes: [volume('volume6-1', '1Gi', { policy })],
    events: [recycled('volume6-1')],
  },
  {
    name: '6-2 a volume that a user bound is recycled and stays reserved by name',
    volumes: [volume('volume6-2', '1Gi', { uid: 'uid6-2', claim: 'claim6-2', phase: 'Bound', policy })],
    plugin: { recycle: ['succeeds'] },
    expectedVolumes: [volume('volume6-2', '1Gi', { claim: 'claim6-2', policy })],
    events: [recycled('volume6-2')],
  },
  {
    name: '6-3 a volume for which there is no recycler is Failed',
    volumes: [volume('volume6-3', '1Gi', { uid: 'uid6-3', claim: 'claim6-3', phase: 'Bound', policy })],
    expectedVolumes: [
      volume('volume6-3', '1Gi', {
        uid: 'uid6-3',
        claim: 'claim6-3',
        phase: 'Failed',
        policy,
        message: 'No recycler plugin found for the volume!',
      }),
    ],
    events: [failed('volume6-3', 'No recycler plugin found for the volume!')],
  },
  {
    name: '6-4 a volume whose recycler cannot start is Failed',
    volumes: [volume('volume6-4', '1Gi', { uid: 'uid6-4', claim: 'claim6-4', phase: 'Bound', policy })],
    plugin: { recycle: [] },
    expectedVolumes: [
      volume('volume6-4', '1Gi', { uid: 'uid6-4', claim: 'claim6-4', phase: 'Failed', policy, message: noCalls }),
    ],
    events: [failed('volume6-4', noCalls)],
  },
  {
    name: '6-5 a volume that cannot be recycled is Failed',
    volumes: [volume('volume6-5', '1Gi', { uid: 'uid6-5', claim: 'claim6-5', phase: 'Bound', policy })],
    plugin: { recycle: [{ fails: 'Mock recycle error' }] },
    expectedVolumes: [
      volume('volume6-5', '1Gi', {
        uid: 'uid6-5',
        claim: 'claim6-5',
        phase: 'Failed',
        policy,
        message: 'Recycle failed: Mock recycle error',
      }),
    ],
    events: [failed('volume6-5', 'Recycle failed: Mock recycle error')],
  },
  {
    name: '6-6 a volume that is gone before it is recycled is left alone',
    volumes: [volume('volume6-6', '1Gi', { uid: 'uid6-6', claim: 'claim6-6', phase: 'Bound', policy })],
    plugin: { recycle: [] },
    beforeOperation: (world) => world.removeVolume('volume6-6'),
    expectedVolumes: [],
  },
  {
    name: '6-7 a volume that the controller bound and that is Available before it is recycled is left alone',
    volumes: [volume('volume6-7', '1Gi', { uid: 'uid6-7', claim: 'claim6-7', phase: 'Bound', policy, marks: ['BC'] })],
    plugin: { recycle: [] },
    beforeOperation: markVolumeAvailable('volume6-7'),
    expectedVolumes: [volume('volume6-7', '1Gi', { policy })],
  },
  {
    name: '6-8 a volume that a user bound and that is Available before it is recycled is left alone',
    volumes: [volume('volume6-8', '1Gi', { uid: 'uid6-8', claim: 'claim6-8', phase: 'Bound', policy })],
    plugin: { recycle: [] },
    beforeOperation: markVolumeAvailable('volume6-8'),
    expectedVolumes: [volume('volume6-8', '1Gi', { policy })],
  },
  {
    name: '6-9 a volume is recycled although a new claim has the name of its former one',
    volumes: [volume('volume6-9', '1Gi', { uid: 'uid6-9', claim: 'claim6-9', phase: 'Bound', policy })],
    claims: [claim('claim6-9', 'uid6-9-x', '10Gi')],
    plugin: { recycle: ['succeeds'] },
    expectedVolumes: [volume('volume6-9', '1Gi', { claim: 'claim6-9', policy })],
    events: [recycled('volume6-9')],
  },
  {
    name: '6-10 a volume with an unknown reclaim policy is Failed',
    volumes: [volume('volume6-10', '1Gi', { uid: 'uid6-10', claim: 'claim6-10', phase: 'Bound', policy: 'Unknown' })],
    expectedVolumes: [
      volume('volume6-10', '1Gi', {
        uid: 'uid6-10',
        claim: 'claim6-10',
        phase: 'Failed',
        policy: 'Unknown',
        message: 'Volume has unrecognized PersistentVolumeReclaimPolicy',
      }),
    ],
    events: [
      'volume volume6-10: Warning VolumeUnknownReclaimPolicy: Volume has unrecognized PersistentVolumeReclaimPolicy',
    ],
  },
  {
    name: '6-11 a volume that a running pod uses stays Released',
    volumes: [
      volume('volume6-11', '1Gi', { uid: 'uid6-11', claim: 'runningClaim', phase: 'Bound', policy, marks: ['BC'] }),
    ],
    expectedVolumes: [
      volume('volume6-11', '1Gi', { uid: 'uid6-11', claim: 'runningClaim', phase: 'Released', policy, marks: ['BC'] }),
    ],
    events: [inUse('volume6-11', 'runningPod')],
  },
  {
    name: '6-12 a volume that a pending pod uses stays Released',
    volumes: [
      volume('volume6-12', '1Gi', { uid: 'uid6-12', claim: 'pendingClaim', phase: 'Bound', policy, marks: ['BC'] }),
    ],
    expectedVolumes: [
      volume('volume6-12', '1Gi', { uid: 'uid6-12', claim: 'pendingClaim', phase: 'Released', policy, marks: ['BC'] }),
    ],
    events: [inUse('volume6-12', 'pendingPod')],
  },
  {
    name: '6-13 a volume that only a completed pod uses is recycled',
    volumes: [
      volume('volume6-13', '1Gi', { uid: 'uid6-13', claim: 'completedClaim', phase: 'Bound', policy, marks: ['BC'] }),
    ],
    plugin: { recycle: ['succeeds'] },
    expectedVolumes: [volume('volume6-13', '1Gi', { policy })],
    events: [recycled('volume6-13')],
  },
  {
    name: '6-14 a volume is recycled although a newer claim of the same name is in use',
    volumes: [
      volume('volume6-14', '1Gi', { uid: 'uid6-14', claim: 'completedClaim', phase: 'Bound', policy, marks: ['BC'] }),
    ],
    claims: [claim('completedClaim', 'uid6-14-x', '10Gi', { phase: 'Bound' })],
    plugin: { recycle: ['succeeds'] },
    expectedVolumes: [volume('volume6-14', '1Gi', { policy })],
    events: [recycled('volume6-14')],
  },
];

describe('TestRecycleSync', () => {
  it.each(rows)('$name', (row) => {
    expect(syncFirstVolume({ pods, ...row })).toEqual(expectedOf(row));
  });
});

/** Set 7: until nothing changes. */
const toRest: readonly Row[] = [
  {
    name: '7-1 a recycling that failed is tried again',
    volumes: [volume('volume7-1', '1Gi', { uid: 'uid7-1', claim: 'claim7-1', phase: 'Bound', policy })],
    plugin: { recycle: [{ fails: 'Mock recycle error' }, 'succeeds'] },
    expectedVolumes: [volume('volume7-1', '1Gi', { claim: 'claim7-1', policy })],
    events: [failed('volume7-1', 'Recycle failed: Mock recycle error'), recycled('volume7-1')],
  },
];

describe('TestRecycleMultiSync', () => {
  it.each(toRest)('$name', (row) => {
    expect(syncVolumesToRest(row)).toEqual(expectedOf(row));
  });
});

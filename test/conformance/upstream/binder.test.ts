import { describe, expect, it } from 'vitest';
import { AnnSelectedNode } from '../../../src/api/annotations.ts';
import {
  claim,
  expectedOf,
  features,
  type Row,
  storageClass,
  syncClaimsToRest,
  syncFirstClaim,
  syncFirstVolume,
  volume,
} from './fixture.ts';

// kubernetes/kubernetes pkg/controller/volume/persistentvolume/binder_test.go (1.37); specification pv-controller 15.1 to 15.4, 15.8
// and 15.10. Upstream compares only as many events as a row expects; here each row has all that the controller emits.

const noVolume = (name: string): string =>
  `claim ${name}: Normal FailedBinding: no persistent volumes available for this claim and no storage class is set`;
const mismatch = (name: string, volumeName: string, reason: string): string =>
  `claim ${name}: Warning VolumeMismatch: Cannot bind to requested volume "${volumeName}": ${reason}`;
const taken = (name: string, volumeName: string): string =>
  `claim ${name}: Warning FailedBinding: volume "${volumeName}" already bound to a different claim.`;
const noClass = (name: string, className: string): string =>
  `claim ${name}: Warning ProvisioningFailed: storageclass.storage.k8s.io "${className}" not found`;
const misbound = (name: string): string =>
  `claim ${name}: Warning ClaimMisbound: Two claims are bound to the same volume, this one is bound incorrectly`;

const labels = { foo: 'true', bar: 'false' };
const wait = storageClass('wait', '', { volumeBindingMode: 'WaitForFirstConsumer' });
const onNode1 = { [AnnSelectedNode]: 'node1' };

/** Set 1: the claim leaves the choice of a volume to the controller. */
const unnamedClaims: readonly Row[] = [
  {
    name: '1-1 a claim binds to the volume that fits',
    volumes: [volume('volume1-1', '1Gi')],
    claims: [claim('claim1-1', 'uid1-1', '1Gi')],
    expectedVolumes: [volume('volume1-1', '1Gi', { uid: 'uid1-1', claim: 'claim1-1', phase: 'Bound', marks: ['BC'] })],
    expectedClaims: [claim('claim1-1', 'uid1-1', '1Gi', { volume: 'volume1-1', phase: 'Bound', marks: ['BC', 'BD'] })],
  },
  {
    name: '1-2 a claim larger than every volume stays Pending',
    volumes: [volume('volume1-2', '1Gi')],
    claims: [claim('claim1-2', 'uid1-2', '10Gi')],
    events: [noVolume('claim1-2')],
  },
  {
    name: '1-3 a claim that calls itself Bound but never was, and finds nothing, is reset to Pending',
    volumes: [volume('volume1-3', '1Gi')],
    claims: [claim('claim1-3', 'uid1-3', '10Gi', { phase: 'Bound' })],
    expectedClaims: [claim('claim1-3', 'uid1-3', '10Gi')],
    events: [noVolume('claim1-3')],
  },
  {
    name: '1-4 a claim binds to the smallest volume that fits',
    volumes: [volume('volume1-4_1', '10Gi'), volume('volume1-4_2', '1Gi')],
    claims: [claim('claim1-4', 'uid1-4', '1Gi')],
    expectedVolumes: [
      volume('volume1-4_1', '10Gi'),
      volume('volume1-4_2', '1Gi', { uid: 'uid1-4', claim: 'claim1-4', phase: 'Bound', marks: ['BC'] }),
    ],
    expectedClaims: [
      claim('claim1-4', 'uid1-4', '1Gi', { volume: 'volume1-4_2', phase: 'Bound', marks: ['BC', 'BD'] }),
    ],
  },
  {
    name: '1-5 a claim binds to the volume reserved for it by name although a smaller one is free',
    volumes: [volume('volume1-5_1', '10Gi', { claim: 'claim1-5' }), volume('volume1-5_2', '1Gi')],
    claims: [claim('claim1-5', 'uid1-5', '1Gi')],
    expectedVolumes: [
      volume('volume1-5_1', '10Gi', { uid: 'uid1-5', claim: 'claim1-5', phase: 'Bound' }),
      volume('volume1-5_2', '1Gi'),
    ],
    expectedClaims: [
      claim('claim1-5', 'uid1-5', '1Gi', {
        volume: 'volume1-5_1',
        phase: 'Bound',
        capacity: '10Gi',
        marks: ['BC', 'BD'],
      }),
    ],
  },
  {
    name: '1-6 a claim binds to the volume reserved for it by uid although a smaller one is free',
    volumes: [volume('volume1-6_1', '10Gi', { uid: 'uid1-6', claim: 'claim1-6' }), volume('volume1-6_2', '1Gi')],
    claims: [claim('claim1-6', 'uid1-6', '1Gi')],
    expectedVolumes: [
      volume('volume1-6_1', '10Gi', { uid: 'uid1-6', claim: 'claim1-6', phase: 'Bound' }),
      volume('volume1-6_2', '1Gi'),
    ],
    expectedClaims: [
      claim('claim1-6', 'uid1-6', '1Gi', {
        volume: 'volume1-6_1',
        phase: 'Bound',
        capacity: '10Gi',
        marks: ['BC', 'BD'],
      }),
    ],
  },
  {
    name: '1-7 a volume reserved for a former claim of the same name is not for this one',
    volumes: [volume('volume1-7', '10Gi', { uid: 'uid1-777', claim: 'claim1-7' })],
    claims: [claim('claim1-7', 'uid1-7', '1Gi')],
    events: [noVolume('claim1-7')],
  },
  {
    name: '1-8 a bind that broke off after the claimRef was written is completed',
    volumes: [volume('volume1-8', '1Gi', { uid: 'uid1-8', claim: 'claim1-8', marks: ['BC'] })],
    claims: [claim('claim1-8', 'uid1-8', '1Gi')],
    expectedVolumes: [volume('volume1-8', '1Gi', { uid: 'uid1-8', claim: 'claim1-8', phase: 'Bound', marks: ['BC'] })],
    expectedClaims: [claim('claim1-8', 'uid1-8', '1Gi', { volume: 'volume1-8', phase: 'Bound', marks: ['BC', 'BD'] })],
  },
  {
    name: "1-9 a bind that broke off after the volume's status was written is completed",
    volumes: [volume('volume1-9', '1Gi', { uid: 'uid1-9', claim: 'claim1-9', phase: 'Bound', marks: ['BC'] })],
    claims: [claim('claim1-9', 'uid1-9', '1Gi')],
    expectedClaims: [claim('claim1-9', 'uid1-9', '1Gi', { volume: 'volume1-9', phase: 'Bound', marks: ['BC', 'BD'] })],
  },
  {
    name: "1-10 a bind that broke off after the claim's volumeName was written is completed",
    volumes: [volume('volume1-10', '1Gi', { uid: 'uid1-10', claim: 'claim1-10', phase: 'Bound', marks: ['BC'] })],
    claims: [claim('claim1-10', 'uid1-10', '1Gi', { volume: 'volume1-10', marks: ['BC', 'BD'] })],
    expectedClaims: [
      claim('claim1-10', 'uid1-10', '1Gi', { volume: 'volume1-10', phase: 'Bound', marks: ['BC', 'BD'] }),
    ],
  },
  {
    name: '1-11 a claim binds to a volume whose labels its selector matches',
    volumes: [volume('volume1-1', '1Gi', { labels })],
    claims: [claim('claim1-1', 'uid1-1', '1Gi', { selector: labels })],
    expectedVolumes: [
      volume('volume1-1', '1Gi', { labels, uid: 'uid1-1', claim: 'claim1-1', phase: 'Bound', marks: ['BC'] }),
    ],
    expectedClaims: [
      claim('claim1-1', 'uid1-1', '1Gi', {
        selector: labels,
        volume: 'volume1-1',
        phase: 'Bound',
        marks: ['BC', 'BD'],
      }),
    ],
  },
  {
    name: '1-12 a claim with a selector does not bind to a volume without the labels',
    volumes: [volume('volume1-1', '1Gi')],
    claims: [claim('claim1-1', 'uid1-1', '1Gi', { selector: labels })],
    events: [noVolume('claim1-1')],
  },
  {
    name: '1-13 a claim of a class that delays binding waits for a consumer',
    volumes: [volume('volume1-1', '1Gi', { class: 'wait' })],
    claims: [claim('claim1-1', 'uid1-1', '1Gi', { class: 'wait' })],
    events: ['claim claim1-1: Normal WaitForFirstConsumer: waiting for first consumer to be created before binding'],
  },
  {
    name: '1-14 a claim of such a class binds at once to a volume reserved for it',
    volumes: [volume('volume1-1', '1Gi', { class: 'wait', claim: 'claim1-1' })],
    claims: [claim('claim1-1', 'uid1-1', '1Gi', { class: 'wait' })],
    expectedVolumes: [volume('volume1-1', '1Gi', { class: 'wait', uid: 'uid1-1', claim: 'claim1-1', phase: 'Bound' })],
    expectedClaims: [
      claim('claim1-1', 'uid1-1', '1Gi', {
        class: 'wait',
        volume: 'volume1-1',
        phase: 'Bound',
        marks: ['BC', 'BD'],
      }),
    ],
  },
  {
    name: '1-15 a claim that names a volume gets it although a smaller one is free',
    volumes: [volume('volume1-15_1', '10Gi'), volume('volume1-15_2', '1Gi')],
    claims: [claim('claim1-15', 'uid1-15', '1Gi', { volume: 'volume1-15_1' })],
    expectedVolumes: [
      volume('volume1-15_1', '10Gi', { uid: 'uid1-15', claim: 'claim1-15', phase: 'Bound', marks: ['BC'] }),
      volume('volume1-15_2', '1Gi'),
    ],
    expectedClaims: [
      claim('claim1-15', 'uid1-15', '1Gi', {
        volume: 'volume1-15_1',
        phase: 'Bound',
        capacity: '10Gi',
        marks: ['BD'],
      }),
    ],
  },
  {
    name: '1-16 a claim does not get the volume that it names if an access mode is missing there',
    volumes: [volume('volume1-16', '1Gi')],
    claims: [claim('claim1-16', 'uid1-16', '1Gi', { volume: 'volume1-16', accessModes: ['ReadWriteMany'] })],
    events: [mismatch('claim1-16', 'volume1-16', 'incompatible accessMode')],
  },
  {
    name: '1-17 volumes that are not Available are passed over',
    volumes: [
      volume('volume1-17-pending', '1Gi', { phase: 'Pending' }),
      volume('volume1-17-failed', '1Gi', { phase: 'Failed' }),
      volume('volume1-17-released', '1Gi', { phase: 'Released' }),
      volume('volume1-17-empty', '1Gi', { phase: '' }),
    ],
    claims: [claim('claim1-17', 'uid1-17', '1Gi')],
    events: [noVolume('claim1-17')],
  },
  {
    name: '1-18 a claim whose node is selected binds to the volume reserved for it',
    volumes: [volume('volume1-18', '1Gi', { class: 'wait', uid: 'uid1-18', claim: 'claim1-18' })],
    claims: [claim('claim1-18', 'uid1-18', '1Gi', { class: 'wait', annotations: onNode1 })],
    expectedVolumes: [
      volume('volume1-18', '1Gi', { class: 'wait', uid: 'uid1-18', claim: 'claim1-18', phase: 'Bound' }),
    ],
    expectedClaims: [
      claim('claim1-18', 'uid1-18', '1Gi', {
        class: 'wait',
        annotations: onNode1,
        volume: 'volume1-18',
        phase: 'Bound',
        marks: ['BC', 'BD'],
      }),
    ],
  },
];

/** Set 2: the claim names its volume. */
const namedVolumes: readonly Row[] = [
  {
    name: '2-1 a claim that names a missing volume stays Pending without a word',
    claims: [claim('claim2-1', 'uid2-1', '10Gi', { volume: 'volume2-1' })],
  },
  {
    name: '2-2 a claim that names a missing volume and calls itself Bound is reset to Pending',
    claims: [claim('claim2-2', 'uid2-2', '10Gi', { volume: 'volume2-2', phase: 'Bound' })],
    expectedClaims: [claim('claim2-2', 'uid2-2', '10Gi', { volume: 'volume2-2' })],
  },
  {
    name: '2-3 a claim that names a free volume binds to it, and only the volume is marked',
    volumes: [volume('volume2-3', '1Gi')],
    claims: [claim('claim2-3', 'uid2-3', '1Gi', { volume: 'volume2-3' })],
    expectedVolumes: [volume('volume2-3', '1Gi', { uid: 'uid2-3', claim: 'claim2-3', phase: 'Bound', marks: ['BC'] })],
    expectedClaims: [claim('claim2-3', 'uid2-3', '1Gi', { volume: 'volume2-3', phase: 'Bound', marks: ['BD'] })],
  },
  {
    name: '2-4 a claim and a volume that name each other bind, and neither is marked',
    volumes: [volume('volume2-4', '1Gi', { claim: 'claim2-4' })],
    claims: [claim('claim2-4', 'uid2-4', '1Gi', { volume: 'volume2-4' })],
    expectedVolumes: [volume('volume2-4', '1Gi', { uid: 'uid2-4', claim: 'claim2-4', phase: 'Bound' })],
    expectedClaims: [claim('claim2-4', 'uid2-4', '1Gi', { volume: 'volume2-4', phase: 'Bound', marks: ['BD'] })],
  },
  {
    name: '2-5 a claim and a volume that name each other, the volume by uid, bind, and neither is marked',
    volumes: [volume('volume2-5', '1Gi', { uid: 'uid2-5', claim: 'claim2-5' })],
    claims: [claim('claim2-5', 'uid2-5', '1Gi', { volume: 'volume2-5' })],
    expectedVolumes: [volume('volume2-5', '1Gi', { uid: 'uid2-5', claim: 'claim2-5', phase: 'Bound' })],
    expectedClaims: [claim('claim2-5', 'uid2-5', '1Gi', { volume: 'volume2-5', phase: 'Bound', marks: ['BD'] })],
  },
  {
    name: '2-6 a claim that names the volume of another claim is reset to Pending',
    volumes: [volume('volume2-6', '1Gi', { uid: 'uid2-6_1', claim: 'claim2-6_1', phase: 'Bound' })],
    claims: [claim('claim2-6', 'uid2-6', '1Gi', { volume: 'volume2-6', phase: 'Bound' })],
    expectedClaims: [claim('claim2-6', 'uid2-6', '1Gi', { volume: 'volume2-6' })],
    events: [taken('claim2-6', 'volume2-6')],
  },
  {
    name: '2-7 a claim for which the controller chose a volume that another claim has is an error',
    volumes: [volume('volume2-7', '1Gi', { uid: 'uid2-7_1', claim: 'claim2-7_1', phase: 'Bound' })],
    claims: [claim('claim2-7', 'uid2-7', '1Gi', { volume: 'volume2-7', phase: 'Bound', marks: ['BC'] })],
    events: [taken('claim2-7', 'volume2-7')],
    error:
      'invalid binding of claim "default/claim2-7" to volume "volume2-7": volume already claimed by "default/claim2-7_1"',
  },
  {
    name: '2-8 a claim gets the volume that it names although its selector does not match it',
    volumes: [volume('volume2-8', '1Gi')],
    claims: [claim('claim2-8', 'uid2-8', '1Gi', { volume: 'volume2-8', selector: labels })],
    expectedVolumes: [volume('volume2-8', '1Gi', { uid: 'uid2-8', claim: 'claim2-8', phase: 'Bound', marks: ['BC'] })],
    expectedClaims: [
      claim('claim2-8', 'uid2-8', '1Gi', {
        volume: 'volume2-8',
        selector: labels,
        phase: 'Bound',
        marks: ['BD'],
      }),
    ],
  },
  {
    name: '2-9 a claim that names a volume that is too small is reset to Pending',
    volumes: [volume('volume2-9', '1Gi')],
    claims: [claim('claim2-9', 'uid2-9', '2Gi', { volume: 'volume2-9', phase: 'Bound' })],
    expectedClaims: [claim('claim2-9', 'uid2-9', '2Gi', { volume: 'volume2-9' })],
    events: [mismatch('claim2-9', 'volume2-9', 'requested PV is too small')],
  },
  {
    name: '2-10 a claim that names a volume of another class is reset to Pending',
    volumes: [volume('volume2-10', '1Gi', { class: 'gold' })],
    claims: [claim('claim2-10', 'uid2-10', '1Gi', { volume: 'volume2-10', phase: 'Bound' })],
    expectedClaims: [claim('claim2-10', 'uid2-10', '1Gi', { volume: 'volume2-10' })],
    events: [mismatch('claim2-10', 'volume2-10', 'storageClassName does not match')],
  },
];

/** Set 2, rows for the gate VolumeAttributesClass. */
const namedVolumesWithGate: readonly Row[] = [
  {
    name: '2-11 a claim that names a volume of another VolumeAttributesClass is reset to Pending',
    volumes: [volume('volume2-11', '1Gi', { vac: 'gold' })],
    claims: [claim('claim2-11', 'uid2-11', '1Gi', { volume: 'volume2-11', phase: 'Bound' })],
    expectedClaims: [claim('claim2-11', 'uid2-11', '1Gi', { volume: 'volume2-11' })],
    events: [mismatch('claim2-11', 'volume2-11', 'volumeAttributesClassName does not match')],
  },
  {
    name: '2-12 a claim that names a volume of its VolumeAttributesClass binds, and its status tells the class',
    volumes: [volume('volume2-12', '1Gi', { vac: 'gold' })],
    claims: [claim('claim2-12', 'uid2-12', '1Gi', { volume: 'volume2-12', vac: 'gold' })],
    expectedVolumes: [
      volume('volume2-12', '1Gi', {
        vac: 'gold',
        uid: 'uid2-12',
        claim: 'claim2-12',
        phase: 'Bound',
        marks: ['BC'],
      }),
    ],
    expectedClaims: [
      claim('claim2-12', 'uid2-12', '1Gi', {
        volume: 'volume2-12',
        vac: 'gold',
        currentVac: 'gold',
        phase: 'Bound',
        marks: ['BD'],
      }),
    ],
  },
];

/** Set 2, rows for the gate VolumeAttributesClass switched off. */
const namedVolumesWithoutGate: readonly Row[] = [
  {
    name: '2-13 with the gate off a claim is reset to Pending even if the VolumeAttributesClasses agree',
    volumes: [volume('volume2-13', '1Gi', { vac: 'gold' })],
    claims: [
      claim('claim2-13', 'uid2-13', '1Gi', { volume: 'volume2-13', vac: 'gold', currentVac: 'gold', phase: 'Bound' }),
    ],
    expectedClaims: [claim('claim2-13', 'uid2-13', '1Gi', { volume: 'volume2-13', vac: 'gold' })],
    events: [
      mismatch(
        'claim2-13',
        'volume2-13',
        'volumeAttributesClassName is not supported when the feature-gate VolumeAttributesClass is disabled',
      ),
    ],
  },
];

/** Set 3: the bind of the claim was completed once. */
const boundClaims: readonly Row[] = [
  {
    name: '3-1 a bound claim whose volumeName was removed is Lost',
    claims: [claim('claim3-1', 'uid3-1', '10Gi', { phase: 'Bound', marks: ['BC', 'BD'] })],
    expectedClaims: [claim('claim3-1', 'uid3-1', '10Gi', { phase: 'Lost', marks: ['BC', 'BD'] })],
    events: [
      'claim claim3-1: Warning ClaimLost: Bound claim has lost reference to PersistentVolume. Data on the volume is lost!',
    ],
  },
  {
    name: '3-2 a bound claim whose volume is gone is Lost',
    claims: [claim('claim3-2', 'uid3-2', '10Gi', { volume: 'volume3-2', phase: 'Bound', marks: ['BC', 'BD'] })],
    expectedClaims: [claim('claim3-2', 'uid3-2', '10Gi', { volume: 'volume3-2', phase: 'Lost', marks: ['BC', 'BD'] })],
    events: [
      'claim claim3-2: Warning ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!',
    ],
  },
  {
    name: '3-3 a bound claim whose volume is free is bound to it again',
    volumes: [volume('volume3-3', '10Gi')],
    claims: [claim('claim3-3', 'uid3-3', '10Gi', { volume: 'volume3-3', marks: ['BC', 'BD'] })],
    expectedVolumes: [volume('volume3-3', '10Gi', { uid: 'uid3-3', claim: 'claim3-3', phase: 'Bound', marks: ['BC'] })],
    expectedClaims: [claim('claim3-3', 'uid3-3', '10Gi', { volume: 'volume3-3', phase: 'Bound', marks: ['BC', 'BD'] })],
  },
  {
    name: '3-4 a bound claim whose volume is reserved for a former claim of its name is Lost',
    volumes: [volume('volume3-4', '10Gi', { uid: 'claim3-4-x', claim: 'claim3-4' })],
    claims: [claim('claim3-4', 'uid3-4', '10Gi', { volume: 'volume3-4', marks: ['BC', 'BD'] })],
    expectedClaims: [claim('claim3-4', 'uid3-4', '10Gi', { volume: 'volume3-4', phase: 'Lost', marks: ['BC', 'BD'] })],
    events: [misbound('claim3-4')],
  },
  {
    name: '3-5 a bound claim and its volume that are not Bound by phase become so',
    volumes: [volume('volume3-5', '10Gi', { uid: 'uid3-5', claim: 'claim3-5' })],
    claims: [claim('claim3-5', 'uid3-5', '10Gi', { volume: 'volume3-5', marks: ['BD'] })],
    expectedVolumes: [volume('volume3-5', '10Gi', { uid: 'uid3-5', claim: 'claim3-5', phase: 'Bound' })],
    expectedClaims: [claim('claim3-5', 'uid3-5', '10Gi', { volume: 'volume3-5', phase: 'Bound', marks: ['BD'] })],
  },
  {
    name: '3-6 a bound claim whose volume belongs to another claim is Lost',
    volumes: [volume('volume3-6', '10Gi', { uid: 'uid3-6-x', claim: 'claim3-6-x' })],
    claims: [claim('claim3-6', 'uid3-6', '10Gi', { volume: 'volume3-6', marks: ['BD'] })],
    expectedClaims: [claim('claim3-6', 'uid3-6', '10Gi', { volume: 'volume3-6', phase: 'Lost', marks: ['BD'] })],
    events: [misbound('claim3-6')],
  },
  {
    name: '3-7 a bound claim is bound to its free volume again although its selector does not match it',
    volumes: [volume('volume3-3', '10Gi')],
    claims: [claim('claim3-3', 'uid3-3', '10Gi', { volume: 'volume3-3', selector: labels, marks: ['BC', 'BD'] })],
    expectedVolumes: [volume('volume3-3', '10Gi', { uid: 'uid3-3', claim: 'claim3-3', phase: 'Bound', marks: ['BC'] })],
    expectedClaims: [
      claim('claim3-3', 'uid3-3', '10Gi', {
        volume: 'volume3-3',
        selector: labels,
        phase: 'Bound',
        marks: ['BC', 'BD'],
      }),
    ],
  },
];

/** Set 4: syncs of a volume. */
const volumes: readonly Row[] = [
  { name: '4-1 a volume that nobody has stays Available', volumes: [volume('volume4-1', '10Gi')] },
  {
    name: '4-2 a volume reserved by name stays Available',
    volumes: [volume('volume4-2', '10Gi', { claim: 'claim4-2' })],
  },
  {
    name: '4-3 a volume whose claim is gone is Released',
    volumes: [volume('volume4-3', '10Gi', { uid: 'uid4-3', claim: 'claim4-3', phase: 'Bound' })],
    expectedVolumes: [volume('volume4-3', '10Gi', { uid: 'uid4-3', claim: 'claim4-3', phase: 'Released' })],
  },
  {
    name: '4-4 a volume whose claim was replaced by one of the same name is Released',
    volumes: [volume('volume4-4', '10Gi', { uid: 'uid4-4', claim: 'claim4-4', phase: 'Bound' })],
    claims: [claim('claim4-4', 'uid4-4-x', '10Gi', { volume: 'volume4-4', phase: 'Bound', marks: ['BD'] })],
    expectedVolumes: [volume('volume4-4', '10Gi', { uid: 'uid4-4', claim: 'claim4-4', phase: 'Released' })],
  },
  {
    name: '4-5 a volume that the controller bound waits for its claim',
    volumes: [volume('volume4-5', '10Gi', { uid: 'uid4-5', claim: 'claim4-5', phase: 'Bound', marks: ['BC'] })],
    claims: [claim('claim4-5', 'uid4-5', '10Gi')],
  },
  {
    name: '4-5 a volume that a user bound waits for its claim',
    volumes: [volume('volume4-5', '10Gi', { uid: 'uid4-5', claim: 'claim4-5', phase: 'Bound' })],
    claims: [claim('claim4-5', 'uid4-5', '10Gi')],
  },
  {
    name: '4-6 a volume whose claim names it is Bound',
    volumes: [volume('volume4-6', '10Gi', { uid: 'uid4-6', claim: 'claim4-6' })],
    claims: [claim('claim4-6', 'uid4-6', '10Gi', { volume: 'volume4-6', phase: 'Bound' })],
    expectedVolumes: [volume('volume4-6', '10Gi', { uid: 'uid4-6', claim: 'claim4-6', phase: 'Bound' })],
  },
  {
    name: '4-7 a volume that the controller bound to a claim that has another volume forgets the claim',
    volumes: [volume('volume4-7', '10Gi', { uid: 'uid4-7', claim: 'claim4-7', phase: 'Bound', marks: ['BC'] })],
    claims: [claim('claim4-7', 'uid4-7', '10Gi', { volume: 'volume4-7-x', phase: 'Bound' })],
    expectedVolumes: [volume('volume4-7', '10Gi')],
  },
  {
    name: '4-8 a volume that a user bound to a claim that has another volume stays reserved by name',
    volumes: [volume('volume4-8', '10Gi', { uid: 'uid4-8', claim: 'claim4-8', phase: 'Bound' })],
    claims: [claim('claim4-8', 'uid4-8', '10Gi', { volume: 'volume4-8-x', phase: 'Bound' })],
    expectedVolumes: [volume('volume4-8', '10Gi', { claim: 'claim4-8' })],
  },
  {
    name: '4-9 a volume with policy Delete whose claim names it is Bound and not deleted',
    volumes: [volume('volume4-9', '10Gi', { uid: 'uid4-9', claim: 'claim4-9', policy: 'Delete' })],
    claims: [claim('claim4-9', 'uid4-9', '10Gi', { volume: 'volume4-9', phase: 'Bound' })],
    expectedVolumes: [
      volume('volume4-9', '10Gi', { uid: 'uid4-9', claim: 'claim4-9', policy: 'Delete', phase: 'Bound' }),
    ],
  },
  {
    name: '4-10 a volume with policy Delete whose claim is gone and for which there is no deleter is Failed',
    volumes: [volume('volume4-10', '10Gi', { uid: 'uid4-10', claim: 'claim4-10', policy: 'Delete' })],
    expectedVolumes: [
      volume('volume4-10', '10Gi', {
        uid: 'uid4-10',
        claim: 'claim4-10',
        policy: 'Delete',
        phase: 'Failed',
        message: 'error getting deleter volume plugin for volume "volume4-10": no volume plugin matched',
      }),
    ],
    events: [
      'volume volume4-10: Warning VolumeFailedDelete: error getting deleter volume plugin for volume "volume4-10": no volume plugin matched',
    ],
  },
  {
    name: '4-11 a volume whose claim only the API server knows is Bound',
    volumes: [volume('volume4-11', '10Gi', { uid: 'uid4-11', claim: 'claim4-11', policy: 'Delete' })],
    claimsUnknownToCache: [claim('claim4-11', 'uid4-11', '10Gi', { volume: 'volume4-11', phase: 'Bound' })],
    expectedVolumes: [
      volume('volume4-11', '10Gi', { uid: 'uid4-11', claim: 'claim4-11', policy: 'Delete', phase: 'Bound' }),
    ],
    expectedClaims: [claim('claim4-11', 'uid4-11', '10Gi', { volume: 'volume4-11', phase: 'Bound' })],
  },
  {
    name: '4-12 a volume whose claim was replaced, which only the API server knows, is Bound',
    volumes: [volume('volume4-12', '10Gi', { uid: 'uid4-12-new', claim: 'claim4-12', policy: 'Delete' })],
    claims: [claim('claim4-12', 'uid4-12', '10Gi', { volume: 'volume4-12', phase: 'Bound' })],
    claimsUnknownToCache: [claim('claim4-12', 'uid4-12-new', '10Gi', { volume: 'volume4-12', phase: 'Bound' })],
    expectedVolumes: [
      volume('volume4-12', '10Gi', { uid: 'uid4-12-new', claim: 'claim4-12', policy: 'Delete', phase: 'Bound' }),
    ],
    expectedClaims: [claim('claim4-12', 'uid4-12-new', '10Gi', { volume: 'volume4-12', phase: 'Bound' })],
  },
];

/** Set 13: classes. No class object is needed to match. */
const classes: readonly Row[] = [
  {
    name: '13-1 a claim with a class binds to a volume of the class although a smaller one without class is free',
    volumes: [volume('volume13-1-1', '1Gi'), volume('volume13-1-2', '10Gi', { class: 'gold' })],
    claims: [claim('claim13-1', 'uid13-1', '1Gi', { class: 'gold' })],
    expectedVolumes: [
      volume('volume13-1-1', '1Gi'),
      volume('volume13-1-2', '10Gi', {
        class: 'gold',
        uid: 'uid13-1',
        claim: 'claim13-1',
        phase: 'Bound',
        marks: ['BC'],
      }),
    ],
    expectedClaims: [
      claim('claim13-1', 'uid13-1', '1Gi', {
        class: 'gold',
        volume: 'volume13-1-2',
        phase: 'Bound',
        capacity: '10Gi',
        marks: ['BC', 'BD'],
      }),
    ],
  },
  {
    name: '13-2 a claim without a class binds to a volume without one although a smaller one with a class is free',
    volumes: [volume('volume13-2-1', '1Gi', { class: 'gold' }), volume('volume13-2-2', '10Gi')],
    claims: [claim('claim13-2', 'uid13-2', '1Gi')],
    expectedVolumes: [
      volume('volume13-2-1', '1Gi', { class: 'gold' }),
      volume('volume13-2-2', '10Gi', { uid: 'uid13-2', claim: 'claim13-2', phase: 'Bound', marks: ['BC'] }),
    ],
    expectedClaims: [
      claim('claim13-2', 'uid13-2', '1Gi', {
        volume: 'volume13-2-2',
        phase: 'Bound',
        capacity: '10Gi',
        marks: ['BC', 'BD'],
      }),
    ],
  },
  {
    name: '13-3 a claim with a class binds to a volume of the class although a smaller one of another class is free',
    volumes: [volume('volume13-3-1', '1Gi', { class: 'silver' }), volume('volume13-3-2', '10Gi', { class: 'gold' })],
    claims: [claim('claim13-3', 'uid13-3', '1Gi', { class: 'gold' })],
    expectedVolumes: [
      volume('volume13-3-1', '1Gi', { class: 'silver' }),
      volume('volume13-3-2', '10Gi', {
        class: 'gold',
        uid: 'uid13-3',
        claim: 'claim13-3',
        phase: 'Bound',
        marks: ['BC'],
      }),
    ],
    expectedClaims: [
      claim('claim13-3', 'uid13-3', '1Gi', {
        class: 'gold',
        volume: 'volume13-3-2',
        phase: 'Bound',
        capacity: '10Gi',
        marks: ['BC', 'BD'],
      }),
    ],
  },
  {
    name: '13-4 a claim with the class "" binds to a volume without a class',
    volumes: [volume('volume13-4', '1Gi')],
    claims: [claim('claim13-4', 'uid13-4', '1Gi', { class: '' })],
    expectedVolumes: [
      volume('volume13-4', '1Gi', { uid: 'uid13-4', claim: 'claim13-4', phase: 'Bound', marks: ['BC'] }),
    ],
    expectedClaims: [
      claim('claim13-4', 'uid13-4', '1Gi', {
        class: '',
        volume: 'volume13-4',
        phase: 'Bound',
        marks: ['BC', 'BD'],
      }),
    ],
  },
  {
    name: '13-5 a claim without a class binds to a volume without one',
    volumes: [volume('volume13-5', '1Gi')],
    claims: [claim('claim13-5', 'uid13-5', '1Gi')],
    expectedVolumes: [
      volume('volume13-5', '1Gi', { uid: 'uid13-5', claim: 'claim13-5', phase: 'Bound', marks: ['BC'] }),
    ],
    expectedClaims: [
      claim('claim13-5', 'uid13-5', '1Gi', { volume: 'volume13-5', phase: 'Bound', marks: ['BC', 'BD'] }),
    ],
  },
];

describe.each([true, false])('TestSync, gate VolumeAttributesClass %s', (volumeAttributesClass) => {
  const gated = { classes: [wait], features: { ...features, volumeAttributesClass } };
  const ofGate = volumeAttributesClass ? namedVolumesWithGate : namedVolumesWithoutGate;

  it.each([...unnamedClaims, ...namedVolumes, ...ofGate, ...boundClaims, ...classes])('$name', (row) => {
    expect(syncFirstClaim({ ...gated, ...row })).toEqual(expectedOf(row));
  });

  it.each(volumes)('$name', (row) => {
    expect(syncFirstVolume({ ...gated, ...row })).toEqual(expectedOf(row));
  });
});

const block = { volumeMode: 'Block' };
const file = { volumeMode: 'Filesystem' };

/** Set 14: volume modes, syncs of a claim. */
const volumeModesOfClaims: readonly Row[] = [
  {
    name: '14-1 a claim for a block device binds to one',
    volumes: [volume('volume14-1', '10Gi', block)],
    claims: [claim('claim14-1', 'uid14-1', '10Gi', block)],
    expectedVolumes: [
      volume('volume14-1', '10Gi', { ...block, uid: 'uid14-1', claim: 'claim14-1', phase: 'Bound', marks: ['BC'] }),
    ],
    expectedClaims: [
      claim('claim14-1', 'uid14-1', '10Gi', { ...block, volume: 'volume14-1', phase: 'Bound', marks: ['BC', 'BD'] }),
    ],
  },
  {
    name: '14-2 a claim for a file system binds to one',
    volumes: [volume('volume14-2', '10Gi', file)],
    claims: [claim('claim14-2', 'uid14-2', '10Gi', file)],
    expectedVolumes: [
      volume('volume14-2', '10Gi', { ...file, uid: 'uid14-2', claim: 'claim14-2', phase: 'Bound', marks: ['BC'] }),
    ],
    expectedClaims: [
      claim('claim14-2', 'uid14-2', '10Gi', { ...file, volume: 'volume14-2', phase: 'Bound', marks: ['BC', 'BD'] }),
    ],
  },
  {
    name: '14-3 a claim for a block device does not bind to a file system',
    volumes: [volume('volume14-3', '10Gi', file)],
    claims: [claim('claim14-3', 'uid14-3', '10Gi', block)],
    events: [noVolume('claim14-3')],
  },
  {
    name: '14-4 a claim for a file system does not bind to a block device',
    volumes: [volume('volume14-4', '10Gi', block)],
    claims: [claim('claim14-4', 'uid14-4', '10Gi', file)],
    events: [noVolume('claim14-4')],
  },
  {
    name: '14-5 the class fits but the volume mode does not',
    volumes: [volume('volume14-5', '10Gi', { ...file, class: 'gold' })],
    claims: [claim('claim14-5', 'uid14-5', '10Gi', { ...block, class: 'gold' })],
    events: [noClass('claim14-5', 'gold')],
  },
  {
    name: '14-5-1 the volume mode fits but the class does not',
    volumes: [volume('volume14-5-1', '10Gi', { ...file, class: 'gold' })],
    claims: [claim('claim14-5-1', 'uid14-5-1', '10Gi', { ...file, class: 'silver' })],
    events: [noClass('claim14-5-1', 'silver')],
  },
  {
    name: '14-5-2 the volume that the claim names has its volume mode but another class',
    volumes: [volume('volume14-5-2', '10Gi', { ...file, class: 'gold' })],
    claims: [claim('claim14-5-2', 'uid14-5-2', '10Gi', { ...file, class: 'silver', volume: 'volume14-5-2' })],
    events: [mismatch('claim14-5-2', 'volume14-5-2', 'storageClassName does not match')],
  },
  {
    name: '14-7 a claim binds to a block device reserved for it',
    volumes: [volume('volume14-7', '10Gi', { ...block, claim: 'claim14-7' })],
    claims: [claim('claim14-7', 'uid14-7', '10Gi', block)],
    expectedVolumes: [volume('volume14-7', '10Gi', { ...block, uid: 'uid14-7', claim: 'claim14-7', phase: 'Bound' })],
    expectedClaims: [
      claim('claim14-7', 'uid14-7', '10Gi', { ...block, volume: 'volume14-7', phase: 'Bound', marks: ['BC', 'BD'] }),
    ],
  },
  {
    name: '14-8 a claim for a file system does not get the block device that it names',
    volumes: [volume('volume14-8', '10Gi', block)],
    claims: [claim('claim14-8', 'uid14-8', '10Gi', { ...file, volume: 'volume14-8' })],
    events: [mismatch('claim14-8', 'volume14-8', 'incompatible volumeMode')],
  },
  {
    name: '14-8-1 a claim for a file system does not get the block device reserved for it, which stays reserved',
    volumes: [volume('volume14-8-1', '10Gi', { ...block, claim: 'claim14-8-1' })],
    claims: [claim('claim14-8-1', 'uid14-8-1', '10Gi', file)],
    events: [noVolume('claim14-8-1')],
  },
  {
    name: '14-9 a claim for a block device gets the one that it names',
    volumes: [volume('volume14-9', '10Gi', block)],
    claims: [claim('claim14-9', 'uid14-9', '10Gi', { ...block, volume: 'volume14-9' })],
    expectedVolumes: [
      volume('volume14-9', '10Gi', { ...block, uid: 'uid14-9', claim: 'claim14-9', phase: 'Bound', marks: ['BC'] }),
    ],
    expectedClaims: [
      claim('claim14-9', 'uid14-9', '10Gi', { ...block, volume: 'volume14-9', phase: 'Bound', marks: ['BD'] }),
    ],
  },
  {
    name: '14-10 a claim for a block device gets the one reserved for it',
    volumes: [volume('volume14-10', '10Gi', { ...block, claim: 'claim14-10' })],
    claims: [claim('claim14-10', 'uid14-10', '10Gi', block)],
    expectedVolumes: [
      volume('volume14-10', '10Gi', { ...block, uid: 'uid14-10', claim: 'claim14-10', phase: 'Bound' }),
    ],
    expectedClaims: [
      claim('claim14-10', 'uid14-10', '10Gi', {
        ...block,
        volume: 'volume14-10',
        phase: 'Bound',
        marks: ['BC', 'BD'],
      }),
    ],
  },
  {
    name: '14-11 a claim for a file system gets the one that it names',
    volumes: [volume('volume14-11', '10Gi', file)],
    claims: [claim('claim14-11', 'uid14-11', '10Gi', { ...file, volume: 'volume14-11' })],
    expectedVolumes: [
      volume('volume14-11', '10Gi', { ...file, uid: 'uid14-11', claim: 'claim14-11', phase: 'Bound', marks: ['BC'] }),
    ],
    expectedClaims: [
      claim('claim14-11', 'uid14-11', '10Gi', { ...file, volume: 'volume14-11', phase: 'Bound', marks: ['BD'] }),
    ],
  },
  {
    name: '14-12 a claim for a file system gets the one reserved for it',
    volumes: [volume('volume14-12', '10Gi', { ...file, claim: 'claim14-12' })],
    claims: [claim('claim14-12', 'uid14-12', '10Gi', file)],
    expectedVolumes: [volume('volume14-12', '10Gi', { ...file, uid: 'uid14-12', claim: 'claim14-12', phase: 'Bound' })],
    expectedClaims: [
      claim('claim14-12', 'uid14-12', '10Gi', {
        ...file,
        volume: 'volume14-12',
        phase: 'Bound',
        marks: ['BC', 'BD'],
      }),
    ],
  },
];

/** Set 14: syncs of a volume. */
const volumeModesOfVolumes: readonly Row[] = [
  {
    name: '14-13 a file system bound to a claim for a block device tells of it on both',
    volumes: [volume('volume14-13', '10Gi', { ...file, uid: 'uid14-13', claim: 'claim14-13', marks: ['BC'] })],
    claims: [claim('claim14-13', 'uid14-13', '10Gi', block)],
    events: incompatibleVolumeMode('claim14-13', 'volume14-13'),
  },
  {
    name: '14-13-1 a block device bound to a claim for a file system tells of it on both',
    volumes: [volume('volume14-13-1', '10Gi', { ...block, uid: 'uid14-13-1', claim: 'claim14-13-1', marks: ['BC'] })],
    claims: [claim('claim14-13-1', 'uid14-13-1', '10Gi', file)],
    events: incompatibleVolumeMode('claim14-13-1', 'volume14-13-1'),
  },
  {
    name: '14-14 a block device bound to a claim for one waits for the sync of the claim',
    volumes: [volume('volume14-14', '10Gi', { ...block, uid: 'uid14-14', claim: 'claim14-14', marks: ['BC'] })],
    claims: [claim('claim14-14', 'uid14-14', '10Gi', block)],
  },
  {
    name: '14-14-1 a file system bound to a claim for one waits for the sync of the claim',
    volumes: [volume('volume14-14-1', '10Gi', { ...file, uid: 'uid14-14-1', claim: 'claim14-14-1', marks: ['BC'] })],
    claims: [claim('claim14-14-1', 'uid14-14-1', '10Gi', file)],
  },
];

function incompatibleVolumeMode(claimName: string, volumeName: string): readonly string[] {
  return [
    `volume ${volumeName}: Warning VolumeMismatch: Cannot bind PersistentVolume to requested PersistentVolumeClaim "${claimName}" due to incompatible volumeMode.`,
    `claim ${claimName}: Warning VolumeMismatch: Cannot bind PersistentVolume "${volumeName}" to requested PersistentVolumeClaim due to incompatible volumeMode.`,
  ];
}

describe('TestSyncBlockVolume', () => {
  it.each(volumeModesOfClaims)('$name', (row) => {
    expect(syncFirstClaim(row)).toEqual(expectedOf(row));
  });

  it.each(volumeModesOfVolumes)('$name', (row) => {
    expect(syncFirstVolume(row)).toEqual(expectedOf(row));
  });
});

/** Set 10: until nothing changes. */
const toRest: readonly Row[] = [
  {
    name: '10-1 a claim binds to a new volume, but not before that has become Available',
    volumes: [volume('volume10-1', '1Gi', { phase: 'Pending' })],
    claims: [claim('claim10-1', 'uid10-1', '1Gi')],
    expectedVolumes: [
      volume('volume10-1', '1Gi', { uid: 'uid10-1', claim: 'claim10-1', phase: 'Bound', marks: ['BC'] }),
    ],
    expectedClaims: [
      claim('claim10-1', 'uid10-1', '1Gi', { volume: 'volume10-1', phase: 'Bound', marks: ['BC', 'BD'] }),
    ],
    events: [noVolume('claim10-1')],
  },
  {
    name: '10-2 of two volumes bound to one claim, that which the claim does not name is given up',
    volumes: [
      volume('volume10-2-1', '1Gi', { uid: 'uid10-2', claim: 'claim10-2', phase: 'Bound', marks: ['BC'] }),
      volume('volume10-2-2', '1Gi', { uid: 'uid10-2', claim: 'claim10-2', phase: 'Bound', marks: ['BC'] }),
    ],
    claims: [claim('claim10-2', 'uid10-2', '1Gi', { volume: 'volume10-2-1', phase: 'Bound', marks: ['BC', 'BD'] })],
    expectedVolumes: [
      volume('volume10-2-1', '1Gi', { uid: 'uid10-2', claim: 'claim10-2', phase: 'Bound', marks: ['BC'] }),
      volume('volume10-2-2', '1Gi'),
    ],
  },
];

describe('TestMultiSync', () => {
  it.each(toRest)('$name', (row) => {
    expect(syncClaimsToRest(row)).toEqual(expectedOf(row));
  });
});

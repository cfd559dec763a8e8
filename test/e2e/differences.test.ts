import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/api/objects.ts';
import type { ClaimReport } from '../../src/report/claim-report.ts';
import { newClaim } from '../support/builders.ts';
import { differences } from './differences.ts';

// The comparison itself: one that finds nothing would pass for a program that is always right.
const report = (outcome: string, volumes: readonly string[] = []) =>
  ({
    metadata: { name: 'films', namespace: 'default' },
    verdict: { outcome, certainty: 'certain', volumes, pods: [], lacks: [] },
    events: { expected: [{ type: 'Normal', reason: 'FailedBinding', message: 'no volume' }] },
    nodes: [{ pod: 'default/player', message: '0/1 nodes are available: 1 no.', nodes: [] }],
  }) as unknown as ClaimReport;

const claim = (phase: string, volumeName?: string): KubernetesObject =>
  ({
    ...newClaim('films', '1Gi', volumeName === undefined ? {} : { volumeName }),
    status: { phase },
  }) as KubernetesObject;

const event = (kind: string, name: string, reason: string, message: string, annotations = {}): KubernetesObject =>
  ({
    kind: 'Event',
    metadata: { name: `${name}.1`, namespace: 'default', annotations },
    involvedObject: { kind, namespace: 'default', name },
    reason,
    message,
  }) as KubernetesObject;

const told = [
  event('PersistentVolumeClaim', 'films', 'FailedBinding', 'no volume'),
  event('Pod', 'player', 'FailedScheduling', '0/1 nodes are available: 1 no. preemption: 0/1 nodes are available.'),
];

describe('what differs from the prediction is found', () => {
  it.each([
    { name: 'nothing', predicted: report('WillBind', ['shelf']), real: [claim('Bound', 'shelf'), ...told], found: [] },
    {
      name: 'another volume',
      predicted: report('WillBind', ['shelf']),
      real: [claim('Bound', 'attic'), ...told],
      found: ['predicted WillBind shelf, real Bound attic'],
    },
    {
      name: 'no volume',
      predicted: report('WillBind', ['shelf']),
      real: [claim('Pending'), ...told],
      found: ['predicted WillBind shelf, real Pending'],
    },
    {
      name: 'a volume after all',
      predicted: report('Stuck'),
      real: [claim('Bound', 'shelf'), ...told],
      found: ['predicted Stuck, real Bound shelf'],
    },
    {
      name: 'a claim that was taken',
      predicted: report('Missing'),
      real: [claim('Pending'), ...told],
      found: ['predicted Missing, real Pending'],
    },
    {
      name: 'no event',
      predicted: report('Stuck'),
      real: [claim('Pending'), told[1] as KubernetesObject],
      found: ['predicted event "FailedBinding no volume", real []'],
    },
    {
      name: 'an event of the dump only',
      predicted: report('Stuck'),
      real: [
        claim('Pending'),
        told[1] as KubernetesObject,
        event('PersistentVolumeClaim', 'films', 'FailedBinding', 'no volume', { 'kubelab/loaded': 'true' }),
      ],
      found: ['predicted event "FailedBinding no volume", real []'],
    },
    {
      name: 'another message of the scheduler',
      predicted: report('Stuck'),
      real: [
        claim('Pending'),
        told[0] as KubernetesObject,
        event('Pod', 'player', 'FailedScheduling', '0/1 nodes are available: 1 yes.'),
      ],
      found: [
        'predicted FailedScheduling of default/player "0/1 nodes are available: 1 no.", real ["0/1 nodes are available: 1 yes."]',
      ],
    },
  ])('$name', ({ predicted, real, found }) => {
    expect(differences(predicted, { objects: real })).toEqual(found.map((line) => `default/films: ${line}`));
  });
});

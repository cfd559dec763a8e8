import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { featuresFor } from '../../src/api/features.ts';
import type { KubernetesObject } from '../../src/api/objects.ts';
import { Examination } from '../../src/diagnosis/diagnose.ts';
import { findingsOf } from '../../src/diagnosis/rules.ts';
import type { Verdict } from '../../src/diagnosis/verdict.ts';
import { verdictOf } from '../../src/diagnosis/verdict-of.ts';
import { simulate } from '../../src/engine/simulate.ts';
import type { Kind } from '../../src/snapshot/kinds.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { newClaim, newClass } from '../support/builders.ts';
import { collected, snapshotOf } from '../support/snapshots.ts';

const driver = 'csi.films.example.com';
const zone = 'films.example.com/zone';

type Meta = { readonly name: string; readonly namespace?: string };
const of = (kind: string, metadata: Meta, fields: object = {}): KubernetesObject =>
  ({
    kind,
    metadata: { uid: `uid-${kind}-${metadata.name}`, creationTimestamp: '2026-02-01T12:00:00Z', ...metadata },
    ...fields,
  }) as KubernetesObject;

/** One of the objects, or none. */
const maybe = (...objects: readonly KubernetesObject[]) =>
  fc.constantFrom<readonly KubernetesObject[]>([], ...objects.map((object) => [object]));

const deployment = (availableReplicas: number) =>
  of(
    'Deployment',
    { name: 'films-csi-controller', namespace: 'kube-system' },
    {
      spec: {
        replicas: 1,
        template: { spec: { containers: [{ name: 'csi-provisioner', image: 'films.example.com/csi-provisioner' }] } },
      },
      status: { replicas: 1, availableReplicas },
    },
  );
const event = (reason: string, message: string, component: string) =>
  of(
    'Event',
    { name: `event-${reason}`, namespace: 'default' },
    {
      involvedObject: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'films', uid: 'uid-films' },
      reason,
      message,
      count: 20,
      lastTimestamp: '2026-02-01T12:30:00Z',
      source: { component },
    },
  );

const anyCluster = fc.record({
  csiDriver: maybe(of('CSIDriver', { name: driver }, { spec: {} })),
  csiNodes: maybe(
    of('CSINode', { name: 'node-1' }, { spec: { drivers: [{ name: driver, topologyKeys: [zone] }] } }),
    of('CSINode', { name: 'node-1' }, { spec: { drivers: [{ name: driver, topologyKeys: [] }] } }),
    of('CSINode', { name: 'node-1' }, { spec: { drivers: [] } }),
  ),
  nodes: fc.constantFrom(
    [of('Node', { name: 'node-1' }, {})],
    [of('Node', { name: 'node-1' }, { metadata: { name: 'node-1', labels: { [zone]: 'a' } } })],
  ),
  controller: maybe(deployment(1), deployment(0)),
  lease: maybe(
    of(
      'Lease',
      { name: 'csi-films-example-com', namespace: 'kube-system' },
      { spec: { renewTime: '2026-02-01T12:29:50Z', leaseDurationSeconds: 15 } },
    ),
    of(
      'Lease',
      { name: 'csi-films-example-com', namespace: 'kube-system' },
      { spec: { renewTime: '2026-02-01T09:00:00Z', leaseDurationSeconds: 15 } },
    ),
  ),
  pods: fc.constant([
    of('Pod', { name: 'coredns', namespace: 'kube-system' }, { spec: {}, status: { phase: 'Running' } }),
  ]),
  snapshots: maybe(
    of(
      'VolumeSnapshot',
      { name: 'snap-1', namespace: 'default' },
      { status: { boundVolumeSnapshotContentName: 'content-1', readyToUse: true, restoreSize: '5Gi' } },
    ),
    of('VolumeSnapshot', { name: 'snap-1', namespace: 'default' }, { status: {} }),
  ),
  contents: maybe(
    of(
      'VolumeSnapshotContent',
      { name: 'content-1' },
      {
        spec: { driver, volumeSnapshotRef: { name: 'snap-1', namespace: 'default', uid: 'uid-VolumeSnapshot-snap-1' } },
        status: { snapshotHandle: 'handle' },
      },
    ),
  ),
  attributes: maybe(
    of('VolumeAttributesClass', { name: 'gold' }, { driverName: driver }),
    of('VolumeAttributesClass', { name: 'gold' }, { driverName: 'other' }),
  ),
  told: maybe(
    event('ExternalProvisioning', `Waiting for '${driver}'`, 'persistentvolume-controller'),
    event('ProvisioningFailed', 'rpc error: code = Internal desc = the moon is full', `${driver}_0`),
    event(
      'ProvisioningFailed',
      'error generating accessibility requirements: no available topology found',
      `${driver}_0`,
    ),
    event('Provisioning', 'External provisioner is provisioning volume', `${driver}_0`),
  ),
});

const anyClaim = fc.record({
  size: fc.constantFrom('1Gi', '10Gi'),
  isRestored: fc.boolean(),
  hasAttributes: fc.boolean(),
  isDelayed: fc.boolean(),
  node: fc.constantFrom('node-1', 'node-9'),
});

const anySituation = fc.record({ cluster: anyCluster, wanted: anyClaim }).map(({ cluster, wanted }) => {
  const { size, isRestored, hasAttributes, isDelayed, node } = wanted;
  const claim = newClaim(
    'films',
    size,
    {
      storageClassName: 'fast',
      ...(isRestored
        ? { dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'snap-1' } }
        : {}),
      ...(hasAttributes ? { volumeAttributesClassName: 'gold' } : {}),
    },
    {
      creationTimestamp: '2026-02-01T12:00:00Z',
      annotations: {
        'volume.kubernetes.io/storage-provisioner': driver,
        ...(isDelayed ? { 'volume.kubernetes.io/selected-node': node } : {}),
      },
    },
  );
  const storageClass = newClass('fast', driver, isDelayed ? 'WaitForFirstConsumer' : 'Immediate');
  return [claim, storageClass, ...Object.values(cluster).flat()];
});

/** Kinds that a provisioner, or what is told of it, depends on. */
const kindsThatCount: readonly Kind[] = [
  'CSIDriver',
  'CSINode',
  'Node',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Pod',
  'Lease',
  'Event',
  'VolumeSnapshot',
  'VolumeSnapshotContent',
  'VolumeAttributesClass',
  'PersistentVolume',
  'StorageClass',
];

const examine = (snapshot: Snapshot) => new Examination(simulate(snapshot, { features: featuresFor('1.37') }));
const verdict = (snapshot: Snapshot): Verdict => verdictOf(examine(snapshot), 'default/films');

describe('what a provisioner makes of a claim', () => {
  it('is never certain to be something else because a kind was not collected', () => {
    fc.assert(
      fc.property(anySituation, fc.constantFrom(...kindsThatCount), (objects, kind) => {
        const [whole, part] = [verdict(collected(objects)), verdict(collected(objects, [kind]))];
        if (whole.certainty !== 'certain' || part.certainty !== 'certain' || part.outcome === 'Unknown') return;
        expect(part.outcome).toBe(whole.outcome);
      }),
      { numRuns: 1000 },
    );
  });

  it('is never certain to be something else because a kind is not in the input, which does not tell why', () => {
    fc.assert(
      fc.property(anySituation, fc.constantFrom(...kindsThatCount), (objects, kind) => {
        const whole = verdict(collected(objects));
        const part = verdict(snapshotOf(objects.filter((object) => object.kind !== kind)));
        if (whole.certainty !== 'certain' || part.certainty !== 'certain' || part.outcome === 'Unknown') return;
        expect(part.outcome).toBe(whole.outcome);
      }),
      { numRuns: 1000 },
    );
  });

  it('has a cause wherever it is not simply made', () => {
    fc.assert(
      fc.property(anySituation, (objects) => {
        const examination = examine(collected(objects));
        const found = verdictOf(examination, 'default/films');
        const findings = findingsOf(examination, 'default/films', found, () => []);
        expect(findings.length).toBeGreaterThan(0);
        if (found.outcome === 'WaitsForProvisioner' && found.certainty === 'certain') {
          expect(findings[0]?.code).not.toBe('AwaitsProvisioner');
        }
      }),
      { numRuns: 500 },
    );
  });
});

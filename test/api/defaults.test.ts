import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withDefaults } from '../../src/api/defaults.ts';
import type { KubernetesObject } from '../../src/api/objects.ts';

type Fields = Readonly<Record<string, unknown>>;
const object = (kind: string, fields: Fields): KubernetesObject => ({ kind, metadata: { name: 'films' }, ...fields });

// Observed with the defaulting functions of k8s.io/kubernetes v1.37.2.
describe('the API server fills in', () => {
  it.each<[string, string, Fields, Fields]>([
    [
      'a volume without anything',
      'PersistentVolume',
      { spec: {} },
      { spec: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
    ],
    [
      'a volume without even a spec',
      'PersistentVolume',
      {},
      { spec: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
    ],
    [
      'a volume whose fields are empty: only fields that are no pointers count as absent',
      'PersistentVolume',
      { spec: { persistentVolumeReclaimPolicy: '', volumeMode: '' }, status: { phase: '' } },
      { spec: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: '' }, status: { phase: 'Pending' } },
    ],
    [
      'a volume with a message but no phase',
      'PersistentVolume',
      { spec: { persistentVolumeReclaimPolicy: 'Delete', volumeMode: 'Block' }, status: { message: 'full' } },
      {
        spec: { persistentVolumeReclaimPolicy: 'Delete', volumeMode: 'Block' },
        status: { message: 'full', phase: 'Pending' },
      },
    ],
    [
      'a host path without a type',
      'PersistentVolume',
      { spec: { hostPath: { path: '/films' } } },
      {
        spec: {
          persistentVolumeReclaimPolicy: 'Retain',
          volumeMode: 'Filesystem',
          hostPath: { path: '/films', type: '' },
        },
        status: { phase: 'Pending' },
      },
    ],
    [
      'a claim without anything',
      'PersistentVolumeClaim',
      { spec: {} },
      { spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
    ],
    [
      'amounts finer than a thousandth',
      'PersistentVolumeClaim',
      {
        spec: { volumeMode: 'Block', resources: { requests: { storage: '1.0000001Gi' }, limits: { storage: '1n' } } },
        status: { phase: 'Bound', capacity: { storage: '1500u' }, allocatedResources: { storage: '01Gi' } },
      },
      {
        spec: {
          volumeMode: 'Block',
          resources: { requests: { storage: '1073741931375m' }, limits: { storage: '1m' } },
        },
        status: { phase: 'Bound', capacity: { storage: '2m' }, allocatedResources: { storage: '01Gi' } },
      },
    ],
    [
      'an amount that is none is left for others to complain about',
      'PersistentVolume',
      { spec: { capacity: { storage: '1GB' }, persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' } },
      {
        spec: { capacity: { storage: '1GB' }, persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
        status: { phase: 'Pending' },
      },
    ],
    [
      'a class',
      'StorageClass',
      { provisioner: 'example.com/disk' },
      { provisioner: 'example.com/disk', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
    ],
    [
      'a driver',
      'CSIDriver',
      { spec: { storageCapacity: true } },
      { spec: { attachRequired: true, storageCapacity: true, preventPodSchedulingIfMissing: false } },
    ],
    [
      'a node that says only what it has',
      'Node',
      { status: { capacity: { cpu: '4' } } },
      { status: { capacity: { cpu: '4' }, allocatable: { cpu: '4' } } },
    ],
    ['a pod', 'Pod', { spec: { containers: [] } }, { spec: { containers: [], schedulerName: 'default-scheduler' } }],
    [
      'requests from limits, one by one, and the protocol of ports',
      'Pod',
      {
        spec: {
          schedulerName: '',
          containers: [
            {
              resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } },
              ports: [{ containerPort: 80 }],
            },
            { resources: { requests: { cpu: '1' } }, ports: [{ hostPort: 53, protocol: 'UDP' }] },
          ],
          initContainers: [{ resources: { limits: { cpu: '2' } } }],
        },
      },
      {
        spec: {
          schedulerName: 'default-scheduler',
          containers: [
            {
              resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } },
              ports: [{ containerPort: 80, protocol: 'TCP' }],
            },
            { resources: { requests: { cpu: '1' } }, ports: [{ hostPort: 53, protocol: 'UDP' }] },
          ],
          initContainers: [{ resources: { limits: { cpu: '2' }, requests: { cpu: '2' } } }],
        },
      },
    ],
    [
      'host ports on the network of the node',
      'Pod',
      {
        spec: {
          schedulerName: 'mine',
          hostNetwork: true,
          containers: [{ ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 8081, protocol: 'TCP' }] }],
        },
      },
      {
        spec: {
          schedulerName: 'mine',
          hostNetwork: true,
          containers: [
            {
              ports: [
                { containerPort: 80, hostPort: 80, protocol: 'TCP' },
                { containerPort: 81, hostPort: 8081, protocol: 'TCP' },
              ],
            },
          ],
        },
      },
    ],
    [
      'the volumes of a pod',
      'Pod',
      {
        spec: {
          schedulerName: 'mine',
          volumes: [
            { name: 'a', ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: '1n' } } } } } },
            { name: 'b', rbd: { image: 'films' } },
            { name: 'c', persistentVolumeClaim: { claimName: 'films' } },
          ],
        },
      },
      {
        spec: {
          schedulerName: 'mine',
          volumes: [
            {
              name: 'a',
              ephemeral: {
                volumeClaimTemplate: { spec: { resources: { requests: { storage: '1m' } }, volumeMode: 'Filesystem' } },
              },
            },
            { name: 'b', rbd: { image: 'films', pool: 'rbd' } },
            { name: 'c', persistentVolumeClaim: { claimName: 'films' } },
          ],
        },
      },
    ],
  ])('%s', (_name, kind, before, after) => {
    const given = object(kind, before);
    const copy = structuredClone(given);
    const filled = withDefaults(given);
    expect(filled).toEqual(object(kind, after));
    expect(given).toEqual(copy);
    // Nothing is left to do the second time.
    expect(withDefaults(filled)).toBe(filled);
  });
});

it.each<[string, Fields]>([
  ['Event', { reason: 'FailedBinding' }],
  ['Namespace', {}],
  ['Node', {}],
  ['Node', { status: { allocatable: { cpu: '4' } } }],
  ['VolumeAttributesClass', { driverName: 'example.com/disk' }],
])('a %s that lacks nothing is the same object', (kind, fields) => {
  const given = object(kind, fields);
  expect(withDefaults(given)).toBe(given);
});

it('what is there already never changes', () => {
  const volume = fc.record(
    {
      persistentVolumeReclaimPolicy: fc.constantFrom('Retain', 'Delete', 'Recycle'),
      volumeMode: fc.constantFrom('Block', 'Filesystem'),
      storageClassName: fc.string(),
      accessModes: fc.array(fc.constantFrom('ReadWriteOnce', 'ReadOnlyMany')),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(volume, (spec) => {
      expect(withDefaults(object('PersistentVolume', { spec }))).toMatchObject({ spec });
    }),
  );
});

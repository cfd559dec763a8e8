import { describe, expect, it } from 'vitest';
import { chooseFirstVolume } from '../../../src/engine/scheduler/choice.ts';
import { volumeBinding } from '../../../src/engine/scheduler/volume-binding/volume-binding.ts';
import {
  boundTo,
  cacheOf,
  labelIn,
  newClaim,
  newClass,
  newNode,
  newPod,
  newVolume,
  type Objects,
  runPlugin,
  uses,
} from './cluster.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/volumebinding/volume_binding_test.go (1.37); specification
// scheduler-and-provisioning 10.1.
// Not ported: the rows about scores ("local volumes with close capacity are preferred", "zonal volumes …", "storage capacity score …",
// "dynamic provisioning with multiple PVCs …", "prefer node with …"), Test_PreBindPreFlight and the queueing hints, none of which are
// simulated; TestVolumeBinding_DeferredResizeSkipped, whose gate is off in every release.

const waitSC = newClass('wait', 'kubernetes.io/no-provisioner');
const immediateSC = newClass('immediate', 'example.com/disks', { volumeBindingMode: 'Immediate' });
const claimA = newClaim('pvc-a', 'wait', '1Gi');
const claimB = newClaim('pvc-b', 'wait', '1Gi');
const node = newNode('node-a');

interface Row extends Objects {
  readonly name: string;
  readonly uses: readonly string[];
  readonly preFilter: 'skip' | 'ready' | { readonly reason: string };
  readonly filter?: readonly string[];
}

const rows: readonly Row[] = [
  { name: 'pod has not pvcs', uses: [], preFilter: 'skip' },
  {
    name: 'all bound',
    uses: ['pvc-a'],
    claims: [boundTo(claimA, 'pv-a')],
    volumes: [newVolume('pv-a', 'wait', '1Gi')],
    preFilter: 'ready',
  },
  {
    name: 'PVC does not exist',
    uses: ['pvc-a'],
    preFilter: { reason: 'persistentvolumeclaim "pvc-a" not found' },
  },
  {
    name: 'Part of PVCs do not exist',
    uses: ['pvc-a', 'pvc-b'],
    claims: [boundTo(claimA, 'pv-a')],
    preFilter: { reason: 'persistentvolumeclaim "pvc-b" not found' },
  },
  {
    name: 'immediate claims not bound',
    uses: ['pvc-a'],
    claims: [newClaim('pvc-a', 'immediate', '1Gi')],
    preFilter: { reason: 'pod has unbound immediate PersistentVolumeClaims' },
  },
  {
    name: 'unbound claims no matches',
    uses: ['pvc-a'],
    claims: [claimA],
    preFilter: 'ready',
    filter: ["node(s) didn't find available persistent volumes to bind"],
  },
  {
    name: 'bound and unbound unsatisfied',
    uses: ['pvc-a', 'pvc-b'],
    nodes: [newNode('node-a', { rack: 'north' })],
    claims: [boundTo(claimA, 'pv-a'), claimB],
    volumes: [newVolume('pv-a', 'wait', '1Gi', labelIn('rack', 'south'))],
    preFilter: 'ready',
    filter: [
      "node(s) didn't match PersistentVolume's node affinity",
      "node(s) didn't find available persistent volumes to bind",
    ],
  },
  {
    name: 'pv not found',
    uses: ['pvc-a'],
    claims: [boundTo(claimA, 'pv-a')],
    preFilter: 'ready',
    filter: ['node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'],
  },
  {
    name: 'pv not found claim lost',
    uses: ['pvc-a'],
    claims: [{ ...boundTo(claimA, 'pv-a'), status: { phase: 'Lost' } }],
    preFilter: { reason: 'persistentvolumeclaim "pvc-a" bound to non-existent persistentvolume "pv-a"' },
  },
];

describe('TestVolumeBinding', () => {
  it.each(rows)('$name', ({ uses: claimNames, preFilter, filter = [], ...objects }) => {
    const cache = cacheOf({ nodes: [node], classes: [waitSC, immediateSC], ...objects });
    const result = runPlugin(volumeBinding(chooseFirstVolume), cache, newPod('pod-a', claimNames.map(uses)));
    if (typeof preFilter === 'string') expect(result.preFilter.is).toBe(preFilter);
    else {
      expect(result.preFilter).toMatchObject({
        is: 'rejected',
        status: { code: 'UnschedulableAndUnresolvable', plugin: 'VolumeBinding', reasons: [preFilter.reason] },
      });
    }
    expect(result.filter?.reasons ?? []).toEqual(filter);
    if (filter.length > 0) expect(result.filter?.code).toBe('UnschedulableAndUnresolvable');
  });
});

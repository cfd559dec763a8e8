import { describe, expect, it } from 'vitest';
import type { AccessMode, PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../../src/api/objects.ts';
import { chooseFirst } from '../../../src/engine/choose.ts';
import { Controller } from '../../../src/engine/pv-controller/controller.ts';
import { isDelayBindingMode } from '../../../src/engine/pv-controller/sync-claim.ts';
import { SyncError } from '../../../src/engine/pv-controller/sync-error.ts';
import { chooseFirstVolume } from '../../../src/engine/scheduler/choice.ts';
import { PluginError } from '../../../src/engine/scheduler/framework.ts';
import { VolumeSearch } from '../../../src/engine/scheduler/volume-binding/find-matching-volume.ts';
import { wantsOf } from '../../../src/engine/volume-checks.ts';
import { World } from '../../../src/engine/world.ts';
import { modes } from '../../support/builders.ts';
import { cacheOf, labelIn, newNode, newVolume } from '../scheduler/cluster.ts';
import { claim, features } from './fixture.ts';

// kubernetes/kubernetes staging/src/k8s.io/component-helpers/storage/volume/pv_helpers_test.go (1.37); specification pv-controller 15.13.

describe('TestDelayBindingMode', () => {
  const ofMode = (name: string, volumeBindingMode?: string): StorageClass => ({
    kind: 'StorageClass',
    metadata: { name },
    ...(volumeBindingMode === undefined ? {} : { volumeBindingMode }),
  });
  const classes = [
    ofMode('no-mode'),
    ofMode('immediate-mode', 'Immediate'),
    ofMode('wait-mode', 'WaitForFirstConsumer'),
  ];
  const world = new World([], [], {
    classes: new Map(classes.map((one) => [one.metadata.name, one])),
    pods: [],
    nodes: [],
    lacks: () => false,
  });
  const ctrl = new Controller(world, { features, choose: chooseFirst, plugins: [], dynamicProvisioning: true });
  const ofClass = (className?: string): PersistentVolumeClaim =>
    claim('claim', 'uid', '1Gi', className === undefined ? {} : { class: className });

  it.each([
    { name: 'nil-class', claim: ofClass(), delays: false },
    { name: 'class-not-found', claim: ofClass('not-here'), delays: false },
    { name: 'immediate-mode-class', claim: ofClass('immediate-mode'), delays: false },
    { name: 'wait-mode-class', claim: ofClass('wait-mode'), delays: true },
  ])('$name', ({ claim: one, delays }) => {
    expect(isDelayBindingMode(ctrl, one)).toBe(delays);
  });

  it('no-mode-class', () => {
    expect(() => isDelayBindingMode(ctrl, ofClass('no-mode'))).toThrow(
      new SyncError('VolumeBindingMode not set for StorageClass "no-mode"'),
    );
  });
});

describe('TestFindMatchVolumeWithNode', () => {
  // Volumes are named by what upstream's table has for their uid: two of them have the same name.
  const pv = (
    name: string,
    className: string,
    capacity: string,
    value?: string,
    spec: Partial<PersistentVolume['spec']> = {},
  ): PersistentVolume => {
    const made = newVolume(name, className, capacity, value === undefined ? undefined : labelIn('key1', value));
    return { ...made, spec: { ...made.spec, accessModes: modes('RWO', 'ROX'), ...spec } };
  };
  const volumes = [
    pv('local-small', '', '5G'),
    pv('local-pd-very-large', 'large', '200E'),
    pv('affinity-pv', 'wait', '100G', 'value1'),
    pv('affinity-pv2', 'wait', '150G', 'value1'),
    pv('affinity-prebound', 'wait', '100G', 'value1', { claimRef: { name: 'claim02', namespace: 'myns' } }),
    pv('affinity-pv3', 'wait', '200G', 'value3'),
    { ...pv('affinity-pv4', 'wait', '200G', 'value4'), status: {} },
  ];
  const withVAC = (volume: PersistentVolume): PersistentVolume => ({
    ...volume,
    spec: { ...volume.spec, volumeAttributesClassName: 'gold' },
  });
  const goldVolumes = volumes.map(withVAC);

  const pvc = (
    name: string,
    accessModes: readonly AccessMode[] = modes('RWO'),
    volumeAttributesClassName?: string,
  ): PersistentVolumeClaim => ({
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'myns' },
    spec: {
      accessModes,
      resources: { requests: { storage: '100G' } },
      storageClassName: 'wait',
      volumeMode: 'Filesystem',
      ...(volumeAttributesClassName === undefined ? {} : { volumeAttributesClassName }),
    },
  });

  interface Scenario {
    readonly name: string;
    readonly claim: PersistentVolumeClaim;
    /** The value of the label that the node has. */
    readonly node: string;
    readonly volumes?: readonly PersistentVolume[];
    readonly excluded?: readonly string[];
    /** The states of the gate VolumeAttributesClass to which the row applies; without it, both. */
    readonly gate?: boolean;
    readonly expected?: string;
    /** The volume that ended the search because it is reserved for the claim. */
    readonly outOfReach?: string;
  }

  const scenarios: readonly Scenario[] = [
    { name: 'success-match', claim: pvc('claim01'), node: 'value1', expected: 'affinity-pv' },
    { name: 'success-prebound', claim: pvc('claim02'), node: 'value1', expected: 'affinity-prebound' },
    {
      name: 'success-exclusion',
      claim: pvc('claim01'),
      node: 'value1',
      excluded: ['affinity-pv'],
      expected: 'affinity-pv2',
    },
    { name: 'fail-exclusion', claim: pvc('claim01'), node: 'value1', excluded: ['affinity-pv', 'affinity-pv2'] },
    { name: 'fail-accessmode', claim: pvc('claim01', modes('RWX')), node: 'value1' },
    { name: 'fail-nodeaffinity', claim: pvc('claim01'), node: 'value2' },
    {
      name: 'fail-prebound-node-affinity',
      claim: pvc('claim02'),
      node: 'value3',
      outOfReach: 'affinity-prebound',
    },
    { name: 'fail-nonavaliable', claim: pvc('claim04'), node: 'value4' },
    { name: 'success-bad-and-good-node-affinity', claim: pvc('claim03'), node: 'value3', expected: 'affinity-pv3' },
    {
      name: 'success-match-with-vac',
      claim: pvc('claim01', modes('RWO'), 'gold'),
      node: 'value1',
      volumes: goldVolumes,
      gate: true,
      expected: 'affinity-pv',
    },
    { name: 'fail-vac', claim: pvc('claim01', modes('RWO'), 'silver'), node: 'value1', gate: true },
    {
      name: 'fail-prebound-vac',
      claim: pvc('claim02', modes('RWO'), 'silver'),
      node: 'value1',
      volumes: goldVolumes,
      gate: true,
    },
    { name: 'fail-volumes-vac', claim: pvc('claim01'), node: 'value1', volumes: goldVolumes, gate: false },
  ];

  function search(scenario: Omit<Scenario, 'name'>, volumeAttributesClass: boolean) {
    const cache = cacheOf({
      nodes: [newNode('node', { key1: scenario.node })],
      volumes: scenario.volumes ?? volumes,
    });
    const node = cache.node('node');
    if (node === undefined) throw new Error('the node is missing');
    const wants = wantsOf(scenario.claim);
    const ofClass = cache.classVolumes('wait');
    const one = new VolumeSearch(wants, ofClass, { ...features, volumeAttributesClass }, chooseFirstVolume);
    return one.findMatchingVolume(node, new Set(scenario.excluded));
  }

  describe.each([true, false])('gate VolumeAttributesClass %s', (gate) => {
    it.each(scenarios.filter((one) => (one.gate ?? gate) === gate))('$name', (scenario) => {
      const match = search(scenario, gate);
      const { expected, outOfReach } = scenario;
      if (expected !== undefined)
        expect(match).toMatchObject({ is: 'found', volume: { metadata: { name: expected } } });
      else if (outOfReach !== undefined) {
        expect(match).toMatchObject({ is: 'outOfReach', volume: { metadata: { name: outOfReach } } });
      } else expect(match).toEqual({ is: 'none' });
    });
  });

  it('fail-on-error', () => {
    const scenario = { claim: pvc('claim01', modes('RWO'), 'gold'), node: 'value1' };
    expect(() => search(scenario, false)).toThrow(
      new PluginError(
        'unsupported volumeAttributesClassName is set on claim myns/claim01 when the feature-gate VolumeAttributesClass is disabled',
      ),
    );
  });
});

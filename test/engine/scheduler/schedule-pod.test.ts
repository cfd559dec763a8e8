import { describe, expect, it } from 'vitest';
import { AnnSelectedNode } from '../../../src/api/annotations.ts';
import { featuresFor } from '../../../src/api/features.ts';
import type { Pod } from '../../../src/api/objects.ts';
import { queueingOf } from '../../../src/engine/scheduler/queueing.ts';
import { type PodDecision, schedulePod } from '../../../src/engine/scheduler/schedule-pod.ts';
import type { Kind } from '../../../src/snapshot/kinds.ts';
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
  reservedFor,
  uses,
  withAnnotation,
} from '../../conformance/scheduler/cluster.ts';

const local = newClass('local', 'kubernetes.io/no-provisioner');
const cloud = newClass('cloud', 'disks.example.com');
const data = newClaim('data', 'local', '1Gi');
const usesData = newPod('db', [uses('data')]);

const schedule = (objects: Objects, pod: Pod, version?: string): PodDecision =>
  schedulePod(
    cacheOf({ nodes: [newNode('north'), newNode('south')], classes: [local, cloud], ...objects }, version),
    pod,
  );

const verdicts = (decision: PodDecision) =>
  Object.fromEntries(decision.nodes.map(({ node, verdict }) => [node, verdict]));

describe('pods that the scheduler does not take up', () => {
  const pod = (spec: Partial<Pod['spec']>, rest: Partial<Pod> = {}): Pod => ({ ...newPod('db', [], spec), ...rest });

  it.each([
    { name: 'a waiting pod is queued', pod: pod({}), is: 'queued' },
    { name: 'gates keep it out', pod: pod({ schedulingGates: [{ name: 'example.com/quota' }] }), is: 'gated' },
    { name: 'a node set by hand passes the scheduler by', pod: pod({ nodeName: 'north' }), is: 'assigned' },
    { name: 'another scheduler serves it', pod: pod({ schedulerName: 'batch' }), is: 'otherScheduler' },
    {
      name: 'it is being deleted',
      pod: pod({}, { metadata: { name: 'db', deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      is: 'terminating',
    },
    { name: 'it has run', pod: pod({ nodeName: 'north' }, { status: { phase: 'Succeeded' } }), is: 'finished' },
  ])('$name', ({ pod, is }) => {
    expect(queueingOf(pod, featuresFor('1.37')).is).toBe(is);
    const decision = schedule({}, pod);
    expect(decision.queueing.is).toBe(is);
    expect(decision.nodes.length > 0).toBe(is === 'queued');
  });
});

describe('what is not known', () => {
  const bound = boundTo(data, 'pv-1');
  const provisioned = newClaim('data', 'cloud', '1Gi');
  const tainted = newNode(
    'south',
    {},
    { spec: { taints: [{ key: 'dedicated', value: 'search', effect: 'NoSchedule' }] } },
  );

  it.each<{ name: string; objects: Objects; pod?: Pod; lacks: readonly Kind[] }>([
    { name: 'claims', objects: {}, lacks: ['PersistentVolumeClaim'] },
    { name: 'the volume of a bound claim', objects: { claims: [bound] }, lacks: ['PersistentVolume'] },
    { name: 'volumes to choose from', objects: { claims: [data] }, lacks: ['PersistentVolume'] },
    { name: 'the class of a claim', objects: { claims: [data], classes: [] }, lacks: ['StorageClass'] },
    { name: 'whether the driver tracks its room', objects: { claims: [provisioned] }, lacks: ['CSIDriver'] },
    {
      name: 'how much room there is',
      objects: {
        claims: [provisioned],
        csiDrivers: [{ kind: 'CSIDriver', metadata: { name: 'disks.example.com' }, spec: { storageCapacity: true } }],
      },
      lacks: ['CSIStorageCapacity'],
    },
    { name: 'who else is on the node', objects: {}, pod: newPod('db'), lacks: ['Pod'] },
    {
      name: 'labels of namespaces that a term asks for',
      objects: {},
      pod: newPod('db', [], {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'rack', labelSelector: {}, namespaceSelector: { matchLabels: { team: 'media' } } },
            ],
          },
        },
      }),
      lacks: ['Namespace'],
    },
    {
      name: 'limits of the node',
      objects: { claims: [provisioned] },
      lacks: ['CSINode'],
    },
    { name: 'the nodes', objects: { nodes: [] }, lacks: ['Node'] },
  ])('$name: unknown, not a rejection and not a success', ({ objects, pod = usesData, lacks }) => {
    const decision = schedule({ ...objects, lacks }, pod);
    expect(decision.lacks).toEqual(lacks);
    expect(decision.feasible).toEqual([]);
    expect(decision.message).toBeUndefined();
    expect(decision.preFilter).toBeUndefined();
    for (const { verdict } of decision.nodes) expect(verdict).toBe('unknown');
  });

  it('a rejection that stands whatever is missing stays one', () => {
    const decision = schedule(
      { nodes: [newNode('north'), tainted], claims: [bound], lacks: ['PersistentVolume'] },
      usesData,
    );
    expect(verdicts(decision)).toEqual({ north: 'unknown', south: 'rejected' });
  });

  it('without volumes to look at, a claim that can be provisioned is in order either way', () => {
    const decision = schedule({ claims: [provisioned], lacks: ['PersistentVolume'] }, usesData);
    expect(decision.feasible).toEqual(['north', 'south']);
    expect(decision.nodes[0]?.claims).toEqual([{ is: 'unknown', claim: 'default/data', lacks: ['PersistentVolume'] }]);
  });

  it('a kind that was collected and is empty is no unknown', () => {
    expect(schedule({}, usesData).preFilter?.reasons).toEqual(['persistentvolumeclaim "data" not found']);
  });

  it.each([
    { name: 'resource claims', spec: { resourceClaims: [{ name: 'gpu' }] }, unsimulated: ['DynamicResources'] },
    {
      name: 'a device class as a resource',
      spec: { containers: [{ resources: { requests: { 'deviceclass.resource.kubernetes.io/gpu': '1' } } }] },
      unsimulated: ['DynamicResources'],
    },
    { name: 'a pod group', spec: { schedulingGroup: { podGroupName: 'train' } }, unsimulated: ['PodGroups'] },
  ])('$name are not simulated: no node is certain', ({ spec, unsimulated }) => {
    const decision = schedule({}, newPod('db', [], spec));
    expect(decision.unsimulated).toEqual(unsimulated);
    expect(decision.feasible).toEqual([]);
    expect(decision.message).toBeUndefined();
  });
});

describe('everything that fails on a node is kept', () => {
  const node = newNode(
    'north',
    { rack: 'n' },
    {
      spec: { unschedulable: true, taints: [{ key: 'dedicated', value: 'search', effect: 'NoSchedule' }] },
      status: { allocatable: { cpu: '1', memory: '1Gi', pods: '110' } },
    },
  );
  const pod = newPod('db', [uses('data')], {
    nodeSelector: { rack: 's' },
    containers: [{ resources: { requests: { cpu: '2', memory: '4Gi' } } }],
  });

  it('the first plugin decides, and the others are told', () => {
    const decision = schedule({ nodes: [node], claims: [data] }, pod);
    const [north] = decision.nodes;
    expect(north?.failing.map(({ plugin }) => plugin)).toEqual([
      'NodeUnschedulable',
      'TaintToleration',
      'NodeAffinity',
      'NodeResourcesFit',
      'VolumeBinding',
    ]);
    expect(north?.status).toBe(north?.failing[0]);
    expect(decision.message).toBe('0/1 nodes are available: 1 node(s) were unschedulable.');
  });

  it('a pod that is rejected before any node is looked at still has its nodes explained', () => {
    const decision = schedule({ nodes: [node] }, pod);
    expect(decision.message).toBe('0/1 nodes are available: persistentvolumeclaim "data" not found.');
    expect(decision.rejections.map(({ plugin }) => plugin)).toEqual([
      'VolumeRestrictions',
      'VolumeBinding',
      'VolumeZone',
    ]);
    expect(decision.nodes[0]?.failing.map(({ plugin }) => plugin)).toContain('NodeResourcesFit');
  });

  it('amounts, taints and claims come as facts', () => {
    const facts = Object.fromEntries(
      (schedule({ nodes: [node], claims: [data] }, pod).nodes[0]?.failing ?? []).map((status) => [
        status.plugin,
        'facts' in status ? status.facts : undefined,
      ]),
    );
    expect(facts).toMatchObject({
      TaintToleration: { taints: [{ key: 'dedicated' }] },
      NodeAffinity: { failed: 'nodeSelector' },
      NodeResourcesFit: {
        insufficient: [
          { resource: 'cpu', requested: 2000n, used: 0n, capacity: 1000n, unresolvable: true },
          { resource: 'memory', requested: 4_294_967_296n, used: 0n, capacity: 1_073_741_824n, unresolvable: true },
        ],
      },
      VolumeBinding: {
        claims: [{ is: 'refused', claim: 'default/data', refusal: { is: 'noProvisioner', className: 'local' } }],
      },
    });
  });
});

describe('what the binder makes of a claim on a node', () => {
  const at = (node: string) => labelIn('rack', node);
  const nodes = [newNode('north', { rack: 'north' }), newNode('south', { rack: 'south' })];
  const claimsOn = (objects: Objects) =>
    Object.fromEntries(schedule({ nodes, ...objects }, usesData).nodes.map(({ node, claims }) => [node, claims?.[0]]));

  it('a volume of the node serves; elsewhere there is none', () => {
    expect(claimsOn({ claims: [data], volumes: [newVolume('pv-n', 'local', '2Gi', at('north'))] })).toMatchObject({
      north: { is: 'static', volume: 'pv-n', equals: 0 },
      south: { is: 'refused', refusal: { is: 'noProvisioner' } },
    });
  });

  it('a reservation out of reach forbids all other volumes', () => {
    const reserved = reservedFor(newVolume('pv-s', 'local', '2Gi', at('south')), data);
    expect(
      claimsOn({ claims: [data], volumes: [reserved, newVolume('pv-n', 'local', '2Gi', at('north'))] }),
    ).toMatchObject({
      north: { is: 'refused', reserved: 'pv-s' },
      south: { is: 'static', volume: 'pv-s' },
    });
  });

  it('with a provisioner, a reservation out of reach leads to a second volume', () => {
    const claim = newClaim('data', 'cloud', '1Gi');
    const reserved = reservedFor(newVolume('pv-s', 'cloud', '2Gi', at('south')), claim);
    expect(claimsOn({ claims: [claim], volumes: [reserved] })).toMatchObject({
      north: { is: 'provision', className: 'cloud', reserved: 'pv-s' },
      south: { is: 'static', volume: 'pv-s' },
    });
  });

  it('a node that was selected once rules out the others', () => {
    const claim = withAnnotation(newClaim('data', 'cloud', '1Gi'), AnnSelectedNode, 'south');
    expect(claimsOn({ claims: [claim] })).toMatchObject({
      north: { is: 'selectedElsewhere', selectedNode: 'south' },
      south: { is: 'provision', className: 'cloud' },
    });
  });

  it('a volume serves one claim of a pod only, and small claims choose first', () => {
    const objects: Objects = {
      nodes,
      claims: [newClaim('large', 'local', '3Gi'), newClaim('small', 'local', '1Gi')],
      volumes: [newVolume('pv-4', 'local', '4Gi'), newVolume('pv-5', 'local', '5Gi')],
    };
    const decision = schedule(objects, newPod('db', [uses('large'), uses('small')]));
    expect(decision.nodes[0]?.claims).toMatchObject([
      { claim: 'default/small', volume: 'pv-4' },
      { claim: 'default/large', volume: 'pv-5' },
    ]);
  });

  it('allowed topologies and room are told apart', () => {
    const claim = newClaim('data', 'cloud', '5Gi');
    const pinned = { ...cloud, allowedTopologies: [{ matchLabelExpressions: [{ key: 'rack', values: ['north'] }] }] };
    const csiDrivers = [
      { kind: 'CSIDriver', metadata: { name: 'disks.example.com' }, spec: { storageCapacity: true } },
    ];
    expect(claimsOn({ claims: [claim], classes: [pinned], csiDrivers })).toMatchObject({
      north: { is: 'refused', refusal: { is: 'capacity', driver: 'disks.example.com', request: '5Gi' } },
      south: { is: 'refused', refusal: { is: 'topology', className: 'cloud' } },
    });
  });
});

describe('nominated pods', () => {
  const small = newNode('north', {}, { status: { allocatable: { cpu: '1', memory: '1Gi', pods: '110' } } });
  const wants = (name: string, priority: number, nominatedNodeName?: string): Pod => ({
    ...newPod(name, [], { priority, containers: [{ resources: { requests: { cpu: '600m' } } }] }),
    ...(nominatedNodeName === undefined ? {} : { status: { nominatedNodeName } }),
  });

  it('room that another pod of equal priority waits for is taken', () => {
    const decision = schedule({ nodes: [small], pods: [wants('first', 10, 'north')] }, wants('second', 10));
    expect(decision.nodes[0]).toMatchObject({ verdict: 'rejected', nominatedPodsInTheWay: true });
    expect(decision.message).toBe('0/1 nodes are available: 1 Insufficient cpu.');
  });

  it('a pod of lower priority does not count', () => {
    expect(schedule({ nodes: [small], pods: [wants('first', 1, 'north')] }, wants('second', 10)).feasible).toEqual([
      'north',
    ]);
  });

  it('affinity to a nominated pod alone is not enough', () => {
    const near = newPod('near', [], {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'rack', labelSelector: { matchLabels: { app: 'db' } } },
          ],
        },
      },
    });
    const nominated = wants('first', 10, 'north');
    const db = { ...nominated, metadata: { ...nominated.metadata, labels: { app: 'db' } } };
    const decision = schedule({ nodes: [newNode('north', { rack: 'n' })], pods: [db] }, near);
    expect(decision.nodes[0]?.failing).toMatchObject([{ plugin: 'InterPodAffinity' }]);
  });

  it.each([
    {
      name: 'a claim that only one pod may use',
      spec: { volumes: [uses('data')] },
      added: { volumes: [uses('data')] },
      plugin: 'VolumeRestrictions',
    },
    {
      name: 'anti-affinity of the nominated pod',
      spec: {},
      added: {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'rack', labelSelector: {} }],
          },
        },
      },
      plugin: 'InterPodAffinity',
    },
    {
      name: 'spreading',
      spec: {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'rack',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { app: 'db' } },
          },
        ],
      },
      added: {},
      plugin: 'PodTopologySpread',
    },
  ])('$name counts where the plugin has something to do anyway', ({ spec, added, plugin }) => {
    const labels = { app: 'db' };
    const pod = {
      ...newPod('second', [], spec),
      metadata: { name: 'second', namespace: 'default', uid: 'second', labels },
    };
    const other = newPod('other', [], { ...added, nodeName: 'north' });
    const nominated: Pod = {
      ...newPod('first', [], added),
      metadata: { name: 'first', namespace: 'default', uid: 'first', labels },
      status: { nominatedNodeName: 'north' },
    };
    const objects: Objects = {
      nodes: [newNode('north', { rack: 'n' }), newNode('south', { rack: 's' })],
      claims: [{ ...boundTo(data, 'pv'), spec: { ...data.spec, volumeName: 'pv', accessModes: ['ReadWriteOncePod'] } }],
      volumes: [newVolume('pv', 'local', '1Gi')],
    };
    const isSkipped = plugin !== 'PodTopologySpread';
    const before = schedule({ ...objects, pods: [nominated] }, pod);
    // A plugin that has nothing to do without the nominated pod is not asked with it either.
    expect(before.nodes[0]?.failing.some((status) => status.plugin === plugin)).toBe(!isSkipped);
    const after = schedule({ ...objects, pods: [nominated, other] }, pod);
    if (isSkipped) expect(after.nodes[0]?.failing.map((status) => status.plugin)).toContain(plugin);
  });

  it('the node that a pod is nominated to is taken if it fits', () => {
    expect(schedule({ nodes: [newNode('north'), small] }, wants('db', 0, 'north')).nominated).toBe('north');
    expect(schedule({}, wants('db', 0, 'gone')).nominated).toBeUndefined();
  });
});

describe('node lists of PreFilter plugins', () => {
  const pinned = (...names: readonly string[]): Partial<Pod['spec']> => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [...names] }] }],
        },
      },
    },
  });
  const tainted = newNode('north', {}, { spec: { taints: [{ key: 'dedicated', effect: 'NoSchedule' }] } });

  it.each([
    {
      version: '1.37',
      text: "0/2 nodes are available: 1 node(s) didn't satisfy plugin(s) [NodeAffinity], 1 node(s) had untolerated taint(s).",
    },
    {
      version: '1.31',
      text: '0/2 nodes are available: 1 node is filtered out by the prefilter result, 1 node(s) had untolerated taint {dedicated: }.',
    },
    { version: '1.29', text: '0/2 nodes are available: 1 node(s) had untolerated taint {dedicated: }.' },
  ])('$version words the nodes outside the list', ({ version, text }) => {
    const decision = schedule({ nodes: [tainted, newNode('south')] }, newPod('db', [], pinned('north')), version);
    expect(decision.only).toEqual(['north']);
    expect(decision.message).toBe(text);
    expect(decision.nodes.map(({ node, outsideOf }) => [node, outsideOf])).toEqual([
      ['north', undefined],
      ['south', ['NodeAffinity']],
    ]);
  });

  it('terms without a common node are told as such', () => {
    const terms = { key: 'metadata.name', operator: 'In' };
    const pod = newPod('db', [], {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchFields: [
                  { ...terms, values: ['north'] },
                  { ...terms, values: ['south'] },
                ],
              },
            ],
          },
        },
      },
    });
    expect(schedule({}, pod).message).toBe('0/2 nodes are available: pod affinity terms conflict.');
  });
});

describe('the words of older releases', () => {
  const outOfReach: Objects = {
    nodes: [newNode('north', { rack: 'n' })],
    claims: [boundTo(data, 'pv')],
    volumes: [newVolume('pv', 'local', '1Gi', labelIn('rack', 's'))],
  };
  const exclusive: Objects = {
    nodes: [newNode('north')],
    pods: [newPod('other', [uses('data')], { nodeName: 'north' })],
    claims: [{ ...data, spec: { ...data.spec, accessModes: ['ReadWriteOncePod'] } }],
    volumes: [],
  };
  const onlyRWOP = (decision: PodDecision) =>
    decision.nodes[0]?.failing.find(({ plugin }) => plugin === 'VolumeRestrictions')?.reasons;

  it('a volume out of reach', () => {
    expect(schedule(outOfReach, usesData, '1.37').message).toBe(
      "0/1 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity.",
    );
    expect(schedule(outOfReach, usesData, '1.32').message).toBe(
      '0/1 nodes are available: 1 node(s) had volume node affinity conflict.',
    );
  });

  it('a claim that another pod uses', () => {
    expect(onlyRWOP(schedule(exclusive, usesData, '1.37'))).toEqual([
      'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
    ]);
    expect(onlyRWOP(schedule(exclusive, usesData, '1.33'))).toEqual([
      'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode',
    ]);
  });

  it('a PreFilter rejection is counted by node up to 1.25', () => {
    expect(schedule({}, usesData, '1.25').message).toBe(
      '0/2 nodes are available: 2 persistentvolumeclaim "data" not found.',
    );
  });

  it('an empty cluster', () => {
    expect(schedule({ nodes: [] }, usesData).message).toBe('no nodes available to schedule pods');
  });
});

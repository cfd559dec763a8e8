import { describe, expect, it } from 'vitest';
import { featuresFor } from '../../../src/api/features.ts';
import type {
  Container,
  Pod,
  PodAffinityTerm,
  ResourceList,
  Taint,
  Toleration,
  TopologySpreadConstraint,
} from '../../../src/api/objects.ts';
import type { Plugin } from '../../../src/engine/scheduler/framework.ts';
import { interPodAffinity } from '../../../src/engine/scheduler/inter-pod-affinity.ts';
import { nodePorts } from '../../../src/engine/scheduler/node-ports.ts';
import { nodeResourcesFit } from '../../../src/engine/scheduler/node-resources-fit.ts';
import { podRequests, requestsOnNode } from '../../../src/engine/scheduler/pod-requests.ts';
import { podTopologySpread } from '../../../src/engine/scheduler/pod-topology-spread.ts';
import { resourcesOf } from '../../../src/engine/scheduler/resources.ts';
import { taintToleration } from '../../../src/engine/scheduler/taint-toleration.ts';
import { cacheOf, newNode, newPod, type Objects } from '../../conformance/scheduler/cluster.ts';

/** What the plugin says of the pod on each node, by name; "fits" if nothing. */
function onNodes(plugin: Plugin, objects: Objects, pod: Pod, version?: string): Readonly<Record<string, string>> {
  const cache = cacheOf(objects, version);
  const result = plugin.preFilter(cache, cache.podInfo(pod));
  const reasonOn = (index: number): string => {
    if (result.is === 'rejected') return result.status.reasons.join(', ');
    const node = cache.nodes[index];
    return (result.is === 'ready' && node && result.filter(node)?.reasons.join(', ')) || 'fits';
  };
  return Object.fromEntries(cache.nodes.map(({ name }, i) => [name, reasonOn(i)]));
}

const labelled = (name: string, labels: Readonly<Record<string, string>>, spec: Partial<Pod['spec']> = {}): Pod => ({
  ...newPod(name, [], spec),
  metadata: { name, namespace: 'default', uid: name, labels },
});

describe('TaintToleration', () => {
  const taint = (effect: string, value?: string): Taint => ({
    key: 'dedicated',
    effect,
    ...(value === undefined ? {} : { value }),
  });

  it.each<{ name: string; taint: Taint; tolerations: readonly Toleration[]; tolerated: boolean }>([
    { name: 'nothing tolerates it', taint: taint('NoSchedule', 'db'), tolerations: [], tolerated: false },
    { name: 'a soft taint needs no toleration', taint: taint('PreferNoSchedule'), tolerations: [], tolerated: true },
    {
      name: 'Exists without a key tolerates all',
      taint: taint('NoExecute'),
      tolerations: [{ operator: 'Exists' }],
      tolerated: true,
    },
    {
      name: 'no operator means Equal',
      taint: taint('NoSchedule', 'db'),
      tolerations: [{ key: 'dedicated', value: 'db' }],
      tolerated: true,
    },
    {
      name: 'another value',
      taint: taint('NoSchedule', 'db'),
      tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'web' }],
      tolerated: false,
    },
    {
      name: 'another effect',
      taint: taint('NoSchedule'),
      tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoExecute' }],
      tolerated: false,
    },
    {
      name: 'a taint without value equals the empty value',
      taint: taint('NoSchedule'),
      tolerations: [{ key: 'dedicated', operator: 'Equal', value: '' }],
      tolerated: true,
    },
    {
      name: 'numeric comparison is off in every release',
      taint: taint('NoSchedule', '3'),
      tolerations: [{ key: 'dedicated', operator: 'Lt', value: '5' }],
      tolerated: false,
    },
  ])('$name', ({ taint, tolerations, tolerated }) => {
    const nodes = [newNode('north', {}, { spec: { taints: [taint] } })];
    const expected = tolerated ? 'fits' : 'node(s) had untolerated taint(s)';
    expect(onNodes(taintToleration, { nodes }, newPod('db', [], { tolerations }))).toEqual({ north: expected });
  });
});

describe('NodePorts', () => {
  type Port = NonNullable<Container['ports']>[number];
  const withPort = (name: string, port: Port, nodeName?: string) =>
    newPod(name, [], { containers: [{ ports: [port] }], ...(nodeName === undefined ? {} : { nodeName }) });

  it.each<{ name: string; used: Port; wanted: Port; free: boolean }>([
    { name: 'the same port', used: { hostPort: 80 }, wanted: { hostPort: 80 }, free: false },
    { name: 'another port', used: { hostPort: 80 }, wanted: { hostPort: 81 }, free: true },
    { name: 'another protocol', used: { hostPort: 53, protocol: 'UDP' }, wanted: { hostPort: 53 }, free: true },
    {
      name: 'another address',
      used: { hostPort: 80, hostIP: '10.0.0.1' },
      wanted: { hostPort: 80, hostIP: '10.0.0.2' },
      free: true,
    },
    {
      name: 'every address is wanted',
      used: { hostPort: 80, hostIP: '10.0.0.1' },
      wanted: { hostPort: 80 },
      free: false,
    },
    {
      name: 'every address is used',
      used: { hostPort: 80, hostIP: '0.0.0.0' },
      wanted: { hostPort: 80, hostIP: '10.0.0.2' },
      free: false,
    },
    {
      name: 'ports inside the pod do not matter',
      used: { containerPort: 80 },
      wanted: { containerPort: 80 },
      free: true,
    },
  ])('$name', ({ used, wanted, free }) => {
    const objects = { nodes: [newNode('north')], pods: [withPort('other', used, 'north')] };
    const expected = free ? 'fits' : "node(s) didn't have free ports for the requested pod ports";
    expect(onNodes(nodePorts, objects, withPort('db', wanted))).toEqual({ north: expected });
  });
});

describe('what a pod asks for', () => {
  const asks = (requests: ResourceList, restartPolicy?: string): Container => ({
    resources: { requests },
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
  });
  const cpuOf = (spec: Partial<Pod['spec']>, version = '1.37') =>
    resourcesOf(podRequests(newPod('db', [], spec), featuresFor(version))).milliCpu;

  it.each<{ name: string; spec: Partial<Pod['spec']>; version?: string; cpu: bigint }>([
    { name: 'containers add up', spec: { containers: [asks({ cpu: '1' }), asks({ cpu: '500m' })] }, cpu: 1500n },
    {
      name: 'an init container counts if it is larger than all others together',
      spec: { containers: [asks({ cpu: '1' })], initContainers: [asks({ cpu: '3' }), asks({ cpu: '2' })] },
      cpu: 3000n,
    },
    {
      name: 'a sidecar runs beside the containers and beside later init containers',
      spec: {
        containers: [asks({ cpu: '1' })],
        initContainers: [asks({ cpu: '3' }), asks({ cpu: '1' }, 'Always'), asks({ cpu: '3' })],
      },
      cpu: 4000n,
    },
    {
      name: 'before 1.29 it is an init container like others',
      spec: { containers: [asks({ cpu: '1' })], initContainers: [asks({ cpu: '2' }, 'Always')] },
      version: '1.28',
      cpu: 2000n,
    },
    {
      name: 'overhead comes on top',
      spec: { containers: [asks({ cpu: '1' })], overhead: { cpu: '250m' } },
      cpu: 1250n,
    },
    {
      name: "the pod's own request replaces those of its containers",
      spec: { containers: [asks({ cpu: '3' })], resources: { requests: { cpu: '2' } } },
      cpu: 2000n,
    },
    {
      name: 'but not before 1.34',
      spec: { containers: [asks({ cpu: '3' })], resources: { requests: { cpu: '2' } } },
      version: '1.33',
      cpu: 3000n,
    },
    { name: 'amounts are rounded up', spec: { containers: [asks({ cpu: '0.0001' })] }, cpu: 1n },
  ])('$name', ({ spec, version, cpu }) => {
    expect(cpuOf(spec, version)).toBe(cpu);
  });

  describe('while it is resized', () => {
    const spec = {
      containers: [
        { name: 'a', ...asks({ cpu: '1' }) },
        { name: 'b', ...asks({ cpu: '4' }) },
      ],
    };
    const held = (cpu: string) => ({ resources: { requests: { cpu } }, allocatedResources: { cpu } });
    const resized = (reason?: string): Pod => ({
      ...newPod('db', [], spec),
      status: {
        containerStatuses: [
          { name: 'a', ...held('3') },
          { name: 'b', ...held('1') },
        ],
        ...(reason === undefined ? {} : { conditions: [{ type: 'PodResizePending', status: 'True', reason }] }),
      },
    });
    const holds = (pod: Pod, version: string) => resourcesOf(requestsOnNode(pod, featuresFor(version))).milliCpu;

    it.each([
      { name: 'the larger total counts', version: '1.37', pod: resized(), cpu: 5000n },
      { name: 'up to 1.36 the larger of each container', version: '1.36', pod: resized(), cpu: 7000n },
      { name: 'an infeasible resize leaves the spec out', version: '1.37', pod: resized('Infeasible'), cpu: 4000n },
      { name: 'a deferred one does not', version: '1.37', pod: resized('Deferred'), cpu: 5000n },
      { name: 'before 1.33 only the spec counts', version: '1.32', pod: resized(), cpu: 5000n },
    ])('$name', ({ version, pod, cpu }) => {
      expect(holds(pod, version)).toBe(cpu);
    });
  });
});

describe('NodeResourcesFit', () => {
  const node = newNode(
    'north',
    {},
    {
      status: { allocatable: { cpu: '4', memory: '8Gi', pods: '2', 'example.com/gpu': '1' } },
    },
  );
  const asking = (name: string, requests: ResourceList, nodeName?: string) =>
    newPod(name, [], { containers: [{ resources: { requests } }], ...(nodeName === undefined ? {} : { nodeName }) });
  const other = asking('other', { cpu: '3', 'example.com/gpu': '1' }, 'north');
  const third = asking('third', {}, 'north');

  it.each([
    { name: 'what is left suffices', pods: [other], requests: { cpu: '1' }, reason: 'fits' },
    { name: 'it does not', pods: [other], requests: { cpu: '1001m' }, reason: 'Insufficient cpu' },
    {
      name: 'an extended resource is gone',
      pods: [other],
      requests: { 'example.com/gpu': '1' },
      reason: 'Insufficient example.com/gpu',
    },
    { name: 'nothing of it is asked for', pods: [other], requests: { 'example.com/gpu': '0' }, reason: 'fits' },
    { name: 'a resource that is none of Kubernetes', pods: [], requests: { films: '1' }, reason: 'fits' },
    {
      name: 'all shortages are told',
      pods: [other],
      requests: { cpu: '2', memory: '9Gi' },
      reason: 'Insufficient cpu, Insufficient memory',
    },
    { name: 'the node is full of pods', pods: [other, third], requests: {}, reason: 'Too many pods' },
  ])('$name', ({ pods, requests, reason }) => {
    expect(onNodes(nodeResourcesFit, { nodes: [node], pods }, asking('db', requests))).toEqual({ north: reason });
  });

  it.each([
    { version: '1.34', code: 'UnschedulableAndUnresolvable' },
    { version: '1.33', code: 'Unschedulable' },
  ])('a request larger than the node is $code in $version', ({ version, code }) => {
    const cache = cacheOf({ nodes: [node] }, version);
    const result = nodeResourcesFit.preFilter(cache, cache.podInfo(asking('db', { cpu: '5' })));
    expect(result.is === 'ready' && cache.nodes[0] && result.filter(cache.nodes[0])?.code).toBe(code);
  });
});

describe('PodTopologySpread', () => {
  const nodes = [
    newNode('a1', { zone: 'a' }),
    newNode('a2', { zone: 'a' }),
    newNode('b1', { zone: 'b' }),
    newNode('none'),
  ];
  const db = { app: 'db' };
  const existing = ['a1', 'a2'].map((node, i) => labelled(`db-${i}`, db, { nodeName: node }));
  const skew = "node(s) didn't match pod topology spread constraints";
  const missing = `${skew} (missing required label)`;

  const spread = (
    constraint: Partial<TopologySpreadConstraint>,
    spec: Partial<Pod['spec']> = {},
    labels: Readonly<Record<string, string>> = db,
  ) =>
    labelled('db-2', labels, {
      ...spec,
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: db },
          ...constraint,
        },
      ],
    });

  it.each([
    { name: 'the fuller zone is out', pod: spread({}), a: skew, b: 'fits' },
    { name: 'a larger skew is allowed', pod: spread({ maxSkew: 3 }), a: 'fits', b: 'fits' },
    { name: 'too few zones count as an empty one', pod: spread({ minDomains: 3, maxSkew: 2 }), a: skew, b: 'fits' },
    {
      name: 'a pod that does not match itself adds nothing',
      pod: spread({ maxSkew: 2 }, {}, { app: 'web' }),
      a: 'fits',
      b: 'fits',
    },
    {
      name: "zones that the pod's node selector excludes do not count",
      pod: spread({}, { nodeSelector: { zone: 'a' } }),
      a: 'fits',
      b: 'fits',
    },
    {
      name: 'unless the constraint ignores it',
      pod: spread({ nodeAffinityPolicy: 'Ignore' }, { nodeSelector: { zone: 'a' } }),
      a: skew,
      b: 'fits',
    },
    {
      name: 'own values of matchLabelKeys narrow the selector',
      pod: spread({ matchLabelKeys: ['rev'] }, {}, { app: 'db', rev: '2' }),
      a: 'fits',
      b: 'fits',
    },
    { name: 'an empty selector counts nobody', pod: spread({ labelSelector: {} }), a: 'fits', b: 'fits' },
  ])('$name', ({ pod, a, b }) => {
    expect(onNodes(podTopologySpread, { nodes, pods: existing }, pod)).toEqual({ a1: a, a2: a, b1: b, none: missing });
  });

  it('pods that are being deleted do not count', () => {
    const leaving = existing.map((pod) => ({
      ...pod,
      metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
    }));
    expect(onNodes(podTopologySpread, { nodes, pods: leaving }, spread({})).a1).toBe('fits');
  });

  it('taints exclude a zone only where the constraint honours them', () => {
    const tainted = newNode('b1', { zone: 'b' }, { spec: { taints: [{ key: 'dedicated', effect: 'NoSchedule' }] } });
    const objects = { nodes: [nodes[0] ?? tainted, tainted], pods: existing };
    expect(onNodes(podTopologySpread, objects, spread({})).a1).toBe(skew);
    expect(onNodes(podTopologySpread, objects, spread({ nodeTaintsPolicy: 'Honor' })).a1).toBe('fits');
  });
});

describe('InterPodAffinity', () => {
  const nodes = [
    newNode('a1', { zone: 'a' }),
    newNode('a2', { zone: 'a' }),
    newNode('b1', { zone: 'b' }),
    newNode('none'),
  ];
  const term = (rest: Partial<PodAffinityTerm> = {}): PodAffinityTerm => ({
    topologyKey: 'zone',
    labelSelector: { matchLabels: { app: 'db' } },
    ...rest,
  });
  const near = (...terms: readonly PodAffinityTerm[]): Partial<Pod['spec']> => ({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const apart = (...terms: readonly PodAffinityTerm[]): Partial<Pod['spec']> => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const db = labelled('db-0', { app: 'db' }, { nodeName: 'a1' });
  const far = "node(s) didn't match pod affinity rules";
  const close = "node(s) didn't match pod anti-affinity rules";
  const unwelcome = "node(s) didn't satisfy existing pods anti-affinity rules";
  const namespace = (name: string, labels: Readonly<Record<string, string>>) => ({
    kind: 'Namespace',
    metadata: { name, labels },
  });

  it.each<{ name: string; pods?: readonly Pod[]; pod: Pod; a: string; b: string; none?: string }>([
    { name: 'near to a pod of the zone', pod: labelled('web', {}, near(term())), a: 'fits', b: far, none: far },
    {
      name: 'one pod must match all terms',
      pod: labelled('web', {}, near(term(), term({ labelSelector: { matchLabels: { tier: 'gold' } } }))),
      a: far,
      b: far,
      none: far,
    },
    {
      name: 'the first of a group has nobody to be near to',
      pods: [],
      pod: labelled('db-0', { app: 'db' }, near(term())),
      a: 'fits',
      b: 'fits',
      none: far,
    },
    {
      name: 'a term of another namespace',
      pod: labelled('web', {}, near(term({ namespaces: ['media'] }))),
      a: far,
      b: far,
      none: far,
    },
    {
      name: 'every namespace',
      pod: labelled('web', {}, near(term({ namespaceSelector: {} }))),
      a: 'fits',
      b: far,
      none: far,
    },
    {
      name: 'without a selector nobody is meant',
      pod: labelled('web', {}, apart({ topologyKey: 'zone' })),
      a: 'fits',
      b: 'fits',
    },
    { name: 'apart from a pod of the zone', pod: labelled('web', {}, apart(term())), a: close, b: 'fits' },
    {
      name: 'a pod that wants nobody near',
      pods: [labelled('db-0', {}, { nodeName: 'a1', ...apart(term({ labelSelector: {} })) })],
      pod: newPod('web'),
      a: unwelcome,
      b: 'fits',
    },
  ])('$name', ({ pods = [db], pod, a, b, none = 'fits' }) => {
    expect(onNodes(interPodAffinity, { nodes, pods }, pod)).toEqual({ a1: a, a2: a, b1: b, none });
  });

  it('a namespace selector looks at labels of namespaces', () => {
    const namespaces = [namespace('default', { team: 'media' }), namespace('ops', {})];
    const pod = (team: string) => labelled('web', {}, apart(term({ namespaceSelector: { matchLabels: { team } } })));
    expect(onNodes(interPodAffinity, { nodes, namespaces, pods: [db] }, pod('media')).a1).toBe(close);
    expect(onNodes(interPodAffinity, { nodes, namespaces, pods: [db] }, pod('ops')).a1).toBe('fits');
  });

  it.each([
    { version: '1.37', a: 'fits' },
    { version: '1.36', a: close },
    { version: '1.34', a: close },
  ])('$version: a namespace selector that holds for no labels at all', ({ version, a }) => {
    const namespaces = [namespace('default', { team: 'media' })];
    const without = { matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] };
    const pod = labelled('web', {}, apart(term({ namespaceSelector: without })));
    expect(onNodes(interPodAffinity, { nodes, namespaces, pods: [db] }, pod, version).a1).toBe(a);
  });

  it('a term that cannot be read rejects the pod', () => {
    const labelSelector = { matchExpressions: [{ key: 'app', operator: 'Near' }] };
    expect(onNodes(interPodAffinity, { nodes }, labelled('web', {}, near(term({ labelSelector })))).a1).toBe(
      'parsing pod: requiredAffinityTerms: "Near" is not a valid label selector operator',
    );
  });
});

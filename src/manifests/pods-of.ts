import { nodeSelectorMatches } from '../api/node-selector.ts';
import type { Labels, Node, NodeSelectorTerm, Pod, PodSpec, PodTemplate, Taint, Workload } from '../api/objects.ts';
import { created } from './created.ts';
import { type FieldPath, type Manifest, type ManifestKind, valueAt } from './manifest.ts';

/** More pods than this of one workload are not looked at: a slip in `replicas` should not keep the check busy for hours. */
export const mostPodsOfWorkload = 1000;

/** Where each kind that makes pods, or is one, has the pod's spec. */
const podSpecPaths: Readonly<Partial<Record<ManifestKind, FieldPath>>> = {
  Pod: ['spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  Deployment: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  ReplicationController: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

/** Where the manifest has the spec of its pods; undefined for kinds without pods. */
export const podSpecPathOf = ({ kind }: Pick<Manifest, 'kind'>): FieldPath | undefined => podSpecPaths[kind];

/** The pods that the controller of a workload makes of it, or the pod itself, as they are before the scheduler sees them. */
// specification scheduler-and-provisioning 4
export function podsOf(manifest: Manifest, nodes: readonly Node[]): readonly Pod[] {
  const { kind, object, raw } = manifest;
  const workload = object as Workload;
  switch (kind) {
    case 'Pod':
      return [created({ ...(object as Pod), status: { phase: 'Pending' } })];
    case 'StatefulSet':
      return ordinalsOf(workload).map((ordinal) => statefulPod(workload, ordinal));
    case 'Deployment':
      return replicas(workload, replicaCount(workload), { 'pod-template-hash': unknownHash });
    case 'ReplicaSet':
    case 'ReplicationController':
      return replicas(workload, replicaCount(workload));
    case 'Job':
      return valueAt(raw, ['spec', 'suspend']) === true
        ? []
        : replicas(workload, parallelism(valueAt(raw, ['spec'])), { 'job-name': object.metadata.name });
    case 'CronJob': {
      if (valueAt(raw, ['spec', 'suspend']) === true) return [];
      const count = parallelism(valueAt(raw, ['spec', 'jobTemplate', 'spec']));
      return replicas(workload, count, {}, workload.spec?.jobTemplate?.spec?.template);
    }
    case 'DaemonSet':
      return daemonPods(workload, nodes);
    default:
      return [];
  }
}

/** `spec.ordinals.start` to that plus `replicas`, without the last. */
export function ordinalsOf({ spec }: Workload): readonly number[] {
  const start = spec?.ordinals?.start ?? 0;
  const count = Math.min(spec?.replicas ?? 1, mostPodsOfWorkload);
  return Array.from({ length: Math.max(0, count) }, (_, i) => start + i);
}

/** The name of the claim that a StatefulSet makes of a template for one of its pods. */
// kubernetes/kubernetes pkg/controller/statefulset/stateful_set_utils.go, getPersistentVolumeClaimName (1.37)
export const nameOfStatefulClaim = (template: string, workload: string, ordinal: number): string =>
  `${template}-${workload}-${ordinal}`;

const replicaCount = ({ spec }: Workload): number => spec?.replicas ?? 1;

/** How many pods of a Job run at once. */
// kubernetes/kubernetes pkg/controller/job/job_controller.go, manageJob (1.37)
function parallelism(jobSpec: unknown): number {
  const [most, completions] = ['parallelism', 'completions'].map((field) => valueAt(jobSpec, [field]));
  const wanted = typeof most === 'number' ? most : 1;
  return typeof completions === 'number' ? Math.min(wanted, completions) : wanted;
}

/** Real pods of these workloads get a name that nobody knows in advance; no StatefulSet makes this one. */
const unknownHash = 'xxxxx';

function replicas(
  workload: Workload,
  count: number,
  labels: Labels = {},
  template: PodTemplate | undefined = workload.spec?.template,
): readonly Pod[] {
  const length = Math.max(0, Math.min(count, mostPodsOfWorkload));
  return Array.from({ length }, (_, i) =>
    podOf(workload, `${workload.metadata.name}-${unknownHash}-${i + 1}`, template, labels),
  );
}

// stateful_set_utils.go, newStatefulSetPod and updateStorage (1.37): a volume named like a template becomes its claim
function statefulPod(workload: Workload, ordinal: number): Pod {
  const { name } = workload.metadata;
  const pod = podOf(workload, `${name}-${ordinal}`, workload.spec?.template, {
    'statefulset.kubernetes.io/pod-name': `${name}-${ordinal}`,
    'apps.kubernetes.io/pod-index': String(ordinal),
  });
  const templates = (workload.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? '');
  const own = templates.map((template) => ({
    name: template,
    persistentVolumeClaim: { claimName: nameOfStatefulClaim(template, name, ordinal) },
  }));
  const others = (pod.spec.volumes ?? []).filter((volume) => !templates.includes(volume.name));
  return { ...pod, spec: { ...pod.spec, volumes: [...others, ...own] } };
}

/** Taints that every pod of a DaemonSet tolerates. */
// kubernetes/kubernetes pkg/controller/daemon/util/daemonset_util.go, AddOrUpdateDaemonPodTolerations (1.37)
const toleratedByDaemons: readonly string[] = [
  'node.kubernetes.io/disk-pressure',
  'node.kubernetes.io/memory-pressure',
  'node.kubernetes.io/pid-pressure',
  'node.kubernetes.io/unschedulable',
];

/** One pod for each node on which it may run; where no node is known, one that stands for all. */
function daemonPods(workload: Workload, nodes: readonly Node[]): readonly Pod[] {
  const { name } = workload.metadata;
  const template = workload.spec?.template;
  const onNetwork = template?.spec?.hostNetwork === true ? ['node.kubernetes.io/network-unavailable'] : [];
  const tolerations = [
    ...(template?.spec?.tolerations ?? []),
    ...['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((key) => ({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
    })),
    ...[...toleratedByDaemons, ...onNetwork].map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' })),
  ];
  const pod = podOf(workload, `${name}-${unknownHash}-1`, template);
  const spec: PodSpec = { ...pod.spec, tolerations };
  if (nodes.length === 0) return [{ ...pod, spec }];
  return nodes
    .filter((node) => mayRunOn(spec, node))
    .slice(0, mostPodsOfWorkload)
    .map((node) => podOnNode(workload, spec, node));
}

/** The scheduler sends a pod of a DaemonSet where its affinity for the node's name allows it. */
// daemonset_util.go, ReplaceDaemonSetPodNodeNameNodeAffinity (1.37)
function podOnNode(workload: Workload, spec: PodSpec, { metadata: { name: node } }: Node): Pod {
  const here = { key: 'metadata.name', operator: 'In', values: [node] };
  const { requiredDuringSchedulingIgnoredDuringExecution: required } = spec.affinity?.nodeAffinity ?? {};
  const terms: readonly NodeSelectorTerm[] = required?.nodeSelectorTerms?.map((term) => ({
    ...term,
    matchFields: [here],
  })) ?? [{ matchFields: [here] }];
  const affinity = {
    ...spec.affinity,
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
  };
  const template = { ...workload.spec?.template, spec: { ...spec, affinity } };
  return podOf(workload, `${workload.metadata.name}-${unknownHash}-${node}`, template);
}

// kubernetes/kubernetes pkg/controller/daemon/daemon_controller.go, NodeShouldRunDaemonPod (1.37)
function mayRunOn({ nodeName, nodeSelector = {}, affinity, tolerations = [] }: PodSpec, node: Node): boolean {
  const { name, labels = {} } = node.metadata;
  if (nodeName !== undefined && nodeName !== '' && nodeName !== name) return false;
  if (Object.entries(nodeSelector).some(([key, value]) => labels[key] !== value)) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required !== undefined && nodeSelectorMatches(required, name, labels).is !== 'match') return false;
  return (node.spec?.taints ?? [])
    .filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute')
    .every((taint) => tolerations.some((toleration) => covers(toleration, taint)));
}

// kubernetes/api core/v1/toleration.go, ToleratesTaint (1.37)
function covers({ key, operator, value, effect }: NonNullable<PodSpec['tolerations']>[number], taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === 'Exists' || ((operator ?? 'Equal') === 'Equal' && (value ?? '') === (taint.value ?? ''));
}

function podOf(workload: Workload, name: string, template: PodTemplate | undefined, labels: Labels = {}): Pod {
  const { namespace } = workload.metadata;
  const { apiVersion, kind, metadata } = created(workload);
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...template?.metadata?.labels, ...labels },
      ...(template?.metadata?.annotations === undefined ? {} : { annotations: template.metadata.annotations }),
      ownerReferences: [
        {
          ...(apiVersion === undefined ? {} : { apiVersion }),
          kind,
          name: metadata.name,
          ...(metadata.uid === undefined ? {} : { uid: metadata.uid }),
          controller: true,
        },
      ],
    },
    spec: template?.spec ?? {},
    status: { phase: 'Pending' },
  };
  return created(pod);
}

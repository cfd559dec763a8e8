import type { Features } from '../../src/api/features.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
  VolumeAttachment,
} from '../../src/api/objects.ts';
import { chooseFirstVolume, type SchedulerChoose } from '../../src/engine/scheduler/choice.ts';
import type { SchedulerCluster } from '../../src/engine/scheduler/cluster.ts';
import type { Status } from '../../src/engine/scheduler/framework.ts';
import type { NodeDecision, PodDecision } from '../../src/engine/scheduler/schedule-pod.ts';
import { schedulePod } from '../../src/engine/scheduler/schedule-pod.ts';
import { SchedulerCache } from '../../src/engine/scheduler/scheduler-cache.ts';
import { decode, type RawObject, type Request } from './protocol.ts';

/** Mode "schedule": each pending pod by itself, over the objects as they are. `choose` decides what upstream leaves to chance. */
export function answerSchedule(
  request: Request,
  features: Features,
  choose: SchedulerChoose = chooseFirstVolume,
): readonly object[] {
  const objects = decode(request.objects ?? []);
  const cache = new SchedulerCache(clusterOfObjects(objects, features));
  return pendingPods(objects, request.pods).map((pod) =>
    podResult(schedulePod(cache, pod, { choose, ignoreNominations: true })),
  );
}

/** Objects as the scheduler's informers hold them: of several with one name the last counts. */
export function clusterOfObjects(objects: readonly RawObject[], features: Features): SchedulerCluster {
  const byKey = <T>(kind: string): ReadonlyMap<string, T> =>
    new Map(objects.filter((object) => object.kind === kind).map((object) => [keyOf(object), object as unknown as T]));
  const claims = byKey<PersistentVolumeClaim>('PersistentVolumeClaim');
  const volumes = byKey<PersistentVolume>('PersistentVolume');
  const classes = byKey<StorageClass>('StorageClass');
  const csiNodes = byKey<CSINode>('CSINode');
  const csiDrivers = byKey<CSIDriver>('CSIDriver');
  return {
    features,
    lacks: () => false,
    nodes: [...byKey<Node>('Node').values()],
    pods: [...byKey<Pod>('Pod').values()],
    claim: (key) => claims.get(key),
    volume: (name) => volumes.get(name),
    volumes: () => volumes.values(),
    storageClass: (name) => classes.get(name),
    csiNode: (name) => csiNodes.get(name),
    csiDriver: (name) => csiDrivers.get(name),
    capacities: [...byKey<CSIStorageCapacity>('CSIStorageCapacity').values()],
    attachments: [...byKey<VolumeAttachment>('VolumeAttachment').values()],
    namespaces: [...byKey<Namespace>('Namespace').values()],
  };
}

const keyOf = ({ metadata: { namespace, name } }: RawObject): string => (namespace ? `${namespace}/${name}` : name);

/** The pods that the oracle schedules: no node, not finished, not being deleted; those that the request names come first. */
export function pendingPods(objects: readonly RawObject[], first: readonly string[] = []): readonly Pod[] {
  const pending = new Map<string, Pod>();
  for (const object of objects) {
    if (object.kind !== 'Pod') continue;
    const pod = object as unknown as Pod;
    const isFinished = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
    if (!pod.spec.nodeName && pod.metadata.deletionTimestamp === undefined && !isFinished)
      pending.set(keyOf(object), pod);
  }
  const named = [...new Set(first)].filter((key) => pending.has(key));
  const others = [...pending.keys()].filter((key) => !named.includes(key)).sort();
  return [...named, ...others].map((key) => pending.get(key) as Pod);
}

/** A decision as the oracle prints it: struct PodResult in oracle/scheduler.go. */
export function podResult(decision: PodDecision): object {
  const { pod, queueing, preFilter, only, nodes, feasible, message, error } = decision;
  if (queueing.is === 'gated') return { pod, gated: true, feasible };
  const said = { ...(message === undefined ? {} : { message }), ...(error === undefined ? {} : { error }) };
  if (preFilter !== undefined) return { pod, ...said, preFilter: statusResult(preFilter), feasible };
  const lookedAt = nodes.filter(({ outsideOf }) => outsideOf === undefined);
  return {
    pod,
    ...said,
    ...(only === undefined ? {} : { only }),
    nodes: Object.fromEntries(lookedAt.map(({ node, status }) => [node, statusResult(status)])),
    feasible,
    bindings: Object.fromEntries(
      lookedAt.filter(({ node }) => feasible.includes(node)).map((decided) => [decided.node, bindingResult(decided)]),
    ),
  };
}

function statusResult(status: Status | undefined): object {
  if (status === undefined) return { code: 'Success' };
  const { code, plugin, reasons } = status;
  return { code, ...(plugin === 'NodeList' ? {} : { plugin }), reasons };
}

function bindingResult({ claims = [] }: NodeDecision): object {
  const provision = claims.filter(({ is }) => is === 'provision').map(({ claim }) => claim);
  return {
    static: Object.fromEntries(claims.flatMap((one) => (one.is === 'static' ? [[one.claim, one.volume]] : []))),
    provision: provision.sort(),
  };
}

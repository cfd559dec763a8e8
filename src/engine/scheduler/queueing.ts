import type { Features } from '../../api/features.ts';
import type { Pod } from '../../api/objects.ts';

/** Whether the scheduler takes a pod up at all (specification scheduler-and-provisioning 3, 3.1, 3.11). */
export type Queueing =
  | { readonly is: 'queued' }
  /** Has gates, so that it never enters the queue. */
  | { readonly is: 'gated'; readonly gates: readonly string[] }
  /** Has a node, whoever gave it one. */
  | { readonly is: 'assigned'; readonly node: string }
  | { readonly is: 'otherScheduler'; readonly schedulerName: string }
  | { readonly is: 'terminating' }
  | { readonly is: 'finished'; readonly phase: string };

// kubernetes/kubernetes pkg/scheduler/eventhandlers.go and framework/plugins/schedulinggates (1.37)
export function queueingOf(pod: Pod, features: Pick<Features, 'schedulingGates'>): Queueing {
  const { nodeName = '', schedulerName = 'default-scheduler', schedulingGates = [] } = pod.spec;
  if (isFinished(pod)) return { is: 'finished', phase: pod.status?.phase ?? '' };
  if (nodeName !== '') return { is: 'assigned', node: nodeName };
  if (schedulerName !== '' && schedulerName !== 'default-scheduler') return { is: 'otherScheduler', schedulerName };
  if (pod.metadata.deletionTimestamp !== undefined) return { is: 'terminating' };
  if (features.schedulingGates && schedulingGates.length > 0)
    return { is: 'gated', gates: schedulingGates.map(({ name }) => name) };
  return { is: 'queued' };
}

/** Such a pod does not exist for the scheduler. */
export function isFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

import { type Plugin, reject } from './framework.ts';
import { tolerates } from './tolerations.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/nodeunschedulable (1.37); specification scheduler-and-provisioning 3.2.
const rejection = reject('NodeUnschedulable', 'UnschedulableAndUnresolvable', 'node(s) were unschedulable', {});

export const nodeUnschedulable: Plugin = {
  name: 'NodeUnschedulable',
  preFilter: (_cache, { pod }) => {
    const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
    const isTolerated = tolerates(pod.spec.tolerations ?? [], taint);
    return {
      is: 'ready',
      filter: ({ node }) => (node.spec?.unschedulable === true && !isTolerated ? rejection : undefined),
    };
  },
};

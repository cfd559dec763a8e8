import type { HostPort } from './facts.ts';
import { type Plugin, reject, skip, unknown } from './framework.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/nodeports (1.37); specification scheduler-and-provisioning 3.6.

export const nodePorts: Plugin = {
  name: 'NodePorts',
  preFilter: (cache, { hostPorts }) => {
    if (hostPorts.length === 0) return skip;
    const mayMissPods = cache.cluster.lacks('Pod');
    return {
      is: 'ready',
      filter: ({ pods }) => {
        const ports = hostPorts.filter((wanted) =>
          pods.some((pod) => pod.hostPorts.some((used) => conflict(wanted, used))),
        );
        if (ports.length === 0) return mayMissPods ? unknown('NodePorts', ['Pod']) : undefined;
        return reject('NodePorts', 'Unschedulable', "node(s) didn't have free ports for the requested pod ports", {
          ports,
        });
      },
    };
  },
};

const anyIP = '0.0.0.0';

function conflict(a: HostPort, b: HostPort): boolean {
  if (a.hostPort !== b.hostPort || a.protocol !== b.protocol) return false;
  return a.hostIP === b.hostIP || a.hostIP === anyIP || b.hostIP === anyIP;
}

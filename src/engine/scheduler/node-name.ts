import { type Plugin, reject } from './framework.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/nodename (1.37); specification scheduler-and-provisioning 3.3.
const reason = "node(s) didn't match the requested node name";

export const nodeName: Plugin = {
  name: 'NodeName',
  preFilter: (cache, { pod }) => {
    const { nodeName = '' } = pod.spec;
    const filter = ({ name }: { readonly name: string }) =>
      nodeName === '' || nodeName === name
        ? undefined
        : reject('NodeName', 'UnschedulableAndUnresolvable', reason, { nodeName });
    if (nodeName === '' || !cache.cluster.features.nodeNameFirst) return { is: 'ready', filter };
    return { is: 'ready', filter, nodeNames: new Set([nodeName]) };
  },
};

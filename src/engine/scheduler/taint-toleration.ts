import type { Features } from '../../api/features.ts';
import type { Taint } from '../../api/objects.ts';
import { type Plugin, type Rejection, reject } from './framework.ts';
import { tolerates } from './tolerations.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/tainttoleration (1.37); specification scheduler-and-provisioning 3.4.

export const taintToleration: Plugin = {
  name: 'TaintToleration',
  preFilter: (cache, { pod }) => {
    const tolerations = pod.spec.tolerations ?? [];
    const { untoleratedTaint } = cache.cluster.features.wording;
    const answers = new Map<string, Rejection | undefined>();
    return {
      is: 'ready',
      filter: ({ taints, taintsKey }) => {
        if (taints.length === 0) return undefined;
        if (!answers.has(taintsKey)) {
          const untolerated = taints.filter((taint) => !tolerates(tolerations, taint));
          const [first] = untolerated;
          answers.set(
            taintsKey,
            first &&
              reject('TaintToleration', 'UnschedulableAndUnresolvable', reasonOf(first, untoleratedTaint), {
                taints: untolerated,
              }),
          );
        }
        return answers.get(taintsKey);
      },
    };
  },
};

function reasonOf({ key, value = '' }: Taint, wording: Features['wording']['untoleratedTaint']): string {
  switch (wording) {
    case 'plain':
      return 'node(s) had untolerated taint(s)';
    case 'keyAndValue':
      return `node(s) had untolerated taint {${key}: ${value}}`;
  }
}

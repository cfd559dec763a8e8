import type { NodeSelectorTerm } from '../../api/objects.ts';
import { type Plugin, reject, skip } from './framework.ts';
import { matchesNodeSelector } from './scheduler-cache.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/nodeaffinity (1.37); specification scheduler-and-provisioning 3.5. There is
// no affinity added by the scheduler's configuration: a dump does not show it.

export const nodeAffinity: Plugin = {
  name: 'NodeAffinity',
  preFilter: (cache, { pod }) => {
    const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    const { nodeSelector } = pod.spec;
    if (required === undefined && nodeSelector === undefined) return skip;
    const nodeNames = nodeNamesOf(required?.nodeSelectorTerms ?? []);
    if (nodeNames?.size === 0) {
      const facts = { failed: 'nameConflict' } as const;
      return {
        is: 'rejected',
        status: reject('NodeAffinity', 'UnschedulableAndUnresolvable', 'pod affinity terms conflict', facts),
      };
    }
    const matching = cache.nodesMatchingPod(nodeSelector ?? {}, required);
    return {
      is: 'ready',
      filter: ({ index, labels }) => {
        if (matching.has(index)) return undefined;
        const failed = matchesNodeSelector(nodeSelector ?? {}, labels) ? 'requiredTerms' : 'nodeSelector';
        return reject(
          'NodeAffinity',
          'UnschedulableAndUnresolvable',
          "node(s) didn't match Pod's node affinity/selector",
          {
            failed,
          },
        );
      },
      ...(nodeNames === undefined ? {} : { nodeNames }),
    };
  },
};

/** The nodes that every term names; undefined if some term names none, or if there are no terms. */
function nodeNamesOf(terms: readonly NodeSelectorTerm[]): ReadonlySet<string> | undefined {
  const union = new Set<string>();
  for (const { matchFields = [] } of terms) {
    let ofTerm: readonly string[] | undefined;
    for (const { key, operator, values = [] } of matchFields) {
      if (key !== 'metadata.name' || operator !== 'In') continue;
      ofTerm = ofTerm === undefined ? values : ofTerm.filter((name) => values.includes(name));
    }
    if (ofTerm === undefined) return undefined;
    for (const name of ofTerm) union.add(name);
  }
  return terms.length === 0 ? undefined : union;
}

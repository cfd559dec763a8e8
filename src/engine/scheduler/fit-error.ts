import type { Features } from '../../api/features.ts';
import type { PluginName } from './facts.ts';

// kubernetes/kubernetes pkg/scheduler/framework/types.go, FitError.Error (1.37); specification scheduler-and-provisioning 3.11. What
// PostFilter plugins append is about preemption and left out.

export const noNodes = 'no nodes available to schedule pods';

/** The text if a pod is rejected before any node is looked at. */
export function preFilterErrorOf(nodes: number, reasons: readonly string[], { wording }: Features): string {
  if (wording.preFilterOnce) return `0/${nodes} nodes are available: ${reasons.join(', ')}.`;
  return fitErrorOf(
    nodes,
    Array.from({ length: nodes }, () => reasons),
  );
}

/** The text if no node is left: every reason with the number of nodes that gave it. One node may give several. */
export function fitErrorOf(nodes: number, reasonsByNode: Iterable<readonly string[]>): string {
  const counts = new Map<string, number>();
  for (const reasons of reasonsByNode) for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const entries = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return `0/${nodes} nodes are available:${entries.length === 0 ? '' : ` ${entries.join(', ')}.`}`;
}

/** The reasons of a node that the PreFilter lists of these plugins leave out. */
export function outsideNodeList(plugins: readonly PluginName[], { wording }: Features): readonly string[] {
  switch (wording.outsideNodeList) {
    case 'plugins':
      return [`node(s) didn't satisfy plugin(s) [${plugins.join(' ')}]`];
    case 'fixed':
      return ['node is filtered out by the prefilter result'];
    case 'none':
      return [];
  }
}

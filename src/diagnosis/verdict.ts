import type { Kind } from '../snapshot/kinds.ts';

/** What becomes of a claim, in the order from best to worst that decides whether a remedy helps. */
export const outcomes = [
  'Bound',
  'WillBind',
  'WillBeProvisioned',
  'MayBind',
  'WaitsForConsumer',
  'WaitsForProvisioner',
  'WaitsForPod',
  'Unknown',
  'Terminating',
  'Stuck',
  'Lost',
  'Missing',
  'Invalid',
] as const;

export type Outcome = (typeof outcomes)[number];

/**
 * How sure a verdict is. `open`: Kubernetes leaves a choice, the set is given. `assumed`: the input holds no object of a kind that
 * matters, and nothing says whether it was collected.
 */
export type Certainty = 'certain' | 'open' | 'assumed';

export const volumesNamed = 16;

export interface Verdict {
  readonly outcome: Outcome;
  readonly certainty: Certainty;
  /** The volume that the claim has or gets; several where Kubernetes leaves the choice open, at most `volumesNamed` of them. */
  readonly volumes: readonly string[];
  /** How many volumes it can get where that is open; absent if all are named. */
  readonly volumeCount?: number;
  /** It can also end without a volume. */
  readonly orNone?: true;
  /** The possibilities were not all explored: there are at least these. */
  readonly atLeast?: true;
  /** The claims that can take what this one can take. */
  readonly rivals?: readonly string[];
  /** The provisioner that is to make a volume, under the name of the driver that acts. */
  readonly provisioner?: string;
  /** The pods that wait for the claim, "namespace/name". */
  readonly pods: readonly string[];
  /** The kinds that the verdict would need (Unknown) or takes for empty (assumed). */
  readonly lacks: readonly Kind[];
}

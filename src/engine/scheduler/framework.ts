import type { Kind } from '../../snapshot/kinds.ts';
import type { PluginFacts, PluginName } from './facts.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { SchedulerCache } from './scheduler-cache.ts';

// kubernetes/kube-scheduler framework/interface.go, Status and the plugin interfaces (1.37); specification
// scheduler-and-provisioning 0 and 1.1.

/** A plugin says no. "Unschedulable" may change when other pods leave; "UnschedulableAndUnresolvable" will not. */
export type Rejection<P extends keyof PluginFacts = keyof PluginFacts> = {
  readonly [N in P]: {
    readonly code: 'Unschedulable' | 'UnschedulableAndUnresolvable';
    readonly plugin: N;
    readonly reasons: readonly string[];
    readonly facts: PluginFacts[N];
    /**
     * The rejection is certain, but not its wording: what was not collected may add reasons or come first, or upstream tells one of
     * several reasons.
     */
    readonly isPartial?: true;
  };
}[P];

/** A plugin failed, which ends the pod's whole cycle. */
export interface Failure {
  readonly code: 'Error';
  readonly plugin: PluginName;
  readonly reasons: readonly string[];
}

/** A plugin cannot tell, because these kinds were not collected or this feature is not simulated. */
export interface Unknown {
  readonly code: 'Unknown';
  readonly plugin: PluginName;
  readonly reasons: readonly string[];
  readonly lacks: readonly Kind[];
}

/** Everything but success; success is undefined. */
export type Status = Rejection | Failure | Unknown;

export type Filter = (node: NodeInfo) => Status | undefined;

/** What a plugin makes of a pod before any node is looked at. */
export type PreFiltered =
  /** Has nothing to do with the pod. */
  | { readonly is: 'skip' }
  | { readonly is: 'rejected'; readonly status: Rejection | Failure }
  /** Whether the pod gets past this point is not known. */
  | { readonly is: 'unknown'; readonly status: Unknown }
  | {
      readonly is: 'ready';
      readonly filter: Filter;
      /** Only these nodes need to be looked at. */
      readonly nodeNames?: ReadonlySet<string>;
      /** The same plugin with one more pod on the node; absent where other pods do not matter. */
      readonly withPod?: (added: PodInfo, node: NodeInfo) => PreFiltered;
    };

export interface Plugin {
  readonly name: PluginName;
  readonly preFilter: (cache: SchedulerCache, pod: PodInfo) => PreFiltered;
}

export const skip: PreFiltered = { is: 'skip' };

export function reject<P extends keyof PluginFacts>(
  plugin: P,
  code: 'Unschedulable' | 'UnschedulableAndUnresolvable',
  reason: string | readonly string[],
  facts: PluginFacts[P],
): Rejection<P> {
  const reasons = typeof reason === 'string' ? [reason] : reason;
  return { code, plugin, reasons, facts } as Rejection<P>;
}

/** The rejection with the note that its wording is not certain, if it is not. */
export function partial(rejection: Rejection, isPartial: boolean): Rejection {
  return isPartial ? { ...rejection, isPartial } : rejection;
}

export function unknown(plugin: PluginName, lacks: readonly Kind[]): Unknown {
  return { code: 'Unknown', plugin, reasons: [], lacks };
}

/** An error inside a plugin, in upstream's words. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
}

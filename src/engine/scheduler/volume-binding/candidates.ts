import { isVolumeBoundToClaim } from '../../../api/accessors.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../api/objects.ts';
import { claimClass } from '../../../api/storage-class.ts';
import { askCheck, checkOrder, type Failure, siteOf, wantsOf } from '../../volume-checks.ts';
import type { NodeInfo } from '../node-info.ts';
import type { SchedulerCache } from '../scheduler-cache.ts';
import { reservedChecks } from './find-matching-volume.ts';

/** A volume that the binder looks at for a claim, and everything that speaks against it on a node; nothing, if it would serve. */
export interface CandidateOnNode {
  readonly volume: PersistentVolume;
  readonly isReserved: boolean;
  readonly failures: readonly Failure[];
}

/**
 * All volumes of the claim's class as the claim sees them from the node, whether the binder gets as far as they or not. Volumes of
 * other classes it never sees, not even those that are reserved for the claim. Throws QuantityError or SelectorError.
 */
export function* candidatesOn(
  cache: SchedulerCache,
  claim: PersistentVolumeClaim,
  { name, labels }: NodeInfo,
): IterableIterator<CandidateOnNode> {
  const wants = wantsOf(claim);
  const site = { ...siteOf(cache.cluster.features), node: { name, labels } };
  for (const volume of cache.classVolumes(claimClass(claim))) {
    const isReserved = isVolumeBoundToClaim(volume, claim);
    const checks = isReserved ? ([...reservedChecks, 'NodeAffinityMismatch'] as const) : checkOrder.scheduling;
    const failures = checks
      .map((code) => askCheck(code, wants, volume, site))
      .filter((failure) => failure !== undefined);
    yield { volume, isReserved, failures };
  }
}

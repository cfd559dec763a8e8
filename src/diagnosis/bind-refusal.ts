import { hasAnnotation } from '../api/accessors.ts';
import { AnnBindCompleted, AnnBoundByController } from '../api/annotations.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/objects.ts';
import { checkLimitRanges, textOfLimitRangeRefusal } from '../engine/admission/limit-range.ts';
import { isManifest } from '../snapshot/stored.ts';
import type { Examination } from './diagnose.ts';

/**
 * The limit range that refuses every update of a claim, and with it the binding. Quotas never do: what a binding adds to their
 * usage is nothing.
 */
// specification scheduler-and-provisioning 6.6 and 8, RC-85
export function bindRefusal(
  { simulation: { snapshot } }: Examination,
  claim: PersistentVolumeClaim,
): { readonly limitRange: string; readonly message: string } | undefined {
  if (isManifest(claim) || claim.metadata.deletionTimestamp !== undefined || hasAnnotation(claim, AnnBindCompleted))
    return undefined;
  const { namespace } = claim.metadata;
  const limitRanges = snapshot.list('LimitRange').filter(({ metadata }) => metadata.namespace === namespace);
  const refusal = checkLimitRanges(limitRanges, claim);
  return refusal && { limitRange: refusal.limitRange, message: textOfLimitRangeRefusal(refusal) };
}

/** The volume that says that it is bound to the claim, while the claim does not say so. */
export function halfBound(
  { census, simulation: { snapshot } }: Examination,
  claim: PersistentVolumeClaim,
): PersistentVolume | undefined {
  if (hasAnnotation(claim, AnnBindCompleted)) return undefined;
  const { uid, namespace, name } = claim.metadata;
  return census
    .namedFor(`${namespace ?? ''}/${name}`)
    .map((volume) => snapshot.get('PersistentVolume', volume.metadata.name) ?? volume)
    .find(
      (volume) =>
        volume.spec.claimRef?.uid !== undefined &&
        volume.spec.claimRef.uid === uid &&
        (hasAnnotation(volume, AnnBoundByController) || claim.spec.volumeName === volume.metadata.name),
    );
}

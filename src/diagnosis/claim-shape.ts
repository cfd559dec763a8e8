import type { Wants } from '../engine/volume-checks.ts';

/**
 * All that the checks read of a claim, besides whose it is. Claims of one shape get the same answers from every volume whose
 * claimRef has nothing to do with them: answers are kept by shape, for a cluster has many claims and few shapes.
 */
export function claimShape({
  claim: { spec },
  className,
  volumeMode,
  volumeAttributesClass,
  accessModes,
}: Wants): string {
  const { resources, storageClassName, selector } = spec;
  return JSON.stringify([
    resources?.requests?.storage,
    className,
    storageClassName,
    volumeMode,
    volumeAttributesClass,
    accessModes,
    selector,
  ]);
}

import type { PersistentVolumeClaim, StorageClass } from '../../api/objects.ts';
import { claimHasClass, defaultClass, isDefaultClass } from '../../api/storage-class.ts';

/** Gives a new claim that names no class, not even "", the default class, if there is one. */
// kubernetes/kubernetes plugin/pkg/admission/storage/storageclass/setdefault/admission.go (1.37);
// specification scheduler-and-provisioning 6.4
export function withDefaultClass(
  claim: PersistentVolumeClaim,
  classes: readonly StorageClass[],
): PersistentVolumeClaim {
  if (claimHasClass(claim)) return claim;
  const name = defaultClass(classes)?.metadata.name;
  return name === undefined ? claim : { ...claim, spec: { ...claim.spec, storageClassName: name } };
}

/** The default classes among which releases up to 1.25 do not choose: they refuse the claim. Empty if it needs no choice. */
export function rivalDefaultClasses(claim: PersistentVolumeClaim, classes: readonly StorageClass[]): readonly string[] {
  if (claimHasClass(claim)) return [];
  const names = classes.filter(isDefaultClass).map(({ metadata }) => metadata.name);
  return names.length > 1 ? names.sort() : [];
}

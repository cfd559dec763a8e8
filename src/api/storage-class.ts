import { AnnBetaIsDefaultClass, AnnBetaStorageClass, AnnIsDefaultClass } from './annotations.ts';
import type { Annotations, PersistentVolume, PersistentVolumeClaim, StorageClass } from './objects.ts';

/** The class of a claim, and what names it. `none`: the claim has no class, and a default class may be filled in. */
export interface EffectiveClass {
  readonly name: string;
  readonly from: 'annotation' | 'field' | 'none';
}

/**
 * The annotation of old wins over the field, even when it is empty.
 * component-helpers storage/volume/helpers.go, GetPersistentVolumeClaimClass and PersistentVolumeClaimHasClass (1.37);
 * specification pv-controller 0.3.
 */
export function effectiveClass({ metadata, spec }: PersistentVolumeClaim): EffectiveClass {
  const annotated = annotation(metadata.annotations, AnnBetaStorageClass);
  if (annotated !== undefined) return { name: annotated, from: 'annotation' };
  return spec.storageClassName === undefined
    ? { name: '', from: 'none' }
    : { name: spec.storageClassName, from: 'field' };
}

/** The class that a claim asks for; "" if it has none or asks for volumes without one. */
export function claimClass(claim: PersistentVolumeClaim): string {
  return effectiveClass(claim).name;
}

/** Whether the claim names a class; "" is one. */
export function claimHasClass(claim: PersistentVolumeClaim): boolean {
  return effectiveClass(claim).from !== 'none';
}

/** The class of a volume; "" if it has none (GetPersistentVolumeClass). */
export function volumeClass({ metadata, spec }: PersistentVolume): string {
  return annotation(metadata.annotations, AnnBetaStorageClass) ?? spec.storageClassName ?? '';
}

/** Whether the class is marked as a default class; only "true" counts (IsDefaultAnnotation). */
export function isDefaultClass({ metadata }: StorageClass): boolean {
  return [AnnIsDefaultClass, AnnBetaIsDefaultClass].some((key) => annotation(metadata.annotations, key) === 'true');
}

/**
 * The class that claims without one get: of those marked as default the newest, of equally new ones the first by name.
 * kubernetes/kubernetes pkg/volume/util/storageclass.go, GetDefaultClass (1.37); specification pv-controller 2.5.
 */
export function defaultClass(classes: Iterable<StorageClass>): StorageClass | undefined {
  let best: StorageClass | undefined;
  for (const candidate of classes) {
    if (isDefaultClass(candidate) && (best === undefined || comesBefore(candidate, best))) best = candidate;
  }
  return best;
}

function comesBefore(a: StorageClass, b: StorageClass): boolean {
  const [left, right] = [createdAt(a), createdAt(b)];
  return left === right ? a.metadata.name < b.metadata.name : left > right;
}

/** In seconds, which is how exactly the API tells it; a class without a time is older than all others. */
function createdAt({ metadata: { creationTimestamp = '' } }: StorageClass): number {
  // Other spellings would be read in the time zone of the machine.
  const isTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(creationTimestamp);
  const milliseconds = isTimestamp ? Date.parse(creationTimestamp) : Number.NaN;
  return Number.isNaN(milliseconds) ? Number.NEGATIVE_INFINITY : Math.floor(milliseconds / 1000);
}

function annotation(annotations: Annotations | undefined, key: string): string | undefined {
  return annotations !== undefined && Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}

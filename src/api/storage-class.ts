import { AnnBetaIsDefaultClass, AnnBetaStorageClass, AnnIsDefaultClass } from './annotations.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from './objects.ts';
export const claimClass = (claim: PersistentVolumeClaim): string =>
  claim.metadata.annotations?.[AnnBetaStorageClass] ?? claim.spec.storageClassName ?? '';
export const claimHasClass = (claim: PersistentVolumeClaim): boolean =>
  claim.metadata.annotations?.[AnnBetaStorageClass] !== undefined || claim.spec.storageClassName !== undefined;
export const volumeClass = (volume: PersistentVolume): string =>
  volume.metadata.annotations?.[AnnBetaStorageClass] ?? volume.spec.storageClassName ?? '';
export const isDefaultClass = (one: StorageClass): boolean =>
  one.metadata.annotations?.[AnnIsDefaultClass] === 'true' ||
  one.metadata.annotations?.[AnnBetaIsDefaultClass] === 'true';
export function defaultClass(classes: Iterable<StorageClass>): StorageClass | undefined {
  return [...classes]
    .filter(isDefaultClass)
    .sort(
      (a, b) =>
        (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? '') ||
        (a.metadata.name < b.metadata.name ? -1 : 1),
    )[0];
}
export function effectiveClass(claim: PersistentVolumeClaim): { name: string; from: 'annotation' | 'field' | 'none' } {
  if (claim.metadata.annotations?.[AnnBetaStorageClass] !== undefined) return { name: claimClass(claim), from: 'annotation' };
  return { name: claimClass(claim), from: claim.spec.storageClassName === undefined ? 'none' : 'field' };
}

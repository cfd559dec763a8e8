import type { PersistentVolume, PersistentVolumeClaim, VolumeMode } from './objects.ts';
import { parseQuantity, type Quantity, zeroQuantity } from './quantity.ts';

// How the controllers read claims and volumes: component-helpers storage/volume/{helpers.go,pv_helpers.go} (1.37);
// specification pv-controller 0.3.

export type ClaimKey = string;

/** "namespace/name" */
export function claimKey(claim: PersistentVolumeClaim): ClaimKey {
  return `${claim.metadata.namespace ?? ''}/${claim.metadata.name}`;
}

export function claimRequest(claim: PersistentVolumeClaim): Quantity {
  const text = claim.spec.resources?.requests?.storage;
  return text === undefined ? zeroQuantity : parseQuantity(text);
}

export function volumeCapacity(volume: PersistentVolume): Quantity {
  const text = volume.spec.capacity?.storage;
  return text === undefined ? zeroQuantity : parseQuantity(text);
}

export function volumeModeOf(object: PersistentVolume | PersistentVolumeClaim): VolumeMode {
  return object.spec.volumeMode ?? 'Filesystem';
}

/** The VolumeAttributesClass of a claim or volume; absent and "" are the same. */
export function volumeAttributesClassOf(object: PersistentVolume | PersistentVolumeClaim): string {
  return object.spec.volumeAttributesClassName ?? '';
}

/** Whether the annotation is there, whatever its value. */
export function hasAnnotation(object: PersistentVolume | PersistentVolumeClaim, key: string): boolean {
  return object.metadata.annotations !== undefined && Object.hasOwn(object.metadata.annotations, key);
}

/** The claim that a volume's claimRef names, "namespace/name"; undefined without a claimRef. */
export function reservedFor(volume: PersistentVolume): ClaimKey | undefined {
  const ref = volume.spec.claimRef;
  return ref === undefined ? undefined : `${ref.namespace ?? ''}/${ref.name ?? ''}`;
}

/** Whether the volume is bound to the claim or reserved for it (IsVolumeBoundToClaim). A claimRef without namespace names nobody. */
export function isVolumeBoundToClaim(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const ref = volume.spec.claimRef;
  if (ref === undefined) return false;
  if ((ref.name ?? '') !== claim.metadata.name || (ref.namespace ?? '') !== (claim.metadata.namespace ?? ''))
    return false;
  if (ref.uid !== undefined && ref.uid !== '' && ref.uid !== claim.metadata.uid) return false;
  return true;
}

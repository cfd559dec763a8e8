import { PVCProtectionFinalizer, PVProtectionFinalizer } from '../../api/annotations.ts';
import type { KubernetesObject } from '../../api/objects.ts';

const finalizers = { PersistentVolumeClaim: PVCProtectionFinalizer, PersistentVolume: PVProtectionFinalizer } as const;

/** Puts the finalizer on a new claim or volume that keeps it from vanishing while it is used. */
// kubernetes/kubernetes plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go (1.37);
// specification scheduler-and-provisioning 6.9
export function withProtectionFinalizer<T extends KubernetesObject>(kind: keyof typeof finalizers, object: T): T {
  const { finalizers: present = [], ...metadata } = object.metadata;
  const finalizer = finalizers[kind];
  if (present.includes(finalizer)) return object;
  return { ...object, metadata: { ...metadata, finalizers: [...present, finalizer] } };
}

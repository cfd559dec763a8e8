import type { AccessMode, PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../src/api/objects.ts';

/** A free volume without a class, ReadWriteOnce and Available unless told otherwise. */
export function newVolume(
  name: string,
  capacity: string,
  spec: Partial<PersistentVolume['spec']> = {},
  metadata: Partial<PersistentVolume['metadata']> = {},
  phase = 'Available',
): PersistentVolume {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, uid: `uid-${name}`, resourceVersion: '1', ...metadata },
    spec: {
      capacity: { storage: capacity },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      volumeMode: 'Filesystem',
      ...spec,
    },
    status: { phase },
  };
}

/** A Pending claim in namespace "default" without a class, ReadWriteOnce unless told otherwise. */
export function newClaim(
  name: string,
  request: string,
  spec: Partial<PersistentVolumeClaim['spec']> = {},
  metadata: Partial<PersistentVolumeClaim['metadata']> = {},
): PersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '1', ...metadata },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: request } },
      volumeMode: 'Filesystem',
      ...spec,
    },
    status: { phase: 'Pending' },
  };
}

export function newClass(name: string, provisioner: string, volumeBindingMode = 'Immediate'): StorageClass {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, uid: `uid-${name}`, resourceVersion: '1' },
    provisioner,
    reclaimPolicy: 'Delete',
    volumeBindingMode,
  };
}

export const modes = (...short: ('RWO' | 'ROX' | 'RWX' | 'RWOP')[]): readonly AccessMode[] =>
  short.map(
    (one) => ({ RWO: 'ReadWriteOnce', ROX: 'ReadOnlyMany', RWX: 'ReadWriteMany', RWOP: 'ReadWriteOncePod' })[one],
  );

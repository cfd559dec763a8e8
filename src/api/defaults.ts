import type { KubernetesObject } from './objects.ts';
export function withDefaults<T extends KubernetesObject>(object: T): T {
  const o = object as any;
  if (o.kind === 'PersistentVolume')
    return {
      ...o,
      spec: {
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
        ...o.spec,
        ...(o.spec.hostPath ? { hostPath: { type: '', ...o.spec.hostPath } } : {}),
      },
      status: { phase: 'Pending', ...o.status },
    };
  if (o.kind === 'PersistentVolumeClaim')
    return { ...o, spec: { volumeMode: 'Filesystem', ...o.spec }, status: { phase: 'Pending', ...o.status } };
  if (o.kind === 'StorageClass') return { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate', ...o };
  return object;
}

import { AnnSelectedNode } from '../../api/annotations.ts';
import type * as k from '../../api/objects.ts';
import type { Kind } from '../../snapshot/kinds.ts';
import type { Key } from '../../snapshot/snapshot.ts';

/** That an object names another one. */
export interface Reference {
  readonly kind: Kind;
  readonly key: Key;
  /** In a cluster at rest both are there: that one is not shows that the lists were taken at different moments, or damage. */
  readonly isSettled: boolean;
}

/** The objects that an object names, as far as they matter for claims. */
export function referencesOf(kind: Kind, object: k.KubernetesObject): readonly Reference[] {
  switch (kind) {
    case 'PersistentVolumeClaim':
      return claimReferences(object as k.PersistentVolumeClaim);
    case 'PersistentVolume':
      return volumeReferences(object as k.PersistentVolume);
    case 'Pod':
      return podReferences(object as k.Pod);
    default:
      return [];
  }
}

function claimReferences({ metadata, spec, status }: k.PersistentVolumeClaim): readonly Reference[] {
  return [
    // A claim that is not bound yet may well name a volume that never existed; a lost one names one that is gone.
    ...reference('PersistentVolume', spec.volumeName, status?.phase === 'Bound'),
    ...reference('StorageClass', spec.storageClassName, false),
    ...reference('VolumeAttributesClass', spec.volumeAttributesClassName, false),
    ...reference('Node', metadata.annotations?.[AnnSelectedNode], false),
  ];
}

function volumeReferences({ spec: { claimRef }, status }: k.PersistentVolume): readonly Reference[] {
  if (claimRef?.name === undefined || claimRef.namespace === undefined || status?.phase !== 'Bound') return [];
  return reference('PersistentVolumeClaim', `${claimRef.namespace}/${claimRef.name}`, true);
}

function podReferences({ metadata, spec, status }: k.Pod): readonly Reference[] {
  const claims = (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) =>
    ephemeral === undefined ? (persistentVolumeClaim?.claimName ?? []) : `${metadata.name}-${name}`,
  );
  return [
    ...claims.flatMap((name) => reference('PersistentVolumeClaim', `${metadata.namespace}/${name}`, false)),
    // A pod that has ended may outlive its node by days.
    ...(status?.phase === 'Succeeded' || status?.phase === 'Failed' ? [] : reference('Node', spec.nodeName, true)),
  ];
}

function reference(kind: Kind, key: Key | undefined, isSettled: boolean): readonly Reference[] {
  return key === undefined || key === '' ? [] : [{ kind, key, isSettled }];
}

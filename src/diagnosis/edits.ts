import { claimKey } from '../api/accessors.ts';
import { AnnIsDefaultClass } from '../api/annotations.ts';
import type {
  AccessMode,
  Annotations,
  CSIDriver,
  KubernetesObject,
  Node,
  ObjectReference,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  StorageClass,
} from '../api/objects.ts';
import { defaultClass } from '../api/storage-class.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** A change that somebody could make to a cluster. */
export type Edit =
  /** The claim is deleted and created again: what cannot be changed is other then; null removes a field. */
  | { readonly is: 'recreateClaim'; readonly claim: string; readonly spec: ClaimSpecChange }
  /** A field that may still be set. */
  | { readonly is: 'setClass'; readonly claim: string; readonly class: string }
  | { readonly is: 'removeAnnotations'; readonly claim: string; readonly annotations: readonly string[] }
  | { readonly is: 'patchVolume'; readonly volume: string; readonly change: VolumeChange }
  | { readonly is: 'makeDefault'; readonly class: string }
  | { readonly is: 'uncordon'; readonly node: string }
  | { readonly is: 'removeTaint'; readonly node: string; readonly key: string; readonly effect: string }
  | { readonly is: 'labelNode'; readonly node: string; readonly key: string; readonly value: string }
  | { readonly is: 'ignoreCapacity'; readonly driver: string };

export type ClaimSpecChange = {
  readonly [F in keyof PersistentVolumeClaimSpec]?: PersistentVolumeClaimSpec[F] | null;
} & {
  readonly request?: string;
};

export interface VolumeChange {
  readonly capacity?: string;
  readonly accessModes?: readonly AccessMode[];
  /** "" removes the class. */
  readonly storageClassName?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** null removes the reference. */
  readonly claimRef?: ObjectReference | null;
}

/** The objects as they are after an edit. Undefined if there is nothing to edit. */
export function applyEdit(snapshot: Snapshot, edit: Edit): readonly KubernetesObject[] | undefined {
  switch (edit.is) {
    case 'recreateClaim': {
      const claim = snapshot.get('PersistentVolumeClaim', edit.claim);
      return claim && [recreatedClaim(snapshot, claim, edit.spec)];
    }
    case 'setClass': {
      const claim = snapshot.get('PersistentVolumeClaim', edit.claim);
      return claim && [{ ...claim, spec: { ...claim.spec, storageClassName: edit.class } } as PersistentVolumeClaim];
    }
    case 'removeAnnotations': {
      const claim = snapshot.get('PersistentVolumeClaim', edit.claim);
      return claim && [withAnnotations(claim, without(claim.metadata.annotations, edit.annotations))];
    }
    case 'patchVolume': {
      const volume = snapshot.get('PersistentVolume', edit.volume);
      return volume && [patchedVolume(volume, edit.change)];
    }
    case 'makeDefault': {
      const found = snapshot.get('StorageClass', edit.class);
      return (
        found && [withAnnotations<StorageClass>(found, { ...found.metadata.annotations, [AnnIsDefaultClass]: 'true' })]
      );
    }
    case 'uncordon': {
      const node = snapshot.get('Node', edit.node);
      return node && [{ ...node, spec: { ...node.spec, unschedulable: false } } as Node];
    }
    case 'removeTaint': {
      const node = snapshot.get('Node', edit.node);
      const taints = node?.spec?.taints?.filter(({ key, effect }) => key !== edit.key || effect !== edit.effect);
      return node && [{ ...node, spec: { ...node.spec, ...(taints === undefined ? {} : { taints }) } } as Node];
    }
    case 'labelNode': {
      const node = snapshot.get('Node', edit.node);
      const labels = { ...node?.metadata.labels, [edit.key]: edit.value };
      return node && [{ ...node, metadata: { ...node.metadata, labels } }];
    }
    case 'ignoreCapacity': {
      const driver = snapshot.get('CSIDriver', edit.driver);
      return driver && [{ ...driver, spec: { ...driver.spec, storageCapacity: false } } as CSIDriver];
    }
  }
}

/** The spec that the new claim is created with. */
export function recreatedSpec(
  claim: PersistentVolumeClaim,
  { request, ...change }: ClaimSpecChange,
): PersistentVolumeClaimSpec {
  const spec: Record<string, unknown> = { ...claim.spec };
  // A new claim finds its volume itself unless the edit says otherwise.
  delete spec.volumeName;
  for (const [field, value] of Object.entries(change)) {
    if (value === null) delete spec[field];
    else spec[field] = value;
  }
  if (request !== undefined)
    spec.resources = { ...claim.spec.resources, requests: { ...claim.spec.resources?.requests, storage: request } };
  return spec as PersistentVolumeClaimSpec;
}

/** Annotations that belong to the old object's binding, not to the claim as somebody wrote it. */
export const isOfBinding = (annotation: string): boolean =>
  annotation.startsWith('pv.kubernetes.io/') ||
  annotation.startsWith('volume.kubernetes.io/') ||
  annotation === 'volume.beta.kubernetes.io/storage-provisioner';

function recreatedClaim(
  snapshot: Snapshot,
  claim: PersistentVolumeClaim,
  change: ClaimSpecChange,
): PersistentVolumeClaim {
  const { uid: _uid, deletionTimestamp: _deleted, annotations = {}, ...metadata } = claim.metadata;
  const kept = Object.fromEntries(Object.entries(annotations).filter(([key]) => !isOfBinding(key)));
  let spec = recreatedSpec(claim, change);
  // Default-class admission fills the class in when a claim is created without one.
  const usual = defaultClass(snapshot.list('StorageClass'))?.metadata.name;
  if (spec.storageClassName === undefined && usual !== undefined) spec = { ...spec, storageClassName: usual };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...metadata, uid: `${claimKey(claim)}, created again`, annotations: kept },
    spec,
    status: { phase: 'Pending' },
  };
}

function patchedVolume(volume: PersistentVolume, change: VolumeChange): PersistentVolume {
  const { capacity, accessModes, storageClassName, labels, claimRef } = change;
  const { claimRef: before, ...spec } = volume.spec;
  const reference = claimRef === undefined ? before : (claimRef ?? undefined);
  return {
    ...volume,
    metadata: {
      ...volume.metadata,
      ...(labels === undefined ? {} : { labels: { ...volume.metadata.labels, ...labels } }),
    },
    spec: {
      ...spec,
      ...(capacity === undefined ? {} : { capacity: { ...spec.capacity, storage: capacity } }),
      ...(accessModes === undefined ? {} : { accessModes }),
      ...(storageClassName === undefined ? {} : { storageClassName }),
      ...(reference === undefined ? {} : { claimRef: reference }),
    },
  };
}

function withAnnotations<T extends KubernetesObject>(object: T, annotations: Annotations): T {
  return { ...object, metadata: { ...object.metadata, annotations } };
}

const without = (annotations: Annotations | undefined, removed: readonly string[]): Annotations =>
  Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => !removed.includes(key)));

import type {
  ObjectMeta,
  OwnerReference,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeSpec,
  StorageClass,
  VolumeSources,
} from '../../api/objects.ts';

/** Metadata as somebody wrote it: before it was validated even the name may be missing. */
export interface ManifestMeta extends Omit<ObjectMeta, 'name' | 'ownerReferences'> {
  readonly name?: string;
  readonly generation?: number;
  readonly ownerReferences?: readonly ManifestOwner[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

export interface ManifestOwner extends OwnerReference {
  readonly blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly fieldsType?: string;
  readonly subresource?: string;
}

interface Manifest {
  readonly metadata: ManifestMeta;
}

/** A claim after decoding, before anything vouches for its content. */
export type ClaimManifest = Manifest & Omit<PersistentVolumeClaim, 'metadata' | 'kind'>;

/** A volume after decoding. Every source keeps all of its fields; validate-volume-source.ts tells which it reads. */
export type VolumeManifest = Manifest &
  Omit<PersistentVolume, 'metadata' | 'kind' | 'spec'> & {
    readonly spec: Omit<PersistentVolumeSpec, keyof VolumeSources> & VolumeSourceManifests;
  };

export type VolumeSourceManifests = { readonly [Source in keyof VolumeSources]?: object };

/** A class after decoding. */
export type ClassManifest = Manifest & Omit<StorageClass, 'metadata' | 'kind'>;

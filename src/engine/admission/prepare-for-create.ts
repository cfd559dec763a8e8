import type { PersistentVolumeClaimSpec, TypedObjectReference } from '../../api/objects.ts';
import type { ClaimManifest, ManifestMeta, VolumeManifest } from './manifest-types.ts';

// What the API server changes in a new object before it validates it.
// kubernetes/kubernetes pkg/registry/core/{persistentvolumeclaim,persistentvolume}/strategy.go,
// pkg/api/{persistentvolumeclaim,persistentvolume}/util.go (1.37); specification pv-controller 0.2

/** A new claim: its status starts anew, and its two data source fields are brought into line. */
export function prepareClaim(claim: ClaimManifest, gates: { readonly volumeAttributesClass: boolean }): ClaimManifest {
  const { volumeAttributesClassName, ...spec } = claim.spec;
  const hasClass = volumeAttributesClassName !== undefined && gates.volumeAttributesClass;
  return {
    ...claim,
    metadata: freshMetadata(claim.metadata),
    spec: normalizeDataSources({ ...spec, ...(hasClass ? { volumeAttributesClassName } : {}) }),
    status: { phase: 'Pending' },
  };
}

/** A new volume: its status starts anew. */
export function prepareVolume(
  volume: VolumeManifest,
  gates: { readonly volumeAttributesClass: boolean },
): VolumeManifest {
  const { volumeAttributesClassName, ...spec } = volume.spec;
  const hasClass = volumeAttributesClassName !== undefined && gates.volumeAttributesClass;
  const { namespace: _, ...metadata } = freshMetadata(volume.metadata);
  return {
    ...volume,
    metadata,
    spec: { ...spec, ...(hasClass ? { volumeAttributesClassName } : {}) },
    status: { phase: 'Pending' },
  };
}

/** Kubernetes makes up the end of a generated name; any five characters of its alphabet stand in for it. */
const generatedSuffix = 'xxxxx';
const longestGeneratedBase = 63 - generatedSuffix.length;

/**
 * Metadata without what the API server alone writes, and with a name if there is a prefix for one. The uid is left open, as
 * nobody knows it before the object is there.
 */
// apiserver pkg/registry/rest/create.go and pkg/registry/generic/registry/store.go; pkg/storage/names/generate.go (1.37)
export function freshMetadata(metadata: ManifestMeta): ManifestMeta {
  const { uid: _, creationTimestamp: _created, deletionTimestamp: _deleted, ...kept } = metadata;
  const { name = '', generateName = '' } = kept;
  if (name !== '' || generateName === '') return kept;
  return { ...kept, name: `${generateName.slice(0, longestGeneratedBase)}${generatedSuffix}` };
}

/** A source in another namespace needs a gate that was never on by default: CrossNamespaceVolumeDataSource. */
const isElsewhere = (reference: TypedObjectReference | undefined): boolean =>
  reference?.namespace !== undefined && reference.namespace !== '';

// DropDisabledFields, EnforceDataSourceBackwardsCompatibility, NormalizeDataSources
function normalizeDataSources(spec: PersistentVolumeClaimSpec): PersistentVolumeClaimSpec {
  const { dataSource: given, dataSourceRef, ...rest } = spec;
  const ref = isElsewhere(dataSourceRef) ? undefined : dataSourceRef;
  // Anything but a claim or a snapshot was ignored in the older of the two fields, and still is where the newer one is missing.
  const source = ref === undefined && !isClaimOrSnapshot(given) ? undefined : given;
  const both = { dataSource: source ?? local(ref), dataSourceRef: ref ?? source };
  return {
    ...rest,
    ...(both.dataSource === undefined ? {} : { dataSource: both.dataSource }),
    ...(both.dataSourceRef === undefined ? {} : { dataSourceRef: both.dataSourceRef }),
  };
}

function isClaimOrSnapshot(source: TypedObjectReference | undefined): boolean {
  const { kind, apiGroup = '' } = source ?? {};
  return (
    (kind === 'PersistentVolumeClaim' && apiGroup === '') ||
    (kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io')
  );
}

/** The older field has no namespace. */
function local(ref: TypedObjectReference | undefined): TypedObjectReference | undefined {
  if (ref === undefined) return undefined;
  const { namespace: _, ...rest } = ref;
  return rest;
}

import { withDefaults } from '../../api/defaults.ts';
import type { Features } from '../../api/features.ts';
import { aggregate, quote } from '../../api/go-text.ts';
import type {
  KubernetesObject,
  LimitRange,
  PersistentVolume,
  PersistentVolumeClaim,
  ResourceQuota,
  StorageClass,
} from '../../api/objects.ts';
import { decodeManifest } from './decode-manifest.ts';
import { rivalDefaultClasses, withDefaultClass } from './default-class.ts';
import { type FieldError, textOfFieldError } from './field.ts';
import { withProtectionFinalizer } from './in-use-protection.ts';
import { checkLimitRanges, type LimitRangeRefusal, textOfLimitRangeRefusal } from './limit-range.ts';
import { claimShape, classShape, volumeShape } from './manifest-shapes.ts';
import type { ClaimManifest, ClassManifest, ManifestMeta, VolumeManifest } from './manifest-types.ts';
import { freshMetadata, prepareClaim, prepareVolume } from './prepare-for-create.ts';
import { chargeQuotas, type QuotaAnswer, textOfQuotaAnswer } from './quota.ts';
import { withSourceDefaults } from './source-defaults.ts';
import { validateClaim } from './validate-claim.ts';
import { validateClass } from './validate-class.ts';
import { validateMountOptions, validateVolume } from './validate-volume.ts';
import { validationRules } from './validation-rules.ts';
import { claimWarnings, classWarnings, volumeWarnings } from './warnings.ts';

/** Who refuses a new object, and why. */
export type Refusal =
  /** The manifest cannot be read as its kind. */
  | { readonly by: 'Decoding'; readonly message: string }
  /** Releases up to 1.25 do not choose among several default classes. */
  | { readonly by: 'DefaultStorageClass'; readonly defaults: readonly string[] }
  | { readonly by: 'Validation'; readonly errors: readonly FieldError[] }
  | { readonly by: 'LimitRanger'; readonly refusal: LimitRangeRefusal }
  | { readonly by: 'ResourceQuota'; readonly answer: Exclude<QuotaAnswer, { is: 'within' }> }
  /** Written metadata that only a stored object can have. */
  | { readonly by: 'Storage'; readonly message: string };

/** What the API server makes of a manifest for a new object. */
export interface Admission<T> {
  /** The object after defaults and admission, as far as it got; undefined if the manifest cannot be read. */
  readonly object: T | undefined;
  readonly refusal: Refusal | undefined;
  /** What the API server lets pass with a warning; empty where it refuses. */
  readonly warnings: readonly string[];
  /** Paths of fields that the kind does not have: ignored, unless the client asks for strictness, as kubectl does. */
  readonly unknownFields: readonly string[];
}

/** What admission of a claim looks at besides the claim. */
export interface ClaimSurroundings {
  readonly classes: readonly StorageClass[];
  /** Of the claim's namespace, with their usage. */
  readonly quotas: readonly ResourceQuota[];
  /** Of the claim's namespace. */
  readonly limitRanges: readonly LimitRange[];
}

/** A claim's admission; `quotas` count the claim if it was admitted, for the next one. */
export interface ClaimAdmission extends Admission<PersistentVolumeClaim> {
  readonly quotas: readonly ResourceQuota[];
}

/**
 * Runs a new claim through the API server: decoding, defaults, the admission plugins that change it, validation, the ones that
 * may refuse it. The manifest names its namespace. The first stage that refuses ends the way.
 */
// apiserver pkg/registry/generic/registry/store.go, create (1.37); specification scheduler-and-provisioning 6
export function admitClaim(manifest: unknown, surroundings: ClaimSurroundings, features: Features): ClaimAdmission {
  const { classes, quotas } = surroundings;
  const rules = validationRules(features);
  const decoded = decodeManifest<ClaimManifest>(claimShape, manifest);
  if (decoded.is === 'refused') return { ...undecoded(decoded.message), quotas };
  const { unknownFields } = decoded;
  const defaulted = withDefaults(named('PersistentVolumeClaim', decoded.object));
  const mutated = withProtectionFinalizer('PersistentVolumeClaim', withDefaultClass(defaulted, classes));
  const claim = named('PersistentVolumeClaim', prepareClaim(mutated, rules));
  const refused = (refusal: Refusal): ClaimAdmission => ({
    object: claim,
    refusal,
    warnings: [],
    unknownFields,
    quotas,
  });

  const defaults = features.newestDefaultClass ? [] : rivalDefaultClasses(defaulted, classes);
  if (defaults.length > 0) return refused({ by: 'DefaultStorageClass', defaults });
  const errors = validateClaim(claim, rules);
  if (errors.length > 0) return refused({ by: 'Validation', errors });
  const refusal = checkLimitRanges(surroundings.limitRanges, claim);
  if (refusal !== undefined) return refused({ by: 'LimitRanger', refusal });
  const answer = chargeQuotas(quotas, claim, { volumeAttributesClass: rules.volumeAttributesClass });
  if (answer.is !== 'within') return refused({ by: 'ResourceQuota', answer });
  const stored = storageRefusal(claim.metadata);
  if (stored !== undefined) return refused(stored);
  return { object: claim, refusal: undefined, warnings: claimWarnings(claim), unknownFields, quotas: answer.quotas };
}

/** Runs a new volume through the API server. */
export function admitVolume(manifest: unknown, features: Features): Admission<PersistentVolume> {
  const rules = validationRules(features);
  const decoded = decodeManifest<VolumeManifest>(volumeShape, manifest);
  if (decoded.is === 'refused') return undecoded(decoded.message);
  const defaulted = withDefaults(named('PersistentVolume', withSourceDefaults(decoded.object)));
  const volume = prepareVolume(withProtectionFinalizer('PersistentVolume', defaulted), rules);
  const errors = [...validateVolume(volume, rules), ...validateMountOptions(volume)];
  return settled(named('PersistentVolume', volume), errors, volumeWarnings(volume), decoded.unknownFields);
}

/** Runs a new class through the API server. */
export function admitClass(manifest: unknown, features: Features): Admission<StorageClass> {
  const decoded = decodeManifest<ClassManifest>(classShape, manifest);
  if (decoded.is === 'refused') return undecoded(decoded.message);
  const { namespace: _, ...metadata } = freshMetadata(decoded.object.metadata);
  const storageClass = withDefaults(named('StorageClass', { ...decoded.object, metadata }));
  const errors = validateClass(storageClass, validationRules(features));
  return settled(storageClass, errors, classWarnings(storageClass), decoded.unknownFields);
}

const resources = {
  PersistentVolumeClaim: { group: '', version: 'v1', resource: 'persistentvolumeclaims' },
  PersistentVolume: { group: '', version: 'v1', resource: 'persistentvolumes' },
  StorageClass: { group: 'storage.k8s.io', version: 'storage.k8s.io/v1', resource: 'storageclasses.storage.k8s.io' },
} as const;

/** The kinds whose admission is known. */
export type AdmittedKind = keyof typeof resources;

/** The refusal as the API server words it and kubectl shows it. */
// apimachinery pkg/api/errors/errors.go, NewInvalid and NewForbidden (1.37)
export function textOfRefusal(refusal: Refusal, kind: AdmittedKind, name: string): string {
  const { group, version, resource } = resources[kind];
  const isForbidden = `${resource} ${quote(name)} is forbidden`;
  switch (refusal.by) {
    case 'Decoding':
      return `${kind} in version ${quote(version)} cannot be handled as a ${kind}: ${refusal.message}`;
    case 'Validation': {
      const qualified = group === '' ? kind : `${kind}.${group}`;
      return `${qualified} ${quote(name)} is invalid: ${aggregate(refusal.errors.map(textOfFieldError))}`;
    }
    case 'DefaultStorageClass':
      return `${isForbidden}: Internal error occurred: ${refusal.defaults.length} default StorageClasses were found`;
    case 'LimitRanger':
      return `${isForbidden}: ${textOfLimitRangeRefusal(refusal.refusal)}`;
    case 'ResourceQuota':
      return `${isForbidden}: ${textOfQuotaAnswer(refusal.answer)}`;
    case 'Storage':
      return refusal.message;
    default:
      return refusal satisfies never;
  }
}

const undecoded = (message: string) => ({
  object: undefined,
  refusal: { by: 'Decoding', message } as const,
  warnings: [],
  unknownFields: [],
});

/** The object under its kind, with a name at least to print. */
function named<T extends { readonly metadata: ManifestMeta }>(kind: AdmittedKind, object: T) {
  const { name = '' } = object.metadata;
  return { ...object, kind, metadata: { ...object.metadata, name } };
}

function settled<T extends KubernetesObject>(
  object: T,
  errors: readonly FieldError[],
  warnings: readonly string[],
  unknownFields: readonly string[],
): Admission<T> {
  const refusal: Refusal | undefined =
    errors.length > 0 ? { by: 'Validation', errors } : storageRefusal(object.metadata);
  return { object, refusal, warnings: refusal === undefined ? warnings : [], unknownFields };
}

/** Exported manifests carry the version of the object that they were taken from. */
// apiserver pkg/storage/errors.go, ErrResourceVersionSetOnCreate (1.37)
function storageRefusal({ resourceVersion }: ManifestMeta): Refusal | undefined {
  if (resourceVersion === undefined || /^0*$/.test(resourceVersion)) return undefined;
  return { by: 'Storage', message: 'resourceVersion should not be set on objects to be created' };
}

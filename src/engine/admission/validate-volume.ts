import { quantityValue } from '../../api/quantity.ts';
import { asJson, type FieldError, forbidden, invalid, invalidFor, notSupported, required } from './field.ts';
import { sortedEntries } from './go-strings.ts';
import type { VolumeManifest } from './manifest-types.ts';
import { dnsSubdomainFaults } from './name-rules.ts';
import { storedAmount } from './stored-amount.ts';
import {
  validateAccessModes,
  validateClassName,
  validatePositiveAmount,
  validateVolumeMode,
} from './validate-claim.ts';
import { validateMetadata } from './validate-metadata.ts';
import { validateNodeSelector } from './validate-selectors.ts';
import { takesMountOptionAnnotation, validateVolumeSources } from './validate-volume-source.ts';
import type { ValidationRules } from './validation-rules.ts';

/** What the API server refuses in a new volume, after defaults, except for mount options. */
// kubernetes/kubernetes pkg/apis/core/validation/validation.go, ValidatePersistentVolume (1.37);
// specification scheduler-and-provisioning 6.8
export function validateVolume(volume: VolumeManifest, rules: ValidationRules): readonly FieldError[] {
  const { metadata, spec } = volume;
  const { accessModes = [], capacity, nodeAffinity, storageClassName = '', volumeMode } = spec;
  return [
    ...validateMetadata(metadata, 'cluster', rules),
    ...(accessModes.length === 0 ? [required('spec.accessModes')] : []),
    ...validateAccessModes(accessModes, 'spec.accessModes', rules),
    ...capacityErrors(capacity),
    ...reclaimPolicyErrors(spec.persistentVolumeReclaimPolicy ?? ''),
    ...nodeAffinityErrors(nodeAffinity, rules),
    ...validateVolumeSources(spec, {
      volumeName: metadata.name ?? '',
      hasNodeAffinity: nodeAffinity !== undefined,
      rules,
    }),
    ...recycledRootErrors(spec),
    ...validateClassName(storageClassName, 'spec.storageClassName'),
    ...validateVolumeMode(volumeMode, 'spec.volumeMode'),
    ...(rules.volumeAttributesClass ? attributesClassErrors(spec) : []),
  ];
}

const mountOptionAnnotation = 'volume.beta.kubernetes.io/mount-options';

/** The old annotation for mount options is refused for sources whose in-tree plugin never read it. */
// kubernetes/kubernetes pkg/volume/validation/pv_validation.go, checkMountOption (1.37)
export function validateMountOptions({ metadata, spec }: VolumeManifest): readonly FieldError[] {
  if (metadata.annotations?.[mountOptionAnnotation] === undefined || takesMountOptionAnnotation(spec)) return [];
  const path = `metadata.annotations.${mountOptionAnnotation}`;
  return [forbidden(path, 'may not specify mount options for this volume type')];
}

function capacityErrors(capacity: VolumeManifest['spec']['capacity']): readonly FieldError[] {
  const path = 'spec.capacity';
  const entries = sortedEntries(capacity);
  const errors = entries.length === 0 ? [required(path)] : [];
  if (capacity?.storage === undefined || entries.length > 1) {
    const printed = entries.map(([name, text]) => [name, storedAmount(text).printed]);
    const value = capacity === undefined ? null : Object.fromEntries(printed);
    errors.push(notSupported(path, asJson(value), ['storage']));
  }
  for (const [name, text] of entries) {
    const at = `${path}[${name}]`;
    const bytes = quantityValue(storedAmount(text).quantity);
    if (bytes < 0n) errors.push(invalid(at, bytes, 'must be a valid resource quantity'));
    errors.push(...validatePositiveAmount(text, at));
  }
  return errors;
}

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];

function reclaimPolicyErrors(policy: string): readonly FieldError[] {
  if (policy === '' || reclaimPolicies.includes(policy)) return [];
  return [notSupported('spec.persistentVolumeReclaimPolicy', asJson(policy), reclaimPolicies)];
}

function nodeAffinityErrors(
  affinity: VolumeManifest['spec']['nodeAffinity'],
  rules: ValidationRules,
): readonly FieldError[] {
  if (affinity === undefined) return [];
  const path = 'spec.nodeAffinity.required';
  if (affinity.required === undefined) return [required(path, 'must specify required node constraints')];
  return validateNodeSelector(affinity.required, path, rules);
}

/** Recycling would scrub the node itself. */
function recycledRootErrors({
  hostPath,
  persistentVolumeReclaimPolicy,
}: VolumeManifest['spec']): readonly FieldError[] {
  const { path } = (hostPath ?? {}) as { readonly path?: string };
  if (path === undefined || persistentVolumeReclaimPolicy !== 'Recycle' || !isRoot(path)) return [];
  const detail = "may not be 'recycle' for a hostPath mount of '/'";
  return [forbidden('spec.persistentVolumeReclaimPolicy', detail)];
}

/** Whether an absolute path comes down to "/" once its dots are resolved. */
function isRoot(path: string): boolean {
  if (!path.startsWith('/')) return false;
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth = Math.max(0, depth - 1);
    else if (part !== '' && part !== '.') depth++;
  }
  return depth === 0;
}

function attributesClassErrors({ volumeAttributesClassName, csi }: VolumeManifest['spec']): readonly FieldError[] {
  if (volumeAttributesClassName === undefined) return [];
  const path = 'spec.volumeAttributesClassName';
  const errors =
    volumeAttributesClassName === ''
      ? [required(path, 'an empty string is disallowed')]
      : invalidFor(path, volumeAttributesClassName, dnsSubdomainFaults(volumeAttributesClassName));
  if (csi !== undefined) return errors;
  return [...errors, required('spec.csi', 'has to be specified when using volumeAttributesClassName')];
}

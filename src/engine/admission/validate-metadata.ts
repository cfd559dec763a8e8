import { byteLength } from '../../api/go-text.ts';
import { asJson, type FieldError, forbidden, invalid, invalidFor, notSupported, required, tooLong } from './field.ts';
import { lowerCase, sortedEntries } from './go-strings.ts';
import type { ManagedFieldsEntry, ManifestMeta, ManifestOwner } from './manifest-types.ts';
import { dnsLabelFaults, dnsSubdomainFaults, qualifiedNameFaults, valueFaults } from './name-rules.ts';
import type { ValidationRules } from './validation-rules.ts';

// apimachinery pkg/api/validation/objectmeta.go, pkg/apis/meta/v1/validation/validation.go and
// kubernetes/kubernetes pkg/apis/core/validation/validation.go, ValidateObjectMeta (1.37)

/** What the API server refuses in the metadata of a new claim, volume or class. */
export function validateMetadata(
  metadata: ManifestMeta,
  scope: 'namespaced' | 'cluster',
  rules: ValidationRules,
): readonly FieldError[] {
  return [
    ...nameErrors(metadata),
    ...namespaceErrors(metadata.namespace ?? '', scope),
    ...generationErrors(metadata.generation ?? 0),
    ...validateLabels(metadata.labels, 'metadata.labels', rules),
    ...annotationErrors(metadata.annotations, rules),
    ...ownerErrors(metadata.ownerReferences ?? [], rules),
    ...finalizerErrors(metadata.finalizers ?? [], rules),
    ...managedFieldsErrors(metadata.managedFields ?? [], rules),
    ...legacyFinalizerErrors(metadata.finalizers ?? []),
  ];
}

function nameErrors({ name = '', generateName = '' }: ManifestMeta): readonly FieldError[] {
  const errors =
    generateName === ''
      ? []
      : invalidFor('metadata.generateName', generateName, dnsSubdomainFaults(maskTrailingDash(generateName)));
  if (name === '') return [...errors, required('metadata.name', 'name or generateName is required')];
  return [...errors, ...invalidFor('metadata.name', name, dnsSubdomainFaults(name))];
}

/**
 * A prefix may end in a dash, since something follows it; upstream masks the byte before the dash, too, and breaks a longer
 * character there, which no format allows anyway.
 */
// apimachinery pkg/api/validation/generic.go, maskTrailingDash (1.37)
const maskTrailingDash = (prefix: string): string => prefix.replace(/^(.*)[\0-\x7f]-$/s, '$1a');

function namespaceErrors(namespace: string, scope: 'namespaced' | 'cluster'): readonly FieldError[] {
  if (scope === 'cluster') return namespace === '' ? [] : [forbidden('metadata.namespace', 'not allowed on this type')];
  if (namespace === '') return [required('metadata.namespace')];
  return invalidFor('metadata.namespace', namespace, dnsLabelFaults(namespace));
}

const generationErrors = (generation: number): readonly FieldError[] =>
  generation < 0 ? [invalid('metadata.generation', generation, 'must be greater than or equal to 0')] : [];

/** Labels of an object, or the matchLabels of a selector. */
export function validateLabels(
  labels: Readonly<Record<string, string>> | undefined,
  path: string,
  rules: ValidationRules,
): readonly FieldError[] {
  return sortedEntries(labels).flatMap(([key, value]) => [
    ...invalidFor(path, key, qualifiedNameFaults(key, rules)),
    ...invalidFor(path, value, valueFaults(value, rules)),
  ]);
}

const annotationsLimit = 256 * 1024;

function annotationErrors(annotations: ManifestMeta['annotations'], rules: ValidationRules): readonly FieldError[] {
  const path = 'metadata.annotations';
  const entries = sortedEntries(annotations);
  const errors = entries.flatMap(([key]) => invalidFor(path, key, qualifiedNameFaults(lowerCase(key), rules)));
  const size = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return size > annotationsLimit ? [...errors, tooLong(path, annotationsLimit)] : errors;
}

function ownerErrors(owners: readonly ManifestOwner[], rules: ValidationRules): readonly FieldError[] {
  const path = 'metadata.ownerReferences';
  const errors: FieldError[] = [];
  let firstController: string | undefined;
  for (const [i, owner] of owners.entries()) {
    errors.push(...ownerFieldErrors(owner, rules.requiresOwnerFields ? `${path}[${i}]` : path, rules));
    if (owner.controller !== true) continue;
    const controller = `${owner.kind}/${owner.name}`;
    if (firstController === undefined) firstController = controller;
    else {
      const both = `Found "true" in references for ${firstController} and ${controller}`;
      const detail = `Only one reference can have Controller set to true. ${both}`;
      errors.push(invalid(path, asJson(owners.map(printedOwner)), detail));
    }
  }
  return errors;
}

function ownerFieldErrors(owner: ManifestOwner, path: string, rules: ValidationRules): readonly FieldError[] {
  const { apiVersion = '', kind, name, uid = '' } = owner;
  const errors: FieldError[] = [];
  const { group, version } = groupVersionOf(apiVersion);
  const missing = (field: string, value: string | ReturnType<typeof asJson>): FieldError =>
    rules.requiresOwnerFields
      ? required(`${path}.${field}`, 'must not be empty')
      : invalid(`${path}.${field}`, value, field === 'apiVersion' ? 'version must not be empty' : 'must not be empty');
  if (version === '') {
    if (apiVersion === '' || !rules.requiresOwnerFields) errors.push(missing('apiVersion', apiVersion));
    else errors.push(invalid(`${path}.apiVersion`, apiVersion, 'must be <group>/<version> or <version>'));
  }
  if (kind === '') errors.push(missing('kind', kind));
  if (name === '') errors.push(missing('name', name));
  if (uid === '') errors.push(missing('uid', asJson(uid)));
  if (group === '' && version === 'v1' && kind === 'Event') {
    errors.push(invalid(path, asJson(printedOwner(owner)), '/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}

/** What "group/version" or "version" names; a text that names neither gives an empty version. */
// apimachinery pkg/runtime/schema/group_version.go, ParseGroupVersion (1.37)
function groupVersionOf(apiVersion: string): { group: string; version: string } {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return { group: '', version: '' };
  return { group: parts.length === 2 ? (parts[0] ?? '') : '', version: parts.at(-1) ?? '' };
}

const printedOwner = ({ apiVersion = '', kind, name, uid = '', controller, blockOwnerDeletion }: ManifestOwner) => ({
  apiVersion,
  kind,
  name,
  uid,
  ...(controller === undefined ? {} : { controller }),
  ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
});

function finalizerErrors(finalizers: readonly string[], rules: ValidationRules): readonly FieldError[] {
  const path = 'metadata.finalizers';
  const errors = finalizers.flatMap((finalizer) => invalidFor(path, finalizer, qualifiedNameFaults(finalizer, rules)));
  if (!finalizers.includes('orphan') || !finalizers.includes('foregroundDeletion')) return errors;
  const both = 'finalizer orphan and foregroundDeletion cannot be both set';
  return [...errors, invalid(path, asJson(finalizers), both)];
}

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion'];

function legacyFinalizerErrors(finalizers: readonly string[]): readonly FieldError[] {
  return finalizers.flatMap((finalizer, i) => {
    if (finalizer.includes('/') || standardFinalizers.includes(finalizer)) return [];
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    return [invalid(`metadata.finalizers[${i}]`, finalizer, detail)];
  });
}

function managedFieldsErrors(entries: readonly ManagedFieldsEntry[], rules: ValidationRules): readonly FieldError[] {
  return entries.flatMap(({ operation = '', fieldsType = '', manager = '', subresource = '' }, i) => {
    const path = `metadata.managedFields[${i}]`;
    const errors: FieldError[] = [];
    if (operation !== 'Apply' && operation !== 'Update')
      errors.push(operationError(`${path}.operation`, operation, rules));
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      errors.push(invalid(`${path}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
    }
    if (byteLength(manager) > 128) errors.push(tooLong(`${path}.manager`, 128));
    errors.push(...unprintableErrors(`${path}.manager`, manager));
    if (byteLength(subresource) > 256) errors.push(tooLong(`${path}.subresource`, 256));
    return errors;
  });
}

function operationError(path: string, operation: string, rules: ValidationRules): FieldError {
  if (!rules.requiresManagedFieldsOperation) return invalid(path, asJson(operation), 'must be `Apply` or `Update`');
  if (operation === '') return required(path, 'must not be empty');
  return notSupported(path, asJson(operation), ['Apply', 'Update']);
}

const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

function unprintableErrors(path: string, manager: string): readonly FieldError[] {
  return [...manager.matchAll(unprintable)].map((match) => {
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const at = byteLength(manager.slice(0, match.index));
    return invalid(path, manager, `invalid character U+${code} (at position ${at})`);
  });
}

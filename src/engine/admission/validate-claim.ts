import type { PersistentVolumeClaimSpec, TypedObjectReference } from '../../api/objects.ts';
import { compareQuantities, zeroQuantity } from '../../api/quantity.ts';
import { asJson, type FieldError, forbidden, invalid, invalidFor, notSupported, required } from './field.ts';
import type { ClaimManifest } from './manifest-types.ts';
import { dnsLabelFaults, dnsSubdomainFaults } from './name-rules.ts';
import { storedAmount } from './stored-amount.ts';
import { validateMetadata } from './validate-metadata.ts';
import { validateLabelSelector } from './validate-selectors.ts';
import type { ValidationRules } from './validation-rules.ts';

/** What an update goes on to allow because the claim had it before. */
export interface ClaimLeniency {
  readonly invalidSelectorValues?: boolean;
  readonly invalidDataSourceGroup?: boolean;
}

/** What the API server refuses in a new claim, after defaults. */
// kubernetes/kubernetes pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaim (1.37);
// specification scheduler-and-provisioning 6.2
export function validateClaim(
  claim: ClaimManifest,
  rules: ValidationRules,
  leniency: ClaimLeniency = {},
): readonly FieldError[] {
  return [
    ...validateMetadata(claim.metadata, 'namespaced', rules),
    ...validateClaimSpec(claim.spec, 'spec', rules, leniency),
  ];
}

/** The same for a spec alone, as templates of claims carry it. */
// ValidatePersistentVolumeClaimSpec (1.37)
export function validateClaimSpec(
  spec: PersistentVolumeClaimSpec,
  path: string,
  rules: ValidationRules,
  leniency: ClaimLeniency = {},
): readonly FieldError[] {
  const { accessModes = [], selector, storageClassName = '', volumeMode, volumeAttributesClassName = '' } = spec;
  return [
    ...(accessModes.length === 0 ? [required(`${path}.accessModes`, 'at least 1 access mode is required')] : []),
    ...(selector === undefined
      ? []
      : validateLabelSelector(selector, `${path}.selector`, rules, leniency.invalidSelectorValues)),
    ...validateAccessModes(accessModes, `${path}.accessModes`, rules),
    ...requestErrors(spec, `${path}.resources[storage]`),
    ...validateClassName(storageClassName, `${path}.storageClassName`),
    ...validateVolumeMode(volumeMode, `${path}.volumeMode`),
    ...dataSourceErrors(spec, path, leniency),
    ...(rules.volumeAttributesClass
      ? validateClassName(volumeAttributesClassName, `${path}.volumeAttributesClassName`)
      : []),
  ];
}

const supportedAccessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];

/** Each mode for itself, and ReadWriteOncePod against the others: the same for claims and volumes. */
export function validateAccessModes(
  modes: readonly string[],
  path: string,
  rules: ValidationRules,
): readonly FieldError[] {
  const supported = [...supportedAccessModes, ...(rules.readWriteOncePod ? ['ReadWriteOncePod'] : [])];
  const errors = modes
    .filter((mode) => !supported.includes(mode))
    .map((mode) => notSupported(path, asJson(mode), supported));
  const hasOther = modes.some((mode) => supportedAccessModes.includes(mode));
  if (!hasOther || !modes.includes('ReadWriteOncePod')) return errors;
  return [...errors, forbidden(path, 'may not use ReadWriteOncePod with other access modes')];
}

function requestErrors({ resources }: PersistentVolumeClaimSpec, path: string): readonly FieldError[] {
  const text = resources?.requests?.storage;
  if (text === undefined) return [required(path)];
  return validatePositiveAmount(text, path);
}

/** A quantity that must be more than nothing (ValidatePositiveQuantityValue). */
export function validatePositiveAmount(text: string, path: string): readonly FieldError[] {
  const { quantity, printed } = storedAmount(text);
  return compareQuantities(quantity, zeroQuantity) > 0 ? [] : [invalid(path, printed, 'must be greater than zero')];
}

/** A class name that may be left out or empty. */
export const validateClassName = (name: string, path: string): readonly FieldError[] =>
  name === '' ? [] : invalidFor(path, name, dnsSubdomainFaults(name));

const volumeModes = ['Block', 'Filesystem'];

export const validateVolumeMode = (mode: string | undefined, path: string): readonly FieldError[] =>
  mode === undefined || volumeModes.includes(mode) ? [] : [notSupported(path, asJson(mode), volumeModes)];

function dataSourceErrors(
  spec: PersistentVolumeClaimSpec,
  path: string,
  leniency: ClaimLeniency,
): readonly FieldError[] {
  const { dataSource, dataSourceRef } = spec;
  return [
    ...(dataSource === undefined ? [] : referenceErrors(dataSource, `${path}.dataSource`, leniency)),
    ...(dataSourceRef === undefined ? [] : referenceErrors(dataSourceRef, `${path}.dataSourceRef`, leniency)),
    ...(dataSourceRef?.namespace
      ? invalidFor(`${path}.dataSourceRef.namespace`, dataSourceRef.namespace, dnsLabelFaults(dataSourceRef.namespace))
      : []),
    ...pairErrors(dataSource, dataSourceRef, path),
  ];
}

function referenceErrors(
  { apiGroup = '', kind, name }: TypedObjectReference,
  path: string,
  leniency: ClaimLeniency,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${path}.name`));
  if (kind === '') errors.push(required(`${path}.kind`));
  if (apiGroup === '' && kind !== 'PersistentVolumeClaim') {
    errors.push(invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  if (apiGroup === '' || leniency.invalidDataSourceGroup) return errors;
  return [...errors, ...invalidFor(`${path}.apiGroup`, apiGroup, dnsSubdomainFaults(apiGroup))];
}

function pairErrors(
  dataSource: TypedObjectReference | undefined,
  ref: TypedObjectReference | undefined,
  path: string,
): readonly FieldError[] {
  if (dataSource === undefined || ref === undefined) return [];
  // Upstream hands over the path of dataSource as the value at fault, which prints as an empty object.
  const value = asJson({});
  if (ref.namespace) return [invalid(path, value, 'may not be specified when dataSourceRef.namespace is specified')];
  const areEqual = dataSource.apiGroup === ref.apiGroup && dataSource.kind === ref.kind && dataSource.name === ref.name;
  return areEqual ? [] : [invalid(path, value, 'must match dataSourceRef')];
}

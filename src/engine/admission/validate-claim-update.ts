import { AnnBetaStorageClass } from '../../api/annotations.ts';
import type { PersistentVolumeClaimSpec, StorageClass } from '../../api/objects.ts';
import { compareQuantities, type Quantity, zeroQuantity } from '../../api/quantity.ts';
import { claimClass } from '../../api/storage-class.ts';
import { asJson, type FieldError, forbidden, invalid } from './field.ts';
import { compareBytes } from './go-strings.ts';
import type { ClaimManifest } from './manifest-types.ts';
import { storedAmount } from './stored-amount.ts';
import { validateClaim } from './validate-claim.ts';
import { validateLabelSelector } from './validate-selectors.ts';
import type { ValidationRules } from './validation-rules.ts';

/** The reason that upstream gives for every change of the spec that it does not allow; there, a diff of both specs follows. */
export const specIsImmutable =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/**
 * What the API server refuses when `claim` replaces `old`. Both are complete, with defaults; the status of an update is that of
 * the stored claim, whatever the update says. changedSpecFields tells which fields the immutable spec is about.
 */
// kubernetes/kubernetes pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimUpdate (1.37);
// specification scheduler-and-provisioning 6.3
export function validateClaimUpdate(
  claim: ClaimManifest,
  old: ClaimManifest,
  rules: ValidationRules,
): readonly FieldError[] {
  return [
    ...metadataErrors(claim, old),
    ...validateClaim(claim, rules, leniencyOf(old, rules)),
    ...betaClassErrors(claim, old),
    ...(changedSpecFields(claim, old).length > 0 ? [forbidden('spec', specIsImmutable)] : []),
    ...shrinkErrors(claim, old, rules),
    ...volumeModeErrors(claim, old),
    ...(rules.volumeAttributesClass ? attributesClassErrors(claim, old) : []),
  ];
}

/** What an expansion needs beyond validation, in the words of the admission plugin that refuses it; undefined if it may go on. */
// kubernetes/kubernetes plugin/pkg/admission/storage/persistentvolume/resize/admission.go (1.37)
export function expansionRefusal(
  claim: ClaimManifest,
  old: ClaimManifest,
  classes: readonly StorageClass[],
): string | undefined {
  if (compareQuantities(requestOf(claim), requestOf(old)) <= 0) return undefined;
  if (old.status?.phase !== 'Bound') return 'Only bound persistent volume claims can be expanded';
  const [name, oldName] = [classOf(claim), classOf(old)];
  const storageClass = name === oldName ? classes.find(({ metadata }) => metadata.name === name) : undefined;
  if (name !== '' && storageClass?.allowVolumeExpansion) return undefined;
  return 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
}

/** Paths of the fields in which the specs differ and may not: those that may be set once or on bound claims are left out. */
export function changedSpecFields(claim: ClaimManifest, old: ClaimManifest): readonly string[] {
  const isBound = old.status?.phase === 'Bound';
  const { volumeName: oldVolume = '' } = old.spec;
  const allowed = [
    ...(oldVolume === '' ? ['volumeName'] : []),
    ...(mayAdoptClass(claim, old) ? ['storageClassName'] : []),
    ...(isBound && claim.spec.resources?.requests !== undefined ? ['resources.requests.storage'] : []),
    ...(isBound ? ['volumeAttributesClassName'] : []),
  ];
  const [before, after] = [flattened(old.spec), flattened(claim.spec)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((field) => before.get(field) !== after.get(field) && !allowed.includes(field))
    .sort(compareBytes)
    .map((field) => `spec.${field}`);
}

/** The class may be moved from the old annotation into the field, or set where the claim had none. */
// validateStorageClassUpgradeFromAnnotation, validateStorageClassUpgradeFromNil
function mayAdoptClass({ spec }: ClaimManifest, old: ClaimManifest): boolean {
  if (old.spec.storageClassName !== undefined || spec.storageClassName === undefined) return false;
  const annotated = betaClassOf(old);
  return annotated === undefined || annotated === spec.storageClassName;
}

const betaClassOf = ({ metadata }: ClaimManifest): string | undefined => metadata.annotations?.[AnnBetaStorageClass];

function betaClassErrors(claim: ClaimManifest, old: ClaimManifest): readonly FieldError[] {
  const [before, after] = [betaClassOf(old), betaClassOf(claim)];
  const moves = before !== undefined && mayAdoptClass(claim, old) && (after === undefined || after === before);
  if (moves || (before ?? '') === (after ?? '')) return [];
  return [invalid(`metadata.annotations.${AnnBetaStorageClass}`, after ?? '', 'field is immutable')];
}

/** The leaves of a spec that count in a comparison: amounts by their size, nothing that is empty. */
function flattened(spec: PersistentVolumeClaimSpec): ReadonlyMap<string, string> {
  const { accessModes, selector, resources, dataSource, dataSourceRef, ...rest } = spec;
  const leaves: Record<string, unknown> = { ...rest, volumeName: rest.volumeName || undefined };
  leaves.accessModes = accessModes?.length ? accessModes : undefined;
  leaves.selector = selector && {
    matchLabels: Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => compareBytes(a, b)),
    matchExpressions: (selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => [
      key,
      operator,
      values,
    ]),
  };
  leaves.dataSource = dataSource && [dataSource.apiGroup ?? null, dataSource.kind, dataSource.name];
  leaves.dataSourceRef = dataSourceRef && [
    dataSourceRef.apiGroup ?? null,
    dataSourceRef.kind,
    dataSourceRef.name,
    dataSourceRef.namespace ?? null,
  ];
  for (const list of ['requests', 'limits'] as const) {
    for (const [name, text] of Object.entries(resources?.[list] ?? {})) {
      leaves[`resources.${list}.${name}`] = String(storedAmount(text).quantity.nano);
    }
  }
  return new Map(
    Object.entries(leaves).flatMap(([name, leaf]) => (leaf === undefined ? [] : [[name, JSON.stringify(leaf)]])),
  );
}

function requestOf({ spec }: ClaimManifest): Quantity {
  const text = spec.resources?.requests?.storage;
  return text === undefined ? zeroQuantity : storedAmount(text).quantity;
}

/** Giving up an expansion is allowed, shrinking what is there is not. */
function shrinkErrors(claim: ClaimManifest, old: ClaimManifest, rules: ValidationRules): readonly FieldError[] {
  const path = 'spec.resources.requests.storage';
  const request = requestOf(claim);
  if (compareQuantities(request, requestOf(old)) >= 0) return [];
  const { capacity, allocatedResources, allocatedResourceStatuses } = old.status ?? {};
  const mayRecover =
    rules.recoverVolumeExpansionFailure ||
    [allocatedResources, allocatedResourceStatuses].some((list) => list !== undefined);
  if (!mayRecover) return [forbidden(path, 'field can not be less than previous value')];
  const held = capacity?.storage === undefined ? zeroQuantity : storedAmount(capacity.storage).quantity;
  if (compareQuantities(request, held) > 0) return [];
  return [forbidden(path, 'field can not be less than status.capacity')];
}

/** Upstream's path has no "spec". */
function volumeModeErrors({ spec }: ClaimManifest, old: ClaimManifest): readonly FieldError[] {
  if (spec.volumeMode === old.spec.volumeMode) return [];
  return [invalid('volumeMode', asJson(spec.volumeMode ?? null), 'field is immutable')];
}

/** What was applied to a volume once cannot be taken back. */
function attributesClassErrors({ spec }: ClaimManifest, old: ClaimManifest): readonly FieldError[] {
  const [before, after] = [old.spec.volumeAttributesClassName, spec.volumeAttributesClassName];
  if (before === after || old.status?.currentVolumeAttributesClassName === undefined || after) return [];
  const to = after === undefined ? 'nil' : 'empty string';
  const detail = `update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [forbidden('spec.volumeAttributesClassName', detail)];
}

// ValidationOptionsForPersistentVolumeClaim
function leniencyOf({ spec }: ClaimManifest, rules: ValidationRules) {
  const { selector, dataSource, dataSourceRef } = spec;
  return {
    invalidSelectorValues: selector !== undefined && validateLabelSelector(selector, '', rules).length > 0,
    invalidDataSourceGroup: dataSource?.apiGroup !== undefined || dataSourceRef?.apiGroup !== undefined,
  };
}

// apimachinery pkg/api/validation/objectmeta.go, ValidateObjectMetaUpdate: what it says beyond the rules for new objects
function metadataErrors({ metadata }: ClaimManifest, { metadata: old }: ClaimManifest): readonly FieldError[] {
  const errors: FieldError[] = [];
  const added = (metadata.finalizers ?? []).filter((finalizer) => !old.finalizers?.includes(finalizer));
  if (old.deletionTimestamp !== undefined && added.length > 0) {
    const shown = [...new Set(added)].sort(compareBytes).map((finalizer) => JSON.stringify(finalizer));
    const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${shown.join(', ')}}`;
    errors.push(forbidden('metadata.finalizers', detail));
  }
  if (!metadata.resourceVersion) {
    errors.push(invalid('metadata.resourceVersion', '', 'must be specified for an update'));
  }
  if ((metadata.generation ?? 0) < (old.generation ?? 0)) {
    errors.push(invalid('metadata.generation', metadata.generation ?? 0, 'must not be decremented'));
  }
  for (const field of ['name', 'namespace'] as const) {
    if ((metadata[field] ?? '') === (old[field] ?? '')) continue;
    errors.push(invalid(`metadata.${field}`, metadata[field] ?? '', 'field is immutable'));
  }
  if ((metadata.uid ?? '') !== (old.uid ?? '')) {
    errors.push(invalid('metadata.uid', asJson(metadata.uid ?? ''), 'field is immutable'));
  }
  for (const field of ['creationTimestamp', 'deletionTimestamp'] as const) {
    const time = printedTime(metadata[field]);
    if (time !== printedTime(old[field])) errors.push(invalid(`metadata.${field}`, asJson(time), 'field is immutable'));
  }
  return errors;
}

/** Times are kept to the second and printed in UTC. */
const printedTime = (time: string | undefined): string | null =>
  time === undefined ? null : `${new Date(time).toISOString().slice(0, 19)}Z`;

const classOf = ({ metadata, spec }: ClaimManifest): string =>
  claimClass({ kind: 'PersistentVolumeClaim', metadata: { ...metadata, name: metadata.name ?? '' }, spec });

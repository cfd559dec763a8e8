import { byteLength } from '../../api/go-text.ts';
import { asJson, type FieldError, invalid, invalidFor, notSupported, required, tooLong } from './field.ts';
import { lowerCase, sortedEntries } from './go-strings.ts';
import type { ClassManifest } from './manifest-types.ts';
import { qualifiedNameFaults } from './name-rules.ts';
import { validateMetadata } from './validate-metadata.ts';
import { validateAllowedTopologies } from './validate-selectors.ts';
import type { ValidationRules } from './validation-rules.ts';

/** What the API server refuses in a new class, after defaults. */
// kubernetes/kubernetes pkg/apis/storage/validation/validation.go, ValidateStorageClass (1.37);
// specification scheduler-and-provisioning 6.7
export function validateClass(storageClass: ClassManifest, rules: ValidationRules): readonly FieldError[] {
  const {
    metadata,
    provisioner = '',
    parameters,
    reclaimPolicy = '',
    volumeBindingMode,
    allowedTopologies,
  } = storageClass;
  return [
    ...validateMetadata(metadata, 'cluster', rules),
    ...provisionerErrors(provisioner, rules),
    ...parameterErrors(parameters),
    ...reclaimPolicyErrors(reclaimPolicy),
    ...bindingModeErrors(volumeBindingMode),
    ...validateAllowedTopologies(allowedTopologies ?? [], 'allowedTopologies', rules),
  ];
}

function provisionerErrors(provisioner: string, rules: ValidationRules): readonly FieldError[] {
  if (provisioner === '') return [required('provisioner')];
  const lower = lowerCase(provisioner);
  return invalidFor('provisioner', lower, qualifiedNameFaults(lower, rules));
}

const parametersLimit = { count: 512, bytes: 256 * 1024 };

function parameterErrors(parameters: ClassManifest['parameters']): readonly FieldError[] {
  const entries = sortedEntries(parameters);
  if (entries.length > parametersLimit.count) return [tooLong('parameters', parametersLimit.count)];
  const errors = entries.flatMap(([key]) =>
    key === '' ? [invalid('parameters', key, 'field can not be empty.')] : [],
  );
  const size = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return size > parametersLimit.bytes ? [...errors, tooLong('parameters', parametersLimit.bytes)] : errors;
}

const reclaimPolicies = ['Delete', 'Retain'];

function reclaimPolicyErrors(policy: string): readonly FieldError[] {
  if (policy === '' || reclaimPolicies.includes(policy)) return [];
  return [notSupported('reclaimPolicy', asJson(policy), reclaimPolicies)];
}

const bindingModes = ['Immediate', 'WaitForFirstConsumer'];

function bindingModeErrors(mode: string | undefined): readonly FieldError[] {
  if (mode === undefined) return [required('volumeBindingMode')];
  return bindingModes.includes(mode) ? [] : [notSupported('volumeBindingMode', asJson(mode), bindingModes)];
}

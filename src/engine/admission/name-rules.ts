import { byteLength } from '../../api/go-text.ts';
import { labelKeyFaults, labelValueFaults } from '../../api/label-names.ts';
import type { ValidationRules } from './validation-rules.ts';

// The formats of names; each check answers with what is wrong, in the API server's words, or with an empty list.
// apimachinery pkg/util/validation/validation.go and pkg/api/validate/content (1.37)

const labelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainFormat = `${labelFormat}(\\.${labelFormat})*`;
const labelWords =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const subdomainWords =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";

const label = new RegExp(`^${labelFormat}$`);
const isSubdomain = (value: string): boolean => value.split('.').every((part) => label.test(part));

/** IsDNS1123Label: names of namespaces. */
export function dnsLabelFaults(value: string): readonly string[] {
  const faults = byteLength(value) > 63 ? ['must be no more than 63 characters'] : [];
  if (label.test(value)) return faults;
  if (isSubdomain(value)) return [...faults, 'must not contain dots'];
  return [...faults, `${labelWords} (e.g. 'my-name',  or '123-abc', regex used for validation is '${labelFormat}')`];
}

/** IsDNS1123Subdomain: names of claims, volumes, classes and nodes. */
export function dnsSubdomainFaults(value: string): readonly string[] {
  const faults = byteLength(value) > 253 ? ['must be no more than 253 characters'] : [];
  if (isSubdomain(value)) return faults;
  return [...faults, `${subdomainWords} (e.g. 'example.com', regex used for validation is '${subdomainFormat}')`];
}

/** IsQualifiedName: keys of labels and annotations, finalizers, provisioners. */
export function qualifiedNameFaults(value: string, rules: ValidationRules): readonly string[] {
  return inWordsOf(rules, labelKeyFaults(value));
}

/** IsValidLabelValue. */
export function valueFaults(value: string, rules: ValidationRules): readonly string[] {
  return inWordsOf(rules, labelValueFaults(value));
}

function inWordsOf(rules: ValidationRules, faults: readonly string[]): readonly string[] {
  if (rules.revisedLabelWords) return faults;
  return faults.map((fault) =>
    fault.replace(/^a valid label key /, 'a qualified name ').replace(/(no more than \d+) bytes$/, '$1 characters'),
  );
}

import { byteLength } from './go-text.ts';
import type { ValidationRules } from './validation-rules.ts';

// The formats of names and labels; each check answers with what is wrong, in the API server's words, or an empty list.
// apimachinery pkg/util/validation/validation.go and pkg/api/validate/content (1.37); specification scheduler-and-provisioning 6.2

const labelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainFormat = `${labelFormat}(\\.${labelFormat})*`;
const keyNameFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValueFormat = `(${keyNameFormat})?`;

const whole = (format: string): RegExp => new RegExp(`^${format}$`);
const isLabel = whole(labelFormat);
const isSubdomain = whole(subdomainFormat);
const isKeyName = whole(keyNameFormat);
const isLabelValue = whole(labelValueFormat);

const mustNotExceed = (bytes: number): string => `must be no more than ${bytes} bytes`;

const mustMatch = (what: string, format: string, ...examples: readonly string[]): string =>
  `${what} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${format}')`;

const labelWords =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const subdomainWords =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const keyNameWords =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const labelValueWords = `a valid label must be an empty string or ${keyNameWords.replace('must consist', 'consist')}`;

/** IsDNS1123Label: names of namespaces. */
export function dnsLabelFaults(value: string): string[] {
  const faults = byteLength(value) > 63 ? [mustNotExceed(63)] : [];
  if (isLabel.test(value)) return faults;
  if (isSubdomain.test(value)) return [...faults, 'must not contain dots'];
  return [...faults, mustMatch(labelWords, labelFormat, 'my-name', '123-abc')];
}

/** IsDNS1123Subdomain: names of claims, volumes, classes and nodes. */
export function dnsSubdomainFaults(value: string): string[] {
  const faults = byteLength(value) > 253 ? [mustNotExceed(253)] : [];
  return isSubdomain.test(value) ? faults : [...faults, mustMatch(subdomainWords, subdomainFormat, 'example.com')];
}

/** IsLabelKey, up to 1.34 IsQualifiedName: keys of labels and annotations, finalizers, names of provisioners. */
export function labelKeyFaults(value: string, rules: ValidationRules): string[] {
  const parts = value.split('/');
  const [name, prefix] = parts.length === 1 ? [value, undefined] : [parts[1] ?? '', parts[0]];
  const nameMustMatch = mustMatch(keyNameWords, keyNameFormat, 'MyName', 'my.name', '123-abc');
  if (parts.length > 2) {
    const kind = rules.namesLabelKeys ? 'a valid label key' : 'a qualified name';
    return [`${kind} ${nameMustMatch} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const faults: string[] = [];
  if (prefix === '') faults.push('prefix part must be non-empty');
  else if (prefix !== undefined) faults.push(...dnsSubdomainFaults(prefix).map((fault) => `prefix part ${fault}`));
  if (name === '') faults.push('name part must be non-empty');
  else if (byteLength(name) > 63) faults.push(`name part ${mustNotExceed(63)}`);
  if (!isKeyName.test(name)) faults.push(`name part ${nameMustMatch}`);
  return faults;
}

/** IsLabelValue. */
export function labelValueFaults(value: string): string[] {
  const faults = byteLength(value) > 63 ? [mustNotExceed(63)] : [];
  if (isLabelValue.test(value)) return faults;
  return [...faults, mustMatch(labelValueWords, labelValueFormat, 'MyValue', 'my_value', '12345')];
}

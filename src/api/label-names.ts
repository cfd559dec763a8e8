import { byteLength } from './go-text.ts';

// What is wrong with a key or value of a label, in the API server's words; empty if nothing is.
// apimachinery pkg/api/validate/content/{kube,dns,errors}.go (1.37).

const nameFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const valueFormat = `(${nameFormat})?`;
const dnsLabelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainFormat = `${dnsLabelFormat}(\\.${dnsLabelFormat})*`;

const alphanumeric = "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const subdomainWords =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";

const mustMatch = (words: string, format: string, ...examples: readonly string[]): string =>
  `${words} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${format}')`;
const nameMustMatch = mustMatch(`must consist of ${alphanumeric}`, nameFormat, 'MyName', 'my.name', '123-abc');
const valueMustMatch = mustMatch(
  `a valid label must be an empty string or consist of ${alphanumeric}`,
  valueFormat,
  'MyValue',
  'my_value',
  '12345',
);
const subdomainMustMatch = mustMatch(subdomainWords, subdomainFormat, 'example.com');

const isValue = new RegExp(`^${valueFormat}$`);
const isName = new RegExp(`^${nameFormat}$`);
const isDnsLabel = new RegExp(`^${dnsLabelFormat}$`);

/** IsLabelKey: an optional DNS subdomain and a slash before a name of at most 63 bytes. */
export function labelKeyFaults(key: string): readonly string[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${nameMustMatch} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const faults = parts.length === 2 ? prefixFaults(parts[0] ?? '') : [];
  const name = parts.at(-1) ?? '';
  if (name === '') faults.push('name part must be non-empty');
  else if (byteLength(name) > 63) faults.push('name part must be no more than 63 bytes');
  if (!isName.test(name)) faults.push(`name part ${nameMustMatch}`);
  return faults;
}

/** IsLabelValue: empty, or a name of at most 63 bytes. */
export function labelValueFaults(value: string): readonly string[] {
  const faults = byteLength(value) > 63 ? ['must be no more than 63 bytes'] : [];
  if (!isValue.test(value)) faults.push(valueMustMatch);
  return faults;
}

function prefixFaults(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  const faults = byteLength(prefix) > 253 ? ['prefix part must be no more than 253 bytes'] : [];
  // Label by label: the expression for the whole is slow on long texts that do not match.
  if (!prefix.split('.').every((label) => isDnsLabel.test(label))) faults.push(`prefix part ${subdomainMustMatch}`);
  return faults;
}

import { marshal, parseInt64, quote } from './go-text.ts';
import { labelKeyFaults, labelValueFaults } from './label-names.ts';
import type { Labels } from './objects.ts';

// One requirement on labels. apimachinery pkg/labels/selector.go, NewRequirement and Requirement.Matches (1.37);
// specification pv-controller 4.3 and 12.

export type LabelOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';

/** A requirement that was found to be valid. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/**
 * What is wrong with a requirement, in upstream's words, one entry a fault. `path` stands before the field names, with its dot;
 * `given` are the values as the message shows them: null where none were given.
 */
export function requirementFaults(
  { key, operator, values }: LabelRequirement,
  path: string,
  given: readonly string[] | null,
): readonly string[] {
  const faults: string[] = [];
  const keyFaults = labelKeyFaults(key);
  if (keyFaults.length > 0) faults.push(`${path}key: Invalid value: ${quote(key)}: ${keyFaults.join('; ')}`);
  const refuse = (detail: string) => faults.push(`${path}values: Invalid value: ${marshal(given)}: ${detail}`);
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) refuse("for 'in', 'notin' operators, values set can't be empty");
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length !== 0) refuse('values set must be empty for exists and does not exist');
      break;
    case 'Gt':
    case 'Lt':
      if (values.length !== 1) refuse("for 'Gt', 'Lt' operators, exactly one value is required");
      for (const [i, value] of values.entries()) {
        if (parseInt64(value) !== undefined) continue;
        faults.push(
          `${path}values[${i}]: Invalid value: ${quote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
        );
      }
      break;
    default:
      operator satisfies never;
  }
  for (const [i, value] of values.entries()) {
    const valueFaults = labelValueFaults(value);
    if (valueFaults.length === 0) continue;
    faults.push(`${path}values[${i}][${key}]: Invalid value: ${quote(value)}: ${valueFaults.join('; ')}`);
  }
  return faults;
}

/** Whether the labels satisfy the requirement. An absent label satisfies NotIn and DoesNotExist only. */
export function requirementMatches({ key, operator, values }: LabelRequirement, labels: Labels | undefined): boolean {
  const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
    case 'Lt': {
      const number = value === undefined ? undefined : parseInt64(value);
      const limit = parseInt64(values[0] ?? '');
      if (number === undefined || limit === undefined) return false;
      return operator === 'Gt' ? number > limit : number < limit;
    }
  }
}

/** A requirement as kubectl prints it: "zone in (a,b)", "!tier", "cpus>4". An operator that is none is printed as it was written. */
export function describeRequirement(requirement: {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}): string {
  const { key, operator, values = [] } = requirement;
  const list = [...values].sort().join(',');
  switch (operator) {
    case 'In':
      return `${key} in (${list})`;
    case 'NotIn':
      return `${key} notin (${list})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'Gt':
      return `${key}>${list}`;
    case 'Lt':
      return `${key}<${list}`;
    default:
      return `${key} ${operator} (${list})`;
  }
}

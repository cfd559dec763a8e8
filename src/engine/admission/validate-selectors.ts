import type {
  LabelSelector,
  LabelSelectorRequirement,
  NodeSelector,
  NodeSelectorRequirement,
  TopologySelectorTerm,
} from '../../api/objects.ts';
import { asJson, duplicate, type FieldError, forbidden, invalid, invalidFor, required } from './field.ts';
import { dnsSubdomainFaults, qualifiedNameFaults, valueFaults } from './name-rules.ts';
import { validateLabels } from './validate-metadata.ts';
import type { ValidationRules } from './validation-rules.ts';

/** The selector of a claim. An update leaves wrong label values alone that were there before. */
// apimachinery pkg/apis/meta/v1/validation/validation.go, ValidateLabelSelector (1.37)
export function validateLabelSelector(
  selector: LabelSelector,
  path: string,
  rules: ValidationRules,
  allowsInvalidValues = false,
): readonly FieldError[] {
  return [
    ...validateLabels(selector.matchLabels, `${path}.matchLabels`, rules),
    ...(selector.matchExpressions ?? []).flatMap((requirement, i) => {
      const at = `${path}.matchExpressions[${i}]`;
      const errors = [
        ...operatorErrors(requirement, at),
        ...invalidFor(`${at}.key`, requirement.key, qualifiedNameFaults(requirement.key, rules)),
      ];
      return allowsInvalidValues ? errors : [...errors, ...valueErrors(requirement.values, at, rules)];
    }),
  ];
}

function operatorErrors({ operator, values = [] }: LabelSelectorRequirement, path: string): readonly FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(`${path}.operator`, asJson(operator), 'not a valid selector operator')];
  }
}

const valueErrors = (values: readonly string[] = [], path: string, rules: ValidationRules): readonly FieldError[] =>
  values.flatMap((value, i) => invalidFor(`${path}.values[${i}]`, value, valueFaults(value, rules)));

/** The node selector of a volume's node affinity. */
// kubernetes/kubernetes pkg/apis/core/validation/validation.go, ValidateNodeSelector (1.37)
export function validateNodeSelector(
  selector: NodeSelector,
  path: string,
  rules: ValidationRules,
): readonly FieldError[] {
  const terms = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0) return [required(`${path}.nodeSelectorTerms`, 'must have at least one node selector term')];
  return terms.flatMap(({ matchExpressions = [], matchFields = [] }, i) => [
    ...matchExpressions.flatMap((one, j) =>
      nodeRequirementErrors(one, `${path}.nodeSelectorTerms[${i}].matchExpressions[${j}]`, rules),
    ),
    ...matchFields.flatMap((one, j) => nodeFieldErrors(one, `${path}.nodeSelectorTerms[${i}].matchFields[${j}]`)),
  ]);
}

function nodeRequirementErrors(
  requirement: NodeSelectorRequirement,
  path: string,
  rules: ValidationRules,
): readonly FieldError[] {
  const { key, operator, values = [] } = requirement;
  const isComparison = operator === 'Gt' || operator === 'Lt';
  const wrong = isComparison
    ? values.length === 1
      ? []
      : [required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")]
    : operatorErrors(requirement, path);
  return [
    ...wrong,
    ...invalidFor(`${path}.key`, key, qualifiedNameFaults(key, rules)),
    ...valueErrors(values, path, rules),
  ];
}

function nodeFieldErrors({ key, operator, values = [] }: NodeSelectorRequirement, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(invalid(`${path}.operator`, asJson(operator), 'not a valid selector operator'));
  } else if (values.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(`${path}.values`, detail));
  }
  if (key !== 'metadata.name') return [...errors, invalid(`${path}.key`, key, 'not a valid field selector key')];
  return [
    ...errors,
    ...values.flatMap((value, i) => invalidFor(`${path}.values[${i}]`, value, dnsSubdomainFaults(value))),
  ];
}

/** What a term demands: the values of each key; the last requirement of a key counts. */
type Demands = ReadonlyMap<string, ReadonlySet<string>>;

/** The allowed topologies of a class. */
// kubernetes/kubernetes pkg/apis/storage/validation/validation.go, validateAllowedTopologies (1.37)
export function validateAllowedTopologies(
  terms: readonly TopologySelectorTerm[],
  path: string,
  rules: ValidationRules,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  // Upstream starts with an empty entry for each term, so a term without expressions always has that many twins.
  const seen: Demands[] = terms.map(() => new Map());
  for (const [i, term] of terms.entries()) {
    const at = `${path}[${i}].matchLabelExpressions`;
    const demands = new Map<string, ReadonlySet<string>>();
    for (const [j, { key, values = [] }] of (term.matchLabelExpressions ?? []).entries()) {
      errors.push(...topologyRequirementErrors(key, values, `${at}[${j}]`, rules));
      if (demands.has(key)) errors.push(duplicate(`${at}[${j}].key`, key));
      demands.set(key, new Set(values));
    }
    errors.push(...seen.filter((other) => areEqual(demands, other)).map(() => duplicate(at, '')));
    seen.push(demands);
  }
  return errors;
}

function topologyRequirementErrors(
  key: string,
  values: readonly string[],
  path: string,
  rules: ValidationRules,
): readonly FieldError[] {
  const repeated = values.flatMap((value, i) =>
    values.indexOf(value) < i ? [duplicate(`${path}.values[${i}]`, value)] : [],
  );
  return [
    ...(values.length === 0 ? [required(`${path}.values`)] : []),
    ...repeated,
    ...invalidFor(`${path}.key`, key, qualifiedNameFaults(key, rules)),
  ];
}

const areEqual = (a: Demands, b: Demands): boolean =>
  a.size === b.size &&
  [...a].every(([key, values]) => {
    const others = b.get(key);
    return others !== undefined && others.size === values.size && [...values].every((value) => others.has(value));
  });

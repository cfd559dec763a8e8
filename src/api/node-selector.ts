import { aggregate, marshal, quote } from './go-text.ts';
import {
  describeRequirement,
  type LabelOperator,
  type LabelRequirement,
  requirementFaults,
  requirementMatches,
} from './label-requirement.ts';
import type { Labels, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from './objects.ts';

// component-helpers scheduling/corev1/nodeaffinity/nodeaffinity.go, LazyErrorNodeSelector (1.37);
// specification pv-controller 4.3, scheduler-and-provisioning 1.8 and 3.5.

/** `error`: no term matches and the named ones cannot be read, in upstream's words; it counts as no match. */
export type NodeAffinityAnswer =
  | { readonly is: 'match' }
  | { readonly is: 'noMatch' }
  | { readonly is: 'error'; readonly error: string };

/**
 * Whether a volume's required node affinity admits a node with these labels; none admits every node. The node's name is not looked at:
 * a term of matchFields alone admits every node.
 * component-helpers storage/volume/helpers.go, CheckNodeAffinity (1.37).
 */
export function volumeNodeAffinityMatches(
  required: NodeSelector | undefined,
  nodeLabels: Labels | undefined,
): NodeAffinityAnswer {
  return required === undefined ? match : answer(required, undefined, nodeLabels);
}

/** Whether a pod's required node affinity admits the node, by its labels and its name. A selector without terms admits none. */
export function nodeSelectorMatches(
  selector: NodeSelector,
  nodeName: string,
  nodeLabels: Labels | undefined,
): NodeAffinityAnswer {
  return answer(selector, nodeName, nodeLabels);
}

/** A term for people: "disk=ssd" is printed "disk in (ssd)", a field as "metadata.name=node-a"; "<none>" for a term that matches nothing. */
export function describeNodeSelectorTerm(term: NodeSelectorTerm): string {
  const parts = [
    ...(term.matchExpressions ?? []).map(describeRequirement),
    ...(term.matchFields ?? []).map(({ key, operator, values = [] }) =>
      values.length === 1 && (operator === 'In' || operator === 'NotIn')
        ? `${key}${operator === 'In' ? '=' : '!='}${values[0]}`
        : describeRequirement({ key, operator, values }),
    ),
  ];
  return parts.length === 0 ? '<none>' : parts.join(',');
}

const match: NodeAffinityAnswer = { is: 'match' };
const noMatch: NodeAffinityAnswer = { is: 'noMatch' };

function answer(selector: NodeSelector, nodeName: string | undefined, labels: Labels | undefined): NodeAffinityAnswer {
  const errors: string[] = [];
  for (const term of termsOf(selector)) {
    errors.push(...term.errors);
    if (term.errors.length === 0 && termMatches(term, nodeName, labels)) return match;
  }
  return errors.length === 0 ? noMatch : { is: 'error', error: aggregate(errors) };
}

interface Term {
  readonly expressions: readonly LabelRequirement[];
  readonly fields: readonly FieldRequirement[];
  readonly errors: readonly string[];
}

interface FieldRequirement {
  readonly key: string;
  readonly value: string;
  readonly isEqual: boolean;
}

function termMatches(term: Term, nodeName: string | undefined, labels: Labels | undefined): boolean {
  if (!term.expressions.every((one) => requirementMatches(one, labels))) return false;
  // Without a name there are no fields to look at.
  if (nodeName === undefined || nodeName === '') return true;
  return term.fields.every(
    ({ key, value, isEqual }) => ((key === 'metadata.name' ? nodeName : '') === value) === isEqual,
  );
}

// Selectors are asked for many nodes and never change.
const parsedTerms = new WeakMap<NodeSelector, readonly Term[]>();

function termsOf(selector: NodeSelector): readonly Term[] {
  let terms = parsedTerms.get(selector);
  if (terms === undefined) {
    terms = (selector.nodeSelectorTerms ?? []).flatMap((term, i) => parseTerm(term, `nodeSelectorTerms[${i}].`) ?? []);
    parsedTerms.set(selector, terms);
  }
  return terms;
}

/** Undefined for an empty term, which matches nothing. */
function parseTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, path: string): Term | undefined {
  if (matchExpressions.length === 0 && matchFields.length === 0) return undefined;
  const errors: string[] = [];
  const expressions: LabelRequirement[] = [];
  const fields: FieldRequirement[] = [];
  for (const [i, expression] of matchExpressions.entries()) {
    const parsed = parseExpression(expression, `${path}matchExpressions[${i}].`);
    if ('requirement' in parsed) expressions.push(parsed.requirement);
    else errors.push(...parsed.errors);
  }
  for (const [i, { key, operator, values = [] }] of matchFields.entries()) {
    const at = `${path}matchFields[${i}].`;
    if (operator !== 'In' && operator !== 'NotIn') errors.push(notSupported(at, operator, fieldOperators));
    else if (values.length !== 1)
      errors.push(`${at}values: Invalid value: ${marshal(matchFields[i]?.values ?? null)}: must have one element`);
    else fields.push({ key, value: values[0] ?? '', isEqual: operator === 'In' });
  }
  return { expressions, fields, errors };
}

function parseExpression(
  { key, operator, values }: NodeSelectorRequirement,
  path: string,
): { readonly requirement: LabelRequirement } | { readonly errors: readonly string[] } {
  if (!isLabelOperator(operator)) return { errors: [notSupported(path, operator, labelOperators)] };
  const requirement = { key, operator, values: values ?? [] };
  const errors = requirementFaults(requirement, path, values ?? null);
  return errors.length === 0 ? { requirement } : { errors };
}

const labelOperators: readonly LabelOperator[] = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];
const fieldOperators: readonly LabelOperator[] = ['In', 'NotIn'];

function isLabelOperator(operator: string): operator is LabelOperator {
  return (labelOperators as readonly string[]).includes(operator);
}

function notSupported(path: string, operator: string, supported: readonly LabelOperator[]): string {
  return `${path}operator: Unsupported value: ${quote(operator)}: supported values: ${supported.map(quote).join(', ')}`;
}

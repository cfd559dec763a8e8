import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  describeNodeSelectorTerm,
  nodeSelectorMatches,
  volumeNodeAffinityMatches,
} from '../../src/api/node-selector.ts';
import type { Labels, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '../../src/api/objects.ts';

const requirement = (key: string, operator: string, ...values: readonly string[]): NodeSelectorRequirement => ({
  key,
  operator,
  ...(values.length === 0 ? {} : { values }),
});
const all = (...matchExpressions: readonly NodeSelectorRequirement[]): NodeSelectorTerm => ({ matchExpressions });
const named = (operator: string, ...values: readonly string[]): NodeSelectorTerm => ({
  matchFields: [requirement('metadata.name', operator, ...values)],
});
const any = (...nodeSelectorTerms: readonly NodeSelectorTerm[]): NodeSelector => ({ nodeSelectorTerms });

const zoneA = all(requirement('zone', 'In', 'a'));
const unreadable = all(requirement('cpus', 'Gt', 'many'));
const unreadableText =
  "nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid value: \"many\": for 'Gt', 'Lt' operators, the value must be an integer";

describe('the node affinity of a volume admits a node', () => {
  it.each<[string, NodeSelector | undefined, Labels | undefined, boolean]>([
    ['no affinity', undefined, { zone: 'a' }, true],
    ['no affinity, no labels', undefined, undefined, true],
    ['no terms at all', {}, { zone: 'a' }, false],
    ['an empty list of terms', any(), { zone: 'a' }, false],
    ['an empty term', any({}), { zone: 'a' }, false],
    ['a term with empty lists', any({ matchExpressions: [], matchFields: [] }), { zone: 'a' }, false],
    ['an empty term and one that matches', any({}, zoneA), { zone: 'a' }, true],
    ['one of two terms', any(zoneA, all(requirement('zone', 'In', 'b'))), { zone: 'b' }, true],
    ['neither of two terms', any(zoneA, all(requirement('zone', 'In', 'b'))), { zone: 'c' }, false],
    [
      'all of a term',
      any(all(requirement('zone', 'In', 'a'), requirement('disk', 'Exists'))),
      { zone: 'a', disk: '' },
      true,
    ],
    ['half of a term', any(all(requirement('zone', 'In', 'a'), requirement('disk', 'Exists'))), { zone: 'a' }, false],
    ['NotIn, absent', any(all(requirement('zone', 'NotIn', 'a'))), {}, true],
    ['NotIn, listed', any(all(requirement('zone', 'NotIn', 'a'))), { zone: 'a' }, false],
    ['DoesNotExist, absent', any(all(requirement('zone', 'DoesNotExist'))), {}, true],
    ['DoesNotExist, there', any(all(requirement('zone', 'DoesNotExist'))), { zone: '' }, false],
    ['Gt, larger', any(all(requirement('cpus', 'Gt', '4'))), { cpus: '10' }, true],
    ['Gt, equal', any(all(requirement('cpus', 'Gt', '4'))), { cpus: '4' }, false],
    ['Lt, smaller and negative', any(all(requirement('cpus', 'Lt', '4'))), { cpus: '-10' }, true],
    ['Lt, no number', any(all(requirement('cpus', 'Lt', '4'))), { cpus: '0x1' }, false],
    ['Lt, absent', any(all(requirement('cpus', 'Lt', '4'))), {}, false],
    ['Gt, beyond 64 bits', any(all(requirement('cpus', 'Gt', '4'))), { cpus: '9223372036854775808' }, false],
    // The node's name is not known here: fields are not looked at.
    ['fields alone', any(named('In', 'node-b')), {}, true],
    ['fields beside a label that differs', any({ ...named('In', 'node-b'), ...zoneA }), { zone: 'b' }, false],
    ['an unreadable term beside one that matches', any(unreadable, zoneA), { zone: 'a' }, true],
  ])('%s', (_name, required, labels, admits) => {
    expect(volumeNodeAffinityMatches(required, labels)).toEqual({ is: admits ? 'match' : 'noMatch' });
  });
});

// Observed with k8s.io/component-helpers v0.37.2.
describe('what cannot be read is told when no term matches', () => {
  const path = 'nodeSelectorTerms[0].matchExpressions[0]';
  it.each<[NodeSelector, string]>([
    [any(unreadable, zoneA), unreadableText],
    [
      any(all(requirement('cpus', 'Gt', '1', '2'))),
      `${path}.values: Invalid value: ["1","2"]: for 'Gt', 'Lt' operators, exactly one value is required`,
    ],
    [
      any(all(requirement('zone', 'In'))),
      `${path}.values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty`,
    ],
    [
      any(all({ key: 'zone', operator: 'In', values: [] })),
      `${path}.values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty`,
    ],
    [
      any(all(requirement('zone', 'in', 'a'))),
      `${path}.operator: Unsupported value: "in": supported values: "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"`,
    ],
    [
      any({}, named('Exists')),
      'nodeSelectorTerms[1].matchFields[0].operator: Unsupported value: "Exists": supported values: "In", "NotIn"',
    ],
    [
      any(named('In', 'a', 'b')),
      'nodeSelectorTerms[0].matchFields[0].values: Invalid value: ["a","b"]: must have one element',
    ],
    [any(named('NotIn')), 'nodeSelectorTerms[0].matchFields[0].values: Invalid value: null: must have one element'],
    [
      any(unreadable, named('In')),
      `[${unreadableText}, nodeSelectorTerms[1].matchFields[0].values: Invalid value: null: must have one element]`,
    ],
  ])('%j', (selector, error) => {
    expect(volumeNodeAffinityMatches(selector, { zone: 'b' })).toEqual({ is: 'error', error });
    expect(nodeSelectorMatches(selector, 'node-a', { zone: 'b' })).toEqual({ is: 'error', error });
  });
});

describe('the node affinity of a pod looks at the name of the node, too', () => {
  it.each<[string, NodeSelector, string, boolean]>([
    ['In, named', any(named('In', 'node-a')), 'node-a', true],
    ['In, another', any(named('In', 'node-a')), 'node-b', false],
    ['NotIn, named', any(named('NotIn', 'node-a')), 'node-a', false],
    ['NotIn, another', any(named('NotIn', 'node-a')), 'node-b', true],
    ['name and label', any({ ...named('In', 'node-a'), ...zoneA }), 'node-a', true],
    [
      'name but another label',
      any({ ...named('In', 'node-a'), ...all(requirement('zone', 'In', 'b')) }),
      'node-a',
      false,
    ],
    [
      'a field that nodes do not have',
      any({ matchFields: [requirement('spec.unschedulable', 'In', 'true')] }),
      'node-a',
      false,
    ],
    ['no terms', any(), 'node-a', false],
    ['a node without a name', any(named('In', 'node-a')), '', true],
  ])('%s', (_name, selector, nodeName, admits) => {
    expect(nodeSelectorMatches(selector, nodeName, { zone: 'a' })).toEqual({ is: admits ? 'match' : 'noMatch' });
  });
});

it.each<[NodeSelectorTerm, string]>([
  [zoneA, 'zone in (a)'],
  [all(requirement('zone', 'In', 'b', 'a'), requirement('disk', 'Exists')), 'zone in (a,b),disk'],
  [all(requirement('zone', 'DoesNotExist'), requirement('cpus', 'Gt', '4')), '!zone,cpus>4'],
  [{ ...zoneA, ...named('In', 'node-a') }, 'zone in (a),metadata.name=node-a'],
  [named('NotIn', 'node-a'), 'metadata.name!=node-a'],
  [named('In', 'node-b', 'node-a'), 'metadata.name in (node-a,node-b)'],
  [{}, '<none>'],
])('%j is printed %s', (term, text) => {
  expect(describeNodeSelectorTerm(term)).toBe(text);
});

it('for any selector, terms are alternatives and requirements add up', () => {
  const key = fc.constantFrom('zone', 'disk');
  const value = fc.constantFrom('', 'a', '4', '10');
  const part: fc.Arbitrary<NodeSelectorRequirement> = fc.oneof(
    fc.record({
      key,
      operator: fc.constantFrom('In', 'NotIn'),
      values: fc.array(value, { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ key, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
    fc.record({ key, operator: fc.constantFrom('Gt', 'Lt'), values: fc.constantFrom(['4'], ['10']) }),
  );
  const terms = fc.array(fc.record({ matchExpressions: fc.array(part, { maxLength: 3 }) }), { maxLength: 3 });
  const holds = ({ key: name, operator, values = [] }: NodeSelectorRequirement, labels: Labels): boolean => {
    const given = Object.entries(labels).find(([one]) => one === name)?.[1];
    const [limit = ''] = values;
    switch (operator) {
      case 'In':
        return given !== undefined && values.some((one) => one === given);
      case 'NotIn':
        return given === undefined || values.every((one) => one !== given);
      case 'Exists':
        return given !== undefined;
      case 'DoesNotExist':
        return given === undefined;
      default: {
        if (given === undefined || !['4', '10'].includes(given)) return false;
        return operator === 'Gt' ? Number(given) > Number(limit) : Number(given) < Number(limit);
      }
    }
  };
  fc.assert(
    fc.property(terms, fc.dictionary(key, value, { maxKeys: 2 }), (nodeSelectorTerms, labels) => {
      const expected = nodeSelectorTerms.some(
        ({ matchExpressions }) => matchExpressions.length > 0 && matchExpressions.every((one) => holds(one, labels)),
      );
      expect(volumeNodeAffinityMatches({ nodeSelectorTerms }, labels).is).toBe(expected ? 'match' : 'noMatch');
    }),
  );
});

import { describe, expect, it } from 'vitest';
import { AnnBetaStorageClass } from '../../../src/api/annotations.ts';
import { volumeNodeAffinityMatches } from '../../../src/api/node-selector.ts';
import type { NodeSelector, NodeSelectorRequirement } from '../../../src/api/objects.ts';
import { claimHasClass } from '../../../src/api/storage-class.ts';
import { claim } from './fixture.ts';

// kubernetes/kubernetes staging/src/k8s.io/component-helpers/storage/volume/helpers_test.go (1.37); specification pv-controller 0.3
// and 4.3.

const isIn = (key: string, ...values: readonly string[]): NodeSelectorRequirement => ({ key, operator: 'In', values });
const terms = (...of: readonly (readonly NodeSelectorRequirement[])[]): NodeSelector => ({
  nodeSelectorTerms: of.map((matchExpressions) => ({ matchExpressions })),
});

describe('TestCheckVolumeNodeAffinity', () => {
  const labels = { 'test-key1': 'test-value1', 'test-key2': 'test-value2' };

  // A volume without nodeAffinity and one without its "required" are the same question here: valid-nil and valid-no-constraints.
  it.each<{ readonly name: string; readonly required: NodeSelector | undefined; readonly succeeds: boolean }>([
    { name: 'valid-nil', required: undefined, succeeds: true },
    { name: 'select-nothing', required: {}, succeeds: false },
    { name: 'select-nothing-empty-terms', required: terms([]), succeeds: false },
    {
      name: 'valid-multiple-terms',
      required: terms(
        [isIn('test-key3', 'test-value1', 'test-value3')],
        [isIn('test-key2', 'test-value0', 'test-value2')],
      ),
      succeeds: true,
    },
    {
      name: 'valid-multiple-match-expressions',
      required: terms([
        isIn('test-key1', 'test-value1', 'test-value3'),
        isIn('test-key2', 'test-value0', 'test-value2'),
      ]),
      succeeds: true,
    },
    {
      name: 'invalid-multiple-match-expressions-key',
      required: terms([
        isIn('test-key1', 'test-value1', 'test-value3'),
        isIn('test-key3', 'test-value0', 'test-value2'),
      ]),
      succeeds: false,
    },
    {
      name: 'invalid-multiple-match-expressions-values',
      required: terms([
        isIn('test-key1', 'test-value3', 'test-value4'),
        isIn('test-key2', 'test-value0', 'test-value2'),
      ]),
      succeeds: false,
    },
    {
      name: 'invalid-multiple-terms',
      required: terms(
        [isIn('test-key3', 'test-value1', 'test-value3')],
        [isIn('test-key2', 'test-value0', 'test-value1')],
      ),
      succeeds: false,
    },
  ])('$name', ({ required, succeeds }) => {
    expect(volumeNodeAffinityMatches(required, labels)).toEqual({ is: succeeds ? 'match' : 'noMatch' });
  });
});

describe('TestPersistentVolumeClaimHasClass', () => {
  it.each([
    { name: 'no storage class', claim: claim('claim', 'uid', '1Gi'), expected: false },
    {
      name: 'storage class set on annotation',
      claim: claim('claim', 'uid', '1Gi', { annotations: { [AnnBetaStorageClass]: '' } }),
      expected: true,
    },
    { name: 'storage class set on spec', claim: claim('claim', 'uid', '1Gi', { class: '' }), expected: true },
  ])('$name', ({ claim: one, expected }) => {
    expect(claimHasClass(one)).toBe(expected);
  });
});

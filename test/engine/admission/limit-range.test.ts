import { describe, expect, it } from 'vitest';
import type { LimitRange } from '../../../src/api/objects.ts';
import { checkLimitRanges, textOfLimitRangeRefusal } from '../../../src/engine/admission/limit-range.ts';
import { newClaim } from '../../support/builders.ts';

type Item = NonNullable<NonNullable<LimitRange['spec']>['limits']>[number];

const limitRange = (...limits: readonly Omit<Item, 'type'>[]): LimitRange => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'sizes', namespace: 'default' },
  spec: { limits: limits.map((item) => ({ type: 'PersistentVolumeClaim', ...item })) },
});

const textOf = (limitRanges: readonly LimitRange[], request: string): string | undefined => {
  const refusal = checkLimitRanges(limitRanges, newClaim('films', request));
  return refusal && textOfLimitRangeRefusal(refusal);
};

const rows: readonly [name: string, limitRange: LimitRange, request: string, text: string | undefined][] = [
  ['within', limitRange({ min: { storage: '1Gi' }, max: { storage: '5Gi' } }), '5Gi', undefined],
  [
    'too small',
    limitRange({ min: { storage: '1Gi' } }),
    '1G',
    'minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1G',
  ],
  [
    'too large',
    limitRange({ max: { storage: '1Gi' } }),
    '1025Mi',
    'maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 1025Mi',
  ],
  [
    'a limit on what the claim does not ask for',
    limitRange({ min: { cpu: '1' }, max: { cpu: '2' } }),
    '1Gi',
    '[minimum cpu usage per PersistentVolumeClaim is 1.  No request is specified, maximum cpu usage per PersistentVolumeClaim is 2.  No request is specified]',
  ],
  [
    'a name that every object has is no request either',
    limitRange({ min: { constructor: '1' } }),
    '1Gi',
    'minimum constructor usage per PersistentVolumeClaim is 1.  No request is specified',
  ],
  [
    'the same violation twice is told once',
    limitRange({ min: { storage: '2Gi' } }, { min: { storage: '2Gi' } }),
    '1Gi',
    'minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi',
  ],
  [
    'thousandths count',
    limitRange({ max: { storage: '1' } }),
    '1001m',
    'maximum storage usage per PersistentVolumeClaim is 1, but request is 1001m',
  ],
  [
    'but not beside an amount that is too large for them',
    limitRange({ min: { storage: '10P' } }),
    '9999999999999999500m',
    undefined,
  ],
  [
    'which is no excuse for a small request',
    limitRange({ min: { storage: '10P' } }),
    '1',
    'minimum storage usage per PersistentVolumeClaim is 10P, but request is 1',
  ],
  [
    'limits of pods',
    { ...limitRange(), spec: { limits: [{ type: 'Container', max: { storage: '1' } }] } },
    '5Gi',
    undefined,
  ],
  ['a limit range without limits', { ...limitRange(), spec: {} }, '5Gi', undefined],
];

describe('a claim and a limit range', () => {
  it.each(rows)('%s', (_, one, request, text) => {
    expect(textOf([one], request)).toBe(text);
  });

  it('the first limit range that is broken ends the check', () => {
    const other = { ...limitRange({ min: { storage: '9Gi' } }), metadata: { name: 'other' } };
    const ranges = [limitRange({ min: { storage: '1Gi' } }), other, limitRange({ max: { storage: '1Gi' } })];
    expect(checkLimitRanges(ranges, newClaim('films', '5Gi'))).toEqual({
      limitRange: 'other',
      violations: [{ bound: 'minimum', resource: 'storage', limit: '9Gi', request: '5Gi' }],
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { PersistentVolumeClaim, ResourceList, ResourceQuota } from '../../../src/api/objects.ts';
import { chargeQuotas, textOfQuotaAnswer } from '../../../src/engine/admission/quota.ts';
import { newClaim } from '../../support/builders.ts';

const quota = (hard: ResourceList, used: ResourceList, spec: ResourceQuota['spec'] = {}): ResourceQuota => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'team', namespace: 'default' },
  spec: { hard, ...spec },
  status: { hard, used },
});

const ask = (quotas: readonly ResourceQuota[], claim: PersistentVolumeClaim, previous?: PersistentVolumeClaim) => {
  const options = { volumeAttributesClass: true, ...(previous === undefined ? {} : { previous }) };
  return chargeQuotas(quotas, claim, options);
};
const textOf = (...args: Parameters<typeof ask>): string | undefined => {
  const answer = ask(...args);
  return answer.is === 'within' ? undefined : textOfQuotaAnswer(answer);
};

const byClass = (resource: string) => `fast.storageclass.storage.k8s.io/${resource}`;
const fast = { storageClassName: 'fast' };

const rows: readonly [name: string, quota: ResourceQuota, claim: PersistentVolumeClaim, text: string | undefined][] = [
  [
    'room enough',
    quota({ 'requests.storage': '10Gi' }, { 'requests.storage': '5Gi' }),
    newClaim('films', '5Gi'),
    undefined,
  ],
  [
    'too much storage',
    quota({ 'requests.storage': '10Gi' }, { 'requests.storage': '6Gi' }),
    newClaim('films', '5Gi'),
    'exceeded quota: team, requested: requests.storage=5Gi, used: requests.storage=6Gi, limited: requests.storage=10Gi',
  ],
  [
    'too many claims, under both names',
    quota(
      { persistentvolumeclaims: '2', 'count/persistentvolumeclaims': '2' },
      { persistentvolumeclaims: '2', 'count/persistentvolumeclaims': '2' },
    ),
    newClaim('films', '5Gi'),
    'exceeded quota: team, requested: count/persistentvolumeclaims=1,persistentvolumeclaims=1, used: count/persistentvolumeclaims=2,persistentvolumeclaims=2, limited: count/persistentvolumeclaims=2,persistentvolumeclaims=2',
  ],
  [
    'only what is exceeded is told',
    quota(
      { persistentvolumeclaims: '5', 'requests.storage': '1Gi' },
      { persistentvolumeclaims: '1', 'requests.storage': '0' },
    ),
    newClaim('films', '5Gi'),
    'exceeded quota: team, requested: requests.storage=5Gi, used: requests.storage=0, limited: requests.storage=1Gi',
  ],
  [
    'the class has its own limits',
    quota({ [byClass('requests.storage')]: '1Gi' }, { [byClass('requests.storage')]: '0' }),
    newClaim('films', '5Gi', fast),
    `exceeded quota: team, requested: ${byClass('requests.storage')}=5Gi, used: ${byClass('requests.storage')}=0, limited: ${byClass('requests.storage')}=1Gi`,
  ],
  [
    'not those of another class',
    quota({ [byClass('requests.storage')]: '1Gi' }, { [byClass('requests.storage')]: '0' }),
    newClaim('films', '5Gi'),
    undefined,
  ],
  [
    'a fraction of a byte counts as a whole one',
    quota({ 'requests.storage': '1' }, { 'requests.storage': '0' }),
    newClaim('films', '1500m'),
    'exceeded quota: team, requested: requests.storage=2, used: requests.storage=0, limited: requests.storage=1',
  ],
  [
    'a usage that nobody has counted',
    quota({ 'requests.storage': '1', persistentvolumeclaims: '1', pods: '1' }, { persistentvolumeclaims: '0' }),
    newClaim('films', '1Gi'),
    'status unknown for quota: team, resources: persistentvolumeclaims,requests.storage',
  ],
  ['limits of other things only', quota({ pods: '0' }, {}), newClaim('films', '5Gi'), undefined],
  [
    'a quota whose status is not there yet',
    { ...quota({ persistentvolumeclaims: '0' }, {}), status: {} },
    newClaim('films', '5Gi'),
    undefined,
  ],
];

describe('a claim and a quota', () => {
  it.each(rows)('%s', (_, one, claim, text) => {
    expect(textOf([one], claim)).toBe(text);
  });

  it('claims of one manifest are counted one after the other', () => {
    const quotas = [quota({ 'requests.storage': '8Gi', pods: '1' }, { 'requests.storage': '1Gi', pods: '0' })];
    const first = ask(quotas, newClaim('films', '5Gi'));
    if (first.is !== 'within') throw new Error(first.is);
    expect(first.quotas[0]?.status?.used).toEqual({ 'requests.storage': '6Gi', pods: '0' });
    expect(textOf(first.quotas, newClaim('series', '3Gi'))).toBe(
      'exceeded quota: team, requested: requests.storage=3Gi, used: requests.storage=6Gi, limited: requests.storage=8Gi',
    );
    expect(quotas[0]?.status?.used).toEqual({ 'requests.storage': '1Gi', pods: '0' });
  });

  it('of several quotas the first that is exceeded is told', () => {
    const roomy = quota({ 'requests.storage': '100Gi' }, { 'requests.storage': '0' });
    const tight = { ...quota({ 'requests.storage': '1Gi' }, { 'requests.storage': '0' }), metadata: { name: 'tight' } };
    expect(textOf([roomy, tight], newClaim('films', '5Gi'))).toMatch(/^exceeded quota: tight, /);
  });

  it('a growing claim is charged with the difference', () => {
    const one = quota(
      { 'requests.storage': '8Gi', persistentvolumeclaims: '1' },
      { 'requests.storage': '5Gi', persistentvolumeclaims: '1' },
    );
    expect(textOf([one], newClaim('films', '8Gi'), newClaim('films', '5Gi'))).toBeUndefined();
    expect(textOf([one], newClaim('films', '9Gi'), newClaim('films', '5Gi'))).toBe(
      'exceeded quota: team, requested: requests.storage=4Gi, used: requests.storage=5Gi, limited: requests.storage=8Gi',
    );
    expect(textOf([one], newClaim('films', '1Gi'), newClaim('films', '5Gi'))).toBeUndefined();
  });

  it('an unfinished expansion counts with what it has allocated', () => {
    const claim = { ...newClaim('films', '5Gi'), status: { allocatedResources: { storage: '9Gi' } } };
    expect(textOf([quota({ 'requests.storage': '8Gi' }, { 'requests.storage': '0' })], claim)).toBe(
      'exceeded quota: team, requested: requests.storage=9Gi, used: requests.storage=0, limited: requests.storage=8Gi',
    );
  });
});

describe('the scopes of a quota', () => {
  const scoped = (operator: string, values?: readonly string[]): ResourceQuota['spec'] => ({
    scopeSelector: {
      matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator, ...(values === undefined ? {} : { values }) }],
    },
  });
  const gold = newClaim('films', '5Gi', { volumeAttributesClassName: 'gold' });
  const plain = newClaim('films', '5Gi');
  const changing: PersistentVolumeClaim = {
    ...gold,
    status: {
      currentVolumeAttributesClassName: 'silver',
      modifyVolumeStatus: { targetVolumeAttributesClassName: 'bronze', status: 'InProgress' },
    },
  };

  it.each<[string, ResourceQuota['spec'], PersistentVolumeClaim, boolean]>([
    ['In', scoped('In', ['gold']), gold, true],
    ['In another', scoped('In', ['silver']), gold, false],
    ['In, without a class', scoped('In', ['gold']), plain, false],
    ['In one of several classes', scoped('In', ['bronze']), changing, true],
    ['NotIn', scoped('NotIn', ['gold']), gold, false],
    ['NotIn, without a class', scoped('NotIn', ['gold']), plain, true],
    ['NotIn, for one of several classes', scoped('NotIn', ['gold']), changing, true],
    ['Exists', scoped('Exists'), gold, true],
    ['Exists, without a class', scoped('Exists'), plain, false],
    ['DoesNotExist', scoped('DoesNotExist'), gold, false],
    ['DoesNotExist, without a class', scoped('DoesNotExist'), plain, true],
    ['a name alone means Exists', { scopes: ['VolumeAttributesClass'] }, gold, true],
    ['a scope of pods', { scopes: ['BestEffort'] }, gold, false],
    ['a second scope of pods', { ...scoped('In', ['gold']), scopes: ['BestEffort'] }, gold, false],
  ])('%s', (_, spec, claim, counts) => {
    const full = quota({ persistentvolumeclaims: '0' }, { persistentvolumeclaims: '0' }, spec);
    expect(ask([full], claim).is).toBe(counts ? 'exceeded' : 'within');
  });

  it('without the gate no scope holds', () => {
    const full = quota({ persistentvolumeclaims: '0' }, { persistentvolumeclaims: '0' }, scoped('Exists'));
    expect(chargeQuotas([full], gold, { volumeAttributesClass: false }).is).toBe('within');
  });
});

import type { PersistentVolumeClaim, ResourceList, ResourceQuota } from '../../api/objects.ts';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  type Quantity,
  roundUpQuantity,
  subtractQuantities,
  zeroQuantity,
} from '../../api/quantity.ts';
import { claimClass } from '../../api/storage-class.ts';
import { compareBytes, sortedEntries } from './go-strings.ts';
import { storedAmount } from './stored-amount.ts';

// kubernetes/kubernetes pkg/quota/v1/evaluator/core/persistent_volume_claims.go and
// apiserver pkg/admission/plugin/resourcequota/controller.go, CheckRequest (1.37); specification scheduler-and-provisioning 6.5

/** Whether the quotas of its namespace leave room for a claim. */
export type QuotaAnswer =
  /** The quotas with the claim counted, to ask about the next claim of the same manifest. */
  | { readonly is: 'within'; readonly quotas: readonly ResourceQuota[] }
  /** The first quota that has not enough left, with the keys that are exceeded only. */
  | {
      readonly is: 'exceeded';
      readonly quota: string;
      readonly requested: ResourceList;
      readonly used: ResourceList;
      readonly limited: ResourceList;
    }
  /** A quota that limits the claim, whose usage nobody has counted yet. */
  | { readonly is: 'statusUnknown'; readonly quota: string; readonly resources: readonly string[] };

export interface QuotaOptions {
  /** Gate VolumeAttributesClass: whether quotas can be scoped to it. */
  readonly volumeAttributesClass: boolean;
  /** The stored claim that this one replaces: only the difference is charged. */
  readonly previous?: PersistentVolumeClaim;
}

/**
 * Charges a claim to the quotas of its namespace, by the usage in their status. The claim has its default class already. Upstream
 * leaves the order of the quotas open; here they are asked in the order given, and the first that is exceeded answers.
 */
export function chargeQuotas(
  quotas: readonly ResourceQuota[],
  claim: PersistentVolumeClaim,
  { volumeAttributesClass, previous }: QuotaOptions,
): QuotaAnswer {
  const limiting = quotas.filter((quota) => limitsClaim(quota, claim, volumeAttributesClass));
  for (const quota of limiting) {
    const resources = sortedKeys(quota.status?.hard).filter(isClaimResource);
    if (resources.some((name) => quota.status?.used?.[name] === undefined)) {
      return { is: 'statusUnknown', quota: quota.metadata.name, resources };
    }
  }
  const charged = new Map<ResourceQuota, ResourceQuota>();
  for (const quota of limiting) {
    const wasCounted = previous !== undefined && limitsClaim(quota, previous, volumeAttributesClass);
    const usage = wasCounted ? growth(usageOf(claim), usageOf(previous)) : usageOf(claim);
    const answer = charge(quota, usage);
    if (answer.is === 'exceeded') return answer;
    charged.set(quota, answer.quota);
  }
  return { is: 'within', quotas: quotas.map((quota) => charged.get(quota) ?? quota) };
}

/** The API server's reason; it stands behind `persistentvolumeclaims "<name>" is forbidden: `. */
export function textOfQuotaAnswer(answer: Exclude<QuotaAnswer, { is: 'within' }>): string {
  if (answer.is === 'statusUnknown') {
    return `status unknown for quota: ${answer.quota}, resources: ${answer.resources.join(',')}`;
  }
  const { quota, requested, used, limited } = answer;
  const list = (amounts: ResourceList) =>
    sortedEntries(amounts)
      .map(([name, amount]) => `${name}=${amount}`)
      .join(',');
  return `exceeded quota: ${quota}, requested: ${list(requested)}, used: ${list(used)}, limited: ${list(limited)}`;
}

const byClass = '.storageclass.storage.k8s.io/';
const claimResources = ['persistentvolumeclaims', 'requests.storage'];

const isClaimResource = (name: string): boolean =>
  name === 'count/persistentvolumeclaims' ||
  claimResources.some((resource) => name === resource || name.endsWith(byClass + resource));

const sortedKeys = (list: ResourceList | undefined): string[] => Object.keys(list ?? {}).sort(compareBytes);

type Usage = ReadonlyMap<string, Quantity>;

// pvcEvaluator.Usage
function usageOf(claim: PersistentVolumeClaim): Usage {
  const one = parseQuantity('1');
  const className = claimClass(claim);
  const usage = new Map([
    ['persistentvolumeclaims', one],
    ['count/persistentvolumeclaims', one],
  ]);
  if (className !== '') usage.set(`${className}${byClass}persistentvolumeclaims`, one);
  const storage = storageUsage(claim);
  if (storage === undefined) return usage;
  usage.set('requests.storage', storage);
  if (className !== '') usage.set(`${className}${byClass}requests.storage`, storage);
  return usage;
}

/** What was asked for, or what an unfinished expansion has allocated if that is more, in whole bytes. */
function storageUsage({ spec, status }: PersistentVolumeClaim): Quantity | undefined {
  const request = spec.resources?.requests?.storage;
  if (request === undefined) return undefined;
  const requested = wholeBytes(storedAmount(request).quantity);
  const allocated = status?.allocatedResources?.storage;
  if (allocated === undefined) return requested;
  const amount = storedAmount(allocated).quantity;
  return compareQuantities(amount, requested) > 0 ? wholeBytes(amount) : requested;
}

/** An amount without a fraction keeps its spelling. */
function wholeBytes(amount: Quantity): Quantity {
  const rounded = roundUpQuantity(amount, 0);
  return rounded.nano === amount.nano ? amount : rounded;
}

/** quota.SubtractWithNonNegativeResult over the keys that count. */
function growth(usage: Usage, before: Usage): Usage {
  return new Map(
    [...usage].map(([name, amount]) => {
      const other = before.get(name);
      const difference = other === undefined ? amount : subtractQuantities(amount, other);
      return [name, compareQuantities(difference, zeroQuantity) > 0 ? difference : zeroQuantity];
    }),
  );
}

function charge(
  quota: ResourceQuota,
  usage: Usage,
): { readonly is: 'charged'; readonly quota: ResourceQuota } | Extract<QuotaAnswer, { is: 'exceeded' }> {
  const { hard = {}, used = {} } = quota.status ?? {};
  const requested: Record<string, string> = {};
  const newUsed: Record<string, string> = { ...used };
  const exceeded: string[] = [];
  for (const [name, amount] of usage) {
    const limit = hard[name];
    if (limit === undefined || amount.nano === 0n) continue;
    const sum = addQuantities(parseQuantity(used[name] ?? '0'), amount);
    requested[name] = canonicalQuantity(amount);
    newUsed[name] = canonicalQuantity(sum);
    if (compareQuantities(sum, parseQuantity(limit)) > 0) exceeded.push(name);
  }
  if (exceeded.length === 0) return { is: 'charged', quota: { ...quota, status: { ...quota.status, used: newUsed } } };
  return {
    is: 'exceeded',
    quota: quota.metadata.name,
    requested: only(requested, exceeded),
    used: printed(only(used, exceeded)),
    limited: printed(only(hard, exceeded)),
  };
}

const only = (list: ResourceList, names: readonly string[]): ResourceList =>
  Object.fromEntries(Object.entries(list).filter(([name]) => names.includes(name)));

const printed = (list: ResourceList): ResourceList =>
  Object.fromEntries(Object.entries(list).map(([name, text]) => [name, canonicalQuantity(parseQuantity(text))]));

/** Whether a quota counts the claim: it limits something that claims use, and all of its scopes hold. */
// apiserver pkg/quota/v1/generic/evaluator.go, Matches (1.37)
function limitsClaim(quota: ResourceQuota, claim: PersistentVolumeClaim, volumeAttributesClass: boolean): boolean {
  if (!Object.keys(quota.status?.hard ?? {}).some(isClaimResource)) return false;
  const { scopes = [], scopeSelector } = quota.spec ?? {};
  const named = scopes.map((scopeName) => ({ scopeName, operator: 'Exists' }));
  return [...named, ...(scopeSelector?.matchExpressions ?? [])].every(
    (scope) => volumeAttributesClass && scopeHolds(scope, claim),
  );
}

type Scope = NonNullable<NonNullable<NonNullable<ResourceQuota['spec']>['scopeSelector']>['matchExpressions']>[number];

function scopeHolds({ scopeName, operator, values = [] }: Scope, claim: PersistentVolumeClaim): boolean {
  if (scopeName !== 'VolumeAttributesClass') return false;
  const { currentVolumeAttributesClassName: current, modifyVolumeStatus } = claim.status ?? {};
  const names = [
    claim.spec.volumeAttributesClassName,
    current,
    modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name): name is string => name !== undefined && name !== '');
  switch (operator) {
    case 'Exists':
      return names.length > 0;
    case 'DoesNotExist':
      return names.length === 0;
    case 'In':
      return names.some((name) => values.includes(name));
    case 'NotIn':
      return names.length === 0 || names.some((name) => !values.includes(name));
    default:
      return false;
  }
}

import type { ResourceList } from '../../api/objects.ts';
import { parseQuantity } from '../../api/quantity.ts';

// kubernetes/kubernetes pkg/scheduler/framework/types.go, Resource (1.37); specification scheduler-and-provisioning 3.7.

/** Amounts as the scheduler compares them: CPU in thousandths, the rest in its own unit, rounded up. */
export interface Resources {
  readonly milliCpu: bigint;
  readonly memory: bigint;
  readonly ephemeralStorage: bigint;
  readonly allowedPods: bigint;
  /** Extended resources, huge pages and attachable volumes. */
  readonly scalar: ReadonlyMap<string, bigint>;
}

export const noResources: Resources = {
  milliCpu: 0n,
  memory: 0n,
  ephemeralStorage: 0n,
  allowedPods: 0n,
  scalar: new Map(),
};

/** Exact amounts by resource, in units of 10^-9. */
export type Amounts = ReadonlyMap<string, bigint>;

/** Throws QuantityError. */
export function amountsOf(list: ResourceList | undefined): Amounts {
  return new Map(Object.entries(list ?? {}).map(([name, text]) => [name, parseQuantity(text).nano]));
}

export function resourcesOf(amounts: Amounts): Resources {
  const result = { ...noResources, scalar: new Map<string, bigint>() };
  for (const [name, nano] of amounts) {
    switch (name) {
      case 'cpu':
        result.milliCpu = roundedUp(nano, 1_000_000n);
        break;
      case 'memory':
        result.memory = roundedUp(nano, 1_000_000_000n);
        break;
      case 'ephemeral-storage':
        result.ephemeralStorage = roundedUp(nano, 1_000_000_000n);
        break;
      case 'pods':
        result.allowedPods = roundedUp(nano, 1_000_000_000n);
        break;
      default:
        if (isScalarResourceName(name)) result.scalar.set(name, roundedUp(nano, 1_000_000_000n));
    }
  }
  return result;
}

const roundedUp = (nano: bigint, unit: bigint): bigint => (nano + unit - 1n) / unit;

export function addResources(a: Resources, b: Resources): Resources {
  let { scalar } = a;
  if (b.scalar.size > 0) {
    const sum = new Map(scalar);
    for (const [name, amount] of b.scalar) sum.set(name, (sum.get(name) ?? 0n) + amount);
    scalar = sum;
  }
  return {
    milliCpu: a.milliCpu + b.milliCpu,
    memory: a.memory + b.memory,
    ephemeralStorage: a.ephemeralStorage + b.ephemeralStorage,
    allowedPods: a.allowedPods,
    scalar,
  };
}

// pkg/scheduler/util/utils.go, IsScalarResourceName; pkg/apis/core/v1/helper/helpers.go
function isScalarResourceName(name: string): boolean {
  if (name.startsWith('hugepages-') || name.startsWith('attachable-volumes-') || name.includes('kubernetes.io/'))
    return true;
  return isExtendedResourceName(name);
}

const namePart = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const prefixPart = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Names with a prefix that is not Kubernetes' own; with "requests." before it, it must still be a qualified name. */
function isExtendedResourceName(name: string): boolean {
  if (!name.includes('/') || name.startsWith('requests.')) return false;
  const [prefix = '', local = '', ...more] = name.split('/');
  if (more.length > 0) return false;
  const quotaPrefix = `requests.${prefix}`;
  return quotaPrefix.length <= 253 && prefixPart.test(quotaPrefix) && local.length <= 63 && namePart.test(local);
}

import { type Quantity, quantityMilliValue, quantityValue } from '../../api/quantity.ts';

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

export const noResources: Resources = { milliCpu: 0n, memory: 0n, ephemeralStorage: 0n, allowedPods: 0n, scalar: new Map() };

export function resourcesOf(list: ReadonlyMap<string, Quantity>): Resources {
  const result = { ...noResources, scalar: new Map<string, bigint>() };
  for (const [name, quantity] of list) {
    switch (name) {
      case 'cpu':
        result.milliCpu = quantityMilliValue(quantity);
        break;
      case 'memory':
        result.memory = quantityValue(quantity);
        break;
      case 'ephemeral-storage':
        result.ephemeralStorage = quantityValue(quantity);
        break;
      case 'pods':
        result.allowedPods = quantityValue(quantity);
        break;
      default:
        if (isScalarResourceName(name)) result.scalar.set(name, quantityValue(quantity));
    }
  }
  return result;
}

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
  if (name.startsWith('hugepages-') || name.startsWith('attachable-volumes-') || name.includes('kubernetes.io/')) return true;
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

import type { InsufficientResource } from './facts.ts';
import { type Plugin, partial, reject, unknown } from './framework.ts';
import type { NodeInfo } from './node-info.ts';
import type { Resources } from './resources.ts';
import { isLeftToDynamicResources } from './unsimulated.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/noderesources/fit.go (1.37); specification scheduler-and-provisioning 3.7.

export const nodeResourcesFit: Plugin = {
  name: 'NodeResourcesFit',
  preFilter: (cache, { requests }) => {
    const { fitUnresolvable } = cache.cluster.features;
    const mayMissPods = cache.cluster.lacks('Pod');
    return {
      is: 'ready',
      filter: (node) => {
        const insufficient = fitsRequest(requests, node, fitUnresolvable);
        if (insufficient.length === 0) return mayMissPods ? unknown('NodeResourcesFit', ['Pod']) : undefined;
        const isHopeless = insufficient.some(({ unresolvable }) => unresolvable);
        const reasons = insufficient.map(({ resource }) =>
          resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`,
        );
        const code = isHopeless ? 'UnschedulableAndUnresolvable' : 'Unschedulable';
        return partial(reject('NodeResourcesFit', code, reasons, { insufficient }), mayMissPods);
      },
    };
  },
};

const enough: readonly InsufficientResource[] = [];

function fitsRequest(
  requests: Resources,
  { pods, requested, allocatable }: NodeInfo,
  marksUnresolvable: boolean,
): readonly InsufficientResource[] {
  let insufficient: InsufficientResource[] | undefined;
  const short = (resource: string, wanted: bigint, used: bigint, capacity: bigint, isHopeless: boolean): void => {
    insufficient ??= [];
    insufficient.push({ resource, requested: wanted, used, capacity, unresolvable: isHopeless && marksUnresolvable });
  };
  const check = (resource: string, wanted: bigint, used: bigint, capacity: bigint): void => {
    if (wanted > 0n && wanted > capacity - used) short(resource, wanted, used, capacity, wanted > capacity);
  };
  const podCount = BigInt(pods.length);
  if (podCount + 1n > allocatable.allowedPods) short('pods', 1n, podCount, allocatable.allowedPods, false);
  check('cpu', requests.milliCpu, requested.milliCpu, allocatable.milliCpu);
  check('memory', requests.memory, requested.memory, allocatable.memory);
  check('ephemeral-storage', requests.ephemeralStorage, requested.ephemeralStorage, allocatable.ephemeralStorage);
  for (const [name, wanted] of requests.scalar) {
    if (isLeftToDynamicResources(name)) continue;
    check(name, wanted, requested.scalar.get(name) ?? 0n, allocatable.scalar.get(name) ?? 0n);
  }
  return insufficient ?? enough;
}

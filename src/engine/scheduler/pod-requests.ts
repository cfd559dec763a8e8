import type { Features } from '../../api/features.ts';
import type { Container, ContainerStatus, Pod, ResourceList } from '../../api/objects.ts';
import { type Amounts, amountsOf } from './resources.ts';

// component-helpers resource/helpers.go, PodRequests (1.37); specification scheduler-and-provisioning 3.7.

/** What a pod asks for when it is scheduled, in exact amounts. Throws QuantityError. */
export function podRequests(pod: Pod, features: Features): Amounts {
  const requests = aggregate(pod, features, (container) => amountsOf(container.resources?.requests));
  const podLevel = features.podLevelResources ? podLevelRequests(pod) : undefined;
  return withOverhead(pod, podLevel === undefined ? requests : new Map([...requests, ...podLevel]));
}

/**
 * What a pod on a node is counted with: while it is resized in place, the largest of what its spec asks for, what the kubelet has
 * allocated and what is in effect; a resize that the kubelet calls infeasible leaves the spec out. Throws QuantityError.
 */
export function requestsOnNode(pod: Pod, features: Features): Amounts {
  if (!features.inPlacePodVerticalScaling) return podRequests(pod, features);
  const infeasible = isResizeInfeasible(pod);
  const requests = features.podWideResizeRequests
    ? podWideRequests(pod, features, infeasible)
    : aggregate(pod, features, (container, isInit) => containerRequests(pod, container, isInit, infeasible));
  const podLevel = features.podLevelResources ? podLevelRequests(pod) : undefined;
  if (podLevel === undefined) return withOverhead(pod, requests);
  const { resources, allocatedResources } = podLevelStatusOf(pod);
  if (!features.podLevelResourcesVerticalScaling || resources === undefined) {
    return withOverhead(pod, new Map([...requests, ...podLevel]));
  }
  const spec = infeasible ? new Map<string, bigint>() : amountsOf(pod.spec.resources?.requests);
  const effective = largest(spec, amountsOf(resources.requests), amountsOf(allocatedResources));
  // Up to 1.36 only what the spec names is replaced, by nothing if no status names it.
  const named = features.podWideResizeRequests
    ? [...effective].filter(([name]) => isPodLevelResource(name))
    : [...podLevel.keys()].map((name): [string, bigint] => [name, effective.get(name) ?? 0n]);
  return withOverhead(pod, new Map([...requests, ...named]));
}

/** 1.37 and later: the totals of the pod are compared. */
function podWideRequests(pod: Pod, features: Features, infeasible: boolean): Amounts {
  const spec = aggregate(pod, features, (container) => amountsOf(container.resources?.requests));
  const { resources, allocatedResources } = podLevelStatusOf(pod);
  let allocated: Amounts;
  let actuated: Amounts;
  if (
    features.podLevelResourcesVerticalScaling &&
    allocatedResources !== undefined &&
    resources?.requests !== undefined
  ) {
    allocated = amountsOf(allocatedResources);
    actuated = amountsOf(resources.requests);
  } else {
    const orSpec = (list: ResourceList | undefined, container: Container) =>
      amountsOf(list ?? (infeasible ? undefined : container.resources?.requests));
    allocated = aggregate(pod, features, (container) =>
      orSpec(statusOf(pod, container)?.allocatedResources, container),
    );
    actuated = aggregate(pod, features, (container) => {
      const status = statusOf(pod, container);
      return orSpec(status?.resources?.requests ?? status?.allocatedResources, container);
    });
  }
  return infeasible ? largest(actuated, allocated) : largest(spec, actuated, allocated);
}

/** Up to 1.36: each container by itself, init containers only if they keep running. */
function containerRequests(pod: Pod, container: Container, isInit: boolean, infeasible: boolean): Amounts {
  const spec = amountsOf(container.resources?.requests);
  if (isInit && container.restartPolicy !== 'Always') return spec;
  const status = statusOf(pod, container);
  if (status?.resources === undefined) return spec;
  const known = [amountsOf(status.resources.requests), amountsOf(status.allocatedResources)];
  return infeasible ? largest(...known) : largest(spec, ...known);
}

/**
 * Containers run together, so they add up, and so do sidecars; the other init containers run one after the other, each beside the
 * sidecars before it, so that only the largest counts.
 */
function aggregate(
  pod: Pod,
  { sidecarContainers }: Features,
  requestsOf: (container: Container, isInit: boolean) => Amounts,
): Amounts {
  const sum = new Map<string, bigint>();
  for (const container of pod.spec.containers ?? []) add(sum, requestsOf(container, false));
  const sidecars = new Map<string, bigint>();
  const initial = new Map<string, bigint>();
  for (const container of pod.spec.initContainers ?? []) {
    const requests = requestsOf(container, true);
    if (sidecarContainers && container.restartPolicy === 'Always') {
      add(sum, requests);
      add(sidecars, requests);
      raise(initial, sidecars);
    } else {
      const together = new Map(sidecars);
      add(together, requests);
      raise(initial, together);
    }
  }
  raise(sum, initial);
  return sum;
}

/** The requests of the pod itself, if it states any that count. */
function podLevelRequests(pod: Pod): Amounts | undefined {
  const stated = [...amountsOf(pod.spec.resources?.requests)].filter(([name]) => isPodLevelResource(name));
  return stated.length > 0 ? new Map(stated) : undefined;
}

const isPodLevelResource = (name: string): boolean =>
  name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');

function withOverhead(pod: Pod, requests: Amounts): Amounts {
  if (pod.spec.overhead === undefined) return requests;
  const sum = new Map(requests);
  add(sum, amountsOf(pod.spec.overhead));
  return sum;
}

/** What the kubelet says of the pod's own resources. */
interface PodLevelStatus {
  readonly resources?: { readonly requests?: ResourceList };
  readonly allocatedResources?: ResourceList;
}

function podLevelStatusOf({ status }: Pod): PodLevelStatus {
  return (status as (Pod['status'] & PodLevelStatus) | undefined) ?? {};
}

function isResizeInfeasible(pod: Pod): boolean {
  return pod.status?.conditions?.find(({ type }) => type === 'PodResizePending')?.reason === 'Infeasible';
}

function statusOf(pod: Pod, { name }: Container): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  return [...containerStatuses, ...initContainerStatuses].find((status) => status.name === name);
}

function add(sum: Map<string, bigint>, amounts: Amounts): void {
  for (const [name, amount] of amounts) sum.set(name, (sum.get(name) ?? 0n) + amount);
}

function raise(most: Map<string, bigint>, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const before = most.get(name);
    if (before === undefined || before < amount) most.set(name, amount);
  }
}

function largest(...lists: readonly Amounts[]): Amounts {
  const most = new Map<string, bigint>();
  for (const list of lists) raise(most, list);
  return most;
}

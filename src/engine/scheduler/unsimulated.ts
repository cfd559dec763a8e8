import type { Pod } from '../../api/objects.ts';

/** Parts of the scheduler that are not simulated. A pod that uses one of them may be refused where the other filters let it pass. */
export type Unsimulated = 'DynamicResources' | 'NodeDeclaredFeatures' | 'PodGroups';

/** Fields that ask for such a part. */
interface Asking {
  /** Up to 1.35. */
  readonly workloadRef?: unknown;
  readonly schedulingGroup?: unknown;
  readonly hostUsers?: boolean;
}

/** What a pod uses that is not simulated (specification scheduler-and-provisioning 3.10). */
export function unsimulatedOf({ spec }: Pod): readonly Unsimulated[] {
  const { schedulingGroup, workloadRef, hostUsers } = spec as Pod['spec'] & Asking;
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const asksForDevices = containers.some(({ resources }) =>
    Object.keys(resources?.requests ?? {}).some(isLeftToDynamicResources),
  );
  return [
    ...((spec.resourceClaims ?? []).length > 0 || asksForDevices ? (['DynamicResources'] as const) : []),
    // A user namespace together with the host's network needs a kubelet that declares it.
    ...(hostUsers === false && spec.hostNetwork === true ? (['NodeDeclaredFeatures'] as const) : []),
    ...((schedulingGroup ?? workloadRef) === undefined ? [] : (['PodGroups'] as const)),
  ];
}

/** Whether a resource is a device class by its name, so that no node has to offer it. */
export function isLeftToDynamicResources(resource: string): boolean {
  return resource.startsWith('deviceclass.resource.kubernetes.io/');
}

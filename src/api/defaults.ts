import type {
  Container,
  CSIDriver,
  KubernetesObject,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  Pod,
  PodVolume,
  ResourceList,
  StorageClass,
  VolumeSources,
} from './objects.ts';
import { canonicalQuantity, parseQuantity, QuantityError, roundUpQuantity } from './quantity.ts';

// kubernetes/kubernetes pkg/apis/core/v1/defaults.go, pkg/apis/core/v1/zz_generated.defaults.go and pkg/apis/storage/v1/defaults.go
// (1.37, the same since 1.34); specification pv-controller 0.2, scheduler-and-provisioning 6.1.

/**
 * The object with the defaults that every reading of it by the API server fills in, as far as binding and scheduling depend on them;
 * the same object if there is nothing to fill in. A manifest may lack even its spec. What only happens when an object is created is
 * not done here, nor are the defaults of pod-wide requests, which depend on the release.
 */
export function withDefaults<T extends KubernetesObject>(object: T): T {
  const fillIn = defaultsOf.get(object.kind);
  return fillIn === undefined ? object : (fillIn(object as never) as T);
}

const defaultsOf = new Map<string, (object: never) => KubernetesObject>([
  ['PersistentVolume', volumeDefaults],
  ['PersistentVolumeClaim', claimDefaults],
  ['StorageClass', storageClassDefaults],
  ['CSIDriver', csiDriverDefaults],
  ['Pod', podDefaults],
  ['Node', nodeDefaults],
]);

// SetDefaults_PersistentVolume
function volumeDefaults(volume: PersistentVolume): PersistentVolume {
  const named = filledIfEmpty(volume.spec ?? {}, { persistentVolumeReclaimPolicy: 'Retain' });
  const spec = filled(named, { volumeMode: 'Filesystem' });
  return changed(volume, {
    spec: changed(spec, { capacity: rounded(spec.capacity), ...sourceDefaults(spec) }),
    status: filledIfEmpty(volume.status ?? {}, { phase: 'Pending' }),
  });
}

// SetDefaults_PersistentVolumeClaim and SetDefaults_PersistentVolumeClaimSpec
function claimDefaults(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const status = filledIfEmpty(claim.status ?? {}, { phase: 'Pending' });
  return changed(claim, {
    spec: claimSpecDefaults(claim.spec ?? {}),
    status: changed(status, {
      capacity: rounded(status.capacity),
      allocatedResources: rounded(status.allocatedResources),
    }),
  });
}

function claimSpecDefaults(spec: PersistentVolumeClaimSpec): PersistentVolumeClaimSpec {
  const { resources } = spec;
  return changed(filled(spec, { volumeMode: 'Filesystem' }), {
    resources:
      resources && changed(resources, { requests: rounded(resources.requests), limits: rounded(resources.limits) }),
  });
}

// SetDefaults_HostPathVolumeSource and the defaults of RBD that exclusive use is decided by.
function sourceDefaults({ hostPath, rbd }: VolumeSources): Pick<VolumeSources, 'hostPath' | 'rbd'> {
  return {
    ...(hostPath === undefined ? {} : { hostPath: hostPath.type === undefined ? { ...hostPath, type: '' } : hostPath }),
    ...(rbd === undefined ? {} : { rbd: filledIfEmpty(rbd, { pool: 'rbd' }) }),
  };
}

// SetDefaults_StorageClass
function storageClassDefaults(storageClass: StorageClass): StorageClass {
  return filled(storageClass, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
}

// SetDefaults_CSIDriver
function csiDriverDefaults(driver: CSIDriver): CSIDriver {
  const flags = { attachRequired: true, storageCapacity: false, preventPodSchedulingIfMissing: false };
  return changed(driver, { spec: filled(driver.spec ?? {}, flags) });
}

// SetDefaults_NodeStatus
function nodeDefaults(node: Node): Node {
  const { status } = node;
  if (status === undefined) return node;
  const capacity = rounded(status.capacity);
  const allocatable = status.allocatable === undefined ? capacity : rounded(status.allocatable);
  return changed(node, { status: changed(status, { capacity, allocatable }) });
}

// SetDefaults_Pod and SetDefaults_PodSpec
function podDefaults(pod: Pod): Pod {
  const spec = filledIfEmpty(pod.spec ?? {}, { schedulerName: 'default-scheduler' });
  const container = (one: Container) => containerDefaults(one, spec.hostNetwork === true);
  return changed(pod, {
    spec: changed(spec, {
      containers: eachChanged(spec.containers, container),
      initContainers: eachChanged(spec.initContainers, container),
      volumes: eachChanged(spec.volumes, podVolumeDefaults),
      overhead: rounded(spec.overhead),
    }),
  });
}

// Requests that are not named are those of the limits; on the node's network, a container port is a host port, too.
function containerDefaults(container: Container, onHostNetwork: boolean): Container {
  const { resources } = container;
  const ports = eachChanged(container.ports, (port) => {
    const named = filledIfEmpty(port, { protocol: 'TCP' });
    const isHostPort = onHostNetwork && !named.hostPort && named.containerPort !== undefined;
    return isHostPort ? { ...named, hostPort: named.containerPort } : named;
  });
  if (resources === undefined) return changed(container, { ports });
  const limits = rounded(resources.limits);
  const requests = rounded(limits === undefined ? resources.requests : filled(resources.requests ?? {}, limits));
  return changed(container, { ports, resources: changed(resources, { requests, limits }) });
}

function podVolumeDefaults(volume: PodVolume): PodVolume {
  const template = volume.ephemeral?.volumeClaimTemplate;
  return changed(volume, {
    ...sourceDefaults(volume),
    ...(template === undefined
      ? {}
      : {
          ephemeral: changed(volume.ephemeral ?? {}, {
            volumeClaimTemplate: changed(template, { spec: claimSpecDefaults(template.spec ?? {}) }),
          }),
        }),
  });
}

// SetDefaults_ResourceList: amounts are rounded up to thousandths. One that is none stays for others to complain about.
function rounded(list: ResourceList | undefined): ResourceList | undefined {
  if (list === undefined) return undefined;
  return changed(list, Object.fromEntries(Object.entries(list).map(([name, text]) => [name, roundedAmount(text)])));
}

function roundedAmount(text: string): string {
  try {
    const quantity = parseQuantity(text);
    // Any other amount keeps its spelling: printing is not always the reverse of reading.
    return quantity.nano % nanoPerMilli === 0n ? text : canonicalQuantity(roundUpQuantity(quantity, -3));
  } catch (error) {
    if (error instanceof QuantityError) return text;
    throw error;
  }
}

const nanoPerMilli = 1_000_000n;

/** The object with fields that it lacks; the same object if it lacks none. */
function filled<T extends object>(object: T, defaults: { readonly [K in keyof T]?: T[K] }): T {
  return withEntries(object, defaults, (key) => !Object.hasOwn(object, key) || object[key as keyof T] === undefined);
}

/** The same for fields that are no pointers upstream: empty is absent. */
function filledIfEmpty<T extends object>(object: T, defaults: { readonly [K in keyof T]?: T[K] }): T {
  return withEntries(object, defaults, (key) => (object[key as keyof T] ?? '') === '');
}

/** The object with these fields; the same object if it has them already. Undefined stands for a field that is not there. */
function changed<T extends object>(object: T, fields: { readonly [K in keyof T]?: T[K] | undefined }): T {
  return withEntries(object, fields, (key, value) => value !== undefined && object[key as keyof T] !== value);
}

function withEntries<T extends object>(
  object: T,
  fields: object,
  isWanted: (key: string, value: unknown) => boolean,
): T {
  const wanted = Object.entries(fields).filter(([key, value]) => isWanted(key, value));
  return wanted.length === 0 ? object : { ...object, ...Object.fromEntries(wanted) };
}

/** The list with each entry changed; the same list if none is. */
function eachChanged<T>(list: readonly T[] | undefined, change: (entry: T) => T): readonly T[] | undefined {
  if (list === undefined) return undefined;
  const entries = list.map(change);
  return entries.every((entry, i) => entry === list[i]) ? list : entries;
}

import { withDefaults } from '../../src/api/defaults.ts';
import type { KubernetesObject, ResourceList } from '../../src/api/objects.ts';
import { canonicalQuantity, parseQuantity } from '../../src/api/quantity.ts';

// The oracle's requests and answers: structs Request and Result in oracle/main.go.

export interface Request {
  readonly id?: string;
  readonly mode?: string;
  readonly objects?: readonly RawObject[];
  readonly claims?: readonly string[];
  readonly volumes?: readonly string[];
  readonly queue?: 'volumes' | 'claims' | 'alternate';
  readonly ties?: 'first' | 'last' | 'order';
  readonly pods?: readonly string[];
  readonly node?: 'first' | 'last';
  readonly trace?: boolean;
  readonly dynamicProvisioning?: boolean;
  readonly refuse?: readonly string[];
  readonly then?: readonly string[];
  readonly rounds?: number;
}

export type RawObject = KubernetesObject & Record<string, unknown>;

const namespaced = new Set(['PersistentVolumeClaim', 'Pod']);
const goTypes: Record<string, string> = {
  PersistentVolume: '*v1.PersistentVolume',
  PersistentVolumeClaim: '*v1.PersistentVolumeClaim',
  Pod: '*v1.Pod',
  Node: '*v1.Node',
  StorageClass: '*v1.StorageClass',
};

/** The objects as an API server would hold them: defaults filled in, a namespace, a uid and a resource version each. */
export function decode(objects: readonly RawObject[]): readonly RawObject[] {
  return objects.map((raw) => {
    const object = withDefaults(raw) as RawObject;
    const metadata = { ...object.metadata };
    if (!metadata.namespace && namespaced.has(object.kind)) metadata.namespace = 'default';
    if (!metadata.uid) {
      metadata.uid = `uid-of-${goTypes[object.kind] ?? object.kind}-${metadata.namespace ?? ''}-${metadata.name}`;
    }
    if (!/^\d+$/.test(metadata.resourceVersion ?? '')) metadata.resourceVersion = '1';
    return { ...object, metadata };
  });
}

/** A claim or volume as Go writes it: quantities in canonical form, nothing that is empty, `resources` always there. */
export function encode<T extends KubernetesObject>(object: T): T {
  const { spec, status = {} } = object as unknown as { spec: Fields; status?: Fields };
  const isClaim = object.kind === 'PersistentVolumeClaim';
  return {
    ...object,
    spec: isClaim ? encodeClaimSpec(spec) : encodeVolumeSpec(spec),
    status: dropEmpty({ ...status, capacity: canonical(status.capacity) }),
  } as T;
}

type Fields = Record<string, unknown>;

function encodeClaimSpec(spec: Fields): Fields {
  const { requests, limits } = (spec.resources ?? {}) as Fields;
  const { storageClassName, volumeAttributesClassName, resources: _resources, ...rest } = spec;
  return {
    ...dropEmpty(rest),
    // Pointers in Go: "" is there, too.
    ...dropAbsent({ storageClassName, volumeAttributesClassName }),
    resources: dropEmpty({ requests: canonical(requests), limits: canonical(limits) }),
  };
}

function encodeVolumeSpec(spec: Fields): Fields {
  const { claimRef, capacity, volumeAttributesClassName, ...rest } = spec;
  return {
    ...dropEmpty(rest),
    ...dropAbsent({ volumeAttributesClassName }),
    ...(claimRef === undefined ? {} : { claimRef: dropEmpty(claimRef as Fields) }),
    ...dropAbsent({ capacity: canonical(capacity) }),
  };
}

function canonical(list: unknown): ResourceList | undefined {
  if (list === undefined) return undefined;
  const entries = Object.entries(list as ResourceList);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([name, text]) => [name, canonicalQuantity(parseQuantity(text))]));
}

const dropAbsent = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/** Go leaves out what is empty. */
const dropEmpty = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(dropAbsent(fields)).filter(([, value]) => value !== '' && !isEmpty(value)));

/** Empty maps are dropped by hand: `selector: {}` is behind a pointer and stays. */
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

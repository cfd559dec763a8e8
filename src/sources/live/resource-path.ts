import { type Kind, type KindInfo, kinds } from '../../snapshot/kinds.ts';

/** A way to ask for the objects of a kind. */
export interface Resource {
  readonly kind: Kind;
  /** "v1", "storage.k8s.io/v1beta1". */
  readonly apiVersion: string;
}

/** Versions that older servers have instead of v1, newest first. */
const olderVersions: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  // v1 came with 1.34; v1alpha1 (1.29, 1.30) has to be switched on and differs in nothing that is read.
  VolumeAttributesClass: ['v1beta1', 'v1alpha1'],
  // v1 came with 1.24.
  CSIStorageCapacity: ['v1beta1'],
  // Custom resources: the version is that of whoever installed them.
  VolumeSnapshot: ['v1beta1'],
  VolumeSnapshotContent: ['v1beta1'],
  VolumeSnapshotClass: ['v1beta1'],
  ReferenceGrant: ['v1beta1'],
};

/** The versions under which a server may have a kind, in the order in which they are tried. */
export function resourcesOf(kind: Kind): readonly Resource[] {
  const { group }: KindInfo = kinds[kind];
  const versions = ['v1', ...(olderVersions[kind] ?? [])];
  return versions.map((version) => ({ kind, apiVersion: group === '' ? version : `${group}/${version}` }));
}

/** Whether a server may lack the kind altogether. The core kinds are everywhere: a server without them is no API server. */
export function mayBeAbsent(kind: Kind): boolean {
  return kinds[kind].group !== '';
}

/** The path of a kind's objects: of all namespaces, of one, or of one object. */
export function pathOf({ kind, apiVersion }: Resource, namespace?: string, name?: string): string {
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  const object = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `${root}/${apiVersion}${scope}/${kinds[kind].resource}${object}`;
}

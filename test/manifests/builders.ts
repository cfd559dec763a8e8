import type { KubernetesObject } from '../../src/api/objects.ts';
import type { Manifest, ManifestKind } from '../../src/manifests/manifest.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import { isKind } from '../../src/snapshot/kinds.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { asStored } from '../../src/snapshot/stored.ts';

/** A manifest as somebody would write it, of the shop's namespace if its kind has one. */
export function newManifest(kind: ManifestKind, name: string, fields: object = {}, metadata: object = {}): Manifest {
  const raw = { kind, metadata: { name, namespace: 'shop', ...metadata }, ...fields };
  const at = { file: `${name}.yaml`, document: 1, line: 1 };
  return { kind, object: raw as KubernetesObject, raw, at, text: '', textLine: 1, root: [] };
}

/** A cluster that holds these objects. */
export function clusterOf(...objects: readonly KubernetesObject[]): Snapshot {
  const loaded = objects.map((object) => {
    if (!isKind(object.kind)) throw new Error(`a snapshot keeps no ${object.kind}`);
    const provenance = { file: 'cluster.yaml', document: 1, line: 1 };
    return { kind: object.kind, object, provenance, told: 'listed' as const };
  });
  return asStored(buildSnapshot({ sources: [{ name: 'cluster.yaml', objects: loaded, coverage: [] }], issues: [] }));
}

export const newNode = (name: string, spec: object = {}): KubernetesObject =>
  ({ kind: 'Node', metadata: { name, labels: { 'kubernetes.io/hostname': name } }, spec }) as KubernetesObject;

/** The template of a pod with these volumes. */
export const templateOf = (...volumes: readonly object[]) => ({
  metadata: { labels: { app: 'shop' } },
  spec: { containers: [{ name: 'main' }], volumes },
});

export const usesClaim = (name: string, claimName: string) => ({ name, persistentVolumeClaim: { claimName } });

export const scratch = (name = 'scratch') => ({
  name,
  ephemeral: {
    volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  },
});

export const claimTemplate = (name: string, spec: object = {}, labels?: object) => ({
  metadata: { name, ...(labels === undefined ? {} : { labels }) },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } }, ...spec },
});

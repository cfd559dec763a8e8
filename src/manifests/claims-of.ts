import type { ClaimKey } from '../api/accessors.ts';
import type { Pod, PodVolume, Workload } from '../api/objects.ts';
import type { Key } from '../snapshot/snapshot.ts';
import { type FieldPath, type Manifest, valueAt } from './manifest.ts';
import { nameOfStatefulClaim, ordinalsOf, podSpecPathOf } from './pods-of.ts';

/** A claim that would be created, by whoever applies the manifests or by a controller in their wake. */
export interface PlannedClaim {
  readonly key: ClaimKey;
  readonly from: Manifest;
  /** Where in the object the claim's metadata and spec stand: `[]` if the object is the claim. */
  readonly path: FieldPath;
  /** A claim of its own, of a StatefulSet's template, or of a generic ephemeral volume. */
  readonly how: 'claim' | 'template' | 'ephemeral';
  /** What is sent to the API server. */
  readonly raw: unknown;
}

/** That pods of a manifest use a claim. */
export interface ClaimUse {
  readonly key: ClaimKey;
  /** One of the pods, "namespace/name". */
  readonly pod: Key;
  readonly from: Manifest;
  /** The field that names the claim. */
  readonly path: FieldPath;
}

/** The claims that a manifest makes, in the order in which they are made. `pods`: those of the manifest. */
// specification scheduler-and-provisioning 4
export function claimsOf(manifest: Manifest, pods: readonly Pod[]): readonly PlannedClaim[] {
  if (manifest.kind === 'PersistentVolumeClaim') {
    const { name, namespace = '' } = manifest.object.metadata;
    return [{ key: `${namespace}/${name}`, from: manifest, path: [], how: 'claim', raw: inNamespace(manifest) }];
  }
  const ofTemplates = manifest.kind === 'StatefulSet' ? statefulClaims(manifest) : [];
  return [...ofTemplates, ...ephemeralClaims(manifest, pods)];
}

/** The claims that the pods of a manifest use by name, each once; those of ephemeral volumes are not among them. */
export function usesOf(manifest: Manifest, pods: readonly Pod[]): readonly ClaimUse[] {
  const uses = new Map<ClaimKey, ClaimUse>();
  for (const pod of pods) {
    for (const { name, persistentVolumeClaim } of pod.spec.volumes ?? []) {
      const key = `${pod.metadata.namespace ?? ''}/${persistentVolumeClaim?.claimName ?? ''}`;
      if (persistentVolumeClaim === undefined || uses.has(key)) continue;
      const volume = volumePath(manifest, name);
      // A volume that only a StatefulSet's template brings along has no field that names the claim.
      if (volume === undefined) continue;
      const path = [...volume, 'persistentVolumeClaim', 'claimName'];
      uses.set(key, { key, pod: `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`, from: manifest, path });
    }
  }
  return [...uses.values()];
}

/** Where the pod's volume of that name stands in the manifest. */
function volumePath(manifest: Manifest, name: string): FieldPath | undefined {
  const spec = podSpecPathOf(manifest);
  if (spec === undefined) return undefined;
  const volumes = valueAt(manifest.raw, [...spec, 'volumes']);
  const index = Array.isArray(volumes) ? volumes.findIndex((volume) => valueAt(volume, ['name']) === name) : -1;
  return index < 0 ? undefined : [...spec, 'volumes', index];
}

/** The manifest of a claim with the namespace where it would be. */
function inNamespace({ raw, object: { metadata } }: Manifest): unknown {
  if (!isMapping(raw)) return raw;
  const { namespace, name } = metadata;
  const own = isMapping(raw.metadata) ? raw.metadata : {};
  return { ...raw, metadata: { ...own, name: own.name ?? name, namespace } };
}

// kubernetes/kubernetes pkg/controller/statefulset/stateful_set_utils.go, getPersistentVolumeClaims (1.37)
function statefulClaims(manifest: Manifest): readonly PlannedClaim[] {
  const { name, namespace = '' } = manifest.object.metadata;
  const templates = valueAt(manifest.raw, ['spec', 'volumeClaimTemplates']);
  if (!Array.isArray(templates)) return [];
  const labels = valueAt(manifest.raw, ['spec', 'selector', 'matchLabels']);
  return ordinalsOf(manifest.object as Workload).flatMap((ordinal) =>
    templates.map((template, i) => {
      const claim = nameOfStatefulClaim(String(valueAt(template, ['metadata', 'name']) ?? ''), name, ordinal);
      const added = {
        namespace,
        name: claim,
        labels: { ...mappingAt(template, ['metadata', 'labels']), ...asMapping(labels) },
      };
      const path = ['spec', 'volumeClaimTemplates', i];
      return {
        key: `${namespace}/${claim}`,
        from: manifest,
        path,
        how: 'template' as const,
        raw: claimFrom(template, added),
      };
    }),
  );
}

// component-helpers storage/ephemeral/ephemeral.go and kubernetes/kubernetes pkg/controller/volume/ephemeral/controller.go (1.37)
function ephemeralClaims(manifest: Manifest, pods: readonly Pod[]): readonly PlannedClaim[] {
  return pods.flatMap((pod) => {
    const { namespace = '', name, uid } = pod.metadata;
    return (pod.spec.volumes ?? []).filter(isEphemeral).flatMap((volume) => {
      const at = volumePath(manifest, volume.name);
      if (at === undefined) return [];
      const path = [...at, 'ephemeral', 'volumeClaimTemplate'];
      const template = valueAt(manifest.raw, path);
      const claim = `${name}-${volume.name}`;
      const owner = { apiVersion: 'v1', kind: 'Pod', name, uid, controller: true, blockOwnerDeletion: true };
      const raw = claimFrom(template, { namespace, name: claim, ownerReferences: [owner] });
      return [{ key: `${namespace}/${claim}`, from: manifest, path, how: 'ephemeral' as const, raw }];
    });
  });
}

const isEphemeral = ({ ephemeral }: PodVolume): boolean => ephemeral?.volumeClaimTemplate !== undefined;

function claimFrom(template: unknown, metadata: object): unknown {
  const own = mappingAt(template, ['metadata']);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...own, ...metadata },
    spec: valueAt(template, ['spec']),
  };
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asMapping = (value: unknown): Readonly<Record<string, unknown>> => (isMapping(value) ? value : {});

const mappingAt = (value: unknown, path: FieldPath): Readonly<Record<string, unknown>> =>
  asMapping(valueAt(value, path));

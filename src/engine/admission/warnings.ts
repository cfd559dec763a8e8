import { AnnBetaStorageClass } from '../../api/annotations.ts';
import { quote } from '../../api/go-text.ts';
import type { NodeSelectorTerm, ResourceList, VolumeSources } from '../../api/objects.ts';
import { quantityMilliValue } from '../../api/quantity.ts';
import type { ClaimManifest, ClassManifest, VolumeManifest } from './manifest-types.ts';
import { storedAmount } from './stored-amount.ts';

// What the API server lets pass with a warning, one text each.
// kubernetes/kubernetes pkg/api/{persistentvolumeclaim,persistentvolume,storage,node}/util.go (1.37);
// specification scheduler-and-provisioning 6.2 and 6.7

const useField = (field: string, since: string): string =>
  `deprecated since ${since}; use "${field}" attribute instead`;

const annotations: ReadonlyMap<string, string> = new Map([
  [AnnBetaStorageClass, useField('storageClassName', 'v1.8')],
  ['volume.beta.kubernetes.io/mount-options', useField('mountOptions', 'v1.31')],
]);

/** A class in the old annotation, and amounts with a fraction of a byte. */
export function claimWarnings({ metadata, spec }: ClaimManifest): readonly string[] {
  return [
    ...annotationWarnings(metadata.annotations, [AnnBetaStorageClass]),
    ...fractionWarnings('spec.resources.requests', spec.resources?.requests),
    ...fractionWarnings('spec.resources.limits', spec.resources?.limits),
  ];
}

function annotationWarnings(present: ClaimManifest['metadata']['annotations'], keys: Iterable<string>): string[] {
  return [...keys]
    .filter((key) => present?.[key] !== undefined)
    .map((key) => `metadata.annotations[${key}]: ${annotations.get(key)}`);
}

function fractionWarnings(path: string, list: ResourceList | undefined): string[] {
  if (list?.storage === undefined) return [];
  const { quantity, printed } = storedAmount(list.storage);
  if (quantityMilliValue(quantity) % 1000n === 0n) return [];
  return [`${path}[storage]: fractional byte value ${quote(printed)} is invalid, must be an integer`];
}

/** Sources whose plugins are gone; upstream spells one path otherwise than the field. */
const retiredSources: readonly (readonly [source: keyof VolumeSources, text: string])[] = [
  ['cephfs', 'spec.cephfs: deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'spec.photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'spec.scaleIO: deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'spec.storageOS: deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'spec.glusterfs: deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'spec.rbd: deprecated in v1.28, non-functional in v1.31+'],
];

const recycleIsDeprecated =
  'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';

/** Old annotations, recycling, node labels of old, and sources that nothing can mount any more. */
export function volumeWarnings({ metadata, spec }: VolumeManifest): readonly string[] {
  return [
    ...annotationWarnings(metadata.annotations, annotations.keys()),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle'
      ? [`spec.persistentVolumeReclaimPolicy: ${recycleIsDeprecated}`]
      : []),
    ...(spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap(termWarnings),
    ...retiredSources.filter(([source]) => spec[source] !== undefined).map(([, text]) => text),
  ];
}

function termWarnings({ matchExpressions = [] }: NodeSelectorTerm, i: number): string[] {
  return matchExpressions.flatMap(({ key }, j) => {
    const path = `spec.nodeAffinity.required.nodeSelectorTerms[${i}].matchExpressions[${j}].key`;
    const text = nodeLabels.get(key);
    return text === undefined ? [] : [`${path}: ${key} is ${text}`];
  });
}

/** Node labels of old in the allowed topologies. */
export function classWarnings({ allowedTopologies = [] }: ClassManifest): readonly string[] {
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, i) =>
    matchLabelExpressions.flatMap(({ key }, j) => {
      const text = nodeLabels.get(key);
      return text === undefined ? [] : [`allowedTopologies[${i}].matchLabelExpressions[${j}].key: ${text}`];
    }),
  );
}

const useLabel = (label: string, since: string): string => `deprecated since ${since}; use "${label}" instead`;

const nodeLabels: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', useLabel('kubernetes.io/arch', 'v1.14')],
  ['beta.kubernetes.io/os', useLabel('kubernetes.io/os', 'v1.14')],
  ['failure-domain.beta.kubernetes.io/region', useLabel('topology.kubernetes.io/region', 'v1.17')],
  ['failure-domain.beta.kubernetes.io/zone', useLabel('topology.kubernetes.io/zone', 'v1.17')],
  ['beta.kubernetes.io/instance-type', useLabel('node.kubernetes.io/instance-type', 'v1.17')],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

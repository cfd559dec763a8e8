import { AnnBetaStorageClass } from '../api/annotations.ts';
import type { Code } from '../diagnosis/codes.ts';
import type { Shape, StructShape } from '../engine/admission/decode-manifest.ts';
import { claimShape, classShape, volumeShape } from '../engine/admission/manifest-shapes.ts';
import { type FieldPath, pathOfText, valueAt } from '../manifests/manifest.ts';

const request: FieldPath = ['spec', 'resources', 'requests', 'storage'];
const className: FieldPath = ['spec', 'storageClassName'];

/** The field of a claim that a code is about, where it is about one; other codes point at the claim's name. */
const fields: { readonly [C in Code]?: FieldPath } = {
  CapacityTooSmall: request,
  NotEnoughStorage: request,
  SmallerClaimTookVolume: request,
  MuchLargerVolume: request,
  QuotaExceeded: request,
  QuotaNotCounted: request,
  LimitRangeForbids: request,
  ExpansionRefused: request,
  AccessModesMissing: ['spec', 'accessModes'],
  ModesNotOffered: ['spec', 'accessModes'],
  AccessModeUnknown: ['spec', 'accessModes'],
  ClaimInUse: ['spec', 'accessModes'],
  VolumeModeMismatch: ['spec', 'volumeMode'],
  ClassMismatch: className,
  NoVolumes: className,
  NoClassNoDefault: className,
  EmptyClass: className,
  ClassMissing: className,
  ClassCannotProvision: className,
  InTreeProvisionerGone: className,
  RetroactiveDefaultUnavailable: className,
  DefaultClassInjected: className,
  DefaultClassAssigned: className,
  SeveralDefaultClasses: className,
  SeveralDefaultsRefused: className,
  WaitsForFirstConsumer: className,
  ClaimWaitsForLaterPod: className,
  AwaitsProvisioner: className,
  ProvisionerMissing: className,
  NoCapacityPublished: className,
  TopologyNotAllowed: className,
  BetaClassAnnotation: ['metadata', 'annotations', AnnBetaStorageClass],
  SelectorMismatch: ['spec', 'selector'],
  SelectorOnDynamicClaim: ['spec', 'selector'],
  VolumeAttributesClassMismatch: ['spec', 'volumeAttributesClassName'],
  AttributesClassMissing: ['spec', 'volumeAttributesClassName'],
  AttributesClassOfOtherDriver: ['spec', 'volumeAttributesClassName'],
  NamedVolumeMissing: ['spec', 'volumeName'],
  NamedVolumeTaken: ['spec', 'volumeName'],
  BothNameEachOther: ['spec', 'volumeName'],
  SourceNotGranted: ['spec', 'dataSourceRef'],
  SourceInvalid: ['spec', 'dataSource'],
  ResourceVersionSet: ['metadata', 'resourceVersion'],
};

/** The field of a claim that a finding is about. `raw`: the claim as it is sent. */
export function claimField(code: Code, raw: unknown): FieldPath {
  const field = fields[code] ?? ['metadata', 'name'];
  // The annotation of old says the class, where there is one.
  const annotation: FieldPath = ['metadata', 'annotations', AnnBetaStorageClass];
  return field === className && valueAt(raw, annotation) !== undefined ? annotation : field;
}

/** The field that an error of validation names. */
export function fieldOfError(path: string): FieldPath {
  return path === 'spec.resources[storage]' ? request : pathOfText(path);
}

/** The field that a refusal to decode is about, as far as it tells. */
export function fieldOfDecoding(message: string): FieldPath {
  const path = /into Go struct field \w+\.(\S+) of type/.exec(message)?.[1];
  if (path !== undefined) return pathOfText(path);
  return message.includes('quantit') ? request : [];
}

const shapes: Readonly<Record<string, StructShape>> = {
  PersistentVolumeClaim: claimShape,
  PersistentVolume: volumeShape,
  StorageClass: classShape,
};

/** The field that was meant by one that the kind does not have. */
export function knownFieldNear(
  kind: string,
  field: string,
  nearest: (name: string, known: readonly string[]) => string | undefined,
): string | undefined {
  const path = pathOfText(field);
  const name = String(path.at(-1) ?? '');
  let shape: Shape | undefined = shapes[kind];
  for (const step of path.slice(0, -1)) {
    if (shape?.is === 'list' || shape?.is === 'map') shape = shape.of;
    else shape = shape?.is === 'struct' ? shape.fields[step]?.shape : undefined;
  }
  if (shape?.is !== 'struct') return undefined;
  const known = Object.keys(shape.fields);
  const lowered = name.toLowerCase();
  return known.find((one) => one.toLowerCase().startsWith(lowered) && name.length > 3) ?? nearest(name, known);
}

import { claimRequest, volumeModeOf } from '../../api/accessors.ts';
import { quote } from '../../api/go-text.ts';
import type {
  KubernetesObject,
  ObjectReference,
  PersistentVolumeClaim,
  ReferenceGrant,
  VolumeMode,
} from '../../api/objects.ts';
import { parseQuantity, quantityValue } from '../../api/quantity.ts';
import { isManifest } from '../../snapshot/stored.ts';
import { type Answer, fail, pass, unknown } from './answer.ts';
import type { ProvisionRequest } from './request.ts';
import type { ProvisionerView } from './view.ts';

// Where the first content of a volume comes from: external-provisioner pkg/controller/controller.go, dataSource, getSnapshotSource
// and getPVCSource (6.3); specification scheduler-and-provisioning 5.5.

export const snapshotGroup = 'snapshot.storage.k8s.io';
const snapshotFinalizer = 'provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection';
const modeChangeAnnotation = 'snapshot.storage.kubernetes.io/allow-volume-mode-change';

export interface DataSource {
  /** "" for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** What a claim is to be filled with; the older of the two fields wins. */
export function dataSourceOf({ metadata, spec }: PersistentVolumeClaim): DataSource | undefined {
  const reference = spec.dataSource ?? spec.dataSourceRef;
  if (reference === undefined) return undefined;
  const own = metadata.namespace ?? '';
  const { apiGroup: group = '', kind, name } = reference;
  const namespace = spec.dataSource === undefined ? reference.namespace || own : own;
  return { group, kind, name, namespace };
}

/** Why a snapshot cannot be restored. */
export type SnapshotProblem =
  | { readonly is: 'missing' | 'terminating' | 'notBound' | 'notReady' }
  | { readonly is: 'contentMissing' | 'contentOfOther' | 'noHandle'; readonly content: string }
  | { readonly is: 'otherDriver'; readonly content: string; readonly driver: string }
  | { readonly is: 'larger'; readonly restoreSize: string; readonly request: string }
  | { readonly is: 'otherMode'; readonly sourceMode: VolumeMode; readonly claimMode: VolumeMode };

/** Why a claim cannot be cloned. */
export type CloneProblem =
  | { readonly is: 'missing' | 'terminating' | 'noClass' | 'claimWithoutClass' | 'namesNoVolume' }
  | { readonly is: 'notBound'; readonly phase: string }
  | { readonly is: 'larger'; readonly size: string; readonly request: string }
  | {
      readonly is: 'volumeMissing' | 'volumeNotCSI' | 'volumeUnclaimed' | 'volumeOfOther';
      readonly volume: string;
    }
  | { readonly is: 'otherDriver'; readonly volume: string; readonly driver: string }
  | { readonly is: 'volumeNotBound'; readonly volume: string; readonly phase: string }
  | { readonly is: 'otherMode'; readonly sourceMode: VolumeMode; readonly claimMode: VolumeMode };

/** Whether the namespace of the source lets the claim refer to it. */
export function askGrant({ claim }: ProvisionRequest, view: ProvisionerView): Answer<DataSource> {
  const source = dataSourceOf(claim);
  const own = claim.metadata.namespace ?? '';
  if (source === undefined || source.namespace === own) return pass;
  const grants = view.grants(source.namespace);
  if (grants.is === 'unknown') return unknown(grants);
  const all = grants.is === 'found' ? grants.value : [];
  if (all.some((grant) => isGranted(grant, source, own))) return pass;
  const { namespace, name, kind } = source;
  return fail(
    source,
    `accessing ${namespace}/${name} of ${kind} dataSource from ${own}/${claim.metadata.name} isn't allowed`,
  );
}

function isGranted({ spec }: ReferenceGrant, { group, kind, name }: DataSource, namespace: string): boolean {
  const isFrom = spec?.from?.some(
    (from) => (from.group ?? '') === '' && from.kind === 'PersistentVolumeClaim' && from.namespace === namespace,
  );
  const isTo = spec?.to?.some(
    (to) =>
      (to.group ?? '') === group && to.kind === kind && (to.name === undefined || to.name === '' || to.name === name),
  );
  return isFrom === true && isTo === true;
}

/** Whether the snapshot that the claim names can be restored into it. */
export function askSnapshot(
  { claim, storageClass, driver }: ProvisionRequest,
  source: DataSource,
  view: ProvisionerView,
): Answer<SnapshotProblem> {
  const { name } = source;
  const refuse = (problem: SnapshotProblem, detail: string): Answer<SnapshotProblem> =>
    fail(problem, `error getting handle for DataSource Type VolumeSnapshot by Name ${name}: ${detail}`);
  const seen = view.snapshot(`${source.namespace}/${name}`);
  if (seen.is === 'unknown') return unknown(seen);
  if (seen.is === 'absent') {
    const cause = `volumesnapshots.${snapshotGroup} ${quote(name)} not found`;
    return refuse({ is: 'missing' }, `error getting snapshot ${name} from api server: ${cause}`);
  }
  const { metadata, status = {} } = seen.value;
  if (metadata.deletionTimestamp !== undefined && !metadata.finalizers?.includes(snapshotFinalizer)) {
    return refuse({ is: 'terminating' }, `snapshot ${name} is being deleted`);
  }
  const content = status.boundVolumeSnapshotContentName;
  if (content === undefined) return refuse({ is: 'notBound' }, `snapshot ${name} not bound`);
  const held = view.snapshotContent(content);
  if (held.is === 'unknown') return unknown(held);
  if (held.is === 'absent') {
    return refuse({ is: 'contentMissing', content }, `error getting snapshotcontent ${content} for snapshot ${name}`);
  }
  const { volumeSnapshotRef: ref = {}, driver: contentDriver = '', sourceVolumeMode } = held.value.spec ?? {};
  if (!refersTo(ref, seen.value)) {
    const detail = `snapshotcontent ${content} for snapshot ${name} is bound to a different snapshot`;
    return refuse({ is: 'contentOfOther', content }, detail);
  }
  if (contentDriver !== driver) {
    const detail = `snapshotcontent ${content} for snapshot ${name} is not handled by CSI driver of StorageClass ${storageClass.metadata.name}`;
    return refuse({ is: 'otherDriver', content, driver: contentDriver }, detail);
  }
  if (status.readyToUse !== true) return refuse({ is: 'notReady' }, `snapshot ${name} is not Ready`);
  if (held.value.status?.snapshotHandle === undefined) {
    return refuse({ is: 'noHandle', content }, `snapshot handle ${name} is not available`);
  }
  const { restoreSize } = status;
  const request = claim.spec.resources?.requests?.storage ?? '0';
  if (restoreSize !== undefined) {
    const [asked, size] = [quantityValue(claimRequest(claim)), quantityValue(parseQuantity(restoreSize))];
    if (asked < size) {
      const detail = `requested volume size ${asked} is less than the size ${size} for the source snapshot ${name}`;
      return refuse({ is: 'larger', restoreSize, request }, detail);
    }
  }
  const claimMode = volumeModeOf(claim);
  if (sourceVolumeMode !== undefined && sourceVolumeMode !== claimMode) {
    const allowed = held.value.metadata.annotations?.[modeChangeAnnotation];
    if (allowed === undefined || !isTrue(allowed)) {
      const what = `requested volume ${claim.metadata.namespace}/${claim.metadata.name} modifies the mode of the source volume but does not have permission to do so.`;
      const why =
        allowed === undefined
          ? `${modeChangeAnnotation} annotation is not present on snapshotcontent ${content}`
          : `${modeChangeAnnotation} is set to false on snapshotcontent ${content}`;
      return refuse({ is: 'otherMode', sourceMode: sourceVolumeMode, claimMode }, `${what} ${why}`);
    }
  }
  return pass;
}

/** Whether a reference names the object; by its uid only where both are known: manifests have none. */
function refersTo(ref: ObjectReference, object: KubernetesObject): boolean {
  const { uid, namespace, name } = object.metadata;
  const isOther = ref.uid !== undefined && !isManifest(object) && ref.uid !== uid;
  return !isOther && ref.namespace === namespace && ref.name === name;
}

/** What Go's strconv.ParseBool takes for true. */
const isTrue = (text: string): boolean => ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text);

/** Whether the claim that the claim names can be cloned into it. */
export function askClone(
  { claim, driver }: ProvisionRequest,
  source: DataSource,
  view: ProvisionerView,
): Answer<CloneProblem> {
  const { name } = source;
  const refuse = (problem: CloneProblem, detail: string): Answer<CloneProblem> =>
    fail(problem, `error getting handle for DataSource Type PersistentVolumeClaim by Name ${name}: ${detail}`);
  const invalid = (problem: CloneProblem) => refuse(problem, 'claim in dataSource not bound or invalid');
  const seen = view.claim(`${source.namespace}/${name}`);
  if (seen.is === 'unknown') return unknown(seen);
  if (seen.is === 'absent') {
    const cause = `persistentvolumeclaim ${quote(name)} not found`;
    const namespace = quote(claim.metadata.namespace ?? '');
    return refuse({ is: 'missing' }, `error getting PVC ${name} (namespace ${namespace}) from api server: ${cause}`);
  }
  const { metadata, spec, status } = seen.value;
  const phase = status?.phase ?? '';
  if (phase !== 'Bound') {
    // Upstream prints the whole status of the source.
    return refuse({ is: 'notBound', phase }, `the PVC DataSource ${name} must have a status of Bound.  Got ${phase}`);
  }
  if (metadata.deletionTimestamp !== undefined) {
    return refuse({ is: 'terminating' }, `the PVC DataSource ${name} is currently being deleted`);
  }
  if (spec.storageClassName === undefined) {
    return refuse({ is: 'noClass' }, `the source PVC (${name}) storageclass cannot be empty`);
  }
  if (claim.spec.storageClassName === undefined) {
    return refuse(
      { is: 'claimWithoutClass' },
      `the requested PVC (${claim.metadata.name}) storageclass cannot be empty`,
    );
  }
  const [asked, size] = [quantityValue(claimRequest(claim)), quantityValue(claimRequest(seen.value))];
  if (asked < size) {
    const detail = `error, new PVC request must be greater than or equal in size to the specified PVC data source, requested ${asked} but source is ${size}`;
    const request = claim.spec.resources?.requests?.storage ?? '0';
    return refuse({ is: 'larger', size: spec.resources?.requests?.storage ?? '0', request }, detail);
  }
  const volumeName = spec.volumeName ?? '';
  if (volumeName === '') return refuse({ is: 'namesNoVolume' }, `volume name is empty in source PVC ${name}`);
  const held = view.volume(volumeName);
  if (held.is === 'unknown') return unknown(held);
  if (held.is === 'absent') return invalid({ is: 'volumeMissing', volume: volumeName });
  const volume = held.value;
  if (volume.spec.csi === undefined) return invalid({ is: 'volumeNotCSI', volume: volumeName });
  const { driver: volumeDriver = '' } = volume.spec.csi;
  if (volumeDriver !== driver) return invalid({ is: 'otherDriver', volume: volumeName, driver: volumeDriver });
  const ref = volume.spec.claimRef;
  if (ref === undefined) return invalid({ is: 'volumeUnclaimed', volume: volumeName });
  if (!refersTo(ref, seen.value)) {
    return invalid({ is: 'volumeOfOther', volume: volumeName });
  }
  const volumePhase = volume.status?.phase ?? '';
  if (volumePhase !== 'Bound') return invalid({ is: 'volumeNotBound', volume: volumeName, phase: volumePhase });
  const [sourceMode, claimMode] = [volumeModeOf(volume), volumeModeOf(claim)];
  if (sourceMode !== claimMode) {
    const detail = `the source PVC and destination PVCs must have the same volume mode for cloning.  Source is ${sourceMode}, but new PVC requested ${claimMode}`;
    return refuse({ is: 'otherMode', sourceMode, claimMode }, detail);
  }
  return pass;
}

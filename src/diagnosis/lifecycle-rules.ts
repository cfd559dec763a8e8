import type { ClaimKey } from '../api/accessors.ts';
import { AnnArgoHook, AnnArgoSyncWave, AnnHelmHook, CloningProtectionFinalizer } from '../api/annotations.ts';
import type { PersistentVolumeClaim, Workload } from '../api/objects.ts';
import { compareQuantities, parseQuantity } from '../api/quantity.ts';
import { textOfLimitRangeRefusal } from '../engine/admission/limit-range.ts';
import { textOfQuotaAnswer } from '../engine/admission/quota.ts';
import { dataSourceOf } from '../engine/provisioner/data-source.ts';
import { isManifest } from '../snapshot/stored.ts';
import { bindRefusal, halfBound } from './bind-refusal.ts';
import {
  ephemeralNotCreated,
  type NotCreated,
  templateDifferences,
  templateOwner,
  usersByTemplate,
} from './claims-not-created.ts';
import { type Finding, finding } from './codes.ts';
import type { Examination } from './diagnose.ts';
import { eventsOf } from './events-of.ts';
import type { Verdict } from './verdict.ts';

// What happens to the objects around a claim: specification scheduler-and-provisioning 6.5, 6.6, 7 and 8 G.

type Found = readonly (Finding | undefined)[];

/** Why a claim that somebody wants is not there. */
export function missingClaimFindings(examination: Examination, key: ClaimKey): Found {
  const { snapshot, features } = examination.simulation;
  const found = examination.notCreated.get(key) ?? ephemeralNotCreated(snapshot, examination.users(key), key, features);
  return [namespaceFinding(examination, key), found === undefined ? undefined : notCreatedFinding(key, found)];
}

function notCreatedFinding(claim: ClaimKey, { owner, message = '', refusal }: NotCreated): Finding {
  if (refusal?.by === 'ResourceQuota') {
    return finding('QuotaExceeded', { claim, quota: refusal.answer.quota, message: textOfQuotaAnswer(refusal.answer) });
  }
  if (refusal?.by === 'LimitRanger') {
    const { limitRange } = refusal.refusal;
    return finding('LimitRangeForbids', { claim, limitRange, message: textOfLimitRangeRefusal(refusal.refusal) });
  }
  const quota = /exceeded quota: ([^,\s]+),/.exec(message)?.[1];
  if (quota !== undefined) return finding('QuotaExceeded', { claim, quota, message: reasonOf(message) });
  if (message.includes('usage per PersistentVolumeClaim is')) {
    return finding('LimitRangeForbids', { claim, message: reasonOf(message) });
  }
  return finding('ClaimCreationFails', { owner, message });
}

/** A message without the name of the object that it is about. */
const reasonOf = (message: string): string => message.replace(/^\S+ "[^"]*" is forbidden: /, '');

/** What goes for a claim wherever it stands, before everything else. */
export function surroundingFindings(
  examination: Examination,
  key: ClaimKey,
  claim: PersistentVolumeClaim,
  { outcome }: Verdict,
): Found {
  if (outcome === 'Bound' || outcome === 'Terminating' || outcome === 'Invalid') return [];
  const refused = bindRefusal(examination, claim);
  const volume = halfBound(examination, claim)?.metadata.name;
  return [
    namespaceFinding(examination, key),
    refused === undefined
      ? undefined
      : finding('BindRefused', { ...(volume === undefined ? {} : { volume }), ...refused }),
    outcome === 'Stuck' ? otherVolumeReserved(examination, key, claim) : undefined,
  ];
}

function namespaceFinding({ simulation: { snapshot } }: Examination, key: ClaimKey): Finding | undefined {
  const namespace = key.slice(0, key.indexOf('/'));
  const phase = snapshot.get('Namespace', namespace)?.status?.phase;
  return phase === 'Terminating' ? finding('NamespaceTerminating', { namespace }) : undefined;
}

function otherVolumeReserved(
  { census }: Examination,
  key: ClaimKey,
  { spec: { volumeName: named = '' } }: PersistentVolumeClaim,
): Finding | undefined {
  const reserved = census.namedFor(key).find(({ metadata }) => metadata.name !== named)?.metadata.name;
  return named === '' || reserved === undefined ? undefined : finding('OtherVolumeReserved', { named, reserved });
}

/** What deserves a line besides the cause. */
export function lifecycleRemarks(
  examination: Examination,
  key: ClaimKey,
  claim: PersistentVolumeClaim,
  { outcome }: Verdict,
): Found {
  switch (outcome) {
    case 'Bound':
      return [resize(claim), attributesClass(claim)];
    case 'Terminating':
      return [namespaceFinding(examination, key), heldByClones(examination, key, claim)];
    case 'WillBind':
      return [bindUnfinished(examination, claim), staleTemplate(examination, key, claim)];
    case 'WaitsForConsumer':
      return [
        examination.users(key).length > 0 ? undefined : deploymentWaits(claim),
        staleTemplate(examination, key, claim),
      ];
    case 'Invalid':
    case 'Lost':
      return [];
    default:
      return [staleTemplate(examination, key, claim)];
  }
}

/** Why no pod has come that uses a delayed claim. */
export function absentPodFindings(examination: Examination, key: ClaimKey): Found {
  const { snapshot } = examination.simulation;
  if (examination.users(key).length > 0) return [];
  const namespace = key.slice(0, key.indexOf('/'));
  const arePodsKnown = ['present', 'empty'].includes(snapshot.coverage('Pod', namespace).is);
  const users = usersByTemplate(snapshot, key);
  const [wanting] = users.filter(({ isWanted }) => isWanted);
  if (wanting === undefined) {
    const [user] = users;
    if (user === undefined) return [];
    const workload = `${user.kind} ${namespace}/${user.workload.metadata.name}`;
    return [finding('ConsumerScaledDown', { workload, replicas: user.replicas })];
  }
  const { kind, workload } = wanting;
  const name = `${kind} ${namespace}/${workload.metadata.name}`;
  const creators = [name, ...replicaSetsOf(examination, wanting.workload)];
  const failed = creators
    .flatMap((creator) => eventsOf(snapshot, creator))
    .findLast(({ reason }) => reason === 'FailedCreate');
  if (failed?.message !== undefined) {
    const message = failed.message.replace(/^Error creating: /, '');
    return [finding('ConsumerNotCreated', { workload: name, message })];
  }
  return arePodsKnown ? [finding('ConsumerNotCreated', { workload: name })] : [];
}

/** The ReplicaSets of a Deployment: the pods, and the events about them, are theirs. */
function replicaSetsOf({ simulation: { snapshot } }: Examination, { metadata }: Workload): readonly string[] {
  return snapshot
    .list('ReplicaSet')
    .filter(
      (one) =>
        one.metadata.namespace === metadata.namespace &&
        one.metadata.ownerReferences?.some(({ kind, name }) => kind === 'Deployment' && name === metadata.name),
    )
    .map((one) => `ReplicaSet ${one.metadata.namespace}/${one.metadata.name}`);
}

/** Marks of tools that create things in steps and wait between them. */
function deploymentWaits({ metadata: { annotations = {} } }: PersistentVolumeClaim): Finding | undefined {
  const marked = (tool: 'Helm' | 'Argo CD', keys: readonly string[]) => {
    const key = keys.find((one) => annotations[one] !== undefined);
    return key === undefined
      ? undefined
      : finding('DeploymentWaitsForClaim', { tool, mark: `${key}: ${annotations[key]}` });
  };
  return marked('Argo CD', [AnnArgoSyncWave, AnnArgoHook]) ?? marked('Helm', [AnnHelmHook]);
}

function heldByClones(
  examination: Examination,
  key: ClaimKey,
  { metadata }: PersistentVolumeClaim,
): Finding | undefined {
  if (!metadata.finalizers?.includes(CloningProtectionFinalizer)) return undefined;
  const claims = [...examination.claims]
    .filter(([, { status }]) => status?.phase !== 'Bound')
    .filter(([, claim]) => {
      const source = dataSourceOf(claim);
      return source?.kind === 'PersistentVolumeClaim' && `${source.namespace}/${source.name}` === key;
    })
    .map(([clone]) => clone);
  return claims.length === 0 ? undefined : finding('HeldByClones', { claims });
}

function staleTemplate(
  { simulation: { snapshot } }: Examination,
  key: ClaimKey,
  claim: PersistentVolumeClaim,
): Finding | undefined {
  const owner = templateOwner(snapshot, key);
  if (owner === undefined) return undefined;
  const differences = templateDifferences(claim, owner.template);
  const { namespace, name } = owner.statefulSet.metadata;
  return differences.length === 0
    ? undefined
    : finding('StaleTemplateClaim', { statefulSet: `${namespace}/${name}`, differences });
}

/** A binding that only the last writes are missing of, and that for longer than these take, in milliseconds. */
const bindingTakesMs = 5 * 60_000;

function bindUnfinished(examination: Examination, claim: PersistentVolumeClaim): Finding | undefined {
  const volume = halfBound(examination, claim);
  const { capturedAt = '' } = examination.simulation.snapshot;
  if (volume === undefined || isManifest(claim)) return undefined;
  const begun = Math.max(...[claim, volume].map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '')));
  return Date.parse(capturedAt) - begun > bindingTakesMs
    ? finding('BindUnfinished', { volume: volume.metadata.name })
    : undefined;
}

const resizeStates: Readonly<Record<string, string>> = {
  ControllerResizeInProgress: 'the driver makes it larger',
  ControllerResizeInfeasible: 'the driver says that it cannot be made larger',
  ControllerResizeError: 'the driver fails to make it larger',
  NodeResizePending: 'the file system grows when a pod mounts it',
  NodeResizeInProgress: 'the node makes its file system larger',
  NodeResizeInfeasible: 'the node says that its file system cannot grow',
  NodeResizeError: 'the node fails to make its file system larger',
  Resizing: 'the driver makes it larger',
  FileSystemResizePending: 'the file system grows when a pod mounts it',
};

/** A bound claim that asks for more than it has. */
function resize({ spec, status }: PersistentVolumeClaim): Finding | undefined {
  const request = spec.resources?.requests?.storage;
  const capacity = status?.capacity?.storage;
  if (request === undefined || capacity === undefined) return undefined;
  if (compareQuantities(parseQuantity(request), parseQuantity(capacity)) <= 0) return undefined;
  const condition = status?.conditions?.find(
    ({ type, status: is }) => is === 'True' && resizeStates[type] !== undefined,
  );
  const state = status?.allocatedResourceStatuses?.storage ?? condition?.type ?? '';
  return finding('ResizeUnfinished', {
    request,
    capacity,
    state: resizeStates[state] ?? 'nothing has begun yet',
    ...(condition?.message ? { message: condition.message } : {}),
  });
}

const modifyStates: Readonly<Record<string, string>> = {
  Pending: 'waits for that class to exist, or for the driver',
  InProgress: 'the driver changes it',
  Infeasible: 'the driver says that it cannot be changed so',
};

/** A bound claim whose VolumeAttributesClass is being changed. */
function attributesClass({ status }: PersistentVolumeClaim): Finding | undefined {
  const { targetVolumeAttributesClassName: to = '', status: state = '' } = status?.modifyVolumeStatus ?? {};
  if (to === '') return undefined;
  const from = status?.currentVolumeAttributesClassName;
  return finding('AttributesClassChange', {
    ...(from === undefined ? {} : { from }),
    to,
    state: modifyStates[state] ?? state,
  });
}

import type { Entry } from './catalogue.ts';
import type { ChangedField, CheckFindingArgs } from './check-codes.ts';
import { count, list, quote } from './words.ts';

const changeText = ({ field, before, after }: ChangedField): string =>
  `${field} is ${before === '' ? 'absent' : before}, the manifest says ${after === '' ? 'nothing' : after}`;

const some = (claims: readonly string[], n: number): string =>
  n > 3 ? `${claims[0]} and ${n - 1} more claims` : list(claims);

/** What is said about manifests. */
export const checkCatalogue: { readonly [C in keyof CheckFindingArgs]: Entry<Readonly<CheckFindingArgs[C]>> } = {
  ManifestUnreadable: {
    since: '0.1',
    severity: 'error',
    rule: 'kubectl applies only what it can read: YAML or JSON, each document an object with apiVersion, kind and a name.',
    what: ({ reason }) => `the manifest cannot be read: ${reason}`,
    why: ({ reason }) => `kubectl would refuse the document: ${reason}.`,
    short: () => 'cannot be read',
    example: { reason: 'duplicated mapping key' },
  },
  ManifestMalformed: {
    since: '0.1',
    severity: 'error',
    rule: 'A field must have the type that its kind gives it: a text where a text belongs, a number where a number does.',
    what: ({ reason }) => `a field has the wrong type: ${reason}`,
    why: ({ object, reason }) => `${object} cannot be read as what it says it is: ${reason}.`,
    short: () => 'wrong type',
    example: { object: 'StatefulSet shop/db', reason: 'spec.replicas: expected an integer, found the text "three"' },
  },
  DuplicateManifest: {
    since: '0.1',
    severity: 'warning',
    rule: 'Of two manifests for the same object the one that is applied last wins; the order of files decides.',
    what: ({ other }) => `it is also in ${other}`,
    why: ({ object, other }) => `${object} is also in ${other}, which is applied later and replaces this one.`,
    todo: () => 'Keep one of them.',
    short: () => 'applied twice',
    example: { object: 'PersistentVolumeClaim shop/data', other: 'deploy/data.yaml:12' },
  },

  NotDecoded: {
    since: '0.1',
    severity: 'error',
    rule: 'The API server refuses an object with a field of the wrong type or an amount that it cannot read.',
    what: ({ message }) => `the API server cannot read it: ${message}`,
    why: ({ kind, message }) => `The API server would say: ${kind} cannot be handled as a ${kind}: ${message}.`,
    short: () => 'cannot be decoded',
    example: { kind: 'PersistentVolumeClaim', message: 'quantities must match the regular expression' },
  },
  InvalidObject: {
    since: '0.1',
    severity: 'error',
    rule: 'The API server refuses a volume or a class that breaks the rules of validation.',
    what: ({ errors }) => `the API server refuses it: ${errors[0] ?? 'it is invalid'}`,
    why: ({ errors }) => `The API server would say: ${errors.join('; ')}.`,
    short: ({ errors }) => errors[0] ?? 'refused',
    example: { kind: 'PersistentVolume', name: 'films-1', errors: ['spec.capacity: Required value'] },
  },
  UnknownField: {
    since: '0.1',
    severity: 'error',
    rule: 'kubectl asks the API server to refuse fields that a kind does not have; other clients drop them without a word.',
    what: ({ field, nearest }) =>
      `there is no field ${quote(field)}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
    why: ({ kind, field }) =>
      `${kind} has no field ${field}: kubectl refuses the manifest, and where it is not refused the field does nothing.`,
    todo: ({ nearest }) => (nearest === undefined ? 'Remove it.' : `Write ${nearest}.`),
    short: ({ field }) => `no field ${field}`,
    example: { kind: 'PersistentVolumeClaim', field: 'spec.storageClass', nearest: 'storageClassName' },
  },
  ResourceVersionSet: {
    since: '0.1',
    severity: 'error',
    rule: 'A manifest that was exported from a cluster carries the resourceVersion of the old object; no object can be created with one.',
    what: () => 'resourceVersion should not be set on objects to be created',
    why: ({ kind }) =>
      `The manifest was exported: ${kind} objects that carry metadata.resourceVersion cannot be created.`,
    todo: () => 'Remove metadata.resourceVersion, uid, creationTimestamp and status.',
    short: () => 'has a resourceVersion',
    example: { kind: 'PersistentVolumeClaim' },
  },
  NamespaceMissing: {
    since: '0.1',
    severity: 'error',
    rule: 'Objects are created only in a namespace that exists and is not being deleted.',
    what: ({ namespace, nearest }) =>
      `there is no namespace ${quote(namespace)}${nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`}`,
    why: ({ namespace }) =>
      `Namespace ${quote(namespace)} is neither in the cluster nor among the manifests, or it is being deleted: nothing can be created in it.`,
    todo: ({ namespace }) => `kubectl create namespace ${namespace}`,
    short: ({ namespace }) => `no namespace ${namespace}`,
    example: { namespace: 'shpo', nearest: 'shop' },
  },
  SeveralDefaultsRefused: {
    since: '0.1',
    severity: 'error',
    rule: 'Up to 1.25 a claim without a class is refused while several classes are marked as default.',
    what: ({ classes }) => `it names no class, and ${list(classes)} are all marked as default`,
    why: ({ classes, release }) =>
      `In Kubernetes ${release} a claim without a class is refused while ${count(classes.length, 'class', 'classes')} are marked as default (${list(classes)}).`,
    todo: () => 'Name the class in the claim, or leave one default class.',
    short: () => 'several default classes',
    example: { classes: ['fast', 'standard'], release: '1.25' },
  },
  QuotaNotCounted: {
    since: '0.1',
    severity: 'error',
    rule: 'While nobody has counted the usage of a quota, the API server refuses what it limits.',
    what: ({ quota }) => `the usage of quota ${quota} is not known yet`,
    why: ({ quota, resources }) => `status unknown for quota: ${quota}, resources: ${resources.join(',')}.`,
    short: ({ quota }) => `quota ${quota} not counted`,
    example: { quota: 'storage', resources: ['requests.storage'] },
  },
  AdmissionWarning: {
    since: '0.1',
    severity: 'info',
    rule: 'The API server lets some things pass with a warning.',
    what: ({ message }) => `the API server warns: ${message}`,
    why: ({ message }) => `The API server would create the object and warn: ${message}.`,
    short: () => 'a warning',
    example: {
      message: 'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
    },
  },

  ImmutableFieldChanged: {
    since: '0.1',
    severity: 'error',
    rule: 'Most fields of claims, of classes, of the source of volumes and of the claim templates of StatefulSets cannot be changed once the object exists.',
    what: ({ changes }) => `it exists with another spec: ${list(changes.map(changeText), 2)}`,
    why: ({ kind, changes }) =>
      `The API server refuses the change, since these fields of a ${kind} cannot be changed: ${changes.map(changeText).join('; ')}.`,
    todo: ({ kind }) =>
      kind === 'StatefulSet'
        ? 'Delete the StatefulSet with --cascade=orphan and create it again; its claims keep their old spec.'
        : `Use another name; or delete the ${kind} and create it again, if what it holds may go.`,
    short: ({ changes }) => `${changes[0]?.field ?? 'spec'} cannot be changed`,
    example: {
      kind: 'PersistentVolumeClaim',
      name: 'shop/data',
      changes: [{ field: 'spec.storageClassName', before: 'standard', after: 'fast' }],
    },
  },
  UpdateRefused: {
    since: '0.1',
    severity: 'error',
    rule: 'A change of an object is validated like a new one, and some values may not go back.',
    what: ({ errors }) => `the change of it is refused: ${errors[0] ?? ''}`,
    why: ({ errors }) => `The API server would say: ${errors.join('; ')}.`,
    short: ({ errors }) => errors[0] ?? 'refused',
    example: {
      kind: 'PersistentVolumeClaim',
      name: 'shop/data',
      errors: ['spec.resources.requests.storage: Forbidden: field can not be less than status.capacity'],
    },
  },
  ExpansionRefused: {
    since: '0.1',
    severity: 'error',
    rule: 'Only a bound claim of a class with allowVolumeExpansion: true can be made larger.',
    what: ({ before, after }) => `it cannot grow from ${before} to ${after}`,
    why: ({ reason }) => `The API server would say: ${reason}.`,
    todo: ({ before }) => `Set allowVolumeExpansion: true on the class, if its driver can do that; or keep ${before}.`,
    short: ({ before }) => `cannot grow from ${before}`,
    example: {
      claim: 'shop/data',
      before: '10Gi',
      after: '20Gi',
      reason:
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    },
  },
  WaitingClaimLoses: {
    since: '0.1',
    severity: 'error',
    rule: 'A volume serves one claim: what the manifests take, a claim that waits already does not get.',
    what: ({ claims, count: n }) => `${some(claims, n)}, waiting already, would no longer be served`,
    why: ({ claims, count: n }) =>
      `Without these manifests there is a volume for ${some(claims, n)}; with them there are not enough.`,
    todo: () => 'Provide more volumes, or tie a volume to the claim that needs it with claimRef.',
    short: ({ claims, count: n }) => `takes a volume from ${some(claims, n)}`,
    example: { claims: ['media/series'], count: 1 },
  },

  ClaimWaitsForLaterPod: {
    since: '0.1',
    severity: 'error',
    rule: 'A claim whose class waits for a pod stays Pending until the pod is created. A tool that waits for the claim before it creates the pod waits for ever.',
    what: ({ tool, pod }) =>
      `${tool} waits for the claim before it creates ${pod === undefined ? 'anything that uses it' : pod}, and the claim waits for that`,
    why: ({ claim, class: name, tool, stage, pod, podStage }) =>
      `${tool} goes on after ${stage} only when claim ${claim} is bound. Class ${quote(name)} binds it when a pod uses it, and ${pod === undefined ? 'nothing in this stage or before does' : `${pod} comes later (${podStage})`}.`,
    todo: ({ pod }) =>
      `Put the claim ${pod === undefined ? 'and what uses it' : `and ${pod}`} into the same stage, or use a class with volumeBindingMode Immediate.`,
    short: ({ tool }) => `${tool} waits for it before its pod`,
    example: {
      claim: 'shop/data',
      class: 'standard',
      tool: 'Argo CD',
      stage: 'sync wave -1',
      pod: 'Deployment shop/web',
      podStage: 'sync wave 0',
    },
  },
  PodWaitsForLaterClaim: {
    since: '0.1',
    severity: 'error',
    rule: 'A pod that uses a claim which does not exist is not scheduled. A tool that waits for the pod before it creates the claim waits for ever.',
    what: ({ tool, pod }) => `${tool} waits for ${pod} before it creates the claim that this uses`,
    why: ({ claim, tool, stage, pod, podStage }) =>
      `${pod} (${podStage}) uses claim ${claim}, which comes later (${stage}); ${tool} does not go on before ${pod} is done or healthy.`,
    todo: ({ pod }) => `Create the claim in the stage of ${pod} or before.`,
    short: ({ pod }) => `${pod} comes before it`,
    example: {
      claim: 'shop/data',
      tool: 'Helm',
      stage: 'the release itself',
      pod: 'Job shop/migrate',
      podStage: 'hook pre-install',
    },
  },
};

import type { Entry } from './catalogue.ts';
import type { LifecycleArgs } from './lifecycle-codes.ts';
import { list, quote, size } from './words.ts';

/** What is said about the objects around a claim; see catalogue.ts. */
export const lifecycleCatalogue: { readonly [C in keyof LifecycleArgs]: Entry<Readonly<LifecycleArgs[C]>> } = {
  QuotaExceeded: {
    since: '0.1',
    severity: 'error',
    rule: 'A ResourceQuota limits the number and the total size of the claims of a namespace, of all classes or of one. What would exceed it is not created.',
    what: ({ quota }) => `it cannot be created: ${quota === undefined ? 'a quota' : `quota ${quota}`} is used up`,
    why: ({ claim, message }) => `The API server refuses to create claim ${claim}: ${quote(message)}.`,
    todo: ({ quota }) =>
      `Raise ${quota === undefined ? 'the quota' : `quota ${quota}`}, delete claims that are not needed, or ask for less.`,
    short: ({ quota }) => `${quota === undefined ? 'quota' : `quota ${quota}`} exceeded`,
    example: {
      claim: 'shop/data-web-2',
      quota: 'storage',
      message:
        'exceeded quota: storage, requested: requests.storage=10Gi, used: requests.storage=20Gi, limited: requests.storage=25Gi',
    },
  },
  LimitRangeForbids: {
    since: '0.1',
    severity: 'error',
    rule: 'A LimitRange sets the smallest and the largest size of a claim in a namespace.',
    what: ({ limitRange }) =>
      `it cannot be created: ${limitRange === undefined ? 'a LimitRange' : `LimitRange ${limitRange}`} forbids its size`,
    why: ({ claim, message }) => `The API server refuses to create claim ${claim}: ${quote(message)}.`,
    todo: () => 'Ask for a size within the limits, or change the LimitRange.',
    short: ({ limitRange }) => `forbidden by LimitRange${limitRange === undefined ? '' : ` ${limitRange}`}`,
    example: {
      claim: 'shop/data-web-0',
      limitRange: 'storage',
      message: 'maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 20Gi',
    },
  },
  ClaimCreationFails: {
    since: '0.1',
    severity: 'error',
    rule: 'A StatefulSet creates the claims of a pod before the pod; while that fails, there is neither.',
    what: ({ owner }) => `${owner} cannot create it`,
    why: ({ owner, message }) => `${owner} tries to create the claim, and the API server refuses: ${quote(message)}.`,
    short: ({ owner }) => `${owner} cannot create it`,
    example: {
      owner: 'StatefulSet shop/web',
      message: 'persistentvolumeclaims "data-web-0" is forbidden: unable to create new content in namespace shop',
    },
  },

  ConsumerNotCreated: {
    since: '0.1',
    severity: 'error',
    rule: 'A delayed claim waits for a pod; where the controller of the pod cannot create it, for a quota, a policy, a webhook or a missing service account, there will be none.',
    what: ({ workload, message }) =>
      `${workload} uses it, but has no pod${message === undefined ? '' : ': it cannot be created'}`,
    why: ({ workload, message }) =>
      message === undefined
        ? `${workload} uses the claim and wants pods, but there is none; look at its events.`
        : `${workload} uses the claim, but its pod cannot be created: ${quote(message)}.`,
    todo: ({ workload, message }) =>
      message === undefined
        ? `Look at the events of ${workload}.`
        : 'Remove what the message names; the claim is bound with the pod then.',
    short: ({ workload }) => `${workload} has no pod`,
    example: {
      workload: 'ReplicaSet shop/web-7f9c',
      message:
        'pods "web-7f9c-" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=10, limited: pods=10',
    },
  },
  ConsumerScaledDown: {
    since: '0.1',
    severity: 'info',
    rule: 'A delayed claim waits for a pod; a workload that is scaled down has none for it.',
    what: ({ workload, replicas }) => `${workload} uses it, but is scaled to ${replicas}`,
    why: ({ workload, replicas }) =>
      `${workload} uses the claim and is scaled to ${replicas}, so it has no pod that the claim could wait for.`,
    todo: ({ workload }) => `Scale ${workload} up when it is needed.`,
    short: ({ workload, replicas }) => `${workload} is scaled to ${replicas}`,
    example: { workload: 'Deployment shop/web', replicas: 0 },
  },
  DeploymentWaitsForClaim: {
    since: '0.1',
    severity: 'warning',
    rule: 'A claim of a class with WaitForFirstConsumer is bound only when a pod uses it. A tool that waits for the claim before it creates the pod waits for ever.',
    what: ({ tool }) => `${tool} may be waiting for it, while it waits for a pod`,
    why: ({ tool, mark }) =>
      tool === 'Helm'
        ? `The claim belongs to Helm (${mark}): with --wait, Helm creates what comes later, hooks after the installation for instance, only when the claim is bound, and it is bound only when a pod uses it.`
        : `The claim carries ${mark}: Argo CD goes on to the next wave only when the claim is healthy, that is bound, and it is bound only when a pod uses it.`,
    todo: ({ tool }) =>
      tool === 'Helm'
        ? 'Let the pod that uses it belong to the same step as the claim, or do not wait.'
        : 'Put the claim and the first pod that uses it into the same wave, or give Argo CD a health check that takes Pending for healthy.',
    short: ({ tool }) => `${tool} may wait for it`,
    example: { tool: 'Argo CD', mark: 'argocd.argoproj.io/sync-wave: -1' },
  },

  NamespaceTerminating: {
    since: '0.1',
    severity: 'error',
    rule: 'In a namespace that is being deleted nothing new is created, and what is there goes.',
    what: ({ namespace }) => `namespace ${namespace} is being deleted`,
    why: ({ namespace }) =>
      `Namespace ${namespace} is being deleted: its claims go with it, and neither pods nor claims can be created in it.`,
    todo: () => 'Wait until it is gone, then create namespace and claim again.',
    short: ({ namespace }) => `namespace ${namespace} is being deleted`,
    example: { namespace: 'shop' },
  },
  HeldByClones: {
    since: '0.1',
    severity: 'warning',
    rule: 'A claim that is being cloned is kept (finalizer provisioner.storage.kubernetes.io/cloning-protection) until every clone of it is made.',
    what: ({ claims }) => `${list(claims)} ${claims.length === 1 ? 'is' : 'are'} to be cloned from it`,
    why: ({ claims }) =>
      `The claim is kept until its clones are made; ${list(claims)} ${claims.length === 1 ? 'waits' : 'wait'} for that still.`,
    todo: ({ claims }) => `Look at what keeps ${list(claims, 2)}: kubectl pvc-explain ${claims[0] ?? ''}`,
    short: ({ claims }) => `source of ${list(claims, 2)}`,
    example: { claims: ['shop/films-copy'] },
  },
  StaleTemplateClaim: {
    since: '0.1',
    severity: 'warning',
    rule: 'A StatefulSet takes a claim of the right name as it is; what is changed in volumeClaimTemplates later never reaches it.',
    what: ({ statefulSet, differences }) =>
      `it is older than the template of StatefulSet ${statefulSet}: ${list(differences.map(({ field }) => field))}`,
    why: ({ statefulSet, differences }) =>
      `StatefulSet ${statefulSet} uses the claim as it is, although its template says otherwise by now: ${list(differences.map(({ field, claim, template }) => `${field} is ${claim || '""'}, the template has ${template || '""'}`))}.`,
    todo: () => 'If the claim holds nothing of value, delete it and its pod: both are created again from the template.',
    short: ({ differences }) => `template has another ${list(differences.map(({ field }) => field))}`,
    example: {
      statefulSet: 'db/db',
      differences: [{ field: 'storageClassName', claim: 'slow', template: 'fast' }],
    },
  },

  OtherVolumeReserved: {
    since: '0.1',
    severity: 'error',
    rule: 'A claim that names a volume gets that one or none; a reservation of another volume for it counts for nothing then, and nobody else gets that volume.',
    what: ({ named, reserved }) => `it names volume ${named}, but ${reserved} is reserved for it`,
    why: ({ named, reserved }) =>
      `spec.volumeName is ${quote(named)}, while claimRef of volume ${reserved} names this claim: the two do not meet.`,
    todo: ({ named, reserved }) =>
      `Recreate the claim with volumeName: ${reserved}, or without it; or reserve ${named} for it and take claimRef off ${reserved}.`,
    short: ({ reserved }) => `${reserved} is reserved for it`,
    example: { named: 'disk-1', reserved: 'disk-2' },
  },
  BindUnfinished: {
    since: '0.1',
    severity: 'warning',
    rule: 'A binding is four writes, and the controller completes it at the next sync, within 15 seconds.',
    what: ({ volume }) => `the binding to ${volume} was begun and not completed`,
    why: ({ volume }) =>
      `Claim and volume ${volume} name each other, uid and all, and only the last writes are missing. That takes seconds; if it lasts, the controller does not run, or something (a webhook, a policy) refuses its writes. Its log tells, there is no event.`,
    todo: () => 'Look at the log of kube-controller-manager for "Could not sync claim" or "could not update".',
    short: ({ volume }) => `half bound to ${volume}`,
    example: { volume: 'disk-1' },
  },
  BindRefused: {
    since: '0.1',
    severity: 'error',
    rule: 'The last step of a binding updates the claim, and that passes admission as any update: a LimitRange that was created or tightened later refuses it. There is no event, only a line in the log of kube-controller-manager.',
    what: ({ limitRange }) => `LimitRange ${limitRange} forbids every write to it, so it cannot be bound`,
    why: ({ volume, limitRange, message }) =>
      `The claim is outside of LimitRange ${limitRange} (${quote(message)}), and that is checked again when the claim is updated: ${volume === undefined ? 'whatever volume it gets' : `volume ${volume} says that it is bound to it`}, the controller's update of the claim is refused at every try, without an event.`,
    todo: ({ limitRange }) =>
      `Change LimitRange ${limitRange}, and the binding completes by itself; or recreate the claim within the limits.`,
    short: ({ limitRange }) => `LimitRange ${limitRange} refuses the binding`,
    example: {
      volume: 'disk-1',
      limitRange: 'storage',
      message: 'minimum storage usage per PersistentVolumeClaim is 5Gi, but request is 1Gi',
    },
  },

  ResizeUnfinished: {
    since: '0.1',
    severity: 'info',
    rule: 'A bound claim that asks for more is resized by the driver first and by the node afterwards, when a pod uses it.',
    what: ({ request, capacity, state }) => `it is ${capacity} and asks for ${request}: ${state}`,
    why: ({ request, capacity, state, message }) =>
      `The claim has ${size(capacity)} and asks for ${size(request)}: ${state}${message === undefined ? '' : ` (${quote(message)})`}.`,
    short: ({ request, state }) => `grows to ${request}: ${state}`,
    example: { request: '20Gi', capacity: '10Gi', state: 'waits for a pod that mounts it' },
  },
  AttributesClassChange: {
    since: '0.1',
    severity: 'info',
    rule: 'The VolumeAttributesClass of a bound claim can be changed; the driver carries it out, or says that it cannot.',
    what: ({ to, state }) => `its VolumeAttributesClass changes to ${quote(to)}: ${state}`,
    why: ({ from, to, state }) =>
      `The claim has VolumeAttributesClass ${from === undefined ? 'none' : quote(from)} and is to have ${quote(to)}: ${state}.`,
    short: ({ to, state }) => `to attributes class ${to}: ${state}`,
    example: { from: 'silver', to: 'gold', state: 'in progress' },
  },
};

import type { ClaimKey } from '../api/accessors.ts';
import { AnnBetaStorageClass } from '../api/annotations.ts';
import type { Features } from '../api/features.ts';
import { getOrSet } from '../api/get-or-set.ts';
import type { Event, PersistentVolumeClaim, PersistentVolumeClaimTemplate, Pod, Workload } from '../api/objects.ts';
import { admitClaim, type Refusal } from '../engine/admission/admit.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { eventsOf } from './events-of.ts';

/** A claim that its owner wants and cannot create. */
export interface NotCreated {
  /** "StatefulSet shop/web" */
  readonly owner: string;
  /** The API server's words in an event of the owner. */
  readonly message?: string;
  /** What the API server would say now. */
  readonly refusal?: Refusal;
}

/** The StatefulSet that wants a claim of this name, with its template for it. */
export interface TemplateOwner {
  readonly statefulSet: Workload;
  readonly template: PersistentVolumeClaimTemplate;
  readonly ordinal: number;
}

/** Which StatefulSet a claim belongs to by its name, "TEMPLATE-STATEFULSET-ORDINAL". */
// specification scheduler-and-provisioning 4.2
export function templateOwner(snapshot: Snapshot, key: ClaimKey): TemplateOwner | undefined {
  const [namespace = '', name = ''] = key.split('/');
  const ordinal = /-(\d+)$/.exec(name)?.[1];
  if (ordinal === undefined) return undefined;
  const stem = name.slice(0, -ordinal.length - 1);
  for (const statefulSet of statefulSetsOf(snapshot, namespace)) {
    if (!stem.endsWith(`-${statefulSet.metadata.name}`)) continue;
    const wanted = stem.slice(0, -statefulSet.metadata.name.length - 1);
    const template = statefulSet.spec?.volumeClaimTemplates?.find(({ metadata }) => metadata?.name === wanted);
    if (template !== undefined) return { statefulSet, template, ordinal: Number(ordinal) };
  }
  return undefined;
}

const byNamespace = new WeakMap<Snapshot, ReadonlyMap<string, readonly Workload[]>>();

function statefulSetsOf(snapshot: Snapshot, namespace: string): readonly Workload[] {
  let index = byNamespace.get(snapshot);
  if (index === undefined) {
    const sets = new Map<string, Workload[]>();
    for (const one of snapshot.list('StatefulSet')) {
      getOrSet(sets, one.metadata.namespace ?? '', () => []).push(one);
    }
    byNamespace.set(snapshot, sets);
    index = sets;
  }
  return index.get(namespace) ?? [];
}

/**
 * The claims that a StatefulSet tried to create in vain, as its events tell, and those of its next pod that the API server would
 * refuse now; the claims of pods that are there are not among them.
 */
export function claimsNotCreated(snapshot: Snapshot, features: Features): ReadonlyMap<ClaimKey, NotCreated> {
  const found = new Map<ClaimKey, NotCreated>();
  for (const statefulSet of snapshot.list('StatefulSet')) {
    const { namespace = '', name } = statefulSet.metadata;
    const owner = `StatefulSet ${namespace}/${name}`;
    for (const event of eventsOf(snapshot, owner)) {
      const told = event.reason === 'FailedCreate' ? creationFailure(event) : undefined;
      const key = `${namespace}/${told?.claim}`;
      if (told === undefined || snapshot.get('PersistentVolumeClaim', key) !== undefined) continue;
      found.set(key, { owner, message: told.message });
    }
    for (const [key, claim] of claimsOfNextPod(snapshot, statefulSet)) {
      const refusal = refusalOf(snapshot, claim, features);
      if (refusal !== undefined) found.set(key, { owner, ...found.get(key), refusal });
    }
  }
  return found;
}

/** Why the claim of an ephemeral volume of a pod is not there. */
export function ephemeralNotCreated(
  snapshot: Snapshot,
  pods: readonly Pod[],
  key: ClaimKey,
  features: Features,
): NotCreated | undefined {
  const name = key.slice(key.indexOf('/') + 1);
  for (const pod of pods) {
    const volume = pod.spec.volumes?.find((one) => one.ephemeral && `${pod.metadata.name}-${one.name}` === name);
    const template = volume?.ephemeral?.volumeClaimTemplate;
    if (volume === undefined || template === undefined) continue;
    const owner = `Pod ${pod.metadata.namespace}/${pod.metadata.name}`;
    const words = `ephemeral volume ${volume.name}: create PVC ${name}: `;
    const event = eventsOf(snapshot, owner).findLast((one) => one.message?.startsWith(words));
    const message = event?.message?.slice(words.length);
    const refusal = refusalOf(snapshot, claimOf(template, name, pod.metadata.namespace ?? ''), features);
    if (message === undefined && refusal === undefined) return undefined;
    return {
      owner,
      ...(message === undefined ? {} : { message }),
      ...(refusal === undefined ? {} : { refusal }),
    };
  }
  return undefined;
}

// pkg/controller/statefulset/stateful_pod_control.go, createPersistentVolumeClaims; up to 1.35 it begins with a small letter.
function creationFailure({ message = '' }: Event): { readonly claim: string; readonly message: string } | undefined {
  const match = /^create Claim (\S+) for Pod \S+ in StatefulSet \S+ failed error: ([\s\S]*)$/i.exec(message);
  return match?.[1] === undefined || match[2] === undefined ? undefined : { claim: match[1], message: match[2] };
}

/** The claims, of those that do not exist, of the first pod that does not exist; its predecessors have theirs. */
function claimsOfNextPod(
  snapshot: Snapshot,
  { metadata, spec }: Workload,
): readonly (readonly [ClaimKey, PersistentVolumeClaim])[] {
  const { namespace = '', name } = metadata;
  const templates = spec?.volumeClaimTemplates ?? [];
  const isKnown = (['Pod', 'PersistentVolumeClaim'] as const).every((kind) =>
    ['present', 'empty'].includes(snapshot.coverage(kind, namespace).is),
  );
  if (templates.length === 0 || !isKnown) return [];
  const start = spec?.ordinals?.start ?? 0;
  let next = start;
  while (snapshot.get('Pod', `${namespace}/${name}-${next}`) !== undefined) next++;
  if (next >= start + (spec?.replicas ?? 1)) return [];
  return templates.flatMap((template) => {
    const claimName = `${template.metadata?.name ?? ''}-${name}-${next}`;
    const key = `${namespace}/${claimName}`;
    if (snapshot.get('PersistentVolumeClaim', key) !== undefined) return [];
    return [[key, claimOf(template, claimName, namespace)] as const];
  });
}

/** The claim as its owner would create it. */
function claimOf(template: PersistentVolumeClaimTemplate, name: string, namespace: string): PersistentVolumeClaim {
  const { labels, annotations } = template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: template.spec,
  };
}

/** What the API server would say to a new claim. */
function refusalOf(snapshot: Snapshot, claim: PersistentVolumeClaim, features: Features): Refusal | undefined {
  const { namespace } = claim.metadata;
  const surroundings = {
    classes: snapshot.list('StorageClass'),
    quotas: snapshot.list('ResourceQuota').filter(({ metadata }) => metadata.namespace === namespace),
    limitRanges: snapshot.list('LimitRange').filter(({ metadata }) => metadata.namespace === namespace),
  };
  if (surroundings.quotas.length === 0 && surroundings.limitRanges.length === 0) return undefined;
  const { refusal } = admitClaim(claim, surroundings, features);
  return refusal?.by === 'LimitRanger' || refusal?.by === 'ResourceQuota' ? refusal : undefined;
}

/** A field in which a claim is another than its template is now. */
export interface Difference {
  readonly field: string;
  readonly claim: string;
  readonly template: string;
}

/** What the template of a StatefulSet says otherwise than the claim that was made from it, or by somebody else. */
export function templateDifferences(
  claim: PersistentVolumeClaim,
  { spec, metadata }: PersistentVolumeClaimTemplate,
): readonly Difference[] {
  // The API server fills in what a template leaves out: that is no difference.
  const wantedClass = metadata?.annotations?.[AnnBetaStorageClass] ?? spec.storageClassName;
  const givenClass = claim.metadata.annotations?.[AnnBetaStorageClass] ?? claim.spec.storageClassName;
  const pairs: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['storageClassName', givenClass, wantedClass],
    ['storage', claim.spec.resources?.requests?.storage, spec.resources?.requests?.storage],
    ['accessModes', claim.spec.accessModes?.join(','), spec.accessModes?.join(',')],
    ['volumeMode', claim.spec.volumeMode ?? 'Filesystem', spec.volumeMode],
  ];
  return pairs.flatMap(([field, given = '', wanted]) =>
    wanted === undefined || wanted === given ? [] : [{ field, claim: given, template: wanted }],
  );
}

const byClaim = new WeakMap<Snapshot, ReadonlyMap<ClaimKey, readonly ClaimUser[]>>();

/** A workload whose pods use a claim. */
export interface ClaimUser {
  readonly kind: 'StatefulSet' | 'Deployment' | 'ReplicaSet' | 'DaemonSet';
  readonly workload: Workload;
  /** Pods of it that use the claim are wanted. */
  readonly isWanted: boolean;
  readonly replicas: number;
}

/** The workloads whose pods use a claim, whether there are such pods or not. Looked for once in a snapshot. */
export function usersByTemplate(snapshot: Snapshot, key: ClaimKey): readonly ClaimUser[] {
  let index = byClaim.get(snapshot);
  if (index === undefined) {
    index = indexUsers(snapshot);
    byClaim.set(snapshot, index);
  }
  const owner = templateOwner(snapshot, key);
  if (owner === undefined) return index.get(key) ?? [];
  const { statefulSet, ordinal } = owner;
  const replicas = statefulSet.spec?.replicas ?? 1;
  const start = statefulSet.spec?.ordinals?.start ?? 0;
  const isWanted = ordinal >= start && ordinal < start + replicas;
  return [{ kind: 'StatefulSet', workload: statefulSet, isWanted, replicas }];
}

function indexUsers(snapshot: Snapshot): ReadonlyMap<ClaimKey, readonly ClaimUser[]> {
  const users = new Map<ClaimKey, ClaimUser[]>();
  for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'] as const) {
    for (const workload of snapshot.list(kind)) {
      // The pods of a Deployment are those of its latest ReplicaSet; the earlier ones are empty and say nothing.
      if (kind === 'ReplicaSet' && workload.metadata.ownerReferences?.some((owner) => owner.kind === 'Deployment'))
        continue;
      const replicas = kind === 'DaemonSet' ? 1 : (workload.spec?.replicas ?? 1);
      for (const { persistentVolumeClaim } of workload.spec?.template?.spec?.volumes ?? []) {
        if (persistentVolumeClaim === undefined) continue;
        const key = `${workload.metadata.namespace}/${persistentVolumeClaim.claimName}`;
        getOrSet(users, key, () => []).push({ kind, workload, isWanted: replicas > 0, replicas });
      }
    }
  }
  return users;
}

import type { ClaimKey } from '../api/accessors.ts';
import { withDefaults } from '../api/defaults.ts';
import { getOrSet } from '../api/get-or-set.ts';
import type { KubernetesObject, Pod, PodTemplate, Workload } from '../api/objects.ts';
import { isKind } from '../snapshot/kinds.ts';
import { type Key, keyOf, type Snapshot } from '../snapshot/snapshot.ts';
import { type FieldChange, templateConflicts } from './applied.ts';
import { type ClaimUse, claimsOf, type PlannedClaim, usesOf } from './claims-of.ts';
import { type Manifest, nameOfManifest } from './manifest.ts';
import { mostPodsOfWorkload, podSpecPathOf, podsOf } from './pods-of.ts';

/** What applying manifests to a cluster comes to, before the API server has had its say. */
export interface Plan {
  /** The manifests, each object once: of two with the same name the later one counts. */
  readonly manifests: readonly Manifest[];
  readonly duplicates: readonly { readonly dropped: Manifest; readonly kept: Manifest }[];
  /** In the order in which they would be created: claims of manifests before those that controllers make. */
  readonly claims: readonly PlannedClaim[];
  /** Claims that controllers would make, but that are there already or come from a manifest of their own. */
  readonly adopted: readonly PlannedClaim[];
  readonly uses: readonly ClaimUse[];
  /** Pods that come into being. */
  readonly pods: readonly Pod[];
  /** Pods that a change of their workload ends. */
  readonly endedPods: readonly Key[];
  /** StatefulSets that cannot be changed as their manifest wants; their pods stay as they are. */
  readonly conflicts: readonly { readonly manifest: Manifest; readonly changes: readonly FieldChange[] }[];
  /** Workloads of which not every pod is looked at. */
  readonly shortened: readonly { readonly manifest: Manifest; readonly pods: number }[];
}

/** Works out what the manifests come to in a cluster. */
export function planOf(given: readonly Manifest[], cluster: Snapshot): Plan {
  const { manifests, duplicates } = eachOnce(given);
  const owned = ownedPods(cluster);
  const nodes = cluster.list('Node');
  const pods: Pod[] = [];
  const endedPods: Key[] = [];
  const uses: ClaimUse[] = [];
  const conflicts: { manifest: Manifest; changes: readonly FieldChange[] }[] = [];
  const shortened: { manifest: Manifest; pods: number }[] = [];
  const made: PlannedClaim[] = [];
  const written: PlannedClaim[] = [];
  for (const manifest of manifests) {
    const before = existing(cluster, manifest);
    const changes = manifest.kind === 'StatefulSet' && before ? templateConflicts(before, manifest.object) : [];
    if (changes.length > 0) {
      conflicts.push({ manifest, changes });
      continue;
    }
    const wanted = podsOf(manifest, nodes);
    (manifest.kind === 'PersistentVolumeClaim' ? written : made).push(...claimsOf(manifest, wanted));
    uses.push(...usesOf(manifest, wanted));
    const replicas = (manifest.object as Workload).spec?.replicas ?? 0;
    if (podSpecPathOf(manifest) !== undefined && replicas > mostPodsOfWorkload)
      shortened.push({ manifest, pods: replicas });
    const { added, ended } = rollout(manifest, wanted, before, owned.get(ownerKey(manifest)) ?? []);
    pods.push(...added);
    endedPods.push(...ended.map(keyOf));
  }
  return { manifests, duplicates, ...split(written, made, cluster), uses, pods, endedPods, conflicts, shortened };
}

function eachOnce(given: readonly Manifest[]): Pick<Plan, 'manifests' | 'duplicates'> {
  const last = new Map<string, Manifest>();
  for (const manifest of given) last.set(nameOfManifest(manifest), manifest);
  const kept = (manifest: Manifest) => last.get(nameOfManifest(manifest)) as Manifest;
  return {
    manifests: given.filter((manifest) => kept(manifest) === manifest),
    duplicates: given.filter((one) => kept(one) !== one).map((dropped) => ({ dropped, kept: kept(dropped) })),
  };
}

/** A claim that is there is used as it is, whoever made it. */
function split(
  written: readonly PlannedClaim[],
  made: readonly PlannedClaim[],
  cluster: Snapshot,
): Pick<Plan, 'claims' | 'adopted'> {
  const taken = new Set<ClaimKey>(written.map(({ key }) => key));
  const claims = [...written];
  const adopted: PlannedClaim[] = [];
  for (const claim of made) {
    if (taken.has(claim.key) || cluster.get('PersistentVolumeClaim', claim.key) !== undefined) adopted.push(claim);
    else claims.push(claim);
    taken.add(claim.key);
  }
  return { claims, adopted };
}

function existing(cluster: Snapshot, { kind, object }: Manifest): Workload | undefined {
  return isKind(kind) ? (cluster.get(kind, keyOf(object)) as Workload | undefined) : undefined;
}

const ownerKey = ({ kind, object }: Manifest): string => `${kind} ${keyOf(object)}`;

/** The pods of the cluster that have not ended, by the workload they belong to. */
function ownedPods(cluster: Snapshot): ReadonlyMap<string, readonly Pod[]> {
  const owned = new Map<string, Pod[]>();
  for (const pod of cluster.list('Pod')) {
    const { phase } = pod.status ?? {};
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined || phase === 'Succeeded' || phase === 'Failed') continue;
    const prefix = pod.metadata.namespace === undefined ? '' : `${pod.metadata.namespace}/`;
    getOrSet(owned, `${owner.kind} ${prefix}${owner.name}`, () => []).push(pod);
    // The ReplicaSets of a Deployment carry its name and the hash of its template.
    const hash = pod.metadata.labels?.['pod-template-hash'];
    if (owner.kind !== 'ReplicaSet' || hash === undefined || !owner.name.endsWith(`-${hash}`)) continue;
    const deployment = owner.name.slice(0, -hash.length - 1);
    getOrSet(owned, `Deployment ${prefix}${deployment}`, () => []).push(pod);
  }
  return owned;
}

/** Which pods come and go when a manifest is applied over what is there. */
function rollout(
  manifest: Manifest,
  wanted: readonly Pod[],
  before: Workload | undefined,
  now: readonly Pod[],
): { readonly added: readonly Pod[]; readonly ended: readonly Pod[] } {
  switch (manifest.kind) {
    // Pods and Jobs that exist stay as they are: nothing that matters here can change in them.
    case 'Pod':
    case 'Job':
      return { added: before === undefined ? wanted : [], ended: [] };
    case 'CronJob':
      return { added: wanted, ended: [] };
    default:
  }
  const template = (manifest.object as Workload).spec?.template;
  const isSame = before === undefined || templateText(before.spec?.template) === templateText(template);
  if (now.length > 0 && !isSame) return { added: wanted, ended: now };
  if (manifest.kind === 'DaemonSet') return { added: now.length > 0 ? [] : wanted, ended: [] };
  if (manifest.kind !== 'StatefulSet') {
    return { added: wanted.slice(now.length), ended: now.slice(wanted.length) };
  }
  const [names, there] = [new Set(wanted.map(keyOf)), new Set(now.map(keyOf))];
  return {
    added: wanted.filter((pod) => !there.has(keyOf(pod))),
    ended: now.filter((pod) => !names.has(keyOf(pod))),
  };
}

/** A template with its defaults, as far as scheduling and storage go. */
function templateText(template: PodTemplate | undefined): string {
  const pod: KubernetesObject & { readonly spec: object } = {
    kind: 'Pod',
    metadata: { name: '', labels: template?.metadata?.labels ?? {} },
    spec: template?.spec ?? {},
  };
  const { metadata, spec } = withDefaults(pod);
  return JSON.stringify([metadata.labels, spec], (_key, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

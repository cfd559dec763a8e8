import { AnnDynamicallyProvisioned } from '../api/annotations.ts';
import type { Event, Lease } from '../api/objects.ts';
import type { ProvisionerOptions } from '../engine/provisioner/request.ts';
import type { Kind } from '../snapshot/kinds.ts';
import { keyOf, type Snapshot } from '../snapshot/snapshot.ts';
import { isOfProvisioner, type ProvisionerWorkload, provisionerWorkloads } from './provisioner-workloads.ts';

/** What the objects of a cluster tell about an external provisioner. */
export interface ProvisionerEvidence {
  /** Whether it is there to act, is there but cannot act, is known to be missing, or nothing tells. */
  readonly is: 'there' | 'down' | 'missing' | 'unknown';
  /** Why it cannot act: its workload, or the lease of its leader. */
  readonly down?: { readonly what: string; readonly state: string };
  /** It is there, and no node lists the driver. */
  readonly isOnNoNode: boolean;
  /** An instance of it that works, or an event of its own, was seen. */
  readonly isSeenAlive: boolean;
  /** How often the controller handed one and the same claim over to it, where no answer was ever seen. */
  readonly unanswered: number;
  /** It runs on the nodes and serves only the claims of its node: those with a working instance. */
  readonly servesOnly?: ReadonlySet<string>;
  readonly options: ProvisionerOptions;
  /** The kinds that the input lacks and that could tell something else. */
  readonly lacks: readonly Kind[];
}

/** Handed over so often without an answer, a claim has no provisioner: a living one answers within seconds. */
export const unansweredOften = 3;

/** What the cluster's objects tell about an external provisioner. */
// specification scheduler-and-provisioning 5.9
export function provisionerEvidence(snapshot: Snapshot, provisioner: string): ProvisionerEvidence {
  const isKnown = (kind: Kind) => ['present', 'empty'].includes(snapshot.coverage(kind).is);
  const missingOf = (...kinds: readonly Kind[]) => kinds.filter((kind) => !isKnown(kind));

  const own = provisionerWorkloads(snapshot).filter((workload) => isOfProvisioner(workload, provisioner));
  const isRegistered = snapshot.get('CSIDriver', provisioner) !== undefined;
  const csiNodes = snapshot.list('CSINode');
  const isListed = csiNodes.some(({ spec }) => spec?.drivers?.some((driver) => driver.name === provisioner));
  const hasAnswered = snapshot.list('Event').some((event) => isByProvisioner(event, provisioner));
  const lease = leaseOf(snapshot, provisioner);
  const healthy = own.find(({ isHealthy }) => isHealthy);
  const unhealthy = own.find(({ isHealthy }) => isHealthy === false);
  const servesOnly = nodesServed(snapshot, own);
  const unanswered = hasAnswered ? 0 : handedOver(snapshot, provisioner);
  const workloads = missingOf('Pod', 'Deployment', 'DaemonSet', 'StatefulSet');
  const common = {
    isSeenAlive: healthy !== undefined || lease?.isFresh === true || hasAnswered,
    unanswered,
    ...(servesOnly === undefined ? {} : { servesOnly }),
    options: Object.assign({}, ...own.map(({ options }) => options)) as ProvisionerOptions,
  };
  const isOnNoNode = isDriverName(provisioner) && isKnown('CSINode') && !isListed;
  const answer = (is: ProvisionerEvidence['is'], lacks: readonly Kind[]): ProvisionerEvidence => ({
    ...common,
    isOnNoNode: isOnNoNode && (is === 'there' || is === 'down'),
    is,
    lacks,
  });

  if (healthy !== undefined || lease?.isFresh) return answer('there', []);
  if (unhealthy !== undefined) {
    const { kind, key, state } = unhealthy;
    return { ...answer('down', [...workloads, ...missingOf('Lease')]), down: { what: `${kind} ${key}`, state } };
  }
  if (lease !== undefined) {
    const down = { what: `Lease ${lease.key}`, state: `was last renewed at ${lease.renewed}` };
    return { ...answer('down', workloads), down };
  }
  const others = [...workloads, ...missingOf('Lease')];
  if (hasAnswered || isRegistered || isListed) return answer('there', others);
  if (isDriverName(provisioner)) {
    // Drivers register themselves on the nodes: where these were looked at, that decides.
    if (isKnown('CSINode')) return answer('missing', []);
    if (isKnown('CSIDriver')) return answer('missing', ['CSINode']);
  }
  const hasMade = snapshot
    .list('PersistentVolume')
    .some(({ metadata }) => metadata.annotations?.[AnnDynamicallyProvisioned] === provisioner);
  const isLookedFor = arePodsOfAllNamespacesThere(snapshot);
  // Who made volumes was there once, and may well run outside of the cluster.
  if (hasMade) return answer(isLookedFor ? 'unknown' : 'there', others);
  const registrations = isDriverName(provisioner) ? missingOf('CSIDriver', 'CSINode') : [];
  // Whatever calls itself a provisioner may have been given this very name.
  if (provisionerWorkloads(snapshot).length > 0) return answer('unknown', []);
  if (isLookedFor && !isDriverName(provisioner)) return answer('missing', []);
  if (unanswered >= unansweredOften) return answer('missing', [...registrations, ...others]);
  return answer('unknown', [...registrations, ...others]);
}

/** CSI drivers are named like hosts; provisioners of other kinds have a slash in their names. */
export const isDriverName = (provisioner: string): boolean => !provisioner.includes('/');

/** Whether an event was told by the provisioner: under its name, often with that of its pod behind it. */
export function isByProvisioner({ source }: Event, provisioner: string): boolean {
  const component = source?.component ?? '';
  return component === provisioner || component.startsWith(`${provisioner}_`);
}

/** The largest number of times that the controller told of waiting for the provisioner. */
function handedOver(snapshot: Snapshot, provisioner: string): number {
  let most = 0;
  for (const { reason, message = '', count = 1 } of snapshot.list('Event')) {
    if (reason !== 'ExternalProvisioning' || count <= most) continue;
    if (message.includes(`'${provisioner}'`) || message.includes(`"${provisioner}"`)) most = count;
  }
  return most;
}

/** A cluster has pods of its own in namespaces of these names; a dump of an application has none of them. */
const arePodsOfAllNamespacesThere = (snapshot: Snapshot): boolean =>
  snapshot.coverage('Pod').is === 'empty' ||
  snapshot.list('Pod').some(({ metadata }) => /^(?:kube|openshift)-/.test(metadata.namespace ?? ''));

/** Where a provisioner that runs on every node works; undefined if it does not run so, or its pods are not known. */
function nodesServed(snapshot: Snapshot, own: readonly ProvisionerWorkload[]): ReadonlySet<string> | undefined {
  const isPerNode = own.length > 0 && own.every((workload) => workload.isPerNode);
  if (!isPerNode || !arePodsOfAllNamespacesThere(snapshot)) return undefined;
  return new Set(own.flatMap(({ kind, node, isHealthy }) => (kind === 'Pod' && isHealthy && node ? [node] : [])));
}

/** How long after its end a lease counts as abandoned, in milliseconds: the objects of a dump are not read at one moment. */
const leaseMarginMs = 120_000;

interface FoundLease {
  readonly key: string;
  readonly renewed: string;
  readonly isFresh: boolean;
}

/** The lease of the provisioner's leader, the latest if there are several. */
function leaseOf(snapshot: Snapshot, provisioner: string): FoundLease | undefined {
  const names = [provisioner.replace(/[^A-Za-z0-9-]/g, '-'), provisioner.replaceAll('/', '-')];
  const leases = snapshot.list('Lease').filter(({ metadata }) => names.includes(metadata.name));
  return leases
    .flatMap((lease) => leaseState(snapshot, lease) ?? [])
    .sort((a, b) => (Date.parse(a.renewed) > Date.parse(b.renewed) ? -1 : 1))[0];
}

/** Whether somebody held a lease when the input was taken; undefined if the lease does not tell. */
export function leaseState(snapshot: Snapshot, lease: Lease): FoundLease | undefined {
  const { renewTime: renewed, leaseDurationSeconds = 15 } = lease.spec ?? {};
  const { capturedAt } = snapshot;
  if (renewed === undefined || capturedAt === undefined) return undefined;
  const end = Date.parse(renewed) + leaseDurationSeconds * 1000 + leaseMarginMs;
  return { key: keyOf(lease), renewed, isFresh: Date.parse(capturedAt) <= end };
}

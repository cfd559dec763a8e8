import type { ClaimKey } from '../api/accessors.ts';
import { claimClass, claimHasClass } from '../api/storage-class.ts';
import { ignoredBy } from '../engine/provisioner/should-provision.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { isManifest } from '../snapshot/stored.ts';
import type { Examination } from './diagnose.ts';
import { leaseState } from './provisioner-evidence.ts';
import { healthOf } from './provisioner-workloads.ts';

/** That the PersistentVolume controller does not act. */
export interface ControllerSilence {
  /** When the claim was created that nobody looked at. */
  readonly since: string;
  /** What is known to be wrong with kube-controller-manager. */
  readonly state?: string;
}

/** A claim that is older than this and was never looked at, in milliseconds. */
const graceMs = 5 * 60_000;

/** Whether a claim waits for the controller and not for a provisioner: it was never handed over. */
// specification scheduler-and-provisioning 8, RC-58
export function controllerSilence(
  examination: Examination,
  key: ClaimKey,
  provisioner: string,
): ControllerSilence | undefined {
  const claim = examination.claims.get(key);
  if (claim === undefined || isManifest(claim) || !claimHasClass(claim)) return undefined;
  const { snapshot } = examination.simulation;
  const storageClass = snapshot.get('StorageClass', claimClass(claim));
  if (ignoredBy(provisioner, claim, storageClass)?.is !== 'notHandedOver') return undefined;
  const since = claim.metadata.creationTimestamp ?? '';
  const state = controllerFault(snapshot);
  if (state !== undefined) return { since, state };
  const age = Date.parse(snapshot.capturedAt ?? '') - Date.parse(since);
  const hasEvents = snapshot.coverage('Event', claim.metadata.namespace).is === 'present';
  return age > graceMs && hasEvents && examination.eventsOfClaim(key).length === 0 ? { since } : undefined;
}

/** What is known to be wrong with kube-controller-manager; undefined if nothing is. */
export function controllerFault(snapshot: Snapshot): string | undefined {
  const lease = snapshot.get('Lease', 'kube-system/kube-controller-manager');
  const held = lease === undefined ? undefined : leaseState(snapshot, lease);
  if (held !== undefined) return held.isFresh ? undefined : `its lease was last renewed at ${held.renewed}`;
  const pods = snapshot
    .list('Pod')
    .filter(({ metadata: { namespace, name } }) => namespace === 'kube-system' && name.startsWith(component))
    .map((pod) => ({ name: pod.metadata.name, ...healthOf(pod) }));
  const [sick] = pods.filter(({ isHealthy }) => isHealthy === false);
  return sick !== undefined && pods.every(({ isHealthy }) => isHealthy === false)
    ? `Pod kube-system/${sick.name} ${sick.state}`
    : undefined;
}

const component = 'kube-controller-manager';

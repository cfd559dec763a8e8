import type { ClaimKey } from '../api/accessors.ts';
import { AnnSelectedNode } from '../api/annotations.ts';
import type { PersistentVolumeClaim } from '../api/objects.ts';
import { claimClass } from '../api/storage-class.ts';
import { type NotOffered, notOffered } from '../engine/provisioner/driver-families.ts';
import {
  type Preparation,
  type ProvisionCode,
  type ProvisionFailure,
  prepareProvision,
} from '../engine/provisioner/prepare-provision.ts';
import type { Kind } from '../snapshot/kinds.ts';
import type { Examination } from './diagnose.ts';
import { latestFailure, type ProvisionerFailure, type Topic } from './provisioner-events.ts';
import { isDriverName, type ProvisionerEvidence, unansweredOften } from './provisioner-evidence.ts';

/** What is in sight between a claim and the volume that a provisioner is to make for it. */
export interface ProvisioningOutlook {
  readonly evidence: ProvisionerEvidence;
  /** What the provisioner refuses, wherever the pod goes. */
  readonly failures: readonly ProvisionFailure[];
  /** What it refuses if the pod goes to one of these nodes, of those that the scheduler may choose. */
  readonly onSomeNodes: readonly { readonly node: string; readonly failure: ProvisionFailure }[];
  /** The checks that nothing in the input answers. */
  readonly unanswered: readonly ProvisionCode[];
  /** What drivers of its kind are known to refuse. */
  readonly notOffered: NotOffered | undefined;
  /** The failure that the provisioner told last, where the state of the cluster does not tell it or deny it. */
  readonly told: ProvisionerFailure | undefined;
  /** The node that was selected, and on which no instance of the provisioner serves its claims. */
  readonly unservedNode: string | undefined;
  /** How often the claim was handed over without an answer, if that is often. */
  readonly silence: number | undefined;
  /** Whether anything of this keeps the volume from being made. */
  readonly isBlocked: boolean;
  /** Whether that is so whatever else there may be that the input lacks. */
  readonly isCertain: boolean;
  /** The kinds that could tell something else. */
  readonly lacks: readonly Kind[];
}

/** Looks at all that decides whether a provisioner will make a volume for a claim. */
export function provisioningOutlook(
  examination: Examination,
  key: ClaimKey,
  claim: PersistentVolumeClaim,
  provisioner: string,
): ProvisioningOutlook {
  const { snapshot } = examination.simulation;
  const evidence = examination.provisioner(provisioner);
  const { failures, onSomeNodes, unknown } = refusals(examination, key, claim, provisioner, evidence);
  const events = examination.eventsOfClaim(key);
  const last = latestFailure(events, claim.metadata.uid, provisioner);
  const unanswered = unknown.map(({ code }) => code);
  const isOutdated = last !== undefined && isDriverName(provisioner) && isDenied(last.topic, unanswered);
  const told = failures.length > 0 || isOutdated ? undefined : last;
  const family = failures.length > 0 ? undefined : notOffered(provisioner, claim);
  const [unservedNode] = nodesOf(examination, key, claim).filter(
    (node) => evidence.servesOnly !== undefined && !evidence.servesOnly.has(node),
  );
  const handedOver = events.find(({ reason }) => reason === 'ExternalProvisioning')?.count ?? 0;
  const isSilent = evidence.is === 'there' && !evidence.isSeenAlive && handedOver >= unansweredOften;
  const silence = isSilent && last === undefined ? handedOver : undefined;

  const isRefused = failures.length > 0 || told !== undefined || family !== undefined || unservedNode !== undefined;
  const isBlocked = isRefused || evidence.is !== 'there' || evidence.isOnNoNode || silence !== undefined;
  const isCertain = isRefused || evidence.isOnNoNode || silence !== undefined;
  const hasEvents = ['present', 'empty'].includes(snapshot.coverage('Event', claim.metadata.namespace).is);
  const lacks = [
    ...evidence.lacks,
    ...unknown.flatMap((one) => one.lacks),
    ...(isBlocked || hasEvents ? [] : (['Event'] as const)),
  ];
  return {
    evidence,
    failures,
    onSomeNodes,
    unanswered,
    notOffered: family,
    told,
    unservedNode,
    silence,
    isBlocked,
    isCertain,
    lacks: isCertain ? [] : [...new Set(lacks)],
  };
}

/** What the provisioner's own checks say, on each node that the claim may end on. */
function refusals(
  examination: Examination,
  key: ClaimKey,
  claim: PersistentVolumeClaim,
  driver: string,
  { options }: ProvisionerEvidence,
): Pick<ProvisioningOutlook, 'failures' | 'onSomeNodes'> & { readonly unknown: Preparation['unknown'] } {
  const { snapshot } = examination.simulation;
  const storageClass = snapshot.get('StorageClass', claimClass(claim));
  // Provisioners of other kinds check what they like; that none of them takes a selector is told elsewhere.
  if (storageClass === undefined || !isDriverName(driver)) {
    return { failures: [], onSomeNodes: [], unknown: [] };
  }
  const ask = (node: string | undefined) =>
    prepareProvision(
      { claim, storageClass, driver, options, ...(node === undefined ? {} : { selectedNode: node }) },
      examination.provisionerView,
    );
  const nodes = nodesOf(examination, key, claim);
  if (nodes.length <= 1) {
    const { failures, unknown } = ask(nodes[0]);
    return { failures, onSomeNodes: [], unknown };
  }
  const asked = nodes.map((node) => ({ node, ...ask(node) }));
  const isEverywhere = ({ code }: ProvisionFailure) =>
    asked.every(({ failures }) => failures.some((other) => other.code === code));
  const failures = asked[0]?.failures.filter(isEverywhere) ?? [];
  const onSomeNodes = asked.flatMap(({ node, failures: here }) =>
    here.filter((failure) => !isEverywhere(failure)).map((failure) => ({ node, failure })),
  );
  return { failures, onSomeNodes, unknown: asked.flatMap(({ unknown }) => unknown) };
}

/** The node that was selected when the input was taken, else those that the scheduler may select. */
function nodesOf(examination: Examination, key: ClaimKey, after: PersistentVolumeClaim): readonly string[] {
  const before = examination.claims.get(key)?.metadata.annotations?.[AnnSelectedNode];
  if (before !== undefined) return [before];
  const chosen = after.metadata.annotations?.[AnnSelectedNode];
  if (chosen === undefined) return [];
  const feasible = examination.consumers(key).flatMap(({ decision }) => decision?.feasible ?? []);
  return feasible.length === 0 ? [chosen] : [...new Set(feasible)].sort();
}

/** The checks that decide what a message speaks of. */
const checksOfTopic: Readonly<Partial<Record<Topic, readonly ProvisionCode[]>>> = {
  topology: ['NoTopology'],
  source: ['SnapshotUnusable', 'CloneUnusable', 'SourceNotGranted'],
  secret: ['SecretUnusable'],
  attributesClass: ['AttributesClassMissing', 'AttributesClassOfOtherDriver'],
  parameters: ['ParameterUnknown', 'FsTypeTwice'],
  selector: ['SelectorNotSupported'],
};

/** Whether the state of the cluster is another by now than when the provisioner told of it. */
function isDenied(topic: Topic, unanswered: readonly ProvisionCode[]): boolean {
  const checks = checksOfTopic[topic];
  return checks !== undefined && !checks.some((code) => unanswered.includes(code));
}

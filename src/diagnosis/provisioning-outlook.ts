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
import { type ControllerSilence, controllerSilence } from './controller-evidence.ts';
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
  readonly unchecked: readonly ProvisionCode[];
  /** The node that was selected, or those that may be. */
  readonly nodes: readonly string[];
  /** The controller never handed the claim over. */
  readonly controller: ControllerSilence | undefined;
  /** What drivers of its kind are known to refuse. */
  readonly notOffered: NotOffered | undefined;
  /** The failure that the provisioner told last, where the state of the cluster does not tell it or deny it. */
  readonly told: ProvisionerFailure | undefined;
  /** The node that was selected, and on which no instance of the provisioner serves its claims. */
  readonly unservedNode: string | undefined;
  /** The node that was selected and does not exist any more; "" if the annotation is empty. */
  readonly goneNode: string | undefined;
  /** How often the claim was handed over without an answer, if that is often. */
  readonly silence: number | undefined;
  /** Whether anything of this keeps the volume from being made. */
  readonly isBlocked: boolean;
  /** The kinds that the input lacks and that could tell something else; none where the answer is certain. */
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
  const nodes = nodesOf(examination, key, claim);
  const { failures, onSomeNodes, unknown } = refusals(examination, claim, provisioner, evidence, nodes);
  const events = examination.eventsOfClaim(key);
  const last = latestFailure(events, claim.metadata.uid, provisioner);
  const denial = last === undefined ? undefined : denialOf(examination, provisioner, last.topic, unknown);
  const told = failures.length > 0 || denial === 'denied' ? undefined : last;
  const family = failures.length > 0 ? undefined : notOffered(provisioner, claim);
  const { servesOnly } = evidence;
  const [node] = nodes.length === 1 ? nodes : [];
  const seenNode = node === undefined || node === '' ? undefined : examination.provisionerView.node(node);
  const goneNode = node === '' || seenNode?.is === 'absent' ? node : undefined;
  const unservedNode = node !== undefined && servesOnly !== undefined && !servesOnly.has(node) ? node : undefined;
  const controller = controllerSilence(examination, key, provisioner);
  const silence = last === undefined ? silenceOf(examination, key, evidence) : undefined;

  const isRefused = failures.length > 0 || family !== undefined || (told !== undefined && denial !== 'unknown');
  const isMisplaced = unservedNode !== undefined || goneNode !== undefined || evidence.isOnNoNode;
  const isCertain = isRefused || isMisplaced || controller !== undefined;
  const isBlocked = isCertain || evidence.is !== 'there' || silence !== undefined || told !== undefined;
  const hasEvents = ['present', 'empty'].includes(snapshot.coverage('Event', claim.metadata.namespace).is);
  // Whoever is not there to act does not act whatever else there is.
  const others =
    evidence.is === 'there'
      ? [
          ...unknown.flatMap((one) => one.lacks),
          ...(seenNode?.is === 'unknown' ? seenNode.lacks : []),
          ...(isBlocked || hasEvents ? [] : (['Event'] as const)),
        ]
      : [];
  const lacks = [...evidence.lacks, ...others];
  return {
    evidence,
    failures,
    onSomeNodes,
    unchecked: isCertain ? [] : uncheckedOf(unknown),
    nodes,
    controller,
    notOffered: family,
    told,
    unservedNode,
    goneNode,
    silence,
    isBlocked,
    // Nobody is asked for Secrets: of those it is told that they were not checked.
    lacks: isCertain ? [] : [...new Set(lacks)].filter((kind) => kind !== 'Secret'),
  };
}

/** The checks that some kind would answer; the nodes of a driver are told of with the provisioner itself. */
function uncheckedOf(unknown: Preparation['unknown']): readonly ProvisionCode[] {
  const found = unknown.filter(({ code, lacks }) => lacks.length > 0 && code !== 'NoTopology').map(({ code }) => code);
  return [...new Set(found)];
}

/** How often a claim was handed over to a provisioner of which no life was ever seen; undefined if that is not often. */
function silenceOf(
  examination: Examination,
  key: ClaimKey,
  { is, isSeenAlive }: ProvisionerEvidence,
): number | undefined {
  // Who sees that its volume is there already does nothing, and rightly.
  if (is !== 'there' || isSeenAlive || examination.census.namedFor(key).length > 0) return undefined;
  const times = examination.eventsOfClaim(key).find(({ reason }) => reason === 'ExternalProvisioning')?.count ?? 0;
  return times >= unansweredOften ? times : undefined;
}

/** What the provisioner's own checks say, on each node that the claim may end on. */
function refusals(
  examination: Examination,
  claim: PersistentVolumeClaim,
  driver: string,
  { options }: ProvisionerEvidence,
  nodes: readonly string[],
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
  const { choices } = examination.simulation.turns;
  const feasible = examination.consumers(key).flatMap((consumer) => choices.get(consumer.key) ?? []);
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

/** Whether the state of the cluster is another by now than when the provisioner told of it, as far as that can be seen. */
function denialOf(
  examination: Examination,
  provisioner: string,
  topic: Topic,
  unanswered: Preparation['unknown'],
): 'denied' | 'unknown' | undefined {
  const checks = checksOfTopic[topic];
  if (checks === undefined || !isDriverName(provisioner)) return undefined;
  const open = unanswered.filter(({ code }) => checks.includes(code));
  if (open.some(({ lacks }) => lacks.length > 0)) return 'unknown';
  if (open.length > 0) return undefined;
  // Who speaks of topology knows it, even if no node shows that.
  const topology = topic === 'topology' ? examination.provisionerView.topologyOf(provisioner) : undefined;
  return topology?.is === 'found' && topology.value.aware !== 'yes' ? undefined : 'denied';
}

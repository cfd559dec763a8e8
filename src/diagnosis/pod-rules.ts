import { claimKey, claimRequest } from '../api/accessors.ts';
import { AnnSelectedNode } from '../api/annotations.ts';
import type { PersistentVolumeClaim, Pod, TopologySelectorTerm } from '../api/objects.ts';
import { canonicalQuantity, quantityOfBytes } from '../api/quantity.ts';
import { claimClass } from '../api/storage-class.ts';
import type { ClaimOnNode, PluginFacts } from '../engine/scheduler/facts.ts';
import type { Rejection } from '../engine/scheduler/framework.ts';
import { queueingOf } from '../engine/scheduler/queueing.ts';
import type { PodDecision } from '../engine/scheduler/schedule-pod.ts';
import { podKey } from '../engine/turns.ts';
import { type Finding, finding } from './codes.ts';
import type { Examination } from './diagnose.ts';
import { statusText } from './node-words.ts';
import { admitsPod, isAboutVolumes, nodesFor, type OnNode, servesClaim } from './nodes.ts';
import { affinityText, nearestName, requirementText } from './words.ts';

/** A pod that uses a claim and has no node yet, with what the scheduler makes of it. */
export interface Consumer {
  readonly pod: Pod;
  readonly key: string;
  readonly decision: PodDecision | undefined;
}

/** What keeps one pod, and with it the claim, waiting; the cause first. Empty if the pod can go somewhere. */
export function podFindings(
  examination: Examination,
  claim: PersistentVolumeClaim,
  consumer: Consumer,
): readonly Finding[] {
  const { pod, key, decision } = consumer;
  const queueing = queueingOf(pod, examination.simulation.features);
  switch (queueing.is) {
    case 'gated':
      return [finding('ConsumerGated', { pod: key, gates: queueing.gates })];
    case 'otherScheduler':
      return [finding('ConsumerOtherScheduler', { pod: key, scheduler: queueing.schedulerName })];
    case 'terminating':
      return [finding('ConsumerTerminating', { pod: key })];
    case 'assigned':
    case 'finished':
      return [];
    case 'queued':
  }
  if (decision === undefined || decision.feasible.length > 0) return [];
  if (decision.unsimulated.length > 0)
    return [finding('ConsumerNotSimulated', { pod: key, uses: decision.unsimulated })];
  const [rejection] = decision.rejections;
  if (rejection !== undefined) return rejectedFindings(examination, claim, key, rejection as Rejection);
  if (decision.nodes.length === 0) return [finding('NoNodes', { pod: key })];
  const rows = nodesFor(
    decision,
    examination.after(claimKey(claim)) ?? claim,
    examination.simulation.scheduler,
    examination.site(),
  );
  const { message } = decision;
  const nowhere = finding('PodFitsNowhere', {
    pod: key,
    nodes: rows.length,
    ...(message === undefined ? {} : { message }),
  });
  return [...nodeFindings(examination, claim, consumer, rows), nowhere];
}

/** The pod is refused before any node is looked at. */
function rejectedFindings(
  examination: Examination,
  claim: PersistentVolumeClaim,
  pod: string,
  rejection: Rejection,
): readonly Finding[] {
  const own = claimKey(claim);
  const blocks = (other: string, is: 'missing' | 'lost' | 'terminating' | 'unbound'): readonly Finding[] =>
    other === own ? [] : [finding('OtherClaimBlocks', { pod, claim: other, is })];
  if (
    rejection.plugin !== 'VolumeBinding' &&
    rejection.plugin !== 'VolumeRestrictions' &&
    rejection.plugin !== 'NodeVolumeLimits'
  ) {
    const reasons = [statusText(rejection)];
    return [finding('PodUnschedulable', { pod, node: 'every node', reasons, nodes: 2 })];
  }
  const facts = rejection.facts as PluginFacts['VolumeBinding'] | PluginFacts['VolumeRestrictions'];
  switch (facts.is) {
    case 'claimMissing':
      return blocks(facts.claim, 'missing');
    case 'claimLost':
      return blocks(facts.claim, 'lost');
    case 'claimTerminating':
      return blocks(facts.claim, 'terminating');
    case 'claimNotOwned': {
      const [owner] = examination.claims.get(facts.claim)?.metadata.ownerReferences ?? [];
      if (facts.claim !== own) return [];
      return [
        finding('ClaimNotOwned', {
          pod,
          claim: own,
          ...(owner === undefined ? {} : { owner: `${owner.kind}/${owner.name}` }),
        }),
      ];
    }
    case 'unboundImmediate': {
      if (facts.claims.includes(own)) return [finding('UnboundImmediateClaim', { pod })];
      return facts.claims.flatMap((other) => blocks(other, 'unbound'));
    }
    case 'claimInUse':
      return [finding('ClaimInUse', { pod, claims: facts.claims, by: usersOf(examination, facts.claims, pod) })];
    default:
      return [];
  }
}

function usersOf(examination: Examination, claims: readonly string[], except: string): readonly string[] {
  const users = claims.flatMap((claim) => examination.users(claim).map(podKey));
  return [...new Set(users)].filter((user) => user !== except).sort();
}

/** Why no node will do, told by the node where least is wrong. */
function nodeFindings(
  examination: Examination,
  claim: PersistentVolumeClaim,
  consumer: Consumer,
  rows: readonly OnNode[],
): readonly Finding[] {
  const [nearest] = rows;
  if (nearest === undefined) return [];
  const storage = rows.find((row) => row.pod.length > 0 && row.pod.every(isAboutVolumes) && servesClaim(row));
  if (storage !== undefined) return storageFindings(examination, consumer, storage);
  const usable = rows.filter(admitsPod);
  const serving = rows.filter(servesClaim);
  const both = usable.find(servesClaim);
  if (both !== undefined) return otherClaimFindings(claim, consumer, both);
  const claimed = (usable[0] ?? nearest).claim;
  if (serving.length === 0 || (claimed !== undefined && claimed.is === 'outOfReach')) {
    return claimFindings(examination, claim, consumer, rows, claimed);
  }
  if (serving.length === rows.length) {
    const reasons = nearest.pod.map(statusText);
    return [finding('PodUnschedulable', { pod: consumer.key, node: nearest.node, reasons, nodes: rows.length })];
  }
  const best = serving[0] as OnNode;
  const reasons = best.pod.map(statusText);
  if (best.claim?.is === 'static') {
    return [
      finding('VolumeOnUnusableNode', { pod: consumer.key, volume: best.claim.volume, node: best.node, reasons }),
    ];
  }
  if (best.claim?.is === 'bound') return outOfReach(examination, consumer, rows, best.claim.volume);
  return claimFindings(examination, claim, consumer, rows, claimed);
}

function storageFindings(examination: Examination, { key: pod }: Consumer, row: OnNode): readonly Finding[] {
  const [status] = row.pod;
  if (status === undefined || status.code === 'Error' || status.code === 'Unknown') return [];
  switch (status.plugin) {
    case 'NodeVolumeLimits':
      if (status.facts.is === 'driverMissing')
        return [finding('DriverNotOnNode', { pod, drivers: status.facts.drivers, node: row.node })];
      if (status.facts.is !== 'limitExceeded') return [];
      return status.facts.drivers.map((one) => finding('AttachLimitReached', { pod, node: row.node, ...one }));
    case 'VolumeRestrictions':
      if (status.facts.is !== 'claimInUse') return [];
      return [
        finding('ClaimInUse', { pod, claims: status.facts.claims, by: usersOf(examination, status.facts.claims, pod) }),
      ];
    case 'VolumeZone':
      if (status.facts.is !== 'otherZone') return [];
      return [
        finding('VolumeInOtherZone', {
          pod,
          volume: status.facts.volume,
          key: status.facts.key,
          allowed: status.facts.allowed,
        }),
      ];
    default:
      return [];
  }
}

/** The claim could be served on a node that the pod could use, but another claim of the pod could not. */
function otherClaimFindings(
  claim: PersistentVolumeClaim,
  { key: pod, decision }: Consumer,
  row: OnNode,
): readonly Finding[] {
  const here = decision?.nodes.find(({ node }) => node === row.node)?.claims ?? [];
  const other = here.find((one) => one.claim !== claimKey(claim) && !['bound', 'static', 'provision'].includes(one.is));
  if (other === undefined) return [];
  if (other.is === 'outOfReach') {
    const volume =
      row.claim?.is === 'static' || row.claim?.is === 'bound' ? row.claim.volume : 'a volume could be made';
    const args = { pod, claim: claimKey(claim), volume, node: row.node, other: other.claim, otherVolume: other.volume };
    return [finding('ClaimsOnDifferentNodes', args)];
  }
  return [finding('OtherClaimBlocks', { pod, claim: other.claim, is: 'unserved' })];
}

/** Nothing serves the claim where the pod could run. */
function claimFindings(
  examination: Examination,
  claim: PersistentVolumeClaim,
  consumer: Consumer,
  rows: readonly OnNode[],
  found: ClaimOnNode | undefined,
): readonly Finding[] {
  const { key: pod } = consumer;
  if (found === undefined) return [];
  switch (found.is) {
    case 'outOfReach':
      return outOfReach(examination, consumer, rows, found.volume);
    case 'selectedElsewhere':
      return [selectedNode(claim, pod, rows)];
    case 'refused':
      switch (found.refusal.is) {
        case 'noProvisioner':
          return noneOnUsableNodes(claim, pod, rows);
        case 'topology':
          return [topology(examination, pod, found.refusal.className)];
        case 'capacity':
          return [capacity(examination, claim, found.refusal.className, found.refusal.driver)];
      }
      return [];
    default:
      return [];
  }
}

function outOfReach(
  examination: Examination,
  { key: pod }: Consumer,
  rows: readonly OnNode[],
  name: string,
): readonly Finding[] {
  const volume = examination.simulation.world.peekVolume(name);
  const requirement = affinityText(volume?.spec.nodeAffinity?.required);
  const reaching = rows.filter(servesClaim);
  if (reaching.length === 0) {
    const nodes = examination.simulation.snapshot.list('Node');
    const only =
      nodes.length === 1 ? `the only node is ${nodes[0]?.metadata.name}` : nearMissOfAffinity(examination, name);
    return [
      finding('VolumeAffinityMatchesNoNode', {
        volume: name,
        requirement,
        ...(only === undefined ? {} : { nearest: only }),
      }),
      finding('VolumeOutOfReach', {
        pod,
        volume: name,
        requirement,
        nodes: rows.map(({ node }) => node),
        reachable: [],
      }),
    ];
  }
  const why = reaching[0]?.pod.map(statusText).join(', ');
  return [
    finding('VolumeOutOfReach', {
      pod,
      volume: name,
      requirement,
      nodes: rows.filter(admitsPod).map(({ node }) => node),
      reachable: reaching.map(({ node }) => node),
      ...(why ? { why } : {}),
    }),
  ];
}

/** What the nodes have instead of what a volume wants. */
function nearMissOfAffinity(examination: Examination, name: string): string | undefined {
  const terms = examination.simulation.world.peekVolume(name)?.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const wanted = terms
    .flatMap(({ matchExpressions = [] }) => matchExpressions)
    .find(({ operator }) => operator === 'In');
  if (wanted === undefined) return undefined;
  const nodes = examination.simulation.snapshot.list('Node');
  const values = nodes.map(({ metadata }) => metadata.labels?.[wanted.key]);
  if (values.every((value) => value === undefined)) return `no node has a label ${wanted.key}`;
  const isName = nodes.some(({ metadata }) => wanted.values?.includes(metadata.name));
  if (isName) return `that is the name of a node; the label of the same node is another`;
  const nearest = nearestName(
    wanted.values?.[0] ?? '',
    values.filter((value) => value !== undefined),
  );
  return nearest === undefined ? undefined : `the nearest is ${nearest}`;
}

function selectedNode(claim: PersistentVolumeClaim, pod: string, rows: readonly OnNode[]): Finding {
  const node = claim.metadata.annotations?.[AnnSelectedNode] ?? '';
  const row = rows.find((one) => one.node === node);
  if (row === undefined) return finding('SelectedNodeGone', { node });
  return finding('SelectedNodeUnusable', { pod, node, reasons: row.pod.map(statusText) });
}

function noneOnUsableNodes(claim: PersistentVolumeClaim, pod: string, rows: readonly OnNode[]): readonly Finding[] {
  const usable = rows.filter(admitsPod);
  const nodes = (usable.length > 0 ? usable : rows).map(({ node }) => node);
  return [finding('NoVolumeOnUsableNodes', { pod, class: claimClass(claim), nodes })];
}

function topology(examination: Examination, pod: string, className: string): Finding {
  const terms = examination.simulation.snapshot.get('StorageClass', className)?.allowedTopologies ?? [];
  const nodes = examination.simulation.snapshot.list('Node');
  const matchesAny = nodes.some(({ metadata }) => terms.some((term) => termHolds(term, metadata.labels ?? {})));
  return finding('TopologyNotAllowed', {
    pod,
    class: className,
    allowed: terms.map(termText).join(' or '),
    matchesAny,
  });
}

const termHolds = (
  { matchLabelExpressions = [] }: TopologySelectorTerm,
  labels: Readonly<Record<string, string>>,
): boolean =>
  matchLabelExpressions.every(({ key, values = [] }) => labels[key] !== undefined && values.includes(labels[key]));

const termText = ({ matchLabelExpressions = [] }: TopologySelectorTerm): string =>
  matchLabelExpressions.map(({ key, values = [] }) => requirementText({ key, operator: 'In', values })).join(' and ');

function capacity(examination: Examination, claim: PersistentVolumeClaim, className: string, driver: string): Finding {
  const { snapshot, scheduler } = examination.simulation;
  const published = snapshot.list('CSIStorageCapacity').some((one) => one.storageClassName === className);
  if (!published) return finding('NoCapacityPublished', { class: className, driver });
  let best = { node: 'any node', bytes: 0n };
  for (const node of scheduler.nodes) {
    const bytes = scheduler.largestCapacityOn(className, node) ?? 0n;
    if (bytes > best.bytes) best = { node: node.name, bytes };
  }
  const largest = canonicalQuantity(quantityOfBytes(best.bytes));
  return finding('NotEnoughStorage', {
    class: className,
    request: canonicalQuantity(claimRequest(claim)),
    largest,
    node: best.node,
  });
}

import { featuresFor, newestRelease } from '../api/features.ts';
import { getOrSet } from '../api/get-or-set.ts';
import type { Event, Pod } from '../api/objects.ts';
import { claimsOfPod } from '../engine/pv-controller/pod-index.ts';
import type { ClaimOnNode } from '../engine/scheduler/facts.ts';
import type { Status } from '../engine/scheduler/framework.ts';
import { type Queueing, queueingOf } from '../engine/scheduler/queueing.ts';
import { type NodeDecision, type PodDecision, schedulePod } from '../engine/scheduler/schedule-pod.ts';
import { SchedulerCache } from '../engine/scheduler/scheduler-cache.ts';
import { controllerAtRest } from '../engine/simulate.ts';
import { podKey } from '../engine/turns.ts';
import type { Kind } from '../snapshot/kinds.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { severityOf } from './catalogue.ts';
import { type Finding, finding } from './codes.ts';
import { type Diagnosis, diagnose, type Examination } from './diagnose.ts';
import { latestFirst, type SeenEvent, seenEvent } from './events.ts';
import { statusText } from './node-words.ts';
import { nodesFor, type OnNode } from './nodes.ts';
import { podFindings } from './pod-rules.ts';
import type { Certainty, Outcome } from './verdict.ts';

// A pod from its own side: what the scheduler decides, node by node, and what its events say about that.

export const podOutcomes = [
  'HasNode',
  'WillBeScheduled',
  /** It fits, but a provisioner has to make volumes first and is not known to do so. */
  'WaitsForVolume',
  'Unschedulable',
  'Gated',
  'OtherScheduler',
  'Terminating',
  'Finished',
  'Unknown',
] as const;

export type PodOutcome = (typeof podOutcomes)[number];

export interface PodDiagnosis {
  readonly key: string;
  readonly pod: Pod;
  readonly queueing: Queueing;
  readonly outcome: PodOutcome;
  readonly certainty: Certainty;
  /** The nodes that the scheduler may choose from. */
  readonly feasible: readonly string[];
  /** Where it could go if it came first, although nowhere in the run, where others did. */
  readonly feasibleFirst: readonly string[];
  readonly lacks: readonly Kind[];
  /** How many plugins refuse it before any node is looked at. */
  readonly rejections: number;
  /** What stands in the way, the cause first. */
  readonly findings: readonly Finding[];
  readonly claims: readonly Diagnosis[];
  /** The scheduler's words if no node is left, without what it says about preemption. */
  readonly message?: string;
  /** The nodes, those where least is wrong first. */
  readonly nodes: readonly PodOnNode[];
  readonly events: PodEvents;
}

export interface PodOnNode {
  readonly node: string;
  readonly verdict: NodeDecision['verdict'];
  /** Every plugin that refuses the node, the deciding one first. */
  readonly failing: readonly Status[];
  /** Plugins whose list leaves the node out, so that it was not even looked at. */
  readonly outsideOf: readonly string[];
  /** The plugin that refuses the pod before any node is looked at; the rest tells what would come of the node. */
  readonly refusedBy?: string;
  readonly nominatedPodsInTheWay: boolean;
  readonly claims: readonly { readonly found: ClaimOnNode; readonly nearest: OnNode['nearest'] }[];
}

/** The scheduler's events in the input, held against what it would say now. */
export interface PodEvents {
  /** `absent`: none of the scheduler's; `agree`: the latest says what the run says. */
  readonly is: 'agree' | 'differ' | 'absent';
  readonly why?: EventDifference;
  readonly seen: readonly SeenEvent[];
  readonly expected?: string;
}

export type EventDifference =
  /** The event is about a pod of this name that is gone. */
  | { readonly is: 'formerPod' }
  | { readonly is: 'otherScheduler'; readonly by: string }
  /** What the run says, as releases up to this one put it; absent for those before our time. */
  | { readonly is: 'otherRelease'; readonly release?: string; readonly simulated: string }
  /** The run finds a node. */
  | { readonly is: 'fitsNow'; readonly nodes: readonly string[] }
  | { readonly is: 'otherNodes'; readonly seen: number; readonly now: number }
  /** The reasons that only one of both tells. */
  | { readonly is: 'otherReasons'; readonly onlySeen: readonly string[]; readonly onlyNow: readonly string[] }
  /** The scheduler does not decide about the pod, or the run does not know what it says. */
  | { readonly is: 'notDecided' };

/** The pods that wait for a node. */
export function waitingPods(snapshot: Snapshot): readonly Pod[] {
  return snapshot
    .list('Pod')
    .filter(
      ({ spec, status }) => (spec.nodeName ?? '') === '' && status?.phase !== 'Succeeded' && status?.phase !== 'Failed',
    );
}

/** Nodes and events are looked at when they are asked for: a list shows neither. */
export function diagnosePod(examination: Examination, pod: Pod): PodDiagnosis {
  const { simulation } = examination;
  const key = podKey(pod);
  const queueing = queueingOf(pod, simulation.features);
  const end = simulation.turns.decisions.get(key);
  // What the binder wrote leaves one node to later decisions; what there was to choose from shows at first.
  const wasChosen = simulation.turns.choices.has(key);
  const isOut = end !== undefined && end.feasible.length === 0;
  const first = wasChosen || isOut ? decisionAtFirst(examination, pod) : undefined;
  const isFirstShown = wasChosen && first !== undefined && first.feasible.length > 0;
  const shown = isFirstShown ? first : end;
  const cache = isFirstShown ? cacheAtFirst(examination) : simulation.scheduler;
  const claims = [...new Set(claimsOfPod(pod))].map((claim) => diagnose(examination, claim));
  const outcome = outcomeOf(queueing, shown, claims);
  const feasibleFirst = isOut && first !== undefined ? first.feasible : [];
  return {
    key,
    pod,
    queueing,
    outcome,
    certainty: feasibleFirst.length > 0 ? 'open' : 'certain',
    feasible: shown?.feasible ?? [],
    feasibleFirst,
    lacks: shown?.lacks ?? [],
    rejections: shown?.rejections.length ?? 0,
    get findings() {
      return findingsOf(examination, pod, outcome, end, claims);
    },
    claims,
    ...(end?.message === undefined ? {} : { message: end.message }),
    get nodes() {
      return shown === undefined ? [] : nodesOf(shown, cache, examination, claims);
    },
    get events() {
      return eventsOf(examination, pod, queueing, end);
    },
  };
}

function outcomeOf(queueing: Queueing, decision: PodDecision | undefined, claims: readonly Diagnosis[]): PodOutcome {
  switch (queueing.is) {
    case 'assigned':
      return 'HasNode';
    case 'gated':
      return 'Gated';
    case 'otherScheduler':
      return 'OtherScheduler';
    case 'terminating':
      return 'Terminating';
    case 'finished':
      return 'Finished';
    case 'queued':
  }
  if (decision === undefined) return 'Unknown';
  if (decision.feasible.length > 0)
    return claims.some(({ verdict }) => verdict.outcome === 'WaitsForProvisioner')
      ? 'WaitsForVolume'
      : 'WillBeScheduled';
  const isOpen = decision.message === undefined && decision.error === undefined;
  if (isOpen && !isRefusedAtOnce(decision) && !isRejected(decision)) return 'Unknown';
  const ahead = claims.filter(isBlocking);
  const isOfProvisioners =
    ahead.length > 0 &&
    ahead.every(({ verdict: { outcome } }) => outcome === 'WillBeProvisioned' || outcome === 'WaitsForProvisioner');
  return isRefusedAtOnce(decision) && isOfProvisioners ? 'WaitsForVolume' : 'Unschedulable';
}

/** Every node is refused for sure, although how the scheduler puts it is not known. */
const isRejected = ({ nodes }: PodDecision): boolean =>
  nodes.length > 0 && nodes.every(({ verdict, outsideOf }) => verdict === 'rejected' || outsideOf !== undefined);

function findingsOf(
  examination: Examination,
  pod: Pod,
  outcome: PodOutcome,
  decision: PodDecision | undefined,
  claims: readonly Diagnosis[],
): readonly Finding[] {
  const key = podKey(pod);
  const consumer = { pod, key, decision };
  const ofClaims = claims.flatMap(({ claim }) =>
    claim === undefined ? [] : podFindings(examination, claim, consumer),
  );
  // What a claim has to say about another one, that one says itself.
  const direct = ofClaims.filter(({ code }) => code !== 'OtherClaimBlocks' && code !== 'UnboundImmediateClaim');
  const told = direct.some((one) => severityOf(one) === 'error') ? direct : ofClaims;
  const own = told.length > 0 ? told : ofPodAlone(examination, pod, outcome, decision);
  // A claim that is not ready is the cause of what the scheduler says about it.
  const isStopped = outcome === 'WaitsForVolume' || (outcome === 'Unschedulable' && isRefusedAtOnce(decision));
  const causes = isStopped ? claims.filter(isBlocking).flatMap(({ findings }) => findings.slice(0, 1)) : [];
  const rest = causes.length > 0 ? own.filter(({ code }) => code !== 'OtherClaimBlocks') : own;
  // That it fits nowhere, or waits for a claim, is what the rest explains.
  const isSummary = ({ code }: Finding) => code === 'PodFitsNowhere' || code === 'UnboundImmediateClaim';
  const all = unique([...causes, ...rest]);
  return [...all.filter((one) => !isSummary(one)), ...all.filter(isSummary)];
}

const isRefusedAtOnce = (decision: PodDecision | undefined): boolean =>
  decision !== undefined && decision.rejections.length > 0;

const blocking: ReadonlySet<Outcome> = new Set([
  'Missing',
  'Lost',
  'Terminating',
  'Stuck',
  'Invalid',
  'Unknown',
  'WillBeProvisioned',
  'WaitsForProvisioner',
]);

/** Whether a pod that is refused at once is refused because of the claim. */
export const isBlocking = ({ verdict }: Diagnosis): boolean => blocking.has(verdict.outcome);

/** A pod without claims that tell. */
function ofPodAlone(
  { simulation: { features } }: Examination,
  pod: Pod,
  outcome: PodOutcome,
  decision: PodDecision | undefined,
): readonly Finding[] {
  const key = podKey(pod);
  const queueing = queueingOf(pod, features);
  if (queueing.is === 'gated') return [finding('ConsumerGated', { pod: key, gates: queueing.gates })];
  if (queueing.is === 'otherScheduler')
    return [finding('ConsumerOtherScheduler', { pod: key, scheduler: queueing.schedulerName })];
  if (queueing.is === 'terminating') return [finding('ConsumerTerminating', { pod: key })];
  if (decision === undefined || outcome !== 'Unschedulable') return [];
  if (decision.unsimulated.length > 0)
    return [finding('ConsumerNotSimulated', { pod: key, uses: decision.unsimulated })];
  const [rejection] = decision.rejections;
  if (rejection !== undefined) return [];
  if (decision.nodes.length === 0) return [finding('NoNodes', { pod: key })];
  const nearest = [...decision.nodes].sort((a, b) => a.failing.length - b.failing.length)[0];
  if (nearest === undefined) return [];
  const reasons = nearest.failing.map(statusText);
  const hasClaims = claimsOfPod(pod).length > 0;
  const args = { pod: key, node: nearest.node, reasons, nodes: decision.nodes.length };
  return [finding('PodUnschedulable', hasClaims ? args : { ...args, hasClaims })];
}

function unique(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  return findings.filter((one) => {
    const text = JSON.stringify(one);
    return !seen.has(text) && seen.add(text);
  });
}

function nodesOf(
  decision: PodDecision,
  cache: SchedulerCache,
  examination: Examination,
  claims: readonly Diagnosis[],
): readonly PodOnNode[] {
  const rows = claims.flatMap(({ key }) => {
    const claim = cache.cluster.claim(key);
    return claim === undefined
      ? []
      : [new Map(nodesFor(decision, claim, cache, examination.site()).map((row) => [row.node, row]))];
  });
  const refusedBy = decision.preFilter?.plugin;
  const order = new Map([...(rows[0]?.keys() ?? [])].map((node, i) => [node, i]));
  return decision.nodes
    .map(
      ({ node, verdict, failing, outsideOf = [], nominatedPodsInTheWay }): PodOnNode => ({
        node,
        verdict,
        failing,
        outsideOf,
        ...(refusedBy === undefined ? {} : { refusedBy }),
        nominatedPodsInTheWay: nominatedPodsInTheWay === true,
        claims: rows.flatMap((row) => {
          const found = row.get(node);
          return found?.claim === undefined ? [] : [{ found: found.claim, nearest: found.nearest }];
        }),
      }),
    )
    .sort(
      (a, b) =>
        Number(isOpen(b)) - Number(isOpen(a)) ||
        a.failing.length - b.failing.length ||
        (order.get(a.node) ?? 0) - (order.get(b.node) ?? 0) ||
        (a.node < b.node ? -1 : 1),
    );
}

const isOpen = ({ verdict, outsideOf }: PodOnNode): boolean => verdict === 'fits' && outsideOf.length === 0;

const cachesAtFirst = new WeakMap<Examination, SchedulerCache>();

/** The scheduler's cache before it has done anything: the controller is at rest, no pod has been given a node. */
function cacheAtFirst(examination: Examination): SchedulerCache {
  const { snapshot, features } = examination.simulation;
  return getOrSet(cachesAtFirst, examination, () => controllerAtRest(snapshot, { features }).scheduler);
}

/** What the scheduler says about the pod if it is the first that it looks at. */
const decisionAtFirst = (examination: Examination, pod: Pod): PodDecision =>
  schedulePod(cacheAtFirst(examination), pod);

function eventsOf(
  examination: Examination,
  pod: Pod,
  queueing: Queueing,
  decision: PodDecision | undefined,
): PodEvents {
  const { snapshot } = examination.simulation;
  const events = getOrSet(eventsOfPods, snapshot, () => byPod(snapshot.list('Event'))).get(podKey(pod)) ?? [];
  const seen = events.map(seenEvent).sort(latestFirst);
  const expected = decision?.message;
  const told = { seen, ...(expected === undefined ? {} : { expected }) };
  const failed = events
    .filter(({ reason }) => reason === 'FailedScheduling')
    .map((event) => ({ event, seen: seenEvent(event) }))
    .sort((a, b) => latestFirst(a.seen, b.seen));
  const own = failed.filter(({ event }) => !isOfFormerPod(event, pod));
  const latest = own[0] ?? failed[0];
  if (latest === undefined) return { is: 'absent', ...told };
  const why = difference(examination, pod, queueing, decision, latest.event);
  return why === undefined ? { is: 'agree', ...told } : { is: 'differ', why, ...told };
}

const eventsOfPods = new WeakMap<Snapshot, ReadonlyMap<string, readonly Event[]>>();

function byPod(events: readonly Event[]): ReadonlyMap<string, readonly Event[]> {
  const index = new Map<string, Event[]>();
  for (const event of events) {
    const { kind, namespace = '', name = '' } = event.involvedObject;
    if (kind === 'Pod') getOrSet(index, `${namespace}/${name}`, () => []).push(event);
  }
  return index;
}

const isOfFormerPod = ({ involvedObject: { uid } }: Event, { metadata }: Pod): boolean =>
  uid !== undefined && metadata.uid !== undefined && uid !== metadata.uid;

/** Why an event does not say what the run says; undefined if it does. */
function difference(
  examination: Examination,
  pod: Pod,
  queueing: Queueing,
  decision: PodDecision | undefined,
  event: Event,
): EventDifference | undefined {
  if (isOfFormerPod(event, pod)) return { is: 'formerPod' };
  const by = event.source?.component ?? '';
  const { schedulerName } = pod.spec;
  if (by !== '' && by !== 'default-scheduler' && by !== 'scheduler') return { is: 'otherScheduler', by };
  const message = event.message ?? '';
  if (queueing.is === 'gated' && message.includes('scheduling gates')) return undefined;
  if (queueing.is === 'otherScheduler') return { is: 'otherScheduler', by: schedulerName ?? '' };
  if (decision === undefined) return { is: 'notDecided' };
  if (decision.feasible.length > 0) return { is: 'fitsNow', nodes: decision.feasible };
  if (decision.message === undefined) return { is: 'notDecided' };
  if (isSame(decision.message, message)) return undefined;
  const release = releaseOf(examination, pod, message);
  const { release: simulated } = examination.simulation.features;
  if (release !== undefined) return { is: 'otherRelease', release, simulated };
  if (isSame(decision.message, inLaterWords(message))) return { is: 'otherRelease', simulated };
  const [seen, now] = [parse(message), parse(decision.message)];
  if (seen.nodes !== undefined && now.nodes !== undefined && seen.nodes !== now.nodes)
    return { is: 'otherNodes', seen: seen.nodes, now: now.nodes };
  return {
    is: 'otherReasons',
    onlySeen: seen.reasons.filter((reason) => !now.reasons.includes(reason)),
    onlyNow: now.reasons.filter((reason) => !seen.reasons.includes(reason)),
  };
}

/** What the filters said: the rest is about preemption. kubernetes/kubernetes pkg/scheduler/framework/types.go, FitError.Error. */
const withoutPreemption = (message: string): string =>
  message.replace(/[.,]?\s*(no new claims to deallocate, )?preemption: .*$/s, '').replace(/[.\s]+$/, '');

interface Parsed {
  readonly nodes: number | undefined;
  /** Each with its count, sorted: releases put them in different orders. */
  readonly reasons: readonly string[];
}

function parse(message: string): Parsed {
  const text = withoutPreemption(message);
  const nodes = /^\d+\/(\d+) nodes are available/.exec(text)?.[1];
  const list = text.replace(/^\d+\/\d+ nodes are available: /, '');
  return { nodes: nodes === undefined ? undefined : Number(nodes), reasons: list.split(/, (?=\d+ )/).sort() };
}

function isSame(expected: string, seen: string): boolean {
  const [a, b] = [parse(expected), parse(seen)];
  return a.nodes === b.nodes && a.reasons.join('\n') === b.reasons.join('\n');
}

/** A message in words that went out of use before the oldest release that is simulated. */
const inLaterWords = (message: string): string =>
  message.replaceAll(
    /node\(s\) had taints? (\{.*?\}), that the pod didn't tolerate/g,
    'node(s) had untolerated taint(s)',
  );

const oldestMinor = 25;
const mostNodesReworded = 500;

interface Wording {
  readonly release: string;
  readonly cache: SchedulerCache;
}

const wordings = new WeakMap<Examination, readonly Wording[]>();

/** The scheduler once for each way in which releases have put things, the newest first. */
function otherWordings(examination: Examination): readonly Wording[] {
  const known = wordings.get(examination);
  if (known !== undefined) return known;
  const { scheduler, features: own } = examination.simulation;
  const seen = new Set([JSON.stringify(own.wording)]);
  const found: Wording[] = [];
  for (let minor = Number(newestRelease.split('.')[1]); minor >= oldestMinor; minor--) {
    const release = `1.${minor}`;
    const { wording } = featuresFor(release);
    const text = JSON.stringify(wording);
    if (seen.has(text)) continue;
    seen.add(text);
    found.push({ release, cache: new SchedulerCache({ ...scheduler.cluster, features: { ...own, wording } }) });
  }
  wordings.set(examination, found);
  return found;
}

/** The release that puts today's decision in the words of the event. */
function releaseOf(examination: Examination, pod: Pod, message: string): string | undefined {
  if (examination.simulation.scheduler.nodes.length > mostNodesReworded) return undefined;
  return otherWordings(examination).find(({ cache }) => {
    const told = schedulePod(cache, pod).message;
    return told !== undefined && isSame(told, message);
  })?.release;
}

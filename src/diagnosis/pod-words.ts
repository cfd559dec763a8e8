import { headline, what } from './catalogue.ts';
import { type EventDifference, isBlocking, type PodDiagnosis, type PodEvents } from './pod-side.ts';
import { count, list } from './words.ts';

// How a pod is told from its own side. The rules behind it are those of the codes in the catalogue.

/** What becomes of a pod in one sentence, without the outcome and without a final period. */
export function podHeadline(diagnosis: PodDiagnosis): string {
  const { queueing, outcome, feasible, claims, findings, lacks, nodes } = diagnosis;
  switch (outcome) {
    case 'HasNode': {
      const node = queueing.is === 'assigned' ? queueing.node : '';
      const open = claims.filter(({ verdict }) => verdict.outcome !== 'Bound').map(({ key }) => key);
      return open.length === 0
        ? `it is on node ${node}`
        : `it is on node ${node}, past the scheduler, but ${list(open)} ${open.length === 1 ? 'is' : 'are'} not bound, so that it cannot start`;
    }
    case 'WillBeScheduled':
      return placeText(feasible);
    case 'WaitsForVolume': {
      const open = claims.filter(({ verdict }) => verdict.provisioner !== undefined);
      const makers = open.map(({ key, verdict }) => `${verdict.provisioner} has made a volume for ${key}`);
      const place = feasible.length === 0 ? 'the scheduler refuses it until' : `${placeText(feasible)}, once`;
      return `${place} ${list(makers)}`;
    }
    case 'Unschedulable': {
      const [cause] = findings;
      const blocking = claims.find((claim) => isBlocking(claim) && claim.findings[0]?.code === cause?.code);
      if (diagnosis.rejections > 0) {
        if (blocking !== undefined)
          return `claim ${blocking.key} is not ready (${blocking.verdict.outcome}): ${headline(blocking.verdict, blocking.findings)}`;
        return cause === undefined ? 'it is refused before any node is looked at' : what(cause);
      }
      if (nodes.length === 0) return 'there are no nodes';
      return nodes.length === 1
        ? `it does not fit on ${nodes[0]?.node}, the only node`
        : `it fits on none of ${nodes.length} nodes`;
    }
    case 'Unknown':
      return lacks.length > 0
        ? `the input lacks ${list(lacks)} (that is not "there are none")`
        : findings[0] === undefined
          ? 'what decides about it is not simulated'
          : what(findings[0]);
    case 'Finished':
      return `it has ended (${queueing.is === 'finished' ? queueing.phase : ''}); the scheduler has no part in it`;
    case 'Gated':
      return `the scheduler does not look at it before its gates are gone: ${list(queueing.is === 'gated' ? queueing.gates : [])}`;
    case 'OtherScheduler':
      return `${queueing.is === 'otherScheduler' ? queueing.schedulerName : 'another scheduler'} is to schedule it, not default-scheduler; what that one decides is not simulated`;
    case 'Terminating':
      return 'it is being deleted, and is not scheduled any more';
  }
}

function placeText(nodes: readonly string[]): string {
  if (nodes.length === 1) return `to ${nodes[0]}`;
  return `to one of ${count(nodes.length, 'node')}: ${list(nodes)} (the scores that choose among them are not simulated)`;
}

/** Where it could go if no other pod came before it. */
export function firstText({ feasibleFirst }: Pick<PodDiagnosis, 'feasibleFirst'>): string | undefined {
  if (feasibleFirst.length === 0) return undefined;
  return `If the scheduler took it up first, it would fit on ${list(feasibleFirst)}: other pods came before it in this run, and nothing orders them for sure.`;
}

/** What the scheduler's events have to do with the run. */
export function eventsText({ is, why, expected }: PodEvents, expects: boolean): string | undefined {
  if (is === 'agree') return 'agree with the run.';
  if (is === 'absent')
    return expects && expected !== undefined
      ? 'The input holds no FailedScheduling event of the pod: they are kept for an hour, or were not collected.'
      : undefined;
  if (why?.is === 'otherRelease') {
    const release = why.release === undefined ? 'before 1.25' : `up to ${why.release}`;
    return `agree with the run, in the words of releases ${release}; ${why.simulated} is simulated.`;
  }
  return why === undefined ? undefined : `differ: ${differenceText(why)}`;
}

function differenceText(why: Exclude<EventDifference, { readonly is: 'otherRelease' }>): string {
  switch (why.is) {
    case 'formerPod':
      return 'they are about a former pod of this name (another uid).';
    case 'otherScheduler':
      return `they are those of ${why.by}, which decides by its own rules.`;
    case 'fitsNow':
      return `the scheduler found no node then. By the state of the input the pod fits on ${list(why.nodes)}: something has changed since and it will be tried again, or the input lacks what stood in the way.`;
    case 'otherNodes':
      return `they count ${count(why.seen, 'node')}, the input has ${why.now}: nodes came or went since, or were not collected.`;
    case 'otherReasons': {
      const then = why.onlySeen.length === 0 ? '' : ` Only the event says: ${list(why.onlySeen)}.`;
      const now = why.onlyNow.length === 0 ? '' : ` Only the run says: ${list(why.onlyNow)}.`;
      return `they tell another reason.${then}${now} The state has changed since, or the input lacks what the scheduler saw.`;
    }
    case 'notDecided':
      return 'they are of an earlier try; how the scheduler would put it now is not known.';
  }
}

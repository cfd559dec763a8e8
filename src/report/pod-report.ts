import { claimKey } from '../api/accessors.ts';
import { headline, severityOf, short } from '../diagnosis/catalogue.ts';
import type { Code } from '../diagnosis/codes.ts';
import type { Diagnosis, Examination } from '../diagnosis/diagnose.ts';
import type { SeenEvent } from '../diagnosis/events.ts';
import { claimText, statusText } from '../diagnosis/node-words.ts';
import {
  diagnosePod,
  type EventDifference,
  type PodDiagnosis,
  type PodOnNode,
  type PodOutcome,
} from '../diagnosis/pod-side.ts';
import { eventsText, firstText, podHeadline } from '../diagnosis/pod-words.ts';
import type { Certainty } from '../diagnosis/verdict.ts';
import type { Kind } from '../snapshot/kinds.ts';
import type { LoadIssue } from '../snapshot/snapshot.ts';
import {
  apiVersion,
  type ClusterReport,
  clusterReport,
  type FindingReport,
  findingReport,
  type VerdictReport,
} from './claim-report.ts';

/** Pods from their own side, as `pod` prints them. */
export interface PodReportList {
  readonly apiVersion: typeof apiVersion;
  readonly kind: 'PodReportList';
  readonly metadata: Record<never, never>;
  readonly cluster: ClusterReport;
  readonly load: readonly LoadIssue[];
  readonly items: Iterable<PodReport>;
}

export interface PodReport {
  readonly apiVersion: typeof apiVersion;
  readonly kind: 'PodReport';
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid?: string;
    readonly creationTimestamp?: string;
  };
  readonly pod: {
    readonly phase: string;
    readonly scheduler: string;
    readonly node?: string;
    readonly nominatedNode?: string;
  };
  readonly verdict: {
    readonly outcome: PodOutcome;
    readonly certainty: Certainty;
    /** The nodes that the scheduler may choose from. */
    readonly nodes: readonly string[];
    /** Where it could go if it came first, although nowhere in the run. */
    readonly nodesIfFirst: readonly string[];
    readonly lacks: readonly Kind[];
  };
  /** The verdict in one sentence. */
  readonly summary: string;
  readonly remark?: string;
  readonly cause?: Code;
  readonly findings: readonly FindingReport[];
  readonly claims: readonly PodClaimReport[];
  /** The scheduler's words if no node fits, without what it says about preemption. */
  readonly message?: string;
  /** Those where least is wrong first. */
  readonly nodes: readonly PodNodeReport[];
  readonly events: {
    readonly is: 'agree' | 'differ' | 'absent';
    readonly why?: EventDifference;
    readonly text?: string;
    readonly seen: readonly SeenEvent[];
    readonly expected?: string;
  };
}

export interface PodClaimReport {
  readonly claim: string;
  readonly phase?: string;
  readonly verdict: VerdictReport;
  readonly summary: string;
  /** In a few words. */
  readonly short: string;
  readonly cause?: Code;
}

export interface PodNodeReport {
  readonly node: string;
  /** `notLookedAt`: a plugin's list leaves it out, or a plugin refuses the pod before; the rest tells what would come of it. */
  readonly verdict: 'fits' | 'rejected' | 'error' | 'unknown' | 'notLookedAt';
  /** The plugin that decides, and its reasons, in the scheduler's words. */
  readonly plugin?: string;
  readonly reasons: readonly string[];
  /** Everything against the node besides the pod's claims, the deciding plugin first. */
  readonly against: readonly { readonly plugin: string; readonly text: string }[];
  /** What each claim finds there. */
  readonly claims: readonly { readonly claim: string; readonly is: string; readonly text: string }[];
}

/** The report of some pods, "namespace/name"; items are made as they are asked for. */
export function podReportList(examination: Examination, keys: readonly string[]): PodReportList {
  const { snapshot } = examination.simulation;
  return {
    apiVersion,
    kind: 'PodReportList',
    metadata: {},
    cluster: clusterReport(examination),
    load: snapshot.issues,
    items: {
      *[Symbol.iterator]() {
        for (const key of keys) {
          const pod = snapshot.get('Pod', key);
          if (pod !== undefined) yield podReport(diagnosePod(examination, pod));
        }
      },
    },
  };
}

export function podReport(diagnosis: PodDiagnosis): PodReport {
  const { pod, outcome, certainty, feasible, feasibleFirst, lacks, findings, message } = diagnosis;
  const { name, namespace = '', uid, creationTimestamp } = pod.metadata;
  const { nodeName, schedulerName } = pod.spec;
  const { phase = '', nominatedNodeName } = pod.status ?? {};
  const remark = firstText(diagnosis);
  const cause = findings[0]?.code;
  return {
    apiVersion,
    kind: 'PodReport',
    metadata: {
      name,
      namespace,
      ...(uid === undefined ? {} : { uid }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    pod: {
      phase,
      scheduler: schedulerName || 'default-scheduler',
      ...(nodeName ? { node: nodeName } : {}),
      ...(nominatedNodeName ? { nominatedNode: nominatedNodeName } : {}),
    },
    verdict: { outcome, certainty, nodes: feasible, nodesIfFirst: feasibleFirst, lacks },
    summary: podHeadline(diagnosis),
    ...(remark === undefined ? {} : { remark }),
    ...(cause === undefined ? {} : { cause }),
    findings: findings.map(findingReport),
    claims: diagnosis.claims.map(podClaimReport),
    ...(message === undefined ? {} : { message }),
    get nodes() {
      return diagnosis.nodes.map(podNodeReport);
    },
    get events() {
      const { events } = diagnosis;
      const text = eventsText(events, outcome === 'Unschedulable');
      return text === undefined ? events : { ...events, text };
    },
  };
}

function podClaimReport({ key, claim, verdict, findings }: Diagnosis): PodClaimReport {
  const [cause] = findings;
  return {
    claim: claim === undefined ? key : claimKey(claim),
    ...(claim === undefined ? {} : { phase: claim.status?.phase ?? '' }),
    verdict,
    summary: headline(verdict, findings),
    short: cause === undefined || severityOf(cause) === 'info' ? headline(verdict, findings) : short(cause),
    ...(cause === undefined ? {} : { cause: cause.code }),
  };
}

function podNodeReport({
  node,
  verdict,
  failing,
  outsideOf,
  claims,
  nominatedPodsInTheWay,
  refusedBy,
}: PodOnNode): PodNodeReport {
  const [decides] = failing;
  const plugin = refusedBy ?? outsideOf[0] ?? decides?.plugin;
  const against = failing
    .filter(({ plugin }) => plugin !== 'VolumeBinding')
    .map((status) => ({ plugin: status.plugin, text: statusText(status) }));
  // Where the binder itself has no word on each claim, what it says to all of them stands here.
  const binding = failing.find(({ plugin }) => plugin === 'VolumeBinding');
  const isTold = claims.length > 0 || binding === undefined;
  return {
    node,
    verdict: outsideOf.length > 0 || refusedBy !== undefined ? 'notLookedAt' : verdict,
    ...(plugin === undefined ? {} : { plugin }),
    reasons: decides?.reasons ?? [],
    against: [
      ...(nominatedPodsInTheWay ? [{ plugin: 'nominated', text: 'pods that are nominated here come first' }] : []),
      ...against,
      ...(isTold ? [] : [{ plugin: binding.plugin as string, text: statusText(binding) }]),
    ],
    claims: claims.map(({ found, nearest }) => ({ claim: found.claim, is: found.is, text: claimText(found, nearest) })),
  };
}

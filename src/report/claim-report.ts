import { accessModesAsString } from '../api/access-modes.ts';
import { getOrSet } from '../api/get-or-set.ts';
import { describeSelector } from '../api/label-selector.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/objects.ts';
import { parseQuantity, QuantityError, quantityValue } from '../api/quantity.ts';
import { claimClass, effectiveClass, volumeClass } from '../api/storage-class.ts';
import { headline, severityOf, short, todo, what, why } from '../diagnosis/catalogue.ts';
import type { Considered, Example, Relation, Standing } from '../diagnosis/census.ts';
import type { Code, Finding, Severity } from '../diagnosis/codes.ts';
import { type Diagnosis, diagnose, type Examination } from '../diagnosis/diagnose.ts';
import type { Edit } from '../diagnosis/edits.ts';
import { type EventsReport, eventsOf } from '../diagnosis/events.ts';
import { claimText, statusText } from '../diagnosis/node-words.ts';
import type { OnNode } from '../diagnosis/nodes.ts';
import { type DataSafety, type Remedy, remediesFor } from '../diagnosis/remedies.ts';
import { remedyEffect, remedyTitle } from '../diagnosis/remedy-words.ts';
import type { Certainty, Outcome } from '../diagnosis/verdict.ts';
import { allKinds, type Kind } from '../snapshot/kinds.ts';
import type { Coverage, LoadIssue, Provenance } from '../snapshot/snapshot.ts';
import { type ClaimDifference, differences } from './difference.ts';

// The versioned document that every format prints. Its schema is schema/claim-report-list.json.

export const apiVersion = 'pvc-explain/v1';

export interface ClaimReportList {
  readonly apiVersion: typeof apiVersion;
  readonly kind: 'ClaimReportList';
  readonly metadata: Record<never, never>;
  readonly cluster: ClusterReport;
  readonly load: readonly LoadIssue[];
  /** With a what-if: the claims that end otherwise than in the cluster as it was read. */
  readonly differences?: readonly ClaimDifference[];
  readonly items: Iterable<ClaimReport>;
}

export interface ClusterReport {
  /** The release that was simulated, "1.37". */
  readonly simulated: string;
  /** The cluster's own release, as the input tells it. */
  readonly kubernetesVersion?: string;
  readonly sources: readonly string[];
  readonly capturedAt?: string;
  readonly coverage: Readonly<Partial<Record<Kind, Coverage>>>;
}

export interface ClaimReport {
  readonly apiVersion: typeof apiVersion;
  readonly kind: 'ClaimReport';
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid?: string;
    readonly creationTimestamp?: string;
  };
  readonly claim?: ClaimFacts;
  readonly verdict: VerdictReport;
  /** The verdict in one sentence. */
  readonly summary: string;
  /** The code of the root cause. */
  readonly cause?: Code;
  readonly findings: readonly FindingReport[];
  readonly volumes: readonly VolumesReport[];
  /** The nodes as each waiting pod sees them. */
  readonly nodes: readonly PodNodesReport[];
  /** Edits that were tried and help, the best first; absent where none was tried. */
  readonly remedies?: readonly RemedyReport[];
  /** Why no edit was tried: the claim that has the same cause, for which some were. */
  readonly notTried?: { readonly sameCauseAs: string };
  readonly events: EventsReport;
}

export interface ClaimFacts {
  readonly phase: string;
  readonly request?: Amount;
  readonly accessModes: readonly string[];
  readonly volumeMode: string;
  readonly class: {
    readonly name: string;
    readonly from: 'annotation' | 'field' | 'none' | 'default';
    readonly bindingMode?: string;
    readonly provisioner?: string;
    readonly exists: boolean;
  };
  readonly volumeName?: string;
  readonly selector?: string;
  readonly volumeAttributesClass?: string;
  readonly deletionTimestamp?: string;
  readonly source?: Provenance;
}

/** A size: as Kubernetes spells it, and in bytes (as text where a number would lose digits). */
export interface Amount {
  readonly quantity: string;
  readonly bytes: number | string;
}

export interface VerdictReport {
  readonly outcome: Outcome;
  readonly certainty: Certainty;
  readonly volumes: readonly string[];
  readonly provisioner?: string;
  readonly pods: readonly string[];
  readonly lacks: readonly Kind[];
}

export interface FindingReport {
  readonly code: Code;
  readonly severity: Severity;
  /** One line: what is so. */
  readonly what: string;
  /** Which rule with which values makes it so. */
  readonly why: string;
  /** What to do about it, where something helps. */
  readonly todo?: string;
  /** A few words, for a table. */
  readonly short: string;
  readonly args: Finding['args'];
}

export interface RemedyReport {
  readonly title: string;
  /** What happened when it was tried on a copy of the cluster. */
  readonly effect: string;
  readonly addresses: readonly Code[];
  readonly edit: Edit;
  /** To be pasted into a shell. */
  readonly commands: readonly string[];
  readonly dataSafety: DataSafety;
  readonly verified: true;
  readonly verdict: VerdictReport;
  readonly others: readonly { readonly claim: string; readonly before: VerdictReport; readonly after: VerdictReport }[];
}

export interface PodNodesReport {
  /** "namespace/name" */
  readonly pod: string;
  /** The scheduler's words if no node fits, without what it says about preemption. */
  readonly message?: string;
  /** Nearest first. */
  readonly nodes: readonly NodeReport[];
}

export interface NodeReport {
  readonly node: string;
  readonly verdict: 'fits' | 'rejected' | 'error' | 'unknown';
  /** The plugin that decides, and its reason, in the scheduler's words. */
  readonly plugin?: string;
  readonly reason?: string;
  /** Everything against the node besides the claims of the pod. */
  readonly pod: readonly { readonly plugin: string; readonly text: string }[];
  /** What the claim finds there. */
  readonly claim?: { readonly is: string; readonly text: string };
}

/** Volumes that stand alike to the claim. */
export interface VolumesReport {
  readonly relation: Relation;
  readonly count: number;
  readonly codes: readonly Code[];
  readonly standing?: Standing;
  readonly examples: readonly VolumeExample[];
}

export interface VolumeExample {
  readonly name: string;
  readonly capacity: Amount;
  readonly accessModes: readonly string[];
  readonly class: string;
  readonly phase: string;
  readonly claim?: string;
  /** What fails, in a few words each. */
  readonly reasons: readonly { readonly code: Code; readonly text: string }[];
  /** What would fail, but is not asked because the volume is reserved for the claim. */
  readonly skipped?: readonly { readonly code: Code; readonly text: string }[];
}

/** Edits are tried for one claim of each cause while there are not more causes than this. */
const mostCausesTried = 20;

/**
 * The report of some claims; items are made as they are asked for, so that a large report streams. Edits are tried for every claim,
 * for one of each shared cause, or for none. `before`: the cluster without the changes of a what-if.
 */
export function claimReportList(
  examination: Examination,
  keys: readonly string[],
  tried: 'all' | 'oneOfEachCause' | 'none',
  before?: Examination,
): ClaimReportList {
  return {
    apiVersion,
    kind: 'ClaimReportList',
    metadata: {},
    cluster: clusterReport(examination),
    load: examination.simulation.snapshot.issues,
    ...(before === undefined ? {} : { differences: differences(before, examination) }),
    items: {
      *[Symbol.iterator]() {
        const firstOfCause = new Map<string, string>();
        for (const key of keys) {
          const diagnosis = diagnose(examination, key);
          const first = tried === 'all' ? key : getOrSet(firstOfCause, causeOf(diagnosis), () => key);
          const isTried = first === key && tried !== 'none' && firstOfCause.size <= mostCausesTried;
          yield claimReport(examination, diagnosis, isTried, first === key ? undefined : first);
        }
      },
    },
  };
}

/** Claims with the same verdict for the same reason are mended alike. */
function causeOf({ verdict, findings: [cause] }: Diagnosis): string {
  return `${verdict.outcome} ${cause === undefined ? '' : `${cause.code} ${short(cause)}`}`;
}

export function clusterReport({ simulation: { snapshot, features } }: Examination): ClusterReport {
  const stated = allKinds.map((kind) => [kind, snapshot.coverage(kind)] as const);
  return {
    simulated: features.release,
    ...(snapshot.kubernetesVersion === undefined ? {} : { kubernetesVersion: snapshot.kubernetesVersion }),
    sources: snapshot.sources,
    ...(snapshot.capturedAt === undefined ? {} : { capturedAt: snapshot.capturedAt }),
    coverage: Object.fromEntries(stated),
  };
}

/**
 * `withRemedies`: try edits, which costs a run for each. `sameCauseAs`: the claim for which they are tried instead. Volumes and nodes
 * are looked at when they are asked for: a list shows neither.
 */
export function claimReport(
  examination: Examination,
  diagnosis: Diagnosis,
  withRemedies: boolean,
  sameCauseAs?: string,
): ClaimReport {
  const { key, claim, verdict, findings } = diagnosis;
  const at = key.indexOf('/');
  const { uid, creationTimestamp } = claim?.metadata ?? {};
  const cause = findings[0]?.code;
  return {
    apiVersion,
    kind: 'ClaimReport',
    metadata: {
      name: key.slice(at + 1),
      namespace: key.slice(0, at),
      ...(uid === undefined ? {} : { uid }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    ...(claim === undefined ? {} : { claim: claimFacts(examination, claim, examination.after(key) ?? claim) }),
    verdict,
    summary: headline(verdict, findings),
    ...(cause === undefined ? {} : { cause }),
    findings: findings.map(findingReport),
    get volumes() {
      return diagnosis.considered.map((row) => volumesReport(examination, row));
    },
    get nodes() {
      return diagnosis.nodes.map(podNodesReport);
    },
    ...(withRemedies ? { remedies: remediesFor(examination, diagnosis).map(remedyReport) } : {}),
    ...(sameCauseAs === undefined ? {} : { notTried: { sameCauseAs } }),
    events: eventsOf(examination, key),
  };
}

function remedyReport(remedy: Remedy): RemedyReport {
  const { addresses, edit, commands, dataSafety, verdict, others } = remedy;
  return {
    title: remedyTitle(remedy),
    effect: remedyEffect(remedy),
    addresses,
    edit,
    commands,
    dataSafety,
    verified: true,
    verdict,
    others,
  };
}

const podNodesReport = ({ pod, message, rows }: Diagnosis['nodes'][number]): PodNodesReport => ({
  pod,
  ...(message === undefined ? {} : { message }),
  nodes: rows.map(nodeReport),
});

function nodeReport(row: OnNode): NodeReport {
  const reason = row.decides?.reasons[0];
  return {
    node: row.node,
    verdict: row.verdict,
    ...(row.decides === undefined ? {} : { plugin: row.decides.plugin }),
    ...(reason === undefined ? {} : { reason }),
    pod: row.pod.map((status) => ({ plugin: status.plugin, text: statusText(status) })),
    ...(row.claim === undefined ? {} : { claim: { is: row.claim.is, text: claimText(row.claim, row.nearest) } }),
  };
}

function claimFacts(examination: Examination, claim: PersistentVolumeClaim, after: PersistentVolumeClaim): ClaimFacts {
  const { spec, status, metadata } = claim;
  const { name, from } = effectiveClass(claim);
  const effective = claimClass(after);
  const { snapshot } = examination.simulation;
  const found = snapshot.get('StorageClass', effective);
  const request = amount(spec.resources?.requests?.storage);
  const source = snapshot.provenance(claim);
  return {
    phase: status?.phase ?? '',
    ...(request === undefined ? {} : { request }),
    accessModes: spec.accessModes ?? [],
    volumeMode: spec.volumeMode ?? 'Filesystem',
    class: {
      name: effective,
      from: from === 'none' && effective !== name ? 'default' : from,
      exists: found !== undefined,
      ...(found === undefined
        ? {}
        : { bindingMode: found.volumeBindingMode ?? 'Immediate', provisioner: found.provisioner ?? '' }),
    },
    ...(spec.volumeName ? { volumeName: spec.volumeName } : {}),
    ...(spec.selector === undefined ? {} : { selector: describeSelector(spec.selector) }),
    ...(spec.volumeAttributesClassName ? { volumeAttributesClass: spec.volumeAttributesClassName } : {}),
    ...(metadata.deletionTimestamp === undefined ? {} : { deletionTimestamp: metadata.deletionTimestamp }),
    ...(source === undefined ? {} : { source }),
  };
}

export function findingReport(one: Finding): FindingReport {
  const help = todo(one);
  return {
    code: one.code,
    severity: severityOf(one),
    what: what(one),
    why: why(one),
    ...(help === undefined ? {} : { todo: help }),
    short: short(one),
    args: one.args,
  };
}

/** Claims of one shape have examples in common, and an example belongs to one examination. */
const exampleReports = new WeakMap<Example, VolumeExample>();

function volumesReport(
  examination: Examination,
  { relation, count, codes, standing, examples }: Considered,
): VolumesReport {
  return {
    relation,
    count,
    codes,
    ...(standing === undefined ? {} : { standing }),
    examples: examples.map((example) => getOrSet(exampleReports, example, () => volumeExample(examination, example))),
  };
}

function volumeExample(examination: Examination, { volume, reasons, skipped }: Example): VolumeExample {
  // What is shown is what the objects show now, not what the run made of them.
  const asRead = examination.simulation.snapshot.get('PersistentVolume', volume.metadata.name) ?? volume;
  return {
    ...volumeFacts(asRead),
    reasons: reasons.map(inShort),
    ...(skipped === undefined ? {} : { skipped: skipped.map(inShort) }),
  };
}

const inShort = (found: Finding) => ({ code: found.code, text: short(found) });

export function volumeFacts(volume: PersistentVolume): Omit<VolumeExample, 'reasons' | 'skipped'> {
  const ref = volume.spec.claimRef;
  return {
    name: volume.metadata.name,
    capacity: amount(volume.spec.capacity?.storage) ?? { quantity: '', bytes: 0 },
    accessModes: volume.spec.accessModes ?? [],
    class: volumeClass(volume),
    phase: volume.status?.phase ?? '',
    ...(ref === undefined ? {} : { claim: `${ref.namespace ?? ''}/${ref.name ?? ''}` }),
  };
}

export function amount(quantity: string | undefined): Amount | undefined {
  if (quantity === undefined) return undefined;
  try {
    const bytes = quantityValue(parseQuantity(quantity));
    return { quantity, bytes: bytes <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(bytes) : String(bytes) };
  } catch (error) {
    if (error instanceof QuantityError) return { quantity, bytes: 0 };
    throw error;
  }
}

/** "RWO,ROX" */
export const modesText = (list: readonly string[]): string => accessModesAsString(list) || '<none>';

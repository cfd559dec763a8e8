import { claimKey } from '../api/accessors.ts';
import { canonicalQuantity, quantityOfBytes } from '../api/quantity.ts';
import { short } from '../diagnosis/catalogue.ts';
import type { Code } from '../diagnosis/codes.ts';
import type { Examination } from '../diagnosis/diagnose.ts';
import type { Certainty } from '../diagnosis/verdict.ts';
import type {
  CapacityLeft,
  Freeing,
  Hindrance,
  Standing,
  VolumeDiagnosis,
  VolumeOutcome,
  VolumeSide,
  Way,
} from '../diagnosis/volume-side.ts';
import {
  doesInstead,
  freeingText,
  freeingTitle,
  handOverTitle,
  volumeHeadline,
  volumeReasons,
  volumeShort,
} from '../diagnosis/volume-words.ts';
import type { Kind } from '../snapshot/kinds.ts';
import type { LoadIssue } from '../snapshot/snapshot.ts';
import {
  type Amount,
  amount,
  apiVersion,
  type ClusterReport,
  clusterReport,
  type VerdictReport,
  volumeFacts,
} from './claim-report.ts';

/** Volumes from their own side, as `pv` prints them. */
export interface VolumeReportList {
  readonly apiVersion: typeof apiVersion;
  readonly kind: 'VolumeReportList';
  readonly metadata: Record<never, never>;
  readonly cluster: ClusterReport;
  readonly load: readonly LoadIssue[];
  /** How many pending claims look for a volume. */
  readonly wanting: number;
  readonly items: Iterable<VolumeReport>;
  /** What nobody has when everybody has what they get. */
  readonly left: readonly CapacityReport[];
}

export interface VolumeReport {
  readonly apiVersion: typeof apiVersion;
  readonly kind: 'VolumeReport';
  readonly metadata: { readonly name: string; readonly uid?: string; readonly creationTimestamp?: string };
  readonly volume: VolumeFacts;
  readonly verdict: {
    readonly outcome: VolumeOutcome;
    readonly certainty: Certainty;
    /** The claims that have, get or may get it. */
    readonly claims: readonly { readonly claim: string; readonly way: Way; readonly certain: boolean }[];
    readonly lacks: readonly Kind[];
  };
  /** The verdict in one sentence. */
  readonly summary: string;
  /** The same in a few words, for a table. */
  readonly short: string;
  /** The code of the rule behind it. */
  readonly cause?: Code;
  readonly reasons: readonly string[];
  /** Why the claim that claimRef names does not take it. */
  readonly hindrance?: { readonly is: Hindrance['is']; readonly claim: string };
  /** Pending claims, those that it fits first, as if it belonged to nobody. */
  readonly claims: readonly ClaimsReport[];
  /** What removing its claimRef does, tried on a copy; absent where there is nothing to free, or it was not tried. */
  readonly freeing?: FreeingReport;
}

export interface VolumeFacts {
  readonly capacity: Amount;
  readonly accessModes: readonly string[];
  readonly volumeMode: string;
  readonly class: string;
  readonly phase: string;
  readonly reclaimPolicy: string;
  /** What its claimRef names. */
  readonly claim?: string;
}

/** Pending claims to which a volume stands alike. */
export interface ClaimsReport {
  readonly count: number;
  readonly codes: readonly Code[];
  readonly examples: readonly {
    readonly claim: string;
    readonly request: Amount;
    readonly accessModes: readonly string[];
    readonly class: string;
    readonly verdict: VerdictReport;
    /** Where it fits: what the claim does instead of taking it. */
    readonly instead?: string;
    readonly reasons: readonly { readonly code: Code; readonly text: string }[];
  }[];
}

export interface FreeingReport {
  readonly effect: string;
  readonly takers: readonly ChangeReport[];
  readonly others: readonly ChangeReport[];
  /** The safest first. */
  readonly ways: readonly { readonly title: string; readonly commands: readonly string[] }[];
}

export interface ChangeReport {
  readonly claim: string;
  readonly before: VerdictReport;
  readonly after: VerdictReport;
}

export interface CapacityReport {
  readonly class: string;
  readonly accessModes: string;
  readonly volumeMode: string;
  readonly count: number;
  readonly total: Amount;
  /** The largest first. */
  readonly sizes: readonly { readonly quantity: string; readonly count: number }[];
}

/** The report of some volumes. Freeing costs a run for each. */
export function volumeReportList(
  examination: Examination,
  side: VolumeSide,
  names: readonly string[],
  triesFreeing: boolean,
): VolumeReportList {
  const { snapshot } = examination.simulation;
  return {
    apiVersion,
    kind: 'VolumeReportList',
    metadata: {},
    cluster: clusterReport(examination),
    load: snapshot.issues,
    wanting: side.wanting,
    items: {
      *[Symbol.iterator]() {
        for (const name of names) {
          const volume = snapshot.get('PersistentVolume', name);
          if (volume !== undefined) yield volumeReport(side.diagnose(volume), side.wanting, triesFreeing);
        }
      },
    },
    left: side.capacityLeft().map(capacityReport),
  };
}

export function volumeReport(diagnosis: VolumeDiagnosis, wanting: number, triesFreeing: boolean): VolumeReport {
  const { volume, outcome, certainty, lacks, takers, hindrance, cause } = diagnosis;
  const { name, uid, creationTimestamp } = volume.metadata;
  const freeing = triesFreeing ? diagnosis.freeing : undefined;
  const { name: _name, ...facts } = volumeFacts(volume);
  return {
    apiVersion,
    kind: 'VolumeReport',
    metadata: {
      name,
      ...(uid === undefined ? {} : { uid }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    volume: {
      ...facts,
      volumeMode: volume.spec.volumeMode ?? 'Filesystem',
      reclaimPolicy: volume.spec.persistentVolumeReclaimPolicy ?? 'Retain',
    },
    verdict: {
      outcome,
      certainty,
      claims: takers.map(({ claim, way, isCertain }) => ({ claim, way, certain: isCertain })),
      lacks,
    },
    summary: volumeHeadline(diagnosis),
    get short() {
      return volumeShort(diagnosis, wanting);
    },
    ...(cause === undefined ? {} : { cause }),
    get reasons() {
      return volumeReasons(diagnosis, wanting);
    },
    ...(hindrance === undefined ? {} : { hindrance: { is: hindrance.is, claim: hindrance.claim } }),
    get claims() {
      return diagnosis.standings.map((standing) => claimsReport(standing, name));
    },
    ...(freeing === undefined ? {} : { freeing: freeingReport(diagnosis, freeing) }),
  };
}

const claimsReport = ({ count, codes, examples }: Standing, volume: string): ClaimsReport => ({
  count,
  codes,
  examples: examples.map((example) => {
    const { claim, className, verdict, reasons } = example;
    return {
      claim: claimKey(claim),
      request: amount(claim.spec.resources?.requests?.storage) ?? { quantity: '', bytes: 0 },
      accessModes: claim.spec.accessModes ?? [],
      class: className,
      verdict,
      ...(codes.length > 0 ? {} : { instead: doesInstead(example, volume) }),
      reasons: reasons.map((found) => ({ code: found.code, text: short(found) })),
    };
  }),
});

function freeingReport({ volume }: VolumeDiagnosis, freeing: Freeing): FreeingReport {
  const { takers, others, handOver, commands } = freeing;
  return {
    effect: freeingText(freeing),
    takers,
    others,
    ways: [
      ...(handOver === undefined
        ? []
        : [{ title: handOverTitle(volume, handOver.claim), commands: handOver.commands }]),
      { title: freeingTitle(volume, freeing), commands },
    ],
  };
}

function capacityReport({
  class: className,
  accessModes,
  volumeMode,
  count,
  bytes,
  sizes,
}: CapacityLeft): CapacityReport {
  const total = amount(canonicalQuantity(quantityOfBytes(bytes))) ?? { quantity: '0', bytes: 0 };
  return { class: className, accessModes, volumeMode, count, total, sizes };
}

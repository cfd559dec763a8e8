import type { Features } from '../api/features.ts';
import { getOrSet } from '../api/get-or-set.ts';
import { short, todo, what, why } from '../diagnosis/catalogue.ts';
import { type Assumption, assumptionText, changeText, type Note, noteText } from '../diagnosis/check-words.ts';
import { type Code, type Finding, finding, type Severity } from '../diagnosis/codes.ts';
import type { Certainty, Outcome } from '../diagnosis/verdict.ts';
import { positionOfField } from '../manifests/field-position.ts';
import { type FieldPath, type Manifest, nameOfManifest, textOfPath } from '../manifests/manifest.ts';
import { type Plan, planOf } from '../manifests/plan.ts';
import { mostPodsOfWorkload } from '../manifests/pods-of.ts';
import type { Kind } from '../snapshot/kinds.ts';
import type { Provenance, Snapshot } from '../snapshot/snapshot.ts';
import type { BaselineEntry } from './baseline.ts';
import { type JudgedClaim, type Judgement, judge, type Level, type LevelledFinding } from './check-claims.ts';
import { apiVersion } from './claim-report.ts';
import { type CheckConfig, type FailOn, failLevels, type Ignore, matchesPattern } from './config.ts';
import { exitCodes } from './exit-code.ts';
import { fingerprints } from './fingerprint.ts';

// The document of `check`. Its schema is schema/check-report.json.

export interface CheckReport {
  readonly apiVersion: typeof apiVersion;
  readonly kind: 'CheckReport';
  readonly metadata: Record<never, never>;
  /** The releases that were simulated, oldest first. */
  readonly simulated: readonly string[];
  /** What the cluster was read from; absent for a check without one. */
  readonly cluster?: { readonly sources: readonly string[]; readonly kubernetesVersion?: string };
  readonly manifests: { readonly files: readonly string[]; readonly objects: number };
  readonly failOn: FailOn;
  /** Whether a finding counts. */
  readonly failed: boolean;
  readonly summary: CheckSummary;
  /** Every claim that the manifests make or use. */
  readonly items: readonly CheckedClaim[];
  /** By file and line. */
  readonly findings: readonly CheckFinding[];
  /** What each release changes against the one before. */
  readonly changes: readonly ReleaseChange[];
  readonly assumptions: readonly string[];
  readonly notes: readonly string[];
}

export interface CheckSummary {
  readonly claims: number;
  /** How many claims come to what, in the newest release. */
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** Findings that count or would with another --fail-on; info, accepted and ignored ones are not among them. */
  readonly errors: number;
  readonly warnings: number;
  readonly unknown: number;
  readonly accepted: number;
  readonly ignored: number;
  /** Claims of which nothing can be said without a cluster. */
  readonly unjudged: number;
}

export interface CheckedClaim {
  readonly metadata: { readonly name: string; readonly namespace: string };
  /** Who makes the claim, or uses it if nobody does: "StatefulSet shop/db". */
  readonly from: string;
  readonly location: Location;
  /** One for each release. */
  readonly releases: readonly ClaimInRelease[];
}

export interface ClaimInRelease {
  readonly release: string;
  readonly outcome: Outcome;
  readonly certainty: Certainty;
  readonly summary: string;
  readonly cause?: Code;
  readonly volumes: readonly string[];
  readonly provisioner?: string;
  /** Absent if all is well. */
  readonly level?: Level;
  readonly unjudged?: true;
}

export interface Location {
  /** As the user named it; "-" for standard input. */
  readonly file: string;
  /** Relative to the repository, with `/`; of what was rendered from standard input, the template. */
  readonly path: string;
  readonly document: number;
  /** From 1, like columns. */
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
  /** "spec.storageClassName" */
  readonly field: string;
  /** The template or base that the object was rendered from. */
  readonly renderedFrom?: string;
}

export interface CheckFinding {
  /** The same in every run: see fingerprint.ts. */
  readonly fingerprint: string;
  readonly code: Code;
  readonly level: Level;
  /** "StatefulSet shop/db": the manifest at fault. */
  readonly object: string;
  /** The claims that it is about, "namespace/name"; empty if it is about something else. */
  readonly claims: readonly string[];
  /** One line. */
  readonly message: string;
  readonly why: readonly string[];
  readonly todo?: string;
  readonly location: Location;
  /** The releases in which it is so, if not in all that were simulated. */
  readonly releases?: readonly string[];
  /** It is in the baseline. */
  readonly accepted?: true;
  /** Why the configuration ignores it. */
  readonly ignored?: string;
  /** It makes the check fail. */
  readonly counts: boolean;
}

export interface ReleaseChange {
  readonly from: string;
  readonly to: string;
  readonly claim: string;
  readonly before: Outcome;
  readonly after: Outcome;
  readonly text: string;
}

/** What was read of the manifests. */
export interface CheckInput {
  readonly manifests: readonly (Manifest & {
    readonly remarks: readonly { severity: 'error' | 'warning'; reason: string }[];
  })[];
  readonly unreadable: readonly { readonly at: Provenance; readonly reason: string }[];
  readonly passedOver: readonly { readonly at: Provenance; readonly reason: string }[];
  readonly custom: readonly { readonly kind: string }[];
  readonly files: readonly string[];
}

export interface CheckOptions {
  /** Oldest first; at least one. */
  readonly releases: readonly Features[];
  /** The cluster is empty because there is none. */
  readonly isOffline: boolean;
  readonly config: CheckConfig;
  readonly failOn: FailOn;
  readonly baseline: readonly BaselineEntry[];
  /** A file as the repository calls it. */
  readonly pathOf: (file: string) => string;
}

/** Judges manifests against a cluster, or without one. */
export function checkReport(input: CheckInput, cluster: Snapshot, options: CheckOptions): CheckReport {
  const plan = planOf(input.manifests, cluster);
  const judgements = options.releases.map((features) => judge(plan, cluster, features, options.isOffline));
  const found = [...readingFindings(input, plan, options), ...judgedFindings(judgements, options)];
  const { findings, usedIgnores } = settled(found, options);
  const items = itemsOf(plan, judgements, options);
  const known = new Set(findings.map(({ fingerprint }) => fingerprint));
  const gone = options.baseline.filter(({ fingerprint }) => !known.has(fingerprint)).length;
  const notes: Note[] = [
    ...notesOf(input),
    ...options.config.ignore
      .filter((ignore) => !usedIgnores.has(ignore))
      .map(({ reason }) => ({ is: 'unusedIgnore', reason }) as const),
    ...(gone > 0 ? [{ is: 'staleBaseline', count: gone } as const] : []),
  ];
  const summary = summaryOf(items, findings);
  const { kubernetesVersion, sources } = cluster;
  return {
    apiVersion,
    kind: 'CheckReport',
    metadata: {},
    simulated: judgements.map(({ release }) => release),
    ...(options.isOffline
      ? {}
      : { cluster: { sources, ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }) } }),
    manifests: { files: input.files, objects: input.manifests.length },
    failOn: options.failOn,
    failed: findings.some(({ counts }) => counts),
    summary,
    items,
    findings,
    changes: changesOf(judgements),
    assumptions: assumptionsOf(plan, cluster, summary, options).map(assumptionText),
    notes: notes.map(noteText),
  };
}

/** The exit code of a check. */
export const exitCodeOf = ({ failed }: CheckReport): number => (failed ? exitCodes.findings : exitCodes.clean);

/** What a baseline keeps of the findings. */
export const baselineOf = ({ findings }: CheckReport): readonly BaselineEntry[] =>
  findings
    .filter(({ level, ignored }) => level !== 'info' && ignored === undefined)
    .map(({ fingerprint, code, object, location }) => ({ fingerprint, code, object, path: location.path }));

/** A finding before the configuration has had its say. */
interface Found {
  readonly finding: Finding;
  readonly level: Level;
  readonly object: string;
  readonly claims: readonly string[];
  readonly message: string;
  readonly why: readonly string[];
  readonly todo: string | undefined;
  readonly location: Location;
  readonly releases: readonly string[];
}

/** What is wrong with the manifests before any API server sees them. */
function readingFindings(
  { manifests, unreadable }: CheckInput,
  { duplicates }: Plan,
  options: CheckOptions,
): readonly Found[] {
  const releases = options.releases.map(({ release }) => release);
  const found = (told: Finding, level: Level, object: string, location: Location): Found => ({
    finding: told,
    level,
    object,
    claims: [],
    message: told.code === 'ManifestUnreadable' ? what(told) : `${object}: ${what(told)}`,
    why: [why(told)],
    todo: todo(told),
    location,
    releases,
  });
  // Claims, volumes and classes are read by the API server's own rules, field by field.
  const decoded: ReadonlySet<string> = new Set(['PersistentVolumeClaim', 'PersistentVolume', 'StorageClass']);
  return [
    ...unreadable.map(({ at, reason }) =>
      found(finding('ManifestUnreadable', { reason }), 'error', at.file, wholeDocument(at, options)),
    ),
    ...manifests
      .filter(({ kind }) => !decoded.has(kind))
      .flatMap((manifest) =>
        manifest.remarks.map(({ severity, reason }) => {
          const object = nameOfManifest(manifest);
          const told = finding('ManifestMalformed', { object, reason: reason.replace(/^[^:]*: /, '') });
          return found(told, severity, object, locationOf(manifest, fieldOfRemark(reason), options));
        }),
      ),
    ...duplicates.map(({ dropped, kept }) => {
      const object = nameOfManifest(dropped);
      const other = `${kept.at.file}:${kept.at.line}`;
      const told = finding('DuplicateManifest', { object, other });
      return found(told, 'warning', object, locationOf(dropped, ['metadata', 'name'], options));
    }),
  ];
}

/** "StatefulSet shop/db: spec.replicas: expected ..." */
const fieldOfRemark = (reason: string): FieldPath =>
  (/: ([\w.[\]]+)(?::| is )/.exec(reason)?.[1] ?? 'metadata.name').split('.');

function judgedFindings(judgements: readonly Judgement[], options: CheckOptions): readonly Found[] {
  const merged = new Map<
    string,
    { readonly one: LevelledFinding; readonly releases: string[]; readonly claims: Set<string> }
  >();
  for (const { release, findings } of judgements) {
    for (const one of findings) {
      const entry = getOrSet(merged, sameness(one), () => ({ one, releases: [], claims: new Set<string>() }));
      if (!entry.releases.includes(release)) entry.releases.push(release);
      if (one.claim !== undefined) entry.claims.add(one.claim);
    }
  }
  return [...merged.values()].map(({ one, releases, claims }) => {
    const { finding: told, level, manifest, path, claim, reasons = [] } = one;
    const subject = claim === undefined ? nameOfManifest(manifest) : `claim ${claim}`;
    const message = one.message ?? `${subject}: ${what(told)}${told.code === 'InvalidClaim' ? `: ${short(told)}` : ''}`;
    const others = [...claims].filter((claim) => claim !== one.claim);
    const more = others.length === 0 ? '' : ` (also ${listed(others)})`;
    return {
      finding: told,
      level,
      object: nameOfManifest(manifest),
      claims: [...claims],
      message: `${message}${more}`,
      why: [told, ...reasons].slice(0, mostReasons).map(why),
      todo: one.todo ?? todo(told),
      location: locationOf(manifest, path, options),
      releases,
    };
  });
}

const mostReasons = 3;

const listed = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ');

/** Codes whose arguments tell several findings at one field apart. */
const distinct: ReadonlySet<Code> = new Set(['InvalidClaim', 'NotDecoded', 'UnknownField', 'AdmissionWarning']);

/** Claims of one template that end alike at the same field are told once; so is what is the same in several releases. */
function sameness({ finding: told, manifest, path, claim, level }: LevelledFinding): string {
  const isOfTemplate = claim !== undefined && manifest.kind !== 'PersistentVolumeClaim' && path.length > 0;
  const args = isOfTemplate && !distinct.has(told.code) ? '' : JSON.stringify(told.args);
  return [nameOfManifest(manifest), textOfPath(path), told.code, level, isOfTemplate ? '' : claim, args].join('\n');
}

function locationOf(manifest: Manifest, path: FieldPath, { pathOf }: CheckOptions): Location {
  const { at, text, textLine, root, renderedFrom } = manifest;
  const { line, column, endColumn } = positionOfField(text, [...root, ...path]);
  return {
    file: at.file,
    path: at.file === '-' ? (renderedFrom ?? 'stdin') : pathOf(at.file),
    document: at.document,
    line: textLine + line,
    column,
    endColumn,
    field: textOfPath(path),
    ...(renderedFrom === undefined ? {} : { renderedFrom }),
  };
}

const wholeDocument = ({ file, document, line }: Provenance, { pathOf }: CheckOptions): Location => ({
  file,
  path: file === '-' ? 'stdin' : pathOf(file),
  document,
  line,
  column: 1,
  endColumn: 1,
  field: '',
});

/** The findings in order, with what configuration and baseline say about them. */
function settled(
  found: readonly Found[],
  { config, failOn, baseline, releases }: CheckOptions,
): { readonly findings: readonly CheckFinding[]; readonly usedIgnores: ReadonlySet<Ignore> } {
  const ordered = [...found].sort(byPlace);
  const names = fingerprints(
    ordered.map((one) => ({
      code: one.finding.code,
      path: one.location.path,
      object: one.object,
      field: one.location.field,
    })),
  );
  const accepted = new Set(baseline.map(({ fingerprint }) => fingerprint));
  const usedIgnores = new Set<Ignore>();
  const findings = ordered.flatMap((one, i): readonly CheckFinding[] => {
    const { code } = one.finding;
    const set: Severity | 'off' | undefined = config.severities[code];
    if (set === 'off') return [];
    const level: Level = set ?? one.level;
    const ignore = level === 'info' ? undefined : config.ignore.find((entry) => ignores(entry, one));
    if (ignore !== undefined) usedIgnores.add(ignore);
    const fingerprint = names[i] as string;
    const isAccepted = accepted.has(fingerprint) && level !== 'info';
    return [
      {
        fingerprint,
        code,
        level,
        object: one.object,
        claims: one.claims,
        message: one.message,
        why: one.why,
        ...(one.todo === undefined ? {} : { todo: one.todo }),
        location: one.location,
        ...(one.releases.length === releases.length ? {} : { releases: one.releases }),
        ...(isAccepted ? { accepted: true as const } : {}),
        ...(ignore === undefined ? {} : { ignored: ignore.reason }),
        counts: !isAccepted && ignore === undefined && isAtLeast(level, failOn),
      },
    ];
  });
  return { findings, usedIgnores };
}

const isAtLeast = (level: Level, failOn: FailOn): boolean =>
  level !== 'info' && failLevels.indexOf(level) <= failLevels.indexOf(failOn);

function ignores({ code, claim, path }: Ignore, { finding: told, claims, object, location }: Found): boolean {
  if (code !== undefined && code !== told.code) return false;
  if (path !== undefined && !matchesPattern(path, location.path)) return false;
  if (claim === undefined) return true;
  const names = claims.length > 0 ? claims : [object.slice(object.indexOf(' ') + 1)];
  return names.every((name) => matchesPattern(claim, name));
}

function byPlace(a: Found, b: Found): number {
  const [left, right] = [a.location, b.location];
  return (
    compare(left.path, right.path) ||
    left.line - right.line ||
    left.column - right.column ||
    compare(a.finding.code, b.finding.code) ||
    compare(a.message, b.message)
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function itemsOf(plan: Plan, judgements: readonly Judgement[], options: CheckOptions): readonly CheckedClaim[] {
  const places = new Map<string, { readonly manifest: Manifest; readonly path: FieldPath }>();
  for (const { key, from, path } of [...plan.uses, ...plan.adopted, ...plan.claims])
    places.set(key, { manifest: from, path });
  return [...places]
    .sort(([a], [b]) => compare(a, b))
    .map(([key, { manifest, path }]) => ({
      metadata: { name: key.slice(key.indexOf('/') + 1), namespace: key.slice(0, key.indexOf('/')) },
      from: nameOfManifest(manifest),
      location: locationOf(manifest, path.length === 0 ? ['metadata', 'name'] : path, options),
      releases: judgements.flatMap(({ release, claims }) => {
        const judged = claims.get(key);
        return judged === undefined ? [] : [inRelease(release, judged)];
      }),
    }));
}

function inRelease(release: string, { verdict, summary, cause, level, isUnjudged }: JudgedClaim): ClaimInRelease {
  const { outcome, certainty, volumes, provisioner } = verdict;
  return {
    release,
    outcome,
    certainty,
    summary,
    ...(cause === undefined ? {} : { cause: cause.code }),
    volumes,
    ...(provisioner === undefined ? {} : { provisioner }),
    ...(level === undefined ? {} : { level }),
    ...(isUnjudged ? { unjudged: true as const } : {}),
  };
}

function changesOf(judgements: readonly Judgement[]): readonly ReleaseChange[] {
  return judgements.slice(1).flatMap((now, i) => {
    const before = judgements[i] as Judgement;
    return [...now.claims]
      .sort(([a], [b]) => compare(a, b))
      .flatMap(([claim, after]) => {
        const old = before.claims.get(claim);
        if (
          old === undefined ||
          (old.verdict.outcome === after.verdict.outcome && old.cause?.code === after.cause?.code)
        )
          return [];
        const text = changeText(claim, textOf(old), textOf(after));
        const outcomes = { before: old.verdict.outcome, after: after.verdict.outcome };
        return [{ from: before.release, to: now.release, claim, ...outcomes, text }];
      });
  });
}

const textOf = ({ verdict, summary }: JudgedClaim): string => `${verdict.outcome}: ${summary}`;

function summaryOf(items: readonly CheckedClaim[], findings: readonly CheckFinding[]): CheckSummary {
  const outcomes: Partial<Record<Outcome, number>> = {};
  let unjudged = 0;
  for (const { releases } of items) {
    const newest = releases.at(-1);
    if (newest === undefined) continue;
    if (newest.unjudged) unjudged++;
    else outcomes[newest.outcome] = (outcomes[newest.outcome] ?? 0) + 1;
  }
  const open = findings.filter(({ accepted, ignored }) => accepted === undefined && ignored === undefined);
  const at = (level: Level) => open.filter((one) => one.level === level).length;
  return {
    claims: items.length,
    outcomes,
    errors: at('error'),
    warnings: at('warning'),
    unknown: at('unknown'),
    accepted: findings.filter(({ accepted }) => accepted).length,
    ignored: findings.filter(({ ignored }) => ignored !== undefined).length,
    unjudged,
  };
}

/** Kinds by which the API server refuses claims. A cluster has none of them more often than not, so that their absence is no gap. */
const admitting: readonly Kind[] = ['ResourceQuota', 'LimitRange'];

function assumptionsOf(
  plan: Plan,
  cluster: Snapshot,
  { unjudged }: CheckSummary,
  { isOffline }: CheckOptions,
): readonly Assumption[] {
  const namespaces = new Set(plan.claims.map(({ key }) => key.slice(0, key.indexOf('/'))));
  const notRead = admitting.filter((kind) =>
    [...namespaces].some((namespace) => ['unstated', 'notCollected'].includes(cluster.coverage(kind, namespace).is)),
  );
  return [
    { is: 'webhooks' },
    ...(isOffline ? [{ is: 'offline', claims: unjudged } as const] : []),
    ...(!isOffline && notRead.length > 0 ? [{ is: 'notRead', kinds: notRead } as const] : []),
    ...plan.shortened.map(
      ({ manifest, pods }) =>
        ({ is: 'shortened', workload: nameOfManifest(manifest), pods, most: mostPodsOfWorkload }) as const,
    ),
  ];
}

function notesOf({ custom, passedOver }: CheckInput): readonly Note[] {
  const kinds = [...new Set(custom.map(({ kind }) => kind))].sort();
  return [
    ...(kinds.length === 0 ? [] : [{ is: 'customResources', kinds, count: custom.length } as const]),
    ...passedOver.map(({ at, reason }) => ({ is: 'passedOver', place: `${at.file}:${at.line}`, reason }) as const),
  ];
}

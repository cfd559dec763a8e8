import { type ClaimKey, claimKey } from '../api/accessors.ts';
import type { Features } from '../api/features.ts';
import { claimClass } from '../api/storage-class.ts';
import { headline, severityOf } from '../diagnosis/catalogue.ts';
import { captureText } from '../diagnosis/check-words.ts';
import { type Code, type Finding, finding } from '../diagnosis/codes.ts';
import { type Diagnosis, diagnose, Examination } from '../diagnosis/diagnose.ts';
import { outcomes, type Verdict } from '../diagnosis/verdict.ts';
import { verdictOf } from '../diagnosis/verdict-of.ts';
import { type Component, componentsOf } from '../engine/components.ts';
import { simulate } from '../engine/simulate.ts';
import { siteOf } from '../engine/volume-checks.ts';
import { worldOf } from '../engine/world.ts';
import { specDifferences } from '../manifests/applied.ts';
import type { ClaimUse, PlannedClaim } from '../manifests/claims-of.ts';
import { nameOfManifest } from '../manifests/manifest.ts';
import type { Plan } from '../manifests/plan.ts';
import { type OrderProblem, orderProblem, stagesOf } from '../manifests/rollout-order.ts';
import { kinds } from '../snapshot/kinds.ts';
import { overlay } from '../snapshot/overlay.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Applied, applyPlan, type ManifestFinding } from './check-admission.ts';
import { claimField } from './check-fields.ts';

/** How bad something is for whoever wants to merge a change. */
export type Level = 'error' | 'warning' | 'unknown' | 'info';

/** A finding with its level. */
export interface LevelledFinding extends ManifestFinding {
  readonly level: Level;
  /** In one sentence, where the finding's own would say too little. */
  readonly message?: string;
  /** What else the claim's diagnosis has to say, the most telling first. */
  readonly reasons?: readonly Finding[];
  /** What to do, where that is not what the finding says. */
  readonly todo?: string;
}

/** What becomes of one claim in one release. */
export interface JudgedClaim {
  readonly key: ClaimKey;
  readonly verdict: Verdict;
  readonly summary: string;
  readonly cause: Finding | undefined;
  /** Undefined where all is well, and where nothing can be said without a cluster. */
  readonly level: Exclude<Level, 'info'> | undefined;
  /** The verdict needs what only a cluster tells. */
  readonly isUnjudged: boolean;
}

/** A release's answer. */
export interface Judgement {
  readonly release: string;
  readonly claims: ReadonlyMap<ClaimKey, JudgedClaim>;
  readonly findings: readonly LevelledFinding[];
}

/** Judges the manifests in one release: what the API server says, then what the controllers make of it. */
export function judge(plan: Plan, cluster: Snapshot, features: Features, isOffline: boolean): Judgement {
  const applied = applyPlan(plan, cluster, features);
  const examination = new Examination(simulate(applied.snapshot, { features }));
  const findings: LevelledFinding[] = applied.findings.map((one) => ({ ...one, level: severityOf(one.finding) }));
  const claims = new Map<ClaimKey, JudgedClaim>();
  const made = new Map(plan.claims.map((claim) => [claim.key, claim]));
  const places = new Map([...plan.adopted, ...plan.claims].map((claim) => [claim.key, claim]));
  const uses = new Map(plan.uses.map((use) => [use.key, use]));
  for (const key of [...new Set([...places.keys(), ...uses.keys()])].sort()) {
    const place = places.get(key) ?? (uses.get(key) as ClaimUse);
    if (applied.refused.has(key)) {
      claims.set(key, refusedClaim(key, place, applied.findings));
      continue;
    }
    const diagnosis = diagnose(examination, key);
    const judged = judgeClaim(diagnosis, cluster, isOffline);
    claims.set(key, judged);
    findings.push(...findingsAbout(judged, diagnosis.findings, place));
  }
  findings.push(...staleClaims(plan, cluster, applied));
  findings.push(...orderFindings(plan, examination, cluster, made));
  if (!isOffline) findings.push(...losers(cluster, examination, made));
  return { release: features.release, claims, findings };
}

/** A claim that is not served has one finding, with what else is wrong as its reasons; of one that is, there are remarks only. */
function findingsAbout(
  judged: JudgedClaim,
  all: readonly Finding[],
  place: PlannedClaim | ClaimUse,
): readonly LevelledFinding[] {
  const { key, cause, level } = judged;
  const placed = (told: Finding): Pick<LevelledFinding, 'finding' | 'manifest' | 'path' | 'claim'> => ({
    finding: told,
    manifest: place.from,
    path: 'how' in place ? [...place.path, ...fieldIn(place, told)] : place.path,
    claim: key,
  });
  const rest = all.filter((one) => one !== cause);
  if (level === undefined || cause === undefined) return all.map((one) => ({ ...placed(one), level: 'info' }));
  return [{ ...placed(cause), level, message: sentenceOf(judged), ...reasonsOf(judged, rest) }];
}

/** Where in the claim a finding points; the name of an ephemeral volume's claim is nowhere written. */
function fieldIn({ how, raw }: PlannedClaim, { code }: Finding) {
  const field = claimField(code, raw);
  return how === 'ephemeral' && field[0] === 'metadata' ? [] : field;
}

function refusedClaim(
  key: ClaimKey,
  place: PlannedClaim | ClaimUse,
  findings: readonly ManifestFinding[],
): JudgedClaim {
  const own = findings.find(({ claim }) => claim === key) ?? findings.find(({ manifest }) => manifest === place.from);
  const verdict: Verdict = { outcome: 'Invalid', certainty: 'certain', volumes: [], pods: [], lacks: [] };
  const cause = own?.finding;
  const summary = headline(verdict, cause === undefined ? [] : [cause]);
  return { key, verdict, summary, cause, level: 'error', isUnjudged: false };
}

function judgeClaim(
  { key, claim, verdict: found, findings }: Diagnosis,
  cluster: Snapshot,
  isOffline: boolean,
): JudgedClaim {
  const [first] = findings;
  const bad = found.outcome === 'Bound' ? findings.find((one) => severityOf(one) === 'error') : undefined;
  const isLacking = found.outcome === 'Unknown' && found.lacks.length > 0;
  // Whatever volumes there are: a class that does not exist is what whoever wrote the manifest has to look at.
  const wrongClass = found.outcome === 'Stuck' ? findings.find(({ code }) => code === 'ClassMissing') : undefined;
  const cause = isLacking && first?.code !== 'NotCollected' ? lacking(found) : (bad ?? wrongClass ?? first);
  const level = found.outcome === 'Stuck' && isProven(claim, cause) ? 'error' : levelOf(found, cause, bad, cluster);
  const isUnjudged = isOffline && level === 'unknown';
  // Nothing may fail without a reason.
  const told = cause ?? (level === undefined ? undefined : lacking(found));
  const summary = headline(found, cause === undefined ? [] : [cause, ...findings.filter((one) => one !== cause)]);
  return { key, verdict: found, summary, cause: told, level: isUnjudged ? undefined : level, isUnjudged };
}

const lacking = ({ lacks }: Verdict): Finding =>
  finding('NotCollected', { kinds: lacks.map((kind) => kinds[kind].resource) });

/** A claim that names a volume which does not suit it stays Pending, whatever else there is in the cluster. */
function isProven(claim: Diagnosis['claim'], cause: Finding | undefined): boolean {
  const { volumeName = '' } = claim?.spec ?? {};
  return (
    volumeName !== '' &&
    cause !== undefined &&
    unsuitable.has(cause.code) &&
    'volume' in cause.args &&
    cause.args.volume === volumeName
  );
}

const unsuitable: ReadonlySet<Code> = new Set([
  'CapacityTooSmall',
  'AccessModesMissing',
  'VolumeModeMismatch',
  'ClassMismatch',
  'SelectorMismatch',
]);

/** How bad a verdict is; what the input only seems to say is no more than unknown. */
function levelOf(
  { outcome, certainty, orNone, volumes, volumeCount = volumes.length, rivals = [] }: Verdict,
  cause: Finding | undefined,
  bad: Finding | undefined,
  cluster: Snapshot,
): JudgedClaim['level'] {
  const severity = cause === undefined ? 'info' : severityOf(cause);
  switch (outcome) {
    case 'Bound':
      return bad === undefined ? undefined : 'error';
    case 'WillBind':
    case 'WillBeProvisioned':
    case 'WaitsForConsumer':
      return undefined;
    case 'MayBind':
      if (!orNone) return undefined;
      // With fewer volumes than claims one of them stays Pending, whatever the order.
      return volumeCount <= rivals.length ? 'error' : 'warning';
    case 'WaitsForProvisioner':
      return severity === 'info' ? 'unknown' : severity;
    case 'Unknown':
      return 'unknown';
    case 'Terminating':
      return 'warning';
    case 'WaitsForPod':
      if (certainty === 'assumed') return 'unknown';
      return severity === 'warning' ? 'warning' : 'error';
    case 'Missing':
      // A dump with claims of other namespaces is of all of them, more often than not.
      return cluster.coverage('PersistentVolumeClaim').is === 'unstated' ? 'unknown' : 'error';
    case 'Stuck':
    case 'Lost':
    case 'Invalid':
      return certainty === 'assumed' ? 'unknown' : 'error';
  }
}

/** What else is told: what the verdict takes for granted first, then what else is wrong. */
function reasonsOf(
  { verdict, cause, level }: JudgedClaim,
  rest: readonly Finding[],
): Pick<LevelledFinding, 'reasons' | 'todo'> {
  // Volumes of other classes explain nothing that the class itself does not.
  const telling = rest.filter((one) => severityOf(one) !== 'info' && !silent.has(one.code));
  if (level !== 'unknown' || verdict.lacks.length === 0) return { reasons: telling };
  const todo = captureText(verdict.lacks);
  return { reasons: cause?.code === 'NotCollected' ? telling : [lacking(verdict), ...telling], todo };
}

/** That a pod fits nowhere stands in the message. */
const silent: ReadonlySet<Code> = new Set(['ClassMismatch', 'PodFitsNowhere', 'NotCollected']);

const sentenceOf = ({ key, verdict, summary }: JudgedClaim): string => `claim ${key}: ${verdict.outcome}: ${summary}`;

/** Claims that a new StatefulSet finds under its names, with another spec than its template. */
function staleClaims({ adopted }: Plan, cluster: Snapshot, { refused }: Applied): readonly LevelledFinding[] {
  return adopted.flatMap((claim) => {
    const existing = cluster.get('PersistentVolumeClaim', claim.key);
    const { namespace, name } = claim.from.object.metadata;
    // One that was there before has its claims for long; that is no change of these manifests.
    const isOld = cluster.get('StatefulSet', `${namespace ?? ''}/${name}`) !== undefined;
    if (claim.how !== 'template' || existing === undefined || isOld || refused.has(claim.key)) return [];
    const template = templateSpec(claim);
    if (template === undefined) return [];
    const differences = specDifferences(existing.spec, template).map(({ field, before, after }) => ({
      field: field.replace(/^spec\./, ''),
      claim: before,
      template: after,
    }));
    if (differences.length === 0) return [];
    const told = finding('StaleTemplateClaim', { statefulSet: `${namespace ?? ''}/${name}`, differences });
    const [first] = differences;
    const path = [...claim.path, 'spec', ...(first?.field.split('.') ?? [])];
    return [
      { finding: told, manifest: claim.from, path, claim: claim.key, level: severityOf(told) } as LevelledFinding,
    ];
  });
}

function templateSpec({ from, path }: PlannedClaim) {
  const workload = from.object as { readonly spec?: { readonly volumeClaimTemplates?: readonly { spec: never }[] } };
  return workload.spec?.volumeClaimTemplates?.[Number(path[2])]?.spec;
}

/** What tools that roll out in stages would wait for in vain. */
function orderFindings(
  plan: Plan,
  examination: Examination,
  cluster: Snapshot,
  made: ReadonlyMap<ClaimKey, PlannedClaim>,
): readonly LevelledFinding[] {
  const stages = stagesOf(plan.manifests);
  if (stages === undefined) return [];
  return [...made.values()].flatMap((claim) => {
    if (claim.how !== 'claim' || cluster.get('PersistentVolumeClaim', claim.key) !== undefined) return [];
    const planned = examination.claims.get(claim.key);
    if (planned === undefined) return [];
    const users = [...new Set(plan.uses.filter(({ key }) => key === claim.key).map(({ from }) => from))];
    const isDelayed = examination.isDelayed(planned);
    const problem = orderProblem({ claim: claim.key, manifest: claim.from, isDelayed, users }, stages);
    if (problem === undefined) return [];
    const told = orderFinding(problem, claimClass(examination.after(claim.key) ?? planned));
    const path = told.code === 'ClaimWaitsForLaterPod' ? claimField(told.code, claim.raw) : ['metadata', 'annotations'];
    return [{ finding: told, manifest: claim.from, path, claim: claim.key, level: 'error' as const }];
  });
}

function orderFinding(problem: OrderProblem, className: string): Finding {
  const { claim, at } = problem;
  const common = { claim, tool: at.tool, stage: at.name };
  if (problem.is === 'podWaitsForLaterClaim') {
    const pod = nameOfManifest(problem.pod);
    return finding('PodWaitsForLaterClaim', { ...common, pod, podStage: problem.podAt.name });
  }
  return finding('ClaimWaitsForLaterPod', {
    ...common,
    class: className,
    ...(problem.pod === undefined ? {} : { pod: nameOfManifest(problem.pod) }),
    ...(problem.podAt === undefined ? {} : { podStage: problem.podAt.name }),
  });
}

/** Claims that wait already and are served without the manifests, but not with them; told once for claims that want the same volumes. */
function losers(
  cluster: Snapshot,
  examination: Examination,
  made: ReadonlyMap<ClaimKey, PlannedClaim>,
): readonly LevelledFinding[] {
  const { snapshot, features } = examination.simulation;
  const waiting = new Set(
    cluster
      .list('PersistentVolumeClaim')
      .filter(({ status }) => status?.phase === 'Pending')
      .map(claimKey)
      .filter((key) => !made.has(key)),
  );
  if (waiting.size === 0 || made.size === 0) return [];
  const components = componentsOf(worldOf(snapshot), siteOf(features));
  const touched = new Map<Component, PlannedClaim>();
  for (const claim of made.values()) {
    const component = components.get(claim.key);
    if (component !== undefined && !touched.has(component)) touched.set(component, claim);
  }
  const shared = [...touched].flatMap(([component, first]) => {
    const keys = component.claims.map(claimKey);
    const rivals = keys.filter((key) => waiting.has(key));
    return rivals.length === 0 ? [] : [{ component, first, keys, rivals }];
  });
  if (shared.length === 0) return [];
  const only = {
    PersistentVolumeClaim: new Set(shared.flatMap(({ keys }) => keys.filter((key) => !made.has(key)))),
    PersistentVolume: new Set(
      shared.flatMap(({ component }) => component.volumes.map(({ metadata }) => metadata.name)),
    ),
  };
  const before = new Examination(simulate(overlay(cluster, { only }), { features }));
  return shared.flatMap(({ first, rivals }) => {
    const lost = rivals.filter((key) => {
      const without = verdictOf(before, key);
      const isServed = without.outcome === 'WillBind' || (without.outcome === 'MayBind' && !without.orNone);
      return isServed && isWorse(verdictOf(examination, key), without);
    });
    if (lost.length === 0) return [];
    const told = finding('WaitingClaimLoses', { claims: lost.slice(0, claimsNamed), count: lost.length });
    const path = [...first.path, ...fieldIn(first, told)];
    return [{ finding: told, manifest: first.from, path, claim: first.key, level: severityOf(told) }];
  });
}

const claimsNamed = 16;

/** Where the order decides, the claim of the manifests is told to be contested already. */
const isWorse = ({ outcome }: Verdict, before: Verdict): boolean =>
  outcome !== 'MayBind' && outcomes.indexOf(outcome) > outcomes.indexOf(before.outcome);

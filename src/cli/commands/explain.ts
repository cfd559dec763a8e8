import { parseSelectorText } from '../../api/label-selector.ts';
import { diagnose, type Examination } from '../../diagnosis/diagnose.ts';
import { isWell, needsYou, printClaims, sortedByNeed } from '../../printers/claims-table.ts';
import { printDifferences } from '../../printers/difference-text.ts';
import { printClaim, type TextOptions } from '../../printers/explain-text.ts';
import { objectFormats, parseFormat } from '../../printers/formats.ts';
import { type ClaimReport, claimReport, claimReportList } from '../../report/claim-report.ts';
import { differences } from '../../report/difference.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { notThere, UsageError } from '../errors.ts';
import { examine, nowOf } from '../examine.ts';
import { type Cluster, type InputOptions, loadCluster, namespacesIn, refusesIssues } from '../input.ts';
import { printObjects, readTemplate } from '../objects.ts';
import { presentation } from '../presentation.ts';
import { type Streams, writeAll } from '../streams.ts';
import type { Look } from '../watch.ts';

export interface ExplainOptions extends InputOptions {
  readonly selector?: string;
  readonly all?: boolean;
  readonly output?: string;
  readonly headers: boolean;
  readonly color: 'auto' | 'always' | 'never';
  readonly watch?: boolean;
  readonly untilBound?: boolean;
  readonly timeout?: string;
}

/**
 * `kubectl pvc-explain [CLAIM...]`: explains one, some or all claims; again whenever something changes, if that is asked for.
 * Throws UsageError, InputError, FormatError, and as readLive does.
 */
export async function explain(names: readonly string[], options: ExplainOptions, streams: Streams): Promise<number> {
  const format = parseFormat(options.output ?? '', objectFormats, readTemplate);
  if (options.watch || options.untilBound || options.timeout !== undefined) {
    refuseToWatch(names, options, format.is === 'table');
    const { watch } = await import('../watch.ts');
    const wide = format.is === 'table' && format.wide;
    return watch(options, namespacesIn(names), streams, (cluster) => lookAt(names, options, wide, cluster, streams));
  }
  const cluster = await loadCluster(options, streams, namespacesIn(names));
  if (refusesIssues(cluster, options, streams)) return exitCodes.failure;
  const scoped = within(cluster, options);
  const examination = examine(cluster, options);
  const before = cluster.unchanged && examine(cluster.unchanged, options);
  const keys = chooseClaims(names, scoped, examination);
  if (format.is !== 'table') {
    const report = claimReportList(examination, keys, names.length > 0 ? 'all' : 'oneOfEachCause', before);
    await printObjects(format, report, 'PersistentVolumeClaim', options, streams);
    return exitCodes.clean;
  }
  if (keys.length === 0) {
    // Which claims there are is not known; the reason has been told.
    if (cluster.coverage('PersistentVolumeClaim', scoped.namespace).is === 'notCollected') return exitCodes.failure;
    streams.stderr.write(`${nothingFound(scoped)}\n`);
  }
  const text = presentation(options.color, streams, nowOf(cluster));
  if (before !== undefined) await writeAll(streams.stdout, printDifferences(differences(before, examination), text));
  await writeAll(streams.stdout, table(names, keys, scoped, text, format.wide, examination));
  return exitCodes.clean;
}

/** The options with the namespace that is meant. */
function within({ namespace }: Cluster, options: ExplainOptions): ExplainOptions {
  return namespace === undefined ? options : { ...options, namespace };
}

/** The details of the claims that were named, or the list of all. */
function* table(
  names: readonly string[],
  keys: readonly string[],
  options: ExplainOptions,
  text: TextOptions,
  wide: boolean,
  examination: Examination,
): Iterable<string> {
  const items = [...claimReportList(examination, keys, names.length > 0 ? 'all' : 'none').items];
  if (names.length > 0) yield* details(items, text);
  else if (items.length > 0) yield* overview(items, options, text, wide, withRemedies(examination));
}

/** Throws UsageError for what cannot be watched. */
function refuseToWatch(names: readonly string[], options: ExplainOptions, isTable: boolean): void {
  if (options.from.length > 0)
    throw new UsageError('a dump does not change: --watch, --until-bound and --timeout are for a live cluster');
  if (options.with || options.without || options.set)
    throw new UsageError('what-if is for one look: --with, --without and --set do not go with --watch');
  if (!isTable) throw new UsageError('--watch prints text for people: -o wide is the only format for it');
  if (options.untilBound && names.length === 0) throw new UsageError('--until-bound needs the names of claims');
  if (options.timeout !== undefined && !options.untilBound) throw new UsageError('--timeout is for --until-bound');
}

/** What is to be seen of the cluster at one moment. A claim that has gone is told, and may come back. */
function lookAt(
  names: readonly string[],
  options: ExplainOptions,
  wide: boolean,
  cluster: Cluster,
  streams: Streams,
): Look {
  const scoped = within(cluster, options);
  const examination = examine(cluster, options);
  const keys = chooseClaims(names, scoped, examination);
  return {
    text(now) {
      const pieces = table(names, keys, scoped, presentation(options.color, streams, now), wide, examination);
      return keys.length === 0 ? `${nothingFound(scoped)}\n` : [...pieces].join('');
    },
    isBound: keys.every((key) => examination.claims.get(key)?.status?.phase === 'Bound'),
  };
}

/** A report once more, with the edits that help. */
const withRemedies =
  (examination: Examination) =>
  ({ metadata }: ClaimReport): ClaimReport =>
    claimReport(examination, diagnose(examination, `${metadata.namespace}/${metadata.name}`), true);

/** The keys of the claims that were asked for. Throws UsageError for a name that is not there. */
function chooseClaims(names: readonly string[], options: ExplainOptions, examination: Examination): readonly string[] {
  const { namespace, allNamespaces, selector } = options;
  const all = examination
    .keys()
    .filter((key) => allNamespaces || namespace === undefined || key.startsWith(`${namespace}/`));
  if (names.length > 0) return [...new Set(names.flatMap((name) => findClaim(name, all, examination, options)))];
  if (selector === undefined) return all;
  const parsed = parseSelectorText(selector);
  return all.filter((key) => parsed.matches(examination.claims.get(key)?.metadata.labels));
}

/** NAME, NAMESPACE/NAME, pvc/NAME: in every namespace that is looked at. */
function findClaim(
  name: string,
  keys: readonly string[],
  examination: Examination,
  { from }: ExplainOptions,
): readonly string[] {
  const bare = name.replace(/^(pvc|persistentvolumeclaims?)\//, '');
  const found = bare.includes('/')
    ? examination.keys().filter((key) => key === bare)
    : keys.filter((key) => key.slice(key.indexOf('/') + 1) === bare);
  if (found.length > 0) return found;
  const known = bare.includes('/') ? examination.keys() : keys.map((key) => key.slice(key.indexOf('/') + 1));
  throw notThere('claim', bare, from, known);
}

function* details(reports: readonly ClaimReport[], text: TextOptions): Iterable<string> {
  for (const [i, report] of reports.entries()) {
    if (i > 0) yield '\n';
    yield* printClaim(report, text);
  }
}

/** Claims that are stuck for the same reason are told once. */
const oneOfEachCause = (reports: readonly ClaimReport[]): readonly ClaimReport[] =>
  reports.filter(({ notTried }) => notTried === undefined);

/** How many causes there may be for one claim of each to be shown in detail below the list. */
const detailed = 3;

/** A list of the claims that are not well; a short one is followed by the details of those that need somebody. */
function* overview(
  items: readonly ClaimReport[],
  options: ExplainOptions,
  text: TextOptions,
  wide: boolean,
  complete: (report: ClaimReport) => ClaimReport,
): Iterable<string> {
  const shown = sortedByNeed(options.all ? items : items.filter((report) => !isWell(report)));
  const well = items.length - items.filter((report) => !isWell(report)).length;
  const inNeed = shown.filter(needsYou);
  if (shown.length === 1 && !wide) yield* details(shown.map(complete), text);
  else {
    const withNamespace = options.namespace === undefined;
    yield* printClaims(shown, { ...text, withNamespace, wide, headers: options.headers });
  }
  const summary = summaryLine(well, inNeed, shown.length, options);
  if (summary !== '') yield `${shown.length > 0 ? '\n' : ''}${text.theme.dim(summary)}\n`;
  const one = oneOfEachCause(inNeed);
  if (shown.length > 1 && one.length > 0 && one.length <= detailed && !wide) {
    yield '\n';
    yield* details(one.map(complete), text);
  }
}

function summaryLine(well: number, inNeed: readonly ClaimReport[], shown: number, options: ExplainOptions): string {
  const parts: string[] = [];
  if (well > 0 && !options.all)
    parts.push(`${well === 1 ? '1 claim is' : `${well} claims are`} well (--all lists them).`);
  const [first] = inNeed;
  if (first !== undefined && shown > 1) {
    const { name, namespace } = first.metadata;
    const files = options.from.map((path) => ` -f ${path}`).join('');
    parts.push(
      `${inNeed.length} need${inNeed.length === 1 ? 's' : ''} you: kubectl pvc-explain ${name} -n ${namespace}${files}`,
    );
  }
  return parts.join(' ');
}

const nothingFound = ({ namespace }: ExplainOptions): string =>
  namespace === undefined ? 'No resources found' : `No resources found in ${namespace} namespace.`;

import type { CheckFinding, CheckReport } from '../report/check-report.ts';
import { escapeTerminal } from './escape-terminal.ts';
import { printTable } from './table.ts';
import type { Theme } from './theme.ts';
import { wrap } from './wrap.ts';

export interface CheckTextOptions {
  readonly theme: Theme;
  /** Columns. */
  readonly width: number;
  /** Remarks, and findings that are accepted or ignored, are shown, too. */
  readonly all: boolean;
}

/** A check for people: one line for each finding that begins with its place, then how many claims come to what. */
export function* printCheck(report: CheckReport, options: CheckTextOptions): Iterable<string> {
  const { theme, width, all } = options;
  const shown = report.findings.filter(
    ({ level, accepted, ignored }) => all || (level !== 'info' && accepted === undefined && ignored === undefined),
  );
  for (const one of shown) yield* printFinding(one, options);
  if (report.simulated.length > 1) yield* releases(report, options);
  for (const line of wrap(escapeTerminal(summaryLine(report)), { width, rest: '' })) yield `${theme.bold(line)}\n`;
  const tail: [string, readonly string[]][] = [
    ['Assumed', report.assumptions],
    ['Note', report.notes],
  ];
  for (const [title, lines] of tail) {
    for (const [i, text] of lines.entries()) {
      const first = (i === 0 ? title : '').padEnd(9);
      for (const line of wrap(escapeTerminal(text), { width, first })) yield `${theme.dim(line)}\n`;
    }
  }
}

function* printFinding(one: CheckFinding, { theme, width }: CheckTextOptions): Iterable<string> {
  const { location, level, code } = one;
  const style = level === 'error' ? theme.bad : level === 'info' ? theme.dim : theme.warn;
  const mark = one.ignored !== undefined ? ' (ignored)' : one.accepted ? ' (accepted)' : '';
  const place = escapeTerminal(`${location.file}:${location.line}:${location.column}`);
  // The line that editors and log readers pick up stays whole.
  yield `${theme.bold(`${place}:`)} ${style(level)}${mark}: ${escapeTerminal(one.message)} [${code}]\n`;
  const origin =
    location.renderedFrom !== undefined && location.renderedFrom !== location.file ? [location.renderedFrom] : [];
  const parts: [string, readonly string[]][] = [
    ['From', origin],
    ['In', one.releases === undefined ? [] : [`Kubernetes ${one.releases.join(', ')} only.`]],
    ['Why', one.why],
    ['Fix', one.todo === undefined ? [] : [one.todo]],
    ['Ignored', one.ignored === undefined ? [] : [one.ignored]],
  ];
  for (const [title, texts] of parts) {
    for (const [i, text] of texts.entries()) {
      const first = `  ${(i === 0 ? title : '').padEnd(Math.max(5, title.length + 1))}`;
      for (const [n, line] of wrap(escapeTerminal(text), { width, first }).entries()) {
        yield `${i === 0 && n === 0 ? `  ${theme.heading(title)}${line.slice(2 + title.length)}` : line}\n`;
      }
    }
  }
  yield '\n';
}

/** What becomes of the claims that do not come to the same in every release. */
function* releases({ simulated, items, changes }: CheckReport, { theme, width }: CheckTextOptions): Iterable<string> {
  const changed = new Set(changes.map(({ claim }) => claim));
  const rows = items
    .map(({ metadata, releases: all }) => [
      `${metadata.namespace}/${metadata.name}`,
      ...all.map(({ outcome }) => outcome as string),
    ])
    .filter(([name]) => changed.has(name as string));
  if (rows.length === 0) {
    yield `Kubernetes ${simulated[0]} to ${simulated.at(-1)}: no release changes anything.\n`;
    return;
  }
  yield* printTable(['claim', ...simulated], rows, { headers: true, heading: theme.heading });
  for (const { from, to, text } of changes) {
    const first = `${from} → ${to}  `;
    for (const line of wrap(escapeTerminal(text), { width, first })) yield `${line}\n`;
  }
  yield '\n';
}

/** How a check went, in a few words. */
export function summaryLine({ summary, simulated, cluster, failed }: CheckReport): string {
  const outcomes = Object.entries(summary.outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  if (summary.unjudged > 0) outcomes.push(`${summary.unjudged} not judged`);
  const against = cluster === undefined ? 'without a cluster' : `against ${cluster.sources.join(', ')}`;
  const claims = `${summary.claims} ${summary.claims === 1 ? 'claim' : 'claims'} checked ${against}, Kubernetes ${simulated.join(', ')}${outcomes.length === 0 ? '' : `: ${outcomes.join(', ')}`}.`;
  return `${claims} ${tally(summary)}${failed ? '' : summary.errors + summary.warnings + summary.unknown > 0 ? ' They do not count.' : ''}`;
}

/** "1 error, 2 warnings; 1 accepted" */
export function tally({ errors, warnings, unknown, accepted, ignored }: CheckReport['summary']): string {
  const counted = [
    ...(errors > 0 ? [`${errors} ${errors === 1 ? 'error' : 'errors'}`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ];
  const aside = [
    ...(accepted > 0 ? [`${accepted} accepted by the baseline`] : []),
    ...(ignored > 0 ? [`${ignored} ignored`] : []),
  ];
  return `${counted.length === 0 ? 'Nothing found' : counted.join(', ')}${aside.length === 0 ? '' : `; ${aside.join(', ')}`}.`;
}

import type { PodNodeReport, PodReport } from '../report/pod-report.ts';
import { age } from './age.ts';
import { escapeTerminal } from './escape-terminal.ts';
import { styleOf as styleOfClaim, type TextOptions } from './explain-text.ts';
import { printReportTable } from './report-table.ts';
import { type Cell, printTable } from './table.ts';
import type { Theme } from './theme.ts';
import { wrap } from './wrap.ts';

export interface PodsTableOptions extends TextOptions {
  readonly withNamespace: boolean;
  readonly wide: boolean;
  readonly headers: boolean;
}

/** The list of pods as kubectl would print it, within 80 columns unless it is wide. */
export function printPods(reports: Iterable<PodReport>, options: PodsTableOptions): Iterable<string> {
  const columns = [
    ...(options.withNamespace ? ['namespace'] : []),
    'name',
    'verdict',
    'claims',
    'why',
    ...(options.wide ? ['scheduler', 'code'] : []),
    'age',
  ];
  const kept = [...reports];
  const rows = kept.map((report) => rowOf(report, options));
  const styles = kept.map(({ verdict }) => styleOf(verdict.outcome, options.theme));
  return printReportTable(columns, rows, { column: 'verdict', styles }, options);
}

function rowOf(report: PodReport, { withNamespace, wide, now }: PodsTableOptions): string[] {
  const { metadata, verdict, claims, cause, pod } = report;
  const bound = claims.filter((claim) => claim.verdict.outcome === 'Bound').length;
  return [
    ...(withNamespace ? [metadata.namespace] : []),
    metadata.name,
    verdict.outcome,
    `${bound}/${claims.length}`,
    whyOf(report),
    ...(wide ? [pod.scheduler, cause ?? '<none>'] : []),
    age(metadata.creationTimestamp, now),
  ];
}

function whyOf({ metadata, verdict: { outcome, nodes }, findings, summary }: PodReport): string {
  if (outcome === 'WillBeScheduled') return nodes.length === 1 ? `to ${nodes[0]}` : `to one of ${nodes.length} nodes`;
  const [cause] = findings;
  if (outcome === 'HasNode' || outcome === 'Finished' || cause === undefined) return summary;
  // The row is the pod's.
  const own = `${metadata.namespace}/${metadata.name}`;
  return cause.short.startsWith(own) ? cause.short.slice(own.length).replace(/^:? /, '') : cause.short;
}

export function styleOf(outcome: PodReport['verdict']['outcome'], theme: Theme): (text: string) => string {
  switch (outcome) {
    case 'WillBeScheduled':
    case 'HasNode':
      return theme.good;
    case 'Finished':
      return (text) => text;
    case 'Unschedulable':
      return theme.bad;
    default:
      return theme.warn;
  }
}

/** One pod in detail: where it goes, or why nowhere; its claims, its nodes, what the events say. */
export function* printPod(report: PodReport, options: TextOptions): Iterable<string> {
  const { theme, width, now } = options;
  const { metadata, pod, verdict, summary, remark, findings, claims, message, events } = report;
  const section = function* (title: string, paragraphs: readonly string[]): Iterable<string> {
    for (const [i, text] of paragraphs.entries()) {
      const first = (i === 0 ? title : '').padEnd(7);
      for (const [n, line] of wrap(escapeTerminal(text), { width, first, rest: ' '.repeat(7) }).entries())
        yield `${i === 0 && n === 0 ? theme.heading(title) + line.slice(title.length) : line}\n`;
    }
  };
  const old = metadata.creationTimestamp === undefined ? '' : ` ${age(metadata.creationTimestamp, now)}`;
  const head = `${metadata.namespace}/${metadata.name}  ${pod.phase || '<no phase>'}${old}  →  ${verdict.outcome}: ${summary}.`;
  const lines = wrap(escapeTerminal(head).replaceAll('  ', '\u00a0\u00a0'), { width, rest: ' '.repeat(7) });
  const style = styleOf(verdict.outcome, theme);
  for (const [i, line] of lines.entries())
    yield `${i === 0 ? theme.bold(line).replace(`${verdict.outcome}:`, `${style(verdict.outcome)}:`) : theme.bold(line)}\n`;

  // That it fits nowhere stands in the headline, and in the table of nodes.
  const told = findings.filter(({ code, severity }) => code !== 'PodFitsNowhere' && severity !== 'info').slice(0, 3);
  yield* section('Why', [...told.map(({ why }) => why), ...(remark === undefined ? [] : [remark])]);
  if (claims.length > 0) {
    yield '\n';
    const rows = claims.map((claim): Cell[] => [
      nameOf(claim.claim),
      claim.phase ?? '<none>',
      { text: claim.verdict.outcome, style: styleOfClaim(claim.verdict.outcome, theme) },
      claim.short,
      claim.cause ?? '<none>',
    ]);
    yield* printTable(['claim', 'status', 'verdict', 'why', 'code'], rows, { headers: true, heading: theme.heading });
  }
  yield* nodeTable(report, options);
  if (message !== undefined)
    yield* wrapped(`Scheduler's own words: ${message} (what follows there is about preemption)`, width);
  const todos = [...new Set(told.map(({ todo }) => todo).filter((text) => text !== undefined))].slice(0, 2);
  if (todos.length > 0) {
    yield '\n';
    yield* section('Fix', todos);
  }
  yield* eventLines(events, options, section);
  const codes = [...new Set(findings.map(({ code }) => code))];
  if (codes.length > 0) {
    yield '\n';
    for (const line of wrap(`Codes: ${codes.join(' ')}. More: kubectl pvc-explain rules ${codes[0]}`, {
      width,
      rest: ' '.repeat(7),
    }))
      yield `${theme.dim(line)}\n`;
  }
}

function* wrapped(text: string, width: number): Iterable<string> {
  for (const line of wrap(escapeTerminal(text), { width, rest: ' '.repeat(7) })) yield `${line}\n`;
}

const groupsShown = 12;
const namesShown = 3;
/** A pod with more claims has one column for all of them. */
const columnsOfClaims = 2;

const nameOf = (claim: string): string => claim.slice(claim.indexOf('/') + 1);

/** The nodes; those that stand alike are told once. */
function* nodeTable({ nodes }: PodReport, { theme }: TextOptions): Iterable<string> {
  if (nodes.length === 0) return;
  const groups = new Map<string, { readonly names: string[]; readonly cells: readonly string[] }>();
  for (const node of nodes) {
    const cells = cellsOf(node);
    const key = cells.join('\n');
    const group = groups.get(key) ?? { names: [], cells };
    group.names.push(node.node);
    groups.set(key, group);
  }
  const claims = nodes.find((node) => node.claims.length > 0)?.claims ?? [];
  const titles =
    claims.length > columnsOfClaims
      ? ['volumes for its claims']
      : claims.map(({ claim }) => `volumes for ${nameOf(claim)}`);
  const rows = [...groups.values()].map(({ names, cells }) => [namesText(names), ...cells]);
  yield '\n';
  yield* printTable(['node', 'decides', 'pod', ...titles], rows.slice(0, groupsShown), {
    headers: true,
    heading: theme.heading,
  });
  if (rows.length > groupsShown)
    yield `and ${rows.length - groupsShown} more kinds of refusal (-o json has them all)\n`;
}

function cellsOf({ verdict, plugin, against, claims }: PodNodeReport): readonly string[] {
  const text = against.map(({ text: reason }) => reason).join('; ');
  const fit = verdict === 'notLookedAt' ? 'not looked at' : verdict === 'unknown' ? 'not known' : 'fits';
  const texts = claims.map((claim) => claim.text);
  return [plugin ?? '<none>', text || fit, ...(claims.length > columnsOfClaims ? [alikeText(claims)] : texts)];
}

/** "data, logs: none here; wal: pv3 fits" */
function alikeText(claims: PodNodeReport['claims']): string {
  const names = new Map<string, string[]>();
  for (const { claim, text } of claims) names.set(text, [...(names.get(text) ?? []), nameOf(claim)]);
  return [...names].map(([text, list]) => `${namesText(list)}: ${text}`).join('; ');
}

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, namesShown).join(', ');
  return names.length > namesShown ? `${shown} and ${names.length - namesShown} more` : shown;
}

function* eventLines(
  { text, seen }: PodReport['events'],
  { now }: TextOptions,
  section: (title: string, paragraphs: readonly string[]) => Iterable<string>,
): Iterable<string> {
  const latest = seen.find(({ reason }) => reason === 'FailedScheduling') ?? seen[0];
  const quoted =
    latest &&
    `${latest.reason}${latest.count > 1 ? `, ${latest.count} times` : ''}${ago(latest.lastSeen, now)}: "${latest.message}"`;
  const paragraphs = [text, quoted].filter((one) => one !== undefined);
  if (paragraphs.length === 0) return;
  yield '\n';
  yield* section('Events', paragraphs);
}

function ago(time: string | undefined, now: number): string {
  if (time === undefined) return '';
  const old = age(time, now);
  return old === '0s' ? ', just now' : `, last ${old} ago`;
}

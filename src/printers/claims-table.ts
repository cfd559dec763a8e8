import type { ClaimReport } from '../report/claim-report.ts';
import { modesText } from '../report/claim-report.ts';
import { age } from './age.ts';
import { styleOf, type TextOptions } from './explain-text.ts';
import { type Cell, printTable } from './table.ts';

/** From those who need somebody to those who need nobody. */
const byNeed: readonly ClaimReport['verdict']['outcome'][] = [
  'Stuck',
  'Lost',
  'Missing',
  'Invalid',
  'WaitsForPod',
  'WaitsForProvisioner',
  'Unknown',
  'Terminating',
  'MayBind',
  'WillBeProvisioned',
  'WillBind',
  'WaitsForConsumer',
  'Bound',
];

const needed = byNeed.indexOf('Terminating');

/** Whether somebody has to do something about a claim. */
export function needsYou({ verdict, findings }: ClaimReport): boolean {
  if (byNeed.indexOf(verdict.outcome) < needed) return true;
  return findings.some(({ severity }) => severity === 'error');
}

/** Bound, and nothing to be said. */
export const isWell = ({ verdict, findings }: ClaimReport): boolean =>
  verdict.outcome === 'Bound' && findings.length === 0;

export function sortedByNeed(reports: readonly ClaimReport[]): readonly ClaimReport[] {
  const rank = (report: ClaimReport) => (needsYou(report) ? 0 : 100) + byNeed.indexOf(report.verdict.outcome);
  return [...reports].sort((a, b) => rank(a) - rank(b));
}

export interface ClaimsTableOptions extends TextOptions {
  readonly withNamespace: boolean;
  readonly wide: boolean;
  readonly headers: boolean;
}

/** Room for a narrow table. */
const narrow = 80;

/** The list of claims as kubectl would print it, within 80 columns unless it is wide. */
export function printClaims(reports: readonly ClaimReport[], options: ClaimsTableOptions): Iterable<string> {
  const columns = [
    ...(options.withNamespace ? ['namespace'] : []),
    'name',
    'status',
    ...(options.wide ? ['request', 'modes', 'class'] : []),
    'verdict',
    'why',
    ...(options.wide ? ['code'] : []),
    'age',
  ];
  const rows = reports.map((report) => rowOf(report, options));
  if (!options.wide) fitInto(narrow, columns, rows, columns.indexOf('why'));
  const cells = rows.map((row, i): Cell[] => {
    const style = styleOf((reports[i] as ClaimReport).verdict.outcome, options.theme);
    return row.map((text, n) => (columns[n] === 'verdict' ? { text, style } : text));
  });
  return printTable(columns, cells, { headers: options.headers, heading: options.theme.heading });
}

function rowOf({ metadata, claim, verdict, findings, cause }: ClaimReport, options: ClaimsTableOptions): string[] {
  const why = findings[0]?.short ?? (verdict.volumes.length > 0 ? `to ${verdict.volumes[0]}` : '');
  const wide = [
    claim?.request?.quantity ?? '<none>',
    modesText(claim?.accessModes ?? []),
    claim === undefined || claim.class.name === '' ? '<none>' : claim.class.name,
  ];
  return [
    ...(options.withNamespace ? [metadata.namespace] : []),
    metadata.name,
    claim?.phase || '<none>',
    ...(options.wide ? wide : []),
    verdict.outcome,
    why,
    ...(options.wide ? [cause ?? '<none>'] : []),
    age(metadata.creationTimestamp, options.now),
  ];
}

/** Shortens one column so that the table keeps to a width, down to a few words. */
export function fitInto(width: number, columns: readonly string[], rows: string[][], column: number): void {
  const widths = columns.map((title, n) => Math.max(title.length, ...rows.map((row) => row[n]?.length ?? 0)));
  const others = widths.reduce((sum, each, n) => sum + (n === column ? 0 : each + 3), 0) - 3;
  const room = Math.max(24, width - others - 3);
  for (const row of rows) {
    const text = row[column] as string;
    if (text.length > room) row[column] = `${text.slice(0, room - 3).trimEnd()}...`;
  }
}

import type { ClaimReport } from '../report/claim-report.ts';
import { modesText } from '../report/claim-report.ts';
import { age } from './age.ts';
import { styleOf, type TextOptions } from './explain-text.ts';
import { printReportTable } from './report-table.ts';

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
  const styles = reports.map(({ verdict }) => styleOf(verdict.outcome, options.theme));
  return printReportTable(columns, rows, { column: 'verdict', styles }, options);
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

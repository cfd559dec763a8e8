import { type Cell, printTable, type Style } from './table.ts';
import type { Theme } from './theme.ts';

/** Room for a narrow table, in columns. */
const narrow = 80;

export interface ReportTableOptions {
  readonly theme: Theme;
  readonly wide: boolean;
  readonly headers: boolean;
}

/** A list of reports as kubectl would print it: one column has a style for each row; "why" gives way where 80 columns do not do. */
export function printReportTable(
  columns: readonly string[],
  rows: string[][],
  { column, styles }: { readonly column: string; readonly styles: readonly Style[] },
  { theme, wide, headers }: ReportTableOptions,
): Iterable<string> {
  if (!wide) fitInto(narrow, columns, rows, columns.indexOf('why'));
  const styled = columns.indexOf(column);
  const cells = rows.map((row, i): Cell[] =>
    row.map((text, n) => (n === styled ? { text, style: styles[i] as Style } : text)),
  );
  return printTable(columns, cells, { headers, heading: theme.heading });
}

/** Shortens one column so that the table keeps to a width, down to a few words. */
function fitInto(width: number, columns: readonly string[], rows: string[][], column: number): void {
  const widths = columns.map(({ length }) => length);
  // Not Math.max(...): a call takes about a hundred thousand arguments, and there may be more rows.
  for (const row of rows) for (const [n, { length }] of row.entries()) widths[n] = Math.max(widths[n] ?? 0, length);
  const others = widths.reduce((sum, each, n) => sum + (n === column ? 0 : each + 3), 0) - 3;
  const room = Math.max(24, width - others - 3);
  for (const row of rows) {
    const text = row[column] as string;
    if (text.length > room) row[column] = `${text.slice(0, room - 3).trimEnd()}...`;
  }
}

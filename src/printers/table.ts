import { displayWidth } from './display-width.ts';
import { escapeTerminal } from './escape-terminal.ts';

/** Colours a text; the width of the result is that of the text. */
export type Style = (text: string) => string;

/** A cell's raw text, coloured on request. The printer cuts and escapes it, so it may come straight from a cluster. */
export type Cell = string | { readonly text: string; readonly style: Style };

export interface TableOptions {
  readonly headers: boolean;
  /** How titles look; plain if absent. */
  readonly heading?: Style;
}

/**
 * A table as kubectl prints it, one piece a line: titles in capitals, three spaces between columns, the last cell of a row
 * unpadded. Without rows nothing is printed, not even the titles.
 */
export function printTable(
  columns: readonly string[],
  rows: Iterable<readonly Cell[]>,
  options: TableOptions,
): Iterable<string> {
  const table = [...rows];
  if (table.length === 0) return [];
  if (!options.headers) return alignRows(table, columns.length);
  const heading = options.heading;
  const titles = columns.map((column) => {
    const text = column.toUpperCase();
    return heading === undefined ? text : { text, style: heading };
  });
  return alignRows([titles, ...table], columns.length);
}

/**
 * Rows padded to common column widths, one piece a line. Cells beyond the number of columns are dropped, as kubectl does.
 *
 * kubernetes/cli-runtime pkg/printers/tabwriter.go, tableprinter.go; specification ecosystem 7.1. Widths are those of the
 * terminal, where kubectl counts bytes.
 */
export function* alignRows(rows: Iterable<readonly Cell[]>, columns: number): Iterable<string> {
  const lines: Line[] = [];
  const widths = new Array<number>(columns).fill(minimumWidth - padding);
  for (const row of rows) {
    const line = layOut(row, columns);
    lines.push(line);
    for (let column = 0; column < line.cells.length; column++) {
      widths[column] = Math.max(widths[column]!, widthOf(line, column));
    }
  }
  for (const line of lines) yield render(line, widths);
}

interface Line {
  /** Cut and escaped. */
  readonly cells: readonly string[];
  /** Of each cell; absent where every character of the line takes one column. */
  readonly widths?: readonly number[];
  /** Of each cell; absent where no cell has one. */
  readonly styles?: readonly (Style | undefined)[];
}

function layOut(row: readonly Cell[], columns: number): Line {
  // Nearly every row of a long table is this one, and costs no copy.
  if (row.length <= columns && isPlain(row)) return { cells: row };
  const kept = row.slice(0, columns);
  const cells = kept.map((cell) => escapeTerminal(cut(typeof cell === 'string' ? cell : cell.text)));
  const styles = kept.map((cell) => (typeof cell === 'string' ? undefined : cell.style));
  return { cells, widths: cells.map(displayWidth), styles };
}

function isPlain(row: readonly Cell[]): row is readonly string[] {
  for (const cell of row) if (typeof cell !== 'string' || special.test(cell)) return false;
  return true;
}

function cut(text: string): string {
  const end = text.search(lineBreak);
  return end < 0 ? text : `${text.slice(0, end)}...`;
}

function widthOf(line: Line, column: number): number {
  return line.widths === undefined ? line.cells[column]!.length : line.widths[column]!;
}

function render(line: Line, widths: readonly number[]): string {
  let text = '';
  const last = line.cells.length - 1;
  for (let column = 0; column <= last; column++) {
    const cell = line.cells[column]!;
    const style = line.styles?.[column];
    text += style === undefined ? cell : style(cell);
    if (column < last) text += blank(widths[column]! + padding - widthOf(line, column));
  }
  return `${text}\n`;
}

function blank(length: number): string {
  return blanks[length] ?? ' '.repeat(length);
}

// Go's tabwriter as kubectl sets it up: no column narrower than six, the three spaces between columns included.
const minimumWidth = 6;
const padding = 3;
const blanks: readonly string[] = Array.from({ length: 100 }, (_, length) => ' '.repeat(length));
const special = /[^\x20-\x7e]/;
const lineBreak = /[\f\n\r]/;

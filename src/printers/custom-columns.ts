import { escapeTerminal } from './escape-terminal.ts';
import { FormatError } from './format-error.ts';
import { goText } from './go-values.ts';
import { fieldValues, parseFieldPath } from './jsonpath/field-path.ts';
import type { Template } from './jsonpath/template.ts';
import { alignRows } from './table.ts';

export interface Column {
  readonly title: string;
  readonly path: Template;
}

/**
 * The columns of `-o custom-columns=TITLE:PATH,TITLE:PATH`. Throws FormatError in kubectl's words.
 *
 * kubernetes/kubectl pkg/cmd/get/customcolumn.go; specification ecosystem 7.4.
 */
export function columnsFromSpec(spec: string): Column[] {
  if (spec === '') throw new FormatError('custom-columns format specified but no custom columns given');
  return spec.split(',').map((part) => {
    const colon = part.indexOf(':');
    if (colon < 0) {
      throw new FormatError(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
    }
    return columnOf(part.slice(0, colon), part.slice(colon + 1));
  });
}

/** The columns of a `custom-columns-file`: a line of titles and a line of paths, separated by blanks. Throws FormatError. */
export function columnsFromFile(text: string): Column[] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  if (text === '') throw new FormatError(`invalid template, missing header line. ${expectedFile}`);
  if (lines.length < 2) throw new FormatError(`invalid template, missing spec line. ${expectedFile}`);
  const titles = words(lines[0]!);
  const paths = words(lines[1]!);
  if (titles.length !== paths.length) {
    throw new FormatError(
      `number of headers (${titles.length}) and field specifications (${paths.length}) don't match`,
    );
  }
  return titles.map((title, index) => columnOf(title, paths[index]!));
}

/**
 * A table of the items of a list, one row each, titles as the user wrote them; what an item lacks is "<none>". The titles are
 * printed even if there are no items. Throws FormatError if a path does not fit an item.
 */
export function printCustomColumns(
  items: Iterable<unknown>,
  columns: readonly Column[],
  options: { readonly headers: boolean },
): Iterable<string> {
  const rows = options.headers ? [columns.map((column) => escapeTerminal(column.title))] : [];
  for (const item of items) rows.push(columns.map((column) => cellOf(item, column)));
  return alignRows(rows, columns.length);
}

function columnOf(title: string, path: string): Column {
  return { title, path: parseFieldPath(path) };
}

function cellOf(item: unknown, column: Column): string {
  const values = fieldValues(item, column.path);
  // kubectl lets line ends and tabs through, which tear the table apart; here they are made visible.
  return values.length === 0 ? '<none>' : escapeTerminal(values.map(goText).join(','));
}

function words(line: string): string[] {
  return line.split(/\s+/).filter((word) => word !== '');
}

const expectedFile =
  'Expected format is one line of space separated headers, one line of space separated column specs.';

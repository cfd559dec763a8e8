import { readFileSync } from 'node:fs';
import { printCustomColumns } from '../printers/custom-columns.ts';
import type { Format } from '../printers/formats.ts';
import { printJson } from '../printers/json.ts';
import { printJsonpath } from '../printers/jsonpath/print.ts';
import { printNames } from '../printers/name.ts';
import { printYaml } from '../printers/yaml.ts';
import { UsageError } from './errors.ts';
import { type Streams, writeAll } from './streams.ts';

/** A document with items, each of which has a name. */
export interface ListDocument {
  readonly kind: string;
  readonly items: Iterable<{ readonly metadata: { readonly name: string; readonly namespace?: string } }>;
}

/** Prints a document in one of kubectl's formats for programs. `kind`: what `-o name` calls the items. */
export async function printObjects(
  format: Exclude<Format, { is: 'table' }>,
  document: ListDocument,
  kind: string,
  options: { readonly headers: boolean },
  { stdout }: Streams,
): Promise<void> {
  switch (format.is) {
    case 'json':
      return writeAll(stdout, printJson(document));
    case 'yaml':
      return writeAll(stdout, printYaml(document));
    case 'name':
      return writeAll(stdout, printNames(named(document.items, kind)));
    case 'jsonpath':
      return writeAll(
        stdout,
        printJsonpath({ ...document, items: [...document.items] }, format.template, { asJson: format.asJson }),
      );
    case 'custom-columns':
      return writeAll(stdout, printCustomColumns(document.items, format.columns, options));
    default:
      throw new UsageError(`the output format ${JSON.stringify(format.is)} is for other commands`);
  }
}

/** The items under the name of what they are about: a report about a claim is named like the claim. */
function* named(items: ListDocument['items'], kind: string) {
  for (const { metadata } of items) yield { kind, metadata };
}

/** The text of a file that holds a template. Throws UsageError. */
export function readTemplate(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(
      `reading ${JSON.stringify(path)}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`,
    );
  }
}

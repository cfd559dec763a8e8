import { type Column, columnsFromFile, columnsFromSpec } from './custom-columns.ts';
import { FormatError } from './format-error.ts';
import { parseJsonpath } from './jsonpath/print.ts';
import type { Template } from './jsonpath/template.ts';

/** What a command was asked to print. */
export type Format =
  | { readonly is: 'table'; readonly wide: boolean }
  | { readonly is: 'json' }
  | { readonly is: 'yaml' }
  | { readonly is: 'name' }
  | { readonly is: 'jsonpath'; readonly template: Template; readonly asJson: boolean }
  | { readonly is: 'custom-columns'; readonly columns: readonly Column[] }
  | { readonly is: ReportFormatName };

/** The formats of `check` for other programs. */
export type ReportFormatName = (typeof reportFormats)[number];

export type FormatName = (typeof objectFormats)[number] | ReportFormatName;

/** The formats that every command with a document has, as kubectl names them. */
export const objectFormats = [
  'custom-columns',
  'custom-columns-file',
  'json',
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
  'name',
  'wide',
  'yaml',
] as const;

export const reportFormats = ['github', 'gitlab', 'junit', 'markdown', 'sarif'] as const;

/**
 * The format that the value of `-o` asks for, out of those that a command allows; without a value, the table. `readFile` reads
 * the template of the formats that name a file. Throws FormatError in kubectl's words.
 *
 * kubernetes/cli-runtime pkg/genericclioptions/print_flags.go and kubernetes/kubectl pkg/cmd/get/get_flags.go; specification
 * ecosystem 7.4.
 */
export function parseFormat(value: string, allowed: readonly FormatName[], readFile: (path: string) => string): Format {
  if (value === '') return { is: 'table', wide: false };
  const name = nameIn(value);
  if (name === undefined || !allowed.includes(name)) {
    throw new FormatError(
      `unable to match a printer suitable for the output format ${JSON.stringify(value)}, allowed formats are: ${[...allowed].sort().join(',')}`,
    );
  }
  return formatOf(name, value.slice(name.length + 1), readFile);
}

/** The format's name in the value; formats that take no template must be the whole of it, in any case for some. */
function nameIn(value: string): FormatName | undefined {
  const equals = value.indexOf('=');
  const name = equals < 0 ? value : value.slice(0, equals);
  if (templateFormats.some((format) => format === name)) return name as FormatName;
  const lowered = value.toLowerCase();
  if (caselessFormats.some((format) => format === lowered)) return lowered as FormatName;
  return plainFormats.some((format) => format === value) ? (value as FormatName) : undefined;
}

function formatOf(name: FormatName, template: string, readFile: (path: string) => string): Format {
  switch (name) {
    case 'wide':
      return { is: 'table', wide: true };
    case 'jsonpath':
    case 'jsonpath-as-json':
    case 'jsonpath-file': {
      if (template === '') throw new FormatError('template format specified but no template given');
      const source = name === 'jsonpath-file' ? readTemplate(template, 'error reading --template', readFile) : template;
      return { is: 'jsonpath', template: parseJsonpath(source), asJson: name === 'jsonpath-as-json' };
    }
    case 'custom-columns':
      return { is: 'custom-columns', columns: columnsFromSpec(template) };
    case 'custom-columns-file':
      if (template === '') throw new FormatError('custom-columns format specified but no custom columns given');
      return {
        is: 'custom-columns',
        columns: columnsFromFile(readTemplate(template, 'error reading template', readFile)),
      };
    default:
      return { is: name };
  }
}

function readTemplate(path: string, complaint: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FormatError(`${complaint} ${path}, ${reason}`, { cause: error });
  }
}

const templateFormats = [
  'custom-columns',
  'custom-columns-file',
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
] as const;
const caselessFormats = ['json', 'name', 'yaml'] as const;
const plainFormats = ['wide', ...reportFormats] as const;

import { FormatError } from '../format-error.ts';
import { goText } from '../go-values.ts';
import { compactJson, indentedJson } from '../json.ts';
import { evaluateTemplate } from './evaluate.ts';
import { parseTemplate } from './parse.ts';
import { type Template, TemplateError } from './template.ts';

export interface JsonpathOptions {
  /** Print what each part selects as a JSON list, as `-o jsonpath-as-json` does. */
  readonly asJson: boolean;
}

/** Parses the template of `-o jsonpath`. Throws FormatError in kubectl's words. */
export function parseJsonpath(source: string): Template {
  try {
    return parseTemplate(source);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new FormatError(`error parsing jsonpath ${source}, ${error.message}`, { cause: error });
  }
}

/**
 * What a template selects in a document, as `kubectl -o jsonpath` prints it: values of one expression separated by a blank,
 * objects and lists as JSON on one line, no line end of its own. Throws FormatError in kubectl's words.
 *
 * kubernetes/client-go util/jsonpath/jsonpath.go, PrintResults; specification ecosystem 7.4.
 */
export function* printJsonpath(document: unknown, template: Template, options: JsonpathOptions): Iterable<string> {
  for (const values of select(document, template)) {
    if (options.asJson) yield `${indentedJson(values)}\n`;
    else yield values.map(valueText).join(' ');
  }
}

function select(document: unknown, template: Template): readonly (readonly unknown[])[] {
  try {
    return evaluateTemplate(template, document);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const reason = `error executing jsonpath ${JSON.stringify(template.source)}: Error executing template: ${error.message}`;
    throw new FormatError(reason, { cause: error });
  }
}

function valueText(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? compactJson(value) : goText(value);
}

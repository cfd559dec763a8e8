import { FormatError } from '../format-error.ts';
import { evaluateTemplate } from './evaluate.ts';
import { parseTemplate } from './parse.ts';
import { type Template, TemplateError } from './template.ts';

/**
 * The path of a column or a sort field, in the four spellings that kubectl takes for the same: "metadata.name",
 * ".metadata.name", "{metadata.name}" and "{.metadata.name}". An empty one selects nothing. Throws FormatError in kubectl's words.
 *
 * kubernetes/kubectl pkg/cmd/get/customcolumn.go, RelaxedJSONPathExpression; specification ecosystem 7.4.
 */
export function parseFieldPath(path: string): Template {
  return asFormatError(() => parseTemplate(path === '' ? '' : `{.${bare(path)}}`));
}

/** The values of a field in an item, none if it lacks the field. Throws FormatError if the path does not fit the item. */
export function fieldValues(item: unknown, path: Template): unknown[] {
  return asFormatError(() => evaluateTemplate(path, item)).flat();
}

function bare(path: string): string {
  const match = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/.exec(path);
  if (match !== null) return match[1] ?? match[2]!;
  throw new FormatError(
    "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
  );
}

function asFormatError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new FormatError(error.message, { cause: error });
  }
}

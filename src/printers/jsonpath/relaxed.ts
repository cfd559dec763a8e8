import { FormatError } from '../format-error.ts';

/**
 * The full form of a path as columns and sort fields may spell it: "metadata.name", ".metadata.name", "{metadata.name}" and
 * "{.metadata.name}" are the same. An empty one stays empty. Throws FormatError in kubectl's words.
 *
 * kubernetes/kubectl pkg/cmd/get/customcolumn.go, RelaxedJSONPathExpression; specification ecosystem 7.4.
 */
export function relaxedExpression(path: string): string {
  if (path === '') return path;
  const match = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/.exec(path);
  if (match === null) {
    throw new FormatError(
      "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
    );
  }
  return `{.${match[1] ?? match[2]!}}`;
}

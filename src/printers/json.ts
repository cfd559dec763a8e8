import { sortedKeys } from './go-values.ts';

/**
 * A document as `kubectl -o json` prints it: keys sorted, indented by four, `<`, `>` and `&` escaped. Lists at the top (`items`)
 * may be iterables that make their elements as they are asked for; each element is one piece of the output.
 *
 * kubernetes/cli-runtime pkg/printers/json.go; the escapes are those of Go's encoding/json.
 */
export function* printJson(document: object): Iterable<string> {
  const map = document as Readonly<Record<string, unknown>>;
  let separator = '{';
  for (const key of sortedKeys(map)) {
    yield `${separator}\n${indent}${jsonString(key)}: `;
    separator = ',';
    const value = map[key];
    if (isIterable(value)) yield* printList(value);
    else yield indentedJson(value, indent);
  }
  yield separator === '{' ? '{}\n' : '\n}\n';
}

/** A value as Go's json.MarshalIndent prints it with four spaces, no line end; `margin` stands before every line but the first. */
export function indentedJson(value: unknown, margin = ''): string {
  if (typeof value !== 'object' || value === null) return jsonScalar(value);
  const deeper = margin + indent;
  const inner = isIterable(value)
    ? Array.from(value, (element) => indentedJson(element, deeper))
    : members(value).map(([key, member]) => `${jsonString(key)}: ${indentedJson(member, deeper)}`);
  const [open, close] = isIterable(value) ? '[]' : '{}';
  return inner.length === 0 ? `${open}${close}` : `${open}\n${deeper}${inner.join(`,\n${deeper}`)}\n${margin}${close}`;
}

/** A value as Go's json.Marshal prints it, on one line without blanks. */
export function compactJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return jsonScalar(value);
  if (isIterable(value)) return `[${Array.from(value, compactJson).join(',')}]`;
  return `{${members(value)
    .map(([key, member]) => `${jsonString(key)}:${compactJson(member)}`)
    .join(',')}}`;
}

/** Whether a value is printed as a list. */
export function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

function* printList(elements: Iterable<unknown>): Iterable<string> {
  let before = '[';
  for (const element of elements) {
    yield `${before}\n${indent}${indent}${indentedJson(element, indent + indent)}`;
    before = ',';
  }
  yield before === '[' ? '[]' : `\n${indent}]`;
}

function members(value: object): [string, unknown][] {
  const map = value as Readonly<Record<string, unknown>>;
  return sortedKeys(map).map((key) => [key, map[key]]);
}

function jsonScalar(value: unknown): string {
  if (typeof value === 'string') return jsonString(value);
  return value === undefined ? 'null' : JSON.stringify(value);
}

function jsonString(text: string): string {
  const quoted = JSON.stringify(text);
  return escapedByGo.test(quoted) ? quoted.replace(everyEscapedByGo, asCodeUnit) : quoted;
}

function asCodeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const indent = '    ';
const escapedByGo = /[<>&\u2028\u2029]/;
const everyEscapedByGo = new RegExp(escapedByGo, 'g');

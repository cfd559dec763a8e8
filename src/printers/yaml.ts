import { isMap } from './go-values.ts';
import { isIterable } from './json.ts';
import { isSimpleKey, yamlScalar } from './yaml-scalar.ts';

/**
 * A document as `kubectl -o yaml` prints it: keys sorted, block style, lists not indented below their key, strings quoted where
 * YAML 1.1 would read something else. Lists at the top (`items`) may be iterables that make their elements as they are asked
 * for; each element is one piece of the output.
 *
 * kubernetes/cli-runtime pkg/printers/yaml.go, which writes with go-yaml 2 (emitterc.go, sorter.go).
 */
export function* printYaml(document: object): Iterable<string> {
  const map = document as Readonly<Record<string, unknown>>;
  const keys = keysInOrder(map);
  if (keys.length === 0) yield '{}\n';
  for (const key of keys) {
    const value = map[key];
    if (isIterable(value) && isSimpleKey(key)) yield* topLevelList(key, value);
    else yield `${entry(key, value, 0)}\n`;
  }
}

function* topLevelList(key: string, elements: Iterable<unknown>): Iterable<string> {
  let isEmpty = true;
  for (const element of elements) {
    if (isEmpty) yield `${yamlScalar(key, { isKey: true, column: 0, indent: 2 })}:\n`;
    isEmpty = false;
    yield `- ${node(element, 2)}\n`;
  }
  if (isEmpty) yield `${entry(key, [], 0)}\n`;
}

/** A value that stands at a column, where its further lines begin too. */
function node(value: unknown, indent: number): string {
  if (isIterable(value)) return sequence([...value], indent);
  if (isMap(value)) return mapping(value, indent);
  return yamlScalar(value, { isKey: false, column: indent, indent });
}

function mapping(map: Readonly<Record<string, unknown>>, indent: number): string {
  const keys = keysInOrder(map);
  return keys.length === 0 ? '{}' : keys.map((key) => entry(key, map[key], indent)).join(lineEnd(indent));
}

function sequence(elements: readonly unknown[], indent: number): string {
  if (elements.length === 0) return '[]';
  return elements.map((element) => `- ${node(element, indent + 2)}`).join(lineEnd(indent));
}

function entry(key: string, value: unknown, indent: number): string {
  const deeper = indent + 2;
  if (!isSimpleKey(key)) {
    const text = yamlScalar(key, { isKey: false, column: deeper, indent: deeper });
    return `? ${text}${lineEnd(indent)}: ${node(value, deeper)}`;
  }
  const text = `${yamlScalar(key, { isKey: true, column: indent, indent: deeper })}:`;
  if (isIterable(value)) return below(text, sequence([...value], indent), indent);
  if (isMap(value)) return below(text, mapping(value, deeper), deeper);
  return `${text} ${yamlScalar(value, { isKey: false, column: indent + text.length + 1, indent: deeper })}`;
}

/** A collection below its key, or beside it if there is nothing in it. */
function below(key: string, collection: string, indent: number): string {
  return collection === '[]' || collection === '{}' ? `${key} ${collection}` : `${key}${lineEnd(indent)}${collection}`;
}

function lineEnd(indent: number): string {
  return `\n${' '.repeat(indent)}`;
}

function keysInOrder(map: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(map)
    .filter((key) => map[key] !== undefined)
    .sort(compareKeys);
}

/** Numbers within keys count as numbers ("a9" before "a10"), and what is no letter comes before letters. */
function compareKeys(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  const [a, b] = [characterAt(left, at), characterAt(right, at)];
  if (a === '' || b === '') return left.length - right.length;
  const [isLetterA, isLetterB] = [letter.test(a), letter.test(b)];
  if (isLetterA !== isLetterB) return isLetterA ? 1 : -1;
  if (!isLetterA) {
    const [digitsA, digitsB] = [digitsFrom(left, at), digitsFrom(right, at)];
    // Behind a digit that is no zero, digits continue a number, and a zero counts as much as another digit.
    const leading = (a === '0' || b === '0') && /[1-9]0*$/.test(left.slice(0, at)) ? '1' : '';
    const difference = Number(leading + digitsA) - Number(leading + digitsB);
    if (difference !== 0) return difference;
    if (digitsA.length !== digitsB.length) return digitsA.length - digitsB.length;
  }
  return a.codePointAt(0)! - b.codePointAt(0)!;
}

function characterAt(text: string, at: number): string {
  const codePoint = text.codePointAt(at);
  return codePoint === undefined ? '' : String.fromCodePoint(codePoint);
}

function digitsFrom(text: string, at: number): string {
  digits.lastIndex = at;
  return digits.exec(text)![0];
}

const digits = /\d*/y;
const letter = /\p{L}/u;

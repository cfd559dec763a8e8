import { goText, goTypeName, isMap, sortedKeys } from '../go-values.ts';
import { compare } from './compare.ts';
import {
  type Comparison,
  type Part,
  type Path,
  type Slice,
  type Step,
  type Template,
  TemplateError,
} from './template.ts';

/** What a range without elements goes through its parts with. Every step passes it by, where kubectl stumbles over some. */
const nothing = undefined;

/**
 * The values that each part of a template selects in a document; a key that is missing selects none. Throws TemplateError.
 *
 * kubernetes/client-go util/jsonpath/jsonpath.go, FindResults, with missing keys allowed as `kubectl get` does; specification
 * ecosystem 7.4. Where Go visits the keys of an object in random order, this does in sorted order.
 */
export function evaluateTemplate(template: Template, document: unknown): unknown[][] {
  const results: unknown[][] = [];
  evaluateParts({ parts: template.parts, latestEnd: -1 }, 0, document, 0, results);
  return results;
}

interface Progress {
  readonly parts: readonly Part[];
  /** The number of the `{end}` met last. */
  latestEnd: number;
}

/** What a path met on its way besides values. */
interface Marks {
  /** How many ranges the path stands in. */
  readonly depth: number;
  beginsRange: boolean;
  endsRange: boolean;
}

/** Evaluates the parts from `start` up to the end of the range they stand in, or of the template. */
function evaluateParts(progress: Progress, start: number, current: unknown, depth: number, results: unknown[][]): void {
  for (let index = start; index < progress.parts.length; index++) {
    const part = progress.parts[index]!;
    if (part.is === 'text') {
      results.push([part.text]);
      continue;
    }
    const marks: Marks = { depth, beginsRange: false, endsRange: false };
    const values = walk(part.path, [current], marks);
    if (marks.endsRange) {
      progress.latestEnd = index;
      return;
    }
    if (!marks.beginsRange) {
      results.push(values);
      continue;
    }
    for (const value of values) evaluateParts(progress, index + 1, value, depth + 1, results);
    // Without elements the parts within are gone through all the same, to find the end.
    if (values.length === 0) evaluateParts(progress, index + 1, nothing, depth + 1, []);
    // A range that lacks its end goes on behind the latest end within it, or else behind its own beginning.
    index = Math.max(index, progress.latestEnd);
  }
}

function walk(path: Path, input: readonly unknown[], marks: Marks): unknown[] {
  let values = [...input];
  for (const step of path) values = take(step, values, marks);
  return values;
}

function take(step: Step, input: readonly unknown[], marks: Marks): unknown[] {
  switch (step.is) {
    case 'literal':
      return typeof step.value === 'string' ? [step.value] : input.map(() => step.value);
    case 'identifier':
      return takeIdentifier(step.name, input, marks);
    case 'field':
      return input.flatMap((value) => fieldOf(value, step.name));
    case 'wildcard':
      return input.flatMap(childrenOf);
    case 'descent':
      return input.flatMap(descendantsOf);
    case 'slice':
      return input.flatMap((value) => sliceOf(value, step));
    case 'union':
      return step.members.flatMap((member) => walk(member, input, marks));
    case 'filter':
      return input.flatMap((value) => filtered(value, step.left, step.comparison, marks));
  }
}

function takeIdentifier(name: string, input: readonly unknown[], marks: Marks): unknown[] {
  if (name === 'range') {
    marks.beginsRange = true;
    return [...input];
  }
  if (name !== 'end') throw new TemplateError(`unrecognized identifier ${name}`);
  if (marks.depth === 0) throw new TemplateError('not in range, nothing to end');
  marks.endsRange = true;
  return [];
}

function fieldOf(value: unknown, name: string): unknown[] {
  if (!isMap(value) || !Object.hasOwn(value, name)) return [];
  const field = value[name];
  return field === undefined ? [] : [field];
}

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isMap(value)) return sortedKeys(value).map((key) => value[key]);
  // Go sees the bytes of a string as its elements.
  return typeof value === 'string' ? [...new TextEncoder().encode(value)] : [];
}

function descendantsOf(value: unknown): unknown[] {
  const children = childrenOf(value);
  if (children.length === 0) return [];
  return typeof value === 'string' ? [value] : [value, ...children.flatMap(descendantsOf)];
}

/** Lists that are empty select nothing. (kubectl stops at the first such list and drops what the others select.) */
function sliceOf(value: unknown, slice: Slice): unknown[] {
  if (value === null || value === nothing) return [];
  if (!Array.isArray(value)) throw new TemplateError(`${goTypeName(value)} is not array or slice`);
  const length = value.length;
  let from = slice.from ?? 0;
  if (from < 0) from += length;
  let to = slice.to ?? length;
  if (to < 0 || (to === 0 && slice.isDerived)) to += length;
  if (from === to) return [];
  checkBounds(from, to, length);
  const step = slice.step ?? 1;
  if (step <= 0) throw new TemplateError('step must be > 0');
  return value.slice(from, to).filter((_, index) => index % step === 0);
}

function checkBounds(from: number, to: number, length: number): void {
  if (from >= length || from < 0) {
    throw new TemplateError(`array index out of bounds: index ${from}, length ${length}`);
  }
  if (to > length || to < 0) {
    throw new TemplateError(`array index out of bounds: index ${to - 1}, length ${length}`);
  }
  if (from > to) throw new TemplateError(`starting index ${from} is greater than ending index ${to}`);
}

function filtered(list: unknown, left: Path, comparison: Comparison | undefined, marks: Marks): unknown[] {
  if (list === nothing) return [];
  if (!Array.isArray(list)) throw new TemplateError(`${goText(list)} is not array or slice and cannot be filtered`);
  return list.filter((element) =>
    comparison === undefined ? exists(left, element, marks) : holds(left, comparison, element, marks),
  );
}

/** A path that cannot be walked to its end counts as one that leads somewhere. */
function exists(path: Path, element: unknown, marks: Marks): boolean {
  try {
    return walk(path, [element], marks).length > 0;
  } catch (error) {
    if (error instanceof TemplateError) return true;
    throw error;
  }
}

function holds(left: Path, { operator, right }: Comparison, element: unknown, marks: Marks): boolean {
  const leftValues = walk(left, [element], marks);
  if (leftValues.length === 0) return false;
  const leftValue = onlyOne(leftValues);
  const rightValues = walk(right, [element], marks);
  if (rightValues.length === 0) return false;
  const outcome = compare(leftValue, operator, onlyOne(rightValues));
  if (typeof outcome === 'string') throw new TemplateError(outcome);
  return outcome;
}

function onlyOne(values: readonly unknown[]): unknown {
  if (values.length > 1) throw new TemplateError('can only compare one element at a time');
  return values[0];
}

import type { KubernetesObject } from '../api/objects.ts';

/** A path or a value that cannot be set. */
export class FieldPathError extends Error {}

/** A step into an object or a list. */
type Step = string | number;

/**
 * The steps of a path as kubectl writes it: `spec.capacity.storage`, `spec.accessModes[0]`; `\.` is a dot in a key. Throws
 * FieldPathError.
 */
export function parseFieldPath(path: string): readonly Step[] {
  const steps: Step[] = [];
  const token = /^(?:\.?((?:\\.|[^.[\]\\])+)|\[(\d+)\])/;
  let rest = path;
  while (rest !== '') {
    const [all, key, index] = token.exec(rest) ?? [];
    if (all === undefined)
      throw new FieldPathError(`cannot read the path ${JSON.stringify(path)} at ${JSON.stringify(rest)}`);
    steps.push(index === undefined ? (key as string).replace(/\\(.)/g, '$1') : Number(index));
    rest = rest.slice(all.length);
  }
  if (steps.length === 0) throw new FieldPathError('the path is empty');
  return steps;
}

/**
 * The object with one field set; the given one is not touched. What looks like a list, an object, true, false or null is read as
 * JSON, null removes the field, a number is one where the field holds one; everything else is text. Throws FieldPathError.
 */
export function setField<T extends KubernetesObject>(object: T, path: string, text: string): T {
  return put(object, parseFieldPath(path), text, path) as T;
}

function put(before: unknown, [step, ...rest]: readonly Step[], text: string, path: string): unknown {
  if (step === undefined) return parsed(text, before);
  if (typeof step === 'number') {
    if (!Array.isArray(before) || step > before.length) throw new FieldPathError(`${path}: there is no item ${step}`);
    const after = put(before[step], rest, text, path);
    return [...before.slice(0, step), ...(after === undefined ? [] : [after]), ...before.slice(step + 1)];
  }
  if (before !== undefined && before !== null && (typeof before !== 'object' || Array.isArray(before))) {
    throw new FieldPathError(`${path}: there is no field ${JSON.stringify(step)} in ${JSON.stringify(before)}`);
  }
  const { [step]: field, ...others } = (before ?? {}) as Record<string, unknown>;
  const after = put(field, rest, text, path);
  return after === undefined ? others : { ...others, [step]: after };
}

function parsed(text: string, before: unknown): unknown {
  const isNumber = typeof before === 'number' && /^-?\d+$/.test(text);
  if (!isNumber && !/^(?:[[{].*|true|false|null)$/s.test(text)) return text;
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    throw new FieldPathError(`${JSON.stringify(text)} looks like JSON and is not`);
  }
}

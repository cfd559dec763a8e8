import type { KubernetesObject, ObjectMeta } from '../../api/objects.ts';
import { parseQuantity, QuantityError } from '../../api/quantity.ts';
import type { Kind } from '../../snapshot/kinds.ts';
import { isTimestamp, laterTimestamp } from '../../snapshot/timestamp.ts';
import { isMapping, type Mapping, shown } from './classify.ts';
import { eventOf } from './event.ts';
import type { ExpansionBudget } from './expansion-budget.ts';
import { decimalSpelling, isNumber, kubectlReading, PlainScalar } from './plain-scalar.ts';
import { type EventFields, type Fields, kindShapes, objectMeta, type Shape } from './shapes.ts';
import type { Strings } from './strings.ts';

/** Something about an object that could not be read as it was. */
export interface Remark {
  readonly severity: 'error' | 'warning';
  readonly reason: string;
}

export interface Selected {
  /** Undefined if the object is of no use at all. */
  readonly object: KubernetesObject | undefined;
  readonly remarks: readonly Remark[];
  /** The newest time in the object, heartbeats included, which are not kept. */
  readonly newest: string | undefined;
}

export interface SelectOptions {
  readonly strings: Strings;
  readonly budget: ExpansionBudget;
  /** The API version if the object does not say it. */
  readonly apiVersion: string | undefined;
}

/** Numbers stand where their spelling counts, and the parser has not kept it: parse again, exactly. */
export class InexactNumberError extends Error {}

/** Kinds of which nothing can be said without a spec. */
const needsSpec: ReadonlySet<Kind> = new Set(['PersistentVolume', 'PersistentVolumeClaim', 'Pod']);

/**
 * Keeps of a parsed object the fields that this program reads, and of these what has the right type: whatever stands behind may
 * rely on objects.ts. What has not is left out and told. Throws InexactNumberError, and ParseError for a hostile object.
 */
export function select(kind: Kind, value: Mapping, options: SelectOptions): Selected {
  const reading = new Reading(options);
  const object = readObject(kind, value, options, reading);
  const name = nameOf(value.metadata);
  const remarks = reading.remarks.map(({ severity, reason }) => ({ severity, reason: `${kind} ${name}: ${reason}` }));
  return { object, remarks, newest: reading.newest };
}

function readObject(
  kind: Kind,
  value: Mapping,
  options: SelectOptions,
  reading: Reading,
): KubernetesObject | undefined {
  const metadata = reading.field('metadata', value.metadata, objectMeta) as Partial<ObjectMeta> | undefined;
  const name = metadata?.name ?? '';
  if (metadata === undefined || name === '') return reading.useless('it has no name');
  // The API server refuses such a name; as part of a key it could pass for another object's.
  if (name.includes('/') || metadata.namespace?.includes('/')) return reading.useless('its name holds a slash');
  const apiVersion = typeof value.apiVersion === 'string' ? value.apiVersion : options.apiVersion;
  const kept: Kept = { kind, metadata: metadata as ObjectMeta };
  if (apiVersion !== undefined) kept.apiVersion = options.strings.interned(apiVersion);
  if (kind === 'Event') return eventOf(kept, reading.fields(value, kindShapes.Event) as EventFields);
  reading.fields(value, kindShapes[kind], kept);
  if (isEmpty(kept.spec)) delete kept.spec;
  if (isEmpty(kept.status)) delete kept.status;
  if (needsSpec.has(kind) && kept.spec === undefined) {
    if (!isMalformed(value.spec)) reading.remark('error', 'spec is missing');
    kept.spec = {};
  }
  return kept;
}

/** An object while its fields are read. */
interface Kept extends Record<string, unknown> {
  apiVersion?: string;
  kind: Kind;
  metadata: ObjectMeta;
}

/** Typed clients of Go print parts that are not there as `{}`. */
function isEmpty(value: unknown): boolean {
  return isMapping(value) && Object.keys(value).length === 0;
}

function isMalformed(value: unknown): boolean {
  return value !== undefined && value !== null && !isMapping(value);
}

/** How an object is called in a remark. */
function nameOf(metadata: unknown): string {
  if (!isMapping(metadata)) return '(without a name)';
  const { namespace, name, generateName } = metadata;
  const own =
    typeof name === 'string' && name !== ''
      ? name
      : typeof generateName === 'string'
        ? `${generateName}*`
        : '(without a name)';
  return shown(typeof namespace === 'string' && namespace !== '' ? `${namespace}/${own}` : own);
}

/** Keys of annotations that may be kept; those of other programs can be long and hold anything. */
const annotationDomains = ['kubernetes.io', 'k8s.io', 'helm.sh', 'argoproj.io'] as const;
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
/** In characters. */
const longestAnnotation = 1024;

function isKeptAnnotation(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash < 0 || key === lastApplied) return false;
  const domain = key.slice(0, slash);
  return annotationDomains.some((known) => domain === known || domain.endsWith(`.${known}`));
}

/** Reads one object. */
class Reading {
  readonly remarks: Remark[] = [];
  newest: string | undefined;
  readonly #strings: Strings;
  readonly #budget: ExpansionBudget;
  readonly #path: (string | number)[] = [];

  constructor({ strings, budget }: SelectOptions) {
    this.#strings = strings;
    this.#budget = budget;
  }

  remark(severity: Remark['severity'], reason: string): undefined {
    this.remarks.push({ severity, reason });
  }

  useless(reason: string): undefined {
    this.remark('error', `left out: ${reason}`);
  }

  fields(value: Mapping, { fields }: Fields, kept: Record<string, unknown> = {}): Record<string, unknown> {
    for (const [name, shape, isRequired] of fields) {
      const given = value[name];
      if (given === undefined && !isRequired) continue;
      const found = this.field(name, given, shape);
      if (found !== undefined) kept[name] = found;
      else if (isRequired) {
        if (given === undefined || given === null) this.remark('error', `${this.#pathTo(name)} is missing`);
        kept[name] = emptyValue(shape);
      }
    }
    return kept;
  }

  field(name: string | number, value: unknown, shape: Shape): unknown {
    this.#path.push(name);
    const found = this.#read(value, shape);
    this.#path.pop();
    return found;
  }

  #read(value: unknown, shape: Shape): unknown {
    this.#budget.spend();
    if (value === undefined || value === null) return undefined;
    switch (shape.is) {
      case 'text':
        return this.#text(value, shape.isUnique);
      case 'flag':
        return this.#flag(value);
      case 'integer':
        return this.#integer(value);
      case 'quantity':
        return this.#quantity(value);
      case 'time':
        return this.#time(value, shape);
      case 'list':
        return this.#list(value, shape.of);
      case 'map':
        return this.#map(value, shape.of);
      case 'annotations':
        return this.#annotations(value);
      case 'opaque':
        return isMapping(value) ? {} : this.#malformed(value, 'an object');
      case 'fields':
        return isMapping(value) ? this.fields(value, shape) : this.#malformed(value, 'an object');
      default:
        return shape satisfies never;
    }
  }

  #text(value: unknown, isUnique: boolean): string | undefined {
    const text = this.#textOf(value);
    if (text === undefined) return undefined;
    return isUnique ? this.#strings.own(text) : this.#strings.interned(text);
  }

  #textOf(value: unknown): string | undefined {
    if (typeof value === 'string') return value;
    if (typeof value === 'number') throw new InexactNumberError();
    if (typeof value === 'boolean') return this.#asText(String(value), 'a boolean');
    if (!(value instanceof PlainScalar)) return this.#malformed(value, 'a text');
    const reading = kubectlReading(value);
    if (reading === undefined) return this.#asText(value.text, 'a number');
    this.remark(
      'warning',
      `${this.#pathTo()} is unquoted: kubectl reads ${shown(value.text)} as ${reading}; put it in quotes`,
    );
    return value.text;
  }

  #asText(text: string, type: string): string {
    this.remark('warning', `${this.#pathTo()} is ${type} where a text belongs: read as "${shown(text)}"`);
    return text;
  }

  #flag(value: unknown): boolean | undefined {
    if (typeof value === 'boolean') return value;
    const reading = value instanceof PlainScalar ? kubectlReading(value) : undefined;
    if (reading !== 'true' && reading !== 'false') return this.#malformed(value, 'true or false');
    this.#readAsKubectl(value as PlainScalar, reading);
    return reading === 'true';
  }

  #integer(value: unknown): number | undefined {
    const number = typeof value === 'number' ? value : this.#numberOf(value);
    return Number.isSafeInteger(number) ? number : this.#malformed(value, 'an integer');
  }

  #numberOf(value: unknown): number | undefined {
    if (!(value instanceof PlainScalar) || !isNumber(value)) return undefined;
    const reading = kubectlReading(value);
    if (reading !== undefined) this.#readAsKubectl(value, reading);
    return Number(decimalSpelling(reading ?? value.text));
  }

  #quantity(value: unknown): string | undefined {
    if (typeof value === 'number') throw new InexactNumberError();
    const text = value instanceof PlainScalar ? this.#spelling(value) : value;
    if (typeof text !== 'string') return this.#malformed(value, 'a quantity');
    try {
      parseQuantity(text);
    } catch (error) {
      if (error instanceof QuantityError) return this.#malformed(value, 'a quantity');
      throw error;
    }
    return this.#strings.interned(text);
  }

  #spelling(value: PlainScalar): string {
    const reading = kubectlReading(value);
    if (reading === undefined) return decimalSpelling(value.text);
    this.#readAsKubectl(value, reading);
    return reading;
  }

  #time(
    value: unknown,
    { isPast, isKept }: { readonly isPast: boolean; readonly isKept: boolean },
  ): string | undefined {
    if (typeof value !== 'string' || !isTimestamp(value)) return this.#malformed(value, 'a time');
    if (!isKept && !isPast) return undefined;
    const text = this.#strings.own(value);
    if (isPast) this.newest = laterTimestamp(this.newest, text);
    return isKept ? text : undefined;
  }

  #list(value: unknown, of: Shape): readonly unknown[] | undefined {
    if (!Array.isArray(value)) return this.#malformed(value, 'a list');
    const kept: unknown[] = [];
    for (let i = 0; i < value.length; i++) {
      const found = this.field(i, value[i], of);
      if (found !== undefined) kept.push(found);
      else if (value[i] === null) this.remark('error', `${this.#pathTo(i)} is null: passed over`);
    }
    return kept;
  }

  #map(value: unknown, of: Shape): Record<string, unknown> | undefined {
    if (!isMapping(value)) return this.#malformed(value, 'an object');
    const kept: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const given = value[key];
      // Go reads null as the empty text here.
      const found = given === null && of.is === 'text' ? '' : this.field(key, given, of);
      if (found !== undefined) set(kept, this.#strings.interned(key), found);
    }
    return kept;
  }

  #annotations(value: unknown): Record<string, unknown> | undefined {
    if (!isMapping(value)) return this.#malformed(value, 'an object');
    const kept: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      if (!isKeptAnnotation(key)) continue;
      this.#path.push(key);
      const text = value[key] === null ? '' : this.#textOf(value[key]);
      this.#path.pop();
      if (text !== undefined) set(kept, this.#strings.interned(key), this.#strings.interned(shortened(text)));
    }
    return isEmpty(kept) ? undefined : kept;
  }

  #readAsKubectl(value: PlainScalar, reading: string): void {
    this.remark('warning', `${this.#pathTo()}: ${shown(value.text)} is read as kubectl does, as ${reading}`);
  }

  #malformed(value: unknown, expected: string): undefined {
    this.remark('error', `${this.#pathTo()}: expected ${expected}, found ${described(value)}; passed over`);
  }

  #pathTo(name?: string | number): string {
    const path = name === undefined ? this.#path : [...this.#path, name];
    let text = '';
    for (const part of path) {
      if (typeof part === 'number') text += `[${part}]`;
      else if (/^\w+$/.test(part)) text += text === '' ? part : `.${part}`;
      else text += `[${JSON.stringify(shown(part))}]`;
    }
    return text;
  }
}

/** A key of the input may be "__proto__", which must stay a key. */
function set(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

function shortened(text: string): string {
  if (text.length <= longestAnnotation) return text;
  const last = text.charCodeAt(longestAnnotation - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? longestAnnotation - 1 : longestAnnotation);
}

/** What Go holds where a value that is always there was left out. */
function emptyValue(shape: Shape): unknown {
  switch (shape.is) {
    case 'integer':
      return 0;
    case 'fields':
      return {};
    default:
      return '';
  }
}

function described(value: unknown): string {
  if (typeof value === 'string') return `the text ${JSON.stringify(shown(value.slice(0, 60)))}`;
  if (value instanceof PlainScalar) return shown(value.text.slice(0, 60));
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : String(value);
}

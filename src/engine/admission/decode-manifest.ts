import { parseQuantity, QuantityError } from '../../api/quantity.ts';
import { timeFault } from './go-time.ts';

/** The type that the API server reads a JSON value into. `go` is that type's name in Go, which its messages show. */
export type Shape =
  | { readonly is: 'string'; readonly go: string }
  | { readonly is: 'boolean' }
  | { readonly is: 'integer'; readonly bits: 32 | 64 }
  | { readonly is: 'quantity' }
  | { readonly is: 'time' }
  | { readonly is: 'anything' }
  | { readonly is: 'list'; readonly of: Shape; readonly go: string }
  | { readonly is: 'map'; readonly of: Shape; readonly go: string }
  | StructShape;

export interface StructShape {
  readonly is: 'struct';
  readonly go: string;
  readonly fields: Readonly<Record<string, Field>>;
}

export interface Field {
  readonly shape: Shape;
  /** A pointer tells an absent value from an empty one; a plain value does not. */
  readonly pointer: boolean;
  /** The API server prints the field even when it is empty. */
  readonly always: boolean;
  /** The Go struct that lends the field to the struct around it. */
  readonly lentBy?: string;
}

/** What decoding makes of a manifest: the object as the API server would hold it, or its refusal in its own words. */
export type Decoded<T> =
  | {
      readonly is: 'decoded';
      readonly object: T;
      /** Paths of fields that the kind does not have: ignored, or refused if the client asks for strictness, as kubectl does. */
      readonly unknownFields: readonly string[];
    }
  | { readonly is: 'refused'; readonly message: string };

/**
 * Reads a manifest as the API server does: names are case-sensitive, null is absent, fields of other kinds fall away,
 * and fields that the API declares as always there are filled in.
 */
// encoding/json as apimachinery uses it (sigs.k8s.io/json): the first value of a wrong type is reported once everything was
// read, a text that a type's own reader refuses ends the reading at once.
export function decodeManifest<T>(shape: StructShape, manifest: unknown): Decoded<T> {
  const reading: Reading = { unknownFields: [] };
  try {
    const object = read(shape, manifest, { path: [], at: '' }, reading);
    if (reading.mismatch !== undefined) return { is: 'refused', message: reading.mismatch };
    return { is: 'decoded', object: object as T, unknownFields: reading.unknownFields };
  } catch (error) {
    if (error instanceof RefusedTextError) return { is: 'refused', message: error.message };
    throw error;
  }
}

class RefusedTextError extends Error {}

interface Reading {
  mismatch?: string;
  readonly unknownFields: string[];
}

/** Where in the manifest we are: Go's field names for its messages about types, the path with indices for unknown fields. */
interface Place {
  readonly struct?: string;
  readonly path: readonly string[];
  readonly at: string;
}

/** The value as the API server holds it; undefined where it holds the type's empty value. */
function read(shape: Shape, value: unknown, place: Place, reading: Reading): unknown {
  switch (shape.is) {
    case 'anything':
      return value ?? undefined;
    case 'quantity':
      return value === null ? '0' : quantity(value);
    case 'time':
      return value === null ? undefined : time(value, place);
  }
  if (value === null || value === undefined) return shape.is === 'struct' ? emptyStruct(shape) : undefined;
  switch (shape.is) {
    case 'string':
      return typeof value === 'string' ? value : mismatch(value, shape.go, place, reading);
    case 'boolean':
      return typeof value === 'boolean' ? value : mismatch(value, 'bool', place, reading);
    case 'integer':
      return isInteger(value, shape.bits) ? value : mismatch(value, `int${shape.bits}`, place, reading, true);
    case 'list':
      if (!Array.isArray(value)) return mismatch(value, shape.go, place, reading);
      return value.map(
        (item, i) => read(shape.of, item, { ...place, at: `${place.at}[${i}]` }, reading) ?? emptyValue(shape.of),
      );
    case 'map':
      if (!isObject(value)) return mismatch(value, shape.go, place, reading);
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, read(shape.of, item, place, reading) ?? emptyValue(shape.of)]),
      );
    case 'struct':
      if (!isObject(value)) return mismatch(value, shape.go, place, reading) ?? emptyStruct(shape);
      return struct(shape, value, place, reading);
  }
}

function struct(shape: StructShape, value: Readonly<Record<string, unknown>>, place: Place, reading: Reading): object {
  const found: Record<string, unknown> = emptyStruct(shape);
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const at = place.at === '' ? name : `${place.at}.${name}`;
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (field === undefined) {
      reading.unknownFields.push(at);
      continue;
    }
    if (item === null && field.pointer) continue;
    const { lentBy } = field;
    const path = [...place.path, ...(lentBy === undefined ? [] : [lentBy]), name];
    const inside = { struct: shape.go.replace('v1.', ''), path, at };
    const content = read(field.shape, item, inside, reading);
    if (content !== undefined && (field.pointer || field.always || !isEmptyScalar(content))) found[name] = content;
  }
  return found;
}

/** What the fields that are always there hold when the manifest leaves them out. */
function emptyStruct(shape: StructShape): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(shape.fields).flatMap(([name, { shape: of, pointer, always }]) => {
      if (pointer) return [];
      if (of.is === 'struct') return [[name, emptyStruct(of)]];
      return always && (of.is === 'string' || of.is === 'integer') ? [[name, emptyValue(of)]] : [];
    }),
  );
}

/** What Go puts where a list or map holds null. */
function emptyValue(shape: Shape): unknown {
  switch (shape.is) {
    case 'string':
      return '';
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'struct':
      return emptyStruct(shape);
    default:
      return undefined;
  }
}

const isEmptyScalar = (value: unknown): boolean => value === '' || value === 0 || value === false;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isInteger = (value: unknown, bits: 32 | 64): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= -(2 ** (bits - 1)) && value < 2 ** (bits - 1);

function mismatch(value: unknown, go: string, place: Place, reading: Reading, wantsNumber = false): undefined {
  const kind = kindOf(value);
  reading.mismatch ??= wrongType(kind === 'number' && wantsNumber ? `number ${value}` : kind, go, place);
  return undefined;
}

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

function wrongType(kind: string, go: string, { struct, path }: Place): string {
  const into = struct === undefined ? 'Go value' : `Go struct field ${struct}.${path.join('.')}`;
  return `json: cannot unmarshal ${kind} into ${into} of type ${go}`;
}

/** Amounts keep their spelling: printed and read again, one may be another amount (specification pv-controller 11.5). */
function quantity(value: unknown): string {
  // Upstream reads the text between the quotes as it is sent, with its escapes.
  const text = (JSON.stringify(value) ?? '').replace(/^"(.*)"$/, '$1');
  try {
    parseQuantity(text);
    return text;
  } catch (error) {
    if (error instanceof QuantityError) throw new RefusedTextError(error.message, { cause: error });
    throw error;
  }
}

function time(value: unknown, place: Place): string {
  if (typeof value !== 'string') throw new RefusedTextError(wrongType(kindOf(value), 'string', place));
  const fault = timeFault(value);
  if (fault !== undefined) throw new RefusedTextError(fault);
  return value;
}

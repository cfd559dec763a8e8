import { marshal, quote } from '../../api/go-text.ts';

/** What is wrong with a field, as the API server tells it apart. */
export type FieldErrorType = 'Required' | 'Invalid' | 'NotSupported' | 'Forbidden' | 'Duplicate' | 'TooLong';

/** A value of a Go type that is printed as JSON: named string types, lists, maps, structs, pointers. */
export interface Marshalled {
  readonly json: unknown;
}

/** A value as a message shows it: a plain Go string is quoted, numbers and booleans are printed as they are. */
export type BadValue = string | number | bigint | boolean | Marshalled;

/** One finding of API validation. `path` is spelled as the API server spells it, e.g. `spec.resources[storage]`. */
export interface FieldError {
  readonly path: string;
  readonly type: FieldErrorType;
  /** The value at fault; messages of the types Required, Forbidden and TooLong show none. */
  readonly value?: BadValue;
  /** What else there is to say; may be empty. */
  readonly detail: string;
}

// apimachinery pkg/util/validation/field/errors.go, ErrorType.String (1.37)
const words: Readonly<Record<FieldErrorType, string>> = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  Forbidden: 'Forbidden',
  Duplicate: 'Duplicate value',
  TooLong: 'Too long',
};

/** The error as one line: `spec.resources[storage]: Required value`. */
// apimachinery pkg/util/validation/field/errors.go, Error.Error and ErrorBody (1.37)
export function textOfFieldError({ path, type, value, detail }: FieldError): string {
  const shown = value === undefined ? '' : `: ${textOfValue(value)}`;
  return `${path}: ${words[type]}${shown}${detail === '' ? '' : `: ${detail}`}`;
}

function textOfValue(value: BadValue): string {
  if (typeof value === 'string') return quote(value);
  return typeof value === 'object' ? marshal(value.json) : String(value);
}

/** Wraps a value whose Go type is printed as JSON. */
export const asJson = (json: unknown): Marshalled => ({ json });

export const required = (path: string, detail = ''): FieldError => ({ path, type: 'Required', detail });

export const invalid = (path: string, value: BadValue, detail: string): FieldError => ({
  path,
  type: 'Invalid',
  value,
  detail,
});

export const forbidden = (path: string, detail: string): FieldError => ({ path, type: 'Forbidden', detail });

export const duplicate = (path: string, value: BadValue): FieldError => ({
  path,
  type: 'Duplicate',
  value,
  detail: '',
});

/** `supported` is shown in the given order: upstream sorts sets and leaves lists as they are. */
export const notSupported = (path: string, value: BadValue, supported: readonly string[]): FieldError => ({
  path,
  type: 'NotSupported',
  value,
  detail: supported.length === 0 ? '' : `supported values: ${supported.map(quote).join(', ')}`,
});

/** `limit` in bytes. */
export const tooLong = (path: string, limit: number): FieldError => ({
  path,
  type: 'TooLong',
  detail: `may not be more than ${limit} bytes`,
});

/** One error for each message of a check of names or formats. */
export const invalidFor = (path: string, value: BadValue, messages: readonly string[]): readonly FieldError[] =>
  messages.map((message) => invalid(path, value, message));

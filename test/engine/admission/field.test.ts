import { describe, expect, it } from 'vitest';
import {
  asJson,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  textOfFieldError,
  tooLong,
} from '../../../src/engine/admission/field.ts';

const rows: readonly [name: string, error: FieldError, text: string][] = [
  [
    'a missing value has no value to show',
    required('spec.resources[storage]'),
    'spec.resources[storage]: Required value',
  ],
  [
    'a detail stands behind it',
    required('spec', 'must specify a volume type'),
    'spec: Required value: must specify a volume type',
  ],
  ['a plain text is quoted as Go does it', invalid('a', 'x"\u0001\n', 'no'), 'a: Invalid value: "x\\"\\x01\\n": no'],
  [
    'a text of a named type is printed as JSON',
    invalid('a', asJson('<x>'), 'no'),
    'a: Invalid value: "\\u003cx\\u003e": no',
  ],
  ['numbers are printed as they are', invalid('a', -1, 'no'), 'a: Invalid value: -1: no'],
  ['also large ones', invalid('a', -9223372036854775807n, 'no'), 'a: Invalid value: -9223372036854775807: no'],
  ['lists and maps are JSON', invalid('a', asJson({ b: ['c'] }), 'no'), 'a: Invalid value: {"b":["c"]}: no'],
  ['nothing is null', notSupported('a', asJson(null), ['b']), 'a: Unsupported value: null: supported values: "b"'],
  [
    'supported values keep their order',
    notSupported('spec.accessModes', asJson('x'), ['ReadOnlyMany', 'ReadWriteMany']),
    'spec.accessModes: Unsupported value: "x": supported values: "ReadOnlyMany", "ReadWriteMany"',
  ],
  ['what is forbidden is not shown', forbidden('spec.csi', 'no'), 'spec.csi: Forbidden: no'],
  ['a duplicate needs no detail', duplicate('a.key', 'zone'), 'a.key: Duplicate value: "zone"'],
  ['neither is what is too long', tooLong('parameters', 512), 'parameters: Too long: may not be more than 512 bytes'],
];

describe('the text of a field error', () => {
  it.each(rows)('%s', (_, error, text) => {
    expect(textOfFieldError(error)).toBe(text);
  });
});

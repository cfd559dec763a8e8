import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  humanBytes,
  parseQuantity,
  QuantityError,
  quantityMilliValue,
  quantityOfBytes,
  quantityValue,
  roundUpQuantity,
  subtractQuantities,
  zeroQuantity,
} from '../../src/api/quantity.ts';

const maxInt64 = 2n ** 63n - 1n;

describe('a literal is worth', () => {
  it.each([
    ['1', 1_000_000_000n],
    ['1n', 1n],
    ['1u', 1000n],
    ['1m', 1_000_000n],
    ['1k', 10n ** 12n],
    ['1M', 10n ** 15n],
    ['1G', 10n ** 18n],
    ['1T', 10n ** 21n],
    ['1P', 10n ** 24n],
    ['1E', 10n ** 27n],
    ['1Ki', 2n ** 10n * 10n ** 9n],
    ['1Mi', 2n ** 20n * 10n ** 9n],
    ['1Gi', 2n ** 30n * 10n ** 9n],
    ['1Ti', 2n ** 40n * 10n ** 9n],
    ['1Pi', 2n ** 50n * 10n ** 9n],
    ['1Ei', 2n ** 60n * 10n ** 9n],
    ['1E3', 1000n * 10n ** 9n],
    ['1e+3', 1000n * 10n ** 9n],
    ['1e-3', 10n ** 6n],
    ['1.5', 1_500_000_000n],
    ['1.', 1_000_000_000n],
    ['.5', 500_000_000n],
    ['-1.5Ki', -1536n * 10n ** 9n],
    ['+1Gi', 2n ** 30n * 10n ** 9n],
    // Finer than 10^-9: away from zero.
    ['0.1n', 1n],
    ['-0.1n', -1n],
    ['1e-1000000000', 1n],
    ['1.0000000001', 1_000_000_001n],
    // Binary suffixes are capped, decimal ones are not.
    ['8Ei', maxInt64 * 10n ** 9n],
    ['9Ei', maxInt64 * 10n ** 9n],
    ['16Ei', maxInt64 * 10n ** 9n],
    ['-16Ei', -maxInt64 * 10n ** 9n],
    ['200E', 200n * 10n ** 27n],
    ['800E', 800n * 10n ** 27n],
    // Only 32 bits of an exponent count.
    ['7e4294967296', 7n * 10n ** 9n],
  ])('%s', (text, nano) => {
    expect(parseQuantity(text).nano).toBe(nano);
  });

  it.each(['0', '00', '-0', 'Gi', 'm', '.', '+', '-', 'e3', '.Gi', '0Ei'])('nothing: %s', (text) => {
    expect(parseQuantity(text).nano).toBe(0n);
  });

  it.each([' 1Gi', '1Gi ', '\t1Gi\n', '\u00851Gi\u00a0'])('the same with white space around it: %j', (text) => {
    expect(parseQuantity(text)).toEqual(parseQuantity('1Gi'));
  });
});

describe('a text that is no quantity is refused in the words of the API server', () => {
  const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  const suffix = "unable to parse quantity's suffix";
  const number = 'unable to parse numeric part of quantity';
  it.each([
    ['', format],
    [' ', format],
    ['1GB', format],
    ['1GiB', format],
    ['1B', format],
    ['1gi', format],
    ['1 Gi', format],
    ['1e3Ki', format],
    ['1.2.3', format],
    ['\ufeff1Gi', format],
    ['١Gi', format],
    ['1K', suffix],
    ['1ki', suffix],
    ['1i', suffix],
    ['1e', suffix],
    ['1e+', suffix],
    ['--1', suffix],
    ['1e99999999999999999999', suffix],
    ['Pi', number],
    ['Ei', number],
    ['-.Ei', number],
    ['e-10', number],
  ])('%j: %s', (text, message) => {
    expect(() => parseQuantity(text)).toThrow(new QuantityError(message));
  });

  it('soon, even if it is long', () => {
    const started = performance.now();
    expect(() => parseQuantity(`${'0'.repeat(200_000)}x`)).toThrow(QuantityError);
    expect(() => parseQuantity(`1${' '.repeat(200_000)}x`)).toThrow(QuantityError);
    expect(parseQuantity('1e2000000000').nano > 0n).toBe(true);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('amounts compare by what they are worth', () => {
  it.each([
    ['1Gi', '1024Mi', 0],
    ['1Gi', '1073741824', 0],
    ['1Gi', '1073741824000m', 0],
    ['1G', '1Gi', -1],
    ['1000M', '1G', 0],
    ['1G', '1e9', 0],
    ['1500m', '1900m', -1],
    ['8Ei', '16Ei', 0],
    ['200E', '800E', -1],
    ['-1', '1n', -1],
    // Equal as doubles.
    ['9007199254740993', '9007199254740992', 1],
    ['100000000000000000001n', '100000000000000000000n', 1],
  ])('%s and %s: %i', (a, b, order) => {
    expect(Math.sign(compareQuantities(parseQuantity(a), parseQuantity(b)))).toBe(order);
    expect(Math.sign(compareQuantities(parseQuantity(b), parseQuantity(a)))).toBe(0 - order);
  });
});

// The rows below were observed with k8s.io/apimachinery v0.37.2.
describe('Value() and MilliValue(), with their silent overflows', () => {
  it.each([
    ['9E', 9_000_000_000_000_000_000n, 0n],
    ['10E', 0n, 0n],
    ['800E', 0n, 0n],
    ['20000P', 0n, 0n],
    ['99999999999G', 7_766_279_630_452_241_920n, 0n],
    ['1500m', 2n, 1500n],
    ['1900m', 2n, 1900n],
    ['1.5', 2n, 1500n],
    ['-1.5', -2n, -1500n],
    ['0.1n', 1n, 1n],
    ['-1.5000000000000000000', 0n, -1500n],
    ['0.1Gi', 107_374_183n, 107_374_182_400n],
    ['1Gi', 1_073_741_824n, 1_073_741_824_000n],
    ['1e22', 0n, 0n],
    ['16Ei', maxInt64, -1000n],
    ['1Ei', 2n ** 60n, -(2n ** 63n)],
    ['10Pi', 11_258_999_068_426_240n, -7_187_745_005_283_311_616n],
    ['9223372036854775807', maxInt64, -1000n],
    ['9223372036854775808', -(2n ** 63n), 0n],
    ['18446744073709551617', 1n, 1000n],
    ['12345678901234567890123', 4_807_115_922_877_859_019n, -7_484_280_360_333_952_776n],
    ['1234567890123456789', 1_234_567_890_123_456_789n, -1_363_962_815_083_169_272n],
  ])('%s: %d and %d', (text, value, milli) => {
    expect(quantityValue(parseQuantity(text))).toBe(value);
    expect(quantityMilliValue(parseQuantity(text))).toBe(milli);
  });
});

describe('an amount is printed as the API server prints it', () => {
  it.each([
    ['1.5Gi', '1536Mi'],
    ['1024Mi', '1Gi'],
    ['1024Ki', '1Mi'],
    ['7.5Ti', '7680Gi'],
    ['1000M', '1G'],
    ['1.5', '1500m'],
    ['0.5', '500m'],
    ['1073741824', '1073741824'],
    ['1073741824000m', '1073741824'],
    ['20000P', '20E'],
    ['00', '0'],
    ['-0', '0'],
    // Binary, but below 1024 or not whole.
    ['0.5Ki', '512'],
    ['0.1Gi', '107374182400m'],
    ['-1.5Ki', '-1536'],
    ['16Ei', '9223372036854775807'],
    // Decimal exponents stay.
    ['1e3', '1e3'],
    ['1e22', '10e21'],
    ['15e4', '150e3'],
    ['1.5e4', '1.5e4'],
    ['0e3', '0'],
    // Close to canonical: as it was written.
    ['+1Gi', '+1Gi'],
    ['1.', '1.'],
    ['01', '01'],
    ['1.500', '1.500'],
    ['1E3', '1E3'],
    ['9Ki', '9Ki'],
    ['001Ki', '001Ki'],
    // Too large for a suffix: it is lost.
    ['1000E', '1'],
    ['5000E', '5'],
  ])('%s: %s', (text, printed) => {
    expect(canonicalQuantity(parseQuantity(text))).toBe(printed);
  });

  it.each(['100Gi', '8Gi', '500G', '1023', '1024', '100m', '1Pi', '0'])('%s is canonical already', (text) => {
    expect(canonicalQuantity(parseQuantity(text))).toBe(text);
  });
});

describe('sums and differences', () => {
  it.each([
    ['1Gi', '1Gi', '2Gi', '0'],
    ['1Gi', '512Mi', '1536Mi', '512Mi'],
    ['1Gi', '1G', '2073741824', '73741824'],
    ['1G', '1Gi', '2073741824', '-73741824'],
    ['0', '1Gi', '1Gi', '-1Gi'],
    ['01', '0', '1', '1'],
    ['1e3', '500m', '1000500e-3', '999500e-3'],
    ['9E', '9E', '18E', '0'],
    ['8Ei', '1', '8Ei', '9223372036854775806'],
    ['200E', '1n', '200000000000000000000000000001n', '199999999999999999999999999999n'],
  ])('of %s and %s: %s and %s', (a, b, sum, difference) => {
    expect(canonicalQuantity(addQuantities(parseQuantity(a), parseQuantity(b)))).toBe(sum);
    expect(canonicalQuantity(subtractQuantities(parseQuantity(a), parseQuantity(b)))).toBe(difference);
  });
});

it('bytes are printed with binary suffixes', () => {
  expect(canonicalQuantity(quantityOfBytes(5n * 2n ** 30n))).toBe('5Gi');
  expect(canonicalQuantity(quantityOfBytes(1000n))).toBe('1k');
  expect(canonicalQuantity(quantityOfBytes(2n ** 64n))).toBe('16Ei');
});

it.each([
  ['0.1m', '1m'],
  ['1n', '1m'],
  ['-0.1m', '-1m'],
  ['1.0000001Gi', '1073741931375m'],
  ['1023.9999999Ki', '1Mi'],
  ['1Gi', '1Gi'],
  ['+1m', '+1m'],
])('%s rounded up to thousandths is %s', (text, printed) => {
  expect(canonicalQuantity(roundUpQuantity(parseQuantity(text), -3))).toBe(printed);
});

it.each([
  ['500G', '465.7Gi'],
  ['1G', '953.7Mi'],
  ['1Gi', '1Gi'],
  ['1536Mi', '1.5Gi'],
  ['1023.99Mi', '1Gi'],
  ['512', '512'],
  ['1500m', '1.5'],
  ['0', '0'],
  ['-1G', '-953.7Mi'],
  ['-1n', '0'],
  ['2000E', '1734.7Ei'],
])('beside %s stands %s', (text, binary) => {
  expect(humanBytes(parseQuantity(text))).toBe(binary);
});

describe('for any amounts', () => {
  const digits = fc.stringMatching(/^\d{0,25}$/);
  const sign = fc.constantFrom('', '-', '+');
  const suffix = fc.constantFrom(
    '',
    'n',
    'u',
    'm',
    'k',
    'M',
    'G',
    'T',
    'P',
    'E',
    'Ki',
    'Mi',
    'Gi',
    'Ti',
    'Pi',
    'Ei',
    'e3',
    'E-5',
    'e22',
  );
  const literal = fc
    .tuple(sign, digits, fc.option(digits, { nil: undefined }), suffix)
    // A number with digits: the few literals without any are in the tables.
    .map(([plus, whole, rest, end]) => `${plus}${whole}${rest === undefined ? '0' : `.${rest}0`}${end}`);
  const quantity = literal.map(parseQuantity);

  it('comparing is the order of their worth', () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        expect(Math.sign(compareQuantities(a, b))).toBe(a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0);
      }),
    );
  });

  it('neighbours are told apart, however large', () => {
    fc.assert(
      fc.property(quantity, (a) => {
        expect(compareQuantities(a, addQuantities(a, parseQuantity('1n')))).toBeLessThan(0);
      }),
    );
  });

  it('the worth is what naive arithmetic says', () => {
    const powers: Readonly<Record<string, bigint>> = {
      m: 1n,
      '': 1000n,
      k: 1000_000n,
      Ki: 1024_000n,
      Mi: 1_048_576_000n,
    };
    fc.assert(
      fc.property(fc.bigInt(-999_999_999n, 999_999_999n), fc.constantFrom(...Object.keys(powers)), (number, unit) => {
        expect(parseQuantity(`${number}${unit}`).nano).toBe(number * (powers[unit] ?? 0n) * 1_000_000n);
      }),
    );
  });

  it('what is printed is read as the same amount, below 10^21', () => {
    fc.assert(
      fc.property(quantity, (a) => {
        fc.pre(a.nano < 10n ** 30n && a.nano > -(10n ** 30n));
        const again = parseQuantity(canonicalQuantity(a));
        expect(again.nano).toBe(a.nano);
        expect(canonicalQuantity(again)).toBe(canonicalQuantity(a));
      }),
    );
  });

  it('Value() is the worth rounded away from zero, where it fits and nothing is negative', () => {
    fc.assert(
      fc.property(quantity, (a) => {
        fc.pre(a.nano >= 0n && a.nano <= maxInt64 * 10n ** 9n);
        expect(quantityValue(a)).toBe((a.nano + 10n ** 9n - 1n) / 10n ** 9n);
      }),
    );
  });

  it('a sum is exact, commutes in worth, and subtracting undoes it', () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        const sum = addQuantities(a, b);
        expect(sum.nano).toBe(a.nano + b.nano);
        expect(addQuantities(b, a).nano).toBe(sum.nano);
        expect(subtractQuantities(sum, b).nano).toBe(a.nano);
        expect(addQuantities(zeroQuantity, a).nano).toBe(a.nano);
      }),
    );
  });
});

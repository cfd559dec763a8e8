// Exact amounts as the API server understands them.
// kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/api/resource/{quantity,amount,math,scale_int,suffix}.go (1.37);
// specification pv-controller 11.

/** How an amount is spelt when it is printed. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/**
 * An exact amount. `mantissa * 10^scale` is the amount as upstream holds it, `isInt64` whether it holds the mantissa in 64 bits:
 * both decide how quantityValue overflows, neither how amounts compare.
 */
export interface Quantity {
  /** The amount in units of 10^-9. */
  readonly nano: bigint;
  /** Number(nano), rounded to nearest: decides a comparison unless it is equal. */
  readonly approximate: number;
  readonly format: QuantityFormat;
  readonly mantissa: bigint;
  readonly scale: number;
  readonly isInt64: boolean;
  /** The literal, where upstream prints it as it was written. */
  readonly spelling: string | undefined;
}

/** A text that is no quantity, in upstream's words. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}

const messages = {
  format: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  number: 'unable to parse numeric part of quantity',
  suffix: "unable to parse quantity's suffix",
} as const;

const decimalPowers: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const decimalSuffixes: ReadonlyMap<number, string> = new Map(
  [...decimalPowers].map(([suffix, power]) => [power, suffix]),
);
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

const nanoScale = -9;
const nanoPerUnit = 10n ** 9n;
const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);
/** How many decimal digits upstream trusts an int64 with. */
const int64Digits = 18;
/** Powers of ten beyond this all count as this one when amounts are compared: their digits would fill the memory. */
const largestPower = 10_000;

export const zeroQuantity: Quantity = int64Quantity(0n, 0, 'DecimalSI', '0');

const parsedTexts = new Map<string, Quantity>();
const parsedTextsLimit = 4096;

/** Reads an amount as JSON decoding does, white space around it trimmed. Throws QuantityError. */
export function parseQuantity(text: string): Quantity {
  const known = parsedTexts.get(text);
  if (known !== undefined) return known;
  const parsed = parseTrimmed(trimmed(text));
  if (parsedTexts.size >= parsedTextsLimit) parsedTexts.clear();
  parsedTexts.set(text, parsed);
  return parsed;
}

/** The order of two amounts, whatever their notation: negative, zero or positive (Cmp). */
export function compareQuantities(a: Quantity, b: Quantity): number {
  if (a.approximate !== b.approximate) return a.approximate < b.approximate ? -1 : 1;
  return a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0;
}

/** The amount in whole units as an int64, with upstream's silent overflows (Value; specification pv-controller 11.4). */
export function quantityValue(quantity: Quantity): bigint {
  return scaledValue(quantity, 0);
}

/** The amount in thousandths as an int64, with the same overflows (MilliValue). */
export function quantityMilliValue(quantity: Quantity): bigint {
  return scaledValue(quantity, -3);
}

/** The amount as the API server prints it (String). Not to be parsed again: from 10^21 on the suffix is lost. */
export function canonicalQuantity(quantity: Quantity): string {
  const { nano, format, spelling } = quantity;
  if (spelling !== undefined) return spelling;
  if (nano === 0n) return '0';
  const units = nano / nanoPerUnit;
  if (format === 'BinarySI' && nano % nanoPerUnit === 0n && (units >= 1024n || units <= -1024n)) {
    const [rest, times] = withoutFactors(units, 1024n);
    return `${rest}${binarySuffixes[times] ?? ''}`;
  }
  const [digits, zeros] = withoutFactors(quantity.mantissa, 10n);
  const power = quantity.scale + zeros;
  const surplus = ((power % 3) + 3) % 3;
  const number = `${digits}${'0'.repeat(surplus)}`;
  const exponent = power - surplus;
  if (format === 'DecimalExponent') return exponent === 0 ? number : `${number}e${exponent}`;
  return `${number}${decimalSuffixes.get(exponent) ?? ''}`;
}

/** a + b, exact, in the format of a unless a is zero (Add). */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const format = a.mantissa === 0n ? b.format : a.format;
  if (a.isInt64 && b.isInt64) {
    if (b.mantissa === 0n) return int64Quantity(a.mantissa, a.scale, format);
    if (a.mantissa === 0n) return int64Quantity(b.mantissa, b.scale, format);
  }
  const scale = Math.min(a.scale, b.scale);
  const left = timesPowerOfTen(a.mantissa, a.scale - scale);
  const right = timesPowerOfTen(b.mantissa, b.scale - scale);
  const sum = left + right;
  const isInt64 = a.isInt64 && b.isInt64 && [left, right, sum].every(fitsInt64);
  return isInt64 ? int64Quantity(sum, scale, format) : decimalQuantity(sum, scale, format);
}

/** a - b, exact, in the format of a unless a is zero (Sub). */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, { ...b, mantissa: -b.mantissa });
}

/**
 * The amount in whole units of 10^scale, rounded away from zero; the same amount if it is held that coarsely already, else without its
 * spelling (RoundUp).
 */
export function roundUpQuantity(quantity: Quantity, scale: number): Quantity {
  if (quantity.scale >= scale) return quantity;
  const mantissa = dividedAwayFromZero(quantity.mantissa, scale - quantity.scale);
  return quantity.isInt64
    ? int64Quantity(mantissa, scale, quantity.format)
    : decimalQuantity(mantissa, scale, quantity.format);
}

/** An amount of bytes, printed with binary suffixes. */
export function quantityOfBytes(bytes: bigint): Quantity {
  return fitsInt64(bytes) ? int64Quantity(bytes, 0, 'BinarySI') : decimalQuantity(bytes, 0, 'BinarySI');
}

/** The amount with a binary suffix and at most one decimal, to show beside a decimal spelling: "465.7Gi" for 500G. */
export function humanBytes(quantity: Quantity): string {
  let value = Math.abs(quantity.approximate) / 1e9;
  let step = 0;
  // 1023.95 would be rounded to 1024.
  while (step + 1 < binarySuffixes.length && value >= 1023.95) {
    value /= 1024;
    step++;
  }
  const text = Number(value.toFixed(1)).toString();
  return `${quantity.nano < 0n && text !== '0' ? '-' : ''}${text}${binarySuffixes[step]}`;
}

// ParseQuantity. Without its leading zeros, a number of few digits is kept as an int64, and if it is close to canonical, its spelling
// too; every other number becomes a decimal of nine places, rounded away from zero.
function parseTrimmed(text: string): Quantity {
  if (text === '') throw new QuantityError(messages.format);
  if (text === '0') return zeroQuantity;
  const { sign, significant, decimals, suffix } = scan(text);
  const whole = significant === '' ? '0' : significant;
  const { format, power } = interpretSuffix(suffix);
  const digits = `${whole}${decimals}`;
  const negated = sign === '-' ? -1n : 1n;

  if (format !== 'BinarySI') {
    const scale = int32(power - decimals.length);
    if (digits.length <= int64Digits && scale >= nanoScale) {
      const isCanonical = scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
      return int64Quantity(negated * BigInt(digits), scale, format, isCanonical ? text : undefined);
    }
  } else if (decimals === '' && 14 - whole.length - (power * 3) / 10 >= 0) {
    const number = BigInt(whole);
    return int64Quantity(negated * (number << BigInt(power)), 0, format, number % 8n === 0n ? undefined : text);
  }

  // The decimal's own parser wants at least one digit: "Ei" fails where "Gi" is zero.
  if (!/^[+-]?\.?\d/.test(text)) throw new QuantityError(messages.number);
  if (format !== 'BinarySI')
    return decimalQuantity(negated * atNano(BigInt(digits), power - decimals.length), nanoScale, format);
  const nano = atNano(BigInt(digits) << BigInt(power), -decimals.length);
  if (nano > maxInt64 * nanoPerUnit) return decimalQuantity(negated * maxInt64, 0, format);
  const isBelowOne = nano > 0n && nano < nanoPerUnit;
  return decimalQuantity(negated * nano, nanoScale, isBelowOne ? 'DecimalSI' : format);
}

/** The parts of a literal. Read piece by piece: one expression for the whole would be slow on long texts that do not match. */
function scan(text: string) {
  let rest = text;
  const take = (pattern: RegExp): string => {
    const taken = pattern.exec(rest)?.[0] ?? '';
    rest = rest.slice(taken.length);
    return taken;
  };
  const sign = take(/^[+-]/);
  take(/^0+/);
  const significant = take(/^\d+/);
  const decimals = take(/^\./) === '' ? '' : take(/^\d+/);
  const suffix = take(/^[eEinumkKMGTP]*[+-]?\d*/);
  if (rest !== '') throw new QuantityError(messages.format);
  return { sign, significant, decimals, suffix };
}

/** `power` is one of two for binary suffixes, else of ten. */
function interpretSuffix(suffix: string): { readonly format: QuantityFormat; readonly power: number } {
  const decimal = decimalPowers.get(suffix);
  if (decimal !== undefined) return { format: 'DecimalSI', power: decimal };
  const binary = (binarySuffixes as readonly string[]).indexOf(suffix);
  if (binary > 0) return { format: 'BinarySI', power: 10 * binary };
  if (/^[eE][+-]?\d+$/.test(suffix)) {
    const exponent = BigInt(suffix.slice(suffix[1] === '+' ? 2 : 1));
    // Upstream reads 64 bits and keeps 32.
    if (fitsInt64(exponent)) return { format: 'DecimalExponent', power: Number(BigInt.asIntN(32, exponent)) };
  }
  throw new QuantityError(messages.suffix);
}

/** digits * 10^power in units of 10^-9, what is finer rounded up. */
function atNano(digits: bigint, power: number): bigint {
  const shift = power - nanoScale;
  if (shift >= 0 || digits === 0n) return timesPowerOfTen(digits, shift);
  if (-shift > digits.toString().length) return 1n;
  const divisor = 10n ** BigInt(-shift);
  return (digits + divisor - 1n) / divisor;
}

function int64Quantity(mantissa: bigint, scale: number, format: QuantityFormat, spelling?: string): Quantity {
  const nano = timesPowerOfTen(mantissa, scale - nanoScale);
  return { nano, approximate: Number(nano), format, mantissa, scale, isInt64: true, spelling };
}

function decimalQuantity(mantissa: bigint, scale: number, format: QuantityFormat): Quantity {
  const nano = timesPowerOfTen(mantissa, scale - nanoScale);
  return { nano, approximate: Number(nano), format, mantissa, scale, isInt64: false, spelling: undefined };
}

/** ScaledValue: the amount in units of 10^scale; how it is held decides how it is rounded and what an overflow leaves. */
function scaledValue({ mantissa, scale: held, isInt64 }: Quantity, scale: number): bigint {
  if (isInt64) {
    return held < scale ? dividedAwayFromZero(mantissa, scale - held) : overflowingProduct(mantissa, held - scale);
  }
  if (held >= scale) return int64(int64(mantissa) * timesPowerOfTen(1n, held - scale));
  const divisor = 10n ** BigInt(scale - held);
  // Negative decimals pass upstream's test for small ones whatever their size, and are rounded towards zero and then up by one.
  if (mantissa < maxInt64) {
    const small = int64(mantissa);
    return small / divisor + (small % divisor === 0n ? 0n : 1n);
  }
  return int64(mantissa / divisor + (mantissa % divisor === 0n ? 0n : 1n));
}

/** positiveScaleInt64: an overflow leaves the low 64 bits for the powers that upstream multiplies by at once, else nothing. */
function overflowingProduct(value: bigint, power: number): bigint {
  if (value === 0n || power === 0) return value;
  if (value === minInt64) return 0n;
  const product = timesPowerOfTen(value, power);
  if (fitsInt64(product)) return product;
  return [1, 2, 3, 6, 9].includes(power) ? int64(product) : 0n;
}

function dividedAwayFromZero(value: bigint, power: number): bigint {
  const divisor = 10n ** BigInt(power);
  const rest = value % divisor;
  return value / divisor + (rest === 0n ? 0n : rest > 0n ? 1n : -1n);
}

function timesPowerOfTen(value: bigint, power: number): bigint {
  return value === 0n ? 0n : value * 10n ** BigInt(Math.min(power, largestPower));
}

/** value without its factors, and how many there were. */
function withoutFactors(value: bigint, factor: bigint): readonly [rest: bigint, times: number] {
  let rest = value;
  let times = 0;
  while (rest % factor === 0n) {
    rest /= factor;
    times++;
  }
  return [rest, times];
}

/** What Go calls white space is not quite what String.trim does. */
function trimmed(text: string): string {
  const isSpace = (at: number) => /\p{White_Space}/u.test(text.charAt(at));
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(start)) start++;
  while (end > start && isSpace(end - 1)) end--;
  return text.slice(start, end);
}

function fitsInt64(value: bigint): boolean {
  return value >= minInt64 && value <= maxInt64;
}

function int64(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

function int32(value: number): number {
  return value | 0;
}

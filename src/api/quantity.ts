// staging/src/k8s.io/apimachinery/pkg/api/resource (1.37); specification pv-controller 11.

/** How a quantity is spelt when it is printed. */
type Format = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

/** An exact amount. */
export interface Quantity {
  /** In units of 10^-9. */
  readonly nano: bigint;
  /** Number(nano): decides a comparison unless it is equal. */
  readonly approximate: number;
  readonly format: Format;
  /** The number as it was written, mantissa and power of ten, if upstream keeps it as int64: Value() overflows by these. */
  readonly written?: { readonly mantissa: bigint; readonly scale: number };
  /** The spelling that upstream keeps when it prints the amount. */
  readonly spelling?: string;
}

export class QuantityError extends Error {}

const messages = {
  format: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  number: 'unable to parse numeric part of quantity',
  suffix: "unable to parse quantity's suffix",
};

const decimalSuffixes: Record<string, number> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binarySuffixes: Record<string, number> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const maxInt64 = 2n ** 63n - 1n;
const nanoPerUnit = 10n ** 9n;
export const zeroQuantity: Quantity = { nano: 0n, approximate: 0, format: 'BinarySI', spelling: '0' };

const cache = new Map<string, Quantity>();

export function parseQuantity(text: string): Quantity {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const parsed = parse(text.trim());
  if (cache.size >= 10_000) cache.clear();
  cache.set(text, parsed);
  return parsed;
}

function parse(text: string): Quantity {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([a-zA-Z]*)([-+]?\d*)$/.exec(text);
  if (text === '' || !match) throw new QuantityError(messages.format);
  const [, sign = '', whole = '', fraction = '', letters = '', exponent = ''] = match;
  let format: Format;
  let nano: bigint;
  let digits = BigInt(`${whole}${fraction}` || '0');
  const negative = sign === '-';
  const suffix = letters + exponent;
  if (suffix in binarySuffixes) {
    format = 'BinarySI';
    digits <<= BigInt(binarySuffixes[suffix] as number);
    nano = scaled(digits, 9 - fraction.length);
    if (nano > maxInt64 * nanoPerUnit) nano = maxInt64 * nanoPerUnit;
  } else {
    let scale: number;
    if (suffix in decimalSuffixes) {
      format = 'DecimalSI';
      scale = decimalSuffixes[suffix] as number;
    } else if (/^[eE][-+]?\d+$/.test(suffix)) {
      format = 'DecimalExponent';
      scale = Number(suffix.slice(1));
    } else throw new QuantityError(messages.suffix);
    nano = scaled(digits, 9 + scale - fraction.length);
  }
  if (negative) nano = -nano;
  return { nano, approximate: Number(nano), format };
}

/** digits * 10^power, rounded up where it is no whole number. */
function scaled(digits: bigint, power: number): bigint {
  if (power >= 0) return digits * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (digits + divisor - 1n) / divisor;
}

export function compareQuantities(a: Quantity, b: Quantity): number {
  if (a.approximate !== b.approximate) return a.approximate < b.approximate ? -1 : 1;
  return a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0;
}

export function quantityValue(q: Quantity): bigint {
  return BigInt.asIntN(64, q.nano >= 0n ? (q.nano + nanoPerUnit - 1n) / nanoPerUnit : -((-q.nano + nanoPerUnit - 1n) / nanoPerUnit));
}

export function canonicalQuantity(q: Quantity): string {
  if (q.format === 'BinarySI' && q.nano % nanoPerUnit === 0n && q.nano / nanoPerUnit >= 1024n) {
    let value = q.nano / nanoPerUnit;
    const names = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
    let i = 0;
    while (i < 6 && value % 1024n === 0n) {
      value /= 1024n;
      i++;
    }
    return `${value}${names[i]}`;
  }
  let value = q.nano;
  let power = -9;
  while (power < 18 && value !== 0n && value % 1000n === 0n) {
    value /= 1000n;
    power += 3;
  }
  if (value === 0n) return '0';
  if (q.format === 'DecimalExponent') return power === 0 ? `${value}` : `${value}e${power}`;
  return `${value}${Object.entries(decimalSuffixes).find(([, p]) => p === power)?.[0] ?? ''}`;
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  const nano = a.nano - b.nano;
  return { nano, approximate: Number(nano), format: a.format };
}

export function humanBytes(q: Quantity): string {
  let value = Number(q.nano) / 1e9;
  const names = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
  let i = 0;
  while (i < 6 && value >= 1024) {
    value /= 1024;
    i++;
  }
  return `${Number(value.toFixed(1))}${names[i]}`;
}

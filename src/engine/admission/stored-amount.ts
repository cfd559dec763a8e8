import { canonicalQuantity, parseQuantity, type Quantity } from '../../api/quantity.ts';

/** An amount as the API server holds it, and as it prints it. */
export interface StoredAmount {
  readonly quantity: Quantity;
  readonly printed: string;
}

/** What becomes of an amount in a manifest: defaulting rounds it up to thousandths. */
// kubernetes/kubernetes pkg/apis/core/v1/defaults.go, SetDefaults_ResourceList (1.37)
export function storedAmount(text: string): StoredAmount {
  const quantity = roundUp(parseQuantity(text), -3);
  return { quantity, printed: canonicalQuantity(quantity) };
}

/**
 * The amount in whole units of 10^scale, away from zero. One that has no finer part and that upstream keeps as an integer stays as it
 * is; a decimal is brought to the scale in any case, which matters where its value overflows.
 */
// apimachinery pkg/api/resource/quantity.go, RoundUp (1.37)
export function roundUp(quantity: Quantity, scale: number): Quantity {
  const shift = scale - quantity.scale;
  if (shift <= 0) {
    if (quantity.isInt64) return quantity;
    return { ...quantity, mantissa: quantity.mantissa * 10n ** BigInt(-shift), scale, spelling: undefined };
  }
  const divisor = 10n ** BigInt(shift);
  const rest = quantity.mantissa % divisor;
  const mantissa = quantity.mantissa / divisor + (rest === 0n ? 0n : rest > 0n ? 1n : -1n);
  const nano = mantissa * 10n ** BigInt(scale + 9);
  return { ...quantity, mantissa, scale, nano, approximate: Number(nano), spelling: undefined };
}

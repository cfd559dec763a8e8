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

/** The amount in whole units of 10^scale, away from zero; the same amount if it has no finer part and upstream keeps it as an integer. */
// apimachinery pkg/api/resource/quantity.go, RoundUp (1.37)
export function roundUp(quantity: Quantity, scale: number): Quantity {
  if (quantity.scale >= scale) return quantity;
  const divisor = 10n ** BigInt(scale - quantity.scale);
  const rest = quantity.mantissa % divisor;
  const mantissa = quantity.mantissa / divisor + (rest === 0n ? 0n : rest > 0n ? 1n : -1n);
  const nano = mantissa * 10n ** BigInt(scale + 9);
  return { ...quantity, mantissa, scale, nano, approximate: Number(nano), spelling: undefined };
}

import { canonicalQuantity, parseQuantity, type Quantity, roundUpQuantity } from '../../api/quantity.ts';

/** An amount as the API server holds it, and as it prints it. */
export interface StoredAmount {
  readonly quantity: Quantity;
  readonly printed: string;
}

const thousandths = -3;

/** What becomes of an amount in a manifest: defaulting rounds it up to thousandths. */
// kubernetes/kubernetes pkg/apis/core/v1/defaults.go, SetDefaults_ResourceList (1.37)
export function storedAmount(text: string): StoredAmount {
  const quantity = inThousandths(roundUpQuantity(parseQuantity(text), thousandths));
  return { quantity, printed: canonicalQuantity(quantity) };
}

/** Upstream counts a decimal in thousandths from here on, also when it was a whole number; its value overflows accordingly. */
// apimachinery pkg/api/resource/amount.go, infDecAmount.AsScale (1.37)
function inThousandths(quantity: Quantity): Quantity {
  const { isInt64, mantissa, scale } = quantity;
  if (isInt64 || scale <= thousandths) return quantity;
  return { ...quantity, mantissa: mantissa * 10n ** BigInt(scale - thousandths), scale: thousandths };
}

import type { LimitRange, PersistentVolumeClaim } from '../../api/objects.ts';
import { type Quantity, quantityMilliValue, quantityValue, zeroQuantity } from '../../api/quantity.ts';
import { sortedEntries } from './go-strings.ts';
import { storedAmount } from './stored-amount.ts';

// kubernetes/kubernetes plugin/pkg/admission/limitranger/admission.go (1.37); specification scheduler-and-provisioning 6.6

/** One bound that a claim does not keep. Amounts are spelled as the API server prints them. */
export interface LimitViolation {
  readonly bound: 'minimum' | 'maximum';
  /** The key of the limit, normally "storage". */
  readonly resource: string;
  readonly limit: string;
  /** What the claim asks for; absent if it asks for nothing under that key. */
  readonly request?: string;
}

/** The first limit range that a claim breaks. */
export interface LimitRangeRefusal {
  readonly limitRange: string;
  readonly violations: readonly LimitViolation[];
}

/**
 * Holds a claim against the limit ranges of its namespace, in the order given; upstream leaves it open. Only items of type
 * PersistentVolumeClaim count, and only requests.
 */
// PersistentVolumeClaimValidateLimitFunc
export function checkLimitRanges(
  limitRanges: readonly LimitRange[],
  claim: PersistentVolumeClaim,
): LimitRangeRefusal | undefined {
  const requests = new Map(Object.entries(claim.spec.resources?.requests ?? {}));
  for (const { metadata, spec } of limitRanges) {
    const items = (spec?.limits ?? []).filter(({ type }) => type === 'PersistentVolumeClaim');
    const violations = items.flatMap(({ min, max }) => [
      ...sortedEntries(min).flatMap(([name, limit]) => violationOf('minimum', name, limit, requests.get(name))),
      ...sortedEntries(max).flatMap(([name, limit]) => violationOf('maximum', name, limit, requests.get(name))),
    ]);
    if (violations.length > 0) return { limitRange: metadata.name, violations };
  }
  return undefined;
}

/** The API server's reason; it stands behind `persistentvolumeclaims "<name>" is forbidden: `. */
export function textOfLimitRangeRefusal({ violations }: LimitRangeRefusal): string {
  const texts = [...new Set(violations.map(textOfViolation))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

function textOfViolation({ bound, resource, limit, request }: LimitViolation): string {
  const rule = `${bound} ${resource} usage per PersistentVolumeClaim is ${limit}`;
  return request === undefined ? `${rule}.  No request is specified` : `${rule}, but request is ${request}`;
}

function violationOf(
  bound: LimitViolation['bound'],
  resource: string,
  limitText: string,
  requestText: string | undefined,
): LimitViolation[] {
  const limit = storedAmount(limitText);
  const request = requestText === undefined ? undefined : storedAmount(requestText);
  const [asked, allowed] = comparable(request?.quantity ?? zeroQuantity, limit.quantity);
  const isKept = bound === 'minimum' ? asked >= allowed : asked <= allowed;
  if (request !== undefined && isKept) return [];
  return [{ bound, resource, limit: limit.printed, ...(request === undefined ? {} : { request: request.printed }) }];
}

const largestMilliValue = (2n ** 63n - 1n) / 1000n;

/** Thousandths while they fit into 64 bits, else whole units. */
// requestLimitEnforcedValues
function comparable(a: Quantity, b: Quantity): readonly [bigint, bigint] {
  const whole = [quantityValue(a), quantityValue(b)] as const;
  if (whole.some((value) => value > largestMilliValue)) return whole;
  return [quantityMilliValue(a), quantityMilliValue(b)];
}

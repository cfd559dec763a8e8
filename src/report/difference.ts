import type { ClaimKey } from '../api/accessors.ts';
import { headline } from '../diagnosis/catalogue.ts';
import type { Examination } from '../diagnosis/diagnose.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import type { Verdict } from '../diagnosis/verdict.ts';

/** A claim to which a change of the cluster makes a difference. */
export interface ClaimDifference {
  readonly claim: ClaimKey;
  /** Undefined where the claim is not there. */
  readonly before?: DifferingVerdict;
  readonly after?: DifferingVerdict;
}

export interface DifferingVerdict extends Verdict {
  /** The verdict in one sentence. */
  readonly summary: string;
}

/** The claims that end otherwise in the second cluster than in the first. */
export function differences(before: Examination, after: Examination): readonly ClaimDifference[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys.flatMap((claim) => {
    const [was, is] = [verdictIn(before, claim), verdictIn(after, claim)];
    if (was?.outcome === is?.outcome && was?.volumes.join() === is?.volumes.join() && was?.certainty === is?.certainty)
      return [];
    return [{ claim, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) }];
  });
}

function verdictIn(examination: Examination, claim: ClaimKey): DifferingVerdict | undefined {
  const isThere = examination.claims.has(claim) || examination.users(claim).length > 0;
  if (!isThere) return undefined;
  const { verdict, findings } = diagnose(examination, claim);
  return { ...verdict, summary: headline(verdict, findings) };
}

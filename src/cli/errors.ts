import { nearestName } from '../diagnosis/words.ts';

/** The user asked for something that cannot be: told in one line, exit code 2. */
export class UsageError extends Error {}

/** What takes a dump that tells enough of most claims. */
export const dumpCommand = 'kubectl get pv,pvc,sc,node,pod,event -A -o yaml';

/** What follows a name that is not there: the nearest one, if it may be a slip of the pen. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, new Set(known));
  return nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
}

/** The error about a claim, volume or pod that was asked for by name. `from`: the dumps that were read; the cluster if none. */
export const notThere = (what: string, name: string, from: readonly string[], known: Iterable<string>): UsageError =>
  new UsageError(
    `${what} ${JSON.stringify(name)} is not in the ${from.length > 0 ? 'input' : 'cluster'}${didYouMean(name, known)}`,
  );

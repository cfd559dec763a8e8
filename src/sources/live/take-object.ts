import type { KubernetesObject } from '../../api/objects.ts';
import type { LoadIssue } from '../../snapshot/snapshot.ts';
import { isMapping, type Mapping } from '../decode/classify.ts';
import { ExpansionBudget } from '../decode/expansion-budget.ts';
import { parseJsonExactly } from '../decode/json.ts';
import { InexactNumberError, type Selected, select } from '../decode/select.ts';
import { Strings } from '../decode/strings.ts';
import type { Resource } from './resource-path.ts';

/** Keeps what is read of an element of an answer; undefined if it is of no use. `file` is where it was found. */
export type Take = (resource: Resource, file: string, element: unknown) => KubernetesObject | undefined;

/** `tell` hears what could not be read. */
export function createTake(tell: (issue: LoadIssue) => void): Take {
  const strings = new Strings();
  // JSON has no aliases: an element holds no more values than the answer had bytes.
  const budget = new ExpansionBudget(Number.POSITIVE_INFINITY);
  return ({ kind, apiVersion }, file, element) => {
    const value = isMapping(element) ? element : {};
    const { object, remarks } = selectExactly((exact) => select(kind, exact, { strings, budget, apiVersion }), value);
    for (const remark of remarks) tell({ ...remark, file });
    return object;
  };
}

/** The API server writes numbers as texts where their spelling counts; what does not is read by its digits. */
function selectExactly(read: (value: Mapping) => Selected, value: Mapping): Selected {
  try {
    return read(value);
  } catch (error) {
    if (!(error instanceof InexactNumberError)) throw error;
    return read(parseJsonExactly(JSON.stringify(value)) as Mapping);
  }
}

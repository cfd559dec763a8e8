/**
 * The places where Kubernetes leaves a choice to chance: the order of a Go map or of a queue, or a score. The engine asks an
 * injected `Choose` there, so that a test can replay the real controller's choice and orders.ts can explore all of them.
 */
export type ChoicePoint =
  | { readonly at: 'volume'; readonly claim: string }
  | { readonly at: 'node'; readonly pod: string };

/** The options of a choice, listed lazily: there may be 100,000 equal volumes. Never empty. */
export interface Options<T> extends Iterable<T> {
  readonly size: number;
  /** The first by name; what a run takes unless told otherwise. */
  readonly first: T;
}

export type Choose = <T>(point: ChoicePoint, options: Options<T>) => T;

export const chooseFirst: Choose = (_point, options) => options.first;

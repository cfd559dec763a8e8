/** A parsed template: text as it stands, and what stood in braces. */
export interface Template {
  /** The template as the user wrote it. */
  readonly source: string;
  readonly parts: readonly Part[];
}

export type Part = { readonly is: 'text'; readonly text: string } | { readonly is: 'action'; readonly path: Path };

/** Steps from the current values to the next, in order. */
export type Path = readonly Step[];

export type Step =
  | { readonly is: 'literal'; readonly value: string | number | boolean }
  /** "range", "end", or a word that nothing knows. */
  | { readonly is: 'identifier'; readonly name: string }
  | { readonly is: 'field'; readonly name: string }
  | { readonly is: 'wildcard' }
  | { readonly is: 'descent' }
  | Slice
  | { readonly is: 'union'; readonly members: readonly Path[] }
  | { readonly is: 'filter'; readonly left: Path; readonly comparison?: Comparison };

/** `[from:to:step]`; `[3]` is the slice from 3 to 4 whose end was derived. */
export interface Slice {
  readonly is: 'slice';
  readonly from?: number;
  readonly to?: number;
  readonly isDerived: boolean;
  readonly step?: number;
}

/** Operators are checked when they are applied, as kubectl does. */
export interface Comparison {
  readonly operator: string;
  readonly right: Path;
}

/** Why a template cannot be parsed, or selects nothing sensible; the reason alone, in kubectl's words. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

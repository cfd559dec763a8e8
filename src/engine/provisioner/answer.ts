import type { Kind } from '../../snapshot/kinds.ts';
import type { Seen } from './view.ts';

/** What a check says: nothing against it; why not, in the provisioner's own words; or what it would have to know. */
export type Answer<F> =
  | { readonly is: 'pass' }
  | { readonly is: 'fail'; readonly facts: F; readonly message: string }
  | { readonly is: 'unknown'; readonly lacks: readonly Kind[] };

export const pass = { is: 'pass' } as const;

export const fail = <F>(facts: F, message: string): Answer<F> => ({ is: 'fail', facts, message });

/** An answer that cannot be given without the object. */
export const unknown = (seen: Seen<unknown> & { readonly is: 'unknown' }): Answer<never> => ({
  is: 'unknown',
  lacks: seen.lacks,
});

import { ConnectionError, isExpired } from './errors.ts';
import type { RestClient } from './rest-client.ts';

/** As kubectl's --chunk-size. */
export const pageSize = 500;

/** A list as it was at one moment. */
export interface List<T> {
  readonly items: readonly T[];
  /** Where a watch goes on from here. */
  readonly resourceVersion: string;
}

export interface ListOptions<T> {
  /** Called with each element as the server sent it; undefined drops it. */
  readonly take: (element: unknown) => T | undefined;
  /** Called after each page with the number of elements so far. */
  readonly progress: (count: number) => void;
  readonly signal: AbortSignal;
}

interface Page {
  readonly metadata?: { readonly continue?: string; readonly resourceVersion?: string };
  readonly items?: readonly unknown[] | null;
}

/**
 * Lists a resource page by page; no resource version is asked for, so that it is read consistently. If the list expires on the
 * way, all of it is read again at once. kubernetes/client-go tools/pager/pager.go, FullListIfExpired. Rejects as RestClient does.
 */
export async function listAll<T>(client: RestClient, path: string, options: ListOptions<T>): Promise<List<T>> {
  const { take, progress, signal } = options;
  let items: T[] = [];
  let limit: number | undefined = pageSize;
  let token: string | undefined;
  for (;;) {
    let page: Page;
    try {
      page = asPage(await client.get(path, { limit, continue: token }, signal));
    } catch (error) {
      if (!isExpired(error) || token === undefined) throw error;
      items = [];
      limit = undefined;
      token = undefined;
      continue;
    }
    for (const element of page.items ?? []) {
      const taken = take(element);
      if (taken !== undefined) items.push(taken);
    }
    progress(items.length);
    const { continue: next = '', resourceVersion = '' } = page.metadata ?? {};
    if (next === '') return { items, resourceVersion };
    token = next;
  }
}

/** Something else that says 200 must not pass for a cluster without objects. */
function asPage(answer: unknown): Page {
  if (typeof answer === 'object' && answer !== null && 'items' in answer) return answer as Page;
  throw new ConnectionError('Server returned an unexpected response: no list');
}

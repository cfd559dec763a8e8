import { ApiStatusError, ConnectionError, isExpired } from './errors.ts';
import { completeLines } from './lines.ts';
import type { RestClient } from './rest-client.ts';
import { errorOfStatus } from './status.ts';
import { pause, type Timing } from './timing.ts';

/** What became of the objects of a list. */
export type Change =
  | { readonly is: 'put'; readonly element: unknown }
  | { readonly is: 'delete'; readonly element: unknown }
  /** What happened in between is not known: the list has to be read again, and the watch goes on from there. */
  | { readonly is: 'relist'; readonly from: (resourceVersion: string) => void };

export interface WatchOptions {
  readonly timing: Timing;
  readonly signal: AbortSignal;
  /** Called once when the connection is lost, with the reason; nothing is given up. */
  readonly trouble: (error: Error) => void;
}

/** A watch ends by itself after 4 to 8 minutes; one that is still there half a minute later is dead. */
const shortestWatchSeconds = 240;
const graceMs = 30_000;
/** client-go tools/cache/reflector.go: 0.8 s, doubled up to 30 s, up to as much again by chance. */
const firstDelayMs = 800;
const longestDelayMs = 30_000;
/** How often a list is read again that may not be watched. */
const pollMs = 30_000;

/**
 * Watches a list from a resource version on, until the signal. Bookmarks keep the version fresh; a watch that ends, stalls or
 * breaks is taken up again; one that is too old asks for a relist. kubernetes/client-go tools/cache/reflector.go (1.37).
 * Rejects with ApiStatusError when the user is no longer let in.
 */
export async function* watchList(
  client: RestClient,
  path: string,
  resourceVersion: string,
  { timing, signal, trouble }: WatchOptions,
): AsyncGenerator<Change> {
  let version = resourceVersion;
  let failures = 0;
  const relist = (): Change => ({
    is: 'relist',
    from: (newVersion) => {
      version = newVersion;
    },
  });
  while (!signal.aborted) {
    const began = timing.now();
    try {
      for await (const event of watchOnce(client, path, version, timing, signal)) {
        failures = 0;
        version = event.version;
        if (event.change !== undefined) yield event.change;
      }
      // A server that hangs up at once is asked no faster than one that does not answer.
      if (timing.now() - began >= 1000) continue;
      failures++;
    } catch (error) {
      if (signal.aborted) return;
      if (isExpired(error)) {
        yield relist();
        continue;
      }
      if (mayNotWatch(error)) {
        await pause(timing, pollMs * (1 + timing.random()), signal);
        if (!signal.aborted) yield relist();
        continue;
      }
      if (!isPassing(error)) throw error;
      if (failures++ === 0) trouble(error);
    }
    await pause(timing, backOffMs(failures, timing), signal);
  }
}

/** How long to wait after so many failures in a row. */
export function backOffMs(failures: number, timing: Timing): number {
  return Math.min(firstDelayMs * 2 ** (failures - 1), longestDelayMs) * (1 + timing.random());
}

/** What may be over in a moment: the network, and a server that has troubles of its own. */
function isPassing(error: unknown): error is Error {
  return (
    error instanceof ConnectionError || (error instanceof ApiStatusError && (error.code === 429 || error.code >= 500))
  );
}

function mayNotWatch(error: unknown): boolean {
  return error instanceof ApiStatusError && [403, 404, 405].includes(error.code);
}

interface WatchEvent {
  readonly version: string;
  /** Undefined for a bookmark. */
  readonly change: Change | undefined;
}

interface WireEvent {
  readonly type?: string;
  readonly object?: { readonly metadata?: { readonly resourceVersion?: string } };
}

async function* watchOnce(
  client: RestClient,
  path: string,
  resourceVersion: string,
  timing: Timing,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent> {
  const timeoutSeconds = Math.floor(shortestWatchSeconds * (1 + timing.random()));
  const stalled = new AbortController();
  const endStall = timing.after(timeoutSeconds * 1000 + graceMs, () =>
    stalled.abort(new ConnectionError('the watch has stalled')),
  );
  try {
    const query = { watch: 'true', allowWatchBookmarks: 'true', resourceVersion, timeoutSeconds };
    const pieces = await client.stream(path, query, AbortSignal.any([signal, stalled.signal]));
    for await (const line of completeLines(pieces)) {
      const { type, object } = parseEvent(line);
      if (type === 'ERROR') throw errorOfStatus(object ?? {}, 500);
      const version = object?.metadata?.resourceVersion ?? resourceVersion;
      yield { version, change: changeOf(type, object) };
    }
  } finally {
    endStall();
  }
}

function parseEvent(line: string): WireEvent {
  try {
    return JSON.parse(line) as WireEvent;
  } catch (cause) {
    throw new ConnectionError(`Server returned an unexpected response: ${line.slice(0, 80)}`, { cause });
  }
}

function changeOf(type: string | undefined, element: unknown): Change | undefined {
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
      return { is: 'put', element };
    case 'DELETED':
      return { is: 'delete', element };
    default:
      return undefined;
  }
}

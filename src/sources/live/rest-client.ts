import type { Credentials } from './credentials.ts';
import { ConnectionError, isUnauthorized } from './errors.ts';
import { type Exchange, send } from './exchange.ts';
import { present } from './present.ts';
import { statusError } from './status.ts';
import { pause, type Timing } from './timing.ts';
import { warningTexts } from './warning-header.ts';

export interface RestClientOptions {
  /** Without a slash at the end. */
  readonly server: string;
  readonly credentials: Credentials;
  /** Sent with every request, impersonation for one. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** For one answer to the end; 0 waits forever. */
  readonly requestTimeoutMs: number;
  /** Whether the server may compress its answers. */
  readonly compress: boolean;
  readonly timing: Timing;
  /** Called with each text that the server warns with, once a text. */
  readonly warn: (text: string) => void;
  /** Why it may be the wrong server, told when nothing answers. */
  readonly doubt?: string;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

/** Reads from an API server. All methods reject with ApiStatusError, ConnectionError, ConfigError, or the signal's reason. */
export interface RestClient {
  readonly server: string;
  /** The decoded JSON of an answer. */
  get(path: string, query: Query, signal?: AbortSignal): Promise<unknown>;
  /** An answer that may never end, in pieces of text. The time-out holds for its beginning. */
  stream(path: string, query: Query, signal: AbortSignal): Promise<AsyncIterable<string>>;
  close(): void;
}

/** As client-go: it gives up on a server that asks to be left alone after so many tries. rest/with_retry.go. */
const mostTries = 10;

export function createRestClient(options: RestClientOptions): RestClient {
  const { server, credentials, timing, requestTimeoutMs, warn, doubt } = options;
  const headers = {
    'User-Agent': 'kubectl-pvc_explain',
    ...(options.compress ? { 'Accept-Encoding': 'gzip' } : {}),
    ...options.headers,
  };
  const told = new Set<string>();
  const tellWarnings = (exchange: Exchange) => {
    for (const text of warningTexts(exchange.values('warning'))) {
      if (!told.has(text)) warn(text);
      told.add(text);
    }
  };

  const ask = async (path: string, query: Query, signal?: AbortSignal): Promise<Exchange> => {
    const url = urlOf(server, path, query);
    const common = present({ headers, timeoutMs: requestTimeoutMs, timing, doubt, signal });
    let session = await credentials.current();
    let mayRefresh = true;
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted();
      const exchange = await send(url, { ...common, session });
      tellWarnings(exchange);
      const { code } = exchange;
      if (code >= 200 && code < 300) return exchange;
      const error = statusError(code, await exchange.text());
      const retryAfter = Number(exchange.headers['retry-after'] ?? Number.NaN);
      if (isUnauthorized(error) && mayRefresh) {
        mayRefresh = false;
        session = await credentials.refresh(session);
      } else if ((code === 429 || code >= 500) && Number.isInteger(retryAfter) && tries < mostTries) {
        await pause(timing, retryAfter * 1000, signal);
      } else throw error;
    }
  };

  return {
    server,
    async get(path, query, signal) {
      const exchange = await ask(path, query, signal);
      const text = await exchange.text();
      try {
        return JSON.parse(text);
      } catch (cause) {
        throw new ConnectionError(`Server returned an unexpected response: no JSON: ${(cause as Error).message}`, {
          cause,
        });
      }
    },
    stream: async (path, query, signal) => (await ask(path, query, signal)).pieces(),
    close: () => credentials.close(),
  };
}

function urlOf(server: string, path: string, query: Query): URL {
  const url = new URL(server + path);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, `${value}`);
  return url;
}

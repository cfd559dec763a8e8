import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Credentials, Session } from './credentials.ts';
import { ConnectionError, isUnauthorized } from './errors.ts';
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
/** client-go's dialer (30 s) and TLS handshake (10 s). */
const connectTimeoutMs = 40_000;

export function createRestClient(options: RestClientOptions): RestClient {
  const { server, credentials, timing, requestTimeoutMs } = options;
  const seen = new Set<string>();

  const ask = async (path: string, query: Query, signal?: AbortSignal): Promise<Exchange> => {
    let session = await credentials.current();
    let mayRefresh = true;
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted();
      const exchange = await send(urlOf(server, path, query), session, options, signal);
      const { answer } = exchange;
      for (const text of warningTexts(answer.headersDistinct.warning ?? [])) {
        if (!seen.has(text)) options.warn(text);
        seen.add(text);
      }
      const code = answer.statusCode ?? 0;
      if (code >= 200 && code < 300) return exchange;
      const error = statusError(code, await textOf(exchange));
      const retryAfter = Number(answer.headers['retry-after'] ?? Number.NaN);
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
      const text = await textOf(await ask(path, query, signal));
      try {
        return JSON.parse(text);
      } catch (cause) {
        throw new ConnectionError(
          `Server returned an unexpected response: ${server}${path} is no JSON: ${(cause as Error).message}`,
          { cause },
        );
      }
    },
    async stream(path, query, signal) {
      const exchange = await ask(path, query, signal);
      exchange.endTimeout();
      return piecesOf(exchange);
    },
    close: () => credentials.close(),
  };

  function send(
    url: URL,
    session: Session,
    { headers, compress, doubt }: RestClientOptions,
    signal?: AbortSignal,
  ): Promise<Exchange> {
    const start = url.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const request = start(url, {
        agent: session.agent,
        headers: {
          Accept: 'application/json',
          'User-Agent': 'kubectl-pvc_explain',
          ...(compress ? { 'Accept-Encoding': 'gzip' } : {}),
          ...session.headers,
          ...headers,
        } as OutgoingHttpHeaders,
        ...(session.auth === undefined ? {} : { auth: session.auth }),
        ...(signal === undefined ? {} : { signal }),
      });
      const endTimeout = limit(
        request,
        requestTimeoutMs,
        timing,
        `the server did not answer within ${requestTimeoutMs / 1000}s`,
      );
      const endConnecting = limit(
        request,
        connectTimeoutMs,
        timing,
        `no connection within ${connectTimeoutMs / 1000}s`,
      );
      const explain = (error: Error) => (signal?.aborted ? signal.reason : connectionError(error, url, doubt));
      request.on('socket', (socket) => {
        if (!socket.connecting) return endConnecting();
        socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', endConnecting);
      });
      request.on('response', (answer) => {
        endConnecting();
        resolve({ answer, endTimeout, explain });
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        endConnecting();
        endTimeout();
        // The server may close a kept connection in the very moment in which it is used again.
        const wasStale = request.reusedSocket && error.code === 'ECONNRESET';
        if (wasStale) resolve(send(url, session, options, signal));
        else reject(explain(error));
      });
      request.end();
    });
  }
}

/** An answer whose body is still to be read. */
interface Exchange {
  readonly answer: IncomingMessage;
  /** The body may take as long as it likes. */
  readonly endTimeout: () => void;
  /** What to tell of an error that ends the body early. */
  readonly explain: (error: Error) => unknown;
}

function limit(request: ClientRequest, timeoutMs: number, timing: Timing, message: string): () => void {
  if (timeoutMs === 0) return () => {};
  return timing.after(timeoutMs, () => request.destroy(new Error(message)));
}

async function textOf(exchange: Exchange): Promise<string> {
  let text = '';
  for await (const piece of piecesOf(exchange)) text += piece;
  return text;
}

async function* piecesOf({ answer, endTimeout, explain }: Exchange): AsyncGenerator<string> {
  try {
    yield* (answer.headers['content-encoding'] === 'gzip' ? unzipped(answer) : answer).setEncoding('utf8');
  } catch (error) {
    throw explain(error as Error);
  } finally {
    endTimeout();
    answer.destroy();
  }
}

function unzipped(answer: Readable): Readable {
  const gunzip = createGunzip();
  answer.on('error', (error) => gunzip.destroy(error));
  return answer.pipe(gunzip);
}

function urlOf(server: string, path: string, query: Query): URL {
  const url = new URL(server + path);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, `${value}`);
  return url;
}

/** kubernetes/kubectl pkg/cmd/util/helpers.go, StandardErrorMessage. */
function connectionError(cause: Error, { host }: URL, doubt: string | undefined): ConnectionError {
  const addition = doubt === undefined ? '' : `; ${doubt}`;
  if ((cause as NodeJS.ErrnoException).code === 'ECONNREFUSED') {
    const message = `The connection to the server ${host} was refused - did you specify the right host or port?`;
    return new ConnectionError(message + addition, { cause });
  }
  return new ConnectionError(`Unable to connect to the server: ${wordsOf(cause)}${addition}`, { cause });
}

function wordsOf(error: Error): string {
  // Several addresses were tried: they failed alike, the first stands for all.
  if (error instanceof AggregateError) return wordsOf(error.errors[0]);
  if (/wrong version number/i.test(error.message)) return 'server gave HTTP response to HTTPS client';
  return error.message.split('\n')[0]!;
}

import { type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Session } from './credentials.ts';
import { ConnectionError } from './errors.ts';
import type { Timing } from './timing.ts';

export interface RequestOptions {
  readonly session: Session;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** For the whole answer; 0 waits forever. */
  readonly timeoutMs: number;
  readonly timing: Timing;
  /** Why it may be the wrong server, told when nothing answers. */
  readonly doubt?: string;
  readonly signal?: AbortSignal;
}

/** A request that was answered; the body is still to be read, once. */
export interface Exchange {
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  /** All values of a header that may come several times. */
  values(name: string): readonly string[];
  text(): Promise<string>;
  /** The body as it comes; it may take as long as it likes. */
  pieces(): AsyncIterable<string>;
}

/** client-go's dialer (30 s) and TLS handshake (10 s). */
const connectTimeoutMs = 40_000;

/** Sends a GET request. Rejects, as does reading the body, with ConnectionError or the signal's reason. */
export function send(url: URL, options: RequestOptions): Promise<Exchange> {
  const { session, headers, timeoutMs, timing, doubt, signal } = options;
  const start = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = start(url, {
      agent: session.agent,
      headers: { Accept: 'application/json', ...session.headers, ...headers } as OutgoingHttpHeaders,
      ...(session.auth === undefined ? {} : { auth: session.auth }),
    });
    // What it is destroyed for is kept here: given to destroy(), it would be thrown by a socket whose answer has just been complete.
    let overdue: Error | undefined;
    const limit = (limitMs: number, message: string) =>
      timing.after(limitMs, () => {
        overdue = new Error(message);
        request.destroy();
      });
    const endConnecting = limit(connectTimeoutMs, `no connection within ${connectTimeoutMs / 1000}s`);
    const endWaiting = timeoutMs === 0 ? () => {} : limit(timeoutMs, `no answer within ${timeoutMs / 1000}s`);
    const abort = () => request.destroy();
    signal?.addEventListener('abort', abort);
    const end = () => {
      endConnecting();
      endWaiting();
      signal?.removeEventListener('abort', abort);
    };
    const explain = (error: Error): unknown =>
      signal?.aborted ? signal.reason : connectionError(overdue ?? error, url, doubt);
    request.on('socket', (socket) => {
      if (!socket.connecting) return endConnecting();
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', endConnecting);
    });
    request.on('response', (answer) => {
      endConnecting();
      // The body may fail before anybody reads it; whoever does will see that.
      answer.on('error', () => {});
      resolve(exchangeOf(answer, { endWaiting, end, explain }));
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      end();
      // The server may close a kept connection in the very moment in which it is used again.
      const isStale = request.reusedSocket && error.code === 'ECONNRESET' && overdue === undefined && !signal?.aborted;
      if (isStale) resolve(send(url, options));
      else reject(explain(error));
    });
    request.end();
  });
}

interface Course {
  /** The answer is on its way and may take as long as it likes. */
  readonly endWaiting: () => void;
  /** The answer is complete, or will never be. */
  readonly end: () => void;
  /** What to tell of an error. */
  readonly explain: (error: Error) => unknown;
}

function exchangeOf(answer: IncomingMessage, { endWaiting, end, explain }: Course): Exchange {
  async function* read(): AsyncGenerator<string> {
    try {
      yield* (answer.headers['content-encoding'] === 'gzip' ? unzipped(answer) : answer).setEncoding('utf8');
    } catch (error) {
      throw explain(error as Error);
    } finally {
      end();
      answer.destroy();
    }
  }
  return {
    code: answer.statusCode ?? 0,
    headers: answer.headers,
    values: (name) => answer.headersDistinct[name] ?? [],
    async text() {
      let text = '';
      for await (const piece of read()) text += piece;
      return text;
    },
    pieces() {
      endWaiting();
      return read();
    },
  };
}

function unzipped(answer: Readable): Readable {
  const gunzip = createGunzip();
  answer.on('error', (error) => gunzip.destroy(error));
  return answer.pipe(gunzip);
}

/** kubernetes/kubectl pkg/cmd/util/helpers.go, StandardErrorMessage. */
function connectionError(cause: Error, { host }: URL, doubt: string | undefined): ConnectionError {
  const isRefused = (cause as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  const message = isRefused
    ? `The connection to the server ${host} was refused - did you specify the right host or port?`
    : `Unable to connect to the server: ${wordsOf(cause)}`;
  return new ConnectionError(doubt === undefined ? message : `${message} (${doubt})`, { cause });
}

function wordsOf(error: Error): string {
  // Several addresses were tried: they failed alike, the first stands for all.
  if (error instanceof AggregateError) return wordsOf(error.errors[0]);
  if (/wrong version number/i.test(error.message)) return 'server gave HTTP response to HTTPS client';
  if (error.message === 'aborted' || error.message === 'socket hang up') return 'the connection was closed';
  return error.message.split('\n')[0]!;
}

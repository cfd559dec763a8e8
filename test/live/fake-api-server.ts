import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** A request as the server saw it. */
export interface Asked {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** All values of a header that came several times. */
  readonly values: (name: string) => readonly string[];
  /** The name in the client's certificate. */
  readonly commonName?: string;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as JSON, a text as it is. */
  readonly body?: unknown;
  /** The connection is reset instead. */
  readonly reset?: true;
  /** Takes over what comes after the headers. */
  readonly stream?: (response: ServerResponse) => void;
}

export interface FakeApiServer {
  readonly url: string;
  readonly port: number;
  /** In the order in which they came. */
  readonly asked: readonly Asked[];
  /** How many connections were opened. */
  readonly connections: () => number;
  /** Until so many requests have come. */
  readonly requests: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** An API server on loopback that answers what it is told to; with TLS options, over TLS. */
export async function serve(answer: (asked: Asked) => Answer, tls?: ServerOptions): Promise<FakeApiServer> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  let opened = 0;
  let waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  server.on('request', (request, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://server');
    const certificate = (request.socket as Partial<TLSSocket>).getPeerCertificate?.();
    const commonName = certificate?.subject?.CN;
    const one: Asked = {
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: request.headers,
      values: (name) => request.headersDistinct[name.toLowerCase()] ?? [],
      ...(typeof commonName === 'string' ? { commonName } : {}),
    };
    asked.push(one);
    const { status = 200, headers = {}, body, stream, reset } = answer(one);
    if (reset) return request.socket.resetAndDestroy();
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    if (stream === undefined)
      response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    else {
      response.flushHeaders();
      stream(response);
    }
    waiting = waiting.filter(({ count, resolve }) => {
      if (asked.length >= count) resolve();
      return asked.length < count;
    });
  });
  server.on('connection', (socket: Socket) => {
    opened++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    asked,
    connections: () => opened,
    requests: (count) =>
      asked.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A metav1.Status, as the API server refuses. */
export function refusal(status: number, reason: string, message: string): Answer {
  return { status, body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status, reason, message } };
}

/** A page of a list. */
export function page(items: readonly unknown[], next = '', resourceVersion = '100'): Answer {
  return { body: { metadata: { resourceVersion, ...(next === '' ? {} : { continue: next }) }, items } };
}

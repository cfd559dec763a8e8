import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiStatusError, ConnectionError } from '../../src/sources/live/errors.ts';
import type { RestClientOptions } from '../../src/sources/live/rest-client.ts';
import { type Answer, type Asked, type FakeApiServer, refusal, serve } from './fake-api-server.ts';
import { type PlainClient, plainClient } from './plain-client.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function start(
  answer: (asked: Asked) => Answer,
  options: Partial<RestClientOptions> = {},
): Promise<PlainClient & { readonly server: FakeApiServer }> {
  const server = await serve(answer);
  const found = plainClient(server.url, options);
  opened.push(found.client, server);
  return { ...found, server };
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );

describe('a request', () => {
  it('carries the session, the headers and the query, and asks for JSON', async () => {
    const headers = { 'Impersonate-User': 'bob', 'Impersonate-Group': ['readers', 'writers'] };
    const { client, server } = await start(() => ({ body: { kind: 'X' } }), { headers });
    expect(await client.get('/api/v1/pods', { limit: 500, continue: 'a b+c', gone: undefined })).toEqual({ kind: 'X' });
    const [asked] = server.asked;
    expect(asked).toMatchObject({
      path: '/api/v1/pods',
      query: { limit: '500', continue: 'a b+c' },
      headers: { authorization: 'Bearer token-0', accept: 'application/json', 'accept-encoding': 'gzip' },
    });
    expect(asked!.values('Impersonate-User')).toEqual(['bob']);
    expect(asked!.values('Impersonate-Group')).toEqual(['readers', 'writers']);
  });

  it('goes below the path of the server', async () => {
    const server = await serve(() => ({ body: {} }));
    const { client } = plainClient(`${server.url}/clusters/7`);
    opened.push(client, server);
    await client.get('/version', {});
    expect(server.asked[0]!.path).toBe('/clusters/7/version');
  });

  it('uses one connection for one page after the other', async () => {
    const { client, server } = await start(() => ({ body: { items: [] } }));
    for (let i = 0; i < 3; i++) await client.get('/api/v1/pods', {});
    expect([server.asked.length, server.connections()]).toEqual([3, 1]);
  });

  it('is sent again when the server has just closed the connection that was kept', async () => {
    let asked = 0;
    const { client, server } = await start(() => (++asked === 2 ? { reset: true } : { body: { n: 1 } }));
    await client.get('/a', {});
    expect(await client.get('/b', {})).toEqual({ n: 1 });
    expect(server.connections()).toBe(2);
  });

  it('understands compressed answers', async () => {
    const { client } = await start(() => ({
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync('{"text": "größer"}'),
    }));
    expect(await client.get('/api', {})).toEqual({ text: 'größer' });
  });

  it('asks for no compression if told so', async () => {
    const { client, server } = await start(() => ({ body: {} }), { compress: false });
    await client.get('/api', {});
    expect(server.asked[0]!.headers['accept-encoding']).toBeUndefined();
  });

  it('tells each warning of the server once', async () => {
    const { client, warnings } = await start(({ path }) => ({
      headers: { Warning: ['299 - "v1beta1 is old"', `299 - "${path}"`] },
      body: {},
    }));
    await client.get('/a', {});
    await client.get('/b', {});
    expect(warnings).toEqual(['v1beta1 is old', '/a', '/b']);
  });
});

describe('a refusal', () => {
  it.each<{ name: string; answer: Answer; code: number; reason: string; message: string }>([
    {
      name: 'Forbidden',
      answer: refusal(403, 'Forbidden', 'pods is forbidden: User "alice" cannot list'),
      code: 403,
      reason: 'Forbidden',
      message: 'Error from server (Forbidden): pods is forbidden: User "alice" cannot list',
    },
    {
      name: 'Unauthorized',
      answer: refusal(401, 'Unauthorized', 'Unauthorized'),
      code: 401,
      reason: 'Unauthorized',
      message: 'You must be logged in to the server (Unauthorized)',
    },
    {
      name: 'Unauthorized by a proxy',
      answer: { status: 401, body: '<html>login</html>' },
      code: 401,
      reason: 'Unauthorized',
      message: 'You must be logged in to the server (the server has asked for the client to provide credentials)',
    },
    {
      name: 'a path that is not there',
      answer: { status: 404, body: '404 page not found' },
      code: 404,
      reason: 'NotFound',
      message: 'Error from server (NotFound): the server could not find the requested resource',
    },
    {
      name: 'Forbidden in plain text',
      answer: { status: 403, body: 'not from here\n' },
      code: 403,
      reason: 'Forbidden',
      message: 'Error from server (Forbidden): not from here',
    },
    {
      name: 'Expired',
      answer: refusal(410, 'Expired', 'too old'),
      code: 410,
      reason: 'Expired',
      message: 'Error from server (Expired): too old',
    },
    {
      name: 'an error of the server',
      answer: { status: 500, body: 'oops' },
      code: 500,
      reason: 'InternalError',
      message:
        'Error from server (InternalError): an error on the server ("oops") has prevented the request from succeeding',
    },
    {
      name: 'a teapot',
      answer: { status: 418, body: '' },
      code: 418,
      reason: '',
      message: 'Error from server: the server responded with the status code 418 but did not return more information',
    },
  ])('is told in kubectl`s words: $name', async ({ answer, code, reason, message }) => {
    const { client } = await start(() => answer);
    const failure = await failureOf(client.get('/api/v1/pods', {}));
    expect(failure).toBeInstanceOf(ApiStatusError);
    expect(failure).toMatchObject({ code, reason, message });
  });

  it('for want of a valid token is met with another token, once', async () => {
    const { client, server, refreshed } = await start(({ headers }) =>
      headers.authorization === 'Bearer token-1'
        ? { body: { fine: true } }
        : refusal(401, 'Unauthorized', 'Unauthorized'),
    );
    expect(await client.get('/api', {})).toEqual({ fine: true });
    expect([server.asked.length, refreshed()]).toEqual([2, 1]);
  });

  it('of the other token, too, is final', async () => {
    const { client, server, refreshed } = await start(() => refusal(401, 'Unauthorized', 'Unauthorized'));
    expect(await failureOf(client.get('/api', {}))).toMatchObject({ code: 401 });
    expect([server.asked.length, refreshed()]).toEqual([2, 1]);
  });

  it('because there is too much to do is met with patience', async () => {
    let asked = 0;
    const { client, timing } = await start(() =>
      asked++ < 2
        ? { ...refusal(429, 'TooManyRequests', 'slow down'), headers: { 'Retry-After': '3' } }
        : { body: { fine: true } },
    );
    const answer = client.get('/api', {});
    for (let i = 0; i < 2; i++) {
      await timing.started(3000);
      timing.advance(3000);
    }
    expect(await answer).toEqual({ fine: true });
  });

  it('without a time to come back is final', async () => {
    const { client, server } = await start(() => refusal(503, 'ServiceUnavailable', 'later'));
    expect(await failureOf(client.get('/api', {}))).toMatchObject({ code: 503 });
    expect(server.asked.length).toBe(1);
  });

  it('is accepted after ten tries', async () => {
    const { client, server, timing } = await start(() => ({
      ...refusal(429, 'TooManyRequests', 'slow down'),
      headers: { 'Retry-After': '1' },
    }));
    const failure = failureOf(client.get('/api', {}));
    for (let i = 0; i < 9; i++) {
      await timing.started(1000);
      timing.advance(1000);
    }
    expect(await failure).toMatchObject({ code: 429 });
    expect(server.asked.length).toBe(10);
  });
});

describe('a server that cannot be reached', () => {
  it('resets the connection before it has said anything', async () => {
    const { client, server } = await start(() => ({ reset: true }));
    expect(await failureOf(client.get('/api', {}))).toMatchObject({ name: 'ConnectionError' });
    expect(server.asked.length).toBe(1);
  });

  it('refuses the connection', async () => {
    const server = await serve(() => ({}));
    await server.close();
    const { client } = plainClient(server.url, { doubt: 'no kubeconfig was found (/home/alice/.kube/config)' });
    const failure = await failureOf(client.get('/api', {}));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect((failure as Error).message).toBe(
      `The connection to the server 127.0.0.1:${server.port} was refused - did you specify the right host or port? (no kubeconfig was found (/home/alice/.kube/config))`,
    );
  });

  it('has a name that nobody knows', async () => {
    const { client } = plainClient('http://no-such-host.invalid');
    const failure = await failureOf(client.get('/api', {}));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect((failure as Error).message).toMatch(/^Unable to connect to the server: getaddrinfo /);
  });

  it('hangs up', async () => {
    const { client } = await start(() => ({ stream: (response) => response.destroy() }));
    expect(await failureOf(client.get('/api', {}))).toBeInstanceOf(ConnectionError);
  });

  it('is something else that speaks no JSON', async () => {
    const { client } = await start(() => ({ body: '<html>' }));
    expect(await failureOf(client.get('/api', {}))).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringMatching(/^Server returned an unexpected response: no JSON: /),
    });
  });

  it('takes connections and says nothing', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const { client, timing } = plainClient(`http://127.0.0.1:${port}`, { requestTimeoutMs: 5000 });
    opened.push(client, silent);
    const failure = failureOf(client.get('/api', {}));
    await timing.started(5000);
    timing.advance(5000);
    expect(await failure).toMatchObject({ message: 'Unable to connect to the server: no answer within 5s' });
  });

  it('begins to answer and stops', async () => {
    const { client, server, timing } = await start(() => ({ stream: (response) => response.write('{"items": [') }), {
      requestTimeoutMs: 5000,
    });
    const failure = failureOf(client.get('/api', {}));
    await server.requests(1);
    timing.advance(5000);
    expect(await failure).toMatchObject({ message: 'Unable to connect to the server: no answer within 5s' });
  });
});

describe('time', () => {
  it('that was limited leaves no timer behind', async () => {
    const { client, timing } = await start(() => ({ body: {} }), { requestTimeoutMs: 5000 });
    await client.get('/api', {});
    expect(timing.delays).toEqual([]);
  });

  it('is not limited for a stream that has begun', async () => {
    let more = (_: string) => {};
    const { client, timing } = await start(
      () => ({
        stream: (response) => {
          response.write('one\n');
          more = (text) => response.end(text);
        },
      }),
      { requestTimeoutMs: 5000 },
    );
    const pieces: string[] = [];
    for await (const piece of await client.stream('/api', {}, new AbortController().signal)) {
      pieces.push(piece);
      if (pieces.length > 1) continue;
      timing.advance(3_600_000);
      more('two\n');
    }
    expect(pieces).toEqual(['one\n', 'two\n']);
  });

  it('ends with the signal', async () => {
    const { client, server } = await start(() => ({ stream: () => {} }));
    const stop = new AbortController();
    const failure = failureOf(client.get('/api', {}, stop.signal));
    await server.requests(1);
    stop.abort(new Error('enough'));
    expect(await failure).toMatchObject({ message: 'enough' });
  });
});

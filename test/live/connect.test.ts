import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectTo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../src/sources/live/connect.ts';
import type { ConnectionFlags } from '../../src/sources/live/flags.ts';
import { type Certificate, createCertificate, hasOpenssl } from './certificates.ts';
import { type FakeApiServer, serve } from './fake-api-server.ts';
import { FakeTiming } from './fake-timing.ts';

let folder: string;
const opened: { close(): unknown }[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'connect-'));
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(() => rm(folder, { recursive: true }));

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Asks the server that the kubeconfig names, once; what it answers, or the message of the error. */
async function ask(
  kubeconfig: object,
  flags: ConnectionFlags = {},
  env: Record<string, string> = {},
): Promise<unknown> {
  const path = join(folder, 'kubeconfig');
  await writeFile(path, JSON.stringify(kubeconfig));
  const { client } = await connect({
    flags: { kubeconfig: path, ...flags },
    surroundings: { env, platform: process.platform, stdinIsTerminal: false, serviceAccount: '/nowhere' },
    timing: new FakeTiming(),
    warn: () => {},
  });
  opened.push(client);
  return client.get('/version', {}).catch((error: Error) => error.message);
}

const kubeconfig = (cluster: object, user: object) => ({
  'current-context': 'x',
  clusters: [{ name: 'c', cluster }],
  users: [{ name: 'u', user }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
});

async function start(tls?: Parameters<typeof serve>[1]): Promise<FakeApiServer> {
  const server = await serve(({ commonName }) => ({ body: { gitVersion: 'v1.37.2', commonName } }), tls);
  opened.push(server);
  return server;
}

describe('a server without TLS', () => {
  it('is asked without credentials, which would go in the clear', async () => {
    const server = await start();
    expect(await ask(kubeconfig({ server: server.url }, { token: 'secret' }))).toMatchObject({ gitVersion: 'v1.37.2' });
    expect(server.asked[0]!.headers.authorization).toBeUndefined();
  });

  it('is asked as somebody else, with groups and extras', async () => {
    const server = await start();
    const flags = {
      as: 'bob',
      asGroup: ['readers', 'writers'],
      asUid: '7',
      asUserExtra: ['example.com/team%=db', 'a b=1', 'a b=2'],
    };
    await ask(kubeconfig({ server: server.url }, {}), flags);
    const { values } = server.asked[0]!;
    expect(values('Impersonate-User')).toEqual(['bob']);
    expect(values('Impersonate-Uid')).toEqual(['7']);
    expect(values('Impersonate-Group')).toEqual(['readers', 'writers']);
    expect(values('Impersonate-Extra-example.com%2Fteam%25')).toEqual(['db']);
    expect(values('Impersonate-Extra-a%20b')).toEqual(['1', '2']);
  });

  it('is asked even if the context names no user', async () => {
    const server = await start();
    const { users: _, ...config } = kubeconfig({ server: server.url }, {});
    expect(await ask({ ...config, contexts: [{ name: 'x', context: { cluster: 'c' } }] })).toMatchObject({
      gitVersion: 'v1.37.2',
    });
  });

  it('is asked for plain answers with --disable-compression', async () => {
    const server = await start();
    await ask(kubeconfig({ server: server.url }, {}), { disableCompression: true });
    expect(server.asked[0]!.headers['accept-encoding']).toBeUndefined();
  });

  it('is reached through a proxy', async () => {
    const server = await start();
    const proxy = await startProxy();
    // A name that only the proxy knows.
    const config = kubeconfig({ server: `http://prod.invalid:${server.port}`, 'proxy-url': proxy.url }, {});
    expect(await ask(config)).toMatchObject({ gitVersion: 'v1.37.2' });
    expect(proxy.connects).toEqual([`prod.invalid:${server.port}`]);
  });
});

/** A proxy for which all names are loopback. */
async function startProxy(): Promise<{ readonly url: string; readonly connects: readonly string[] }> {
  const connects: string[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url = '' }, socket) => {
    connects.push(url);
    const target = connectTo(Number(url.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    for (const end of [target, socket]) end.on('error', () => {});
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  opened.push(proxy);
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, connects };
}

describe.runIf(hasOpenssl)('a server with TLS', () => {
  let own: Certificate;
  let client: Certificate;
  let trusted: object;
  beforeAll(() => {
    own = createCertificate('server', ['DNS:prod', 'IP:127.0.0.1']);
    client = createCertificate('alice');
    trusted = { 'certificate-authority-data': base64(own.cert) };
  });

  it('is believed if its authority is known', async () => {
    const server = await start(own);
    expect(await ask(kubeconfig({ server: server.url, ...trusted }, { token: 'abc' }))).toMatchObject({
      gitVersion: 'v1.37.2',
    });
    expect(server.asked[0]!.headers.authorization).toBe('Bearer abc');
  });

  it('is believed if the authority is in a file', async () => {
    const server = await start(own);
    await writeFile(join(folder, 'ca.crt'), own.cert);
    const config = kubeconfig({ server: server.url, 'certificate-authority': 'ca.crt' }, {});
    expect(await ask(config)).toMatchObject({ gitVersion: 'v1.37.2' });
  });

  it('is not believed otherwise', async () => {
    const server = await start(own);
    expect(await ask(kubeconfig({ server: server.url }, {}))).toMatch(
      /^Unable to connect to the server: self-signed certificate/,
    );
    expect(server.asked).toEqual([]);
  });

  it('is believed by who does not check', async () => {
    const server = await start(own);
    const flags = { insecureSkipTlsVerify: true };
    expect(await ask(kubeconfig({ server: server.url, ...trusted }, {}), flags)).toMatchObject({
      gitVersion: 'v1.37.2',
    });
  });

  it.each([
    { name: 'prod', isBelieved: true },
    { name: 'test', isBelieved: false },
  ])('is checked against the name $name of --tls-server-name', async ({ name, isBelieved }) => {
    const server = await start(own);
    const answer = await ask(kubeconfig({ server: server.url, ...trusted }, {}), { tlsServerName: name });
    if (isBelieved) expect(answer).toMatchObject({ gitVersion: 'v1.37.2' });
    else expect(answer).toMatch(/^Unable to connect to the server: Hostname\/IP does not match/);
  });

  it('sees the certificate of the user', async () => {
    const server = await start({ ...own, ca: client.cert, requestCert: true, rejectUnauthorized: true });
    const user = { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) };
    expect(await ask(kubeconfig({ server: server.url, ...trusted }, user))).toMatchObject({ commonName: 'alice' });
  });

  it('sees the certificate that an exec plugin hands out', async () => {
    const server = await start({ ...own, ca: client.cert, requestCert: true, rejectUnauthorized: true });
    const apiVersion = 'client.authentication.k8s.io/v1';
    const status = { clientCertificateData: client.cert, clientKeyData: client.key };
    const output = JSON.stringify({ apiVersion, kind: 'ExecCredential', status });
    const exec = {
      apiVersion,
      command: process.execPath,
      args: ['-e', `console.log(${JSON.stringify(output)})`],
      interactiveMode: 'Never',
    };
    expect(await ask(kubeconfig({ server: server.url, ...trusted }, { exec }))).toMatchObject({ commonName: 'alice' });
  });

  it('gets user and password', async () => {
    const server = await start(own);
    await ask(kubeconfig({ server: server.url, ...trusted }, { username: 'root', password: 'secret' }));
    expect(server.asked[0]!.headers.authorization).toBe(`Basic ${base64('root:secret')}`);
  });

  it.each([
    { name: 'the kubeconfig', isInFile: true },
    { name: 'the environment', isInFile: false },
  ])('is reached through the proxy of $name', async ({ isInFile }) => {
    const server = await start(own);
    const proxy = await startProxy();
    const place = { server: `https://prod:${server.port}`, ...trusted };
    const cluster = isInFile ? { ...place, 'proxy-url': proxy.url } : place;
    const env = isInFile ? {} : { HTTPS_PROXY: proxy.url };
    expect(await ask(kubeconfig(cluster, {}), {}, env)).toMatchObject({ gitVersion: 'v1.37.2' });
    expect(proxy.connects).toEqual([`prod:${server.port}`]);
  });

  it('is told apart from one without', async () => {
    const server = await start();
    const config = kubeconfig({ server: server.url.replace('http:', 'https:'), ...trusted }, {});
    expect(await ask(config)).toBe('Unable to connect to the server: server gave HTTP response to HTTPS client');
  });
});

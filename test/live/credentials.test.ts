import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../src/sources/live/connection.ts';
import { type Credentials, credentialsOf } from '../../src/sources/live/credentials.ts';
import type { ExecConfig, User } from '../../src/sources/live/kubeconfig.ts';
import { FakeTiming } from './fake-timing.ts';

let folder: string;
let timing: FakeTiming;
const opened: Credentials[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'credentials-'));
  timing = new FakeTiming();
});
afterEach(async () => {
  for (const one of opened.splice(0)) one.close();
  await rm(folder, { recursive: true });
});

function credentials(user: User, cluster: Connection['cluster'] = {}): Credentials {
  const connection = { server: 'https://prod:6443', cluster, user, namespace: 'default', requestTimeoutMs: 0 };
  const surroundings = {
    env: process.env,
    platform: process.platform,
    stdinIsTerminal: false,
    serviceAccount: '/nowhere',
  };
  const found = credentialsOf(connection, surroundings, timing);
  opened.push(found);
  return found;
}

const authorization = async (found: Credentials) => (await found.current()).headers.Authorization;

describe('a session', () => {
  it.each([
    { name: 'carries a token', user: { token: 'abc' }, expected: { headers: { Authorization: 'Bearer abc' } } },
    {
      name: 'carries user and password',
      user: { username: 'root', password: 's:x' },
      expected: { headers: {}, auth: 'root:s:x' },
    },
    { name: 'carries a user without a password', user: { username: 'root' }, expected: { headers: {}, auth: 'root:' } },
    { name: 'carries nothing for nobody', user: {}, expected: { headers: {} } },
    {
      name: 'leaves impersonation to the request, which can repeat headers',
      user: { token: 'abc', as: 'bob' },
      expected: { headers: { Authorization: 'Bearer abc' } },
    },
    {
      name: 'carries the token of an OIDC provider',
      user: { authProvider: { name: 'oidc', config: { 'id-token': idToken() } } },
      expected: { headers: { Authorization: `Bearer ${idToken()}` } },
    },
    {
      name: 'prefers a token to a provider',
      user: { token: 'abc', authProvider: { name: 'oidc', config: { 'id-token': idToken() } } },
      expected: { headers: { Authorization: 'Bearer abc' } },
    },
  ])('$name', async ({ user, expected }) => {
    const { headers, auth } = await credentials(user).current();
    expect({ headers, ...(auth === undefined ? {} : { auth }) }).toEqual(expected);
  });

  it('is the same for all requests', async () => {
    const found = credentials({ token: 'abc' });
    const [first, second] = await Promise.all([found.current(), found.current()]);
    expect(second).toBe(first);
    expect(await found.current()).toBe(first);
  });

  it('keeps connections open', async () => {
    expect((await credentials({}).current()).agent).toMatchObject({ keepAlive: true });
  });
});

/** Good until 2100. */
function idToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ exp: 4_102_444_800 })}.signature`;
}

describe('a token in a file', () => {
  it('is read without the line break behind it, and again after a while', async () => {
    const path = join(folder, 'token');
    await writeFile(path, 'one\n');
    const found = credentials({ tokenFile: path });
    expect(await authorization(found)).toBe('Bearer one');
    await writeFile(path, 'two\n');
    timing.advance(49_999);
    expect(await authorization(found)).toBe('Bearer one');
    const { agent } = await found.current();
    timing.advance(1);
    expect(await authorization(found)).toBe('Bearer two');
    expect((await found.current()).agent).toBe(agent);
  });

  it('wins over the token beside it, unless it is not there', async () => {
    const path = join(folder, 'token');
    expect(await authorization(credentials({ tokenFile: path, token: 'beside' }))).toBe('Bearer beside');
    await writeFile(path, 'file');
    expect(await authorization(credentials({ tokenFile: path, token: 'beside' }))).toBe('Bearer file');
  });

  it('that is not there is an error', async () => {
    const path = join(folder, 'token');
    await expect(credentials({ tokenFile: path }).current()).rejects.toThrow(
      `failed to read token file "${path}": ENOENT`,
    );
    await writeFile(path, ' \n');
    await expect(credentials({ tokenFile: path }).current()).rejects.toThrow(`read empty token from file "${path}"`);
  });
});

describe('an exec plugin', () => {
  /** Counts its runs in a file and hands out the count as a token. */
  const counting = (expirationTimestamp?: string): ExecConfig => ({
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: [
      '-e',
      `const fs = require('fs'), file = ${JSON.stringify(join(folder, 'runs'))};
      fs.appendFileSync(file, '.');
      const status = { token: 'run-' + fs.readFileSync(file, 'utf8').length, expirationTimestamp: ${JSON.stringify(expirationTimestamp)} };
      console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status }));`,
    ],
    env: [],
    provideClusterInfo: false,
    interactiveMode: 'Never',
  });
  const runs = () =>
    readFile(join(folder, 'runs'), 'utf8').then(
      ({ length }) => length,
      () => 0,
    );

  it('does not run before it is needed, and once for all requests', async () => {
    const found = credentials({ exec: counting() });
    expect(await runs()).toBe(0);
    const sessions = await Promise.all([found.current(), found.current(), found.current()]);
    expect(sessions.map(({ headers }) => headers.Authorization)).toEqual(Array(3).fill('Bearer run-1'));
    timing.advance(86_400_000);
    expect(await authorization(found)).toBe('Bearer run-1');
  });

  it('runs once more for all whose session was refused', async () => {
    const found = credentials({ exec: counting() });
    const refused = await found.current();
    const again = await Promise.all([found.refresh(refused), found.refresh(refused), found.refresh(refused)]);
    expect(again.map(({ headers }) => headers.Authorization)).toEqual(Array(3).fill('Bearer run-2'));
    expect((await found.refresh(refused)).headers.Authorization).toBe('Bearer run-2');
    expect(await runs()).toBe(2);
  });

  it('runs again when its credential has expired', async () => {
    const found = credentials({ exec: counting('2026-11-30T12:10:00Z') });
    expect(await authorization(found)).toBe('Bearer run-1');
    timing.advance(599_999);
    expect(await authorization(found)).toBe('Bearer run-1');
    timing.advance(1);
    expect(await authorization(found)).toBe('Bearer run-2');
  });

  it.each([{ token: 'typed' }, { username: 'root' }])('does not run for who has %j', async (known) => {
    await credentials({ ...known, exec: counting() }).current();
    expect(await runs()).toBe(0);
  });

  it('that failed is tried again at the next request', async () => {
    const exec: ExecConfig = { ...counting(), args: ['-e', 'process.exit(1)'] };
    const found = credentials({ exec });
    await expect(found.current()).rejects.toThrow('failed with exit code 1');
    await expect(found.current()).rejects.toThrow('failed with exit code 1');
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConnectionError } from '../../src/sources/live/errors.ts';
import { runExecPlugin } from '../../src/sources/live/exec-plugin.ts';
import type { Cluster, ExecConfig } from '../../src/sources/live/kubeconfig.ts';
import type { Surroundings } from '../../src/sources/live/surroundings.ts';

const apiVersion = 'client.authentication.k8s.io/v1';
const surroundings: Surroundings = {
  env: { REGION: 'south', HOME: '/home/alice' },
  platform: process.platform,
  stdinIsTerminal: false,
  serviceAccount: '/nowhere',
};

/** A plugin whose output is what the JavaScript expression says. */
const plugin = (output: string, more: Partial<ExecConfig> = {}): ExecConfig => ({
  apiVersion,
  command: process.execPath,
  args: ['-e', `process.stdout.write(${output})`],
  env: [],
  provideClusterInfo: false,
  interactiveMode: 'IfAvailable',
  ...more,
});

const credential = (status: object, version = apiVersion): string =>
  JSON.stringify(JSON.stringify({ apiVersion: version, kind: 'ExecCredential', status }));

const run = (exec: ExecConfig, cluster: Cluster = {}, around = surroundings) =>
  runExecPlugin(exec, 'https://prod:6443', cluster, around);

describe('an exec plugin', () => {
  it.each([
    { name: 'hands out a token', status: { token: 'abc' }, expected: { token: 'abc' } },
    {
      name: 'hands out a certificate',
      status: { clientCertificateData: 'CRT', clientKeyData: 'KEY' },
      expected: { clientCertificate: 'CRT', clientKey: 'KEY' },
    },
    {
      name: 'says how long its credential holds',
      status: { token: 'abc', expirationTimestamp: '2026-11-30T12:00:00Z' },
      expected: { token: 'abc', expiresAt: Date.parse('2026-11-30T12:00:00Z') },
    },
  ])('$name', async ({ status, expected }) => {
    expect(await run(plugin(credential(status)))).toEqual(expected);
  });

  /** What it finds in a variable comes back as its token. */
  const telling = (variable: string, more: Partial<ExecConfig> = {}) =>
    plugin(
      `JSON.stringify({apiVersion: '${apiVersion}', kind: 'ExecCredential', status: {token: String(process.env.${variable})}})`,
      more,
    );

  it('is told whether it may ask the user', async () => {
    const { token } = await run(telling('KUBERNETES_EXEC_INFO'));
    expect(JSON.parse(token!)).toEqual({ kind: 'ExecCredential', apiVersion, spec: { interactive: false } });
  });

  it('is told about the cluster if it wants to know', async () => {
    const cluster: Cluster = {
      tlsServerName: 'inside',
      certificateAuthorityData: 'Q0E=',
      proxyUrl: 'http://proxy:3128',
      execConfig: { audience: 'us' },
    };
    const { token } = await run(telling('KUBERNETES_EXEC_INFO', { provideClusterInfo: true }), cluster);
    expect(JSON.parse(token!).spec.cluster).toEqual({
      server: 'https://prod:6443',
      'tls-server-name': 'inside',
      'certificate-authority-data': 'Q0E=',
      'proxy-url': 'http://proxy:3128',
      config: { audience: 'us' },
    });
  });

  it('gets the environment with its own variables on top', async () => {
    const env = [{ name: 'REGION', value: 'north' }];
    expect((await run(telling('REGION', { env }))).token).toBe('north');
    expect((await run(telling('HOME', { env }))).token).toBe('/home/alice');
  });

  it.each([
    {
      name: 'returns nonsense',
      exec: plugin('"hello"'),
      message: /^getting credentials: decoding the exec plugin's output: /,
    },
    {
      name: 'answers in another version',
      exec: plugin(credential({ token: 'abc' }, 'client.authentication.k8s.io/v1beta1')),
      message: `exec plugin is configured to use API version ${apiVersion}, plugin returned version client.authentication.k8s.io/v1beta1`,
    },
    {
      name: 'answers with another kind',
      exec: plugin('JSON.stringify({kind: "Status"})'),
      message: 'exec plugin did not return an ExecCredential',
    },
    {
      name: 'returns no token',
      exec: plugin(credential({})),
      message: "exec plugin didn't return a token or cert/key pair",
    },
    {
      name: 'returns half a certificate',
      exec: plugin(credential({ clientKeyData: 'KEY' })),
      message: 'exec plugin returned only certificate or key, not both',
    },
    {
      name: 'fails',
      exec: plugin('', { args: ['-e', 'process.exit(3)'] }),
      message: `exec: executable ${process.execPath} failed with exit code 3`,
    },
    {
      name: 'is not installed',
      exec: plugin('', { command: 'kubectl-no-such-login', installHint: 'run:\n  \u001b[1mbrew install login' }),
      message: 'exec: executable kubectl-no-such-login not found; run: [1mbrew install login',
    },
    {
      name: 'must ask and nobody is there',
      exec: plugin(credential({ token: 'abc' }), { interactiveMode: 'Always' }),
      message: 'exec plugin cannot support interactive mode: standard input is not a terminal',
    },
    {
      name: 'speaks a version that nobody knows',
      exec: plugin('', { apiVersion: 'client.authentication.k8s.io/v2' }),
      message: 'exec plugin: invalid apiVersion "client.authentication.k8s.io/v2"',
    },
  ])('that $name is an error', async ({ exec, message }) => {
    const failure = await run(exec).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConnectionError);
    if (typeof message === 'string') expect((failure as Error).message).toBe(`getting credentials: ${message}`);
    else expect((failure as Error).message).toMatch(message);
  });
});

describe('the authority in a file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'exec-'));
    await writeFile(join(folder, 'ca.crt'), 'CA');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is given to the plugin as data', async () => {
    const exec = plugin(
      `JSON.stringify({apiVersion: '${apiVersion}', kind: 'ExecCredential', status: {token: JSON.parse(process.env.KUBERNETES_EXEC_INFO).spec.cluster['certificate-authority-data']}})`,
      { provideClusterInfo: true },
    );
    expect((await run(exec, { certificateAuthority: join(folder, 'ca.crt') })).token).toBe('Q0E=');
  });
});

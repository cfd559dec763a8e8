import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Connection, resolveConnection } from '../../src/sources/live/connection.ts';
import { decodeKubeconfig } from '../../src/sources/live/decode-kubeconfig.ts';
import { ConfigError } from '../../src/sources/live/errors.ts';
import type { ConnectionFlags } from '../../src/sources/live/flags.ts';

/** A pod's service account, and files to name. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'connection-'));
  for (const [name, text] of Object.entries({
    token: 'pod-token',
    'ca.crt': 'CA',
    namespace: 'pod-home\n',
    'my.key': 'KEY',
  })) {
    await writeFile(join(folder, name), text);
  }
});
afterAll(() => rm(folder, { recursive: true }));

const kubeconfig = (currentContext: string) => `
current-context: "${currentContext}"
clusters:
- {name: prod, cluster: {server: "https://prod:6443/", certificate-authority-data: Q0E=, tls-server-name: inside}}
- {name: open, cluster: {server: "https://open:6443", insecure-skip-tls-verify: true, proxy-url: "http://own:3128"}}
- {name: plain, cluster: {server: "http://plain:8080"}}
- {name: empty, cluster: {}}
users:
- {name: alice, user: {token: alices}}
- {name: root, user: {username: root, password: secret}}
- {name: cert, user: {client-certificate-data: Q1JU, client-key-data: S0VZ}}
- {name: rotating, user: {tokenFile: /var/token}}
- {name: actor, user: {token: t, as: bob, as-groups: [readers], as-user-extra: {scopes: [view]}}}
contexts:
- {name: prod, context: {cluster: prod, user: alice, namespace: media}}
- {name: plain, context: {cluster: plain, user: actor}}
- {name: open, context: {cluster: open, user: rotating}}
- {name: nobody, context: {cluster: prod, user: gone}}
- {name: lost, context: {cluster: gone, user: alice}}
- {name: empty, context: {cluster: empty, user: alice}}
- {name: default, context: {cluster: prod, user: alice, namespace: default}}`;

interface Case {
  readonly name: string;
  readonly current?: string;
  readonly flags?: ConnectionFlags;
  readonly env?: Readonly<Record<string, string>>;
}

function resolve({ current = 'prod', flags = {}, env = {} }: Omit<Case, 'name'>): Promise<Connection> {
  const config = decodeKubeconfig(kubeconfig(current), '/etc/kubeconfig', { platform: 'linux' });
  const surroundings = { env, platform: 'linux', stdinIsTerminal: false, serviceAccount: folder } as const;
  return resolveConnection({ config, missing: [] }, flags, surroundings);
}

const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };

describe('a connection', () => {
  it.each<Case & { readonly expected: object }>([
    {
      name: 'is that of the current context',
      expected: {
        server: 'https://prod:6443',
        context: 'prod',
        namespace: 'media',
        requestTimeoutMs: 0,
        user: { token: 'alices' },
        cluster: { certificateAuthorityData: 'Q0E=', tlsServerName: 'inside' },
      },
    },
    {
      name: 'is that of --context',
      flags: { context: 'open' },
      expected: {
        server: 'https://open:6443',
        context: 'open',
        namespace: 'default',
        user: { tokenFile: '/var/token' },
      },
    },
    {
      name: 'takes cluster and user from --cluster and --user, and the rest from the context',
      flags: { cluster: 'open', user: 'root' },
      expected: { server: 'https://open:6443', namespace: 'media', user: { username: 'root', password: 'secret' } },
    },
    {
      name: 'lets --namespace win over the context',
      flags: { namespace: 'db' },
      expected: { namespace: 'db' },
    },
    {
      name: 'takes --server without the TLS name of the one it replaces',
      flags: { server: 'https://10.1.2.3:6443' },
      expected: {
        server: 'https://10.1.2.3:6443',
        cluster: { server: 'https://10.1.2.3:6443', certificateAuthorityData: 'Q0E=' },
      },
    },
    {
      name: 'takes --server with --tls-server-name',
      flags: { server: 'https://10.1.2.3:6443', tlsServerName: 'prod' },
      expected: { cluster: { tlsServerName: 'prod' } },
    },
    {
      name: 'forgets the authority when told not to check',
      flags: { insecureSkipTlsVerify: true },
      expected: { cluster: { server: 'https://prod:6443/', insecureSkipTlsVerify: true, tlsServerName: 'inside' } },
    },
    {
      name: 'keeps the path of a server behind a gateway',
      flags: { server: 'https://gate/clusters/7/' },
      expected: { server: 'https://gate/clusters/7' },
    },
    {
      name: 'reads a server without a scheme as https when anything speaks of certificates',
      flags: { server: 'prod:6443' },
      expected: { server: 'https://prod:6443' },
    },
    {
      name: 'reads a server without a scheme as http otherwise',
      current: '',
      flags: { server: 'localhost:8001' },
      expected: { server: 'http://localhost:8001', namespace: 'default' },
    },
    {
      name: 'prefers a token that was typed to a file of tokens',
      flags: { context: 'open', token: 'typed' },
      expected: { user: { token: 'typed' } },
    },
    {
      name: 'sends no credentials over plain http, but impersonates',
      current: 'plain',
      expected: {
        server: 'http://plain:8080',
        user: { as: 'bob', asGroups: ['readers'], asUserExtra: { scopes: ['view'] } },
      },
    },
    {
      name: 'lets impersonation flags win, and adds extras',
      flags: { user: 'actor', as: 'eve', asGroup: ['a', 'b'], asUid: '7', asUserExtra: ['team=db'] },
      expected: {
        user: {
          token: 't',
          as: 'eve',
          asUid: '7',
          asGroups: ['a', 'b'],
          asUserExtra: { scopes: ['view'], team: ['db'] },
        },
      },
    },
    {
      name: 'is anonymous if the context names a user that is not there',
      current: 'nobody',
      expected: { server: 'https://prod:6443', user: {} },
    },
    {
      name: 'has the time-out of --request-timeout',
      flags: { requestTimeout: '5s' },
      expected: { requestTimeoutMs: 5000 },
    },
    {
      name: 'asks for no compression if told so',
      flags: { disableCompression: true },
      expected: { cluster: { disableCompression: true } },
    },
    {
      name: 'goes through the proxy of the environment',
      env: { HTTPS_PROXY: 'http://office:3128' },
      expected: { cluster: { proxyUrl: 'http://office:3128' } },
    },
    {
      name: 'goes through the proxy of the kubeconfig first',
      current: 'open',
      env: { HTTPS_PROXY: 'http://office:3128' },
      expected: { cluster: { proxyUrl: 'http://own:3128' } },
    },
    {
      name: 'is KUBERNETES_MASTER without a context',
      current: '',
      env: { KUBERNETES_MASTER: 'http://master:8080' },
      expected: { server: 'http://master:8080', doubt: 'the kubeconfig has no current context' },
    },
    {
      name: 'is localhost when nothing says anything',
      current: '',
      expected: {
        server: 'http://localhost:8080',
        namespace: 'default',
        doubt: 'the kubeconfig has no current context',
      },
    },
  ])('$name', async ({ expected, ...asked }) => {
    const found = await resolve(asked);
    const { cluster, ...others } = expected as { cluster?: object };
    expect(found).toMatchObject(others);
    // What toMatchObject would let pass: a field that should be gone.
    if ('user' in others) expect(found.user).toEqual(others.user);
    if (cluster !== undefined) expect(found.cluster).toMatchObject(cluster);
  });

  it.each<Case & { readonly gone: readonly string[] }>([
    {
      name: 'loses the TLS name to --server',
      flags: { server: 'https://10.1.2.3' },
      gone: ['tlsServerName'],
    },
    {
      name: 'loses its authority to --insecure-skip-tls-verify',
      flags: { insecureSkipTlsVerify: true },
      gone: ['certificateAuthorityData', 'certificateAuthority'],
    },
    {
      name: 'uses no proxy for hosts in NO_PROXY',
      env: { HTTPS_PROXY: 'http://p', NO_PROXY: 'prod' },
      gone: ['proxyUrl'],
    },
  ])('$name', async ({ gone, ...asked }) => {
    expect(Object.keys((await resolve(asked)).cluster).filter((field) => gone.includes(field))).toEqual([]);
  });

  it('takes an authority from a flag instead of the one in the file', async () => {
    const path = join(folder, 'ca.crt');
    const { cluster } = await resolve({ flags: { certificateAuthority: path } });
    expect(cluster).toEqual({ server: 'https://prod:6443/', certificateAuthority: path, tlsServerName: 'inside' });
  });

  it('takes certificate and key from flags instead of those in the file', async () => {
    const flags = { user: 'cert', clientCertificate: join(folder, 'ca.crt'), clientKey: join(folder, 'my.key') };
    const { user } = await resolve({ flags });
    expect(user).toEqual({ clientCertificate: flags.clientCertificate, clientKey: flags.clientKey });
  });
});

describe('inside a pod', () => {
  it.each<Case & { readonly expected: object }>([
    {
      name: 'the connection is that of the service account, if the kubeconfig names no cluster',
      current: '',
      env: pod,
      expected: {
        server: 'https://10.0.0.1',
        namespace: 'pod-home',
        cluster: { server: 'https://10.0.0.1:443' },
      },
    },
    {
      name: 'an IPv6 address is put in brackets',
      current: '',
      env: { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' },
      expected: { server: 'https://[fd00::1]:6443' },
    },
    {
      name: 'POD_NAMESPACE wins over the namespace file',
      current: '',
      env: { ...pod, POD_NAMESPACE: 'told' },
      expected: { namespace: 'told' },
    },
    {
      name: 'a kubeconfig that names a cluster wins, but the namespace is the pod`s',
      current: 'open',
      env: pod,
      expected: { server: 'https://open:6443', namespace: 'pod-home' },
    },
    {
      name: 'a context that says "default" means it',
      current: 'default',
      env: pod,
      expected: { server: 'https://prod:6443', namespace: 'default' },
    },
    {
      name: 'flags add to the service account',
      current: '',
      env: pod,
      flags: { token: 'typed', as: 'bob', namespace: 'db' },
      expected: { server: 'https://10.0.0.1', namespace: 'db', user: { token: 'typed', as: 'bob' } },
    },
    {
      name: '--server is asked without the service account',
      current: '',
      env: pod,
      flags: { server: 'http://localhost:8001' },
      expected: { server: 'http://localhost:8001', user: {} },
    },
  ])('$name', async ({ expected, ...asked }) => {
    const found = await resolve(asked);
    expect(found).toMatchObject(expected);
    expect(found.doubt).toBeUndefined();
  });

  it('token and authority are read from the service account', async () => {
    const { cluster, user } = await resolve({ current: '', env: pod });
    expect(cluster.certificateAuthority).toBe(join(folder, 'ca.crt'));
    expect(user).toEqual({ tokenFile: join(folder, 'token') });
  });
});

describe('an unusable configuration is refused:', () => {
  it.each<Omit<Case, 'name'> & { readonly message: string }>([
    { flags: { context: 'x' }, message: 'context "x" does not exist' },
    { current: 'x', message: 'invalid configuration: context was not found for specified context: x' },
    { flags: { cluster: 'x' }, message: 'cluster "x" does not exist' },
    { flags: { user: 'x' }, message: 'auth info "x" does not exist' },
    { current: 'lost', message: 'invalid configuration: cluster "gone" was not found for context "lost"' },
    { current: 'empty', message: 'invalid configuration: no server found for cluster "empty"' },
    {
      flags: { user: 'root', token: 't' },
      message:
        'invalid configuration: more than one authentication method found for root; found [token basicAuth], only one is allowed',
    },
    {
      flags: { asGroup: ['readers'] },
      message: 'invalid configuration: requesting uid, groups or user-extra for alice without impersonating a user',
    },
    {
      flags: { certificateAuthority: '/gone/ca.crt' },
      message: 'invalid configuration: unable to read certificate-authority /gone/ca.crt for prod',
    },
    {
      flags: { user: 'cert', clientCertificate: '/gone/my.crt', clientKey: '/gone/my.key' },
      message:
        'invalid configuration: [unable to read client-cert /gone/my.crt for cert, unable to read client-key /gone/my.key for cert]',
    },
    { flags: { server: 'ftp://prod' }, message: 'host must be a URL or a host:port pair: "ftp://prod"' },
    { flags: { server: 'prod/api' }, message: 'host must be a URL or a host:port pair: "prod/api"' },
    { flags: { requestTimeout: 'soon' }, message: 'invalid timeout value' },
  ])('$message', async ({ message, ...asked }) => {
    const failure = await resolve(asked).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    expect((failure as Error).message.slice(0, message.length)).toBe(message);
  });

  it.each([
    {
      user: 'exec: {apiVersion: client.authentication.k8s.io/v1}',
      problems: ['command must be specified', 'interactiveMode must be specified'],
    },
    {
      user: 'exec: {command: x, interactiveMode: Sometimes}',
      problems: ['apiVersion must be', 'invalid interactiveMode for u: "Sometimes"'],
    },
    {
      user: 'auth-provider: {name: oidc}, exec: {apiVersion: v1, command: x, interactiveMode: Never, env: [{value: x}]}',
      problems: ['authProvider cannot be provided', 'env variable name must be'],
    },
    {
      user: 'auth-provider: {name: gcp, config: {}}',
      problems: ['no auth provider "gcp" for u: use an exec plugin instead'],
    },
    { user: 'client-certificate-data: Q1JU', problems: ['client-key-data or client-key must be specified for u'] },
  ])('a user with $user', async ({ user, problems }) => {
    const text = `{current-context: x, clusters: [{name: c, cluster: {server: "https://c"}}],
      contexts: [{name: x, context: {cluster: c, user: u}}], users: [{name: u, user: {${user}}}]}`;
    const config = decodeKubeconfig(text, '/etc/kubeconfig', { platform: 'linux' });
    const surroundings = { env: {}, platform: 'linux', stdinIsTerminal: false, serviceAccount: '/nowhere' } as const;
    const failure = await resolveConnection({ config, missing: [] }, {}, surroundings).catch((error: Error) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    for (const problem of problems) expect((failure as Error).message).toContain(problem);
  });
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeKubeconfig } from '../../src/sources/live/decode-kubeconfig.ts';
import { ConfigError } from '../../src/sources/live/errors.ts';
import { loadKubeconfig } from '../../src/sources/live/load-kubeconfig.ts';
import type { Surroundings } from '../../src/sources/live/surroundings.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
});
afterEach(() => rm(folder, { recursive: true }));

const surroundings = (env: Surroundings['env']): Surroundings => ({
  env,
  platform: process.platform,
  stdinIsTerminal: false,
  serviceAccount: '/nowhere',
});

const cluster = (name: string, server: string) => `{name: ${name}, cluster: {server: "${server}"}}`;
const fileA = `current-context: a
clusters: [${cluster('shared', 'https://a')}, ${cluster('only-a', 'https://only-a')}]
users: [{name: admin, user: {token: from-a}}]
contexts: [{name: a, context: {cluster: shared, user: admin, namespace: media}}]`;
const fileB = `current-context: b
clusters: [${cluster('shared', 'https://b')}, ${cluster('only-b', 'https://only-b')}]
users: [{name: admin, user: {token: from-b, username: root}}, {name: guest, user: {}}]
contexts: [{name: b, context: {cluster: only-b, user: guest}}]`;

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/** What a merge is told by: current context, servers by cluster, tokens by user. */
async function summary(explicit: string | undefined, env: Surroundings['env']) {
  const { config, missing } = await loadKubeconfig(explicit, surroundings(env));
  return {
    current: config.currentContext,
    servers: Object.fromEntries([...config.clusters].map(([name, { server }]) => [name, server])),
    users: Object.fromEntries([...config.users]),
    missing: missing.map((path) => path.slice(folder.length + 1)),
  };
}

describe('the kubeconfig', () => {
  it.each([
    {
      name: 'merges the files of KUBECONFIG, the first one winning entry by entry',
      list: ['a', 'b'],
      expected: {
        current: 'a',
        servers: { shared: 'https://a', 'only-a': 'https://only-a', 'only-b': 'https://only-b' },
        users: { admin: { token: 'from-a' }, guest: {} },
        missing: [],
      },
    },
    {
      name: 'takes the current context of the first file that has one',
      list: ['no-context', 'b', 'a'],
      expected: {
        current: 'b',
        servers: { shared: 'https://b', 'only-a': 'https://only-a', 'only-b': 'https://only-b' },
        users: { admin: { token: 'from-b', username: 'root' }, guest: {} },
        missing: [],
      },
    },
    {
      name: 'passes over missing and empty files, empty names and files named twice',
      list: ['gone', '', 'empty', 'comment', 'a', 'a'],
      expected: {
        current: 'a',
        servers: { shared: 'https://a', 'only-a': 'https://only-a' },
        users: { admin: { token: 'from-a' } },
        missing: ['gone'],
      },
    },
  ])('$name', async ({ list, expected }) => {
    await write({ a: fileA, b: fileB, empty: '', comment: '# nothing yet\n', 'no-context': 'current-context: ""\n' });
    const names = list.map((name) => (name === '' ? '' : join(folder, name))).join(delimiter);
    expect(await summary(undefined, { KUBECONFIG: names, HOME: folder })).toEqual(expected);
  });

  it('is the one in the home folder without KUBECONFIG', async () => {
    await write({ '.kube/config': fileA });
    expect(await summary(undefined, { HOME: folder, KUBECONFIG: '' })).toMatchObject({ current: 'a', missing: [] });
  });

  it('is the file that --kubeconfig names and no other', async () => {
    await write({ a: fileA, b: fileB });
    const found = await summary(join(folder, 'b'), { KUBECONFIG: join(folder, 'a') });
    expect(found.servers).toEqual({ shared: 'https://b', 'only-b': 'https://only-b' });
  });

  it('has to be there if --kubeconfig names it', async () => {
    const path = join(folder, 'gone');
    await expect(loadKubeconfig(path, surroundings({}))).rejects.toThrow(
      new ConfigError(`kubeconfig "${path}" does not exist`),
    );
  });

  it('is refused as a whole, with all reasons, if a file of the list cannot be read', async () => {
    await write({ a: fileA, broken: 'clusters: [', odd: 'users: 5' });
    const [broken, odd] = ['broken', 'odd'].map((name) => join(folder, name));
    const env = { KUBECONFIG: [broken, join(folder, 'a'), odd].join(delimiter) };
    await expect(loadKubeconfig(undefined, surroundings(env))).rejects.toThrow(
      new RegExp(
        `^\\[error loading config file "${broken}": .*, error loading config file "${odd}": users is not a list\\]$`,
        's',
      ),
    );
  });
});

describe('a kubeconfig file', () => {
  const decode = (text: string, file = '/home/alice/.kube/config') =>
    decodeKubeconfig(text, file, { platform: 'linux' });

  it('has paths relative to its own folder, but looks plain commands up in PATH', () => {
    const { clusters, users } = decode(`
clusters: [{name: c, cluster: {server: s, certificate-authority: ca.crt}}]
users:
- {name: files, user: {client-certificate: ../my.crt, client-key: /etc/my.key, tokenFile: token}}
- {name: plain, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: aws, interactiveMode: Never}}}
- {name: own, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: bin/login, interactiveMode: Never}}}`);
    expect(clusters.get('c')).toEqual({ server: 's', certificateAuthority: '/home/alice/.kube/ca.crt' });
    expect(users.get('files')).toEqual({
      clientCertificate: '/home/alice/my.crt',
      clientKey: '/etc/my.key',
      tokenFile: '/home/alice/.kube/token',
    });
    expect(users.get('plain')?.exec?.command).toBe('aws');
    expect(users.get('own')?.exec?.command).toBe('/home/alice/.kube/bin/login');
  });

  it('is read field by field', () => {
    const { clusters, users, contexts } = decode(`
apiVersion: v1
kind: Config
preferences: {}
clusters:
- name: c
  cluster:
    server: https://c:6443
    tls-server-name: inside
    insecure-skip-tls-verify: yes
    certificate-authority-data: Q0E=
    proxy-url: socks5://proxy:1080
    disable-compression: true
    extensions:
    - {name: other, extension: 1}
    - {name: client.authentication.k8s.io/exec, extension: {audience: us}}
contexts: [{name: x, context: {cluster: c, user: u, namespace: db}}]
users:
- name: u
  user:
    as: bob
    as-uid: "42"
    as-groups: [readers, writers]
    as-user-extra: {scopes: [view, edit]}
    username: root
    password: secret
    client-certificate-data: Q1JU
    client-key-data: S0VZ
    auth-provider: {name: oidc, config: {id-token: abc}}
- name: p
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      command: login
      args: [--cluster, c]
      env: [{name: REGION, value: north}]
      installHint: install it
      provideClusterInfo: true`);
    expect(clusters.get('c')).toEqual({
      server: 'https://c:6443',
      tlsServerName: 'inside',
      insecureSkipTlsVerify: true,
      certificateAuthorityData: 'Q0E=',
      proxyUrl: 'socks5://proxy:1080',
      disableCompression: true,
      execConfig: { audience: 'us' },
    });
    expect(contexts.get('x')).toEqual({ cluster: 'c', user: 'u', namespace: 'db' });
    expect(users.get('u')).toEqual({
      as: 'bob',
      asUid: '42',
      asGroups: ['readers', 'writers'],
      asUserExtra: { scopes: ['view', 'edit'] },
      username: 'root',
      password: 'secret',
      clientCertificateData: 'Q1JU',
      clientKeyData: 'S0VZ',
      authProvider: { name: 'oidc', config: { 'id-token': 'abc' } },
    });
    expect(users.get('p')?.exec).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      command: 'login',
      args: ['--cluster', 'c'],
      env: [{ name: 'REGION', value: 'north' }],
      installHint: 'install it',
      provideClusterInfo: true,
      interactiveMode: 'IfAvailable',
    });
  });

  it.each([
    { text: '[]', message: 'the file is not a mapping' },
    { text: 'kind: Pod', message: 'kind is "Pod", not "Config"' },
    { text: 'clusters: {}', message: 'clusters is not a list' },
    { text: 'users: [x]', message: 'users[0] is not a mapping' },
    { text: 'users: [{name: u, user: {token: 12}}]', message: 'users[0].user.token is not a string' },
    { text: 'users: [{name: u, user: {as-groups: [1]}}]', message: 'users[0].user.as-groups[0] is not a string' },
    {
      text: 'clusters: [{name: c, cluster: {insecure-skip-tls-verify: maybe}}]',
      message: 'clusters[0].cluster.insecure-skip-tls-verify is not a boolean',
    },
    {
      text: 'clusters: [{name: c, cluster: {certificate-authority-data: "-----BEGIN"}}]',
      message: 'clusters[0].cluster.certificate-authority-data is not base64',
    },
    { text: 'contexts: [{name: x, context: {}}, {name: x, context: {}}]', message: 'duplicate name "x" in contexts' },
  ])('is refused: $message', ({ text, message }) => {
    expect(() => decode(text)).toThrow(new Error(message));
  });
});

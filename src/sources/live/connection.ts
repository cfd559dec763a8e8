import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './errors.ts';
import { type ConnectionFlags, parseTimeout, parseUserExtra } from './flags.ts';
import { type Cluster, type Context, type LoadedKubeconfig, present, type User } from './kubeconfig.ts';
import { proxyFromEnvironment } from './proxy-environment.ts';
import type { Surroundings } from './surroundings.ts';

/** Where the API server is and who asks it: kubeconfig, flags and environment put together. */
export interface Connection {
  /** Scheme, host, port and perhaps a path, without a slash at the end. */
  readonly server: string;
  readonly cluster: Cluster;
  readonly user: User;
  /** The context in use, if there is one. */
  readonly context?: string;
  /** The namespace of a request that names none. */
  readonly namespace: string;
  /** For one request; 0 waits forever. */
  readonly requestTimeoutMs: number;
  /** Why it may be the wrong server: said when it does not answer. */
  readonly doubt?: string;
}

/**
 * Puts kubeconfig, flags and environment together as client-go does: kubernetes/client-go tools/clientcmd/client_config.go,
 * merged_client_builder.go (1.37). Throws ConfigError.
 */
export async function resolveConnection(
  { config, missing }: LoadedKubeconfig,
  flags: ConnectionFlags,
  surroundings: Surroundings,
): Promise<Connection> {
  const contextName = flags.context || config.currentContext;
  const context = contextName === undefined ? undefined : config.contexts.get(contextName);
  if (contextName !== undefined && context === undefined) throw contextNotFound(contextName, flags);
  const named: { readonly cluster: Cluster; readonly user: User } = {
    cluster: clusterOf(config.clusters, context, contextName, flags),
    user: userOf(config.users, context, flags),
  };
  const isInCluster = await isInPod(surroundings);
  // Only who named no server at all is taken for a pod asking its own cluster.
  const usesPod = isInCluster && !flags.server && named.cluster.server === undefined;
  const base = usesPod ? await podIdentity(surroundings) : named;
  const cluster = clusterWithFlags(base.cluster, flags);
  const user = userWithFlags(base.user, flags);
  const fallback = cluster.server === undefined;
  const server = serverUrl(
    cluster.server ?? (surroundings.env.KUBERNETES_MASTER || 'http://localhost:8080'),
    cluster,
    user,
  );
  const problems = [
    ...(await clusterProblems(context?.cluster ?? '', cluster)),
    ...(await userProblems(context?.user ?? '', user)),
  ];
  if (problems.length > 0)
    throw new ConfigError(`invalid configuration: ${problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`}`);
  const proxyUrl = cluster.proxyUrl ?? proxyFromEnvironment(server, surroundings.env);
  return {
    server: server.href.replace(/\/+$/, ''),
    cluster: { ...cluster, ...(proxyUrl === undefined ? {} : { proxyUrl }) },
    // Credentials are not sent in the clear. client_config.go, ClientConfig.
    user: server.protocol === 'https:' ? user : impersonationOnly(user),
    ...(contextName === undefined ? {} : { context: contextName }),
    namespace: flags.namespace || (await defaultNamespace(context, isInCluster, surroundings)),
    requestTimeoutMs: parseTimeout(flags.requestTimeout || '0'),
    ...(fallback ? { doubt: doubtOf(missing, contextName) } : {}),
  };
}

function contextNotFound(name: string, flags: ConnectionFlags): ConfigError {
  return flags.context
    ? new ConfigError(`context ${JSON.stringify(name)} does not exist`)
    : new ConfigError(`invalid configuration: context was not found for specified context: ${name}`);
}

function clusterOf(
  clusters: ReadonlyMap<string, Cluster>,
  context: Context | undefined,
  contextName: string | undefined,
  flags: ConnectionFlags,
): Cluster {
  const name = flags.cluster || context?.cluster;
  const cluster = name === undefined ? undefined : clusters.get(name);
  if (flags.cluster && cluster === undefined) throw new ConfigError(`cluster ${JSON.stringify(name)} does not exist`);
  // client-go would go on with http://localhost:8080, which nobody can have meant.
  if (name !== undefined && cluster === undefined && !flags.server) {
    throw new ConfigError(
      `invalid configuration: cluster ${JSON.stringify(name)} was not found for context ${JSON.stringify(contextName)}`,
    );
  }
  if (name !== undefined && cluster?.server === undefined && !flags.server) {
    throw new ConfigError(`invalid configuration: no server found for cluster ${JSON.stringify(name)}`);
  }
  return cluster ?? {};
}

/** A context may name a user that is not there: the server then sees an anonymous one. */
function userOf(users: ReadonlyMap<string, User>, context: Context | undefined, flags: ConnectionFlags): User {
  const name = flags.user || context?.user;
  const user = name === undefined ? undefined : users.get(name);
  if (flags.user && user === undefined) throw new ConfigError(`auth info ${JSON.stringify(name)} does not exist`);
  return user ?? {};
}

/** client_config.go, getCluster: a flag about trust replaces everything the file says about it; --server replaces its TLS name. */
function clusterWithFlags(cluster: Cluster, flags: ConnectionFlags): Cluster {
  const { certificateAuthority, certificateAuthorityData, insecureSkipTlsVerify, tlsServerName, ...rest } = cluster;
  const trust =
    flags.insecureSkipTlsVerify || flags.certificateAuthority
      ? {
          insecureSkipTlsVerify: flags.insecureSkipTlsVerify,
          certificateAuthority: flags.certificateAuthority || undefined,
        }
      : { insecureSkipTlsVerify, certificateAuthority, certificateAuthorityData };
  return present({
    ...rest,
    ...trust,
    server: flags.server || rest.server,
    tlsServerName: flags.tlsServerName || flags.server ? flags.tlsServerName || undefined : tlsServerName,
    disableCompression: flags.disableCompression || rest.disableCompression,
  });
}

/** client_config.go, getAuthInfo. A token that was typed is meant: it replaces a file of tokens, too. */
function userWithFlags(user: User, flags: ConnectionFlags): User {
  const asUserExtra = { ...user.asUserExtra, ...parseUserExtra(flags.asUserExtra ?? []) };
  return present({
    ...user,
    ...(flags.token ? { token: flags.token, tokenFile: undefined } : {}),
    ...(flags.clientCertificate
      ? { clientCertificate: flags.clientCertificate, clientCertificateData: undefined }
      : {}),
    ...(flags.clientKey ? { clientKey: flags.clientKey, clientKeyData: undefined } : {}),
    username: flags.username || user.username,
    password: flags.password || user.password,
    as: flags.as || user.as,
    asUid: flags.asUid || user.asUid,
    asGroups: (flags.asGroup ?? []).length > 0 ? flags.asGroup : user.asGroups,
    asUserExtra: Object.keys(asUserExtra).length > 0 ? asUserExtra : undefined,
  });
}

function impersonationOnly({ as, asUid, asGroups, asUserExtra }: User): User {
  return present({ as, asUid, asGroups, asUserExtra });
}

/** client-go rest/url_utils.go, DefaultServerURL: without a scheme it is https as soon as anything speaks of certificates. */
function serverUrl(address: string, cluster: Cluster, user: User): URL {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(address);
  const speaksOfTls =
    cluster.certificateAuthority ??
    cluster.certificateAuthorityData ??
    user.clientCertificate ??
    user.clientCertificateData;
  const scheme = speaksOfTls !== undefined || cluster.insecureSkipTlsVerify === true ? 'https' : 'http';
  const text = hasScheme ? address : `${scheme}://${address}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable = url !== undefined && /^https?:$/.test(url.protocol) && (hasScheme || url.pathname === '/');
  if (!isUsable) throw new ConfigError(`host must be a URL or a host:port pair: ${JSON.stringify(address)}`);
  url.search = '';
  url.hash = '';
  return url;
}

const podFiles = ({ serviceAccount }: Surroundings) => ({
  token: join(serviceAccount, 'token'),
  authority: join(serviceAccount, 'ca.crt'),
  namespace: join(serviceAccount, 'namespace'),
});

async function isInPod(surroundings: Surroundings): Promise<boolean> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = surroundings.env;
  if (!host || !port) return false;
  const token = await stat(podFiles(surroundings).token).catch(() => undefined);
  return token !== undefined && !token.isDirectory();
}

/** client-go rest/config.go, InClusterConfig. */
async function podIdentity(surroundings: Surroundings): Promise<{ readonly cluster: Cluster; readonly user: User }> {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port } = surroundings.env;
  const { token, authority } = podFiles(surroundings);
  const hasAuthority = await canRead(authority);
  return {
    cluster: {
      server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      ...(hasAuthority ? { certificateAuthority: authority } : {}),
    },
    user: { tokenFile: token },
  };
}

/** merged_client_builder.go, Namespace: a pod's namespace counts even for another cluster, unless the context names one. */
async function defaultNamespace(
  context: Context | undefined,
  isInCluster: boolean,
  surroundings: Surroundings,
): Promise<string> {
  if (context?.namespace !== undefined) return context.namespace;
  if (!isInCluster) return 'default';
  if (surroundings.env.POD_NAMESPACE) return surroundings.env.POD_NAMESPACE;
  const text = await readFile(podFiles(surroundings).namespace, 'utf8').catch(() => '');
  return text.trim() || 'default';
}

function doubtOf(missing: readonly string[], contextName: string | undefined): string {
  if (missing.length > 0) return `no kubeconfig was found (${missing.join(', ')})`;
  return contextName === undefined
    ? 'the kubeconfig has no current context'
    : `context ${JSON.stringify(contextName)} names no cluster`;
}

/** client-go tools/clientcmd/validation.go, validateClusterInfo; transport/transport.go, TLSConfigFor. */
async function clusterProblems(name: string, cluster: Cluster): Promise<readonly string[]> {
  const { certificateAuthority: path, certificateAuthorityData: data, proxyUrl } = cluster;
  const problems: string[] = [];
  if (proxyUrl !== undefined && !(URL.canParse(proxyUrl) && /^(https?|socks5):$/.test(new URL(proxyUrl).protocol))) {
    problems.push(
      `invalid 'proxy-url' ${JSON.stringify(proxyUrl)} for cluster ${JSON.stringify(name)}: it must be http, https, or socks5`,
    );
  }
  if (path !== undefined && data !== undefined) {
    problems.push(`certificate-authority-data and certificate-authority are both specified for ${name}`);
  }
  if (path !== undefined && !(await canRead(path)))
    problems.push(`unable to read certificate-authority ${path} for ${name}`);
  if (cluster.insecureSkipTlsVerify && (path ?? data) !== undefined) {
    problems.push('specifying a root certificates file with the insecure flag is not allowed');
  }
  return problems;
}

/** validation.go, validateAuthInfo. */
async function userProblems(name: string, user: User): Promise<readonly string[]> {
  const problems: string[] = [];
  if (user.token !== undefined && (user.username ?? user.password) !== undefined) {
    problems.push(
      `more than one authentication method found for ${name}; found [token basicAuth], only one is allowed`,
    );
  }
  if ((user.clientCertificate ?? user.clientCertificateData) !== undefined) {
    if (user.clientCertificate !== undefined && user.clientCertificateData !== undefined) {
      problems.push(`client-cert-data and client-cert are both specified for ${name}`);
    }
    if (user.clientKey !== undefined && user.clientKeyData !== undefined) {
      problems.push(`client-key-data and client-key are both specified for ${name}`);
    }
    if ((user.clientKey ?? user.clientKeyData) === undefined) {
      problems.push(
        `client-key-data or client-key must be specified for ${name} to use the clientCert authentication method`,
      );
    }
    for (const [what, path] of [
      ['client-cert', user.clientCertificate],
      ['client-key', user.clientKey],
    ] as const) {
      if (path !== undefined && !(await canRead(path))) problems.push(`unable to read ${what} ${path} for ${name}`);
    }
  }
  if (user.as === undefined && (user.asUid ?? user.asGroups?.[0] ?? user.asUserExtra) !== undefined) {
    problems.push(`requesting uid, groups or user-extra for ${name} without impersonating a user`);
  }
  return [...problems, ...execProblems(name, user)];
}

function execProblems(name: string, { exec, authProvider }: User): readonly string[] {
  if (exec === undefined) return [];
  const purpose = `for ${name} to use exec authentication plugin`;
  const problems: string[] = [];
  if (authProvider !== undefined)
    problems.push(`authProvider cannot be provided in combination with an exec plugin for ${name}`);
  if (exec.command === '') problems.push(`command must be specified ${purpose}`);
  if (exec.apiVersion === '') problems.push(`apiVersion must be specified ${purpose}`);
  if (exec.env.some((variable) => variable.name === ''))
    problems.push(`env variable name must be specified ${purpose}`);
  if (exec.interactiveMode === '') problems.push(`interactiveMode must be specified ${purpose}`);
  else if (!['Never', 'IfAvailable', 'Always'].includes(exec.interactiveMode)) {
    problems.push(`invalid interactiveMode for ${name}: ${JSON.stringify(exec.interactiveMode)}`);
  }
  return problems;
}

async function canRead(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

import { checkIdentity } from './check-identity.ts';
import { ConfigError } from './errors.ts';
import { type ConnectionFlags, parseTimeout, parseUserExtra } from './flags.ts';
import type { Cluster, Context, Identity, User } from './kubeconfig.ts';
import type { LoadedKubeconfig } from './load-kubeconfig.ts';
import { isInPod, podIdentity, podNamespace } from './pod.ts';
import { present } from './present.ts';
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
  const clusterName = flags.cluster || context?.cluster;
  const userName = flags.user || context?.user;
  const named: Identity = {
    cluster: clusterOf(config.clusters, clusterName, contextName, flags),
    user: userOf(config.users, userName, flags),
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
  await checkIdentity({ cluster, user }, clusterName ?? '', userName ?? '');
  const proxyUrl = cluster.proxyUrl ?? proxyFromEnvironment(server, surroundings.env);
  return present({
    server: server.href.replace(/\/+$/, ''),
    cluster: present({ ...cluster, proxyUrl }),
    // Credentials are not sent in the clear. client_config.go, ClientConfig.
    user: server.protocol === 'https:' ? user : impersonationOnly(user),
    context: contextName,
    namespace: flags.namespace || (await defaultNamespace(context, isInCluster, surroundings)),
    requestTimeoutMs: parseTimeout(flags.requestTimeout || '0'),
    doubt: fallback ? doubtOf(missing, contextName) : undefined,
  });
}

function contextNotFound(name: string, flags: ConnectionFlags): ConfigError {
  return flags.context
    ? new ConfigError(`context ${JSON.stringify(name)} does not exist`)
    : new ConfigError(`invalid configuration: context was not found for specified context: ${name}`);
}

function clusterOf(
  clusters: ReadonlyMap<string, Cluster>,
  name: string | undefined,
  contextName: string | undefined,
  flags: ConnectionFlags,
): Cluster {
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
function userOf(users: ReadonlyMap<string, User>, name: string | undefined, flags: ConnectionFlags): User {
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

/** merged_client_builder.go, Namespace: a pod's namespace counts even for another cluster, unless the context names one. */
async function defaultNamespace(
  context: Context | undefined,
  isInCluster: boolean,
  surroundings: Surroundings,
): Promise<string> {
  if (context?.namespace !== undefined) return context.namespace;
  if (!isInCluster) return 'default';
  return podNamespace(surroundings);
}

function doubtOf(missing: readonly string[], contextName: string | undefined): string {
  if (missing.length > 0) return `no kubeconfig was found (${missing.join(', ')})`;
  return contextName === undefined
    ? 'the kubeconfig has no current context'
    : `context ${JSON.stringify(contextName)} names no cluster`;
}

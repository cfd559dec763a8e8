import { readFile } from 'node:fs/promises';
import type { HttpsOptions } from './client-node.ts';
import type { Connection } from './connection.ts';
import { ConfigError, ConnectionError } from './errors.ts';
import { runExecPlugin } from './exec-plugin.ts';
import type { User } from './kubeconfig.ts';
import { present } from './present.ts';
import type { Surroundings } from './surroundings.ts';
import type { Timing } from './timing.ts';

/** Agent and headers of all requests until they expire or the server refuses them. */
export interface Session extends HttpsOptions {
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** Where requests get their session from. */
export interface Credentials {
  /** Obtained at the first call and again when it has expired. Rejects with ConfigError, ConnectionError. */
  current(): Promise<Session>;
  /** After a 401: another session, obtained once for all who held the refused one. */
  refresh(refused: Session): Promise<Session>;
  close(): void;
}

/** client-go transport/token_source.go: a file is read again after a minute, less ten seconds. */
const tokenFilePeriodMs = 50_000;

/** The credentials of a connection. Nothing is read and no plugin runs before the first request. */
export function credentialsOf(connection: Connection, surroundings: Surroundings, timing: Timing): Credentials {
  // Providers write renewed tokens into their own configuration, and an old refresh token may be good only once: one copy, kept.
  const { authProvider } = connection.user;
  const provider = authProvider && { name: authProvider.name, config: { ...authProvider.config } };
  const agents = new Map<string, HttpsOptions['agent']>();
  let session: Promise<Session> | undefined;

  const obtain = async (): Promise<Session> => {
    const { user, expiresAt } = await resolveUser(connection, surroundings, timing);
    const found = await authenticate(connection, {
      ...user,
      ...(provider && user.token === undefined ? { authProvider: provider } : {}),
    });
    // Connections stay open when only the token has changed.
    const agent = agents.get(found.identity) ?? found.agent;
    agents.set(found.identity, agent);
    return present({ ...found, agent, expiresAt });
  };
  const replace = (): Promise<Session> => {
    const next = obtain();
    session = next;
    // A failed attempt is not kept; whoever waits for it sees the error.
    next.catch(() => {
      if (session === next) session = undefined;
    });
    return next;
  };

  return {
    async current() {
      const known = await (session ?? replace());
      const hasExpired = known.expiresAt !== undefined && known.expiresAt <= timing.now();
      return hasExpired ? this.refresh(known) : known;
    },
    async refresh(refused) {
      const before = session;
      const known = before && (await before);
      // Somebody else was faster while we looked.
      if (session !== undefined && session !== before) return session;
      return known !== undefined && known !== refused ? known : replace();
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

type ResolvedUser = { readonly user: User; readonly expiresAt?: number };

/** The user with what files and plugins hand out. A plugin is not asked by who has a token, a password or a certificate. */
async function resolveUser(
  { user, server, cluster }: Connection,
  surroundings: Surroundings,
  timing: Timing,
): Promise<ResolvedUser> {
  if (user.tokenFile !== undefined) {
    const token = await readToken(user.tokenFile, user.token);
    return { user: { ...user, token }, expiresAt: timing.now() + tokenFilePeriodMs };
  }
  const isKnown = (user.token ?? user.username ?? user.clientCertificate ?? user.clientCertificateData) !== undefined;
  if (user.exec === undefined || isKnown) return { user };
  const { token, clientCertificate, clientKey, expiresAt } = await runExecPlugin(
    user.exec,
    server,
    cluster,
    surroundings,
  );
  return present({
    user: present({
      ...user,
      token,
      clientCertificateData: clientCertificate && Buffer.from(clientCertificate).toString('base64'),
      clientKeyData: clientKey && Buffer.from(clientKey).toString('base64'),
    }),
    expiresAt,
  });
}

/** The file wins over the token beside it as long as it can be read. */
async function readToken(path: string, otherwise: string | undefined): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    if (otherwise !== undefined) return otherwise;
    throw new ConfigError(`failed to read token file ${JSON.stringify(path)}: ${error.message}`, { cause: error });
  });
  const token = text.trim() || otherwise;
  if (token === undefined) throw new ConfigError(`read empty token from file ${JSON.stringify(path)}`);
  return token;
}

async function authenticate({ server, cluster }: Connection, user: User): Promise<HttpsOptions> {
  const { httpsOptionsOf } = await import('./client-node.ts');
  try {
    return await httpsOptionsOf(
      present({
        name: 'cluster',
        server,
        // client-node speaks plain HTTP only to those who skip the check that plain HTTP does not have.
        skipTLSVerify: cluster.insecureSkipTlsVerify === true || server.startsWith('http:'),
        caFile: cluster.certificateAuthority,
        caData: cluster.certificateAuthorityData,
        tlsServerName: cluster.tlsServerName,
        proxyUrl: cluster.proxyUrl,
      }),
      present({
        name: 'user',
        certFile: user.clientCertificate,
        certData: user.clientCertificateData,
        keyFile: user.clientKey,
        keyData: user.clientKeyData,
        token: user.token,
        username: user.username,
        password: user.username === undefined ? undefined : (user.password ?? ''),
        authProvider: user.authProvider,
      }),
    );
  } catch (error) {
    throw new ConnectionError(`getting credentials: ${(error as Error).message}`, { cause: error });
  }
}

import { type Connection, resolveConnection } from './connection.ts';
import { credentialsOf } from './credentials.ts';
import type { ConnectionFlags } from './flags.ts';
import { impersonationHeaders } from './impersonation.ts';
import { loadKubeconfig } from './load-kubeconfig.ts';
import { present } from './present.ts';
import { createRestClient, type RestClient } from './rest-client.ts';
import type { Surroundings } from './surroundings.ts';
import type { Timing } from './timing.ts';

/** A cluster that can be asked, and what the kubeconfig says about it. */
export interface OpenCluster {
  readonly client: RestClient;
  readonly connection: Connection;
}

export interface ConnectOptions {
  readonly flags: ConnectionFlags;
  readonly surroundings: Surroundings;
  readonly timing: Timing;
  /** Called with each warning of the server, once. */
  readonly warn: (text: string) => void;
}

/** Finds the cluster that flags, kubeconfig and environment name. Nothing is sent yet; close the client in the end. Throws ConfigError. */
export async function connect({ flags, surroundings, timing, warn }: ConnectOptions): Promise<OpenCluster> {
  const loaded = await loadKubeconfig(flags.kubeconfig, surroundings);
  const connection = await resolveConnection(loaded, flags, surroundings);
  const { server, user, cluster, requestTimeoutMs, doubt } = connection;
  const options = present({
    server,
    credentials: credentialsOf(connection, surroundings, timing),
    headers: impersonationHeaders(user),
    requestTimeoutMs,
    compress: cluster.disableCompression !== true,
    timing,
    warn,
    doubt,
  });
  return { client: createRestClient(options), connection };
}

import type { Agent } from 'node:http';
import type { RequestOptions } from 'node:https';
// The only file that names the package, and loaded with await import(): named here instead of there, a bundler keeps KubeConfig
// and drops the generated models, three quarters of the package.
import { type Cluster, KubeConfig, type User } from '@kubernetes/client-node';

export type { Cluster, User } from '@kubernetes/client-node';

/** What a request needs to be let in. */
export interface HttpsOptions {
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  /** "user:password". */
  readonly auth?: string;
  /** The certificate that the agent shows, to tell whether another agent is needed. */
  readonly identity: string;
}

/** Agent and headers for a cluster and a user. Rejects when an authentication provider does. */
export async function httpsOptionsOf(cluster: Cluster, user: User): Promise<HttpsOptions> {
  const config = new KubeConfig();
  config.loadFromClusterAndUser(cluster, user);
  const options: RequestOptions = { headers: {} };
  await config.applyToHTTPSOptions(options);
  const agent = options.agent as Agent;
  // One TLS handshake for all pages. The constructor's option of the same name is out of reach here.
  Object.assign(agent, { keepAlive: true });
  return {
    agent,
    headers: options.headers as Readonly<Record<string, string>>,
    ...(typeof options.auth === 'string' ? { auth: options.auth } : {}),
    identity: `${options.cert ?? ''}`,
  };
}

import { Agent } from 'node:http';
import type { Credentials, Session } from '../../src/sources/live/credentials.ts';
import { createRestClient, type RestClient, type RestClientOptions } from '../../src/sources/live/rest-client.ts';
import { FakeTiming } from './fake-timing.ts';

export interface PlainClient {
  readonly client: RestClient;
  readonly timing: FakeTiming;
  readonly warnings: readonly string[];
  /** How often other credentials were asked for. */
  readonly refreshed: () => number;
}

/** A client of a server without TLS, with a token that can be renewed. */
export function plainClient(server: string, options: Partial<RestClientOptions> = {}): PlainClient {
  const agent = new Agent({ keepAlive: true });
  const warnings: string[] = [];
  const timing = new FakeTiming();
  let refreshed = 0;
  const session = (): Session => ({ agent, headers: { Authorization: `Bearer token-${refreshed}` }, identity: '' });
  const credentials: Credentials = {
    current: async () => session(),
    async refresh() {
      refreshed++;
      return session();
    },
    close: () => agent.destroy(),
  };
  const client = createRestClient({
    server,
    credentials,
    headers: {},
    requestTimeoutMs: 0,
    compress: true,
    timing,
    warn: (text) => warnings.push(text),
    ...options,
  });
  return { client, timing, warnings, refreshed: () => refreshed };
}

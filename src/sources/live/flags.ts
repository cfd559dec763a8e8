import { ConfigError } from './errors.ts';

/** kubectl's connection flags as they were typed. kubernetes/cli-runtime pkg/genericclioptions/config_flags.go. */
export interface ConnectionFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  readonly server?: string;
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly certificateAuthority?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly tlsServerName?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly asUid?: string;
  /** KEY=VALUE, each. */
  readonly asUserExtra?: readonly string[];
  /** "0", a whole number of seconds, or a Go duration. */
  readonly requestTimeout?: string;
  readonly disableCompression?: boolean;
}

export interface FlagDescription {
  /** As a command line parser takes it: "-s, --server ADDRESS"; a flag without a value has no placeholder. */
  readonly flag: string;
  readonly description: string;
  readonly repeatable?: true;
}

/**
 * The flags with their help texts, in kubectl's order. `--cache-dir` is accepted because scripts pass it; there is nothing to
 * cache. `--namespace` is not among them: dumps know it, too.
 */
export const connectionFlags: readonly FlagDescription[] = [
  { flag: '--as USERNAME', description: 'Username to impersonate for the operation' },
  { flag: '--as-group GROUP', description: 'Group to impersonate for the operation (repeatable)', repeatable: true },
  { flag: '--as-uid UID', description: 'UID to impersonate for the operation' },
  {
    flag: '--as-user-extra KEY=VALUE',
    description: 'User extra to impersonate for the operation (repeatable)',
    repeatable: true,
  },
  { flag: '--cache-dir PATH', description: 'Accepted for scripts that pass it; nothing is cached' },
  { flag: '--certificate-authority PATH', description: 'Path to a cert file for the certificate authority' },
  { flag: '--client-certificate PATH', description: 'Path to a client certificate file for TLS' },
  { flag: '--client-key PATH', description: 'Path to a client key file for TLS' },
  { flag: '--cluster NAME', description: 'The name of the kubeconfig cluster to use' },
  { flag: '--context NAME', description: 'The name of the kubeconfig context to use' },
  { flag: '--disable-compression', description: 'Opt out of response compression for all requests to the server' },
  {
    flag: '--insecure-skip-tls-verify',
    description: "Do not check the server's certificate; this makes the connection insecure",
  },
  { flag: '--kubeconfig PATH', description: 'Path to the kubeconfig file to use' },
  { flag: '--password PASSWORD', description: 'Password for basic authentication to the API server' },
  {
    flag: '--request-timeout DURATION',
    description: 'How long to wait for a single server request, such as 1s, 2m, 3h; 0 waits forever',
  },
  { flag: '-s, --server ADDRESS', description: 'The address and port of the Kubernetes API server' },
  {
    flag: '--tls-server-name NAME',
    description: "Name to check the server's certificate against instead of its host name",
  },
  { flag: '--token TOKEN', description: 'Bearer token for authentication to the API server' },
  { flag: '--user NAME', description: 'The name of the kubeconfig user to use' },
  { flag: '--username USERNAME', description: 'Username for basic authentication to the API server' },
];

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** `--request-timeout` in milliseconds; 0 is without end. client-go tools/clientcmd/helpers.go, ParseTimeout. Throws ConfigError. */
export function parseTimeout(text: string): number {
  if (/^\+?\d+$/.test(text)) return Number(text) * 1000;
  const parts = [...text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) {
    throw new ConfigError(
      'invalid timeout value: timeout must be a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)',
    );
  }
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * unitMs[unit!]!, 0);
}

/** The values of `--as-user-extra` by key. Throws ConfigError. */
export function parseUserExtra(pairs: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const extra = new Map<string, readonly string[]>();
  for (const pair of pairs) {
    const [key, ...rest] = pair.split('=');
    if (key === undefined || key === '' || rest.length === 0) {
      throw new ConfigError(`invalid --as-user-extra ${JSON.stringify(pair)}: it must be KEY=VALUE`);
    }
    extra.set(key, [...(extra.get(key) ?? []), rest.join('=')]);
  }
  return Object.fromEntries(extra);
}

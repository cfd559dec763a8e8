import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { ConnectionError } from './errors.ts';
import type { Cluster, ExecConfig } from './kubeconfig.ts';
import { present } from './present.ts';
import type { Surroundings } from './surroundings.ts';

/** What an exec plugin hands out. */
export interface ExecCredential {
  readonly token?: string;
  /** PEM, both or neither. */
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  /** Milliseconds since 1970; without it the credential holds until the server refuses it. */
  readonly expiresAt?: number;
}

const apiVersions: readonly string[] = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

/**
 * Runs an exec plugin once. It speaks to the user on standard error, and hears them if there is a terminal and it may ask.
 * kubernetes/client-go plugin/pkg/client/auth/exec/exec.go, refreshCredsLocked (1.37); client-node's own runner gives it neither a
 * terminal nor KUBERNETES_EXEC_INFO and keeps its standard error back. Throws ConnectionError.
 */
export async function runExecPlugin(
  exec: ExecConfig,
  server: string,
  cluster: Cluster,
  surroundings: Surroundings,
): Promise<ExecCredential> {
  if (!apiVersions.includes(exec.apiVersion))
    throw failure(`exec plugin: invalid apiVersion ${JSON.stringify(exec.apiVersion)}`);
  const { interactiveMode } = exec;
  if (interactiveMode === 'Always' && !surroundings.stdinIsTerminal) {
    throw failure('exec plugin cannot support interactive mode: standard input is not a terminal');
  }
  const interactive = interactiveMode !== 'Never' && surroundings.stdinIsTerminal;
  const info = {
    kind: 'ExecCredential',
    apiVersion: exec.apiVersion,
    spec: { ...(exec.provideClusterInfo ? { cluster: await clusterInfo(server, cluster) } : {}), interactive },
  };
  const env = {
    ...surroundings.env,
    ...Object.fromEntries(exec.env.map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  };
  return readCredential(await outputOf(exec, env, interactive), exec.apiVersion);
}

/** client-go rest/exec.go, ConfigToExecCluster; the fields are those of a kubeconfig, with the authority inside. */
async function clusterInfo(server: string, cluster: Cluster): Promise<object> {
  const { certificateAuthority: path, certificateAuthorityData: data } = cluster;
  return present({
    server,
    'tls-server-name': cluster.tlsServerName,
    'insecure-skip-tls-verify': cluster.insecureSkipTlsVerify || undefined,
    'certificate-authority-data': data ?? (path === undefined ? undefined : await readFile(path, 'base64')),
    'proxy-url': cluster.proxyUrl,
    'disable-compression': cluster.disableCompression || undefined,
    config: cluster.execConfig ?? null,
  });
}

function outputOf(
  { command, args, installHint }: ExecConfig,
  env: NodeJS.ProcessEnv,
  interactive: boolean,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const plugin = spawn(command, args, { env, stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'] });
    let output = '';
    plugin.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    plugin.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') return reject(failure(`exec: executable ${command} failed: ${error.message}`));
      const hint = printable(installHint ?? '');
      reject(failure(`exec: executable ${command} not found${hint === '' ? '' : `; ${hint}`}`));
    });
    plugin.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else
        reject(
          failure(
            `exec: executable ${command} failed with ${code === null ? `signal ${signal}` : `exit code ${code}`}`,
          ),
        );
    });
  });
}

function readCredential(output: string, apiVersion: string): ExecCredential {
  const answer = parse(output);
  if (answer?.kind !== 'ExecCredential') throw failure('exec plugin did not return an ExecCredential');
  if (answer.apiVersion !== apiVersion) {
    throw failure(
      `exec plugin is configured to use API version ${apiVersion}, plugin returned version ${answer.apiVersion}`,
    );
  }
  if (answer.status === undefined) throw failure("exec plugin didn't return a status field");
  const {
    token = '',
    clientCertificateData: certificate = '',
    clientKeyData: key = '',
    expirationTimestamp,
  } = answer.status;
  if (token === '' && certificate === '' && key === '')
    throw failure("exec plugin didn't return a token or cert/key pair");
  if ((certificate === '') !== (key === '')) throw failure('exec plugin returned only certificate or key, not both');
  const expiresAt = Date.parse(expirationTimestamp ?? '');
  return {
    ...(token === '' ? {} : { token }),
    ...(certificate === '' ? {} : { clientCertificate: certificate, clientKey: key }),
    ...(Number.isNaN(expiresAt) ? {} : { expiresAt }),
  };
}

interface PluginAnswer {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly status?: {
    readonly token?: string;
    readonly clientCertificateData?: string;
    readonly clientKeyData?: string;
    readonly expirationTimestamp?: string;
  };
}

function parse(output: string): PluginAnswer | undefined {
  try {
    return JSON.parse(output) as PluginAnswer;
  } catch (error) {
    throw failure(`decoding the exec plugin's output: ${(error as Error).message}`);
  }
}

/** The words of a kubeconfig's author in one line, without what could steer a terminal. client_config.go, cleanANSIEscapeCodes. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();

const failure = (message: string): ConnectionError => new ConnectionError(`getting credentials: ${message}`);

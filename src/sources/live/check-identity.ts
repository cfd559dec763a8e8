import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { ConfigError } from './errors.ts';
import type { Cluster, Identity, User } from './kubeconfig.ts';

/** Refuses what cannot work or was hardly meant, all of it at once. Throws ConfigError. */
export async function checkIdentity({ cluster, user }: Identity, clusterName: string, userName: string): Promise<void> {
  const problems = [...(await clusterProblems(clusterName, cluster)), ...(await userProblems(userName, user))];
  if (problems.length === 0) return;
  throw new ConfigError(`invalid configuration: ${problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`}`);
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
  if (user.authProvider !== undefined && user.authProvider.name !== 'oidc') {
    // Those of clouds were removed with Kubernetes 1.26.
    problems.push(`no auth provider ${JSON.stringify(user.authProvider.name)} for ${name}: use an exec plugin instead`);
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

export async function canRead(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

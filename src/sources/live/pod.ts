import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { canRead } from './check-identity.ts';
import type { Identity } from './kubeconfig.ts';
import type { Surroundings } from './surroundings.ts';

const podFiles = ({ serviceAccount }: Surroundings) => ({
  token: join(serviceAccount, 'token'),
  authority: join(serviceAccount, 'ca.crt'),
  namespace: join(serviceAccount, 'namespace'),
});

/** Whether the process runs in a pod with a service account. inClusterClientConfig.Possible. */
export async function isInPod(surroundings: Surroundings): Promise<boolean> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = surroundings.env;
  if (!host || !port) return false;
  const token = await stat(podFiles(surroundings).token).catch(() => undefined);
  return token !== undefined && !token.isDirectory();
}

/** client-go rest/config.go, InClusterConfig. */
export async function podIdentity(surroundings: Surroundings): Promise<Identity> {
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

/** The namespace that the pod is in. client-go tools/clientcmd/client_config.go, inClusterClientConfig.Namespace. */
export async function podNamespace(surroundings: Surroundings): Promise<string> {
  if (surroundings.env.POD_NAMESPACE) return surroundings.env.POD_NAMESPACE;
  const text = await readFile(podFiles(surroundings).namespace, 'utf8').catch(() => '');
  return text.trim() || 'default';
}

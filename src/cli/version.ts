import { newestRelease, testedReleases } from '../api/features.ts';

/** The version of the package; a test holds it against package.json. */
export const ownVersion = '0.1.0';

/** The text of --version: ours, and the releases of Kubernetes that the engine was compared with. */
export function version(): string {
  return `kubectl-pvc-explain ${ownVersion}\nKubernetes releases tested: ${testedReleases.join(', ')} (newest: ${newestRelease})`;
}

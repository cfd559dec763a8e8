import { readFileSync } from 'node:fs';
import { newestRelease, testedReleases } from '../api/features.ts';

/** The text of --version: ours, and the releases of Kubernetes that the engine was compared with. */
export function version(): string {
  return `kubectl-pvc-explain ${ownVersion()}\nKubernetes releases tested: ${testedReleases.join(', ')} (newest: ${newestRelease})`;
}

/** The version of the package, which lies one folder above the bundle. */
export function ownVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).version;
}

import { stat } from 'node:fs/promises';
import type { PersistentVolumeClaim } from '../../api/objects.ts';
import type { LoadedObject } from '../../snapshot/loaded.ts';
import { loadFiles } from '../../sources/files.ts';
import type { Kubeconfig } from '../../sources/live/kubeconfig.ts';
import { loadKubeconfig } from '../../sources/live/load-kubeconfig.ts';
import type { Surroundings } from '../../sources/live/surroundings.ts';

/** Somebody waits with a finger on the key. */
const patienceMs = 1000;

class OutOfTimeError extends Error {}

/** The claims and namespaces of some dumps: nothing if they cannot be read, or not in a second. */
export async function namesInDumps(
  paths: readonly string[],
  recursive: boolean,
  now: () => number = Date.now,
): Promise<{ readonly claims: readonly PersistentVolumeClaim[]; readonly namespaces: readonly string[] }> {
  const deadline = now() + patienceMs;
  const onProgress = () => {
    if (now() > deadline) throw new OutOfTimeError();
  };
  const objects: LoadedObject[] = [];
  for (const path of paths) {
    try {
      // Standard input belongs to the shell, and a pipe would be read for ever.
      const found = await stat(path);
      if (!found.isFile() && !found.isDirectory()) continue;
      const { sources } = await loadFiles([path], { recursive, onProgress });
      objects.push(...sources.flatMap((source) => source.objects));
    } catch (error) {
      if (error instanceof OutOfTimeError) break;
      // What is the matter with a dump is told when the command runs.
    }
  }
  const claims = new Map<string, PersistentVolumeClaim>();
  const namespaces = new Set<string>();
  for (const { kind, object } of objects) {
    const { name, namespace = '' } = object.metadata;
    if (kind === 'PersistentVolumeClaim') claims.set(`${namespace}/${name}`, object as PersistentVolumeClaim);
    if (kind === 'Namespace') namespaces.add(name);
    else if (namespace !== '') namespaces.add(namespace);
  }
  return { claims: [...claims.values()], namespaces: [...namespaces].sort() };
}

/** What the kubeconfig names; nothing if it cannot be read. No cluster is asked. */
export async function namesInKubeconfig(
  path: string | undefined,
  surroundings: Surroundings,
): Promise<Pick<Kubeconfig, 'contexts' | 'clusters' | 'users'>> {
  try {
    return (await loadKubeconfig(path, surroundings)).config;
  } catch {
    return { contexts: new Map(), clusters: new Map(), users: new Map() };
  }
}

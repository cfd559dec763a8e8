import { readFile } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { decodeKubeconfig } from './decode-kubeconfig.ts';
import { ConfigError } from './errors.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { present } from './present.ts';
import type { Surroundings } from './surroundings.ts';

/** A kubeconfig and the files that were looked for in vain. */
export interface LoadedKubeconfig {
  readonly config: Kubeconfig;
  readonly missing: readonly string[];
}

/**
 * Reads the kubeconfig that `--kubeconfig`, `KUBECONFIG` or the home folder name, in this order. A file that was named by the
 * flag has to be there; of a list those that are missing are passed over. Throws ConfigError, for all unreadable files at once.
 */
export async function loadKubeconfig(
  explicitPath: string | undefined,
  surroundings: Surroundings,
): Promise<LoadedKubeconfig> {
  const paths = explicitPath === undefined || explicitPath === '' ? defaultPaths(surroundings) : [explicitPath];
  const missing: string[] = [];
  const configs: Kubeconfig[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    try {
      configs.push(decodeKubeconfig(await readFile(path, 'utf8'), path, surroundings));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') missing.push(path);
      else problems.push(`error loading config file ${JSON.stringify(path)}: ${(error as Error).message}`);
    }
  }
  if (missing.length > 0 && missing[0] === explicitPath)
    throw new ConfigError(`kubeconfig ${JSON.stringify(explicitPath)} does not exist`);
  if (problems.length > 0) throw new ConfigError(problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`);
  return { config: mergeKubeconfigs(configs), missing };
}

/** The first file wins, entry by entry; an entry is taken as a whole. loader.go, Load. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const named = <T>(of: (config: Kubeconfig) => ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    new Map([...configs].reverse().flatMap((config) => [...of(config)]));
  return present({
    currentContext: configs.find((config) => config.currentContext !== undefined)?.currentContext,
    clusters: named(({ clusters }) => clusters),
    users: named(({ users }) => users),
    contexts: named(({ contexts }) => contexts),
  });
}

function defaultPaths({ env, platform }: Surroundings): readonly string[] {
  const list = env.KUBECONFIG ?? '';
  const { delimiter, join } = platform === 'win32' ? win32 : posix;
  // A list without a single file in it ("", ":") is not the same as none: client-go then reads nothing.
  if (list !== '') return [...new Set(list.split(delimiter))].filter((path) => path !== '');
  return homes({ env, platform }).map((home) => join(home, '.kube', 'config'));
}

/** client-go util/homedir: on Windows the first of these that holds a kubeconfig; reading all comes to the same, the first wins. */
function homes({ env, platform }: Pick<Surroundings, 'env' | 'platform'>): readonly string[] {
  const drive = env.HOMEDRIVE ?? '';
  const candidates =
    platform === 'win32' ? [env.HOME, drive === '' ? '' : drive + (env.HOMEPATH ?? ''), env.USERPROFILE] : [env.HOME];
  return [...new Set(candidates.filter((home): home is string => home !== undefined && home !== ''))];
}

import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** The folder of the repository around a folder; the folder itself if it is in none. */
export function repositoryRoot(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return resolve(folder);
  }
}

/** Names files as the repository does: relative to its root, with `/`. What lies outside keeps its name. */
export function pathsIn(root: string): (file: string) => string {
  return (file) => {
    const path = relative(root, resolve(file));
    const isInside = path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
    return (isInside ? path : file).split(sep).join('/');
  };
}

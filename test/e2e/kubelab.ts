import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import type { KubernetesObject } from '../../src/api/objects.ts';

/** The kubelab that the environment names, else one of the search path or the cache; it is never built here. */
export const kubelab: string | undefined = [
  process.env.KUBELAB ?? '',
  ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'kubelab')),
  join(homedir(), '.cache', 'kubelab', 'kubelab'),
].find((path) => path !== '' && isExecutable(path));

/** Said where it is missing: a suite that skips itself in silence is taken for one that passes. */
export const skipped = 'skipped: no kubelab (build test/e2e/kubelab and name the binary in KUBELAB)';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return existsSync(path);
  } catch {
    return false;
  }
}

/** A folder for one test; removed by `remove`. */
export function scratch(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'pvc-explain-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A control plane that runs. */
export interface Lab {
  /** The admin's kubeconfig; `${kubeconfig}.NAME` is that of a limited user. */
  readonly kubeconfig: string;
  readonly stop: () => Promise<void>;
}

/** Starts a control plane and waits until it is ready. Rejects with what it said if it ends instead. */
export function startLab(folder: string, args: readonly string[]): Promise<Lab> {
  const kubeconfig = join(folder, 'kubeconfig');
  const child = spawn(kubelab as string, ['--kubeconfig', kubeconfig, ...args], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let told = '';
  child.stderr?.on('data', (chunk) => {
    told += chunk;
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    ended.then(() => reject(new Error(`kubelab ended: ${told}`)));
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      if (/^ready/m.test(printed)) resolve({ kubeconfig, stop: () => stop(child, ended) });
    });
  });
}

function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  return ended;
}

/** What became of a dump under the real components. What the API server did not take is not among it. */
export interface Reality {
  readonly objects: readonly KubernetesObject[];
}

/** Restores a dump, lets the real controllers and the real scheduler run until nothing changes any more, and reads the cluster. */
export async function reality(folder: string, dump: string): Promise<Reality> {
  const after = join(folder, 'after.yaml');
  const args = ['--kubeconfig', join(folder, 'kubeconfig'), '--load', dump, '--dump', after];
  await new Promise<void>((resolve, reject) => {
    execFile(kubelab as string, args, { env: { ...process.env, TMPDIR: folder } }, (error, _stdout, stderr) => {
      // 3: something went on changing; what was there in the end is written nevertheless.
      if (error === null || error.code === 3) resolve();
      else reject(new Error(`kubelab: ${stderr || error.message}`));
    });
  });
  const { items } = load(readFileSync(after, 'utf8'), { schema: CORE_SCHEMA }) as {
    items: readonly KubernetesObject[];
  };
  return { objects: items ?? [] };
}

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { InputError } from './input-error.ts';

/** What a kustomization builds. */
export interface Built {
  /** The file of the kustomization. */
  readonly name: string;
  readonly text: string;
  /** The folder from which the origins of objects are told. */
  readonly originsFrom: string;
}

/** More than any kustomization writes, in bytes. */
const longestOutput = 64 * 1024 * 1024;
/** The names that kustomize looks for. kubernetes-sigs/kustomize api/konfig/general.go. */
const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/**
 * Builds a kustomization with `kubectl kustomize`. Each object of the result tells where it comes from, if that kubectl can say so.
 * Throws InputError with kubectl's words.
 */
export async function buildKustomization(folder: string, kubectl: string): Promise<Built> {
  const name = await kustomizationIn(folder);
  const built = await withOrigins(folder, kubectl);
  return { name, ...(built ?? { text: await run(kubectl, folder, folder), originsFrom: folder }) };
}

async function kustomizationIn(folder: string): Promise<string> {
  let names: readonly string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'no such folder' : message.toLowerCase();
    throw new InputError(`reading ${JSON.stringify(folder)}: ${reason}`, { cause: error });
  }
  const found = fileNames.find((file) => names.includes(file));
  if (found === undefined) throw new InputError(`${JSON.stringify(folder)} holds no kustomization.yaml`);
  return join(folder, found);
}

/** Builds a kustomization around the one that is meant, which asks for origins; undefined where that does not work. */
async function withOrigins(folder: string, kubectl: string): Promise<Pick<Built, 'text' | 'originsFrom'> | undefined> {
  const around = await realpath(await mkdtemp(join(tmpdir(), 'pvc-explain-')));
  try {
    const inside = relative(around, await realpath(folder));
    const wrapper = { resources: [inside], buildMetadata: ['originAnnotations'] };
    await writeFile(join(around, 'kustomization.yaml'), JSON.stringify(wrapper));
    return { text: await run(kubectl, around, folder), originsFrom: around };
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  } finally {
    await rm(around, { recursive: true, force: true });
  }
}

function run(kubectl: string, build: string, folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(kubectl, ['kustomize', build], { maxBuffer: longestOutput }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else {
        const reason =
          error.code === 'ENOENT' ? 'kubectl is not installed' : (stderr || error.message).trim().replace(/\s+/g, ' ');
        reject(new InputError(`kubectl kustomize ${JSON.stringify(folder)}: ${reason}`, { cause: error }));
      }
    });
  });
}

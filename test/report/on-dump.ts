import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Outcome, run } from '../cli/run.ts';

/** Runs a command on a cluster that is written in YAML. */
export async function runOn(yaml: readonly string[], args: readonly string[]): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'on-dump-'));
  try {
    const file = join(folder, 'cluster.yaml');
    await writeFile(file, yaml.join(''));
    return await run([...args, '-f', file]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

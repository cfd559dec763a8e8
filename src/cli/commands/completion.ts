import { exitCodes } from '../../report/exit-code.ts';
import { scripts } from '../complete/scripts.ts';
import type { Shell } from '../complete/shells.ts';
import { type Streams, writeAll } from '../streams.ts';

/** `kubectl pvc-explain completion SHELL`: the script that a shell loads. */
export async function completion(shell: Shell, { stdout }: Streams): Promise<number> {
  await writeAll(stdout, [scripts[shell]]);
  return exitCodes.clean;
}

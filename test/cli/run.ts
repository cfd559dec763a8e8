import { Readable, Writable } from 'node:stream';
import { execute } from '../../src/cli/main.ts';
import type { ClaimReport, ClaimReportList } from '../../src/report/claim-report.ts';

/** What a command line leaves behind. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line in this process, without a terminal. */
export async function run(args: readonly string[], stdin = ''): Promise<Outcome> {
  const [stdout, stderr] = [new Kept(), new Kept()];
  const code = await execute(args, { stdin: Readable.from([stdin]), stdout, stderr });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** The report that a command line prints as JSON. */
export async function explainIn(args: readonly string[]): Promise<ClaimReportList & { items: readonly ClaimReport[] }> {
  const { stdout } = await run([...args, '-o', 'json']);
  return JSON.parse(stdout);
}

class Kept extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk;
    done();
  }
}

import { exitCodes } from '../report/exit-code.ts';
import { createProgram } from './program.ts';
import { BrokenPipe, type Streams } from './streams.ts';

/** Runs the command line and sets the exit code of the process. */
export async function run(args: readonly string[]): Promise<void> {
  const streams: Streams = process;
  // Without a listener a reader that goes away ends the process with a stack trace.
  process.stdout.on('error', () => {});
  process.exitCode = await execute(args, streams);
}

/** Runs one command line; its exit code. Errors that a user can cause are told on stderr in one line. */
export async function execute(args: readonly string[], streams: Streams): Promise<number> {
  const program = createProgram(streams);
  try {
    await program.parseAsync(args as string[], { from: 'user' });
    return program.exitCode;
  } catch (error) {
    if (error instanceof BrokenPipe) return exitCodes.clean;
    const { code, exitCode, message } = error as { code?: string; exitCode?: number; message: string };
    // Commander has printed its own errors and texts already.
    if (code?.startsWith('commander.')) return exitCode === 0 ? exitCodes.clean : exitCodes.failure;
    const isExpected = expected.has((error as Error).constructor.name);
    streams.stderr.write(isExpected ? `error: ${message}\n` : `${(error as Error).stack ?? message}\n`);
    return exitCodes.failure;
  }
}

/** Errors that are the user's or the input's; their classes live in chunks that may not even be loaded. */
const expected: ReadonlySet<string> = new Set([
  'UsageError',
  'InputError',
  'ConfigError',
  'FormatError',
  'SelectorError',
  'VersionError',
  'ApiStatusError',
]);

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
    // What follows is the line that somebody is typing: nothing of it is meant for this run.
    if (args[0] === '__complete')
      return await (await import('./complete/answer.ts')).answer(args.slice(1), program, streams);
    await program.parseAsync(args as string[], { from: 'user' });
    return program.exitCode;
  } catch (error) {
    if (error instanceof BrokenPipe) return exitCodes.clean;
    const { code, exitCode } = error as { code?: unknown; exitCode?: number };
    // Commander has printed its own errors and texts already.
    if (typeof code === 'string' && code.startsWith('commander.'))
      return exitCode === 0 ? exitCodes.clean : exitCodes.failure;
    streams.stderr.write(`${told(error as Error)}\n`);
    return exitCodes.failure;
  }
}

/** kubectl puts no prefix before what a server said or that there is none, but for who is not logged in. */
// kubernetes/kubectl pkg/cmd/util/helpers.go, StandardErrorMessage
function told(error: Error): string {
  const { name } = error.constructor;
  const isOfServer = name === 'ConnectionError' || name === 'ApiStatusError';
  if (isOfServer && /^(Error from server|The connection to the server|Unable to connect)/.test(error.message))
    return error.message;
  return expected.has(name) ? `error: ${error.message}` : (error.stack ?? error.message);
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
  'ConnectionError',
]);

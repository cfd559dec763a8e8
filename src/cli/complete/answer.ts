import type { Command } from 'commander';
import { escapeTerminal } from '../../printers/escape-terminal.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { processSurroundings, type Surroundings } from '../../sources/live/surroundings.ts';
import { type Streams, writeAll } from '../streams.ts';
import { type Answer, complete } from './candidates.ts';

/** `__complete WORD...`: what kubectl's and the shells' completions ask for. Specification ecosystem 2.1. */
export async function answer(
  words: readonly string[],
  program: Command,
  { stdout }: Streams,
  surroundings: Surroundings = processSurroundings(),
): Promise<number> {
  await writeAll(stdout, printAnswer(await complete(words, program, surroundings)));
  return exitCodes.clean;
}

/** A candidate a line, a tab before what is said about it; the directive in the last line. */
export function* printAnswer({ candidates, directive }: Answer): Iterable<string> {
  for (const { text, description } of candidates) {
    yield description === undefined ? `${text}\n` : `${text}\t${escapeTerminal(description)}\n`;
  }
  yield `:${directive}\n`;
}

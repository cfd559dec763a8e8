import type { TextOptions } from '../printers/explain-text.ts';
import { themeFor } from '../printers/theme.ts';
import type { Streams } from './streams.ts';

/** How to write for people: colour and width as the streams and the environment want it. */
export function presentation(
  color: 'auto' | 'always' | 'never',
  { stdout }: Streams,
  now: number,
  env: NodeJS.ProcessEnv = process.env,
): TextOptions {
  const isTTY = stdout.isTTY === true;
  return {
    theme: themeFor(color === 'always' || (color === 'auto' && wantsColour(isTTY, env))),
    // A terminal that does not know its width says 0.
    width: isTTY ? stdout.columns || Number(env.COLUMNS) || 80 : 100,
    now,
  };
}

function wantsColour(isTTY: boolean, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR !== undefined) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTTY && env.TERM !== 'dumb';
}

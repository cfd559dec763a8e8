import type { ClaimDifference } from '../report/difference.ts';
import { escapeTerminal } from './escape-terminal.ts';
import type { TextOptions } from './explain-text.ts';
import { wrap } from './wrap.ts';

/** What a change of the cluster does to its claims. */
export function* printDifferences(found: readonly ClaimDifference[], { theme, width }: TextOptions): Iterable<string> {
  const count = found.length === 1 ? '1 claim ends otherwise' : `${found.length} claims end otherwise`;
  yield `${theme.heading(found.length === 0 ? 'With these changes nothing is other than before.' : `With these changes ${count}:`)}\n`;
  for (const { claim, before, after } of found) {
    const now = after === undefined ? 'gone' : `${after.outcome}: ${after.summary}`;
    const text = escapeTerminal(`${before?.outcome ?? 'not there'} → ${now}.`);
    for (const line of wrap(text, { width, first: `  ${escapeTerminal(claim)}  `, rest: '    ' })) yield `${line}\n`;
  }
  yield '\n';
}

import type { Change, SimulationReport, State, SyncReport } from '../report/simulation-report.ts';
import { escapeTerminal } from './escape-terminal.ts';
import type { TextOptions } from './explain-text.ts';
import { printTable } from './table.ts';
import { wrap } from './wrap.ts';

export interface SimulationTextOptions extends TextOptions {
  /** Every sync with every branch, not only those that do something. */
  readonly trace: boolean;
}

const margin = ' '.repeat(6);

/** The run as a timeline: which object was looked at, which branch was taken, what was written and said. */
export function* printSimulation(report: SimulationReport, options: SimulationTextOptions): Iterable<string> {
  const { width, trace, theme } = options;
  const introduction = `The PersistentVolume controller of Kubernetes ${report.simulated}, run dry. It looks at every volume and every claim (a resync), looks again at what it has written, and starts over until a whole resync writes nothing.`;
  for (const line of wrap(introduction, { width })) yield `${line}\n`;
  yield '\n';
  let quiet = 0;
  for (const sync of report.items) {
    if (!trace && isQuiet(sync)) {
      quiet++;
      continue;
    }
    yield* printSync(sync, options);
  }
  if (quiet > 0) yield `\n${theme.dim(`${quiet} syncs changed nothing (--trace shows them).`)}\n`;
  yield '\n';
  const rows = [...rowsOf('claim', report.claims), ...rowsOf('volume', report.volumes)];
  if (rows.length === 0) yield 'Nothing changes.\n';
  else yield* printTable(['object', 'before', 'after'], rows, { headers: true, heading: theme.heading });
  if (!report.settled) yield '\nThe run was stopped: something is written again and again.\n';
}

/** Nothing was written, said or wrong. */
const isQuiet = ({ writes, events, error, lacks }: SyncReport): boolean =>
  writes.length === 0 && events.length === 0 && error === undefined && lacks === undefined;

function* printSync(sync: SyncReport, { theme, width }: SimulationTextOptions): Iterable<string> {
  const { namespace, name } = sync.metadata;
  const title = escapeTerminal(`${sync.of} ${namespace === undefined ? '' : `${namespace}/`}${name}`);
  yield `${String(sync.number).padStart(4)}  ${theme.bold(title)}\n`;
  let at = '';
  for (const { at: where, meaning } of sync.took) {
    const first = where === at ? `${margin}${' '.repeat(where.length + 2)}` : `${margin}${where}: `;
    at = where;
    for (const line of wrap(escapeTerminal(meaning), {
      width,
      first,
      rest: `${margin}${' '.repeat(where.length + 2)}`,
    }))
      yield `${line}\n`;
  }
  const line = function* (label: string, text: string) {
    const first = `${margin}${label.padEnd(9)}`;
    for (const part of wrap(escapeTerminal(text), { width, first, rest: ' '.repeat(first.length) })) yield `${part}\n`;
  };
  for (const write of sync.writes) yield* line('writes', write);
  for (const event of sync.events)
    yield* line('event', `${event.type} ${event.reason} on ${event.object}: ${event.message}`);
  if (sync.error !== undefined) yield* line('error', sync.error);
  if (sync.lacks !== undefined) yield* line('unknown', `the input lacks ${sync.lacks.join(', ')}`);
}

function rowsOf(kind: string, changes: readonly Change[]): string[][] {
  return changes.map(({ key, before, after }) => [`${kind} ${key}`, stateText(before), stateText(after)]);
}

const stateText = (state: State | undefined): string =>
  state === undefined
    ? 'gone'
    : `${state.phase || '<no phase>'}${state.bound === undefined ? '' : ` (${state.bound})`}`;

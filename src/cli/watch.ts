import { exitCodes } from '../report/exit-code.ts';
import { asStored } from '../snapshot/stored.ts';
import { parseTimeout } from '../sources/live/flags.ts';
import { snapshotOf } from '../sources/live/reading.ts';
import { systemTiming } from '../sources/live/timing.ts';
import { watchCluster } from '../sources/live/watch-cluster.ts';
import { UsageError } from './errors.ts';
import { type Cluster, type InputOptions, inNamespaceOf, refusesIssues } from './input.ts';
import { readLive } from './live.ts';
import { type Streams, writeAll } from './streams.ts';

/** What is to be seen of the cluster at one moment. */
export interface Look {
  /** With the ages as they are at a time, in milliseconds since 1970. */
  text(now: number): string;
  /** Whether every claim that was named is bound. */
  readonly isBound: boolean;
}

export interface WatchOptions extends InputOptions {
  readonly untilBound?: boolean;
  /** A Go duration or a number of seconds. */
  readonly timeout?: string;
}

/** The screen and what was scrolled out of it. */
const clear = '\x1b[H\x1b[2J\x1b[3J';

/**
 * Looks at the cluster again whenever it changes. On a terminal the last look stays; elsewhere each one that differs, ages apart, is
 * written below the time. Ends with `untilBound`: 0 when the claims are bound, 1 when the time is over. Rejects as `look` does at first,
 * and as readLive does.
 */
export async function watch(
  options: WatchOptions,
  alsoIn: readonly string[],
  streams: Streams,
  look: (cluster: Cluster) => Look,
): Promise<number> {
  const timeoutMs = options.timeout === undefined ? 0 : parseTimeout(options.timeout);
  const { client, connection, reading } = await readLive(options, alsoIn, streams);
  const over = new AbortController();
  const callOff = timeoutMs === 0 ? () => {} : systemTiming.after(timeoutMs, () => over.abort());
  const clusterOf = (read: typeof reading): Cluster => {
    const stored = asStored(snapshotOf(read));
    return inNamespaceOf(connection.namespace, options, stored);
  };
  try {
    const first = clusterOf(reading);
    if (refusesIssues(first, options, streams)) return exitCodes.failure;
    const show = shower(streams);
    let seen = look(first);
    await show(seen);
    if (options.untilBound && seen.isBound) return exitCodes.clean;
    const changes = watchCluster(client, reading, {
      timing: systemTiming,
      signal: over.signal,
      trouble: (error) => void streams.stderr.write(`Warning: ${error.message}; trying again\n`),
    });
    for await (const next of changes) {
      seen = lookAgain(look, clusterOf(next));
      await show(seen);
      if (options.untilBound && seen.isBound) return exitCodes.clean;
    }
    streams.stderr.write('error: timed out waiting for the claims to be bound\n');
    return exitCodes.findings;
  } finally {
    callOff();
    over.abort();
    client.close();
  }
}

/** A claim that has gone while it was watched may come back. */
function lookAgain(look: (cluster: Cluster) => Look, cluster: Cluster): Look {
  try {
    return look(cluster);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { text: () => `${error.message}\n`, isBound: false };
  }
}

function shower({ stdout }: Streams): (look: Look) => Promise<void> {
  // Ages alone are no change.
  const fixed = systemTiming.now();
  let before: string | undefined;
  return async (look) => {
    const content = look.text(fixed);
    if (content === before) return;
    const isFirst = before === undefined;
    before = content;
    const now = systemTiming.now();
    const text = isFirst ? content : look.text(now);
    if (stdout.isTTY === true) return writeAll(stdout, [clear, text]);
    const time = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
    await writeAll(stdout, [isFirst ? '' : '\n', `${time}\n`, text]);
  };
}

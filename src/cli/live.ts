import { connect, type OpenCluster } from '../sources/live/connect.ts';
import { ConnectionError } from '../sources/live/errors.ts';
import type { ConnectionFlags } from '../sources/live/flags.ts';
import { createProgressLine } from '../sources/live/progress-line.ts';
import { readCluster } from '../sources/live/read-cluster.ts';
import type { Reading, Scope } from '../sources/live/reading.ts';
import { processSurroundings } from '../sources/live/surroundings.ts';
import { systemTiming } from '../sources/live/timing.ts';
import { dumpCommand, UsageError } from './errors.ts';
import type { Streams } from './streams.ts';

export interface LiveOptions extends ConnectionFlags {
  readonly allNamespaces?: boolean;
}

/** A cluster that was read and can be asked again: close the client in the end. */
export interface LiveCluster extends OpenCluster {
  readonly reading: Reading;
}

/**
 * Reads the cluster that flags, kubeconfig and environment name: the objects of one namespace, that of the context if none is
 * named, and of those in `alsoIn`; or of all. Rejects with ConfigError, ConnectionError, ApiStatusError, and with UsageError if
 * nothing names a cluster and none is found where kubectl looks then.
 */
export async function readLive(
  options: LiveOptions,
  alsoIn: readonly string[],
  { stderr }: Streams,
): Promise<LiveCluster> {
  const warn = (text: string) => void stderr.write(`Warning: ${text}\n`);
  const open = await connect({ flags: options, surroundings: processSurroundings(), timing: systemTiming, warn });
  const { client, connection } = open;
  const scope: Scope = options.allNamespaces ? 'all' : [...new Set([connection.namespace, ...alsoIn])];
  const progress = createProgressLine(stderr, systemTiming);
  try {
    const reading = await readCluster(client, {
      scope,
      timing: systemTiming,
      progress: (kind, count) => progress.tell(kind, count),
    });
    return { ...open, reading };
  } catch (error) {
    client.close();
    if (!(error instanceof ConnectionError) || connection.doubt === undefined) throw error;
    throw new UsageError(`${error.message}; a dump is read with -f PATH (${dumpCommand} > cluster.yaml)`, {
      cause: error,
    });
  } finally {
    progress.end();
  }
}

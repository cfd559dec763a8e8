import { buildSnapshot } from '../snapshot/build.ts';
import type { LoadIssue, Snapshot } from '../snapshot/snapshot.ts';
import { asStored } from '../snapshot/stored.ts';
import { loadFiles } from '../sources/files.ts';
import { connectionFlags } from '../sources/live/flags.ts';
import { UsageError } from './errors.ts';
import type { LiveOptions } from './live.ts';
import type { Streams } from './streams.ts';
import type { WhatIfOptions } from './what-if.ts';

export interface InputOptions extends LiveOptions, WhatIfOptions {
  readonly from: readonly string[];
  readonly recursive?: boolean;
  readonly strict?: boolean;
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly kubernetesVersion?: string;
}

/** A cluster, and where to look for claims if no namespace is named: everywhere in a dump, live as kubectl does. */
export interface Cluster extends Snapshot {
  readonly namespace?: string;
  /** The cluster as it was read, if the options change something in it. */
  readonly unchanged?: Snapshot;
}

/**
 * Reads the dumps that the options name, or else the cluster itself. `alsoIn`: namespaces of what was asked for by name. Throws
 * UsageError, InputError, and as readLive does.
 */
export async function loadCluster(
  options: InputOptions,
  streams: Streams,
  alsoIn: readonly string[] = [],
): Promise<Cluster> {
  const cluster = await loadAsRead(options, streams, alsoIn);
  const stored = asStored(cluster);
  if (!changesSomething(options)) return { ...cluster, ...stored };
  const { whatIf } = await import('./what-if.ts');
  const namespace = options.namespace ?? cluster.namespace;
  const changed = await whatIf(stored, namespace === undefined ? options : { ...options, namespace }, streams);
  return { ...cluster, ...changed, unchanged: stored };
}

const changesSomething = ({ with: files = [], without = [], set = [] }: WhatIfOptions): boolean =>
  files.length + without.length + set.length > 0;

/** The same before the API server's defaults are filled in. */
export async function loadAsRead(
  options: InputOptions,
  streams: Streams,
  alsoIn: readonly string[] = [],
): Promise<Cluster> {
  if (options.from.length > 0) {
    refuseConnectionFlags(options);
    const loaded = await loadFiles(options.from, { recursive: options.recursive === true, stdin: streams.stdin });
    return buildSnapshot(loaded);
  }
  const [{ readLive }, { snapshotOf }] = await Promise.all([import('./live.ts'), import('../sources/live/reading.ts')]);
  const { client, connection, reading } = await readLive(options, alsoIn, streams);
  client.close();
  return inNamespaceOf(connection.namespace, options, snapshotOf(reading));
}

/** A live cluster with the namespace of its context, unless all are meant. */
export function inNamespaceOf(namespace: string, { allNamespaces }: InputOptions, snapshot: Snapshot): Cluster {
  return allNamespaces ? snapshot : { ...snapshot, namespace };
}

/** The namespaces in names such as NAMESPACE/NAME. */
export function namespacesIn(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const parts = name.replace(/^(pvc|persistentvolumeclaims?)\//, '').split('/');
    return parts.length === 2 ? [parts[0] as string] : [];
  });
}

/** Who names a cluster and a dump means one of them, and which one cannot be known. Scripts pass --cache-dir always. */
function refuseConnectionFlags(options: InputOptions): void {
  for (const { flag } of connectionFlags) {
    const name = /--([a-z-]+)/.exec(flag)?.[1] as string;
    const key = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (name === 'cache-dir' || !Object.hasOwn(options, key)) continue;
    throw new UsageError(`--${name} cannot be used with -f: a dump is read, no cluster is asked`);
  }
}

/** Tells on stderr what in the input could not be used; true if --strict makes that a failure. */
export function refusesIssues(
  { issues }: Snapshot,
  { strict }: Pick<InputOptions, 'strict'>,
  { stderr }: Streams,
): boolean {
  for (const issue of issues) stderr.write(`${issue.severity}: ${placeOf(issue)}: ${issue.reason}\n`);
  return strict === true && issues.length > 0;
}

function placeOf({ file, document, line }: LoadIssue): string {
  return [file, document, line].filter((part) => part !== undefined).join(':');
}

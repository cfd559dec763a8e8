import { buildSnapshot } from '../snapshot/build.ts';
import type { LoadIssue, Snapshot } from '../snapshot/snapshot.ts';
import { asStored } from '../snapshot/stored.ts';
import { loadFiles } from '../sources/files.ts';
import { UsageError } from './errors.ts';
import type { Streams } from './streams.ts';

export interface InputOptions {
  readonly from: readonly string[];
  readonly recursive?: boolean;
  readonly strict?: boolean;
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly kubernetesVersion?: string;
}

/** Reads the cluster that the options name. Throws UsageError, InputError. */
export async function loadCluster(options: InputOptions, streams: Streams): Promise<Snapshot> {
  if (options.from.length === 0) {
    throw new UsageError(
      'no input: name a dump with -f PATH (kubectl get pv,pvc,sc,node,pod,event -A -o yaml > cluster.yaml)',
    );
  }
  const loaded = await loadFiles(options.from, { recursive: options.recursive === true, stdin: streams.stdin });
  return asStored(buildSnapshot(loaded));
}

/** Tells on stderr what in the input could not be used. */
export function tellIssues({ issues }: Snapshot, { stderr }: Streams): void {
  for (const issue of issues) stderr.write(`${issue.severity}: ${placeOf(issue)}: ${issue.reason}\n`);
}

function placeOf({ file, document, line }: LoadIssue): string {
  return [file, document, line].filter((part) => part !== undefined).join(':');
}

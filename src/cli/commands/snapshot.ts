import { printJson } from '../../printers/json.ts';
import { printYaml } from '../../printers/yaml.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { snapshotDocument } from '../../snapshot/document.ts';
import { writeDocument } from '../../sources/write-document.ts';
import { UsageError } from '../errors.ts';
import { type InputOptions, loadAsRead, refusesIssues } from '../input.ts';
import { type Streams, writeAll } from '../streams.ts';

export interface SnapshotOptions extends InputOptions {
  readonly to: string;
}

/** `kubectl pvc-explain snapshot --to FILE`: what was read, redacted, for `-f`. Throws UsageError, InputError, and as readLive does. */
export async function snapshot(options: SnapshotOptions, streams: Streams): Promise<number> {
  const { to } = options;
  const format = to === '-' ? 'yaml' : /\.(json|ya?ml)(?:\.gz)?$/.exec(to)?.[1];
  if (format === undefined) {
    throw new UsageError(
      `${JSON.stringify(to)} has to end in .yaml or .json, perhaps with .gz behind; - is standard output`,
    );
  }
  const cluster = await loadAsRead(options, streams);
  if (refusesIssues(cluster, options, streams)) return exitCodes.failure;
  const namespace = cluster.namespace ?? options.namespace;
  const document = snapshotDocument(cluster, namespace === undefined ? [] : [namespace]);
  const pieces = format === 'json' ? printJson(document) : printYaml(document);
  if (to === '-') await writeAll(streams.stdout, pieces);
  else await writeDocument(to, pieces);
  return exitCodes.clean;
}

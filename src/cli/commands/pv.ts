import { parseSelectorText } from '../../api/label-selector.ts';
import { VolumeSide } from '../../diagnosis/volume-side.ts';
import { objectFormats, parseFormat } from '../../printers/formats.ts';
import { printCapacityLeft, printVolume, printVolumes } from '../../printers/volume-text.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { type VolumeReportList, volumeReportList } from '../../report/volume-report.ts';
import { notThere } from '../errors.ts';
import { examine, nowOf } from '../examine.ts';
import { type Cluster, type InputOptions, loadCluster, refusesIssues } from '../input.ts';
import { printObjects, readTemplate } from '../objects.ts';
import { presentation } from '../presentation.ts';
import { type Streams, writeAll } from '../streams.ts';

export interface PvOptions extends InputOptions {
  readonly selector?: string;
  readonly output?: string;
  readonly headers: boolean;
  readonly color: 'auto' | 'always' | 'never';
}

/** Freeing costs a run for each volume: it is tried for those that are named, or while there are not more than this. */
const mostFreed = 3;

/**
 * `kubectl pvc-explain pv [VOLUME...]`: volumes from their own side. Claims of every namespace count, for a volume belongs to none.
 * Throws UsageError, InputError, FormatError, SelectorError, and as readLive does.
 */
export async function pv(names: readonly string[], options: PvOptions, streams: Streams): Promise<number> {
  const format = parseFormat(options.output ?? '', objectFormats, readTemplate);
  const cluster = await loadCluster({ ...options, allNamespaces: true }, streams);
  if (refusesIssues(cluster, options, streams)) return exitCodes.failure;
  const examination = examine(cluster, options);
  const side = new VolumeSide(examination);
  const chosen = chooseVolumes(names, options, cluster, side);
  const isNamed = names.length > 0;
  const report = volumeReportList(examination, side, chosen, isNamed || chosen.length <= mostFreed);
  if (format.is !== 'table') {
    await printObjects(format, report, 'PersistentVolume', options, streams);
    return exitCodes.clean;
  }
  if (chosen.length === 0) {
    if (cluster.coverage('PersistentVolume').is === 'notCollected') return exitCodes.failure;
    streams.stderr.write('No resources found\n');
    return exitCodes.clean;
  }
  const text = presentation(options.color, streams, nowOf(cluster));
  await writeAll(
    streams.stdout,
    isNamed ? details(report, text) : overview(report, { ...text, wide: format.wide, headers: options.headers }),
  );
  return exitCodes.clean;
}

function* details(report: VolumeReportList, text: Parameters<typeof printVolume>[1]): Iterable<string> {
  let isFirst = true;
  for (const item of report.items) {
    if (!isFirst) yield '\n';
    isFirst = false;
    yield* printVolume(item, text);
  }
}

function* overview(report: VolumeReportList, options: Parameters<typeof printVolumes>[1]): Iterable<string> {
  yield* printVolumes(report.items, options);
  // A table without titles is for a program.
  if (!options.headers) return;
  yield '\n';
  yield* printCapacityLeft(report.left, options);
}

/** The volumes that were asked for, by name. Throws UsageError for one that is not there. */
function chooseVolumes(
  names: readonly string[],
  { namespace, selector, allNamespaces, from }: PvOptions,
  cluster: Cluster,
  side: VolumeSide,
): readonly string[] {
  const all = cluster.list('PersistentVolume');
  if (names.length > 0) return [...new Set(names.map((name) => findVolume(name, cluster, from)))];
  const labels = selector === undefined ? undefined : parseSelectorText(selector);
  return all
    .filter(({ metadata }) => labels === undefined || labels.matches(metadata.labels))
    .filter((volume) => {
      if (namespace === undefined || allNamespaces) return true;
      const claims = side.diagnose(volume).takers.map(({ claim }) => claim.slice(0, claim.indexOf('/')));
      return volume.spec.claimRef?.namespace === namespace || claims.includes(namespace);
    })
    .map(({ metadata }) => metadata.name);
}

function findVolume(name: string, cluster: Cluster, from: readonly string[]): string {
  const bare = name.replace(/^(pv|persistentvolumes?)\//, '');
  if (cluster.get('PersistentVolume', bare) !== undefined) return bare;
  const known = cluster.list('PersistentVolume').map(({ metadata }) => metadata.name);
  throw notThere('volume', bare, from, known);
}

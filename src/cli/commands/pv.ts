import { featuresFor, newestRelease } from '../../api/features.ts';
import { parseSelectorText } from '../../api/label-selector.ts';
import { Examination } from '../../diagnosis/diagnose.ts';
import { VolumeSide } from '../../diagnosis/volume-side.ts';
import { nearestName } from '../../diagnosis/words.ts';
import { simulate } from '../../engine/simulate.ts';
import { objectFormats, parseFormat } from '../../printers/formats.ts';
import { printCapacityLeft, printVolume, printVolumes } from '../../printers/volume-text.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { type VolumeReportList, volumeReportList } from '../../report/volume-report.ts';
import { UsageError } from '../errors.ts';
import { type Cluster, type InputOptions, loadCluster, tellIssues } from '../input.ts';
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
  tellIssues(cluster, streams);
  if (options.strict && cluster.issues.length > 0) return exitCodes.failure;
  const features = featuresFor(options.kubernetesVersion ?? cluster.kubernetesVersion ?? newestRelease);
  const examination = new Examination(simulate(cluster, { features }));
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
  const now = cluster.capturedAt === undefined ? Date.now() : Date.parse(cluster.capturedAt);
  const text = presentation(options.color, streams, now);
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
  if (names.length > 0) {
    const place = from.length > 0 ? 'input' : 'cluster';
    return [...new Set(names.map((name) => findVolume(name, cluster, place)))];
  }
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

function findVolume(name: string, cluster: Cluster, place: string): string {
  const bare = name.replace(/^(pv|persistentvolumes?)\//, '');
  if (cluster.get('PersistentVolume', bare) !== undefined) return bare;
  const nearest = nearestName(
    bare,
    cluster.list('PersistentVolume').map(({ metadata }) => metadata.name),
  );
  const hint = nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
  throw new UsageError(`volume ${JSON.stringify(bare)} is not in the ${place}${hint}`);
}

import { parseSelectorText } from '../../api/label-selector.ts';
import type { Pod } from '../../api/objects.ts';
import { waitingPods } from '../../diagnosis/pod-side.ts';
import { podKey } from '../../engine/turns.ts';
import { objectFormats, parseFormat } from '../../printers/formats.ts';
import { printPod, printPods } from '../../printers/pod-text.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { podReportList } from '../../report/pod-report.ts';
import { notThere } from '../errors.ts';
import { examine, nowOf } from '../examine.ts';
import { type Cluster, type InputOptions, loadCluster, refusesIssues } from '../input.ts';
import { printObjects, readTemplate } from '../objects.ts';
import { presentation } from '../presentation.ts';
import { type Streams, writeAll } from '../streams.ts';

export interface PodOptions extends InputOptions {
  readonly selector?: string;
  readonly output?: string;
  readonly headers: boolean;
  readonly color: 'auto' | 'always' | 'never';
}

/**
 * `kubectl pvc-explain pod [POD...]`: what the scheduler makes of pods; of all that have no node if none is named. Throws UsageError,
 * InputError, FormatError, SelectorError, and as readLive does.
 */
export async function pod(names: readonly string[], options: PodOptions, streams: Streams): Promise<number> {
  const format = parseFormat(options.output ?? '', objectFormats, readTemplate);
  const bare = names.map((name) => name.replace(/^(po|pods?)\//, ''));
  const elsewhere = bare.flatMap((name) => (name.includes('/') ? [name.slice(0, name.indexOf('/'))] : []));
  const cluster = await loadCluster(options, streams, elsewhere);
  if (refusesIssues(cluster, options, streams)) return exitCodes.failure;
  const namespace = options.namespace ?? cluster.namespace;
  const scoped = namespace === undefined ? options : { ...options, namespace };
  const keys = choosePods(bare, scoped, cluster);
  const examination = examine(cluster, options);
  const report = podReportList(examination, keys);
  if (format.is !== 'table') {
    await printObjects(format, report, 'Pod', options, streams);
    return exitCodes.clean;
  }
  if (keys.length === 0) {
    if (cluster.coverage('Pod', namespace).is === 'notCollected') return exitCodes.failure;
    streams.stderr.write(`No pod waits for a node${namespace === undefined ? '' : ` in ${namespace} namespace`}\n`);
    return exitCodes.clean;
  }
  const text = presentation(options.color, streams, nowOf(cluster));
  const isDetailed = names.length > 0 || (keys.length === 1 && !format.wide);
  const withNamespace = namespace === undefined || options.allNamespaces === true;
  await writeAll(
    streams.stdout,
    isDetailed
      ? details(report.items, text)
      : printPods(report.items, { ...text, withNamespace, wide: format.wide, headers: options.headers }),
  );
  return exitCodes.clean;
}

function* details(items: ReturnType<typeof podReportList>['items'], text: Parameters<typeof printPod>[1]) {
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) yield '\n';
    isFirst = false;
    yield* printPod(item, text);
  }
}

/** The keys of the pods that were asked for. Throws UsageError for a name that is not there. */
function choosePods(names: readonly string[], options: PodOptions, cluster: Cluster): readonly string[] {
  const { namespace, allNamespaces, selector } = options;
  const isIn = ({ metadata }: Pod) => allNamespaces || namespace === undefined || metadata.namespace === namespace;
  if (names.length > 0) return [...new Set(names.flatMap((name) => findPod(name, isIn, cluster, options)))];
  const labels = selector === undefined ? undefined : parseSelectorText(selector);
  return waitingPods(cluster)
    .filter((one) => isIn(one) && (labels === undefined || labels.matches(one.metadata.labels)))
    .map(podKey);
}

function findPod(name: string, isIn: (pod: Pod) => boolean, cluster: Cluster, { from }: PodOptions): readonly string[] {
  const all = cluster.list('Pod');
  const isWhole = name.includes('/');
  const found = isWhole
    ? all.filter((one) => podKey(one) === name)
    : all.filter((one) => isIn(one) && one.metadata.name === name);
  if (found.length > 0) return found.map(podKey);
  const known = isWhole ? all.map(podKey) : all.filter(isIn).map(({ metadata }) => metadata.name);
  throw notThere('pod', name, from, known);
}

import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Features, featuresFor, newestRelease } from '../../api/features.ts';
import { positionOfField } from '../../manifests/field-position.ts';
import { printCheck } from '../../printers/check-text.ts';
import { type Format, parseFormat, reportFormats } from '../../printers/formats.ts';
import { printGithub } from '../../printers/github.ts';
import { printGitlab } from '../../printers/gitlab.ts';
import { printJson } from '../../printers/json.ts';
import { printJunit } from '../../printers/junit.ts';
import { printMarkdown } from '../../printers/markdown.ts';
import { printSarif } from '../../printers/sarif.ts';
import { printYaml } from '../../printers/yaml.ts';
import { type BaselineEntry, BaselineError, readBaseline, writeBaseline } from '../../report/baseline.ts';
import { baselineOf, type CheckReport, checkReport, exitCodeOf } from '../../report/check-report.ts';
import { type CheckConfig, ConfigError, type FailOn, noConfig, readConfig } from '../../report/config.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { buildSnapshot } from '../../snapshot/build.ts';
import { allKinds } from '../../snapshot/kinds.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { asStored } from '../../snapshot/stored.ts';
import { inNamespace, loadManifests, type ReadManifests } from '../../sources/manifests.ts';
import { parseYamlDocument } from '../../sources/yaml-document.ts';
import { UsageError } from '../errors.ts';
import { type Cluster, type InputOptions, loadCluster, refusesIssues } from '../input.ts';
import { readTemplate } from '../objects.ts';
import { presentation } from '../presentation.ts';
import { pathsIn, repositoryRoot } from '../repository.ts';
import { type Streams, writeAll } from '../streams.ts';
import { ownVersion } from '../version.ts';

export interface CheckCommandOptions extends Omit<InputOptions, 'kubernetesVersion'> {
  readonly filename: readonly string[];
  readonly kustomize: readonly string[];
  readonly offline?: boolean;
  /** Releases, or ranges of them ("1.31..1.34"); one alone if it stands before the command. */
  readonly kubernetesVersion: readonly string[] | string;
  readonly failOn?: FailOn;
  readonly config?: string;
  readonly baseline?: string;
  readonly writeBaseline?: boolean;
  readonly output?: string;
  /** FORMAT=FILE */
  readonly report: readonly string[];
  readonly all?: boolean;
  readonly color: 'auto' | 'always' | 'never';
}

/**
 * `kubectl pvc-explain check [FILE...] -f MANIFESTS`: will these claims be served there? Throws UsageError, InputError, ConfigError,
 * FormatError, VersionError.
 */
export async function check(
  files: readonly string[],
  options: CheckCommandOptions,
  streams: Streams,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const format = checkFormat(options.output ?? '');
  const reports = options.report.map(reportOption);
  const paths = [...files, ...options.filename];
  refuseContradictions(paths, options);
  const root = repositoryRoot('.');
  const config = await configOf(options.config, root);
  const read = await loadManifests(paths, options.kustomize, {
    recursive: options.recursive === true,
    stdin: streams.stdin,
  });
  const cluster: Cluster = options.offline ? noCluster() : await clusterFor(read, options, streams);
  if (refusesIssues(cluster, options, streams)) return exitCodes.failure;
  const namespace = options.namespace ?? cluster.namespace ?? 'default';
  const report = checkReport({ ...read, manifests: inNamespace(read.manifests, namespace) }, cluster, {
    releases: releasesOf([options.kubernetesVersion].flat(), config, cluster),
    isOffline: options.offline === true,
    config,
    failOn: options.failOn ?? config.failOn ?? 'unknown',
    baseline: baselineEntries(options),
    pathOf: pathsIn(root),
  });
  const printing: Printing = { options, streams };
  await writeAll(streams.stdout, printed(report, format, printing));
  for (const { format: other, file } of reports) writeFile(file, printed(report, other, printing));
  if (format.is === 'github' && env.GITHUB_STEP_SUMMARY) addStepSummary(env.GITHUB_STEP_SUMMARY, report);
  if (!options.writeBaseline || options.baseline === undefined) return exitCodeOf(report);
  writeFile(options.baseline, [writeBaseline(baselineOf(report))]);
  return exitCodes.clean;
}

function refuseContradictions(paths: readonly string[], options: CheckCommandOptions): void {
  const { kustomize, offline, from, writeBaseline: writes, baseline } = options;
  if (paths.length === 0 && kustomize.length === 0) {
    throw new UsageError('no manifests: name them with -f PATH or -k FOLDER (helm template CHART | … check -f -)');
  }
  if (offline && from.length > 0) throw new UsageError('--offline and --from exclude each other');
  if (paths.includes('-') && from.includes('-')) {
    throw new UsageError('standard input ("-") can be the manifests or the cluster, not both');
  }
  if (writes && baseline === undefined) throw new UsageError('--write-baseline needs --baseline FILE');
}

/** The cluster as far as the manifests have to do with it: their namespaces, and what has no namespace. */
function clusterFor({ manifests }: ReadManifests, options: CheckCommandOptions, streams: Streams): Promise<Cluster> {
  const namespaces = manifests.flatMap(({ object }) => object.metadata.namespace ?? []);
  const { kubernetesVersion: _releases, ...input } = options;
  return loadCluster(input, streams, [...new Set(namespaces)]);
}

/** A cluster of which nothing is known; that is not a cluster that is empty. */
function noCluster(): Snapshot {
  const coverage = { is: 'notCollected', because: '--offline' } as const;
  const stated = allKinds.map((kind) => ({ kind, scope: 'cluster', coverage }) as const);
  return asStored(buildSnapshot({ sources: [{ name: '--offline', objects: [], coverage: stated }], issues: [] }));
}

function releasesOf(given: readonly string[], config: CheckConfig, cluster: Snapshot): readonly Features[] {
  const asked = given.length > 0 ? given : (config.kubernetesVersions ?? [cluster.kubernetesVersion ?? newestRelease]);
  const found = new Map<string, Features>();
  for (const text of asked.flatMap(eachRelease)) {
    const features = featuresFor(text);
    if (!found.has(features.release)) found.set(features.release, features);
  }
  return [...found.values()].sort((a, b) => minorOf(a.release) - minorOf(b.release));
}

const minorOf = (release: string): number => Number(release.slice(release.indexOf('.') + 1));

/** The releases of a range "1.31..1.34"; anything else is one release. Throws UsageError. */
function eachRelease(text: string): readonly string[] {
  const range = /^v?1\.(\d{1,3})\.\.v?1\.(\d{1,3})$/.exec(text);
  if (range === null) return [text];
  const [from, to] = [Number(range[1]), Number(range[2])];
  if (from > to) throw new UsageError(`--kubernetes-version ${text}: the older release comes first`);
  return Array.from({ length: to - from + 1 }, (_, i) => `1.${from + i}`);
}

const configName = '.pvc-explain.yaml';

async function configOf(named: string | undefined, root: string): Promise<CheckConfig> {
  const file = named ?? findConfig(root);
  if (file === undefined) return noConfig;
  const text = readText(file, 'the configuration');
  const value = await parseYamlDocument(text, file);
  try {
    return readConfig(value);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { line } = positionOfField(text, error.path);
    throw new ConfigError(error.path, `${file}:${line + 1}: ${error.message}`);
  }
}

/** The nearest configuration from here up to the root of the repository. */
function findConfig(root: string): string | undefined {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const misspelt = join(folder, configName.replace(/yaml$/, 'yml'));
    if (existsSync(misspelt)) {
      throw new ConfigError([], `${relative('', misspelt)} is not read: rename it to ${configName}`);
    }
    const file = join(folder, configName);
    if (existsSync(file)) return relative('', file);
    if (folder === root || dirname(folder) === folder) return undefined;
  }
}

function baselineEntries({ baseline, writeBaseline: writes }: CheckCommandOptions): readonly BaselineEntry[] {
  // A baseline that is written anew starts from nothing.
  if (baseline === undefined || writes) return [];
  try {
    return readBaseline(readText(baseline, 'the baseline')).findings;
  } catch (error) {
    if (error instanceof BaselineError) throw new UsageError(`baseline ${JSON.stringify(baseline)}: ${error.message}`);
    throw error;
  }
}

function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw new UsageError(`reading ${what} ${JSON.stringify(file)}: ${reason}`);
  }
}

type CheckFormat = Extract<Format, { is: 'json' | 'yaml' | (typeof reportFormats)[number] }> | { readonly is: 'text' };

function checkFormat(value: string): CheckFormat {
  if (value === '' || value === 'text') return { is: 'text' };
  return parseFormat(value, ['json', 'yaml', ...reportFormats], readTemplate) as CheckFormat;
}

function reportOption(value: string): { readonly format: CheckFormat; readonly file: string } {
  const equals = value.indexOf('=');
  const [name, file] = [value.slice(0, Math.max(0, equals)), value.slice(equals + 1)];
  if (name === '' || file === '') throw new UsageError(`--report ${JSON.stringify(value)}: it must be FORMAT=FILE`);
  return { format: checkFormat(name), file };
}

interface Printing {
  readonly options: CheckCommandOptions;
  readonly streams: Streams;
}

function printed(report: CheckReport, format: CheckFormat, { options, streams }: Printing): Iterable<string> {
  switch (format.is) {
    case 'text':
      return printCheck(report, { ...presentation(options.color, streams, 0), all: options.all === true });
    case 'json':
      return printJson(report);
    case 'yaml':
      return printYaml(report);
    case 'junit':
      return printJunit(report);
    case 'sarif':
      return printSarif(report, { version: ownVersion, hasBaseline: options.baseline !== undefined });
    case 'github':
      return printGithub(report);
    case 'gitlab':
      return printGitlab(report);
    case 'markdown':
      return printMarkdown(report);
  }
}

function writeFile(file: string, pieces: Iterable<string>): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, [...pieces].join(''));
  } catch (error) {
    throw new UsageError(
      `writing ${JSON.stringify(file)}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`,
    );
  }
}

/** GitHub takes 1 MiB for the summary of a step, all that is in it already included. */
const summaryLimit = 1024 * 1024;

function addStepSummary(file: string, report: CheckReport): void {
  const taken = existsSync(file) ? statSync(file).size : 0;
  appendFileSync(file, [...printMarkdown(report, { limit: summaryLimit - taken })].join(''));
}

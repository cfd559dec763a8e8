import { setMaxListeners } from 'node:events';
import { allKinds, isNamespaced, type Kind, kinds } from '../../snapshot/kinds.ts';
import type { StatedCoverage } from '../../snapshot/loaded.ts';
import type { Coverage, LoadIssue } from '../../snapshot/snapshot.ts';
import { ApiStatusError, ConnectionError, isForbidden, isUnauthorized } from './errors.ts';
import { type Listing, listPart } from './list-part.ts';
import { present } from './present.ts';
import { readAgain } from './read-again.ts';
import type { Part, Reading, Scope } from './reading.ts';
import { pathOf, resourcesOf } from './resource-path.ts';
import type { RestClient } from './rest-client.ts';
import { createTake } from './take-object.ts';
import { type Timing, timestampOf } from './timing.ts';

export interface ReadOptions {
  readonly scope: Scope;
  readonly timing: Timing;
  readonly progress?: (kind: Kind, count: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Kinds that decide about a claim wherever they are: volumes may be bound or reserved for claims of other namespaces, pods of all
 * namespaces fill the nodes, and drivers publish their capacity in their own namespace. Read everywhere if that is permitted.
 */
const readEverywhere: ReadonlySet<Kind> = new Set(['PersistentVolumeClaim', 'Pod', 'CSIStorageCapacity']);

/**
 * Reads all kinds in parallel. What may not be listed or does not exist becomes coverage; after that, what the objects name and
 * the lists lack is read once more. Rejects with ApiStatusError if the user is not logged in, with the first error if
 * nothing at all can be read, and as RestClient does for the rest.
 */
export async function readCluster(client: RestClient, options: ReadOptions): Promise<Reading> {
  const { scope, timing, progress } = options;
  const failed = new AbortController();
  const signal = options.signal === undefined ? failed.signal : AbortSignal.any([failed.signal, options.signal]);
  // Dozens of requests listen to it; that is no leak.
  setMaxListeners(0, signal);
  const unreadable: LoadIssue[] = [];
  const take = createTake((issue) => unreadable.push(issue));
  const listing: Listing = present({ client, signal, take, progress });
  // Before the lists: what happens while they are read has happened after this moment.
  const takenAt = timestampOf(timing);
  try {
    const [version, ...read] = await Promise.all([
      readVersion(client, signal),
      ...allKinds.map((kind) => readKind(listing, kind, scope)),
    ]);
    const failure = read.flatMap(({ failures }) => failures)[0];
    if (failure !== undefined && read.every(({ parts }) => parts.length === 0)) throw failure;
    const reading: Reading = present({
      server: client.server,
      parts: read.flatMap(({ parts }) => parts),
      single: [],
      coverage: read.flatMap(({ coverage }) => coverage),
      issues: read.flatMap(({ issues }) => issues),
      kubernetesVersion: version,
      takenAt,
    });
    const whole = await readAgain(listing, scope, reading);
    return { ...whole, issues: [...unreadable, ...whole.issues] };
  } catch (error) {
    failed.abort();
    throw error;
  }
}

interface KindReading {
  readonly parts: readonly Part[];
  readonly coverage: readonly StatedCoverage[];
  readonly issues: readonly LoadIssue[];
  /** Errors that say nothing about what the user may see. */
  readonly failures: readonly Error[];
}

async function readKind(listing: Listing, kind: Kind, scope: Scope): Promise<KindReading> {
  const conclude = (attempts: readonly Attempt[]) => asKindReading(listing.client.server, kind, attempts, scope);
  if (!isNamespaced(kind) || scope === 'all') return conclude([await attempt(listing, kind, undefined)]);
  const whole: Attempt = readEverywhere.has(kind)
    ? await attempt(listing, kind, undefined)
    : { coverage: notAskedFor(scope) };
  // A driver's namespace is none of those that were asked for.
  if (whole.coverage.is !== 'notCollected' || kind === 'CSIStorageCapacity') return conclude([whole]);
  return conclude([whole, ...(await Promise.all(scope.map((namespace) => attempt(listing, kind, namespace))))]);
}

interface Attempt {
  readonly namespace?: string;
  readonly part?: Part;
  readonly coverage: Coverage;
  readonly failure?: Error;
}

async function attempt(listing: Listing, kind: Kind, namespace: string | undefined): Promise<Attempt> {
  const at = namespace === undefined ? {} : { namespace };
  try {
    const part = await listPart(listing, kind, namespace);
    if (part === undefined) return { ...at, coverage: { is: 'empty' } };
    return { ...at, part, coverage: { is: part.objects.size === 0 ? 'empty' : 'present' } };
  } catch (error) {
    const isAnswer = error instanceof ApiStatusError || error instanceof ConnectionError;
    if (!isAnswer || isUnauthorized(error) || listing.signal.aborted) throw error;
    if (!isForbidden(error)) return { ...at, coverage: { is: 'notCollected', because: error.message }, failure: error };
    const because = `forbidden: ${(error as ApiStatusError).serverMessage}`;
    return { ...at, coverage: { is: 'notCollected', because, settledBy: permission(kind, namespace) } };
  }
}

function permission(kind: Kind, namespace: string | undefined): string {
  const where = namespace === undefined ? ' in all namespaces' : ` in namespace ${namespace}`;
  return `list ${kinds[kind].resource}${isNamespaced(kind) ? where : ''}`;
}

function notAskedFor(namespaces: readonly string[]): Coverage {
  const only = `${namespaces.length === 1 ? 'namespace' : 'namespaces'} ${namespaces.join(', ')}`;
  return { is: 'notCollected', because: `only ${only} was read`, settledBy: '-A' };
}

function asKindReading(server: string, kind: Kind, attempts: readonly Attempt[], scope: Scope): KindReading {
  const parts = attempts.flatMap(({ part }) => part ?? []);
  const failed = attempts.flatMap(({ failure, namespace }) => (failure === undefined ? [] : { failure, namespace }));
  const issues: LoadIssue[] = failed.map(({ failure, namespace }) => ({
    severity: 'error',
    file: server + pathOf(resourcesOf(kind)[0]!, namespace),
    reason: failure.message,
  }));
  return {
    parts,
    coverage: attempts.map(({ namespace, coverage }) => ({
      kind,
      coverage,
      scope: namespace === undefined ? 'cluster' : { namespace },
    })),
    issues: [
      ...issues,
      ...(failed.length === 0 && parts.length === 0 ? withoutClaims(server, kind, attempts.at(-1)!, scope) : []),
    ],
    failures: failed.map(({ failure }) => failure),
  };
}

/** Anything else that is forbidden is coverage enough, but without claims there is nothing to explain. */
function withoutClaims(
  server: string,
  kind: Kind,
  { namespace, coverage }: Attempt,
  scope: Scope,
): readonly LoadIssue[] {
  if (kind !== 'PersistentVolumeClaim' || coverage.is !== 'notCollected') return [];
  const advice = scope === 'all' ? '; -n NAMESPACE reads one namespace' : '';
  return [
    { severity: 'error', file: server + pathOf(resourcesOf(kind)[0]!, namespace), reason: coverage.because + advice },
  ];
}

async function readVersion(client: RestClient, signal: AbortSignal): Promise<string | undefined> {
  try {
    const version = (await client.get('/version', {}, signal)) as { readonly gitVersion?: unknown } | null;
    return typeof version?.gitVersion === 'string' ? version.gitVersion : undefined;
  } catch (error) {
    // It may be closed to strangers; who may list nothing hears of it from the lists.
    if (error instanceof ApiStatusError || error instanceof ConnectionError) return undefined;
    throw error;
  }
}

import type { Features } from '../../src/api/features.ts';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '../../src/api/objects.ts';
import type { Choose, Options } from '../../src/engine/choose.ts';
import { Controller, type Sync } from '../../src/engine/pv-controller/controller.ts';
import type { Candidate } from '../../src/engine/pv-controller/find-matching-volume.ts';
import { pluginsOf } from '../../src/engine/pv-controller/plugins.ts';
import { ControllerRun } from '../../src/engine/pv-controller/run.ts';
import { textOfWrite, World } from '../../src/engine/world.ts';
import { decode, encode, type RawObject, type Request } from './protocol.ts';

/** Everything that mode "controller" and mode "cluster" start from. */
export interface Started {
  readonly world: World;
  readonly run: ControllerRun;
  readonly steps: { sync: string; error?: string; writes?: string[]; events?: unknown }[];
  readonly deleted: string[];
}

export function start(
  request: Request,
  objects: readonly RawObject[],
  features: Features,
  wholeResyncs = true,
): Started {
  const only = <T>(kind: string): T[] => objects.filter((object) => object.kind === kind) as unknown as T[];
  const surroundings = {
    classes: new Map(only<StorageClass>('StorageClass').map((one) => [one.metadata.name, one])),
    pods: only<Pod>('Pod'),
    nodes: only<Node>('Node'),
    lacks: () => false,
  };
  const refuse = new Map((request.refuse ?? []).map((target) => [target, Number.POSITIVE_INFINITY]));
  const claims = only<PersistentVolumeClaim>('PersistentVolumeClaim');
  const world = new World(claims, only<PersistentVolume>('PersistentVolume'), surroundings, { refuse });
  const controller = new Controller(world, {
    features,
    choose: tieBreaker(request),
    plugins: pluginsOf(features),
    dynamicProvisioning: request.dynamicProvisioning ?? true,
  });
  const steps: Started['steps'] = [];
  const deleted: string[] = [];
  const run = new ControllerRun(controller, {
    ...(request.claims === undefined ? {} : { claims: request.claims }),
    ...(request.volumes === undefined ? {} : { volumes: request.volumes }),
    ...(request.queue === undefined ? {} : { queue: request.queue }),
    rounds: request.rounds || 10,
    // The oracle's queues see writes and whole resyncs only.
    wholeResyncs,
    ignoreEnqueued: wholeResyncs,
    onSync: (sync) => {
      for (const { verb, key } of sync.writes) if (verb === 'delete') deleted.push(key);
      if (request.trace) steps.push(stepOf(sync));
    },
  });
  return { world, run, steps, deleted };
}

/** The oracle's choice among volumes that the controller holds for equal: struct Request, Ties, in oracle/main.go. */
function tieBreaker({ ties, volumes = [] }: Request): Choose {
  const direction = ties === 'last' ? -1 : 1;
  const given = new Map(ties === 'order' ? volumes.map((name, i) => [name, i - volumes.length]) : []);
  const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  const rank = ({ volume, bucket }: Candidate, other: Candidate) => {
    const [name, otherName] = [volume.metadata.name, other.volume.metadata.name];
    const byModes = direction * text(bucket.modes, other.bucket.modes);
    const byGiven = (given.get(name) ?? 0) - (given.get(otherName) ?? 0);
    return byModes || byGiven || direction * text(name, otherName);
  };
  return (point, options) => {
    if (point.at !== 'volume') return options.first;
    return [...(options as unknown as Options<Candidate>)].sort(rank)[0] as never;
  };
}

const stepOf = ({ of, key, writes, events, error }: Sync): Started['steps'][number] => ({
  sync: `${of} ${key}`,
  ...(error === undefined ? {} : { error }),
  ...(writes.length > 0 ? { writes: writes.map(textOfWrite) } : {}),
  ...(events.length > 0 ? { events } : {}),
});

export function stateOf({ world, run, steps, deleted }: Started): object {
  const byKey = <T extends { metadata: { namespace?: string; name: string } }>(list: Iterable<T>) =>
    [...list].sort((a, b) => (keyText(a) < keyText(b) ? -1 : 1)).map((one) => encode(one as never));
  return {
    settled: run.settled,
    events: run.events,
    claims: byKey(world.claims()),
    volumes: byKey(world.volumes()),
    ...(deleted.length > 0 ? { deleted } : {}),
    ...(steps.length > 0 ? { steps } : {}),
  };
}

const keyText = ({ metadata }: { metadata: { namespace?: string; name: string } }): string =>
  metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name;

/** Mode "controller": the controller runs until nothing changes, then the request's deletions happen one after the other. */
export function answerController(request: Request, features: Features): object {
  const started = start(request, decode(request.objects ?? []), features);
  started.run.settle();
  for (const what of request.then ?? []) {
    const [, kind, key] = /^delete (\S+) (.*)$/.exec(what) ?? [];
    if (kind === undefined || key === undefined) throw new Error(`not understood: ${JSON.stringify(what)}`);
    if (kind === 'claim') started.world.removeClaim(key);
    else started.world.removeVolume(key);
    started.run.settle([{ object: kind === 'claim' ? 'claim' : 'volume', key }]);
  }
  return stateOf(started);
}

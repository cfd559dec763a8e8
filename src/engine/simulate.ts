import type { ClaimKey } from '../api/accessors.ts';
import type { Features } from '../api/features.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Choose, chooseFirst } from './choose.ts';
import { Controller, type Sync } from './pv-controller/controller.ts';
import { pluginsOf } from './pv-controller/plugins.ts';
import { ControllerRun, type Run } from './pv-controller/run.ts';
import { type SchedulerCluster, schedulerClusterOf } from './scheduler/cluster.ts';
import { SchedulerCache } from './scheduler/scheduler-cache.ts';
import { type PodKey, type Turns, takeTurns } from './turns.ts';
import { type World, type WorldOptions, worldOf } from './world.ts';

export interface SimulationOptions extends WorldOptions {
  readonly features: Features;
  readonly choose?: Choose;
  /** Keep every sync, not only the latest of each object. */
  readonly trace?: boolean;
  readonly claims?: readonly ClaimKey[];
  readonly volumes?: readonly string[];
  /** The order in which pods are scheduled; by name if absent. */
  readonly pods?: readonly PodKey[];
  /** Which of the feasible nodes a pod goes to: scores are not simulated. The first if absent. */
  readonly node?: 'first' | 'last';
}

/** What the controllers make of a snapshot. */
export interface Simulation {
  readonly snapshot: Snapshot;
  readonly features: Features;
  /** The cluster as it is when nothing changes any more. */
  readonly world: World;
  readonly run: Run;
  /** What the scheduler makes of the pods. */
  readonly turns: Turns;
  /** The scheduler's cache at the end, to ask for more. */
  readonly scheduler: SchedulerCache;
  /** Every sync in order, if the options asked for a trace. */
  readonly syncs: readonly Sync[];
}

/** Runs controller and scheduler over a snapshot until nothing changes. */
export function simulate(snapshot: Snapshot, options: SimulationOptions): Simulation {
  const syncs: Sync[] = [];
  const { world, run, scheduler } = controllerAtRest(snapshot, options, syncs);
  const turns = takeTurns(world, run, scheduler, {
    ...(options.pods === undefined ? {} : { pods: options.pods }),
    chooseNode: (_pod, feasible) => feasible.at(options.node === 'last' ? -1 : 0) as string,
  });
  return { snapshot, features: options.features, world, run, turns, scheduler, syncs };
}

/** The controller has nothing left to do, and the scheduler has not looked at any pod. `syncs` takes the trace that was asked for. */
export function controllerAtRest(
  snapshot: Snapshot,
  options: SimulationOptions,
  syncs: Sync[] = [],
): { readonly world: World; readonly run: ControllerRun; readonly scheduler: SchedulerCache } {
  const { features } = options;
  const world = worldOf(snapshot, options);
  const controller = new Controller(world, {
    features,
    choose: options.choose ?? chooseFirst,
    plugins: pluginsOf(features),
    dynamicProvisioning: true,
  });
  const run = new ControllerRun(controller, {
    ...(options.claims === undefined ? {} : { claims: options.claims }),
    ...(options.volumes === undefined ? {} : { volumes: options.volumes }),
    ...(options.trace ? { onSync: (sync: Sync) => void syncs.push(sync) } : {}),
  });
  run.settle();
  world.takeChanges();
  return { world, run, scheduler: new SchedulerCache(clusterOfWorld(world, schedulerClusterOf(snapshot, features))) };
}

/** The scheduler's view of a world: claims and volumes as they are now, everything else as it was read. */
export function clusterOfWorld(world: World, cluster: SchedulerCluster): SchedulerCluster {
  return {
    ...cluster,
    claim: (key) => world.peekClaim(key),
    volume: (name) => world.peekVolume(name),
    volumes: () => world.volumes(),
  };
}

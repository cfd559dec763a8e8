import type { ClaimKey } from '../api/accessors.ts';
import type { Features } from '../api/features.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Choose, chooseFirst } from './choose.ts';
import { Controller, type Sync } from './pv-controller/controller.ts';
import { pluginsOf } from './pv-controller/plugins.ts';
import { ControllerRun, type Run } from './pv-controller/run.ts';
import { type World, type WorldOptions, worldOf } from './world.ts';

export interface SimulationOptions extends WorldOptions {
  readonly features: Features;
  readonly choose?: Choose;
  /** Keep every sync, not only the latest of each object. */
  readonly trace?: boolean;
  readonly claims?: readonly ClaimKey[];
  readonly volumes?: readonly string[];
}

/** What the controllers make of a snapshot. */
export interface Simulation {
  readonly snapshot: Snapshot;
  readonly features: Features;
  /** The cluster as it is when nothing changes any more. */
  readonly world: World;
  readonly run: Run;
  /** Every sync in order, if the options asked for a trace. */
  readonly syncs: readonly Sync[];
}

/** Runs the controllers over a snapshot until nothing changes. */
export function simulate(snapshot: Snapshot, options: SimulationOptions): Simulation {
  const { features } = options;
  const world = worldOf(snapshot, options);
  const syncs: Sync[] = [];
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
  return { snapshot, features, world, run, syncs };
}

import { claimKey, reservedFor } from '../api/accessors.ts';
import { narrate } from '../diagnosis/narration.ts';
import type { Branch, ControllerEvent } from '../engine/pv-controller/branches.ts';
import type { Sync } from '../engine/pv-controller/controller.ts';
import type { Simulation } from '../engine/simulate.ts';
import { textOfWrite } from '../engine/world.ts';
import { apiVersion } from './claim-report.ts';

/** The run itself: every sync in order, and what has changed in the end. */
export interface SimulationReport {
  readonly apiVersion: typeof apiVersion;
  readonly kind: 'SimulationReport';
  readonly metadata: Record<never, never>;
  /** The release that was simulated, "1.37". */
  readonly simulated: string;
  /** Whether a whole resync wrote nothing in the end. */
  readonly settled: boolean;
  readonly items: Iterable<SyncReport>;
  readonly claims: readonly Change[];
  readonly volumes: readonly Change[];
}

export interface SyncReport {
  /** Number in the order of the run, from 1. */
  readonly number: number;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly of: 'claim' | 'volume';
  readonly took: readonly (Branch & { readonly meaning: string })[];
  readonly writes: readonly string[];
  readonly events: readonly ControllerEvent[];
  readonly error?: string;
  readonly lacks?: readonly string[];
}

/** What the run made of one object. */
export interface Change {
  readonly key: string;
  readonly before: State | undefined;
  readonly after: State | undefined;
}

/** What a person would look at: the phase, and who belongs to whom. */
export interface State {
  readonly phase: string;
  readonly bound?: string;
}

export function simulationReport(simulation: Simulation): SimulationReport {
  const { snapshot, world, run, syncs, features } = simulation;
  const claims = changes(
    snapshot
      .list('PersistentVolumeClaim')
      .map((claim) => [claimKey(claim), stateOf(claim.status?.phase, claim.spec.volumeName)]),
    [...world.claims()].map((claim) => [claimKey(claim), stateOf(claim.status?.phase, claim.spec.volumeName)]),
  );
  const volumes = changes(
    snapshot
      .list('PersistentVolume')
      .map((volume) => [volume.metadata.name, stateOf(volume.status?.phase, reservedFor(volume))]),
    [...world.volumes()].map((volume) => [volume.metadata.name, stateOf(volume.status?.phase, reservedFor(volume))]),
  );
  return {
    apiVersion,
    kind: 'SimulationReport',
    metadata: {},
    simulated: features.release,
    settled: run.settled,
    items: {
      *[Symbol.iterator]() {
        for (const [i, sync] of syncs.entries()) yield syncReport(sync, i + 1);
      },
    },
    claims,
    volumes,
  };
}

function syncReport({ of, key, took, writes, events, error, lacks }: Sync, number: number): SyncReport {
  const at = key.indexOf('/');
  return {
    number,
    metadata: at < 0 ? { name: key } : { name: key.slice(at + 1), namespace: key.slice(0, at) },
    of,
    took: took.map((branch) => ({ ...branch, meaning: narrate(branch) })),
    writes: writes.map(textOfWrite),
    events,
    ...(error === undefined ? {} : { error }),
    ...(lacks === undefined ? {} : { lacks }),
  };
}

function stateOf(phase: string | undefined, bound: string | undefined): State {
  return { phase: phase ?? '', ...(bound ? { bound } : {}) };
}

/** The objects whose state is another one now, by key. */
function changes(before: Iterable<[string, State]>, after: Iterable<[string, State]>): readonly Change[] {
  const [old, now] = [new Map(before), new Map(after)];
  const keys = [...new Set([...old.keys(), ...now.keys()])].sort();
  return keys
    .map((key) => ({ key, before: old.get(key), after: now.get(key) }))
    .filter((change) => change.before?.phase !== change.after?.phase || change.before?.bound !== change.after?.bound);
}

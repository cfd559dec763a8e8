import { type Features, featuresFor, newestRelease } from '../api/features.ts';
import { Examination } from '../diagnosis/diagnose.ts';
import { simulate } from '../engine/simulate.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { InputOptions } from './input.ts';

/** The release to simulate: the one that was asked for, or the cluster's own, or the newest. Throws VersionError. */
export const featuresOf = (
  { kubernetesVersion }: Snapshot,
  options: Pick<InputOptions, 'kubernetesVersion'>,
): Features => featuresFor(options.kubernetesVersion ?? kubernetesVersion ?? newestRelease);

/** The dry run of a cluster, ready for questions. Throws VersionError. */
export const examine = (cluster: Snapshot, options: Pick<InputOptions, 'kubernetesVersion'>): Examination =>
  new Examination(simulate(cluster, { features: featuresOf(cluster, options) }));

/** Ages in a dump count from when it was taken. */
export const nowOf = ({ capturedAt }: Snapshot): number =>
  capturedAt === undefined ? Date.now() : Date.parse(capturedAt);

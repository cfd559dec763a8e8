import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { featuresFor } from '../../src/api/features.ts';
import type { KubernetesObject } from '../../src/api/objects.ts';
import { diagnose, Examination } from '../../src/diagnosis/diagnose.ts';
import { simulate } from '../../src/engine/simulate.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import { allKinds, type Kind } from '../../src/snapshot/kinds.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { loadFiles } from '../../src/sources/files.ts';
import { golden } from '../conformance/golden.ts';
import { decode } from '../conformance/protocol.ts';
import { snapshotOf } from '../support/snapshots.ts';

const features = featuresFor('1.37');
const scenarios = new URL('../scenarios/', import.meta.url);

const verdictsIn = (snapshot: Snapshot) => {
  const examination = new Examination(simulate(snapshot, { features }));
  return new Map(examination.keys().map((key) => [key, diagnose(examination, key).verdict]));
};

/** What is said with certainty about a claim without some kind, and is not what is said when everything is there. */
function contradictions(name: string, objects: readonly KubernetesObject[]): readonly string[] {
  const whole = verdictsIn(snapshotOf(objects));
  const kinds = allKinds.filter((kind) => objects.some((object) => object.kind === kind));
  return kinds.flatMap((kind: Kind) =>
    [...verdictsIn(snapshotOf(objects, [kind]))].flatMap(([key, less]) => {
      const full = whole.get(key);
      const isSame = less.outcome === full?.outcome && less.volumes.join() === full.volumes.join();
      const isHonest = isSame || less.outcome === 'Unknown' || less.certainty !== 'certain';
      return isHonest ? [] : [`${name} without ${kind}: ${key} ${full?.outcome} is told as ${less.outcome}`];
    }),
  );
}

describe('without some kind a verdict', () => {
  it.each(readdirSync(scenarios).filter((name) => /^\d/.test(name)))(
    'never turns into another that claims to be certain: %s',
    async (name) => {
      const read = buildSnapshot(await loadFiles([new URL(`${name}/input.yaml`, scenarios).pathname]));
      expect(
        contradictions(
          name,
          allKinds.flatMap((kind): readonly KubernetesObject[] => read.list(kind)),
        ),
      ).toEqual([]);
    },
  );

  it.each(['bind', 'wild', 'schedule', 'rich'])(
    'never turns into another that claims to be certain: profile %s',
    (profile) => {
      const found = golden(profile)
        .slice(0, 120)
        .flatMap(({ request }) => contradictions(String(request.id), decode(request.objects ?? [])));
      expect(found).toEqual([]);
    },
  );
});

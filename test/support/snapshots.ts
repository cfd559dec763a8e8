import type { KubernetesObject } from '../../src/api/objects.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import { allKinds, isKind, type Kind } from '../../src/snapshot/kinds.ts';
import type { Coverage, Snapshot } from '../../src/snapshot/snapshot.ts';
import { asStored } from '../../src/snapshot/stored.ts';

/** A cluster of these objects, without some kinds, which were not collected; of other kinds that are not among them nothing is known. */
export function snapshotOf(objects: readonly KubernetesObject[], without: readonly Kind[] = []): Snapshot {
  const kept = objects.filter(({ kind }) => isKind(kind) && !without.includes(kind));
  return built(kept, new Map(without.map((kind) => [kind, leftOut])));
}

/**
 * A cluster that was collected whole: what is not among the objects is not there. Of the kinds in `except` nothing was collected,
 * and objects of them are left out.
 */
export function collected(objects: readonly KubernetesObject[], except: readonly Kind[] = []): Snapshot {
  const kept = objects.filter(({ kind }) => !except.includes(kind as Kind));
  const stated: readonly Kind[] = [...allKinds, 'Secret'];
  return built(kept, new Map(stated.map((kind) => [kind, except.includes(kind) ? leftOut : { is: 'empty' }])));
}

const leftOut: Coverage = { is: 'notCollected', because: 'it was left out' };

function built(objects: readonly KubernetesObject[], stated: ReadonlyMap<Kind, Coverage>): Snapshot {
  const source = {
    name: 'test',
    objects: objects.map((object, i) => ({
      kind: object.kind as Kind,
      object,
      provenance: { file: 'test', document: i + 1, line: 1 },
      told: 'listed' as const,
    })),
    coverage: [...stated].map(([kind, coverage]) => ({ kind, scope: 'cluster' as const, coverage })),
  };
  return asStored(buildSnapshot({ sources: [source], issues: [] }));
}

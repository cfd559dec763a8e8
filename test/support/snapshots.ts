import type { KubernetesObject } from '../../src/api/objects.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import { isKind, type Kind } from '../../src/snapshot/kinds.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { asStored } from '../../src/snapshot/stored.ts';

/** A cluster of these objects, without some kinds, which were not collected; of other kinds that are not among them nothing is known. */
export function snapshotOf(objects: readonly KubernetesObject[], without: readonly Kind[] = []): Snapshot {
  const found = objects.filter(({ kind }) => isKind(kind) && !without.includes(kind));
  return asStored(
    buildSnapshot({
      sources: [
        {
          name: 'test',
          objects: found.map((object, i) => ({
            kind: object.kind as Kind,
            object,
            provenance: { file: 'test', document: i + 1, line: 1 },
            told: 'listed',
          })),
          coverage: without.map((kind) => ({
            kind,
            scope: 'cluster',
            coverage: { is: 'notCollected', because: 'it was left out' },
          })),
        },
      ],
      issues: [],
    }),
  );
}

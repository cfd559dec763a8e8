import type { KubernetesObject } from '../../src/api/objects.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import { allKinds, type Kind } from '../../src/snapshot/kinds.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { asStored } from '../../src/snapshot/stored.ts';

/**
 * A cluster that was collected whole: what is not among the objects is not there. Of the kinds in `except` nothing was collected,
 * and objects of them are left out.
 */
export function collected(objects: readonly KubernetesObject[], except: readonly Kind[] = []): Snapshot {
  const kept = objects.filter(({ kind }) => !except.includes(kind as Kind));
  const kindsStated: readonly Kind[] = [...allKinds, 'Secret'];
  return asStored(
    buildSnapshot({
      sources: [
        {
          name: 'test',
          objects: kept.map((object, i) => ({
            kind: object.kind as Kind,
            object,
            provenance: { file: 'test', document: i + 1, line: 1 },
            told: 'listed',
          })),
          coverage: kindsStated.map((kind) => ({
            kind,
            scope: 'cluster',
            coverage: except.includes(kind) ? { is: 'notCollected', because: 'left out' } : { is: 'empty' },
          })),
        },
      ],
      issues: [],
    }),
  );
}

import { describe, expect, it } from 'vitest';
import { featuresFor } from '../../src/api/features.ts';
import type { KubernetesObject } from '../../src/api/objects.ts';
import { todo } from '../../src/diagnosis/catalogue.ts';
import { diagnose, Examination } from '../../src/diagnosis/diagnose.ts';
import { applyEdit } from '../../src/diagnosis/edits.ts';
import { type Remedy, remediesFor } from '../../src/diagnosis/remedies.ts';
import { simulate } from '../../src/engine/simulate.ts';
import { keyOf } from '../../src/snapshot/snapshot.ts';
import { golden } from '../conformance/golden.ts';
import { decode, type Request } from '../conformance/protocol.ts';
import { askOracle, endOf, needsOracle, type OracleAnswer, oracle } from '../support/oracle.ts';
import { snapshotOf } from '../support/snapshots.ts';

const features = featuresFor('1.37');

/** How many recorded clusters of each profile are looked at; more by hand. */
const clusters = Number(process.env.CLUSTERS ?? 150);

const examine = (objects: readonly KubernetesObject[]) => new Examination(simulate(snapshotOf(objects), { features }));

/** A promise that was made for a claim, and the request that puts it to the test. */
interface Promised {
  readonly of: string;
  readonly claim: string;
  readonly remedy: Remedy;
  readonly request: Request;
}

function promisesOf({ id, objects: raw = [] }: Request): readonly Promised[] {
  const objects = decode(raw);
  const examination = examine(objects);
  return examination.keys().flatMap((claim) => {
    const diagnosis = diagnose(examination, claim);
    if (diagnosis.verdict.outcome !== 'Stuck') return [];
    return remediesFor(examination, diagnosis).map((remedy) => {
      const put = applyEdit(examination.simulation.snapshot, remedy.edit) ?? [];
      const changed = new Map(put.map((object) => [`${object.kind} ${keyOf(object)}`, object]));
      const edited = objects.map((object) => changed.get(`${object.kind} ${keyOf(object)}`) ?? object);
      return {
        of: `${id} ${claim} ${JSON.stringify(remedy.edit)}`,
        claim,
        remedy,
        request: { mode: 'cluster', objects: edited as never },
      };
    });
  });
}

/** Whether the real controllers come to what the remedy promised. */
function isKept({ remedy: { verdict }, claim }: Promised, { cluster }: OracleAnswer): boolean {
  const found = cluster?.claims?.find(({ metadata }) => `${metadata.namespace}/${metadata.name}` === claim);
  if (found === undefined) return false;
  const end = endOf(found);
  switch (verdict.outcome) {
    case 'Bound':
    case 'WillBind':
      return verdict.volumes.includes(end);
    case 'MayBind':
      return verdict.volumes.includes(end) || end === 'none' || verdict.volumeCount !== undefined;
    default:
      return end === 'none';
  }
}

describe('a remedy', () => {
  it.skipIf(oracle === undefined).each(['bind', 'wild', 'schedule'])(
    `does in the real controllers what it promises: profile %s${needsOracle}`,
    (profile) => {
      const promised = golden(profile)
        .slice(0, clusters)
        .flatMap(({ request }) => promisesOf(request));
      expect(promised.length).toBeGreaterThan(20);
      const answers = askOracle(promised.map(({ request }) => request));
      const broken = promised.filter((one, i) => !isKept(one, answers[i] as OracleAnswer));
      expect(broken.map(({ of, remedy }) => `${of} ${remedy.verdict.outcome} ${remedy.verdict.volumes}`)).toEqual([]);
    },
    600_000,
  );

  it.each(['bind', 'wild', 'schedule'])(
    'is there for every stuck claim, or a sentence that says what to do: profile %s',
    (profile) => {
      const helpless = golden(profile)
        .slice(0, clusters)
        .flatMap(({ request }) => {
          const examination = examine(decode(request.objects ?? []));
          return examination.keys().flatMap((key) => {
            const diagnosis = diagnose(examination, key);
            if (diagnosis.verdict.outcome !== 'Stuck') return [];
            const isHelped =
              diagnosis.findings.some((finding) => todo(finding) !== undefined) ||
              remediesFor(examination, diagnosis).length > 0;
            return isHelped ? [] : [`${request.id} ${key} ${diagnosis.findings.map(({ code }) => code)}`];
          });
        });
      expect(helpless).toEqual([]);
    },
  );
});

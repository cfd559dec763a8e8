import { describe, expect, it } from 'vitest';
import { featuresFor } from '../../src/api/features.ts';
import { componentsOf } from '../../src/engine/components.ts';
import { explore, type Possible } from '../../src/engine/orders.ts';
import { siteOf } from '../../src/engine/volume-checks.ts';
import { start } from '../conformance/controller-answer.ts';
import { golden } from '../conformance/golden.ts';
import { decode, type Request } from '../conformance/protocol.ts';
import { askOracle, endOf, needsOracle, oracle } from '../support/oracle.ts';
import { randomFrom, shuffled } from '../support/random.ts';

const features = featuresFor('1.37');

/** Where each claim ends in one run of a request: the name of a volume, or "none". */
function endsOf(request: Request): ReadonlyMap<string, string> {
  const started = start(request, decode(request.objects ?? []), features);
  started.run.settle();
  return new Map(
    [...started.world.claims()].map(({ metadata, spec, status }) => {
      const isBound =
        metadata.annotations?.['pv.kubernetes.io/bind-completed'] !== undefined && status?.phase === 'Bound';
      return [`${metadata.namespace}/${metadata.name}`, isBound ? (spec.volumeName ?? '') : 'none'];
    }),
  );
}

function possibleEnds(request: Request): ReadonlyMap<string, Possible> {
  const { world } = start(request, decode(request.objects ?? []), features);
  const components = new Set(componentsOf(world, siteOf(features)).values());
  return new Map([...components].flatMap((component) => [...explore(component, world.surroundings, features)]));
}

/** The request with nothing refused or deleted, and with everything that is open decided by chance. */
function inSomeOrder({ objects, claims = [], volumes = [] }: Request, random: () => number, i: number): Request {
  return {
    mode: 'controller',
    ...(objects === undefined ? {} : { objects }),
    claims: shuffled(claims, random),
    volumes: shuffled(volumes, random),
    queue: (['volumes', 'claims', 'alternate'] as const)[i % 3] ?? 'volumes',
    ties: (['order', 'first', 'last'] as const)[Math.floor(i / 3) % 3] ?? 'first',
  };
}

const allOf = ({ volumes, none }: Possible): readonly string[] => [...volumes, ...(none ? ['none'] : [])];

describe('the ends that are possible', () => {
  it.each(['bind', 'wild'])(
    'hold every end that 16 orders lead to, and each of theirs is reached: profile %s',
    (profile) => {
      const random = randomFrom(7);
      let explored = 0;
      for (const { request } of golden(profile).slice(0, 250)) {
        const possible = possibleEnds(request);
        // Every end that is claimed, until an order has led to it.
        const unreached = new Set<string>();
        for (const [key, one] of possible) {
          expect(one.exact, `${request.id} ${key}`).toBe(true);
          for (const end of allOf(one)) unreached.add(`${key} ${end}`);
          explored++;
        }
        for (let i = 0; i < 16 || (unreached.size > 0 && i < 600); i++) {
          for (const [key, end] of endsOf(inSomeOrder(request, random, i))) {
            expect(allOf(possible.get(key) as Possible), `${request.id} ${key}`).toContain(end);
            unreached.delete(`${key} ${end}`);
          }
        }
        expect([...unreached], request.id).toEqual([]);
      }
      expect(explored).toBeGreaterThan(500);
    },
  );

  it.skipIf(oracle === undefined)(`hold every end that the real controller comes to in 16 orders${needsOracle}`, () => {
    const random = randomFrom(11);
    for (const profile of ['bind', 'wild']) {
      const recorded = golden(profile).slice(0, 250);
      const asked = recorded.flatMap(({ request }) =>
        Array.from({ length: 16 }, (_, i) => inSomeOrder(request, random, i)),
      );
      const answers = askOracle(asked);
      expect(answers).toHaveLength(asked.length);
      for (const [n, { request }] of recorded.entries()) {
        const possible = possibleEnds(request);
        for (const { controller } of answers.slice(16 * n, 16 * n + 16)) {
          for (const claim of controller?.claims ?? []) {
            const key = `${claim.metadata.namespace}/${claim.metadata.name}`;
            expect(allOf(possible.get(key) as Possible), `${request.id} ${key}`).toContain(endOf(claim));
          }
        }
      }
    }
  });
});

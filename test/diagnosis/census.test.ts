import { describe, expect, it } from 'vitest';
import { claimKey } from '../../src/api/accessors.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../src/api/objects.ts';
import { VolumeCensus } from '../../src/diagnosis/census.ts';
import { wantsOf } from '../../src/engine/volume-checks.ts';
import { newClaim, newVolume } from '../support/builders.ts';

const censusOf = (volumes: readonly PersistentVolume[], claims: readonly PersistentVolumeClaim[]) =>
  new VolumeCensus(volumes, new Map(claims.map((claim) => [claimKey(claim), claim])), [], {
    volumeAttributesClass: 'compared',
  });

const shelf = (count: number): readonly PersistentVolume[] =>
  Array.from({ length: count }, (_, i) => newVolume(`shelf-${i}`, `${1 + (i % 7)}Gi`));

const films = (count: number): readonly PersistentVolumeClaim[] =>
  Array.from({ length: count }, (_, i) => newClaim(`film-${i}`, '5Gi', { storageClassName: 'media' }));

/** How often some field of some volume is read while the claims are explained; reading is the work that may grow. */
function readsFor(claims: readonly PersistentVolumeClaim[], count: number, taken?: string): number {
  let reads = 0;
  const counted = shelf(count).map((volume) => ({
    ...volume,
    spec: new Proxy(volume.spec, {
      get(spec, field) {
        reads++;
        return Reflect.get(spec, field);
      },
    }),
  }));
  const census = censusOf(counted, claims);
  reads = 0;
  for (const claim of claims) census.consider(wantsOf(claim), taken);
  return reads;
}

describe('explaining many claims', () => {
  it('compares as many volumes for a hundred claims of one shape as for one', () => {
    expect(readsFor(films(1), 200)).toBeGreaterThan(0);
    expect(readsFor(films(100), 200)).toBe(readsFor(films(1), 200));
  });

  it('looks at a few volumes of a shape, however many there are', () => {
    expect(readsFor(films(1), 10_000)).toBeLessThan(2 * readsFor(films(1), 100));
  });

  it('looks at a few volumes for each claim that takes one, however many there are', () => {
    expect(readsFor(films(100), 10_000, 'shelf-0')).toBeLessThan(2 * readsFor(films(100), 100, 'shelf-0'));
  });
});

describe('claims of one shape', () => {
  const former = newVolume('attic', '9Gi', { claimRef: { namespace: 'default', name: 'film-0', uid: 'gone' } });
  const misspelt = newVolume('cellar', '9Gi', { claimRef: { namespace: 'default', name: 'film-0-old' } });
  const volumes = [...shelf(20), former, misspelt];
  const claims = films(6);

  it.each([
    { name: 'in order', asked: claims },
    { name: 'in reverse', asked: [...claims].reverse() },
  ])('are told the same whoever was told before: $name', ({ asked }) => {
    const shared = censusOf(volumes, claims);
    for (const claim of asked) {
      expect(shared.consider(wantsOf(claim))).toEqual(censusOf(volumes, claims).consider(wantsOf(claim)));
    }
  });

  it('share what they are told, but for volumes whose claimRef has to do with one of them', () => {
    const census = censusOf(volumes, claims);
    const [mine, first, second] = [0, 1, 2].map((i) => census.consider(wantsOf(claims[i] as PersistentVolumeClaim)));
    expect(first).toBe(second);
    expect(mine?.map(({ relation }) => relation)).toContain('former');
    expect(first?.map(({ relation }) => relation)).not.toContain('former');
  });
});

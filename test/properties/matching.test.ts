import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isVolumeBoundToClaim, volumeCapacity } from '../../src/api/accessors.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../src/api/objects.ts';
import { compareQuantities } from '../../src/api/quantity.ts';
import { findByClaim } from '../../src/engine/pv-controller/find-matching-volume.ts';
import { VolumeIndex } from '../../src/engine/pv-controller/volume-index.ts';
import { checkOrder, firstFailure, type Site, volumeChecks, wantsOf } from '../../src/engine/volume-checks.ts';
import { modes, newClaim, newVolume } from '../support/builders.ts';

const site: Site = { volumeAttributesClass: 'compared' };

const anyModes = fc
  .uniqueArray(fc.constantFrom('RWO', 'ROX', 'RWX', 'RWOP'), { minLength: 1 })
  .map((list) => modes(...(list as ('RWO' | 'ROX')[])));
const anySize = fc.constantFrom('1G', '1Gi', '1024Mi', '2Gi', '5Gi', '5000M', '10Gi');
const anyClass = fc.constantFrom('', 'archive', 'nfs');
const anyMode = fc.constantFrom('Filesystem', 'Block');
const anyPhase = fc.constantFrom('Available', 'Available', 'Available', 'Released', 'Pending', '');

const anyVolume = fc
  .record({
    size: anySize,
    accessModes: anyModes,
    storageClassName: anyClass,
    volumeMode: anyMode,
    phase: anyPhase,
    tier: fc.constantFrom(undefined, 'gold', 'silver'),
    vac: fc.constantFrom(undefined, undefined, 'fast'),
    deleting: fc.constantFrom(false, false, false, true),
    claimRef: fc.constantFrom(undefined, undefined, undefined, 'films', 'series', 'stale'),
  })
  .map(
    ({ size, phase, tier, vac, deleting, claimRef, ...spec }) =>
      (name: string): PersistentVolume =>
        newVolume(
          name,
          size,
          {
            ...spec,
            ...(vac === undefined ? {} : { volumeAttributesClassName: vac }),
            ...(claimRef === undefined
              ? {}
              : {
                  claimRef: {
                    namespace: 'default',
                    name: claimRef === 'series' ? 'series' : 'films',
                    ...(claimRef === 'stale' ? { uid: 'former' } : {}),
                  },
                }),
          },
          {
            ...(tier === undefined ? {} : { labels: { tier } }),
            ...(deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
          },
          phase,
        ),
  );
const anyVolumes = fc.array(anyVolume, { maxLength: 12 }).map((makers) => makers.map((make, i) => make(`v${i}`)));

const anyClaim = fc
  .record({
    size: anySize,
    accessModes: anyModes,
    storageClassName: anyClass,
    volumeMode: anyMode,
    selector: fc.constantFrom(
      undefined,
      { matchLabels: { tier: 'gold' } },
      { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['gold'] }] },
      {},
    ),
    vac: fc.constantFrom(undefined, 'fast'),
  })
  .map(
    ({ size, selector, vac, ...spec }): PersistentVolumeClaim =>
      newClaim('films', size, {
        ...spec,
        ...(selector === undefined ? {} : { selector }),
        ...(vac === undefined ? {} : { volumeAttributesClassName: vac }),
      }),
  );

/** The second opinion: every volume of every bucket is looked at, as upstream does. */
function plainScan(volumes: readonly PersistentVolume[], claim: PersistentVolumeClaim, at: Site): readonly string[] {
  const wants = wantsOf(claim);
  const bucketOf = ({ spec }: PersistentVolume) => [...new Set(spec.accessModes)].sort().join();
  const buckets = [...new Set(volumes.map(bucketOf))].map((key) =>
    volumes.filter((volume) => bucketOf(volume) === key),
  );
  const offers = buckets
    .filter(([first]) => wants.accessModes.every((mode) => first?.spec.accessModes?.includes(mode)))
    .map((bucket) => ({ modes: new Set(bucket[0]?.spec.accessModes).size, best: bestOf(bucket) }))
    .filter(({ best }) => best.length > 0);
  const fewest = Math.min(...offers.map((offer) => offer.modes));
  return offers
    .filter((offer) => offer.modes === fewest)
    .flatMap(({ best }) => best)
    .sort();

  function bestOf(bucket: readonly PersistentVolume[]): readonly string[] {
    const reserved = bucket.filter(
      (volume) => isVolumeBoundToClaim(volume, claim) && firstFailure('reserved', wants, volume, at) === undefined,
    );
    if (reserved.length > 0) return reserved.map(({ metadata }) => metadata.name);
    const fitting = bucket.filter(
      (volume) => volume.spec.claimRef === undefined && firstFailure('search', wants, volume, at) === undefined,
    );
    const smallest = fitting.reduce<PersistentVolume | undefined>(
      (best, volume) =>
        best === undefined || compareQuantities(volumeCapacity(volume), volumeCapacity(best)) < 0 ? volume : best,
      undefined,
    );
    if (smallest === undefined) return [];
    return fitting
      .filter((volume) => compareQuantities(volumeCapacity(volume), volumeCapacity(smallest)) === 0)
      .map(({ metadata }) => metadata.name);
  }
}

function indexed(volumes: readonly PersistentVolume[]): VolumeIndex {
  const index = new VolumeIndex(['tier']);
  for (const volume of volumes) index.set(volume);
  return index;
}

const namesOf = (index: VolumeIndex, claim: PersistentVolumeClaim, at: Site): readonly string[] =>
  [...(findByClaim(index, wantsOf(claim), at) ?? [])].map(({ volume }) => volume.metadata.name).sort();

describe('the index of volumes', () => {
  it('finds what a scan over all volumes finds', () => {
    fc.assert(
      fc.property(anyVolumes, anyClaim, fc.boolean(), (volumes, claim, delayed) => {
        const at = { ...site, delayed };
        expect(namesOf(indexed(volumes), claim, at)).toEqual(plainScan(volumes, claim, at));
      }),
      { numRuns: 2000 },
    );
  });

  it('finds the same after volumes have changed and gone as if it had been built anew', () => {
    fc.assert(
      fc.property(anyVolumes, anyVolumes, anyClaim, fc.nat(3), (before, after, claim, kept) => {
        const index = indexed(before);
        for (const volume of after) index.set(volume);
        for (const { metadata } of before.slice(kept)) index.delete(metadata.name);
        const left = after.filter(
          ({ metadata }) => !before.slice(kept).some((one) => one.metadata.name === metadata.name),
        );
        const others = before
          .slice(0, kept)
          .filter(({ metadata }) => !after.some((one) => one.metadata.name === metadata.name));
        expect(namesOf(index, claim, site)).toEqual(namesOf(indexed([...left, ...others]), claim, site));
      }),
      { numRuns: 1000 },
    );
  });

  it('names first, among several, the first by name in the first bucket', () => {
    fc.assert(
      fc.property(anyVolumes, anyClaim, (volumes, claim) => {
        const options = findByClaim(indexed(volumes), wantsOf(claim), site);
        if (options === undefined) return;
        const all = [...options];
        expect(options.size).toBe(all.length);
        expect(all.map(({ volume }) => volume)).toContain(options.first.volume);
        const bucket = all
          .filter((one) => one.bucket === options.first.bucket)
          .map(({ volume }) => volume.metadata.name);
        expect(options.first.volume.metadata.name).toBe(bucket.sort()[0]);
      }),
    );
  });
});

describe('the checks', () => {
  it('of the way of a search read nothing by which the index does not tell volumes apart', () => {
    const told = new Set([
      'accessModes',
      'claimRef',
      'capacity',
      'volumeMode',
      'volumeAttributesClass',
      'deletionTimestamp',
      'phase',
      'labels',
      'class',
    ]);
    expect(checkOrder.search.flatMap((code) => volumeChecks[code].reads).filter((field) => !told.has(field))).toEqual(
      [],
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isVolumeBoundToClaim, volumeCapacity } from '../../../src/api/accessors.ts';
import { featuresFor } from '../../../src/api/features.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../src/api/objects.ts';
import { compareQuantities } from '../../../src/api/quantity.ts';
import { chooseFirstVolume } from '../../../src/engine/scheduler/choice.ts';
import { SchedulerCache } from '../../../src/engine/scheduler/scheduler-cache.ts';
import { candidatesOn } from '../../../src/engine/scheduler/volume-binding/candidates.ts';
import { VolumeSearch } from '../../../src/engine/scheduler/volume-binding/find-matching-volume.ts';
import { firstFailure, siteOf, wantsOf } from '../../../src/engine/volume-checks.ts';
import { clusterOf, labelIn, newNode } from '../../conformance/scheduler/cluster.ts';
import { modes, newClaim, newVolume } from '../../support/builders.ts';

const features = featuresFor('1.37');
const nodes = [newNode('north', { rack: 'n' }), newNode('south', { rack: 's' }), newNode('west')];

const anyVolume = fc
  .record({
    size: fc.constantFrom('1Gi', '2Gi', '2048Mi', '5Gi'),
    accessModes: fc.constantFrom(modes('RWO'), modes('RWO', 'RWX'), modes('ROX')),
    volumeMode: fc.constantFrom('Filesystem', 'Filesystem', 'Block'),
    phase: fc.constantFrom('Available', 'Available', 'Available', 'Released'),
    tier: fc.constantFrom(undefined, 'gold', 'silver'),
    rack: fc.constantFrom(undefined, ['n'], ['s'], ['n', 's'], []),
    reserved: fc.constantFrom(undefined, undefined, undefined, undefined, 'films', 'series'),
    deleting: fc.constantFrom(false, false, false, true),
  })
  .map(
    ({ size, phase, tier, rack, reserved, deleting, ...spec }) =>
      (name: string): PersistentVolume =>
        newVolume(
          name,
          size,
          {
            ...spec,
            storageClassName: 'local',
            ...(rack === undefined ? {} : { nodeAffinity: { required: labelIn('rack', ...rack) } }),
            ...(reserved === undefined ? {} : { claimRef: { namespace: 'default', name: reserved } }),
          },
          {
            ...(tier === undefined ? {} : { labels: { tier } }),
            ...(deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
          },
          phase,
        ),
  );
const anyVolumes = fc.array(anyVolume, { maxLength: 8 }).map((makers) => makers.map((make, i) => make(`v${i}`)));
const anyClaim = fc
  .record({
    size: fc.constantFrom('1Gi', '2Gi', '3Gi'),
    accessModes: fc.constantFrom(modes('RWO'), modes('RWX')),
    volumeMode: fc.constantFrom('Filesystem', 'Filesystem', 'Block'),
    selector: fc.constantFrom(undefined, undefined, { matchLabels: { tier: 'gold' } }),
  })
  .map(({ size, selector, ...spec }) =>
    newClaim('films', size, { ...spec, storageClassName: 'local', ...(selector === undefined ? {} : { selector }) }),
  );

/** FindMatchingVolume as upstream has it: one volume after the other, by name. */
function plainScan(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  node: (typeof nodes)[number],
  excluded: ReadonlySet<string>,
): string | undefined {
  const wants = wantsOf(claim);
  const site = { ...siteOf(features), node: { name: node.metadata.name, labels: node.metadata.labels } };
  const left = [...volumes]
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .filter(({ metadata }) => !excluded.has(metadata.name));
  let best: PersistentVolume | undefined;
  for (const volume of left) {
    const failure = firstFailure('scheduling', wants, volume, site)?.code;
    if (isVolumeBoundToClaim(volume, claim)) {
      const early = ['CapacityTooSmall', 'VolumeModeMismatch', 'VolumeAttributesClassMismatch', 'VolumeTerminating'];
      if (failure !== undefined && early.includes(failure)) continue;
      const candidate = {
        ...volume,
        status: { phase: 'Available' },
        spec: { ...volume.spec, accessModes: claim.spec.accessModes ?? [] },
      };
      const { selector: _selector, ...anything } = claim.spec;
      const reaches = firstFailure('scheduling', wantsOf({ ...claim, spec: anything }), candidate, site) === undefined;
      return reaches ? volume.metadata.name : undefined;
    }
    if (failure !== undefined) continue;
    if (best === undefined || compareQuantities(volumeCapacity(volume), volumeCapacity(best)) < 0) best = volume;
  }
  return best?.metadata.name;
}

describe('the search over groups of volumes', () => {
  it('finds what a scan over all volumes finds, on every node, whatever was changed before', () => {
    const anyChanges = fc.array(fc.tuple(fc.nat(7), fc.option(anyVolume)), { maxLength: 6 });
    fc.assert(
      fc.property(
        anyVolumes,
        anyChanges,
        anyClaim,
        fc.subarray(['v0', 'v1', 'v2', 'v3']),
        (before, changes, claim, excludedNames) => {
          const stored = new Map(before.map((volume) => [volume.metadata.name, volume]));
          const cache = new SchedulerCache(clusterOf({ nodes, volumes: before }));
          for (const [i, make] of changes) {
            const volume = make?.(`v${i}`);
            if (volume === undefined) stored.delete(`v${i}`);
            else stored.set(`v${i}`, volume);
            cache.volumeChanged(`v${i}`, volume);
          }
          const excluded = new Set(excludedNames);
          const search = new VolumeSearch(wantsOf(claim), cache.classVolumes('local'), features, chooseFirstVolume);
          for (const info of cache.nodes) {
            const match = search.findMatchingVolume(info, excluded);
            const expected = plainScan(claim, [...stored.values()], info.node, excluded);
            expect(match.is === 'found' ? match.volume.metadata.name : undefined).toBe(expected);
          }
        },
      ),
    );
  });

  it('takes a volume only if nothing speaks against it', () => {
    fc.assert(
      fc.property(anyVolumes, anyClaim, (volumes, claim) => {
        const cache = new SchedulerCache(clusterOf({ nodes, volumes }));
        const search = new VolumeSearch(wantsOf(claim), cache.classVolumes('local'), features, chooseFirstVolume);
        for (const node of cache.nodes) {
          const serving = [...candidatesOn(cache, claim, node)].filter(({ failures }) => failures.length === 0);
          const match = search.findMatchingVolume(node, new Set());
          if (match.is === 'found') expect(serving.map(({ volume }) => volume)).toContain(match.volume);
          if (match.is === 'none') expect(serving).toEqual([]);
        }
      }),
    );
  });
});

describe('choices that upstream leaves open', () => {
  const equal = ['a', 'b', 'c'].map((name) => newVolume(name, '2Gi', { storageClassName: 'local' }));
  const claim = newClaim('films', '1Gi', { storageClassName: 'local' });
  const reserved = equal.map((volume) => ({
    ...volume,
    spec: { ...volume.spec, claimRef: { namespace: 'default', name: 'films' } },
  }));

  it.each([
    { name: 'equally large volumes', volumes: equal, at: 'staticVolume', equals: 2 },
    { name: 'volumes reserved for one claim', volumes: reserved, at: 'reservedVolume', equals: 0 },
  ])('$name are put to the chooser', ({ volumes, at, equals }) => {
    const asked: string[] = [];
    const cache = new SchedulerCache(clusterOf({ nodes: [newNode('north')], volumes }));
    const [node] = cache.nodes;
    const search = new VolumeSearch(wantsOf(claim), cache.classVolumes('local'), features, (point, options) => {
      asked.push(`${point.at}: ${options.size}`);
      return [...options].at(-1) ?? options.first;
    });
    const match = node && search.findMatchingVolume(node, new Set());
    expect(asked).toEqual([`${at}: 3`]);
    expect(match).toMatchObject({ is: 'found', equals, volume: { metadata: { name: 'c' } } });
  });
});

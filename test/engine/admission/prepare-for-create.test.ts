import { describe, expect, it } from 'vitest';
import type { TypedObjectReference } from '../../../src/api/objects.ts';
import { freshMetadata, prepareClaim, prepareVolume } from '../../../src/engine/admission/prepare-for-create.ts';
import { newClaim, newVolume } from '../../support/builders.ts';

const on = { volumeAttributesClass: true };
const claim = { kind: 'PersistentVolumeClaim', name: 'series' };
const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'snap' };
const other = { apiGroup: 'example.com', kind: 'Backup', name: 'b' };

interface Sources {
  readonly dataSource?: TypedObjectReference;
  readonly dataSourceRef?: TypedObjectReference;
}

describe('the data sources of a new claim', () => {
  it.each<[string, Sources, Sources]>([
    ['none', {}, {}],
    ['a claim in the older field', { dataSource: claim }, { dataSource: claim, dataSourceRef: claim }],
    ['a snapshot in the older field', { dataSource: snapshot }, { dataSource: snapshot, dataSourceRef: snapshot }],
    ['anything else in the older field is ignored', { dataSource: other }, {}],
    ['even a Secret', { dataSource: { kind: 'Secret', name: 'x' } }, {}],
    ['anything in the newer field', { dataSourceRef: other }, { dataSource: other, dataSourceRef: other }],
    ['both stay as they are', { dataSource: claim, dataSourceRef: other }, { dataSource: claim, dataSourceRef: other }],
    [
      'an empty namespace stays in the newer field only',
      { dataSourceRef: { ...claim, namespace: '' } },
      { dataSource: claim, dataSourceRef: { ...claim, namespace: '' } },
    ],
    ['a source in another namespace is dropped', { dataSourceRef: { ...claim, namespace: 'other' } }, {}],
    [
      'and the older field counts again',
      { dataSource: claim, dataSourceRef: { ...other, namespace: 'other' } },
      { dataSource: claim, dataSourceRef: claim },
    ],
  ])('%s', (_, given, expected) => {
    const { dataSource, dataSourceRef } = prepareClaim(newClaim('films', '5Gi', given), on).spec;
    expect({ dataSource, dataSourceRef }).toEqual(expected);
  });
});

describe('what a new object brings along', () => {
  it('its status starts anew', () => {
    const bound = { ...newClaim('films', '5Gi'), status: { phase: 'Bound', capacity: { storage: '5Gi' } } };
    expect(prepareClaim(bound, on).status).toEqual({ phase: 'Pending' });
    expect(prepareVolume(newVolume('archive-01', '5Gi'), on).status).toEqual({ phase: 'Pending' });
  });

  it('a VolumeAttributesClass stays if there is such a thing', () => {
    const gold = { volumeAttributesClassName: 'gold' };
    expect(prepareClaim(newClaim('films', '5Gi', gold), on).spec).toMatchObject(gold);
    expect(prepareVolume(newVolume('archive-01', '5Gi', gold), on).spec).toMatchObject(gold);
    const off = { volumeAttributesClass: false };
    expect(prepareClaim(newClaim('films', '5Gi', gold), off).spec).not.toHaveProperty('volumeAttributesClassName');
    expect(prepareVolume(newVolume('archive-01', '5Gi', gold), off).spec).not.toHaveProperty(
      'volumeAttributesClassName',
    );
  });

  it('what the API server alone writes is left out', () => {
    const times = { creationTimestamp: '2026-01-01T00:00:00Z', deletionTimestamp: '2026-01-01T00:00:00Z' };
    expect(freshMetadata({ name: 'films', uid: 'u-1', ...times })).toEqual({ name: 'films' });
  });

  it('a volume has no namespace', () => {
    expect(prepareVolume(newVolume('archive-01', '5Gi', {}, { namespace: 'media' }), on).metadata).not.toHaveProperty(
      'namespace',
    );
  });

  it.each([
    [{ generateName: 'films-' }, 'films-xxxxx'],
    [{ generateName: 'x'.repeat(70) }, `${'x'.repeat(58)}xxxxx`],
    [{ generateName: 'films-', name: 'series' }, 'series'],
    [{}, undefined],
  ])('a name is made up where only a prefix is given: %o', (metadata, name) => {
    expect(freshMetadata(metadata).name).toBe(name);
  });
});

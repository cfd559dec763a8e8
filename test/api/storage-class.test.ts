import { describe, expect, it } from 'vitest';
import type { StorageClass } from '../../src/api/objects.ts';
import {
  claimClass,
  claimHasClass,
  defaultClass,
  effectiveClass,
  isDefaultClass,
  volumeClass,
} from '../../src/api/storage-class.ts';
import { newClaim, newClass, newVolume } from '../support/builders.ts';

const beta = 'volume.beta.kubernetes.io/storage-class';

describe('the class of a claim', () => {
  it.each([
    ['names none', undefined, undefined, '', 'none', false],
    ['in its field', 'gold', undefined, 'gold', 'field', true],
    ['is "": volumes without a class', '', undefined, '', 'field', true],
    ['in the annotation of old', undefined, 'gold', 'gold', 'annotation', true],
    ['in both: the annotation wins', 'silver', 'gold', 'gold', 'annotation', true],
    ['in both, the annotation empty: it still wins', 'silver', '', '', 'annotation', true],
    ['is an empty annotation', undefined, '', '', 'annotation', true],
  ] as const)('%s', (_name, field, annotation, name, from, has) => {
    const claim = newClaim(
      'films',
      '1Gi',
      field === undefined ? {} : { storageClassName: field },
      annotation === undefined ? {} : { annotations: { [beta]: annotation } },
    );
    expect(effectiveClass(claim)).toEqual({ name, from });
    expect(claimClass(claim)).toBe(name);
    expect(claimHasClass(claim)).toBe(has);
  });

  it('is not read from the alpha annotation', () => {
    const annotations = { 'volume.alpha.kubernetes.io/storage-class': 'gold' };
    expect(claimHasClass(newClaim('films', '1Gi', {}, { annotations }))).toBe(false);
  });
});

it.each([
  [undefined, undefined, ''],
  ['gold', undefined, 'gold'],
  ['silver', 'gold', 'gold'],
  ['silver', '', ''],
])('a volume with class %j and annotation %j has class %j', (field, annotation, name) => {
  const volume = newVolume(
    'archive-03',
    '1Gi',
    field === undefined ? {} : { storageClassName: field },
    annotation === undefined ? {} : { annotations: { [beta]: annotation } },
  );
  expect(volumeClass(volume)).toBe(name);
});

const marked = (
  name: string,
  creationTimestamp?: string,
  mark = 'storageclass.kubernetes.io/is-default-class',
): StorageClass => {
  const one = newClass(name, 'example.com/disk');
  const metadata = { ...one.metadata, annotations: { [mark]: 'true' } };
  return { ...one, metadata: creationTimestamp === undefined ? metadata : { ...metadata, creationTimestamp } };
};

it.each([
  [{ 'storageclass.kubernetes.io/is-default-class': 'true' }, true],
  [{ 'storageclass.beta.kubernetes.io/is-default-class': 'true' }, true],
  [
    {
      'storageclass.kubernetes.io/is-default-class': 'false',
      'storageclass.beta.kubernetes.io/is-default-class': 'true',
    },
    true,
  ],
  [{ 'storageclass.kubernetes.io/is-default-class': 'false' }, false],
  [{ 'storageclass.kubernetes.io/is-default-class': 'True' }, false],
  [{ 'storageclass.kubernetes.io/is-default-class': 'yes' }, false],
  [{ 'storageclass.kubernetes.io/is-default-class': '' }, false],
  [undefined, false],
])('annotations %j make a default class: %s', (annotations, isDefault) => {
  const one = newClass('gold', 'example.com/disk');
  const metadata = annotations === undefined ? one.metadata : { ...one.metadata, annotations };
  expect(isDefaultClass({ ...one, metadata })).toBe(isDefault);
});

describe('the default class', () => {
  const monday = '2024-05-06T10:00:00Z';
  const tuesday = '2024-05-07T10:00:00Z';
  it.each<[string, readonly StorageClass[], string | undefined]>([
    ['is none without classes', [], undefined],
    ['is none if none is marked', [newClass('gold', 'example.com/disk')], undefined],
    ['is the one that is marked', [newClass('bronze', 'example.com/disk'), marked('gold')], 'gold'],
    ['is the newest', [marked('gold', monday), marked('silver', tuesday), marked('bronze', monday)], 'silver'],
    ['is the first by name of equally new ones', [marked('silver', monday), marked('gold', monday)], 'gold'],
    ['is the first by name where no times are known', [marked('silver'), marked('gold')], 'gold'],
    ['is one with a time before one without', [marked('bronze'), marked('silver', monday)], 'silver'],
    [
      'is told by seconds',
      [marked('gold', '2024-05-06T10:00:00.1Z'), marked('silver', '2024-05-06T10:00:00.9Z')],
      'gold',
    ],
    [
      'is told by the moment, not by its spelling',
      [marked('gold', '2024-05-06T12:00:00+02:00'), marked('bronze', monday)],
      'bronze',
    ],
    [
      'is one marked in the way of old',
      [marked('gold', monday), marked('old', tuesday, 'storageclass.beta.kubernetes.io/is-default-class')],
      'old',
    ],
    ['does not trust a time that is none', [marked('gold', 'yesterday'), marked('silver', monday)], 'silver'],
  ])('%s', (_name, classes, name) => {
    expect(defaultClass(classes)?.metadata.name).toBe(name);
    expect(defaultClass([...classes].reverse())?.metadata.name).toBe(name);
  });
});

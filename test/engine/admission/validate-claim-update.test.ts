import { describe, expect, it } from 'vitest';
import type { PersistentVolumeClaim, StorageClass } from '../../../src/api/objects.ts';
import {
  changedSpecFields,
  expansionRefusal,
  specIsImmutable,
  validateClaimUpdate,
} from '../../../src/engine/admission/validate-claim-update.ts';
import { newClaim, newClass } from '../../support/builders.ts';
import { rules, rulesOf, texts } from './manifests.ts';

type Spec = Partial<PersistentVolumeClaim['spec']>;
type Status = NonNullable<PersistentVolumeClaim['status']>;

const beta = 'volume.beta.kubernetes.io/storage-class';
const immutable = `spec: Forbidden: ${specIsImmutable}`;
const bound: Status = { phase: 'Bound', capacity: { storage: '5Gi' } };
const size = (request: string): Spec => ({ resources: { requests: { storage: request } } });

/** A claim with this spec and status; what the specs leave out is the same before and after. */
const claim = (spec: Spec, status: Status = { phase: 'Pending' }, metadata: object = {}): PersistentVolumeClaim => ({
  ...newClaim('films', '5Gi', spec, metadata),
  status,
});

const rows: readonly [
  name: string,
  before: PersistentVolumeClaim,
  after: PersistentVolumeClaim,
  expected: readonly string[],
][] = [
  ['nothing changed', claim({}), claim({}), []],
  ['the same size in other words', claim({}), claim(size('5120Mi')), []],
  ['access modes', claim({}), claim({ accessModes: ['ReadWriteMany'] }), [immutable]],
  ['an empty selector is not an absent one', claim({}), claim({ selector: {} }), [immutable]],
  ['an empty list is an absent one', claim({ selector: {} }), claim({ selector: { matchExpressions: [] } }), []],
  [
    'labels of the selector in another order',
    claim({ selector: { matchLabels: { a: '1', b: '2' } } }),
    claim({ selector: { matchLabels: { b: '2', a: '1' } } }),
    [],
  ],

  ['a volume for a claim without one', claim({}), claim({ volumeName: 'archive-01' }), []],
  ['another volume', claim({ volumeName: 'archive-01' }), claim({ volumeName: 'archive-02' }), [immutable]],
  ['no volume any more', claim({ volumeName: 'archive-01' }), claim({}), [immutable]],

  ['a class for a claim without one', claim({}), claim({ storageClassName: 'fast' }), []],
  ['another class', claim({ storageClassName: 'slow' }), claim({ storageClassName: 'fast' }), [immutable]],
  [
    'a class instead of none on purpose',
    claim({ storageClassName: '' }),
    claim({ storageClassName: 'fast' }),
    [immutable],
  ],
  [
    'the class of the old annotation moves into the field',
    claim({}, undefined, { annotations: { [beta]: 'fast' } }),
    claim({ storageClassName: 'fast' }),
    [],
  ],
  [
    'another class than the annotation names',
    claim({}, undefined, { annotations: { [beta]: 'fast' } }),
    claim({ storageClassName: 'slow' }, undefined, { annotations: { [beta]: 'fast' } }),
    [immutable],
  ],
  [
    'another annotation',
    claim({}, undefined, { annotations: { [beta]: 'fast' } }),
    claim({}, undefined, { annotations: { [beta]: 'slow' } }),
    [`metadata.annotations.${beta}: Invalid value: "slow": field is immutable`],
  ],

  ['a bound claim grows', claim({}, bound), claim(size('10Gi')), []],
  ['a pending claim grows', claim({}), claim(size('10Gi')), [immutable]],
  [
    'a bound claim shrinks below what it has',
    claim(size('10Gi'), bound),
    claim(size('4Gi')),
    ['spec.resources.requests.storage: Forbidden: field can not be less than status.capacity'],
  ],
  [
    'and to what it has',
    claim(size('10Gi'), bound),
    claim(size('5Gi')),
    ['spec.resources.requests.storage: Forbidden: field can not be less than status.capacity'],
  ],
  ['an expansion is given up in part', claim(size('10Gi'), bound), claim(size('6Gi')), []],
  [
    'another limit',
    claim({}, bound),
    claim({ resources: { requests: { storage: '5Gi' }, limits: { storage: '9Gi' } } }),
    [immutable],
  ],

  [
    'another volume mode',
    claim({}),
    claim({ volumeMode: 'Block' }),
    [immutable, 'volumeMode: Invalid value: "Block": field is immutable'],
  ],

  [
    'a bound claim changes its attributes',
    claim({ volumeAttributesClassName: 'silver' }, bound),
    claim({ volumeAttributesClassName: 'gold' }),
    [],
  ],
  [
    'a pending claim changes its attributes',
    claim({ volumeAttributesClassName: 'silver' }),
    claim({ volumeAttributesClassName: 'gold' }),
    [immutable],
  ],
  [
    'attributes that were applied are removed',
    claim({ volumeAttributesClassName: 'gold' }, { ...bound, currentVolumeAttributesClassName: 'gold' }),
    claim({}),
    [
      'spec.volumeAttributesClassName: Forbidden: update to nil is forbidden when status.currentVolumeAttributesClassName is not nil',
    ],
  ],
  [
    'or emptied',
    claim({ volumeAttributesClassName: 'gold' }, { ...bound, currentVolumeAttributesClassName: 'gold' }),
    claim({ volumeAttributesClassName: '' }),
    [
      'spec.volumeAttributesClassName: Forbidden: update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil',
    ],
  ],
  [
    'attributes that were never applied are removed',
    claim({ volumeAttributesClassName: 'gold' }, bound),
    claim({}),
    [],
  ],

  [
    'what a new claim may not have',
    claim({}),
    claim({ accessModes: [] }),
    ['spec.accessModes: Required value: at least 1 access mode is required', immutable],
  ],
  [
    'a wrong value in a selector that was there before',
    claim({ selector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] } }),
    claim({ selector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] } }),
    [],
  ],
  [
    'a wrong group of a source that was there before',
    claim({ dataSourceRef: { apiGroup: 'A_b', kind: 'c', name: 'd' } }),
    claim({ dataSourceRef: { apiGroup: 'A_b', kind: 'c', name: 'd' } }),
    [],
  ],

  [
    'another object altogether',
    claim({}, undefined, { generation: 2, creationTimestamp: '2026-01-01T00:00:00Z' }),
    claim({}, undefined, {
      name: 'series',
      uid: 'x',
      resourceVersion: '',
      generation: 1,
      creationTimestamp: '2026-01-01T01:00:00Z',
    }),
    [
      'metadata.resourceVersion: Invalid value: "": must be specified for an update',
      'metadata.generation: Invalid value: 1: must not be decremented',
      'metadata.name: Invalid value: "series": field is immutable',
      'metadata.uid: Invalid value: "x": field is immutable',
      'metadata.creationTimestamp: Invalid value: "2026-01-01T01:00:00Z": field is immutable',
    ],
  ],
  [
    'a finalizer for a claim that is being deleted',
    claim({}, undefined, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    claim({}, undefined, { deletionTimestamp: '2026-01-01T01:00:00+01:00', finalizers: ['example.com/hold'] }),
    [
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/hold"}',
    ],
  ],
];

describe('an update of a claim', () => {
  it.each(rows)('%s', (_, before, after, expected) => {
    const update = { ...after, ...(before.status === undefined ? {} : { status: before.status }) };
    expect(texts(validateClaimUpdate(update, before, rules))).toEqual(expected);
  });

  it('tells which fields the immutable spec is about', () => {
    const before = claim({ storageClassName: 'slow' });
    const after = claim({
      accessModes: ['ReadWriteMany'],
      storageClassName: 'fast',
      volumeName: 'archive-01',
      ...size('9Gi'),
    });
    expect(changedSpecFields(after, before)).toEqual([
      'spec.accessModes',
      'spec.resources.requests.storage',
      'spec.storageClassName',
    ]);
  });

  it('before expansions could be given up, a claim shrank only if it had begun one', () => {
    const before = claim(size('10Gi'), bound);
    expect(texts(validateClaimUpdate({ ...claim(size('6Gi')), status: bound }, before, rulesOf('1.31')))).toEqual([
      'spec.resources.requests.storage: Forbidden: field can not be less than previous value',
    ]);
    const expanding = { ...before, status: { ...bound, allocatedResources: { storage: '10Gi' } } };
    const update = { ...claim(size('6Gi')), status: expanding.status };
    expect(texts(validateClaimUpdate(update, expanding, rulesOf('1.31')))).toEqual([]);
  });
});

describe('the admission of a growing claim', () => {
  const growing: StorageClass = { ...newClass('fast', 'csi.example.com'), allowVolumeExpansion: true };
  const fixed = newClass('slow', 'csi.example.com');
  const refusal =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

  it.each<[string, Spec, Status, string | undefined]>([
    ['a class that allows it', { storageClassName: 'fast' }, bound, undefined],
    ['a class that does not', { storageClassName: 'slow' }, bound, refusal],
    ['a class that does not exist', { storageClassName: 'gone' }, bound, refusal],
    ['no class', {}, bound, refusal],
    [
      'a pending claim',
      { storageClassName: 'fast' },
      { phase: 'Pending' },
      'Only bound persistent volume claims can be expanded',
    ],
  ])('%s', (_, spec, status, expected) => {
    const before = claim(spec, status);
    expect(expansionRefusal(claim({ ...spec, ...size('9Gi') }), before, [growing, fixed])).toBe(expected);
    expect(expansionRefusal(claim({ ...spec, ...size('5Gi') }), before, [growing, fixed])).toBeUndefined();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeManifest, type StructShape } from '../../../src/engine/admission/decode-manifest.ts';
import { claimShape, classShape, volumeShape } from '../../../src/engine/admission/manifest-shapes.ts';
import { claimManifest, classManifest, volumeManifest } from './manifests.ts';

const notAQuantity = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const refused: readonly [name: string, shape: StructShape, manifest: unknown, message: string][] = [
  [
    'access modes that are no list',
    claimShape,
    claimManifest({ accessModes: 'ReadWriteOnce' }),
    'json: cannot unmarshal string into Go struct field PersistentVolumeClaimSpec.spec.accessModes of type []v1.PersistentVolumeAccessMode',
  ],
  [
    'a number among the access modes',
    claimShape,
    claimManifest({ accessModes: [5] }),
    'json: cannot unmarshal number into Go struct field PersistentVolumeClaimSpec.spec.accessModes of type v1.PersistentVolumeAccessMode',
  ],
  [
    'a label that YAML reads as a boolean',
    claimShape,
    claimManifest({}, { labels: { enabled: true } }),
    'json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string',
  ],
  [
    'requests given as a list',
    claimShape,
    claimManifest({ resources: { requests: ['500Gi'] } }),
    'json: cannot unmarshal array into Go struct field VolumeResourceRequirements.spec.resources.requests of type v1.ResourceList',
  ],
  ['a size in GB', claimShape, claimManifest({ resources: { requests: { storage: '500GB' } } }), notAQuantity],
  ['a size that is a boolean', claimShape, claimManifest({ resources: { requests: { storage: true } } }), notAQuantity],
  [
    'a size with a line break',
    claimShape,
    claimManifest({ resources: { requests: { storage: '5Gi\n' } } }),
    notAQuantity,
  ],
  [
    'a wrong size is told before a wrong type that came first',
    claimShape,
    claimManifest({ accessModes: 5, resources: { requests: { storage: 'x' } } }),
    notAQuantity,
  ],
  [
    'a fraction where a number is whole',
    volumeShape,
    volumeManifest({ iscsi: { lun: 1.5 } }),
    'json: cannot unmarshal number 1.5 into Go struct field ISCSIPersistentVolumeSource.spec.PersistentVolumeSource.iscsi.lun of type int32',
  ],
  [
    'a number of more than 32 bits',
    volumeShape,
    volumeManifest({ fc: { lun: 3_000_000_000 } }),
    'json: cannot unmarshal number 3000000000 into Go struct field FCVolumeSource.spec.PersistentVolumeSource.fc.lun of type int32',
  ],
  [
    'the first number of more than 32 bits',
    volumeShape,
    volumeManifest({ fc: { lun: 2 ** 31 } }),
    'json: cannot unmarshal number 2147483648 into Go struct field FCVolumeSource.spec.PersistentVolumeSource.fc.lun of type int32',
  ],
  [
    'a source that is a text',
    volumeShape,
    volumeManifest({ hostPath: '/mnt' }),
    'json: cannot unmarshal string into Go struct field PersistentVolumeSpec.spec.PersistentVolumeSource.hostPath of type v1.HostPathVolumeSource',
  ],
  [
    'a flag that is a text',
    classShape,
    classManifest({ allowVolumeExpansion: 'yes' }),
    'json: cannot unmarshal string into Go struct field StorageClass.allowVolumeExpansion of type bool',
  ],
  [
    'a time that is a number',
    volumeShape,
    volumeManifest({}, { creationTimestamp: 5 }),
    'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
  ],
  [
    'a day that does not exist',
    volumeShape,
    volumeManifest({}, { creationTimestamp: '2026-02-30T00:00:00Z' }),
    'parsing time "2026-02-30T00:00:00Z": day out of range',
  ],
  [
    'a date without a time',
    volumeShape,
    volumeManifest({}, { creationTimestamp: '2026-02-03' }),
    'parsing time "2026-02-03" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"',
  ],
  [
    'a manifest that is a text',
    claimShape,
    'films',
    'json: cannot unmarshal string into Go value of type v1.PersistentVolumeClaim',
  ],
];

describe('what decoding refuses', () => {
  it.each(refused)('%s', (_, shape, manifest, message) => {
    expect(decodeManifest(shape, manifest)).toEqual({ is: 'refused', message });
  });
});

describe('times', () => {
  const parsing = (text: string, rest: string) => `parsing time "${text}"${rest}`;
  const layout = ' as "2006-01-02T15:04:05Z07:00": cannot parse ';

  it.each([
    ['2026-01-31T23:59:59Z', undefined],
    ['2026-01-31T1:00:00,5+24:60', undefined],
    ['2026-01-01T00:00:00Z', undefined],
    ['2026-12-01T23:59:59Z', undefined],
    ['2024-02-29T00:00:00Z', undefined],
    ['2000-02-29T00:00:00Z', undefined],
    ['2100-02-29T00:00:00Z', ': day out of range'],
    ['2026-02-29T00:00:00Z', ': day out of range'],
    ['2026-04-31T00:00:00Z', ': day out of range'],
    ['2026-01-00T00:00:00Z', ': day out of range'],
    ['2026-13-01T00:00:00Z', ': month out of range'],
    ['2026-00-01T00:00:00Z', ': month out of range'],
    ['2026-01-01T24:00:00Z', ': hour out of range'],
    ['2026-01-01T00:60:00Z', ': minute out of range'],
    ['2026-01-01T00:00:60Z', ': second out of range'],
    ['2026-01-01T00:00:00+25:00', ': time zone offset hour out of range'],
    ['2026-01-01T00:00:00+00:61', ': time zone offset minute out of range'],
    ['2026-01-01T00:00:00Z!', ': extra text: "!"'],
    ['2026-01-01 00:00:00Z', `${layout}" 00:00:00Z" as "T"`],
    ['2026-01-01T00:00:00', `${layout}"" as "Z07:00"`],
    ['yesterday', `${layout}"yesterday" as "2006"`],
  ])('%s', (text, rest) => {
    const answer = decodeManifest(classShape, classManifest({}, { creationTimestamp: text }));
    expect(answer.is === 'refused' ? answer.message : undefined).toBe(
      rest === undefined ? undefined : parsing(text, rest),
    );
  });
});

describe('what decoding makes of a manifest', () => {
  const decoded = (shape: StructShape, manifest: unknown) => {
    const answer = decodeManifest<{ readonly spec: object }>(shape, manifest);
    if (answer.is === 'refused') throw new Error(answer.message);
    return answer;
  };

  it.each([
    ['null is absent', { accessModes: null, storageClassName: null }, { resources: {} }],
    ['null in a list is empty', { accessModes: [null] }, { accessModes: [''], resources: {} }],
    [
      'a size of null is zero',
      { resources: { requests: { storage: null } } },
      { resources: { requests: { storage: '0' } } },
    ],
    [
      'sizes keep their spelling',
      { resources: { requests: { storage: '1024Mi' } } },
      { resources: { requests: { storage: '1024Mi' } } },
    ],
    [
      'a size may be a number',
      { resources: { requests: { storage: 5 } } },
      { resources: { requests: { storage: '5' } } },
    ],
    ['an empty text of a plain field is absent', { volumeName: '' }, { resources: {} }],
    ['the class "" is not', { storageClassName: '' }, { storageClassName: '', resources: {} }],
    ['what is always there is filled in', { dataSource: {} }, { dataSource: { kind: '', name: '' }, resources: {} }],
  ])('%s', (_, spec, expected) => {
    expect(decoded(claimShape, { spec }).object.spec).toEqual(expected);
  });

  it('fields that the kind does not have fall away and are told by their path', () => {
    const { object, unknownFields } = decoded(claimShape, {
      ...claimManifest({ storageclassName: 'fast', selector: { matchExpressions: [{ key: 'a', value: 'b' }] } }),
      Spec: {},
    });
    expect(unknownFields).toEqual(['spec.storageclassName', 'spec.selector.matchExpressions[0].value', 'Spec']);
    expect(object.spec).not.toHaveProperty('storageclassName');
  });

  it('a decoded object decodes to itself', () => {
    fc.assert(
      fc.property(fc.constantFrom(claimShape, volumeShape, classShape), fc.jsonValue(), (shape, spec) => {
        const once = decodeManifest(shape, { metadata: { labels: { a: 'b' } }, spec });
        if (once.is === 'refused') return;
        expect(decodeManifest(shape, once.object)).toEqual({ ...once, unknownFields: [] });
      }),
    );
  });
});

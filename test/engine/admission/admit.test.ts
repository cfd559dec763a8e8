import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { featuresFor } from '../../../src/api/features.ts';
import type { LimitRange, ResourceQuota, StorageClass } from '../../../src/api/objects.ts';
import {
  type AdmittedKind,
  admitClaim,
  admitClass,
  admitVolume,
  type ClaimSurroundings,
  textOfRefusal,
} from '../../../src/engine/admission/admit.ts';
import { newClass } from '../../support/builders.ts';
import { claimManifest, classManifest, features, notSubdomain, volumeManifest } from './manifests.ts';

const nothing: ClaimSurroundings = { classes: [], quotas: [], limitRanges: [] };
const standard: StorageClass = {
  ...newClass('standard', 'csi.example.com'),
  metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
};
const full: ResourceQuota = {
  kind: 'ResourceQuota',
  metadata: { name: 'team', namespace: 'media' },
  status: { hard: { persistentvolumeclaims: '1' }, used: { persistentvolumeclaims: '1' } },
};
const small: LimitRange = {
  kind: 'LimitRange',
  metadata: { name: 'sizes', namespace: 'media' },
  spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }] },
};

const refusalOf = (manifest: unknown, surroundings: Partial<ClaimSurroundings> = {}): string | undefined => {
  const { refusal } = admitClaim(manifest, { ...nothing, ...surroundings }, features);
  return refusal && textOfRefusal(refusal, 'PersistentVolumeClaim', 'films');
};

describe('a new claim that is admitted', () => {
  it('gets defaults, the default class and the protection finalizer', () => {
    const { object, refusal } = admitClaim(claimManifest(), { ...nothing, classes: [standard] }, features);
    expect(refusal).toBeUndefined();
    expect(object).toEqual({
      ...claimManifest({ storageClassName: 'standard', volumeMode: 'Filesystem' }),
      metadata: { name: 'films', namespace: 'media', finalizers: ['kubernetes.io/pvc-protection'] },
      status: { phase: 'Pending' },
    });
  });

  it.each([
    ['none on purpose', { storageClassName: '' }, {}, ''],
    ['another one', { storageClassName: 'fast' }, {}, 'fast'],
    ['none in the old annotation', {}, { 'volume.beta.kubernetes.io/storage-class': '' }, undefined],
  ])('keeps its class: %s', (_, spec, annotations, expected) => {
    const manifest = claimManifest(spec, { annotations });
    const { object } = admitClaim(manifest, { ...nothing, classes: [standard] }, features);
    expect(object?.spec.storageClassName).toBe(expected);
  });

  it('does not get the finalizer twice', () => {
    const finalizers = ['kubernetes.io/pvc-protection'];
    expect(admitClaim(claimManifest({}, { finalizers }), nothing, features).object?.metadata.finalizers).toEqual(
      finalizers,
    );
  });

  it('tells fields that no claim has, and warnings', () => {
    const manifest = claimManifest({ storageclass: 'fast', resources: { requests: { storage: '1500m' } } });
    expect(admitClaim(manifest, nothing, features)).toMatchObject({
      unknownFields: ['spec.storageclass'],
      warnings: ['spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer'],
    });
  });

  it('is counted for the next one', () => {
    const roomy = { ...full, status: { hard: { persistentvolumeclaims: '2' }, used: { persistentvolumeclaims: '1' } } };
    const { quotas } = admitClaim(claimManifest(), { ...nothing, quotas: [roomy] }, features);
    expect(quotas[0]?.status?.used).toEqual({ persistentvolumeclaims: '2' });
    expect(refusalOf(claimManifest(), { quotas })).toMatch(/exceeded quota: team/);
  });
});

describe('a new claim that is refused', () => {
  it.each<[string, object, Partial<ClaimSurroundings>, string]>([
    [
      'by decoding',
      claimManifest({ accessModes: 'ReadWriteOnce' }),
      {},
      'PersistentVolumeClaim in version "v1" cannot be handled as a PersistentVolumeClaim: json: cannot unmarshal string into Go struct field PersistentVolumeClaimSpec.spec.accessModes of type []v1.PersistentVolumeAccessMode',
    ],
    [
      'by validation',
      claimManifest({ resources: undefined }),
      {},
      'PersistentVolumeClaim "films" is invalid: spec.resources[storage]: Required value',
    ],
    [
      'by validation, for several reasons',
      claimManifest({ resources: undefined, accessModes: [] }),
      {},
      'PersistentVolumeClaim "films" is invalid: [spec.accessModes: Required value: at least 1 access mode is required, spec.resources[storage]: Required value]',
    ],
    [
      'by a limit range, before the quota',
      claimManifest(),
      { limitRanges: [small], quotas: [full] },
      'persistentvolumeclaims "films" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 500Gi',
    ],
    [
      'by a quota',
      claimManifest(),
      { quotas: [full] },
      'persistentvolumeclaims "films" is forbidden: exceeded quota: team, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: persistentvolumeclaims=1',
    ],
    [
      'for the version that an exported manifest carries',
      claimManifest({}, { resourceVersion: '12345' }),
      {},
      'resourceVersion should not be set on objects to be created',
    ],
  ])('%s', (_, manifest, surroundings, text) => {
    expect(refusalOf(manifest, surroundings)).toBe(text);
  });

  it('is not counted, and gets no warnings', () => {
    const manifest = claimManifest({ resources: { requests: { storage: '1500m' } } });
    expect(admitClaim(manifest, { ...nothing, quotas: [full] }, features)).toMatchObject({
      quotas: [full],
      warnings: [],
    });
  });

  it('up to 1.25, if several classes are the default', () => {
    const rival = { ...standard, metadata: { ...standard.metadata, name: 'fast' } };
    const surroundings = { ...nothing, classes: [standard, rival] };
    const { refusal } = admitClaim(claimManifest(), surroundings, featuresFor('1.25'));
    expect(refusal && textOfRefusal(refusal, 'PersistentVolumeClaim', 'films')).toBe(
      'persistentvolumeclaims "films" is forbidden: Internal error occurred: 2 default StorageClasses were found',
    );
    expect(admitClaim(claimManifest(), surroundings, features).object?.spec.storageClassName).toBe('fast');
    expect(
      admitClaim(claimManifest({ storageClassName: 'fast' }), surroundings, featuresFor('1.25')).refusal,
    ).toBeUndefined();
    expect(admitClaim(claimManifest(), { ...nothing, classes: [standard] }, featuresFor('1.25'))).toMatchObject({
      refusal: undefined,
      object: { spec: { storageClassName: 'standard' } },
    });
  });
});

describe('a new volume or class', () => {
  it('gets defaults, a volume the protection finalizer, and loses its namespace', () => {
    expect(admitVolume(volumeManifest({}, { namespace: 'media' }), features)).toMatchObject({
      refusal: undefined,
      object: {
        metadata: { name: 'archive-01', finalizers: ['kubernetes.io/pv-protection'] },
        spec: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
        status: { phase: 'Pending' },
      },
    });
    expect(admitClass(classManifest({}, { namespace: 'media' }), features)).toMatchObject({
      refusal: undefined,
      object: { metadata: { name: 'archive' }, reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
    });
  });

  it('sources that nothing reads get their defaults, too', () => {
    const disk = { diskName: 'd', diskURI: 'https://example.com/d.vhd' };
    const { object } = admitVolume(volumeManifest({ nfs: undefined, azureDisk: disk }), features);
    expect(object?.spec.azureDisk).toEqual({
      ...disk,
      cachingMode: 'ReadWrite',
      fsType: 'ext4',
      readOnly: false,
      kind: 'Shared',
    });
  });

  it.each<[string, AdmittedKind, ReturnType<typeof admitVolume> | ReturnType<typeof admitClass>, string]>([
    [
      'volume',
      'PersistentVolume',
      admitVolume(volumeManifest({}, { name: 'A' }), features),
      `PersistentVolume "A" is invalid: metadata.name: Invalid value: "A": ${notSubdomain}`,
    ],
    [
      'class',
      'StorageClass',
      admitClass(classManifest({}, { name: 'A' }), features),
      `StorageClass.storage.k8s.io "A" is invalid: metadata.name: Invalid value: "A": ${notSubdomain}`,
    ],
    [
      'class that cannot be read',
      'StorageClass',
      admitClass(classManifest({ parameters: [] }), features),
      'StorageClass in version "storage.k8s.io/v1" cannot be handled as a StorageClass: json: cannot unmarshal array into Go struct field StorageClass.parameters of type map[string]string',
    ],
    [
      'volume with the old annotation',
      'PersistentVolume',
      admitVolume(
        volumeManifest(
          { nfs: undefined, hostPath: { path: '/a' } },
          { annotations: { 'volume.beta.kubernetes.io/mount-options': '' } },
        ),
        features,
      ),
      'PersistentVolume "A" is invalid: metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type',
    ],
  ])('is refused in the API server’s words: %s', (_, kind, { refusal }, text) => {
    expect(refusal && textOfRefusal(refusal, kind, 'A')).toBe(text);
  });
});

describe('any manifest at all', () => {
  // Names that the kinds have, so that the values land somewhere.
  const names = fc.constantFrom(
    'metadata',
    'spec',
    'name',
    'labels',
    'accessModes',
    'resources',
    'requests',
    'storage',
    'capacity',
    'csi',
    'hostPath',
    'path',
    'nodeAffinity',
    'required',
    'nodeSelectorTerms',
    'matchExpressions',
    'key',
    'parameters',
    '__proto__',
    'constructor',
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(null, true, 0, -1, 1.5, '', 'x', '1Gi', 'ReadWriteOnce'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(names, tie('value'), { maxKeys: 5 }),
    ),
  }));

  it('is admitted or refused, the same way each time, and left as it was', () => {
    fc.assert(
      fc.property(value, (manifest) => {
        const before = JSON.stringify(manifest);
        for (const admit of [
          () =>
            admitClaim(manifest, { ...nothing, classes: [standard], quotas: [full], limitRanges: [small] }, features),
          () => admitVolume(manifest, features),
          () => admitClass(manifest, features),
        ]) {
          expect(admit()).toEqual(admit());
        }
        expect(JSON.stringify(manifest)).toBe(before);
      }),
      { numRuns: 300 },
    );
  });
});

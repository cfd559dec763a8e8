import { describe, expect, it } from 'vitest';
import { containsAccessModes } from '../../../src/api/access-modes.ts';
import type {
  LabelSelector,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeSpec,
} from '../../../src/api/objects.ts';
import { findByClaim } from '../../../src/engine/pv-controller/find-matching-volume.ts';
import { VolumeIndex } from '../../../src/engine/pv-controller/volume-index.ts';
import { firstFailure, type Site, siteOf, volumeChecks, wantsOf } from '../../../src/engine/volume-checks.ts';
import { modes } from '../../support/builders.ts';
import { features } from './fixture.ts';

// kubernetes/kubernetes pkg/controller/volume/persistentvolume/index_test.go (1.37); specification pv-controller 15.12. Volumes are named
// by what upstream's table has for their uid: two volumes of its pool have the same name.

const site = siteOf(features);

function pv(name: string, storage: string, spec: Partial<PersistentVolumeSpec> = {}): PersistentVolume {
  return {
    kind: 'PersistentVolume',
    metadata: { name },
    spec: { capacity: { storage }, accessModes: modes('RWO', 'ROX'), volumeMode: 'Filesystem', ...spec },
    status: { phase: 'Available' },
  };
}

function pvc(storage: string, spec: Partial<PersistentVolumeClaimSpec> = {}): PersistentVolumeClaim {
  return {
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'claim01', namespace: 'myns' },
    spec: {
      accessModes: modes('ROX', 'RWO'),
      resources: { requests: { storage } },
      volumeMode: 'Filesystem',
      ...spec,
    },
  };
}

const withPhase = (volume: PersistentVolume, phase: string): PersistentVolume => ({ ...volume, status: { phase } });
const labelled = (volume: PersistentVolume): PersistentVolume => ({
  ...volume,
  metadata: { ...volume.metadata, labels: { 'should-exist': 'true' } },
});
const claimed = (volume: PersistentVolume, uid: string): PersistentVolume =>
  withPhase({ ...volume, spec: { ...volume.spec, claimRef: { uid } } }, 'Bound');
const onNodesWith = (value: string): Pick<PersistentVolumeSpec, 'nodeAffinity'> => ({
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'key1', operator: 'In', values: [value] }] }] },
  },
});

const nfsModes = modes('RWO', 'ROX', 'RWX');
const wait = { storageClassName: 'wait' };

/** createTestVolumes, in its order, which is no order on purpose. */
const pool: readonly PersistentVolume[] = [
  pv('gce-pd-10', '10G'),
  claimed(pv('gce-pd-20', '20G'), 'def456'),
  pv('nfs-5', '5G', { accessModes: nfsModes }),
  claimed(pv('gce-pd-1', '1G'), 'abc123'),
  pv('nfs-10', '10G', { accessModes: nfsModes }),
  pv('gce-pd-5', '5G'),
  pv('nfs-1', '1G', { accessModes: nfsModes }),
  labelled(pv('gce-pd-2', '20000G', { accessModes: modes('RWO') })),
  labelled(pv('gce-pd-silver1', '10000G', { accessModes: modes('RWO'), storageClassName: 'silver' })),
  pv('gce-pd-silver2', '100G', { accessModes: modes('RWO'), storageClassName: 'silver' }),
  pv('gce-pd-gold', '50G', { accessModes: modes('RWO'), storageClassName: 'gold' }),
  pv('local-pd-very-large', '200E', { accessModes: nfsModes, storageClassName: 'large' }),
  pv('local-pd-extremely-large', '800E', { accessModes: nfsModes, storageClassName: 'large' }),
  pv('affinity-pv', '100G', { ...wait, ...onNodesWith('value1') }),
  pv('affinity-pv2', '150G', { ...wait, ...onNodesWith('value1') }),
  pv('affinity-prebound', '100G', {
    ...wait,
    ...onNodesWith('value1'),
    claimRef: { name: 'claim02', namespace: 'myns' },
  }),
  pv('affinity-pv3', '200G', { ...wait, ...onNodesWith('value3') }),
  withPhase(pv('affinity-pv4-pending', '200G', { ...wait, ...onNodesWith('value4') }), 'Pending'),
  withPhase(pv('affinity-pv4-failed', '200G', { ...wait, ...onNodesWith('value4') }), 'Failed'),
  withPhase(pv('affinity-pv4-released', '200G', { ...wait, ...onNodesWith('value4') }), 'Released'),
  withPhase(pv('affinity-pv4-empty', '200G', { ...wait, ...onNodesWith('value4') }), ''),
  pv('gce-pd-vac-silver1', '100G', { volumeAttributesClassName: 'silver' }),
];

function indexOf(volumes: readonly PersistentVolume[], claim?: PersistentVolumeClaim): VolumeIndex {
  const index = new VolumeIndex(Object.keys(claim?.spec.selector?.matchLabels ?? {}));
  for (const volume of volumes) index.set(volume);
  return index;
}

/** The volumes that the claim may get. */
function matches(volumes: readonly PersistentVolume[], claim: PersistentVolumeClaim, at: Site = site): string[] {
  const options = findByClaim(indexOf(volumes, claim), wantsOf(claim), at);
  return [...(options ?? [])].map(({ volume }) => volume.metadata.name);
}

const shouldExist: LabelSelector = { matchLabels: { 'should-exist': 'true' } };

describe('TestMatchVolume', () => {
  it.each([
    { name: 'successful-match-gce-10', claim: pvc('8G'), expected: 'gce-pd-10' },
    {
      name: 'successful-match-nfs-5',
      claim: pvc('5G', { accessModes: modes('ROX', 'RWO', 'RWX') }),
      expected: 'nfs-5',
    },
    { name: 'successful-skip-1g-bound-volume', claim: pvc('1G'), expected: 'gce-pd-5' },
    { name: 'successful-no-match', claim: pvc('999G') },
    {
      name: 'successful-no-match-due-to-label',
      claim: pvc('999G', { selector: { matchLabels: { 'should-not-exist': 'true' } } }),
    },
    {
      name: 'successful-no-match-due-to-size-constraint-with-label-selector',
      claim: pvc('20000G', { selector: shouldExist }),
    },
    {
      name: 'successful-match-due-with-constraint-and-label-selector',
      claim: pvc('20000G', { selector: shouldExist, accessModes: modes('RWO') }),
      expected: 'gce-pd-2',
    },
    {
      name: 'successful-match-with-empty-vac',
      claim: pvc('8G', { volumeAttributesClassName: '' }),
      expected: 'gce-pd-10',
    },
    {
      name: 'successful-match-with-vac',
      claim: pvc('1G', { volumeAttributesClassName: 'silver' }),
      expected: 'gce-pd-vac-silver1',
    },
    { name: 'successful-no-match-vac-nonexisting', claim: pvc('1G', { volumeAttributesClassName: 'non-existing' }) },
    {
      name: 'successful-match-with-class',
      claim: pvc('1G', { selector: shouldExist, accessModes: modes('RWO'), storageClassName: 'silver' }),
      expected: 'gce-pd-silver1',
    },
    {
      name: 'successful-match-with-class-and-labels',
      claim: pvc('1G', { accessModes: modes('RWO'), storageClassName: 'silver' }),
      expected: 'gce-pd-silver2',
    },
    {
      name: 'successful-match-very-large',
      claim: pvc('1E', { accessModes: modes('RWO'), storageClassName: 'large' }),
      expected: 'local-pd-very-large',
    },
    {
      name: 'successful-match-exact-extremely-large',
      claim: pvc('800E', { accessModes: modes('RWO'), storageClassName: 'large' }),
      expected: 'local-pd-extremely-large',
    },
    {
      name: 'successful-no-match-way-too-large',
      claim: pvc('950E', { accessModes: modes('RWO'), storageClassName: 'large' }),
    },
  ])('$name', ({ claim, expected }) => {
    expect(matches(pool, claim)).toEqual(expected === undefined ? [] : [expected]);
  });
});

describe('TestMatchingWithBoundVolumes', () => {
  it('of two volumes that are alike a claim gets the one that nobody has', () => {
    const volumes = [claimed(pv('gce001', '1G'), 'abc123'), pv('gce002', '1G')];
    expect(matches(volumes, pvc('1G'))).toEqual(['gce002']);
  });
});

describe('TestListByAccessModes', () => {
  const index = indexOf(pool);

  /** The free volumes of a class in the smallest bucket for the modes, by capacity. */
  const listed = (accessModes: Parameters<typeof modes>, className: string): string[] => {
    const [[bucket] = []] = index.allPossibleMatchingAccessModes(modes(...accessModes));
    expect(bucket?.modes).toBe(accessModes.join(','));
    const groups = [...(bucket?.groups.get(className)?.values() ?? [])];
    return groups.flatMap(({ cells }) => [...cells].flatMap(({ names }) => [...names]));
  };

  it('the volumes of a bucket ascend by capacity; claimed ones lie apart', () => {
    expect(listed(['RWO', 'ROX'], '').filter((name) => name !== 'gce-pd-vac-silver1')).toEqual([
      'gce-pd-5',
      'gce-pd-10',
    ]);
    expect(listed(['RWO', 'ROX', 'RWX'], '')).toEqual(['nfs-1', 'nfs-5', 'nfs-10']);
    expect(listed(['RWO', 'ROX', 'RWX'], 'large')).toEqual(['local-pd-very-large', 'local-pd-extremely-large']);
  });
});

describe('TestAllPossibleAccessModes', () => {
  const bucketsFor = (...requested: Parameters<typeof modes>): string[] =>
    indexOf(pool)
      .allPossibleMatchingAccessModes(modes(...requested))
      .flat()
      .map((bucket) => bucket.modes);

  it('ReadWriteOnce is in all three buckets, fewest modes first', () => {
    expect(bucketsFor('RWO')).toEqual(['RWO', 'RWO,ROX', 'RWO,ROX,RWX']);
  });

  it('ReadWriteMany is in one', () => {
    expect(bucketsFor('RWX')).toEqual(['RWO,ROX,RWX']);
  });
});

describe('TestFindingVolumeWithDifferentAccessModes', () => {
  const gce = pv('gce', '10G');
  const ebs = pv('ebs', '10G', { accessModes: modes('RWO') });
  const nfs = pv('nfs', '10G', { accessModes: nfsModes });
  const has = (volume: PersistentVolume): PersistentVolume => ({ ...volume, spec: { ...volume.spec, claimRef: {} } });

  it.each([
    { name: 'RWO: the volume with this mode only', volumes: [gce, ebs, nfs], modes: modes('RWO'), expected: 'ebs' },
    { name: 'RWO and ROX', volumes: [gce, ebs, nfs], modes: modes('RWO', 'ROX'), expected: 'gce' },
    {
      name: 'the order of the modes does not matter',
      volumes: [gce, ebs, nfs],
      modes: modes('RWX', 'RWO', 'ROX'),
      expected: 'nfs',
    },
    { name: 'RWX: more modes than asked for', volumes: [gce, ebs, nfs], modes: modes('RWX'), expected: 'nfs' },
    { name: 'RWO, the exact match is taken', volumes: [gce, has(ebs), nfs], modes: modes('RWO'), expected: 'gce' },
    { name: 'RWO, the next is taken, too', volumes: [has(gce), has(ebs), nfs], modes: modes('RWO'), expected: 'nfs' },
    { name: 'ROX: fewest modes first', volumes: [gce, has(ebs), nfs], modes: modes('ROX'), expected: 'gce' },
  ])('$name', ({ volumes, modes: accessModes, expected }) => {
    expect(matches(volumes, pvc('1G', { accessModes }))).toEqual([expected]);
  });
});

const ofMode = (volumeMode: string | undefined): PersistentVolume => {
  const { volumeMode: _default, ...spec } = pv('block', '10G', { accessModes: modes('RWO') }).spec;
  return { ...pv('block', '10G'), spec: { ...spec, ...(volumeMode === undefined ? {} : { volumeMode }) } };
};
const forMode = (volumeMode: string | undefined): PersistentVolumeClaim => {
  const { volumeMode: _default, ...spec } = pvc('8G', { accessModes: modes('RWO') }).spec;
  return { ...pvc('8G'), spec: { ...spec, ...(volumeMode === undefined ? {} : { volumeMode }) } };
};

describe('TestVolumeModeCheck', () => {
  it.each([
    { claim: 'Block', volume: 'Filesystem', isMismatch: true },
    { claim: 'Filesystem', volume: 'Block', isMismatch: true },
    { claim: 'Block', volume: 'Block', isMismatch: false },
    { claim: 'Filesystem', volume: 'Filesystem', isMismatch: false },
    { claim: 'Filesystem', volume: undefined, isMismatch: false },
    { claim: undefined, volume: 'Filesystem', isMismatch: false },
    { claim: undefined, volume: undefined, isMismatch: false },
    { claim: undefined, volume: 'Block', isMismatch: true },
    { claim: 'Block', volume: undefined, isMismatch: true },
  ])('pvc $claim and pv $volume', ({ claim, volume, isMismatch }) => {
    const answer = volumeChecks.VolumeModeMismatch.ask(wantsOf(forMode(claim)), ofMode(volume), site);
    expect(answer.is).toBe(isMismatch ? 'fail' : 'pass');
  });
});

describe('TestFilteringVolumeModes', () => {
  // Upstream's table also has rows for modes "defaulted to Filesystem", with the same input as these.
  it.each([
    { claim: 'Block', volume: 'Filesystem', isMatch: false },
    { claim: 'Filesystem', volume: 'Block', isMatch: false },
    { claim: 'Block', volume: 'Block', isMatch: true },
    { claim: 'Filesystem', volume: 'Filesystem', isMatch: true },
  ])('pvc $claim and pv $volume', ({ claim, volume, isMatch }) => {
    expect(matches([ofMode(volume)], forMode(claim))).toEqual(isMatch ? ['block'] : []);
  });
});

describe('TestStorageObjectInUseProtectionFiltering', () => {
  const volume = pv('pv1', '1G', { accessModes: modes('RWO') });
  const claim = pvc('1G', { accessModes: modes('RWO') });
  const deleted = { ...volume, metadata: { ...volume.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const named = { ...site, sizeAsValue: true };

  it('pv deletionTimeStamp not set', () => {
    expect(firstFailure('named', wantsOf(claim), volume, named)).toBeUndefined();
    expect(matches([volume], claim)).toEqual(['pv1']);
  });

  it('pv deletionTimeStamp set', () => {
    expect(firstFailure('named', wantsOf(claim), deleted, named)?.code).toBe('VolumeTerminating');
    expect(matches([deleted], claim)).toEqual([]);
  });
});

describe('TestFindingPreboundVolumes', () => {
  const claim = pvc('1Gi', { accessModes: modes('RWO') });
  const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', name: 'claim01', namespace: 'myns' };
  const ofOther = { name: 'foo', namespace: 'bar' };
  const volumesWith = (refs: Readonly<Record<string, PersistentVolumeSpec['claimRef']>>): PersistentVolume[] =>
    (
      [
        ['pv1', '1Gi', modes('RWO')],
        ['pv5', '5Gi', modes('RWO')],
        ['pv8', '8Gi', modes('RWO')],
        ['pvBadSize', '1Mi', modes('RWO')],
        ['pvBadMode', '1Gi', modes('ROX')],
      ] as const
    ).map(([name, size, accessModes]) => {
      const ref = refs[name];
      return pv(name, size, { accessModes, ...(ref === undefined ? {} : { claimRef: ref }) });
    });

  it.each([
    { name: 'nothing is reserved: the exact size', refs: {}, expected: 'pv1' },
    { name: 'the exact size is reserved for another claim: the next larger', refs: { pv1: ofOther }, expected: 'pv5' },
    { name: 'the largest is reserved for the claim', refs: { pv8: claimRef }, expected: 'pv8' },
    { name: 'one that is too small is reserved for the claim', refs: { pvBadSize: claimRef }, expected: 'pv1' },
    { name: 'one without the access mode is reserved for the claim', refs: { pvBadMode: claimRef }, expected: 'pv1' },
  ])('$name', ({ refs, expected }) => {
    expect(matches(volumesWith(refs), claim)).toEqual([expected]);
  });
});

describe('TestBestMatchDelayed', () => {
  it('nothing is matched while the class delays binding', () => {
    expect(matches(pool, pvc('8G'), { ...site, delayed: true })).toEqual([]);
  });
});

describe('TestCheckAccessModes', () => {
  it.each([
    { name: 'success-single-mode', requested: modes('RWX'), succeeds: true },
    { name: 'success-many-modes', requested: modes('RWX', 'RWO'), succeeds: true },
    { name: 'fail-single-mode', requested: modes('ROX'), succeeds: false },
    { name: 'fail-many-modes', requested: modes('RWX', 'ROX'), succeeds: false },
  ])('$name', ({ requested, succeeds }) => {
    expect(containsAccessModes(modes('RWO', 'RWX'), requested)).toBe(succeeds);
  });
});

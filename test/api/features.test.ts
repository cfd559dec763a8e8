import { describe, expect, it } from 'vitest';
import { type Features, featuresFor, newestRelease, testedReleases, VersionError } from '../../src/api/features.ts';

const minors = Array.from({ length: 13 }, (_, i) => 25 + i);

describe('a version names a release', () => {
  it.each([
    ['1.31', '1.31'],
    ['v1.31', '1.31'],
    ['1.31.4', '1.31'],
    ['v1.31.4', '1.31'],
    ['v1.31.4+k3s1', '1.31'],
    ['v1.30.1-eks-036c24b', '1.30'],
    ['v1.31.4-gke.1183000', '1.31'],
    ['v1.37.0-rc.1', '1.37'],
    ['1.31+', '1.31'],
    [' v1.31.4\n', '1.31'],
    ['1.37.2', '1.37'],
    // Beyond what is known.
    ['1.38', '1.37'],
    ['v1.99.0', '1.37'],
    ['2.0', '1.37'],
    ['1.24.17', '1.25'],
    ['1.0', '1.25'],
    ['0.9', '1.25'],
  ])('%s: %s', (version, release) => {
    expect(featuresFor(version).release).toBe(release);
  });

  it.each(['', 'latest', '1', 'v1', '1.x', '1.31.x', '1.31.4.5', '1,31', '-1.31', 'v1.31 4', '1..31'])(
    '%j is none',
    (version) => {
      expect(() => featuresFor(version)).toThrow(
        new VersionError(`${JSON.stringify(version)} is not a Kubernetes version such as 1.37 or v1.34.2`),
      );
    },
  );

  it('the newest release is a tested one', () => {
    expect(testedReleases).toEqual(['1.34', '1.35', '1.36', '1.37']);
    expect(testedReleases.at(-1)).toBe(newestRelease);
    expect(testedReleases.map((release) => featuresFor(release).release)).toEqual(testedReleases);
  });
});

type Flag = { [K in keyof Features]: Features[K] extends boolean ? K : never }[keyof Features];

describe('a feature is there since', () => {
  it.each<[Flag, number]>([
    ['newestDefaultClass', 26],
    ['retroactiveDefaultStorageClass', 26],
    ['readWriteOncePod', 27],
    ['rewordedExternalProvisioning', 28],
    ['honorPVReclaimPolicy', 31],
    ['externalDeleterForStaticCSI', 31],
    ['comparesVolumeAttributesClass', 31],
    ['recoverVolumeExpansionFailure', 32],
    ['volumeAttributesClass', 34],
    ['deleterLookupFirst', 36],
    ['retriesSyncErrors', 36],
    ['retriesProvisioningCleanup', 36],
    ['nodeInclusionPolicy', 26],
    ['spreadMatchLabelKeys', 27],
    ['schedulingGates', 27],
    ['readWriteOncePodPreemption', 27],
    ['sidecarContainers', 29],
    ['zoneLabelFallback', 29],
    ['csiMigrationPortworx', 31],
    ['limitsCountAttachments', 32],
    ['inPlacePodVerticalScaling', 33],
    ['podLevelResources', 34],
    ['fitUnresolvable', 34],
    ['podLevelResourcesVerticalScaling', 36],
    ['nodeDeclaredFeatures', 36],
    ['nodeNameFirst', 37],
    ['podWideResizeRequests', 37],
    ['storageCapacityScoring', 37],
    ['volumeLimitScaling', 37],
  ])('%s: 1.%d', (flag, first) => {
    expect(minors.filter((minor) => featuresFor(`1.${minor}`)[flag])).toEqual(minors.filter((minor) => minor >= first));
  });

  it('attach limits read the annotation of migrated plugins up to 1.35', () => {
    expect(featuresFor('1.35').limitsReadMigratedPlugins).toBe(true);
    expect(featuresFor('1.36').limitsReadMigratedPlugins).toBe(false);
  });
});

it.each([
  ['1.26.13', false],
  ['1.26.14', true],
  ['1.27.10', false],
  ['1.27.11', true],
  ['1.28.6', false],
  ['1.28.7', true],
  ['1.29.1', false],
  ['1.29.2', true],
  ['1.29', true],
  ['1.30.0', true],
])('in %s the class "" counts as a class when a default is filled in: %s', (version, counts) => {
  expect(featuresFor(version).emptyClassIsClass).toBe(counts);
});

describe('the plugins that the controller of a release has', () => {
  it.each([
    [
      '1.25',
      [
        'host-path',
        'nfs',
        'local-volume',
        'csi',
        'glusterfs',
        'cinder',
        'aws-ebs',
        'azure-disk',
        'gce-pd',
        'vsphere-volume',
        'azure-file',
        'rbd',
        'portworx-volume',
      ],
    ],
    ['1.28', ['host-path', 'nfs', 'local-volume', 'csi', 'vsphere-volume', 'azure-file', 'rbd', 'portworx-volume']],
    ['1.30', ['host-path', 'nfs', 'local-volume', 'csi', 'rbd', 'portworx-volume']],
    ['1.31', ['host-path', 'nfs', 'portworx-volume']],
    ['1.35', ['host-path', 'nfs', 'portworx-volume']],
    ['1.36', ['host-path', 'nfs']],
    ['1.37', ['host-path', 'nfs']],
  ])('%s: %j', (release, plugins) => {
    expect(featuresFor(release).controllerPlugins).toEqual(plugins.map((plugin) => `kubernetes.io/${plugin}`));
  });
});

describe('the words of the scheduler', () => {
  it.each([
    ['1.32', 'node(s) had volume node affinity conflict'],
    ['1.33', "node(s) didn't match PersistentVolume's node affinity"],
  ])('of a node that a volume is not on, in %s', (release, text) => {
    expect(featuresFor(release).wording.nodeConflict).toBe(text);
  });

  it.each([
    ['1.33', 'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode'],
    [
      '1.34',
      'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
    ],
  ])('of a claim that one pod may use, in %s', (release, text) => {
    expect(featuresFor(release).wording.readWriteOncePodConflict).toBe(text);
  });

  it.each([
    ['1.25', 'keyAndValue', 'none', false, '', undefined, false, false],
    ['1.26', 'keyAndValue', 'none', true, '', undefined, true, false],
    ['1.28', 'keyAndValue', 'none', true, '', undefined, true, false],
    ['1.29', 'keyAndValue', 'none', true, '', undefined, false, false],
    ['1.30', 'keyAndValue', 'fixed', true, '', undefined, false, false],
    ['1.32', 'keyAndValue', 'plugins', true, '', undefined, false, false],
    ['1.34.1', 'keyAndValue', 'plugins', true, 'no new claims to deallocate, ', 'not found', false, false],
    ['1.34.2', 'plain', 'plugins', true, 'no new claims to deallocate, ', 'not found', false, false],
    ['1.36', 'plain', 'plugins', true, 'no new claims to deallocate, ', 'not found', false, false],
    ['1.37', 'plain', 'plugins', true, '', 'not found', false, true],
  ] as const)(
    'of taints, node lists and preemption, in %s',
    (release, taint, list, once, prefix, after, doubled, success) => {
      expect(featuresFor(release).wording).toMatchObject({
        untoleratedTaint: taint,
        outsideNodeList: list,
        preFilterOnce: once,
        preemptionPrefix: prefix,
        preemptionAfterPreFilter: after,
        doubledPeriod: doubled,
        tellsPreemptionSuccess: success,
      });
    },
  );
});

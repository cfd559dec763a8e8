import { describe, expect, it } from 'vitest';
import {
  csiNameFromInTree,
  inTreeNameFromCSI,
  inTreePluginOf,
  isMigrated,
  TranslationError,
  translateInTreeVolume,
} from '../../src/api/csi-migration.ts';
import { featuresFor } from '../../src/api/features.ts';
import type { Labels, NodeSelector, NodeSelectorTerm, PersistentVolumeSpec } from '../../src/api/objects.ts';
import { newVolume } from '../support/builders.ts';

describe('an in-tree plugin and the CSI driver that took over', () => {
  it.each<[string, string, keyof PersistentVolumeSpec]>([
    ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com', 'awsElasticBlockStore'],
    ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io', 'gcePersistentDisk'],
    ['kubernetes.io/azure-disk', 'disk.csi.azure.com', 'azureDisk'],
    ['kubernetes.io/azure-file', 'file.csi.azure.com', 'azureFile'],
    ['kubernetes.io/cinder', 'cinder.csi.openstack.org', 'cinder'],
    ['kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com', 'vsphereVolume'],
    ['kubernetes.io/portworx-volume', 'pxd.portworx.com', 'portworxVolume'],
    ['kubernetes.io/rbd', 'rbd.csi.ceph.com', 'rbd'],
  ])('%s: %s, %s', (plugin, driver, field) => {
    expect(csiNameFromInTree(plugin)).toBe(driver);
    expect(inTreeNameFromCSI(driver)).toBe(plugin);
    expect(inTreePluginOf({ [field]: {} })).toBe(plugin);
  });

  it.each(['ebs.csi.aws.com', 'kubernetes.io/host-path', 'kubernetes.io/no-provisioner', 'toString', ''])(
    '%j has none',
    (name) => {
      expect(csiNameFromInTree(name)).toBeUndefined();
      expect(isMigrated(name, featuresFor('1.37'))).toBe(false);
    },
  );

  it.each([{ csi: { driver: 'ebs.csi.aws.com' } }, { hostPath: { path: '/tmp/a' } }, { nfs: {} }, { glusterfs: {} }])(
    'the source %j belongs to none',
    (source) => {
      expect(inTreePluginOf(source)).toBeUndefined();
    },
  );
});

describe('a release leaves a plugin to its driver', () => {
  it.each([
    ['kubernetes.io/aws-ebs', '1.25', true],
    ['kubernetes.io/gce-pd', '1.25', true],
    ['kubernetes.io/azure-disk', '1.25', true],
    ['kubernetes.io/azure-file', '1.25', true],
    ['kubernetes.io/cinder', '1.25', true],
    ['kubernetes.io/vsphere-volume', '1.25', true],
    ['kubernetes.io/vsphere-volume', '1.37', true],
    ['kubernetes.io/portworx-volume', '1.25', false],
    ['kubernetes.io/portworx-volume', '1.30', false],
    ['kubernetes.io/portworx-volume', '1.31', true],
    ['kubernetes.io/portworx-volume', '1.37', true],
    ['kubernetes.io/rbd', '1.30', false],
    ['kubernetes.io/rbd', '1.37', false],
    ['kubernetes.io/glusterfs', '1.25', false],
  ])('%s in %s: %s', (plugin, release, migrated) => {
    expect(isMigrated(plugin, featuresFor(release))).toBe(migrated);
  });
});

const zone = 'topology.kubernetes.io/zone';
const region = 'topology.kubernetes.io/region';
const betaZone = 'failure-domain.beta.kubernetes.io/zone';
const betaRegion = 'failure-domain.beta.kubernetes.io/region';
const gke = 'topology.gke.io/zone';

const one = (key: string, ...values: readonly string[]): NodeSelectorTerm => ({
  matchExpressions: [{ key, operator: 'In', values }],
});
const terms = (...nodeSelectorTerms: readonly NodeSelectorTerm[]): NodeSelector => ({ nodeSelectorTerms });

const disk = (
  required: NodeSelector | undefined,
  labels: Labels = {},
  source: PersistentVolumeSpec = { gcePersistentDisk: { pdName: 'films' } },
) =>
  newVolume(
    'archive-03',
    '1Gi',
    { ...source, ...(required === undefined ? {} : { nodeAffinity: { required } }) },
    { labels },
  );

// Observed with k8s.io/csi-translation-lib v0.37.2.
describe('the node affinity of an in-tree volume, in the words of its driver', () => {
  it.each<[string, NodeSelector | undefined, Labels, NodeSelector | undefined]>([
    ['nothing to translate', undefined, {}, undefined],
    ['a zone', terms(one(zone, 'us-east1-a')), {}, terms(one(gke, 'us-east1-a'))],
    ['the beta zone', terms(one(betaZone, 'us-east1-a')), {}, terms(one(gke, 'us-east1-a'))],
    [
      'a zone in each term',
      terms(one(zone, 'us-east1-a'), one(zone, 'us-east1-b')),
      {},
      terms(one(gke, 'us-east1-a'), one(gke, 'us-east1-b')),
    ],
    ['another key', terms(one('disk', 'ssd')), {}, terms(one('disk', 'ssd'))],
    [
      'a zone in the affinity, another on the label',
      terms(one(zone, 'us-east1-a')),
      { [zone]: 'us-east1-b' },
      terms(one(gke, 'us-east1-a')),
    ],
    ['a zone only on the label', undefined, { [zone]: 'us-east1-a' }, terms(one(gke, 'us-east1-a'))],
    ['a beta zone only on the label', undefined, { [betaZone]: 'us-east1-a' }, terms(one(gke, 'us-east1-a'))],
    [
      'zones on the label, one twice',
      undefined,
      { [zone]: 'us-east1-b__us-east1-a__us-east1-b' },
      terms(one(gke, 'us-east1-a', 'us-east1-b')),
    ],
    ['a label of nothing', undefined, { [zone]: '' }, undefined],
    [
      "today's label before the beta one",
      undefined,
      { [zone]: 'us-east1-a', [betaZone]: 'us-east1-b' },
      terms(one(gke, 'us-east1-a')),
    ],
    [
      "the beta key in the affinity before today's label",
      terms(one(betaZone, 'us-east1-b')),
      { [zone]: 'us-east1-a' },
      terms(one(gke, 'us-east1-b')),
    ],
    [
      'the label narrows each term, empty ones too',
      terms(one('disk', 'ssd'), {}),
      { [zone]: 'us-east1-a' },
      terms(
        {
          matchExpressions: [
            ...(one('disk', 'ssd').matchExpressions ?? []),
            ...(one(gke, 'us-east1-a').matchExpressions ?? []),
          ],
        },
        one(gke, 'us-east1-a'),
      ),
    ],
    [
      'a beta region beside a beta zone',
      terms(one(betaZone, 'us-east1-a'), one(betaRegion, 'us-east1')),
      {},
      terms(one(gke, 'us-east1-a'), one(region, 'us-east1')),
    ],
    [
      "a beta region beside today's zone",
      terms(one(zone, 'us-east1-a'), one(betaRegion, 'us-east1')),
      {},
      terms(one(gke, 'us-east1-a'), one(betaRegion, 'us-east1')),
    ],
    [
      'a zone that only has to exist',
      terms({ matchExpressions: [{ key: zone, operator: 'Exists' }] }),
      {},
      terms({ matchExpressions: [{ key: zone, operator: 'Exists' }] }),
    ],
  ])('%s', (_name, required, labels, translated) => {
    const before = disk(required, labels);
    const copy = structuredClone(before);
    const { spec } = translateInTreeVolume(before);
    expect(spec.nodeAffinity?.required).toEqual(translated);
    expect(spec.gcePersistentDisk).toBeUndefined();
    expect(spec.csi?.driver).toBe('pd.csi.storage.gke.io');
    expect(before).toEqual(copy);
  });

  it.each<[PersistentVolumeSpec, string]>([
    [{ awsElasticBlockStore: { volumeID: 'vol-1' } }, 'topology.ebs.csi.aws.com/zone'],
    [{ cinder: { volumeID: 'films' } }, 'topology.cinder.csi.openstack.org/zone'],
    // These keep what they have.
    [{ azureDisk: { diskURI: '/films' } }, zone],
    [{ portworxVolume: { volumeID: 'films' } }, zone],
  ])('the zone of %j is called %s', (source, key) => {
    expect(translateInTreeVolume(disk(terms(one(zone, 'a')), {}, source)).spec.nodeAffinity?.required).toEqual(
      terms(one(key, 'a')),
    );
  });

  it('zones on a label are read with white space and gaps', () => {
    const volume = disk(undefined, { [zone]: ' b__a____b' }, { cinder: { volumeID: 'films' } });
    const { nodeAffinity } = translateInTreeVolume(volume).spec;
    expect(nodeAffinity?.required).toEqual(terms(one('topology.cinder.csi.openstack.org/zone', 'a', 'b')));
  });

  it.each<PersistentVolumeSpec>([
    { csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-1' } },
    { hostPath: { path: '/tmp/a' } },
    // Migrated, but the scheduler does not translate them.
    { azureFile: { shareName: 'films' } },
    { vsphereVolume: { volumePath: '[a] films.vmdk' } },
    { rbd: { image: 'films' } },
  ])('%j stays as it is', (source) => {
    const volume = disk(terms(one(zone, 'a')), { [zone]: 'b' }, source);
    expect(translateInTreeVolume(volume)).toBe(volume);
  });
});

describe('the handle of an in-tree volume', () => {
  const managed = { diskURI: '/subscriptions/a/films', kind: 'managed' };
  it.each<[PersistentVolumeSpec, Labels, string]>([
    [{ awsElasticBlockStore: { volumeID: 'vol-1' } }, {}, 'vol-1'],
    [{ awsElasticBlockStore: { volumeID: 'aws://us-east-1a/vol-1' } }, {}, 'vol-1'],
    [{ awsElasticBlockStore: { volumeID: 'aws:///vol-1/' } }, {}, 'vol-1'],
    [{ gcePersistentDisk: { pdName: 'films' } }, {}, 'projects/UNSPECIFIED/zones/UNSPECIFIED/disks/films'],
    [
      { gcePersistentDisk: { pdName: 'films' } },
      { [zone]: 'us-east1-a' },
      'projects/UNSPECIFIED/zones/us-east1-a/disks/films',
    ],
    [
      { gcePersistentDisk: { pdName: 'films' } },
      { [zone]: 'us-east1-a', [betaZone]: 'us-east1-b' },
      'projects/UNSPECIFIED/zones/us-east1-b/disks/films',
    ],
    [
      { gcePersistentDisk: { pdName: 'films' } },
      { [zone]: 'us-east1-a__us-east1-b' },
      'projects/UNSPECIFIED/regions/us-east1/disks/films',
    ],
    [{ cinder: { volumeID: 'films' } }, {}, 'films'],
    [{ portworxVolume: { volumeID: 'films' } }, {}, 'films'],
    [{ azureDisk: managed }, {}, '/subscriptions/a/films'],
  ])('%j with labels %j: %s', (source, labels, handle) => {
    expect(translateInTreeVolume(disk(undefined, labels, source)).spec.csi?.volumeHandle).toBe(handle);
  });

  const shared = { diskURI: '/subscriptions/a/films', kind: 'Shared' };
  it.each<[PersistentVolumeSpec, Labels, string]>([
    [
      { awsElasticBlockStore: { volumeID: 'aws://us-east-1a/films' } },
      {},
      'failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (aws://us-east-1a/films)',
    ],
    [
      { gcePersistentDisk: { pdName: 'films' } },
      { [zone]: 'us-east1-a__basement' },
      'failed to get region from zones: zone in unexpected format, expected: {locale}-{region}-{zone}, got: basement',
    ],
    [
      { gcePersistentDisk: { pdName: 'films' } },
      { [zone]: 'us-east1-a__eu-west1-b' },
      'failed to get region from zones: multiple or no regions gotten from zones, got: map[eu-west1:{} us-east1:{}]',
    ],
    [{ azureDisk: shared }, {}, 'kind(Shared) is not supported in csi migration'],
  ])('%j with labels %j has none: %s', (source, labels, message) => {
    expect(() => translateInTreeVolume(disk(undefined, labels, source))).toThrow(new TranslationError(message));
  });
});

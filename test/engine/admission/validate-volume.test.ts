import { describe, expect, it } from 'vitest';
import { decodeManifest } from '../../../src/engine/admission/decode-manifest.ts';
import { volumeShape } from '../../../src/engine/admission/manifest-shapes.ts';
import type { VolumeManifest } from '../../../src/engine/admission/manifest-types.ts';
import { validateMountOptions, validateVolume } from '../../../src/engine/admission/validate-volume.ts';
import type { ValidationRules } from '../../../src/engine/admission/validation-rules.ts';
import {
  notKeyName,
  notLabel,
  notLabelValue,
  notSubdomain,
  rules,
  rulesOf,
  texts,
  volumeManifest,
  volumeWith,
} from './manifests.ts';

const decoded = (manifest: object): VolumeManifest => {
  const answer = decodeManifest<VolumeManifest>(volumeShape, manifest);
  if (answer.is === 'refused') throw new Error(answer.message);
  return answer.object;
};
const errorsOf = (manifest: object, by: ValidationRules = rules): readonly string[] =>
  texts(validateVolume(decoded(manifest), by));

const capacity = (list: unknown) => volumeManifest({ capacity: list });
const csi = { driver: 'csi.example.com', volumeHandle: 'archive-01' };
const affinity = (...terms: object[]) => volumeManifest({ nodeAffinity: { required: { nodeSelectorTerms: terms } } });
const expression = (requirement: object) => affinity({ matchExpressions: [requirement] });
const field = (requirement: object) => affinity({ matchFields: [requirement] });
const at = 'spec.nodeAffinity.required.nodeSelectorTerms[0]';
const modes = 'supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"';

const specs: readonly [name: string, manifest: object, expected: readonly string[]][] = [
  ['an ordinary volume', volumeManifest(), []],

  ['no access modes', volumeManifest({ accessModes: [] }), ['spec.accessModes: Required value']],
  [
    'an unknown mode',
    volumeManifest({ accessModes: ['RWX'] }),
    [`spec.accessModes: Unsupported value: "RWX": ${modes}`],
  ],
  [
    'ReadWriteOncePod with another mode',
    volumeManifest({ accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] }),
    ['spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes'],
  ],

  [
    'no capacity',
    capacity(undefined),
    ['spec.capacity: Required value', 'spec.capacity: Unsupported value: null: supported values: "storage"'],
  ],
  [
    'an empty capacity',
    capacity({}),
    ['spec.capacity: Required value', 'spec.capacity: Unsupported value: {}: supported values: "storage"'],
  ],
  [
    'a capacity of something else',
    capacity({ cpu: '1' }),
    ['spec.capacity: Unsupported value: {"cpu":"1"}: supported values: "storage"'],
  ],
  [
    'a second capacity',
    capacity({ storage: '1024Mi', cpu: '1' }),
    ['spec.capacity: Unsupported value: {"cpu":"1","storage":"1Gi"}: supported values: "storage"'],
  ],
  [
    'a capacity of nothing',
    capacity({ storage: '0' }),
    ['spec.capacity[storage]: Invalid value: "0": must be greater than zero'],
  ],
  [
    'a negative capacity',
    capacity({ storage: '-1Gi' }),
    [
      'spec.capacity[storage]: Invalid value: -1073741824: must be a valid resource quantity',
      'spec.capacity[storage]: Invalid value: "-1Gi": must be greater than zero',
    ],
  ],

  ['every reclaim policy', volumeManifest({ persistentVolumeReclaimPolicy: 'Recycle' }), []],
  [
    'an unknown reclaim policy',
    volumeManifest({ persistentVolumeReclaimPolicy: 'Keep' }),
    ['spec.persistentVolumeReclaimPolicy: Unsupported value: "Keep": supported values: "Delete", "Recycle", "Retain"'],
  ],
  [
    'a class in upper case',
    volumeManifest({ storageClassName: 'Fast' }),
    [`spec.storageClassName: Invalid value: "Fast": ${notSubdomain}`],
  ],
  [
    'an unknown volume mode',
    volumeManifest({ volumeMode: 'File' }),
    ['spec.volumeMode: Unsupported value: "File": supported values: "Block", "Filesystem"'],
  ],
  ['any mount options', volumeManifest({ mountOptions: ['', 'nfsvers=4.1'] }), []],
  ['a claim that nobody checks', volumeManifest({ claimRef: { name: 'No Such', namespace: '' } }), []],

  ['a VolumeAttributesClass', volumeWith({ csi }, { volumeAttributesClassName: 'gold' }), []],
  [
    'an empty VolumeAttributesClass',
    volumeWith({ csi }, { volumeAttributesClassName: '' }),
    ['spec.volumeAttributesClassName: Required value: an empty string is disallowed'],
  ],
  [
    'a VolumeAttributesClass without CSI',
    volumeManifest({ volumeAttributesClassName: 'Gold' }),
    [
      `spec.volumeAttributesClassName: Invalid value: "Gold": ${notSubdomain}`,
      'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
    ],
  ],

  [
    'an affinity that requires nothing',
    volumeManifest({ nodeAffinity: {} }),
    ['spec.nodeAffinity.required: Required value: must specify required node constraints'],
  ],
  [
    'an affinity without terms',
    affinity(),
    ['spec.nodeAffinity.required.nodeSelectorTerms: Required value: must have at least one node selector term'],
  ],
  ['a term without requirements', affinity({}), []],
  [
    'In without values',
    expression({ key: 'zone', operator: 'In' }),
    [`${at}.matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`],
  ],
  [
    'Exists with values',
    expression({ key: 'zone', operator: 'Exists', values: ['a'] }),
    [
      `${at}.matchExpressions[0].values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
    ],
  ],
  [
    'Gt with two values',
    expression({ key: 'cpus', operator: 'Gt', values: ['1', '2'] }),
    [
      `${at}.matchExpressions[0].values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
    ],
  ],
  ['Gt with a value that is no number', expression({ key: 'cpus', operator: 'Gt', values: ['many'] }), []],
  [
    'an unknown operator',
    expression({ key: 'zone', operator: 'Equals' }),
    [`${at}.matchExpressions[0].operator: Invalid value: "Equals": not a valid selector operator`],
  ],
  [
    'key and value of a requirement',
    expression({ key: 'a b', operator: 'In', values: ['c d'] }),
    [
      `${at}.matchExpressions[0].key: Invalid value: "a b": ${notKeyName}`,
      `${at}.matchExpressions[0].values[0]: Invalid value: "c d": ${notLabelValue}`,
    ],
  ],
  ['a node by name', field({ key: 'metadata.name', operator: 'In', values: ['node-a'] }), []],
  [
    'two nodes by name',
    field({ key: 'metadata.name', operator: 'In', values: ['node-a', 'Node'] }),
    [
      `${at}.matchFields[0].values: Required value: must be only one value when \`operator\` is 'In' or 'NotIn' for node field selector`,
      `${at}.matchFields[0].values[1]: Invalid value: "Node": ${notSubdomain}`,
    ],
  ],
  [
    'another field',
    field({ key: 'metadata.uid', operator: 'Exists' }),
    [
      `${at}.matchFields[0].operator: Invalid value: "Exists": not a valid selector operator`,
      `${at}.matchFields[0].key: Invalid value: "metadata.uid": not a valid field selector key`,
    ],
  ],
];

describe('the spec of a new volume', () => {
  it.each(specs)('%s', (_, manifest, expected) => {
    expect(errorsOf(manifest)).toEqual(expected);
  });

  it('without the gate a VolumeAttributesClass is not looked at', () => {
    expect(errorsOf(volumeManifest({ volumeAttributesClassName: '' }), rulesOf('1.33'))).toEqual([]);
  });
});

const uri = {
  managed: '"/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
  blob: '"https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
};
const iscsi = { targetPortal: '192.0.2.1:3260', iqn: 'iqn.2001-04.com.example:disk1', lun: 0 };
const pairs = 'must be a host:port pair or multiple pairs separated by commas';
const hostPathTypes =
  'supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"';

const sources: readonly [name: string, source: object, expected: readonly string[]][] = [
  ['no source', {}, ['spec: Required value: must specify a volume type']],
  [
    'two sources',
    { nfs: { server: 'a', path: '/b' }, csi: {} },
    ['spec.csi: Forbidden: may not specify more than 1 volume type'],
  ],
  [
    'the first source in upstream’s order counts',
    { hostPath: { path: '' }, cephfs: {}, gcePersistentDisk: {} },
    [
      'spec.hostPath.path: Required value',
      'spec.gcePersistentDisk: Forbidden: may not specify more than 1 volume type',
      'spec.cephFS: Forbidden: may not specify more than 1 volume type',
    ],
  ],
  ['flexVolume is never one too many', { nfs: { server: 'a', path: '/b' }, flexVolume: { driver: 'c' } }, []],
  [
    'but whatever follows it is',
    { flexVolume: { driver: 'c' }, csi: {} },
    ['spec.csi: Forbidden: may not specify more than 1 volume type'],
  ],

  ['hostPath', { hostPath: { path: '/mnt/archive', type: 'Directory' } }, []],
  [
    'hostPath with a step back',
    { hostPath: { path: '/mnt/../etc' } },
    ['spec.hostPath.path: Invalid value: "/mnt/../etc": must not contain \'..\''],
  ],
  ['hostPath with two dots in a name', { hostPath: { path: '/mnt/a..b' } }, []],
  [
    'hostPath of an unknown type',
    { hostPath: { path: '/mnt', type: 'Dir' } },
    [`spec.hostPath.type: Unsupported value: "Dir": ${hostPathTypes}`],
  ],

  [
    'gcePersistentDisk',
    { gcePersistentDisk: { partition: 256 } },
    [
      'spec.persistentDisk.pdName: Required value',
      'spec.persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive',
    ],
  ],
  [
    'awsElasticBlockStore',
    { awsElasticBlockStore: { volumeID: 'vol-1', partition: -1 } },
    ['spec.awsElasticBlockStore.partition: Invalid value: -1: must be between 1 and 255, inclusive'],
  ],
  ['a partition of 0 is none', { awsElasticBlockStore: { volumeID: 'vol-1', partition: 0 } }, []],
  [
    'glusterfs',
    { glusterfs: { endpointsNamespace: '' } },
    [
      'spec.glusterfs.endpoints: Required value',
      'spec.glusterfs.path: Required value',
      'spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
    ],
  ],
  [
    'glusterfs in a namespace',
    { glusterfs: { endpoints: 'a', path: 'b', endpointsNamespace: 'Team' } },
    [`spec.glusterfs.endpointsNamespace: Invalid value: "Team": ${notLabel}`],
  ],
  ['flocker', { flocker: {} }, ['spec.flocker: Required value: one of datasetName and datasetUUID is required']],
  ['flocker by name', { flocker: { datasetName: 'archive' } }, []],
  ['flocker by identity', { flocker: { datasetUUID: '7a3c' } }, []],
  [
    'flocker with both',
    { flocker: { datasetName: 'a/b', datasetUUID: 'c' } },
    [
      'spec.flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously',
      'spec.flocker.datasetName: Invalid value: "a/b": must not contain \'/\'',
    ],
  ],
  [
    'nfs',
    { nfs: {} },
    [
      'spec.nfs.server: Required value',
      'spec.nfs.path: Required value',
      'spec.nfs.path: Invalid value: "": must be an absolute path',
    ],
  ],
  ['rbd', { rbd: {} }, ['spec.rbd.monitors: Required value', 'spec.rbd.image: Required value']],
  [
    'quobyte',
    { quobyte: {} },
    [`spec.quobyte.registry: Required value: ${pairs}`, 'spec.quobyte.volume: Required value'],
  ],
  ['quobyte with several registries', { quobyte: { registry: 'a:1,[::1]:2,:3', volume: 'v' } }, []],
  [
    'quobyte with wrong registries',
    { quobyte: { registry: 'a,b:1:2,[c]', volume: 'v' } },
    Array(3).fill(`spec.quobyte.registry: Invalid value: "a,b:1:2,[c]": ${pairs}`),
  ],
  [
    'quobyte with a long tenant',
    { quobyte: { registry: 'a', volume: 'v', tenant: 'x'.repeat(65) } },
    ['spec.quobyte.tenant: Required value: must be a UUID and may not exceed a length of 64 characters'],
  ],
  ['cephfs', { cephfs: { monitors: [] } }, ['spec.cephfs.monitors: Required value']],

  ['iscsi', { iscsi }, []],
  [
    'iscsi without anything',
    { iscsi: {} },
    ['spec.iscsi.targetPortal: Required value', 'spec.iscsi.iqn: Required value'],
  ],
  ...['eui.0123456789ABCDEF', 'naa.62004567BA64678D0123456789ABCDEF', 'iqn.2001-04.com.example:a:b'].map(
    (iqn): [string, object, string[]] => [`iscsi with ${iqn}`, { iscsi: { ...iscsi, iqn } }, []],
  ),
  ...['iqn.2001-04.com.example', 'iqn.2001-04.com.example:a b', 'eui.0123', 'naa.1', 'wwn.1'].map(
    (iqn): [string, object, string[]] => [
      `iscsi with ${iqn}`,
      { iscsi: { ...iscsi, iqn } },
      [`spec.iscsi.iqn: Invalid value: "${iqn}": must be valid format`],
    ],
  ),
  [
    'iscsi with a large number',
    { iscsi: { ...iscsi, lun: 256 } },
    ['spec.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive'],
  ],
  [
    'iscsi with a secret missing',
    { iscsi: { ...iscsi, chapAuthSession: true } },
    ['spec.iscsi.secretRef: Required value'],
  ],
  [
    'iscsi with a secret without a name',
    { iscsi: { ...iscsi, secretRef: {} } },
    ['spec.iscsi.secretRef.name: Required value'],
  ],
  [
    'iscsi with a wrong initiator',
    { iscsi: { ...iscsi, initiatorName: 'x' } },
    ['spec.iscsi.initiatorname: Invalid value: "x": must be valid format'],
  ],
  [
    'iscsi with an initiator and the longest portal',
    { iscsi: { ...iscsi, targetPortal: 'x'.repeat(53), initiatorName: iscsi.iqn } },
    [],
  ],
  [
    'iscsi with an initiator and a long portal',
    { iscsi: { ...iscsi, targetPortal: 'x'.repeat(60), initiatorName: iscsi.iqn } },
    [
      `spec.iscsi.targetportal: Invalid value: "${'x'.repeat(60)}": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.`,
    ],
  ],

  [
    'cinder',
    { cinder: { secretRef: {} } },
    [
      'spec.cinder.volumeID: Required value',
      'spec.cinder.secretRef.name: Required value',
      'spec.cinder.secretRef.namespace: Required value',
    ],
  ],
  ['fc', { fc: {} }, ['spec.fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both']],
  [
    'fc with both',
    { fc: { targetWWNs: ['a'], wwids: ['b'] } },
    [
      'spec.fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously',
      'spec.fc.lun: Required value: lun is required if targetWWNs is specified',
    ],
  ],
  [
    'fc with a large number',
    { fc: { targetWWNs: ['a'], lun: 256 } },
    ['spec.fc.lun: Invalid value: 256: must be between 0 and 255, inclusive'],
  ],
  ['fc by wwids needs no number', { fc: { wwids: ['b'] } }, []],
  [
    'flexVolume with reserved options',
    { flexVolume: { options: { 'a.K8s.io/x': '', 'kubernetes.io': '', xk8s: '' } } },
    [
      'spec.flexVolume.driver: Required value',
      'spec.flexVolume.options[a.K8s.io/x]: Invalid value: "a.K8s.io/x": kubernetes.io and k8s.io namespaces are reserved',
      'spec.flexVolume.options[kubernetes.io]: Invalid value: "kubernetes.io": kubernetes.io and k8s.io namespaces are reserved',
    ],
  ],
  [
    'azureFile',
    { azureFile: { secretNamespace: '' } },
    [
      'spec.azureFile.secretName: Required value',
      'spec.azureFile.shareName: Required value',
      'spec.azureFile.secretNamespace: Required value',
    ],
  ],
  ['vsphereVolume', { vsphereVolume: {} }, ['spec.vsphereVolume.volumePath: Required value']],
  ['photonPersistentDisk', { photonPersistentDisk: {} }, ['spec.photonPersistentDisk.pdID: Required value']],
  ['portworxVolume', { portworxVolume: {} }, ['spec.portworxVolume.volumeID: Required value']],
  [
    'azureDisk',
    { azureDisk: { diskURI: 'x', cachingMode: 'none', kind: 'managed' } },
    [
      'spec.azureDisk.diskName: Required value',
      'spec.azureDisk.cachingMode: Unsupported value: "none": supported values: "None", "ReadOnly", "ReadWrite"',
      'spec.azureDisk.kind: Unsupported value: "managed": supported values: "Dedicated", "Managed", "Shared"',
      `spec.azureDisk.diskURI: Unsupported value: "x": supported values: ${uri.blob}`,
    ],
  ],
  [
    'a managed azureDisk',
    { azureDisk: { diskName: 'd', diskURI: 'https://a', kind: 'Managed' } },
    [`spec.azureDisk.diskURI: Unsupported value: "https://a": supported values: ${uri.managed}`],
  ],
  [
    'scaleIO',
    { scaleIO: {} },
    [
      'spec.scaleIO.gateway: Required value',
      'spec.scaleIO.system: Required value',
      'spec.scaleIO.volumeName: Required value',
    ],
  ],
  [
    'local',
    { local: { path: '' } },
    ['spec.local.path: Required value', 'spec.nodeAffinity: Required value: Local volume requires node affinity'],
  ],
  [
    'local with a step back',
    { local: { path: '../a' }, nodeAffinity: { required: { nodeSelectorTerms: [{}] } } },
    ['spec.local.path: Invalid value: "../a": must not contain \'..\''],
  ],
  [
    'storageos',
    { storageos: { volumeNamespace: 'A.b', secretRef: {} } },
    [
      'spec.storageos.volumeName: Required value',
      `spec.storageos.volumeNamespace: Invalid value: "A.b": ${notLabel}`,
      'spec.storageos.secretRef.name: Required value',
      'spec.storageos.secretRef.namespace: Required value',
    ],
  ],

  ['csi', { csi }, []],
  ['csi in upper case', { csi: { ...csi, driver: 'CSI.Example.com' } }, []],
  ['csi without anything', { csi: {} }, ['spec.csi.driver: Required value', 'spec.csi.volumeHandle: Required value']],
  ['csi with the longest driver', { csi: { ...csi, driver: 'x'.repeat(63) } }, []],
  ['quobyte with the longest tenant', { quobyte: { registry: 'a:1', volume: 'v', tenant: 'x'.repeat(64) } }, []],
  ['iscsi with the largest number', { iscsi: { ...iscsi, lun: 255 } }, []],
  [
    'csi with a long driver',
    { csi: { ...csi, driver: 'x'.repeat(64) } },
    ['spec.csi.driver: Too long: may not be more than 63 bytes'],
  ],
  [
    'csi with a driver that is no name',
    { csi: { ...csi, driver: 'A_b' } },
    [`spec.csi.driver: Invalid value: "A_b": ${notSubdomain}`],
  ],
  [
    'csi with secrets',
    {
      csi: {
        ...csi,
        nodeStageSecretRef: {},
        controllerPublishSecretRef: {},
        nodeExpandSecretRef: { name: 'A', namespace: 'B' },
      },
    },
    [
      'spec.csi.controllerPublishSecretRef.name: Required value',
      'spec.csi.controllerPublishSecretRef.namespace: Required value',
      `spec.csi.nodeExpandSecretRef.name: Invalid value: "A": ${notSubdomain}`,
      `spec.csi.nodeExpandSecretRef.namespace: Invalid value: "B": ${notLabel}`,
    ],
  ],
];

describe('the source of a new volume', () => {
  it.each(sources)('%s', (_, source, expected) => {
    expect(errorsOf(volumeWith(source))).toEqual(expected);
  });

  it('up to 1.34 an empty driver is refused twice', () => {
    expect(errorsOf(volumeWith({ csi: { volumeHandle: 'a' } }), rulesOf('1.34'))).toEqual([
      'spec.csi.driver: Required value',
      `spec.csi.driver: Invalid value: "": ${notSubdomain}`,
    ]);
  });

  it.each([
    ['/', true],
    ['//', true],
    ['/a/..', true],
    ['/./', true],
    ['/a', false],
    ['a/..', false],
  ])('the node itself is not recycled: %s', (path, isRoot) => {
    const errors = errorsOf(volumeWith({ hostPath: { path } }, { persistentVolumeReclaimPolicy: 'Recycle' }));
    const refusal = "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'";
    expect(errors.includes(refusal)).toBe(isRoot);
  });
});

describe('the old annotation for mount options', () => {
  const annotated = (source: object) => ({
    ...volumeWith(source),
    metadata: { name: 'archive-01', annotations: { 'volume.beta.kubernetes.io/mount-options': 'hard' } },
  });
  const refusal =
    'metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type';

  it.each([
    ['nfs', { nfs: { server: 'a', path: '/b' } }, []],
    ['csi', { csi }, [refusal]],
    ['hostPath', { hostPath: { path: '/a' } }, [refusal]],
  ])('%s', (_, source, expected) => {
    expect(texts(validateMountOptions(decoded(annotated(source))))).toEqual(expected);
  });

  it('a volume without it may be of any type', () => {
    expect(validateMountOptions(decoded(volumeWith({ csi })))).toEqual([]);
  });
});

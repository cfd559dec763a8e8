#!/usr/bin/env node
// Prints random manifests of claims, volumes and classes, valid and broken ones, as oracle requests of mode "validate", one a line.
//   generate-validate.mjs [--seed N] [--count N]
// The same arguments print the same bytes. Every object starts out valid; then some of its fields are replaced by values
// from pools in which most are just right, just wrong, or of the wrong type.
import { parseArgs } from 'node:util';

import { chance, clean, int, maybe, pick, random, seed } from './random.mjs';

const { values: options } = parseArgs({ options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '100' } } });

// A value from the first pool, rarely one from the second.
const mostly = (good, bad, p = 0.15) => pick(chance(p) ? bad : good);

const long = n => 'x'.repeat(n);
const ODD_TEXT = ['a"b', 'a\\b', 'a\nb', 'tab\there', '<a>', 'a&b', 'ünder', '日本', '\u0001', '\u007f', '\u00a0', '\u200b', '\u2028', '😀', ' a', 'a '];
const NAMES = ['data', 'data-0', 'a.b', '1', 'films.media', long(63), long(253)];
const BAD_NAMES = ['Data', '-x', 'x-', 'x_y', 'a..b', '.a', 'a.', '', long(254), 'a/b', 'a b', ...ODD_TEXT];
const LABEL_NAMES = ['default', 'team', 'a-1', long(63)];
const BAD_LABEL_NAMES = ['Team', 'a.b', '-a', '', long(64), `${long(60)}.${long(60)}`, 'a_b', ...ODD_TEXT];
const KEYS = ['app', 'tier', 'example.com/app', 'A_b.c', '1', long(63), `a.${long(20)}/b`, 'kubernetes.io/hostname', 'topology.kubernetes.io/zone'];
const BAD_KEYS = ['a/b/c', '/a', 'a/', '', long(64), 'Example.com/a', '-a', 'a-', 'a b', `${long(254)}/a`, 'x_y/z', 'İ', '\u212a', 'ΑΣ', 'a//b', ...ODD_TEXT];
const VALUES = ['', 'gold', 'silver', 'A_b.c', '1', long(63)];
const BAD_VALUES = ['a b', '-x', 'x-', long(64), 'a/b', '.', ...ODD_TEXT];
const MODES = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'];
const BAD_MODES = ['RWO', 'readwriteonce', '', 'ReadWriteOnce ', '<x>', 'ü'];
const SIZES = ['1Gi', '5Gi', '100M', '1', '1073741824', '1.5Gi', '5e9', '0.5Gi', '1E', '8Ei', '1000m', '+1Gi', '01', '1.', '.5', 5, 1.5, 2e9];
const ODD_SIZES = ['0', '-1', '-1Gi', '0Gi', '1100m', '100u', '1n', '0.1n', '9Ei', '16Ei', '10E', '800E', '1000E', '99999999999G', '20000P', '1e22', '1e-3', '-1n', '-9Ei', '-10E', '0.1Gi', '0.5Ki', '-0.5Ki', ' 1Gi ', '1Gi\n', '', '1GB', '1gi', '1K', '1 Gi', '1e', 'Gi', 'm', '.', '+', '--1', '1e3Ki', 'x', '1_000', '1,5Gi', '123456789012345678901', '0.000000000001', null, true, {}, [], -3, 0, 1e21, 1e-7, '1000000001n', '-1100m', '1e400'];
const CLASSES = ['fast', 'slow', 'a.b', ''];
const TIMES = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-02T01:00:00+01:00', '2026-01-03T00:00:00.5Z'];
const BAD_TIMES = ['yesterday', '2026-02-30T00:00:00Z', '2026-01-01', '2026-01-01T24:00:00Z', '2026-13-01T00:00:00Z', '', '2026-01-01T1:00:00Z', '2026-01-01T00:00:00', '2026-01-01t00:00:00z', 5];

const name = () => mostly(NAMES, BAD_NAMES, 0.1);
const text = (good, p = 0.12) => mostly(good, ['', ...ODD_TEXT], p);
const key = () => mostly(KEYS, BAD_KEYS, 0.12);
const label = () => mostly(VALUES, BAD_VALUES, 0.12);
const size = (p = 0.12) => mostly(SIZES, ODD_SIZES, p);
const map = (from, to, makeKey, makeValue) => Object.fromEntries(Array.from({ length: int(from, to) }, () => [makeKey(), makeValue()]));
const list = (from, to, make) => Array.from({ length: int(from, to) }, make);
const modes = () => (chance(0.5) ? ['ReadWriteOnce'] : list(0, 3, () => mostly(MODES, BAD_MODES, 0.08)));
const volumeMode = () => mostly(['Filesystem', 'Block'], ['', 'block', 'File', '<b>'], 0.1);
const className = () => mostly(['fast', 'slow', 'a.b', ''], BAD_NAMES, 0.12);

function metadata(namespaced) {
  const finalizers = ['kubernetes.io/pvc-protection', 'kubernetes.io/pv-protection', 'example.com/hold', 'orphan', 'foregroundDeletion', 'kubernetes', 'hold', 'Hold', 'a/b/c', '', 'ex ample/x'];
  return {
    name: chance(0.04) ? undefined : name(),
    generateName: maybe(0.05, () => mostly(['data-', 'a.b-', 'x'], ['Data-', '-', 'x_-', '--', 'a..-', 'ü-', `${long(260)}-`], 0.4)),
    namespace: namespaced ? maybe(0.6, () => mostly(LABEL_NAMES, BAD_LABEL_NAMES, 0.08)) : maybe(0.04, () => pick(['default', '', 'X'])),
    labels: maybe(0.25, () => map(0, 3, key, label)),
    annotations: maybe(0.25, () => map(0, 2, key, () => text(['yes', 'no'], 0.3))),
    finalizers: maybe(0.15, () => list(0, 3, () => pick(finalizers))),
    ownerReferences: maybe(0.08, () => list(0, 3, () => ({
      apiVersion: chance(0.05) ? undefined : mostly(['v1', 'apps/v1'], ['', '/', 'a/b/c', 'apps/', '/v1'], 0.2),
      kind: mostly(['StatefulSet', 'Pod', 'Event'], [''], 0.1), name: mostly(['db', 'x'], ['', '<a>'], 0.1), uid: mostly(['u-1'], ['', undefined], 0.1),
      controller: maybe(0.5, () => chance(0.8)), blockOwnerDeletion: maybe(0.2, () => chance(0.5)), extra: maybe(0.05, () => 'x'),
    }))),
    managedFields: maybe(0.05, () => list(0, 2, () => ({
      manager: mostly(['kubectl', '', 'helm 3'], ['tab\tbed', long(129), 'ü\u0001😀\u200b', long(128)], 0.3), operation: mostly(['Apply', 'Update'], ['', 'Delete', '<a>', undefined], 0.3),
      apiVersion: 'v1', time: pick([TIMES[0], undefined, null]), fieldsType: mostly(['FieldsV1', undefined], ['FieldsV2', ''], 0.3), fieldsV1: { 'f:spec': {} }, subresource: mostly([undefined, 'status'], [long(257)], 0.1),
    }))),
    generation: maybe(0.04, () => pick([1, 0, -1])),
    creationTimestamp: maybe(0.06, () => mostly([...TIMES, null], BAD_TIMES, 0.3)),
    resourceVersion: maybe(0.05, () => pick(['5', 'x', ''])),
    uid: maybe(0.05, () => pick(['u-9', ''])),
  };
}

function selector() {
  const operator = () => mostly(['In', 'NotIn', 'Exists', 'DoesNotExist'], ['in', 'Equals', '', 'Gt', '<'], 0.12);
  return {
    matchLabels: maybe(0.5, () => map(0, 2, key, label)),
    matchExpressions: maybe(0.6, () => list(0, 3, () => {
      const op = operator();
      const wants = op === 'In' || op === 'NotIn';
      return { key: key(), operator: op, values: chance(0.15) ? pick([[], undefined, null, [label()]]) : wants ? list(1, 3, label) : undefined };
    })),
  };
}

function dataSource(withNamespace) {
  return {
    apiGroup: mostly([undefined, 'snapshot.storage.k8s.io', null, ''], ['Example.com', 'a_b', 'x..y', 'example.com', 'ü'], 0.25),
    kind: mostly(['PersistentVolumeClaim', 'VolumeSnapshot'], ['', 'Secret', 'Volume<x>', 'pvc'], 0.2),
    name: mostly(['source', 'snap'], ['', 'Bad_Name'], 0.15),
    namespace: withNamespace ? maybe(0.3, () => mostly(['other', ''], BAD_LABEL_NAMES, 0.3)) : maybe(0.03, () => 'other'),
  };
}

function claim() {
  const source = maybe(0.2, () => dataSource(false));
  const ref = maybe(0.2, () => (source && chance(0.6) ? { ...source, ...(chance(0.2) ? { kind: 'PersistentVolumeClaim' } : {}) } : dataSource(true)));
  const made = {
    apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: metadata(true),
    spec: {
      accessModes: chance(0.03) ? undefined : modes(),
      resources: chance(0.03) ? undefined : {
        requests: chance(0.04) ? pick([undefined, {}, null]) : { storage: chance(0.03) ? undefined : size(), ...(chance(0.05) ? { [pick(['cpu', 'foo', 'requests.storage'])]: size() } : {}) },
        limits: maybe(0.06, () => ({ storage: size(0.2) })),
      },
      storageClassName: maybe(0.5, className), volumeName: maybe(0.1, () => text(['pv-a', 'Bad_Name'])),
      volumeMode: maybe(0.3, volumeMode), selector: maybe(0.2, selector), dataSource: source, dataSourceRef: ref,
      volumeAttributesClassName: maybe(0.12, className),
    },
    status: maybe(0.08, () => ({ phase: pick(['Bound', 'Pending', '', 'x']), capacity: { storage: size(0.05) }, accessModes: modes() })),
  };
  if (chance(0.08)) made.metadata.annotations = { ...made.metadata.annotations, 'volume.beta.kubernetes.io/storage-class': pick(['', 'fast', 'Bad_Class']) };
  return made;
}

const secret = () => ({ name: maybe(0.85, name), namespace: maybe(0.85, () => mostly(LABEL_NAMES, BAD_LABEL_NAMES, 0.15)) });
const path = () => mostly(['/mnt/a', '/', '/a/b', '//', '/a/..'], ['', '../a', '/a/../b', 'rel/a', '..', '/..', '/a..', '...', '/./', 'C:\\a', ...ODD_TEXT], 0.25);
const initiator = () => mostly(['iqn.2001-04.com.example:storage.disk1', 'eui.0123456789ABCDEF', 'naa.62004567BA64678D0123456789ABCDEF', 'iqn.2001-04.com.example:a:b'],
  ['', 'iqn', 'iqn.2001-04.com.example', 'iqn.2001-4.com.example:a', 'eui.0123', 'eui.0123456789ABCDEFG', 'euix0123456789ABCDEF', 'eui\n0123456789ABCDEF', 'naa.1', 'iqx.2001-04.a:b', 'iqn.2001-04.com.example:a b', 'iqn.2001-04.com.example:a\u00a0b', 'iqn.2001-04.com.example:a,b', 'iqnx iqn.2001-04.a:b', 'iqn.2001-04.a_b:c', 'iqn.2001-04.a:'], 0.35);
const lun = () => mostly([0, 1, 255], [-1, 256, 3000000000, 1.5, '1', null], 0.25);
const fsType = () => maybe(0.2, () => text(['ext4', 'xfs']));
const readOnly = () => maybe(0.2, () => mostly([true, false], ['yes', null, 1], 0.05));

const SOURCES = {
  hostPath: () => ({ path: path(), type: maybe(0.4, () => mostly(['', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket', 'CharDevice', 'BlockDevice'], ['directory', 'Dir', '<x>'], 0.2)) }),
  gcePersistentDisk: () => ({ pdName: text(['disk']), partition: maybe(0.4, lun), fsType: fsType(), readOnly: readOnly() }),
  awsElasticBlockStore: () => ({ volumeID: text(['vol-1']), partition: maybe(0.4, lun), fsType: fsType() }),
  glusterfs: () => ({ endpoints: text(['gluster']), path: path(), endpointsNamespace: maybe(0.4, () => mostly(LABEL_NAMES, BAD_LABEL_NAMES, 0.4)) }),
  flocker: () => ({ datasetName: maybe(0.6, () => text(['set', 'a/b'])), datasetUUID: maybe(0.4, () => text(['uuid'])) }),
  nfs: () => ({ server: text(['192.0.2.1']), path: path(), readOnly: readOnly() }),
  rbd: () => ({ monitors: chance(0.2) ? pick([undefined, [], null, 'x']) : list(1, 2, () => '192.0.2.1:6789'), image: text(['image']), pool: maybe(0.3, () => text(['rbd', 'p'])), keyring: maybe(0.2, () => ''), secretRef: maybe(0.2, secret) }),
  quobyte: () => ({ registry: mostly(['host:7861', 'a:1,b:2', '[::1]:7861', ':1', 'a:'], ['', 'host', 'a:1,b', 'a:b:c', '[::1]', '[a]b:1', '[a:1', 'a]:1', 'a[:1', ',', '[]:', '[[]:1', 'a:[', '[a]:]', ' : '], 0.4), volume: text(['vol']), tenant: maybe(0.2, () => pick(['t', long(64), long(65)])), user: maybe(0.1, () => 'u') }),
  cephfs: () => ({ monitors: chance(0.2) ? pick([undefined, [], null]) : ['192.0.2.1'], path: maybe(0.2, path), secretRef: maybe(0.2, secret) }),
  iscsi: () => ({ targetPortal: text(['192.0.2.1:3260', long(60)]), iqn: initiator(), lun: chance(0.1) ? undefined : lun(), chapAuthDiscovery: maybe(0.2, () => chance(0.7)), chapAuthSession: maybe(0.2, () => chance(0.7)), secretRef: maybe(0.25, secret), initiatorName: maybe(0.3, initiator), portals: maybe(0.1, () => list(0, 2, () => '192.0.2.2')), iscsiInterface: maybe(0.1, () => pick(['', 'default', 'ifc'])) }),
  cinder: () => ({ volumeID: text(['vol']), secretRef: maybe(0.4, secret), fsType: fsType() }),
  fc: () => ({ targetWWNs: maybe(0.6, () => list(0, 2, () => '500a0982991b8dc5')), wwids: maybe(0.4, () => list(0, 2, () => '3600508b400105e21')), lun: maybe(0.7, lun) }),
  flexVolume: () => ({ driver: text(['example.com/lvm']), options: maybe(0.4, () => map(0, 3, () => pick(['a', 'kubernetes.io/a', 'K8S.io/b', 'x.k8s.io/c/d', 'k8s.io', 'xk8s.io', 'İ.kubernetes.io/x', '']), () => 'v')), secretRef: maybe(0.2, secret) }),
  azureFile: () => ({ secretName: text(['s']), shareName: text(['share']), secretNamespace: maybe(0.4, () => pick(['ns', '', null])), readOnly: readOnly() }),
  vsphereVolume: () => ({ volumePath: text(['[ds] a.vmdk']), storagePolicyName: maybe(0.1, () => 'p') }),
  photonPersistentDisk: () => ({ pdID: text(['pd']) }),
  portworxVolume: () => ({ volumeID: text(['vol']), readOnly: readOnly() }),
  azureDisk: () => ({ diskName: text(['disk']), diskURI: text(['https://a.blob.core.windows.net/c/d.vhd', '/subscriptions/s/resourcegroups/g', 'x']), cachingMode: maybe(0.4, () => mostly(['None', 'ReadOnly', 'ReadWrite'], ['', 'none', '<x>'], 0.2)), kind: maybe(0.5, () => mostly(['Shared', 'Dedicated', 'Managed'], ['', 'managed'], 0.2)), fsType: maybe(0.3, () => pick(['', 'ext4'])), readOnly: readOnly() }),
  scaleIO: () => ({ gateway: text(['gw']), system: text(['sys']), volumeName: maybe(0.8, () => text(['v'])), secretRef: maybe(0.7, secret), storageMode: maybe(0.2, () => pick(['', 'Thick'])), sslEnabled: maybe(0.2, () => true) }),
  local: () => ({ path: path(), fsType: maybe(0.2, () => pick(['', 'ext4'])) }),
  storageos: () => ({ volumeName: maybe(0.85, () => mostly(LABEL_NAMES, BAD_LABEL_NAMES, 0.25)), volumeNamespace: maybe(0.4, () => mostly(LABEL_NAMES, BAD_LABEL_NAMES, 0.25)), secretRef: maybe(0.3, secret) }),
  csi: () => ({ driver: mostly(['csi.example.com', 'ebs.csi.aws.com', 'CSI.Example.com', long(63)], ['', 'a_b', long(64), 'a..b', '-x', long(254), ...ODD_TEXT], 0.2), volumeHandle: text(['handle']), volumeAttributes: maybe(0.2, () => map(0, 2, key, label)), fsType: fsType(), readOnly: readOnly(),
    controllerPublishSecretRef: maybe(0.1, secret), nodeStageSecretRef: maybe(0.1, secret), nodePublishSecretRef: maybe(0.1, secret), controllerExpandSecretRef: maybe(0.1, secret), nodeExpandSecretRef: maybe(0.1, secret) }),
};
const COMMON_SOURCES = ['hostPath', 'nfs', 'csi', 'csi', 'local'];

function nodeAffinity() {
  const requirement = fields => {
    const operator = mostly(fields ? ['In', 'NotIn'] : ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'], ['Equals', '', 'gt', 'Exists', 'Gt', '<'], 0.15);
    const count = ['Exists', 'DoesNotExist'].includes(operator) ? 0 : ['Gt', 'Lt'].includes(operator) || fields ? 1 : int(1, 3);
    return {
      key: fields ? mostly(['metadata.name'], ['metadata.namespace', '', 'spec.x', 'name'], 0.15) : key(), operator,
      values: chance(0.15) ? pick([undefined, [], ['a', 'b'], ['x']]) : count === 0 ? undefined : list(count, count, () => (fields ? name() : ['Gt', 'Lt'].includes(operator) ? mostly(['5', '-1'], ['five', '5.5', ''], 0.3) : label())),
    };
  };
  return {
    required: chance(0.06) ? undefined : {
      nodeSelectorTerms: chance(0.06) ? pick([undefined, [], null]) : list(1, 2, () => (chance(0.05) ? {} : {
        matchExpressions: maybe(0.8, () => list(0, 2, () => requirement(false))), matchFields: maybe(0.3, () => list(0, 2, () => requirement(true))),
      })),
    },
  };
}

function volume() {
  const kinds = chance(0.06) ? [] : [pick(chance(0.5) ? COMMON_SOURCES : Object.keys(SOURCES))];
  if (chance(0.1)) kinds.push(pick(Object.keys(SOURCES)));
  if (chance(0.02)) kinds.push(...some(Object.keys(SOURCES), 0.3));
  const attributesClass = maybe(0.1, className);
  return {
    apiVersion: 'v1', kind: 'PersistentVolume', metadata: metadata(false),
    spec: {
      capacity: chance(0.05) ? pick([undefined, {}, null, { cpu: '1' }]) : { storage: size(), ...(chance(0.04) ? { [pick(['cpu', 'a<b', 'memory'])]: size() } : {}) },
      accessModes: chance(0.03) ? undefined : modes(),
      persistentVolumeReclaimPolicy: maybe(0.5, () => mostly(['Retain', 'Delete', 'Recycle'], ['retain', '', '<x>'], 0.08)),
      storageClassName: maybe(0.5, className), volumeMode: maybe(0.3, volumeMode),
      mountOptions: maybe(0.2, () => list(0, 3, () => text(['hard', 'nfsvers=4.1', 'ro']))),
      nodeAffinity: maybe(kinds.includes('local') ? 0.85 : 0.25, nodeAffinity),
      claimRef: maybe(0.15, () => ({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: mostly(['default'], ['', 'X'], 0.2), name: mostly(['data'], ['', 'Bad_Name'], 0.2), uid: maybe(0.3, () => 'u-1') })),
      volumeAttributesClassName: attributesClass,
      ...Object.fromEntries(kinds.map(kind => [kind, SOURCES[kind]()])),
    },
    status: maybe(0.1, () => ({ phase: pick(['Available', 'Bound', '']), message: 'x', lastPhaseTransitionTime: pick([TIMES[0], null]) })),
  };
}

function storageClass() {
  const made = {
    apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: metadata(false),
    provisioner: chance(0.04) ? undefined : mostly(['csi.example.com', 'kubernetes.io/no-provisioner', 'example.com/nfs', 'Example.com/NFS', 'ebs.csi.aws.com'], BAD_KEYS, 0.15),
    parameters: maybe(0.4, () => map(0, 3, () => mostly(['type', 'csi.storage.k8s.io/fstype', 'a b'], ['', '<x>'], 0.15), () => pick(['gp3', '', 'ü']))),
    reclaimPolicy: maybe(0.5, () => mostly(['Delete', 'Retain'], ['Recycle', '', 'delete', '<x>'], 0.2)),
    volumeBindingMode: maybe(0.6, () => mostly(['Immediate', 'WaitForFirstConsumer'], ['', 'Delayed', 'immediate', '<x>'], 0.15)),
    allowVolumeExpansion: maybe(0.3, () => chance(0.5)),
    mountOptions: maybe(0.2, () => list(0, 2, () => text(['hard']))),
    allowedTopologies: maybe(0.3, () => list(0, 3, () => (chance(0.1) ? {} : {
      matchLabelExpressions: list(0, 2, () => ({ key: mostly(['topology.kubernetes.io/zone', 'a'], BAD_KEYS, 0.1), values: chance(0.08) ? pick([undefined, [], null]) : list(1, 3, () => pick(['a', 'b', 'c d', ''])) })),
    }))),
  };
  if (chance(0.35)) {
    const mark = pick(['storageclass.kubernetes.io/is-default-class', 'storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class']);
    made.metadata.annotations = { ...made.metadata.annotations, [mark]: pick(['true', 'true', 'true', 'false', 'True', '']) };
    if (chance(0.5)) made.metadata.creationTimestamp = pick(TIMES);
  }
  if (chance(0.006)) made.parameters = Object.fromEntries(Array.from({ length: pick([512, 513]) }, (_, i) => [`p${i}`, 'v']));
  if (chance(0.006)) made.parameters = { a: pick(['x', 'ü']).repeat(pick([131071, 131072, 262143, 262144])) };
  return made;
}

const JUNK = [null, true, false, 0, 5, -1, 1.5, '', 'x', '5', [], {}, [null], [5], ['x'], { a: null }, { a: 5 }, { a: 'b' }, [{}], [[]]];

// Puts something of another type, something empty or an unknown field at a random place.
function disturb(object) {
  const places = [];
  const walk = (value, depth) => {
    for (const name of Object.keys(value)) {
      places.push([value, name]);
      if (value[name] && typeof value[name] === 'object' && depth < 8) walk(value[name], depth + 1);
    }
  };
  walk(object, 0);
  const [holder, field] = pick(places);
  const what = pick(['junk', 'junk', 'junk', 'delete', 'unknown', 'case']);
  if (what === 'junk') holder[field] = pick(JUNK);
  else if (what === 'delete') { if (Array.isArray(holder)) holder.pop(); else delete holder[field]; }
  else if (what === 'unknown' && !Array.isArray(holder)) holder.unknown = pick(JUNK);
  else if (what === 'case' && !Array.isArray(holder) && field !== '') { holder[field[0].toUpperCase() + field.slice(1)] = holder[field]; delete holder[field]; }
}

const base = Number(options.seed);
for (let n = 0; n < Number(options.count); n++) {
  seed(base, n);
  for (let i = 0; i < 5; i++) random();
  const objects = clean(list(1, 3, () => pick([claim, claim, volume, volume, storageClass])()));
  for (const object of objects) {
    if (chance(0.003)) object.metadata.annotations = { big: pick(['x', 'ü']).repeat(pick([131070, 131071, 262141, 262142])) };
    if (chance(0.06)) disturb(object);
  }
  // No cluster holds two classes of one name.
  const classes = objects.filter(o => Object.values(o).includes('StorageClass')).map(o => o.metadata?.name || '');
  if (new Set(classes).size < classes.length) objects.splice(0, objects.length, ...objects.slice(0, 1));
  process.stdout.write(`${JSON.stringify({ id: `validate-${base}-${n}`, mode: 'validate', objects })}\n`);
}

#!/usr/bin/env node
// Prints random small clusters as oracle requests, one a line, like generate.mjs --profile schedule, but richer in what the
// scheduler's filters look at.
//   generate-schedule-rich.mjs [--seed N] [--count N] [--mode schedule|cluster]
// The same arguments print the same bytes. Every volume and every claim has a size of its own, so that only volumes reserved for
// one claim leave a choice open. Each cluster has one or two themes that it exaggerates, so that filters late in the order are
// reached; a pod asks for at most one resource that is neither CPU, memory nor ephemeral storage and that may
// be short, because upstream lists several in random order.
import { parseArgs } from 'node:util';

import { chance, clean, int, maybe, pick, random, seed, some } from './random.mjs';

const { values: options } = parseArgs({ options: {
  seed: { type: 'string', default: '1' }, count: { type: 'string', default: '100' },
  mode: { type: 'string', default: 'schedule' }, profile: { type: 'string', default: 'schedule' },
} });

const shuffled = list => list.map(x => [random(), x]).sort((a, b) => a[0] - b[0]).map(([, x]) => x);

const GI = 2 ** 30;
const ZONES = ['a', 'b', 'c'];
const NAMESPACES = ['default', 'team', 'ops'];
const ZONE = 'topology.kubernetes.io/zone';
const REGION = 'topology.kubernetes.io/region';
const BETA_ZONE = 'failure-domain.beta.kubernetes.io/zone';
const BETA_REGION = 'failure-domain.beta.kubernetes.io/region';
const DRIVER_KEYS = {
  'csi.example.com': 'topology.csi.example.com/zone', 'ebs.csi.aws.com': 'topology.ebs.csi.aws.com/zone',
  'pd.csi.storage.gke.io': 'topology.gke.io/zone', 'cinder.csi.openstack.org': 'topology.cinder.csi.openstack.org/zone',
  'local.example.com': 'local.example.com/node',
};
const MIGRATED = ['kubernetes.io/aws-ebs', 'kubernetes.io/gce-pd', 'kubernetes.io/azure-disk', 'kubernetes.io/cinder', 'kubernetes.io/portworx-volume', 'kubernetes.io/azure-file', 'kubernetes.io/vsphere-volume'];
const LABELS = { app: ['db', 'web', 'cache'], tier: ['gold', 'silver'], rev: ['1', '2'] };
const EXTENDED = ['example.com/gpu', 'hugepages-2Mi', 'attachable-volumes-csi-x', 'kubernetes.io/odd', 'notscalar', 'bad prefix/x', 'example.com/fpga'];

const THEMES = ['taints', 'selectors', 'ports', 'resources', 'disks', 'limits', 'bound', 'static', 'provision', 'zones', 'spread', 'affinity', 'ephemeral', 'nominated'];
let themes = [];
/** A probability: small where the cluster's themes are others. */
const on = (theme, usual, exaggerated) => (themes.includes(theme) ? exaggerated : usual);

const podLabels = () => Object.fromEntries(Object.entries(LABELS).filter(() => chance(0.8)).map(([k, v]) => [k, chance(0.6) ? v[0] : pick(v)]));

function labelSelector() {
  if (chance(0.02)) return { matchExpressions: [{ key: 'app', operator: pick(['Near', 'In', 'Exists']), values: pick([[], ['x'], ['a b']]) }] };
  if (chance(on('spread', 0, 0.5))) return { matchLabels: { app: LABELS.app[0] } };
  return pick([
    () => ({ matchLabels: { app: pick(LABELS.app) } }),
    () => ({ matchLabels: { app: pick(LABELS.app) } }),
    () => ({ matchLabels: { app: pick(LABELS.app), tier: pick(LABELS.tier) } }),
    () => ({ matchExpressions: [{ key: 'app', operator: pick(['In', 'NotIn']), values: some(LABELS.app, 0.5).concat('x') }] }),
    () => ({ matchExpressions: [{ key: 'tier', operator: pick(['Exists', 'DoesNotExist']) }] }),
    () => ({}),
    () => undefined,
  ])();
}

function namespaceSelector() {
  return pick([() => ({}), () => ({ matchLabels: { team: pick(['red', 'blue']) } }), () => ({ matchExpressions: [{ key: 'team', operator: pick(['Exists', 'DoesNotExist']) }] })])();
}

const topologyKey = () => pick(['kubernetes.io/hostname', 'kubernetes.io/hostname', ZONE, ZONE, REGION, 'rack']);

function podTerm() {
  return {
    labelSelector: labelSelector(), topologyKey: topologyKey(),
    namespaces: maybe(0.25, () => some(NAMESPACES, 0.5)), namespaceSelector: maybe(0.25, namespaceSelector),
    matchLabelKeys: maybe(0.1, () => ['rev']),
  };
}

function nodeRequirement(nodes) {
  return pick([
    () => ({ key: ZONE, operator: pick(['In', 'NotIn']), values: [pick(ZONES)] }),
    () => ({ key: 'kubernetes.io/hostname', operator: pick(['In', 'In', 'NotIn']), values: some(nodes, 0.5).concat(pick(nodes)) }),
    () => ({ key: 'disk', operator: pick(['Exists', 'DoesNotExist']) }),
    () => ({ key: 'size', operator: pick(['Gt', 'Lt']), values: [pick(['1', '5', '9', '-1', '007'])] }),
    () => ({ key: 'disk', operator: 'In', values: ['ssd', 'nvme'] }),
    () => ({ key: 'disk', operator: pick(['Gt', 'In', 'Near']), values: pick([['x'], [], ['1', '2']]) }),
  ])();
}

function nodeTerms(nodes, fields = 0.2) {
  return Array.from({ length: int(1, 2) }, () => {
    const term = {};
    if (chance(0.85)) term.matchExpressions = Array.from({ length: int(1, 2) }, () => nodeRequirement(nodes));
    if (chance(fields)) term.matchFields = Array.from({ length: chance(0.2) ? 2 : 1 }, () => ({ key: 'metadata.name', operator: pick(['In', 'In', 'In', 'NotIn']), values: chance(0.9) ? [pick([...nodes, 'gone'])] : some(nodes, 0.6) }));
    return term;
  });
}

function tolerations() {
  return some([
    { operator: 'Exists' },
    { key: 'dedicated', operator: 'Equal', value: 'db', effect: 'NoSchedule' },
    { key: 'dedicated', operator: 'Exists' },
    { key: 'dedicated', value: 'db' },
    { key: 'level', operator: pick(['Lt', 'Gt']), value: '5' },
    { key: 'level', operator: 'Equal', value: '3', effect: '' },
    { effect: 'NoExecute', operator: 'Exists' },
    { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: pick(['NoSchedule', 'NoExecute']) },
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
  ], 0.25);
}

const taints = () => some([
  { key: 'dedicated', value: pick(['db', 'web']), effect: pick(['NoSchedule', 'NoExecute', 'PreferNoSchedule']) },
  { key: 'level', value: pick(['3', '7']), effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/not-ready', effect: pick(['NoSchedule', 'NoExecute']) },
  { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
], 0.3);

function requests(short) {
  const list = {};
  if (chance(0.6)) list.cpu = pick(themes.includes('resources') ? ['100m', '250m', '1', '1.5', '3', '0.0001'] : ['100m', '250m', '500m']);
  if (chance(0.6)) list.memory = pick(themes.includes('resources') ? ['64Mi', '1G', '2Gi', '100m', '6Gi'] : ['64Mi', '128Mi', '100m']);
  if (chance(on('resources', 0.05, 0.3))) list['ephemeral-storage'] = pick(['1Gi', '20Gi']);
  if (short && chance(on('resources', 0.05, 0.5))) list[short] = pick(['1', '2', '0', '4Mi']);
  return Object.keys(list).length ? list : undefined;
}

const ports = () => Array.from({ length: int(1, 2) }, (_, i) => ({
  containerPort: 8080 + i, hostPort: chance(0.8) ? pick([80, 443, 8080]) : undefined,
  hostIP: maybe(0.4, () => pick(['127.0.0.1', '10.0.0.1', '0.0.0.0'])), protocol: maybe(0.4, () => pick(['TCP', 'UDP', 'SCTP'])),
}));

function containers(short) {
  const container = name => ({ name, image: 'app', resources: maybe(0.8, () => ({ requests: requests(short), limits: maybe(0.1, () => ({ cpu: '2' })) })), ports: maybe(on('ports', 0.03, 0.6), ports) });
  const main = ['main', 'side'].slice(0, int(1, 2)).map(container);
  const init = ['i0', 'i1', 'i2'].slice(0, chance(0.35) ? int(1, 3) : 0).map(name => ({ ...container(name), restartPolicy: maybe(0.5, () => 'Always') }));
  return { containers: main, initContainers: init.length ? init : undefined };
}

function spreadConstraints() {
  return Array.from({ length: int(1, 2) }, () => {
    const soft = chance(0.15);
    return {
      maxSkew: chance(0.75) ? 1 : 2, topologyKey: chance(0.6) ? pick(['kubernetes.io/hostname', ZONE]) : topologyKey(), whenUnsatisfiable: soft ? 'ScheduleAnyway' : 'DoNotSchedule', labelSelector: labelSelector(),
      minDomains: soft ? undefined : maybe(0.3, () => int(1, 4)), nodeAffinityPolicy: maybe(0.4, () => pick(['Honor', 'Ignore'])),
      nodeTaintsPolicy: maybe(0.4, () => pick(['Honor', 'Ignore'])), matchLabelKeys: maybe(0.25, () => some(['rev', 'tier', 'absent'], 0.6)),
    };
  });
}

/** In-tree disks that a pod mounts directly. */
function inlineVolume(n) {
  const readOnly = maybe(0.5, () => true);
  return { name: `inline${n}`, ...pick([
    () => ({ gcePersistentDisk: { pdName: pick(['pd1', 'pd2']), readOnly } }),
    () => ({ awsElasticBlockStore: { volumeID: pick(['vol-1', 'aws://a/vol-2', 'aws:///vol-1', 'aws://a/bad']), readOnly } }),
    () => ({ awsElasticBlockStore: { volumeID: pick(['vol-1', 'vol-2']) } }),
    () => ({ iscsi: { targetPortal: '192.0.2.1', iqn: pick(['iqn.a', 'iqn.b']), lun: 0, readOnly } }),
    () => ({ rbd: { monitors: some(['m1', 'm2', 'm3'], 0.5), image: pick(['i1', 'i2']), pool: maybe(0.5, () => pick(['rbd', 'other'])), readOnly } }),
    () => ({ azureDisk: { diskName: 'd', diskURI: pick(['/disk/1', '/disk/2']), kind: 'Managed' } }),
    () => ({ cinder: { volumeID: pick(['cinder-1', 'cinder-2']) } }),
    () => ({ portworxVolume: { volumeID: pick(['px-1', 'px-2']) } }),
    () => ({ azureFile: { secretName: 's', shareName: 'share' } }),
    () => ({ vsphereVolume: { volumePath: '[ds] x.vmdk' } }),
    () => ({ emptyDir: {} }),
  ])() };
}

function source(name, driver) {
  const csi = () => ({ csi: { driver: chance(0.8) ? driver : pick(Object.keys(DRIVER_KEYS)), volumeHandle: chance(0.9) ? `h-${name}` : 'h-shared' } });
  return pick([csi, csi, csi, csi,
    () => ({ local: { path: `/mnt/${name}` } }),
    () => ({ nfs: { server: '192.0.2.1', path: `/${name}` } }),
    () => ({ awsElasticBlockStore: { volumeID: pick([`vol-${name}`, `aws://a/vol-${name}`, 'vol-1', 'aws://a/nope']) } }),
    () => ({ gcePersistentDisk: { pdName: pick([`pd-${name}`, 'pd1']) } }),
    () => ({ azureDisk: { diskName: name, diskURI: `/disk/${name}`, kind: chance(0.9) ? 'Managed' : 'Dedicated' } }),
    () => ({ cinder: { volumeID: pick([`cinder-${name}`, 'cinder-1']) } }),
    () => ({ portworxVolume: { volumeID: `px-${name}` } }),
    () => ({ vsphereVolume: { volumePath: `[ds] ${name}.vmdk` } }),
    () => ({ azureFile: { secretName: 's', shareName: name } }),
  ])();
}

function volumeAffinity(nodes) {
  return { required: { nodeSelectorTerms: pick([
    () => [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [pick(nodes)] }] }],
    () => [{ matchExpressions: [{ key: ZONE, operator: 'In', values: some(ZONES, 0.5).concat(pick(ZONES)) }] }],
    () => [{ matchExpressions: [{ key: BETA_ZONE, operator: 'In', values: [pick(ZONES)] }, ...(chance(0.5) ? [{ key: BETA_REGION, operator: 'In', values: ['r1'] }] : [])] }],
    () => [{ matchExpressions: [{ key: pick(Object.values(DRIVER_KEYS)), operator: 'In', values: [pick(ZONES)] }] }],
    () => nodeTerms(nodes, 0.3),
    () => [{}],
  ])() } };
}

const zoneLabels = () => Object.fromEntries(some([
  [ZONE, pick([...ZONES, 'a__b', 'a__', 'b__c'])], [BETA_ZONE, pick([...ZONES, 'a__ b'])], [REGION, pick(['r1', 'r2'])], [BETA_REGION, 'r1'],
], on('zones', 0.06, 0.5)));

function classes() {
  return [
    { name: 'late', provisioner: 'csi.example.com', mode: 'WaitForFirstConsumer' },
    { name: 'late2', provisioner: 'csi.example.com', mode: 'WaitForFirstConsumer' },
    { name: 'lvm', provisioner: 'local.example.com', mode: 'WaitForFirstConsumer' },
    { name: 'local', provisioner: 'kubernetes.io/no-provisioner', mode: 'WaitForFirstConsumer' },
    { name: 'fast', provisioner: 'csi.example.com', mode: 'Immediate' },
    { name: 'ebs', provisioner: 'kubernetes.io/aws-ebs', mode: 'WaitForFirstConsumer' },
    { name: 'px', provisioner: 'kubernetes.io/portworx-volume', mode: 'WaitForFirstConsumer' },
    { name: 'azfile', provisioner: 'kubernetes.io/azure-file', mode: 'WaitForFirstConsumer' },
    { name: 'nfs', provisioner: 'example.com/nfs', mode: undefined },
  ].filter(c => chance(['late', 'local', 'lvm'].includes(c.name) ? 0.85 : 0.4)).map((c, i) => ({
    apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: c.name, uid: `class-${c.name}`, resourceVersion: String(10 + i) },
    provisioner: c.provisioner, volumeBindingMode: c.mode,
    allowedTopologies: maybe(0.3, () => Array.from({ length: int(1, 2) }, () => ({ matchLabelExpressions: chance(0.9) ? some([
      { key: ZONE, values: some(ZONES, 0.5).concat(pick(ZONES)) }, { key: 'disk', values: ['ssd'] }, { key: DRIVER_KEYS['csi.example.com'], values: [pick(ZONES)] }, { key: BETA_ZONE, values: [pick(ZONES)] },
    ], 0.5) : undefined }))),
  }));
}

function cluster() {
  themes = [pick(THEMES), pick(THEMES)];
  const nodes = ['n1', 'n2', 'n3', 'n4', 'n5'].slice(0, int(1, 5));
  const storageClasses = classes();
  const classNames = storageClasses.map(c => c.metadata.name);
  const delayed = storageClasses.filter(c => c.volumeBindingMode === 'WaitForFirstConsumer').map(c => c.metadata.name);
  const focus = delayed.length && chance(0.85) ? pick(delayed) : pick([...classNames, '', 'gone']);
  const className = () => (chance(0.88) ? focus : pick([...classNames, 'manual', '']));
  const driver = storageClasses.find(c => c.metadata.name === focus)?.provisioner ?? 'csi.example.com';
  const csiDriver = DRIVER_KEYS[driver] ? driver : 'csi.example.com';
  const objects = [...storageClasses];
  // One resource that may be short, so that a node never lacks two of them.
  const short = pick([undefined, ...EXTENDED]);

  for (const name of NAMESPACES) if (chance(0.8)) objects.push({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: `ns-${name}`, resourceVersion: '1', labels: maybe(0.7, () => ({ team: pick(['red', 'blue']) })) } });

  for (const [i, name] of nodes.entries()) {
    const zone = maybe(0.85, () => pick(ZONES));
    const labels = { 'kubernetes.io/hostname': chance(0.92) ? name : undefined, [ZONE]: zone, [REGION]: maybe(0.5, () => pick(['r1', 'r2'])), disk: maybe(0.8, () => pick(['ssd', 'hdd'])), size: maybe(0.5, () => pick(['3', '7', 'big'])), rack: maybe(0.5, () => pick(['x', 'y', ''])) };
    if (zone) for (const key of some([BETA_ZONE, ...Object.values(DRIVER_KEYS)], 0.4)) labels[key] = chance(0.9) ? zone : pick(ZONES);
    const scarce = chance(on('resources', 0.08, 0.5));
    objects.push({
      apiVersion: 'v1', kind: 'Node', metadata: { name, uid: `node-${name}`, resourceVersion: String(300 + i), labels: chance(0.97) ? labels : undefined },
      spec: { unschedulable: maybe(on('taints', 0.03, 0.2), () => true), taints: maybe(on('taints', 0.07, 0.7), taints) },
      status: {
        allocatable: maybe(0.96, () => ({ cpu: pick(scarce ? ['500m', '1'] : ['4', '8']), memory: pick(scarce ? ['1Gi', '512Mi'] : ['8Gi', '16Gi']), pods: chance(on('resources', 0.02, 0.25)) ? pick(['2', '1', '4']) : '110', 'ephemeral-storage': maybe(on('resources', 0.97, 0.7), () => (chance(on('resources', 0.03, 0.4)) ? '10Gi' : '1Ti')), ...(short && chance(0.7) ? { [short]: pick(['2', '8Mi', '0']) } : {}) })),
        capacity: { cpu: '4', memory: '8Gi', pods: '110' },
      },
    });
    if (chance(0.75)) {
      const listed = some(Object.keys(DRIVER_KEYS).concat('disk.csi.azure.com', 'pxd.portworx.com'), 0.55);
      if (chance(0.7) && !listed.includes(csiDriver)) listed.push(csiDriver);
      objects.push({
        apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name, uid: `csinode-${name}`, resourceVersion: String(400 + i), annotations: maybe(0.7, () => ({ 'storage.alpha.kubernetes.io/migrated-plugins': some(MIGRATED, 0.6).join(',') })) },
        spec: { drivers: listed.map(d => ({ name: d, nodeID: name, topologyKeys: [DRIVER_KEYS[d] ?? ZONE], allocatable: maybe(on('limits', 0.3, 0.85), () => (chance(0.9) ? { count: int(themes.includes('limits') ? 1 : 0, 4) } : {})) })) },
      });
    }
  }

  for (const name of some([...new Set(['csi.example.com', 'local.example.com', 'ebs.csi.aws.com', csiDriver, 'kubernetes.io/aws-ebs'])], 0.6)) {
    objects.push({ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name, uid: `driver-${name}`, resourceVersion: '500' }, spec: { storageCapacity: maybe(0.7, () => chance(0.7)), attachRequired: maybe(0.5, () => true), preventPodSchedulingIfMissing: maybe(0.4, () => chance(0.8)) } });
  }
  const capacities = int(0, on('provision', 2, 6));
  for (let i = 0; i < capacities; i++) {
    objects.push({
      apiVersion: 'storage.k8s.io/v1', kind: 'CSIStorageCapacity', metadata: { namespace: pick(['kube-system', 'storage']), name: `capacity-${i}`, uid: `capacity-${i}`, resourceVersion: String(510 + i) },
      storageClassName: chance(0.7) ? focus : pick([...classNames, 'x']), capacity: maybe(0.85, () => pick(['0', '1Gi', '4Gi', '20Gi', '1T'])), maximumVolumeSize: maybe(0.35, () => pick(['1Gi', '4Gi', '100Gi'])),
      nodeTopology: maybe(0.9, () => pick([
        () => ({ matchLabels: { [ZONE]: pick(ZONES) } }), () => ({ matchLabels: { [pick(Object.values(DRIVER_KEYS))]: pick(ZONES) } }), () => ({ matchLabels: { 'kubernetes.io/hostname': pick(nodes) } }), () => ({}),
        () => ({ matchExpressions: [{ key: 'disk', operator: pick(['In', 'NotIn', 'Exists', 'DoesNotExist']), values: undefined }] }), () => ({ matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }], matchLabels: { [ZONE]: pick(ZONES) } }),
      ])()),
    });
  }

  const claimNames = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'].slice(0, int(0, 6)).map(name => ({ name, namespace: chance(0.75) ? 'default' : pick(NAMESPACES) }));
  const volumeNames = ['v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7', 'v8', 'v9'].slice(0, int(on('static', 0, 3), 9));
  const uidOf = c => `claim-${c.namespace}-${c.name}`;
  const boundTo = new Map();
  for (const claim of claimNames) if (volumeNames.length && chance(on('bound', on('zones', 0.25, 0.8), 0.85))) boundTo.set(pick(volumeNames), claim);
  const modes = () => (chance(0.6) ? ['ReadWriteOnce'] : chance(on('disks', 0.1, 0.4)) ? ['ReadWriteOncePod'] : some(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany'], 0.5).concat('ReadWriteOnce').slice(0, 2));
  const reserved = new Set();

  for (const [i, name] of volumeNames.entries()) {
    const bound = boundTo.get(name);
    let claimRef; let phase = chance(0.9) ? 'Available' : pick(['Pending', 'Released', 'Failed', undefined]);
    if (bound && chance(0.93)) {
      claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...bound, uid: uidOf(bound) };
      phase = 'Bound';
      reserved.add(uidOf(bound));
    } else if (claimNames.length && chance(0.2)) {
      const target = pick(claimNames);
      // Several volumes reserved for one claim leave the choice to chance.
      if (!reserved.has(uidOf(target)) || chance(0.05)) {
        claimRef = { namespace: target.namespace, name: target.name, uid: pick([undefined, undefined, uidOf(target), 'claim-of-the-past']) };
        reserved.add(uidOf(target));
      }
    }
    objects.push({
      apiVersion: 'v1', kind: 'PersistentVolume',
      metadata: { name, uid: `volume-${name}`, resourceVersion: String(100 + i), labels: { tier: maybe(0.6, () => pick(LABELS.tier)), ...zoneLabels() }, deletionTimestamp: maybe(0.05, () => '2026-02-01T00:00:00Z'), finalizers: ['kubernetes.io/pv-protection'], annotations: maybe(0.05, () => ({ 'volume.beta.kubernetes.io/storage-class': className() })) },
      spec: {
        capacity: { storage: String(pick([2, 5, 10, 20]) * GI + (10 + i) * 1024) }, accessModes: modes(), storageClassName: className() || undefined, persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: maybe(0.2, () => pick(['Block', 'Filesystem'])), claimRef, ...source(name, csiDriver), nodeAffinity: maybe(on('static', 0.4, 0.8), () => volumeAffinity(nodes)), volumeAttributesClassName: maybe(0.06, () => pick(LABELS.tier)),
      },
      status: { phase },
    });
  }

  for (const [i, claim] of claimNames.entries()) {
    const volume = [...boundTo].find(([, c]) => c === claim)?.[0];
    const annotations = {};
    let volumeName; let phase = 'Pending';
    if (volume && chance(0.95)) {
      volumeName = volume;
      if (chance(0.93)) { annotations['pv.kubernetes.io/bind-completed'] = pick(['yes', 'yes', '']); phase = chance(0.97) ? 'Bound' : 'Lost'; }
    } else if (chance(0.05)) {
      volumeName = pick([...volumeNames, 'v-missing']);
      if (chance(0.6)) { annotations['pv.kubernetes.io/bind-completed'] = 'yes'; phase = 'Bound'; }
    }
    if (!volumeName && chance(0.12)) annotations['volume.kubernetes.io/selected-node'] = pick([...nodes, 'gone', '']);
    objects.push({
      apiVersion: 'v1', kind: 'PersistentVolumeClaim',
      metadata: { ...claim, uid: uidOf(claim), resourceVersion: String(200 + i), annotations, deletionTimestamp: maybe(0.01, () => '2026-02-01T00:00:00Z'), finalizers: ['kubernetes.io/pvc-protection'] },
      spec: {
        accessModes: modes(), resources: { requests: maybe(0.98, () => ({ storage: String(pick([1, 2, 5]) * GI + i * 1024) })) }, storageClassName: chance(0.04) ? undefined : className(), volumeMode: maybe(0.15, () => pick(['Block', 'Filesystem'])),
        selector: maybe(0.15, () => pick([() => ({ matchLabels: { tier: pick(LABELS.tier) } }), () => ({}), () => ({ matchExpressions: [{ key: 'tier', operator: pick(['NotIn', 'Exists', 'Exists']), values: undefined }] }), () => ({ matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['gold'] }] }), () => ({ matchExpressions: [{ key: 'tier', operator: 'Near', values: ['gold'] }] })])()),
        volumeName, volumeAttributesClassName: maybe(0.06, () => pick(LABELS.tier)),
      },
      status: { phase },
    });
  }

  const claimsOf = namespace => claimNames.filter(c => c.namespace === namespace);
  const owned = new Set();
  function pod(name, namespace, nodeName) {
    const volumes = some(claimsOf(namespace), nodeName ? 0.35 : on('affinity', on('spread', 0.5, 0.15), 0.15)).map((c, n) => ({ name: `data${n}`, persistentVolumeClaim: { claimName: c.name, readOnly: maybe(0.15, () => true) } }));
    if (volumes.length && chance(0.05)) volumes.push({ name: 'again', persistentVolumeClaim: { ...volumes[0].persistentVolumeClaim } });
    if (chance(0.03)) volumes.push({ name: 'lost', persistentVolumeClaim: { claimName: 'absent' } });
    for (let n = 0; chance(on('disks', 0.03, 0.75)) && n < 2; n++) volumes.push(inlineVolume(n));
    if (chance(on('ephemeral', 0.04, 0.6))) {
      volumes.push({ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], storageClassName: focus || undefined, resources: { requests: { storage: '1Gi' } } } } } });
      const claim = { name: `${name}-scratch`, namespace };
      if (chance(0.85) && !owned.has(`${namespace}/${claim.name}`)) {
        owned.add(`${namespace}/${claim.name}`);
        objects.push({
          apiVersion: 'v1', kind: 'PersistentVolumeClaim',
          metadata: { ...claim, uid: uidOf(claim), resourceVersion: '290', annotations: {}, ownerReferences: chance(0.9) ? [{ apiVersion: 'v1', kind: 'Pod', name, uid: chance(0.93) ? `pod-${name}` : 'pod-of-the-past', controller: chance(0.95) ? true : undefined }] : undefined },
          spec: { accessModes: modes(), storageClassName: focus || className(), resources: { requests: { storage: String(3 * GI + owned.size * 2048) } } }, status: { phase: 'Pending' },
        });
      }
    }
    const body = containers(short);
    const affinity = {
      nodeAffinity: maybe(on('selectors', 0.05, 0.5), () => ({ requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: nodeTerms(nodes, 0.35) } })),
      podAffinity: maybe(on('affinity', 0.02, 0.4), () => ({ requiredDuringSchedulingIgnoredDuringExecution: Array.from({ length: int(1, 2) }, podTerm) })),
      podAntiAffinity: maybe(on('affinity', 0.02, 0.5), () => ({ requiredDuringSchedulingIgnoredDuringExecution: Array.from({ length: int(1, 2) }, podTerm) })),
    };
    const status = { phase: nodeName ? (chance(0.93) ? 'Running' : pick(['Succeeded', 'Failed'])) : chance(0.96) ? 'Pending' : pick(['Succeeded', 'Failed']) };
    if (!nodeName && chance(on('nominated', 0.03, 0.5))) status.nominatedNodeName = pick(nodes);
    if (nodeName && chance(on('resources', 0.05, 0.5))) {
      const resized = c => ({ name: c.name, allocatedResources: maybe(0.7, () => ({ cpu: pick(['100m', '2']), memory: '1Gi' })), resources: maybe(0.7, () => ({ requests: maybe(0.9, () => ({ cpu: pick(['50m', '3']) })) })) });
      status.containerStatuses = some(body.containers, 0.8).map(resized);
      status.initContainerStatuses = some(body.initContainers ?? [], 0.8).map(resized);
      status.conditions = maybe(0.5, () => [{ type: 'PodResizePending', status: 'True', reason: pick(['Infeasible', 'Deferred']) }]);
    }
    const spec = {
      ...body, nodeName, hostNetwork: maybe(0.05, () => true),
      overhead: maybe(0.1, () => ({ cpu: '250m', memory: '120Mi' })), resources: maybe(on('resources', 0.02, 0.3), () => ({ requests: { cpu: pick(['500m', '4', '9']), ...(chance(0.5) ? { memory: '1Gi' } : {}) } })),
      nodeSelector: maybe(on('selectors', 0.05, 0.4), () => pick([{ disk: 'ssd' }, { [ZONE]: pick(ZONES) }, { 'kubernetes.io/hostname': pick(nodes) }, {}])),
      affinity: Object.values(affinity).some(Boolean) ? affinity : undefined,
      tolerations: maybe(0.4, tolerations), topologySpreadConstraints: maybe(on('spread', 0.02, 0.85), spreadConstraints),
      schedulingGates: nodeName ? undefined : maybe(0.02, () => [{ name: 'example.com/gate' }]), priority: maybe(0.3, () => pick([0, 10, 1000])),
      volumes: volumes.length ? volumes : undefined,
    };
    if (spec.resources && nodeName && chance(0.3)) Object.assign(status, { resources: maybe(0.8, () => ({ requests: maybe(0.8, () => ({ cpu: pick(['1', '6']) })) })), allocatedResources: maybe(0.8, () => ({ cpu: pick(['1', '5']), memory: '2Gi' })) });
    objects.push({
      apiVersion: 'v1', kind: 'Pod',
      metadata: { name, namespace, uid: `pod-${name}`, resourceVersion: '600', labels: podLabels(), deletionTimestamp: maybe(nodeName ? 0.1 : 0.02, () => '2026-02-01T00:00:00Z'), finalizers: ['example.com/hold'] },
      spec, status,
    });
  }
  const namespaceOfPod = () => (chance(0.7) ? (claimNames[0]?.namespace ?? 'default') : pick(NAMESPACES));
  const running = int(0, themes.some(t => ['spread', 'affinity', 'limits', 'disks'].includes(t)) ? 9 : 4);
  for (let i = 0; i < running; i++) pod(`r${i + 1}`, namespaceOfPod(), pick(nodes));
  for (let i = 0; i < int(1, 3); i++) pod(`p${i + 1}`, namespaceOfPod());

  const attachments = int(0, on('limits', 1, 5));
  for (let i = 0; i < attachments; i++) {
    objects.push({
      apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: `va-${i}`, uid: `va-${i}`, resourceVersion: String(700 + i) },
      spec: { attacher: chance(0.9) ? csiDriver : pick(['', 'ebs.csi.aws.com']), nodeName: pick(nodes), source: { persistentVolumeName: maybe(0.95, () => pick([...volumeNames, 'v-missing'])) } }, status: { attached: true },
    });
  }
  return clean(objects);
}

/** For mode cluster, whose answers hold whole objects: nothing that the oracle prints differently, and no nominations, which it leaves out. */
function comparable(objects) {
  for (const { kind, spec, status } of objects) {
    if (kind === 'Pod') delete status.nominatedNodeName;
    if (kind !== 'PersistentVolume') continue;
    if (spec.azureFile) { delete spec.azureFile; spec.nfs = { server: '192.0.2.1', path: '/azure' }; }
    if (spec.azureDisk) Object.assign(spec.azureDisk, { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false });
    for (const term of spec.nodeAffinity?.required.nodeSelectorTerms ?? []) {
      for (const one of [...(term.matchExpressions ?? []), ...(term.matchFields ?? [])]) if (one.values?.length === 0) delete one.values;
    }
  }
  return objects;
}

const base = Number(options.seed);
for (let n = 0; n < Number(options.count); n++) {
  seed(base, n);
  for (let i = 0; i < 5; i++) random();
  const objects = options.mode === 'cluster' ? comparable(cluster()) : cluster();
  const claims = objects.filter(o => o.kind === 'PersistentVolumeClaim').map(o => `${o.metadata.namespace}/${o.metadata.name}`);
  const volumes = objects.filter(o => o.kind === 'PersistentVolume').map(o => o.metadata.name);
  const request = {
    id: `rich-${base}-${n}`, mode: options.mode,
    queue: pick(['volumes', 'claims', 'alternate']), ties: pick(['first', 'last', 'order']), node: pick(['first', 'last']), claims: shuffled(claims), volumes: shuffled(volumes), objects,
  };
  process.stdout.write(`${JSON.stringify(request)}\n`);
}

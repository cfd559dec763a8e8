#!/usr/bin/env node
// Deterministic generator of realistic Kubernetes cluster dumps.
//
// It writes what `kubectl get sc,pv,pvc,pods,nodes,events -A -o yaml|json`
// prints for a made-up cluster: the same key order (alphabetical), the same
// 2-space/compact-sequence YAML with go-yaml's quoting and 80-column folding,
// the same 4-space JSON with Go's HTML escapes.  Every object is a pure
// function of (seed, kind, index), so memory use is constant, the output is
// byte-identical between runs, and a dump of 100k + 100k volumes is written in
// seconds.
//
//   node gen-dump.mjs --n 1000 -o dump.yaml
//   node gen-dump.mjs --n 100000 --format json --managed-fields -o dump.json
//
// Options (defaults in brackets):
//   --n N                 PersistentVolumes and PersistentVolumeClaims  [1000]
//   --pvs N --pvcs N      override either count
//   --pods N              [n/5]     --nodes N [max(3, n/100)]
//   --events N            [n/10]
//   --pending F           share of the claims that are Pending, and of the
//                         volumes that are not Bound                    [0.4]
//   --format F            yaml      one `kind: List`, as `kubectl get -o yaml`
//                         multidoc  `---`-separated YAML documents
//                         json      one List, 4-space indent, as `-o json`
//                         jsonc     one List, compact, one line
//                         ndjson    one object per line                 [yaml]
//   --managed-fields      keep metadata.managedFields (kubectl hides them
//                         unless --show-managed-fields is given)
//   --kinds a,b           only these of sc,pv,pvc,pods,nodes,events     [all]
//   --seed N              [1]
//   -o FILE               output file, `-` for standard output          [-]
//   --stats               print object counts and bytes per kind to stderr

import fs from 'node:fs';
import { parseArgs } from 'node:util';

const { values: opt } = parseArgs({
  options: {
    n: { type: 'string', default: '1000' },
    pvs: { type: 'string' },
    pvcs: { type: 'string' },
    pods: { type: 'string' },
    nodes: { type: 'string' },
    events: { type: 'string' },
    pending: { type: 'string', default: '0.4' },
    format: { type: 'string', default: 'yaml' },
    'managed-fields': { type: 'boolean', default: false },
    kinds: { type: 'string', default: 'pv,pvc,sc,pods,nodes,events' },
    seed: { type: 'string', default: '1' },
    output: { type: 'string', short: 'o', default: '-' },
    stats: { type: 'boolean', default: false },
  },
});

const N = Number(opt.n);
const count = {
  pv: Number(opt.pvs ?? N),
  pvc: Number(opt.pvcs ?? N),
  pods: Number(opt.pods ?? Math.ceil(N / 5)),
  nodes: Number(opt.nodes ?? Math.max(3, Math.ceil(N / 100))),
  events: Number(opt.events ?? Math.ceil(N / 10)),
};
for (const [name, n] of Object.entries(count)) {
  if (!Number.isSafeInteger(n) || n < 0) throw new Error(`not a count of ${name}: ${n}`);
}
const SEED = Number(opt.seed);
const MANAGED = opt['managed-fields'];
// The first BOUND volumes and the first BOUND claims are bound one to one.
const BOUND = Math.min(count.pv, count.pvc, Math.round(Math.min(count.pv, count.pvc) * (1 - Number(opt.pending))));

// ---------------------------------------------------------------- randomness

/** 32-bit hash of (seed, stream, index): the only source of randomness. */
function hash(stream, i) {
  let h = (SEED * 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b) ^ Math.imul(i + 1, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}
const unit = (stream, i) => hash(stream, i) / 4294967296;
const pick = (list, stream, i) => list[hash(stream, i) % list.length];
const hex8 = (x) => x.toString(16).padStart(8, '0');

/** A UUID whose first 8 digits may be given, to make names sort by index. */
function uuid(stream, i, first = hash(stream, i)) {
  const b = hex8(hash(stream + 101, i));
  const c = hex8(hash(stream + 102, i));
  const d = hex8(hash(stream + 103, i));
  return `${hex8(first)}-${b.slice(0, 4)}-4${b.slice(5)}-9${c.slice(1, 4)}-${c.slice(4)}${d}`;
}
/** RFC 3339 time somewhere in 2024..2025. */
function time(stream, i) {
  const t = new Date(1704067200000 + (hash(stream, i) % 63072000) * 1000);
  return t.toISOString().replace('.000Z', 'Z');
}
const resourceVersion = (stream, i) => String(100000 + (hash(stream, i) % 900000000));

// ---------------------------------------------------------------- vocabulary

const ZONES = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'];
const APPS = ['postgres', 'kafka', 'elasticsearch', 'redis', 'prometheus', 'minio', 'rabbitmq', 'gitlab'];
const SIZES = [
  '1Gi',
  '2Gi',
  '5Gi',
  '8Gi',
  '10Gi',
  '16Gi',
  '20Gi',
  '32Gi',
  '50Gi',
  '64Gi',
  '100Gi',
  '128Gi',
  '200Gi',
  '250Gi',
  '500Gi',
  '1Ti',
  '1536Gi',
  '2Ti',
  '100G',
  '10000Mi',
];
const PER_NAMESPACE = 200;

// What kinds of volumes the cluster has.  `share` is the part of all volumes;
// volumes are laid out profile after profile so that names come out sorted, as
// the API server lists them.
const PROFILES = [
  {
    share: 0.15,
    cls: 'local-nvme',
    prefix: 'local-pv-',
    provisioner: 'kubernetes.io/no-provisioner',
    modes: ['ReadWriteOnce'],
    src: 'local',
  },
  {
    share: 0.08,
    cls: 'nfs-static',
    prefix: 'nfs-',
    provisioner: null,
    modes: ['ReadOnlyMany', 'ReadWriteMany'],
    src: 'nfs',
    labels: true,
  },
  { share: 0.47, cls: 'gp3', prefix: 'pvc-', provisioner: 'ebs.csi.aws.com', modes: ['ReadWriteOnce'], src: 'ebs' },
  {
    share: 0.15,
    cls: 'ceph-block',
    prefix: 'pvc-',
    provisioner: 'rook-ceph.rbd.csi.ceph.com',
    modes: ['ReadWriteOnce'],
    src: 'rbd',
    block: 0.3,
  },
  {
    share: 0.07,
    cls: 'ceph-filesystem',
    prefix: 'pvc-',
    provisioner: 'rook-ceph.cephfs.csi.ceph.com',
    modes: ['ReadWriteMany'],
    src: 'cephfs',
  },
  {
    share: 0.08,
    cls: '',
    prefix: 'static-',
    provisioner: null,
    modes: ['ReadWriteOnce', 'ReadWriteOncePod'],
    src: 'ebs',
    labels: true,
  },
];
const CLASSES = [
  { name: 'ceph-block', provisioner: 'rook-ceph.rbd.csi.ceph.com', mode: 'Immediate', expand: true },
  { name: 'ceph-filesystem', provisioner: 'rook-ceph.cephfs.csi.ceph.com', mode: 'Immediate', expand: true },
  { name: 'gp3', provisioner: 'ebs.csi.aws.com', mode: 'WaitForFirstConsumer', expand: true, isDefault: true },
  { name: 'local-nvme', provisioner: 'kubernetes.io/no-provisioner', mode: 'WaitForFirstConsumer' },
  { name: 'nfs-static', provisioner: 'kubernetes.io/no-provisioner', mode: 'Immediate' },
];

/** The profile of volume i, by its position in the profile layout. */
function profileOf(i) {
  let x = (i + 0.5) / count.pv;
  for (const p of PROFILES) {
    if (x < p.share) return p;
    x -= p.share;
  }
  return PROFILES[PROFILES.length - 1];
}

// Bound pairs are spread over the volume order by a fixed stride, so that the
// Bound and the free volumes of every profile are interleaved.
function gcd(a, b) {
  return b ? gcd(b, a % b) : a;
}
let STRIDE = Math.max(1, Math.floor(count.pv * 0.6180339887));
while (count.pv > 1 && gcd(STRIDE, count.pv) !== 1) STRIDE += 1;
const INVERSE = (() => {
  // STRIDE^-1 mod count.pv, to find a volume's pair
  let [r0, r1, s0, s1] = [count.pv, STRIDE, 0n, 1n];
  while (r1 > 1) {
    const q = Math.floor(r0 / r1);
    [r0, r1, s0, s1] = [r1, r0 - q * r1, s1, s0 - BigInt(q) * s1];
  }
  const m = BigInt(Math.max(1, count.pv));
  return ((s1 % m) + m) % m;
})();
/** Volume index of bound claim j. */
const volumeOfClaim = (j) => Number((BigInt(j) * BigInt(STRIDE)) % BigInt(count.pv));
/** Claim index bound to volume i; >= BOUND means that the volume is free. */
const claimOfVolume = (i) => Number((BigInt(i) * INVERSE) % BigInt(Math.max(1, count.pv)));

const namespaceOf = (j) => `team-${String(Math.floor(j / PER_NAMESPACE)).padStart(4, '0')}`;
const claimName = (j) => `data-${pick(APPS, 20, j)}-${j % PER_NAMESPACE}`;
const claimUid = (j) => uuid(21, j);
const nodeName = (k) => `ip-10-${(k >> 16) & 255}-${(k >> 8) & 255}-${k & 255}.eu-west-1.compute.internal`;
const podName = (k) => `${pick(APPS, 40, k)}-${k}`;

function volumeName(i) {
  const p = profileOf(i);
  const sorted = Math.floor((i / Math.max(1, count.pv)) * 4294967295);
  switch (p.prefix) {
    case 'pvc-':
      return `pvc-${uuid(10, i, sorted)}`;
    case 'local-pv-':
      return `local-pv-${hex8(sorted)}`;
    default:
      return `${p.prefix}${String(i).padStart(6, '0')}`;
  }
}
const volumeSize = (i) => pick(SIZES, 11, i);
const volumeMode = (i) => (profileOf(i).block && unit(12, i) < profileOf(i).block ? 'Block' : 'Filesystem');

// ------------------------------------------------------------- managedFields

// The fieldsV1 set of an object: every field as "f:name", a list of plain
// values as "v:..." entries, a list of named objects as "k:{...}" entries, and
// anything else (atomic lists, scalars) as an empty leaf.
function fieldSet(value) {
  const out = {};
  if (Array.isArray(value)) {
    out['.'] = {};
    for (const item of value) {
      if (item === null || typeof item !== 'object') {
        out[`v:${JSON.stringify(item)}`] = {};
      } else {
        const by = item.name !== undefined ? 'name' : 'type';
        out[`k:${JSON.stringify({ [by]: item[by] })}`] = { '.': {}, ...fieldSet(item) };
      }
    }
    return out;
  }
  for (const [k, v] of Object.entries(value)) {
    const set =
      v !== null &&
      typeof v === 'object' &&
      Object.keys(v).length > 0 &&
      !(Array.isArray(v) && v[0]?.name === undefined && v[0]?.type === undefined);
    out[`f:${k}`] = set ? fieldSet(v) : {};
  }
  return out;
}

/** Adds metadata.managedFields to `o`: one entry for spec, one for status. */
function manage(object, manager, statusManager, when) {
  if (!MANAGED) return object;
  const o = canonical(object);
  const { annotations, finalizers, labels, ownerReferences } = o.metadata;
  const meta = {};
  if (annotations) meta['f:annotations'] = { '.': {}, ...fieldSet(annotations) };
  if (finalizers) meta['f:finalizers'] = fieldSet(finalizers);
  if (labels) meta['f:labels'] = { '.': {}, ...fieldSet(labels) };
  if (ownerReferences) meta['f:ownerReferences'] = { '.': {}, [`k:{"uid":"${ownerReferences[0].uid}"}`]: {} };
  const entries = [
    {
      apiVersion: o.apiVersion,
      fieldsType: 'FieldsV1',
      fieldsV1: {
        ...(Object.keys(meta).length ? { 'f:metadata': meta } : {}),
        ...(o.spec ? { 'f:spec': fieldSet(o.spec) } : fieldSet(omit(o, ['apiVersion', 'kind', 'metadata', 'status']))),
      },
      manager,
      operation: 'Update',
      time: when,
    },
  ];
  if (o.status && statusManager) {
    entries.push({
      apiVersion: o.apiVersion,
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:status': fieldSet(o.status) },
      manager: statusManager,
      operation: 'Update',
      subresource: 'status',
      time: when,
    });
  }
  o.metadata.managedFields = entries;
  return o;
}
function omit(o, keys) {
  return Object.fromEntries(Object.entries(o).filter(([k]) => !keys.includes(k)));
}

// -------------------------------------------------------------------- objects

function storageClass(c, i) {
  const o = {
    allowVolumeExpansion: c.expand,
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {
      annotations: c.isDefault ? { 'storageclass.kubernetes.io/is-default-class': 'true' } : undefined,
      creationTimestamp: time(1, i),
      name: c.name,
      resourceVersion: resourceVersion(2, i),
      uid: uuid(3, i),
    },
    parameters: c.provisioner.includes('ebs')
      ? { encrypted: 'true', 'csi.storage.k8s.io/fstype': 'ext4', type: 'gp3' }
      : undefined,
    provisioner: c.provisioner,
    reclaimPolicy: 'Delete',
    volumeBindingMode: c.mode,
  };
  return manage(o, 'kubectl-client-side-apply', null, o.metadata.creationTimestamp);
}

function volumeSource(src, i, name) {
  const node = nodeName(hash(13, i) % count.nodes);
  switch (src) {
    case 'local':
      return {
        source: { local: { path: `/mnt/disks/${hex8(hash(14, i))}` } },
        affinity: ['kubernetes.io/hostname', node],
      };
    case 'nfs':
      return {
        source: {
          mountOptions: ['nfsvers=4.1', 'hard'],
          nfs: { path: `/exports/${name}`, server: `nfs-${hash(14, i) % 8}.storage.example.com` },
        },
      };
    case 'rbd':
    case 'cephfs': {
      const ns = 'rook-ceph';
      return {
        source: {
          csi: {
            controllerExpandSecretRef: { name: `${ns}-csi-${src}-provisioner`, namespace: ns },
            driver: `${ns}.${src}.csi.ceph.com`,
            fsType: src === 'rbd' ? 'ext4' : undefined,
            nodeStageSecretRef: { name: `${ns}-csi-${src}-node`, namespace: ns },
            volumeAttributes: {
              clusterID: ns,
              imageFeatures: src === 'rbd' ? 'layering' : undefined,
              imageName: `csi-vol-${uuid(15, i)}`,
              journalPool: 'replicapool',
              pool: 'replicapool',
              'storage.kubernetes.io/csiProvisionerIdentity': `1716000000000-${hash(16, i) % 10000}-${ns}.${src}.csi.ceph.com`,
            },
            volumeHandle: `0001-0009-${ns}-0000000000000002-${uuid(15, i)}`,
          },
        },
      };
    }
    default:
      return {
        source: {
          csi: {
            driver: 'ebs.csi.aws.com',
            fsType: 'ext4',
            volumeAttributes: {
              'storage.kubernetes.io/csiProvisionerIdentity': `1716000000000-${hash(16, i) % 10000}-ebs.csi.aws.com`,
            },
            volumeHandle: `vol-0${hex8(hash(14, i))}${hex8(hash(15, i))}`,
          },
        },
        affinity: ['topology.kubernetes.io/zone', pick(ZONES, 17, i)],
      };
  }
}

function volume(i) {
  const p = profileOf(i);
  const name = volumeName(i);
  const created = time(18, i);
  const { source, affinity } = volumeSource(p.src, i, name);
  const j = claimOfVolume(i);
  const bound = j < BOUND;
  const r = unit(19, i);
  const phase = bound ? 'Bound' : r < 0.85 ? 'Available' : r < 0.97 ? 'Released' : 'Failed';
  const dynamic = p.provisioner !== null && p.src !== 'local';
  const finalizers = ['kubernetes.io/pv-protection'];
  if (dynamic) finalizers.unshift('external-provisioner.volume.kubernetes.io/finalizer');
  if (bound && source.csi) finalizers.push(`external-attacher/${source.csi.driver.replaceAll('.', '-')}`);
  const o = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      annotations:
        dynamic || p.src === 'local'
          ? {
              'pv.kubernetes.io/bound-by-controller': bound ? 'yes' : undefined,
              'pv.kubernetes.io/provisioned-by':
                p.src === 'local' ? `local-volume-provisioner-${nodeName(hash(13, i) % count.nodes)}` : p.provisioner,
              ...(source.csi?.controllerExpandSecretRef
                ? {
                    'volume.kubernetes.io/provisioner-deletion-secret-name': source.csi.controllerExpandSecretRef.name,
                    'volume.kubernetes.io/provisioner-deletion-secret-namespace':
                      source.csi.controllerExpandSecretRef.namespace,
                  }
                : dynamic
                  ? {
                      'volume.kubernetes.io/provisioner-deletion-secret-name': '',
                      'volume.kubernetes.io/provisioner-deletion-secret-namespace': '',
                    }
                  : {}),
            }
          : undefined,
      creationTimestamp: created,
      finalizers,
      labels: p.labels ? { app: pick(APPS, 30, i), tier: pick(['fast', 'slow', 'archive'], 31, i) } : undefined,
      name,
      resourceVersion: resourceVersion(32, i),
      uid: uuid(33, i),
    },
    spec: {
      accessModes: p.modes,
      capacity: { storage: volumeSize(i) },
      claimRef: bound
        ? {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            name: claimName(j),
            namespace: namespaceOf(j),
            resourceVersion: resourceVersion(34, i),
            uid: claimUid(j),
          }
        : phase === 'Released' || phase === 'Failed'
          ? {
              apiVersion: 'v1',
              kind: 'PersistentVolumeClaim',
              name: `gone-${i % 977}`,
              namespace: namespaceOf(i),
              resourceVersion: resourceVersion(34, i),
              uid: uuid(35, i),
            }
          : undefined,
      ...source,
      nodeAffinity: affinity
        ? {
            required: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: affinity[0], operator: 'In', values: [affinity[1]] }] }],
            },
          }
        : undefined,
      persistentVolumeReclaimPolicy: dynamic ? 'Delete' : 'Retain',
      storageClassName: p.cls || undefined,
      volumeMode: volumeMode(i),
    },
    status: {
      lastPhaseTransitionTime: created,
      message:
        phase === 'Failed'
          ? 'rpc error: code = DeadlineExceeded desc = context deadline exceeded while deleting the volume "' +
            name +
            '" from the storage backend'
          : undefined,
      phase,
      reason: phase === 'Failed' ? 'VolumeFailedDelete' : undefined,
    },
  };
  return manage(
    o,
    p.src === 'local' ? 'local-volume-provisioner' : 'csi-provisioner',
    'kube-controller-manager',
    created,
  );
}

function claim(j) {
  const bound = j < BOUND;
  const created = time(22, j);
  // A pending claim borrows a profile at random; a few of them are broken on
  // purpose, so that every reason for not binding occurs.
  const i = bound ? volumeOfClaim(j) : hash(23, j) % Math.max(1, count.pv);
  const p = profileOf(i);
  const odd = bound ? 1 : unit(24, j);
  const className = odd < 0.02 ? 'gp2-removed' : p.cls;
  const modes =
    odd > 0.02 && odd < 0.06 ? ['ReadWriteMany'] : p.modes.length > 1 && odd < 0.5 ? p.modes.slice(0, 1) : p.modes;
  const app = pick(APPS, 20, j);
  const name = claimName(j);
  const labels = { app, 'app.kubernetes.io/instance': `${app}-${j % 7}`, 'app.kubernetes.io/name': app };
  const spec = {
    accessModes: modes,
    resources: {
      requests: { storage: bound ? volumeSize(i) : odd > 0.06 && odd < 0.08 ? '64Ti' : pick(SIZES, 25, j) },
    },
    selector:
      !bound && p.labels && odd < 0.6 ? { matchLabels: { tier: pick(['fast', 'slow', 'archive'], 26, j) } } : undefined,
    storageClassName: className,
    volumeMode: bound || odd > 0.12 ? volumeMode(i) : 'Filesystem',
    volumeName: bound ? volumeName(i) : odd > 0.08 && odd < 0.1 ? volumeName(i) : undefined,
  };
  const applied =
    unit(27, j) < 0.3
      ? {
          'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify({
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            metadata: { annotations: {}, labels, name, namespace: namespaceOf(j) },
            spec: { accessModes: modes, resources: spec.resources, storageClassName: className },
          })}\n`,
        }
      : {};
  const o = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      annotations: {
        ...applied,
        ...(bound ? { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' } : {}),
        ...(p.provisioner
          ? {
              'volume.beta.kubernetes.io/storage-provisioner': p.provisioner,
              'volume.kubernetes.io/selected-node':
                bound && p.src === 'ebs' ? nodeName(hash(28, j) % count.nodes) : undefined,
              'volume.kubernetes.io/storage-provisioner': p.provisioner,
            }
          : {}),
      },
      creationTimestamp: created,
      finalizers: ['kubernetes.io/pvc-protection'],
      labels,
      name,
      namespace: namespaceOf(j),
      resourceVersion: resourceVersion(29, j),
      uid: claimUid(j),
    },
    spec,
    status: bound
      ? { accessModes: p.modes, capacity: { storage: volumeSize(i) }, phase: 'Bound' }
      : { phase: 'Pending' },
  };
  return manage(o, 'kubectl-client-side-apply', 'kube-controller-manager', created);
}

function pod(k) {
  const app = pick(APPS, 40, k);
  const created = time(41, k);
  const j = hash(42, k) % Math.max(1, count.pvc);
  const pending = j >= BOUND;
  const node = nodeName(hash(43, k) % count.nodes);
  const ip = `10.${hash(44, k) % 250}.${hash(45, k) % 250}.${hash(46, k) % 250}`;
  const labels = {
    app,
    'app.kubernetes.io/instance': `${app}-${j % 7}`,
    'app.kubernetes.io/managed-by': 'Helm',
    'app.kubernetes.io/name': app,
    'apps.kubernetes.io/pod-index': String(k),
    'controller-revision-hash': `${app}-${hex8(hash(47, k)).slice(0, 6)}b9d`,
    'statefulset.kubernetes.io/pod-name': podName(k),
  };
  const token = `kube-api-access-${hex8(hash(48, k)).slice(0, 5)}`;
  const container = (name, x) => ({
    args: ['--config=/etc/app/config.yaml', `--cluster-name=${app}-${j % 7}`, '--log.level=info'],
    env: [
      { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
      { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } } },
      {
        name: 'JAVA_OPTS',
        value:
          '-Xms2g -Xmx2g -XX:+UseG1GC -XX:MaxGCPauseMillis=200 -XX:+ExitOnOutOfMemoryError -Djava.security.egd=file:/dev/urandom',
      },
      { name: 'REPLICAS', value: '3' },
    ],
    image: `registry.example.com/${app}/${name}:v${hash(49, k + x) % 9}.${hash(50, k) % 30}.${hash(51, k) % 10}`,
    imagePullPolicy: 'IfNotPresent',
    livenessProbe: {
      failureThreshold: 3,
      httpGet: { path: '/healthz', port: 8080, scheme: 'HTTP' },
      initialDelaySeconds: 30,
      periodSeconds: 10,
      successThreshold: 1,
      timeoutSeconds: 5,
    },
    name,
    ports: [
      { containerPort: 8080, name: 'http', protocol: 'TCP' },
      { containerPort: 9090, name: 'metrics', protocol: 'TCP' },
    ],
    readinessProbe: {
      exec: { command: ['sh', '-c', 'curl -fsS http://127.0.0.1:8080/ready || exit 1'] },
      failureThreshold: 3,
      periodSeconds: 10,
      successThreshold: 1,
      timeoutSeconds: 1,
    },
    resources: { limits: { cpu: '2', memory: '4Gi' }, requests: { cpu: '500m', memory: '2Gi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      runAsNonRoot: true,
      runAsUser: 1001,
    },
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    volumeMounts: [
      { mountPath: '/var/lib/data', name: 'data' },
      { mountPath: '/etc/app', name: 'config' },
      { mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', name: token, readOnly: true },
    ],
  });
  const names = [app, 'exporter'];
  const conditions = pending
    ? [
        {
          lastProbeTime: null,
          lastTransitionTime: created,
          message: `0/${count.nodes} nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/${count.nodes} nodes are available: ${count.nodes} Preemption is not helpful for scheduling.`,
          reason: 'Unschedulable',
          status: 'False',
          type: 'PodScheduled',
        },
      ]
    : ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        lastProbeTime: null,
        lastTransitionTime: created,
        status: 'True',
        type,
      }));
  const o = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      annotations: {
        'checksum/config': uuid(52, k).replaceAll('-', '') + uuid(53, k).replaceAll('-', ''),
        'prometheus.io/port': '9090',
        'prometheus.io/scrape': 'true',
      },
      creationTimestamp: created,
      generateName: `${app}-`,
      labels,
      name: podName(k),
      namespace: namespaceOf(j),
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          blockOwnerDeletion: true,
          controller: true,
          kind: 'StatefulSet',
          name: app,
          uid: uuid(54, k),
        },
      ],
      resourceVersion: resourceVersion(55, k),
      uid: uuid(56, k),
    },
    spec: {
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              podAffinityTerm: { labelSelector: { matchLabels: { app } }, topologyKey: 'kubernetes.io/hostname' },
              weight: 100,
            },
          ],
        },
      },
      containers: names.map(container),
      dnsPolicy: 'ClusterFirst',
      enableServiceLinks: true,
      hostname: podName(k),
      nodeName: pending ? undefined : node,
      preemptionPolicy: 'PreemptLowerPriority',
      priority: 0,
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      securityContext: { fsGroup: 1001, fsGroupChangePolicy: 'OnRootMismatch' },
      serviceAccount: app,
      serviceAccountName: app,
      subdomain: `${app}-headless`,
      terminationGracePeriodSeconds: 30,
      tolerations: ['not-ready', 'unreachable'].map((t) => ({
        effect: 'NoExecute',
        key: `node.kubernetes.io/${t}`,
        operator: 'Exists',
        tolerationSeconds: 300,
      })),
      volumes: [
        { name: 'data', persistentVolumeClaim: { claimName: claimName(j) } },
        { configMap: { defaultMode: 420, name: `${app}-config` }, name: 'config' },
        {
          name: token,
          projected: {
            defaultMode: 420,
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
              { configMap: { items: [{ key: 'ca.crt', path: 'ca.crt' }], name: 'kube-root-ca.crt' } },
              {
                downwardAPI: {
                  items: [{ fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' }, path: 'namespace' }],
                },
              },
            ],
          },
        },
      ],
    },
    status: pending
      ? { conditions, phase: 'Pending', qosClass: 'Burstable' }
      : {
          conditions,
          containerStatuses: names.map((name, x) => ({
            containerID: `containerd://${hex8(hash(57, k + x)).repeat(8)}`,
            image: `registry.example.com/${app}/${name}:v1.0.0`,
            imageID: `registry.example.com/${app}/${name}@sha256:${hex8(hash(58, k + x)).repeat(8)}`,
            lastState: {},
            name,
            ready: true,
            restartCount: hash(59, k) % 4,
            started: true,
            state: { running: { startedAt: created } },
          })),
          hostIP: ip,
          phase: 'Running',
          podIP: ip,
          podIPs: [{ ip }],
          qosClass: 'Burstable',
          startTime: created,
        },
  };
  return manage(o, 'kube-controller-manager', 'kubelet', created);
}

function node(k) {
  const created = time(60, k);
  const name = nodeName(k);
  const zone = ZONES[k % 3];
  const quantity = {
    cpu: '15890m',
    'ephemeral-storage': '95551679124',
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    memory: '64302044Ki',
    pods: '110',
  };
  const labels = {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'node.kubernetes.io/instance-type': 'm6i.4xlarge',
    'topology.ebs.csi.aws.com/zone': zone,
    'topology.kubernetes.io/region': 'eu-west-1',
    'topology.kubernetes.io/zone': zone,
  };
  const o = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      annotations: {
        'csi.volume.kubernetes.io/nodeid': `{"ebs.csi.aws.com":"i-0${hex8(hash(61, k))}${hex8(hash(62, k))}"}`,
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
      creationTimestamp: created,
      labels,
      name,
      resourceVersion: resourceVersion(63, k),
      uid: uuid(64, k),
    },
    spec: {
      podCIDR: `10.${(k >> 8) & 255}.${k & 255}.0/24`,
      podCIDRs: [`10.${(k >> 8) & 255}.${k & 255}.0/24`],
      providerID: `aws:///${zone}/i-0${hex8(hash(61, k))}`,
    },
    status: {
      addresses: [
        { address: name, type: 'Hostname' },
        { address: `10.${(k >> 16) & 255}.${(k >> 8) & 255}.${k & 255}`, type: 'InternalIP' },
      ],
      allocatable: quantity,
      capacity: { ...quantity, cpu: '16' },
      conditions: ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) => ({
        lastHeartbeatTime: created,
        lastTransitionTime: created,
        message:
          type === 'Ready'
            ? 'kubelet is posting ready status'
            : `kubelet has no ${type.replace('Pressure', '').toLowerCase()} pressure`,
        reason: type === 'Ready' ? 'KubeletReady' : `KubeletHasNo${type}`,
        status: type === 'Ready' ? 'True' : 'False',
        type,
      })),
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      images: Array.from({ length: 12 }, (_, x) => ({
        names: [
          `registry.example.com/img-${x}@sha256:${hex8(hash(65, x)).repeat(8)}`,
          `registry.example.com/img-${x}:v1.${x}.0`,
        ],
        sizeBytes: 10000000 + (hash(66, x) % 900000000),
      })),
      nodeInfo: {
        architecture: 'amd64',
        bootID: uuid(67, k),
        containerRuntimeVersion: 'containerd://1.7.22',
        kernelVersion: '6.1.112',
        kubeProxyVersion: 'v1.31.2',
        kubeletVersion: 'v1.31.2',
        machineID: uuid(68, k).replaceAll('-', ''),
        operatingSystem: 'linux',
        osImage: 'Amazon Linux 2023',
        systemUUID: uuid(68, k),
      },
    },
  };
  return manage(o, 'kubelet', 'kubelet', created);
}

function event(k) {
  const j = BOUND + (hash(70, k) % Math.max(1, count.pvc - BOUND));
  const created = time(71, k);
  const [reason, message, type] = [
    ['FailedBinding', 'no persistent volumes available for this claim and no storage class is set', 'Normal'],
    ['WaitForFirstConsumer', 'waiting for first consumer to be created before binding', 'Normal'],
    [
      'ExternalProvisioning',
      "Waiting for a volume to be created either by the external provisioner 'ebs.csi.aws.com' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.",
      'Normal',
    ],
    ['ProvisioningFailed', 'storageclass.storage.k8s.io "gp2-removed" not found', 'Warning'],
    [
      'ProvisioningFailed',
      'failed to provision volume with StorageClass "gp3": rpc error: code = Internal desc = Could not create volume "pvc-' +
        uuid(72, k) +
        '": could not create volume in EC2: UnauthorizedOperation: You are not authorized to perform this operation.',
      'Warning',
    ],
  ][hash(73, k) % 5];
  const o = {
    apiVersion: 'v1',
    count: 1 + (hash(74, k) % 5000),
    eventTime: null,
    firstTimestamp: created,
    involvedObject: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      name: claimName(j),
      namespace: namespaceOf(j),
      resourceVersion: resourceVersion(29, j),
      uid: claimUid(j),
    },
    kind: 'Event',
    lastTimestamp: created,
    message,
    metadata: {
      creationTimestamp: created,
      name: `${claimName(j)}.17${hex8(hash(75, k))}${hex8(hash(76, k)).slice(0, 6)}`,
      namespace: namespaceOf(j),
      resourceVersion: resourceVersion(77, k),
      uid: uuid(78, k),
    },
    reason,
    reportingComponent: 'persistentvolume-controller',
    reportingInstance: '',
    source: { component: 'persistentvolume-controller' },
    type,
  };
  return manage(o, 'kube-controller-manager', null, created);
}

// --------------------------------------------------------------------- output

/**
 * Drops undefined members and sorts keys bytewise, as Go's JSON does for maps;
 * leaves out empty metadata.annotations, as the API server does.
 */
function canonical(value) {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== 'object') return value;
  const out = {};
  for (const k of Object.keys(value).sort()) {
    if (value[k] !== undefined) out[k] = canonical(value[k]);
  }
  if (out.annotations && Object.keys(out.annotations).length === 0) delete out.annotations;
  return out;
}

const goJson = (value, indent) =>
  JSON.stringify(value, null, indent).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

// Strings that YAML would read as something else than a string.
const NOT_PLAIN_TYPE =
  /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF|<<|=|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|[-+]?0x[0-9a-fA-F_]+|[-+]?0[ob]?[0-7_]+|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?|[-+]?(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9_]+)(?:[eE][-+]?[0-9]+)?|\d{4}-\d\d?-\d\d?(?:[Tt ].*)?)$/;
const NOT_PLAIN_SYNTAX = /^[-?:](?:\s|$)|^[#,[\]{}&*!|>'"%@`]|: |:$| #|^ | $|^---|^\.\.\./;

/** One scalar as go-yaml writes it after `column` characters on its line. */
function yamlScalar(s, indent, column, isKey = false) {
  if (typeof s !== 'string') return String(s);
  if (s === '') return '""';
  if (s.includes('\n') && !isKey) {
    const chomp = s.endsWith('\n\n') ? '+' : s.endsWith('\n') ? '' : '-';
    const body = s
      .replace(/\n$/, '')
      .split('\n')
      .map((l) => (l ? ' '.repeat(indent) + l : ''))
      .join('\n');
    return `|${chomp}\n${body}`;
  }
  if (/[\t\x00-\x1f\x7f]/.test(s) || NOT_PLAIN_TYPE.test(s)) return JSON.stringify(s);
  const quoted = NOT_PLAIN_SYNTAX.test(s);
  const text = quoted ? `'${s.replaceAll("'", "''")}'` : s;
  if (isKey || column + text.length <= 80) return text;
  // Fold at a single space once the line is longer than 80 columns.
  const words = text.split(' ');
  let out = '';
  let at = column;
  for (let w = 0; w < words.length; w += 1) {
    if (w > 0) {
      if (at > 80 && words[w] !== '' && words[w - 1] !== '') {
        out += `\n${' '.repeat(indent)}`;
        at = indent;
      } else {
        out += ' ';
        at += 1;
      }
    }
    out += words[w];
    at += words[w].length;
  }
  return out;
}

/** Block-style YAML of `value` at `indent`, appended to `out` (array of text). */
function yamlNode(value, indent, out, firstPrefix = ' '.repeat(indent)) {
  const pad = ' '.repeat(indent);
  if (Array.isArray(value)) {
    let prefix = firstPrefix;
    for (const item of value) {
      if (item !== null && typeof item === 'object' && Object.keys(item).length)
        yamlNode(item, indent + 2, out, `${prefix}- `);
      else out.push(prefix, '- ', yamlLeaf(item, indent + 2, indent + 2), '\n');
      prefix = pad;
    }
    return;
  }
  let prefix = firstPrefix;
  for (const [k, v] of Object.entries(value)) {
    const key = yamlScalar(k, 0, 0, true);
    out.push(prefix, key, ':');
    if (v !== null && typeof v === 'object' && Object.keys(v).length) {
      out.push('\n');
      yamlNode(v, Array.isArray(v) ? indent : indent + 2, out);
    } else {
      out.push(' ', yamlLeaf(v, indent + 2, indent + key.length + 2), '\n');
    }
    prefix = pad;
  }
}
function yamlLeaf(v, indent, column) {
  if (v !== null && typeof v === 'object') return Array.isArray(v) ? '[]' : '{}';
  return yamlScalar(v, indent, column);
}
function toYaml(value, indent = 0, firstPrefix = '') {
  const out = [];
  yamlNode(value, indent, out, firstPrefix);
  return out.join('');
}

const STYLES = {
  yaml: {
    head: 'apiVersion: v1\nitems:\n',
    item: (o) => toYaml(o, 2, '- '),
    tail: 'kind: List\nmetadata:\n  resourceVersion: ""\n',
  },
  multidoc: { head: '', item: (o, first) => (first ? '' : '---\n') + toYaml(o), tail: '' },
  json: {
    head: '{\n    "apiVersion": "v1",\n    "items": [\n',
    item: (o, first) => `${first ? '' : ',\n'}${goJson(o, 4).replace(/^/gm, '        ')}`,
    tail: '\n    ],\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n',
  },
  jsonc: {
    head: '{"apiVersion":"v1","items":[',
    item: (o, first) => (first ? '' : ',') + goJson(o),
    tail: '],"kind":"List","metadata":{"resourceVersion":""}}\n',
  },
  ndjson: { head: '', item: (o) => `${goJson(o)}\n`, tail: '' },
};

const style = STYLES[opt.format];
if (!style) throw new Error(`unknown --format ${opt.format}`);
const fd = opt.output === '-' ? 1 : fs.openSync(opt.output, 'w');
process.on('uncaughtException', (error) => {
  if (error.code === 'EPIPE') process.exit(0); // the reader (`| head`) has seen enough
  throw error;
});
let pending = [];
let pendingChars = 0;
let written = 0;
function write(text) {
  pending.push(text);
  pendingChars += text.length;
  if (pendingChars > 1 << 20) flush();
}
function flush() {
  const bytes = Buffer.from(pending.join(''), 'utf8');
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at);
  written += bytes.length;
  pending = [];
  pendingChars = 0;
}

const KINDS = {
  pv: [count.pv, volume],
  pvc: [count.pvc, claim],
  sc: [CLASSES.length, (i) => storageClass(CLASSES[i], i)],
  pods: [count.pods, pod],
  nodes: [count.nodes, node],
  events: [count.events, event],
};
write(style.head);
let first = true;
for (const kind of opt.kinds.split(',')) {
  if (!KINDS[kind]) throw new Error(`unknown kind ${kind} in --kinds`);
  const [n, make] = KINDS[kind];
  const before = written + pendingChars;
  for (let i = 0; i < n; i += 1) {
    write(style.item(canonical(make(i)), first));
    first = false;
  }
  if (opt.stats) process.stderr.write(`${kind}: ${n} objects, ${written + pendingChars - before} bytes\n`);
}
write(style.tail);
flush();
if (fd !== 1) fs.closeSync(fd);
if (opt.stats) process.stderr.write(`total: ${written} bytes\n`);

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { execute } from '../../src/cli/main.ts';
import type { ClaimReport } from '../../src/report/claim-report.ts';

/** A claim as the command explains it, as a document and in print. */
export interface Explained {
  readonly report: ClaimReport;
  /** The first three lines of the text, in one. */
  readonly head: string;
  readonly text: string;
}

/** Explains one claim of a cluster that is written in YAML, through the command. */
export async function explained(yaml: string, key: string): Promise<Explained> {
  const folder = await mkdtemp(join(tmpdir(), 'explained-'));
  try {
    const file = join(folder, 'cluster.yaml');
    await writeFile(file, yaml);
    const document = JSON.parse(await run([key, '-f', file, '-o', 'json']));
    const text = await run([key, '-f', file]);
    const lines = text.split('\n').map((line) => line.trim());
    return { report: document.items[0], text, head: lines.slice(0, 3).join(' ') };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function run(args: readonly string[]): Promise<string> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const text = readAll(stdout);
  const code = await execute(args, { stdin: Readable.from([]), stdout, stderr });
  stdout.end();
  if (code !== 0) throw new Error(stderr.read()?.toString() ?? `exit code ${code}`);
  return text;
}

async function readAll(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

// Objects in YAML, one document each.

export const object = (fields: object): string => `${JSON.stringify(fields)}\n---\n`;

type Fields = Readonly<Record<string, unknown>>;

export const storageClass = (name: string, provisioner: string, more: Fields = {}): string =>
  object({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner,
    volumeBindingMode: 'Immediate',
    ...more,
  });

interface Meta extends Fields {
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A Pending claim in namespace "shop" of class "fast" that was handed over to a provisioner. */
export const claim = (name: string, spec: Fields = {}, meta: Meta = {}, status: Fields = {}): string =>
  object({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'shop', uid: `uid-${name}`, creationTimestamp: '2026-02-01T12:00:00Z', ...meta },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '10Gi' } },
      storageClassName: 'fast',
      ...spec,
    },
    status: { phase: 'Pending', ...status },
  });

export const handedOver = (provisioner: string, node?: string): Readonly<Record<string, string>> => ({
  'volume.kubernetes.io/storage-provisioner': provisioner,
  ...(node === undefined ? {} : { 'volume.kubernetes.io/selected-node': node }),
});

export const csiDriver = (name: string, spec: Fields = {}): string =>
  object({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name },
    spec: { attachRequired: true, ...spec },
  });

export const csiNode = (name: string, drivers: Readonly<Record<string, readonly string[]>>): string =>
  object({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name },
    spec: {
      drivers: Object.entries(drivers).map(([driver, topologyKeys]) => ({ name: driver, nodeID: name, topologyKeys })),
    },
  });

export const node = (name: string, labels: Readonly<Record<string, string>> = {}, spec: Fields = {}): string =>
  object({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec,
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
  });

export const pod = (
  namespace: string,
  name: string,
  spec: Fields = {},
  status: Fields = {},
  meta: Fields = {},
): string =>
  object({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, uid: `uid-${name}`, ...meta },
    spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1' }], ...spec },
    status: { phase: 'Running', ...status },
  });

/** A pod in a namespace of the cluster's own: the input is not that of one application. */
export const systemPod = pod('kube-system', 'coredns-1');

/** A pod of namespace "shop" that uses a claim and has no node. */
export const user = (name: string, claimName: string): string =>
  pod('shop', name, { volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] }, { phase: 'Pending' });

export const workload = (kind: string, namespace: string, name: string, spec: Fields, more: Fields = {}): string =>
  object({
    apiVersion: 'apps/v1',
    kind,
    metadata: { namespace, name, ...(more.metadata as Fields) },
    spec,
    ...(more.status ? { status: more.status } : {}),
  });

let events = 0;

export const event = (
  on: { readonly kind: string; readonly name: string; readonly namespace?: string; readonly uid?: string },
  reason: string,
  message: string,
  { component = 'persistentvolume-controller', count = 7, type = 'Warning', at = '2026-02-01T12:30:00Z' } = {},
): string =>
  object({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `event-${++events}`, namespace: on.namespace ?? 'shop' },
    involvedObject: { namespace: 'shop', ...on },
    reason,
    message,
    type,
    count,
    firstTimestamp: '2026-02-01T12:01:00Z',
    lastTimestamp: at,
    source: { component },
  });

/** What a provisioner tells about a claim that it cannot serve. */
export const failed = (claimName: string, provisioner: string, message: string): string =>
  event(
    { kind: 'PersistentVolumeClaim', name: claimName, uid: `uid-${claimName}` },
    'ProvisioningFailed',
    `failed to provision volume with StorageClass "fast": ${message}`,
    { component: `${provisioner}_controller-0_5f2a` },
  );

export const waiting = (claimName: string, provisioner: string, count = 40): string =>
  event(
    { kind: 'PersistentVolumeClaim', name: claimName, uid: `uid-${claimName}` },
    'ExternalProvisioning',
    `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`,
    { count, type: 'Normal' },
  );

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../cli/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'pvc-explain-'));
const [dump, manifests] = [join(folder, 'cluster.json'), join(folder, 'manifests.json')];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const classes = ['archive', 'local', 'made'] as const;
const count = 10_000;
const wanted = 500;

/** A cluster of 10,000 volumes, most of them bound, some free, some waited for; and manifests that want more. */
beforeAll(() => {
  const list = (items: readonly object[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const namespace = (i: number) => `team-${i % 50}`;
  const claim = (name: string, i: number, storageClassName: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace: namespace(i),
      ...('status' in more ? { uid: `uid-${name}` } : {}),
      ...('volume' in more ? { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } } : {}),
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: `${1 + (i % 20)}Gi` } },
      storageClassName,
      ...('volume' in more ? { volumeName: more.volume } : {}),
    },
    ...('status' in more ? { status: more.status } : {}),
  });
  const items: object[] = classes.map((name) => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner: name === 'made' ? 'csi.example.com' : 'kubernetes.io/no-provisioner',
    volumeBindingMode: name === 'local' ? 'WaitForFirstConsumer' : 'Immediate',
  }));
  items.push({ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'csi.example.com' } });
  for (let i = 0; i < 100; i++) {
    items.push({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: `node-${i}`, labels: { 'kubernetes.io/hostname': `node-${i}` } },
      status: { allocatable: { cpu: '64', memory: '256Gi', pods: '250' } },
    });
  }
  for (let i = 0; i < count; i++) {
    const storageClassName = classes[i % classes.length] as string;
    const isBound = i % 5 !== 0;
    items.push({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `volume-${i}`, uid: `uid-volume-${i}` },
      spec: {
        capacity: { storage: `${1 + (i % 20)}Gi` },
        accessModes: ['ReadWriteOnce'],
        storageClassName,
        nfs: { server: '192.0.2.1', path: `/${i}` },
        ...(isBound ? { claimRef: { namespace: namespace(i), name: `claim-${i}`, uid: `uid-claim-${i}` } } : {}),
      },
      status: { phase: isBound ? 'Bound' : 'Available' },
    });
    const status = { phase: isBound ? 'Bound' : 'Pending' };
    items.push(claim(`claim-${i}`, i, storageClassName, isBound ? { volume: `volume-${i}`, status } : { status }));
    if (i % 5 === 1) {
      items.push({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `pod-${i}`, namespace: namespace(i) },
        spec: {
          nodeName: `node-${i % 100}`,
          containers: [{ name: 'main' }],
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: `claim-${i}` } }],
        },
        status: { phase: 'Running' },
      });
    }
  }
  writeFileSync(dump, list(items));
  writeFileSync(
    manifests,
    list(Array.from({ length: wanted }, (_, i) => claim(`new-${i}`, i, classes[i % classes.length] as string))),
  );
});

/** The processor time of a command line, in milliseconds; the least of some runs, since others may use the machine. */
async function cost(args: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 2; i++) {
    const before = process.cpuUsage();
    expect((await run(args)).stderr).toBe('');
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

it('500 manifests against 10,000 volumes take at most 1.3 times what explaining these takes', async () => {
  const explain = await cost(['-f', dump, '-o', 'json']);
  const check = await cost(['check', '-f', manifests, '--from', dump, '-o', 'json']);
  expect(check / explain, `check ${Math.round(check)} ms, explain ${Math.round(explain)} ms`).toBeLessThanOrEqual(1.3);
}, 300_000);

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { ClaimReport } from '../../src/report/claim-report.ts';
import { explainIn, run } from '../cli/run.ts';
import { checked } from './scenario.ts';

const folder = mkdtempSync(join(tmpdir(), 'pvc-explain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (name: string, items: readonly object[]): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  return path;
};

// --- A cluster, and what somebody wants to create in it.

interface Wanted {
  readonly name: string;
  readonly storage: number;
  readonly mode: string;
  readonly class: string | undefined;
  readonly volume: string | undefined;
}

const className = fc.constantFrom(undefined, '', 'lent', 'made', 'waits', 'gone');
const mode = fc.constantFrom('ReadWriteOnce', 'ReadWriteOnce', 'ReadWriteMany', 'ReadWriteOncePod');
const storage = fc.integer({ min: 1, max: 4 });
const volumeName = fc.constantFrom('v0', 'v1', 'v2', 'v3');

const wanted = (names: readonly string[]) =>
  fc.uniqueArray(
    fc.record<Wanted>({
      name: fc.constantFrom(...names),
      storage,
      mode,
      class: className,
      volume: fc.option(volumeName, { nil: undefined, freq: 8 }),
    }),
    { selector: ({ name }) => name, maxLength: names.length },
  );

const volumes = fc.uniqueArray(
  fc.record({
    name: volumeName,
    storage,
    mode,
    class: className,
    reserved: fc.option(fc.constantFrom('a', 'b', 'old-1', 'data-db-0'), { nil: undefined, freq: 5 }),
    node: fc.option(fc.constantFrom('n1', 'n2'), { nil: undefined, freq: 2 }),
  }),
  { selector: ({ name }) => name, maxLength: 4 },
);

const scene = fc.record({
  volumes,
  waiting: wanted(['old-1', 'old-2']),
  claims: wanted(['a', 'b', 'c', 'd']),
  isDefault: fc.constantFrom(undefined, 'lent', 'made', 'waits'),
  newVolumes: fc.boolean(),
  pods: fc.array(fc.constantFrom('a', 'b', 'c', 'old-1', 'nowhere'), { maxLength: 2 }),
  replicas: fc.integer({ min: 0, max: 2 }),
  template: fc.record<Omit<Wanted, 'name'>>({ storage, mode, class: className, volume: fc.constant(undefined) }),
  scratch: fc.option(
    className.map((name) => ({ class: name })),
    { nil: undefined },
  ),
  isTainted: fc.boolean(),
});

type Scene = typeof scene extends fc.Arbitrary<infer S> ? S : never;

const specOf = ({ storage: size, mode: access, class: name, volume }: Omit<Wanted, 'name'>) => ({
  accessModes: [access],
  resources: { requests: { storage: `${size}Gi` } },
  ...(name === undefined ? {} : { storageClassName: name }),
  ...(volume === undefined ? {} : { volumeName: volume }),
});

const classOf = (name: string, provisioner: string, volumeBindingMode: string, isDefault: boolean) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name, ...(isDefault ? { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } } : {}) },
  provisioner,
  volumeBindingMode,
});

const volumeOf = ({ name, storage: size, mode: access, class: of, reserved, node }: Scene['volumes'][number]) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    capacity: { storage: `${size}Gi` },
    accessModes: [access],
    ...(of === undefined ? {} : { storageClassName: of }),
    ...(reserved === undefined ? {} : { claimRef: { namespace: 'shop', name: reserved } }),
    ...(node === undefined
      ? { nfs: { server: '192.0.2.1', path: '/' } }
      : {
          local: { path: '/disk' },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] },
              ],
            },
          },
        }),
  },
});

const podSpec = (...claimed: readonly object[]) => ({ containers: [{ name: 'main' }], volumes: claimed });
const uses = (claimName: string) => ({ name: claimName, persistentVolumeClaim: { claimName } });

/** Something of every kind that counts, so that nothing is left to be assumed. */
const settled: readonly object[] = [
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'kept', uid: 'uid-pv-kept' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'lent',
      nfs: { server: '192.0.2.1', path: '/' },
      claimRef: { namespace: 'shop', name: 'kept', uid: 'uid-kept' },
    },
    status: { phase: 'Bound' },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: 'kept',
      namespace: 'shop',
      uid: 'uid-kept',
      annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: 'lent',
      volumeName: 'kept',
    },
    status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'kept', namespace: 'shop', uid: 'uid-pod-kept' },
    spec: { nodeName: 'n1', containers: [{ name: 'main' }] },
    status: { phase: 'Running' },
  },
];

/** The cluster as it is. */
const clusterOf = ({ volumes: all, waiting, isDefault, newVolumes, isTainted }: Scene): readonly object[] => [
  ...settled,
  classOf('lent', 'kubernetes.io/no-provisioner', 'Immediate', isDefault === 'lent'),
  classOf('made', 'csi.example.com', 'Immediate', isDefault === 'made'),
  classOf('waits', 'kubernetes.io/no-provisioner', 'WaitForFirstConsumer', isDefault === 'waits'),
  { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'csi.example.com' } },
  ...['n1', 'n2'].flatMap((name) => [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { 'kubernetes.io/hostname': name } },
      spec: isTainted && name === 'n2' ? { taints: [{ key: 'dedicated', effect: 'NoSchedule' }] } : {},
      status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' }, nodeInfo: { kubeletVersion: 'v1.37.1' } },
    },
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name },
      spec: { drivers: [{ name: 'csi.example.com', nodeID: name, topologyKeys: [] }] },
    },
  ]),
  ...(newVolumes ? [] : all.map((one) => ({ ...volumeOf(one), status: { phase: 'Available' } }))),
  ...waiting.map((one) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: one.name, namespace: 'shop', uid: `uid-${one.name}`, resourceVersion: '7' },
    spec: { ...specOf(one), volumeMode: 'Filesystem' },
    status: { phase: 'Pending' },
  })),
];

/** What somebody applies. */
const manifestsOf = ({
  volumes: all,
  claims,
  newVolumes,
  pods,
  replicas,
  template,
  scratch,
}: Scene): readonly object[] => [
  ...(newVolumes ? all.map(volumeOf) : []),
  ...claims.map((one) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: one.name, namespace: 'shop' },
    spec: specOf(one),
  })),
  ...pods.map((name, i) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `pod-${i}`, namespace: 'shop' },
    spec: podSpec(uses(name)),
  })),
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'shop' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'db' } },
      template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'main' }] } },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: specOf(template) }],
    },
  },
  ...(scratch === undefined
    ? []
    : [
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'web', namespace: 'shop' },
          spec: {
            selector: { matchLabels: { app: 'web' } },
            template: {
              metadata: { labels: { app: 'web' } },
              spec: podSpec({
                name: 'scratch',
                ephemeral: {
                  volumeClaimTemplate: {
                    spec: specOf({ storage: 1, mode: 'ReadWriteOnce', volume: undefined, ...scratch }),
                  },
                },
              }),
            },
          },
        },
      ]),
];

/** The same, created by hand: what the API server and the controllers would have made of the manifests. */
function createdByHand({
  volumes: all,
  claims,
  isDefault,
  newVolumes,
  pods,
  replicas,
  template,
  scratch,
}: Scene): readonly object[] {
  const claim = (one: Wanted, ownerReferences: readonly object[] = []) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: one.name, namespace: 'shop', uid: `uid-${one.name}`, resourceVersion: '8', ownerReferences },
    spec: { ...specOf({ ...one, class: one.class ?? isDefault }), volumeMode: 'Filesystem' },
    status: { phase: 'Pending' },
  });
  const pod = (name: string, ...claimed: readonly object[]) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', uid: `uid-${name}`, resourceVersion: '8' },
    spec: podSpec(...claimed),
    status: { phase: 'Pending' },
  });
  const ordinals = Array.from({ length: replicas }, (_, i) => i);
  const web = 'web-xxxxx-1';
  return [
    ...(newVolumes ? all.map((one) => ({ ...volumeOf(one), status: { phase: 'Pending' } })) : []),
    ...claims.map((one) => claim(one)),
    ...pods.map((name, i) => pod(`pod-${i}`, uses(name))),
    ...ordinals.flatMap((i) => [
      claim({ ...template, name: `data-db-${i}` }),
      pod(`db-${i}`, { name: 'data', persistentVolumeClaim: { claimName: `data-db-${i}` } }),
    ]),
    ...(scratch === undefined
      ? []
      : [
          pod(web, {
            name: 'scratch',
            ephemeral: {
              volumeClaimTemplate: {
                spec: specOf({ storage: 1, mode: 'ReadWriteOnce', volume: undefined, ...scratch }),
              },
            },
          }),
          claim({ name: `${web}-scratch`, storage: 1, mode: 'ReadWriteOnce', volume: undefined, ...scratch }, [
            { apiVersion: 'v1', kind: 'Pod', name: web, uid: `uid-${web}`, controller: true },
          ]),
        ]),
  ];
}

const keyOf = ({ metadata }: { readonly metadata: { readonly name: string; readonly namespace: string } }) =>
  `${metadata.namespace}/${metadata.name}`;

describe('as a property', () => {
  it('manifests that are created by hand and explained come to what check says', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(scene, async (one) => {
        const id = run++;
        const cluster = clusterOf(one);
        const manifests = written(`manifests-${id}.json`, manifestsOf(one));
        const { items } = await checked(['-f', manifests, '--from', written(`cluster-${id}.json`, cluster)]);
        const { items: explained } = await explainIn([
          '-f',
          written(`whole-${id}.json`, [...cluster, ...createdByHand(one)]),
          '-A',
          '--all',
        ]);
        const verdicts = new Map(explained.map((report: ClaimReport) => [keyOf(report), report.verdict]));
        for (const item of items) {
          const [now] = item.releases;
          const verdict = verdicts.get(keyOf(item));
          expect({
            claim: keyOf(item),
            outcome: now?.outcome,
            volumes: now?.volumes,
            certainty: now?.certainty,
          }).toEqual({
            claim: keyOf(item),
            outcome: verdict?.outcome,
            volumes: verdict?.volumes,
            certainty: verdict?.certainty,
          });
        }
      }),
      { numRuns: 60 },
    );
  });

  it('whatever somebody writes is judged or refused, never a crash', async () => {
    const odd = fc.oneof(
      fc.constantFrom(null, '', 'text', '1Gi', '-1', 0, -1, 1e9, true, '{{ .Values.x }}', '__proto__'),
      fc.constant([]),
      fc.constant({}),
      fc.constant([null]),
      fc.constant({ a: { b: 1 } }),
    );
    /** The ways to every value of a document. */
    function* ways(value: unknown, way: readonly string[] = []): Generator<readonly string[]> {
      if (way.length > 0) yield way;
      if (typeof value !== 'object' || value === null) return;
      for (const [step, part] of Object.entries(value)) yield* ways(part, [...way, step]);
    }
    let id = 0;
    await fc.assert(
      fc.asyncProperty(
        scene,
        fc.array(fc.tuple(fc.nat(), odd, fc.boolean()), { minLength: 1, maxLength: 4 }),
        async (one, slips) => {
          const items = JSON.parse(JSON.stringify(manifestsOf(one)));
          for (const [n, value, isGone] of slips) {
            const all = [...ways(items)];
            const way = all[n % all.length] as readonly string[];
            const holder = way.slice(0, -1).reduce((at, step) => at[step], items);
            if (isGone) delete holder[way.at(-1) as string];
            else holder[way.at(-1) as string] = structuredClone(value);
          }
          const path = written(`slip-${id}.json`, items);
          const { code, stderr, stdout } = await run([
            'check',
            '-f',
            path,
            '--from',
            written(`town-${id++}.json`, clusterOf(one)),
          ]);
          expect([0, 1, 2]).toContain(code);
          expect(stderr).not.toMatch(/\n {4}at /);
          if (code === 2) expect(stderr).toMatch(/^error: .*unrendered Helm chart/);
          else expect(stdout).toMatch(/ checked against /);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('a check fails exactly when a finding counts, and every claim that is not served has one', async () => {
    let id = 0;
    await fc.assert(
      fc.asyncProperty(scene, async (one) => {
        const args = [
          'check',
          '-f',
          written(`m-${id}.json`, manifestsOf(one)),
          '--from',
          written(`c-${id++}.json`, clusterOf(one)),
        ];
        const { code, stdout } = await run([...args, '-o', 'json']);
        const { items, findings, failed } = JSON.parse(stdout);
        expect(code).toBe(findings.some(({ counts }: { counts: boolean }) => counts) ? 1 : 0);
        expect(failed).toBe(code === 1);
        for (const item of items) {
          const isServed = item.releases[0].level === undefined;
          const named = findings.filter(
            ({ claims, counts }: { claims: string[]; counts: boolean }) => counts && claims.includes(keyOf(item)),
          );
          if (!isServed) expect(named, keyOf(item)).not.toEqual([]);
        }
      }),
      { numRuns: 40 },
    );
  });
});

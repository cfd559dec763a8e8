import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/api/objects.ts';
import { created } from '../../src/manifests/created.ts';
import type { Manifest } from '../../src/manifests/manifest.ts';
import { planOf } from '../../src/manifests/plan.ts';
import { newClaim } from '../support/builders.ts';
import { claimTemplate, clusterOf, newManifest, templateOf, usesClaim } from './builders.ts';

const keys = (list: readonly { readonly key: string }[]) => list.map(({ key }) => key);
const names = (objects: readonly KubernetesObject[]) => objects.map(({ metadata }) => metadata.name);

/** A pod that a controller has made, on a node. */
const runningPod = (name: string, owner: { kind: string; name: string }, labels: object = {}, phase = 'Running') =>
  ({
    kind: 'Pod',
    metadata: { name, namespace: 'shop', labels, ownerReferences: [{ ...owner, controller: true }] },
    spec: { nodeName: 'node-a' },
    status: { phase },
  }) as KubernetesObject;

/** A workload as the cluster holds it. */
const stored = ({ object }: Manifest) => created(object);

const db = (replicas: number, template: object = claimTemplate('data')) =>
  newManifest('StatefulSet', 'db', {
    spec: {
      replicas,
      template: templateOf(),
      volumeClaimTemplates: [template],
    },
  });
const web = (replicas: number, ...volumes: readonly object[]) =>
  newManifest('Deployment', 'web', { spec: { replicas, template: templateOf(...volumes) } });
const dbPod = (ordinal: number) => runningPod(`db-${ordinal}`, { kind: 'StatefulSet', name: 'db' });
const webPod = (n: number) =>
  runningPod(`web-7d4b-${n}`, { kind: 'ReplicaSet', name: 'web-7d4b' }, { 'pod-template-hash': '7d4b' });

describe('which claims come into being', () => {
  it('claims of manifests stand before those that controllers make', () => {
    const plan = planOf([db(1), newManifest('PersistentVolumeClaim', 'films')], clusterOf());
    expect(keys(plan.claims)).toEqual(['shop/films', 'shop/data-db-0']);
  });

  it('a claim of the cluster is kept as the controller keeps it', () => {
    const plan = planOf([db(2)], clusterOf(newClaim('data-db-0', '1Gi', {}, { namespace: 'shop' })));
    expect(keys(plan.claims)).toEqual(['shop/data-db-1']);
    expect(keys(plan.adopted)).toEqual(['shop/data-db-0']);
  });

  it('so is a claim that another manifest brings along', () => {
    const plan = planOf([db(1), newManifest('PersistentVolumeClaim', 'data-db-0')], clusterOf());
    expect(plan.claims.map(({ key, how }) => `${how} ${key}`)).toEqual(['claim shop/data-db-0']);
    expect(keys(plan.adopted)).toEqual(['shop/data-db-0']);
  });

  it('of two manifests for one object the later one counts', () => {
    const [first, last] = [
      newManifest('PersistentVolumeClaim', 'films'),
      newManifest('PersistentVolumeClaim', 'films'),
    ];
    const plan = planOf([first, last], clusterOf());
    expect(plan.manifests).toEqual([last]);
    expect(plan.duplicates).toEqual([{ dropped: first, kept: last }]);
    expect(plan.claims).toHaveLength(1);
  });

  it('a StatefulSet whose templates would change brings none', () => {
    const plan = planOf([db(2, claimTemplate('data', { storageClassName: 'fast' }))], clusterOf(stored(db(2))));
    expect(plan.claims).toEqual([]);
    expect(plan.conflicts.map(({ changes }) => changes)).toEqual([
      [{ field: 'spec.volumeClaimTemplates[0].spec.storageClassName', before: '', after: 'fast' }],
    ]);
  });

  it('templates that say the same in other words do not change', () => {
    const same = claimTemplate('data', { volumeMode: 'Filesystem', resources: { requests: { storage: '10240Mi' } } });
    expect(planOf([db(2, same)], clusterOf(stored(db(2)))).conflicts).toEqual([]);
  });
});

describe('which pods come and go', () => {
  it.each<{
    name: string;
    manifest: Manifest;
    cluster: readonly KubernetesObject[];
    added: readonly string[];
    ended: readonly string[];
  }>([
    {
      name: 'a new workload brings all of its pods',
      manifest: web(2),
      cluster: [],
      added: ['web-xxxxx-1', 'web-xxxxx-2'],
      ended: [],
    },
    {
      name: 'one that is there unchanged keeps its pods',
      manifest: web(2),
      cluster: [stored(web(2)), webPod(1), webPod(2)],
      added: [],
      ended: [],
    },
    {
      name: 'one that grows adds what is missing',
      manifest: web(3),
      cluster: [stored(web(2)), webPod(1), webPod(2)],
      added: ['web-xxxxx-3'],
      ended: [],
    },
    {
      name: 'one that shrinks ends the rest',
      manifest: web(1),
      cluster: [stored(web(2)), webPod(1), webPod(2)],
      added: [],
      ended: ['shop/web-7d4b-2'],
    },
    {
      name: 'one whose template changes replaces all',
      manifest: web(1, usesClaim('data', 'data')),
      cluster: [stored(web(1)), webPod(1)],
      added: ['web-xxxxx-1'],
      ended: ['shop/web-7d4b-1'],
    },
    {
      name: 'pods that have ended are not counted',
      manifest: web(1),
      cluster: [
        stored(web(1)),
        runningPod('web-7d4b-1', { kind: 'ReplicaSet', name: 'web-7d4b' }, { 'pod-template-hash': '7d4b' }, 'Failed'),
      ],
      added: ['web-xxxxx-1'],
      ended: [],
    },
    {
      name: 'a StatefulSet adds by number',
      manifest: db(3),
      cluster: [stored(db(3)), dbPod(0), dbPod(2)],
      added: ['db-1'],
      ended: [],
    },
    {
      name: 'a StatefulSet that shrinks ends the last',
      manifest: db(1),
      cluster: [stored(db(2)), dbPod(0), dbPod(1)],
      added: [],
      ended: ['shop/db-1'],
    },
    {
      name: 'a StatefulSet with pods whose own object the dump lacks keeps them',
      manifest: db(1),
      cluster: [dbPod(0)],
      added: [],
      ended: [],
    },
    {
      name: 'a Pod that exists stays',
      manifest: newManifest('Pod', 'one', { spec: templateOf().spec }),
      cluster: [runningPod('one', { kind: 'Job', name: 'x' })],
      added: [],
      ended: [],
    },
  ])('$name', ({ manifest, cluster, added, ended }) => {
    const plan = planOf([manifest], clusterOf(...cluster));
    expect(names(plan.pods)).toEqual(added);
    expect(plan.endedPods).toEqual(ended);
  });

  it('a workload with too many is told', () => {
    const plan = planOf([web(5000)], clusterOf());
    expect(plan.pods).toHaveLength(1000);
    expect(plan.shortened).toMatchObject([{ pods: 5000 }]);
  });
});

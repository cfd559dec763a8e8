import { describe, expect, it } from 'vitest';
import type { KubernetesObject, Node, Pod } from '../../src/api/objects.ts';
import { claimsOf, usesOf } from '../../src/manifests/claims-of.ts';
import type { Manifest } from '../../src/manifests/manifest.ts';
import { mostPodsOfWorkload, podsOf } from '../../src/manifests/pods-of.ts';
import { claimTemplate, newManifest, newNode, scratch, templateOf, usesClaim } from './builders.ts';

const names = (objects: readonly KubernetesObject[]) => objects.map(({ metadata }) => metadata.name);
const nodes = [
  newNode('node-a'),
  newNode('node-b', { taints: [{ key: 'dedicated', effect: 'NoSchedule' }] }),
] as Node[];

describe('the pods of a workload', () => {
  it.each<{ name: string; manifest: Manifest; pods: readonly string[] }>([
    { name: 'a pod is itself', manifest: newManifest('Pod', 'one', { spec: {} }), pods: ['one'] },
    {
      name: 'a StatefulSet numbers them from its first ordinal',
      manifest: newManifest('StatefulSet', 'db', {
        spec: { replicas: 2, ordinals: { start: 5 }, template: templateOf() },
      }),
      pods: ['db-5', 'db-6'],
    },
    {
      name: 'a Deployment without replicas has one',
      manifest: newManifest('Deployment', 'web', { spec: { template: templateOf() } }),
      pods: ['web-xxxxx-1'],
    },
    {
      name: 'none of zero replicas',
      manifest: newManifest('ReplicaSet', 'web', { spec: { replicas: 0, template: templateOf() } }),
      pods: [],
    },
    {
      name: 'a ReplicationController makes them like a ReplicaSet',
      manifest: newManifest('ReplicationController', 'web', { spec: { replicas: 2, template: templateOf() } }),
      pods: ['web-xxxxx-1', 'web-xxxxx-2'],
    },
    {
      name: 'a Job runs no more at once than it wants completed',
      manifest: newManifest('Job', 'import', { spec: { parallelism: 5, completions: 2, template: templateOf() } }),
      pods: ['import-xxxxx-1', 'import-xxxxx-2'],
    },
    {
      name: 'a suspended Job runs none',
      manifest: newManifest('Job', 'import', { spec: { suspend: true, template: templateOf() } }),
      pods: [],
    },
    {
      name: 'a CronJob runs one of its jobs',
      manifest: newManifest('CronJob', 'nightly', { spec: { jobTemplate: { spec: { template: templateOf() } } } }),
      pods: ['nightly-xxxxx-1'],
    },
    {
      name: 'a DaemonSet has one on every node that it tolerates',
      manifest: newManifest('DaemonSet', 'agent', { spec: { template: templateOf() } }),
      pods: ['agent-xxxxx-node-a'],
    },
    {
      name: 'a DaemonSet that tolerates everything has one on each',
      manifest: newManifest('DaemonSet', 'agent', {
        spec: { template: { spec: { tolerations: [{ operator: 'Exists' }] } } },
      }),
      pods: ['agent-xxxxx-node-a', 'agent-xxxxx-node-b'],
    },
    {
      name: 'a DaemonSet with a node selector has them where it matches',
      manifest: newManifest('DaemonSet', 'agent', {
        spec: {
          template: {
            spec: { tolerations: [{ operator: 'Exists' }], nodeSelector: { 'kubernetes.io/hostname': 'node-b' } },
          },
        },
      }),
      pods: ['agent-xxxxx-node-b'],
    },
    { name: 'a claim has none', manifest: newManifest('PersistentVolumeClaim', 'films', { spec: {} }), pods: [] },
  ])('$name', ({ manifest, pods }) => {
    expect(names(podsOf(manifest, nodes))).toEqual(pods);
  });

  it('of a DaemonSet are sent to their nodes by name', () => {
    const [pod] = podsOf(newManifest('DaemonSet', 'agent', { spec: { template: templateOf() } }), nodes) as [Pod];
    expect(pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms).toEqual([
      { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-a'] }] },
    ]);
  });

  it('of a DaemonSet in a cluster without known nodes are one that stands for all', () => {
    expect(names(podsOf(newManifest('DaemonSet', 'agent', { spec: { template: templateOf() } }), []))).toEqual([
      'agent-xxxxx-1',
    ]);
  });

  it('are owned by it, carry the labels of the template, and are waiting to be scheduled', () => {
    const [pod] = podsOf(
      newManifest('Deployment', 'web', { apiVersion: 'apps/v1', spec: { template: templateOf() } }),
      [],
    );
    expect(pod?.metadata.ownerReferences).toMatchObject([{ kind: 'Deployment', name: 'web', controller: true }]);
    expect(pod?.metadata.labels).toMatchObject({ app: 'shop' });
    expect(pod?.status).toEqual({ phase: 'Pending' });
    expect(pod?.spec.schedulerName).toBe('default-scheduler');
  });

  it('are not made in thousands because of a slip', () => {
    const manifest = newManifest('Deployment', 'web', { spec: { replicas: 1_000_000, template: templateOf() } });
    expect(podsOf(manifest, [])).toHaveLength(mostPodsOfWorkload);
  });

  it('of a StatefulSet use the claims of its templates, also where the template of the pod has such a volume', () => {
    const template = templateOf({ name: 'data', emptyDir: {} }, usesClaim('conf', 'conf'));
    const manifest = newManifest('StatefulSet', 'db', {
      spec: { template, volumeClaimTemplates: [claimTemplate('data')] },
    });
    const [pod] = podsOf(manifest, []) as [Pod];
    expect(pod.spec.volumes).toEqual([usesClaim('conf', 'conf'), usesClaim('data', 'data-db-0')]);
  });
});

describe('the claims of a manifest', () => {
  const keysOf = (manifest: Manifest) =>
    claimsOf(manifest, podsOf(manifest, nodes)).map(({ key, how }) => `${how} ${key}`);

  it('a claim makes itself', () => {
    expect(keysOf(newManifest('PersistentVolumeClaim', 'films', { spec: {} }))).toEqual(['claim shop/films']);
  });

  it('a StatefulSet makes one of each template for each pod', () => {
    const manifest = newManifest('StatefulSet', 'db', {
      spec: {
        replicas: 2,
        template: templateOf(),
        volumeClaimTemplates: [claimTemplate('data'), claimTemplate('wal')],
      },
    });
    expect(keysOf(manifest)).toEqual([
      'template shop/data-db-0',
      'template shop/wal-db-0',
      'template shop/data-db-1',
      'template shop/wal-db-1',
    ]);
  });

  it('those of a StatefulSet carry the labels of the template and of the selector', () => {
    const manifest = newManifest('StatefulSet', 'db', {
      spec: {
        selector: { matchLabels: { app: 'db' } },
        template: templateOf(),
        volumeClaimTemplates: [claimTemplate('data', {}, { tier: 'gold' })],
      },
    });
    const [claim] = claimsOf(manifest, podsOf(manifest, []));
    expect(claim?.raw).toEqual({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data-db-0', namespace: 'shop', labels: { tier: 'gold', app: 'db' } },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } },
    });
    expect(claim?.path).toEqual(['spec', 'volumeClaimTemplates', 0]);
  });

  it.each<{ name: string; manifest: Manifest; keys: readonly string[] }>([
    {
      name: 'a pod',
      manifest: newManifest('Pod', 'one', { spec: templateOf(scratch()).spec }),
      keys: ['ephemeral shop/one-scratch'],
    },
    ...(['Deployment', 'ReplicaSet', 'ReplicationController', 'Job'] as const).map((kind) => ({
      name: `a ${kind}`,
      manifest: newManifest(kind, 'web', { spec: { template: templateOf(usesClaim('data', 'data'), scratch()) } }),
      keys: ['ephemeral shop/web-xxxxx-1-scratch'],
    })),
    {
      name: 'a DaemonSet',
      manifest: newManifest('DaemonSet', 'agent', { spec: { template: templateOf(scratch()) } }),
      keys: ['ephemeral shop/agent-xxxxx-node-a-scratch'],
    },
    {
      name: 'a StatefulSet',
      manifest: newManifest('StatefulSet', 'db', { spec: { template: templateOf(scratch()) } }),
      keys: ['ephemeral shop/db-0-scratch'],
    },
    {
      name: 'a CronJob',
      manifest: newManifest('CronJob', 'nightly', {
        spec: { jobTemplate: { spec: { template: templateOf(scratch()) } } },
      }),
      keys: ['ephemeral shop/nightly-xxxxx-1-scratch'],
    },
  ])('$name makes one of each ephemeral volume', ({ manifest, keys }) => {
    expect(keysOf(manifest)).toEqual(keys);
  });

  it('that of an ephemeral volume belongs to its pod', () => {
    const manifest = newManifest('Pod', 'one', { spec: templateOf(scratch()).spec });
    const pods = podsOf(manifest, []);
    const [claim] = claimsOf(manifest, pods);
    expect(claim?.raw).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'Pod', name: 'one', uid: pods[0]?.metadata.uid, controller: true }] },
    });
    expect(claim?.path).toEqual(['spec', 'volumes', 0, 'ephemeral', 'volumeClaimTemplate']);
  });
});

describe('the claims that pods use by name', () => {
  it('are told once, with the field that names them', () => {
    const manifest = newManifest('CronJob', 'nightly', {
      spec: { jobTemplate: { spec: { parallelism: 3, template: templateOf(scratch(), usesClaim('out', 'reports')) } } },
    });
    expect(usesOf(manifest, podsOf(manifest, []))).toEqual([
      {
        key: 'shop/reports',
        pod: 'shop/nightly-xxxxx-1',
        from: manifest,
        path: ['spec', 'jobTemplate', 'spec', 'template', 'spec', 'volumes', 1, 'persistentVolumeClaim', 'claimName'],
      },
    ]);
  });

  it('are not those that a StatefulSet makes itself', () => {
    const manifest = newManifest('StatefulSet', 'db', {
      spec: { template: templateOf(), volumeClaimTemplates: [claimTemplate('data')] },
    });
    expect(usesOf(manifest, podsOf(manifest, []))).toEqual([]);
  });
});

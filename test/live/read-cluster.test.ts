import { afterEach, describe, expect, it } from 'vitest';
import type { KubernetesObject, Pod } from '../../src/api/objects.ts';
import { allKinds, isNamespaced, type Kind } from '../../src/snapshot/kinds.ts';
import { readCluster } from '../../src/sources/live/read-cluster.ts';
import { type Reading, type Scope, snapshotOf } from '../../src/sources/live/reading.ts';
import { newClaim, newClass, newVolume } from '../support/builders.ts';
import { type Answer, type Asked, type FakeApiServer, page, refusal, serve } from './fake-api-server.ts';
import { answerFor, type FakeCluster } from './fake-cluster.ts';
import { plainClient } from './plain-client.ts';

let server: FakeApiServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function read(
  answer: (asked: Asked) => Answer,
  scope: Scope = ['media'],
): Promise<Reading & { readonly paths: readonly string[] }> {
  const fake = await serve(answer);
  server = fake;
  const { client, timing } = plainClient(fake.url);
  try {
    const reading = await readCluster(client, { scope, timing });
    return { ...reading, paths: fake.asked.map(({ path }) => path) };
  } finally {
    client.close();
  }
}

const inMedia = { namespace: 'media' };
const films = newClaim('films', '5Gi', { storageClassName: 'archive' }, inMedia);
const logs = newClaim('logs', '1Gi', {}, { namespace: 'ops' });
const newPod = (name: string, spec: Pod['spec'] = {}, namespace = 'media'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, resourceVersion: '1' },
  spec: { containers: [{ name: 'main' }], ...spec },
});
const newObject = (kind: Kind, apiVersion: string, name: string, namespace?: string): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});

const cluster: FakeCluster = {
  objects: {
    '/api/v1/persistentvolumes': [newVolume('archive-01', '10Gi')],
    '/api/v1/persistentvolumeclaims': [films, logs],
    '/apis/storage.k8s.io/v1/storageclasses': [newClass('archive', 'csi.example.com')],
    '/api/v1/pods': [newPod('player'), newPod('agent', {}, 'ops')],
    '/api/v1/namespaces': [newObject('Namespace', 'v1', 'media'), newObject('Namespace', 'v1', 'ops')],
    '/apis/apps/v1/statefulsets': [
      newObject('StatefulSet', 'apps/v1', 'player', 'media'),
      newObject('StatefulSet', 'apps/v1', 'agent', 'ops'),
    ],
  },
};

/** The keys of the objects of each kind that has any. */
function keysOf(reading: Reading): Partial<Record<Kind, readonly string[]>> {
  const snapshot = snapshotOf(reading);
  const lists = allKinds.map(
    (kind) =>
      [
        kind,
        snapshot
          .list(kind)
          .map(({ metadata: { namespace, name } }) => (namespace === undefined ? name : `${namespace}/${name}`)),
      ] as const,
  );
  return Object.fromEntries(lists.filter(([, keys]) => keys.length > 0));
}

describe('a cluster', () => {
  it('is read for one namespace, but claims and pods everywhere', async () => {
    const reading = await read(answerFor(cluster));
    expect(keysOf(reading)).toEqual({
      PersistentVolume: ['archive-01'],
      PersistentVolumeClaim: ['media/films', 'ops/logs'],
      StorageClass: ['archive'],
      Pod: ['media/player', 'ops/agent'],
      Namespace: ['media', 'ops'],
      StatefulSet: ['media/player'],
    });
    const snapshot = snapshotOf(reading);
    expect(snapshot.issues).toEqual([]);
    expect(snapshot.kubernetesVersion).toBe('v1.33.1');
    expect(snapshot.capturedAt).toBe('2026-11-30T12:00:00Z');
    expect(snapshot.coverage('PersistentVolumeClaim', 'ops')).toEqual({ is: 'present' });
    expect(snapshot.coverage('Node')).toEqual({ is: 'empty' });
    expect(snapshot.coverage('LimitRange', 'media')).toEqual({ is: 'empty' });
    expect(snapshot.coverage('LimitRange', 'ops')).toEqual({
      is: 'notCollected',
      because: 'only namespace media was read',
      settledBy: '-A',
    });
  });

  it('is read for all namespaces with -A', async () => {
    const { paths, ...reading } = await read(answerFor(cluster), 'all');
    expect(keysOf(reading).StatefulSet).toEqual(['media/player', 'ops/agent']);
    expect(paths.filter((path) => path.includes('/namespaces/'))).toEqual([]);
    const snapshot = snapshotOf(reading);
    for (const kind of allKinds) expect(snapshot.coverage(kind, 'ops').is).not.toBe('notCollected');
  });

  it('is read for several namespaces', async () => {
    const reading = await read(answerFor(cluster), ['media', 'ops']);
    expect(keysOf(reading).StatefulSet).toEqual(['media/player', 'ops/agent']);
  });

  it('is asked for each list once', async () => {
    const { paths } = await read(answerFor(cluster), 'all');
    expect(paths).toHaveLength(allKinds.length + 1);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('gives objects their kind and version, and tells where they are from', async () => {
    const snapshot = snapshotOf(await read(answerFor(cluster)));
    const found = snapshot.get('StorageClass', 'archive')!;
    expect(found).toMatchObject({
      kind: 'StorageClass',
      apiVersion: 'storage.k8s.io/v1',
      provisioner: 'csi.example.com',
    });
    expect(snapshot.provenance(found)).toEqual({
      file: `${server!.url}/apis/storage.k8s.io/v1/storageclasses`,
      document: 1,
      line: 1,
    });
  });

  it('keeps no field that nobody reads', async () => {
    const objects = {
      '/api/v1/pods': [{ ...newPod('player'), spec: { containers: [{ name: 'main', env: [{ name: 'SECRET' }] }] } }],
    };
    const snapshot = snapshotOf(await read(answerFor({ objects })));
    expect(snapshot.get('Pod', 'media/player')!.spec).toEqual({ containers: [{ name: 'main' }] });
  });

  it('holds numbers where texts belong, and they are read', async () => {
    const volume = newVolume('archive-01', '10Gi');
    const odd = { ...volume, spec: { ...volume.spec, capacity: { storage: 5 } } } as unknown as KubernetesObject;
    const snapshot = snapshotOf(await read(answerFor({ objects: { '/api/v1/persistentvolumes': [odd] } })));
    expect(snapshot.get('PersistentVolume', 'archive-01')!.spec.capacity).toEqual({ storage: '5' });
  });

  it('that is older is asked for older versions', async () => {
    const objects = {
      '/apis/storage.k8s.io/v1beta1/volumeattributesclasses': [
        newObject('VolumeAttributesClass', 'storage.k8s.io/v1beta1', 'gold'),
      ],
    };
    const unknown = ['/apis/storage.k8s.io/v1/volumeattributesclasses'];
    const reading = await read(answerFor({ objects, unknown }));
    expect(keysOf(reading)).toEqual({ VolumeAttributesClass: ['gold'] });
  });

  it('may not know a kind at all: then there are none', async () => {
    const unknown = ['v1', 'v1beta1', 'v1alpha1'].map(
      (version) => `/apis/storage.k8s.io/${version}/volumeattributesclasses`,
    );
    const snapshot = snapshotOf(await read(answerFor({ ...cluster, unknown })));
    expect(snapshot.coverage('VolumeAttributesClass')).toEqual({ is: 'empty' });
    expect(snapshot.issues).toEqual([]);
  });

  it('tells how far the reading is', async () => {
    const fake = await serve(answerFor(cluster));
    server = fake;
    const { client, timing } = plainClient(fake.url);
    const told: string[] = [];
    await readCluster(client, { scope: 'all', timing, progress: (kind, count) => told.push(`${kind} ${count}`) });
    client.close();
    expect(told).toContain('PersistentVolumeClaim 2');
    expect(told).toContain('Node 0');
  });
});

describe('who may see one namespace only', () => {
  const forbidden = [/^\/apis?\/(?!.*\/namespaces\/media\/)/];

  it('gets all of it, and what would settle the rest', async () => {
    const reading = await read(answerFor({ ...cluster, forbidden }));
    expect(keysOf(reading)).toEqual({
      PersistentVolumeClaim: ['media/films'],
      Pod: ['media/player'],
      StatefulSet: ['media/player'],
    });
    const snapshot = snapshotOf(reading);
    expect(snapshot.issues).toEqual([]);
    expect(snapshot.coverage('PersistentVolume')).toEqual({
      is: 'notCollected',
      because: 'forbidden: /api/v1/persistentvolumes is forbidden',
      settledBy: 'list persistentvolumes',
    });
    expect(snapshot.coverage('CSIStorageCapacity', 'media')).toMatchObject({
      settledBy: 'list csistoragecapacities in all namespaces',
    });
    expect(snapshot.coverage('Pod')).toMatchObject({ is: 'notCollected', settledBy: 'list pods in all namespaces' });
    expect(snapshot.coverage('Pod', 'ops')).toMatchObject({
      is: 'notCollected',
      settledBy: 'list pods in all namespaces',
    });
    expect(snapshot.coverage('Pod', 'media')).toEqual({ is: 'present' });
    expect(snapshot.coverage('LimitRange', 'media')).toEqual({ is: 'empty' });
  });

  it('hears that a kind is missing even if some of its objects were read', async () => {
    const mayGet = [/^\/apis?\/(?!.*\/namespaces\/media\/)(?!.*\/storageclasses\/archive$)/];
    const snapshot = snapshotOf(await read(answerFor({ ...cluster, forbidden: mayGet })));
    expect(snapshot.list('StorageClass').map(({ metadata }) => metadata.name)).toEqual(['archive']);
    expect(snapshot.coverage('StorageClass').is).toBe('notCollected');
  });

  it('gets the own namespace if it may be read by name', async () => {
    const mayGet = [/^\/apis?\/(?!.*\/namespaces\/media(\/|$))/];
    expect(keysOf(await read(answerFor({ ...cluster, forbidden: mayGet }))).Namespace).toEqual(['media']);
  });

  it('is told to use -n when asking for all', async () => {
    const { issues } = await read(answerFor({ ...cluster, forbidden }), 'all');
    expect(issues).toEqual([
      {
        severity: 'error',
        file: `${server!.url}/api/v1/persistentvolumeclaims`,
        reason: 'forbidden: /api/v1/persistentvolumeclaims is forbidden; -n NAMESPACE reads one namespace',
      },
    ]);
  });

  it('is told that there is nothing to explain in a namespace that is closed', async () => {
    const { issues } = await read(answerFor({ ...cluster, forbidden: [/^\/api/] }));
    expect(issues).toEqual([
      {
        severity: 'error',
        file: `${server!.url}/api/v1/namespaces/media/persistentvolumeclaims`,
        reason: 'forbidden: /api/v1/namespaces/media/persistentvolumeclaims is forbidden',
      },
    ]);
  });
});

describe('a reading ends', () => {
  it('when the user is not logged in, in kubectl`s words', async () => {
    const failure = read(() => refusal(401, 'Unauthorized', 'Unauthorized'));
    await expect(failure).rejects.toThrow(/^You must be logged in to the server \(Unauthorized\)$/);
  });

  it('when nothing at all can be read', async () => {
    await expect(read(() => ({ status: 404, body: 'not here' }))).rejects.toThrow(
      'Error from server (NotFound): the server could not find the requested resource',
    );
  });

  it('with the reason of the signal', async () => {
    const fake = await serve(() => ({ stream: () => {} }));
    server = fake;
    const { client, timing } = plainClient(fake.url);
    const stop = new AbortController();
    const failure = readCluster(client, { scope: 'all', timing, signal: stop.signal }).catch((error: Error) => error);
    await fake.requests(1);
    stop.abort(new Error('interrupted'));
    expect(await failure).toMatchObject({ message: 'interrupted' });
    client.close();
  });

  it.each([500, 404])('not for one kind that answers %d', async (status) => {
    const good = answerFor(cluster);
    const reading = await read((asked) => (asked.path === '/api/v1/nodes' ? { status, body: 'oops' } : good(asked)));
    const [issue] = reading.issues;
    expect(issue).toMatchObject({ severity: 'error', file: `${server!.url}/api/v1/nodes` });
    expect(snapshotOf(reading).coverage('Node')).toEqual({ is: 'notCollected', because: issue!.reason });
  });
});

describe('lists of different moments', () => {
  const bound = (name: string, claim: string): KubernetesObject =>
    newVolume(name, '10Gi', { claimRef: { namespace: 'media', name: claim } }, {}, 'Bound');
  const takes = (name: string, volume: string): KubernetesObject =>
    ({
      ...newClaim(name, '5Gi', { volumeName: volume }, inMedia),
      status: { phase: 'Bound' },
    }) as KubernetesObject;

  /** The first answers for lists, others from the second look on. */
  function changing(first: FakeCluster, then: FakeCluster): (asked: Asked) => Answer {
    const [before, after] = [answerFor(first), answerFor(then)];
    const seen = new Set<string>();
    return (asked) => {
      const isSingle = /\/(persistentvolumes|persistentvolumeclaims|nodes|storageclasses|pods)\/[^/]+$/.test(
        asked.path,
      );
      const isFirst = !isSingle && !seen.has(asked.path);
      seen.add(asked.path);
      return isFirst ? before(asked) : after(asked);
    };
  }

  it('lack a volume that was made in between: it is read after all', async () => {
    const claims = { '/api/v1/persistentvolumeclaims': [takes('films', 'archive-01')] };
    const after = { ...claims, '/api/v1/persistentvolumes': [bound('archive-01', 'films')] };
    const reading = await read(changing({ objects: claims }, { objects: after }));
    expect(keysOf(reading)).toEqual({ PersistentVolume: ['archive-01'], PersistentVolumeClaim: ['media/films'] });
    expect(reading.issues).toEqual([]);
  });

  it('hold a claim that went away in between: it is left out', async () => {
    const before = { '/api/v1/persistentvolumeclaims': [takes('films', 'archive-01')] };
    const reading = await read(changing({ objects: before }, { objects: {} }));
    expect(keysOf(reading)).toEqual({});
    expect(reading.issues).toEqual([]);
  });

  it('hold a volume that was released in between: it is read again', async () => {
    const before = { '/api/v1/persistentvolumes': [bound('archive-01', 'films')] };
    const released = newVolume(
      'archive-01',
      '10Gi',
      { claimRef: { namespace: 'media', name: 'films' } },
      {},
      'Released',
    );
    const reading = await read(changing({ objects: before }, { objects: { '/api/v1/persistentvolumes': [released] } }));
    expect(snapshotOf(reading).get('PersistentVolume', 'archive-01')?.status?.phase).toBe('Released');
    expect(reading.issues).toEqual([]);
  });

  it.each([
    { names: ['films'], told: 'PersistentVolumeClaim media/films names it' },
    { names: ['films', 'series', 'shows'], told: 'PersistentVolumeClaim media/films and 2 more name it' },
  ])('still disagree when read again: that is said ($told)', async ({ names, told }) => {
    const objects = { '/api/v1/persistentvolumeclaims': names.map((name) => takes(name, 'archive-01')) };
    const { issues } = await read(answerFor({ objects }));
    expect(issues).toEqual([
      {
        severity: 'warning',
        file: `${server!.url}/api/v1/persistentvolumeclaims`,
        reason: `PersistentVolume archive-01 is not there, also when read again, but ${told}`,
      },
    ]);
  });

  it.each([
    { phase: 'Running', count: 1 },
    { phase: 'Succeeded', count: 0 },
    { phase: 'Failed', count: 0 },
  ])('miss the node of a pod that is $phase: $count word about it', async ({ phase, count }) => {
    const pod = { ...newPod('player', { nodeName: 'node-a' }), status: { phase } };
    expect((await read(answerFor({ objects: { '/api/v1/pods': [pod] } }))).issues).toHaveLength(count);
  });

  it.each<{ name: string; objects: FakeCluster['objects']; asked: string }>([
    {
      name: 'a class that may well not exist',
      objects: { '/api/v1/persistentvolumeclaims': [films] },
      asked: '/apis/storage.k8s.io/v1/storageclasses/archive',
    },
    {
      name: 'a claim that a pod waits for',
      objects: {
        '/api/v1/pods': [
          newPod('player', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'films' } }] }),
        ],
      },
      asked: '/api/v1/namespaces/media/persistentvolumeclaims/films',
    },
    {
      name: 'a claim that a pod brings along',
      objects: { '/api/v1/pods': [newPod('player', { volumes: [{ name: 'data', ephemeral: {} }] })] },
      asked: '/api/v1/namespaces/media/persistentvolumeclaims/player-data',
    },
  ])('are looked at once more for $name, without a word if it is not there', async ({ objects, asked }) => {
    const { paths, issues } = await read(answerFor({ objects }));
    expect(paths).toContain(asked);
    expect(issues).toEqual([]);
  });

  it('are taken again as a whole if much is missing', async () => {
    const names = Array.from({ length: 21 }, (_, i) => `films-${i}`);
    const claims = { '/api/v1/persistentvolumeclaims': names.map((name) => takes(name, `volume-of-${name}`)) };
    const volumes = { '/api/v1/persistentvolumes': names.map((name) => bound(`volume-of-${name}`, name)) };
    const { paths, ...reading } = await read(changing({ objects: claims }, { objects: { ...claims, ...volumes } }));
    expect(keysOf(reading).PersistentVolume).toHaveLength(21);
    expect(paths.filter((path) => path.startsWith('/api/v1/persistentvolumes'))).toEqual(
      Array(2).fill('/api/v1/persistentvolumes'),
    );
  });

  it('stay as they are for who may list but not get', async () => {
    const objects = { '/api/v1/persistentvolumeclaims': [takes('films', 'archive-01')] };
    const reading = await read(answerFor({ objects, forbidden: [/persistentvolumes\/|persistentvolumeclaims\//] }));
    expect(keysOf(reading)).toEqual({ PersistentVolumeClaim: ['media/films'] });
  });

  it('of claims in a namespace that was not read say nothing about a volume`s claim', async () => {
    const elsewhere = newVolume('v', '1Gi', { claimRef: { namespace: 'ops', name: 'logs' } }, {}, 'Bound');
    const forbidden = ['/api/v1/persistentvolumeclaims'];
    const { issues } = await read(answerFor({ objects: { '/api/v1/persistentvolumes': [elsewhere] }, forbidden }));
    expect(issues).toEqual([]);
  });
});

it('every kind is either read everywhere or says where it was not', async () => {
  const snapshot = snapshotOf(await read(() => page([])));
  for (const kind of allKinds) {
    const { is } = snapshot.coverage(kind, 'elsewhere');
    const isEverywhere = !isNamespaced(kind) || ['PersistentVolumeClaim', 'Pod', 'CSIStorageCapacity'].includes(kind);
    expect([kind, is]).toEqual([kind, isEverywhere ? 'empty' : 'notCollected']);
  }
});

import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/api/objects.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import type { Kind } from '../../src/snapshot/kinds.ts';
import type { Loaded, LoadedObject, LoadedSource, StatedCoverage } from '../../src/snapshot/loaded.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';

interface Given {
  readonly kind?: Kind;
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly storage?: string;
  readonly told?: LoadedObject['told'];
  readonly more?: object;
}

/** A source whose objects stand on lines 1, 2, 3 of its file. */
function source(name: string, ...objects: readonly Given[]): LoadedSource {
  return {
    name,
    coverage: [],
    objects: objects.map(({ kind = 'PersistentVolume', told = 'listed', storage, more, ...given }, i) => ({
      kind,
      told,
      object: {
        kind,
        metadata: { name: 'films', ...given },
        ...(storage !== undefined && { spec: { capacity: { storage } } }),
        ...more,
      } as KubernetesObject,
      provenance: { file: name, document: 1, line: i + 1 },
    })),
  };
}

function build(...sources: readonly LoadedSource[]): Snapshot {
  return buildSnapshot({ sources, issues: [] });
}

function told({ issues }: Snapshot): string[] {
  return issues.map(
    ({ severity, file, document, line, reason }) => `${severity} ${file}:${document}:${line} ${reason}`,
  );
}

/** The amount of the volume "films": tells which copy was kept. */
function kept(snapshot: Snapshot): string | undefined {
  return snapshot.get('PersistentVolume', 'films')?.spec.capacity?.storage;
}

describe('objects', () => {
  it('are listed by key, found by key, and say where they came from', () => {
    const snapshot = build(
      source(
        'pvc.yaml',
        { kind: 'PersistentVolumeClaim', namespace: 'media', name: 'series' },
        { kind: 'PersistentVolumeClaim', namespace: 'db', name: 'data-db-0' },
        { kind: 'PersistentVolumeClaim', namespace: 'media', name: 'films' },
      ),
    );
    expect(snapshot.list('PersistentVolumeClaim').map(({ metadata }) => metadata.name)).toEqual([
      'data-db-0',
      'films',
      'series',
    ]);
    const films = snapshot.get('PersistentVolumeClaim', 'media/films');
    expect(films?.metadata.name).toBe('films');
    expect(snapshot.provenance(films as KubernetesObject)).toEqual({ file: 'pvc.yaml', document: 1, line: 3 });
    expect(snapshot.get('PersistentVolumeClaim', 'media/music')).toBeUndefined();
    expect(snapshot.list('Pod')).toEqual([]);
    expect(snapshot.sources).toEqual(['pvc.yaml']);
  });

  it('come in the same order, in whatever order they were read', () => {
    const volumes = ['b', 'a10', 'a', 'A', 'a9'].map((name) => ({ name }));
    const names = (snapshot: Snapshot) => snapshot.list('PersistentVolume').map(({ metadata }) => metadata.name);
    expect(names(build(source('a.yaml', ...volumes)))).toEqual(['A', 'a', 'a10', 'a9', 'b']);
    expect(names(build(source('a.yaml', ...[...volumes].reverse())))).toEqual(['A', 'a', 'a10', 'a9', 'b']);
  });

  it('without a namespace are in "default", told once for each file', () => {
    const claim = (name: string): Given => ({ kind: 'PersistentVolumeClaim', name });
    const snapshot = build(source('a.yaml', claim('films'), claim('series')), source('b.yaml', claim('music')));
    expect(snapshot.list('PersistentVolumeClaim').map(({ metadata }) => metadata)).toEqual([
      { name: 'films', namespace: 'default' },
      { name: 'music', namespace: 'default' },
      { name: 'series', namespace: 'default' },
    ]);
    expect(told(snapshot)).toEqual([
      'warning a.yaml:1:1 PersistentVolumeClaim films has no namespace: such objects of this file are taken to be in "default"',
      'warning b.yaml:1:1 PersistentVolumeClaim music has no namespace: such objects of this file are taken to be in "default"',
    ]);
    const films = snapshot.get('PersistentVolumeClaim', 'default/films');
    expect(snapshot.provenance(films as KubernetesObject)).toEqual({ file: 'a.yaml', document: 1, line: 1 });
  });

  it('of kinds without namespaces lose theirs', () => {
    const snapshot = build(source('a.yaml', { namespace: 'media' }, { name: 'series', namespace: '' }));
    expect(snapshot.get('PersistentVolume', 'films')?.metadata).toEqual({ name: 'films' });
    expect(snapshot.get('PersistentVolume', 'series')?.metadata).toEqual({ name: 'series' });
    expect(told(snapshot)).toEqual([
      'warning a.yaml:1:1 PersistentVolume films is not in any namespace, although it names one: such namespaces in this file are ignored',
    ]);
  });

  it('are not changed by any of this', () => {
    const loaded: Loaded = { sources: [source('a.yaml', { kind: 'Pod' }, { namespace: 'media' })], issues: [] };
    const before = structuredClone(loaded);
    buildSnapshot(loaded);
    expect(loaded).toEqual(before);
  });
});

describe('copies of an object', () => {
  it.each([
    {
      name: 'in one source: the higher resourceVersion of the same uid, although it comes first',
      sources: [
        source(
          'a',
          { uid: '1', resourceVersion: '100', storage: '2Ti' },
          { uid: '1', resourceVersion: '99', storage: '2Ti' },
        ),
      ],
      line: 1,
      issues: [],
    },
    {
      name: 'in one source: the higher resourceVersion of the same uid, compared as a number beyond 2^53',
      sources: [
        source(
          'a',
          { uid: '1', resourceVersion: '9007199254740993', storage: '1Ti' },
          { uid: '1', resourceVersion: '9007199254740992', storage: '2Ti' },
        ),
      ],
      line: 1,
      issues: [
        'warning a:1:1 PersistentVolume films is also at a:1:2, with another spec; this one counts (resourceVersion 9007199254740993, not 9007199254740992)',
      ],
    },
    {
      name: 'in one source: the later one if the versions are no numbers',
      sources: [
        source(
          'a',
          { uid: '1', resourceVersion: 'b', storage: '2Ti' },
          { uid: '1', resourceVersion: 'a', storage: '2Ti' },
        ),
      ],
      line: 2,
      issues: [],
    },
    {
      name: 'in one source: the later one of different uids',
      sources: [source('a', { uid: '1', resourceVersion: '9' }, { uid: '2', resourceVersion: '8' })],
      line: 2,
      issues: [
        'warning a:1:2 PersistentVolume films is also at a:1:1, with another uid; this one counts (resourceVersion 8, not 9)',
      ],
    },
    {
      name: 'in one source: nothing is told of equal ones',
      sources: [source('a', { storage: '2Ti' }, { storage: '2Ti' })],
      line: 2,
      issues: [],
    },
    {
      name: 'in two sources: the later one, although it is older',
      sources: [source('b', { uid: '1', resourceVersion: '9' }), source('a', { uid: '1', resourceVersion: '8' })],
      line: 1,
      issues: ['warning a:1:1 PersistentVolume films is also at b:1:1; this one counts (resourceVersion 8, not 9)'],
    },
    {
      name: 'in two sources: nothing is told of the same version',
      sources: [source('b', { uid: '1', resourceVersion: '9' }), source('a', { uid: '1', resourceVersion: '9' })],
      line: 1,
      issues: [],
    },
    {
      name: 'in two sources: another spec is told',
      sources: [source('b', { storage: '1Ti' }), source('a', { storage: '2Ti' })],
      line: 1,
      issues: ['warning a:1:1 PersistentVolume films is also at b:1:1, with another spec; this one counts'],
    },
    {
      name: 'in a watch: the last state, and nothing is told',
      sources: [
        source(
          'a',
          { uid: '1', resourceVersion: '9', storage: '1Ti', told: 'changed' },
          { uid: '1', resourceVersion: '8', storage: '2Ti', told: 'changed' },
        ),
      ],
      line: 2,
      issues: [],
    },
    {
      name: 'in a watch: an object that comes back after it was deleted',
      sources: [source('a', { told: 'changed' }, { told: 'deleted' }, { told: 'changed' })],
      line: 3,
      issues: [],
    },
  ])('$name', ({ sources, line, issues }) => {
    const snapshot = build(...sources);
    const object = snapshot.get('PersistentVolume', 'films') as KubernetesObject;
    expect(snapshot.provenance(object)).toEqual({ file: 'a', document: 1, line });
    expect(snapshot.list('PersistentVolume')).toHaveLength(1);
    expect(told(snapshot)).toEqual(issues);
  });

  it('go when a watch says that the object was deleted', () => {
    expect(kept(build(source('a', { storage: '2Ti' }, { told: 'deleted' })))).toBeUndefined();
    expect(kept(build(source('a', { storage: '2Ti' }), source('b', { told: 'deleted' })))).toBeUndefined();
    expect(kept(build(source('a', { told: 'deleted' }), source('b', { storage: '2Ti' })))).toBe('2Ti');
  });

  it('are told together if there are many', () => {
    const names = ['films', 'series', 'music'];
    const snapshot = build(
      source('a', ...names.map((name) => ({ name, resourceVersion: '1' }))),
      source('b', ...names.map((name) => ({ name, resourceVersion: '2' }))),
    );
    expect(told(snapshot)).toEqual([
      'warning b:1:1 PersistentVolume films is also at a:1:1; this one counts (resourceVersion 2, not 1); the same goes for 2 more of the kind',
    ]);
  });
});

describe('coverage', () => {
  const stated = (...coverage: readonly StatedCoverage[]): LoadedSource => ({ name: 'bundle', objects: [], coverage });
  const claims = source('a', { kind: 'PersistentVolumeClaim', namespace: 'media' });
  const empty = { is: 'empty' } as const;
  const missing = { is: 'notCollected', because: 'forbidden' } as const;

  it.each<{ name: string; sources: readonly LoadedSource[]; kind: Kind; namespace?: string; expected: object }>([
    { name: 'objects were seen', sources: [claims], kind: 'PersistentVolumeClaim', expected: { is: 'present' } },
    {
      name: 'objects were seen there',
      sources: [claims],
      kind: 'PersistentVolumeClaim',
      namespace: 'media',
      expected: { is: 'present' },
    },
    {
      name: 'objects were seen elsewhere',
      sources: [claims],
      kind: 'PersistentVolumeClaim',
      namespace: 'db',
      expected: { is: 'unstated' },
    },
    { name: 'nothing was said', sources: [claims], kind: 'PersistentVolume', expected: { is: 'unstated' } },
    {
      name: 'a namespace means nothing to a kind without namespaces',
      sources: [source('a', {})],
      kind: 'PersistentVolume',
      namespace: 'media',
      expected: { is: 'present' },
    },
    {
      name: 'an empty list of the cluster',
      sources: [stated({ kind: 'PersistentVolume', scope: 'cluster', coverage: empty })],
      kind: 'PersistentVolume',
      expected: empty,
    },
    {
      name: 'an empty list that does not say of which namespace it is',
      sources: [stated({ kind: 'Pod', scope: 'unknown', coverage: empty })],
      kind: 'Pod',
      expected: empty,
    },
    {
      name: 'an empty list that does not say of which namespace it is, asked for one',
      sources: [stated({ kind: 'Pod', scope: 'unknown', coverage: empty })],
      kind: 'Pod',
      namespace: 'media',
      expected: { is: 'unstated' },
    },
    {
      name: 'an empty list of a namespace',
      sources: [stated({ kind: 'Pod', scope: { namespace: 'media' }, coverage: empty })],
      kind: 'Pod',
      namespace: 'media',
      expected: empty,
    },
    {
      name: 'an empty list of a namespace says nothing of the others',
      sources: [stated({ kind: 'Pod', scope: { namespace: 'media' }, coverage: empty })],
      kind: 'Pod',
      expected: { is: 'unstated' },
    },
    {
      name: 'one namespace was forbidden',
      sources: [stated({ kind: 'Pod', scope: { namespace: 'media' }, coverage: missing })],
      kind: 'Pod',
      expected: missing,
    },
    {
      name: 'the whole kind was forbidden, asked for one namespace',
      sources: [stated({ kind: 'Pod', scope: 'cluster', coverage: missing })],
      kind: 'Pod',
      namespace: 'media',
      expected: missing,
    },
    {
      name: 'what one source lacks another one may have',
      sources: [
        stated({ kind: 'Pod', scope: 'cluster', coverage: missing }),
        stated({ kind: 'Pod', scope: 'cluster', coverage: empty }),
      ],
      kind: 'Pod',
      expected: empty,
    },
    {
      name: 'objects count more than what was said',
      sources: [claims, stated({ kind: 'PersistentVolumeClaim', scope: 'cluster', coverage: missing })],
      kind: 'PersistentVolumeClaim',
      namespace: 'media',
      expected: { is: 'present' },
    },
  ])('$name', ({ sources, kind, namespace, expected }) => {
    expect(build(...sources).coverage(kind, namespace)).toEqual(expected);
  });
});

describe('what the input tells of the cluster', () => {
  const node = (name: string, kubeletVersion: string): Given => ({
    kind: 'Node',
    name,
    more: { status: { nodeInfo: { kubeletVersion } } },
  });

  it.each([
    { versions: ['v1.31.4', 'v1.9.12', 'v1.30.0'], expected: 'v1.9.12' },
    { versions: ['v1.31.10', 'v1.31.9'], expected: 'v1.31.9' },
    { versions: ['v1.29.1+k3s2', 'v1.29.4-eks-1552ad0'], expected: 'v1.29.1+k3s2' },
    { versions: ['', 'unknown', 'v1.31.4'], expected: 'v1.31.4' },
    { versions: [], expected: undefined },
  ])('the release of the oldest kubelet among $versions', ({ versions, expected }) => {
    const nodes = versions.map((version, i) => node(`node-${i}`, version));
    expect(build(source('a', ...nodes)).kubernetesVersion).toBe(expected);
  });

  it('the newest time in it', () => {
    const at = (day: string) => `2025-01-${day}T00:00:00Z`;
    const objects: readonly Given[] = [
      { more: { metadata: { name: 'films', creationTimestamp: at('01'), deletionTimestamp: at('30') } } },
      { kind: 'Event', namespace: 'media', more: { lastTimestamp: at('03') } },
      { kind: 'Node', more: { status: { conditions: [{ lastTransitionTime: at('02') }, {}] } } },
    ];
    expect(build(source('a', ...objects)).capturedAt).toBe(at('03'));
    expect(build(source('a', ...objects.slice(0, 1))).capturedAt).toBe(at('01'));
    expect(build({ ...source('a', ...objects), newestTimestamp: at('09') }, source('b', ...objects)).capturedAt).toBe(
      at('09'),
    );
    expect(build(source('a', {})).capturedAt).toBeUndefined();
  });
});

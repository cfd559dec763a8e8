import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Kind } from '../../../src/snapshot/kinds.ts';
import { type Read, readText, told } from '../read-text.ts';

/** The object that a YAML text holds, and what was told about it. */
async function object(text: string): Promise<{ object: Record<string, unknown> | undefined; told: string[] }> {
  const read = await readText(text);
  return { object: onlyObject(read), told: told(read).map((issue) => issue.replace(/^(\w+) \d+:\d+ /, '$1 ')) };
}

function onlyObject(read: Read): Record<string, unknown> | undefined {
  return read.objects[0]?.object as unknown as Record<string, unknown> | undefined;
}

describe('what is kept of an object', () => {
  it('a volume without what nobody reads', async () => {
    const found = await object(`apiVersion: v1
kind: PersistentVolume
metadata:
  name: films
  uid: 7d1f0c1e-0000-4000-8000-000000000001
  resourceVersion: "12"
  creationTimestamp: 2025-01-01T00:00:00Z
  selfLink: /api/v1/persistentvolumes/films
  managedFields:
  - manager: kubectl
    fieldsV1: {"f:spec": {}}
  labels: {shelf: a, "__proto__": b}
  annotations:
    pv.kubernetes.io/bound-by-controller: "yes"
    volume.beta.kubernetes.io/storage-class: archive
    argocd.argoproj.io/sync-wave: "2"
    helm.sh/hook: pre-install
    meta.helm.sh/release-name: library
    kubectl.kubernetes.io/last-applied-configuration: '{"kind":"PersistentVolume"}'
    example.com/owner: somebody
    notkubernetes.io/x: y
    unqualified: y
  finalizers: [kubernetes.io/pv-protection]
spec:
  capacity: {storage: 2Ti}
  accessModes: [ReadWriteOnce]
  csi:
    driver: tape.example.com
    volumeHandle: tape-1
    volumeAttributes: {password: secret}
    nodeStageSecretRef: {name: s, namespace: n}
  claimRef: {namespace: media, name: films}
  nodeAffinity:
    required:
      nodeSelectorTerms:
      - matchExpressions:
        - {key: zone, operator: In, values: [a, b]}
status:
  phase: Bound
`);
    expect(found.told).toEqual([]);
    expect(found.object).toEqual({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: {
        name: 'films',
        uid: '7d1f0c1e-0000-4000-8000-000000000001',
        resourceVersion: '12',
        creationTimestamp: '2025-01-01T00:00:00Z',
        labels: JSON.parse('{"shelf": "a", "__proto__": "b"}') as unknown,
        annotations: {
          'pv.kubernetes.io/bound-by-controller': 'yes',
          'volume.beta.kubernetes.io/storage-class': 'archive',
          'argocd.argoproj.io/sync-wave': '2',
          'helm.sh/hook': 'pre-install',
          'meta.helm.sh/release-name': 'library',
        },
        finalizers: ['kubernetes.io/pv-protection'],
      },
      spec: {
        capacity: { storage: '2Ti' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'tape.example.com', volumeHandle: 'tape-1' },
        claimRef: { namespace: 'media', name: 'films' },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] }],
          },
        },
      },
      status: { phase: 'Bound' },
    });
    expect(Object.getPrototypeOf(found.object?.metadata)).toBe(Object.prototype);
  });

  it('a pod without its environment and its other volumes', async () => {
    const found = await object(`kind: Pod
metadata: {name: db-0, namespace: db}
spec:
  containers:
  - name: db
    env: [{name: PASSWORD, value: hunter2}]
    envFrom: [{secretRef: {name: hunter2}}]
    volumeMounts: [{name: data, mountPath: /hunter2}]
    livenessProbe: {exec: {command: [hunter2]}}
    resources: {requests: {cpu: 500m, memory: 1Gi}}
    ports: [{containerPort: 5432}]
  volumes:
  - name: data
    persistentVolumeClaim: {claimName: data-db-0}
  - name: config
    configMap: {name: hunter2}
  - name: scratch
    emptyDir: {}
`);
    expect(found).toEqual({
      told: [],
      object: {
        kind: 'Pod',
        metadata: { name: 'db-0', namespace: 'db' },
        spec: {
          containers: [
            {
              name: 'db',
              resources: { requests: { cpu: '500m', memory: '1Gi' } },
              ports: [{ containerPort: 5432 }],
            },
          ],
          volumes: [
            { name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } },
            { name: 'config' },
            { name: 'scratch' },
          ],
        },
      },
    });
  });

  it('the templates of a StatefulSet', async () => {
    const found = await object(`apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: db}
spec:
  replicas: 3
  template:
    metadata: {labels: {app: db}, creationTimestamp: null}
    spec: {nodeSelector: {disk: ssd}, containers: [{name: db}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}
`);
    expect(found).toEqual({
      told: [],
      object: {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { name: 'db', namespace: 'db' },
        spec: {
          replicas: 3,
          template: {
            metadata: { labels: { app: 'db' } },
            spec: { nodeSelector: { disk: 'ssd' }, containers: [{ name: 'db' }] },
          },
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } },
            },
          ],
        },
      },
    });
  });

  it.each([
    { name: 'an empty selector, which is not the same as none', spec: 'selector: {}', kept: { selector: {} } },
    {
      name: 'an empty class, which is not the same as none',
      spec: 'storageClassName: ""',
      kept: { storageClassName: '' },
    },
    { name: 'nothing of what is null', spec: 'selector: null\n  storageClassName: ~\n  volumeName:', kept: {} },
    {
      name: 'null as the empty text in a map',
      spec: 'selector: {matchLabels: {shelf: null}}',
      kept: { selector: { matchLabels: { shelf: '' } } },
    },
    {
      name: 'no null in amounts',
      spec: 'resources: {requests: {storage: null}}',
      kept: { resources: { requests: {} } },
    },
  ])('$name', async ({ spec, kept }) => {
    const found = await object(
      `kind: PersistentVolumeClaim\nmetadata: {name: films}\nspec:\n  volumeMode: Block\n  ${spec}\n`,
    );
    expect(found.told).toEqual([]);
    expect(found.object?.spec).toEqual({ volumeMode: 'Block', ...kept });
  });

  it('long annotations up to 1024 characters, no character cut in two', async () => {
    const found = await object(
      `kind: Namespace\nmetadata: {name: media, annotations: {k8s.io/a: ${'x'.repeat(1023)}🎬tail}}\n`,
    );
    expect(found.object?.metadata).toMatchObject({ annotations: { 'k8s.io/a': 'x'.repeat(1023) } });
  });

  it.each([
    { apiVersion: 'longhorn.io/v1beta2', kind: 'Node', kept: false },
    { apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'Job', kept: false },
    { apiVersion: 'v1', kind: 'Node', kept: true },
    { apiVersion: 'extensions/v1beta1', kind: 'Deployment', kept: true },
    { apiVersion: 'events.k8s.io/v1', kind: 'Event', kept: true },
    { apiVersion: 'storage.k8s.io/v1beta1', kind: 'CSIStorageCapacity', kept: true },
  ])('$kind of $apiVersion: $kept', async ({ apiVersion, kind, kept }) => {
    const found = await object(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n`);
    expect(found.object !== undefined).toBe(kept);
    expect(found.told).toEqual([]);
  });
});

describe('amounts keep their spelling', () => {
  it.each([
    { yaml: '10737418240000000000', kept: '10737418240000000000' },
    { yaml: '1e3', kept: '1e3' },
    { yaml: '5', kept: '5' },
    { yaml: '0.50', kept: '0.50' },
    { yaml: '"2Ti"', kept: '2Ti' },
    { yaml: '0x10', kept: '16' },
  ])('$yaml in YAML', async ({ yaml, kept }) => {
    const found = await object(
      `kind: PersistentVolume\nmetadata: {name: films}\nspec: {capacity: {storage: ${yaml}}}\n`,
    );
    expect(found).toMatchObject({ told: [], object: { spec: { capacity: { storage: kept } } } });
  });

  it.each(['10737418240000000000', '1e3', '5', '0.50'])('%s in JSON', async (number) => {
    const json = `{"kind": "PersistentVolume", "metadata": {"name": "films"}, "spec": {"capacity": {"storage": ${number}}}}`;
    for (const text of [json, `{"kind": "List", "items": [${json}]}`, `{"type": "ADDED", "object": ${json}}`]) {
      expect(await object(text)).toMatchObject({ told: [], object: { spec: { capacity: { storage: number } } } });
    }
  });
});

describe('words that YAML 1.1 reads differently are told', () => {
  const claim = (field: string) =>
    `kind: PersistentVolumeClaim\nmetadata: {name: films, namespace: media}\nspec:\n  volumeMode: Block\n  ${field}\n`;

  it.each([
    {
      field: 'storageClassName: yes',
      kept: { storageClassName: 'yes' },
      told: 'spec.storageClassName is unquoted: kubectl reads yes as true; put it in quotes',
    },
    {
      field: 'storageClassName: Off',
      kept: { storageClassName: 'Off' },
      told: 'spec.storageClassName is unquoted: kubectl reads Off as false; put it in quotes',
    },
    {
      field: 'volumeName: 010',
      kept: { volumeName: '010' },
      told: 'spec.volumeName is unquoted: kubectl reads 010 as 8; put it in quotes',
    },
    {
      field: 'resources: {requests: {storage: 010}}',
      kept: { resources: { requests: { storage: '8' } } },
      told: 'spec.resources.requests.storage: 010 is read as kubectl does, as 8',
    },
    {
      field: 'resources: {requests: {storage: 1_000}}',
      kept: { resources: { requests: { storage: '1000' } } },
      told: 'spec.resources.requests.storage: 1_000 is read as kubectl does, as 1000',
    },
    {
      field: 'storageClassName: 7',
      kept: { storageClassName: '7' },
      told: 'spec.storageClassName is a number where a text belongs: read as "7"',
    },
    {
      field: 'storageClassName: true',
      kept: { storageClassName: 'true' },
      told: 'spec.storageClassName is a boolean where a text belongs: read as "true"',
    },
  ])('$field', async ({ field, kept, told }) => {
    const found = await object(claim(field));
    expect(found.object?.spec).toEqual({ volumeMode: 'Block', ...kept });
    expect(found.told).toEqual([`warning PersistentVolumeClaim media/films: ${told}`]);
  });

  it('a boolean', async () => {
    const found = await object('kind: StorageClass\nmetadata: {name: archive}\nallowVolumeExpansion: on\n');
    expect(found).toMatchObject({
      object: { allowVolumeExpansion: true },
      told: ['warning StorageClass archive: allowVolumeExpansion: on is read as kubectl does, as true'],
    });
  });

  it('not where they are quoted, nor where nobody looks', async () => {
    const found = await object(
      'kind: StorageClass\nmetadata: {name: archive}\nparameters: {a: "yes", on: "010"}\nunknown: yes\n',
    );
    expect(found).toMatchObject({ object: { parameters: { a: 'yes', on: '010' } }, told: [] });
  });
});

describe('values of a wrong type are told and passed over', () => {
  it.each([
    {
      spec: 'capacity: {storage: lots}',
      reason: 'spec.capacity.storage: expected a quantity, found the text "lots"; passed over',
    },
    {
      spec: 'capacity: {storage: [1]}',
      reason: 'spec.capacity.storage: expected a quantity, found a list; passed over',
    },
    { spec: 'capacity: 5Gi', reason: 'spec.capacity: expected an object, found the text "5Gi"; passed over' },
    {
      spec: 'accessModes: ReadWriteOnce',
      reason: 'spec.accessModes: expected a list, found the text "ReadWriteOnce"; passed over',
    },
    { spec: 'accessModes: [{a: b}]', reason: 'spec.accessModes[0]: expected a text, found an object; passed over' },
    { spec: 'accessModes: [null]', reason: 'spec.accessModes[0] is null: passed over' },
    { spec: 'storageClassName: [a]', reason: 'spec.storageClassName: expected a text, found a list; passed over' },
    { spec: 'csi: {readOnly: 1}', reason: 'spec.csi.readOnly: expected true or false, found 1; passed over' },
    {
      spec: 'csi: {readOnly: "true"}',
      reason: 'spec.csi.readOnly: expected true or false, found the text "true"; passed over',
    },
    { spec: 'iscsi: {lun: 1.5}', reason: 'spec.iscsi.lun: expected an integer, found 1.5; passed over' },
    { spec: 'iscsi: {lun: "1"}', reason: 'spec.iscsi.lun: expected an integer, found the text "1"; passed over' },
    { spec: 'fc: yes', reason: 'spec.fc: expected an object, found yes; passed over' },
    {
      spec: 'nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone}]}]}}',
      reason: 'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].operator is missing',
    },
  ])('$spec', async ({ spec, reason }) => {
    const found = await object(
      `kind: PersistentVolume\nmetadata: {name: films}\nspec:\n  volumeMode: Block\n  ${spec}\n`,
    );
    expect(found.told).toEqual([`error PersistentVolume films: ${reason}`]);
    expect(found.object).toMatchObject({ spec: { volumeMode: 'Block' } });
  });

  it.each([
    { spec: '', reason: 'spec is missing' },
    { spec: 'spec: {}', reason: 'spec is missing' },
    { spec: 'spec: null', reason: 'spec is missing' },
    { spec: 'spec: text', reason: 'spec: expected an object, found the text "text"; passed over' },
  ])('a claim with "$spec" is kept with an empty spec', async ({ spec, reason }) => {
    const found = await object(`kind: PersistentVolumeClaim\nmetadata: {name: films}\n${spec}\n`);
    expect(found.told).toEqual([`error PersistentVolumeClaim films: ${reason}`]);
    expect(found.object).toEqual({ kind: 'PersistentVolumeClaim', metadata: { name: 'films' }, spec: {} });
  });

  it.each([
    { metadata: '', reason: '(without a name): left out: it has no name' },
    { metadata: 'metadata: {}', reason: '(without a name): left out: it has no name' },
    { metadata: 'metadata: {name: ""}', reason: '(without a name): left out: it has no name' },
    { metadata: 'metadata: {generateName: films-}', reason: 'films-*: left out: it has no name' },
    { metadata: 'metadata: {name: a/b}', reason: 'a/b: left out: its name holds a slash' },
    { metadata: 'metadata: {name: a, namespace: b/c}', reason: 'b/c/a: left out: its name holds a slash' },
  ])('an object with "$metadata" is left out', async ({ metadata, reason }) => {
    const found = await object(`kind: Namespace\n${metadata}\n`);
    expect(found).toEqual({ object: undefined, told: [`error Namespace ${reason}`] });
  });

  it('times that are none', async () => {
    const found = await object('kind: Namespace\nmetadata: {name: media, creationTimestamp: yesterday}\n');
    expect(found).toEqual({
      object: { kind: 'Namespace', metadata: { name: 'media' } },
      told: [
        'error Namespace media: metadata.creationTimestamp: expected a time, found the text "yesterday"; passed over',
      ],
    });
  });

  it('and nothing that stands behind is ever surprised', async () => {
    const anything = fc.jsonValue({ maxDepth: 6 });
    const field = fc.constantFrom(
      'metadata',
      'spec',
      'status',
      'name',
      'labels',
      'capacity',
      'storage',
      'accessModes',
      'claimRef',
      'volumes',
      'nodeAffinity',
      'conditions',
      'containers',
      'involvedObject',
      'template',
      '__proto__',
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        anything,
        fc.dictionary(field, tie('tree'), { maxKeys: 5, noNullPrototype: true }),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }));
    const kinds: readonly Kind[] = ['PersistentVolume', 'PersistentVolumeClaim', 'Pod', 'Node', 'Event', 'StatefulSet'];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...kinds), tree, tree, tree, async (kind, metadata, spec, status) => {
        const meta = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? metadata : {};
        const { objects } = await readText(JSON.stringify({ kind, metadata: { ...meta, name: 'x' }, spec, status }));
        expect(objects).toHaveLength(1);
        const found = objects[0]?.object as unknown as { spec?: { volumes?: unknown; capacity?: unknown } };
        expect(['object', 'undefined']).toContain(typeof found.spec);
        expect(found.spec?.volumes === undefined || Array.isArray(found.spec.volumes)).toBe(true);
        for (const amount of Object.values(found.spec?.capacity ?? {})) expect(typeof amount).toBe('string');
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
});

describe('events of both kinds become one', () => {
  const core = { kind: 'Event', metadata: { name: 'films.1', namespace: 'media' } };
  const about = { kind: 'PersistentVolumeClaim', namespace: 'media', name: 'films' };
  const event = { kind: 'Event', metadata: { name: 'films.1', namespace: 'media' }, involvedObject: about };

  it.each([
    {
      name: 'core/v1',
      given: {
        ...core,
        involvedObject: about,
        type: 'Warning',
        reason: 'ProvisioningFailed',
        message: 'no volume',
        count: 930,
        firstTimestamp: '2025-01-01T00:00:00Z',
        lastTimestamp: '2025-01-02T00:00:00Z',
        eventTime: null,
        source: { component: 'persistentvolume-controller' },
        reportingComponent: '',
      },
      expected: {
        ...event,
        type: 'Warning',
        reason: 'ProvisioningFailed',
        message: 'no volume',
        count: 930,
        firstTimestamp: '2025-01-01T00:00:00Z',
        lastTimestamp: '2025-01-02T00:00:00Z',
        source: { component: 'persistentvolume-controller' },
      },
    },
    {
      name: 'events.k8s.io/v1',
      given: {
        ...core,
        apiVersion: 'events.k8s.io/v1',
        regarding: about,
        type: 'Normal',
        reason: 'WaitForFirstConsumer',
        note: 'waiting',
        deprecatedCount: 4,
        deprecatedFirstTimestamp: '2025-01-01T00:00:00Z',
        deprecatedLastTimestamp: '2025-01-02T00:00:00Z',
        deprecatedSource: { component: 'persistentvolume-controller' },
        eventTime: null,
        reportingController: '',
      },
      expected: {
        ...event,
        apiVersion: 'events.k8s.io/v1',
        type: 'Normal',
        reason: 'WaitForFirstConsumer',
        message: 'waiting',
        count: 4,
        firstTimestamp: '2025-01-01T00:00:00Z',
        lastTimestamp: '2025-01-02T00:00:00Z',
        source: { component: 'persistentvolume-controller' },
      },
    },
    {
      name: 'a series',
      given: {
        ...core,
        involvedObject: about,
        count: 0,
        eventTime: '2025-01-01T00:00:00.123456Z',
        firstTimestamp: null,
        lastTimestamp: null,
        series: { count: 7, lastObservedTime: '2025-01-03T00:00:00.000001Z' },
        source: {},
        reportingComponent: 'default-scheduler',
      },
      expected: {
        ...event,
        count: 7,
        firstTimestamp: '2025-01-01T00:00:00.123456Z',
        lastTimestamp: '2025-01-03T00:00:00.000001Z',
        source: { component: 'default-scheduler' },
      },
    },
    {
      name: 'an event that happened once',
      given: {
        ...core,
        regarding: about,
        eventTime: '2025-01-01T00:00:00.000000Z',
        reportingController: 'default-scheduler',
      },
      expected: {
        ...event,
        count: 1,
        firstTimestamp: '2025-01-01T00:00:00.000000Z',
        lastTimestamp: '2025-01-01T00:00:00.000000Z',
        source: { component: 'default-scheduler' },
      },
    },
    { name: 'an event about nothing', given: core, expected: { ...core, involvedObject: {}, count: 1 } },
  ])('$name', async ({ given, expected }) => {
    expect(await object(JSON.stringify(given))).toEqual({ object: expected, told: [] });
  });
});

import { describe, expect, it } from 'vitest';
import type { Code } from '../../src/diagnosis/codes.ts';
import type { Outcome } from '../../src/diagnosis/verdict.ts';
import { claim, event, explained, object, pod, storageClass, systemPod, workload } from './explained.ts';

// One cluster for each root cause that lies in the objects around a claim; specification scheduler-and-provisioning 8 G and RC-33.

interface Row {
  readonly name: string;
  readonly yaml: readonly string[];
  readonly claim?: string;
  readonly outcome: Outcome;
  readonly cause: Code;
  /** What stands in the first three lines. */
  readonly words: string;
  /** What stands anywhere. */
  readonly more?: string;
}

const rows = (list: readonly Row[]) =>
  it.each(list)('$name', async ({ yaml, claim: name = 'films', outcome, cause, words, more = '' }) => {
    const { report, head, text } = await explained(yaml.join(''), name);
    expect(report.verdict.outcome, text).toBe(outcome);
    expect(report.cause, text).toBe(cause);
    expect(head).toContain(words);
    expect(text.replace(/\s+/g, ' ')).toContain(more);
  });

const limits = (bound: object) =>
  object({
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'sizes', namespace: 'shop' },
    spec: { limits: [{ type: 'PersistentVolumeClaim', ...bound }] },
  });
const quota = (used: string, hard: string) =>
  object({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'storage', namespace: 'shop' },
    spec: { hard: { 'requests.storage': hard } },
    status: { hard: { 'requests.storage': hard }, used: { 'requests.storage': used } },
  });
const template = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } }, ...spec },
});
const statefulSet = (spec: object = {}) =>
  workload('StatefulSet', 'shop', 'web', {
    replicas: 2,
    template: { spec: { containers: [{ name: 'web' }] } },
    volumeClaimTemplates: [template('data')],
    ...spec,
  });
const creation = (message: string) =>
  event(
    { kind: 'StatefulSet', name: 'web' },
    'FailedCreate',
    `create Claim data-web-1 for Pod web-1 in StatefulSet web failed error: ${message}`,
    { component: 'statefulset-controller' },
  );
const terminating = object({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'shop' },
  status: { phase: 'Terminating' },
});

describe('a claim that cannot be created', () => {
  const scratch = (storage: string) =>
    pod(
      'shop',
      'job',
      {
        volumes: [
          {
            name: 'scratch',
            ephemeral: {
              volumeClaimTemplate: {
                spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
              },
            },
          },
        ],
      },
      { phase: 'Pending' },
    );

  rows([
    {
      name: 'for a quota, as the StatefulSet tells (RC-77)',
      claim: 'data-web-1',
      yaml: [
        claim('data-web-0'),
        creation(
          'persistentvolumeclaims "data-web-1" is forbidden: exceeded quota: storage, requested: requests.storage=10Gi, used: requests.storage=20Gi, limited: requests.storage=25Gi',
        ),
        statefulSet(),
      ],
      outcome: 'Missing',
      cause: 'QuotaExceeded',
      words: 'it cannot be created: quota storage is used up',
      more: 'used: requests.storage=20Gi, limited: requests.storage=25Gi',
    },
    {
      name: 'for a quota that is used up, although nobody tells (RC-77)',
      claim: 'data-web-1',
      yaml: [claim('data-web-0'), pod('shop', 'web-0'), statefulSet(), quota('20Gi', '25Gi')],
      outcome: 'Missing',
      cause: 'QuotaExceeded',
      words: 'it cannot be created: quota storage is used up',
    },
    {
      name: 'for a limit range, as the StatefulSet tells (RC-78)',
      claim: 'data-web-1',
      yaml: [
        claim('data-web-0'),
        creation(
          'persistentvolumeclaims "data-web-1" is forbidden: maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 10Gi',
        ),
        statefulSet(),
      ],
      outcome: 'Missing',
      cause: 'LimitRangeForbids',
      words: 'it cannot be created: a LimitRange forbids its size',
    },
    {
      name: 'for a limit range (RC-78)',
      claim: 'data-web-1',
      yaml: [claim('data-web-0'), pod('shop', 'web-0'), statefulSet(), limits({ max: { storage: '5Gi' } })],
      outcome: 'Missing',
      cause: 'LimitRangeForbids',
      words: 'it cannot be created: LimitRange sizes forbids its size',
      more: 'maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 10Gi',
    },
    {
      name: 'for another reason',
      claim: 'data-web-1',
      yaml: [claim('data-web-0'), creation('admission webhook "policy" denied the request'), statefulSet()],
      outcome: 'Missing',
      cause: 'ClaimCreationFails',
      words: 'StatefulSet shop/web cannot create it',
      more: 'denied the request',
    },
    {
      name: 'of an ephemeral volume, for a quota (RC-77)',
      claim: 'job-scratch',
      yaml: [claim('films'), scratch('10Gi'), quota('20Gi', '25Gi')],
      outcome: 'Missing',
      cause: 'QuotaExceeded',
      words: 'it cannot be created: quota storage is used up',
    },
    {
      name: 'of an ephemeral volume, as the pod tells (RC-78)',
      claim: 'job-scratch',
      yaml: [
        claim('films'),
        scratch('10Gi'),
        event(
          { kind: 'Pod', name: 'job' },
          'FailedBinding',
          'ephemeral volume scratch: create PVC job-scratch: persistentvolumeclaims "job-scratch" is forbidden: minimum storage usage per PersistentVolumeClaim is 20Gi, but request is 10Gi',
          { component: 'ephemeral_volume' },
        ),
      ],
      outcome: 'Missing',
      cause: 'LimitRangeForbids',
      words: 'it cannot be created: a LimitRange forbids its size',
    },
    {
      name: 'as its namespace is being deleted (RC-81)',
      claim: 'data-web-1',
      yaml: [
        terminating,
        claim('data-web-0'),
        creation('unable to create new content in namespace shop'),
        statefulSet(),
      ],
      outcome: 'Missing',
      cause: 'NamespaceTerminating',
      words: 'namespace shop is being deleted',
    },
  ]);

  it('is none while the next pod waits for its predecessor', async () => {
    const yaml = [claim('data-web-0'), pod('shop', 'web-0'), statefulSet(), quota('10Gi', '25Gi')].join('');
    await expect(explained(yaml, 'data-web-1')).rejects.toThrow('is not in the input');
  });
});

describe('a claim whose pod does not come', () => {
  const delayed = storageClass('fast', 'ebs.csi.aws.com', { volumeBindingMode: 'WaitForFirstConsumer' });
  const using = (replicas: number) => ({
    replicas,
    template: { spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'films' } }] } },
  });
  const replicaSet = workload('ReplicaSet', 'shop', 'web-7f9c', using(1), {
    metadata: { ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }] },
  });

  rows([
    {
      name: 'as it cannot be created (RC-33)',
      yaml: [
        delayed,
        claim('films'),
        systemPod,
        workload('Deployment', 'shop', 'web', using(1)),
        replicaSet,
        event(
          { kind: 'ReplicaSet', name: 'web-7f9c' },
          'FailedCreate',
          'Error creating: pods "web-7f9c-x" is forbidden: violates PodSecurity "restricted:latest"',
          { component: 'replicaset-controller' },
        ),
      ],
      outcome: 'WaitsForConsumer',
      cause: 'ConsumerNotCreated',
      words: 'Deployment shop/web uses it, but has no pod: it cannot be created',
      more: 'violates PodSecurity',
    },
    {
      name: 'for a reason that is not told (RC-33)',
      yaml: [delayed, claim('films'), pod('shop', 'other'), workload('StatefulSet', 'shop', 'web', using(1))],
      outcome: 'WaitsForConsumer',
      cause: 'ConsumerNotCreated',
      words: 'StatefulSet shop/web uses it, but has no pod',
    },
    {
      name: 'as nobody wants it now',
      yaml: [delayed, claim('films'), pod('shop', 'other'), workload('Deployment', 'shop', 'web', using(0))],
      outcome: 'WaitsForConsumer',
      cause: 'ConsumerScaledDown',
      words: 'Deployment shop/web uses it, but is scaled to 0',
    },
    {
      name: 'as its StatefulSet was scaled down',
      claim: 'data-web-5',
      yaml: [delayed, claim('data-web-5'), pod('shop', 'web-0'), statefulSet()],
      outcome: 'WaitsForConsumer',
      cause: 'ConsumerScaledDown',
      words: 'StatefulSet shop/web uses it, but is scaled to 2',
    },
  ]);

  it.each([
    ['Argo CD', 'argocd.argoproj.io/sync-wave', '-1'],
    ['Helm', 'helm.sh/hook', 'pre-install'],
  ])('while %s waits for the claim', async (tool, key, value) => {
    const yaml = [delayed, claim('films', {}, { annotations: { [key]: value } }), systemPod].join('');
    const { report, text } = await explained(yaml, 'films');
    expect(report.verdict.outcome).toBe('WaitsForConsumer');
    expect(report.findings.map(({ code }) => code)).toEqual(['WaitsForFirstConsumer', 'DeploymentWaitsForClaim']);
    expect(text).toContain(`${tool}`);
    expect(text).toContain(`${key}: ${value}`);
  });
});

const volume = (name: string, spec: object = {}, meta: object = {}, phase = 'Available') =>
  object({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, uid: `uid-${name}`, creationTimestamp: '2026-02-01T12:00:00Z', ...meta },
    spec: {
      capacity: { storage: '10Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'manual',
      hostPath: { path: `/${name}` },
      ...spec,
    },
    status: { phase },
  });
const later = event({ kind: 'Pod', name: 'other' }, 'Pulled', 'image is present', { at: '2026-02-01T13:00:00Z' });
const forFilms = { claimRef: { kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'films', uid: 'uid-films' } };
const byController = { annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } };
const films = (spec: object = {}) => claim('films', { storageClassName: 'manual', ...spec });

describe('a claim between two volumes, or half bound', () => {
  rows([
    {
      name: 'that names one volume while another is reserved for it (RC-83)',
      yaml: [films({ volumeName: 'disk-1' }), volume('disk-2', forFilms)],
      outcome: 'Stuck',
      cause: 'OtherVolumeReserved',
      words: 'it names volume disk-1, but disk-2 is reserved for it',
    },
    {
      name: 'that the API server lets nobody write to (RC-85)',
      yaml: [films(), volume('disk-1', forFilms, byController, 'Bound'), limits({ min: { storage: '20Gi' } })],
      outcome: 'Stuck',
      cause: 'BindRefused',
      words: 'LimitRange sizes forbids every write to it, so it cannot be bound',
      more: 'volume disk-1 says that it is bound to it',
    },
    {
      name: 'that would fit, but that the API server lets nobody write to (RC-85)',
      yaml: [films(), volume('disk-1'), limits({ min: { storage: '20Gi' } })],
      outcome: 'Stuck',
      cause: 'BindRefused',
      words: 'LimitRange sizes forbids every write to it',
    },
    {
      name: 'that waits for a driver, but that the API server lets nobody write to (RC-85)',
      yaml: [
        storageClass('fast', 'ebs.csi.aws.com'),
        claim('films'),
        object({ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'ebs.csi.aws.com' } }),
        limits({ max: { storage: '5Gi' } }),
      ],
      outcome: 'WaitsForProvisioner',
      cause: 'BindRefused',
      words: 'LimitRange sizes forbids every write to it',
    },
  ]);

  it('whose binding was begun long ago is told so (RC-84)', async () => {
    const { report } = await explained(
      [films({ volumeName: 'disk-1' }), volume('disk-1', forFilms), later].join(''),
      'films',
    );
    expect(report.verdict).toMatchObject({ outcome: 'WillBind', volumes: ['disk-1'] });
    expect(report.findings.map(({ code }) => code)).toContain('BindUnfinished');
  });

  it('whose binding was begun just now is told nothing', async () => {
    const { report } = await explained([films({ volumeName: 'disk-1' }), volume('disk-1', forFilms)].join(''), 'films');
    expect(report.findings.map(({ code }) => code)).not.toContain('BindUnfinished');
  });

  it('whose other half is complete may meet a limit range that was not collected', async () => {
    const { report } = await explained([films(), volume('disk-1', forFilms, byController, 'Bound')].join(''), 'films');
    expect(report.verdict).toMatchObject({ outcome: 'WillBind', certainty: 'assumed', lacks: ['LimitRange'] });
  });

  it('within the limits binds', async () => {
    const yaml = [films(), volume('disk-1'), limits({ min: { storage: '5Gi' }, max: { storage: '20Gi' } })].join('');
    const { report } = await explained(yaml, 'films');
    expect(report.verdict).toMatchObject({ outcome: 'WillBind', certainty: 'certain' });
  });
});

describe('a claim in surroundings that changed', () => {
  rows([
    {
      name: 'whose namespace is being deleted (RC-81)',
      yaml: [terminating, films()],
      outcome: 'Stuck',
      cause: 'NamespaceTerminating',
      words: 'namespace shop is being deleted',
    },
  ]);

  it('older than the template of its StatefulSet (RC-82)', async () => {
    const set = statefulSet({ volumeClaimTemplates: [template('data', { storageClassName: 'fast' })] });
    const { report, text } = await explained(
      [claim('data-web-0', { storageClassName: 'slow' }), set].join(''),
      'data-web-0',
    );
    expect(report.findings.find(({ code }) => code === 'StaleTemplateClaim')?.args).toEqual({
      statefulSet: 'shop/web',
      differences: [{ field: 'storageClassName', claim: 'slow', template: 'fast' }],
    });
    expect(text.replace(/\s+/g, ' ')).toContain('storageClassName is slow, the template has fast');
  });

  it('just like the template of its StatefulSet', async () => {
    const set = statefulSet({ volumeClaimTemplates: [template('data')] });
    const { report } = await explained([claim('data-web-0'), set].join(''), 'data-web-0');
    expect(report.findings.map(({ code }) => code)).not.toContain('StaleTemplateClaim');
  });

  it('kept by its clones (RC-79)', async () => {
    const finalizers = ['provisioner.storage.kubernetes.io/cloning-protection'];
    const yaml = [
      claim('films', {}, { deletionTimestamp: '2026-02-01T12:00:00Z', finalizers }),
      claim('copy', { dataSource: { kind: 'PersistentVolumeClaim', name: 'films' } }),
    ].join('');
    const { report } = await explained(yaml, 'films');
    expect(report.verdict.outcome).toBe('Terminating');
    expect(report.findings.find(({ code }) => code === 'HeldByClones')?.args).toEqual({ claims: ['shop/copy'] });
  });
});

describe('a bound claim that changes', () => {
  const bound = { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' };
  const boundFilms = (request: string, status: object) =>
    claim(
      'films',
      { storageClassName: 'manual', volumeName: 'disk-1', resources: { requests: { storage: request } } },
      { annotations: bound },
      { phase: 'Bound', capacity: { storage: '10Gi' }, ...status },
    );
  const disk = volume('disk-1', forFilms, byController, 'Bound');

  it.each([
    {
      name: 'by the driver',
      status: { allocatedResourceStatuses: { storage: 'ControllerResizeInProgress' } },
      state: 'the driver makes it larger',
    },
    {
      name: 'when a pod mounts it',
      status: { conditions: [{ type: 'FileSystemResizePending', status: 'True' }] },
      state: 'the file system grows when a pod mounts it',
    },
    {
      name: 'never, as the driver says',
      status: { allocatedResourceStatuses: { storage: 'ControllerResizeInfeasible' } },
      state: 'the driver says that it cannot be made larger',
    },
    { name: 'some day', status: {}, state: 'nothing has begun yet' },
  ])('grows $name', async ({ status, state }) => {
    const { report, head } = await explained([boundFilms('20Gi', status), disk].join(''), 'films');
    expect(report.verdict.outcome).toBe('Bound');
    expect(report.findings).toMatchObject([
      { code: 'ResizeUnfinished', severity: 'info', args: { request: '20Gi', state } },
    ]);
    expect(head).toContain('it is 10Gi and asks for 20Gi');
  });

  it('gets another VolumeAttributesClass', async () => {
    const modifyVolumeStatus = { targetVolumeAttributesClassName: 'gold', status: 'Infeasible' };
    const status = { currentVolumeAttributesClassName: 'silver', modifyVolumeStatus };
    const { report } = await explained([boundFilms('10Gi', status), disk].join(''), 'films');
    expect(report.findings).toMatchObject([
      {
        code: 'AttributesClassChange',
        args: { from: 'silver', to: 'gold', state: 'the driver says that it cannot be changed so' },
      },
    ]);
  });

  it('not at all, is well', async () => {
    const { report } = await explained([boundFilms('10Gi', {}), disk].join(''), 'films');
    expect(report.findings).toEqual([]);
  });
});

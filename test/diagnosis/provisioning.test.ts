import { describe, expect, it } from 'vitest';
import type { Code } from '../../src/diagnosis/codes.ts';
import type { Outcome } from '../../src/diagnosis/verdict.ts';
import {
  claim,
  csiDriver,
  csiNode,
  event,
  explained,
  failed,
  handedOver,
  node,
  object,
  pod,
  storageClass,
  systemPod,
  user,
  waiting,
  workload,
} from './explained.ts';

// One cluster for each root cause of a claim that is a provisioner's business; specification scheduler-and-provisioning 8 E and F.

const driver = 'ebs.csi.aws.com';
const zone = 'topology.ebs.csi.aws.com/zone';
const delayed = { volumeBindingMode: 'WaitForFirstConsumer' };

/** A driver that works: it is registered on a node of zone a, and its controller runs. */
const installed = [
  csiDriver(driver),
  csiNode('node-1', { [driver]: [zone] }),
  node('node-1', { [zone]: 'a' }),
  workload(
    'Deployment',
    'kube-system',
    'ebs-csi-controller',
    {
      replicas: 2,
      template: {
        spec: {
          containers: [{ name: 'csi-provisioner', image: 'sig-storage/csi-provisioner', args: ['--driver=aws'] }],
        },
      },
    },
    { status: { replicas: 2, availableReplicas: 2 } },
  ),
].join('');

interface Row {
  readonly name: string;
  readonly yaml: readonly string[];
  readonly outcome?: Outcome;
  /** The code of the root cause. */
  readonly cause: Code;
  /** What stands in the first three lines. */
  readonly words: string;
  /** What stands anywhere. */
  readonly more?: string;
}

const rows = (list: readonly Row[]) =>
  it.each(list)('$name', async ({ yaml, outcome = 'WaitsForProvisioner', cause, words, more = '' }) => {
    const { report, head, text } = await explained(yaml.join(''), 'films');
    expect(report.verdict.outcome, text).toBe(outcome);
    expect(report.cause, text).toBe(cause);
    expect(head).toContain(words);
    expect(text.replace(/\s+/g, ' ')).toContain(more);
  });

const fast = storageClass('fast', driver);
const films = claim('films', {}, { annotations: handedOver(driver) });
const filmsOn = (name: string, spec = {}) => claim('films', spec, { annotations: handedOver(driver, name) });

it('a claim of a working driver will be provisioned', async () => {
  const { report } = await explained([fast, films, installed].join(''), 'films');
  expect(report.verdict).toMatchObject({ outcome: 'WillBeProvisioned', provisioner: driver });
});

describe('whether anybody provisions', () => {
  const local = 'rancher.io/local-path';
  const localClaim = claim('films', {}, { annotations: handedOver(local) });
  const localPod = (status: Readonly<Record<string, unknown>>) =>
    pod(
      'kube-system',
      'local-path-provisioner-1',
      { containers: [{ name: 'local-path-provisioner', image: 'rancher/local-path-provisioner:v0.0.30' }] },
      status,
    );
  const lease = (renewTime: string) =>
    object({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'ebs-csi-aws-com', namespace: 'kube-system' },
      spec: { holderIdentity: 'x', leaseDurationSeconds: 15, renewTime },
    });
  const controller = (spec: Readonly<Record<string, unknown>>, status: object) =>
    workload(
      'Deployment',
      'kube-system',
      'ebs-csi-controller',
      {
        ...spec,
        template: { spec: { containers: [{ name: 'csi-provisioner', image: 'aws-ebs-csi-driver/csi-provisioner' }] } },
      },
      { status },
    );

  rows([
    {
      name: 'nobody, if the driver is registered nowhere (RC-51)',
      yaml: [fast, films, csiNode('node-1', { 'other.csi.example.com': [] })],
      cause: 'ProvisionerMissing',
      words: `nobody serves ${driver}`,
    },
    {
      name: 'nobody, if the name of the provisioner is misspelt (RC-52)',
      yaml: [
        storageClass('fast', 'ebs.csi.aws.co'),
        claim('films'),
        csiDriver(driver),
        csiNode('node-1', { [driver]: [] }),
      ],
      cause: 'ProvisionerMissing',
      words: 'nobody serves ebs.csi.aws.co',
      more: 'There is "ebs.csi.aws.com": a slip of the pen?',
    },
    {
      name: 'nobody, if a provisioner that is no driver has no pod anywhere (RC-51)',
      yaml: [storageClass('fast', local), localClaim, systemPod],
      cause: 'ProvisionerMissing',
      words: `nobody serves ${local}`,
      more: 'nothing shows that it runs',
    },
    {
      name: 'nobody, if the controller waits again and again and nothing shows the provisioner (RC-51)',
      yaml: [storageClass('fast', local), localClaim, waiting('films', local)],
      cause: 'ProvisionerMissing',
      words: `nobody serves ${local}`,
      more: 'told 40 times',
    },
    {
      name: 'nobody knows, if the input is that of one application',
      yaml: [storageClass('fast', local), localClaim, pod('shop', 'web-1')],
      cause: 'AwaitsProvisioner',
      words: `provisioner ${local} is to make a volume`,
      more: 'Sure?',
    },
    {
      name: 'nobody knows, if some provisioner runs that does not tell its name',
      yaml: [
        storageClass('fast', 'example.com/films'),
        claim('films', {}, { annotations: handedOver('example.com/films') }),
        systemPod,
        pod('kube-system', 'nfs', { containers: [{ name: 'nfs', image: 'nfs-subdir-external-provisioner' }] }),
      ],
      cause: 'AwaitsProvisioner',
      words: 'provisioner example.com/films is to make a volume',
    },
    {
      name: 'a driver whose Deployment has no replica (RC-53)',
      yaml: [
        fast,
        films,
        csiDriver(driver),
        csiNode('node-1', { [driver]: [] }),
        controller({ replicas: 2 }, { replicas: 2 }),
      ],
      cause: 'ProvisionerDown',
      words: `${driver} cannot act: Deployment kube-system/ebs-csi-controller has 0 of 2 replicas available`,
    },
    {
      name: 'a driver whose Deployment is scaled to zero (RC-53)',
      yaml: [
        fast,
        films,
        csiDriver(driver),
        csiNode('node-1', { [driver]: [] }),
        controller({ replicas: 0 }, { replicas: 0 }),
      ],
      cause: 'ProvisionerDown',
      words: 'Deployment kube-system/ebs-csi-controller is scaled to 0',
    },
    {
      name: 'a provisioner whose pod crashes (RC-53)',
      yaml: [
        storageClass('fast', local),
        localClaim,
        localPod({
          conditions: [{ type: 'Ready', status: 'False' }],
          containerStatuses: [{ name: 'p', state: { waiting: { reason: 'CrashLoopBackOff' } } }],
        }),
      ],
      cause: 'ProvisionerDown',
      words: 'Pod kube-system/local-path-provisioner-1 is in CrashLoopBackOff',
    },
    {
      name: 'a driver whose lease nobody renews (RC-53)',
      yaml: [
        fast,
        films,
        csiDriver(driver),
        csiNode('node-1', { [driver]: [] }),
        lease('2026-02-01T09:00:00.000000Z'),
        waiting('films', driver),
      ],
      cause: 'ProvisionerDown',
      words: 'Lease kube-system/ebs-csi-aws-com was last renewed at 2026-02-01T09:00:00.000000Z',
    },
    {
      name: 'a driver that is registered and never answers (RC-51)',
      yaml: [fast, films, csiDriver(driver), csiNode('node-1', { [driver]: [] }), waiting('films', driver)],
      cause: 'ProvisionerSilent',
      words: `${driver} has not answered 40 hand-overs`,
    },
    {
      name: 'a driver that is registered on no node',
      yaml: [fast, films, csiDriver(driver), csiNode('node-1', {}), node('node-1')],
      cause: 'DriverOnNoNode',
      words: `${driver} is registered on no node`,
    },
    {
      name: 'a provisioner on every node, but not on the selected one (RC-57)',
      yaml: [
        storageClass('fast', driver, delayed),
        filmsOn('node-2'),
        csiDriver(driver),
        ...['node-1', 'node-2'].flatMap((name) => [csiNode(name, { [driver]: [] }), node(name)]),
        pod(
          'kube-system',
          'ebs-node-1',
          {
            nodeName: 'node-1',
            containers: [{ name: 'csi-provisioner', image: 'aws/ebs', args: ['--node-deployment=true'] }],
          },
          {},
          { ownerReferences: [{ kind: 'DaemonSet', name: 'ebs-node' }] },
        ),
      ],
      cause: 'ProvisionerNotOnNode',
      words: `${driver} does not run on node-2, the node that was selected`,
    },
    {
      name: 'a controller that never looked at the claim (RC-58)',
      yaml: [fast, claim('films'), installed, waiting('other', driver)],
      cause: 'ControllerSilent',
      words: 'the controller has not touched it',
    },
    {
      name: 'a controller whose lease is stale (RC-58)',
      yaml: [
        fast,
        claim('films'),
        installed,
        object({
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: { name: 'kube-controller-manager', namespace: 'kube-system' },
          spec: { leaseDurationSeconds: 15, renewTime: '2026-02-01T09:00:00Z' },
        }),
      ],
      cause: 'ControllerSilent',
      words: 'kube-controller-manager does not run: its lease was last renewed at 2026-02-01T09:00:00Z',
    },
    {
      name: 'a built-in provisioner that this release does not contain (RC-54)',
      yaml: [storageClass('fast', 'kubernetes.io/glusterfs'), claim('films')],
      outcome: 'Stuck',
      cause: 'InTreeProvisionerGone',
      words: 'provisioner kubernetes.io/glusterfs of class "fast" is not part of this release',
    },
    {
      name: 'a built-in provisioner that moved to a driver which is not installed (RC-55)',
      yaml: [storageClass('fast', 'kubernetes.io/aws-ebs'), films, csiNode('node-1', {})],
      cause: 'ProvisionerMissing',
      words: `nobody serves ${driver}`,
      more: 'kubernetes.io/aws-ebs moved to this CSI driver',
    },
    {
      name: 'a provisioner without rights (RC-59)',
      yaml: [
        fast,
        films,
        installed,
        failed(
          'films',
          driver,
          'nodes "node-1" is forbidden: User "system:serviceaccount:kube-system:ebs" cannot get resource "nodes"',
        ),
      ],
      cause: 'ProvisionerForbidden',
      words: `${driver} lacks a right`,
    },
  ]);

  it('a provisioner that runs is there, whatever else is not', async () => {
    const { report } = await explained([storageClass('fast', local), localClaim, localPod({})].join(''), 'films');
    expect(report.verdict).toMatchObject({ outcome: 'WillBeProvisioned', provisioner: local });
  });
});

describe('where the volume is to be made', () => {
  const slow = storageClass('fast', driver, delayed);
  const allowing = (key: string, ...values: readonly string[]) =>
    storageClass('fast', driver, { ...delayed, allowedTopologies: [{ matchLabelExpressions: [{ key, values }] }] });

  rows([
    {
      name: 'a selected node that the driver does not run on (RC-60)',
      yaml: [slow, filmsOn('metal-1'), installed, csiNode('metal-1', {}), node('metal-1')],
      cause: 'NoTopologyKey',
      words: `${driver} does not run on metal-1, the node that was selected`,
      more: `allowedTopologies of class "fast" with key ${zone}`,
    },
    {
      name: 'a selected node on which the driver has no keys (RC-60)',
      yaml: [slow, filmsOn('node-2'), installed, csiNode('node-2', { [driver]: [] }), node('node-2')],
      cause: 'NoTopologyKey',
      words: `${driver} has no topology keys on node-2`,
    },
    {
      name: 'a selected node without the label (RC-61)',
      yaml: [slow, filmsOn('node-2'), installed, csiNode('node-2', { [driver]: [zone] }), node('node-2')],
      cause: 'TopologyLabelMissing',
      words: `node node-2, which was selected, lacks the label ${zone}`,
    },
    {
      name: 'labels that no node has (RC-62)',
      yaml: [fast, films, csiDriver(driver), csiNode('node-1', { [driver]: [zone] }), node('node-1')],
      cause: 'TopologyNowhere',
      words: `no node has the topology labels ${zone}`,
    },
    {
      name: 'no place, as the provisioner told, where no node lists the driver (RC-62)',
      yaml: [
        fast,
        films,
        csiDriver(driver),
        csiNode('node-1', {}),
        failed('films', driver, 'error generating accessibility requirements: no available topology found'),
      ],
      cause: 'DriverOnNoNode',
      words: `${driver} is registered on no node`,
      more: 'no available topology found',
    },
    {
      name: 'a selected node that the class does not allow (RC-63)',
      yaml: [allowing(zone, 'b'), filmsOn('node-1'), installed],
      cause: 'SelectedNodeNotAllowed',
      words: 'class "fast" allows no volume on node-1',
    },
    {
      name: 'a class that allows by a label which the driver does not know (RC-63)',
      yaml: [allowing('kubernetes.io/hostname', 'node-1'), filmsOn('node-1'), installed],
      cause: 'SelectedNodeNotAllowed',
      words: 'class "fast" allows no volume on node-1',
      more: `uses kubernetes.io/hostname, which ${driver} does not know on node-1`,
    },
    {
      name: 'a selected node that is gone (RC-44)',
      yaml: [slow, filmsOn('node-9'), installed],
      cause: 'SelectedNodeGone',
      words: 'node node-9, which was selected for it, does not exist',
    },
    {
      name: 'a selected node that is empty',
      yaml: [slow, filmsOn(''), installed],
      cause: 'SelectedNodeEmpty',
      words: 'the annotation volume.kubernetes.io/selected-node is there, but empty',
    },
    {
      name: 'a place that the driver has no storage in',
      yaml: [
        slow,
        filmsOn('node-1'),
        installed,
        failed(
          'films',
          driver,
          `rpc error: code = Internal desc = no datastore in topology: segments:<key:"${zone}" value:"a" >`,
        ),
      ],
      cause: 'TopologyRefused',
      words: `${driver} has no storage for zone=a, where node-1 is`,
    },
  ]);

  it('one of several nodes that the scheduler may choose leaves the outcome open', async () => {
    const unfit = [csiNode('metal-1', {}), node('metal-1')].join('');
    const yaml = [slow, claim('films'), user('web-1', 'films'), installed, unfit].join('');
    const { report, text } = await explained(yaml, 'films');
    expect(report.verdict).toMatchObject({ outcome: 'WillBeProvisioned', certainty: 'open' });
    expect(text).toContain('metal-1');
    expect(report.findings.map(({ code }) => code)).toContain('SomeNodesUnfit');
  });

  it('what the provisioner told before the node plugin came back is out of date', async () => {
    const told = failed(
      'films',
      driver,
      'error generating accessibility requirements: no topology key found for node node-1',
    );
    const { report } = await explained([slow, filmsOn('node-1'), installed, told].join(''), 'films');
    expect(report.verdict.outcome).toBe('WillBeProvisioned');
  });
});

describe('what the claim and its class ask for', () => {
  const withParameters = (parameters: object) => storageClass('fast', driver, { parameters });
  const secretOf = {
    'csi.storage.k8s.io/provisioner-secret-name': 'admin',
    'csi.storage.k8s.io/provisioner-secret-namespace': 'ceph',
  };
  const secret = (name: string) =>
    object({ apiVersion: 'v1', data: { password: 'c2VjcmV0' }, kind: 'Secret', metadata: { name, namespace: 'ceph' } });
  const gold = { volumeAttributesClassName: 'gold' };
  const attributes = (name: string, of: string) =>
    object({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttributesClass',
      metadata: { name },
      driverName: of,
      parameters: { a: 'b' },
    });

  rows([
    {
      name: 'a Secret that does not exist (RC-64)',
      yaml: [withParameters(secretOf), films, installed, secret('other')],
      cause: 'SecretMissing',
      words: 'Secret ceph/admin, which the class names, does not exist',
    },
    {
      name: 'a Secret that the provisioner did not find (RC-64)',
      yaml: [
        withParameters(secretOf),
        films,
        installed,
        failed('films', driver, 'error getting secret admin in namespace ceph: secrets "admin" not found'),
      ],
      cause: 'SecretMissing',
      words: 'Secret ceph/admin, which the class names, does not exist',
    },
    {
      name: 'half of the name of a Secret (RC-64)',
      yaml: [withParameters({ 'csi.storage.k8s.io/provisioner-secret-name': 'admin' }), films, installed],
      cause: 'SecretTemplateInvalid',
      words: 'the Secrets in the parameters of class "fast" cannot be resolved',
    },
    {
      name: 'a reserved parameter that does not exist (RC-65)',
      yaml: [withParameters({ 'csi.storage.k8s.io/fs-type': 'xfs' }), films, installed],
      cause: 'ClassParameterInvalid',
      words: 'class "fast" has the unknown parameter csi.storage.k8s.io/fs-type',
    },
    {
      name: 'a file system type that is given twice (RC-65)',
      yaml: [withParameters({ fsType: 'ext4', 'csi.storage.k8s.io/fstype': 'xfs' }), films, installed],
      cause: 'ClassParameterInvalid',
      words: 'class "fast" gives the file system type twice',
    },
    {
      name: 'parameters that the driver refuses (RC-65)',
      yaml: [
        withParameters({ typo: 'gp3' }),
        films,
        installed,
        failed('films', driver, 'rpc error: code = InvalidArgument desc = Invalid parameter key typo for CreateVolume'),
      ],
      cause: 'RequestRefused',
      words: `${driver} refuses the request: "Invalid parameter key typo for CreateVolume"`,
    },
    {
      name: 'a selector (RC-66)',
      yaml: [
        fast,
        claim('films', { selector: { matchLabels: { a: 'b' } } }, { annotations: handedOver(driver) }),
        installed,
      ],
      cause: 'SelectorOnDynamicClaim',
      words: 'provisioners refuse a claim with a selector',
    },
    {
      name: 'ReadWriteMany of a driver for disks (RC-67)',
      yaml: [fast, claim('films', { accessModes: ['ReadWriteMany'] }, { annotations: handedOver(driver) }), installed],
      cause: 'ModesNotOffered',
      words: `${driver} makes no RWX Filesystem volumes`,
    },
    {
      name: 'Block of a driver for directories (RC-67)',
      yaml: [
        storageClass('fast', 'efs.csi.aws.com'),
        claim('films', { volumeMode: 'Block' }, { annotations: handedOver('efs.csi.aws.com') }),
        csiDriver('efs.csi.aws.com'),
      ],
      cause: 'ModesNotOffered',
      words: 'efs.csi.aws.com makes no Block volumes',
    },
    {
      name: 'modes that the driver refuses (RC-67)',
      yaml: [
        storageClass('fast', 'csi.example.com'),
        claim('films', { accessModes: ['ReadWriteMany'] }, { annotations: handedOver('csi.example.com') }),
        csiDriver('csi.example.com'),
        failed(
          'films',
          'csi.example.com',
          'rpc error: code = InvalidArgument desc = Volume capabilities not supported',
        ),
      ],
      cause: 'ModesNotOffered',
      words: 'csi.example.com makes no RWX Filesystem volumes',
      more: 'Volume capabilities not supported',
    },
    {
      name: 'a VolumeAttributesClass that does not exist (RC-75)',
      yaml: [fast, claim('films', gold, { annotations: handedOver(driver) }), installed, attributes('golden', driver)],
      cause: 'AttributesClassMissing',
      words: 'VolumeAttributesClass "gold" does not exist',
      more: '(there is "golden")',
    },
    {
      name: 'a VolumeAttributesClass of another driver (RC-75)',
      yaml: [
        fast,
        claim('films', gold, { annotations: handedOver(driver) }),
        installed,
        attributes('gold', 'pd.csi.storage.gke.io'),
      ],
      cause: 'AttributesClassOfOtherDriver',
      words: 'VolumeAttributesClass "gold" is for pd.csi.storage.gke.io',
    },
    {
      name: 'something that the driver cannot do (RC-75)',
      yaml: [
        fast,
        claim('films', gold, { annotations: handedOver(driver) }),
        installed,
        attributes('gold', driver),
        failed(
          'films',
          driver,
          'CSI driver does not support VolumeAttributesClass: controller MODIFY_VOLUME capability is not reported',
        ),
      ],
      cause: 'DriverLacksCapability',
      words: `${driver} cannot do what the claim needs`,
    },
  ]);

  it('a Secret that is there lets the claim pass, and nothing of it is told', async () => {
    const yaml = [withParameters(secretOf), films, installed, secret('admin')].join('');
    const { report, text } = await explained(yaml, 'films');
    expect(report.verdict.outcome).toBe('WillBeProvisioned');
    expect(JSON.stringify(report) + text).not.toMatch(/password|c2VjcmV0/);
  });

  it('a Secret that was not collected is told as not checked, and nobody is asked for it', async () => {
    const { report, text } = await explained([withParameters(secretOf), films, installed].join(''), 'films');
    expect(report.verdict.outcome).toBe('WillBeProvisioned');
    expect(report.findings.map(({ code }) => code)).toContain('ProvisioningUnchecked');
    expect(text).not.toMatch(/kubectl get [\w,]*secret/);
  });
});

describe('what the driver told', () => {
  const rpc = (code: string, words: string) => failed('films', driver, `rpc error: code = ${code} desc = ${words}`);

  rows([
    {
      name: 'no room (RC-68)',
      yaml: [
        storageClass('fast', driver, delayed),
        filmsOn('node-1'),
        installed,
        rpc('ResourceExhausted', 'insufficient space in vg films'),
      ],
      cause: 'StorageExhausted',
      words: `${driver} has no room for 10Gi on node-1: "insufficient space in vg films"`,
      more: 'The driver does not publish its capacity',
    },
    {
      name: 'a quota of the cloud (RC-68)',
      yaml: [fast, films, installed, rpc('Internal', 'googleapi: Error 403: QUOTA_EXCEEDED, quotaExceeded')],
      cause: 'StorageExhausted',
      words: `${driver} has no room for 10Gi`,
    },
    {
      name: 'no answer in time (RC-69)',
      yaml: [fast, films, installed, rpc('DeadlineExceeded', 'context deadline exceeded')],
      cause: 'DriverTimesOut',
      words: `${driver} gets no answer in time`,
    },
    {
      name: 'a call that is still under way (RC-69)',
      yaml: [fast, films, installed, rpc('Aborted', 'an operation with the given Volume ID pvc-1 already exists')],
      cause: 'DriverTimesOut',
      words: `${driver} gets no answer in time`,
    },
    {
      name: 'no credentials (RC-70)',
      yaml: [
        fast,
        films,
        installed,
        rpc('Internal', 'Could not create volume: UnauthorizedOperation: You are not authorized'),
      ],
      cause: 'DriverUnauthorized',
      words: `${driver} is not let in`,
    },
    {
      name: 'no credentials, by code (RC-70)',
      yaml: [fast, films, installed, rpc('Unauthenticated', 'please log in')],
      cause: 'DriverUnauthorized',
      words: `${driver} is not let in: "please log in"`,
    },
    {
      name: 'something else',
      yaml: [fast, films, installed, rpc('Internal', 'the moon is full')],
      cause: 'ProvisioningFails',
      words: `${driver} fails: "the moon is full"`,
    },
  ]);

  it('about a former claim of this name says nothing about this one', async () => {
    const former = event(
      { kind: 'PersistentVolumeClaim', name: 'films', uid: 'former' },
      'ProvisioningFailed',
      'failed to provision volume with StorageClass "fast": rpc error: code = Internal desc = the moon is full',
      { component: driver },
    );
    const { report } = await explained([fast, films, installed, former].join(''), 'films');
    expect(report.verdict.outcome).toBe('WillBeProvisioned');
  });

  it('before it succeeded is over', async () => {
    const succeeded = event(
      { kind: 'PersistentVolumeClaim', name: 'films', uid: 'uid-films' },
      'ProvisioningSucceeded',
      'Successfully provisioned volume pvc-1',
      { component: driver, at: '2026-02-01T12:31:00Z', type: 'Normal' },
    );
    const { report } = await explained(
      [fast, films, installed, rpc('Internal', 'the moon is full'), succeeded].join(''),
      'films',
    );
    expect(report.verdict.outcome).toBe('WillBeProvisioned');
  });
});

describe('what the volume is to be filled with', () => {
  const group = 'snapshot.storage.k8s.io';
  const restoring = (spec = {}) =>
    claim(
      'films',
      { dataSource: { apiGroup: group, kind: 'VolumeSnapshot', name: 'snap-1' }, ...spec },
      { annotations: handedOver(driver) },
    );
  const snapshot = (status: object = {}, meta: object = {}, spec: object = {}) =>
    object({
      apiVersion: `${group}/v1`,
      kind: 'VolumeSnapshot',
      metadata: { name: 'snap-1', namespace: 'shop', uid: 'uid-snap', ...meta },
      spec,
      status: { boundVolumeSnapshotContentName: 'content-1', readyToUse: true, restoreSize: '5Gi', ...status },
    });
  const content = (spec: object = {}) =>
    object({
      apiVersion: `${group}/v1`,
      kind: 'VolumeSnapshotContent',
      metadata: { name: 'content-1' },
      spec: { driver, volumeSnapshotRef: { name: 'snap-1', namespace: 'shop', uid: 'uid-snap' }, ...spec },
      status: { readyToUse: true, restoreSize: 5368709120, snapshotHandle: 'handle' },
    });
  const other = object({
    apiVersion: `${group}/v1`,
    kind: 'VolumeSnapshot',
    metadata: { name: 'snap-11', namespace: 'shop' },
  });
  const cloning = (spec = {}) =>
    claim(
      'films',
      { dataSource: { kind: 'PersistentVolumeClaim', name: 'master' }, ...spec },
      { annotations: handedOver(driver) },
    );
  const bound = { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' };
  const master = (spec: object = {}, meta: object = {}) =>
    claim('master', { volumeName: 'disk-1', ...spec }, { annotations: bound, ...meta }, { phase: 'Bound' });
  const disk = (spec: object = {}) =>
    object({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'disk-1' },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'fast',
        csi: { driver, volumeHandle: 'handle' },
        claimRef: { namespace: 'shop', name: 'master', uid: 'uid-master' },
        ...spec,
      },
      status: { phase: 'Bound' },
    });

  rows([
    {
      name: 'a snapshot that does not exist (RC-71, RC-76)',
      yaml: [fast, restoring(), installed, other],
      cause: 'SnapshotMissing',
      words: 'snapshot shop/snap-1 does not exist',
      more: '(there is shop/snap-11)',
    },
    {
      name: 'a snapshot that is not ready (RC-71)',
      yaml: [fast, restoring(), installed, snapshot({ readyToUse: false, error: { message: 'no quota' } }), content()],
      cause: 'SnapshotUnusable',
      words: 'snapshot shop/snap-1 is not ready',
      more: 'The snapshot says: "no quota"',
    },
    {
      name: 'a snapshot whose class does not exist (RC-71)',
      yaml: [
        fast,
        restoring(),
        installed,
        object({
          apiVersion: `${group}/v1`,
          kind: 'VolumeSnapshot',
          metadata: { name: 'snap-1', namespace: 'shop' },
          spec: { volumeSnapshotClassName: 'daily' },
        }),
        object({ apiVersion: `${group}/v1`, kind: 'VolumeSnapshotClass', metadata: { name: 'weekly' }, driver }),
      ],
      cause: 'SnapshotUnusable',
      words: 'snapshot shop/snap-1 is not bound to a content',
      more: 'Its VolumeSnapshotClass "daily" does not exist',
    },
    {
      name: 'a snapshot that is being deleted (RC-71)',
      yaml: [fast, restoring(), installed, snapshot({}, { deletionTimestamp: '2026-02-01T12:00:00Z' }), content()],
      cause: 'SnapshotUnusable',
      words: 'snapshot shop/snap-1 is being deleted',
    },
    {
      name: 'a snapshot of another driver (RC-71)',
      yaml: [fast, restoring(), installed, snapshot(), content({ driver: 'pd.csi.storage.gke.io' })],
      cause: 'SnapshotUnusable',
      words: 'snapshot shop/snap-1 was made by another driver',
      more: 'the snapshot is of pd.csi.storage.gke.io',
    },
    {
      name: 'a snapshot that is larger than the claim (RC-71)',
      yaml: [fast, restoring(), installed, snapshot({ restoreSize: '20Gi' }), content()],
      cause: 'SnapshotTooLarge',
      words: 'the request is too small by 10Gi for snapshot shop/snap-1',
      more: 'Recreate the claim asking for at least 20Gi',
    },
    {
      name: 'a snapshot of the other volume mode (RC-71)',
      yaml: [
        fast,
        restoring({ volumeMode: 'Block' }),
        installed,
        snapshot(),
        content({ sourceVolumeMode: 'Filesystem' }),
      ],
      cause: 'SnapshotModeDiffers',
      words: 'snapshot shop/snap-1 is of a Filesystem volume, the claim wants Block',
    },
    {
      name: 'a snapshot that the provisioner refuses, of which the input holds nothing (RC-71)',
      yaml: [
        fast,
        restoring(),
        installed,
        failed(
          'films',
          driver,
          'error getting handle for DataSource Type VolumeSnapshot by Name snap-1: snapshot snap-1 is not Ready',
        ),
      ],
      cause: 'SourceRefused',
      words: 'its data source is refused',
      more: 'snapshot snap-1 is not Ready',
    },
    {
      name: 'a claim to clone that does not exist (RC-72)',
      yaml: [fast, cloning(), installed],
      cause: 'CloneSourceMissing',
      words: 'claim shop/master, which it clones, does not exist',
    },
    {
      name: 'a claim to clone that was never used (RC-72)',
      yaml: [
        storageClass('fast', driver, delayed),
        storageClass('now', driver),
        cloning({ storageClassName: 'now' }),
        claim('master'),
        installed,
      ],
      cause: 'CloneSourceUnusable',
      words: 'claim shop/master, which it clones, is Pending, not Bound',
    },
    {
      name: 'a claim to clone that is larger (RC-72)',
      yaml: [fast, cloning({ resources: { requests: { storage: '5Gi' } } }), master(), disk(), installed],
      cause: 'CloneSourceTooLarge',
      words: 'the request is too small by 5Gi for a clone of shop/master',
    },
    {
      name: 'a claim to clone of another driver (RC-72)',
      yaml: [
        fast,
        cloning(),
        master({ storageClassName: 'slow' }),
        disk({ storageClassName: 'slow', csi: { driver: 'nfs.csi.k8s.io', volumeHandle: 'x' } }),
        installed,
      ],
      cause: 'CloneSourceUnusable',
      words: 'claim shop/master, which it clones, is bound to a volume of another driver',
    },
    {
      name: 'a claim to clone of the other volume mode (RC-72)',
      yaml: [fast, cloning({ volumeMode: 'Block' }), master(), disk(), installed],
      cause: 'CloneModeDiffers',
      words: 'shop/master, which it clones, is Filesystem, the claim wants Block',
    },
    {
      name: 'a kind that a populator is for (RC-73)',
      yaml: [
        fast,
        claim(
          'films',
          { dataSourceRef: { apiGroup: 'cdi.kubevirt.io', kind: 'VolumeImportSource', name: 'import-1' } },
          { annotations: handedOver(driver) },
        ),
        installed,
      ],
      cause: 'SourceNeedsPopulator',
      words: 'a populator for VolumeImportSource is to fill it, the provisioner does nothing',
    },
    {
      name: 'a snapshot of another namespace without a grant (RC-74)',
      yaml: [
        fast,
        claim(
          'films',
          { dataSourceRef: { apiGroup: group, kind: 'VolumeSnapshot', name: 'snap-1', namespace: 'prod' } },
          { annotations: handedOver(driver) },
        ),
        installed,
        object({
          apiVersion: 'gateway.networking.k8s.io/v1beta1',
          kind: 'ReferenceGrant',
          metadata: { name: 'other', namespace: 'prod' },
          spec: {
            from: [{ group: '', kind: 'PersistentVolumeClaim', namespace: 'test' }],
            to: [{ group, kind: 'VolumeSnapshot' }],
          },
        }),
      ],
      cause: 'SourceNotGranted',
      words: 'it may not use prod/snap-1 of another namespace',
    },
  ]);

  it('a snapshot of which the input holds nothing is told as not checked', async () => {
    const { report, text } = await explained([fast, restoring(), installed].join(''), 'films');
    expect(report.verdict).toMatchObject({ outcome: 'WillBeProvisioned', certainty: 'assumed' });
    expect(report.verdict.lacks).toContain('VolumeSnapshot');
    expect(text).toContain('kubectl get');
    expect(report.findings.map(({ code }) => code)).toContain('ProvisioningUnchecked');
  });

  it('a size that the snapshot needs is a remedy that was tried', async () => {
    const yaml = [fast, restoring(), installed, snapshot({ restoreSize: '20Gi' }), content()].join('');
    const { report } = await explained(yaml, 'films');
    expect(report.remedies?.[0]).toMatchObject({
      edit: { is: 'recreateClaim', spec: { request: '20Gi' } },
      verdict: { outcome: 'WillBeProvisioned' },
    });
  });
});

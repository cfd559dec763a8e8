import { describe, expect, it } from 'vitest';
import type { PodOutcome } from '../../src/diagnosis/pod-side.ts';
import type { PodReport } from '../../src/report/pod-report.ts';
import { claim, csiDriver, csiNode, event, node, object, pod, storageClass } from '../diagnosis/explained.ts';
import { runOn } from './on-dump.ts';

type Fields = Readonly<Record<string, unknown>>;

const local = storageClass('local', 'kubernetes.io/no-provisioner', { volumeBindingMode: 'WaitForFirstConsumer' });
const onNode = (name: string, capacity: string, host: string): string =>
  object({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, uid: `uid-${name}` },
    spec: {
      capacity: { storage: capacity },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      storageClassName: 'local',
      local: { path: `/disks/${name}` },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [host] }] },
          ],
        },
      },
    },
    status: { phase: 'Available' },
  });
const data = (name: string, size = '5Gi'): string =>
  claim(name, { storageClassName: 'local', resources: { requests: { storage: size } } });
const player = (
  claims: readonly string[],
  spec: Fields = {},
  status: Fields = {},
  meta: Fields = {},
  name = 'player',
) =>
  pod(
    'shop',
    name,
    { volumes: claims.map((claimName, i) => ({ name: `v${i}`, persistentVolumeClaim: { claimName } })), ...spec },
    { phase: 'Pending', ...status },
    meta,
  );
const tainted = { taints: [{ key: 'dedicated', value: 'search', effect: 'NoSchedule' }] };

async function oneOf(yaml: readonly string[], name = 'player', flags: readonly string[] = []): Promise<PodReport> {
  const { code, stdout, stderr } = await runOn(yaml, ['pod', name, '-o', 'json', ...flags]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout).items[0];
}

describe('what becomes of a pod', () => {
  interface Row {
    readonly name: string;
    readonly yaml: readonly string[];
    readonly outcome: PodOutcome;
    readonly words: string;
    readonly cause?: string;
  }
  it.each<Row>([
    {
      name: 'one node has what it needs',
      yaml: [
        local,
        onNode('disk-a', '10Gi', 'node-a'),
        data('films'),
        node('node-a'),
        node('node-b'),
        player(['films']),
      ],
      outcome: 'WillBeScheduled',
      words: 'to node-a',
    },
    {
      name: 'several nodes do',
      yaml: [node('node-a'), node('node-b'), player([])],
      outcome: 'WillBeScheduled',
      words: 'to one of 2 nodes: node-a and node-b',
    },
    {
      name: 'the node with the volume refuses it',
      yaml: [
        local,
        onNode('disk-a', '10Gi', 'node-a'),
        data('films'),
        node('node-a', {}, tainted),
        node('node-b'),
        player(['films']),
      ],
      outcome: 'Unschedulable',
      words: 'it fits on none of 2 nodes',
      cause: 'VolumeOnUnusableNode',
    },
    {
      name: 'storage has no part in it',
      yaml: [node('node-a', {}, tainted), player([])],
      outcome: 'Unschedulable',
      words: 'it does not fit on node-a, the only node',
      cause: 'PodUnschedulable',
    },
    {
      name: 'its claim does not exist',
      yaml: [node('node-a'), data('other'), player(['films'])],
      outcome: 'Unschedulable',
      words: 'claim shop/films is not ready (Missing)',
      cause: 'ClaimMissing',
    },
    {
      name: 'its immediate claim is stuck',
      yaml: [node('node-a'), claim('films', { storageClassName: 'nowhere' }), player(['films'])],
      outcome: 'Unschedulable',
      words: 'claim shop/films is not ready (Stuck)',
      cause: 'ClassMissing',
    },
    {
      name: 'its immediate claim waits for a provisioner',
      yaml: [
        storageClass('fast', 'csi.example.com'),
        csiDriver('csi.example.com'),
        csiNode('node-a', { 'csi.example.com': [] }),
        node('node-a'),
        claim('films'),
        player(['films']),
      ],
      outcome: 'WaitsForVolume',
      words: 'the scheduler refuses it until csi.example.com has made a volume for shop/films',
    },
    {
      name: 'it has gates',
      yaml: [node('node-a'), player([], { schedulingGates: [{ name: 'example.com/quota' }] })],
      outcome: 'Gated',
      words: 'example.com/quota',
      cause: 'ConsumerGated',
    },
    {
      name: 'another scheduler has it',
      yaml: [node('node-a'), player([], { schedulerName: 'stork' })],
      outcome: 'OtherScheduler',
      words: 'stork is to schedule it',
      cause: 'ConsumerOtherScheduler',
    },
    {
      name: 'it is being deleted',
      yaml: [node('node-a'), player([], {}, {}, { deletionTimestamp: '2026-02-01T13:00:00Z' })],
      outcome: 'Terminating',
      words: 'it is being deleted',
      cause: 'ConsumerTerminating',
    },
    {
      name: 'it was put on a node without its claim being bound',
      yaml: [local, data('films'), node('node-a'), player(['films'], { nodeName: 'node-a' })],
      outcome: 'HasNode',
      words: 'it is on node node-a, past the scheduler, but shop/films is not bound',
    },
    {
      name: 'it has ended',
      yaml: [node('node-a'), player([], {}, { phase: 'Succeeded' })],
      outcome: 'Finished',
      words: 'it has ended (Succeeded)',
    },
    {
      name: 'there are no nodes',
      yaml: [player([])],
      outcome: 'Unschedulable',
      words: 'there are no nodes',
      cause: 'NoNodes',
    },
  ])('$name', async ({ yaml, outcome, words, cause }) => {
    const report = await oneOf(yaml);
    expect(report.verdict.outcome).toBe(outcome);
    expect(report.summary).toContain(words);
    if (outcome !== 'WaitsForVolume') expect(report.cause).toBe(cause);
  });

  it('a pod without claims is not told about one', async () => {
    const { findings } = await oneOf([node('node-a', {}, tainted), player([])]);
    expect(findings[0]?.why).toContain('the pod uses no claim');
  });

  it('of two pods that want the only volume, the second could have had it', async () => {
    const yaml = [
      local,
      onNode('disk-a', '10Gi', 'node-a'),
      data('films'),
      data('series'),
      node('node-a'),
      player(['films'], {}, {}, {}, 'first'),
      player(['series'], {}, {}, {}, 'second'),
    ];
    expect((await oneOf(yaml, 'first')).verdict.nodes).toEqual(['node-a']);
    const second = await oneOf(yaml, 'second');
    expect(second.verdict).toMatchObject({ outcome: 'Unschedulable', certainty: 'open', nodesIfFirst: ['node-a'] });
    expect(second.remark).toContain('If the scheduler took it up first');
  });
});

describe('the nodes', () => {
  it('tell all that is wrong, the deciding plugin first, and what each claim finds', async () => {
    const { nodes, claims, message } = await oneOf([
      local,
      onNode('disk-a', '10Gi', 'node-a'),
      onNode('disk-b', '2Gi', 'node-b'),
      data('films'),
      node('node-a', {}, { ...tainted, unschedulable: true }),
      node('node-b'),
      player(['films']),
    ]);
    expect(claims.map(({ claim: key, verdict }) => `${key} ${verdict.outcome}`)).toEqual(['shop/films WaitsForPod']);
    expect(
      nodes.map((one) => [one.node, one.plugin, one.against.map(({ plugin }) => plugin), one.claims[0]?.text]),
    ).toEqual([
      ['node-b', 'VolumeBinding', [], 'disk-b too small by 3Gi'],
      ['node-a', 'NodeUnschedulable', ['NodeUnschedulable', 'TaintToleration'], 'disk-a fits'],
    ]);
    expect(message).toContain('0/2 nodes are available');
  });

  it('where it may go, each with the volume that it finds there, although one was taken in the run', async () => {
    const { nodes, verdict } = await oneOf([
      local,
      onNode('disk-a', '10Gi', 'node-a'),
      onNode('disk-b', '10Gi', 'node-b'),
      data('films'),
      node('node-a'),
      node('node-b'),
      player(['films']),
    ]);
    expect(verdict.nodes).toEqual(['node-a', 'node-b']);
    expect(nodes.map((one) => `${one.node}: ${one.claims[0]?.text}`)).toEqual([
      'node-a: disk-a fits',
      'node-b: disk-b fits',
    ]);
  });

  it('are not looked at if the pod is refused before', async () => {
    const { nodes } = await oneOf([node('node-a'), data('other'), player(['films'])]);
    expect(nodes.map(({ verdict, plugin }) => [verdict, plugin])).toEqual([['notLookedAt', 'VolumeRestrictions']]);
  });
});

describe('the events', () => {
  const cluster = [node('node-a', {}, tainted), node('node-b', {}, { unschedulable: true })];
  const ours = '0/2 nodes are available: 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable.';
  const failed = (message: string, uid = 'uid-player', component = 'default-scheduler') =>
    event({ kind: 'Pod', name: 'player', uid }, 'FailedScheduling', message, { component });

  it.each([
    { name: 'there is none', events: [], is: 'absent', words: 'no FailedScheduling event' },
    { name: 'the same', events: [failed(ours)], is: 'agree', words: 'agree with the run' },
    {
      name: 'the same with what preemption adds',
      events: [failed(`${ours} preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.`)],
      is: 'agree',
      words: 'agree with the run',
    },
    {
      name: 'the same as another release puts it',
      events: [
        failed(
          '0/2 nodes are available: 1 node(s) had untolerated taint {dedicated: search}, 1 node(s) were unschedulable.',
        ),
      ],
      is: 'differ',
      why: 'otherRelease',
      words: 'in the words of releases up to 1.33',
    },
    {
      name: 'of a pod of that name which is gone',
      events: [failed(ours, 'uid-of-old')],
      is: 'differ',
      why: 'formerPod',
      words: 'former pod',
    },
    {
      name: 'of another scheduler',
      events: [failed('no', 'uid-player', 'stork')],
      is: 'differ',
      why: 'otherScheduler',
      words: 'those of stork',
    },
    {
      name: 'of a time with more nodes',
      events: [failed('0/5 nodes are available: 5 Insufficient cpu.')],
      is: 'differ',
      why: 'otherNodes',
      words: 'they count 5 nodes, the input has 2',
    },
    {
      name: 'for another reason',
      events: [failed('0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.')],
      is: 'differ',
      why: 'otherReasons',
      words: 'Only the event says: 1 Insufficient cpu. Only the run says: 1 node(s) had untolerated taint(s).',
    },
  ])('$name', async ({ events, is, why, words }) => {
    const report = await oneOf([...cluster, player([]), ...events]);
    expect(report.events.expected).toBe(ours);
    expect(report.events.is).toBe(is);
    expect(report.events.why?.is).toBe(why);
    expect(report.events.text).toContain(words);
  });

  it('that tell of a failure which is over', async () => {
    const { events } = await oneOf([
      node('node-a'),
      player([]),
      failed('0/1 nodes are available: 1 Insufficient cpu.'),
    ]);
    expect(events.why).toEqual({ is: 'fitsNow', nodes: ['node-a'] });
  });

  it('the words are those of the release that is simulated', async () => {
    const { events } = await oneOf([...cluster, player([])], 'player', ['--kubernetes-version', '1.33']);
    expect(events.expected).toContain('had untolerated taint {dedicated: search}');
  });
});

describe('the command', () => {
  const yaml = [
    node('node-a', {}, tainted),
    player([]),
    player([], {}, {}, { labels: { app: 'web' } }, 'web'),
    pod('shop', 'done', { nodeName: 'node-a' }),
  ];
  const printed = (args: readonly string[]) => runOn(yaml, ['pod', ...args]);

  it.each([
    { args: ['-o', 'name'], out: 'pod/player\npod/web\n' },
    { args: ['-l', 'app=web', '-o', 'name'], out: 'pod/web\n' },
    { args: ['pod/done', 'shop/web', '-o', 'name'], out: 'pod/done\npod/web\n' },
    {
      args: ['--no-headers'],
      out:
        'shop   player   Unschedulable   0/0   untolerated taint ded...   <unknown>\n' +
        'shop   web      Unschedulable   0/0   untolerated taint ded...   <unknown>\n',
    },
  ])('$args', async ({ args, out }) => {
    expect(await printed(args)).toEqual({ code: 0, stdout: out, stderr: '' });
  });

  it('a name that is not there is an error with the nearest', async () => {
    const { code, stderr } = await printed(['playre']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: pod "playre" is not in the input; did you mean "player"?\n',
    });
  });

  it('nothing waits', async () => {
    const { code, stderr } = await runOn([node('node-a')], ['pod']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'No pod waits for a node\n' });
  });
});

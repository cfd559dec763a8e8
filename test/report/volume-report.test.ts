import { describe, expect, it } from 'vitest';
import type { VolumeOutcome } from '../../src/diagnosis/volume-side.ts';
import type { VolumeReport, VolumeReportList } from '../../src/report/volume-report.ts';
import { claim, node, object, storageClass, user } from '../diagnosis/explained.ts';
import { runOn } from './on-dump.ts';

type Fields = Readonly<Record<string, unknown>>;

const volume = (name: string, capacity: string, spec: Fields = {}, phase = 'Available', meta: Fields = {}): string =>
  object({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, uid: `uid-${name}`, creationTimestamp: '2026-02-01T12:00:00Z', ...meta },
    spec: {
      capacity: { storage: capacity },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      storageClassName: 'shelf',
      nfs: { server: 'nfs.example.com', path: `/exports/${name}` },
      ...spec,
    },
    status: { phase },
  });
const shelf = storageClass('shelf', 'kubernetes.io/no-provisioner');
const wants = (name: string, size: string, spec: Fields = {}, meta: Fields = {}, status: Fields = {}): string =>
  claim(name, { storageClassName: 'shelf', resources: { requests: { storage: size } }, ...spec }, meta, status);
const refTo = (name: string, uid?: string) => ({
  claimRef: { kind: 'PersistentVolumeClaim', namespace: 'shop', name, ...(uid === undefined ? {} : { uid }) },
});
const bound = (name: string, size: string, volumeName: string): string =>
  wants(name, size, { volumeName }, { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } }, { phase: 'Bound' });

async function listOf(yaml: readonly string[], names: readonly string[] = []) {
  const { code, stdout, stderr } = await runOn([shelf, ...yaml], ['pv', ...names, '-o', 'json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as VolumeReportList & { readonly items: readonly VolumeReport[] };
}

const oneOf = async (name: string, yaml: readonly string[]): Promise<VolumeReport> =>
  (await listOf(yaml, [name])).items[0] as VolumeReport;

describe('what becomes of a volume', () => {
  interface Row {
    readonly name: string;
    readonly yaml: readonly string[];
    readonly outcome: VolumeOutcome;
    readonly claims?: readonly string[];
    readonly words: string;
    readonly cause?: string;
  }
  it.each<Row>([
    {
      name: 'its claim keeps it',
      yaml: [volume('reel', '10Gi', refTo('films', 'uid-films'), 'Bound'), bound('films', '10Gi', 'reel')],
      outcome: 'Bound',
      claims: ['shop/films bound'],
      words: 'to shop/films',
    },
    {
      name: 'a claim that it fits gets it',
      yaml: [volume('reel', '10Gi'), wants('films', '5Gi')],
      outcome: 'WillBeBound',
      claims: ['shop/films matched'],
      words: 'the smallest that fits',
    },
    {
      name: 'the claim that claimRef names gets it',
      yaml: [volume('reel', '10Gi', refTo('films')), wants('films', '5Gi')],
      outcome: 'WillBeBound',
      claims: ['shop/films reserved'],
      words: 'for which it is reserved',
    },
    {
      name: 'two claims may get it',
      yaml: [volume('reel', '10Gi'), wants('films', '5Gi'), wants('series', '5Gi')],
      outcome: 'MayBeBound',
      claims: ['shop/films matched', 'shop/series matched'],
      words: 'shop/films or shop/series may get it',
    },
    {
      name: 'nobody asks for it',
      yaml: [volume('reel', '10Gi')],
      outcome: 'Free',
      words: 'nobody takes it',
    },
    {
      name: 'a claim names it that it does not fit',
      yaml: [volume('reel', '1Gi'), wants('films', '5Gi', { volumeName: 'reel' })],
      outcome: 'Free',
      words: 'shop/films names it (volumeName), but it does not fit: too small by 4Gi',
    },
    {
      name: 'its claim was deleted',
      yaml: [volume('reel', '10Gi', refTo('films', 'uid-gone'), 'Released')],
      outcome: 'Released',
      words: 'its claim shop/films is gone',
      cause: 'VolumeReleased',
    },
    {
      name: 'its claim was deleted and created again',
      yaml: [volume('reel', '10Gi', refTo('films', 'uid-gone'), 'Released'), wants('films', '5Gi')],
      outcome: 'Released',
      words: 'belongs to a former claim shop/films',
      cause: 'ClaimRefUidMismatch',
    },
    {
      name: 'it is reserved for a claim whose name is misspelt',
      yaml: [volume('reel', '10Gi', refTo('filmz')), wants('films', '5Gi')],
      outcome: 'Reserved',
      words: 'There is shop/films: perhaps that one was meant.',
      cause: 'ReservedForOtherClaim',
    },
    {
      name: 'its claimRef lacks a name',
      yaml: [volume('reel', '10Gi', { claimRef: { namespace: 'shop' } }), wants('films', '5Gi')],
      outcome: 'Reserved',
      words: 'its claimRef lacks a name',
      cause: 'ClaimRefNameMismatch',
    },
    {
      name: 'the claim that it is reserved for has another volume',
      yaml: [
        volume('reel', '10Gi', refTo('films')),
        volume('disc', '10Gi', refTo('films', 'uid-films'), 'Bound'),
        bound('films', '10Gi', 'disc'),
      ],
      outcome: 'Reserved',
      words: 'for shop/films, which has volume disc',
      cause: 'BoundToOtherClaim',
    },
    {
      name: 'reclaiming failed',
      yaml: [volume('reel', '10Gi', refTo('films', 'uid-gone'), 'Failed')],
      outcome: 'Failed',
      words: 'reclaiming it failed',
      cause: 'VolumeFailed',
    },
    {
      name: 'somebody deletes it',
      yaml: [
        volume('reel', '10Gi', {}, 'Available', {
          deletionTimestamp: '2026-02-01T13:00:00Z',
          finalizers: ['example.com/keep'],
        }),
      ],
      outcome: 'Terminating',
      words: 'example.com/keep holds it',
      cause: 'VolumeTerminating',
    },
  ])('$name', async ({ yaml, outcome, claims = [], words, cause }) => {
    const { verdict, summary, reasons, cause: told } = await oneOf('reel', yaml);
    expect(verdict.outcome).toBe(outcome);
    expect(verdict.claims.map((one) => `${one.claim} ${one.way}`)).toEqual(claims);
    expect([summary, ...reasons].join(' ')).toContain(words);
    expect(told).toBe(cause);
  });

  it('without the claims nothing certain is said about who has it', async () => {
    const { verdict } = await oneOf('reel', [volume('reel', '10Gi', refTo('films', 'uid-films'), 'Bound')]);
    expect(verdict.certainty).toBe('assumed');
    expect(verdict.lacks).toEqual(['PersistentVolumeClaim']);
  });

  it('a claim that waits for a pod gets it from the scheduler', async () => {
    const later = storageClass('later', 'kubernetes.io/no-provisioner', { volumeBindingMode: 'WaitForFirstConsumer' });
    const yaml = [
      later,
      volume('reel', '10Gi', { storageClassName: 'later' }),
      wants('films', '5Gi', { storageClassName: 'later' }),
      node('node-a'),
      user('player', 'films'),
    ];
    const { verdict } = await oneOf('reel', yaml);
    expect(verdict).toMatchObject({ outcome: 'WillBeBound', claims: [{ claim: 'shop/films', way: 'scheduled' }] });
  });
});

describe('who could have it', () => {
  const groupsOf = ({ claims }: VolumeReport) =>
    claims.map(({ count, codes, examples }) => `${count} ${codes.join('+') || 'fits'} ${examples[0]?.claim}`);

  it('claims that it fails alike are told together, the nearest first', async () => {
    const report = await oneOf('reel', [
      volume('reel', '10Gi', refTo('gone', 'uid-gone'), 'Released'),
      wants('small', '1Gi'),
      wants('exact', '10Gi'),
      wants('huge', '1Ti'),
      wants('large', '20Gi'),
      wants('shared', '20Gi', { accessModes: ['ReadWriteMany'] }),
    ]);
    expect(groupsOf(report)).toEqual([
      '2 fits shop/exact',
      '2 CapacityTooSmall shop/large',
      '1 AccessModesMissing+CapacityTooSmall shop/shared',
    ]);
  });

  it('a selector counts, and claims that name another volume look for none', async () => {
    const report = await oneOf('reel', [
      volume('reel', '10Gi', refTo('gone', 'uid-gone'), 'Released', { labels: { tier: 'silver' } }),
      wants('gold', '1Gi', { selector: { matchLabels: { tier: 'gold' } } }),
      wants('silver', '1Gi', { selector: { matchLabels: { tier: 'silver' } } }),
      wants('picky', '1Gi', { volumeName: 'another' }),
    ]);
    expect(groupsOf(report)).toEqual(['1 fits shop/silver', '1 SelectorMismatch shop/gold']);
  });
});

describe('what freeing it does', () => {
  const released = volume('reel', '10Gi', refTo('gone', 'uid-gone'), 'Released');

  it('the claim that then binds is named, and handing it over comes before letting anybody in', async () => {
    const { freeing } = await oneOf('reel', [released, wants('films', '5Gi')]);
    expect(freeing?.takers.map((one) => one.claim)).toEqual(['shop/films']);
    expect(freeing?.effect).toBe('Tried: shop/films binds it; nothing else changes.');
    expect(freeing?.ways.map(({ title }) => title)).toEqual([
      'Reserve it for shop/films (claimRef): nobody else is let in. The data of its former claim comes with it.',
      'Remove claimRef: whoever fits first gets it. The data of its former claim comes with it.',
    ]);
    expect(freeing?.ways[0]?.commands[0]).toContain('"uid":"uid-films"');
  });

  it('nobody takes it if it fits nobody', async () => {
    const { freeing } = await oneOf('reel', [released, wants('films', '50Gi')]);
    expect(freeing?.takers).toEqual([]);
    expect(freeing?.ways).toHaveLength(1);
  });

  it('a claim that gets a volume anyway is not offered this one', async () => {
    const { freeing } = await oneOf('reel', [released, volume('disc', '20Gi'), wants('films', '5Gi')]);
    expect(freeing?.effect).toContain('shop/films may bind it instead of disc');
    expect(freeing?.ways).toHaveLength(1);
  });

  it('a volume that has its claim, or none, is not freed', async () => {
    const kept = [volume('reel', '10Gi', refTo('films', 'uid-films'), 'Bound'), bound('films', '10Gi', 'reel')];
    expect((await oneOf('reel', kept)).freeing).toBeUndefined();
    expect((await oneOf('reel', [volume('reel', '10Gi')])).freeing).toBeUndefined();
  });

  it('a list of many is not tried', async () => {
    const many = ['a', 'b', 'c', 'd'].map((name) =>
      volume(name, '10Gi', refTo(`gone-${name}`, 'uid-gone'), 'Released'),
    );
    expect((await listOf(many)).items.some(({ freeing }) => freeing !== undefined)).toBe(false);
    expect((await listOf(many.slice(0, 3))).items.every(({ freeing }) => freeing !== undefined)).toBe(true);
  });
});

it('what is left is what nobody has when everybody has what they get', async () => {
  const { left, wanting } = await listOf([
    volume('a', '10Gi'),
    volume('b', '20Gi'),
    volume('c', '20Gi'),
    volume('d', '1Gi', { storageClassName: '', accessModes: ['ReadWriteMany'] }),
    volume('e', '5Gi', refTo('gone', 'uid-gone'), 'Released'),
    wants('films', '8Gi'),
  ]);
  expect(wanting).toBe(1);
  expect(left).toEqual([
    {
      class: '',
      accessModes: 'RWX',
      volumeMode: 'Filesystem',
      count: 1,
      total: { quantity: '1Gi', bytes: 2 ** 30 },
      sizes: [{ quantity: '1Gi', count: 1 }],
    },
    {
      class: 'shelf',
      accessModes: 'RWO',
      volumeMode: 'Filesystem',
      count: 2,
      total: { quantity: '40Gi', bytes: 40 * 2 ** 30 },
      sizes: [{ quantity: '20Gi', count: 2 }],
    },
  ]);
});

describe('the command', () => {
  const yaml = [
    shelf,
    volume('reel', '10Gi'),
    volume('disc', '20Gi', refTo('gone', 'uid-gone'), 'Released'),
    wants('films', '5Gi'),
  ];
  const printed = (args: readonly string[]) => runOn(yaml, ['pv', ...args]);

  it.each([
    { args: ['-o', 'name'], out: 'persistentvolume/disc\npersistentvolume/reel\n' },
    { args: ['pv/reel', '-o', 'jsonpath={.items[0].verdict.claims[0].claim}'], out: 'shop/films' },
    { args: ['-n', 'elsewhere', '-o', 'name'], out: '' },
    { args: ['-n', 'shop', '-l', 'tier=gold', '-o', 'name'], out: '' },
  ])('$args', async ({ args, out }) => {
    expect(await printed(args)).toEqual({ code: 0, stdout: out, stderr: '' });
  });

  it('a name that is not there is an error with the nearest', async () => {
    const { code, stderr } = await printed(['reels']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: volume "reels" is not in the input; did you mean "reel"?\n',
    });
  });
});

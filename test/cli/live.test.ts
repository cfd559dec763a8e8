import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/api/objects.ts';
import { type FakeApiServer, refusal, serve } from '../live/fake-api-server.ts';
import { answerFor } from '../live/fake-cluster.ts';
import { newClaim, newVolume } from '../support/builders.ts';
import { run } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'pvc-explain-live-'));
const before = process.env.KUBECONFIG;
let library: FakeApiServer;
let limited: FakeApiServer;
let closed: FakeApiServer;

const small = { ...newVolume('shelf', '1Gi') };
const films = newClaim('films', '5Gi', { storageClassName: '' }, { namespace: 'media' });
const songs = newClaim('songs', '1Gi', { storageClassName: '' }, { namespace: 'archive' });
const objects: Readonly<Record<string, readonly KubernetesObject[]>> = {
  '/api/v1/persistentvolumes': [small],
  '/api/v1/persistentvolumeclaims': [films, songs],
};

beforeAll(async () => {
  library = await serve(answerFor({ objects }));
  limited = await serve(answerFor({ objects, forbidden: ['/api/v1/persistentvolumes'] }));
  closed = await serve(() => refusal(401, 'Unauthorized', 'Unauthorized'));
  const contexts = Object.entries({ library, limited, closed }).map(([name, { url }]) => ({
    name,
    context: { cluster: name, user: 'me', namespace: 'media' },
    cluster: { name, cluster: { server: url } },
  }));
  process.env.KUBECONFIG = join(folder, 'config');
  writeFileSync(
    process.env.KUBECONFIG,
    JSON.stringify({
      'current-context': 'library',
      contexts: contexts.map(({ name, context }) => ({ name, context })),
      clusters: contexts.map(({ cluster }) => cluster),
      users: [{ name: 'me', user: {} }],
    }),
  );
});

afterAll(async () => {
  if (before === undefined) delete process.env.KUBECONFIG;
  else process.env.KUBECONFIG = before;
  await Promise.all([library, limited, closed].map((server) => server.close()));
  rmSync(folder, { recursive: true, force: true });
});

const names = ['--all', '-o', 'name'];

describe('without -f the cluster is asked', () => {
  it.each([
    { name: 'in the namespace of the context', args: [], out: ['films'] },
    { name: 'in the namespace that is named', args: ['-n', 'archive'], out: ['songs'] },
    { name: 'in all namespaces', args: ['-A'], out: ['films', 'songs'] },
    { name: 'for a claim of another namespace by its full name', args: ['archive/songs'], out: ['songs'] },
  ])('$name', async ({ args, out }) => {
    const { code, stdout, stderr } = await run([...args, ...names]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split('/').at(-1))
        .sort(),
    ).toEqual(out);
  });

  it('says when there is nothing in the namespace', async () => {
    expect(await run(['-n', 'empty'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No resources found in empty namespace.\n',
    });
  });

  it('and what may not be seen is not taken for absent', async () => {
    const { code, stdout } = await run(['films', '--context', 'limited', '-o', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).items[0].verdict).toMatchObject({ outcome: 'Unknown', lacks: ['PersistentVolume'] });
  });

  it('for a run of the controllers, too', async () => {
    const { code, stdout } = await run(['simulate', '-A']);
    expect(code).toBe(0);
    expect(stdout).toContain('archive/songs');
  });

  it('and a snapshot of what was forbidden says so', async () => {
    const path = join(folder, 'limited.yaml');
    expect(await run(['snapshot', '--context', 'limited', '--to', path])).toEqual({ code: 0, stdout: '', stderr: '' });
    const { stdout } = await run(['films', '-f', path, '-o', 'json']);
    expect(JSON.parse(stdout).items[0].verdict).toMatchObject({ outcome: 'Unknown', lacks: ['PersistentVolume'] });
  });
});

describe('what goes wrong is told as kubectl tells it, and ends with 2', () => {
  it.each([
    {
      name: 'a context that is not there',
      args: ['--context', 'nowhere'],
      err: 'error: context "nowhere" does not exist\n',
    },
    {
      name: 'nobody is let in',
      args: ['--context', 'closed'],
      err: 'error: You must be logged in to the server (Unauthorized)\n',
    },
    {
      name: 'a claim that is not there',
      args: ['filmz'],
      err: 'error: claim "filmz" is not in the cluster; did you mean "films"?\n',
    },
    {
      name: 'a cluster and a dump at once',
      args: ['-f', 'x.yaml', '--context', 'library'],
      err: 'error: --context cannot be used with -f: a dump is read, no cluster is asked\n',
    },
    {
      name: 'a server that is not there',
      args: ['-s', 'http://127.0.0.1:9'],
      err: 'The connection to the server 127.0.0.1:9 was refused - did you specify the right host or port?\n',
    },
    {
      name: 'watching a dump',
      args: ['-f', 'x.yaml', '--watch'],
      err: 'error: a dump does not change: --watch, --until-bound and --timeout are for a live cluster\n',
    },
    { name: 'waiting for no claim', args: ['--until-bound'], err: 'error: --until-bound needs the names of claims\n' },
    { name: 'a time-out for nothing', args: ['--timeout', '5s'], err: 'error: --timeout is for --until-bound\n' },
    {
      name: 'watching as JSON',
      args: ['-w', '-o', 'json'],
      err: 'error: --watch prints text for people: -o wide is the only format for it\n',
    },
  ])('$name', async ({ args, err }) => {
    expect(await run(args)).toEqual({ code: 2, stdout: '', stderr: err });
  });

  it('no cluster and no dump: names both ways', async () => {
    const kubeconfig = process.env.KUBECONFIG;
    process.env.KUBECONFIG = join(folder, 'missing');
    const { code, stderr } = await run([]);
    process.env.KUBECONFIG = kubeconfig;
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: The connection to the server localhost:8080 .*\(no kubeconfig was found .*-f PATH/);
  });
});

describe('--until-bound', () => {
  it('ends with 0 at once if the claim is bound', async () => {
    const claim = {
      ...newClaim(
        'films',
        '1Gi',
        { volumeName: 'shelf' },
        { namespace: 'media', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      ),
      status: { phase: 'Bound' },
    };
    const volume = newVolume(
      'shelf',
      '1Gi',
      { claimRef: { namespace: 'media', name: 'films', uid: 'uid-films' } },
      {},
      'Bound',
    );
    const server = await serve(
      answerFor({ objects: { '/api/v1/persistentvolumes': [volume], '/api/v1/persistentvolumeclaims': [claim] } }),
    );
    try {
      const { code, stdout } = await run(['films', '-n', 'media', '-s', server.url, '--until-bound']);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\nmedia\/films {2}Bound/);
      expect(server.asked.some(({ query }) => query.watch === 'true')).toBe(false);
    } finally {
      await server.close();
    }
  });

  it('explains again when the claim has changed, and only then, and ends with 0 when it is bound', async () => {
    const bound = {
      ...films,
      metadata: {
        ...films.metadata,
        annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
        resourceVersion: '102',
      },
      spec: { ...films.spec, volumeName: 'attic' },
      status: { phase: 'Bound' },
    };
    const { resourceVersion: _, ...same } = films.metadata;
    const claims: readonly KubernetesObject[] = [{ ...films, metadata: { ...same, resourceVersion: '101' } }, bound];
    const answer = answerFor({ objects });
    const server = await serve((asked) => {
      if (asked.query.watch !== 'true') return answer(asked);
      const events = asked.path === '/api/v1/persistentvolumeclaims' ? claims : [];
      return {
        stream: (response) => {
          for (const [i, object] of events.entries())
            setTimeout(() => response.write(`${JSON.stringify({ type: 'MODIFIED', object })}\n`), 400 * (i + 1));
        },
      };
    });
    try {
      const { code, stdout } = await run(['films', '-s', server.url, '--until-bound', '--timeout', '20s']);
      expect(code).toBe(0);
      const looks = stdout.split(/^\d{4}-\d\d-\d\dT[\d:]+Z\n/m).slice(1);
      expect(looks).toEqual([
        expect.stringContaining('media/films  Pending'),
        expect.stringContaining('media/films  Bound'),
      ]);
    } finally {
      await server.close();
    }
  });

  it('ends with 1 when the time is over', async () => {
    const { code, stderr } = await run(['films', '--until-bound', '--timeout', '300ms']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: timed out waiting for the claims to be bound\n' });
  });
});

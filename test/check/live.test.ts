import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/api/objects.ts';
import { isKind, kinds } from '../../src/snapshot/kinds.ts';
import { run } from '../cli/run.ts';
import { type FakeApiServer, serve } from '../live/fake-api-server.ts';
import { answerFor } from '../live/fake-cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'pvc-explain-'));
const before = process.env.KUBECONFIG;
const town = load(readFileSync('test/check/clusters/town.yaml', 'utf8')) as {
  readonly items: readonly KubernetesObject[];
};
let open: FakeApiServer;
let limited: FakeApiServer;

/** The path of the list in which an API server has an object. */
function pathOf({ kind }: KubernetesObject): string {
  if (!isKind(kind)) throw new Error(`no list of ${kind}`);
  const { group, resource } = kinds[kind];
  return `${group === '' ? '/api' : `/apis/${group}`}/v1/${resource}`;
}

beforeAll(async () => {
  const objects: Record<string, KubernetesObject[]> = {};
  for (const object of town.items) {
    const path = pathOf(object);
    objects[path] = [...(objects[path] ?? []), object];
  }
  open = await serve(answerFor({ objects }));
  limited = await serve(answerFor({ objects, forbidden: ['/api/v1/persistentvolumes'] }));
  process.env.KUBECONFIG = join(folder, 'config');
  const names = { open, limited };
  writeFileSync(
    process.env.KUBECONFIG,
    JSON.stringify({
      'current-context': 'open',
      contexts: Object.keys(names).map((name) => ({ name, context: { cluster: name, user: 'me', namespace: 'shop' } })),
      clusters: Object.entries(names).map(([name, { url }]) => ({ name, cluster: { server: url } })),
      users: [{ name: 'me', user: {} }],
    }),
  );
});

afterAll(async () => {
  if (before === undefined) delete process.env.KUBECONFIG;
  else process.env.KUBECONFIG = before;
  await Promise.all([open.close(), limited.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const claim = (metadata: string, className: string) => {
  const path = join(folder, 'claim.yaml');
  writeFileSync(
    path,
    `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: ${metadata}\nspec:\n  accessModes: [ReadWriteOnce]\n  storageClassName: ${className}\n  resources: {requests: {storage: 400G}}\n`,
  );
  return path;
};

it('without --from the live cluster is asked, in its own release and the namespace of the context', async () => {
  const { code, stdout, stderr } = await run(['check', claim('{name: films}', 'archive'), '-o', 'json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { simulated, items } = JSON.parse(stdout);
  expect(simulated).toEqual(['1.33']);
  expect(items).toMatchObject([
    { metadata: { name: 'films', namespace: 'shop' }, releases: [{ outcome: 'WillBind', volumes: ['archive-01'] }] },
  ]);
});

it('quotas of the namespaces of the manifests are read, too', async () => {
  const path = join(folder, 'large.yaml');
  writeFileSync(
    path,
    readFileSync(claim('{name: films, namespace: media}', 'instant'), 'utf8').replace('400G', '600Gi'),
  );
  writeFileSync(path, `${readFileSync(path, 'utf8')}---\n${readFileSync(path, 'utf8').replace('films', 'series')}`);
  const { code, stdout } = await run(['check', path]);
  expect(stdout).toContain('claim media/series: it cannot be created: quota storage is used up [QuotaExceeded]');
  expect(code).toBe(1);
});

it('what one may not see is unknown, and fails unless it is said otherwise', async () => {
  const args = ['check', claim('{name: films}', 'archive'), '--context', 'limited'];
  const { code, stdout } = await run(args);
  expect(stdout).toMatch(/claim\.yaml:3:\d+: unknown: claim shop\/films: Unknown: the input lacks persistentvolumes/);
  expect(code).toBe(1);
  expect((await run([...args, '--fail-on', 'warning'])).code).toBe(0);
});

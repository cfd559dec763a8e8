import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFiles } from '../../src/sources/files.ts';

const storageClass = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'fast' } };
const secret = (name: string, data: object = { password: 'c2VjcmV0' }, metadata: object = {}) => ({
  apiVersion: 'v1',
  data,
  kind: 'Secret',
  metadata: { ...metadata, name, namespace: 'ceph' },
  type: 'Opaque',
});

async function secretsIn(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  try {
    const file = join(folder, 'dump.yaml');
    await writeFile(file, text);
    const { sources, issues } = await loadFiles([file]);
    return { objects: sources[0]?.objects.filter(({ kind }) => kind === 'Secret').map(({ object }) => object), issues };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const named = (...names: readonly string[]) =>
  names.map((name) => ({ kind: 'Secret', metadata: { name, namespace: 'ceph' } }));

const block = (name: string) =>
  `apiVersion: v1\ndata:\n  metadata: |\n    name: fake\n  password: c2VjcmV0\nkind: Secret\nmetadata:\n  annotations:\n    name: fake\n  name: ${name}\n  namespace: ceph\n`;
const indented = (text: string) => `- ${text.trimEnd().replaceAll('\n', '\n  ')}\n`;

describe('of a Secret no more is known than its name', () => {
  it.each([
    { name: 'in a YAML document', text: `${block('admin')}---\n${JSON.stringify(storageClass)}\n` },
    {
      name: 'with a quoted name and a comment',
      text: `kind: Secret\nmetadata:\n  namespace: 'ceph' # here\n  name: "admin"\nstringData: {password: secret}\n---\n${JSON.stringify(storageClass)}\n`,
    },
    {
      name: 'in a YAML List',
      text: `apiVersion: v1\nkind: List\nitems:\n${indented(block('admin'))}- ${JSON.stringify(storageClass)}\n`,
    },
    {
      name: 'in a YAML list of Secrets, whose items do not say their kind',
      text: `apiVersion: v1\nitems:\n- metadata:\n    name: admin\n    namespace: ceph\n  data:\n    password: c2VjcmV0\nkind: SecretList\n---\n${JSON.stringify(storageClass)}\n`,
    },
    { name: 'in a JSON document', text: `${JSON.stringify(secret('admin'))}\n${JSON.stringify(storageClass)}\n` },
    {
      name: 'in a JSON List',
      text: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [secret('admin'), storageClass] }, null, 4),
    },
    {
      name: 'beside keys that are called like it',
      text: JSON.stringify({
        kind: 'List',
        items: [
          secret('admin', { name: 'ZmFrZQ==', metadata: 'ZmFrZQ==' }, { labels: { name: 'fake' } }),
          storageClass,
        ],
      }),
    },
  ])('$name', async ({ text }) => {
    expect(await secretsIn(text)).toEqual({ objects: named('admin'), issues: [] });
  });

  it.each([
    { name: 'a name with a variable in it', text: 'kind: Secret\nmetadata:\n  name: $NAME\n  namespace: ceph\n' },
    { name: 'no namespace', text: 'kind: Secret\nmetadata:\n  name: admin\n' },
    { name: 'metadata in one line', text: 'kind: Secret\nmetadata: {name: admin, namespace: ceph}\n' },
  ])('and of one with $name not even that', async ({ text }) => {
    expect(await secretsIn(`${text}---\n${JSON.stringify(storageClass)}\n`)).toEqual({ objects: [], issues: [] });
  });

  it('whatever it holds', async () => {
    const anyJson = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string(), fc.base64String(), fc.dictionary(fc.string(), fc.string())),
    );
    await fc.assert(
      fc.asyncProperty(anyJson, anyJson, async (data, labels) => {
        const items = [secret('admin', data, { annotations: labels }), storageClass];
        const { objects } = await secretsIn(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
        expect(objects).toEqual(named('admin'));
      }),
      { numRuns: 50 },
    );
  });
});

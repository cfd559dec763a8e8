import { expect, it } from 'vitest';
import { type NamedObject, printNames } from '../../src/printers/name.ts';

it.each<{ what: string; objects: NamedObject[]; expected: string }>([
  {
    what: 'claims',
    objects: [
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'films' } },
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data-db-0' } },
    ],
    expected: 'persistentvolumeclaim/films\npersistentvolumeclaim/data-db-0\n',
  },
  {
    what: 'a kind with a group',
    objects: [{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'archive' } }],
    expected: 'storageclass.storage.k8s.io/archive\n',
  },
  {
    what: 'an object without a version',
    objects: [{ kind: 'Node', metadata: { name: 'node-a' } }],
    expected: 'node/node-a\n',
  },
  {
    what: 'an object without a name',
    objects: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: '' } }],
    expected: 'pod/<unknown>\n',
  },
  { what: 'no objects', objects: [], expected: '' },
])('$what', ({ objects, expected }) => {
  expect([...printNames(objects)].join('')).toBe(expected);
});

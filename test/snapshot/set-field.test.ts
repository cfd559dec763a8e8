import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/api/objects.ts';
import { FieldPathError, parseFieldPath, setField } from '../../src/snapshot/set-field.ts';

const volume = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'v', labels: { 'a.b/c': 'd' } },
  spec: {
    accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
    capacity: { storage: '5Gi' },
    weight: 3,
    claimRef: { name: 'c' },
  },
} as unknown as KubernetesObject;

const spec = {
  accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
  capacity: { storage: '5Gi' },
  weight: 3,
  claimRef: { name: 'c' },
};

describe('a field path', () => {
  it.each([
    ['spec.capacity.storage', ['spec', 'capacity', 'storage']],
    ['spec.accessModes[1]', ['spec', 'accessModes', 1]],
    ['metadata.labels.a\\.b/c', ['metadata', 'labels', 'a.b/c']],
    ['.spec', ['spec']],
  ])('%s has the steps %j', (path, steps) => {
    expect(parseFieldPath(path)).toEqual(steps);
  });

  it.each(['', 'a..b', 'a[', 'a[x]', 'a]'])('%j is refused', (path) => {
    expect(() => parseFieldPath(path)).toThrow(FieldPathError);
  });
});

describe('setting a field', () => {
  it.each([
    ['spec.capacity.storage', '9Gi', { ...spec, capacity: { storage: '9Gi' } }],
    ['spec.storageClassName', 'nfs', { ...spec, storageClassName: 'nfs' }],
    ['spec.capacity.storage', '10', { ...spec, capacity: { storage: '10' } }],
    ['spec.weight', '4', { ...spec, weight: 4 }],
    ['spec.readOnly', 'true', { ...spec, readOnly: true }],
    ['spec.accessModes[0]', 'ReadWriteMany', { ...spec, accessModes: ['ReadWriteMany', 'ReadOnlyMany'] }],
    ['spec.accessModes[2]', 'ReadWriteMany', { ...spec, accessModes: [...spec.accessModes, 'ReadWriteMany'] }],
    ['spec.accessModes[0]', 'null', { ...spec, accessModes: ['ReadOnlyMany'] }],
    ['spec.accessModes', '["ReadWriteMany"]', { ...spec, accessModes: ['ReadWriteMany'] }],
    ['spec.claimRef', 'null', { accessModes: spec.accessModes, capacity: spec.capacity, weight: 3 }],
    ['spec.nodeAffinity.required', '{"a":1}', { ...spec, nodeAffinity: { required: { a: 1 } } }],
  ])('%s to %s', (path, value, expected) => {
    const before = structuredClone(volume);
    expect((setField(volume, path, value) as unknown as { spec: object }).spec).toEqual(expected);
    expect(volume).toEqual(before);
  });

  it('keeps dots in a key', () => {
    expect(setField(volume, 'metadata.labels.a\\.b/c', 'e').metadata.labels).toEqual({ 'a.b/c': 'e' });
  });

  it.each([
    ['spec.accessModes[7]', 'x', 'there is no item 7'],
    ['spec.weight.x', 'x', 'there is no field "x" in 3'],
    ['spec.accessModes.first', 'x', 'there is no field "first"'],
    ['spec.capacity', '{"storage"', 'looks like JSON and is not'],
  ])('refuses %s to %s', (path, value, reason) => {
    expect(() => setField(volume, path, value)).toThrow(reason);
  });
});

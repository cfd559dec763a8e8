import { describe, expect, it } from 'vitest';
import type { StorageClass } from '../../src/api/objects.ts';
import { applied, classConflicts, specDifferences, volumeConflicts } from '../../src/manifests/applied.ts';
import { newClass, newVolume } from '../support/builders.ts';

describe('applying a manifest to what exists', () => {
  const existing = {
    kind: 'ConfigMap',
    metadata: { name: 'a', uid: '1', resourceVersion: '7', labels: { kept: 'x', changed: 'x' } },
    spec: { list: [1, 2], map: { kept: 1, changed: 1 } },
    status: { phase: 'Bound' },
  };

  it('joins mappings, replaces lists, keeps what is not named, and leaves the status to the cluster', () => {
    const manifest = {
      kind: 'ConfigMap',
      metadata: { name: 'a', resourceVersion: '3', labels: { changed: 'y' } },
      spec: { list: [3], map: { changed: 2 } },
      status: { phase: 'Lost' },
    };
    expect(applied(existing, manifest)).toEqual({
      kind: 'ConfigMap',
      metadata: { name: 'a', uid: '1', resourceVersion: '7', labels: { kept: 'x', changed: 'y' } },
      spec: { list: [3], map: { kept: 1, changed: 2 } },
      status: { phase: 'Bound' },
    });
  });

  it('a uid that a manifest carries along is taken at its word', () => {
    expect(applied(existing, { kind: 'ConfigMap', metadata: { name: 'a', uid: '2' } }).metadata.uid).toBe('2');
  });
});

describe('what may not change', () => {
  const fast: StorageClass = { ...newClass('fast', 'csi.example.com'), parameters: { type: 'ssd' } };

  it.each<{ name: string; manifest: Partial<StorageClass>; changes: readonly string[] }>([
    { name: 'nothing of a class that says the same', manifest: { parameters: { type: 'ssd' } }, changes: [] },
    { name: 'nothing of a class that leaves out what are its defaults', manifest: {}, changes: [] },
    {
      name: 'the provisioner',
      manifest: { provisioner: 'other.example.com' },
      changes: ['provisioner: csi.example.com → other.example.com'],
    },
    {
      name: 'a parameter',
      manifest: { parameters: { type: 'hdd' } },
      changes: ['parameters: {"type":"ssd"} → {"type":"hdd"}'],
    },
    {
      name: 'the binding mode',
      manifest: { volumeBindingMode: 'WaitForFirstConsumer' },
      changes: ['volumeBindingMode: Immediate → WaitForFirstConsumer'],
    },
    { name: 'but expansion may', manifest: { allowVolumeExpansion: true, mountOptions: ['ro'] }, changes: [] },
  ])('$name', ({ manifest, changes }) => {
    const written = { kind: 'StorageClass', metadata: { name: 'fast' }, provisioner: 'csi.example.com', ...manifest };
    expect(classConflicts(fast, written).map(({ field, before, after }) => `${field}: ${before} → ${after}`)).toEqual(
      changes,
    );
  });

  const nfs = newVolume('disk', '5Gi', { nfs: { server: 'a', path: '/' } });
  const placed = { required: { nodeSelectorTerms: [] } };

  it.each([
    {
      name: 'a volume may grow, be reserved and change its class',
      before: nfs,
      after: newVolume('disk', '6Gi', {
        nfs: { server: 'a', path: '/' },
        storageClassName: 'x',
        claimRef: { name: 'a' },
      }),
      fields: [],
    },
    {
      name: 'its source may not',
      before: nfs,
      after: newVolume('disk', '5Gi', { nfs: { server: 'b', path: '/' } }),
      fields: ['spec.nfs'],
    },
    {
      name: 'nor its mode',
      before: nfs,
      after: newVolume('disk', '5Gi', { nfs: { server: 'a', path: '/' }, volumeMode: 'Block' }),
      fields: ['spec.volumeMode'],
    },
    {
      name: 'node affinity may be set once',
      before: nfs,
      after: newVolume('disk', '5Gi', { nfs: { server: 'a', path: '/' }, nodeAffinity: placed }),
      fields: [],
    },
    {
      name: 'node affinity may not change',
      before: newVolume('disk', '5Gi', { nodeAffinity: placed }),
      after: newVolume('disk', '5Gi', { nodeAffinity: {} }),
      fields: ['spec.nodeAffinity'],
    },
  ])('$name', ({ before, after, fields }) => {
    expect(volumeConflicts(before, after).map(({ field }) => field)).toEqual(fields);
  });
});

it('a claim differs from a template in what the template says', () => {
  const existing = {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'slow',
    volumeMode: 'Filesystem',
    volumeName: 'v',
    resources: { requests: { storage: '1024Mi' } },
  };
  const template = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  expect(specDifferences(existing, template)).toEqual([]);
  expect(
    specDifferences(existing, { ...template, storageClassName: 'fast', resources: { requests: { storage: '2Gi' } } }),
  ).toEqual([
    { field: 'spec.resources.requests.storage', before: '1Gi', after: '2Gi' },
    { field: 'spec.storageClassName', before: 'slow', after: 'fast' },
  ]);
});

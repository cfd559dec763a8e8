import { describe, expect, it } from 'vitest';
import { claimWarnings, classWarnings, volumeWarnings } from '../../../src/engine/admission/warnings.ts';
import { newClaim, newClass, newVolume } from '../../support/builders.ts';

const annotations = { 'volume.beta.kubernetes.io/storage-class': '', 'volume.beta.kubernetes.io/mount-options': '' };
const oldClass =
  'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead';
const zone = 'failure-domain.beta.kubernetes.io/zone';
const useZone = 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead';

describe('what the API server lets pass with a warning', () => {
  it('an ordinary claim, volume and class: nothing', () => {
    expect(claimWarnings(newClaim('films', '5Gi'))).toEqual([]);
    expect(volumeWarnings(newVolume('archive-01', '5Gi', { nfs: { server: 'a', path: '/b' } }))).toEqual([]);
    expect(classWarnings(newClass('archive', 'csi.example.com'))).toEqual([]);
  });

  it('the old annotation of a claim, and fractions of a byte', () => {
    const resources = { requests: { storage: '1500m' }, limits: { storage: '0.1Gi' } };
    expect(claimWarnings(newClaim('films', '5Gi', { resources }, { annotations }))).toEqual([
      oldClass,
      'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
      'spec.resources.limits[storage]: fractional byte value "107374182400m" is invalid, must be an integer',
    ]);
  });

  it('the old annotations of a volume, recycling, node labels of old and a source without a plugin', () => {
    const required = {
      nodeSelectorTerms: [
        {},
        {
          matchExpressions: [
            { key: 'disk', operator: 'Exists' },
            { key: zone, operator: 'Exists' },
          ],
        },
      ],
    };
    const spec = { rbd: {}, persistentVolumeReclaimPolicy: 'Recycle', nodeAffinity: { required } };
    expect(volumeWarnings(newVolume('archive-01', '5Gi', spec, { annotations }))).toEqual([
      oldClass,
      'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead',
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
      `spec.nodeAffinity.required.nodeSelectorTerms[1].matchExpressions[1].key: ${zone} is ${useZone}`,
      'spec.rbd: deprecated in v1.28, non-functional in v1.31+',
    ]);
  });

  it.each([
    ['cephfs', 'spec.cephfs: deprecated in v1.28, non-functional in v1.31+'],
    ['photonPersistentDisk', 'spec.photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+'],
    ['scaleIO', 'spec.scaleIO: deprecated in v1.16, non-functional in v1.22+'],
    ['storageos', 'spec.storageOS: deprecated in v1.22, non-functional in v1.25+'],
    ['glusterfs', 'spec.glusterfs: deprecated in v1.25, non-functional in v1.26+'],
  ])('a source without a plugin: %s', (source, text) => {
    expect(volumeWarnings(newVolume('archive-01', '5Gi', { [source]: {} }))).toEqual([text]);
  });

  it('node labels of old in the topologies of a class', () => {
    const allowedTopologies = [
      {
        matchLabelExpressions: [
          { key: 'disk', values: ['ssd'] },
          { key: zone, values: ['a'] },
        ],
      },
    ];
    expect(classWarnings({ ...newClass('archive', 'csi.example.com'), allowedTopologies })).toEqual([
      `allowedTopologies[0].matchLabelExpressions[1].key: ${useZone}`,
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import {
  AnnBetaStorageProvisioner,
  AnnMigratedTo,
  AnnSelectedNode,
  AnnStorageProvisioner,
} from '../../../src/api/annotations.ts';
import { ignoredBy } from '../../../src/engine/provisioner/should-provision.ts';
import { newClaim, newClass } from '../../support/builders.ts';

const driver = 'ebs.csi.aws.com';
const immediate = newClass('fast', driver);
const delayed = newClass('fast', driver, 'WaitForFirstConsumer');

// sig-storage-lib-external-provisioner controller_test.go, TestShouldProvision (13.0)
describe('a provisioner takes up a claim', () => {
  it.each([
    {
      name: 'that was handed over to it',
      annotations: { [AnnStorageProvisioner]: driver },
      storageClass: immediate,
      ignored: undefined,
    },
    {
      name: 'that was handed over under the beta annotation',
      annotations: { [AnnBetaStorageProvisioner]: driver },
      storageClass: immediate,
      ignored: undefined,
    },
    {
      name: 'of the in-tree plugin that it took over from',
      annotations: { [AnnStorageProvisioner]: 'kubernetes.io/aws-ebs', [AnnMigratedTo]: driver },
      storageClass: newClass('fast', 'kubernetes.io/aws-ebs'),
      ignored: undefined,
    },
    {
      name: 'but none of an in-tree plugin that it did not take over from',
      annotations: { [AnnStorageProvisioner]: 'kubernetes.io/gce-pd', [AnnMigratedTo]: driver },
      storageClass: immediate,
      ignored: { is: 'otherProvisioner', provisioner: 'kubernetes.io/gce-pd' },
    },
    {
      name: 'but none that names its volume',
      annotations: { [AnnStorageProvisioner]: driver },
      storageClass: immediate,
      volumeName: 'disk-1',
      ignored: { is: 'namesVolume', volume: 'disk-1' },
    },
    {
      name: 'but none that nobody handed over',
      annotations: {},
      storageClass: immediate,
      ignored: { is: 'notHandedOver' },
    },
    {
      name: 'but none of another provisioner',
      annotations: { [AnnStorageProvisioner]: 'csi.example.com' },
      storageClass: immediate,
      ignored: { is: 'otherProvisioner', provisioner: 'csi.example.com' },
    },
    {
      name: 'but none whose class does not exist',
      annotations: { [AnnStorageProvisioner]: driver },
      storageClass: undefined,
      ignored: { is: 'classMissing', class: 'fast' },
    },
    {
      name: 'but no delayed one without a selected node',
      annotations: { [AnnStorageProvisioner]: driver },
      storageClass: delayed,
      ignored: { is: 'noSelectedNode' },
    },
    {
      name: 'but no delayed one whose selected node is empty',
      annotations: { [AnnStorageProvisioner]: driver, [AnnSelectedNode]: '' },
      storageClass: delayed,
      ignored: { is: 'noSelectedNode' },
    },
    {
      name: 'that is delayed and has a selected node',
      annotations: { [AnnStorageProvisioner]: driver, [AnnSelectedNode]: 'node-1' },
      storageClass: delayed,
      ignored: undefined,
    },
  ])('$name', ({ annotations, storageClass, volumeName, ignored }) => {
    const spec = { storageClassName: 'fast', ...(volumeName === undefined ? {} : { volumeName }) };
    const claim = newClaim('films', '1Gi', spec, { annotations });
    expect(ignoredBy(driver, claim, storageClass)).toEqual(ignored);
  });
});

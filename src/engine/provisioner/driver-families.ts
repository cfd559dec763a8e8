import { volumeModeOf } from '../../api/accessors.ts';
import type { AccessMode, PersistentVolumeClaim, VolumeMode } from '../../api/objects.ts';

// What drivers of a family are known to refuse. Only the driver's answer to CreateVolume decides; this is practical knowledge.
// specification scheduler-and-provisioning 5.7

/** Drivers of disks: one node writes at a time, unless the claim takes the raw device. */
const blockDrivers: readonly string[] = [
  'ebs.csi.aws.com',
  'pd.csi.storage.gke.io',
  'disk.csi.azure.com',
  'cinder.csi.openstack.org',
  'rbd.csi.ceph.com',
  'csi.vsphere.vmware.com',
  'csi.hetzner.cloud',
  'dobs.csi.digitalocean.com',
  'linodebs.csi.linode.com',
  'local.csi.openebs.io',
  'zfs.csi.openebs.io',
  'topolvm.io',
];

/** Drivers of shared directories: there is no raw device to hand out. */
const fileDrivers: readonly string[] = [
  'efs.csi.aws.com',
  'fsx.csi.aws.com',
  'file.csi.azure.com',
  'filestore.csi.storage.gke.io',
  'nfs.csi.k8s.io',
  'smb.csi.k8s.io',
  'cephfs.csi.ceph.com',
];

/** What a family of drivers does not offer of what a claim asks for. */
export interface NotOffered {
  readonly family: 'block' | 'file';
  readonly accessModes: readonly AccessMode[];
  readonly volumeMode: VolumeMode;
}

/** Whether drivers of this family are known to refuse the modes of the claim; undefined if nothing is known against them. */
export function notOffered(driver: string, claim: PersistentVolumeClaim): NotOffered | undefined {
  const volumeMode = volumeModeOf(claim);
  const shared = (claim.spec.accessModes ?? []).filter((mode) => mode === 'ReadWriteMany');
  if (isOf(blockDrivers, driver) && volumeMode === 'Filesystem' && shared.length > 0) {
    return { family: 'block', accessModes: shared, volumeMode };
  }
  if (isOf(fileDrivers, driver) && volumeMode === 'Block') return { family: 'file', accessModes: [], volumeMode };
  return undefined;
}

/** Operators put the name of their cluster before that of the driver: "rook-ceph.rbd.csi.ceph.com". */
const isOf = (family: readonly string[], driver: string): boolean =>
  family.some((name) => driver === name || driver.endsWith(`.${name}`));

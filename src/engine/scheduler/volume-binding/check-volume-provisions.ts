import { claimKey, claimRequest } from '../../../api/accessors.ts';
import { NoProvisioner } from '../../../api/annotations.ts';
import type { PersistentVolumeClaim } from '../../../api/objects.ts';
import { quantityValue } from '../../../api/quantity.ts';
import { claimClass } from '../../../api/storage-class.ts';
import type { Kind } from '../../../snapshot/kinds.ts';
import type { ProvisionRefusal } from '../facts.ts';
import { PluginError } from '../framework.ts';
import type { NodeInfo } from '../node-info.ts';
import type { SchedulerCache } from '../scheduler-cache.ts';

// kubernetes/kubernetes pkg/scheduler/framework/plugins/volumebinding/binder.go, checkVolumeProvisions and hasEnoughCapacity (1.37);
// specification scheduler-and-provisioning 1.7. Each claim is checked alone: two may count on the same room.

/** Whether a claim could be provisioned on a node. */
export type Provisioning =
  | { readonly is: 'possible'; readonly className: string }
  | { readonly is: 'refused'; readonly refusal: ProvisionRefusal }
  | { readonly is: 'unknown'; readonly lacks: readonly Kind[] };

/** Throws PluginError. */
export function checkVolumeProvision(
  cache: SchedulerCache,
  claim: PersistentVolumeClaim,
  node: NodeInfo,
): Provisioning {
  const { cluster } = cache;
  const className = claimClass(claim);
  if (className === '') throw new PluginError(`no class for claim "${claimKey(claim)}"`);
  const storageClass = cluster.storageClass(className);
  if (storageClass === undefined) {
    if (cluster.lacks('StorageClass')) return { is: 'unknown', lacks: ['StorageClass'] };
    throw new PluginError(`failed to find storage class "${className}"`);
  }
  const { provisioner = '', allowedTopologies = [] } = storageClass;
  if (provisioner === '' || provisioner === NoProvisioner) return refused({ is: 'noProvisioner', className });
  if (!cache.nodesMatchingTopologies(allowedTopologies).has(node.index)) return refused({ is: 'topology', className });
  const request = claim.spec.resources?.requests?.storage;
  if (request === undefined) return { is: 'possible', className };
  const driver = cluster.csiDriver(provisioner);
  if (driver === undefined && cluster.lacks('CSIDriver')) return { is: 'unknown', lacks: ['CSIDriver'] };
  if (driver?.spec?.storageCapacity !== true) return { is: 'possible', className };
  const room = cache.largestCapacityOn(className, node);
  if (room !== undefined && room >= quantityValue(claimRequest(claim))) return { is: 'possible', className };
  if (cluster.lacks('CSIStorageCapacity')) return { is: 'unknown', lacks: ['CSIStorageCapacity'] };
  return refused({ is: 'capacity', className, driver: provisioner, request });
}

const refused = (refusal: ProvisionRefusal): Provisioning => ({ is: 'refused', refusal });

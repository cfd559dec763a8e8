import type { PersistentVolumeClaim, StorageClass } from '../../api/objects.ts';

/** How the provisioner was started, as far as that is known. */
export interface ProvisionerOptions {
  readonly strictTopology?: boolean;
  readonly immediateTopology?: boolean;
}

/** What a provisioner is asked for. */
export interface ProvisionRequest {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  /** The driver that acts; for a migrated in-tree class not the one that the class names. */
  readonly driver: string;
  readonly selectedNode?: string;
  readonly options: ProvisionerOptions;
}

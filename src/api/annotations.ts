/** Names that the controllers write into metadata (component-helpers storage/volume/pv_helpers.go; specification pv-controller 0.1). */

export const AnnBindCompleted = 'pv.kubernetes.io/bind-completed';
export const AnnBoundByController = 'pv.kubernetes.io/bound-by-controller';
export const AnnSelectedNode = 'volume.kubernetes.io/selected-node';
export const AnnDynamicallyProvisioned = 'pv.kubernetes.io/provisioned-by';
export const AnnMigratedTo = 'pv.kubernetes.io/migrated-to';
export const AnnStorageProvisioner = 'volume.kubernetes.io/storage-provisioner';
export const AnnBetaStorageProvisioner = 'volume.beta.kubernetes.io/storage-provisioner';
export const AnnBetaStorageClass = 'volume.beta.kubernetes.io/storage-class';
export const AnnAlphaStorageClass = 'volume.alpha.kubernetes.io/storage-class';
export const AnnIsDefaultClass = 'storageclass.kubernetes.io/is-default-class';
export const AnnBetaIsDefaultClass = 'storageclass.beta.kubernetes.io/is-default-class';
export const AnnPreResizeCapacity = 'volume.alpha.kubernetes.io/pre-resize-capacity';
export const AnnMigratedPlugins = 'storage.alpha.kubernetes.io/migrated-plugins';

// Marks of tools that create things in steps and wait between them.
export const AnnHelmHook = 'helm.sh/hook';
export const AnnArgoHook = 'argocd.argoproj.io/hook';
export const AnnArgoSyncWave = 'argocd.argoproj.io/sync-wave';

export const InTreeFinalizer = 'kubernetes.io/pv-controller';
export const ExternalProvisionerFinalizer = 'external-provisioner.volume.kubernetes.io/finalizer';
export const PVProtectionFinalizer = 'kubernetes.io/pv-protection';
export const PVCProtectionFinalizer = 'kubernetes.io/pvc-protection';
export const CloningProtectionFinalizer = 'provisioner.storage.kubernetes.io/cloning-protection';

export const NoProvisioner = 'kubernetes.io/no-provisioner';

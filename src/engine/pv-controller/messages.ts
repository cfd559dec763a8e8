import { quote } from '../../api/go-text.ts';

// The controller's words, as Kubernetes spells them: pkg/controller/volume/events/event.go and the literals of
// pkg/controller/volume/persistentvolume/pv_controller.go (1.37); specification pv-controller 14.

export type EventType = 'Normal' | 'Warning';

export type EventReason =
  | 'FailedBinding'
  | 'VolumeMismatch'
  | 'ClaimLost'
  | 'ClaimMisbound'
  | 'WaitForFirstConsumer'
  | 'WaitForPodScheduled'
  | 'ExternalProvisioning'
  | 'ProvisioningFailed'
  | 'ProvisioningSucceeded'
  | 'ProvisioningCleanupFailed'
  | 'VolumeDelete'
  | 'VolumeFailedDelete'
  | 'VolumeFailedRecycle'
  | 'VolumeRecycled'
  | 'VolumeUnknownReclaimPolicy';

/** Go's %q. */
export const quoted = quote;

export const messages = {
  noVolumeAndNoClass: 'no persistent volumes available for this claim and no storage class is set',
  boundToDifferentClaim: (volume: string) => `volume ${quoted(volume)} already bound to a different claim.`,
  cannotBindToRequested: (volume: string, reason: string) =>
    `Cannot bind to requested volume ${quoted(volume)}: ${reason}`,
  volumeModeOfVolume: (claim: string) =>
    `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${quoted(claim)} due to incompatible volumeMode.`,
  volumeModeOfClaim: (volume: string) =>
    `Cannot bind PersistentVolume ${quoted(volume)} to requested PersistentVolumeClaim due to incompatible volumeMode.`,
  lostReference: 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!',
  lostVolume: 'Bound claim has lost its PersistentVolume. Data on the volume is lost!',
  misbound: 'Two claims are bound to the same volume, this one is bound incorrectly',
  waitForFirstConsumer: 'waiting for first consumer to be created before binding',
  waitForPodsScheduled: (pods: readonly string[]) =>
    pods.length === 1
      ? `waiting for pod ${pods[0]} to be scheduled`
      : `waiting for pods ${pods.join(',')} to be scheduled`,
  externalProvisioning: (provisioner: string) =>
    `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`,
  /** Up to 1.27. */
  externalProvisioningOld: (provisioner: string) =>
    `waiting for a volume to be created, either by external provisioner ${quoted(provisioner)} or manually created by system administrator`,
  errorSavingClaim: (cause: string) => `Error saving claim: ${cause}`,
  notCSI: (plugin: string) =>
    `plugin ${quoted(plugin)} is not a CSI plugin. Only CSI plugin can provision a claim with a datasource`,
  mountOptions: (className: string, options: readonly string[]) =>
    `Mount options are not supported by the provisioner but StorageClass ${quoted(className)} has mount options [${options.join(' ')}]`,
  createProvisioner: (cause: string) => `Failed to create provisioner: ${cause}`,
  pluginDisabled: (plugin: string) => `provisioning in volume plugin ${quoted(plugin)} is disabled`,
  getNode: (cause: string) => `Failed to get target node: ${cause}`,
  provision: (className: string, cause: string) =>
    `Failed to provision volume with StorageClass ${quoted(className)}: ${cause}`,
  createVolume: (claim: string, cause: string) =>
    `Error creating provisioned PV object for claim ${claim}: ${cause}. Deleting the volume.`,
  cleanUp: (claim: string, cause: string) =>
    `Error cleaning provisioned volume for claim ${claim}: ${cause}. Please delete manually.`,
  provisioned: (volume: string, plugin: string) => `Successfully provisioned volume ${volume} using ${plugin}`,
  unknownReclaimPolicy: 'Volume has unrecognized PersistentVolumeReclaimPolicy',
  usedByPods: (pods: readonly string[]) => `Volume is used by pods: ${pods.join(',')}`,
  noRecycler: 'No recycler plugin found for the volume!',
  recycled: 'Volume recycled',
  noPluginMatchedName: (name: string) => `no volume plugin matched name: ${name}`,
  noPluginMatched: 'no volume plugin matched',
  noProvisionablePlugin: 'no provisionable volume plugin matched',
  noDeletablePlugin: 'no deletable volume plugin matched',
  deleterPlugin: (volume: string, cause: string) =>
    `error getting deleter volume plugin for volume ${quoted(volume)}: ${cause}`,
  createDeleter: (volume: string, cause: string) => `failed to create deleter for volume ${quoted(volume)}: ${cause}`,
  hostPathDeleter: (path: string) => `host_path deleter only supports /tmp/.+ but received provided ${path}`,
  immutableSpec: (claim: string) =>
    `PersistentVolumeClaim ${quoted(claim)} is invalid: spec: Forbidden: spec is immutable after creation except resources.requests for bound claims`,
  classNotFound: (name: string) => `storageclass.storage.k8s.io ${quoted(name)} not found`,
} as const;

/** Why checkVolumeSatisfyClaim refuses, in its words. */
export const mismatchReasons = {
  VolumeTerminating: (volume: string) => `the volume is marked for deletion ${quoted(volume)}`,
  CapacityTooSmall: 'requested PV is too small',
  ClassMismatch: 'storageClassName does not match',
  VolumeAttributesClassMismatch: 'volumeAttributesClassName does not match',
  volumeAttributesClassDisabled:
    'volumeAttributesClassName is not supported when the feature-gate VolumeAttributesClass is disabled',
  VolumeModeMismatch: 'incompatible volumeMode',
  AccessModesMissing: 'incompatible accessMode',
} as const;

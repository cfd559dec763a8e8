/**
 * What the simulated release does differently from others: gates as they stand by default, and changes that came without a gate.
 * kubernetes/kubernetes pkg/features/kube_features.go (1.37); specification pv-controller 9 and 10, scheduler-and-provisioning 9.
 */
export interface Features {
  /** The simulated release, "1.34". */
  readonly release: string;

  // The API server.
  /** Of several default classes the newest counts; before, a claim without class was refused. */
  readonly newestDefaultClass: boolean;
  /** Gate RecoverVolumeExpansionFailure: the request of a bound claim may be lowered. */
  readonly recoverVolumeExpansionFailure: boolean;

  // Matching, in the controller and in the scheduler.
  /** Gate VolumeAttributesClass. Off, volumes and claims that carry one never match, if it is compared at all. */
  readonly volumeAttributesClass: boolean;
  /** The VolumeAttributesClass is looked at when volumes are matched. */
  readonly comparesVolumeAttributesClass: boolean;
  /** Gate ReadWriteOncePod: the API server admits this access mode. */
  readonly readWriteOncePod: boolean;

  // The PersistentVolume controller.
  /** Gate RetroactiveDefaultStorageClass. */
  readonly retroactiveDefaultStorageClass: boolean;
  /** The class "" means none when a default class is filled in later; before, the attempt failed at each sync and without an event. */
  readonly emptyClassIsClass: boolean;
  /** Gate HonorPVReclaimPolicy: finalizers guard volumes that are to be deleted with their data. */
  readonly honorPVReclaimPolicy: boolean;
  /** Deleting looks for the plugin before it reads the volume again, and a missing plugin is not retried with back-off. */
  readonly deleterLookupFirst: boolean;
  /** A CSI volume that nobody provisioned is left to an external deleter instead of being marked Failed. */
  readonly externalDeleterForStaticCSI: boolean;
  /** A sync that ended in an error is tried again after a back-off; before, at the next resync. */
  readonly retriesSyncErrors: boolean;
  /** The event ExternalProvisioning in its present words; also, a claim that cannot be saved while provisioning gets an event. */
  readonly rewordedExternalProvisioning: boolean;
  /** Cleaning up after a volume that could not be saved repeats every failing step, not only the last. */
  readonly retriesProvisioningCleanup: boolean;
  /** The in-tree plugins that kube-controller-manager registers for the controller, by name. */
  readonly controllerPlugins: readonly string[];
  /** The in-tree plugins whose volumes CSI drivers serve, by name. */
  readonly migratedPlugins: readonly string[];

  // The scheduler.
  /** Gate CSIMigrationPortworx. */
  readonly csiMigrationPortworx: boolean;
  /** Gate PodSchedulingReadiness. */
  readonly schedulingGates: boolean;
  /** Gate SidecarContainers: init containers with restartPolicy Always keep their requests. */
  readonly sidecarContainers: boolean;
  /** Gate PodLevelResources. */
  readonly podLevelResources: boolean;
  /** Gate InPlacePodVerticalScaling. */
  readonly inPlacePodVerticalScaling: boolean;
  /** Gate InPlacePodLevelResourcesVerticalScaling. */
  readonly podLevelResourcesVerticalScaling: boolean;
  /** A resized pod counts with the largest of its totals, not with each container's largest. */
  readonly podWideResizeRequests: boolean;
  /** Gate NodeDeclaredFeatures. */
  readonly nodeDeclaredFeatures: boolean;
  /** Gate StorageCapacityScoring: nodes are preferred by the room that their volumes leave. */
  readonly storageCapacityScoring: boolean;
  /** Gate VolumeLimitScaling: a driver may ask to be installed before a pod is sent to a node. */
  readonly volumeLimitScaling: boolean;
  /** Attach limits count a migrated in-tree volume only where the CSINode says so in an annotation. */
  readonly limitsReadMigratedPlugins: boolean;
  /** Attach limits count VolumeAttachments, too. */
  readonly limitsCountAttachments: boolean;
  /** NodeName comes before NodeUnschedulable and names its node in PreFilter. */
  readonly nodeNameFirst: boolean;
  /** Requests larger than the whole node cannot be helped by preemption. */
  readonly fitUnresolvable: boolean;
  /** A volume's beta zone label is also compared with the node's label of today. */
  readonly zoneLabelFallback: boolean;
  /** Gate NodeInclusionPolicyInPodTopologySpread. */
  readonly nodeInclusionPolicy: boolean;
  /** Gate MatchLabelKeysInPodTopologySpread. */
  readonly spreadMatchLabelKeys: boolean;
  /** A ReadWriteOncePod claim in use may be freed by preemption. */
  readonly readWriteOncePodPreemption: boolean;
  readonly wording: SchedulerWording;
}

/** How the scheduler of a release words what it has to say. */
export interface SchedulerWording {
  readonly nodeConflict: string;
  readonly readWriteOncePodConflict: string;
  /** Without or with the taint's key and value. */
  readonly untoleratedTaint: 'plain' | 'keyAndValue';
  /** Of nodes outside a PreFilter list: with the plugins' names, one fixed text, or nothing. */
  readonly outsideNodeList: 'plugins' | 'fixed' | 'none';
  /** A PreFilter rejection is told once, not counted by node. */
  readonly preFilterOnce: boolean;
  /** What stands before the preemption text when dynamic resources had nothing to say. */
  readonly preemptionPrefix: 'no new claims to deallocate, ' | '';
  /** After a PreFilter rejection the preemption text is this; undefined: the usual one. */
  readonly preemptionAfterPreFilter: 'not found' | undefined;
  /** The preemption text ends in two periods. */
  readonly doubledPeriod: boolean;
  /** A preemption that found a place is told. */
  readonly tellsPreemptionSuccess: boolean;
}

/** A text that names no Kubernetes release. */
export class VersionError extends Error {
  override readonly name = 'VersionError';
}

/** The releases whose behaviour was compared with upstream's code. */
export const testedReleases: readonly string[] = ['1.34', '1.35', '1.36', '1.37'];

export const newestRelease = '1.37';

const newestMinor = 37;
const oldestMinor = 25;

/**
 * The features of a release: "1.31", "v1.31.4", "v1.31.4+k3s1". Without a patch, the newest of the minor is meant; later releases
 * behave as the newest known, earlier ones as 1.25. Throws VersionError.
 */
export function featuresFor(version: string): Features {
  const { minor, patch } = readVersion(version);
  const since = (first: number): boolean => minor >= first;
  const isPatched = (first: readonly [minor: number, patch: number][]): boolean =>
    first.some(([patchedMinor, firstPatch]) => minor === patchedMinor && patch >= firstPatch);

  return {
    release: `1.${minor}`,
    newestDefaultClass: since(26),
    recoverVolumeExpansionFailure: since(32),
    volumeAttributesClass: since(34),
    comparesVolumeAttributesClass: since(31),
    readWriteOncePod: since(27),
    retroactiveDefaultStorageClass: since(26),
    emptyClassIsClass:
      since(30) ||
      isPatched([
        [26, 14],
        [27, 11],
        [28, 7],
        [29, 2],
      ]),
    honorPVReclaimPolicy: since(31),
    deleterLookupFirst: since(36),
    externalDeleterForStaticCSI: since(31),
    retriesSyncErrors: since(36),
    rewordedExternalProvisioning: since(28),
    retriesProvisioningCleanup: since(36),
    controllerPlugins: controllerPlugins(minor),
    migratedPlugins: since(31) ? [...alwaysMigrated, 'kubernetes.io/portworx-volume'] : alwaysMigrated,
    csiMigrationPortworx: since(31),
    schedulingGates: since(27),
    sidecarContainers: since(29),
    podLevelResources: since(34),
    inPlacePodVerticalScaling: since(33),
    podLevelResourcesVerticalScaling: since(36),
    podWideResizeRequests: since(37),
    nodeDeclaredFeatures: since(36),
    storageCapacityScoring: since(37),
    volumeLimitScaling: since(37),
    limitsReadMigratedPlugins: !since(36),
    limitsCountAttachments: since(32),
    nodeNameFirst: since(37),
    fitUnresolvable: since(34),
    zoneLabelFallback: since(29),
    nodeInclusionPolicy: since(26),
    spreadMatchLabelKeys: since(27),
    readWriteOncePodPreemption: since(27),
    wording: {
      nodeConflict: since(33)
        ? "node(s) didn't match PersistentVolume's node affinity"
        : 'node(s) had volume node affinity conflict',
      readWriteOncePodConflict: since(34)
        ? 'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod'
        : 'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode',
      untoleratedTaint: since(35) || isPatched([[34, 2]]) ? 'plain' : 'keyAndValue',
      outsideNodeList: since(32) ? 'plugins' : since(30) ? 'fixed' : 'none',
      preFilterOnce: since(26),
      preemptionPrefix: since(34) && !since(37) ? 'no new claims to deallocate, ' : '',
      preemptionAfterPreFilter: since(34) ? 'not found' : undefined,
      doubledPeriod: since(26) && !since(29),
      tellsPreemptionSuccess: since(37),
    },
  };
}

function readVersion(version: string): { readonly minor: number; readonly patch: number } {
  // Managed clusters call the minor "31+" where it stands alone.
  const match = /^v?(\d{1,3})\.(\d{1,4})(?:\.(\d{1,6}))?(?:[-+].*)?$/.exec(version.trim());
  if (match === null) {
    throw new VersionError(
      `${JSON.stringify(version)} is not a Kubernetes version such as ${newestRelease} or v1.34.2`,
    );
  }
  const [major, minor] = [Number(match[1]), Number(match[2])];
  const newestPatch = Number.POSITIVE_INFINITY;
  if (major > 1 || (major === 1 && minor > newestMinor)) return { minor: newestMinor, patch: newestPatch };
  if (major < 1 || minor < oldestMinor) return { minor: oldestMinor, patch: newestPatch };
  return { minor, patch: match[3] === undefined ? newestPatch : Number(match[3]) };
}

const alwaysMigrated: readonly string[] = [
  'kubernetes.io/aws-ebs',
  'kubernetes.io/gce-pd',
  'kubernetes.io/azure-disk',
  'kubernetes.io/azure-file',
  'kubernetes.io/cinder',
  'kubernetes.io/vsphere-volume',
];

// Up to 1.30 every plugin that was still in the tree, migrated or not; later, those that can do something for the controller.
function controllerPlugins(minor: number): readonly string[] {
  const removedIn: readonly [plugin: string, minor: number][] = [
    ['kubernetes.io/host-path', Number.POSITIVE_INFINITY],
    ['kubernetes.io/nfs', Number.POSITIVE_INFINITY],
    ['kubernetes.io/local-volume', 31],
    ['kubernetes.io/csi', 31],
    ['kubernetes.io/glusterfs', 26],
    ['kubernetes.io/cinder', 26],
    ['kubernetes.io/aws-ebs', 27],
    ['kubernetes.io/azure-disk', 27],
    ['kubernetes.io/gce-pd', 28],
    ['kubernetes.io/vsphere-volume', 29],
    ['kubernetes.io/azure-file', 30],
    ['kubernetes.io/rbd', 31],
    ['kubernetes.io/portworx-volume', 36],
  ];
  return removedIn.filter(([, removed]) => minor < removed).map(([plugin]) => plugin);
}

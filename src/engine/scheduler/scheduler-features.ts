/**
 * Where the scheduler's filters differ between releases, as far as this program follows them: gates as they stand by default, changes
 * without a gate, and the wording of reasons (specification scheduler-and-provisioning 9).
 */
export interface SchedulerFeatures {
  /** Gate VolumeAttributesClass. */
  readonly volumeAttributesClass: boolean;
  /** Gate CSIMigrationPortworx. */
  readonly csiMigrationPortworx: boolean;
  /** Gate PodLevelResources. */
  readonly podLevelResources: boolean;
  /** Gate InPlacePodVerticalScaling. */
  readonly inPlacePodVerticalScaling: boolean;
  /** Gate InPlacePodLevelResourcesVerticalScaling. */
  readonly podLevelResourcesVerticalScaling: boolean;
  /** A resized pod counts with the largest of its totals, not with each container's largest. */
  readonly podWideResizeRequests: boolean;
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
  readonly wording: {
    readonly nodeConflict: string;
    readonly readWriteOncePodConflict: string;
    /** "plain", with the taint's key and value, or the sentence of old. */
    readonly untoleratedTaint: 'plain' | 'keyAndValue' | 'old';
    /** Of nodes outside a PreFilter list: with the plugins' names, one fixed text, or nothing. */
    readonly outsideNodeList: 'plugins' | 'fixed' | 'none';
    /** A PreFilter rejection is told once, not counted by node. */
    readonly preFilterOnce: boolean;
  };
}

/** By release ("1.34.2", "v1.37.2", "1.36"); a missing patch is the newest of its minor. */
export function schedulerFeaturesFor(version: string): SchedulerFeatures {
  const [, minorText = '37', patchText = '99'] = /^v?1\.(\d+)(?:\.(\d+))?/.exec(version) ?? [];
  const minor = Number(minorText);
  const since = (first: number): boolean => minor >= first;
  const hasPlainTaintText = since(35) || (minor === 34 && Number(patchText) >= 2);
  return {
    volumeAttributesClass: since(34),
    csiMigrationPortworx: since(31),
    podLevelResources: since(34),
    inPlacePodVerticalScaling: since(33),
    podLevelResourcesVerticalScaling: since(36),
    podWideResizeRequests: since(37),
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
      untoleratedTaint: hasPlainTaintText ? 'plain' : since(24) ? 'keyAndValue' : 'old',
      outsideNodeList: since(32) ? 'plugins' : since(30) ? 'fixed' : 'none',
      preFilterOnce: since(26),
    },
  };
}

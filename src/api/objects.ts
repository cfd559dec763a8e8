/**
 * The fields of Kubernetes objects that this program reads, as the API spells them. Everything is optional that a dump may
 * lack; nothing here is ever mutated. Fields that are not named here are not kept when a dump is read.
 */

export type Labels = Readonly<Record<string, string>>;
export type Annotations = Readonly<Record<string, string>>;

/** Quantities stay in the spelling of the API server until somebody compares them: see quantity.ts. */
export type ResourceList = Readonly<Record<string, string>>;

export type AccessMode = 'ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod' | (string & {});
export type VolumeMode = 'Filesystem' | 'Block' | (string & {});

export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generateName?: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Labels;
  readonly annotations?: Annotations;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/** What every object has. */
export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

export interface NodeSelector {
  readonly nodeSelectorTerms?: readonly NodeSelectorTerm[];
}

export interface TypedObjectReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface CSIVolumeSource {
  readonly driver?: string;
  readonly volumeHandle?: string;
  readonly readOnly?: boolean;
  readonly fsType?: string;
}

/** Exactly one of these says where a volume's data lives. */
export interface VolumeSources {
  readonly csi?: CSIVolumeSource;
  readonly hostPath?: { readonly path?: string; readonly type?: string };
  readonly local?: { readonly path?: string };
  readonly nfs?: { readonly server?: string; readonly path?: string; readonly readOnly?: boolean };
  readonly awsElasticBlockStore?: { readonly volumeID?: string; readonly readOnly?: boolean };
  readonly gcePersistentDisk?: { readonly pdName?: string; readonly readOnly?: boolean };
  readonly azureDisk?: { readonly diskName?: string; readonly diskURI?: string };
  readonly azureFile?: { readonly shareName?: string; readonly secretName?: string };
  readonly cinder?: { readonly volumeID?: string };
  readonly vsphereVolume?: { readonly volumePath?: string };
  readonly portworxVolume?: { readonly volumeID?: string };
  readonly rbd?: {
    readonly monitors?: readonly string[];
    readonly image?: string;
    readonly pool?: string;
    readonly readOnly?: boolean;
  };
  readonly iscsi?: {
    readonly targetPortal?: string;
    readonly iqn?: string;
    readonly lun?: number;
    readonly readOnly?: boolean;
  };
  readonly fc?: object;
  readonly cephfs?: object;
  readonly glusterfs?: object;
  readonly flexVolume?: { readonly driver?: string };
  readonly flocker?: object;
  readonly quobyte?: object;
  readonly scaleIO?: object;
  readonly storageos?: object;
  readonly photonPersistentDisk?: object;
}

export interface PersistentVolumeSpec extends VolumeSources {
  readonly capacity?: ResourceList;
  readonly accessModes?: readonly AccessMode[];
  readonly claimRef?: ObjectReference;
  readonly persistentVolumeReclaimPolicy?: string;
  readonly storageClassName?: string;
  readonly mountOptions?: readonly string[];
  readonly volumeMode?: VolumeMode;
  readonly nodeAffinity?: { readonly required?: NodeSelector };
  readonly volumeAttributesClassName?: string;
}

export interface PersistentVolume extends KubernetesObject {
  readonly spec: PersistentVolumeSpec;
  readonly status?: {
    readonly phase?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly lastPhaseTransitionTime?: string;
  };
}

export interface PersistentVolumeClaimSpec {
  readonly accessModes?: readonly AccessMode[];
  readonly selector?: LabelSelector;
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
  readonly volumeName?: string;
  readonly storageClassName?: string;
  readonly volumeMode?: VolumeMode;
  readonly dataSource?: TypedObjectReference;
  readonly dataSourceRef?: TypedObjectReference;
  readonly volumeAttributesClassName?: string;
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export interface PersistentVolumeClaim extends KubernetesObject {
  readonly spec: PersistentVolumeClaimSpec;
  readonly status?: {
    readonly phase?: string;
    readonly accessModes?: readonly AccessMode[];
    readonly capacity?: ResourceList;
    readonly conditions?: readonly Condition[];
    readonly allocatedResources?: ResourceList;
    readonly allocatedResourceStatuses?: Readonly<Record<string, string>>;
    readonly currentVolumeAttributesClassName?: string;
    readonly modifyVolumeStatus?: { readonly targetVolumeAttributesClassName?: string; readonly status?: string };
  };
}

export interface TopologySelectorTerm {
  readonly matchLabelExpressions?: readonly { readonly key: string; readonly values?: readonly string[] }[];
}

export interface StorageClass extends KubernetesObject {
  readonly provisioner?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: string;
  readonly mountOptions?: readonly string[];
  readonly allowVolumeExpansion?: boolean;
  readonly volumeBindingMode?: string;
  readonly allowedTopologies?: readonly TopologySelectorTerm[];
}

export interface VolumeAttributesClass extends KubernetesObject {
  readonly driverName?: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

export interface Node extends KubernetesObject {
  readonly spec?: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
    readonly providerID?: string;
  };
  readonly status?: {
    readonly allocatable?: ResourceList;
    readonly capacity?: ResourceList;
    readonly conditions?: readonly Condition[];
    readonly nodeInfo?: { readonly kubeletVersion?: string };
    readonly images?: readonly unknown[];
    readonly declaredFeatures?: readonly string[];
  };
}

export interface CSINodeDriver {
  readonly name: string;
  readonly nodeID?: string;
  readonly topologyKeys?: readonly string[];
  readonly allocatable?: { readonly count?: number };
}

export interface CSINode extends KubernetesObject {
  readonly spec?: { readonly drivers?: readonly CSINodeDriver[] };
}

export interface CSIDriver extends KubernetesObject {
  readonly spec?: {
    readonly attachRequired?: boolean;
    readonly storageCapacity?: boolean;
    readonly preventPodSchedulingIfMissing?: boolean;
  };
}

export interface CSIStorageCapacity extends KubernetesObject {
  readonly storageClassName?: string;
  readonly capacity?: string;
  readonly maximumVolumeSize?: string;
  readonly nodeTopology?: LabelSelector;
}

export interface VolumeAttachment extends KubernetesObject {
  readonly spec?: {
    readonly attacher?: string;
    readonly nodeName?: string;
    readonly source?: { readonly persistentVolumeName?: string; readonly inlineVolumeSpec?: PersistentVolumeSpec };
  };
  readonly status?: { readonly attached?: boolean; readonly attachError?: { readonly message?: string } };
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export interface Container {
  readonly name?: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly restartPolicy?: string;
  readonly resources?: {
    readonly requests?: ResourceList;
    readonly limits?: ResourceList;
    readonly claims?: readonly { readonly name: string }[];
  };
  readonly ports?: readonly {
    readonly containerPort?: number;
    readonly hostPort?: number;
    readonly hostIP?: string;
    readonly protocol?: string;
  }[];
}

export interface PersistentVolumeClaimTemplate {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec: PersistentVolumeClaimSpec;
}

export interface PodVolume extends VolumeSources {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string; readonly readOnly?: boolean };
  readonly ephemeral?: { readonly volumeClaimTemplate?: PersistentVolumeClaimTemplate };
}

export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
  readonly topologyKey: string;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

export interface Affinity {
  readonly nodeAffinity?: { readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector };
  readonly podAffinity?: { readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[] };
  readonly podAntiAffinity?: { readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[] };
}

export interface TopologySpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
  readonly matchLabelKeys?: readonly string[];
}

export interface ContainerStatus {
  readonly name?: string;
  readonly state?: {
    readonly waiting?: { readonly reason?: string };
    readonly running?: object;
    readonly terminated?: object;
  };
  readonly resources?: { readonly requests?: ResourceList };
  readonly allocatedResources?: ResourceList;
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly schedulerName?: string;
  readonly nodeSelector?: Labels;
  readonly affinity?: Affinity;
  readonly tolerations?: readonly Toleration[];
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly schedulingGates?: readonly { readonly name: string }[];
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly overhead?: ResourceList;
  readonly resources?: { readonly requests?: ResourceList };
  readonly hostNetwork?: boolean;
  readonly volumes?: readonly PodVolume[];
  readonly resourceClaims?: readonly unknown[];
  readonly priority?: number;
  readonly preemptionPolicy?: string;
}

export interface Pod extends KubernetesObject {
  readonly spec: PodSpec;
  readonly status?: {
    readonly phase?: string;
    readonly nominatedNodeName?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  };
}

export interface Namespace extends KubernetesObject {
  readonly status?: { readonly phase?: string };
}

export interface ResourceQuota extends KubernetesObject {
  readonly spec?: {
    readonly hard?: ResourceList;
    readonly scopes?: readonly string[];
    readonly scopeSelector?: {
      readonly matchExpressions?: readonly {
        readonly scopeName: string;
        readonly operator: string;
        readonly values?: readonly string[];
      }[];
    };
  };
  readonly status?: { readonly hard?: ResourceList; readonly used?: ResourceList };
}

export interface LimitRange extends KubernetesObject {
  readonly spec?: {
    readonly limits?: readonly {
      readonly type: string;
      readonly max?: ResourceList;
      readonly min?: ResourceList;
      readonly maxLimitRequestRatio?: ResourceList;
    }[];
  };
}

/** A pod template as workloads carry it. */
export interface PodTemplate {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: PodSpec;
}

/** StatefulSet, Deployment, DaemonSet, ReplicaSet, ReplicationController, Job and CronJob: what they tell about claims. */
export interface Workload extends KubernetesObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly ordinals?: { readonly start?: number };
    readonly template?: PodTemplate;
    readonly jobTemplate?: { readonly spec?: { readonly template?: PodTemplate } };
    readonly volumeClaimTemplates?: readonly PersistentVolumeClaimTemplate[];
  };
  readonly status?: {
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    /** Of a DaemonSet. */
    readonly desiredNumberScheduled?: number;
    readonly numberAvailable?: number;
  };
}

export interface VolumeSnapshot extends KubernetesObject {
  readonly spec?: { readonly volumeSnapshotClassName?: string };
  readonly status?: {
    readonly boundVolumeSnapshotContentName?: string;
    readonly readyToUse?: boolean;
    readonly restoreSize?: string;
    readonly error?: { readonly message?: string };
  };
}

export interface VolumeSnapshotContent extends KubernetesObject {
  readonly spec?: {
    readonly driver?: string;
    readonly volumeSnapshotRef?: ObjectReference;
    readonly sourceVolumeMode?: VolumeMode;
  };
  readonly status?: { readonly snapshotHandle?: string };
}

export interface VolumeSnapshotClass extends KubernetesObject {
  readonly driver?: string;
}

/** What objects of other namespaces may refer to in the namespace of the grant. */
export interface ReferenceGrant extends KubernetesObject {
  readonly spec?: {
    readonly from?: readonly { readonly group?: string; readonly kind: string; readonly namespace: string }[];
    readonly to?: readonly { readonly group?: string; readonly kind: string; readonly name?: string }[];
  };
}

/** Who leads, and when that was last confirmed. */
export interface Lease extends KubernetesObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly renewTime?: string;
  };
}

/** That a Secret is there, and nothing of what it holds. */
export type Secret = KubernetesObject;

/** An event in one shape, whichever API it came from (sources/decode normalises). */
export interface Event extends KubernetesObject {
  readonly involvedObject: ObjectReference;
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly source?: { readonly component?: string };
}

import type * as k from '../../api/objects.ts';
import type { Kind } from '../../snapshot/kinds.ts';

// Which fields are kept of each kind: those of src/api/objects.ts, no more, so that memory depends on what is used.

export type Shape =
  /** `isUnique`: differs from object to object, so that remembering it for comparison would be a waste. */
  | { readonly is: 'text'; readonly isUnique: boolean }
  | { readonly is: 'flag' }
  | { readonly is: 'integer' }
  | { readonly is: 'quantity' }
  /** RFC 3339. `isPast`: tells when the dump was taken at the earliest. `isKept`: false if that is all it is read for. */
  | { readonly is: 'time'; readonly isPast: boolean; readonly isKept: boolean }
  | { readonly is: 'list'; readonly of: Shape }
  | { readonly is: 'map'; readonly of: Shape }
  | { readonly is: 'annotations' }
  /** An object of which only counts that it is there. */
  | { readonly is: 'opaque' }
  | Fields;

export interface Fields {
  readonly is: 'fields';
  readonly fields: readonly (readonly [name: string, shape: Shape, isRequired: boolean])[];
}

type Field = Shape | { readonly required: Shape };

const text: Shape = { is: 'text', isUnique: false };
const uniqueText: Shape = { is: 'text', isUnique: true };
const flag: Shape = { is: 'flag' };
const integer: Shape = { is: 'integer' };
const quantity: Shape = { is: 'quantity' };
const time: Shape = { is: 'time', isPast: true, isKept: true };
const deadline: Shape = { is: 'time', isPast: false, isKept: true };
const seenAt: Shape = { is: 'time', isPast: true, isKept: false };
const opaque: Shape = { is: 'opaque' };
const texts = listOf(text);
const textMap = mapOf(text);
const quantities = mapOf(quantity);

/** A row for every field of the type: a field that is added to it has to be added here. */
function fields<T>(
  shapes: { readonly [F in keyof Required<T>]: Field },
  others: Readonly<Record<string, Field>> = {},
): Fields {
  const entries = Object.entries<Field>({ ...shapes, ...others });
  return {
    is: 'fields',
    fields: entries.map(([name, field]) =>
      'required' in field ? ([name, field.required, true] as const) : ([name, field, false] as const),
    ),
  };
}

function listOf(of: Shape): Shape {
  return { is: 'list', of };
}

function mapOf(of: Shape): Shape {
  return { is: 'map', of };
}

function required(shape: Shape): Field {
  return { required: shape };
}

type Own<T> = Omit<T, keyof k.KubernetesObject>;

const ownerReference = fields<k.OwnerReference>({
  apiVersion: text,
  kind: required(text),
  name: required(text),
  uid: uniqueText,
  controller: flag,
});

const metaShapes = {
  name: text,
  namespace: text,
  uid: uniqueText,
  resourceVersion: uniqueText,
  generateName: text,
  creationTimestamp: time,
  deletionTimestamp: deadline,
  labels: textMap,
  annotations: { is: 'annotations' },
  finalizers: texts,
  ownerReferences: listOf(ownerReference),
} as const satisfies { readonly [F in keyof Required<k.ObjectMeta>]: Field };

/** The name is looked at by whoever reads the object: without one it is of no use. */
export const objectMeta = fields<k.ObjectMeta>(metaShapes);
const templateMeta = fields<Partial<k.ObjectMeta>>(metaShapes);

const objectReference = fields<k.ObjectReference>({
  apiVersion: text,
  kind: text,
  namespace: text,
  name: text,
  uid: uniqueText,
  resourceVersion: uniqueText,
  fieldPath: text,
});

const selectorRequirement = fields<k.LabelSelectorRequirement & k.NodeSelectorRequirement>({
  key: required(text),
  operator: required(text),
  values: texts,
});
const labelSelector = fields<k.LabelSelector>({ matchLabels: textMap, matchExpressions: listOf(selectorRequirement) });
const nodeSelector = fields<k.NodeSelector>({
  nodeSelectorTerms: listOf(
    fields<k.NodeSelectorTerm>({
      matchExpressions: listOf(selectorRequirement),
      matchFields: listOf(selectorRequirement),
    }),
  ),
});

const typedObjectReference = fields<k.TypedObjectReference>({
  apiGroup: text,
  kind: required(text),
  name: required(text),
  namespace: text,
});

const condition = fields<k.Condition>(
  { type: required(text), status: required(text), reason: text, message: text, lastTransitionTime: time },
  { lastHeartbeatTime: seenAt, lastProbeTime: seenAt },
);

type Source<F extends keyof k.VolumeSources> = NonNullable<k.VolumeSources[F]>;

const volumeSources: { readonly [F in keyof Required<k.VolumeSources>]: Field } = {
  csi: fields<k.CSIVolumeSource>({ driver: text, volumeHandle: uniqueText, readOnly: flag, fsType: text }),
  hostPath: fields<Source<'hostPath'>>({ path: text, type: text }),
  local: fields<Source<'local'>>({ path: text }),
  nfs: fields<Source<'nfs'>>({ server: text, path: text, readOnly: flag }),
  awsElasticBlockStore: fields<Source<'awsElasticBlockStore'>>({ volumeID: uniqueText, readOnly: flag }),
  gcePersistentDisk: fields<Source<'gcePersistentDisk'>>({ pdName: text, readOnly: flag }),
  azureDisk: fields<Source<'azureDisk'>>({ diskName: text, diskURI: uniqueText }),
  azureFile: fields<Source<'azureFile'>>({ shareName: text, secretName: text }),
  cinder: fields<Source<'cinder'>>({ volumeID: uniqueText }),
  vsphereVolume: fields<Source<'vsphereVolume'>>({ volumePath: uniqueText }),
  portworxVolume: fields<Source<'portworxVolume'>>({ volumeID: uniqueText }),
  rbd: fields<Source<'rbd'>>({ monitors: texts, image: text, pool: text, readOnly: flag }),
  iscsi: fields<Source<'iscsi'>>({ targetPortal: text, iqn: text, lun: integer, readOnly: flag }),
  fc: opaque,
  cephfs: opaque,
  glusterfs: opaque,
  flexVolume: fields<Source<'flexVolume'>>({ driver: text }),
  flocker: opaque,
  quobyte: opaque,
  scaleIO: opaque,
  storageos: opaque,
  photonPersistentDisk: opaque,
};

const volumeSpec = fields<k.PersistentVolumeSpec>({
  ...volumeSources,
  capacity: quantities,
  accessModes: texts,
  claimRef: objectReference,
  persistentVolumeReclaimPolicy: text,
  storageClassName: text,
  mountOptions: texts,
  volumeMode: text,
  nodeAffinity: fields<NonNullable<k.PersistentVolumeSpec['nodeAffinity']>>({ required: nodeSelector }),
  volumeAttributesClassName: text,
});

const resources = fields<NonNullable<k.PersistentVolumeClaimSpec['resources']>>({
  requests: quantities,
  limits: quantities,
});

const claimSpec = fields<k.PersistentVolumeClaimSpec>({
  accessModes: texts,
  selector: labelSelector,
  resources,
  volumeName: text,
  storageClassName: text,
  volumeMode: text,
  dataSource: typedObjectReference,
  dataSourceRef: typedObjectReference,
  volumeAttributesClassName: text,
});

const claimTemplate = fields<k.PersistentVolumeClaimTemplate>({ metadata: templateMeta, spec: required(claimSpec) });

type ClaimStatus = NonNullable<k.PersistentVolumeClaim['status']>;

const claimStatus = fields<ClaimStatus>({
  phase: text,
  accessModes: texts,
  capacity: quantities,
  conditions: listOf(condition),
  allocatedResources: quantities,
  allocatedResourceStatuses: textMap,
  currentVolumeAttributesClassName: text,
  modifyVolumeStatus: fields<NonNullable<ClaimStatus['modifyVolumeStatus']>>({
    targetVolumeAttributesClassName: text,
    status: text,
  }),
});

const topologyTerm = fields<k.TopologySelectorTerm>({
  matchLabelExpressions: listOf(
    fields<NonNullable<k.TopologySelectorTerm['matchLabelExpressions']>[number]>({
      key: required(text),
      values: texts,
    }),
  ),
});

const taint = fields<k.Taint>({ key: required(text), value: text, effect: required(text), timeAdded: time });

const toleration = fields<k.Toleration>({
  key: text,
  operator: text,
  value: text,
  effect: text,
  tolerationSeconds: integer,
});

type ContainerPort = NonNullable<k.Container['ports']>[number];

const container = fields<k.Container>({
  name: text,
  image: text,
  command: texts,
  args: texts,
  restartPolicy: text,
  resources: fields<NonNullable<k.Container['resources']>>({
    requests: quantities,
    limits: quantities,
    claims: listOf(fields<{ readonly name: string }>({ name: required(text) })),
  }),
  ports: listOf(fields<ContainerPort>({ containerPort: integer, hostPort: integer, hostIP: text, protocol: text })),
});

const podAffinityTerm = fields<k.PodAffinityTerm>({
  labelSelector,
  namespaces: texts,
  namespaceSelector: labelSelector,
  topologyKey: required(text),
  matchLabelKeys: texts,
  mismatchLabelKeys: texts,
});

const affinity = fields<k.Affinity>({
  nodeAffinity: fields<NonNullable<k.Affinity['nodeAffinity']>>({
    requiredDuringSchedulingIgnoredDuringExecution: nodeSelector,
  }),
  podAffinity: fields<NonNullable<k.Affinity['podAffinity']>>({
    requiredDuringSchedulingIgnoredDuringExecution: listOf(podAffinityTerm),
  }),
  podAntiAffinity: fields<NonNullable<k.Affinity['podAntiAffinity']>>({
    requiredDuringSchedulingIgnoredDuringExecution: listOf(podAffinityTerm),
  }),
});

const spreadConstraint = fields<k.TopologySpreadConstraint>({
  maxSkew: required(integer),
  topologyKey: required(text),
  whenUnsatisfiable: required(text),
  labelSelector,
  minDomains: integer,
  nodeAffinityPolicy: text,
  nodeTaintsPolicy: text,
  matchLabelKeys: texts,
});

const podVolume = fields<k.PodVolume>({
  ...volumeSources,
  name: required(text),
  persistentVolumeClaim: fields<NonNullable<k.PodVolume['persistentVolumeClaim']>>({
    claimName: required(text),
    readOnly: flag,
  }),
  ephemeral: fields<NonNullable<k.PodVolume['ephemeral']>>({ volumeClaimTemplate: claimTemplate }),
});

const podSpec = fields<k.PodSpec>({
  nodeName: text,
  schedulerName: text,
  nodeSelector: textMap,
  affinity,
  tolerations: listOf(toleration),
  topologySpreadConstraints: listOf(spreadConstraint),
  schedulingGates: listOf(fields<{ readonly name: string }>({ name: required(text) })),
  containers: listOf(container),
  initContainers: listOf(container),
  overhead: quantities,
  resources: fields<NonNullable<k.PodSpec['resources']>>({ requests: quantities }),
  hostNetwork: flag,
  volumes: listOf(podVolume),
  resourceClaims: listOf(opaque),
  priority: integer,
  preemptionPolicy: text,
});

type ContainerState = NonNullable<k.ContainerStatus['state']>;

const containerStatus = fields<k.ContainerStatus>({
  name: text,
  state: fields<ContainerState>({
    waiting: fields<NonNullable<ContainerState['waiting']>>({ reason: text }),
    running: opaque,
    terminated: opaque,
  }),
  resources: fields<NonNullable<k.ContainerStatus['resources']>>({ requests: quantities }),
  allocatedResources: quantities,
});

const podTemplate = fields<k.PodTemplate>({ metadata: templateMeta, spec: podSpec });

type WorkloadSpec = NonNullable<k.Workload['spec']>;
type JobTemplate = NonNullable<WorkloadSpec['jobTemplate']>;

const workload = fields<Own<k.Workload>>({
  spec: fields<WorkloadSpec>({
    replicas: integer,
    ordinals: fields<NonNullable<WorkloadSpec['ordinals']>>({ start: integer }),
    template: podTemplate,
    jobTemplate: fields<JobTemplate>({ spec: fields<NonNullable<JobTemplate['spec']>>({ template: podTemplate }) }),
    volumeClaimTemplates: listOf(claimTemplate),
  }),
  status: fields<NonNullable<k.Workload['status']>>({
    replicas: integer,
    readyReplicas: integer,
    availableReplicas: integer,
    desiredNumberScheduled: integer,
    numberAvailable: integer,
  }),
});

type SnapshotStatus = NonNullable<k.VolumeSnapshot['status']>;
type ContentSpec = NonNullable<k.VolumeSnapshotContent['spec']>;
type GrantSpec = NonNullable<k.ReferenceGrant['spec']>;

type NodeStatus = NonNullable<k.Node['status']>;
type QuotaSpec = NonNullable<k.ResourceQuota['spec']>;
type ScopeSelector = NonNullable<QuotaSpec['scopeSelector']>;
type AttachmentSpec = NonNullable<k.VolumeAttachment['spec']>;
type AttachmentStatus = NonNullable<k.VolumeAttachment['status']>;

/** Both forms of an event at once, core/v1 and events.k8s.io/v1; event.ts makes one of them. */
export interface EventFields {
  readonly involvedObject?: k.ObjectReference;
  readonly regarding?: k.ObjectReference;
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly note?: string;
  readonly count?: number;
  readonly deprecatedCount?: number;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly deprecatedFirstTimestamp?: string;
  readonly deprecatedLastTimestamp?: string;
  readonly eventTime?: string;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string };
  readonly source?: { readonly component?: string };
  readonly deprecatedSource?: { readonly component?: string };
  readonly reportingComponent?: string;
  readonly reportingController?: string;
}

const eventSource = fields<NonNullable<k.Event['source']>>({ component: text });

/** What is kept of each kind beside metadata. */
export const kindShapes: Readonly<Record<Kind, Fields>> = {
  PersistentVolume: fields<Own<k.PersistentVolume>>({
    spec: volumeSpec,
    status: fields<NonNullable<k.PersistentVolume['status']>>({
      phase: text,
      message: text,
      reason: text,
      lastPhaseTransitionTime: time,
    }),
  }),
  PersistentVolumeClaim: fields<Own<k.PersistentVolumeClaim>>({ spec: claimSpec, status: claimStatus }),
  StorageClass: fields<Own<k.StorageClass>>({
    provisioner: text,
    parameters: textMap,
    reclaimPolicy: text,
    mountOptions: texts,
    allowVolumeExpansion: flag,
    volumeBindingMode: text,
    allowedTopologies: listOf(topologyTerm),
  }),
  VolumeAttributesClass: fields<Own<k.VolumeAttributesClass>>({ driverName: text, parameters: textMap }),
  Node: fields<Own<k.Node>>({
    spec: fields<NonNullable<k.Node['spec']>>({ unschedulable: flag, taints: listOf(taint), providerID: uniqueText }),
    status: fields<NodeStatus>({
      allocatable: quantities,
      capacity: quantities,
      conditions: listOf(condition),
      nodeInfo: fields<NonNullable<NodeStatus['nodeInfo']>>({ kubeletVersion: text }),
      images: listOf(opaque),
      declaredFeatures: texts,
    }),
  }),
  Pod: fields<Own<k.Pod>>({
    spec: podSpec,
    status: fields<NonNullable<k.Pod['status']>>({
      phase: text,
      nominatedNodeName: text,
      conditions: listOf(condition),
      containerStatuses: listOf(containerStatus),
      initContainerStatuses: listOf(containerStatus),
      ephemeralContainerStatuses: listOf(containerStatus),
    }),
  }),
  Event: fields<EventFields>({
    involvedObject: objectReference,
    regarding: objectReference,
    type: text,
    reason: text,
    message: text,
    note: text,
    count: integer,
    deprecatedCount: integer,
    firstTimestamp: time,
    lastTimestamp: time,
    deprecatedFirstTimestamp: time,
    deprecatedLastTimestamp: time,
    eventTime: time,
    series: fields<NonNullable<EventFields['series']>>({ count: integer, lastObservedTime: time }),
    source: eventSource,
    deprecatedSource: eventSource,
    reportingComponent: text,
    reportingController: text,
  }),
  CSINode: fields<Own<k.CSINode>>({
    spec: fields<NonNullable<k.CSINode['spec']>>({
      drivers: listOf(
        fields<k.CSINodeDriver>({
          name: required(text),
          nodeID: text,
          topologyKeys: texts,
          allocatable: fields<NonNullable<k.CSINodeDriver['allocatable']>>({ count: integer }),
        }),
      ),
    }),
  }),
  CSIDriver: fields<Own<k.CSIDriver>>({
    spec: fields<NonNullable<k.CSIDriver['spec']>>({
      attachRequired: flag,
      storageCapacity: flag,
      preventPodSchedulingIfMissing: flag,
    }),
  }),
  CSIStorageCapacity: fields<Own<k.CSIStorageCapacity>>({
    storageClassName: text,
    capacity: quantity,
    maximumVolumeSize: quantity,
    nodeTopology: labelSelector,
  }),
  VolumeAttachment: fields<Own<k.VolumeAttachment>>({
    spec: fields<AttachmentSpec>({
      attacher: text,
      nodeName: text,
      source: fields<NonNullable<AttachmentSpec['source']>>({
        persistentVolumeName: text,
        inlineVolumeSpec: volumeSpec,
      }),
    }),
    status: fields<AttachmentStatus>({
      attached: flag,
      attachError: fields<NonNullable<AttachmentStatus['attachError']>>({ message: text }),
    }),
  }),
  ResourceQuota: fields<Own<k.ResourceQuota>>({
    spec: fields<QuotaSpec>({
      hard: quantities,
      scopes: texts,
      scopeSelector: fields<ScopeSelector>({
        matchExpressions: listOf(
          fields<NonNullable<ScopeSelector['matchExpressions']>[number]>({
            scopeName: required(text),
            operator: required(text),
            values: texts,
          }),
        ),
      }),
    }),
    status: fields<NonNullable<k.ResourceQuota['status']>>({ hard: quantities, used: quantities }),
  }),
  LimitRange: fields<Own<k.LimitRange>>({
    spec: fields<NonNullable<k.LimitRange['spec']>>({
      limits: listOf(
        fields<NonNullable<NonNullable<k.LimitRange['spec']>['limits']>[number]>({
          type: required(text),
          max: quantities,
          min: quantities,
          maxLimitRequestRatio: quantities,
        }),
      ),
    }),
  }),
  Namespace: fields<Own<k.Namespace>>({ status: fields<NonNullable<k.Namespace['status']>>({ phase: text }) }),
  StatefulSet: workload,
  Deployment: workload,
  DaemonSet: workload,
  ReplicaSet: workload,
  Job: workload,
  CronJob: workload,
  VolumeSnapshot: fields<Own<k.VolumeSnapshot>>({
    spec: fields<NonNullable<k.VolumeSnapshot['spec']>>({ volumeSnapshotClassName: text }),
    status: fields<SnapshotStatus>({
      boundVolumeSnapshotContentName: text,
      readyToUse: flag,
      restoreSize: quantity,
      error: fields<NonNullable<SnapshotStatus['error']>>({ message: text }),
    }),
  }),
  VolumeSnapshotContent: fields<Own<k.VolumeSnapshotContent>>({
    spec: fields<ContentSpec>({ driver: text, volumeSnapshotRef: objectReference, sourceVolumeMode: text }),
    status: fields<NonNullable<k.VolumeSnapshotContent['status']>>({ snapshotHandle: uniqueText }),
  }),
  VolumeSnapshotClass: fields<Own<k.VolumeSnapshotClass>>({ driver: text }),
  ReferenceGrant: fields<Own<k.ReferenceGrant>>({
    spec: fields<GrantSpec>({
      from: listOf(
        fields<NonNullable<GrantSpec['from']>[number]>({
          group: text,
          kind: required(text),
          namespace: required(text),
        }),
      ),
      to: listOf(fields<NonNullable<GrantSpec['to']>[number]>({ group: text, kind: required(text), name: text })),
    }),
  }),
  Lease: fields<Own<k.Lease>>({
    spec: fields<NonNullable<k.Lease['spec']>>({
      holderIdentity: text,
      leaseDurationSeconds: integer,
      renewTime: time,
    }),
  }),
  Secret: fields<Own<k.Secret>>({}),
};

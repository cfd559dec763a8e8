import type { Field, Shape, StructShape } from './decode-manifest.ts';

// What the API server reads of claims, volumes and classes, field by field.
// k8s.io/api core/v1/types.go, storage/v1/types.go and apimachinery pkg/apis/meta/v1/types.go (1.37)

const named = (go: string): Shape => ({ is: 'string', go });
const text = named('string');
const boolean: Shape = { is: 'boolean' };
const int32: Shape = { is: 'integer', bits: 32 };
const int64: Shape = { is: 'integer', bits: 64 };
const time: Shape = { is: 'time' };
const listOf = (of: Shape): Shape => ({ is: 'list', of, go: `[]${goName(of)}` });
const mapOf = (of: Shape, go = `map[string]${goName(of)}`): Shape => ({ is: 'map', of, go });
const texts = listOf(text);
const textMap = mapOf(text);
const resourceList = mapOf({ is: 'quantity' }, 'v1.ResourceList');

function goName(shape: Shape): string {
  return 'go' in shape ? shape.go : 'string';
}

const value = (shape: Shape): Field => ({ shape, pointer: false, always: false });
const pointer = (shape: Shape): Field => ({ shape, pointer: true, always: false });
/** Fields that the API server prints even when they are empty. */
const always = (shape: Shape): Field => ({ shape, pointer: false, always: true });
const pointerAlways = (shape: Shape): Field => ({ shape, pointer: true, always: true });

const struct = (go: string, fields: StructShape['fields']): StructShape => ({ is: 'struct', go: `v1.${go}`, fields });

const ownerReference = struct('OwnerReference', {
  apiVersion: always(text),
  kind: always(text),
  name: always(text),
  uid: always(named('types.UID')),
  controller: pointer(boolean),
  blockOwnerDeletion: pointer(boolean),
});

const managedFieldsEntry = struct('ManagedFieldsEntry', {
  manager: value(text),
  operation: value(named('v1.ManagedFieldsOperationType')),
  apiVersion: value(text),
  time: pointer(time),
  fieldsType: value(text),
  fieldsV1: pointer({ is: 'anything' }),
  subresource: value(text),
});

const objectMeta = struct('ObjectMeta', {
  name: value(text),
  generateName: value(text),
  namespace: value(text),
  selfLink: value(text),
  uid: value(named('types.UID')),
  resourceVersion: value(text),
  generation: value(int64),
  creationTimestamp: value(time),
  deletionTimestamp: pointer(time),
  deletionGracePeriodSeconds: pointer(int64),
  labels: value(textMap),
  annotations: value(textMap),
  ownerReferences: value(listOf(ownerReference)),
  finalizers: value(texts),
  managedFields: value(listOf(managedFieldsEntry)),
});

const object = { kind: value(text), apiVersion: value(text), metadata: value(objectMeta) };

const labelSelector = struct('LabelSelector', {
  matchLabels: value(textMap),
  matchExpressions: value(
    listOf(
      struct('LabelSelectorRequirement', {
        key: always(text),
        operator: always(named('v1.LabelSelectorOperator')),
        values: value(texts),
      }),
    ),
  ),
});

const nodeSelectorRequirements = listOf(
  struct('NodeSelectorRequirement', {
    key: always(text),
    operator: always(named('v1.NodeSelectorOperator')),
    values: value(texts),
  }),
);

const volumeNodeAffinity = struct('VolumeNodeAffinity', {
  required: pointer(
    struct('NodeSelector', {
      nodeSelectorTerms: always(
        listOf(
          struct('NodeSelectorTerm', {
            matchExpressions: value(nodeSelectorRequirements),
            matchFields: value(nodeSelectorRequirements),
          }),
        ),
      ),
    }),
  ),
});

const typedReference = {
  apiGroup: pointerAlways(text),
  kind: always(text),
  name: always(text),
};

const accessModes = value(listOf(named('v1.PersistentVolumeAccessMode')));
const volumeMode = pointer(named('v1.PersistentVolumeMode'));

export const claimShape = struct('PersistentVolumeClaim', {
  ...object,
  spec: value(
    struct('PersistentVolumeClaimSpec', {
      accessModes,
      selector: pointer(labelSelector),
      resources: value(
        struct('VolumeResourceRequirements', { limits: value(resourceList), requests: value(resourceList) }),
      ),
      volumeName: value(text),
      storageClassName: pointer(text),
      volumeMode,
      dataSource: pointer(struct('TypedLocalObjectReference', typedReference)),
      dataSourceRef: pointer(struct('TypedObjectReference', { ...typedReference, namespace: pointer(text) })),
      volumeAttributesClassName: pointer(text),
    }),
  ),
  status: value(
    struct('PersistentVolumeClaimStatus', {
      phase: value(named('v1.PersistentVolumeClaimPhase')),
      accessModes,
      capacity: value(resourceList),
      conditions: value(
        listOf(
          struct('PersistentVolumeClaimCondition', {
            type: always(named('v1.PersistentVolumeClaimConditionType')),
            status: always(named('v1.ConditionStatus')),
            lastProbeTime: value(time),
            lastTransitionTime: value(time),
            reason: value(text),
            message: value(text),
          }),
        ),
      ),
      allocatedResources: value(resourceList),
      allocatedResourceStatuses: value(
        mapOf(named('v1.ClaimResourceStatus'), 'map[v1.ResourceName]v1.ClaimResourceStatus'),
      ),
      currentVolumeAttributesClassName: pointer(text),
      modifyVolumeStatus: pointer(
        struct('ModifyVolumeStatus', {
          targetVolumeAttributesClassName: value(text),
          status: always(named('v1.PersistentVolumeClaimModifyVolumeStatus')),
        }),
      ),
      healthStatus: pointer(
        struct('VolumeHealthStatus', {
          healthConditions: value(
            listOf(
              struct('VolumeHealthCondition', {
                status: always(named('v1.VolumeHealthStatusType')),
                reason: always(text),
                message: value(text),
              }),
            ),
          ),
          lastTransitionTime: value(time),
        }),
      ),
    }),
  ),
});

const secretReference = pointer(struct('SecretReference', { name: value(text), namespace: value(text) }));

const objectReference = pointer(
  struct('ObjectReference', {
    kind: value(text),
    namespace: value(text),
    name: value(text),
    uid: value(named('types.UID')),
    apiVersion: value(text),
    resourceVersion: value(text),
    fieldPath: value(text),
  }),
);

const fsType = value(text);
const readOnly = value(boolean);

const volumeSources = {
  gcePersistentDisk: struct('GCEPersistentDiskVolumeSource', {
    pdName: always(text),
    fsType,
    partition: value(int32),
    readOnly,
  }),
  awsElasticBlockStore: struct('AWSElasticBlockStoreVolumeSource', {
    volumeID: always(text),
    fsType,
    partition: value(int32),
    readOnly,
  }),
  hostPath: struct('HostPathVolumeSource', { path: always(text), type: pointer(named('v1.HostPathType')) }),
  glusterfs: struct('GlusterfsPersistentVolumeSource', {
    endpoints: always(text),
    path: always(text),
    readOnly,
    endpointsNamespace: pointer(text),
  }),
  nfs: struct('NFSVolumeSource', { server: always(text), path: always(text), readOnly }),
  rbd: struct('RBDPersistentVolumeSource', {
    monitors: always(texts),
    image: always(text),
    fsType,
    pool: value(text),
    user: value(text),
    keyring: value(text),
    secretRef: secretReference,
    readOnly,
  }),
  iscsi: struct('ISCSIPersistentVolumeSource', {
    targetPortal: always(text),
    iqn: always(text),
    lun: always(int32),
    iscsiInterface: value(text),
    fsType,
    readOnly,
    portals: value(texts),
    chapAuthDiscovery: value(boolean),
    chapAuthSession: value(boolean),
    secretRef: secretReference,
    initiatorName: pointer(text),
  }),
  cinder: struct('CinderPersistentVolumeSource', {
    volumeID: always(text),
    fsType,
    readOnly,
    secretRef: secretReference,
  }),
  cephfs: struct('CephFSPersistentVolumeSource', {
    monitors: always(texts),
    path: value(text),
    user: value(text),
    secretFile: value(text),
    secretRef: secretReference,
    readOnly,
  }),
  fc: struct('FCVolumeSource', {
    targetWWNs: value(texts),
    lun: pointer(int32),
    fsType,
    readOnly,
    wwids: value(texts),
  }),
  flocker: struct('FlockerVolumeSource', { datasetName: value(text), datasetUUID: value(text) }),
  flexVolume: struct('FlexPersistentVolumeSource', {
    driver: always(text),
    fsType,
    secretRef: secretReference,
    readOnly,
    options: value(textMap),
  }),
  azureFile: struct('AzureFilePersistentVolumeSource', {
    secretName: always(text),
    shareName: always(text),
    readOnly,
    secretNamespace: pointerAlways(text),
  }),
  vsphereVolume: struct('VsphereVirtualDiskVolumeSource', {
    volumePath: always(text),
    fsType,
    storagePolicyName: value(text),
    storagePolicyID: value(text),
  }),
  quobyte: struct('QuobyteVolumeSource', {
    registry: always(text),
    volume: always(text),
    readOnly,
    user: value(text),
    group: value(text),
    tenant: value(text),
  }),
  azureDisk: struct('AzureDiskVolumeSource', {
    diskName: always(text),
    diskURI: always(text),
    cachingMode: pointer(named('v1.AzureDataDiskCachingMode')),
    fsType: pointer(text),
    readOnly: pointer(boolean),
    kind: pointer(named('v1.AzureDataDiskKind')),
  }),
  photonPersistentDisk: struct('PhotonPersistentDiskVolumeSource', { pdID: always(text), fsType }),
  portworxVolume: struct('PortworxVolumeSource', { volumeID: always(text), fsType, readOnly }),
  scaleIO: struct('ScaleIOPersistentVolumeSource', {
    gateway: always(text),
    system: always(text),
    secretRef: { ...secretReference, always: true },
    sslEnabled: value(boolean),
    protectionDomain: value(text),
    storagePool: value(text),
    storageMode: value(text),
    volumeName: value(text),
    fsType,
    readOnly,
  }),
  local: struct('LocalVolumeSource', { path: always(text), fsType: pointer(text) }),
  storageos: struct('StorageOSPersistentVolumeSource', {
    volumeName: value(text),
    volumeNamespace: value(text),
    fsType,
    readOnly,
    secretRef: objectReference,
  }),
  csi: struct('CSIPersistentVolumeSource', {
    driver: always(text),
    volumeHandle: always(text),
    readOnly,
    fsType,
    volumeAttributes: value(textMap),
    controllerPublishSecretRef: secretReference,
    nodeStageSecretRef: secretReference,
    nodePublishSecretRef: secretReference,
    controllerExpandSecretRef: secretReference,
    nodeExpandSecretRef: secretReference,
  }),
};

export const volumeShape = struct('PersistentVolume', {
  ...object,
  spec: value(
    struct('PersistentVolumeSpec', {
      ...Object.fromEntries(
        Object.entries(volumeSources).map(([name, shape]) => [
          name,
          { ...pointer(shape), lentBy: 'PersistentVolumeSource' },
        ]),
      ),
      capacity: value(resourceList),
      accessModes,
      claimRef: objectReference,
      persistentVolumeReclaimPolicy: value(named('v1.PersistentVolumeReclaimPolicy')),
      storageClassName: value(text),
      mountOptions: value(texts),
      volumeMode,
      nodeAffinity: pointer(volumeNodeAffinity),
      volumeAttributesClassName: pointer(text),
    }),
  ),
  status: value(
    struct('PersistentVolumeStatus', {
      phase: value(named('v1.PersistentVolumePhase')),
      message: value(text),
      reason: value(text),
      lastPhaseTransitionTime: pointer(time),
    }),
  ),
});

export const classShape = struct('StorageClass', {
  ...object,
  provisioner: always(text),
  parameters: value(textMap),
  reclaimPolicy: pointer(named('v1.PersistentVolumeReclaimPolicy')),
  mountOptions: value(texts),
  allowVolumeExpansion: pointer(boolean),
  volumeBindingMode: pointer(named('v1.VolumeBindingMode')),
  allowedTopologies: value(
    listOf(
      struct('TopologySelectorTerm', {
        matchLabelExpressions: value(
          listOf(struct('TopologySelectorLabelRequirement', { key: always(text), values: always(texts) })),
        ),
      }),
    ),
  ),
});

export interface Features {
  volumeAttributesClass: boolean;
  retroactiveDefaultStorageClass: boolean;
  honorPVReclaimPolicy: boolean;
  deleterLookupFirst: boolean;
  externalDeleterForStaticCSI: boolean;
  rewordedExternalProvisioning: boolean;
  controllerPlugins: readonly string[];
}
export const newestRelease = '1.37';
export const featuresFor = (_version: string): Features => ({
  volumeAttributesClass: true,
  retroactiveDefaultStorageClass: true,
  honorPVReclaimPolicy: true,
  deleterLookupFirst: true,
  externalDeleterForStaticCSI: true,
  rewordedExternalProvisioning: true,
  controllerPlugins: ['kubernetes.io/host-path', 'kubernetes.io/nfs'],
});

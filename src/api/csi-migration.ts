import type { Features } from './features.ts';
import type { Labels, NodeSelector, NodeSelectorTerm, PersistentVolume, VolumeSources } from './objects.ts';

// In-tree volume plugins and the CSI drivers that took over their volumes.
// kubernetes/kubernetes staging/src/k8s.io/csi-translation-lib (1.37, the same since 1.34);
// specification pv-controller 9.1 and 9.2, scheduler-and-provisioning 1.8.

/** An in-tree volume that has no form as a CSI volume, in upstream's words. */
export class TranslationError extends Error {
  override readonly name = 'TranslationError';
}

interface Migration {
  readonly plugin: string;
  readonly driver: string;
  /** The field of a volume's spec that holds the in-tree source. */
  readonly field: keyof VolumeSources;
}

const migrations: readonly Migration[] = [
  { plugin: 'kubernetes.io/aws-ebs', driver: 'ebs.csi.aws.com', field: 'awsElasticBlockStore' },
  { plugin: 'kubernetes.io/gce-pd', driver: 'pd.csi.storage.gke.io', field: 'gcePersistentDisk' },
  { plugin: 'kubernetes.io/azure-disk', driver: 'disk.csi.azure.com', field: 'azureDisk' },
  { plugin: 'kubernetes.io/azure-file', driver: 'file.csi.azure.com', field: 'azureFile' },
  { plugin: 'kubernetes.io/cinder', driver: 'cinder.csi.openstack.org', field: 'cinder' },
  { plugin: 'kubernetes.io/vsphere-volume', driver: 'csi.vsphere.vmware.com', field: 'vsphereVolume' },
  { plugin: 'kubernetes.io/portworx-volume', driver: 'pxd.portworx.com', field: 'portworxVolume' },
  // Gone in 1.31, and never migrated unless somebody switched it on.
  { plugin: 'kubernetes.io/rbd', driver: 'rbd.csi.ceph.com', field: 'rbd' },
];

/** Whether the release leaves the volumes of an in-tree plugin to a CSI driver (IsMigrationEnabledForPlugin). A driver's name is none. */
export function isMigrated(pluginName: string, features: Features): boolean {
  return features.migratedPlugins.includes(pluginName);
}

/** The CSI driver that took over from an in-tree plugin; undefined for any other name (GetCSINameFromInTreeName). */
export function csiNameFromInTree(pluginName: string): string | undefined {
  return migrations.find(({ plugin }) => plugin === pluginName)?.driver;
}

/** The in-tree plugin from which a CSI driver took over (GetInTreeNameFromCSIName). */
export function inTreeNameFromCSI(driverName: string): string | undefined {
  return migrations.find(({ driver }) => driver === driverName)?.plugin;
}

/** The plugin of an in-tree source from which a CSI driver took over; undefined for all other sources (GetInTreePluginNameFromSpec). */
export function inTreePluginOf(sources: VolumeSources): string | undefined {
  return migrations.find(({ field }) => sources[field] !== undefined)?.plugin;
}

/**
 * The volume as its CSI driver sees it: with a CSI source, and with the driver's topology keys in its node affinity. A volume whose
 * plugin the scheduler does not translate comes back as it is. Throws TranslationError.
 * TranslateInTreePVToCSI and pkg/scheduler/framework/plugins/volumebinding/binder.go, isCSIMigrationOnForPlugin.
 */
export function translateInTreeVolume(volume: PersistentVolume): PersistentVolume {
  const { metadata, spec } = volume;
  const plugin = inTreePluginOf(spec);
  const translation = plugin === undefined ? undefined : translations.get(plugin);
  const migration = migrations.find((one) => one.plugin === plugin);
  if (translation === undefined || migration === undefined) return volume;
  const labels = metadata.labels ?? {};
  const csi = { driver: migration.driver, volumeHandle: translation.handle(spec, labels) };
  const { [migration.field]: _source, nodeAffinity, ...rest } = spec;
  const required =
    translation.zoneKey === undefined
      ? nodeAffinity?.required
      : translateTopology(nodeAffinity?.required, labels, translation.zoneKey);
  return { ...volume, spec: { ...rest, csi, ...(required === undefined ? {} : { nodeAffinity: { required } }) } };
}

interface Translation {
  /** What the driver calls a zone, where the translation renames it. */
  readonly zoneKey?: string;
  readonly handle: (sources: VolumeSources, labels: Labels) => string;
}

const translations: ReadonlyMap<string, Translation> = new Map<string, Translation>([
  [
    'kubernetes.io/aws-ebs',
    {
      zoneKey: 'topology.ebs.csi.aws.com/zone',
      handle: ({ awsElasticBlockStore }) => ebsVolumeID(awsElasticBlockStore?.volumeID ?? ''),
    },
  ],
  [
    'kubernetes.io/gce-pd',
    {
      zoneKey: 'topology.gke.io/zone',
      handle: ({ gcePersistentDisk }, labels) => gceVolumeID(gcePersistentDisk?.pdName ?? '', labels),
    },
  ],
  [
    'kubernetes.io/cinder',
    { zoneKey: 'topology.cinder.csi.openstack.org/zone', handle: ({ cinder }) => cinder?.volumeID ?? '' },
  ],
  ['kubernetes.io/azure-disk', { handle: ({ azureDisk }) => azureDiskURI(azureDisk) }],
  ['kubernetes.io/portworx-volume', { handle: ({ portworxVolume }) => portworxVolume?.volumeID ?? '' }],
]);

const zone = 'topology.kubernetes.io/zone';
const region = 'topology.kubernetes.io/region';
const betaZone = 'failure-domain.beta.kubernetes.io/zone';
const betaRegion = 'failure-domain.beta.kubernetes.io/region';

// plugins/in_tree_volume.go, translateTopologyFromInTreeToCSI. The affinity decides before the labels do, today's keys before the
// beta ones; a zone that no term names is taken from the label.
function translateTopology(
  required: NodeSelector | undefined,
  labels: Labels,
  zoneKey: string,
): NodeSelector | undefined {
  const terms = required?.nodeSelectorTerms ?? [];
  const usesBeta = mentions(terms, zone)
    ? false
    : mentions(terms, betaZone) || (!Object.hasOwn(labels, zone) && Object.hasOwn(labels, betaZone));
  const oldKey = usesBeta ? betaZone : zone;
  const label = Object.hasOwn(labels, oldKey) ? labels[oldKey] : undefined;

  let translated = terms;
  if (hasValues(terms, oldKey)) translated = withKeyRenamed(terms, oldKey, zoneKey);
  else if (label !== undefined) translated = withZones(terms, label, zoneKey);
  if (usesBeta && hasValues(translated, betaRegion)) translated = withKeyRenamed(translated, betaRegion, region);
  return translated === terms ? required : { nodeSelectorTerms: translated };
}

function mentions(terms: readonly NodeSelectorTerm[], key: string): boolean {
  return terms.some((term) => term.matchExpressions?.some((one) => one.key === key));
}

function hasValues(terms: readonly NodeSelectorTerm[], key: string): boolean {
  return terms.some((term) => term.matchExpressions?.some((one) => one.key === key && (one.values ?? []).length > 0));
}

function withKeyRenamed(terms: readonly NodeSelectorTerm[], from: string, to: string): readonly NodeSelectorTerm[] {
  return terms.map((term) => {
    if (term.matchExpressions === undefined) return term;
    return {
      ...term,
      matchExpressions: term.matchExpressions.map((one) => (one.key === from ? { ...one, key: to } : one)),
    };
  });
}

/** Each term is narrowed to the zones of a label, empty terms too; a volume without terms gets one. */
function withZones(terms: readonly NodeSelectorTerm[], label: string, zoneKey: string): readonly NodeSelectorTerm[] {
  const zones = [...new Set(label.split(labelDelimiter).map((one) => one.trim()))].filter((one) => one !== '').sort();
  if (zones.length === 0) return terms;
  const requirement = { key: zoneKey, operator: 'In', values: zones };
  const narrowed: readonly NodeSelectorTerm[] = terms.length === 0 ? [{}] : terms;
  return narrowed.map((term) => ({ ...term, matchExpressions: [...(term.matchExpressions ?? []), requirement] }));
}

/** Between the zones of a volume that lives in several. */
const labelDelimiter = '__';

// plugins/aws_ebs.go, KubernetesVolumeIDToEBSVolumeID: "aws://zone/vol-1" or the volume's own name.
function ebsVolumeID(id: string): string {
  const prefix = 'aws://';
  if (!id.startsWith(prefix)) return id;
  const [, ...path] = id.slice(prefix.length).split('/');
  const [name = '', ...more] = path.filter((part) => part !== '');
  if (name.startsWith('vol-') && more.length === 0) return name;
  throw new TranslationError(
    `failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (${id})`,
  );
}

// plugins/gce_pd.go, TranslateInTreePVToCSI: here the beta label is looked at first.
function gceVolumeID(disk: string, labels: Labels): string {
  const zones = (labels[betaZone] || labels[zone] || 'UNSPECIFIED').split(labelDelimiter);
  if (zones.length === 1) return `projects/UNSPECIFIED/zones/${zones[0]}/disks/${disk}`;
  return `projects/UNSPECIFIED/regions/${gceRegion(zones)}/disks/${disk}`;
}

function gceRegion(zones: readonly string[]): string {
  const refuse = (cause: string) => new TranslationError(`failed to get region from zones: ${cause}`);
  const regions = new Set<string>();
  for (const one of zones) {
    const parts = one.split('-');
    if (parts.length !== 3) {
      throw refuse(`zone in unexpected format, expected: {locale}-{region}-{zone}, got: ${one}`);
    }
    regions.add(`${parts[0]}-${parts[1]}`);
  }
  const [only] = regions;
  if (only !== undefined && regions.size === 1) return only;
  const list = [...regions].sort().map((one) => `${one}:{}`);
  throw refuse(`multiple or no regions gotten from zones, got: map[${list.join(' ')}]`);
}

// plugins/azure_disk.go: only managed disks have a CSI form.
function azureDiskURI(source: VolumeSources['azureDisk']): string {
  const { kind, diskURI = '' }: { readonly kind?: string; readonly diskURI?: string } = source ?? {};
  if (kind !== undefined && kind.toLowerCase() !== 'managed') {
    throw new TranslationError(`kind(${kind}) is not supported in csi migration`);
  }
  return diskURI;
}

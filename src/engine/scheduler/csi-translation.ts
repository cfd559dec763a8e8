import type { NodeSelector, NodeSelectorTerm, PersistentVolume, VolumeSources } from '../../api/objects.ts';
import { PluginError } from './framework.ts';
import type { NodeInfo } from './node-info.ts';
import type { SchedulerFeatures } from './scheduler-features.ts';

// k8s.io/csi-translation-lib (1.37, the same since 1.34); specification scheduler-and-provisioning 1.8 and 2.2. Only what the
// scheduler looks at is translated: node affinity, driver and volume handle.

interface Migration {
  readonly field: keyof VolumeSources;
  readonly driver: string;
  /** What the driver calls the zone, where it has one. */
  readonly topologyKey?: string;
  /** Throws PluginError. `labels`: of the volume, if it is one. */
  readonly handle: (sources: VolumeSources, labels: Readonly<Record<string, string>>) => string;
}

/** The in-tree plugins that the scheduler knows to be migrated (isCSIMigrationOnForPlugin); the others are left as they are. */
const migrations: Readonly<Record<string, Migration>> = {
  'kubernetes.io/aws-ebs': {
    field: 'awsElasticBlockStore',
    driver: 'ebs.csi.aws.com',
    topologyKey: 'topology.ebs.csi.aws.com/zone',
    handle: ({ awsElasticBlockStore }) => ebsVolumeID(awsElasticBlockStore?.volumeID ?? ''),
  },
  'kubernetes.io/gce-pd': {
    field: 'gcePersistentDisk',
    driver: 'pd.csi.storage.gke.io',
    topologyKey: 'topology.gke.io/zone',
    handle: ({ gcePersistentDisk }, labels) => gceVolumeID(gcePersistentDisk?.pdName ?? '', labels),
  },
  'kubernetes.io/azure-disk': {
    field: 'azureDisk',
    driver: 'disk.csi.azure.com',
    handle: ({ azureDisk }) => azureDiskURI(azureDisk),
  },
  'kubernetes.io/cinder': {
    field: 'cinder',
    driver: 'cinder.csi.openstack.org',
    topologyKey: 'topology.cinder.csi.openstack.org/zone',
    handle: ({ cinder }) => cinder?.volumeID ?? '',
  },
  'kubernetes.io/portworx-volume': {
    field: 'portworxVolume',
    driver: 'pxd.portworx.com',
    handle: ({ portworxVolume }) => portworxVolume?.volumeID ?? '',
  },
};

/** Plugins with a translation that the scheduler never uses: their volumes are migrated, but it neither counts nor translates them. */
const migratableFields: readonly (keyof VolumeSources)[] = [
  ...Object.values(migrations).map(({ field }) => field),
  'azureFile',
  'vsphereVolume',
];

const migratableProvisioners: ReadonlySet<string> = new Set([
  ...Object.keys(migrations),
  'kubernetes.io/azure-file',
  'kubernetes.io/vsphere-volume',
]);

/** Whether an inline volume or a volume's source is in-tree and has a translation (IsInlineMigratable, IsPVMigratable). */
export function isMigratable(sources: VolumeSources): boolean {
  return migratableFields.some((field) => sources[field] !== undefined);
}

/** A volume as a CSI driver would attach it. */
export interface CSIVolume {
  readonly driver: string;
  readonly handle: string;
}

/**
 * The CSI volume behind an in-tree source, if attach limits of the node count it. Throws PluginError if it cannot be translated.
 */
export function migratedOnNode(
  sources: VolumeSources,
  labels: Readonly<Record<string, string>>,
  node: NodeInfo,
  features: SchedulerFeatures,
): CSIVolume | undefined {
  const [plugin, migration] = migrationOf(sources) ?? [];
  if (plugin === undefined || migration === undefined || !isCSIMigrationOn(plugin, node, features)) return undefined;
  return { driver: migration.driver, handle: migration.handle(sources, labels) };
}

/** The driver that provisions for a class on the node; undefined if it is in-tree and not counted as migrated there. */
export function driverOfProvisioner(provisioner: string, node: NodeInfo, features: SchedulerFeatures): string | undefined {
  if (!migratableProvisioners.has(provisioner)) return provisioner;
  return isCSIMigrationOn(provisioner, node, features) ? migrations[provisioner]?.driver : undefined;
}

// pkg/scheduler/framework/plugins/nodevolumelimits/utils.go, isCSIMigrationOn
function isCSIMigrationOn(plugin: string, node: NodeInfo, features: SchedulerFeatures): boolean {
  if (node.csiNode === undefined || migrations[plugin] === undefined) return false;
  if (plugin === 'kubernetes.io/portworx-volume' && !features.csiMigrationPortworx) return false;
  return !features.limitsReadMigratedPlugins || node.migratedPlugins.has(plugin);
}

/** Whether the binder translates the volume before it holds its node affinity against the node (tryTranslatePVToCSI). */
export function isTranslatedOn({ spec }: PersistentVolume, node: NodeInfo, features: SchedulerFeatures): boolean {
  const [plugin] = migrationOf(spec) ?? [];
  if (plugin === undefined || !node.migratedPlugins.has(plugin)) return false;
  return plugin !== 'kubernetes.io/portworx-volume' || features.csiMigrationPortworx;
}

/** The node affinity that a volume has as a CSI volume. Throws PluginError if it cannot be translated. */
export function translatedNodeAffinity({ metadata, spec }: PersistentVolume): NodeSelector | undefined {
  const [, migration] = migrationOf(spec) ?? [];
  const required = spec.nodeAffinity?.required;
  if (migration === undefined) return required;
  try {
    migration.handle(spec, metadata.labels ?? {});
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    throw new PluginError(`could not translate pv: ${error.message}`);
  }
  if (migration.topologyKey === undefined) return required;
  return translateTopology(required, metadata.labels ?? {}, migration.topologyKey);
}

function migrationOf(sources: VolumeSources): readonly [plugin: string, migration: Migration] | undefined {
  return Object.entries(migrations).find(([, { field }]) => sources[field] !== undefined);
}

const zone = 'topology.kubernetes.io/zone';
const region = 'topology.kubernetes.io/region';
const betaZone = 'failure-domain.beta.kubernetes.io/zone';
const betaRegion = 'failure-domain.beta.kubernetes.io/region';

// plugins/in_tree_volume.go, translateTopologyFromInTreeToCSI and getTopologyLabel
function translateTopology(
  required: NodeSelector | undefined,
  labels: Readonly<Record<string, string>>,
  topologyKey: string,
): NodeSelector | undefined {
  const terms = required?.nodeSelectorTerms ?? [];
  const usesBeta = !mentions(terms, zone) && (mentions(terms, betaZone) || (labels[zone] === undefined && labels[betaZone] !== undefined));
  const zoneKey = usesBeta ? betaZone : zone;
  let translated: NodeSelector | undefined = required;
  if (valuesOf(terms, zoneKey).length > 0) translated = renamed(terms, zoneKey, topologyKey);
  else if (labels[zoneKey] !== undefined) translated = withZones(required, labels[zoneKey], topologyKey);
  if (!usesBeta) return translated;
  const now = translated?.nodeSelectorTerms ?? [];
  return valuesOf(now, betaRegion).length > 0 ? renamed(now, betaRegion, region) : translated;
}

const mentions = (terms: readonly NodeSelectorTerm[], key: string): boolean =>
  terms.some(({ matchExpressions = [] }) => matchExpressions.some((requirement) => requirement.key === key));

const valuesOf = (terms: readonly NodeSelectorTerm[], key: string): readonly string[] =>
  terms.flatMap(({ matchExpressions = [] }) =>
    matchExpressions.filter((requirement) => requirement.key === key).flatMap(({ values = [] }) => values),
  );

const renamed = (terms: readonly NodeSelectorTerm[], from: string, to: string): NodeSelector => ({
  nodeSelectorTerms: terms.map((term) =>
    term.matchExpressions === undefined
      ? term
      : {
          ...term,
          matchExpressions: term.matchExpressions.map((requirement) =>
            requirement.key === from ? { ...requirement, key: to } : requirement,
          ),
        },
  ),
});

/** Every term is narrowed to the zones of the volume's label; a volume without terms gets one. */
function withZones(required: NodeSelector | undefined, label: string, topologyKey: string): NodeSelector | undefined {
  const zones = [...new Set(label.split('__').map((one) => one.trim()))].filter((one) => one !== '').sort();
  if (zones.length === 0) return required;
  const terms = required?.nodeSelectorTerms ?? [];
  const requirement = { key: topologyKey, operator: 'In', values: zones };
  return {
    nodeSelectorTerms: (terms.length > 0 ? terms : [{}]).map((term: NodeSelectorTerm) => ({
      ...term,
      matchExpressions: [...(term.matchExpressions ?? []), requirement],
    })),
  };
}

// plugins/aws_ebs.go, KubernetesVolumeIDToEBSVolumeID
function ebsVolumeID(id: string): string {
  if (!id.startsWith('aws://')) return id;
  const path = id.slice('aws://'.length);
  const slash = path.indexOf('/');
  const volume = slash < 0 ? '' : path.slice(slash).replace(/^\/+|\/+$/g, '');
  if (/^vol-[^/]*$/.test(volume)) return volume;
  throw new PluginError(`failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (${id})`);
}

// plugins/gce_pd.go
function gceVolumeID(disk: string, labels: Readonly<Record<string, string>>): string {
  const zones = (labels[betaZone] || labels[zone] || '').split('__');
  if (zones.length === 1) return `projects/UNSPECIFIED/zones/${zones[0] || 'UNSPECIFIED'}/disks/${disk}`;
  return `projects/UNSPECIFIED/regions/${gceRegionOf(zones)}/disks/${disk}`;
}

function gceRegionOf(zones: readonly string[]): string {
  const regions = new Set<string>();
  for (const one of zones) {
    const parts = one.split('-');
    if (parts.length !== 3) {
      const text = `zone in unexpected format, expected: {locale}-{region}-{zone}, got: ${one}`;
      throw new PluginError(`failed to get region from zones: ${text}`);
    }
    regions.add(parts.slice(0, 2).join('-'));
  }
  if (regions.size !== 1) {
    const text = [...regions].sort().map((one) => `${one}:{}`);
    throw new PluginError(`failed to get region from zones: multiple or no regions gotten from zones, got: map[${text.join(' ')}]`);
  }
  return [...regions].join('');
}

// plugins/azure_disk.go. Only managed disks have a CSI form.
function azureDiskURI(source: VolumeSources['azureDisk']): string {
  const { kind, diskURI = '' } = (source ?? {}) as { readonly kind?: string; readonly diskURI?: string };
  if (kind !== undefined && kind.toLowerCase() !== 'managed') {
    throw new PluginError(`kind(${kind}) is not supported in csi migration`);
  }
  return diskURI;
}

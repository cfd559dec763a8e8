import { csiNameFromInTree, inTreePluginOf, translateInTreeVolume } from '../../api/csi-migration.ts';
import type { Features } from '../../api/features.ts';
import type { Labels, PersistentVolume, VolumeSources } from '../../api/objects.ts';
import type { SchedulerCluster } from './cluster.ts';
import type { NodeInfo } from './node-info.ts';

// Where the scheduler takes an in-tree volume for the CSI volume that it has become (specification scheduler-and-provisioning 1.8
// and 2.2).

const portworx = 'kubernetes.io/portworx-volume';

/** The plugins that the scheduler knows to be migrated; volumes of others it leaves as they are. */
// pkg/scheduler/framework/plugins/volumebinding/binder.go, isCSIMigrationOnForPlugin (1.37)
const translated: readonly string[] = [
  'kubernetes.io/aws-ebs',
  'kubernetes.io/gce-pd',
  'kubernetes.io/azure-disk',
  'kubernetes.io/cinder',
  portworx,
];

/** A volume as a CSI driver would attach it. */
export interface CSIVolume {
  readonly driver: string;
  readonly handle: string;
}

/** The CSI volume behind an in-tree source, if attach limits count it on the node. Throws TranslationError. */
export function migratedOnNode(
  sources: VolumeSources,
  labels: Labels,
  node: NodeInfo,
  features: Features,
): CSIVolume | undefined {
  const plugin = inTreePluginOf(sources);
  if (plugin === undefined || !isCSIMigrationOn(plugin, node, features)) return undefined;
  const { csi } = translateInTreeVolume({
    kind: 'PersistentVolume',
    metadata: { name: '', labels },
    spec: sources,
  }).spec;
  return { driver: csi?.driver ?? '', handle: csi?.volumeHandle ?? '' };
}

/** The driver that provisions for a class on the node; undefined if it is in-tree and attach limits do not count it as migrated. */
export function driverOfProvisioner(provisioner: string, node: NodeInfo, features: Features): string | undefined {
  if (!features.migratedPlugins.includes(provisioner)) return provisioner;
  return isCSIMigrationOn(provisioner, node, features) ? csiNameFromInTree(provisioner) : undefined;
}

// pkg/scheduler/framework/plugins/nodevolumelimits/utils.go, isCSIMigrationOn (1.37). Up to 1.35 one plugin alone has to be listed
// in the node's annotation: the others are answered before it is read.
function isCSIMigrationOn(plugin: string, node: NodeInfo, features: Features): boolean {
  if (node.csiNode === undefined || !isTranslated(plugin, features)) return false;
  const mustBeListed = features.limitsReadMigratedPlugins && plugin === portworx;
  return !mustBeListed || node.migratedPlugins.has(plugin);
}

/** Whether the scheduler takes volumes of the plugin for CSI volumes, where the node is so far. */
export function isTranslated(plugin: string, features: Features): boolean {
  return translated.includes(plugin) && (plugin !== portworx || features.csiMigrationPortworx);
}

/**
 * Whether the binder translates the volume before it holds its node affinity against the node (tryTranslatePVToCSI); undefined if the
 * node's CSINode decides and is not known.
 */
export function isTranslatedOnNode(
  { spec }: PersistentVolume,
  node: NodeInfo,
  { features, lacks }: SchedulerCluster,
): boolean | undefined {
  if (node.csiNode !== undefined && node.migratedPlugins.size === 0) return false;
  const plugin = inTreePluginOf(spec);
  if (plugin === undefined || !isTranslated(plugin, features)) return false;
  if (node.csiNode === undefined) return lacks('CSINode') ? undefined : false;
  return node.migratedPlugins.has(plugin);
}

import type { Features } from '../../api/features.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../api/objects.ts';
import { messages } from './messages.ts';
import { SyncError } from './sync-error.ts';

/**
 * A volume plugin of kube-controller-manager, as far as the controller decides by it. A plugin that cannot do something lacks
 * the function; each function throws SyncError with the plugin's own words. In a dry run nothing is touched: what would succeed,
 * does.
 */
// kubernetes/kubernetes pkg/volume/plugins.go (1.37); specification pv-controller 9.3
export interface VolumePlugin {
  readonly name: string;
  readonly canSupport: (volume: PersistentVolume) => boolean;
  readonly supportsMountOptions?: boolean;
  readonly newProvisioner?: (storageClass: StorageClass) => Provisioner;
  readonly newDeleter?: (volume: PersistentVolume) => Deleter;
  readonly recycle?: (volume: PersistentVolume) => void;
}

/** Makes a volume for a claim: its spec, without what the controller fills in. */
export type Provisioner = (claim: PersistentVolumeClaim) => Pick<PersistentVolume, 'metadata' | 'spec'>;

export type Deleter = () => void;

const recycled = (): void => {};

const hostPath: VolumePlugin = {
  name: 'kubernetes.io/host-path',
  canSupport: (volume) => volume.spec.hostPath !== undefined,
  newProvisioner: () => {
    throw new SyncError(messages.pluginDisabled('kubernetes.io/host-path'));
  },
  newDeleter: (volume) => {
    const source = volume.spec.hostPath;
    if (source === undefined) throw new SyncError('spec.PersistentVolumeSource.HostPath is nil');
    const path = source.path ?? '';
    return () => {
      if (!/\/tmp\/.+/.test(path)) throw new SyncError(messages.hostPathDeleter(path));
    };
  },
  recycle: recycled,
};

const nfs: VolumePlugin = {
  name: 'kubernetes.io/nfs',
  canSupport: (volume) => volume.spec.nfs !== undefined,
  recycle: recycled,
};

/** Plugins that can do none of the three, but that some releases register: they change the text of an error. */
const local: VolumePlugin = {
  name: 'kubernetes.io/local-volume',
  canSupport: (volume) => volume.spec.local !== undefined,
};
const csi: VolumePlugin = { name: 'kubernetes.io/csi', canSupport: (volume) => volume.spec.csi !== undefined };

/** The in-tree Portworx driver talks to its own service, which a dry run takes to be in order. */
const portworx: VolumePlugin = {
  name: 'kubernetes.io/portworx-volume',
  canSupport: (volume) => volume.spec.portworxVolume !== undefined,
  newDeleter: () => () => {},
};

const everyPlugin: Readonly<Record<string, VolumePlugin>> = Object.fromEntries(
  [hostPath, nfs, local, csi, portworx].map((plugin) => [plugin.name, plugin]),
);

/** The plugins that kube-controller-manager of a release registers. */
export function pluginsOf(features: Features): readonly VolumePlugin[] {
  return features.controllerPlugins.map((name) => everyPlugin[name]).filter((plugin) => plugin !== undefined);
}

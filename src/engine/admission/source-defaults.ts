import type { VolumeManifest } from './manifest-types.ts';

/** What the API server fills into the sources of volumes; the fields matter to nobody but the plugins that mount them. */
// k8s.io/api core/v1/types.go, +default, and kubernetes/kubernetes pkg/apis/core/v1/defaults.go (1.37)
const sourceDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  hostPath: { type: '' },
  rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  iscsi: { iscsiInterface: 'default' },
  azureDisk: { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' },
  scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
};

/** The volume with the defaults of its sources. */
export function withSourceDefaults(volume: VolumeManifest): VolumeManifest {
  const filled = Object.entries(volume.spec)
    .filter(([name, content]) => Object.hasOwn(sourceDefaults, name) && content !== undefined)
    .map(([name, content]) => [name, { ...sourceDefaults[name], ...(content as object) }]);
  return { ...volume, spec: { ...volume.spec, ...Object.fromEntries(filled) } };
}

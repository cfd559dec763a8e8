import { shortAccessMode } from '../api/access-modes.ts';
import type { Entry } from './catalogue.ts';
import type { ProvisioningArgs, Told } from './provisioning-codes.ts';
import { count, list, quote, shortage, size } from './words.ts';

/** A message as it was told, cut where it goes on for long. */
const said = (words: string, most: number): string =>
  `"${words.length > most ? `${words.slice(0, most - 1).trimEnd()}…` : words}"`;

/** Room in a headline, and in a paragraph. */
const [inHeadline, inParagraph] = [100, 240];

const answered = ({ provisioner, words, code }: Told): string =>
  `${provisioner} says${code === undefined ? '' : ` (${code})`}: ${said(words, inParagraph)}.`;

const retries = 'It tries again, after 5 minutes at the latest.';

/** What is said about provisioners; see catalogue.ts. */
export const provisioningCatalogue: {
  readonly [C in keyof ProvisioningArgs]: Entry<Readonly<ProvisioningArgs[C]>>;
} = {
  ControllerSilent: {
    since: '0.1',
    severity: 'error',
    rule: 'The PersistentVolume controller, a part of kube-controller-manager, looks at every claim at least every 15 seconds and says in an event or an annotation what it made of it. Silence means that it does not run.',
    what: ({ state }) =>
      state === undefined ? 'the controller has not touched it' : `kube-controller-manager does not run: ${state}`,
    why: ({ since, state }) =>
      state === undefined
        ? `The claim was created at ${since}, and nothing shows that the PersistentVolume controller has ever looked at it: no event, and not the annotation that it would have set at once.`
        : `The next step is that of the PersistentVolume controller, a part of kube-controller-manager, and that does not run: ${state}.`,
    todo: () => 'Look at kube-controller-manager: its pods in kube-system, its log, its lease.',
    short: () => 'controller is silent',
    example: {
      since: '2026-02-01T00:00:00Z',
      state: 'Pod kube-system/kube-controller-manager-cp-1 is in CrashLoopBackOff',
    },
  },
  ProvisionerDown: {
    since: '0.1',
    severity: 'error',
    rule: 'A provisioner acts only while its controller runs: a Deployment, a StatefulSet or a DaemonSet with a ready pod, one of which holds the lease.',
    what: ({ provisioner, what, state }) => `${provisioner} cannot act: ${what} ${state}`,
    why: ({ provisioner, what, state }) =>
      `The claim waits for ${provisioner}, and what runs that does not work: ${what} ${state}.`,
    todo: ({ what }) => `Look at it: ${lookAt(what)}`,
    short: ({ what }) => `${what.slice(what.indexOf('/') + 1)} does not run`,
    example: {
      provisioner: 'ebs.csi.aws.com',
      what: 'Deployment kube-system/ebs-csi-controller',
      state: 'has 0 of 2 replicas available',
    },
  },
  ProvisionerSilent: {
    since: '0.1',
    severity: 'error',
    rule: 'A provisioner that takes up a claim says so at once, in an event with the reason Provisioning. ExternalProvisioning comes from the controller and repeats as long as nobody answers.',
    what: ({ provisioner, times }) => `${provisioner} has not answered ${count(times, 'hand-over')}`,
    why: ({ provisioner, times }) =>
      `The controller handed the claim over ${count(times, 'time')} (ExternalProvisioning), and no event of ${provisioner} followed: its driver is registered, or it made volumes once, but nothing shows that its controller runs.`,
    todo: ({ provisioner }) =>
      `Look for the pods of ${provisioner} with a csi-provisioner container, and at their log.`,
    short: ({ provisioner }) => `${provisioner} does not answer`,
    example: { provisioner: 'csi.example.com', times: 40 },
  },
  ProvisionerNotOnNode: {
    since: '0.1',
    severity: 'error',
    rule: 'A provisioner that is deployed to the nodes (--node-deployment) serves on each node only the claims for which that node was selected; the others ignore them without a word.',
    what: ({ provisioner, node }) => `${provisioner} does not run on ${node}, the node that was selected`,
    why: ({ provisioner, node }) =>
      `Each instance of ${provisioner} serves the claims of its own node; ${node} was selected for this claim, and no working instance runs there.`,
    todo: ({ node }) =>
      `Make its DaemonSet run on ${node}: look at taints, node selector and the state of its pod there.`,
    short: ({ node }) => `no provisioner on ${node}`,
    example: { provisioner: 'topolvm.io', node: 'node-3' },
  },
  DriverOnNoNode: {
    since: '0.1',
    severity: 'error',
    rule: 'A driver registers on every node where its node plugin runs (CSINode). Without one node a driver with topology makes no volume, and no pod could mount one.',
    what: ({ driver }) => `${driver} is registered on no node`,
    why: ({ driver }) =>
      `No CSINode lists ${driver}: its node plugin runs nowhere, so no volume of it can be placed or mounted.`,
    todo: ({ driver }) => `Look at the DaemonSet of ${driver}: does it exist, and what keeps its pods from the nodes?`,
    short: ({ driver }) => `${driver} on no node`,
    example: { driver: 'csi.example.com' },
  },
  ProvisioningUnchecked: {
    since: '0.1',
    severity: 'info',
    rule: 'A provisioner looks at more objects than the controllers do. What the input does not hold of them cannot be checked.',
    what: ({ about }) => `not checked: ${list(about.map(checked))}`,
    why: ({ provisioner, about }) =>
      `The input does not hold ${list(about.map(checked))}, which ${provisioner} looks at before it makes a volume: that could not be checked.`,
    short: ({ about }) => `unchecked: ${list(about.map(checked), 2)}`,
    example: { provisioner: 'csi.example.com', about: ['SnapshotUnusable'] },
  },

  NoTopologyKey: {
    since: '0.1',
    severity: 'error',
    rule: 'A driver with topology makes a volume for the selected node only if the CSINode of that node lists the driver with topology keys: "no topology key found for node". The scheduler does not look at that; a class without allowedTopologies lets it take any node.',
    what: ({ driver, node, listed }) =>
      listed
        ? `${driver} has no topology keys on ${node}, the node that was selected`
        : `${driver} does not run on ${node}, the node that was selected`,
    why: ({ driver, node, listed, isRestricted, class: name }) =>
      `Node ${node} was selected, but its CSINode ${listed ? `lists ${driver} without topology keys` : `does not list ${driver}`}: the provisioner has no place for the volume ("no topology key found for node ${node}") and tries the same node for ever.${isRestricted ? '' : ` Class ${quote(name)} has no allowedTopologies, so the scheduler takes any node.`}`,
    todo: ({ driver, node, key, others, isRestricted, class: name }) =>
      `Run the node plugin of ${driver} on ${node}; or keep the pod away from it${isRestricted || key === undefined ? '' : ` (allowedTopologies of class ${quote(name)} with key ${key}, or node affinity; ${others.length === 0 ? 'no other node has the driver' : `the driver runs on ${list(others, 3)}`})`}, then remove the annotation volume.kubernetes.io/selected-node from the claim.`,
    short: ({ node }) => `driver not on ${node}`,
    example: {
      driver: 'csi.hetzner.cloud',
      node: 'metal-1',
      listed: false,
      key: 'csi.hetzner.cloud/location',
      others: ['cloud-1'],
      isRestricted: false,
      class: 'hcloud-volumes',
    },
  },
  TopologyLabelMissing: {
    since: '0.1',
    severity: 'error',
    rule: 'Every topology key that a driver registered for the selected node must be a label of that node.',
    what: ({ node, keys }) => `node ${node}, which was selected, lacks the label ${list(keys)}`,
    why: ({ driver, node, keys }) =>
      `CSINode ${node} says that ${driver} tells places by ${list(keys)}, but node ${node} has no such label: the provisioner cannot tell where the volume belongs.`,
    todo: ({ node }) => `Restart the node plugin of the driver on ${node}, which sets the labels, or restore them.`,
    short: ({ node, keys }) => `${node} lacks ${list(keys, 2)}`,
    example: { driver: 'ebs.csi.aws.com', node: 'node-2', keys: ['topology.ebs.csi.aws.com/zone'] },
  },
  TopologyNowhere: {
    since: '0.1',
    severity: 'error',
    rule: 'Without a selected node the provisioner chooses among the places of all nodes that carry the topology keys of the driver.',
    what: ({ keys }) => `no node has the topology labels ${list(keys)}`,
    why: ({ driver, keys }) =>
      `${driver} tells places by ${list(keys)}, and no node carries that: there is no place to make the volume in.`,
    todo: () => 'Restart the node plugin of the driver, which sets the labels, or restore them.',
    short: ({ keys }) => `no node has ${list(keys, 2)}`,
    example: { driver: 'csi.example.com', keys: ['topology.example.com/zone'] },
  },
  SelectedNodeNotAllowed: {
    since: '0.1',
    severity: 'error',
    rule: "The provisioner compares allowedTopologies with the driver's own topology keys on the selected node, not with all its labels as the scheduler does.",
    what: ({ class: name, node }) => `class ${quote(name)} allows no volume on ${node}, the node that was selected`,
    why: ({ class: name, node, topology, allowed, foreignKeys, driver }) =>
      foreignKeys.length > 0
        ? `allowedTopologies of class ${quote(name)} uses ${list(foreignKeys)}, which ${driver} does not know on ${node} (it tells ${topology}): the scheduler accepts the node by its labels, the provisioner does not.`
        : `allowedTopologies of class ${quote(name)} wants ${allowed}, and ${driver} tells ${topology} of ${node}, the node that was selected.`,
    todo: ({ class: name }) =>
      `Correct allowedTopologies of class ${quote(name)} (it can be edited), then remove the annotation volume.kubernetes.io/selected-node from the claim.`,
    short: ({ node }) => `${node} is not in allowedTopologies`,
    example: {
      class: 'zonal',
      node: 'node-2',
      topology: 'topology.ebs.csi.aws.com/zone=us-west-2b',
      allowed: 'topology.ebs.csi.aws.com/zone=us-west-2a',
      foreignKeys: [],
      driver: 'ebs.csi.aws.com',
    },
  },
  SelectedNodeEmpty: {
    since: '0.1',
    severity: 'error',
    rule: 'A provisioner makes a volume for a delayed claim when the annotation volume.kubernetes.io/selected-node names a node; while it is empty it ignores the claim without a word, although the controller has handed it over.',
    what: () => 'the annotation volume.kubernetes.io/selected-node is there, but empty',
    why: ({ provisioner }) =>
      `The annotation volume.kubernetes.io/selected-node is empty: the controller takes the claim for scheduled and waits for ${provisioner}, which waits for a node.`,
    todo: () => 'Remove the annotation; the scheduler then selects a node.',
    short: () => 'selected node is empty',
    example: { provisioner: 'ebs.csi.aws.com' },
  },
  SomeNodesUnfit: {
    since: '0.1',
    severity: 'warning',
    rule: 'The scheduler does not know on which nodes a driver can make volumes, unless the class says so in allowedTopologies.',
    what: ({ driver, nodes }) => `${driver} can make no volume on ${list(nodes)}`,
    why: ({ driver, nodes, fit }) =>
      `The scheduler may send the pod to ${list(nodes)}, where ${driver} cannot make a volume; ${count(fit, 'other node')} of those it may choose would do.`,
    todo: () => 'Give the class allowedTopologies, or the pod a node affinity, that leaves these nodes out.',
    short: ({ nodes }) => `not on ${list(nodes, 2)}`,
    example: { driver: 'csi.hetzner.cloud', nodes: ['metal-1'], fit: 2 },
  },
  TopologyRefused: {
    since: '0.1',
    severity: 'error',
    rule: 'A driver may have no storage for the place of the selected node, although it runs there. Only its answer tells.',
    what: ({ provisioner, words, segments, node }) =>
      segments === undefined
        ? `${provisioner} finds no place${node === undefined ? '' : ` for ${node}`}: ${said(words, inHeadline)}`
        : `${provisioner} has no storage for ${segments}${node === undefined ? '' : `, where ${node} is`}`,
    why: (args) =>
      `${answered(args)}${args.node === undefined ? '' : ` Node ${args.node} was selected for the claim; the scheduler does not know what the driver can reach.`} ${retries}`,
    todo: ({ known }) =>
      `Restrict the class with allowedTopologies, or the pod with node affinity, to places that the driver serves${known === undefined ? '' : ` (volumes of it are in ${known})`}; or let the driver serve this one, too.`,
    short: ({ segments }) => (segments === undefined ? 'driver finds no place' : `no storage for ${segments}`),
    example: {
      provisioner: 'csi.vsphere.vmware.com',
      words: 'failed to get shared datastores in topology',
      code: 'Internal',
      node: 'worker-dc2',
      segments: 'region=dc2, zone=zone-a',
      known: 'region=dc1, zone=zone-a',
    },
  },

  ModesNotOffered: {
    since: '0.1',
    severity: 'error',
    rule: 'What access modes and volume modes a driver can make is known to the driver alone. Drivers of disks refuse ReadWriteMany with a file system, drivers of shared directories refuse Block.',
    what: ({ provisioner, accessModes, volumeMode }) =>
      `${provisioner} makes no ${[...accessModes.map(shortAccessMode), volumeMode].join(' ')} volumes`,
    why: ({ provisioner, family, accessModes, volumeMode, words }) =>
      `${words === undefined ? '' : `${answered({ provisioner, words })} `}The claim asks for ${list([...accessModes, volumeMode])}${family === undefined ? '' : family === 'block' ? `; ${provisioner} makes disks, which one node mounts at a time` : `; ${provisioner} makes shared directories, not devices`}.`,
    todo: ({ family }) =>
      family === 'file'
        ? 'Recreate the claim with volumeMode: Filesystem, or with a class of a driver for disks.'
        : 'Recreate the claim with ReadWriteOnce, or with a class of a driver for shared file systems.',
    short: ({ accessModes, volumeMode }) =>
      `driver offers no ${[...accessModes.map(shortAccessMode), volumeMode].join(' ')}`,
    example: {
      provisioner: 'ebs.csi.aws.com',
      family: 'block',
      accessModes: ['ReadWriteMany'],
      volumeMode: 'Filesystem',
    },
  },
  AccessModeUnknown: {
    since: '0.1',
    severity: 'error',
    rule: 'A provisioner knows the access modes ReadWriteOnce, ReadOnlyMany, ReadWriteMany and ReadWriteOncePod.',
    what: ({ mode }) => `the access mode ${quote(mode)} is unknown`,
    why: ({ mode }) => `The claim asks for access mode ${quote(mode)}, which the provisioner does not know.`,
    todo: () => 'Recreate the claim with an access mode that exists.',
    short: ({ mode }) => `unknown access mode ${mode}`,
    example: { mode: 'ReadWriteTwice' },
  },
  AttributesClassMissing: {
    since: '0.1',
    severity: 'error',
    rule: 'A VolumeAttributesClass that a claim names must exist before the volume is made.',
    what: ({ attributesClass }) => `VolumeAttributesClass ${quote(attributesClass)} does not exist`,
    why: ({ attributesClass, nearest }) =>
      `volumeAttributesClassName is ${quote(attributesClass)}, and there is no such VolumeAttributesClass${nearest === undefined ? '' : ` (there is ${quote(nearest)})`}: the provisioner waits for it.`,
    todo: ({ attributesClass }) =>
      `Create VolumeAttributesClass ${quote(attributesClass)}, or recreate the claim with one that exists.`,
    short: ({ attributesClass }) => `no attributes class ${attributesClass}`,
    example: { attributesClass: 'gold', nearest: 'golden' },
  },
  AttributesClassOfOtherDriver: {
    since: '0.1',
    severity: 'error',
    rule: 'A VolumeAttributesClass belongs to one driver, the one that makes the volume.',
    what: ({ attributesClass, driver }) => `VolumeAttributesClass ${quote(attributesClass)} is for ${driver}`,
    why: ({ attributesClass, driver, provisioner }) =>
      `VolumeAttributesClass ${quote(attributesClass)} is for driver ${driver}, but the volume is made by ${provisioner}.`,
    todo: ({ provisioner }) => `Recreate the claim with a VolumeAttributesClass of ${provisioner}, or without one.`,
    short: ({ attributesClass }) => `${attributesClass} is of another driver`,
    example: { attributesClass: 'gold', driver: 'pd.csi.storage.gke.io', provisioner: 'ebs.csi.aws.com' },
  },
  DriverLacksCapability: {
    since: '0.1',
    severity: 'error',
    rule: 'A driver says what it can do: make volumes, restore snapshots, clone, change attributes. What it does not say is not asked of it.',
    what: ({ provisioner, words }) => `${provisioner} cannot do what the claim needs: ${said(words, inHeadline)}`,
    why: answered,
    todo: ({ provisioner }) =>
      `Recreate the claim without that wish, or use a driver (or a release of ${provisioner}) that can do it.`,
    short: () => 'driver lacks a capability',
    example: {
      provisioner: 'csi.example.com',
      words: 'CSI driver does not support clone operations: controller CLONE_VOLUME capability is not reported',
    },
  },

  SourceNotGranted: {
    since: '0.1',
    severity: 'error',
    rule: 'A data source in another namespace needs a ReferenceGrant there, from PersistentVolumeClaims of the namespace of the claim to objects of that kind.',
    what: ({ source }) => `it may not use ${source} of another namespace`,
    why: ({ source, kind, namespace, claimNamespace }) =>
      `dataSourceRef names ${kind} ${source}; no ReferenceGrant in namespace ${namespace} lets PersistentVolumeClaims of namespace ${claimNamespace} refer to it.`,
    todo: ({ namespace, claimNamespace, kind }) =>
      `Create a ReferenceGrant in namespace ${namespace}, from PersistentVolumeClaim in ${claimNamespace} to ${kind}.`,
    short: ({ source }) => `no grant for ${source}`,
    example: { source: 'prod/snap-1', kind: 'VolumeSnapshot', namespace: 'prod', claimNamespace: 'test' },
  },
  SourceInvalid: {
    since: '0.1',
    severity: 'error',
    rule: 'A data source needs a name, and a VolumeSnapshot is one of snapshot.storage.k8s.io only.',
    what: ({ kind }) => `its data source, a ${kind}, is not usable`,
    why: ({ why }) => `The provisioner says: ${said(why, inParagraph)}.`,
    todo: () => 'Recreate the claim with a data source that exists.',
    short: () => 'data source not usable',
    example: {
      kind: 'VolumeSnapshot',
      why: 'the PVC source does not belong to the right APIGroup. Expected snapshot.storage.k8s.io, Got example.com',
    },
  },
  SourceNeedsPopulator: {
    since: '0.1',
    severity: 'warning',
    rule: 'Snapshots and claims are data sources that provisioners know. For every other kind they do nothing and leave the claim to a volume populator, a controller for that kind.',
    what: ({ kind }) => `a populator for ${kind} is to fill it, the provisioner does nothing`,
    why: ({ source, kind, group }) =>
      `dataSourceRef names ${kind} ${source}${group === '' ? '' : ` of ${group}`}; the provisioner leaves such a claim alone ("Assuming an external populator will provision the volume"), and nothing in the input tells whether a populator runs.`,
    todo: ({ kind }) =>
      `Make sure that a populator for ${kind} is installed and runs, and that ${kind} is registered (VolumePopulator).`,
    short: ({ kind }) => `waits for a populator of ${kind}`,
    example: { source: 'shop/import-1', kind: 'VolumeImportSource', group: 'cdi.kubevirt.io' },
  },
  SourceRefused: {
    since: '0.1',
    severity: 'error',
    rule: 'A provisioner looks at the data source of a claim before it makes a volume.',
    what: ({ words }) => `its data source is refused: ${said(words, inHeadline)}`,
    why: (told) => `${answered(told)} ${retries}`,
    short: () => 'data source refused',
    example: {
      provisioner: 'hostpath.csi.k8s.io',
      words: 'error getting handle for DataSource Type VolumeSnapshot by Name snap-1: snapshot snap-1 is not Ready',
    },
  },
  SnapshotMissing: {
    since: '0.1',
    severity: 'error',
    rule: 'A claim that restores a snapshot waits until the snapshot exists, in its own namespace.',
    what: ({ snapshot }) => `snapshot ${snapshot} does not exist`,
    why: ({ snapshot, nearest }) =>
      `The claim is to be restored from VolumeSnapshot ${snapshot}, and there is none${nearest === undefined ? '' : ` (there is ${nearest})`}. The provisioner asks for it again and again.`,
    todo: ({ nearest }) =>
      nearest === undefined
        ? 'Create the snapshot, or recreate the claim without dataSource. If the cluster knows no VolumeSnapshots at all, install their CRDs and the snapshot controller.'
        : `Recreate the claim with dataSource ${nearest.slice(nearest.indexOf('/') + 1)}, or create the snapshot.`,
    short: ({ snapshot }) => `no snapshot ${snapshot}`,
    example: { snapshot: 'shop/snap-1', nearest: 'shop/snap-11' },
  },
  SnapshotUnusable: {
    since: '0.1',
    severity: 'error',
    rule: 'A snapshot can be restored when it is bound to its VolumeSnapshotContent, ready, has a handle, and was made by the driver of the class.',
    what: ({ snapshot, is }) => `snapshot ${snapshot} ${snapshotState[is]}`,
    why: ({ snapshot, is, content, driver, provisioner, error, missingClass }) =>
      `The claim is to be restored from VolumeSnapshot ${snapshot}, which ${snapshotState[is]}${content === undefined ? '' : ` (${content})`}${driver === undefined ? '' : `: the snapshot is of ${driver || 'no driver'}, the volume would be of ${provisioner}`}.${missingClass === undefined ? '' : ` Its VolumeSnapshotClass ${quote(missingClass)} does not exist.`}${error === undefined ? '' : ` The snapshot says: ${said(error, inParagraph)}.`}`,
    todo: ({ is, snapshot, missingClass }) =>
      is === 'otherDriver'
        ? 'Recreate the claim with a class of the driver that made the snapshot.'
        : is === 'terminating'
          ? 'Restore from another snapshot.'
          : missingClass !== undefined
            ? `Create VolumeSnapshotClass ${quote(missingClass)}; the snapshot is then made.`
            : `Look at the snapshot and the log of the snapshot controller: kubectl describe volumesnapshot ${snapshot.slice(snapshot.indexOf('/') + 1)} -n ${snapshot.slice(0, snapshot.indexOf('/'))}`,
    short: ({ is }) => `snapshot ${snapshotState[is]}`,
    example: { snapshot: 'shop/snap-1', is: 'notReady', provisioner: 'ebs.csi.aws.com' },
  },
  SnapshotTooLarge: {
    since: '0.1',
    severity: 'error',
    rule: 'A volume that is restored from a snapshot must be at least as large as restoreSize of the snapshot.',
    what: ({ snapshot, restoreSize, request }) =>
      `the request is too small by ${shortage(request, restoreSize)} for snapshot ${snapshot}`,
    why: ({ snapshot, restoreSize, request }) =>
      `The claim asks for ${size(request)}, but restoring snapshot ${snapshot} takes ${size(restoreSize)} (restoreSize): the provisioner refuses a smaller volume.`,
    todo: ({ restoreSize }) => `Recreate the claim asking for at least ${size(restoreSize)}.`,
    short: ({ restoreSize, request }) => `${request}, but the snapshot needs ${restoreSize}`,
    example: { snapshot: 'shop/snap-1', restoreSize: '1Gi', request: '500Mi' },
  },
  SnapshotModeDiffers: {
    since: '0.1',
    severity: 'error',
    rule: 'A snapshot is restored with the volumeMode of the volume it was taken of, unless its content carries snapshot.storage.kubernetes.io/allow-volume-mode-change: "true".',
    what: ({ snapshot, sourceMode, claimMode }) =>
      `snapshot ${snapshot} is of a ${sourceMode} volume, the claim wants ${claimMode}`,
    why: ({ snapshot, sourceMode, claimMode }) =>
      `Snapshot ${snapshot} was taken of a ${sourceMode} volume, the claim has volumeMode ${claimMode}; the provisioner does not change the mode without permission.`,
    todo: ({ sourceMode }) =>
      `Recreate the claim with volumeMode: ${sourceMode}; or, if that is meant, annotate the VolumeSnapshotContent with snapshot.storage.kubernetes.io/allow-volume-mode-change: "true".`,
    short: ({ sourceMode, claimMode }) => `snapshot is ${sourceMode}, not ${claimMode}`,
    example: { snapshot: 'shop/snap-1', sourceMode: 'Filesystem', claimMode: 'Block' },
  },
  CloneSourceMissing: {
    since: '0.1',
    severity: 'error',
    rule: 'A claim that clones another waits until that one exists, in its own namespace, and is bound.',
    what: ({ source }) => `claim ${source}, which it clones, does not exist`,
    why: ({ source, nearest }) =>
      `The claim is to be a clone of claim ${source}, and there is none${nearest === undefined ? '' : ` (there is ${nearest})`}.`,
    todo: ({ nearest }) =>
      nearest === undefined
        ? 'Create the source, or recreate the claim without dataSource.'
        : `Recreate the claim with dataSource ${nearest.slice(nearest.indexOf('/') + 1)}.`,
    short: ({ source }) => `no claim ${source} to clone`,
    example: { source: 'shop/films-1', nearest: 'shop/films' },
  },
  CloneSourceUnusable: {
    since: '0.1',
    severity: 'error',
    rule: 'A claim can be cloned when it is Bound to a CSI volume of the driver of the class; a class of the same driver with another name is all right.',
    what: ({ source, is, phase }) => `claim ${source}, which it clones, ${cloneState(is, phase)}`,
    why: ({ source, is, phase, volume, driver, provisioner }) =>
      is === 'claimWithoutClass'
        ? `The claim names no class, and a clone needs one.`
        : `The claim is to be a clone of claim ${source}, which ${cloneState(is, phase)}${volume === undefined ? '' : ` (volume ${volume}${phase === undefined || is !== 'volumeNotBound' ? '' : `, ${phase || 'without a phase'}`})`}${driver === undefined ? '' : `: it is of ${driver || 'no driver'}, the clone would be of ${provisioner}`}.`,
    todo: ({ source, is }) =>
      is === 'otherDriver'
        ? 'Recreate the claim with a class of the driver of the source; data moves between drivers only by copying.'
        : is === 'notBound'
          ? `Have ${source} bound first; if its class waits for a pod, let one use it: kubectl pvc-explain ${source}`
          : `Mend ${source} first: kubectl pvc-explain ${source}`,
    short: ({ source, is, phase }) => `${source} ${cloneState(is, phase)}`,
    example: { source: 'shop/films', is: 'notBound', phase: 'Pending', provisioner: 'ebs.csi.aws.com' },
  },
  CloneSourceTooLarge: {
    since: '0.1',
    severity: 'error',
    rule: 'A clone must ask for at least as much as its source asks for.',
    what: ({ source, size: given, request }) =>
      `the request is too small by ${shortage(request, given)} for a clone of ${source}`,
    why: ({ source, size: given, request }) =>
      `The claim asks for ${size(request)}, but ${source}, which it clones, asks for ${size(given)}.`,
    todo: ({ size: given }) => `Recreate the claim asking for at least ${size(given)}.`,
    short: ({ size: given, request }) => `${request}, but the source has ${given}`,
    example: { source: 'shop/films', size: '10Gi', request: '5Gi' },
  },
  CloneModeDiffers: {
    since: '0.1',
    severity: 'error',
    rule: 'A clone has the volumeMode of its source.',
    what: ({ source, sourceMode, claimMode }) =>
      `${source}, which it clones, is ${sourceMode}, the claim wants ${claimMode}`,
    why: ({ source, sourceMode, claimMode }) =>
      `The volume of ${source} is a ${sourceMode} volume, the claim has volumeMode ${claimMode}; a clone cannot change that.`,
    todo: ({ sourceMode }) => `Recreate the claim with volumeMode: ${sourceMode}.`,
    short: ({ sourceMode, claimMode }) => `source is ${sourceMode}, not ${claimMode}`,
    example: { source: 'shop/films', sourceMode: 'Block', claimMode: 'Filesystem' },
  },

  SecretMissing: {
    since: '0.1',
    severity: 'error',
    rule: 'A class may name a Secret that the driver needs to make volumes; the provisioner reads it before it asks the driver.',
    what: ({ secret }) => `Secret ${secret}, which the class names, does not exist`,
    why: ({ secret, class: name }) =>
      `The parameters of class ${quote(name)} name Secret ${secret} for making volumes, and there is none.`,
    todo: ({ secret }) =>
      `Create Secret ${secret} with what the driver asks for; parameters of a class cannot be changed.`,
    short: ({ secret }) => `no Secret ${secret}`,
    example: { secret: 'rook-ceph/rook-csi-rbd-provisioner', class: 'rook-ceph-block' },
  },
  SecretTemplateInvalid: {
    since: '0.1',
    severity: 'error',
    rule: 'Secrets in the parameters of a class come as a pair, name and namespace. Both may hold the tokens pv.name and pvc.namespace, the name also pvc.name and pvc.annotations; what comes out must be a valid name.',
    what: ({ class: name }) => `the Secrets in the parameters of class ${quote(name)} cannot be resolved`,
    why: ({ class: name, why }) => `Class ${quote(name)}: ${said(why, inParagraph)}.`,
    todo: () => 'Create a class with correct parameters (a class cannot be changed) and recreate the claim with it.',
    short: ({ class: name }) => `Secrets of class ${name} are not usable`,
    example: {
      class: 'rook-ceph-block',
      why: 'failed to get name and namespace template from params: either name and namespace for Provisioner secrets specified, Both must be specified',
    },
  },
  ClassParameterInvalid: {
    since: '0.1',
    severity: 'error',
    rule: 'Parameters that begin with csi.storage.k8s.io/ are for the provisioner itself; it refuses those that it does not know, and a file system type that is given twice.',
    what: ({ class: name, parameters, isTwice }) =>
      isTwice
        ? `class ${quote(name)} gives the file system type twice`
        : `class ${quote(name)} has the unknown parameter ${list(parameters)}`,
    why: ({ class: name, parameters, isTwice }) =>
      isTwice
        ? `Class ${quote(name)} has the parameters ${list(parameters)}, which mean the same; the provisioner does not choose.`
        : `Class ${quote(name)} has the parameter ${list(parameters)}; names that begin with csi.storage.k8s.io/ are reserved, and the provisioner knows no such one.`,
    todo: () => 'Create a class with correct parameters (a class cannot be changed) and recreate the claim with it.',
    short: ({ parameters }) => `parameter ${list(parameters, 2)}`,
    example: { class: 'fast', parameters: ['csi.storage.k8s.io/fs-type'], isTwice: false },
  },

  ProvisionerForbidden: {
    since: '0.1',
    severity: 'error',
    rule: 'A provisioner needs rights of its own: volumes, claims, nodes, CSINodes, classes, events, leases, and Secrets where a class names some.',
    what: ({ provisioner, words }) => `${provisioner} lacks a right: ${said(words, inHeadline)}`,
    why: answered,
    todo: () =>
      'Give its service account the missing right: ClusterRole and binding of the driver, as its manifests have them.',
    short: () => 'provisioner lacks a right',
    example: {
      provisioner: 'csi.example.com',
      words:
        'nodes "node-1" is forbidden: User "system:serviceaccount:csi:provisioner" cannot get resource "nodes" in API group "" at the cluster scope',
    },
  },
  StorageExhausted: {
    since: '0.1',
    severity: 'error',
    rule: 'What room there is, or what a cloud account may use, only the storage behind a driver knows. The scheduler knows it only of drivers that publish their capacity.',
    what: ({ provisioner, words, request, node }) =>
      `${provisioner} has no room for ${request}${node === undefined ? '' : ` on ${node}`}: ${said(words, inHeadline)}`,
    why: (args) =>
      `${answered(args)}${args.node === undefined ? '' : ` Node ${args.node} was selected for the claim${args.others.length === 0 ? '' : `; of the other nodes the pod can use none: ${list(args.others, 3)}`}.`}${args.tracksCapacity === false ? ' The driver does not publish its capacity (storageCapacity is not true), so the scheduler cannot know and may select the same node again.' : ''}`,
    todo: ({ node, others, tracksCapacity }) =>
      `Add storage${node === undefined ? ', or raise the limit' : ` on ${node}`}; or ask for less${others.length === 0 ? '' : '; or let the pod run on another node'}${tracksCapacity === false ? '; or let the driver publish its capacity (storageCapacity: true, --enable-capacity)' : ''}.`,
    short: ({ request }) => `no room for ${request}`,
    example: {
      provisioner: 'local.csi.openebs.io',
      words: 'insufficient space in vg lvmvg',
      code: 'ResourceExhausted',
      request: '40Gi',
      node: 'node-1',
      tracksCapacity: false,
      others: ['node-2 (cordoned)'],
    },
  },
  DriverUnauthorized: {
    since: '0.1',
    severity: 'error',
    rule: 'A driver needs credentials for the storage behind it: a role of the cloud, or a Secret.',
    what: ({ provisioner, words }) => `${provisioner} is not let in: ${said(words, inHeadline)}`,
    why: (told) => `${answered(told)} ${retries}`,
    todo: ({ provisioner }) =>
      `Check the credentials of ${provisioner}: its IAM role or policy, its Secret, their expiry.`,
    short: () => 'driver lacks credentials',
    example: {
      provisioner: 'ebs.csi.aws.com',
      words: 'Could not create volume: UnauthorizedOperation: You are not authorized to perform this operation',
      code: 'PermissionDenied',
    },
  },
  DriverTimesOut: {
    since: '0.1',
    severity: 'error',
    rule: 'A call that takes longer than --timeout (10 seconds unless told otherwise) is made again; the driver answers "already exists" while the first one is under way.',
    what: ({ provisioner, words }) => `${provisioner} gets no answer in time: ${said(words, inHeadline)}`,
    why: (args) =>
      `${answered(args)} Seen ${count(args.times, 'time')}; a call may still be under way, so a volume can appear late.`,
    todo: ({ provisioner }) =>
      `Look at the log of the controller of ${provisioner} and at the storage behind it; if that is only slow, raise --timeout of csi-provisioner.`,
    short: () => 'driver times out',
    example: {
      provisioner: 'csi.example.com',
      words: 'context deadline exceeded',
      code: 'DeadlineExceeded',
      times: 12,
    },
  },
  RequestRefused: {
    since: '0.1',
    severity: 'error',
    rule: 'InvalidArgument from a driver means that the same request can never succeed: the parameters of the class, the size or the modes are wrong for it.',
    what: ({ provisioner, words }) => `${provisioner} refuses the request: ${said(words, inHeadline)}`,
    why: (args) =>
      `${answered(args)} Such a request can never succeed; it is tried again only after the longest delay.`,
    todo: ({ class: name }) =>
      `Compare the parameters of class ${quote(name)} with the documentation of the driver; a class cannot be changed, so create another and recreate the claim.`,
    short: () => 'driver refuses the request',
    example: {
      provisioner: 'ebs.csi.aws.com',
      words: 'Invalid parameter key typo for CreateVolume',
      code: 'InvalidArgument',
      class: 'gp3',
    },
  },
  ProvisioningFails: {
    since: '0.1',
    severity: 'error',
    rule: 'What a driver has to say about a failure stands in the event ProvisioningFailed and in its log.',
    what: ({ provisioner, words }) => `${provisioner} fails: ${said(words, inHeadline)}`,
    why: (args) => `${answered(args)} Seen ${count(args.times, 'time')}. ${retries}`,
    todo: ({ provisioner }) => `Look at the log of the controller of ${provisioner}.`,
    short: ({ words }) => (words.length > 60 ? `${words.slice(0, 59).trimEnd()}…` : words),
    example: { provisioner: 'csi.example.com', words: 'internal error', code: 'Internal', times: 7 },
  },
};

/** What a check of the provisioner looks at. */
function checked(code: ProvisioningArgs['ProvisioningUnchecked']['about'][number]): string {
  switch (code) {
    case 'SnapshotUnusable':
      return 'the snapshot';
    case 'CloneUnusable':
      return 'the claim to be cloned';
    case 'SourceNotGranted':
      return 'the grants for the data source';
    case 'SecretUnusable':
      return 'the Secret of the class';
    default:
      return 'the VolumeAttributesClass';
  }
}

const snapshotState = {
  terminating: 'is being deleted',
  notBound: 'is not bound to a content: it was not made yet',
  notReady: 'is not ready',
  contentMissing: 'is bound to a content that does not exist',
  contentOfOther: 'is bound to a content that belongs to another snapshot',
  noHandle: 'has no handle yet',
  otherDriver: 'was made by another driver',
} as const;

function cloneState(is: ProvisioningArgs['CloneSourceUnusable']['is'], phase: string | undefined): string {
  switch (is) {
    case 'notBound':
      return `is ${phase || 'without a phase'}, not Bound`;
    case 'terminating':
      return 'is being deleted';
    case 'noClass':
      return 'has no class';
    case 'claimWithoutClass':
      return 'cannot be cloned without a class';
    case 'namesNoVolume':
      return 'names no volume';
    case 'volumeMissing':
      return 'is bound to a volume that does not exist';
    case 'volumeNotCSI':
      return 'is bound to a volume that is no CSI volume';
    case 'volumeUnclaimed':
    case 'volumeOfOther':
      return 'is bound to a volume that does not belong to it';
    case 'volumeNotBound':
      return 'is bound to a volume that is not Bound';
    case 'otherDriver':
      return 'is bound to a volume of another driver';
  }
}

/** The command that shows what is the matter with "Deployment kube-system/ebs-csi-controller". */
function lookAt(what: string): string {
  const [kind = '', key = ''] = what.split(' ');
  const [namespace, name] = key.split('/');
  return `kubectl describe ${kind.toLowerCase()} ${name ?? namespace}${name === undefined ? '' : ` -n ${namespace}`}, and the logs of its pods.`;
}

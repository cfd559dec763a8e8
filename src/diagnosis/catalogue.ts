import { AnnAlphaStorageClass, AnnBetaStorageClass } from '../api/annotations.ts';
import { kinds } from '../snapshot/kinds.ts';
import { checkCatalogue } from './check-catalogue.ts';
import type { Code, Finding, FindingArgs, Severity } from './codes.ts';
import { lifecycleCatalogue } from './lifecycle-catalogue.ts';
import { provisioningCatalogue } from './provisioning-catalogue.ts';
import type { Verdict } from './verdict.ts';
import {
  className,
  count,
  differsInUnitOnly,
  isDecimal,
  list,
  quote,
  requirementText,
  shortage,
  size,
} from './words.ts';

/** All that is said about a code. This file holds the only prose of the program. */
export interface Entry<A> {
  /** The version of this program that introduced it. */
  readonly since: string;
  readonly severity: Severity;
  /** The rule behind it, whoever it meets: which component, which condition. */
  readonly rule: string;
  /** One line: what is so. */
  readonly what: (args: A) => string;
  /** Which rule with which values makes it so. */
  readonly why: (args: A) => string;
  /** What to do about it, where something helps. */
  readonly todo?: (args: A) => string;
  /** A cell of a table. */
  readonly short: (args: A) => string;
  readonly example: A;
}

export const catalogue: { readonly [C in Code]: Entry<Readonly<FindingArgs[C]>> } = {
  ...checkCatalogue,
  ...provisioningCatalogue,
  ...lifecycleCatalogue,

  CapacityTooSmall: {
    since: '0.1',
    severity: 'error',
    rule: 'A volume must be at least as large as the request of the claim. Sizes are compared exactly: 1G is smaller than 1Gi.',
    what: ({ volume, capacity, request }) => `volume ${volume} is too small by ${shortage(capacity, request)}`,
    why: ({ volume, capacity, request }) =>
      differsInUnitOnly(capacity, request)
        ? `Volume ${volume} has ${size(capacity)}, the claim asks for ${size(request)}: the same number, but a unit of ${isDecimal(capacity) ? 'ten against one of two' : 'two against one of ten'}.`
        : `Volume ${volume} is too small: it has ${size(capacity)}, the claim asks for ${size(request)}.`,
    todo: ({ capacity }) => `Ask for at most ${size(capacity)}, or provide a larger volume.`,
    short: ({ capacity, request }) => `too small by ${shortage(capacity, request)}`,
    example: { volume: 'archive-03', capacity: '500G', request: '500Gi' },
  },
  AccessModesMissing: {
    since: '0.1',
    severity: 'error',
    rule: 'A volume must offer every access mode that the claim asks for, by name: ReadWriteMany does not include ReadWriteOnce. Volumes without them are not even looked at, not even when they are reserved for the claim.',
    what: ({ volume, missing }) => `volume ${volume} lacks ${list(missing)}`,
    why: ({ volume, missing, given }) =>
      `The claim asks for ${list(missing)}, volume ${volume} offers ${given.length === 0 ? 'no access mode' : `${list(given)} only`}. One mode never stands for another.`,
    todo: ({ volume, missing }) =>
      `Add ${list(missing)} to spec.accessModes of volume ${volume} if its storage can do that, or ask for what it offers.`,
    short: ({ missing }) => `lacks ${missing.join(', ')}`,
    example: { volume: 'archive-02', missing: ['ReadWriteOnce'], given: ['ReadOnlyMany'] },
  },
  VolumeModeMismatch: {
    since: '0.1',
    severity: 'error',
    rule: 'volumeMode of claim and volume must be equal; absent means Filesystem.',
    what: ({ volume, volumeMode, claimMode }) =>
      `volume ${volume} is a ${volumeMode} volume, the claim wants ${claimMode}`,
    why: ({ volume, volumeMode, claimMode }) =>
      `volumeMode of volume ${volume} is ${volumeMode}, that of the claim is ${claimMode}. Neither can be changed.`,
    todo: ({ volumeMode }) =>
      `Recreate the claim with volumeMode: ${volumeMode}, or provide a volume of the other mode.`,
    short: ({ volumeMode, claimMode }) => `${volumeMode}, not ${claimMode}`,
    example: { volume: 'raw-1', volumeMode: 'Filesystem', claimMode: 'Block' },
  },
  ClassMismatch: {
    since: '0.1',
    severity: 'error',
    rule: 'The class of claim and volume must be the same name; a volume without a class serves only claims without one.',
    what: ({ volume, volumeClass, claimClass }) =>
      `volume ${volume} has ${className(volumeClass)}, the claim ${className(claimClass)}`,
    why: ({ volume, volumeClass, claimClass }) =>
      `Volume ${volume} has ${className(volumeClass)}, the claim has ${className(claimClass)}; they must be equal, and equal names or sizes do not help.`,
    todo: ({ volume, claimClass }) =>
      claimClass === ''
        ? `Remove storageClassName from volume ${volume}, or recreate the claim with the class of the volume.`
        : `Set storageClassName: ${claimClass} on volume ${volume}, or recreate the claim with the class of the volume.`,
    short: ({ volumeClass, claimClass }) =>
      volumeClass === ''
        ? 'no class'
        : claimClass === ''
          ? `class ${volumeClass}`
          : `class ${volumeClass}, not ${claimClass}`,
    example: { volume: 'nfs-07', volumeClass: 'nfs', claimClass: 'archive' },
  },
  SelectorMismatch: {
    since: '0.1',
    severity: 'error',
    rule: 'A claim with a selector takes only volumes whose labels meet every requirement of it.',
    what: ({ volume, requirement }) => `volume ${volume} does not meet the selector ${requirementText(requirement)}`,
    why: ({ volume, requirement, value }) =>
      `The selector of the claim wants ${requirementText(requirement)}; volume ${volume} has ${value === undefined ? `no label ${requirement.key}` : `${requirement.key}=${value}`}.`,
    todo: ({ volume, requirement }) =>
      requirement.operator === 'In'
        ? `Label the volume: kubectl label pv ${volume} ${requirement.key}=${requirement.values?.[0] ?? ''}`
        : `Change the label ${requirement.key} of volume ${volume}.`,
    short: ({ requirement, value }) =>
      `selector ${requirementText(requirement)}${value === undefined ? '' : ` (has ${value === '' ? '""' : value})`}`,
    example: { volume: 'disk-1', requirement: { key: 'tier', operator: 'In', values: ['gold'] }, value: 'silver' },
  },
  VolumeAttributesClassMismatch: {
    since: '0.1',
    severity: 'error',
    rule: 'Since 1.31, volumeAttributesClassName of claim and volume must be equal, absent and "" being the same; while the feature gate is off, objects that name one never match.',
    what: ({ volume, volumeClass, claimClass }) =>
      `volume ${volume} has ${volumeClass === '' ? 'no VolumeAttributesClass' : `VolumeAttributesClass ${quote(volumeClass)}`}, the claim ${claimClass === '' ? 'none' : quote(claimClass)}`,
    why: ({ volume, volumeClass, claimClass, disabled }) =>
      disabled
        ? 'The feature gate VolumeAttributesClass is off in this release: claims and volumes that name one do not match.'
        : `volumeAttributesClassName of volume ${volume} is ${quote(volumeClass)}, that of the claim ${quote(claimClass)}; they must be equal.`,
    todo: () => 'Make volumeAttributesClassName equal on both sides.',
    short: ({ volumeClass, claimClass }) =>
      `attributes class ${volumeClass === '' ? '<none>' : volumeClass}, not ${claimClass === '' ? '<none>' : claimClass}`,
    example: { volume: 'disk-1', volumeClass: 'silver', claimClass: 'gold' },
  },
  VolumeTerminating: {
    since: '0.1',
    severity: 'error',
    rule: 'A volume that is being deleted is given to nobody.',
    what: ({ volume }) => `volume ${volume} is being deleted`,
    why: ({ volume, since, finalizers }) =>
      `Volume ${volume} is being deleted since ${since}${finalizers.length > 0 ? `; ${list(finalizers)} ${finalizers.length === 1 ? 'holds' : 'hold'} it` : ''}.`,
    short: () => 'being deleted',
    example: { volume: 'disk-1', since: '2026-02-01T00:00:00Z', finalizers: ['kubernetes.io/pv-protection'] },
  },
  VolumeNotAvailable: {
    since: '0.1',
    severity: 'error',
    rule: 'Only a volume whose phase is Available is given to a claim that it is not reserved for.',
    what: ({ volume, phase }) => `volume ${volume} is ${phase === '' ? 'without a phase' : phase}, not Available`,
    why: ({ volume, phase }) =>
      `The phase of volume ${volume} is ${phase === '' ? 'empty' : phase}; the controller takes Available ones only.`,
    short: ({ phase }) => (phase === '' ? 'no phase' : `phase ${phase}`),
    example: { volume: 'disk-1', phase: 'Released' },
  },
  VolumeFailed: {
    since: '0.1',
    severity: 'error',
    rule: 'A volume whose reclaiming failed stays Failed and is given to nobody until it has been cleaned and its claimRef removed.',
    what: ({ volume }) => `volume ${volume} is Failed`,
    why: ({ volume, message }) =>
      `Reclaiming volume ${volume} failed${message === '' ? '' : `: ${quote(message)}`}; it stays out of use.`,
    todo: ({ volume }) => `Clean volume ${volume}, then remove its claimRef.`,
    short: () => 'reclaim failed',
    example: { volume: 'pv0001', message: 'Recycle failed: recycler pod was forbidden' },
  },
  BoundToOtherClaim: {
    since: '0.1',
    severity: 'error',
    rule: 'A volume is bound to exactly one claim, whatever its access modes: ReadWriteMany means many nodes, not many claims. Bindings are never rearranged.',
    what: ({ volume, claim }) => `volume ${volume} is bound to ${claim}`,
    why: ({ volume, claim }) =>
      `Volume ${volume} is bound to claim ${claim}, and a volume serves one claim only, whatever its access modes; bindings are not moved.`,
    todo: () => 'Provide one volume for each claim; several may point to the same directory or export.',
    short: ({ claim }) => `bound to ${claim}`,
    example: { volume: 'archive-01', claim: 'media/series' },
  },
  ReservedForOtherClaim: {
    since: '0.1',
    severity: 'error',
    rule: 'A volume whose claimRef names a claim is kept for that claim, even if the claim does not exist.',
    what: ({ volume, claim }) => `volume ${volume} is reserved for ${claim}`,
    why: ({ volume, claim }) =>
      `claimRef of volume ${volume} names claim ${claim}, which is not this one: the volume waits for it.`,
    todo: ({ volume }) => `If that claim will never come, remove claimRef from volume ${volume}.`,
    short: ({ claim }) => `reserved for ${claim}`,
    example: { volume: 'archive-01', claim: 'media/series' },
  },
  VolumeReleased: {
    since: '0.1',
    severity: 'error',
    rule: 'A volume whose claim was deleted is Released. With reclaim policy Retain it stays so, with its data, until somebody removes its claimRef.',
    what: ({ volume, claim }) => `volume ${volume} is Released: it belonged to ${claim}`,
    why: ({ volume, claim, policy }) =>
      `Volume ${volume} belonged to claim ${claim}, which is gone; with reclaim policy ${policy} it keeps its data and its claimRef, and is given to nobody.`,
    todo: ({ volume }) => `Once its data may be used, point claimRef of volume ${volume} at this claim.`,
    short: ({ claim }) => `released by ${claim}`,
    example: { volume: 'nfs-pv', claim: 'media/old-films', policy: 'Retain' },
  },
  ClaimRefUidMismatch: {
    since: '0.1',
    severity: 'error',
    rule: 'claimRef.uid binds a volume to one object, not to a name: a claim that was deleted and created again has another uid.',
    what: ({ volume }) => `volume ${volume} belongs to a former claim of this name`,
    why: ({ volume, claim, phase }) =>
      `claimRef of volume ${volume}${phase === '' ? '' : ` (${phase})`} names ${claim}, but with the uid of a former claim: a claim that is created again is another object.`,
    todo: ({ volume }) =>
      `Once its data may be used, clear the uid: kubectl patch pv ${volume} --type json -p '[{"op":"remove","path":"/spec/claimRef/uid"}]'`,
    short: () => 'belongs to a former claim of this name (uid differs)',
    example: { volume: 'nfs-pv', claim: 'shop/site-data', phase: 'Released' },
  },
  ClaimRefNameMismatch: {
    since: '0.1',
    severity: 'error',
    rule: 'A claimRef must give namespace and name of one claim exactly; anything else reserves the volume for nobody and hides it from everybody.',
    what: ({ volume, claimRef }) => `claimRef of volume ${volume} names ${claimRef}, not this claim`,
    why: ({ volume, claimRef, claim }) =>
      claimRef.endsWith('/')
        ? `claimRef of volume ${volume} has no name: it reserves the volume for nobody and hides it from everybody. A namespace alone does not share it.`
        : `claimRef of volume ${volume} names ${claimRef}, the claim is ${claim}: nearly the same, but not equal.`,
    todo: ({ volume, claim }) =>
      `Set spec.claimRef.name of volume ${volume} to ${claim.slice(claim.indexOf('/') + 1)}.`,
    short: ({ claimRef }) => `claimRef names ${claimRef.endsWith('/') ? 'no claim' : claimRef}`,
    example: { volume: 'data-nfs', claimRef: 'storage/data-nfs-0', claim: 'storage/data-nfs-server-0' },
  },
  ClaimRefNamespaceMismatch: {
    since: '0.1',
    severity: 'error',
    rule: 'A claimRef must give namespace and name of one claim exactly; without a namespace it names nobody.',
    what: ({ volume, claimRef }) => `claimRef of volume ${volume} names ${claimRef}, another namespace`,
    why: ({ volume, claimRef, claim }) =>
      claimRef.startsWith('/')
        ? `claimRef of volume ${volume} has no namespace, so it names no claim at all; this claim is ${claim}.`
        : `claimRef of volume ${volume} names ${claimRef}, the claim is ${claim}: the name is right, the namespace is not.`,
    todo: ({ volume, claim }) =>
      `Set spec.claimRef.namespace of volume ${volume} to ${claim.slice(0, claim.indexOf('/'))}.`,
    short: ({ claimRef }) => `claimRef names ${claimRef.startsWith('/') ? 'no namespace' : claimRef}`,
    example: { volume: 'films-pv', claimRef: 'media-test/films', claim: 'media/films' },
  },
  SmallerClaimTookVolume: {
    since: '0.1',
    severity: 'error',
    rule: 'A claim takes the smallest volume that is there when it is looked at. Bindings are final: a smaller volume that comes later changes nothing.',
    what: ({ volume, claim }) => `volume ${volume}, which would fit, went to the small claim ${claim}`,
    why: ({ volume, claim, request, other }) =>
      `Volume ${volume} would fit, but claim ${claim} has it and asked for ${size(request)} only; ${other} would have done for that one, and bindings are not rearranged.`,
    todo: ({ claim, other }) =>
      `If ${claim} holds nothing of value, recreate it now that ${other} is there; or provide another large volume. Create volumes before claims, or tie them with volumeName, claimRef, labels or classes.`,
    short: ({ volume, claim }) => `${volume} went to ${claim}`,
    example: { volume: 'core-storage', claim: 'observe/host-storage', request: '1Gi', other: 'host-storage' },
  },
  BindingDelayed: {
    since: '0.1',
    severity: 'info',
    rule: 'For a class with volumeBindingMode WaitForFirstConsumer the controller gives no unreserved volume away: the scheduler does, for the node of the pod.',
    what: ({ volume }) => `volume ${volume} fits; the scheduler decides`,
    why: ({ volume, class: name }) =>
      `Volume ${volume} fits, but class ${quote(name)} leaves the choice to the scheduler.`,
    short: () => 'fits; the scheduler decides',
    example: { volume: 'local-1', class: 'local' },
  },

  NoVolumes: {
    since: '0.1',
    severity: 'error',
    rule: 'Without a provisioner a claim needs a volume that exists already.',
    what: () => 'there are no volumes',
    why: () => 'There are no PersistentVolumes at all.',
    todo: () => 'Create a volume for the claim, or use a class that makes one.',
    short: () => 'no volumes',
    example: {},
  },
  NoClassNoDefault: {
    since: '0.1',
    severity: 'error',
    rule: 'A claim without storageClassName gets the default class; if no class is marked as default, only a volume without a class can serve it.',
    what: () => 'it names no class, and no class is the default',
    why: () =>
      'The claim names no class and no class is marked as default, so nothing makes a volume; only a volume without a class can serve it.',
    todo: () =>
      'Mark a class as default (the claim then gets it by itself), or set storageClassName on the claim: that is allowed once.',
    short: () => 'no class, no default class',
    example: {},
  },
  EmptyClass: {
    since: '0.1',
    severity: 'error',
    rule: 'storageClassName: "" asks for a volume without a class. It switches off both the default class and dynamic provisioning.',
    what: () => 'its class "" excludes every class, and so every provisioner',
    why: ({ default: name }) =>
      `storageClassName: "" is not the same as leaving it out: it asks for a volume without a class and switches provisioning off${name === undefined ? '' : `; the default class ${quote(name)} is never applied`}.`,
    todo: ({ default: name }) =>
      name === undefined
        ? 'Recreate the claim with the name of a class, or create a volume without a class.'
        : `Recreate the claim without storageClassName (it then gets ${quote(name)}), or create a volume without a class.`,
    short: () => 'class "" makes none',
    example: { default: 'standard' },
  },
  ClassMissing: {
    since: '0.1',
    severity: 'error',
    rule: 'A class that does not exist makes no volume, and a wrong name is not replaced by the default class.',
    what: ({ class: name, nearest }) =>
      `class ${quote(name)} does not exist${nearest === undefined ? '' : ` (${quote(nearest)} does)`}`,
    why: ({ class: name, nearest }) =>
      `There is no StorageClass ${quote(name)}, so nothing makes a volume; a wrong name is not replaced by the default class.${nearest === undefined ? '' : ` Did you mean ${quote(nearest)}?`}`,
    todo: ({ class: name, nearest }) =>
      nearest === undefined
        ? `Create class ${quote(name)}, or recreate the claim with one that exists.`
        : `Recreate the claim with storageClassName: ${nearest}, or create class ${quote(name)}.`,
    short: ({ class: name, nearest }) =>
      `class ${quote(name)} does not exist${nearest === undefined ? '' : ` (${nearest} does)`}`,
    example: { class: 'longhorn-volumes', nearest: 'longhorn' },
  },
  ClassCannotProvision: {
    since: '0.1',
    severity: 'error',
    rule: 'The provisioner kubernetes.io/no-provisioner makes no volumes; such a class only lends existing ones. The event "no volume plugin matched name: kubernetes.io/no-provisioner" says no more than that no volume fits.',
    what: ({ class: name }) => `class ${quote(name)} makes none`,
    why: ({ class: name }) =>
      `Class ${quote(name)} has provisioner kubernetes.io/no-provisioner: it makes no volumes, it only lends existing ones.`,
    todo: ({ class: name }) => `Create a volume of class ${quote(name)} that fits.`,
    short: ({ class: name }) => `class ${name} makes no volumes`,
    example: { class: 'archive', bindingMode: 'Immediate' },
  },
  InTreeProvisionerGone: {
    since: '0.1',
    severity: 'error',
    rule: 'Provisioners whose name begins with kubernetes.io/ were part of Kubernetes itself; those that were removed and not moved to a CSI driver make no volumes any more.',
    what: ({ class: name, provisioner }) =>
      `provisioner ${provisioner} of class ${quote(name)} is not part of this release`,
    why: ({ class: name, provisioner }) =>
      `Class ${quote(name)} has provisioner ${provisioner}, which this release of Kubernetes does not contain.`,
    todo: () => 'Use a class of a CSI driver; a class cannot be changed, so create a new one and recreate the claim.',
    short: ({ provisioner }) => `no provisioner ${provisioner}`,
    example: { class: 'gluster', provisioner: 'kubernetes.io/glusterfs' },
  },
  RetroactiveDefaultUnavailable: {
    since: '0.1',
    severity: 'error',
    rule: 'Before 1.26 the default class was written into a claim only when it was created.',
    what: ({ default: name }) => `the default class ${quote(name)} came too late for it`,
    why: ({ default: name, release }) =>
      `The claim was created without a class while there was no default; Kubernetes ${release} does not write ${quote(name)} into it afterwards (1.26 and later do).`,
    todo: () => 'Recreate the claim.',
    short: ({ default: name }) => `default class ${name} came later`,
    example: { default: 'standard', release: '1.25' },
  },

  DefaultClassInjected: {
    since: '0.1',
    severity: 'warning',
    rule: 'A claim that is created without storageClassName gets the default class written into it; from then on it can only get volumes of that class.',
    what: ({ class: name }) =>
      `class ${quote(name)} is the default class, probably written into the claim when it was created`,
    why: ({ class: name, volume }) =>
      `${quote(name)} is the default class: the claim probably got it because it was created without a class. Volume ${volume}, which has none, was meant, but a class never matches no class.`,
    todo: () =>
      'Recreate the claim with storageClassName: "" (the field cannot be changed), or give the volume the class.',
    short: ({ class: name }) => `default class ${name} was injected`,
    example: { class: 'gp3', volume: 's3-models' },
  },
  DefaultClassAssigned: {
    since: '0.1',
    severity: 'info',
    rule: 'Since 1.26 the controller writes the default class into a claim that has none, once no volume without a class fits.',
    what: ({ class: name }) => `it will get the default class ${quote(name)}`,
    why: ({ class: name }) =>
      `The claim names no class; no volume without a class fits, so the controller writes the default class ${quote(name)} into it at the next sync.`,
    short: ({ class: name }) => `gets default class ${name}`,
    example: { class: 'standard' },
  },
  SeveralDefaultClasses: {
    since: '0.1',
    severity: 'warning',
    rule: 'Of several default classes the newest is taken, among equally old ones the first by name. A class is a default if either annotation, the current or the beta one, is "true".',
    what: ({ classes }) => `${count(classes.length, 'class', 'classes')} are marked as default: ${list(classes)}`,
    why: ({ classes, taken }) =>
      `${list(classes.map(quote))} are all marked as default; the newest one, ${quote(taken)}, is taken. A class counts as default while either annotation, the current or the beta one, is "true".`,
    todo: ({ classes, taken }) =>
      `Take both annotations off ${list(classes.filter((one) => one !== taken).map(quote))}.`,
    short: ({ taken }) => `several defaults, ${taken} taken`,
    example: { classes: ['standard', 'ssd'], taken: 'ssd' },
  },
  BetaClassAnnotation: {
    since: '0.1',
    severity: 'warning',
    rule: `The annotation ${AnnBetaStorageClass} overrides spec.storageClassName, even when it is empty.`,
    what: ({ annotation }) => `its class is ${quote(annotation)}, from the beta annotation`,
    why: ({ annotation, field }) =>
      `The annotation ${AnnBetaStorageClass} is ${quote(annotation)} and overrides spec.storageClassName${field === undefined ? '' : ` (${quote(field)})`}.`,
    todo: () => 'Recreate the claim without the annotation.',
    short: ({ annotation }) => `beta annotation says ${annotation === '' ? '""' : annotation}`,
    example: { annotation: 'slow', field: 'fast' },
  },
  AlphaClassAnnotation: {
    since: '0.1',
    severity: 'info',
    rule: `The annotation ${AnnAlphaStorageClass} has had no meaning since 1.6.`,
    what: () => 'its alpha class annotation is ignored',
    why: ({ annotation, class: name }) =>
      `The annotation ${AnnAlphaStorageClass} (${quote(annotation)}) has no meaning any more; the claim has ${className(name)}.`,
    todo: () => 'Use spec.storageClassName if a class is wanted.',
    short: () => 'alpha annotation ignored',
    example: { annotation: 'anything', class: '' },
  },

  NamedVolumeMissing: {
    since: '0.1',
    severity: 'error',
    rule: 'A claim that names a volume gets that volume or none. While it does not exist the claim stays Pending, without any event, and no pod that uses the claim is scheduled.',
    what: ({ volume }) => `it names volume ${volume}, which does not exist`,
    why: ({ volume, nearest }) =>
      `spec.volumeName is ${quote(volume)}, and there is no such volume${nearest === undefined ? '' : ` (there is ${quote(nearest)})`}. The controller waits for it without a word; no other volume is considered, and the scheduler calls the claim an unbound immediate one.`,
    todo: ({ volume, nearest }) =>
      `Recreate the claim without volumeName${nearest === undefined ? '' : `, or with ${nearest}`}; or create volume ${volume}.`,
    short: ({ volume }) => `volume ${volume} does not exist`,
    example: { volume: 'local-pv-7', nearest: 'local-pv-1' },
  },
  NamedVolumeTaken: {
    since: '0.1',
    severity: 'error',
    rule: 'A claim that names a volume waits for it for ever if the volume belongs to another claim.',
    what: ({ volume, claim }) => `it names volume ${volume}, which belongs to ${claim}`,
    why: ({ volume, claim }) => `spec.volumeName is ${quote(volume)}, but claimRef of that volume names ${claim}.`,
    todo: () => 'Recreate the claim without volumeName or with another volume, or free the volume.',
    short: ({ volume, claim }) => `${volume} belongs to ${claim}`,
    example: { volume: 'archive-01', claim: 'media/series' },
  },
  BothNameEachOther: {
    since: '0.1',
    severity: 'info',
    rule: 'When claim and volume name each other they are bound without any comparison.',
    what: ({ volume }) => `claim and volume ${volume} name each other`,
    why: ({ volume, skipped }) =>
      `Claim and volume ${volume} name each other, so nothing is compared any more${skipped.length === 0 ? '' : `, although ${list(skipped)}`}.`,
    short: () => 'name each other',
    example: { volume: 'registry-volume', skipped: ['the classes differ'] },
  },

  LostReference: {
    since: '0.1',
    severity: 'error',
    rule: 'The annotation pv.kubernetes.io/bind-completed marks a claim as bound. If spec.volumeName is empty all the same, the claim is Lost.',
    what: () => 'it is marked as bound, but names no volume',
    why: ({ volume }) =>
      `The claim carries pv.kubernetes.io/bind-completed, but spec.volumeName is empty: somebody copied the annotations of a bound claim${volume === undefined ? '' : `. Volume ${volume} is still there, reserved for it`}.`,
    todo: () =>
      'Remove the annotations pv.kubernetes.io/bind-completed and pv.kubernetes.io/bound-by-controller; the claim is then matched again.',
    short: () => 'marked as bound, names no volume',
    example: { volume: 'pvc-7589912e' },
  },
  LostVolume: {
    since: '0.1',
    severity: 'error',
    rule: 'A bound claim whose volume does not exist any more is Lost.',
    what: ({ volume }) => `its volume ${volume} is gone`,
    why: ({ volume }) => `The claim was bound to volume ${volume}, and there is no such volume any more.`,
    todo: ({ volume }) =>
      `Restore volume ${volume} from its manifest (the claim heals by itself), or delete the claim if its data is expendable.`,
    short: ({ volume }) => `${volume} is gone`,
    example: { volume: 'pvc-7589912e' },
  },
  Misbound: {
    since: '0.1',
    severity: 'error',
    rule: 'A claim that is marked as bound is Lost if claimRef.uid of its volume is not its own uid: two claims cannot have one volume.',
    what: ({ volume }) => `volume ${volume} does not belong to it: claimRef.uid differs`,
    why: ({ volume, uid, claimRefUid, claimRef, claim }) =>
      claimRef === claim
        ? `The claim carries pv.kubernetes.io/bind-completed, but claimRef.uid of volume ${volume} is ${claimRefUid === '' ? 'empty' : claimRefUid}, the claim's uid is ${uid}: the claim was created again, or imported from another cluster, with its old annotations.`
        : `Volume ${volume} is bound to claim ${claimRef}, not to this one.`,
    todo: ({ volume, claimRef, claim }) =>
      claimRef === claim
        ? `If the data of volume ${volume} belongs to this claim, remove claimRef from the volume; the claim is then bound to it again. Import without claimRef.uid and without the annotations pv.kubernetes.io/*.`
        : 'Recreate the claim without volumeName and without the annotations pv.kubernetes.io/*.',
    short: ({ volume }) => `${volume} has another uid in claimRef`,
    example: {
      volume: 'pvc-app-export',
      uid: '4f1c',
      claimRefUid: '9a02',
      claimRef: 'shop/app-data',
      claim: 'shop/app-data',
    },
  },

  WaitsForFirstConsumer: {
    since: '0.1',
    severity: 'info',
    rule: 'With volumeBindingMode WaitForFirstConsumer a claim stays Pending until a pod that uses it is scheduled.',
    what: ({ class: name }) => `this is normal. Class ${quote(name)} waits for a pod that uses the claim`,
    why: ({ class: name }) =>
      `Class ${quote(name)} has volumeBindingMode WaitForFirstConsumer, and no pod uses the claim.`,
    todo: () =>
      'Create the pod. Do not wait for the claim before that (hooks, sync waves, kubectl wait): it cannot bind first.',
    short: () => 'no pod uses it (normal)',
    example: { class: 'standard' },
  },
  ConsumerNotScheduled: {
    since: '0.1',
    severity: 'info',
    rule: 'With volumeBindingMode WaitForFirstConsumer the volume is chosen when the pod that uses the claim gets its node.',
    what: ({ pods }) => `${pods.length === 1 ? `pod ${pods[0]} is` : `pods ${list(pods)} are`} not scheduled`,
    why: ({ pods, class: name }) =>
      `Class ${quote(name)} binds when a pod is scheduled; ${pods.length === 1 ? `${pods[0]} uses the claim and has` : `${list(pods)} use the claim and have`} no node yet.`,
    short: ({ pods }) => `${list(pods, 2)} not scheduled`,
    example: { pods: ['db/db-0'], class: 'local' },
  },
  ConsumerBypassesScheduler: {
    since: '0.1',
    severity: 'error',
    rule: 'Only the scheduler asks for a volume for a delayed claim. A pod whose spec.nodeName is set before the scheduler saw it never makes that happen.',
    what: ({ pod }) => `pod ${pod} has a node already, so the scheduler never chooses a volume`,
    why: ({ pod, node }) =>
      `Pod ${pod} was put on node ${node} by spec.nodeName or another scheduler, which did not set volume.kubernetes.io/selected-node; the claim waits for a scheduling that will not happen.`,
    todo: ({ node }) =>
      `Recreate the pod with nodeSelector kubernetes.io/hostname: ${node} instead of nodeName, or use a class with volumeBindingMode Immediate.`,
    short: ({ pod }) => `${pod} bypassed the scheduler`,
    example: { pod: 'batch/job-1', node: 'node-2' },
  },
  ConsumerFinished: {
    since: '0.1',
    severity: 'info',
    rule: 'Pods that have ended do not count as users of a claim.',
    what: ({ pods }) => `the pods that used it have ended: ${list(pods)}`,
    why: ({ pods }) =>
      `${list(pods)} used the claim but ${pods.length === 1 ? 'has' : 'have'} ended; a new pod is needed.`,
    short: () => 'its pods have ended',
    example: { pods: ['batch/job-1'] },
  },
  ConsumerGated: {
    since: '0.1',
    severity: 'warning',
    rule: 'A pod with scheduling gates is not looked at by the scheduler until whoever set them takes them off; no event tells.',
    what: ({ pod, gates }) =>
      `pod ${pod} is held back by the scheduling ${gates.length === 1 ? 'gate' : 'gates'} ${list(gates)}`,
    why: ({ pod, gates }) =>
      `Pod ${pod} has spec.schedulingGates ${list(gates)}: the scheduler does not look at it, so no volume is chosen.`,
    todo: ({ gates }) =>
      `Find out who owns ${list(gates)} (a queueing or quota controller, for instance) and why it holds the pod.`,
    short: ({ pod, gates }) => `${pod} is gated by ${list(gates, 2)}`,
    example: { pod: 'db/db-0', gates: ['kueue.x-k8s.io/admission'] },
  },
  ConsumerOtherScheduler: {
    since: '0.1',
    severity: 'warning',
    rule: 'A pod whose spec.schedulerName names another scheduler is left alone by the default one; only a scheduler that knows volume binding chooses volumes.',
    what: ({ pod, scheduler }) => `pod ${pod} waits for the scheduler ${quote(scheduler)}`,
    why: ({ pod, scheduler }) =>
      `Pod ${pod} names the scheduler ${quote(scheduler)}, which is not simulated here; if it does not run, or knows nothing of volume binding, the claim waits for ever.`,
    todo: ({ scheduler }) => `Check that ${scheduler} runs; or remove spec.schedulerName from the pod.`,
    short: ({ scheduler }) => `waits for scheduler ${scheduler}`,
    example: { pod: 'batch/job-1', scheduler: 'volcano' },
  },
  ConsumerTerminating: {
    since: '0.1',
    severity: 'warning',
    rule: 'A pod that is being deleted is not scheduled any more.',
    what: ({ pod }) => `pod ${pod} is being deleted before it got a node`,
    why: ({ pod }) => `Pod ${pod} uses the claim but is being deleted; the scheduler leaves it alone.`,
    todo: () => 'Wait for the next pod, or look at what holds the deletion.',
    short: ({ pod }) => `${pod} is being deleted`,
    example: { pod: 'db/db-0' },
  },
  ConsumerNotSimulated: {
    since: '0.1',
    severity: 'warning',
    rule: 'Dynamic resources, pod groups and some others are not simulated: the answer for such a pod may be another.',
    what: ({ pod, uses }) => `pod ${pod} uses ${list(uses)}, which is not simulated`,
    why: ({ pod, uses }) =>
      `Pod ${pod} uses ${list(uses)}; these parts of the scheduler are not simulated, so where it can go is not known.`,
    short: ({ uses }) => `${list(uses, 2)} is not simulated`,
    example: { pod: 'ml/train-0', uses: ['DynamicResources'] },
  },
  PodFitsNowhere: {
    since: '0.1',
    severity: 'error',
    rule: 'A pod is scheduled on a node that every filter of the scheduler lets through; a delayed claim is bound with it.',
    what: ({ pod, nodes }) =>
      `pod ${pod} fits on ${nodes === 1 ? 'no node; there is one only' : `none of ${nodes} nodes`}`,
    why: ({ pod, nodes }) => `The scheduler lets pod ${pod} go to none of ${count(nodes, 'node')}.`,
    short: ({ pod, nodes }) => `${pod} fits on ${nodes === 1 ? 'no node' : `none of ${nodes} nodes`}`,
    example: {
      pod: 'db/db-0',
      nodes: 3,
      message: '0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable.',
    },
  },
  NoNodes: {
    since: '0.1',
    severity: 'error',
    rule: 'Without nodes no pod is scheduled.',
    what: () => 'there are no nodes',
    why: ({ pod }) => `There is no node that pod ${pod} could go to.`,
    short: () => 'no nodes',
    example: { pod: 'db/db-0' },
  },
  PodUnschedulable: {
    since: '0.1',
    severity: 'error',
    rule: 'The claim waits for its pod, and the pod is kept off every node by something that has nothing to do with storage.',
    what: ({ pod, reasons }) => `pod ${pod} cannot be scheduled, for a reason that is not storage: ${list(reasons, 2)}`,
    why: ({ pod, node, reasons, nodes, hasClaims = true }) =>
      `Storage is not the problem: ${hasClaims ? 'the claim could be served' : 'the pod uses no claim'}. Pod ${pod} is kept off ${nodes === 1 ? `the only node, ${node}` : `${node}, the nearest of ${nodes} nodes`}: ${list(reasons)}.`,
    todo: ({ reasons }) => podTodo(reasons),
    short: ({ pod, reasons }) => `${pod}: ${reasons[0] ?? 'unschedulable'}`,
    example: {
      pod: 'default/volume-test',
      node: 'master-1',
      reasons: ['untolerated taint node-role.kubernetes.io/master:NoSchedule'],
      nodes: 1,
    },
  },
  VolumeOnUnusableNode: {
    since: '0.1',
    severity: 'error',
    rule: 'A volume that can be reached from some nodes only needs a pod that may run there.',
    what: ({ volume, node, reasons }) =>
      `${volume} fits, but ${node}, where it can be reached, has ${list(reasons, 2)}`,
    why: ({ pod, volume, node, reasons }) =>
      `No node satisfies the pod and has a volume that fits: ${volume} fits, but can be reached from ${node} only, which pod ${pod} cannot use (${list(reasons)}).`,
    todo: ({ node, reasons }) => `${podTodo(reasons)} Or provide a volume on another node than ${node}.`,
    short: ({ volume, node }) => `${volume} fits, but ${node} does not`,
    example: {
      pod: 'db/db-0',
      volume: 'local-10g',
      node: 'node-b',
      reasons: ['untolerated taint dedicated=search:NoSchedule'],
    },
  },
  NoVolumeOnUsableNodes: {
    since: '0.1',
    severity: 'error',
    rule: 'For a class that makes no volumes, the scheduler needs a free volume that fits and that the node of the pod can reach.',
    what: ({ class: name, nodes }) =>
      `no volume of class ${quote(name)} fits on ${nodes.length === 1 ? nodes[0] : 'any node that the pod could use'}`,
    why: ({ pod, class: name, nodes }) =>
      `Pod ${pod} could run on ${list(nodes)}, but no free volume of class ${quote(name)} that can be reached from there fits.`,
    todo: ({ class: name, nodes }) => `Create a volume of class ${quote(name)} that fits on ${list(nodes, 3)}.`,
    short: ({ nodes }) => `no volume fits on ${list(nodes, 2)}`,
    example: { pod: 'db/db-0', class: 'local', nodes: ['node-a', 'node-c'] },
  },
  VolumeOutOfReach: {
    since: '0.1',
    severity: 'error',
    rule: 'A pod must run where its volume can be reached: the node must satisfy the node affinity of the volume. A binding is never moved.',
    what: ({ volume, pod, reachable }) =>
      reachable.length === 0
        ? `volume ${volume} cannot be reached from any node`
        : `pod ${pod} cannot run where volume ${volume} can be reached (${list(reachable, 3)})`,
    why: ({ pod, volume, requirement, reachable, why }) =>
      reachable.length === 0
        ? `The claim is bound to volume ${volume}, which wants ${requirement}; no node has that, so pod ${pod} can run nowhere.`
        : `The claim is bound to volume ${volume}, which wants ${requirement}: only ${list(reachable)}${reachable.length === 1 ? ' has' : ' have'} that, and pod ${pod} cannot run there${why === undefined ? '' : ` (${why})`}.`,
    todo: ({ reachable }) =>
      reachable.length === 0
        ? 'Restore the label or the node. If the volume is lost, delete claim, pod and volume; the data is gone with them.'
        : `Let the pod run on ${list(reachable, 3)}, or use storage that every node can reach.`,
    short: ({ volume, reachable }) =>
      reachable.length === 0
        ? `${volume} cannot be reached from any node`
        : `${volume} is on ${list(reachable, 2)} only`,
    example: {
      pod: 'logs/query-0',
      volume: 'pvc-cf57d59b',
      requirement: 'kubernetes.io/hostname in (ingest-1)',
      nodes: ['query-1'],
      reachable: ['ingest-1'],
      why: 'node selector does not match',
    },
  },
  VolumeAffinityMatchesNoNode: {
    since: '0.1',
    severity: 'error',
    rule: 'The controller binds without looking at node affinity; a volume whose node affinity no node satisfies can be bound, but never used.',
    what: ({ volume }) => `no node satisfies the node affinity of volume ${volume}`,
    why: ({ volume, requirement, nearest }) =>
      `Volume ${volume} wants ${requirement}, and no node has that${nearest === undefined ? '' : ` (${nearest})`}: the node was deleted or renamed, or the value is a node's name where a label's is needed.`,
    todo: ({ volume }) =>
      `Give a node that label, or recreate volume ${volume} with the right value: node affinity cannot be changed in most releases.`,
    short: ({ volume }) => `no node satisfies ${volume}`,
    example: {
      volume: 'jenkins-pv',
      requirement: 'kubernetes.io/hostname in (worker-node01)',
      nearest: 'the only node is minikube',
    },
  },
  VolumeInOtherZone: {
    since: '0.1',
    severity: 'error',
    rule: 'A volume with a zone or region label is used on nodes of that zone or region only.',
    what: ({ volume, allowed }) => `volume ${volume} is in ${list(allowed)}`,
    why: ({ pod, volume, key, allowed }) =>
      `Label ${key} of volume ${volume} is ${list(allowed)}; the nodes that pod ${pod} could use are elsewhere.`,
    todo: ({ key }) => `Let the pod run there, or correct the label ${key} of the volume.`,
    short: ({ volume, allowed }) => `${volume} is in ${list(allowed, 2)}`,
    example: { pod: 'db/db-0', volume: 'disk-1', key: 'topology.kubernetes.io/zone', allowed: ['zone-a'] },
  },
  ClaimsOnDifferentNodes: {
    since: '0.1',
    severity: 'error',
    rule: 'All volumes of a pod must be within reach of one node. Bindings made in an earlier attempt are not taken back.',
    what: ({ claim, node, other, otherVolume }) =>
      `${otherVolume} of ${other} ties the pod elsewhere than ${node}, where ${claim} could be served`,
    why: ({ pod, claim, volume, node, other, otherVolume }) =>
      `Claim ${claim} could be served on ${node} (${volume}), but pod ${pod} also uses claim ${other}, whose volume ${otherVolume} cannot be reached from there. Bindings are not taken back.`,
    todo: ({ pod, other }) =>
      `If ${other} holds nothing of value, delete pod ${pod} and claim ${other}, so that both are placed together; or provide a volume where ${other} is.`,
    short: ({ otherVolume, node }) => `${otherVolume} is not on ${node}`,
    example: { pod: 'db/db-0', claim: 'db/wal', volume: 'pv3', node: 'node-2', other: 'db/data', otherVolume: 'pv1' },
  },
  OtherClaimBlocks: {
    since: '0.1',
    severity: 'error',
    rule: 'A pod is not scheduled while one of its claims is missing, lost, being deleted, or unbound with a class that does not wait.',
    what: ({ pod, claim, is }) => `pod ${pod} also uses claim ${claim}, which ${blockedHow[is]}`,
    why: ({ pod, claim, is }) =>
      `Pod ${pod} also uses claim ${claim}, which ${blockedHow[is]}; until that is mended the pod is not scheduled, and this claim waits with it.`,
    todo: ({ claim }) => `Mend ${claim} first: kubectl pvc-explain ${claim}`,
    short: ({ claim, is }) => `${claim} ${blockedHow[is]}`,
    example: { pod: 'db/db-0', claim: 'db/wal', is: 'missing' },
  },
  ClaimNotOwned: {
    since: '0.1',
    severity: 'error',
    rule: 'The claim of a generic ephemeral volume is called POD-VOLUME and must belong to that pod; a claim of that name that belongs to somebody else is not used.',
    what: ({ pod, claim }) => `pod ${pod} wants claim ${claim} for an ephemeral volume, but it is not its own`,
    why: ({ pod, claim, owner }) =>
      `The ephemeral volume of pod ${pod} needs a claim named ${claim}; a claim of that name exists${owner === undefined ? '' : ` and belongs to ${owner}`}, so the pod is refused.`,
    todo: () => 'Rename the pod or its volume, so that POD-VOLUME is unique.',
    short: ({ pod }) => `${pod} is not its owner`,
    example: { pod: 'default/pod', claim: 'default/pod-a-scratch', owner: 'Pod/pod-a' },
  },
  UnboundImmediateClaim: {
    since: '0.1',
    severity: 'info',
    rule: 'The scheduler refuses a pod while a claim with immediate binding is unbound: "pod has unbound immediate PersistentVolumeClaims".',
    what: ({ pod }) => `pod ${pod} waits for the claim`,
    why: ({ pod }) =>
      `Pod ${pod} is not scheduled until the claim is bound ("pod has unbound immediate PersistentVolumeClaims").`,
    short: ({ pod }) => `${pod} waits for it`,
    example: { pod: 'search/nodes-0' },
  },
  TopologyNotAllowed: {
    since: '0.1',
    severity: 'error',
    rule: 'A class with allowedTopologies makes volumes only for nodes whose labels satisfy one of its terms.',
    what: ({ class: name }) => `class ${quote(name)} allows no volume on a node that the pod could use`,
    why: ({ pod, class: name, allowed, matchesAny }) =>
      `allowedTopologies of class ${quote(name)} wants ${allowed}; ${matchesAny ? `the nodes that have it are not for pod ${pod}` : 'no node has that'}.`,
    todo: ({ class: name }) =>
      `Correct allowedTopologies of class ${quote(name)} (it can be edited), or the labels of the nodes.`,
    short: ({ class: name }) => `allowedTopologies of ${name}`,
    example: { pod: 'db/db-0', class: 'zonal', allowed: 'topology.kubernetes.io/zone in (a)', matchesAny: false },
  },
  NoCapacityPublished: {
    since: '0.1',
    severity: 'error',
    rule: 'With storageCapacity: true on a CSIDriver the scheduler believes only what CSIStorageCapacity objects promise; without any for the class there is no space anywhere.',
    what: ({ driver, class: name }) =>
      `${driver} announces capacity tracking but publishes no capacity for class ${quote(name)}`,
    why: ({ driver, class: name }) =>
      `CSIDriver ${driver} has storageCapacity: true, but there is no CSIStorageCapacity object of class ${quote(name)}: for the scheduler that means no free storage on any node.`,
    todo: ({ driver }) =>
      `Make the provisioner publish capacity (--enable-capacity, its RBAC, its health), or set storageCapacity: false: kubectl patch csidriver ${driver} --type merge -p '{"spec":{"storageCapacity":false}}'`,
    short: ({ driver }) => `${driver} publishes no capacity`,
    example: { class: 'openebs-zfspv', driver: 'zfs.csi.openebs.io' },
  },
  NotEnoughStorage: {
    since: '0.1',
    severity: 'error',
    rule: 'With storageCapacity: true on a CSIDriver a node is used only if some CSIStorageCapacity object of the class that covers it promises enough for one volume.',
    what: ({ request, largest }) =>
      `the claim asks for ${size(request)}, the most that is promised is ${size(largest)}`,
    why: ({ class: name, request, largest, node }) =>
      `The claim asks for ${size(request)}; the largest volume of class ${quote(name)} that the driver promises for ${node} is ${size(largest)}.`,
    todo: ({ largest }) => `Ask for at most ${size(largest)}, or add storage.`,
    short: ({ largest }) => `at most ${largest} free`,
    example: { class: 'lvm', request: '40Gi', largest: '20Gi', node: 'node-1' },
  },
  AttachLimitReached: {
    since: '0.1',
    severity: 'error',
    rule: 'A node takes only as many volumes of a driver as its CSINode object allows.',
    what: ({ driver, node, limit }) => `${node} takes at most ${count(limit, 'volume')} of ${driver}`,
    why: ({ pod, driver, node, limit, attached, wanted }) =>
      `CSINode ${node} allows ${count(limit, 'volume')} of ${driver}; ${attached === 0 ? 'none is' : `${attached} ${attached === 1 ? 'is' : 'are'}`} used, and pod ${pod} brings ${wanted}.`,
    todo: () =>
      'Spread the volumes over more pods or nodes, or use nodes with a higher limit; look for VolumeAttachments of pods that are gone.',
    short: ({ node, limit }) => `attach limit ${limit} on ${node}`,
    example: {
      pod: 'default/many-volumes',
      driver: 'ebs.csi.aws.com',
      node: 'node-1',
      limit: 2,
      attached: 0,
      wanted: 3,
    },
  },
  DriverNotOnNode: {
    since: '0.1',
    severity: 'error',
    rule: 'A driver that says so (preventPodSchedulingIfMissing) must be installed on a node before a pod that needs it is sent there.',
    what: ({ drivers, node }) => `${list(drivers)} is not installed on ${node}`,
    why: ({ pod, drivers, node }) => `Pod ${pod} needs ${list(drivers)}, which CSINode ${node} does not list.`,
    todo: () => 'Deploy the node plugin of the driver there; look at the tolerations of its DaemonSet.',
    short: ({ drivers }) => `${list(drivers, 2)} is not installed`,
    example: { pod: 'db/db-0', drivers: ['csi.example.com'], node: 'node-1' },
  },
  ClaimInUse: {
    since: '0.1',
    severity: 'error',
    rule: 'A claim with access mode ReadWriteOncePod is used by one pod at a time.',
    what: ({ claims, by }) =>
      `${list(claims)} (ReadWriteOncePod) is used by ${by.length === 0 ? 'another pod' : list(by)}`,
    why: ({ pod, claims, by }) =>
      `Pod ${pod} uses ${list(claims)}, which has access mode ReadWriteOncePod and is used by ${by.length === 0 ? 'another pod' : list(by)} already.`,
    todo: ({ by }) => `Delete ${by.length === 0 ? 'the other pod' : list(by)}, or use ReadWriteOnce.`,
    short: ({ by }) => `used by ${list(by, 2) || 'another pod'}`,
    example: { pod: 'db/db-1', claims: ['db/data'], by: ['db/db-0'] },
  },
  SelectedNodeGone: {
    since: '0.1',
    severity: 'error',
    rule: 'Once the scheduler has selected a node for a claim (annotation volume.kubernetes.io/selected-node) it insists on it until a provisioner gives up.',
    what: ({ node }) => `node ${node}, which was selected for it, does not exist`,
    why: ({ node }) =>
      `volume.kubernetes.io/selected-node is ${quote(node)}, but there is no such node: every other node is refused.`,
    todo: () => 'Remove the annotation volume.kubernetes.io/selected-node from the claim.',
    short: ({ node }) => `selected node ${node} is gone`,
    example: { node: 'node-7' },
  },
  SelectedNodeUnusable: {
    since: '0.1',
    severity: 'error',
    rule: 'Once the scheduler has selected a node for a claim (annotation volume.kubernetes.io/selected-node) it insists on it until a provisioner gives up.',
    what: ({ node, reasons }) => `node ${node} was selected for it, but ${list(reasons, 2)}`,
    why: ({ pod, node, reasons }) =>
      `volume.kubernetes.io/selected-node is ${quote(node)}, which pod ${pod} cannot use any more (${list(reasons)}); every other node is refused because of it.`,
    todo: ({ node }) =>
      `Make ${node} usable again; or remove the annotation volume.kubernetes.io/selected-node, if no volume is being made for it right now.`,
    short: ({ node }) => `selected node ${node} cannot be used`,
    example: { pod: 'db/db-0', node: 'node-2', reasons: ['cordoned'] },
  },
  SchedulerChoosesNode: {
    since: '0.1',
    severity: 'info',
    rule: 'Among nodes that pass all filters the scheduler takes the one with the highest score, which is not simulated; the volume follows from the node.',
    what: ({ pod, nodes }) => `pod ${pod} can go to ${list(nodes)}`,
    why: ({ pod, nodes }) =>
      `Pod ${pod} can go to ${list(nodes)}; which of them is decided by scores, and the volume follows from the node.`,
    short: ({ nodes }) => `${count(nodes.length, 'node')} possible`,
    example: { pod: 'default/worker-0', nodes: ['node-a', 'node-b'] },
  },
  AwaitsProvisioner: {
    since: '0.1',
    severity: 'info',
    rule: 'The controller hands a claim over to the provisioner of its class and waits; the event ExternalProvisioning says nothing about whether that provisioner exists.',
    what: ({ provisioner }) => `provisioner ${provisioner} is to make a volume`,
    why: ({ provisioner, class: name }) =>
      `Class ${quote(name)} hands the claim to ${provisioner}; the next step is its.`,
    todo: ({ provisioner }) => `Look at the events and logs of ${provisioner}.`,
    short: ({ provisioner }) => `waits for ${provisioner}`,
    example: { provisioner: 'csi.example.com', class: 'fast' },
  },
  ProvisionerMissing: {
    since: '0.1',
    severity: 'error',
    rule: 'A CSI driver is known by its CSIDriver object or by the nodes that list it, any other provisioner (its name has a slash) by its pods, its lease, its events and the volumes that it made. Where there is none of that nobody acts on the claim.',
    what: ({ provisioner }) => `nobody serves ${provisioner}`,
    why: ({ provisioner, class: name, nearest, migratedFrom, handedOver = 0 }) =>
      `Class ${quote(name)} hands the claim to ${provisioner}${migratedFrom === undefined ? '' : ` (${migratedFrom} moved to this CSI driver)`}, but ${provisioner.includes('/') ? 'nothing shows that it runs: no pod, no lease, no event of it' : 'there is no CSIDriver of that name and no node lists it'}${handedOver > 1 ? `; the controller has told ${handedOver} times that it waits for it` : ''}.${nearest === undefined ? '' : ` There is ${quote(nearest)}: a slip of the pen?`}`,
    todo: ({ provisioner, nearest }) =>
      nearest === undefined
        ? `Install ${provisioner}, or recreate the claim with a class whose provisioner is installed.`
        : `Create a class with provisioner ${nearest} (a class cannot be changed) and recreate the claim with it.`,
    short: ({ provisioner }) => `nobody serves ${provisioner}`,
    example: { provisioner: 'ebs.csi.aws.com', class: 'gp2', migratedFrom: 'kubernetes.io/aws-ebs' },
  },
  SelectorOnDynamicClaim: {
    since: '0.1',
    severity: 'error',
    rule: 'Provisioners refuse claims with a selector, even with an empty one: they cannot make a volume to measure.',
    what: ({ isEmpty }) => `provisioners refuse a claim with a selector${isEmpty ? ', even with an empty one' : ''}`,
    why: ({ class: name, provisioner, isEmpty }) =>
      `The claim has ${isEmpty ? 'selector: {}, which selects everything but is not the same as no selector' : 'a selector'}; ${provisioner}, the provisioner of class ${quote(name)}, makes volumes only for claims without one.`,
    todo: () => 'Recreate the claim without spec.selector.',
    short: () => 'provisioner refuses selectors',
    example: { class: 'fast', provisioner: 'csi.example.com', isEmpty: true },
  },
  ProvisionedVolumeUnsuitable: {
    since: '0.1',
    severity: 'error',
    rule: 'A volume that a provisioner made for a claim must still be large enough and have its modes; otherwise the two never bind, and the provisioner, seeing that the volume exists, does nothing.',
    what: ({ volume }) => `volume ${volume} was made for it, but does not fit`,
    why: ({ volume, provisioner }) =>
      `Volume ${volume} was made for this claim${provisioner === undefined ? '' : ` by ${provisioner}`}, but it is not what the claim asks for; the two never bind, and no other is made.`,
    todo: ({ volume }) => `Recreate the claim asking for what the provisioner makes, then delete volume ${volume}.`,
    short: ({ volume }) => `${volume} was made for it, but does not fit`,
    example: { volume: 'pvc-f71362d7', provisioner: 'ceph.rook.io/block' },
  },

  ClaimTerminating: {
    since: '0.1',
    severity: 'warning',
    rule: 'A claim that is being deleted stays as long as a finalizer holds it; kubernetes.io/pvc-protection goes when no pod uses the claim.',
    what: () => 'it is being deleted',
    why: ({ since, finalizers, pods }) =>
      `The claim is being deleted since ${since}; ${finalizers.length === 0 ? 'nothing holds it' : `${list(finalizers)} ${finalizers.length === 1 ? 'holds' : 'hold'} it`}${pods.length === 0 ? '' : `, because ${list(pods)} ${pods.length === 1 ? 'uses' : 'use'} it`}.`,
    todo: ({ pods }) => (pods.length === 0 ? 'Nothing; the deletion goes on by itself.' : `Delete ${list(pods)}.`),
    short: () => 'being deleted',
    example: { since: '2026-02-01T00:00:00Z', finalizers: ['kubernetes.io/pvc-protection'], pods: ['shop/web-0'] },
  },
  ClaimMissing: {
    since: '0.1',
    severity: 'error',
    rule: 'A pod that uses a claim which does not exist is not scheduled.',
    what: () => 'the claim does not exist',
    why: ({ pods }) => `${list(pods)} ${pods.length === 1 ? 'uses' : 'use'} the claim, but there is no such claim.`,
    todo: () => 'Create the claim; if a StatefulSet owns the pod, delete the pod and the controller creates both.',
    short: ({ pods }) => `used by ${list(pods, 2)}, does not exist`,
    example: { pods: ['shop/web-1'] },
  },
  InvalidClaim: {
    since: '0.1',
    severity: 'error',
    rule: 'The API server refuses a claim that breaks the rules of validation.',
    what: () => 'the API server refuses it',
    why: ({ errors }) => `The API server would say: ${errors.join('; ')}.`,
    short: ({ errors }) => errors[0] ?? 'refused',
    example: { errors: ['spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes'] },
  },
  SyncFails: {
    since: '0.1',
    severity: 'error',
    rule: 'A sync that ends with an error is tried again and again; the error is in the log of kube-controller-manager only, there is no event.',
    what: () => 'the controller fails at it, without an event',
    why: ({ error }) =>
      `The sync of the claim ends with an error that only the log of kube-controller-manager shows: ${quote(error)}.`,
    todo: () =>
      'Undo what contradicts itself: if volumeName of the claim or claimRef of the volume was written by hand, take it back; the controller tries again by itself.',
    short: () => 'controller error',
    example: {
      error: 'invalid binding of claim "shop/data" to volume "disk-1": volume already claimed by "shop/other"',
    },
  },
  NotCollected: {
    since: '0.1',
    severity: 'warning',
    rule: 'What was not collected is unknown; it is not the same as absent.',
    what: ({ kinds }) => `the input lacks ${list(kinds)}`,
    why: ({ kinds }) => `The answer depends on ${list(kinds)}, which the input does not hold.`,
    short: ({ kinds }) => `needs ${list(kinds, 2)}`,
    example: { kinds: ['PersistentVolumes'] },
  },

  WillBindThoughPending: {
    since: '0.1',
    severity: 'info',
    rule: 'The controller looks at every claim at least every 15 seconds.',
    what: ({ volume }) => `it fits volume ${volume} right now`,
    why: ({ volume }) =>
      `Nothing stands between the claim and volume ${volume}. If it stays Pending for more than a minute, the controller is not acting, or the input is a moment's picture.`,
    short: () => 'binds at the next sync',
    example: { volume: 'archive-03' },
  },
  EqualVolumes: {
    since: '0.1',
    severity: 'info',
    rule: 'Among volumes that are equal in all that counts Kubernetes takes any.',
    what: ({ volumes }) => `${list(volumes)} are equal in everything that counts`,
    why: ({ volumes }) => `${list(volumes)} are equal in everything that counts; Kubernetes picks either.`,
    short: ({ volumes }) => `${count(volumes.length, 'volume')} equally right`,
    example: { volumes: ['archive-03', 'archive-04'] },
  },
  ContestedVolume: {
    since: '0.1',
    severity: 'warning',
    rule: 'Nothing orders claims that fit the same volume: whoever is looked at first gets it.',
    what: ({ volume, claims }) =>
      claims.length === 0
        ? `volume ${volume} may not be free in time`
        : `${list(claims)} can take volume ${volume} as well`,
    why: ({ volume, claims, orNone }) =>
      claims.length === 0
        ? `Whether volume ${volume} is free when the claim is looked at depends on the order in which the controller gets to them.`
        : `${list(claims)} ${claims.length === 1 ? 'competes' : 'compete'} for volume ${volume}, too. Nothing orders them${orNone ? '; the loser gets none' : ', but there are enough for all'}.`,
    todo: () =>
      'To decide it, let the claim name its volume (volumeName) or reserve the volume for it (claimRef); or provide one more.',
    short: ({ claims }) => (claims.length === 0 ? 'depends on the order' : `contested by ${list(claims, 2)}`),
    example: { volume: 'archive-03', claims: ['media/series'], orNone: true },
  },
  MuchLargerVolume: {
    since: '0.1',
    severity: 'info',
    rule: 'The smallest volume that fits is taken, however much larger it is; the claim gets all of it.',
    what: ({ volume, capacity }) => `it takes all ${size(capacity)} of volume ${volume}`,
    why: ({ volume, capacity, request }) =>
      `The claim asks for ${size(request)} and gets all ${size(capacity)} of volume ${volume}, the smallest that fits.`,
    short: ({ capacity, request }) => `${capacity} for ${request}`,
    example: { volume: 'archive-02', capacity: '1Ti', request: '1Gi' },
  },
  ClassWithoutObject: {
    since: '0.1',
    severity: 'info',
    rule: 'For existing volumes the class is only a name that must be equal; no StorageClass object is needed, and without one there is no delayed binding.',
    what: ({ class: name }) => `class ${quote(name)} is only a name: there is no such object`,
    why: ({ class: name }) =>
      `There is no StorageClass ${quote(name)}; claim and volume agree on the name, and that is enough for existing volumes.`,
    short: () => 'class is only a name',
    example: { class: 'manual' },
  },
  ReservationSkipsChecks: {
    since: '0.1',
    severity: 'info',
    rule: 'A volume whose claimRef names the claim is taken before class, selector, phase and delayed binding are looked at.',
    what: ({ volume }) => `volume ${volume} is reserved for it`,
    why: ({ volume, skipped }) =>
      `Volume ${volume} is reserved for the claim and is taken at once, although ${list(skipped)}.`,
    short: () => 'reserved for it',
    example: { volume: 'pvc-4768b117', skipped: ['its labels do not meet the selector'] },
  },
};

const blockedHow = {
  missing: 'does not exist',
  lost: 'is Lost',
  terminating: 'is being deleted',
  unbound: 'is unbound and does not wait for a pod',
  unserved: 'finds no volume on any node that this one could use',
} as const;

/** What helps a pod that a filter refuses, by the words of the refusal. */
function podTodo(reasons: readonly string[]): string {
  const [reason = ''] = reasons;
  if (reason.startsWith('untolerated taint')) return 'Remove the taint, or add a toleration to the pod.';
  if (reason === 'cordoned') return 'Uncordon the node.';
  if (reason.startsWith('Insufficient')) return 'Make room, add a node, or ask for less.';
  if (reason.startsWith('node selector') || reason.startsWith('node affinity'))
    return "Correct the pod's node selector or affinity, or the labels of the nodes.";
  return 'See the reason in the table of nodes.';
}

/** The entry of a finding, typed for its arguments. */
export function entryOf<F extends Finding>(finding: F): Entry<F['args']> {
  return catalogue[finding.code] as unknown as Entry<F['args']>;
}

export const severityOf = (finding: Finding): Severity => catalogue[finding.code].severity;
export const what = (finding: Finding): string => entryOf(finding).what(finding.args);
export const why = (finding: Finding): string => entryOf(finding).why(finding.args);
export const todo = (finding: Finding): string | undefined => entryOf(finding).todo?.(finding.args);
export const short = (finding: Finding): string => entryOf(finding).short(finding.args);

/** The verdict in one sentence, without the outcome and without a final period. */
export function headline(verdict: Verdict, findings: readonly Finding[]): string {
  const { outcome, volumes, provisioner, lacks } = verdict;
  const cause = findings[0];
  switch (outcome) {
    case 'Bound':
      return cause === undefined ? `to volume ${volumes[0]}` : what(cause);
    case 'WillBind':
      return `to volume ${volumes[0]}, as soon as the controller gets to it`;
    case 'MayBind':
      return mayBindHeadline(verdict);
    case 'WillBeProvisioned':
      return `by ${provisioner}`;
    case 'Unknown':
      return `the input lacks ${list(lacks.map((kind) => kinds[kind].resource))} (that is not "there are none")`;
    case 'Stuck':
      return stuckHeadline(findings);
    case 'WaitsForPod': {
      const nowhere = findings.find(({ code }) => code === 'PodFitsNowhere');
      return nowhere !== undefined ? what(nowhere) : cause === undefined ? '' : what(cause);
    }
    default:
      return cause === undefined ? '' : what(cause);
  }
}

function mayBindHeadline({ volumes, volumeCount, orNone, atLeast, rivals = [] }: Verdict): string {
  const set = volumeCount === undefined ? either(volumes) : `one of ${volumeCount} volumes`;
  const some = atLeast ? ' (at least these; not every order was tried)' : '';
  if (orNone)
    return `${set}${some}, unless ${rivals.length === 0 ? 'the order is against it' : `${list(rivals)} ${rivals.length === 1 ? 'gets' : 'get'} there first`}`;
  return `${set}${some}; Kubernetes picks any`;
}

function either(names: readonly string[]): string {
  if (names.length === 1) return names[0] as string;
  return names.length > 4 ? `one of ${list(names)}` : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** Codes that tell why nothing makes a volume. */
const makesNone: readonly Code[] = [
  'NoClassNoDefault',
  'EmptyClass',
  'ClassMissing',
  'ClassCannotProvision',
  'InTreeProvisionerGone',
  'RetroactiveDefaultUnavailable',
];

/** Codes beside which it does not matter which volumes there are. */
const isDecisive: ReadonlySet<Code> = new Set(['NamespaceTerminating', 'BindRefused', 'OtherVolumeReserved']);

function stuckHeadline(findings: readonly Finding[]): string {
  const [cause] = findings;
  if (cause === undefined) return 'nothing will happen until something changes';
  if (isDecisive.has(cause.code)) return what(cause);
  const half = findings.find(({ code }) => makesNone.includes(code));
  if (half === undefined) return what(cause);
  const hasNone = findings.some(({ code }) => code === 'NoVolumes');
  return `${hasNone ? 'there is no volume' : 'no volume fits'}, and ${what(half)}`;
}

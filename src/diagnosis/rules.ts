import { type ClaimKey, volumeCapacity } from '../api/accessors.ts';
import { AnnAlphaStorageClass, AnnBetaStorageClass } from '../api/annotations.ts';
import { csiNameFromInTree, isMigrated } from '../api/csi-migration.ts';
import type { PersistentVolumeClaim } from '../api/objects.ts';
import { compareQuantities, parseQuantity } from '../api/quantity.ts';
import { claimClass, claimHasClass, defaultClass, isDefaultClass, volumeClass } from '../api/storage-class.ts';
import { isPodTerminated } from '../engine/pv-controller/pod-index.ts';
import { allFailures, wantsOf } from '../engine/volume-checks.ts';
import { kinds } from '../snapshot/kinds.ts';
import { bindRefusal } from './bind-refusal.ts';
import { type Considered, isHopeless } from './census.ts';
import { type Code, type Finding, finding } from './codes.ts';
import type { Examination } from './diagnose.ts';
import { absentPodFindings, lifecycleRemarks, missingClaimFindings, surroundingFindings } from './lifecycle-rules.ts';
import { podFindings } from './pod-rules.ts';
import { provisioningFindings } from './provisioning-rules.ts';
import type { Verdict } from './verdict.ts';
import { nearestName } from './words.ts';

/** Everything that is to be said about a claim, the root cause first. The volumes are considered only if a rule asks for them. */
export function findingsOf(
  examination: Examination,
  key: ClaimKey,
  verdict: Verdict,
  consider: () => readonly Considered[],
): readonly Finding[] {
  const claim = examination.claims.get(key);
  if (claim === undefined) {
    const causes = missingClaimFindings(examination, key).filter((one) => one !== undefined);
    const isWanted = verdict.pods.length > 0 || causes.length === 0;
    return isWanted ? [...causes, finding('ClaimMissing', { pods: verdict.pods })] : causes;
  }
  const subject: Subject = {
    examination,
    key,
    claim,
    after: examination.after(key) ?? claim,
    verdict,
    get considered() {
      return consider();
    },
  };
  const found = [
    ...surroundingFindings(examination, key, claim, verdict),
    ...causes(subject),
    ...remarks(subject),
    ...lifecycleRemarks(examination, key, claim, verdict),
  ].filter((one) => one !== undefined);
  return unique(found);
}

/** One claim with all that the rules look at. */
interface Subject {
  readonly examination: Examination;
  readonly key: ClaimKey;
  readonly claim: PersistentVolumeClaim;
  /** The claim when all is settled: it may have got the default class. */
  readonly after: PersistentVolumeClaim;
  readonly verdict: Verdict;
  readonly considered: readonly Considered[];
}

type Found = readonly (Finding | undefined)[];

function causes(subject: Subject): Found {
  const { examination, key, claim, verdict } = subject;
  switch (verdict.outcome) {
    case 'Invalid':
      return [finding('InvalidClaim', { errors: examination.admissionErrors(claim) })];
    case 'Terminating':
      return [terminating(subject)];
    case 'Unknown':
      if (verdict.lacks.length === 0) return consumerFindings(subject);
      return [finding('NotCollected', { kinds: verdict.lacks.map((kind) => kinds[kind].resource) })];
    case 'Lost':
      return [lost(subject)];
    case 'Bound':
      return consumerFindings(subject).filter(({ code }) => !ofThePodAlone.has(code));
    case 'WillBind':
    case 'MayBind':
      return [
        ...openChoice(subject),
        examination.after(key)?.spec.volumeName
          ? finding('WillBindThoughPending', { volume: examination.after(key)?.spec.volumeName ?? '' })
          : undefined,
        verdict.orNone ? whyNoneIsMade(subject) : undefined,
        ...nodeChoice(subject),
      ];
    case 'WaitsForConsumer':
      return [...absentPodFindings(examination, key), consumer(subject), ...nearMisses(subject)];
    case 'WaitsForPod':
      return waitsForPod(subject);
    case 'WillBeProvisioned':
    case 'WaitsForProvisioner':
      return provisioning(subject);
    case 'Stuck':
      // It found its volume: what the API server refuses is told before.
      return verdict.volumes.length > 0 && bindRefusal(examination, claim) !== undefined ? [] : stuck(subject);
    case 'Missing':
      return [];
  }
}

/** What Kubernetes leaves open for the claim. */
function openChoice({ examination, claim, verdict: { outcome, volumes, rivals = [], orNone } }: Subject): Found {
  if (outcome !== 'MayBind' || examination.isDelayed(claim)) return [];
  const [volume = ''] = volumes;
  if (orNone || rivals.length > 0) {
    return [finding('ContestedVolume', { volume, claims: rivals, orNone: orNone === true })];
  }
  return volumes.length > 1 ? [finding('EqualVolumes', { volumes })] : [];
}

function terminating({ examination, key, claim, verdict }: Subject): Finding {
  const users = examination.users(key).filter((pod) => !isPodTerminated(pod));
  const pods = users.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  const since = claim.metadata.deletionTimestamp ?? '';
  return finding('ClaimTerminating', {
    since,
    finalizers: claim.metadata.finalizers ?? [],
    pods: verdict.pods.length > 0 ? pods : [],
  });
}

function lost({ examination, key, claim }: Subject): Finding | undefined {
  const branch = examination.branch(key, 'syncBoundClaim');
  switch (branch?.took) {
    case 'lostReference': {
      const volume = examination.census.namedFor(key)[0]?.metadata.name;
      return finding('LostReference', volume === undefined ? {} : { volume });
    }
    case 'lostVolume':
      return finding('LostVolume', { volume: branch.volume });
    case 'misbound': {
      const claimRef = examination.census.volume(branch.volume)?.spec.claimRef;
      return finding('Misbound', {
        volume: branch.volume,
        uid: claim.metadata.uid ?? '',
        claimRefUid: claimRef?.uid ?? '',
        claimRef: branch.by,
        claim: key,
      });
    }
    default:
      return undefined;
  }
}

function consumer({ examination, key, after }: Subject): Finding {
  const users = examination.users(key);
  const alive = users.filter((pod) => !isPodTerminated(pod));
  const placed = alive.find((pod) => (pod.spec.nodeName ?? '') !== '');
  const nameOf = (pod: (typeof users)[number]) => `${pod.metadata.namespace}/${pod.metadata.name}`;
  if (placed !== undefined) {
    return finding('ConsumerBypassesScheduler', { pod: nameOf(placed), node: placed.spec.nodeName ?? '' });
  }
  if (users.length > 0) return finding('ConsumerFinished', { pods: users.map(nameOf) });
  return finding('WaitsForFirstConsumer', { class: claimClass(after) });
}

/** A pod may be stuck for reasons that a bound claim of its has no part in. */
const ofThePodAlone: ReadonlySet<Code> = new Set([
  'PodUnschedulable',
  'UnboundImmediateClaim',
  'OtherClaimBlocks',
  'ConsumerGated',
  'ConsumerOtherScheduler',
  'ConsumerTerminating',
  'ConsumerNotSimulated',
  'NoNodes',
  'NoVolumeOnUsableNodes',
]);

/** What keeps the pods of the claim from being scheduled, if they are. */
function consumerFindings({ examination, key, claim }: Subject): readonly Finding[] {
  const found = examination.consumers(key).flatMap((consumer) => podFindings(examination, claim, consumer));
  const isCause = ({ code }: Finding) => code !== 'PodFitsNowhere' && !ofThePodAlone.has(code);
  return found.some(isCause) ? found : found.filter(({ code }) => code !== 'PodFitsNowhere');
}

function waitsForPod(subject: Subject): Found {
  const { examination, key, claim, verdict, after } = subject;
  const found = examination.consumers(key).flatMap((consumer) => podFindings(examination, claim, consumer));
  const scheduled = finding('ConsumerNotScheduled', { pods: verdict.pods, class: claimClass(after) });
  const misses = found[0]?.code === 'NoVolumeOnUsableNodes' ? nearMisses(subject) : [];
  return found.length === 0 ? [scheduled] : [...found.slice(0, 1), ...misses, ...found.slice(1)];
}

/** The nodes that the pod can go to, where the volume depends on that. */
function nodeChoice({ examination, key, claim, verdict }: Subject): Found {
  if (verdict.outcome !== 'MayBind' || !examination.isDelayed(claim)) return [];
  return examination
    .consumers(key)
    .filter(({ decision }) => (decision?.feasible.length ?? 0) > 1)
    .map((consumer) =>
      finding('SchedulerChoosesNode', { pod: consumer.key, nodes: consumer.decision?.feasible ?? [] }),
    );
}

/** A claim that is a provisioner's business now: what stands in its way, and whose move it is. */
function provisioning(subject: Subject): Found {
  const { examination, after, verdict } = subject;
  const provisioner = verdict.provisioner ?? '';
  const name = claimClass(after);
  const evidence = examination.provisioner(provisioner);
  const made = madeButUnsuitable(subject, provisioner);
  const { selector } = after.spec;
  const isEmpty =
    selector !== undefined &&
    Object.keys({ ...selector.matchLabels }).length + (selector.matchExpressions?.length ?? 0) === 0;
  const found = provisioningFindings(examination, subject.key, subject.claim, after, provisioner, name);
  const isRemark = ({ code }: Finding) => code === 'ProvisioningUnchecked';
  return [
    ...made,
    injectedClass(subject),
    selector === undefined ? undefined : finding('SelectorOnDynamicClaim', { class: name, provisioner, isEmpty }),
    evidence.is === 'missing' ? missingProvisioner(subject, provisioner, name) : undefined,
    ...found.filter((one) => !isRemark(one)),
    finding('AwaitsProvisioner', { provisioner, class: name }),
    ...found.filter(isRemark),
    ...(subject.considered.every(isHopeless) ? [] : nearMisses(subject)),
  ];
}

/** The volume that was made for the claim does not fit it: why, and that no other will be made. */
function madeButUnsuitable({ considered }: Subject, provisioner: string): Found {
  const made = considered.find(({ relation, codes }) => relation === 'reserved' && codes.length > 0);
  const example = made?.examples[0];
  if (example === undefined) return [];
  const volume = example.volume.metadata.name;
  return [...example.reasons, finding('ProvisionedVolumeUnsuitable', { volume, provisioner })];
}

function missingProvisioner({ examination }: Subject, provisioner: string, className: string): Finding {
  const { snapshot, features } = examination.simulation;
  const drivers = new Set([
    ...snapshot.list('CSIDriver').map(({ metadata }) => metadata.name),
    ...snapshot.list('CSINode').flatMap(({ spec }) => spec?.drivers?.map(({ name }) => name) ?? []),
  ]);
  const nearest = nearestName(provisioner, drivers);
  const named = snapshot.get('StorageClass', className)?.provisioner ?? provisioner;
  const { unanswered } = examination.provisioner(provisioner);
  const migratedFrom = isMigrated(named, features) && csiNameFromInTree(named) === provisioner ? named : undefined;
  return finding('ProvisionerMissing', {
    provisioner,
    class: className,
    ...(nearest === undefined ? {} : { nearest }),
    ...(migratedFrom === undefined ? {} : { migratedFrom }),
    ...(unanswered === 0 ? {} : { handedOver: unanswered }),
  });
}

function stuck(subject: Subject): Found {
  const { examination, key } = subject;
  const error = examination.sync(key)?.error;
  const branch = examination.branch(key, 'syncUnboundClaim');
  const failing = error === undefined ? undefined : finding('SyncFails', { error });
  switch (branch?.took) {
    case 'namedVolumeMissing': {
      const nearest = nearestName(branch.volume, examination.census.names());
      return [finding('NamedVolumeMissing', { volume: branch.volume, ...(nearest === undefined ? {} : { nearest }) })];
    }
    case 'namedVolumeUnsuitable':
      return [injectedClass(subject), ...(subject.considered[0]?.examples[0]?.reasons ?? [])];
    case 'namedVolumeTaken':
    case 'namedVolumeTakenAfterMatch': {
      const reason = subject.considered[0]?.examples[0]?.reasons[0];
      return [reason, finding('NamedVolumeTaken', { volume: branch.volume, claim: branch.by }), failing];
    }
    case undefined:
      return [failing];
    default:
      return [...noVolume(subject), failing];
  }
}

/** No volume fits, and nothing makes one. */
function noVolume(subject: Subject): Found {
  const smaller = smallerClaimTookVolume(subject);
  const misses = nearMisses(subject);
  const makesNone = whyNoneIsMade(subject);
  const injected = injectedClass(subject);
  // A name that is nearly that of a class is the slip to mend, whatever volumes there are.
  const isSlip = makesNone?.code === 'ClassMissing' && makesNone.args.nearest !== undefined;
  const isEmpty = subject.examination.census.size === 0;
  return isSlip || isEmpty
    ? [makesNone, isEmpty ? finding('NoVolumes', {}) : undefined, injected, ...misses]
    : [injected, smaller, ...misses, makesNone];
}

/** Why nothing makes a volume for the claim. */
function whyNoneIsMade({ examination, key, after }: Subject): Finding | undefined {
  const { snapshot, features } = examination.simulation;
  const name = claimClass(after);
  const classes = snapshot.list('StorageClass');
  const usual = defaultClass(classes);
  if (name === '') {
    if (claimHasClass(after)) return finding('EmptyClass', usual === undefined ? {} : { default: usual.metadata.name });
    return usual === undefined || features.retroactiveDefaultStorageClass
      ? finding('NoClassNoDefault', {})
      : finding('RetroactiveDefaultUnavailable', { default: usual.metadata.name, release: features.release });
  }
  const found = snapshot.get('StorageClass', name);
  if (found === undefined) {
    const nearest = nearestName(
      name,
      classes.map(({ metadata }) => metadata.name),
    );
    return finding('ClassMissing', { class: name, ...(nearest === undefined ? {} : { nearest }) });
  }
  if (found.provisioner === 'kubernetes.io/no-provisioner') {
    return finding('ClassCannotProvision', { class: name, bindingMode: found.volumeBindingMode ?? 'Immediate' });
  }
  const branch = examination.branch(key, 'provisionClaim');
  return branch?.took === 'noProvisioner'
    ? finding('InTreeProvisionerGone', { class: name, provisioner: found.provisioner ?? '' })
    : undefined;
}

/** What fails on the volumes that come nearest. */
function nearMisses({ considered }: Subject): Found {
  const [nearest] = considered.filter((row) => row.codes.length > 0);
  if (nearest === undefined) return [];
  const reasons = mostTelling(nearest);
  // A volume with which little is right is no near miss, unless it was meant for this very claim.
  const isMeant = nearest.relation === 'reserved' || nearest.relation === 'former' || nearest.relation === 'misspelt';
  return isMeant || reasons.length <= 2 ? reasons : reasons.slice(0, 1);
}

/** Whose a volume is matters more than what else does not fit about it. */
function mostTelling({ examples }: Considered): readonly Finding[] {
  const reasons = examples[0]?.reasons ?? [];
  const owned = reasons.filter(({ code }) => code === 'BoundToOtherClaim');
  return [...owned, ...reasons.filter((reason) => !owned.includes(reason))];
}

/** The default class got into the claim, and a volume without a class was meant. */
function injectedClass({ examination, after, considered }: Subject): Finding | undefined {
  const name = claimClass(after);
  const found = examination.simulation.snapshot.get('StorageClass', name);
  if (found === undefined || !isDefaultClass(found)) return undefined;
  const row = considered.find(({ codes }) => codes.length === 1 && codes[0] === 'ClassMismatch');
  const volume = row?.examples.map((example) => example.volume).find((one) => volumeClass(one) === '');
  return volume === undefined
    ? undefined
    : finding('DefaultClassInjected', { class: name, volume: volume.metadata.name });
}

/** A volume that would fit is bound to a claim that a smaller, free volume would have served. */
function smallerClaimTookVolume({ examination, considered }: Subject): Finding | undefined {
  const taken = considered.find((row) => isHopeless(row) && row.codes.length === 1)?.examples ?? [];
  const free = considered.filter(
    ({ relation, codes }) => relation === 'free' && codes.length === 1 && codes[0] === 'CapacityTooSmall',
  );
  for (const { volume } of taken) {
    const holderKey = `${volume.spec.claimRef?.namespace}/${volume.spec.claimRef?.name}`;
    const holder = examination.after(holderKey);
    if (holder === undefined) continue;
    const wants = wantsOf(holder);
    const other = free
      .flatMap(({ examples }) => examples)
      .find(
        (example) =>
          allFailures('reserved', wants, { ...example.volume, spec: { ...example.volume.spec } }, examination.site())
            .length === 0,
      );
    if (other === undefined) continue;
    return finding('SmallerClaimTookVolume', {
      volume: volume.metadata.name,
      claim: holderKey,
      request: holder.spec.resources?.requests?.storage ?? '0',
      other: other.volume.metadata.name,
    });
  }
  return undefined;
}

/** What deserves a line although nothing is wrong. */
function remarks(subject: Subject): Found {
  return [...classRemarks(subject), ...bindingRemarks(subject)];
}

function classRemarks({ examination, claim, after, verdict }: Subject): Found {
  if (verdict.outcome === 'Bound' || verdict.outcome === 'Invalid') return [];
  const annotations = claim.metadata.annotations ?? {};
  const beta = annotations[AnnBetaStorageClass];
  const alpha = annotations[AnnAlphaStorageClass];
  const field = claim.spec.storageClassName;
  const defaults = examination.defaultClasses();
  const assigned = claimHasClass(claim) ? undefined : after.spec.storageClassName;
  const isDefault = defaults.some(({ metadata }) => metadata.name === claimClass(after));
  return [
    beta === undefined || beta === field
      ? undefined
      : finding('BetaClassAnnotation', { annotation: beta, ...(field === undefined ? {} : { field }) }),
    alpha === undefined ? undefined : finding('AlphaClassAnnotation', { annotation: alpha, class: claimClass(after) }),
    assigned === undefined ? undefined : finding('DefaultClassAssigned', { class: assigned }),
    defaults.length > 1 && isDefault
      ? finding('SeveralDefaultClasses', {
          classes: defaults.map(({ metadata }) => metadata.name),
          taken: defaultClass(defaults)?.metadata.name ?? '',
        })
      : undefined,
  ];
}

function bindingRemarks({ examination, key, claim, after, verdict }: Subject): Found {
  if (verdict.outcome !== 'WillBind' && verdict.outcome !== 'MayBind') return [];
  const volume = examination.census.volume(after.spec.volumeName ?? '');
  if (volume === undefined) return [];
  const name = volume.metadata.name;
  const request = claim.spec.resources?.requests?.storage ?? '0';
  const capacity = volume.spec.capacity?.storage ?? '0';
  const isMuchLarger = compareQuantities(volumeCapacity(volume), tenTimes(request)) >= 0;
  const className = claimClass(after);
  const hasNoObject =
    className !== '' &&
    examination.simulation.snapshot.get('StorageClass', className) === undefined &&
    examination.simulation.snapshot.coverage('StorageClass').is !== 'notCollected';
  return [
    skippedChecks({ examination, key, claim: after }, name),
    isMuchLarger ? finding('MuchLargerVolume', { volume: name, capacity, request }) : undefined,
    hasNoObject ? finding('ClassWithoutObject', { class: className }) : undefined,
  ];
}

const tenTimes = (request: string) => {
  const { nano, ...rest } = parseQuantity(request);
  return { ...rest, nano: nano * 10n, approximate: Number(nano * 10n) };
};

/** A reservation that lets a volume through which a search would have passed over. */
function skippedChecks(
  { examination, key, claim }: Pick<Subject, 'examination' | 'key' | 'claim'>,
  volumeName: string,
): Finding | undefined {
  const before = examination.simulation.snapshot.get('PersistentVolume', volumeName);
  if (before?.spec.claimRef === undefined) return undefined;
  const failures = allFailures('search', wantsOf(claim), before, examination.site())
    .map(({ code }) => skipped[code as keyof typeof skipped])
    .filter((text) => text !== undefined);
  if (examination.branch(key, 'syncUnboundClaim')?.took === 'namedVolumeReserved') {
    return finding('BothNameEachOther', { volume: volumeName, skipped: failures });
  }
  return failures.length === 0
    ? undefined
    : finding('ReservationSkipsChecks', { volume: volumeName, skipped: failures });
}

const skipped = {
  ClassMismatch: 'the classes differ',
  SelectorMismatch: 'its labels do not meet the selector',
  CapacityTooSmall: 'it is too small',
  AccessModesMissing: 'it lacks an access mode',
  VolumeModeMismatch: 'the volume modes differ',
  VolumeAttributesClassMismatch: 'the VolumeAttributesClasses differ',
  VolumeTerminating: 'it is being deleted',
} as const;

/** Each code about the same volume once, in order of appearance. */
function unique(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  return findings.filter((one) => {
    const key = `${one.code} ${'volume' in one.args ? one.args.volume : ''}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

import { claimKey, claimRequest, hasAnnotation, volumeCapacity } from '../api/accessors.ts';
import { AnnBindCompleted, AnnBoundByController, AnnSelectedNode } from '../api/annotations.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/objects.ts';
import { canonicalQuantity, type Quantity, quantityOfBytes, quantityValue } from '../api/quantity.ts';
import { claimClass, volumeClass } from '../api/storage-class.ts';
import { simulate } from '../engine/simulate.ts';
import { overlay } from '../snapshot/overlay.ts';
import { type Considered, isHopeless } from './census.ts';
import type { Code, Finding, FindingArgs } from './codes.ts';
import { commandsOf } from './commands.ts';
import { type Diagnosis, Examination } from './diagnose.ts';
import { applyEdit, type ClaimSpecChange, type Edit, type VolumeChange } from './edits.ts';
import { admitsPod, servesClaim } from './nodes.ts';
import { outcomes, type Verdict } from './verdict.ts';
import { verdictOf } from './verdict-of.ts';

/** What a remedy does to data. */
export type DataSafety =
  /** Nothing. */
  | 'safe'
  /** The claim is created again; it holds no data. */
  | 'recreates-claim'
  /** The data of a former claim becomes visible to this one. */
  | 'exposes-old-data'
  /** The storage behind a volume must be able to do what the volume then says. */
  | 'storage-side';

/** An edit that was carried out on a copy of the cluster, with what happened. */
export interface Remedy {
  readonly edit: Edit;
  /** The codes that it takes away. */
  readonly addresses: readonly Code[];
  readonly commands: readonly string[];
  readonly dataSafety: DataSafety;
  /** What becomes of the claim then. */
  readonly verdict: Verdict;
  /** Other claims that the edit does something to. */
  readonly others: readonly { readonly claim: string; readonly before: Verdict; readonly after: Verdict }[];
}

/** How many edits are tried for one claim. */
const mostTried = 8;
/** How many are shown. */
const mostKept = 3;

interface Candidate {
  readonly edit: Edit;
  readonly addresses: readonly Code[];
  readonly dataSafety: DataSafety;
}

/** The edits that help a claim: each was tried, and the verdict became better. The best first. */
export function remediesFor(examination: Examination, diagnosis: Diagnosis): readonly Remedy[] {
  const { claim, verdict } = diagnosis;
  if (claim === undefined) return [];
  const seen = new Set<string>();
  const candidates = candidatesFor(examination, diagnosis, claim).filter(({ edit }) => {
    const text = JSON.stringify(edit);
    return !seen.has(text) && seen.add(text);
  });
  const tried = candidates.slice(0, mostTried).flatMap((candidate) => attempt(examination, diagnosis, candidate) ?? []);
  const better = tried.filter((remedy) => rank(remedy.verdict) < rank(verdict) || unblocks(diagnosis, remedy));
  const cause = diagnosis.findings[0]?.code;
  const isBesides = ({ addresses }: Remedy) => Number(cause !== undefined && !addresses.includes(cause));
  return better
    .sort((a, b) => rank(a.verdict) - rank(b.verdict) || isBesides(a) - isBesides(b) || harm(a) - harm(b))
    .slice(0, mostKept);
}

const rank = ({ outcome }: Verdict): number => outcomes.indexOf(outcome);

/** A bound claim stays bound; what can become better is that its pods can be scheduled. */
const unblocks = ({ verdict }: Diagnosis, { edit, verdict: after }: Remedy): boolean =>
  verdict.outcome === 'Bound' &&
  after.outcome === 'Bound' &&
  edit.is !== 'recreateClaim' &&
  verdict.pods.length > after.pods.length;

const safety: readonly DataSafety[] = ['safe', 'recreates-claim', 'exposes-old-data', 'storage-side'];

const harm = ({ dataSafety, others }: Remedy): number =>
  safety.indexOf(dataSafety) + (others.some(({ before, after }) => rank(after) > rank(before)) ? 10 : 0);

/** Carries an edit out on a copy and runs the controllers again. Undefined if there is nothing to edit. */
function attempt(examination: Examination, diagnosis: Diagnosis, candidate: Candidate): Remedy | undefined {
  const { snapshot, features } = examination.simulation;
  const put = applyEdit(snapshot, candidate.edit);
  if (put === undefined) return undefined;
  const neighbours = examination.neighbours(diagnosis.key, put);
  const then = new Examination(simulate(overlay(snapshot, { put, ...neighbours.changes }), { features }));
  const after = verdictOf(then, diagnosis.key);
  const others = neighbours.claims
    .filter((key) => key !== diagnosis.key)
    .map((claim) => ({ claim, before: verdictOf(examination, claim), after: verdictOf(then, claim) }))
    .filter(({ before, after: now }) => before.outcome !== now.outcome || before.volumes.join() !== now.volumes.join());
  return { ...candidate, commands: commandsOf(candidate.edit, snapshot), verdict: after, others };
}

function candidatesFor(
  examination: Examination,
  diagnosis: Diagnosis,
  claim: PersistentVolumeClaim,
): readonly Candidate[] {
  const byCode = diagnosis.findings.flatMap((found) => candidatesOfFinding(examination, claim, found));
  const near = diagnosis.considered.filter((row) => row.codes.length > 0 && !isHopeless(row)).slice(0, 3);
  const isSearching = ['Stuck', 'WaitsForPod', 'WaitsForProvisioner', 'MayBind'].includes(diagnosis.verdict.outcome);
  const byVolume = isSearching ? near.flatMap((row) => candidatesOfVolume(claim, row)) : [];
  return [...byCode, ...byVolume, ...candidatesOfNodes(diagnosis)];
}

/** An edit that a finding suggests by itself. */
function candidatesOfFinding(
  examination: Examination,
  claim: PersistentVolumeClaim,
  { code, args }: Finding,
): readonly Candidate[] {
  const key = claimKey(claim);
  const candidate = (edit: Edit, dataSafety: DataSafety): Candidate => ({ edit, addresses: [code], dataSafety });
  const recreate = (spec: ClaimSpecChange): readonly Candidate[] =>
    canRecreate(claim) ? [candidate({ is: 'recreateClaim', claim: key, spec }, 'recreates-claim')] : [];
  const { snapshot } = examination.simulation;
  switch (code) {
    case 'ClassMissing': {
      const { nearest } = args as FindingArgs['ClassMissing'];
      return nearest === undefined ? [] : recreate({ storageClassName: nearest });
    }
    case 'EmptyClass':
      return (args as FindingArgs['EmptyClass']).default === undefined ? [] : recreate({ storageClassName: null });
    case 'NoClassNoDefault': {
      const makers = snapshot
        .list('StorageClass')
        .filter(({ provisioner }) => provisioner !== 'kubernetes.io/no-provisioner');
      return makers
        .slice(0, 2)
        .flatMap(({ metadata }) => [
          candidate({ is: 'setClass', claim: key, class: metadata.name }, 'safe'),
          candidate({ is: 'makeDefault', class: metadata.name }, 'safe'),
        ]);
    }
    case 'DefaultClassInjected':
      return recreate({
        storageClassName: '',
        ...(claim.spec.volumeName === undefined ? {} : { volumeName: claim.spec.volumeName }),
      });
    case 'BetaClassAnnotation':
    case 'NamedVolumeMissing':
    case 'NamedVolumeTaken':
      return recreate({});
    case 'SelectorOnDynamicClaim':
      return recreate({ selector: null });
    case 'SnapshotTooLarge':
      return recreate({ request: (args as FindingArgs['SnapshotTooLarge']).restoreSize });
    case 'CloneSourceTooLarge':
      return recreate({ request: (args as FindingArgs['CloneSourceTooLarge']).size });
    case 'SnapshotModeDiffers':
    case 'CloneModeDiffers':
      return recreate({ volumeMode: (args as FindingArgs['CloneModeDiffers']).sourceMode });
    case 'ProvisionerMissing': {
      const others = snapshot
        .list('StorageClass')
        .filter(({ provisioner = '' }) => examination.provisioner(provisioner).is === 'there')
        .map(({ metadata }) => metadata.name);
      return others.slice(0, 2).flatMap((name) => recreate({ storageClassName: name }));
    }
    case 'LostReference':
      return [
        candidate(
          { is: 'removeAnnotations', claim: key, annotations: [AnnBindCompleted, AnnBoundByController] },
          'safe',
        ),
      ];
    case 'Misbound': {
      const { volume, claimRef } = args as FindingArgs['Misbound'];
      if (claimRef !== key) return [];
      return [candidate({ is: 'patchVolume', volume, change: { claimRef: referenceTo(claim) } }, 'exposes-old-data')];
    }
    case 'SelectedNodeGone':
    case 'SelectedNodeEmpty':
    case 'SelectedNodeUnusable':
      return [candidate({ is: 'removeAnnotations', claim: key, annotations: [AnnSelectedNode] }, 'safe')];
    case 'NoCapacityPublished':
      return [candidate({ is: 'ignoreCapacity', driver: (args as FindingArgs['NoCapacityPublished']).driver }, 'safe')];
    case 'NotEnoughStorage':
      return recreate({ request: (args as FindingArgs['NotEnoughStorage']).largest });
    case 'VolumeAffinityMatchesNoNode':
      return labelCandidates(examination, (args as FindingArgs['VolumeAffinityMatchesNoNode']).volume);
    default:
      return [];
  }
}

/** A label that a node lost, or never had. A host name is a node's identity and is not ours to give. */
function labelCandidates({ simulation: { snapshot, world } }: Examination, name: string): readonly Candidate[] {
  const nodes = snapshot.list('Node');
  const terms = world.peekVolume(name)?.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return terms.flatMap(({ matchExpressions = [] }): Candidate[] => {
    const [one] = matchExpressions;
    if (matchExpressions.length !== 1 || one?.operator !== 'In' || one.key === 'kubernetes.io/hostname') return [];
    const lacking = nodes.filter(({ metadata }) => metadata.labels?.[one.key] === undefined);
    const edit = {
      is: 'labelNode',
      node: lacking[0]?.metadata.name ?? '',
      key: one.key,
      value: one.values?.[0] ?? '',
    } as const;
    return lacking.length === 1 ? [{ edit, addresses: ['VolumeAffinityMatchesNoNode'], dataSafety: 'safe' }] : [];
  });
}

/** What the nodes that come nearest could be changed in. */
function candidatesOfNodes({ nodes, findings }: Diagnosis): readonly Candidate[] {
  const code = findings[0]?.code;
  if (code === undefined) return [];
  return nodes.flatMap(({ rows }) =>
    rows
      .filter((row) => servesClaim(row) && !admitsPod(row))
      .slice(0, 2)
      .flatMap(({ node, pod }): Candidate[] => {
        const [status] = pod;
        if (pod.length !== 1 || status === undefined) return [];
        if (status.code === 'Error' || status.code === 'Unknown') return [];
        if (status.plugin === 'NodeUnschedulable')
          return [{ edit: { is: 'uncordon', node }, addresses: [code], dataSafety: 'safe' }];
        if (status.plugin !== 'TaintToleration' || status.facts.taints.length !== 1) return [];
        const { key = '', effect = '' } = status.facts.taints[0] ?? {};
        // Taints that a controller sets come back until their reason is gone.
        if (key.startsWith('node.kubernetes.io/')) return [];
        return [{ edit: { is: 'removeTaint', node, key, effect }, addresses: [code], dataSafety: 'safe' }];
      }),
  );
}

/** What would make a volume that nearly fits fit: all that fails mended on the side of the claim, or on the side of the volume. */
function candidatesOfVolume(claim: PersistentVolumeClaim, { examples, relation }: Considered): readonly Candidate[] {
  const [example] = examples;
  if (example === undefined) return [];
  const { volume, reasons } = example;
  const addresses = reasons.map(({ code }) => code);
  const sides = reasons.map((reason) => menders(reason, claim, volume));
  const found: Candidate[] = [];
  const claimSide = merge(sides.map(({ ofClaim }) => ofClaim));
  if (claimSide !== undefined && canRecreate(claim)) {
    found.push({
      edit: { is: 'recreateClaim', claim: claimKey(claim), spec: claimSide },
      addresses,
      dataSafety: 'recreates-claim',
    });
  }
  const volumeSide = merge(sides.map(({ ofVolume }) => ofVolume));
  if (volumeSide !== undefined) {
    const dataSafety = worst(sides.map(({ dataSafety: one }) => one));
    found.push({
      edit: { is: 'patchVolume', volume: volume.metadata.name, change: volumeSide },
      addresses,
      dataSafety,
    });
  }
  // A claim that names a free volume, and is named by it, is bound without any comparison.
  if (claim.spec.volumeName === volume.metadata.name && relation === 'free') {
    const change: VolumeChange = { claimRef: referenceTo(claim) };
    found.push({
      edit: { is: 'patchVolume', volume: volume.metadata.name, change },
      addresses,
      dataSafety: 'storage-side',
    });
  }
  return found;
}

interface Menders {
  readonly ofClaim: ClaimSpecChange | undefined;
  readonly ofVolume: VolumeChange | undefined;
  /** Of the change on the volume's side. */
  readonly dataSafety: DataSafety;
}

function menders(reason: Finding, claim: PersistentVolumeClaim, volume: PersistentVolume): Menders {
  switch (reason.code) {
    case 'CapacityTooSmall':
      return {
        // Much less than what was asked for is not what was wanted.
        ofClaim: isHalf(volumeCapacity(volume), claimRequest(claim))
          ? { request: roundedDown(volumeCapacity(volume)) }
          : undefined,
        ofVolume: { capacity: canonicalQuantity(claimRequest(claim)) },
        dataSafety: 'storage-side',
      };
    case 'AccessModesMissing': {
      const given = volume.spec.accessModes ?? [];
      const writable = given.find((mode) => mode !== 'ReadOnlyMany');
      const common = (claim.spec.accessModes ?? []).filter((mode) => given.includes(mode));
      return {
        // Who asked to write is not served by reading.
        ofClaim:
          common.length > 0
            ? { accessModes: common }
            : writable === undefined
              ? undefined
              : { accessModes: [writable] },
        ofVolume: { accessModes: [...given, ...reason.args.missing] },
        dataSafety: 'storage-side',
      };
    }
    case 'VolumeModeMismatch':
      return { ofClaim: { volumeMode: reason.args.volumeMode }, ofVolume: undefined, dataSafety: 'safe' };
    case 'ClassMismatch':
      return {
        ofClaim: { storageClassName: volumeClass(volume) },
        ofVolume: { storageClassName: claimClass(claim) },
        dataSafety: 'safe',
      };
    case 'SelectorMismatch': {
      const { key, operator, values = [] } = reason.args.requirement;
      const ofVolume =
        operator === 'In'
          ? { labels: { [key]: values[0] ?? '' } }
          : operator === 'Exists'
            ? { labels: { [key]: '' } }
            : undefined;
      return { ofClaim: { selector: null }, ofVolume, dataSafety: 'safe' };
    }
    case 'VolumeAttributesClassMismatch':
      return {
        ofClaim: { volumeAttributesClassName: reason.args.volumeClass || null },
        ofVolume: undefined,
        dataSafety: 'safe',
      };
    case 'ClaimRefUidMismatch':
    case 'VolumeReleased':
    case 'VolumeFailed':
      return { ofClaim: undefined, ofVolume: { claimRef: referenceTo(claim) }, dataSafety: 'exposes-old-data' };
    case 'ClaimRefNameMismatch':
    case 'ClaimRefNamespaceMismatch':
      return { ofClaim: undefined, ofVolume: { claimRef: referenceTo(claim) }, dataSafety: 'safe' };
    case 'ReservedForOtherClaim':
      return { ofClaim: undefined, ofVolume: { claimRef: referenceTo(claim) }, dataSafety: 'safe' };
    default:
      return { ofClaim: undefined, ofVolume: undefined, dataSafety: 'safe' };
  }
}

/** A change that holds all of them; undefined if one is missing. */
function merge<T extends object>(changes: readonly (T | undefined)[]): T | undefined {
  if (changes.length === 0 || changes.some((change) => change === undefined)) return undefined;
  return Object.assign({}, ...changes) as T;
}

const worst = (all: readonly DataSafety[]): DataSafety =>
  all.reduce((a, b) => (safety.indexOf(b) > safety.indexOf(a) ? b : a), 'safe');

/** The volume is kept for this very claim, so that nobody else can take it meanwhile. */
export const referenceTo = ({ metadata: { namespace = '', name, uid } }: PersistentVolumeClaim) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  namespace,
  name,
  ...(uid === undefined ? {} : { uid }),
});

/** A claim that is not bound holds no data. */
const canRecreate = (claim: PersistentVolumeClaim): boolean =>
  !hasAnnotation(claim, AnnBindCompleted) &&
  claim.status?.phase !== 'Bound' &&
  claim.metadata.deletionTimestamp === undefined;

const isHalf = (capacity: Quantity, request: Quantity): boolean =>
  quantityValue(capacity) * 2n >= quantityValue(request);

/** The largest size in whole Gi (or Mi, or Ki) that is not above a capacity. */
function roundedDown(capacity: Quantity): string {
  const bytes = quantityValue(capacity);
  for (const unit of [2n ** 30n, 2n ** 20n, 2n ** 10n]) {
    if (bytes >= unit * 4n) return canonicalQuantity(quantityOfBytes((bytes / unit) * unit));
  }
  return canonicalQuantity(quantityOfBytes(bytes));
}

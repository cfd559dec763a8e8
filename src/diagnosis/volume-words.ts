import type { PersistentVolume } from '../api/objects.ts';
import { short } from './catalogue.ts';
import type { Verdict } from './verdict.ts';
import type { Freeing, StandingExample, Taker, VolumeDiagnosis } from './volume-side.ts';
import { count, list } from './words.ts';

// How a volume is told from its own side. The rules behind it are those of the codes in the catalogue.

type Told = Pick<VolumeDiagnosis, 'volume' | 'outcome' | 'takers' | 'hindrance' | 'namedBy' | 'lacks'>;

/** What becomes of a volume in one sentence, without the outcome and without a final period. */
export function volumeHeadline(told: Told): string {
  const { volume, outcome, takers, hindrance, lacks } = told;
  const [taker] = takers;
  switch (outcome) {
    case 'Bound':
      return `to ${taker?.claim}`;
    case 'WillBeBound':
      return `to ${taker?.claim}, ${wayText(taker)}`;
    case 'MayBeBound':
      return `${either(takers.map(({ claim }) => claim))} may get it; Kubernetes leaves open who, and which volume`;
    case 'Free':
      return 'nobody takes it';
    case 'Terminating': {
      const { deletionTimestamp, finalizers = [] } = volume.metadata;
      const holds =
        finalizers.length === 0 ? '' : `; ${list(finalizers)} ${finalizers.length === 1 ? 'holds' : 'hold'} it`;
      return `it is being deleted since ${deletionTimestamp}${holds}, and goes to no other claim`;
    }
    case 'WillBeDeleted':
      return `its claim is gone, and its reclaim policy is ${policyOf(volume)}: the controller deletes it`;
    case 'Unknown':
      return `the input lacks ${list(lacks)}s (that is not "there are none")`;
    case 'Failed':
      return `reclaiming it failed, and it stays out of use until its claimRef is removed`;
    case 'Released':
      return hindrance?.is === 'formerClaim'
        ? `it belongs to a former claim ${hindrance.claim}; the one of that name now is another object`
        : `its claim ${hindrance?.claim} is gone, and nobody gets it while its claimRef stays`;
    case 'Reserved':
      return reservedText(hindrance);
  }
}

function reservedText(hindrance: VolumeDiagnosis['hindrance']): string {
  switch (hindrance?.is) {
    case 'claimMissing':
      return `for ${hindrance.claim}, which does not exist; nobody else gets it`;
    case 'namesNobody':
      return `for no claim at all: its claimRef lacks ${hindrance.claim.endsWith('/') ? 'a name' : 'a namespace'}, which hides it from everybody`;
    case 'claimHasOther':
      return `for ${hindrance.claim}, which has volume ${hindrance.volume}; nobody else gets it`;
    default:
      return `for ${hindrance?.claim}, which does not take it`;
  }
}

/** Why it is so, in whole sentences. */
export function volumeReasons(told: Told & Pick<VolumeDiagnosis, 'standings'>, wanting: number): readonly string[] {
  const { volume, outcome, takers, hindrance } = told;
  switch (outcome) {
    case 'Bound':
    case 'WillBeBound':
    case 'WillBeDeleted':
    case 'Unknown':
      return [];
    case 'MayBeBound':
      return takers.map((taker) => `${taker.claim}: ${wayText(taker)}.`);
    case 'Free':
      return [
        ...told.namedBy.map(
          ({ claim, reasons }) =>
            `${claim} names it (volumeName), but ${reasons.length === 0 ? `does not take it: kubectl pvc-explain ${claim}` : `it does not fit: ${list(reasons.map(short))}`}.`,
        ),
        ...(told.namedBy.length > 0 && wanting === 0 ? [] : [whyFree(told, wanting)]),
      ];
    case 'Terminating': {
      const [bound] = takers;
      return bound === undefined ? [] : [`It still belongs to ${bound.claim}: it goes when that claim does.`];
    }
    case 'Failed': {
      const { message = '' } = volume.status ?? {};
      const was = hindrance === undefined ? '' : ` It belonged to ${hindrance.claim}.`;
      return [
        `${message === '' ? 'The controller tells no reason.' : `The controller says: ${JSON.stringify(message)}.`}${was}`,
      ];
    }
    case 'Released':
    case 'Reserved':
      return hindranceReasons(volume, hindrance, outcome);
  }
}

function hindranceReasons(
  volume: PersistentVolume,
  hindrance: VolumeDiagnosis['hindrance'],
  outcome: 'Released' | 'Reserved',
): readonly string[] {
  if (hindrance === undefined) return [];
  const { claim } = hindrance;
  const kept = `Its reclaim policy is ${policyOf(volume)}: ${policyOf(volume) === 'Delete' ? 'whoever made it is to delete it, so do not count on its data' : 'its data stays, and so does its claimRef, until somebody removes it'}.`;
  switch (hindrance.is) {
    case 'claimMissing': {
      if (outcome === 'Released') return [`claimRef names ${claim}, which does not exist any more. ${kept}`];
      const { nearest } = hindrance;
      const meant = nearest === undefined ? '' : ` There is ${nearest}: perhaps that one was meant.`;
      return [`claimRef names ${claim}: it waits for a claim of that namespace and name.${meant}`];
    }
    case 'formerClaim':
      return [
        `claimRef names ${claim} with uid ${volume.spec.claimRef?.uid}, and the claim that is there now has another: it was deleted and created again. A uid means one object, not a name. ${kept}`,
      ];
    case 'namesNobody':
      return ['A claimRef must give namespace and name of one claim. A namespace alone does not share the volume.'];
    case 'claimHasOther':
      return [`A claim has one volume, and bindings are not moved: ${claim} stays with ${hindrance.volume}.`];
    case 'doesNotFit':
      return hindrance.reasons.length === 0
        ? [`The claim tells why: kubectl pvc-explain ${claim}`]
        : [`It does not fit ${claim}: ${list(hindrance.reasons.map(short))}.`];
  }
}

function whyFree({ volume, standings }: Pick<VolumeDiagnosis, 'volume' | 'standings'>, wanting: number): string {
  if (wanting === 0) return 'No pending claim looks for a volume.';
  const fitting = standings.find(({ codes }) => codes.length === 0);
  if (fitting === undefined)
    return wanting === 1
      ? 'One pending claim looks for a volume, and this one does not fit it.'
      : `${wanting} pending claims look for a volume, and this one fits none of them.`;
  const [example] = fitting.examples;
  const rest = fitting.count > 1 ? ` (${count(fitting.count, 'claim')} like that)` : '';
  return `It fits ${example?.claim.metadata.namespace}/${example?.claim.metadata.name}, which ${doesInstead(example, volume.metadata.name)}${rest}.`;
}

/** What a claim that a volume fits does instead of taking it. */
export function doesInstead(example: StandingExample | undefined, volume: string): string {
  if (example === undefined) return 'does not take it';
  const { outcome, volumes, provisioner, pods } = example.verdict;
  switch (outcome) {
    case 'WillBind':
      return volumes[0] === volume ? 'takes it' : `takes ${volumes[0]}`;
    case 'MayBind':
      if (volumes.includes(volume)) return 'may take it';
      return `may take ${volumes.length > 4 ? `one of ${volumes.length} volumes` : either(volumes)}`;
    case 'WaitsForConsumer':
      return 'waits for a pod that uses it';
    case 'WaitsForPod':
      return `waits for ${pods[0] ?? 'its pod'} to be scheduled`;
    case 'WillBeProvisioned':
    case 'WaitsForProvisioner':
      return `has been given to ${provisioner}`;
    default:
      return `is ${outcome}`;
  }
}

export function wayText(taker: Taker | undefined): string {
  switch (taker?.way) {
    case 'bound':
      return 'which has it';
    case 'reserved':
      return 'for which it is reserved (claimRef)';
    case 'named':
      return 'which names it (volumeName)';
    case 'scheduled':
      return "which the scheduler serves on its pod's node";
    default:
      return 'for which it is the smallest that fits';
  }
}

/** A cell of a table. */
export function volumeShort(told: Told & Pick<VolumeDiagnosis, 'standings'>, wanting: number): string {
  const { volume, outcome, takers, hindrance } = told;
  switch (outcome) {
    case 'Bound':
      return '';
    case 'WillBeBound':
      return (
        {
          bound: '',
          reserved: 'reserved',
          named: 'named by it',
          scheduled: 'by the scheduler',
          matched: 'the smallest that fits',
        } as const
      )[takers[0]?.way ?? 'matched'];
    case 'MayBeBound':
      return takers.length > 1 ? `open: ${count(takers.length, 'claim')}` : 'open';
    case 'Free': {
      const [naming] = told.namedBy;
      if (naming !== undefined) return `${naming.reasons.map(short).join('; ') || 'not taken'} for ${naming.claim}`;
      if (wanting === 0) return 'no claim looks for one';
      const [nearest] = told.standings;
      if (nearest === undefined) return 'no claim looks for one';
      const { namespace, name } = nearest.examples[0]?.claim.metadata ?? {};
      const reasons = nearest.examples[0]?.reasons.map(short) ?? [];
      return nearest.codes.length === 0
        ? `fits; ${namespace}/${name} ${doesInstead(nearest.examples[0], volume.metadata.name)}`
        : `${reasons.join('; ')} for ${namespace}/${name}`;
    }
    case 'Terminating':
      return 'being deleted';
    case 'WillBeDeleted':
      return `claim gone, policy ${policyOf(volume)}`;
    case 'Unknown':
      return 'claims not collected';
    case 'Failed':
      return 'reclaim failed';
    case 'Released':
      return hindrance?.is === 'formerClaim' ? 'uid of a former claim' : 'claim is gone';
    case 'Reserved':
      switch (hindrance?.is) {
        case 'claimMissing':
          return 'claim does not exist';
        case 'namesNobody':
          return 'claimRef names nobody';
        case 'claimHasOther':
          return `claim has ${hindrance.volume}`;
        default:
          return hindrance?.is === 'doesNotFit'
            ? hindrance.reasons.map(short).join('; ') || 'claim does not take it'
            : '';
      }
  }
}

/** What happened when the volume was freed on a copy. */
export function freeingText({ takers, others }: Freeing): string {
  if (takers.length === 0) return 'Tried: no pending claim takes it then; it is free for whoever comes next.';
  const names = takers.map(({ claim, before, after }) => {
    const text = `${claim} ${after.outcome === 'MayBind' ? 'may bind' : 'binds'} it`;
    return before.outcome === 'WillBind' ? `${text} instead of ${before.volumes[0]}` : text;
  });
  const changed = others.map(({ claim, after }) => `${claim} then: ${outcomeText(after)}`);
  return `Tried: ${list(names)}; ${changed.length === 0 ? 'nothing else changes' : list(changed, 3)}.`;
}

const outcomeText = ({ outcome, volumes }: Verdict): string =>
  volumes.length === 0 ? outcome : `${outcome} ${either(volumes.slice(0, 3))}`;

/** What removing the claimRef means, before it is done. */
export const freeingTitle = (volume: PersistentVolume, { handOver }: Freeing): string =>
  `Remove claimRef${handOver === undefined ? '' : ': whoever fits first gets it'}.${hasData(volume) ? ' The data of its former claim comes with it.' : ''}`;

export const handOverTitle = (volume: PersistentVolume, claim: string): string =>
  `Reserve it for ${claim} (claimRef): nobody else is let in.${hasData(volume) ? ' The data of its former claim comes with it.' : ''}`;

/** It was a claim's once. */
const hasData = ({ spec, status }: PersistentVolume): boolean =>
  Boolean(spec.claimRef?.uid) || status?.phase === 'Released' || status?.phase === 'Failed';

const policyOf = ({ spec }: PersistentVolume): string => spec.persistentVolumeReclaimPolicy ?? 'Retain';

function either(names: readonly string[]): string {
  if (names.length <= 1) return names[0] ?? '';
  return names.length > 4 ? `one of ${list(names)}` : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

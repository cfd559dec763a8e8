import { type ClaimKey, hasAnnotation } from '../api/accessors.ts';
import { AnnBindCompleted } from '../api/annotations.ts';
import { csiNameFromInTree, isMigrated } from '../api/csi-migration.ts';
import type { PersistentVolumeClaim } from '../api/objects.ts';
import { claimClass } from '../api/storage-class.ts';
import type { Kind } from '../snapshot/kinds.ts';
import { bindRefusal, halfBound } from './bind-refusal.ts';
import type { Examination } from './diagnose.ts';
import { provisioningOutlook } from './provisioning-outlook.ts';
import { type Outcome, type Verdict, volumesNamed } from './verdict.ts';

/** What becomes of a claim, from what the controllers did with it. */
export function verdictOf(examination: Examination, key: ClaimKey): Verdict {
  const before = examination.claims.get(key);
  const pods = examination.users(key).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  if (before === undefined) return missing(examination, key, pods);
  if (examination.admissionErrors(before).length > 0) return verdict('Invalid');

  const found = admitted(examination, before, opened(examination, key, before, decided(examination, key, before)));
  return doubted(examination, before, found);
}

/** A claim that a pod names and that the input does not hold. */
function missing({ simulation: { snapshot } }: Examination, key: ClaimKey, pods: readonly string[]): Verdict {
  const lacks: readonly Kind[] = ['PersistentVolumeClaim'];
  const { is } = snapshot.coverage('PersistentVolumeClaim', key.slice(0, key.indexOf('/')));
  if (is === 'notCollected') return verdict('Unknown', { pods, lacks });
  return is === 'unstated' ? verdict('Missing', { pods, lacks, certainty: 'assumed' }) : verdict('Missing', { pods });
}

const volumeIsToCome: readonly Outcome[] = ['WillBind', 'MayBind', 'Terminating'];

/** A verdict is no surer than what other claims and pods will take, where a kind that decides about them was not collected. */
function doubted(examination: Examination, claim: PersistentVolumeClaim, found: Verdict): Verdict {
  if (found.certainty === 'assumed' || found.outcome === 'Unknown' || isBound(claim)) return found;
  const { ofPods, ofClaims } = examination.doubts;
  // Other claims can only take volumes away: what gets none gets none all the more.
  const byClaims = volumeIsToCome.includes(found.outcome) ? ofClaims : [];
  const lacks = examination.isDelayed(claim) ? [...byClaims, ...ofPods] : byClaims;
  return lacks.length === 0 ? found : { ...found, certainty: 'assumed', lacks: [...new Set(lacks)].sort() };
}

/** What becomes of a claim if the API server refuses every update of it, and so the last step of a binding. */
function admitted(examination: Examination, claim: PersistentVolumeClaim, found: Verdict): Verdict {
  const { outcome, volumes, pods } = found;
  if (outcome !== 'WillBind' && outcome !== 'MayBind' && outcome !== 'WillBeProvisioned') return found;
  if (bindRefusal(examination, claim) !== undefined) {
    const { provisioner } = found;
    return provisioner === undefined
      ? verdict('Stuck', { volumes, pods })
      : verdict('WaitsForProvisioner', { provisioner, pods });
  }
  // A binding whose other half is complete came to a halt for a reason, which may be a limit range.
  return halfBound(examination, claim)?.status?.phase !== 'Bound'
    ? found
    : assuming(examination, claim, found, ['LimitRange']);
}

/** The verdict of the one run that was made. */
function decided(examination: Examination, key: ClaimKey, before: PersistentVolumeClaim): Verdict {
  const pods = examination.users(key).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  const sync = examination.sync(key);
  const after = examination.after(key) ?? before;
  const volumes = (after.spec.volumeName ?? '') === '' ? [] : [after.spec.volumeName as string];
  if (before.metadata.deletionTimestamp !== undefined) return verdict('Terminating', { volumes, pods });
  if (sync?.lacks !== undefined) return verdict('Unknown', { lacks: sync.lacks });
  if (hasAnnotation(after, AnnBindCompleted) && after.status?.phase === 'Bound') {
    // A bound claim is not well while a pod of its cannot go where the volume is.
    const stuck = examination.consumers(key).filter(({ decision }) => decision?.feasible.length === 0);
    if (isBound(before)) return verdict('Bound', { volumes, pods: stuck.map((consumer) => consumer.key) });
    return verdict('WillBind', { volumes });
  }
  if (after.status?.phase === 'Lost')
    return assuming(examination, before, verdict('Lost', { volumes }), ['PersistentVolume']);

  const taken = examination.branch(key, 'syncUnboundClaim');
  switch (taken?.took) {
    case 'waitsForConsumer': {
      if (examination.lacks(['Pod'], before.metadata.namespace).length > 0)
        return verdict('Unknown', { lacks: ['Pod'] });
      return waiting(examination, key, before);
    }
    case 'provisions':
      return provisioning(examination, key, before);
    default:
      return assuming(examination, before, verdict('Stuck'), ['PersistentVolume', 'StorageClass']);
  }
}

const isBound = (claim: PersistentVolumeClaim): boolean =>
  claim.status?.phase === 'Bound' && hasAnnotation(claim, AnnBindCompleted) && (claim.spec.volumeName ?? '') !== '';

/** A delayed claim that the scheduler has not served. */
function waiting(examination: Examination, key: ClaimKey, claim: PersistentVolumeClaim): Verdict {
  const consumers = examination.consumers(key);
  const pods = consumers.map((consumer) => consumer.key);
  if (pods.length === 0) return assuming(examination, claim, verdict('WaitsForConsumer'), ['Pod']);
  const lacks = [...new Set(consumers.flatMap(({ decision }) => decision?.lacks ?? []))];
  if (lacks.length > 0) return verdict('Unknown', { lacks, pods });
  if (consumers.some(({ decision }) => (decision?.unsimulated ?? []).length > 0)) return verdict('Unknown', { pods });
  return assuming(examination, claim, verdict('WaitsForPod', { pods }), ['Node']);
}

/** The verdict as it is when all orders and choices are taken into account. */
function opened(examination: Examination, key: ClaimKey, claim: PersistentVolumeClaim, found: Verdict): Verdict {
  if (isBound(claim) || found.outcome === 'Unknown' || found.outcome === 'Terminating') return found;
  if (examination.isDelayed(claim)) return openedByTurns(examination, key, openedByScheduler(examination, key, found));
  const possible = examination.possible(key);
  if (possible === undefined) return found;
  const { none, exact } = possible;
  const volumes = [...new Set([...possible.volumes, ...found.volumes])].sort();
  const ways = volumes.length + Number(none);
  if (ways <= 1) return exact ? found : { ...found, certainty: 'open', atLeast: true };
  if (volumes.length === 0) return found;
  const rivals = examination.rivals(key, volumes);
  return {
    ...mayBind(found, volumes, { orNone: none, atLeast: !exact }),
    ...(rivals.length > 0 ? { rivals } : {}),
  };
}

/** Which pod comes first, and where it goes, decides what is left for the next one. */
function openedByTurns(examination: Examination, key: ClaimKey, found: Verdict): Verdict {
  const ends = examination.otherRuns.map(({ world }) => world.peekClaim(key)?.spec.volumeName ?? '');
  const other = [...new Set(ends)].filter((end) =>
    end === '' ? found.volumes.length > 0 && found.orNone !== true : !found.volumes.includes(end),
  );
  if (other.length === 0) return found;
  const volumes = [...new Set([...found.volumes, ...other.filter((end) => end !== '')])].sort();
  const isNoneOpen = other.includes('') || found.volumes.length === 0 || found.orNone === true;
  return mayBind(found, volumes, { orNone: isNoneOpen, atLeast: true });
}

/** The scheduler may take any node that fits, and the volume follows from the node. */
function openedByScheduler(examination: Examination, key: ClaimKey, found: Verdict): Verdict {
  if (found.outcome !== 'WillBind') return found;
  const ways = examination
    .consumers(key)
    .flatMap(({ decision }) =>
      (decision?.nodes ?? [])
        .filter(({ node }) => decision?.feasible.includes(node))
        .flatMap(({ claims = [] }) => claims.filter(({ claim }) => claim === key)),
    );
  const statics = ways.flatMap((way) => (way.is === 'static' ? [way] : []));
  const volumes = [...new Set([...found.volumes, ...statics.map(({ volume }) => volume)])].sort();
  const hasEquals = statics.some(({ equals }) => equals > 0);
  const rivals = examination.competingPods(key);
  const isOpen = volumes.length > 1 || hasEquals || ways.some(({ is }) => is === 'provision');
  if (!isOpen) return rivals.length > 0 ? { ...found, certainty: 'open', atLeast: true } : found;
  return mayBind(found, volumes, { orNone: false, atLeast: rivals.length > 0 || hasEquals });
}

/** One of several volumes, or none: Kubernetes leaves it open. */
function mayBind(
  found: Verdict,
  volumes: readonly string[],
  { orNone, atLeast }: { readonly orNone: boolean; readonly atLeast: boolean },
): Verdict {
  return {
    ...found,
    outcome: 'MayBind',
    certainty: 'open',
    volumes: volumes.slice(0, volumesNamed),
    ...(volumes.length > volumesNamed ? { volumeCount: volumes.length } : {}),
    ...(orNone ? { orNone: true as const } : {}),
    ...(atLeast ? { atLeast: true as const } : {}),
  };
}

function provisioning(examination: Examination, key: ClaimKey, claim: PersistentVolumeClaim): Verdict {
  const branch = examination.branch(key, 'provisionClaim');
  if (branch?.took !== 'external') {
    return assuming(examination, claim, verdict('Stuck'), ['PersistentVolume', 'StorageClass']);
  }
  const { features } = examination.simulation;
  const named = branch.provisioner;
  const provisioner = isMigrated(named, features) ? (csiNameFromInTree(named) ?? named) : named;
  const after = examination.after(key) ?? claim;
  const outlook = provisioningOutlook(examination, key, after, provisioner);
  const isRefused = after.spec.selector !== undefined || examination.census.namedFor(key).length > 0;
  const found = verdict(isRefused || outlook.isBlocked ? 'WaitsForProvisioner' : 'WillBeProvisioned', { provisioner });
  if (isRefused) return found;
  // The scheduler may send the pod where the provisioner refuses, or elsewhere.
  if (!outlook.isBlocked && outlook.onSomeNodes.length > 0) return { ...found, certainty: 'open' };
  return outlook.lacks.length === 0 ? found : { ...found, certainty: 'assumed', lacks: outlook.lacks };
}

/** A verdict that takes kinds for empty of which the input says nothing: it holds if there are none. */
function assuming(
  { simulation: { snapshot } }: Examination,
  claim: PersistentVolumeClaim,
  found: Verdict,
  kinds: readonly Kind[],
): Verdict {
  const needed = kinds.filter((kind) => kind !== 'StorageClass' || claimClass(claim) !== '');
  const lacks = needed.filter((kind) => snapshot.coverage(kind, claim.metadata.namespace).is === 'unstated');
  return lacks.length === 0 ? found : { ...found, certainty: 'assumed', lacks };
}

function verdict(outcome: Outcome, more: Partial<Omit<Verdict, 'outcome'>> = {}): Verdict {
  return { outcome, certainty: 'certain', volumes: [], pods: [], lacks: [], ...more };
}

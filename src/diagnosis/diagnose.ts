import { type ClaimKey, claimKey, hasAnnotation } from '../api/accessors.ts';
import { AnnBindCompleted } from '../api/annotations.ts';
import { getOrSet } from '../api/get-or-set.ts';
import { SelectorError } from '../api/label-selector.ts';
import type { Event, KubernetesObject, PersistentVolumeClaim, Pod, StorageClass } from '../api/objects.ts';
import { QuantityError } from '../api/quantity.ts';
import { claimClass, isDefaultClass } from '../api/storage-class.ts';
import { admitClaim } from '../engine/admission/admit.ts';
import { textOfFieldError } from '../engine/admission/field.ts';
import { type Component, componentsOf } from '../engine/components.ts';
import { explore, isContended, type Possible } from '../engine/orders.ts';
import { type ProvisionerView, viewOf } from '../engine/provisioner/view.ts';
import type { Branch } from '../engine/pv-controller/branches.ts';
import type { Sync } from '../engine/pv-controller/controller.ts';
import { claimsOfPod, isPodTerminated, type PodIndex, podIndexOf } from '../engine/pv-controller/pod-index.ts';
import { type Simulation, simulate } from '../engine/simulate.ts';
import { podKey } from '../engine/turns.ts';
import { type Site, siteOf, wantsOf } from '../engine/volume-checks.ts';
import { worldOf } from '../engine/world.ts';
import type { Kind } from '../snapshot/kinds.ts';
import { type Changes, overlay } from '../snapshot/overlay.ts';
import { isManifest } from '../snapshot/stored.ts';
import { type Considered, labelKeysOf, VolumeCensus } from './census.ts';
import { claimsNotCreated, type NotCreated } from './claims-not-created.ts';
import type { Finding } from './codes.ts';
import { nodesFor, type OnNode } from './nodes.ts';
import type { Consumer } from './pod-rules.ts';
import { type ProvisionerEvidence, provisionerEvidence } from './provisioner-evidence.ts';
import { findingsOf } from './rules.ts';
import type { Verdict } from './verdict.ts';
import { verdictOf } from './verdict-of.ts';

/** What the dry run makes of one claim, and why. */
export interface Diagnosis {
  readonly key: ClaimKey;
  /** The claim as the input has it; undefined if a pod uses a claim that does not exist. */
  readonly claim: PersistentVolumeClaim | undefined;
  readonly verdict: Verdict;
  /** The root cause first. */
  readonly findings: readonly Finding[];
  /** The volumes as the claim sees them, nearest miss first; empty where no search takes place. */
  readonly considered: readonly Considered[];
  /** Pods that wait for the claim, or with it, and the nodes as they see them. */
  readonly nodes: readonly { readonly pod: string; readonly message?: string; readonly rows: readonly OnNode[] }[];
  /** The latest sync of the claim. */
  readonly sync: Sync | undefined;
}

/** Up to so many claims and volumes an experiment runs over all of them. */
const smallCluster = 500;

/** How many states exploring the open orders of a whole cluster may visit. */
const mostStates = 5_000;

/** Everything that diagnosing any claim of a simulation needs, made once. */
export class Examination {
  readonly simulation: Simulation;
  readonly census: VolumeCensus;
  /** Claims as the input has them. */
  readonly claims: ReadonlyMap<ClaimKey, PersistentVolumeClaim>;
  readonly pods: PodIndex;
  readonly #evidence = new Map<string, ProvisionerEvidence>();
  #view: ProvisionerView | undefined;
  #notCreated: ReadonlyMap<ClaimKey, NotCreated> | undefined;
  #doubts: { readonly ofPods: readonly Kind[]; readonly ofClaims: readonly Kind[] } | undefined;
  #otherRuns: readonly Simulation[] | undefined;
  #defaults: readonly StorageClass[] | undefined;
  #components: ReadonlyMap<ClaimKey, Component> | undefined;
  readonly #effort = { states: mostStates };
  readonly #possible = new Map<Component, ReadonlyMap<ClaimKey, Possible>>();
  #events: ReadonlyMap<ClaimKey, readonly Event[]> | undefined;

  constructor(simulation: Simulation) {
    this.simulation = simulation;
    const { snapshot, world } = simulation;
    this.claims = new Map(snapshot.list('PersistentVolumeClaim').map((claim) => [claimKey(claim), claim]));
    this.pods = podIndexOf(snapshot.list('Pod'));
    const after = new Map([...world.claims()].map((claim) => [claimKey(claim), claim]));
    this.census = new VolumeCensus(world.volumes(), after, labelKeysOf(this.claims.values()), this.site());
  }

  /** The keys of all claims, sorted; those that only pods know, or StatefulSets want in vain, included. */
  keys(): readonly ClaimKey[] {
    const missing = this.simulation.snapshot.list('Pod').filter(isWaiting).flatMap(claimsOfPod);
    return [...new Set([...this.claims.keys(), ...missing, ...this.notCreated.keys()])].sort();
  }

  /** The claim when the controllers have come to rest. */
  after(key: ClaimKey): PersistentVolumeClaim | undefined {
    return this.simulation.world.hasClaim(key) ? this.simulation.world.claim(key) : undefined;
  }

  /** The pods that use the claim and have not ended. */
  users(key: ClaimKey): readonly Pod[] {
    return this.pods.get(key) ?? [];
  }

  /** The pods that use the claim and had no node when the input was taken, those that have ended left out. */
  consumers(key: ClaimKey): readonly Consumer[] {
    return this.users(key)
      .filter((pod) => !isPodTerminated(pod) && (pod.spec.nodeName ?? '') === '')
      .map((pod) => ({ pod, key: podKey(pod), decision: this.simulation.turns.decisions.get(podKey(pod)) }));
  }

  /** Other pods that the scheduler has a node for: where they go may change what is left. */
  competingPods(key: ClaimKey): readonly string[] {
    const own = new Set(this.consumers(key).map((consumer) => consumer.key));
    const placed = [...this.simulation.turns.decisions].filter(([, { feasible }]) => feasible.length > 0);
    return placed.map(([pod]) => pod).filter((pod) => !own.has(pod));
  }

  /**
   * The run once more with pods in the opposite order, and with each pod on another of its nodes: both are open. None for a large
   * cluster.
   */
  get otherRuns(): readonly Simulation[] {
    this.#otherRuns ??= this.#runOtherwise();
    return this.#otherRuns;
  }

  #runOtherwise(): readonly Simulation[] {
    const { snapshot, features, turns } = this.simulation;
    const pods = [...turns.decisions.keys()].sort().reverse();
    if (turns.choices.size + turns.scheduled.length === 0 || this.claims.size + this.census.size > smallCluster)
      return [];
    return [
      simulate(snapshot, { features, node: 'last' }),
      ...(pods.length > 1
        ? (['first', 'last'] as const).map((node) => simulate(snapshot, { features, pods, node }))
        : []),
    ];
  }

  /** Kinds that were not collected and that left the scheduler in doubt about some pod, or the controller about another claim. */
  get doubts(): { readonly ofPods: readonly Kind[]; readonly ofClaims: readonly Kind[] } {
    const { turns, run } = this.simulation;
    this.#doubts ??= {
      ofPods: distinct([...turns.doubts.values()].flatMap((lacks) => [...lacks])),
      ofClaims: distinct([...run.lastOfClaim.values()].flatMap(({ lacks = [] }) => lacks)),
    };
    return this.#doubts;
  }

  /** Whether the claim's class leaves the choice of a volume to the scheduler. */
  isDelayed(claim: PersistentVolumeClaim): boolean {
    if ((claim.spec.volumeName ?? '') !== '') return false;
    const name = claimClass(this.after(claimKey(claim)) ?? claim);
    return this.simulation.snapshot.get('StorageClass', name)?.volumeBindingMode === 'WaitForFirstConsumer';
  }

  sync(key: ClaimKey): Sync | undefined {
    return this.simulation.run.lastOfClaim.get(key);
  }

  /** The branch that a function took in the latest sync of the claim. */
  branch<A extends Branch['at']>(key: ClaimKey, at: A): Extract<Branch, { at: A }> | undefined {
    const taken = this.sync(key)?.took.filter((one) => one.at === at) ?? [];
    return taken.at(-1) as Extract<Branch, { at: A }> | undefined;
  }

  /** Kinds that were not collected where the claim would need them, of those given. */
  lacks(kinds: readonly Kind[], namespace?: string): readonly Kind[] {
    return kinds.filter((kind) => this.simulation.snapshot.coverage(kind, namespace).is === 'notCollected');
  }

  /** How a claim that named no volume found one in this run, if it did; bound since, its latest sync no longer tells. */
  matched(key: ClaimKey): Extract<Branch, { took: 'matched' }> | undefined {
    return this.simulation.run.matchOfClaim.get(key);
  }

  /** Where the claim can end over all that Kubernetes leaves open; undefined if nothing is. */
  possible(key: ClaimKey): Possible | undefined {
    const component = this.#component(key);
    if (component === undefined) return undefined;
    const { world, features } = this.simulation;
    return getOrSet(this.#possible, component, () =>
      isContended(component) ? explore(component, world.surroundings, features, this.#effort) : new Map(),
    ).get(key);
  }

  /** The other claims that can end with one of the volumes. */
  rivals(key: ClaimKey, volumes: readonly string[]): readonly ClaimKey[] {
    const component = this.#component(key);
    const all = component === undefined ? undefined : this.#possible.get(component);
    return [...(all ?? [])]
      .filter(([other, possible]) => other !== key && possible.volumes.some((volume) => volumes.includes(volume)))
      .filter(([other]) => this.claims.get(other)?.status?.phase !== 'Bound')
      .map(([other]) => other);
  }

  /**
   * The claims that a change of some objects can do something to, with the objects of a cluster that is large cut down to what
   * belongs together: what else there is could not make a difference.
   */
  neighbours(
    key: ClaimKey,
    changed: readonly KubernetesObject[],
  ): { claims: readonly ClaimKey[]; changes: Pick<Changes, 'only'> } {
    const { snapshot, features } = this.simulation;
    const size = this.claims.size + this.census.size;
    const isNarrow = changed.every(({ kind }) => kind === 'PersistentVolume' || kind === 'PersistentVolumeClaim');
    if (size <= smallCluster) return { claims: [...this.claims.keys()], changes: {} };
    if (!isNarrow) return { claims: [key], changes: {} };
    const component = componentsOf(worldOf(overlay(snapshot, { put: changed })), siteOf(features)).get(key);
    const own = this.#component(key);
    const claims = [...(component?.claims ?? []), ...(own?.claims ?? [])].map(claimKey);
    const volumes = [...(component?.volumes ?? []), ...(own?.volumes ?? [])].map(({ metadata }) => metadata.name);
    const kept = new Set([key, ...claims]);
    const pods = snapshot.list('Pod').filter((pod) => hasPart(pod, kept));
    const only = {
      PersistentVolumeClaim: kept,
      PersistentVolume: new Set(volumes),
      Pod: new Set(pods.map(podKey)),
    };
    return { claims: claims.length <= smallCluster ? [...new Set(claims)] : [key], changes: { only } };
  }

  #component(key: ClaimKey): Component | undefined {
    const { snapshot, features } = this.simulation;
    this.#components ??= componentsOf(worldOf(snapshot), siteOf(features));
    return this.#components.get(key);
  }

  /** The claims that StatefulSets cannot create. */
  get notCreated(): ReadonlyMap<ClaimKey, NotCreated> {
    const { snapshot, features } = this.simulation;
    this.#notCreated ??= claimsNotCreated(snapshot, features);
    return this.#notCreated;
  }

  /** What an external provisioner sees of the cluster. */
  get provisionerView(): ProvisionerView {
    this.#view ??= viewOf(this.simulation.snapshot);
    return this.#view;
  }

  provisioner(name: string): ProvisionerEvidence {
    return getOrSet(this.#evidence, name, () => provisionerEvidence(this.simulation.snapshot, name));
  }

  /** The events about a claim, in the order of the input. */
  eventsOfClaim(key: ClaimKey): readonly Event[] {
    this.#events ??= eventsByClaim(this.simulation.snapshot.list('Event'));
    return this.#events.get(key) ?? [];
  }

  /** The classes that are marked as default, by name. */
  defaultClasses(): readonly StorageClass[] {
    this.#defaults ??= this.simulation.snapshot.list('StorageClass').filter(isDefaultClass);
    return this.#defaults;
  }

  /** What the API server would say to a claim that is a manifest still, not an object of a cluster. */
  admissionErrors(claim: PersistentVolumeClaim): readonly string[] {
    if (!isManifest(claim)) return [];
    const { uid: _made, ...metadata } = claim.metadata;
    const surroundings = { classes: this.simulation.snapshot.list('StorageClass'), quotas: [], limitRanges: [] };
    const { refusal } = admitClaim({ ...claim, metadata }, surroundings, this.simulation.features);
    return refusal?.by === 'Validation' ? refusal.errors.map(textOfFieldError) : [];
  }

  site(): Site {
    return siteOf(this.simulation.features);
  }
}

/** Diagnoses one claim. Volumes and nodes are looked at when they are asked for: a claim that is well has no need of them. */
export function diagnose(examination: Examination, key: ClaimKey): Diagnosis {
  const claim = examination.claims.get(key);
  const verdict = verdictOf(examination, key);
  let rows: readonly Considered[] | undefined;
  const considered = () => {
    rows ??= claim === undefined ? [] : consider(examination, claim);
    return rows;
  };
  const findings = findingsOf(examination, key, verdict, considered);
  return {
    key,
    claim,
    verdict,
    findings,
    get considered() {
      return considered();
    },
    get nodes() {
      return nodesOf(examination, key, claim);
    },
    sync: examination.sync(key),
  };
}

/** The nodes as the waiting pods of a claim see them. */
function nodesOf(
  examination: Examination,
  key: ClaimKey,
  claim: PersistentVolumeClaim | undefined,
): Diagnosis['nodes'] {
  if (claim === undefined) return [];
  const { scheduler } = examination.simulation;
  return examination.consumers(key).flatMap(({ key: pod, decision }) => {
    if (decision === undefined || decision.nodes.length === 0) return [];
    const rows = nodesFor(decision, examination.after(key) ?? claim, scheduler, examination.site());
    return [{ pod, ...(decision.message === undefined ? {} : { message: decision.message }), rows }];
  });
}

/** Bound when the input was taken. */
const isBound = (claim: PersistentVolumeClaim): boolean => hasAnnotation(claim, AnnBindCompleted);

/**
 * The volumes as a claim sees them when all is settled: that is what it stays Pending with. A claim that gets a volume in this
 * very run is looked at as it was before, so that the others show why they were not taken.
 */
function consider(examination: Examination, before: PersistentVolumeClaim): readonly Considered[] {
  const { census, simulation } = examination;
  const { snapshot } = simulation;
  const after = examination.after(claimKey(before)) ?? before;
  const wasFree = (before.spec.volumeName ?? '') === '' && !isBound(before);
  const claim = wasFree ? { ...before, spec: { ...after.spec, volumeName: '' } } : after;
  try {
    const wants = wantsOf(claim);
    if (wasFree) return census.consider(wants, after.spec.volumeName);
    const name = claim.spec.volumeName ?? '';
    // A pair that completes each other in this run is looked at as it was before.
    const volume = isBound(before)
      ? census.volume(name)
      : (snapshot.get('PersistentVolume', name) ?? census.volume(name));
    return volume === undefined ? census.reserved(wants) : [census.single(volume, wants)];
  } catch (error) {
    // A claim whose request or selector cannot be read is compared with nothing; its sync tells why.
    if (error instanceof QuantityError || error instanceof SelectorError) return [];
    throw error;
  }
}

/**
 * Whether a pod can make a difference where only some claims are left: a pod whose claims are gone is refused before a node is looked
 * at, but one that is on a node, or is promised one, takes room there.
 */
function hasPart(pod: Pod, claims: ReadonlySet<ClaimKey>): boolean {
  if (pod.spec.nodeName || pod.status?.nominatedNodeName) return true;
  const used = claimsOfPod(pod);
  return used.length === 0 || used.some((claim) => claims.has(claim));
}

/** A pod that still wants to be scheduled or started. */
function isWaiting(pod: Pod): boolean {
  return pod.status?.phase === 'Pending' || pod.status?.phase === undefined;
}

function eventsByClaim(events: readonly Event[]): ReadonlyMap<ClaimKey, readonly Event[]> {
  const index = new Map<ClaimKey, Event[]>();
  for (const event of events) {
    const { kind, namespace, name } = event.involvedObject;
    if (kind !== 'PersistentVolumeClaim') continue;
    const key = `${namespace ?? ''}/${name ?? ''}`;
    getOrSet(index, key, () => []).push(event);
  }
  return index;
}

const distinct = (kinds: readonly Kind[]): readonly Kind[] => [...new Set(kinds)].sort();

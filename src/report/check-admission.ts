import type { ClaimKey } from '../api/accessors.ts';
import type { Features } from '../api/features.ts';
import { getOrSet } from '../api/get-or-set.ts';
import type {
  KubernetesObject,
  LimitRange,
  PersistentVolume,
  PersistentVolumeClaim,
  ResourceQuota,
  StorageClass,
} from '../api/objects.ts';
import { type Finding, finding } from '../diagnosis/codes.ts';
import { nearestName } from '../diagnosis/words.ts';
import { type Admission, admitClaim, admitClass, admitVolume, type Refusal } from '../engine/admission/admit.ts';
import { textOfFieldError } from '../engine/admission/field.ts';
import { checkLimitRanges, textOfLimitRangeRefusal } from '../engine/admission/limit-range.ts';
import { chargeQuotas, textOfQuotaAnswer } from '../engine/admission/quota.ts';
import {
  changedSpecFields,
  expansionRefusal,
  specIsImmutable,
  validateClaimUpdate,
} from '../engine/admission/validate-claim-update.ts';
import { validationRules } from '../engine/admission/validation-rules.ts';
import { applied, classConflicts, type FieldChange, volumeConflicts } from '../manifests/applied.ts';
import type { PlannedClaim } from '../manifests/claims-of.ts';
import { created } from '../manifests/created.ts';
import { type FieldPath, type Manifest, pathOfText, valueAt } from '../manifests/manifest.ts';
import type { Plan } from '../manifests/plan.ts';
import { isKind, type Kind, type KindOf } from '../snapshot/kinds.ts';
import { overlay } from '../snapshot/overlay.ts';
import { keyOf, type Snapshot } from '../snapshot/snapshot.ts';
import { claimField, fieldOfDecoding, fieldOfError, knownFieldNear } from './check-fields.ts';

/** Something that is to be said about a manifest. */
export interface ManifestFinding {
  readonly finding: Finding;
  readonly manifest: Manifest;
  /** The field at fault, from the root of the object. */
  readonly path: FieldPath;
  /** The claim that it is about, if that is not the manifest itself. */
  readonly claim?: ClaimKey;
}

/** A cluster with the manifests applied to it. */
export interface Applied {
  readonly snapshot: Snapshot;
  readonly findings: readonly ManifestFinding[];
  /** Claims that would not be created. */
  readonly refused: ReadonlySet<ClaimKey>;
}

/**
 * Sends the manifests to the API server of a release: volumes, classes and everything around claims first, then claims in the order in
 * which they would be created. What is refused is not in the result.
 */
// specification scheduler-and-provisioning 6
export function applyPlan(plan: Plan, cluster: Snapshot, features: Features): Applied {
  const server = new Server(plan, cluster, features);
  return server.apply();
}

const everywhere: readonly string[] = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

class Server {
  readonly #plan: Plan;
  readonly #cluster: Snapshot;
  readonly #features: Features;
  readonly #findings: ManifestFinding[] = [];
  readonly #refused = new Set<ClaimKey>();
  readonly #put: KubernetesObject[] = [];
  readonly #quotas = new Map<string, readonly ResourceQuota[]>();
  readonly #limitRanges = new Map<string, readonly LimitRange[]>();
  #classes: readonly StorageClass[] = [];

  constructor(plan: Plan, cluster: Snapshot, features: Features) {
    this.#plan = plan;
    this.#cluster = cluster;
    this.#features = features;
  }

  apply(): Applied {
    const { manifests, claims, conflicts, pods, endedPods } = this.#plan;
    const homeless = this.#homeless();
    const inConflict = new Map(conflicts.map(({ manifest, changes }) => [manifest, changes]));
    for (const manifest of manifests) {
      if (homeless.has(manifest)) continue;
      const changes = inConflict.get(manifest);
      if (changes !== undefined) this.#immutable(manifest, changes);
      else this.#putObject(manifest);
    }
    this.#classes = this.#withPut('StorageClass');
    for (const claim of claims) {
      if (homeless.has(claim.from)) this.#refused.add(claim.key);
      else this.#claim(claim);
    }
    const lost = new Set([...homeless].map(({ object }) => object.metadata.namespace));
    this.#put.push(...pods.filter(({ metadata }) => !lost.has(metadata.namespace)));
    const remove = endedPods.map((key) => ({ kind: 'Pod', key }) as const);
    return {
      snapshot: overlay(this.#cluster, { put: this.#put, remove }),
      findings: this.#findings,
      refused: this.#refused,
    };
  }

  /** Manifests of namespaces that are known not to be there. */
  #homeless(): ReadonlySet<Manifest> {
    const { is } = this.#cluster.coverage('Namespace');
    const terminating = this.#cluster.list('Namespace').filter(({ status }) => status?.phase === 'Terminating');
    const doomed = new Set(terminating.map(({ metadata }) => metadata.name));
    const known = new Set([
      ...everywhere,
      ...this.#cluster.list('Namespace').map(({ metadata }) => metadata.name),
      ...this.#plan.manifests.filter(({ kind }) => kind === 'Namespace').map(({ object }) => object.metadata.name),
    ]);
    const isTold = is === 'present' || is === 'empty';
    const homeless = new Set<Manifest>();
    for (const manifest of this.#plan.manifests) {
      const { namespace } = manifest.object.metadata;
      if (namespace === undefined || (!doomed.has(namespace) && (known.has(namespace) || !isTold))) continue;
      homeless.add(manifest);
      const nearest = nearestName(namespace, known);
      const missing = finding('NamespaceMissing', { namespace, ...(nearest === undefined ? {} : { nearest }) });
      const told = doomed.has(namespace) ? finding('NamespaceTerminating', { namespace }) : missing;
      this.#tell(told, manifest, ['metadata', 'namespace']);
    }
    return homeless;
  }

  #putObject(manifest: Manifest): void {
    switch (manifest.kind) {
      case 'PersistentVolumeClaim':
      case 'Pod':
      case 'ReplicationController':
      case 'Event':
        return;
      case 'StorageClass':
        this.#class(manifest);
        return;
      case 'PersistentVolume':
        this.#volume(manifest);
        return;
      case 'ResourceQuota':
        this.#put.push(this.#counted(this.#appliedTo(manifest) as ResourceQuota));
        return;
      default:
        this.#put.push(this.#appliedTo(manifest));
    }
  }

  #class(manifest: Manifest): void {
    const before = this.#existing(manifest) as StorageClass | undefined;
    const { object, refusal } = this.#admitted(
      manifest,
      admitClass(manifest.raw, this.#features),
      before !== undefined,
    );
    if (object === undefined || refusal !== undefined) return;
    const changes = before === undefined ? [] : classConflicts(before, manifest.object as StorageClass);
    if (changes.length > 0) this.#immutable(manifest, changes);
    else this.#put.push(before === undefined ? created(object) : applied(before, manifest.object));
  }

  #volume(manifest: Manifest): void {
    const before = this.#existing(manifest) as PersistentVolume | undefined;
    const { object, refusal } = this.#admitted(
      manifest,
      admitVolume(manifest.raw, this.#features),
      before !== undefined,
    );
    if (object === undefined || refusal !== undefined) return;
    if (before === undefined) {
      // The controller makes a new volume Available at once; from here on that is its business.
      this.#put.push(created(object));
      return;
    }
    const after = applied(before, manifest.object);
    const changes = volumeConflicts(before, after);
    if (changes.length > 0) this.#immutable(manifest, changes);
    else this.#put.push(after);
  }

  #claim(claim: PlannedClaim): void {
    const { key } = claim;
    const before = claim.how === 'claim' ? this.#cluster.get('PersistentVolumeClaim', key) : undefined;
    const namespace = key.slice(0, key.indexOf('/'));
    const surroundings = {
      classes: this.#classes,
      quotas: this.#quotasOf(namespace),
      limitRanges: this.#limitRangesOf(namespace),
    };
    if (before !== undefined) {
      // An update keeps what the manifest leaves open; only what is wrong with the manifest itself is told as for a new claim.
      const { object, refusal, unknownFields } = admitClaim(
        claim.raw,
        { classes: [], quotas: [], limitRanges: [] },
        this.#features,
      );
      this.#unknownFields(claim, unknownFields);
      if (refusal?.by === 'Decoding') this.#refuse(claim, refusal);
      else if (object !== undefined) this.#update(claim, before, surroundings.limitRanges);
      return;
    }
    const admission = admitClaim(claim.raw, surroundings, this.#features);
    this.#unknownFields(claim, admission.unknownFields);
    this.#quotas.set(namespace, admission.quotas);
    for (const message of admission.warnings)
      this.#tellClaim(claim, finding('AdmissionWarning', { message }), warned(message));
    if (admission.refusal !== undefined) this.#refuse(claim, admission.refusal);
    else if (admission.object !== undefined) this.#put.push(withStatus(created(admission.object)));
  }

  #refuse(claim: PlannedClaim, refusal: Refusal): void {
    if (claim.how !== 'claim' || this.#cluster.get('PersistentVolumeClaim', claim.key) === undefined) {
      this.#refused.add(claim.key);
    }
    if (refusal.by === 'Validation') {
      for (const error of refusal.errors) {
        this.#tellClaim(
          claim,
          finding('InvalidClaim', { errors: [textOfFieldError(error)] }),
          fieldOfError(error.path),
        );
      }
      return;
    }
    const told = refusalFinding(refusal, 'PersistentVolumeClaim', claim.key, this.#features);
    const path = refusal.by === 'Decoding' ? fieldOfDecoding(refusal.message) : claimField(told.code, claim.raw);
    this.#tellClaim(claim, told, path);
  }

  #update(claim: PlannedClaim, before: PersistentVolumeClaim, limitRanges: readonly LimitRange[]): void {
    const { key } = claim;
    const after = applied(before, claim.from.object as PersistentVolumeClaim);
    const rules = validationRules(this.#features);
    // Dumps may lack the version, which every update has.
    const versioned = {
      ...after,
      metadata: { ...after.metadata, resourceVersion: before.metadata.resourceVersion ?? '1' },
    };
    const fields = changedSpecFields(after, before);
    if (fields.length > 0) {
      const changes = fields.map((field) => ({ field, before: textAt(before, field), after: textAt(after, field) }));
      const [first = 'spec'] = fields;
      const told = finding('ImmutableFieldChanged', { kind: 'PersistentVolumeClaim', name: key, changes });
      this.#tellClaim(claim, told, pathOfText(first));
      return;
    }
    const errors = validateClaimUpdate(versioned, before, rules).filter(({ detail }) => detail !== specIsImmutable);
    const limits = checkLimitRanges(limitRanges, after);
    const expansion = expansionRefusal(after, before, this.#classes);
    for (const error of errors) {
      const told = finding('UpdateRefused', {
        kind: 'PersistentVolumeClaim',
        name: key,
        errors: [textOfFieldError(error)],
      });
      this.#tellClaim(claim, told, fieldOfError(error.path));
    }
    if (errors.length > 0) return;
    const sizes = [before, after].map(({ spec }) => spec.resources?.requests?.storage ?? '') as [string, string];
    if (expansion !== undefined) {
      const told = finding('ExpansionRefused', { claim: key, before: sizes[0], after: sizes[1], reason: expansion });
      this.#tellClaim(claim, told, claimField(told.code, claim.raw));
    } else if (limits !== undefined && sizes[0] !== sizes[1]) {
      const message = textOfLimitRangeRefusal(limits);
      const told = finding('LimitRangeForbids', { claim: key, limitRange: limits.limitRange, message });
      this.#tellClaim(claim, told, claimField(told.code, claim.raw));
    } else this.#charge(claim, after, before);
  }

  #charge(claim: PlannedClaim, after: PersistentVolumeClaim, before: PersistentVolumeClaim): void {
    const namespace = before.metadata.namespace ?? '';
    const options = { volumeAttributesClass: validationRules(this.#features).volumeAttributesClass, previous: before };
    const answer = chargeQuotas(this.#quotasOf(namespace), after, options);
    if (answer.is === 'within') {
      this.#quotas.set(namespace, answer.quotas);
      this.#put.push(after);
      return;
    }
    const told = refusalFinding({ by: 'ResourceQuota', answer }, 'PersistentVolumeClaim', claim.key, this.#features);
    this.#tellClaim(claim, told, claimField(told.code, claim.raw));
  }

  /** What admission says about a volume or class, told. */
  #admitted<T extends KubernetesObject>(manifest: Manifest, admission: Admission<T>, exists: boolean): Admission<T> {
    const { kind, object } = manifest;
    const { name } = object.metadata;
    for (const field of admission.unknownFields) this.#tell(unknownField(kind, field), manifest, pathOfText(field));
    for (const message of admission.warnings) {
      this.#tell(finding('AdmissionWarning', { message }), manifest, warned(message));
    }
    const { refusal } = admission;
    // An object that exists has a version.
    if (refusal === undefined || (refusal.by === 'Storage' && exists)) return { ...admission, refusal: undefined };
    if (refusal.by === 'Validation') {
      for (const error of refusal.errors) {
        const told = finding('InvalidObject', { kind, name, errors: [textOfFieldError(error)] });
        this.#tell(told, manifest, fieldOfError(error.path));
      }
    } else {
      const told = refusalFinding(refusal, kind, name, this.#features);
      const path =
        refusal.by === 'Decoding' ? fieldOfDecoding(refusal.message) : (['metadata', 'resourceVersion'] as const);
      this.#tell(told, manifest, path);
    }
    return admission;
  }

  #unknownFields(claim: PlannedClaim, fields: readonly string[]): void {
    for (const field of fields) this.#tellClaim(claim, unknownField('PersistentVolumeClaim', field), pathOfText(field));
  }

  #immutable(manifest: Manifest, changes: readonly FieldChange[]): void {
    const { kind, object } = manifest;
    const told = finding('ImmutableFieldChanged', { kind, name: keyOf(object), changes });
    this.#tell(told, manifest, pathOfText(changes[0]?.field ?? 'spec'));
  }

  #tell(told: Finding, manifest: Manifest, path: FieldPath): void {
    this.#findings.push({ finding: told, manifest, path });
  }

  #tellClaim({ key, from, path, how }: PlannedClaim, told: Finding, field: FieldPath): void {
    // The name of a claim of a template is not written anywhere but in the template's own.
    const own = how === 'ephemeral' && field[0] === 'metadata' ? [] : field;
    this.#findings.push({ finding: told, manifest: from, path: [...path, ...own], claim: key });
  }

  #existing({ kind, object }: Manifest): KubernetesObject | undefined {
    return isKind(kind) ? this.#cluster.get(kind, keyOf(object)) : undefined;
  }

  #appliedTo(manifest: Manifest): KubernetesObject {
    const before = this.#existing(manifest);
    return before === undefined ? created(manifest.object) : applied(before, manifest.object);
  }

  /** The objects of a kind, those of the manifests among them. */
  #withPut<K extends Kind>(kind: K): readonly KindOf[K][] {
    const put = this.#put.filter((object) => object.kind === kind) as unknown as readonly KindOf[K][];
    const names = new Set(put.map(keyOf));
    const kept = this.#cluster.list(kind).filter((object) => !names.has(keyOf(object)));
    return [...kept, ...put].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  #quotasOf(namespace: string): readonly ResourceQuota[] {
    return getOrSet(this.#quotas, namespace, () =>
      this.#withPut('ResourceQuota').filter(({ metadata }) => metadata.namespace === namespace),
    );
  }

  #limitRangesOf(namespace: string): readonly LimitRange[] {
    return getOrSet(this.#limitRanges, namespace, () =>
      this.#withPut('LimitRange').filter(({ metadata }) => metadata.namespace === namespace),
    );
  }

  /** A quota of a manifest as it is once the controller has counted what is there. */
  // kubernetes/kubernetes pkg/controller/resourcequota/resource_quota_controller.go, syncResourceQuota (1.37)
  #counted(quota: ResourceQuota): ResourceQuota {
    const { hard = {} } = quota.spec ?? {};
    const unlimited = Object.fromEntries(Object.keys(hard).map((name) => [name, '8E']));
    const none = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
    const { namespace } = quota.metadata;
    const rules = validationRules(this.#features);
    let counting: readonly ResourceQuota[] = [{ ...quota, status: { hard: unlimited, used: none } }];
    for (const claim of this.#cluster.list('PersistentVolumeClaim')) {
      if (claim.metadata.namespace !== namespace) continue;
      const answer = chargeQuotas(counting, claim, { volumeAttributesClass: rules.volumeAttributesClass });
      if (answer.is === 'within') counting = answer.quotas;
    }
    return { ...quota, status: { hard, used: { ...none, ...counting[0]?.status?.used } } };
  }
}

/** A new claim has its phase from the start. */
const withStatus = (claim: PersistentVolumeClaim): PersistentVolumeClaim => ({
  ...claim,
  status: { phase: 'Pending' },
});

/** The field that a warning begins with. */
const warned = (message: string): FieldPath => pathOfText(/^[\w.[\]/-]+(?=:)/.exec(message)?.[0] ?? 'metadata.name');

function unknownField(kind: string, field: string): Finding {
  const nearest = knownFieldNear(kind, field, nearestName);
  return finding('UnknownField', { kind, field, ...(nearest === undefined ? {} : { nearest }) });
}

function refusalFinding(
  refusal: Exclude<Refusal, { by: 'Validation' }>,
  kind: string,
  name: string,
  { release }: Features,
): Finding {
  switch (refusal.by) {
    case 'Decoding':
      return finding('NotDecoded', { kind, message: refusal.message });
    case 'DefaultStorageClass':
      return finding('SeveralDefaultsRefused', { classes: refusal.defaults, release });
    case 'LimitRanger': {
      const { limitRange } = refusal.refusal;
      return finding('LimitRangeForbids', {
        claim: name,
        limitRange,
        message: textOfLimitRangeRefusal(refusal.refusal),
      });
    }
    case 'ResourceQuota': {
      const { answer } = refusal;
      return answer.is === 'statusUnknown'
        ? finding('QuotaNotCounted', { quota: answer.quota, resources: answer.resources })
        : finding('QuotaExceeded', { claim: name, quota: answer.quota, message: textOfQuotaAnswer(answer) });
    }
    case 'Storage':
      return finding('ResourceVersionSet', { kind });
  }
}

/** What stands at a field of an object, for people. */
function textAt(object: KubernetesObject, field: string): string {
  const value = valueAt(object, pathOfText(field));
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

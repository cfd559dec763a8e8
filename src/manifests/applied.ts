import { withDefaults } from '../api/defaults.ts';
import type { KubernetesObject, PersistentVolumeClaim, StorageClass, Workload } from '../api/objects.ts';
import { canonicalQuantity, parseQuantity } from '../api/quantity.ts';

/**
 * What `kubectl apply` makes of an object that exists: fields of the manifest replace or join those that are there, what the manifest
 * leaves out stays. Lists are replaced whole, as they are for all fields that matter here.
 */
// kubernetes/kubectl pkg/cmd/apply/patcher.go (1.37): a three-way merge, of which the last applied manifest is not known here
export function applied<T extends KubernetesObject>(existing: T, manifest: KubernetesObject): T {
  const { status: _status, ...wanted } = manifest as KubernetesObject & { readonly status?: unknown };
  const { resourceVersion: _version, creationTimestamp: _time, deletionTimestamp: _end, ...metadata } = wanted.metadata;
  return merged(existing, { ...wanted, metadata }) as T;
}

function merged(before: unknown, after: unknown): unknown {
  if (!isMapping(before) || !isMapping(after)) return after === undefined ? before : after;
  const result: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(after)) result[key] = merged(before[key], value);
  return result;
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field that the API server does not let change. */
export interface FieldChange {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/** What of a class may not change and would. Both with their defaults. */
// kubernetes/kubernetes pkg/apis/storage/validation/validation.go, ValidateStorageClassUpdate (1.37);
// specification scheduler-and-provisioning 6.7
export function classConflicts(before: StorageClass, manifest: StorageClass): readonly FieldChange[] {
  const after = withDefaults(applied(before, manifest));
  // A patch adds to a map what it names; a parameter that is left out stays.
  return (['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode'] as const).flatMap((field) =>
    changed(field, before[field], after[field]),
  );
}

/** What of a volume may not change and would: its source and its mode, its node affinity once it has one. */
// kubernetes/kubernetes pkg/apis/core/validation/validation.go, ValidatePersistentVolumeUpdate (1.37);
// specification scheduler-and-provisioning 6.8
export function volumeConflicts(
  before: KubernetesObject & { readonly spec: object },
  after: KubernetesObject & { readonly spec: object },
): readonly FieldChange[] {
  const [old, now] = [before.spec, after.spec] as readonly Readonly<Record<string, unknown>>[];
  return [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])]
    .filter((field) => !mutable.has(field) && !(field === 'nodeAffinity' && old?.[field] === undefined))
    .sort()
    .flatMap((field) => changed(`spec.${field}`, old?.[field], now?.[field]));
}

/** Fields of a volume's spec that may change. */
const mutable: ReadonlySet<string> = new Set([
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeAttributesClassName',
]);

/** What of the volumeClaimTemplates of a StatefulSet would change, none of which may. */
// kubernetes/kubernetes pkg/apis/apps/validation/validation.go, ValidateStatefulSetUpdate (1.37)
export function templateConflicts(before: Workload, after: Workload): readonly FieldChange[] {
  const [old, now] = [templatesOf(before), templatesOf(after)];
  const names = changed(
    'spec.volumeClaimTemplates',
    old.map(({ name }) => name).join(', '),
    now.map(({ name }) => name).join(', '),
  );
  if (names.length > 0) return names;
  return now.flatMap(({ labels, spec }, i) => {
    const at = `spec.volumeClaimTemplates[${i}]`;
    const fields = [...new Set([...Object.keys(old[i]?.spec ?? {}), ...Object.keys(spec)])].sort();
    return [
      ...changed(`${at}.metadata.labels`, old[i]?.labels, labels),
      ...fields.flatMap((field) => changed(`${at}.spec.${field}`, old[i]?.spec[field], spec[field])),
    ];
  });
}

const templatesOf = ({ spec }: Workload) =>
  (spec?.volumeClaimTemplates ?? []).map(({ metadata, spec: claimSpec }) => {
    const { name = '', labels = {} } = metadata ?? {};
    const claim: PersistentVolumeClaim = { kind: 'PersistentVolumeClaim', metadata: { name }, spec: claimSpec };
    return { name, labels, spec: comparable(withDefaults(claim).spec) };
  });

/** The fields of a claim's spec, amounts in one spelling and each on its own. */
function comparable({ resources, ...spec }: PersistentVolumeClaim['spec']): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = { ...spec };
  for (const list of ['requests', 'limits'] as const) {
    for (const [name, text] of Object.entries(resources?.[list] ?? {})) {
      fields[`resources.${list}.${name}`] = canonicalQuantity(parseQuantity(text));
    }
  }
  return fields;
}

/** In what the spec of an existing claim is another than that of a template, by field. */
export function specDifferences(
  existing: PersistentVolumeClaim['spec'],
  template: PersistentVolumeClaim['spec'],
): readonly FieldChange[] {
  const [old, now] = [comparable(existing), comparable(template)];
  // What a template leaves open is filled in by admission and by binding.
  return Object.keys(now)
    .sort()
    .flatMap((field) => changed(`spec.${field}`, old[field], now[field]));
}

function changed(field: string, before: unknown, after: unknown): readonly FieldChange[] {
  const [old, now] = [shown(before), shown(after)];
  return old === now ? [] : [{ field, before: old, after: now }];
}

/** A text as it is, anything else as JSON with keys in order; "" for nothing. */
function shown(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  const inOrder = (_key: string, part: unknown): unknown =>
    isMapping(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part;
  return JSON.stringify(value, inOrder);
}

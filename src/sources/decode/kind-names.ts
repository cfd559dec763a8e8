import { allKinds, type Kind, kinds } from '../../snapshot/kinds.ts';

// Raw lists, typed client lists and arrays carry no kind on their items; specification dump-formats 1.7.

const byName: ReadonlyMap<string, Kind> = new Map(
  allKinds.flatMap((kind) => {
    const info: { readonly resource: string; readonly short?: string } = kinds[kind];
    const names = [kind.toLowerCase(), info.resource];
    if (info.short !== undefined) names.push(info.short, `${info.short}s`);
    return names.map((name) => [name, kind] as const);
  }),
);

/**
 * The kind that the name of a resource means: "pvs", "persistentvolumeclaims", "storage-classes", "storageClasses",
 * "storageclasses.storage.k8s.io".
 */
export function kindOfResource(name: string): Kind | undefined {
  const [plain = ''] = name.toLowerCase().split('.');
  return byName.get(plain.replace(/[-_]/g, ''));
}

/** The kind that a file's name means, or that of the folder it is in. */
export function kindOfPath(path: string): Kind | undefined {
  const parts = path.split(/[/\\]/);
  const file = (parts.pop() ?? '').replace(/\.(?:json|ya?ml)$/i, '');
  return kindOfResource(file) ?? kindOfResource(parts.pop() ?? '');
}

/** The kind of the items of a typed list ("PersistentVolumeList"); undefined for a plain List and for other kinds. */
export function itemKindOf(listKind: string): string | undefined {
  return listKind.endsWith('List') && listKind !== 'List' ? listKind.slice(0, -'List'.length) : undefined;
}

/** Groups that serve a kind beside the one it is known by. */
const otherGroups: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  Event: ['events.k8s.io'],
  Deployment: ['extensions'],
  DaemonSet: ['extensions'],
  ReplicaSet: ['extensions'],
};

/** Whether the kind is Kubernetes' own in that API version: other groups have a Node or a Job as well. */
export function isServedBy(kind: Kind, apiVersion: string | undefined): boolean {
  if (apiVersion === undefined) return true;
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  return group === kinds[kind].group || (otherGroups[kind]?.includes(group) ?? false);
}

import type { KubernetesObject } from '../../api/objects.ts';
import { isNamespaced, type Kind } from '../../snapshot/kinds.ts';
import type { Key, LoadIssue } from '../../snapshot/snapshot.ts';
import { ApiStatusError, ConnectionError, isUnauthorized } from './errors.ts';
import { getObject, type Listing, listAgain } from './list-part.ts';
import type { Part, Reading, Scope, Single } from './reading.ts';
import { type Reference, referencesOf } from './references.ts';
import { resourcesOf } from './resource-path.ts';

/** With more missing objects of a kind than this its list is read again instead. */
const mostSingly = 20;

/**
 * The lists of a reading were taken at different moments. What objects name and a complete list lacks is read once more; where
 * both ends are sure to exist, the one that names is, too. What is missing still becomes an issue. Of kinds that may
 * not be listed, objects that are named are tried one by one. Rejects as RestClient does, but never for what is forbidden.
 */
export async function readAgain(listing: Listing, scope: Scope, reading: Reading): Promise<Reading> {
  const lacking = missingIn(reading.parts);
  const targets = await Promise.all(reading.parts.map((part) => updated(listing, part, keysInto(part, lacking))));
  const torn = tornIn(targets);
  const parts = await Promise.all(targets.map((part) => updated(listing, part, keysFrom(part, torn))));
  return {
    ...reading,
    parts,
    single: await readSingly(listing, scope, { ...reading, parts }),
    issues: [...reading.issues, ...issuesOf(reading.server, tornIn(parts))],
  };
}

interface Missing {
  readonly from: { readonly part: Part; readonly key: Key };
  readonly to: Reference;
}

function missingIn(parts: readonly Part[]): readonly Missing[] {
  const known = new Set(
    parts.flatMap(({ resource: { kind }, objects }) => [...objects.keys()].map((key) => `${kind} ${key}`)),
  );
  return parts.flatMap((part) =>
    [...part.objects].flatMap(([key, object]) =>
      referencesOf(part.resource.kind, object)
        .filter((to) => !known.has(`${to.kind} ${to.key}`))
        .map((to) => ({ from: { part, key }, to })),
    ),
  );
}

/** Whether the object would be in this list. */
function covers({ resource, namespace }: Part, { kind, key }: Reference): boolean {
  return resource.kind === kind && (namespace === undefined || key.startsWith(`${namespace}/`));
}

/** What a complete list lacks although it has to be there. */
function tornIn(parts: readonly Part[]): readonly Missing[] {
  return missingIn(parts).filter(({ to }) => to.isSettled && parts.some((part) => covers(part, to)));
}

function keysInto(part: Part, missing: readonly Missing[]): readonly Key[] {
  return [...new Set(missing.filter(({ to }) => covers(part, to)).map(({ to }) => to.key))];
}

function keysFrom(part: Part, missing: readonly Missing[]): readonly Key[] {
  return [...new Set(missing.filter(({ from }) => from.part === part).map(({ from }) => from.key))];
}

/** The part with some of its objects read again: those that have come, those that have changed, without those that are gone. */
async function updated(listing: Listing, part: Part, keys: readonly Key[]): Promise<Part> {
  if (keys.length === 0) return part;
  return tolerant(part, async () => {
    if (keys.length > mostSingly) return listAgain(listing, part);
    const found = await Promise.all(keys.map((key) => getObject(listing, part.resource, key)));
    const objects = new Map<Key, KubernetesObject>(part.objects);
    for (const [i, key] of keys.entries()) {
      const object = found[i]?.object;
      if (object === undefined) objects.delete(key);
      else objects.set(key, object);
    }
    return { ...part, objects };
  });
}

/** Who may list may not always get, and what was read well is not given up for this: the list then stays as it was. */
async function tolerant<T>(otherwise: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isUnauthorized(error) || !(error instanceof ApiStatusError || error instanceof ConnectionError)) throw error;
    return otherwise;
  }
}

async function readSingly(listing: Listing, scope: Scope, { parts, coverage }: Reading): Promise<readonly Single[]> {
  // A kind without a permission that would settle it was not refused but failed.
  const hidden = coverage.filter(
    ({ kind, coverage }) => !isNamespaced(kind) && coverage.is === 'notCollected' && coverage.settledBy !== undefined,
  );
  const missing = missingIn(parts);
  const found = await Promise.all(
    hidden.flatMap(({ kind }) => {
      const named = missing.filter(({ to }) => to.kind === kind).map(({ to }) => to.key);
      const names = new Set(kind === 'Namespace' && scope !== 'all' ? scope : named);
      return [...names].slice(0, mostSingly).map((name) => readNamed(listing, kind, name));
    }),
  );
  return found.flat();
}

/** A right may hold for one name and not for the next. */
async function readNamed(listing: Listing, kind: Kind, name: string): Promise<readonly Single[]> {
  return tolerant<readonly Single[]>([], async () => {
    const found = await getObject(listing, resourcesOf(kind)[0]!, name);
    return found === undefined ? [] : [{ kind, ...found }];
  });
}

/** One for each object that is missing, however many name it. */
function issuesOf(server: string, missing: readonly Missing[]): readonly LoadIssue[] {
  const byTarget = new Map<string, readonly Missing[]>();
  for (const one of missing) {
    const target = `${one.to.kind} ${one.to.key}`;
    byTarget.set(target, [...(byTarget.get(target) ?? []), one]);
  }
  return [...byTarget].map(([target, all]) => {
    const { part, key } = all[0]!.from;
    const others = all.length === 1 ? 'names it' : `and ${all.length - 1} more name it`;
    const reason = `${target} is not there, also when read again, but ${part.resource.kind} ${key} ${others}`;
    return { severity: 'warning', file: server + part.path, reason };
  });
}

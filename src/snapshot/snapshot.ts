import type { KubernetesObject } from '../api/objects.ts';
import type { Kind, KindOf } from './kinds.ts';

/** "namespace/name", or "name" for kinds without namespaces. */
export type Key = string;

/** Where an object came from: a place that a person can open. */
export interface Provenance {
  /** The file as the user named it, "-" for standard input, or the server's address. */
  readonly file: string;
  /** Number of the document in the file, from 1. */
  readonly document: number;
  /** Line of the object's first line in the file, from 1. */
  readonly line: number;
}

/**
 * What the input says about a kind (in one namespace, for kinds that have namespaces). "unstated": no object of the kind and
 * nothing that tells whether anybody looked; answers that depend on it are `assumed`. "notCollected": known to be missing;
 * answers that depend on it are unknown.
 */
export type Coverage =
  | { readonly is: 'present' }
  | { readonly is: 'empty' }
  | { readonly is: 'unstated' }
  | { readonly is: 'notCollected'; readonly because: string; readonly settledBy?: string };

/** Something in the input that could not be used as it was. */
export interface LoadIssue {
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly document?: number;
  readonly line?: number;
  readonly reason: string;
}

/** A cluster at one moment. Immutable; all lists are sorted by key. */
export interface Snapshot {
  /** The objects of a kind, sorted by key. */
  list<K extends Kind>(kind: K): readonly KindOf[K][];
  get<K extends Kind>(kind: K, key: Key): KindOf[K] | undefined;
  /** Coverage of a kind; with a namespace, of the kind there. */
  coverage(kind: Kind, namespace?: string): Coverage;
  provenance(object: KubernetesObject): Provenance | undefined;
  readonly issues: readonly LoadIssue[];
  /** The sources as the user named them. */
  readonly sources: readonly string[];
  /** The cluster's release as the input tells it ("v1.31.4"), if it does. */
  readonly kubernetesVersion?: string;
  /** RFC 3339; when the input was taken, as far as it tells. */
  readonly capturedAt?: string;
}

export function keyOf(object: KubernetesObject): Key {
  const { namespace, name } = object.metadata;
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

import type { KubernetesObject } from '../api/objects.ts';
import type { Kind } from './kinds.ts';
import type { SnapshotRecord } from './record.ts';
import type { Coverage, LoadIssue, Provenance } from './snapshot.ts';

/** One object as it was found in a source. */
export interface LoadedObject {
  readonly kind: Kind;
  readonly object: KubernetesObject;
  readonly provenance: Provenance;
  /** Whether it stood there as it was, or a watch told that it changed or went away. */
  readonly told: 'listed' | 'changed' | 'deleted';
}

/**
 * What a source says about a kind beside the objects that it holds. "unknown": it speaks of one namespace or of all of them, and does
 * not say which.
 */
export interface StatedCoverage {
  readonly kind: Kind;
  readonly scope: 'cluster' | 'unknown' | { readonly namespace: string };
  readonly coverage: Coverage;
}

/** What one source (a file, a folder, standard input, a cluster) gave. */
export interface LoadedSource {
  readonly name: string;
  /** In the order in which they were found. */
  readonly objects: readonly LoadedObject[];
  readonly coverage: readonly StatedCoverage[];
  /** RFC 3339; the newest time in the source, that of fields which were not kept included. */
  readonly newestTimestamp?: string;
  /** What a snapshot that this program wrote tells about itself. Exact for that source, so it counts only where there is no other. */
  readonly record?: SnapshotRecord;
}

/** Everything that was read, before it is put together. */
export interface Loaded {
  /** In the order in which the user named them. */
  readonly sources: readonly LoadedSource[];
  readonly issues: readonly LoadIssue[];
}

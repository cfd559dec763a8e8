import type { KubernetesObject } from '../api/objects.ts';
import type { Kind } from '../snapshot/kinds.ts';
import type { Provenance } from '../snapshot/snapshot.ts';

/** The way to a field from the root of an object: `['spec', 'accessModes', 0]`. */
export type FieldPath = readonly (string | number)[];

/** Kinds that are created from manifests; ReplicationControllers make pods like ReplicaSets, but no snapshot keeps them. */
export type ManifestKind = Kind | 'ReplicationController';

/** One object that somebody means to create. */
export interface Manifest {
  readonly kind: ManifestKind;
  /** The fields that count, of the right types, in the namespace where the object would be. */
  readonly object: KubernetesObject;
  /** As kubectl would send it to the API server. */
  readonly raw: unknown;
  readonly at: Provenance;
  /** The template of a chart or the base of a kustomization that it was rendered from, as the rendering tool names it. */
  readonly renderedFrom?: string;
  /** The text of its document. */
  readonly text: string;
  /** The line on which the text begins, from 1. */
  readonly textLine: number;
  /** Where in the document the object stands: `[]`, or `['items', 3]` in a list. */
  readonly root: FieldPath;
}

/** The value at a path of a parsed document; undefined if the path leads nowhere. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[step];
  }
  return at;
}

/** "PersistentVolumeClaim media/films" */
export function nameOfManifest({ kind, object: { metadata } }: Pick<Manifest, 'kind' | 'object'>): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

/** A path as the API server and kubectl spell it: `spec.volumeClaimTemplates[0].spec`. */
export function textOfPath(path: FieldPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[\w-]+$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

/** The reverse of textOfPath, for paths as the API server prints them: keys of maps stand in brackets without quotes. */
export function pathOfText(text: string): FieldPath {
  const steps: (string | number)[] = [];
  for (const [, name, bracket] of text.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    if (name !== undefined) steps.push(name);
    else if (/^\d+$/.test(bracket ?? '')) steps.push(Number(bracket));
    else steps.push((bracket ?? '').replace(/^"(.*)"$/, '$1'));
  }
  return steps;
}

import { isKind, type Kind } from '../../snapshot/kinds.ts';
import { displayTextRefusal } from './display-text.ts';
import type { ExpansionBudget } from './expansion-budget.ts';
import { isServedBy, itemKindOf, kindOfResource } from './kind-names.ts';
import { PlainScalar } from './plain-scalar.ts';

export type Mapping = Readonly<Record<string, unknown>>;

/** What a parsed value turns out to hold. */
export type Content =
  | {
      readonly is: 'object';
      readonly kind: Kind;
      readonly value: Mapping;
      /** How it was told: as it stood, or by a watch event. */
      readonly told: 'listed' | 'changed' | 'deleted';
      readonly apiVersion?: string;
    }
  /** A list of that kind that holds nothing. */
  | { readonly is: 'empty'; readonly kind: Kind }
  /** A list was read, whatever it holds; what stands around its items, if anything. */
  | { readonly is: 'list'; readonly head?: Mapping }
  | { readonly is: 'problem'; readonly severity: 'error' | 'warning'; readonly reason: string; readonly value: unknown }
  | { readonly is: 'refusal'; readonly reason: string }
  /** An object of a kind that is of no use here. */
  | { readonly is: 'unwanted'; readonly kind: string };

/** What is known about a value from around it. */
export interface Surroundings {
  readonly budget: ExpansionBudget;
  /** The kind of objects that do not say theirs. */
  readonly itemKind?: string | undefined;
  readonly apiVersion?: string | undefined;
}

/** How deep lists are looked for in lists. */
const listDepth = 4;

/** What a document holds: an object, a list of any form, a watch event, or lists under the names of their resources. */
export function contentOf(value: unknown, around: Surroundings, depth = 0): readonly Content[] {
  around.budget.spend();
  if (Array.isArray(value)) return [{ is: 'list' }, ...itemsOf(value, around, depth)];
  if (value === null || value === undefined) return [];
  if (!isMapping(value)) return [problem('error', 'not a Kubernetes object', value)];
  const kind = textOf(value.kind);
  if (Array.isArray(value.items)) return contentOfList(value, value.items, kind, around, depth);
  if (kind !== undefined) return contentOfKind(value, kind, around);
  // An event inside an event is none: an alias could refer to what is around it.
  if (isMapping(value.object) && typeof value.type === 'string' && depth < listDepth) {
    return contentOfWatchEvent(value.type, value.object, around);
  }
  const keyed = keyedLists(value);
  if (keyed.length > 0) {
    return keyed.flatMap(([itemKind, items]) => contentOf(items, { budget: around.budget, itemKind }, depth));
  }
  if (around.itemKind !== undefined && isMapping(value.metadata)) return contentOfKind(value, around.itemKind, around);
  return [problem('error', 'not a Kubernetes object: it has no kind', value)];
}

/** What an item of a list holds. */
export function contentOfItem(value: unknown, around: Surroundings, depth = 0): readonly Content[] {
  if (isMapping(value)) return contentOf(value, around, depth + 1);
  around.budget.spend();
  return [problem('error', 'an item of the list is not an object', value)];
}

/** What is known about items from the list around them; the kind comes from elsewhere if the list has none of its own. */
export function surroundingsOf(list: Mapping, fallback: Surroundings): Surroundings {
  const kind = textOf(list.kind);
  const itemKind = kind === undefined ? undefined : itemKindOf(kind);
  const { budget } = fallback;
  if (itemKind === undefined) return { budget, itemKind: fallback.itemKind };
  return { budget, itemKind, apiVersion: textOf(list.apiVersion) ?? fallback.apiVersion };
}

/** What a list says beside its items. */
export function contentOfListHead(list: Mapping, isEmpty: boolean): readonly Content[] {
  const found: Content[] = [{ is: 'list', head: list }];
  const kind = textOf(list.kind);
  if (kind === 'PartialObjectMetadataList') {
    found.push({ is: 'refusal', reason: 'this list holds names only: run the command again with -o yaml' });
  }
  const itemKind = kind === undefined ? undefined : itemKindOf(kind);
  if (isEmpty && itemKind !== undefined && isKind(itemKind) && isServedBy(itemKind, textOf(list.apiVersion))) {
    found.push({ is: 'empty', kind: itemKind });
  }
  const next = isMapping(list.metadata) ? list.metadata.continue : undefined;
  if (typeof next === 'string' && next !== '') {
    found.push(problem('warning', 'this list is one page of several: the rest of it is missing', list));
  }
  return found;
}

function contentOfList(
  list: Mapping,
  items: readonly unknown[],
  kind: string | undefined,
  around: Surroundings,
  depth: number,
): readonly Content[] {
  if (depth > listDepth) return [problem('error', 'lists are nested too deeply', list)];
  if (kind !== undefined && !kind.endsWith('List')) {
    return [
      problem('warning', `a ${shown(kind)} with items is read as a list`, list),
      ...itemsOf(items, { budget: around.budget, itemKind: around.itemKind }, depth),
    ];
  }
  return [...contentOfListHead(list, items.length === 0), ...itemsOf(items, surroundingsOf(list, around), depth)];
}

function itemsOf(items: readonly unknown[], around: Surroundings, depth: number): readonly Content[] {
  return items.flatMap((item) => contentOfItem(item, around, depth));
}

function contentOfKind(value: Mapping, kind: string, around: Surroundings): readonly Content[] {
  const apiVersion = textOf(value.apiVersion) ?? around.apiVersion;
  if (isKind(kind)) {
    return isServedBy(kind, apiVersion)
      ? [{ is: 'object', kind, value, told: 'listed', ...(apiVersion !== undefined && { apiVersion }) }]
      : [{ is: 'unwanted', kind }];
  }
  // `items: null` is how Go prints an empty list; without the key the list says nothing.
  if (kind.endsWith('List') && (value.items ?? null) === null) return contentOfListHead(value, value.items === null);
  if (kind === 'Table') return [{ is: 'refusal', reason: displayTextRefusal }];
  if (kind === 'Status' && value.status === 'Failure') {
    const message = textOf(value.message) ?? textOf(value.reason) ?? 'no reason given';
    return [problem('error', `an answer of the API server that says: ${shown(message)}`, value)];
  }
  return [{ is: 'unwanted', kind }];
}

/** `kubectl get --watch --output-watch-events`: the last state of an object counts. */
function contentOfWatchEvent(type: string, object: Mapping, around: Surroundings): readonly Content[] {
  if (type === 'BOOKMARK') return [{ is: 'list' }];
  return contentOf(object, around, listDepth).map((content) =>
    content.is === 'object' ? { ...content, told: type === 'DELETED' ? 'deleted' : 'changed' } : content,
  );
}

/** `{"pvs": [...], "storageClasses": [...]}`. */
function keyedLists(value: Mapping): readonly (readonly [Kind, readonly unknown[]])[] {
  return Object.keys(value).flatMap((key) => {
    const kind = kindOfResource(key);
    const items = value[key];
    return kind !== undefined && Array.isArray(items) ? [[kind, items as readonly unknown[]] as const] : [];
  });
}

export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof PlainScalar);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function problem(severity: 'error' | 'warning', reason: string, value: unknown): Content {
  return { is: 'problem', severity, reason, value };
}

/** A text of the input within one line of a message. */
export function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

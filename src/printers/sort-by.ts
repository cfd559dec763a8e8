import { compareQuantities, parseQuantity, type Quantity, QuantityError } from '../api/quantity.ts';
import { FormatError } from './format-error.ts';
import { goTypeName } from './go-values.ts';
import { fieldValues, parseFieldPath } from './jsonpath/field-path.ts';
import type { Template } from './jsonpath/template.ts';

/**
 * Items in the order that `--sort-by` asks for: those without the field first, then those where it is null, numbers by value,
 * strings by the alphabet, and by amount where two are quantities. What is equal keeps its order. Throws FormatError in kubectl's
 * words if no item has the field, or if its values cannot be put in order.
 *
 * kubernetes/kubectl pkg/cmd/get/sorter.go (SortObjects, isLess); specification ecosystem 7.4.
 */
export function sortBy<T>(items: readonly T[], field: string): T[] {
  const path = parseFieldPath(field);
  const sortable = items.map((item) => ({ item, key: keyOf(item, path) }));
  if (items.length > 1 && sortable.every(({ key }) => key.is === 'missing')) {
    throw new FormatError(`couldn't find any field with path ${JSON.stringify(path.source)} in the list of objects`);
  }
  return sortable.sort((left, right) => compareKeys(left.key, right.key, path)).map(({ item }) => item);
}

type Key =
  | { readonly is: 'missing' }
  | { readonly is: 'null' }
  | { readonly is: 'number'; readonly value: number }
  | { readonly is: 'text'; readonly value: string; readonly quantity: Quantity | undefined }
  | { readonly is: 'unsortable'; readonly value: unknown };

function keyOf(item: unknown, path: Template): Key {
  const values = fieldValues(item, path);
  if (values.length === 0) return { is: 'missing' };
  const value = values[0];
  if (value === null) return { is: 'null' };
  if (typeof value === 'number') return { is: 'number', value };
  if (typeof value === 'string') return { is: 'text', value, quantity: quantityOf(value) };
  return { is: 'unsortable', value };
}

function quantityOf(text: string): Quantity | undefined {
  try {
    return parseQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}

function compareKeys(left: Key, right: Key, path: Template): number {
  if (rank[left.is] !== rank[right.is]) return rank[left.is] - rank[right.is];
  if (left.is === 'number' && right.is === 'number') return left.value - right.value;
  if (left.is === 'text' && right.is === 'text') return compareTexts(left, right);
  if (left.is === right.is && left.is !== 'unsortable') return 0;
  const types = new Set([left, right].map((key) => ('value' in key ? goTypeName(key.value) : key.is)));
  throw new FormatError(`field ${path.source} is an unsortable type: ${[...types].sort().join(' and ')}`);
}

function compareTexts(left: Key & { is: 'text' }, right: Key & { is: 'text' }): number {
  if (left.quantity !== undefined && right.quantity !== undefined) {
    return compareQuantities(left.quantity, right.quantity);
  }
  return left.value < right.value ? -1 : left.value > right.value ? 1 : 0;
}

const rank: Readonly<Record<Key['is'], number>> = { missing: 0, null: 1, number: 2, text: 2, unsortable: 2 };

import type { LabelSelectorRequirement, NodeSelector } from '../api/objects.ts';
import { canonicalQuantity, humanBytes, parseQuantity, quantityOfBytes, subtractQuantities } from '../api/quantity.ts';

// How values are spelt in sentences.

/** A size as it is written, with the binary spelling beside a decimal one: "500G (465.7Gi)". */
export function size(text: string): string {
  const binary = humanBytes(parseQuantity(text));
  return isDecimal(text) && binary !== text ? `${text} (${binary})` : text;
}

/** Written in powers of ten, or in none. */
export const isDecimal = (text: string): boolean => !/i$/.test(text);

/** How much smaller one size is than another: "34.3Gi". */
export function shortage(capacity: string, request: string): string {
  return humanBytes(subtractQuantities(parseQuantity(request), parseQuantity(capacity)));
}

/** "10G" for "10Gi": the same number, the other kind of unit. */
export function differsInUnitOnly(capacity: string, request: string): boolean {
  const [a, b] = [capacity, request].map((text) => /^(\d+(?:\.\d+)?)([kKMGTPE])(i?)$/.exec(text));
  return !!a && !!b && a[1] === b[1] && a[2]?.toUpperCase() === b[2]?.toUpperCase() && a[3] !== b[3];
}

export const canonical = (text: string): string => canonicalQuantity(parseQuantity(text));

export const quote = (text: string): string => JSON.stringify(text);

/** A class in prose: its name in quotes, or what its absence is called. */
export const className = (name: string): string => (name === '' ? 'no class' : `class ${quote(name)}`);

/** "a", "a and b", "a, b and c"; past `most`, "a, b and 5 more". */
export function list(items: readonly string[], most = 4): string {
  const shown = items.length > most ? [...items.slice(0, most - 1), `${items.length - most + 1} more`] : items;
  if (shown.length <= 1) return shown[0] ?? '';
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** "1 volume", "2 volumes" */
export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** A requirement of a label selector as kubectl prints it: "tier=gold", "zone in (a,b)". */
export function requirementText({ key, operator, values = [] }: LabelSelectorRequirement): string {
  switch (operator) {
    case 'In':
      return values.length === 1 ? `${key}=${values[0] || '""'}` : `${key} in (${values.join(',')})`;
    case 'NotIn':
      return values.length === 1 ? `${key}!=${values[0] || '""'}` : `${key} notin (${values.join(',')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return `${key} ${operator} (${values.join(',')})`;
  }
}

/** What a volume wants of a node: terms are alternatives, the requirements of one hold together. */
export function affinityText(required: NodeSelector | undefined): string {
  const terms = required?.nodeSelectorTerms ?? [];
  return terms.map(({ matchExpressions = [] }) => matchExpressions.map(requirementText).join(' and ')).join(' or ');
}

/** The known name nearest to a name, if it can be a slip of the pen: at most two edits, or the one within the other. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const other of known) {
    if (other === name) continue;
    const distance = slip(name.toLowerCase(), other.toLowerCase());
    if (distance !== undefined && (best === undefined || distance < best.distance)) best = { name: other, distance };
  }
  return best?.name;
}

/** How far a name is from another, or undefined if it is no slip. */
function slip(name: string, other: string): number | undefined {
  const distance = editDistance(name, other, 2);
  if (distance <= 2 && distance < Math.min(name.length, other.length)) return distance;
  const [short, long] = name.length < other.length ? [name, other] : [other, name];
  return short.length >= 3 && (long.startsWith(`${short}-`) || long.endsWith(`-${short}`)) ? 3 : undefined;
}

/** The number of insertions, deletions, replacements and swaps of neighbours that lead from one text to the other; `most + 1` if more than `most`. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let distance = Math.min(replaced, (last[j] as number) + 1, (row[j - 1] as number) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, (beforeLast[j - 2] as number) + 1);
      }
      row.push(distance);
    }
    if (Math.min(...row) > most) return most + 1;
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}

/** An amount of a node's resource: CPU comes in thousandths, memory and storage in bytes. */
export function humanAmount(resource: string, amount: bigint): string {
  if (resource === 'cpu') return `${Number(amount) / 1000}`;
  if (resource === 'memory' || resource.endsWith('storage')) return humanBytes(quantityOfBytes(amount));
  return String(amount);
}

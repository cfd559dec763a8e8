/**
 * Whether a comparison holds, or why it cannot be made.
 *
 * kubernetes/client-go third_party/forked/golang/template/funcs.go. Go tells integers and other numbers apart and refuses to
 * compare them; a document here has only numbers, and they are compared as such.
 */
export function compare(left: unknown, operator: string, right: unknown): boolean | string {
  const decide = operators[operator];
  if (decide === undefined) return `unrecognized filter operator ${operator}`;
  const isEquality = operator === '==' || operator === '!=';
  if (!isBasic(left) || !isBasic(right)) return 'invalid type for comparison';
  if (typeof left !== typeof right) return 'incompatible types for comparison';
  if (typeof left === 'boolean' && !isEquality) return 'invalid type for comparison';
  return decide(left, right);
}

type Basic = string | number | boolean;

function isBasic(value: unknown): value is Basic {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

const operators: Readonly<Record<string, (left: Basic, right: Basic) => boolean>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

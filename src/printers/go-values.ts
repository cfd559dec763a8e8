/**
 * How Go's fmt package shows the values of a JSON document, which is what kubectl's templates and columns print: no quotes,
 * `map[a:1 b:2]`, `[x y]`, `<nil>`.
 */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return goNumber(value);
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (isMap(value)) {
    const entries = sortedKeys(value).map((key) => `${key}:${goText(value[key])}`);
    return `map[${entries.join(' ')}]`;
  }
  return String(value);
}

/** A number as Go prints it: whole ones in full, others in Go's shortest form with an exponent from a million on. */
export function goNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? String(value) : goFloat(value);
}

/** A number as Go's strconv prints a float64 in its shortest form: exponents below -4 and from 6 on, in two digits. */
export function goFloat(value: number): string {
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** The Go type that kubectl holds a value in, as its messages name it. */
export function goTypeName(value: unknown): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** Whether a value is a JSON object. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The keys of an object that have a value, in Go's order. */
export function sortedKeys(map: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(map)
    .filter((key) => map[key] !== undefined)
    .sort();
}

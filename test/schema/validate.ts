/** A JSON schema of draft 2020-12, as far as ours use it. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | true;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly minimum?: number;
}

const keywords = new Set([
  ...['$schema', '$id', '$ref', '$defs', 'title', 'description', 'format'],
  ...['const', 'enum', 'type', 'required', 'properties', 'additionalProperties', 'items', 'pattern', 'minimum'],
]);

/**
 * What is wrong with a value, with its place. Stricter than a schema for readers is: a property that it does not name is an
 * error, unless it says that there are others. Throws for a keyword that is not known here.
 */
export function problemsOf(value: unknown, schema: Schema, root: Schema = schema, at = ''): readonly string[] {
  for (const keyword of Object.keys(schema)) {
    if (!keywords.has(keyword)) throw new Error(`the schema uses ${keyword}`);
  }
  const problems: string[] = [];
  const tell = (text: string) => void problems.push(`${at || 'the document'} ${text}`);
  if (schema.$ref !== undefined) {
    const target = root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    if (target === undefined) throw new Error(`${schema.$ref} is not there`);
    problems.push(...problemsOf(value, target, root, at));
  }
  if (schema.const !== undefined && value !== schema.const) tell(`is not ${JSON.stringify(schema.const)}`);
  if (schema.enum !== undefined && !schema.enum.includes(value)) tell(`is ${JSON.stringify(value)}`);
  if (schema.type !== undefined && ![schema.type].flat().some((type) => isOf(type, value))) {
    tell(`is ${JSON.stringify(value)}, not of type ${[schema.type].flat().join(' or ')}`);
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(String(value)))
    tell(`is not like ${schema.pattern}`);
  if (schema.minimum !== undefined && !(Number(value) >= schema.minimum)) tell(`is less than ${schema.minimum}`);
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined) problems.push(...value.flatMap((item, i) => problemsOf(item, items, root, `${at}[${i}]`)));
    return problems;
  }
  if (typeof value !== 'object' || value === null || schema.properties === undefined) return problems;
  for (const name of schema.required ?? []) if (!Object.hasOwn(value, name)) tell(`lacks ${name}`);
  for (const [name, inner] of Object.entries(value)) {
    const known = schema.properties[name] ?? schema.additionalProperties;
    if (known === undefined) tell(`has ${name}, which the schema does not know`);
    else if (known !== true) problems.push(...problemsOf(inner, known, root, `${at}.${name}`));
  }
  return problems;
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isSafeInteger(value);
    default:
      return typeof value === type;
  }
}

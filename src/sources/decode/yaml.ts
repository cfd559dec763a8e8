import { depthLimit, ParseError } from './parse-error.ts';
import { isPlainScalar, PlainScalar } from './plain-scalar.ts';

/** Reads YAML documents with js-yaml. */
export interface YamlReader {
  /** The value of the one document in the text; undefined for none. Throws ParseError. */
  parse(text: string): unknown;
  /** The same, and on which line of the text (from 0) each object of the first levels begins. */
  parseWithLines(text: string): { readonly value: unknown; readonly lineOf: ReadonlyMap<object, number> };
}

/** How deep the lines of objects are remembered: an item of a list of lists. */
const deepestLine = 6;

let reader: Promise<YamlReader> | undefined;

/** The reader; js-yaml is loaded with the first YAML that is met. */
export function yamlReader(): Promise<YamlReader> {
  reader ??= createReader();
  return reader;
}

async function createReader(): Promise<YamlReader> {
  const { default: yaml } = await import('js-yaml');
  const scalar = {
    kind: 'scalar' as const,
    resolve: (text: unknown) => typeof text === 'string' && isTyped(text),
    construct,
  };
  // The core schema, but that numbers keep their text; merge keys because kubectl knows them. Time stamps stay text. One type
  // resolves all that is unquoted and not text: js-yaml asks each type about each scalar.
  const schema = yaml.FAILSAFE_SCHEMA.extend({
    implicit: [
      new yaml.Type('tag:yaml.org,2002:int', scalar),
      new yaml.Type('tag:yaml.org,2002:merge', { kind: 'scalar', resolve: (text: unknown) => text === '<<' }),
    ],
    explicit: ['null', 'bool', 'float'].map((name) => new yaml.Type(`tag:yaml.org,2002:${name}`, scalar)),
  });
  const options = { schema, maxDepth: depthLimit };
  return {
    parse: (text) => told(() => yaml.load(text, options)),
    parseWithLines: (text) => {
      const lineOf = new Map<object, number>();
      const opened: number[] = [];
      const listener = (event: string, { depth, line, result }: { depth: number; line: number; result: unknown }) => {
        if (depth > deepestLine) return;
        if (event === 'open') opened[depth] = line;
        else if (typeof result === 'object' && result !== null && !lineOf.has(result)) {
          lineOf.set(result, opened[depth] ?? 0);
        }
      };
      const value = told(() => yaml.load(text, { ...options, listener: listener as never }));
      return { value, lineOf };
    },
  };

  function told<T>(parse: () => T): T {
    try {
      return parse();
    } catch (error) {
      if (error instanceof yaml.YAMLException) throw new ParseError(error.reason, error.mark?.line ?? 0);
      throw error;
    }
  }
}

/** Words of YAML 1.2 that are no text. */
const words: ReadonlyMap<string, boolean | null> = new Map([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);
const longestWord = 5;

/** Whether an unquoted scalar is anything but text. */
function isTyped(text: string): boolean {
  return isPlainScalar(text) || (text.length <= longestWord && words.has(text));
}

function construct(text: string): boolean | null | PlainScalar {
  const word = words.get(text);
  return word === undefined ? new PlainScalar(text) : word;
}

import { isMapping } from './decode/classify.ts';
import { ParseError } from './decode/parse-error.ts';
import { PlainScalar } from './decode/plain-scalar.ts';
import { yamlReader } from './decode/yaml.ts';
import { InputError } from './input-error.ts';

/**
 * The value of a YAML document that is not Kubernetes': a configuration, a pipeline. Words and numbers without quotes are texts, so that
 * `off` is off and 1.30 is not 1.3. `name`: what the text is called in an error. Throws InputError.
 */
export async function parseYamlDocument(text: string, name: string): Promise<unknown> {
  const yaml = await yamlReader();
  try {
    return plain(yaml.parse(text));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new InputError(`${name}:${error.lines + 1}: ${error.message}`, { cause: error });
  }
}

function plain(value: unknown): unknown {
  if (value instanceof PlainScalar) return value.text;
  if (Array.isArray(value)) return value.map(plain);
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]));
}

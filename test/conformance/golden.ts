import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Request } from './protocol.ts';

/** The recorded requests of a profile with the real controllers' answers (release v1.37.2). */
export function golden(profile: string): readonly { readonly request: Request; readonly expected: object }[] {
  const read = (name: string): readonly string[] => {
    const file = new URL(`golden/${profile}.${name}.ndjson.gz`, import.meta.url);
    return gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean);
  };
  const answers = read('v1.37.2');
  return read('requests').map((line, i) => ({ request: JSON.parse(line), expected: JSON.parse(answers[i] as string) }));
}

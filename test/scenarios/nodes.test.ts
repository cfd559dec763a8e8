import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { answer } from '../conformance/answer.ts';
import { normal } from '../conformance/oracle/normal.mjs';
import type { RawObject } from '../conformance/protocol.ts';
import { scenarios } from './scenario.ts';

/** The objects of a dump as they stand in it. */
function objectsIn(file: string): readonly RawObject[] {
  const documents = loadAll(readFileSync(file, 'utf8')) as (RawObject & { items?: readonly RawObject[] })[];
  return documents.filter(Boolean).flatMap((document) => document.items ?? [document]);
}

const podsOf = (pods: readonly object[] = []) => (normal({ pods }) as { pods?: readonly object[] }).pods ?? [];

describe('every pod finds on every node what the real scheduler finds there', () => {
  it.each(scenarios().map((scenario) => [scenario.name, scenario] as const))('%s', (_name, { input }) => {
    const truth = JSON.parse(readFileSync(join(input, '..', 'truth.json'), 'utf8'));
    const ours = JSON.parse(JSON.stringify(answer({ mode: 'cluster', objects: objectsIn(input) }, '1.37.2')));
    expect(podsOf(ours.cluster.pods)).toEqual(podsOf(truth.pods));
  });
});

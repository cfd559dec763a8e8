import { readFileSync } from 'node:fs';
import { CORE_SCHEMA, load } from 'js-yaml';
import { expect, it } from 'vitest';
import { allKinds, kinds } from '../../src/snapshot/kinds.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

it('the example ClusterRole grants the kinds that are read, to read, and nothing else', () => {
  const text = readFileSync(new URL('../../examples/rbac.yaml', import.meta.url), 'utf8');
  const { rules } = load(text, { schema: CORE_SCHEMA }) as { readonly rules: readonly Rule[] };
  const granted = rules.flatMap(({ apiGroups, resources }) =>
    apiGroups.flatMap((group) => resources.map((resource) => `${group}/${resource}`)),
  );
  expect(granted.sort()).toEqual(allKinds.map((kind) => `${kinds[kind].group}/${kinds[kind].resource}`).sort());
  for (const { verbs } of rules) expect(verbs).toEqual(['get', 'list', 'watch']);
});

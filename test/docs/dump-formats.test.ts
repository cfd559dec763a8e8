import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { allKinds, kinds } from '../../src/snapshot/kinds.ts';
import { captureCommand } from '../../src/sources/decode/display-text.ts';
import { loadFiles } from '../../src/sources/files.ts';

// docs/dump-formats.md claims what can be read: each of its examples is.
const page = readFileSync(new URL('../../docs/dump-formats.md', import.meta.url), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'pvc-explain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const examples = [...page.matchAll(/([^\n]+)\n\n```(yaml|json)\n([\s\S]*?)```/g)].map(
  ([, name = '', ending, text = '']) => ({
    name: name.replace(/:$/, ''),
    ending,
    text,
  }),
);
const refusals = [...page.matchAll(/```text\n([\s\S]*?)```\n\n> (.*)/g)].map(([, text = '', message = '']) => ({
  text,
  message,
}));

const load = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return loadFiles([path]);
};

describe('what the page on formats shows', () => {
  it('are examples enough', () => {
    expect(examples.length).toBeGreaterThan(6);
    expect(refusals.length).toBeGreaterThan(2);
  });

  it.each(examples)('can be read: $name', async ({ ending, text }) => {
    const { sources, issues } = await load(`dump.${ending}`, text);
    expect(issues).toEqual([]);
    const claims = sources[0]?.objects.filter(({ kind }) => kind === 'PersistentVolumeClaim') ?? [];
    expect(new Set(claims.map(({ object }) => object.metadata.name))).toEqual(new Set(['films']));
  });

  it.each(refusals)('is refused in these words: $message', async ({ text, message }) => {
    await expect(load('dump.yaml', text)).rejects.toThrow(message);
  });

  it('takes the dump that the program itself asks for', () => {
    expect(page).toContain(captureCommand);
  });

  it('names every kind that is kept, in its group', () => {
    const rows = [...page.matchAll(/^\| ([a-z.0-9]+) \| ([A-Z]\w+(?:, \w+)*) \|$/gm)];
    const named = rows.flatMap(([, group, list = '']) =>
      list.split(', ').map((kind) => `${group === 'core' ? '' : group} ${kind}`),
    );
    expect(named.sort()).toEqual(allKinds.map((kind) => `${kinds[kind].group} ${kind}`).sort());
  });
});

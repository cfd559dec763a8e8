import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { execute } from '../../src/cli/main.ts';
import { ruleList } from '../../src/report/rule-report.ts';
import { shownIn, withOutputs, wordsOf } from './console.ts';

const root = new URL('../../', import.meta.url).pathname;
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((path) =>
  path.endsWith('.md'),
);
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

/** What the program prints on a terminal's two streams, and its exit code. */
async function printed(args: readonly string[]): Promise<{ readonly output: string; readonly code: number }> {
  let output = '';
  const screen = new Writable({
    write(chunk, _encoding, done) {
      output += chunk;
      done();
    },
  });
  const code = await execute(args, { stdin: Readable.from([]), stdout: screen, stderr: screen });
  return { output, code };
}

beforeEach(() => {
  vi.stubEnv('NO_COLOR', '1');
  // The commands name files as a reader does who stands in the repository.
  expect(join(process.cwd(), '/')).toBe(root);
  return () => vi.unstubAllEnvs();
});

describe.each(pages)('%s', (page) => {
  // UPDATE_GOLDEN=1 npm test rewrites the outputs.
  it('shows what the commands print', async () => {
    const shown = shownIn(textOf(page));
    const outputs: string[] = [];
    let last = 0;
    for (const { line, command } of shown) {
      if (command === 'echo $?') outputs.push(`${last}\n`);
      else {
        const words = wordsOf(command);
        expect(words.slice(0, 2), `${page}:${line}: a console block shows this program; use sh for others`).toEqual([
          'kubectl',
          'pvc-explain',
        ]);
        const { output, code } = await printed(words.slice(2));
        outputs.push(output);
        last = code;
      }
    }
    if (process.env.UPDATE_GOLDEN !== undefined) writeFileSync(join(root, page), withOutputs(textOf(page), outputs));
    for (const [i, { line, command, output }] of shownIn(textOf(page)).entries()) {
      expect(output, `${page}:${line}: ${command}`).toBe(outputs[i]);
    }
  });

  it('links to what is there', () => {
    const targets = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] as string);
    const missing = targets
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? page : relative(root, join(root, dirname(page), path));
        if (!existsSync(join(root, file))) return true;
        return anchor !== undefined && !anchorsOf(textOf(file)).includes(anchor);
      });
    expect(missing).toEqual([]);
  });
});

const anchorsOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^#+ (.*)$/gm)].map((match) =>
    (match[1] as string)
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the pages', () => {
  it('show commands', () => {
    expect(pages.flatMap((page) => shownIn(textOf(page))).length).toBeGreaterThan(5);
  });

  it('are not stale where they are made from the program', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/docs.mjs'), '--check'], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('name no code that is not in the catalogue', () => {
    const codes = new Set<string>(ruleList().items.map(({ metadata }) => metadata.name));
    const named = pages.flatMap((page) =>
      [...textOf(page).matchAll(/\brules ([A-Z]\w+)/g)].map((match) => match[1] as string),
    );
    expect(named.filter((code) => code !== 'CODE' && !codes.has(code))).toEqual([]);
  });
});

describe('a console block', () => {
  const page =
    'Text\n```console\n$ kubectl pvc-explain a\none\ntwo\n$ kubectl pvc-explain b\n```\n```sh\n$ other\n```\n';

  it('is cut into commands and outputs', () => {
    expect(shownIn(page)).toEqual([
      { line: 3, command: 'kubectl pvc-explain a', output: 'one\ntwo\n' },
      { line: 6, command: 'kubectl pvc-explain b', output: '' },
    ]);
  });

  it('is rewritten with other outputs', () => {
    expect(withOutputs(page, ['three\n', 'four\n'])).toBe(
      'Text\n```console\n$ kubectl pvc-explain a\nthree\n$ kubectl pvc-explain b\nfour\n```\n```sh\n$ other\n```\n',
    );
    expect(
      withOutputs(
        page,
        shownIn(page).map(({ output }) => output),
      ),
    ).toBe(page);
  });

  it('is read as a shell reads it', () => {
    expect(wordsOf(`kubectl pvc-explain -o jsonpath='{.items[*].summary}{"\\n"}' "a b"`)).toEqual([
      'kubectl',
      'pvc-explain',
      '-o',
      'jsonpath={.items[*].summary}{"\\n"}',
      'a b',
    ]);
    expect(() => wordsOf('kubectl pvc-explain | head')).toThrow('only a shell');
  });
});

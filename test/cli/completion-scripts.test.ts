import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { shells } from '../../src/cli/complete/shells.ts';
import { run } from './run.ts';

// The program as it is installed: dist is built by `npm test` before.
const root = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'pvc-explain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
for (const name of ['kubectl-pvc_explain', 'kubectl_complete-pvc_explain'])
  symlinkSync(join(root, 'bin', name), join(folder, name));
mkdirSync(join(folder, 'my dumps/folder.d'), { recursive: true });
for (const name of ['one.yaml', 'two.json', 'notes.txt']) writeFileSync(join(folder, 'my dumps', name), '');
writeFileSync(
  join(folder, 'config'),
  'apiVersion: v1\nkind: Config\ncontexts:\n  - {name: "arn:aws:eks:attic", context: {}}\n  - {name: "arn:aws:eks:cellar", context: {}}\n',
);
symlinkSync(join(root, 'examples'), join(folder, 'examples'));

const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, KUBECONFIG: join(folder, 'config') };
const has = (command: string) => spawnSync(command, ['--version'], { env }).status === 0;

it.each(shells)('completions/ holds what `completion %s` prints; npm run docs writes it', async (shell) => {
  const { code, stdout } = await run(['completion', shell]);
  expect(code).toBe(0);
  expect(readFileSync(join(root, 'completions', `kubectl-pvc_explain.${shell}`), 'utf8')).toBe(stdout);
});

it('completions/ holds nothing else', () => {
  expect(readdirSync(join(root, 'completions')).sort()).toEqual(
    shells.map((shell) => `kubectl-pvc_explain.${shell}`).sort(),
  );
});

/** Lines as they are typed up to the tab, and what the shell is left with. */
const cases = [
  { name: 'commands', line: 'kubectl-pvc_explain rules', offers: ['rules'] },
  { name: 'codes', line: 'kubectl-pvc_explain rules Capacity', offers: ['CapacityTooSmall'] },
  { name: 'formats', line: 'kubectl-pvc_explain rules -o ', offers: ['json', 'yaml'] },
  { name: 'formats behind =', line: 'kubectl-pvc_explain --output=js', offers: ['json', 'jsonpath='] },
  { name: 'claims', line: 'kubectl-pvc_explain -f examples/media-library.yaml film', offers: ['films'] },
  {
    name: 'dumps and folders',
    line: 'kubectl-pvc_explain -f my\\ dumps/',
    offers: ['my dumps/folder.d', 'my dumps/one.yaml', 'my dumps/two.json'],
  },
  { name: 'nothing', line: 'kubectl-pvc_explain -l ', offers: [] },
];

describe.skipIf(!has('bash'))('bash', () => {
  const complete = (line: string): readonly string[] => {
    // As readline cuts the line, at blanks and at what COMP_WORDBREAKS names.
    const script = `
      source "$1"; COMP_LINE=$2; COMP_POINT=\${#2}; COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
      compopt() { :; }
      COMP_WORDS=("\${@:3}"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      __kubectl_pvc_explain_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const words: string[] = line.match(/[=:]|(?:\\.|[^\s=:])+/g) ?? [];
    if (line.endsWith(' ')) words.push('');
    const file = join(root, 'completions/kubectl-pvc_explain.bash');
    const out = execFileSync('bash', ['--norc', '-c', script, 'bash', file, line, ...words], {
      env,
      cwd: folder,
      encoding: 'utf8',
    });
    return out
      .split('\n')
      .filter((word) => word !== '')
      .sort();
  };

  it.each(cases)('completes $name', ({ line, offers }) => {
    expect(complete(line)).toEqual(offers);
  });

  it('replaces what stands behind the last colon only', () => {
    expect(complete('kubectl-pvc_explain --context arn:aws:eks:')).toEqual(['attic', 'cellar']);
  });

  it('is bound to the program', () => {
    const script = 'source "$1"; complete -p kubectl-pvc_explain';
    const out = execFileSync('bash', ['-c', script, 'bash', join(root, 'completions/kubectl-pvc_explain.bash')], {
      encoding: 'utf8',
    });
    expect(out).toBe('complete -F __kubectl_pvc_explain_complete kubectl-pvc_explain\n');
  });
});

describe.skipIf(!has('fish'))('fish', () => {
  it.each(cases)('completes $name', ({ line, offers }) => {
    const script = `source ${join(root, 'completions/kubectl-pvc_explain.fish')}; complete -C ${JSON.stringify(line)}`;
    const out = execFileSync('fish', ['--no-config', '-c', script], { env, cwd: folder, encoding: 'utf8' });
    const found = out.split('\n').filter((word) => word !== '');
    const plain = found.map((word) =>
      word
        .replace(/\t.*/, '')
        .replace(/^--output=/, '')
        .replace(/\\ /g, ' ')
        .replace(/\/$/, ''),
    );
    // fish offers every file for -f.
    expect(plain.sort()).toEqual(expect.arrayContaining(offers));
    if (!line.includes('dumps')) expect(plain.sort()).toEqual(offers);
  });
});

describe.skipIf(!has('zsh'))('zsh', () => {
  // What zsh's completion system would be told.
  const script = `
    compdef() { : }
    compset() { : }
    _describe() { print -rl -- "\${(@P)2}" }
    _files() { print -r -- "files $*" }
    source $1; words=("\${@[2,-1]}"); CURRENT=$#words; PREFIX=$words[-1]
    _kubectl-pvc_explain`;
  const told = (...words: readonly string[]) => {
    const file = join(root, 'completions/kubectl-pvc_explain.zsh');
    const args = ['-f', '-c', script, 'zsh', file, 'kubectl-pvc_explain', ...words];
    return execFileSync('zsh', args, { env, cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  };

  it.each([
    {
      name: 'a command and what it does',
      words: ['rules'],
      says: 'rules:Print every code: what it means, why it is so, what to do\n',
    },
    { name: 'formats behind =', words: ['--output=js'], says: 'json\njsonpath=\n' },
    {
      name: 'claims with their phase',
      words: ['-f', 'examples/media-library.yaml', 'film'],
      says: 'films:Pending in media\n',
    },
    {
      name: 'colons of a name apart from that of the description',
      words: ['--context', ''],
      says: 'arn\\:aws\\:eks\\:attic\narn\\:aws\\:eks\\:cellar\n',
    },
    { name: 'dumps by their endings', words: ['-f', ''], says: 'files -g *.(json|yaml|yml)\n' },
    { name: 'any file', words: ['--kubeconfig', ''], says: 'files \n' },
    { name: 'nothing for free text', words: ['-l', ''], says: '' },
  ])('is told $name', ({ words, says }) => {
    expect(told(...words)).toBe(says);
  });
});

const kubectl = spawnSync('kubectl', ['version', '--client'], { env }).status === 0;

describe.skipIf(!kubectl)('kubectl', () => {
  const complete = (...words: readonly string[]) =>
    execFileSync('kubectl', ['__complete', 'pvc-explain', ...words], {
      env,
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });

  it('finds the plugin’s completion', () => {
    expect(complete('')).toMatch(/^rules\tPrint every code.*\n(?:.*\n)*:4\n$/m);
  });

  it('passes claims and their phase through', () => {
    expect(complete('-f', 'examples/media-library.yaml', 'film')).toBe('films\tPending in media\n:4\n');
  });

  it('passes the directive through', () => {
    expect(complete('-f', '')).toBe('json\nyaml\nyml\n:8\n');
    expect(complete('-o', 'custom')).toBe('custom-columns=\n:6\n');
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { testedReleases } from '../../src/api/features.ts';
import { printAnswer } from '../../src/cli/complete/answer.ts';
import { complete, directives } from '../../src/cli/complete/candidates.ts';
import { namesInDumps } from '../../src/cli/complete/names.ts';
import { createProgram } from '../../src/cli/program.ts';
import { ruleList } from '../../src/report/rule-report.ts';
import { run } from './run.ts';

const library = new URL('../../examples/media-library.yaml', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'pvc-explain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const kubeconfig = file(
  'config',
  `
apiVersion: v1
kind: Config
clusters:
  - {name: attic, cluster: {server: 'https://attic.example'}}
users:
  - {name: librarian, user: {}}
contexts:
  - {name: home, context: {cluster: attic, user: librarian, namespace: shelves}}
  - {name: away, context: {cluster: attic, user: librarian}}
`,
);
const surroundings = (KUBECONFIG: string) => ({
  env: { KUBECONFIG },
  platform: process.platform,
  stdinIsTerminal: false,
  serviceAccount: '/nonexistent',
});

const program = createProgram({ stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() });
const answerOf = (words: readonly string[], config = kubeconfig) => complete(words, program, surroundings(config));
const textsOf = async (words: readonly string[]) => (await answerOf(words)).candidates.map(({ text }) => text);

const commandNames = program
  .createHelp()
  .visibleCommands(program)
  .map((command) => command.name());
const { noFiles, noSpace, filesByEnding, filesToo } = directives;
const ofCodes = ruleList().items.map(({ metadata }) => metadata.name);

describe('what is offered', () => {
  it.each([
    { name: 'commands first', words: [''], texts: commandNames, directive: noFiles },
    { name: 'a command by its beginning', words: ['rules'], texts: ['rules'], directive: noFiles },
    { name: 'the codes of the catalogue', words: ['rules', ''], texts: ofCodes, directive: noFiles },
    { name: 'a code by its beginning', words: ['rules', 'CapacityT'], texts: ['CapacityTooSmall'], directive: noFiles },
    { name: 'no second code', words: ['rules', 'CapacityTooSmall', ''], texts: [], directive: noFiles },
    { name: 'the shells', words: ['completion', ''], texts: ['bash', 'zsh', 'fish'], directive: noFiles },
    { name: 'a flag by its beginning', words: ['--output'], texts: ['--output'], directive: noFiles },
    {
      name: 'flags of the command only',
      words: ['rules', '--'],
      texts: ['--color', '--help', '--output'],
      directive: noFiles,
    },
    {
      name: 'short flags after one dash',
      words: ['rules', '-'],
      texts: ['--color', '--help', '--output', '-h', '-o'],
      directive: noFiles,
    },
    { name: 'a flag once', words: ['-o', 'json', '--outp'], texts: [], directive: noFiles },
    { name: 'a repeatable flag again', words: ['-f', 'a.yaml', '--from'], texts: ['--from'], directive: noFiles },
    { name: 'no flag behind --', words: ['--', '--al'], texts: [], directive: noFiles },
    { name: 'the formats of the command', words: ['rules', '-o', ''], texts: ['json', 'yaml'], directive: noFiles },
    { name: 'formats behind =', words: ['--output=y'], texts: ['yaml'], directive: noFiles },
    {
      name: 'no blank where a template follows',
      words: ['-o', 'custom'],
      texts: ['custom-columns='],
      directive: noFiles | noSpace,
    },
    { name: 'nothing inside a template', words: ['-o', 'jsonpath={.items'], texts: [], directive: noFiles },
    { name: 'the choices of a flag', words: ['--color', ''], texts: ['auto', 'always', 'never'], directive: noFiles },
    {
      name: 'the releases that were tested',
      words: ['--kubernetes-version', ''],
      texts: testedReleases,
      directive: noFiles,
    },
    { name: 'dumps by their endings', words: ['-f', ''], texts: ['json', 'yaml', 'yml'], directive: filesByEnding },
    {
      name: 'dumps behind short flags together',
      words: ['-Rf', ''],
      texts: ['json', 'yaml', 'yml'],
      directive: filesByEnding,
    },
    { name: 'any file for a path', words: ['--kubeconfig', ''], texts: [], directive: filesToo },
    { name: 'nothing for free text', words: ['-l', ''], texts: [], directive: noFiles },
    { name: 'contexts of the kubeconfig', words: ['--context', ''], texts: ['home', 'away'], directive: noFiles },
    { name: 'clusters of the kubeconfig', words: ['--cluster', ''], texts: ['attic'], directive: noFiles },
    { name: 'users of the kubeconfig', words: ['--user', 'lib'], texts: ['librarian'], directive: noFiles },
    {
      name: 'namespaces of dump and contexts',
      words: ['-f', library, '-n', ''],
      texts: ['media', 'shelves'],
      directive: noFiles,
    },
    { name: 'claims of the dump', words: ['-f', library, 'film'], texts: ['films'], directive: noFiles },
    {
      name: 'claims though the flag comes with its value',
      words: [`-f${library}`, 'film'],
      texts: ['films'],
      directive: noFiles,
    },
    { name: 'a second claim', words: ['films', '--from', library, 'serie'], texts: ['series'], directive: noFiles },
    {
      name: 'claims with their namespace',
      words: ['-f', library, 'media/'],
      texts: ['media/films', 'media/series'],
      directive: noFiles,
    },
    { name: 'claims as kubectl names them', words: ['-f', library, 'pvc/f'], texts: ['pvc/films'], directive: noFiles },
    {
      name: 'no claims of other namespaces',
      words: ['-f', library, '-n', 'shop', 'film'],
      texts: [],
      directive: noFiles,
    },
    {
      name: 'no claims of a dump that is not there',
      words: ['-f', 'nowhere.yaml', 'film'],
      texts: [],
      directive: noFiles,
    },
    { name: 'nothing from standard input', words: ['-f', '-', 'film'], texts: [], directive: noFiles },
  ])('$name', async ({ words, texts, directive }) => {
    const answer = await answerOf(words);
    expect({ texts: answer.candidates.map(({ text }) => text), directive: answer.directive }).toEqual({
      texts,
      directive,
    });
  });

  it('a claim comes with its phase', async () => {
    expect((await answerOf(['-f', library, 'film'])).candidates).toEqual([
      { text: 'films', description: 'Pending in media' },
    ]);
    expect((await answerOf(['-f', library, '-n', 'media', 'film'])).candidates).toEqual([
      { text: 'films', description: 'Pending' },
    ]);
  });

  it('claims of one name in two namespaces are one candidate', async () => {
    const claim = (namespace: string) =>
      `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: cache, namespace: ${namespace}}\nspec: {}\nstatus: {phase: Lost}\n`;
    const dump = file('twice.yaml', `${claim('media')}---\n${claim('shop')}`);
    expect((await answerOf(['-f', dump, 'cach'])).candidates).toEqual([
      { text: 'cache', description: 'Lost in media; Lost in shop' },
    ]);
  });

  it('a kubeconfig that cannot be read offers nothing', async () => {
    expect((await answerOf(['--context', ''], file('broken', 'contexts: {'))).candidates).toEqual([]);
  });

  it('a dump is given up after a second', async () => {
    let time = 0;
    const slow = await namesInDumps([library], false, () => (time += 2000));
    expect(slow).toEqual({ claims: [], namespaces: [] });
  });

  it('a name with a line break in it is not offered', async () => {
    const odd = file('odd.yaml', 'apiVersion: v1\nkind: Config\ncontexts:\n  - {name: "a\\nb", context: {}}\n');
    expect((await answerOf(['--context', ''], odd)).candidates).toEqual([]);
  });
});

describe('nothing goes stale', () => {
  const commands = [program, ...program.commands];

  it.each(commands.map((command) => [command.name(), command] as const))(
    'every flag of %s is offered',
    async (_name, command) => {
      const path = command === program ? [] : [command.name()];
      const flags = command
        .createHelp()
        .visibleOptions(command)
        .flatMap(({ long }) => long ?? []);
      expect(await textsOf([...path, '--'])).toEqual([...flags].sort());
    },
  );

  const withFormats = commands.filter((command) => command.options.some(({ flags }) => flags.includes('<FORMAT>')));
  it.each(withFormats.map((command) => [command.name(), command] as const))(
    '%s knows every format that is offered',
    async (_name, command) => {
      const path = command === program ? [] : [command.name()];
      const formats = await textsOf([...path, '-o', '']);
      expect(formats).toContain('json');
      for (const format of formats) {
        const { stderr } = await run([...path, '-f', 'nowhere.yaml', '-o', format]);
        expect(stderr).not.toContain('unable to match a printer');
      }
    },
  );

  it('what others add is completed by its choices and its placeholder', async () => {
    const tree = new Command('tool');
    tree
      .command('paint')
      .description('Paint it')
      .option('-c, --colour <COLOUR>')
      .argument('<FILE>')
      .option('--into <FOLDER>');
    const of = async (words: readonly string[]) => (await complete(words, tree, surroundings(kubeconfig))).directive;
    expect(await of(['paint', ''])).toBe(filesByEnding);
    expect(await of(['paint', '-c', ''])).toBe(noFiles);
    expect(await of(['paint', '--into', ''])).toBe(directives.folders);
    tree.option('--log <FORMAT=FILE>', 'Write a log, too');
    expect(await complete(['--log', ''], tree, surroundings(kubeconfig))).toEqual({
      candidates: [],
      directive: noFiles,
    });
  });
});

describe('the protocol', () => {
  it('is a candidate a line, a tab before the description, the directive last', () => {
    const candidates = [{ text: 'films', description: 'Pending\nnow' }, { text: 'series' }];
    expect([...printAnswer({ candidates, directive: 4 })].join('')).toBe('films\tPending\\nnow\nseries\n:4\n');
  });

  it('takes the words as they are, flags and empty ones too', async () => {
    expect(await run(['__complete', 'rules', '--help', '-o', 'j'])).toEqual({
      code: 0,
      stdout: 'json\n:4\n',
      stderr: '',
    });
    expect((await run(['__complete'])).stdout).toContain('rules\t');
  });

  it('is not in the help', async () => {
    expect((await run(['--help'])).stdout).not.toContain('__complete');
  });
});

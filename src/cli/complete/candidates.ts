import type { Argument, Command, Option } from 'commander';
import { testedReleases } from '../../api/features.ts';
import { escapeTerminal } from '../../printers/escape-terminal.ts';
import type { Surroundings } from '../../sources/live/surroundings.ts';
import { type Line, readLine } from './line.ts';

/**
 * What a shell is to do with an answer: a bit map.
 * spf13/cobra completions.go, ShellCompDirective; specification ecosystem 2.1.
 */
export const directives = {
  /** Offer files if there is no candidate. */
  filesToo: 0,
  noSpace: 2,
  noFiles: 4,
  /** The candidates are endings of files. */
  filesByEnding: 8,
  folders: 16,
  keepOrder: 32,
} as const;

export interface Candidate {
  readonly text: string;
  readonly description?: string;
}

export interface Answer {
  readonly candidates: readonly Candidate[];
  readonly directive: number;
}

/** What can stand where the last of the words is. The words are those behind the program's name. */
export async function complete(
  words: readonly string[],
  program: Command,
  surroundings: Surroundings,
): Promise<Answer> {
  const line = readLine(words, program);
  const answer = await answerTo(line, surroundings);
  if (answer.directive & directives.filesByEnding) return answer;
  // Names come from files: a line break in one would make another candidate of it.
  const candidates = answer.candidates.filter(
    ({ text }) => text.startsWith(line.typed) && escapeTerminal(text) === text,
  );
  // After "jsonpath=" the template follows at once.
  const isOpen = candidates.length > 0 && candidates.every(({ text }) => text.endsWith('='));
  return { candidates, directive: isOpen ? answer.directive | directives.noSpace : answer.directive };
}

async function answerTo(line: Line, surroundings: Surroundings): Promise<Answer> {
  const { asks, command } = line;
  switch (asks.is) {
    case 'flag':
      return names(flags(line));
    case 'value':
      return valuesOf(asks.option, line, surroundings);
    case 'argument': {
      const commands = asks.orCommand ? visibleCommands(command) : [];
      if (asks.argument === undefined) return names(commands);
      const { candidates, directive } = await wordsFor(asks.argument, line);
      return { candidates: [...commands, ...candidates], directive };
    }
    default:
      return asks satisfies never;
  }
}

const names = (candidates: readonly Candidate[]): Answer => ({ candidates, directive: directives.noFiles });

const nothing: Answer = names([]);
const files: Answer = { candidates: [], directive: directives.filesToo };
const folders: Answer = { candidates: [], directive: directives.folders };
const manifests: Answer = {
  candidates: ['json', 'yaml', 'yml'].map((text) => ({ text })),
  directive: directives.filesByEnding,
};

function visibleCommands(command: Command): readonly Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((one) => described(one.name(), one.description()));
}

/** Those that are not there yet, or may be there again. */
function flags({ command, typed, given }: Line): readonly Candidate[] {
  const offered = command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long, description }) => !given.has(long ?? '') || description.includes('repeatable'));
  // A dash alone: every flag once by its long name, and the short ones.
  const named = offered.flatMap(({ long, short, description }) =>
    [long, typed.startsWith('--') ? undefined : short].flatMap((name) =>
      name === undefined ? [] : [described(name, description)],
    ),
  );
  return named.sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** By the choices of the option, then its name, then what its placeholder says that it is. */
async function valuesOf(option: Option, line: Line, surroundings: Surroundings): Promise<Answer> {
  if (option.argChoices !== undefined) return names(option.argChoices.map((text) => ({ text })));
  const kubeconfig = async () => {
    const { namesInKubeconfig } = await import('./names.ts');
    return namesInKubeconfig(line.given.get('--kubeconfig')?.at(-1), surroundings);
  };
  switch (option.long) {
    case '--from':
    case '--filename':
      return manifests;
    case '--namespace': {
      const [{ namespaces }, { contexts }] = await Promise.all([dumpsOf(line), kubeconfig()]);
      const known = [...contexts.values()].flatMap(({ namespace }) => namespace ?? []);
      return names([...new Set([...namespaces, ...known])].sort().map((text) => ({ text })));
    }
    case '--context':
      return names([...(await kubeconfig()).contexts].map(([name, { cluster = '' }]) => described(name, cluster)));
    case '--cluster':
      return names([...(await kubeconfig()).clusters.keys()].map((text) => ({ text })));
    case '--user':
      return names([...(await kubeconfig()).users.keys()].map((text) => ({ text })));
  }
  switch (placeholderOf(option)) {
    case 'FORMAT':
      return names(formatsIn(option.description));
    case 'RELEASE':
      return names(testedReleases.map((text) => ({ text })));
    case 'PATH':
    case 'FILE':
    case 'FILENAME':
      return files;
    case 'FOLDER':
    case 'DIRECTORY':
      return folders;
    default:
      return nothing;
  }
}

const placeholderOf = ({ flags }: Option): string => /[<[]([^\]>]+)/.exec(flags)?.[1] ?? '';

/** The formats as the help names them: "Output format: wide, json, jsonpath=..."; a test holds them against the command. */
function formatsIn(description: string): readonly Candidate[] {
  const [, list = ''] = /: (.*)/.exec(description) ?? [];
  return list
    .split(/,| or /)
    .map((word) => word.trim().replace(/=\.\.\.$/, '='))
    .filter((word) => /^[a-z-]+=?$/.test(word))
    .map((text) => ({ text }));
}

async function wordsFor(argument: Argument, line: Line): Promise<Answer> {
  if (argument.argChoices !== undefined) return names(argument.argChoices.map((text) => ({ text })));
  switch (argument.name()) {
    case 'CLAIM':
      return names(await claims(line));
    case 'CODE': {
      const { ruleList } = await import('../../report/rule-report.ts');
      return names(ruleList().items.map(({ metadata, example }) => described(metadata.name, example.short)));
    }
    case 'PATH':
    case 'FILE':
    case 'FILENAME':
      return manifests;
    default:
      return nothing;
  }
}

/** The claims of the dumps on the line as their names are being typed: NAME, NAMESPACE/NAME, pvc/NAME. */
async function claims(line: Line): Promise<readonly Candidate[]> {
  const [, prefix = '', typed = ''] = /^((?:pvc|persistentvolumeclaims?)\/)?(.*)$/.exec(line.typed) ?? [];
  const wanted = line.given.get('--namespace')?.at(-1);
  const found = new Map<string, Candidate>();
  for (const { metadata, status } of (await dumpsOf(line)).claims) {
    const { name, namespace = '' } = metadata;
    if (wanted !== undefined && namespace !== wanted && !line.given.has('--all-namespaces')) continue;
    const text = `${prefix}${typed.includes('/') ? `${namespace}/${name}` : name}`;
    const where = wanted === undefined && !typed.includes('/') ? ` in ${namespace}` : '';
    const description = `${status?.phase ?? 'no phase'}${where}`;
    const other = found.get(text);
    found.set(text, described(text, other === undefined ? description : `${other.description}; ${description}`));
  }
  return [...found.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
}

async function dumpsOf({ given }: Line) {
  const paths = given.get('--from') ?? [];
  if (paths.length === 0) return { claims: [], namespaces: [] };
  const { namesInDumps } = await import('./names.ts');
  return namesInDumps(paths, given.has('--recursive'));
}

const described = (text: string, description: string): Candidate =>
  description === '' ? { text } : { text, description };

import type { Argument, Command, Option } from 'commander';

/** A command line up to the word that is to be completed, read against the command tree. */
export interface Line {
  readonly command: Command;
  /** What stands where the cursor is; nothing if the command takes no more words. */
  readonly asks:
    | { readonly is: 'value'; readonly option: Option }
    /** A word that begins with a dash. */
    | { readonly is: 'flag' }
    | { readonly is: 'argument'; readonly argument: Argument | undefined; readonly orCommand: boolean };
  /** What is typed of it; of `--flag=value`, the value. */
  readonly typed: string;
  /** The values of the options that were given, by long name; of flags without a value, "". */
  readonly given: ReadonlyMap<string, readonly string[]>;
}

/** Reads the words behind the program's name; the last one, maybe empty, is to be completed. */
export function readLine(words: readonly string[], program: Command): Line {
  const typed = words.at(-1) ?? '';
  const given = new Map<string, string[]>();
  const give = ({ long, short }: Option, value: string) => {
    const name = long ?? short ?? '';
    given.set(name, [...(given.get(name) ?? []), value]);
  };
  let command = program;
  let positionals = 0;
  let awaits: Option | undefined;
  let isAfterDashes = false;
  for (const word of words.slice(0, -1)) {
    if (awaits !== undefined) {
      give(awaits, word);
      awaits = undefined;
    } else if (isAfterDashes || !isFlag(word)) {
      const named = positionals === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (named === undefined) positionals++;
      else command = named;
    } else if (word === '--') isAfterDashes = true;
    else {
      for (const { option, value } of flagsIn(word, command)) {
        if (takesValue(option) && value === undefined) awaits = option;
        else give(option, value ?? '');
      }
    }
  }
  if (awaits !== undefined) return { command, asks: { is: 'value', option: awaits }, typed, given };
  if (!isAfterDashes && typed.startsWith('-')) {
    const equals = typed.indexOf('=');
    const option = equals < 0 ? undefined : optionsOf(command).find(isNamed(typed.slice(0, equals)));
    if (option === undefined || !takesValue(option)) return { command, asks: { is: 'flag' }, typed, given };
    return { command, asks: { is: 'value', option }, typed: typed.slice(equals + 1), given };
  }
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[positionals] ?? (last?.variadic ? last : undefined);
  return { command, asks: { is: 'argument', argument, orCommand: positionals === 0 && !isAfterDashes }, typed, given };
}

const isFlag = (word: string): boolean => word.startsWith('-') && word !== '-';

/** A flag of a command, or of those above it, which count there as well. */
function optionsOf(command: Command): readonly Option[] {
  return [...command.options, ...(command.parent === null ? [] : optionsOf(command.parent))];
}

const isNamed =
  (name: string) =>
  ({ long, short }: Option): boolean =>
    name === long || name === short;

export const takesValue = ({ required, optional }: Option): boolean => required || optional;

interface Flag {
  readonly option: Option;
  /** Undefined if none is attached. */
  readonly value: string | undefined;
}

/** The flags of one word: `--flag`, `--flag=value`, or short ones together, the last maybe with its value: `-Rf`, `-ojson`. */
function flagsIn(word: string, command: Command): readonly Flag[] {
  const options = optionsOf(command);
  if (word.startsWith('--')) {
    const equals = word.indexOf('=');
    const option = options.find(isNamed(equals < 0 ? word : word.slice(0, equals)));
    return option === undefined ? [] : [{ option, value: equals < 0 ? undefined : word.slice(equals + 1) }];
  }
  const found: Flag[] = [];
  for (let i = 1; i < word.length; i++) {
    const option = options.find(isNamed(`-${word[i]}`));
    if (option === undefined) break;
    const rest = word.slice(i + 1).replace(/^=/, '');
    const hasValue = takesValue(option);
    found.push({ option, value: hasValue && rest !== '' ? rest : undefined });
    if (hasValue) break;
  }
  return found;
}

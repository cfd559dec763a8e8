import { Command, Option } from 'commander';
import { connectionFlags } from '../sources/live/flags.ts';
import type { Streams } from './streams.ts';
import { version } from './version.ts';

/** The command tree. What a command does is loaded when it is called. */
export class Program extends Command {
  exitCode = 0;
}

/** "kubectl pvc-explain", or the file's own name if it was started by that. */
export const programName = 'kubectl pvc-explain';

export function createProgram(streams: Streams): Program {
  const program = new Program(programName);
  program
    .description(
      'Explains why a PersistentVolumeClaim is Pending: which volume it will get, or why none fits, and what would help.',
    )
    .usage('[CLAIM...] [flags]\n       kubectl pvc-explain COMMAND')
    .version(version(), '--version', 'Print the version and the Kubernetes releases that were tested')
    .configureOutput({
      writeOut: (text) => void streams.stdout.write(text),
      writeErr: (text) => void streams.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'error: ')),
    })
    // kubectl names values in capitals, without brackets.
    .configureHelp({ optionTerm: ({ flags }) => flags.replace(/[<>]/g, '') })
    .helpOption('-h, --help', 'Show help')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .exitOverride()
    .addHelpText('after', examples)
    .argument('[CLAIM...]', 'Claims: NAME, NAMESPACE/NAME or pvc/NAME; all if none is named');
  withReportFlags(withInputFlags(program));
  program.action(async (claims: string[], options) => {
    const { explain } = await import('./commands/explain.ts');
    program.exitCode = await explain(claims, options, streams);
  });

  withInputFlags(program.command('simulate'))
    .description('Show the run itself: every sync of the controllers, what it decided, wrote and said')
    .option('--trace', 'Show every sync and branch, also those that change nothing')
    .option('-o, --output <FORMAT>', 'Output format: json, yaml, jsonpath=...')
    .action(async (_own, command: Command) => {
      const { simulate } = await import('./commands/simulate.ts');
      program.exitCode = await simulate(command.optsWithGlobals(), streams);
    });

  const rules = program
    .command('rules')
    .description('Print every code: what it means, why it is so, what to do')
    .argument('[CODE]', 'One code')
    .option('-o, --output <FORMAT>', 'Output format: json, yaml')
    .addOption(colorOption())
    .action(async (code: string | undefined, _own, command: Command) => {
      const { rules } = await import('./commands/rules.ts');
      program.exitCode = await rules(code, command.optsWithGlobals(), streams);
    });
  rules.copyInheritedSettings(program);
  return program;
}

function withInputFlags(command: Command): Command {
  return withConnectionFlags(command)
    .option(
      '-f, --from <PATH>',
      'Read the cluster from a file, a folder or - instead of live (repeatable)',
      collect,
      [],
    )
    .option('-R, --recursive', 'Descend into folders')
    .option('--strict', 'Fail if a part of the input cannot be used')
    .option('-n, --namespace <NAME>', 'Namespace of the claims')
    .option('-A, --all-namespaces', 'Claims of all namespaces')
    .option('--with <FILE>', 'What if these objects were there, too (repeatable)', collectIfAny)
    .option('--without <OBJECT>', 'What if KIND/[NAMESPACE/]NAME were not there (repeatable)', collectIfAny)
    .option('--set <CHANGE>', 'What if KIND/[NAMESPACE/]NAME:path=value (repeatable)', collectIfAny)
    .option('--kubernetes-version <RELEASE>', 'Kubernetes release to simulate, such as 1.31')
    .addOption(colorOption());
}

/** kubectl's own flags for where the cluster is and who asks it. */
function withConnectionFlags(command: Command): Command {
  for (const { flag, description, repeatable } of connectionFlags) {
    const option = new Option(flag.replace(/ (\S+)$/, ' <$1>'), description).helpGroup('Connection:');
    command.addOption(
      repeatable ? option.argParser((value, before: readonly string[] = []) => collect(value, before)) : option,
    );
  }
  return command;
}

function withReportFlags(command: Command): Command {
  return command
    .option('-l, --selector <SELECTOR>', 'Only claims with these labels')
    .option('--all', 'List claims that are well, too')
    .option('-o, --output <FORMAT>', 'Output format: wide, json, yaml, name, jsonpath=..., custom-columns=...')
    .option('--no-headers', 'Print no column titles')
    .option('-w, --watch', 'Explain again whenever the cluster changes')
    .option('--until-bound', 'Watch until every named claim is Bound')
    .option('--timeout <DURATION>', 'Give up --until-bound after this time, such as 30s, 5m (exit code 1)');
}

const colorOption = (): Option =>
  new Option('--color <WHEN>', 'Use colour: auto, always, never').choices(['auto', 'always', 'never']).default('auto');

const collectIfAny = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const examples = `
Examples:
  # Every claim of the context's namespace that is not well
  kubectl pvc-explain

  # Every claim of a dump that is not well
  kubectl pvc-explain -f cluster.yaml

  # One claim in detail
  kubectl pvc-explain films -n media -f cluster.yaml

  # What a code means
  kubectl pvc-explain rules CapacityTooSmall
`;

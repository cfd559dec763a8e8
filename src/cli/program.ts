import { Argument, Command, Option } from 'commander';
import { connectionFlags } from '../sources/live/flags.ts';
import { shells } from './complete/shells.ts';
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
    .configureHelp({
      optionTerm: ({ flags }) => flags.replace(/[<>]/g, ''),
      optionDescription: ({ description }) => description,
    })
    .helpOption('-h, --help', 'Show help')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    // Behind a command its own flags count: -f is not the same for each.
    .enablePositionalOptions()
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
      program.exitCode = await simulate(optionsOf(command), streams);
    });

  withInputFlags(program.command('snapshot'))
    .description(
      'Write what is read of the cluster into one file for -f, redacted: to analyse elsewhere, or to show to somebody',
    )
    .requiredOption('--to <FILE>', 'The file: .yaml or .json, .gz behind compresses, - is standard output')
    .action(async (_own, command: Command) => {
      const { snapshot } = await import('./commands/snapshot.ts');
      program.exitCode = await snapshot(optionsOf(command), streams);
    });

  withCheckFlags(program.command('check'))
    .description('Tell before anything is created whether the claims of manifests will be served; for CI')
    .action(async (files: string[], _own, command: Command) => {
      const { check } = await import('./commands/check.ts');
      program.exitCode = await check(files, optionsOf(command), streams);
    });

  withObjectFlags(withInputFlags(program.command('pv')), 'volumes')
    .description('The other side: who takes a volume, who could, why nobody does, what freeing it would do')
    .argument('[VOLUME...]', 'Volumes: NAME or pv/NAME; a list of all if none is named')
    .action(async (names: string[], _own, command: Command) => {
      const { pv } = await import('./commands/pv.ts');
      program.exitCode = await pv(names, optionsOf(command), streams);
    });

  withObjectFlags(withInputFlags(program.command('pod')), 'pods')
    .description('What the scheduler makes of a waiting pod: where it can go, or why nowhere, node by node')
    .argument('[POD...]', 'Pods: NAME, NAMESPACE/NAME or pod/NAME; all that have no node if none is named')
    .action(async (names: string[], _own, command: Command) => {
      const { pod } = await import('./commands/pod.ts');
      program.exitCode = await pod(names, optionsOf(command), streams);
    });

  const rules = program
    .command('rules')
    .description('Print every code: what it means, why it is so, what to do')
    .argument('[CODE]', 'One code')
    .option('-o, --output <FORMAT>', 'Output format: json, yaml')
    .addOption(colorOption())
    .action(async (code: string | undefined, _own, command: Command) => {
      const { rules } = await import('./commands/rules.ts');
      program.exitCode = await rules(code, optionsOf(command), streams);
    });
  rules.copyInheritedSettings(program);

  program
    .command('completion')
    .description('Print the script that makes a shell complete kubectl-pvc_explain')
    .addArgument(new Argument('<SHELL>', 'The shell').choices(shells))
    .action(async (shell: (typeof shells)[number]) => {
      const { completion } = await import('./commands/completion.ts');
      program.exitCode = await completion(shell, streams);
    });
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

function withCheckFlags(command: Command): Command {
  return withConnectionFlags(command)
    .argument('[FILE...]', 'Manifests, as with -f')
    .option('-f, --filename <PATH>', 'Manifests: a file, a folder or - (repeatable)', collect, [])
    .option('-k, --kustomize <FOLDER>', 'Manifests that kubectl kustomize builds of a folder (repeatable)', collect, [])
    .option('-R, --recursive', 'Descend into folders')
    .option('--from <PATH>', 'Read the cluster from a file, a folder or - instead of live (repeatable)', collect, [])
    .option('--offline', 'Ask no cluster: validation, and what the manifests alone prove')
    .option('--strict', 'Fail if a part of the cluster cannot be used')
    .option('-n, --namespace <NAME>', 'Namespace of manifests that name none')
    .option('--with <FILE>', 'What if these objects were there, too (repeatable)', collectIfAny)
    .option('--without <OBJECT>', 'What if KIND/[NAMESPACE/]NAME were not there (repeatable)', collectIfAny)
    .option('--set <CHANGE>', 'What if KIND/[NAMESPACE/]NAME:path=value (repeatable)', collectIfAny)
    .option('--kubernetes-version <RELEASE>', 'Release, such as 1.31, or range, 1.31..1.34 (repeatable)', collect, [])
    .addOption(
      new Option('--fail-on <LEVEL>', 'The least that makes the check fail (default: unknown)').choices([
        'error',
        'warning',
        'unknown',
      ]),
    )
    .option('--config <FILE>', 'Severities and ignores (default: .pvc-explain.yaml of the repository)')
    .option('--baseline <FILE>', 'Accept the findings that are in this file')
    .option('--write-baseline', 'Write the findings into the file of --baseline')
    .option('-o, --output <FORMAT>', 'Output format: text, json, yaml, junit, sarif, github, gitlab, markdown')
    .option('--report <FORMAT=FILE>', 'Write a report into a file, too (repeatable)', collect, [])
    .option('--all', 'Show remarks, and what is accepted or ignored')
    .addOption(colorOption());
}

/** The options of a command; those that stand before its name count, too. */
function optionsOf<T>(command: Command): T {
  const given: Record<string, unknown> = { ...command.opts() };
  for (const [name, value] of Object.entries(command.parent?.opts() ?? {})) {
    const isGiven = (one: Command) => one.getOptionValueSource(name) === 'cli';
    if (!isGiven(command) && command.parent !== null && (isGiven(command.parent) || !(name in given)))
      given[name] = value;
  }
  return given as T;
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

function withObjectFlags(command: Command, kind: string): Command {
  return command
    .option('-l, --selector <SELECTOR>', `Only ${kind} with these labels`)
    .option('-o, --output <FORMAT>', 'Output format: wide, json, yaml, name, jsonpath=..., custom-columns=...')
    .option('--no-headers', 'Print no column titles');
}

const colorOption = (): Option =>
  new Option('--color <WHEN>', 'Use colour: auto (default), always, never')
    .choices(['auto', 'always', 'never'])
    .default('auto');

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

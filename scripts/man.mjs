/** The manual page of a command tree, in roff. `help`: what `--help` prints, `exitCodes`: number and meaning. */
export function manPage(program, help, version, exitCodes) {
  const commands = visibleCommands(program);
  const own = optionsOf(program);
  const isOwn = (option) =>
    own.some(({ flags, description }) => flags === option.flags && description === option.description);
  return [
    `.\\" Written by scripts/docs.mjs from the command tree.`,
    `.TH KUBECTL\\-PVC_EXPLAIN 1 "" "kubectl\\-pvc\\-explain ${version}" "User Commands"`,
    '.SH NAME',
    `kubectl\\-pvc_explain \\- ${roff(firstInLower(program.description()).replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    ...[
      `${program.name()} [CLAIM...] [flags]`,
      ...commands.map((command) => `${program.name()} ${[command.name(), ...argumentsOf(command)].join(' ')} [flags]`),
    ].flatMap((line, i) => [...(i === 0 ? [] : ['.br']), `.B ${roff(line)}`]),
    '.SH DESCRIPTION',
    roff(program.description()),
    ...section(
      'ARGUMENTS',
      program.registeredArguments.flatMap((one) => item(one.name(), one.description)),
    ),
    ...grouped(own).flatMap(([heading, options]) => section(heading, options.flatMap(optionItem))),
    '.SH COMMANDS',
    ...commands.flatMap((command) => {
      const options = optionsOf(command);
      const shared = options.filter(isOwn).map(({ long }) => long);
      return [
        `.SS ${roff([command.name(), ...argumentsOf(command)].join(' '))}`,
        roff(`${command.description()}.`),
        ...options.filter((option) => !isOwn(option)).flatMap(optionItem),
        ...(shared.length === 0 ? [] : ['.PP', roff(`As above: ${shared.join(', ')}.`)]),
      ];
    }),
    ...section(
      'EXIT STATUS',
      exitCodes.flatMap(([code, meaning]) => item(String(code), meaning)),
    ),
    ...section('EXAMPLES', examples(help)),
    '',
  ].join('\n');
}

const visibleCommands = (program) => program.createHelp().visibleCommands(program);

const optionsOf = (command) => command.createHelp().visibleOptions(command);

const argumentsOf = (command) =>
  command.registeredArguments.map((one) => {
    const name = `${one.name()}${one.variadic ? '...' : ''}`;
    return one.required ? name : `[${name}]`;
  });

/** The options by the heading that the help gives them. */
function grouped(options) {
  const groups = new Map();
  for (const option of options) {
    const heading = (option.helpGroupHeading ?? 'Options:').replace(/:$/, '').toUpperCase();
    groups.set(heading, [...(groups.get(heading) ?? []), option]);
  }
  return [...groups];
}

const section = (heading, lines) => (lines.length === 0 ? [] : [`.SH ${roff(heading)}`, ...lines]);

const item = (term, text) => ['.TP', `.B ${roff(term)}`, roff(text)];

const optionItem = ({ flags, description }) => item(flags.replace(/[<>]/g, ''), description);

/** The comment of an example as text, its command as it is typed. */
function examples(help) {
  const at = help.indexOf('\nExamples:\n');
  if (at < 0) return [];
  const lines = help.slice(at).split('\n').slice(2);
  return lines.flatMap((line) => {
    const text = line.trim();
    if (text === '') return [];
    return text.startsWith('# ') ? ['.PP', roff(text.slice(2))] : ['.PP', '.RS 4', '.nf', roff(text), '.fi', '.RE'];
  });
}

const firstInLower = (text) => text.charAt(0).toLowerCase() + text.slice(1);

/** Text that roff prints as it is; a dash that can be copied. */
function roff(text) {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

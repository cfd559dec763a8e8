import type { RuleReport } from '../report/rule-report.ts';
import type { TextOptions } from './explain-text.ts';
import { printTable } from './table.ts';
import { wrap } from './wrap.ts';

/** All codes, one a line. */
export function printRules(rules: readonly RuleReport[], { theme }: TextOptions): Iterable<string> {
  const rows = rules.map(({ metadata, severity, example }) => [metadata.name, severity, example.short]);
  return printTable(['code', 'severity', 'example'], rows, { headers: true, heading: theme.heading });
}

/** One code: the rule behind it, and an example of what is said about a claim. */
export function* printRule(
  { metadata, severity, rule, example, since }: RuleReport,
  { theme, width }: TextOptions,
): Iterable<string> {
  const section = (title: string, text: string) =>
    wrap(text, { width, first: title.padEnd(10), rest: ' '.repeat(10) }).map((line) => `${line}\n`);
  yield `${theme.bold(metadata.name)}  ${severity}, since ${since}\n\n`;
  yield* section('Rule', rule);
  yield '\n';
  yield* section('Example', `${example.what}.`);
  yield* section('  why', example.why);
  if (example.todo !== undefined) yield* section('  fix', example.todo);
}

import type { CheckFinding, CheckReport } from '../report/check-report.ts';
import { summaryLine } from './check-text.ts';
import { escapeTerminal } from './escape-terminal.ts';

/**
 * A check as workflow commands of GitHub Actions, which become annotations of the changed files: errors first, since ten of a kind are
 * shown for a step.
 *
 * GitHub documentation, "Workflow commands for GitHub Actions"; actions/toolkit packages/core/src/command.ts.
 */
export function* printGithub(report: CheckReport): Iterable<string> {
  const shown = report.findings.filter(
    ({ level, accepted, ignored }) => level !== 'info' && accepted === undefined && ignored === undefined,
  );
  const commands = shown.map((one) => [commandOf(one), one] as const);
  for (const kind of ['error', 'warning'] as const) {
    for (const [command, one] of commands) if (command === kind) yield annotation(kind, one);
  }
  yield `${escapeTerminal(summaryLine(report))}\n`;
}

/** What does not make the check fail is no error to whoever looks at the list. */
const commandOf = ({ level, counts }: CheckFinding): 'error' | 'warning' =>
  level === 'error' && counts ? 'error' : 'warning';

function annotation(command: string, { location, message, code, why, todo }: CheckFinding): string {
  const { file, path, line, column, endColumn } = location;
  const place =
    file === '-' ? (path === 'stdin' ? {} : { file: path, line: 1 }) : { file: path, line, col: column, endColumn };
  const properties = Object.entries({ ...place, title: code }).map(
    ([name, value]) => `${name}=${property(String(value))}`,
  );
  const text = [message, ...why, ...(todo === undefined ? [] : [todo])].join('\n');
  return `::${command} ${properties.join(',')}::${data(text)}\n`;
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

import type { CheckFinding, CheckReport } from '../report/check-report.ts';
import { summaryLine, tally } from './check-text.ts';

export interface MarkdownOptions {
  /** How many bytes the text may have at most, if there is a limit: what does not fit is counted. */
  readonly limit?: number;
}

/** A check in Markdown, for the summary of a pipeline or a comment. */
export function* printMarkdown(
  report: CheckReport,
  { limit = Number.POSITIVE_INFINITY }: MarkdownOptions = {},
): Iterable<string> {
  let room = limit - tailRoom;
  const fits = (text: string): boolean => {
    const size = bytesOf(text);
    if (size > room) return false;
    room -= size;
    return true;
  };
  const head = `### Storage claims: ${tally(report.summary).replace(/\.$/, '')}\n\n${cell(summaryLine(report))}\n`;
  fits(head);
  yield head;
  const shown = report.findings.filter(
    ({ level, accepted, ignored }) => level !== 'info' && accepted === undefined && ignored === undefined,
  );
  yield* table(['', 'Where', 'What', 'Why'], shown.map(findingRow), fits);
  const { simulated } = report;
  const claims = report.items.map(({ metadata, from, releases }) => [
    code(`${metadata.namespace}/${metadata.name}`),
    code(from),
    ...releases.map(({ outcome, unjudged }) => (unjudged ? 'not judged' : outcome)),
  ]);
  yield* table(['Claim', 'From', ...simulated.map((release) => `Kubernetes ${release}`)], claims, fits);
  const lines = [
    ...report.changes.map(({ from, to, text }) => `${from} → ${to}: ${text}`),
    ...report.assumptions,
    ...report.notes,
  ];
  if (lines.length > 0) {
    const text = `\n${lines.map((line) => `- ${cell(line)}\n`).join('')}`;
    if (fits(text)) yield text;
  }
}

/** For the lines that tell what was left out. */
const tailRoom = 200;

function* table(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  fits: (text: string) => boolean,
): Iterable<string> {
  if (rows.length === 0) return;
  const head = `\n| ${titles.join(' | ')} |\n|${' --- |'.repeat(titles.length)}\n`;
  if (!fits(head)) return;
  yield head;
  for (const [i, row] of rows.entries()) {
    const line = `| ${row.join(' | ')} |\n`;
    if (!fits(line)) {
      yield `\n${rows.length - i} more are left out.\n`;
      return;
    }
    yield line;
  }
}

function findingRow({ level, location, message, code: id, why, todo, counts }: CheckFinding): string[] {
  // Lines of what was rendered from standard input are not those of its template.
  const place = location.file === '-' ? location.path : `${location.path}:${location.line}`;
  const reasons = [...why, ...(todo === undefined ? [] : [`**${cell(todo)}**`])];
  return [
    counts ? `**${level}**` : level,
    code(place),
    `${cell(message)} ${code(id)}`,
    reasons.map((text) => (text.startsWith('**') ? text : cell(text))).join('<br>'),
  ];
}

/** A text as it is, within a table: nothing in it is markup. */
const cell = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]|~#@]/g, '\\$&');

/** A name as it is; a table splits at a pipe even within code. */
const code = (text: string): string => {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${text.replace(/\s+/g, ' ').replaceAll('|', '\\|')}${fence}`;
};

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

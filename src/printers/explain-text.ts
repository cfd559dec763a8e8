import type { ClaimReport, RemedyReport, VolumeExample, VolumesReport } from '../report/claim-report.ts';
import { modesText } from '../report/claim-report.ts';
import { age } from './age.ts';
import { escapeTerminal } from './escape-terminal.ts';
import { type Cell, printTable } from './table.ts';
import type { Theme } from './theme.ts';
import { wrap } from './wrap.ts';

export interface TextOptions {
  readonly theme: Theme;
  /** Columns. */
  readonly width: number;
  /** The moment from which ages are counted, in milliseconds since 1970. */
  readonly now: number;
}

/** One claim in detail: what becomes of it, why, what was considered, what to do. */
export function* printClaim(report: ClaimReport, options: TextOptions): Iterable<string> {
  const { theme, width } = options;
  const section = function* (title: string, paragraphs: readonly string[]): Iterable<string> {
    for (const [i, text] of paragraphs.entries()) {
      const first = (i === 0 ? title : '').padEnd(7);
      for (const [n, line] of wrap(escapeTerminal(text), { width, first, rest: ' '.repeat(7) }).entries()) {
        yield `${i === 0 && n === 0 ? theme.heading(title) + line.slice(title.length) : line}\n`;
      }
    }
  };

  yield* headline(report, options);
  const { findings } = report;
  const isRemark = ({ severity }: { severity: string }) => severity === 'info';
  const [cause, ...others] = findings;
  // That the pod fits nowhere stands in the headline, and in the table of nodes.
  const isTold = ({ code }: { code: string }) => code === 'PodFitsNowhere';
  const reasons = others.filter((one) => !isRemark(one) && !isTold(one));
  const whys = [...(cause === undefined ? [] : [cause]), ...reasons].slice(0, 4);
  if (whys.length > 0)
    yield* section(
      'Why',
      whys.map(({ why }) => why),
    );
  if (report.claim !== undefined) {
    yield '\n';
    yield* section('Claim', [claimLine(report)]);
  }
  if (report.volumes.length > 0) {
    yield '\n';
    yield* volumeTable(report.volumes, options);
  }
  yield* nodeTables(report, options);
  const remedies = report.remedies ?? [];
  if (remedies.length > 0) yield* remedyList(remedies, options);
  // An edit that helps may leave the cause as it is: then what to do about that is told, too.
  const isAddressed = remedies.some(({ addresses }) => cause !== undefined && addresses.includes(cause.code));
  const open = remedies.length === 0 ? whys : isAddressed ? [] : whys.slice(0, 1);
  const todos = [...new Set(open.map(({ todo }) => todo).filter((text) => text !== undefined))].slice(0, 3);
  if (todos.length > 0) {
    yield '\n';
    yield* section(remedies.length > 0 ? 'Or' : cause?.severity === 'info' ? 'Next' : 'Fix', todos);
  }
  const notes = others.filter((one) => isRemark(one) && !whys.includes(one)).map(({ why }) => why);
  if (notes.length > 0) {
    yield '\n';
    yield* section('Note', notes);
  }
  const sure = certaintyLines(report);
  if (sure.length > 0) {
    yield '\n';
    yield* section('Sure?', sure);
  }
  yield* eventLines(report, options, section);
  if (findings.length > 0) {
    const codes = [...new Set(findings.map(({ code }) => code))];
    yield '\n';
    yield* wrap(`Codes: ${codes.join(' ')}.  More: kubectl pvc-explain rules ${codes[0]}`, {
      width,
      rest: '       ',
    }).map((line) => `${theme.dim(line)}\n`);
  }
}

function* headline(
  { metadata, claim, verdict, summary }: ClaimReport,
  { theme, width, now }: TextOptions,
): Iterable<string> {
  const name = `${metadata.namespace}/${metadata.name}`;
  const phase = claim === undefined ? '' : `  ${claim.phase || '<no phase>'}`;
  const old = metadata.creationTimestamp === undefined ? '' : ` ${age(metadata.creationTimestamp, now)}`;
  const text = escapeTerminal(`${name}${phase}${old}  →  ${verdict.outcome}: ${summary}.`);
  const style = styleOf(verdict.outcome, theme);
  for (const [i, line] of wrap(text.replaceAll('  ', '\u00a0\u00a0'), { width, rest: '       ' }).entries()) {
    yield `${i === 0 ? theme.bold(line).replace(`${verdict.outcome}:`, `${style(verdict.outcome)}:`) : theme.bold(line)}\n`;
  }
}

export function styleOf(outcome: ClaimReport['verdict']['outcome'], theme: Theme): (text: string) => string {
  switch (outcome) {
    case 'Bound':
    case 'WillBind':
    case 'WillBeProvisioned':
      return theme.good;
    case 'MayBind':
    case 'WaitsForConsumer':
      return (text) => text;
    case 'WaitsForProvisioner':
    case 'WaitsForPod':
    case 'Terminating':
    case 'Unknown':
      return theme.warn;
    default:
      return theme.bad;
  }
}

function claimLine({ claim }: ClaimReport): string {
  if (claim === undefined) return '';
  const { name, bindingMode, from, exists } = claim.class;
  const origin = from === 'annotation' ? ', from the beta annotation' : from === 'default' ? ', the default' : '';
  const binding = bindingMode ?? (name !== '' && !exists ? 'no such class' : undefined);
  const parts = [
    claim.request?.quantity ?? 'no size',
    claim.accessModes.join(',') || 'no access modes',
    claim.volumeMode,
    `${name === '' ? (from === 'none' ? 'no class' : 'class ""') : `class ${name}`}${binding === undefined ? '' : ` (${binding}${origin})`}`,
  ];
  if (claim.volumeName !== undefined) parts.push(`volume ${claim.volumeName}`);
  if (claim.selector !== undefined) parts.push(`selector ${claim.selector}`);
  if (claim.volumeAttributesClass !== undefined) parts.push(`attributes class ${claim.volumeAttributesClass}`);
  return parts.join('\u00a0\u00a0');
}

const rowsShown = 8;

/** The volumes as the claim sees them; what stands alike is told once, with names of the nearest. */
export function* volumeTable(volumes: readonly VolumesReport[], { theme }: TextOptions): Iterable<string> {
  const rows: Cell[][] = [];
  let left = 0;
  for (const group of volumes) {
    const open = Math.max(0, rowsShown - rows.length);
    // Of a large group the nearest stands for itself, the others are counted.
    const single =
      group.count <= 3 && group.count <= open ? group.examples : open > 1 ? group.examples.slice(0, 1) : [];
    for (const example of single) rows.push(volumeRow(example.name, example, group));
    const more = group.count - single.length;
    if (more === 0) continue;
    const rest = group.examples.slice(single.length);
    const [nearest] = rest.length > 0 ? rest : group.examples;
    if (nearest === undefined || rows.length >= rowsShown) {
      left += more;
      continue;
    }
    const names =
      rest.length > 0 ? ` (${rest.map(({ name }) => name).join(', ')}${more > rest.length ? ', …' : ''})` : '';
    const row = volumeRow(`${more} more`, nearest, group);
    rows.push([...row.slice(0, -1), `${textOf(row.at(-1))}${names}`]);
  }
  yield* printTable(
    [
      'volume',
      'capacity',
      'modes',
      'class',
      'status',
      volumes.some(({ codes }) => codes.length > 0) ? 'why not' : 'why',
    ],
    rows,
    {
      headers: true,
      heading: theme.heading,
    },
  );
  if (left > 0) yield `and ${left} more that stand further off\n`;
}

function volumeRow(name: string, example: VolumeExample, { relation, standing, codes, count }: VolumesReport): Cell[] {
  const reasons = codes.length > 0 ? example.reasons.map(({ text }) => text).join('; ') : fitText(relation, standing);
  const capacity =
    count > 3 && name.endsWith(' more') && codes.includes('CapacityTooSmall')
      ? `≤ ${example.capacity.quantity}`
      : example.capacity.quantity;
  return [
    name,
    capacity || '<none>',
    modesText(example.accessModes),
    example.class || '<none>',
    example.phase || '<none>',
    reasons,
  ];
}

/** The remedies, numbered, each with what happened when it was tried and the commands. */
function* remedyList(remedies: readonly RemedyReport[], { theme, width }: TextOptions): Iterable<string> {
  yield '\n';
  for (const [i, { title, effect, commands }] of remedies.entries()) {
    const first = `${(i === 0 ? 'Fix' : '').padEnd(7)}${i + 1}  `;
    for (const [n, line] of wrap(escapeTerminal(title), { width, first, rest: ' '.repeat(10) }).entries()) {
      yield `${i === 0 && n === 0 ? theme.heading('Fix') + line.slice(3) : line}\n`;
    }
    for (const line of wrap(escapeTerminal(effect), { width, first: ' '.repeat(10), rest: ' '.repeat(10) }))
      yield `${line}\n`;
    // Commands are not wrapped and not indented further: they are to be copied.
    for (const command of commands)
      for (const line of command.split('\n')) yield `${theme.dim(escapeTerminal(line))}\n`;
  }
}

const nodesShown = 8;

/** For each waiting pod that fits nowhere, or may go to several nodes: what is the matter with each of them. */
function* nodeTables({ nodes, metadata, verdict }: ClaimReport, { theme, width }: TextOptions): Iterable<string> {
  if (verdict.outcome === 'WaitsForConsumer' || verdict.outcome === 'Stuck') return;
  for (const { pod, nodes: rows, message } of nodes) {
    if (message === undefined && rows.length < 2) continue;
    const cells = rows
      .slice(0, nodesShown)
      .map(({ node, pod: reasons, claim }) => [
        node,
        reasons.map(({ text }) => text).join('; ') || 'fits',
        claim?.text ?? '<none>',
      ]);
    const titles = ['node', `pod ${pod.slice(pod.indexOf('/') + 1)}`, `volumes for ${metadata.name}`];
    yield '\n';
    yield* printTable(titles, cells, { headers: true, heading: theme.heading });
    if (rows.length > nodesShown) yield `and ${rows.length - nodesShown} more\n`;
    if (message === undefined) continue;
    const words = `Scheduler's own words: ${message} (what follows there is about preemption)`;
    for (const line of wrap(escapeTerminal(words), { width, rest: '       ' })) yield `${line}\n`;
  }
}

const textOf = (cell: Cell | undefined): string =>
  cell === undefined ? '' : typeof cell === 'string' ? cell : cell.text;

function fitText(relation: VolumesReport['relation'], standing: VolumesReport['standing']): string {
  if (relation === 'bound') return 'bound to this claim';
  switch (standing) {
    case 'taken':
      return 'this one';
    case 'larger':
      return 'fits, but is larger';
    case 'moreModes':
      return 'fits, but offers more access modes';
    case 'equal':
      return 'fits as well';
    default:
      return relation === 'reserved' ? 'reserved for this claim' : 'fits';
  }
}

function certaintyLines({ verdict }: ClaimReport): string[] {
  if (verdict.certainty !== 'assumed') return [];
  const lacks = verdict.lacks.join(' or ');
  const command = `kubectl get ${verdict.lacks.map((kind) => kind.toLowerCase()).join(',')} -A -o yaml`;
  if (verdict.provisioner !== undefined) {
    return [
      `Whether ${verdict.provisioner} acts, and on what, shows in kinds of which the input holds nothing, or not all. To be sure, add: ${command}`,
    ];
  }
  return [
    `The input does not say whether there is any ${lacks}. This holds if there is none. To be sure, add: ${command}`,
  ];
}

function* eventLines(
  { events, claim }: ClaimReport,
  { now }: TextOptions,
  section: (title: string, paragraphs: readonly string[]) => Iterable<string>,
): Iterable<string> {
  const [latest] = events.seen;
  if (latest === undefined || claim === undefined) return;
  const times = latest.count > 1 ? `${latest.count} times` : '';
  const head = [latest.reason, times, lastSeen(latest.lastSeen, now)].filter((part) => part !== '').join(', ');
  const quoted = `${head}: "${latest.message}"`;
  // Reads on from the title: "Events agree: ...".
  const agree = events.is === 'agree' ? 'agree: ' : events.is === 'disagree' ? 'say something else: ' : '';
  yield '\n';
  yield* section('Events', [`${agree}${quoted}`]);
}

function lastSeen(time: string | undefined, now: number): string {
  if (time === undefined) return '';
  const ago = age(time, now);
  return ago === '0s' ? 'just now' : `last ${ago} ago`;
}

import { humanBytes, parseQuantity } from '../api/quantity.ts';
import { modesText } from '../report/claim-report.ts';
import type { CapacityReport, ClaimsReport, VolumeReport } from '../report/volume-report.ts';
import { age } from './age.ts';
import { escapeTerminal } from './escape-terminal.ts';
import type { TextOptions } from './explain-text.ts';
import { printReportTable } from './report-table.ts';
import { type Cell, printTable } from './table.ts';
import type { Theme } from './theme.ts';
import { wrap } from './wrap.ts';

export interface VolumesTableOptions extends TextOptions {
  readonly wide: boolean;
  readonly headers: boolean;
}

/** The list of volumes as kubectl would print it, within 80 columns unless it is wide. */
export function printVolumes(reports: Iterable<VolumeReport>, options: VolumesTableOptions): Iterable<string> {
  const columns = [
    'volume',
    'class',
    'capacity',
    'modes',
    'phase',
    'claim',
    'why',
    ...(options.wide ? ['mode', 'reclaim', 'verdict', 'code', 'age'] : []),
  ];
  const kept = [...reports];
  const rows = kept.map((report) => rowOf(report, options));
  const styles = kept.map(({ verdict }) => styleOf(verdict.outcome, options.theme));
  return printReportTable(columns, rows, { column: 'phase', styles }, options);
}

function rowOf(report: VolumeReport, { wide, now }: VolumesTableOptions): string[] {
  const { metadata, volume, verdict, cause } = report;
  return [
    metadata.name,
    volume.class || '<none>',
    volume.capacity.quantity || '<none>',
    modesText(volume.accessModes),
    volume.phase || '<none>',
    goesTo(report),
    report.short,
    ...(wide
      ? [
          volume.volumeMode,
          volume.reclaimPolicy,
          verdict.outcome,
          cause ?? '<none>',
          age(metadata.creationTimestamp, now),
        ]
      : []),
  ];
}

/** The claim that has it; after an arrow the one that gets it. */
function goesTo({ volume, verdict: { outcome, claims } }: VolumeReport): string {
  const [first] = claims;
  if (outcome === 'Bound') return first?.claim ?? '<none>';
  if (first === undefined) return volume.claim ?? '<none>';
  const more = claims.length > 1 ? `, ${claims.length - 1} more` : '';
  return `→ ${first.claim}${more}${outcome === 'MayBeBound' ? '?' : ''}`;
}

function styleOf(outcome: VolumeReport['verdict']['outcome'], theme: Theme): (text: string) => string {
  switch (outcome) {
    case 'Bound':
    case 'WillBeBound':
      return theme.good;
    case 'Free':
    case 'MayBeBound':
      return (text) => text;
    case 'Failed':
      return theme.bad;
    default:
      return theme.warn;
  }
}

const sizesShown = 3;

/** What is left for further claims, a line for each class and shape. */
export function* printCapacityLeft(left: readonly CapacityReport[], { theme }: TextOptions): Iterable<string> {
  if (left.length === 0) {
    yield 'Nothing is left: no volume stays free.\n';
    return;
  }
  const rows = left.map(({ class: name, accessModes, volumeMode, count, total, sizes }) => [
    name || '<none>',
    accessModes || '<none>',
    volumeMode,
    String(count),
    humanBytes(parseQuantity(total.quantity)),
    sizesText(sizes),
  ]);
  yield* printTable(['left in class', 'modes', 'mode', 'volumes', 'total', 'sizes'], rows, {
    headers: true,
    heading: theme.heading,
  });
}

function sizesText(sizes: CapacityReport['sizes']): string {
  const shown = sizes.slice(0, sizesShown).map(({ quantity, count }) => `${count} × ${quantity}`);
  const rest = sizes.slice(sizesShown);
  if (rest.length === 0) return shown.join(', ');
  const more = rest.reduce((sum, { count }) => sum + count, 0);
  return `${shown.join(', ')}, ${more} down to ${rest.at(-1)?.quantity}`;
}

/** One volume in detail: what becomes of it, why, which claims it fits, what freeing it does. */
export function* printVolume(report: VolumeReport, options: TextOptions): Iterable<string> {
  const { theme, width, now } = options;
  const { metadata, volume, verdict, summary, reasons, claims, freeing, cause } = report;
  const section = function* (title: string, paragraphs: readonly string[]): Iterable<string> {
    for (const [i, text] of paragraphs.entries()) {
      const first = (i === 0 ? title : '').padEnd(7);
      for (const [n, line] of wrap(escapeTerminal(text), { width, first, rest: ' '.repeat(7) }).entries())
        yield `${i === 0 && n === 0 ? theme.heading(title) + line.slice(title.length) : line}\n`;
    }
  };
  const old = metadata.creationTimestamp === undefined ? '' : ` ${age(metadata.creationTimestamp, now)}`;
  const head = `${metadata.name}  ${volume.phase || '<no phase>'}${old}  →  ${verdict.outcome}: ${summary}.`;
  const lines = wrap(escapeTerminal(head).replaceAll('  ', '\u00a0\u00a0'), { width, rest: ' '.repeat(7) });
  const style = styleOf(verdict.outcome, theme);
  for (const [i, line] of lines.entries())
    yield `${i === 0 ? theme.bold(line).replace(`${verdict.outcome}:`, `${style(verdict.outcome)}:`) : theme.bold(line)}\n`;
  yield* section('Why', reasons);
  yield '\n';
  yield* section('Volume', [volumeLine(volume)]);
  if (claims.length > 0) {
    yield '\n';
    yield* claimsTable(claims, volume.claim !== undefined, options);
  }
  if (freeing !== undefined) {
    yield '\n';
    yield* section('Free', [freeing.effect]);
    for (const [i, { title, commands }] of freeing.ways.entries()) {
      const first = `${' '.repeat(7)}${i + 1}  `;
      for (const line of wrap(escapeTerminal(title), { width, first, rest: ' '.repeat(10) })) yield `${line}\n`;
      // Commands are neither wrapped nor indented: they are to be copied.
      for (const command of commands) yield `${theme.dim(escapeTerminal(command))}\n`;
    }
  }
  if (verdict.lacks.length > 0) {
    yield '\n';
    yield* section('Sure?', [
      `The input does not hold every claim. To be sure, add: kubectl get persistentvolumeclaim -A -o yaml`,
    ]);
  }
  if (cause !== undefined) {
    yield '\n';
    yield `${theme.dim(`Code: ${cause}. More: kubectl pvc-explain rules ${cause}`)}\n`;
  }
}

function volumeLine({
  capacity,
  accessModes,
  volumeMode,
  class: name,
  reclaimPolicy,
  claim,
}: VolumeReport['volume']): string {
  const parts = [
    capacity.quantity || 'no capacity',
    accessModes.join(',') || 'no access modes',
    volumeMode,
    name === '' ? 'no class' : `class ${name}`,
    `reclaim policy ${reclaimPolicy}`,
  ];
  if (claim !== undefined) parts.push(`claimRef ${claim}`);
  return parts.join('\u00a0\u00a0');
}

const rowsShown = 8;

/** The pending claims as the volume sees them; what stands alike is told once. */
function* claimsTable(groups: readonly ClaimsReport[], isOwned: boolean, { theme }: TextOptions): Iterable<string> {
  const rows: Cell[][] = [];
  let left = 0;
  for (const { count, codes, examples } of groups) {
    const open = Math.max(0, rowsShown - rows.length);
    const single = count <= 3 && count <= open ? examples : open > 1 ? examples.slice(0, 1) : [];
    for (const { claim, request, accessModes, class: name, reasons, instead, verdict } of single) {
      const what = reasons.map(({ text }) => text).join('; ');
      const fits = instead?.endsWith(' it')
        ? instead
        : isOwned
          ? 'would fit if it were free'
          : `fits; the claim ${instead}`;
      rows.push([
        claim,
        request.quantity || '<none>',
        modesText(accessModes),
        name || '<none>',
        verdict.outcome,
        what || fits,
      ]);
    }
    const more = count - single.length;
    if (more === 0) continue;
    if (rows.length >= rowsShown) {
      left += more;
      continue;
    }
    const texts = examples.at(-1)?.reasons.map(({ text }) => text) ?? [];
    const alike = count > 3 ? codes.join(', ') : texts.join('; ');
    rows.push([`${more} more`, '', '', '', '', alike || 'fit as well']);
  }
  yield* printTable(
    ['claim', 'request', 'modes', 'class', 'verdict', groups.some(({ codes }) => codes.length > 0) ? 'why not' : 'why'],
    rows,
    {
      headers: true,
      heading: theme.heading,
    },
  );
  if (left > 0) yield `and ${left} more claims that it fits less\n`;
}

import { describe, expect, it } from 'vitest';
import { printReportTable } from '../../src/printers/report-table.ts';
import { themeFor } from '../../src/printers/theme.ts';

const options = { theme: themeFor(false), wide: false, headers: true };
const plain = (text: string) => text;

const printed = (rows: string[][]) => [
  ...printReportTable(['name', 'verdict', 'why'], rows, { column: 'verdict', styles: rows.map(() => plain) }, options),
];

describe('a list of reports', () => {
  it('shortens "why" to keep to 80 columns', () => {
    const text = printed([['films', 'Stuck', 'x'.repeat(90)]]).join('');
    expect(text).toMatch(/^films {3}Stuck {5}x+\.\.\.$/m);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('may have more rows than a call has arguments', () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => [`claim-${i}`, 'Stuck', 'too small']);
    expect(printed(rows).join('').split('\n')).toHaveLength(200_002);
  });
});

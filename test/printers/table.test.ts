import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignRows, type Cell, printTable } from '../../src/printers/table.ts';

const columns = ['namespace', 'name', 'status', 'age'];

function text(pieces: Iterable<string>): string {
  return [...pieces].join('');
}

const red = (shown: string) => `<red>${shown}</red>`;

describe('a table', () => {
  it.each<{ name: string; columns: string[]; rows: Cell[][]; headers: boolean; expected: string }>([
    {
      name: 'has titles in capitals, three spaces between columns and an unpadded last cell',
      columns,
      rows: [
        ['media', 'films', 'Pending', '3d4h'],
        ['db', 'data-db-0', 'Bound', '12m'],
      ],
      headers: true,
      expected: [
        'NAMESPACE   NAME        STATUS    AGE',
        'media       films       Pending   3d4h',
        'db          data-db-0   Bound     12m',
        '',
      ].join('\n'),
    },
    {
      name: 'without titles is as wide as its cells',
      columns,
      rows: [
        ['media', 'films', 'Pending', '3d4h'],
        ['db', 'data-db-0', 'Bound', '12m'],
      ],
      headers: false,
      expected: ['media   films       Pending   3d4h', 'db      data-db-0   Bound     12m', ''].join('\n'),
    },
    {
      name: 'has no column narrower than six',
      columns: ['a', 'b', 'c'],
      rows: [['1', '', '3']],
      headers: true,
      expected: 'A     B     C\n1           3\n',
    },
    {
      name: 'without rows prints nothing, not even titles',
      columns,
      rows: [],
      headers: true,
      expected: '',
    },
    {
      name: 'cuts cells at the first line break, form feed or carriage return',
      columns: ['reason', 'from'],
      rows: [
        ['two\nlines', 'event'],
        ['typed\rover', 'event'],
        ['next\fpage', 'event'],
      ],
      headers: false,
      expected: 'two...     event\ntyped...   event\nnext...    event\n',
    },
    {
      name: 'shows escape sequences from the cluster instead of obeying them',
      columns: ['name', 'age'],
      rows: [
        ['\x1b[31mfilms', '1d'],
        ['tab\tbed', '2d'],
      ],
      headers: false,
      expected: '^[[31mfilms   1d\ntab\\tbed      2d\n',
    },
    {
      name: 'pads wide characters by the columns they take',
      columns: ['class', 'age'],
      rows: [
        ['保存庫', '1d'],
        ['abcdef', '2d'],
        ['e\u0301tage', '3d'],
      ],
      headers: false,
      expected: '保存庫   1d\nabcdef   2d\ne\u0301tage    3d\n',
    },
    {
      name: 'colours the text of a cell and not its padding',
      columns: ['name', 'status', 'age'],
      rows: [
        ['films', { text: 'Stuck', style: red }, '3d'],
        ['series', 'WillBind', { text: '4d', style: red }],
      ],
      headers: true,
      expected: [
        'NAME     STATUS     AGE',
        'films    <red>Stuck</red>      3d',
        'series   WillBind   <red>4d</red>',
        '',
      ].join('\n'),
    },
    {
      name: 'escapes a coloured cell before it is coloured',
      columns: ['name', 'age'],
      rows: [[{ text: '\x1b[2Jfilms\nx', style: red }, '3d']],
      headers: false,
      expected: '<red>^[[2Jfilms...</red>   3d\n',
    },
    {
      name: 'drops cells beyond its columns and ends a short row where it ends',
      columns: ['name', 'age'],
      rows: [['films', '3d', 'surplus'], ['series'], []],
      headers: false,
      expected: 'films    3d\nseries\n\n',
    },
    {
      name: 'keeps an empty last cell as kubectl does, after the padding',
      columns: ['name', 'age'],
      rows: [['films', '']],
      headers: true,
      expected: 'NAME    AGE\nfilms   \n',
    },
  ])('$name', ({ columns, rows, headers, expected }) => {
    expect(text(printTable(columns, rows, { headers }))).toBe(expected);
  });

  it('styles its titles when asked', () => {
    expect(text(printTable(['name', 'age'], [['films', '3d']], { headers: true, heading: red }))).toBe(
      '<red>NAME</red>    <red>AGE</red>\nfilms   3d\n',
    );
  });

  it('takes its titles as they are when rows are only aligned', () => {
    expect(
      text(
        alignRows(
          [
            ['Claim', 'Size'],
            ['films', '5Gi'],
          ],
          2,
        ),
      ),
    ).toBe('Claim   Size\nfilms   5Gi\n');
  });

  it('starts every column at the same place, whatever the cells hold', () => {
    const ascii = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(fc.array(fc.tuple(ascii, ascii, fc.constant('|')), { minLength: 1, maxLength: 20 }), (rows) => {
        const bars = [...alignRows(rows, 3)].map((line) => line.length);
        expect(new Set(bars).size).toBe(1);
      }),
    );
  });

  it('of 10,000 rows takes less than four times what JSON.stringify takes', () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => [
      'media',
      `films-${index}`,
      'Pending',
      'Stuck',
      'archive-03 too small by 34.3Gi',
      '3d4h',
    ]);
    const titles = ['namespace', 'name', 'status', 'verdict', 'why', 'age'];
    const printing = fastest(() => text(printTable(titles, rows, { headers: true })));
    const stringifying = fastest(() => JSON.stringify(rows));
    expect(printing / stringifying).toBeLessThan(4);
  });
});

function fastest(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 15; round++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

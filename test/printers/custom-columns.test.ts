import { describe, expect, it } from 'vitest';
import { columnsFromFile, columnsFromSpec, printCustomColumns } from '../../src/printers/custom-columns.ts';
import { FormatError } from '../../src/printers/format-error.ts';

const claims = [
  {
    metadata: { name: 'films', labels: { tier: 'front', app: 'player' } },
    spec: { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], size: 1234567.5, volumeName: null, isLate: true },
    message: '\x1b[31mtwo\nlines\tand\ra tab',
  },
  { metadata: { name: 'data-db-0' }, spec: { accessModes: [], size: 5 }, message: '' },
];

function print(spec: string, headers = true): string {
  return [...printCustomColumns(claims, columnsFromSpec(spec), { headers })].join('');
}

describe('custom columns', () => {
  it.each([
    {
      name: 'are aligned, with the titles as the user wrote them',
      spec: 'Name:.metadata.name,SIZE:{.spec.size}',
      expected: 'Name        SIZE\nfilms       1.2345675e+06\ndata-db-0   5\n',
    },
    {
      name: 'show <none> where an item lacks the field',
      spec: 'TIER:metadata.labels.tier,NAME:metadata.name',
      expected: 'TIER     NAME\nfront    films\n<none>   data-db-0\n',
    },
    {
      name: 'show lists and objects as Go prints them',
      spec: 'LABELS:.metadata.labels,MODES:.spec.accessModes,LATE:.spec.isLate',
      expected: [
        'LABELS                       MODES                          LATE',
        'map[app:player tier:front]   [ReadWriteOnce ReadOnlyMany]   true',
        '<none>                       []                             <none>',
        '',
      ].join('\n'),
    },
    {
      name: 'join several values by commas',
      spec: 'NAME:.metadata.name,MODES:.spec.accessModes[*]',
      expected: 'NAME        MODES\nfilms       ReadWriteOnce,ReadOnlyMany\ndata-db-0   <none>\n',
    },
    {
      name: 'tell null from absent',
      spec: 'VOLUME:.spec.volumeName,NAME:.metadata.name',
      expected: 'VOLUME   NAME\n<nil>    films\n<none>   data-db-0\n',
    },
    {
      name: 'make line ends, tabs and escape sequences visible',
      spec: 'MESSAGE:.message,NAME:.metadata.name',
      expected: [
        'MESSAGE                        NAME',
        '^[[31mtwo\\nlines\\tand\\ra tab   films',
        '                               data-db-0',
        '',
      ].join('\n'),
    },
    {
      name: 'without a path are empty',
      spec: 'NAME:.metadata.name,NOTE:',
      expected: 'NAME        NOTE\nfilms       <none>\ndata-db-0   <none>\n',
    },
  ])('$name', ({ spec, expected }) => {
    expect(print(spec)).toBe(expected);
  });

  it('leave their titles out when asked', () => {
    expect(print('NAME:.metadata.name,SIZE:.spec.size', false)).toBe('films       1.2345675e+06\ndata-db-0   5\n');
  });

  it('print their titles even without items', () => {
    expect([...printCustomColumns([], columnsFromSpec('NAME:.metadata.name'), { headers: true })]).toEqual(['NAME\n']);
  });

  it('that do not fit an item are refused', () => {
    expect(() => print('MODE:.spec.accessModes[5]')).toThrow(
      new FormatError('array index out of bounds: index 5, length 2'),
    );
  });

  it.each([
    ['', 'custom-columns format specified but no custom columns given'],
    ['NAME', 'unexpected custom-columns spec: NAME, expected <header>:<json-path-expr>'],
    ['NAME:.metadata.name,', 'unexpected custom-columns spec: , expected <header>:<json-path-expr>'],
    ['NAME=.metadata.name', 'unexpected custom-columns spec: NAME=.metadata.name, expected <header>:<json-path-expr>'],
    ['NAME:.a[', 'unterminated array'],
  ])('%j is refused: %s', (spec, message) => {
    expect(() => columnsFromSpec(spec)).toThrow(new FormatError(message));
  });
});

describe('a file of custom columns', () => {
  it.each(['NAME SIZE\nmetadata.name {.spec.size}', '  NAME \t SIZE\r\n.metadata.name   spec.size  \r\nmore\n'])(
    '%j names titles and paths',
    (text) => {
      const columns = columnsFromFile(text);
      expect([...printCustomColumns(claims, columns, { headers: true })].join('')).toBe(
        'NAME        SIZE\nfilms       1.2345675e+06\ndata-db-0   5\n',
      );
    },
  );

  const form = 'Expected format is one line of space separated headers, one line of space separated column specs.';

  it.each([
    ['', `invalid template, missing header line. ${form}`],
    ['NAME SIZE\n', `invalid template, missing spec line. ${form}`],
    ['NAME SIZE\n.metadata.name\n', "number of headers (2) and field specifications (1) don't match"],
  ])('%j is refused: %s', (text, message) => {
    expect(() => columnsFromFile(text)).toThrow(new FormatError(message));
  });
});

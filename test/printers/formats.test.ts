import { describe, expect, it } from 'vitest';
import { printCustomColumns } from '../../src/printers/custom-columns.ts';
import { FormatError } from '../../src/printers/format-error.ts';
import { type FormatName, objectFormats, parseFormat, reportFormats } from '../../src/printers/formats.ts';
import { printJsonpath } from '../../src/printers/jsonpath/print.ts';

const everything: readonly FormatName[] = [...objectFormats, ...reportFormats];

const files: Readonly<Record<string, string>> = {
  'names.tmpl': '{.metadata.name}',
  'columns.txt': 'NAME\nmetadata.name\n',
  'broken.tmpl': '{.metadata',
};

function readFile(path: string): string {
  const text = files[path];
  if (text === undefined) throw new Error(`open ${path}: no such file or directory`);
  return text;
}

const claim = { metadata: { name: 'films' } };

describe('-o', () => {
  it.each([
    ['', { is: 'table', wide: false }],
    ['wide', { is: 'table', wide: true }],
    ['json', { is: 'json' }],
    ['JSON', { is: 'json' }],
    ['Yaml', { is: 'yaml' }],
    ['name', { is: 'name' }],
    ['junit', { is: 'junit' }],
    ['sarif', { is: 'sarif' }],
    ['github', { is: 'github' }],
    ['gitlab', { is: 'gitlab' }],
    ['markdown', { is: 'markdown' }],
  ])('%j asks for %j', (value, expected) => {
    expect(parseFormat(value, everything, readFile)).toEqual(expected);
  });

  it.each([
    ['jsonpath={.metadata.name}', 'films'],
    ['jsonpath-file=names.tmpl', 'films'],
    ['jsonpath-as-json={.metadata.name}', '[\n    "films"\n]\n'],
    ['jsonpath={range .metadata}{.name}={end}', 'films='],
  ])('%s prints by a template', (value, expected) => {
    const format = parseFormat(value, everything, readFile);
    if (format.is !== 'jsonpath') throw new Error(`not a jsonpath: ${format.is}`);
    expect([...printJsonpath(claim, format.template, format)].join('')).toBe(expected);
  });

  it.each(['custom-columns=NAME:.metadata.name', 'custom-columns-file=columns.txt'])(
    '%s prints by columns',
    (value) => {
      const format = parseFormat(value, everything, readFile);
      if (format.is !== 'custom-columns') throw new Error(`not custom columns: ${format.is}`);
      expect([...printCustomColumns([claim], format.columns, { headers: true })].join('')).toBe('NAME\nfilms\n');
    },
  );

  it.each(['foo', 'go-template', 'go-template={{.kind}}', 'json=x', 'name=x', 'WIDE', 'Jsonpath={.x}', 'a"b', '='])(
    '%s is refused in the words of kubectl',
    (value) => {
      expect(() => parseFormat(value, objectFormats, readFile)).toThrow(
        new FormatError(
          `unable to match a printer suitable for the output format "${value.replace('"', '\\"')}", allowed formats are: ` +
            'custom-columns,custom-columns-file,json,jsonpath,jsonpath-as-json,jsonpath-file,name,wide,yaml',
        ),
      );
    },
  );

  it('a format of another command is refused', () => {
    expect(() => parseFormat('junit', objectFormats, readFile)).toThrow(FormatError);
    expect(() => parseFormat('jsonpath={.x}', ['yaml', 'junit', 'json'], readFile)).toThrow(
      'unable to match a printer suitable for the output format "jsonpath={.x}", allowed formats are: json,junit,yaml',
    );
  });

  it.each([
    ['jsonpath', 'template format specified but no template given'],
    ['jsonpath=', 'template format specified but no template given'],
    ['jsonpath-as-json=', 'template format specified but no template given'],
    ['jsonpath-file', 'template format specified but no template given'],
    ['custom-columns', 'custom-columns format specified but no custom columns given'],
    ['custom-columns=', 'custom-columns format specified but no custom columns given'],
    ['custom-columns-file=', 'custom-columns format specified but no custom columns given'],
    ['jsonpath={.a', 'error parsing jsonpath {.a, unclosed action'],
    ['jsonpath-file=broken.tmpl', 'error parsing jsonpath {.metadata, unclosed action'],
    ['jsonpath-file=no.tmpl', 'error reading --template no.tmpl, open no.tmpl: no such file or directory'],
    ['custom-columns-file=no.txt', 'error reading template no.txt, open no.txt: no such file or directory'],
    ['custom-columns=NAME', 'unexpected custom-columns spec: NAME, expected <header>:<json-path-expr>'],
  ])('%s is refused: %s', (value, message) => {
    expect(() => parseFormat(value, everything, readFile)).toThrow(new FormatError(message));
  });
});

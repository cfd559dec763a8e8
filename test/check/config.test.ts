import { describe, expect, it } from 'vitest';
import { BaselineError, readBaseline, writeBaseline } from '../../src/report/baseline.ts';
import { ConfigError, matchesPattern, noConfig, readConfig } from '../../src/report/config.ts';
import { fingerprints } from '../../src/report/fingerprint.ts';

describe('the configuration', () => {
  it('says what fails, which releases count, how bad codes are, and what is ignored', () => {
    const config = {
      failOn: 'warning',
      kubernetesVersions: ['1.31..1.34'],
      severities: { ContestedVolume: 'error', MuchLargerVolume: 'off' },
      ignore: [{ code: 'ClassMissing', claim: 'shop/*', path: 'deploy/**', reason: 'comes later' }],
    };
    expect(readConfig(config)).toEqual(config);
  });

  it.each([undefined, null, {}])('may be empty: %j', (value) => {
    expect(readConfig(value)).toEqual(noConfig);
  });

  it.each([
    {
      name: 'a key that there is not',
      config: { severitys: {} },
      path: 'severitys',
      says: 'the configuration: unknown key "severitys"; did you mean "severities"?',
    },
    {
      name: 'a code that there is not',
      config: { severities: { ClassMising: 'error' } },
      path: 'severities.ClassMising',
      says: 'severities: unknown code "ClassMising"; did you mean "ClassMissing"?',
    },
    {
      name: 'a code like none',
      config: { severities: { Whatever: 'error' } },
      path: 'severities.Whatever',
      says: 'severities: unknown code "Whatever"; kubectl pvc-explain rules lists them all',
    },
    {
      name: 'a level that there is not',
      config: { severities: { ClassMissing: 'fatal' } },
      path: 'severities.ClassMissing',
      says: 'severities: unknown value "fatal"; there are error, warning, info, off',
    },
    {
      name: 'a threshold that there is not',
      config: { failOn: 'eror' },
      path: 'failOn',
      says: 'the configuration: unknown value "eror"; did you mean "error"?',
    },
    {
      name: 'an ignore without a reason',
      config: { ignore: [{ code: 'ClassMissing' }] },
      path: 'ignore.0',
      says: 'ignore[0] needs a reason: why it is right to live with it',
    },
    {
      name: 'a reason of blanks',
      config: { ignore: [{ code: 'ClassMissing', reason: '  ' }] },
      path: 'ignore.0',
      says: 'ignore[0] needs a reason: why it is right to live with it',
    },
    {
      name: 'an ignore of everything',
      config: { ignore: [{ reason: 'why not' }] },
      path: 'ignore.0',
      says: 'ignore[0] would ignore everything: name a code, a claim or a path',
    },
    {
      name: 'a slip in an ignore',
      config: { ignore: [{ codes: 'ClassMissing', reason: 'x' }] },
      path: 'ignore.0.codes',
      says: 'ignore[0]: unknown key "codes"; did you mean "code"?',
    },
    { name: 'a mapping for a list', config: { ignore: {} }, path: 'ignore', says: 'ignore must be a list' },
    {
      name: 'a list for a mapping',
      config: { severities: [] },
      path: 'severities',
      says: 'severities must be a mapping',
    },
    {
      name: 'a number for a release',
      config: { kubernetesVersions: [1.3] },
      path: 'kubernetesVersions.0',
      says: 'kubernetesVersions[0] must be a text; put 1.3 in quotes',
    },
    { name: 'a text for all of it', config: 'failOn', path: '', says: 'the configuration must be a mapping' },
  ])('$name is an error with its place', ({ config, path, says }) => {
    try {
      readConfig(config);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      expect((error as ConfigError).message).toBe(says);
      expect((error as ConfigError).path.join('.')).toBe(path);
    }
  });

  it.each([
    { pattern: 'shop/legacy-*', text: 'shop/legacy-1', matches: true },
    { pattern: 'shop/*', text: 'shop/a/b', matches: false },
    { pattern: '*/data-db-*', text: 'shop/data-db-0', matches: true },
    { pattern: 'deploy/**', text: 'deploy/a/b.yaml', matches: true },
    { pattern: '**/staging/*.yaml', text: 'staging/a.yaml', matches: true },
    { pattern: '**/staging/*.yaml', text: 'x/y/staging/a.yaml', matches: true },
    { pattern: 'a.b', text: 'axb', matches: false },
    { pattern: 'a[0]+(x)', text: 'a[0]+(x)', matches: true },
    { pattern: 'shop/data', text: 'shop/data-1', matches: false },
  ])('$pattern and $text', ({ pattern, text, matches }) => {
    expect(matchesPattern(pattern, text)).toBe(matches);
  });
});

describe('fingerprints', () => {
  const one = {
    code: 'ClassMissing',
    path: 'deploy/a.yaml',
    object: 'PersistentVolumeClaim shop/cache',
    field: 'spec.storageClassName',
  };

  it('are the same in every run', () => {
    // Baselines and code scanning remember these: another value would make every finding a new one.
    expect(fingerprints([one])).toEqual(['2be9ed295ca4a77c']);
  });

  it('differ with code, file, object and field', () => {
    const others = [
      { ...one, code: 'EmptyClass' },
      { ...one, path: 'b.yaml' },
      { ...one, object: 'Pod a' },
      { ...one, field: 'spec' },
    ];
    expect(new Set(fingerprints([one, ...others])).size).toBe(5);
  });

  it('tell equal findings apart by their order', () => {
    const [first, second] = fingerprints([one, one]);
    expect(first).toBe(fingerprints([one])[0]);
    expect(second).not.toBe(first);
  });
});

describe('the baseline', () => {
  const entries = [
    { fingerprint: '2', code: 'EmptyClass', object: 'PersistentVolumeClaim b', path: 'b.yaml' },
    { fingerprint: '1', code: 'ClassMissing', object: 'PersistentVolumeClaim a', path: 'a.yaml' },
  ];

  it('is one finding a line, sorted, so that a change of it can be reviewed', () => {
    expect(writeBaseline(entries)).toBe(`{
  "apiVersion": "pvc-explain/v1",
  "kind": "CheckBaseline",
  "findings": [
    {"fingerprint":"1","code":"ClassMissing","object":"PersistentVolumeClaim a","path":"a.yaml"},
    {"fingerprint":"2","code":"EmptyClass","object":"PersistentVolumeClaim b","path":"b.yaml"}
  ]
}
`);
  });

  it('is read as it was written', () => {
    expect(readBaseline(writeBaseline(entries)).findings).toEqual([...entries].reverse());
    expect(readBaseline(writeBaseline([])).findings).toEqual([]);
  });

  it.each([
    { name: 'no JSON', text: 'findings: []', says: 'it is not JSON' },
    {
      name: 'another document',
      text: '{"kind":"CheckReport","findings":[]}',
      says: 'it is no CheckBaseline; --write-baseline writes one',
    },
    {
      name: 'entries without fingerprints',
      text: '{"kind":"CheckBaseline","findings":[{}]}',
      says: 'it is no CheckBaseline; --write-baseline writes one',
    },
    { name: 'null', text: 'null', says: 'it is no CheckBaseline; --write-baseline writes one' },
  ])('$name is refused', ({ text, says }) => {
    expect(() => readBaseline(text)).toThrow(new BaselineError(says));
  });
});

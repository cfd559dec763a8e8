import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../cli/run.ts';

const town = 'test/check/clusters/town.yaml';
const large = 'test/check/scenarios/no-volume-is-large-enough/manifests.yaml';
const served = 'test/check/scenarios/every-claim-is-served/manifests.yaml';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pvc-explain-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};

const claim = (name: string, more = '') =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: ${name}${more}}\nspec:\n  accessModes: [ReadWriteOnce]\n  storageClassName: fsat\n  resources: {requests: {storage: 1Gi}}\n`;

describe('what is asked for', () => {
  it.each([
    { name: 'no manifests', args: [], says: 'no manifests: name them with -f PATH or -k FOLDER' },
    {
      name: 'a cluster and none',
      args: ['-f', large, '--offline', '--from', town],
      says: '--offline and --from exclude each other',
    },
    {
      name: 'both inputs from standard input',
      args: ['-f', '-', '--from', '-'],
      says: 'standard input ("-") can be the manifests or the cluster, not both',
    },
    {
      name: 'a baseline to be written nowhere',
      args: ['-f', large, '--offline', '--write-baseline'],
      says: '--write-baseline needs --baseline FILE',
    },
    {
      name: 'a baseline that is not there',
      args: ['-f', large, '--offline', '--baseline', 'nowhere.json'],
      says: 'reading the baseline "nowhere.json": ENOENT',
    },
    {
      name: 'a baseline that is none',
      args: ['-f', large, '--offline', '--baseline', large],
      says: `baseline "${large}": it is not JSON`,
    },
    {
      name: 'a configuration that is not there',
      args: ['-f', large, '--offline', '--config', 'nowhere.yaml'],
      says: 'reading the configuration "nowhere.yaml": ENOENT',
    },
    {
      name: 'a manifest that is not there',
      args: ['-f', 'nowhere.yaml', '--offline'],
      says: 'reading "nowhere.yaml": no such file or folder',
    },
    {
      name: 'a release that there is not',
      args: ['-f', large, '--offline', '--kubernetes-version', 'latest'],
      says: '"latest" is not a Kubernetes version',
    },
    {
      name: 'a range the wrong way',
      args: ['-f', large, '--offline', '--kubernetes-version', '1.34..1.31'],
      says: '--kubernetes-version 1.34..1.31: the older release comes first',
    },
    {
      name: 'a format that there is not',
      args: ['-f', large, '--offline', '-o', 'xml'],
      says: 'unable to match a printer suitable for the output format "xml"',
    },
    {
      name: 'a report without a file',
      args: ['-f', large, '--offline', '--report', 'sarif'],
      says: '--report "sarif": it must be FORMAT=FILE',
    },
    {
      name: 'a report of a format that there is not',
      args: ['-f', large, '--offline', '--report', 'xml=a'],
      says: 'unable to match a printer suitable for the output format "xml"',
    },
    {
      name: 'a report where none can be written',
      args: ['-f', large, '--offline', '--report', `sarif=${large}/x`],
      says: 'writing ',
    },
  ])('$name is an error', async ({ args, says }) => {
    const { code, stderr } = await run(['check', ...args]);
    expect(stderr).toContain(`error: ${says}`);
    expect(code).toBe(2);
  });

  it('flags before and behind the command count, and -f behind it means the manifests', async () => {
    const { code, stdout } = await run([
      '-f',
      town,
      '-n',
      'shop',
      'check',
      '-f',
      file('a.yaml', claim('cache')),
      '-o',
      'json',
    ]);
    expect(code).toBe(1);
    const { cluster, items } = JSON.parse(stdout);
    expect(cluster.sources).toEqual([town]);
    expect(items.map(({ metadata }: { metadata: object }) => metadata)).toEqual([{ name: 'cache', namespace: 'shop' }]);
  });

  it('a release before the command is taken, too', async () => {
    const { stdout } = await run(['--kubernetes-version', '1.33', 'check', large, '--from', town, '-o', 'json']);
    expect(JSON.parse(stdout).simulated).toEqual(['1.33']);
  });

  it('the flags of other commands mean what they meant', async () => {
    for (const args of [
      ['simulate', '-f', town],
      ['-f', town, 'simulate'],
      ['rules', 'ClassMissing'],
      ['-f', town, '-n', 'shop'],
    ]) {
      expect(await run(args)).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('releases are told oldest first, each once', async () => {
    const { stdout } = await run([
      'check',
      large,
      '--offline',
      '--kubernetes-version',
      '1.36',
      '--kubernetes-version',
      '1.33..1.34',
      '--kubernetes-version',
      'v1.34.2',
      '-o',
      'json',
    ]);
    expect(JSON.parse(stdout).simulated).toEqual(['1.33', '1.34', '1.36']);
  });

  it('without a word the release of the cluster is simulated', async () => {
    const { stdout } = await run(['check', large, '--from', town, '-o', 'json']);
    expect(JSON.parse(stdout).simulated).toEqual(['1.36']);
  });
});

describe('what is printed', () => {
  it('several reports at once, in folders that are made', async () => {
    const reports = {
      sarif: 'out/a.sarif',
      junit: 'out/a.xml',
      gitlab: 'out/a.json',
      markdown: 'out/a.md',
      text: 'a.txt',
      yaml: 'a.yaml',
    };
    const args = Object.entries(reports).flatMap(([format, name]) => ['--report', `${format}=${join(folder, name)}`]);
    const { code, stdout } = await run(['check', large, '--from', town, ...args]);
    expect(code).toBe(1);
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    expect(read(reports.text)).toBe(stdout);
    expect(JSON.parse(read(reports.sarif)).version).toBe('2.1.0');
    expect(read(reports.junit)).toMatch(/^<\?xml /);
    expect(JSON.parse(read(reports.gitlab))).toHaveLength(1);
    expect(read(reports.markdown)).toMatch(/^### Storage claims: 1 error\n/);
    expect(read(reports.yaml)).toMatch(/^apiVersion: pvc-explain\/v1\n/);
  });

  it('the same input gives the same bytes', async () => {
    for (const format of ['text', 'json', 'yaml', 'junit', 'sarif', 'github', 'gitlab', 'markdown']) {
      const [first, second] = [
        await run(['check', served, '--from', town, '-o', format]),
        await run(['check', served, '--from', town, '-o', format]),
      ];
      expect(first.stdout).toBe(second.stdout);
      expect(first.code).toBe(0);
    }
  });
});

describe('what counts', () => {
  const dump = file(
    'classes.yaml',
    'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: archive}\nprovisioner: kubernetes.io/no-provisioner\n',
  );
  const unknown = ['check', large, '--from', dump, '-n', 'media'];
  const twice = file('twice.yaml', `${claim('a')}---\n${claim('a')}`);
  const warning = ['check', twice, '--offline'];

  it.each([
    { name: 'an unknown verdict fails', args: unknown, code: 1 },
    { name: 'an unknown verdict with --fail-on unknown fails', args: [...unknown, '--fail-on', 'unknown'], code: 1 },
    { name: 'an unknown verdict with --fail-on warning passes', args: [...unknown, '--fail-on', 'warning'], code: 0 },
    { name: 'a warning fails', args: warning, code: 1 },
    { name: 'a warning with --fail-on warning fails', args: [...warning, '--fail-on', 'warning'], code: 1 },
    { name: 'a warning with --fail-on error passes', args: [...warning, '--fail-on', 'error'], code: 0 },
    {
      name: 'an error with --fail-on error fails',
      args: ['check', large, '--from', town, '--fail-on', 'error'],
      code: 1,
    },
    {
      name: 'the configuration says it, too',
      args: [...warning, '--config', file('lax.yaml', 'failOn: error\n')],
      code: 0,
    },
    {
      name: 'the flag counts more than the configuration',
      args: [...warning, '--config', file('lax2.yaml', 'failOn: error\n'), '--fail-on', 'warning'],
      code: 1,
    },
    {
      name: 'a severity may be raised',
      args: [
        'check',
        served,
        '--from',
        town,
        '--config',
        file('strict.yaml', 'severities: {WaitsForFirstConsumer: error}\n'),
      ],
      code: 1,
    },
    {
      name: 'a severity may be lowered',
      args: [...warning, '--config', file('info.yaml', 'severities: {DuplicateManifest: info}\n')],
      code: 0,
    },
  ])('$name', async ({ args, code }) => {
    expect((await run(args)).code).toBe(code);
  });

  it('what is assumed is told once and does not count', async () => {
    const { code, stdout } = await run(['check', served, '--from', town, '-o', 'json']);
    const { assumptions, findings } = JSON.parse(stdout);
    expect(assumptions).toHaveLength(2);
    expect(findings.filter(({ counts }: { counts: boolean }) => counts)).toEqual([]);
    expect(code).toBe(0);
  });

  it('with --strict a cluster that cannot be used whole is a failure', async () => {
    const broken = file('broken.yaml', `${readFileSync(dump, 'utf8')}---\na: [\n`);
    expect(await run(['check', large, '--from', broken, '--strict'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('error: '),
    });
  });
});

describe('where manifests come from', () => {
  const rendered = `---\n# Source: shop/templates/pvc.yaml\n${claim('cache', ', namespace: shop')}`;

  it('helm template, piped: findings are at the template', async () => {
    const { code, stdout } = await run(['check', '-f', '-', '--from', town], rendered);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^-:8:3: error: claim shop\/cache: Stuck: .*\n {2}From shop\/templates\/pvc\.yaml\n/);
    const annotated = await run(['check', '-f', '-', '--from', town, '-o', 'github'], rendered);
    expect(annotated.stdout).toMatch(/^::error file=shop\/templates\/pvc\.yaml,line=1,title=ClassMissing::/);
  });

  it('standard input without a template has no file to annotate', async () => {
    const { stdout } = await run(['check', '-', '--from', town, '-o', 'github'], claim('cache', ', namespace: shop'));
    expect(stdout).toMatch(/^::error title=ClassMissing::/);
  });

  it('a chart that was not rendered is a failure, not a finding', async () => {
    const path = file('chart/templates/pvc.yaml', claim('{{ .Release.Name }}'));
    const { code, stderr } = await run(['check', path, '--offline']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `error: ${path}:3: this is an unrendered Helm chart: run "helm template CHART" and pipe the result\n`,
    );
  });

  it('folders, and with -R those in them', async () => {
    const root = dirname(dirname(file('tree/sub/b.yaml', claim('b', ', namespace: shop'))));
    file('tree/a.yaml', claim('a', ', namespace: shop'));
    const names = async (...flags: string[]) => {
      const { stdout } = await run(['check', '-f', root, '--from', town, ...flags, '-o', 'json']);
      return JSON.parse(stdout).items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    };
    expect(await names()).toEqual(['a']);
    expect(await names('-R')).toEqual(['a', 'b']);
  });

  it.skipIf(spawnSync('kubectl', ['kustomize', '--help']).status !== 0)('-k: findings are at the base', async () => {
    const base = file('k/base/claims.yaml', claim('cache'));
    file('k/base/kustomization.yaml', 'resources: [claims.yaml]\n');
    file('k/prod/kustomization.yaml', 'namespace: shop\nnamePrefix: prod-\nresources: [../base]\n');
    const { code, stdout } = await run(['check', '-k', join(folder, 'k/prod'), '--from', town, '-o', 'json']);
    expect(code).toBe(1);
    const [finding] = JSON.parse(stdout).findings;
    expect(finding).toMatchObject({
      code: 'ClassMissing',
      claims: ['shop/prod-cache'],
      location: { line: 6, column: 3 },
    });
    expect(realpathSync(finding.location.file)).toBe(base);
  });

  it('a live cluster that cannot be reached is a failure', async () => {
    const kubeconfig = file('kubeconfig', 'apiVersion: v1\nkind: Config\n');
    const { code, stderr } = await run([
      'check',
      large,
      '--kubeconfig',
      kubeconfig,
      '-s',
      'http://127.0.0.1:1',
      '--request-timeout',
      '2s',
    ]);
    expect(stderr).toContain('127.0.0.1:1');
    expect(code).toBe(2);
  });
});

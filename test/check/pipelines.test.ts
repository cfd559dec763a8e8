import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'pvc-explain-'));
const bin = join(folder, 'bin');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The program as it is now, under the name that an installation gives it.
beforeAll(async () => {
  await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/main.ts'],
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['@kubernetes/client-node'],
    logLevel: 'error',
    outExtension: { '.js': '.mjs' },
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  });
  mkdirSync(bin);
  const script = join(bin, 'kubectl-pvc_explain');
  writeFileSync(
    script,
    `#!/usr/bin/env node\nimport('${join(folder, 'dist/main.mjs')}').then((main) => main.run(process.argv.slice(2)));\n`,
  );
  chmodSync(script, 0o755);
});

const claim = (storage: string) => `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: films
  namespace: media
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: ${storage}
`;

let next = 0;

/** A repository with manifests, as a pipeline checks it out. */
function repository(files: Readonly<Record<string, string>>): string {
  const at = join(folder, `repository-${next++}`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at, name)), { recursive: true });
    writeFileSync(join(at, name), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: at,
      encoding: 'utf8',
    });
  git('init', '--quiet');
  git('add', '.');
  return at;
}

/** Runs a step of a pipeline the way runners do. */
function step(command: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', command], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, ...env },
  });
  return { status, stdout, stderr };
}

const pipeline = (name: string) => load(readFileSync(join(root, 'docs/ci', name), 'utf8')) as never;
const bad = () => repository({ 'deploy/app/claim.yaml': claim('0'), 'values.yaml': 'replicas: 1\n' });
const good = () => repository({ 'deploy/app/claim.yaml': claim('5Gi') });
const read = (at: string, name: string) => readFileSync(join(at, name), 'utf8');

describe('the GitHub workflow', () => {
  const { jobs } = pipeline('github-workflow.yaml') as {
    jobs: { check: { steps: { name?: string; run?: string; with?: Record<string, string> }[] } };
  };
  const { steps } = jobs.check;
  const check = steps.find(({ name }) => name === 'Check')?.run ?? '';

  it('installs the package and uploads what the check has written', () => {
    expect(steps.find(({ name }) => name === 'Install')?.run).toBe('npm install --global kubectl-pvc-explain');
    expect(check).toContain(`--report sarif=${steps.find(({ name }) => name === 'Upload')?.with?.sarif_file}`);
  });

  it('annotates the line at fault, writes a summary, and fails', () => {
    const at = bad();
    writeFileSync(join(at, 'summary.md'), 'What an earlier step said.\n');
    const { status, stdout, stderr } = step(check, at, {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(at, 'summary.md'),
    });
    expect(stderr).toBe('');
    expect(status).toBe(1);
    expect(stdout).toContain(
      '::error file=deploy/app/claim.yaml,line=10,col=7,endColumn=14,title=InvalidClaim::claim media/films: ',
    );
    expect(read(at, 'summary.md')).toMatch(/^What an earlier step said\.\n### Storage claims: 1 error\n/);
    const [result] = JSON.parse(read(at, 'storage.sarif')).runs[0].results;
    expect(result.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'deploy/app/claim.yaml', uriBaseId: '%SRCROOT%' },
      region: { startLine: 10, startColumn: 7, endColumn: 14 },
    });
  });

  it('passes what nothing is wrong with', () => {
    const at = good();
    expect(step(check, at)).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(read(at, 'storage.sarif')).runs[0].results).toEqual([]);
  });
});

describe('the GitLab job', () => {
  const { storage } = pipeline('gitlab-ci.yaml') as {
    storage: {
      before_script: string[];
      script: string[];
      artifacts: { reports: { codequality: string; junit: string } };
    };
  };

  it('installs the package', () => {
    expect(storage.before_script).toEqual(['npm install --global kubectl-pvc-explain']);
  });

  it('leaves both reports and fails', () => {
    const at = bad();
    const { status, stdout } = step(storage.script.join('\n'), at, { CI: 'true', GITLAB_CI: 'true' });
    expect(status).toBe(1);
    expect(stdout).toContain('deploy/app/claim.yaml:10:7: error: claim media/films: ');
    expect(JSON.parse(read(at, storage.artifacts.reports.codequality))).toMatchObject([
      {
        check_name: 'InvalidClaim',
        severity: 'critical',
        location: { path: 'deploy/app/claim.yaml', lines: { begin: 10 } },
      },
    ]);
    expect(read(at, storage.artifacts.reports.junit)).toContain('tests="1" failures="1"');
  });

  it('passes what nothing is wrong with', () => {
    expect(step(storage.script.join('\n'), good())).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('the pre-commit hook', () => {
  const { repos } = pipeline('pre-commit-config.yaml') as {
    repos: { hooks: { entry: string; files: string; additional_dependencies: string[] }[] }[];
  };
  const hook = repos[0]?.hooks[0] as { entry: string; files: string; additional_dependencies: string[] };

  /** The framework calls the entry with the names of the staged files that the pattern takes. */
  const commit = (at: string) => {
    const staged = execFileSync('git', ['diff', '--cached', '--name-only'], { cwd: at, encoding: 'utf8' })
      .trim()
      .split('\n');
    const taken = staged.filter((name) => new RegExp(hook.files).test(name));
    return step([hook.entry, ...taken].join(' '), at);
  };

  it('installs the package', () => {
    expect(hook.additional_dependencies).toEqual(['kubectl-pvc-explain']);
  });

  it('holds up a commit', () => {
    expect(commit(bad())).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('deploy/app/claim.yaml:10:7: error: '),
    });
  });

  it('lets a commit pass', () => {
    expect(commit(good())).toMatchObject({ status: 0, stderr: '' });
  });

  it.each([
    { name: 'holds up', at: bad, status: 1 },
    { name: 'lets pass', at: good, status: 0 },
  ])('as a script of git $name what is staged, not what is in the folder', ({ at: make, status }) => {
    const at = make();
    cpSync(join(root, 'docs/ci/pre-commit.sh'), join(at, '.git/hooks/pre-commit'));
    chmodSync(join(at, '.git/hooks/pre-commit'), 0o755);
    writeFileSync(join(at, 'deploy/app/claim.yaml'), claim(status === 1 ? '5Gi' : '0'));
    const done = step('git -c user.name=a -c user.email=a@example.com commit --quiet -m films', at);
    expect(done.status, done.stdout + done.stderr).toBe(status);
  });
});

describe('in a repository', () => {
  it('the configuration of the root counts in every folder, and files are named from the root', () => {
    const at = repository({
      '.pvc-explain.yaml': 'ignore:\n- {code: InvalidClaim, path: deploy/app/*, reason: a draft}\n',
      'deploy/app/claim.yaml': claim('0'),
    });
    const { status, stdout } = step('kubectl-pvc_explain check claim.yaml --offline -o json', join(at, 'deploy/app'));
    expect(status).toBe(0);
    expect(JSON.parse(stdout).findings).toMatchObject([
      { ignored: 'a draft', location: { file: 'claim.yaml', path: 'deploy/app/claim.yaml' } },
    ]);
  });

  it.each([
    {
      name: '.pvc-explain.yaml',
      text: '# mine\nseverities:\n  ClasMissing: error\n',
      says: 'error: .pvc-explain.yaml:3: severities: unknown code "ClasMissing"; did you mean "ClassMissing"?\n',
    },
    { name: '.pvc-explain.yaml', text: 'failOn: [error\n', says: 'error: .pvc-explain.yaml:2: ' },
    {
      name: '.pvc-explain.yml',
      text: '',
      says: 'error: .pvc-explain.yml is not read: rename it to .pvc-explain.yaml\n',
    },
  ])('a configuration that cannot be meant fails: $says', ({ name, text, says }) => {
    const at = repository({ [name]: text, 'claim.yaml': claim('5Gi') });
    const { status, stderr } = step('kubectl-pvc_explain check claim.yaml --offline', at);
    expect(status).toBe(2);
    expect(stderr).toContain(says);
  });

  it('a release without quotes is the release, and off is off', () => {
    const config = 'kubernetesVersions: [1.30, 1.31]\nseverities: {InvalidClaim: off}\n';
    const at = repository({ '.pvc-explain.yaml': config, 'claim.yaml': claim('0') });
    const { stdout } = step('kubectl-pvc_explain check claim.yaml --offline -o json', at);
    expect(JSON.parse(stdout)).toMatchObject({ simulated: ['1.30', '1.31'], findings: [] });
  });

  it('a baseline accepts what is known, tells what is gone, and lets nothing new pass', () => {
    const at = repository({ 'a.yaml': claim('0') });
    const check = 'kubectl-pvc_explain check --offline --baseline known.json -f .';
    expect(step(`${check} --write-baseline`, at).status).toBe(0);
    expect(step(check, at)).toMatchObject({ status: 0, stdout: expect.stringMatching(/1 accepted by the\s+baseline/) });
    // Lines may move.
    writeFileSync(join(at, 'a.yaml'), `# moved\n\n${claim('0')}`);
    expect(step(check, at).status).toBe(0);
    writeFileSync(join(at, 'b.yaml'), claim('0').replace('films', 'series'));
    expect(step(check, at)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^b\.yaml:10:7: error: claim media\/series/),
    });
    rmSync(join(at, 'b.yaml'));
    writeFileSync(join(at, 'a.yaml'), claim('5Gi'));
    expect(step(check, at).stdout).toContain('1 finding of the baseline is gone: --write-baseline drops it.');
  });
});

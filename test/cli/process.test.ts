import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ownVersion } from '../../src/cli/version.ts';

// The program as it is installed: dist is built by `npm test` before.
const root = new URL('../../', import.meta.url).pathname;
const bin = join(root, 'bin/kubectl-pvc_explain');
const library = join(root, 'examples/media-library.yaml');
const folder = mkdtempSync(join(tmpdir(), 'pvc-explain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, [bin, ...args], {
    input,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '', ...env },
  });

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('exit codes and streams', () => {
  it.each([
    {
      name: 'an explanation ends with 0, whatever the claim is',
      args: ['-f', library],
      code: 0,
      out: 'media/films',
      err: '',
    },
    {
      name: 'a claim that is not there ends with 2 and the nearest name',
      args: ['filmz', '-f', library],
      code: 2,
      out: '',
      err: 'error: claim "filmz" is not in the input; did you mean "films"?',
    },
    {
      name: 'no input ends with 2',
      args: [],
      code: 2,
      out: '',
      err: 'error: ',
      env: { KUBECONFIG: '/nonexistent/config', HOME: '/nonexistent' },
    },
    { name: 'a missing file ends with 2', args: ['-f', 'nowhere.yaml'], code: 2, out: '', err: 'error: ' },
    {
      name: 'an unknown flag ends with 2',
      args: ['--colour'],
      code: 2,
      out: '',
      err: "error: unknown option '--colour'",
    },
    {
      name: 'an unknown format ends with 2 in kubectl’s words',
      args: ['-f', library, '-o', 'xml'],
      code: 2,
      out: '',
      err: 'error: unable to match a printer suitable for the output format "xml"',
    },
    {
      name: 'an unknown release ends with 2',
      args: ['-f', library, '--kubernetes-version', 'newest'],
      code: 2,
      out: '',
      err: 'error: "newest" is not a Kubernetes version',
    },
    {
      name: 'a code that is not in the catalogue ends with 2',
      args: ['rules', 'CapacityTooSmal'],
      code: 2,
      out: '',
      err: 'did you mean CapacityTooSmall?',
    },
    { name: 'help ends with 0', args: ['--help'], code: 0, out: 'Usage: kubectl pvc-explain', err: '' },
    {
      name: 'the version ends with 0',
      args: ['--version'],
      code: 0,
      out: `kubectl-pvc-explain ${ownVersion}`,
      err: '',
    },
  ])('$name', ({ args, code, out, err, env }) => {
    const { status, stdout, stderr } = run(args, '', env);
    expect({ status, stdout, stderr }).toEqual({
      status: code,
      stdout: expect.stringContaining(out),
      stderr: expect.stringContaining(err),
    });
    if (code === 2) expect(stdout).toBe('');
    if (err === '') expect(stderr).toBe('');
  });

  it('reads standard input as "-"', () => {
    expect(run(['-f', '-'], readFileSync(library, 'utf8')).stdout).toBe(run(['-f', library]).stdout);
  });

  it('reports a bad document with file, document and line, and uses the rest', () => {
    const path = file(
      'half.yaml',
      `${readFileSync(library, 'utf8')}\n---\nkind: PersistentVolume\nmetadata: {name: [}\n`,
    );
    const { status, stdout, stderr } = run(['-f', path]);
    expect(status).toBe(0);
    expect(stdout).toContain('media/films');
    expect(stderr).toMatch(/^error: .*half\.yaml:2:\d+: /m);
    expect(run(['-f', path, '--strict']).status).toBe(2);
  });

  it('knows its version', () => {
    expect(ownVersion).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  });
});

describe('colour', () => {
  it('is not written into a pipe, and is when it is asked for', () => {
    expect(run(['-f', library]).stdout).not.toContain('\u001b');
    expect(run(['-f', library, '--color', 'always']).stdout).toContain('\u001b[31m');
  });
});

describe('a reader that goes away', () => {
  it('ends the program quietly', async () => {
    const child = spawn(process.execPath, [bin, 'rules'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('machine formats', () => {
  it('name the claims as kubectl does', () => {
    expect(run(['-f', library, '-o', 'name']).stdout).toBe(
      'persistentvolumeclaim/films\npersistentvolumeclaim/series\n',
    );
  });

  it('let jsonpath and custom columns pick', () => {
    expect(run(['-f', library, '-o', 'jsonpath={.items[0].verdict.outcome}']).stdout).toBe('Stuck');
    expect(run(['-f', library, '-o', 'custom-columns=NAME:.metadata.name,CAUSE:.cause', '--no-headers']).stdout).toBe(
      'films    CapacityTooSmall\nseries   <none>\n',
    );
  });

  it('give the same bytes for the same input', () => {
    expect(run(['-f', library, '-o', 'json']).stdout).toBe(run(['-f', library, '-o', 'json']).stdout);
  });
});

const kubectl = (() => {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return 'kubectl';
  } catch {
    return undefined;
  }
})();

describe.skipIf(kubectl === undefined)(
  kubectl === undefined ? 'kubectl: skipped, there is none on PATH' : 'kubectl',
  () => {
    const env = { ...process.env, PATH: `${join(root, 'bin')}${delimiter}${process.env.PATH}` };

    it('runs the program as its plugin', () => {
      const { status, stdout } = spawnSync('kubectl', ['pvc-explain', '-f', library], { env, encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 0, stdout: run(['-f', library]).stdout });
    });

    it('passes our exit code on', () => {
      expect(spawnSync('kubectl', ['pvc-explain', 'filmz', '-f', library], { env }).status).toBe(2);
    });

    it('lists it without a warning', () => {
      const { stdout, stderr } = spawnSync('kubectl', ['plugin', 'list'], { env, encoding: 'utf8' });
      expect(stdout).toContain(bin);
      expect(`${stdout}${stderr}`).not.toContain('warning');
    });
  },
);

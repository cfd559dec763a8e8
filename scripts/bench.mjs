#!/usr/bin/env node
// Measures start-up and growth:
//   npm run build && npm run bench -- [--n 1000 --n 3000 --n 10000] [--rounds 3]
// Writes dumps of so many volumes and claims, runs every contender on each of them in turn, and prints CPU time as a ratio to js-yaml
// (start-up: to an empty Node.js), peak memory, and how CPU time grows with the dump. CPU time, not wall time: the machine may be busy.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    n: { type: 'string', multiple: true, default: ['1000', '3000', '10000'] },
    rounds: { type: 'string', default: '3' },
  },
});
const sizes = options.n.map(Number).sort((a, b) => a - b);
const rounds = Number(options.rounds);
const pathOf = (name) => new URL(name, import.meta.url).pathname;
const program = pathOf('../bin/kubectl-pvc_explain');
const library = pathOf('../dist/index.js');

const nothing = ['-e', '0'];
const startUp = { 'node -e 0': nothing, '--help': [program, '--help'] };

const decide = (ending) => `
  import { featuresFor, loadFiles, newestRelease, asStored, buildSnapshot, simulate } from ${JSON.stringify(library)};
  const snapshot = asStored(buildSnapshot(await loadFiles([process.argv[1]])));
  ${ending}`;

/** The contenders on a dump, told apart by what they do with it. */
const onDump = ({ yaml, json }) => ({
  'JSON.parse': ['-e', `JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'))`, json],
  'js-yaml': ['-e', `require('js-yaml').load(require('node:fs').readFileSync(process.argv[1], 'utf8'))`, yaml],
  load: ['--input-type=module', '-e', decide(''), yaml],
  'load, decide': [
    '--input-type=module',
    '-e',
    decide('simulate(snapshot, { features: featuresFor(newestRelease) });'),
    yaml,
  ],
  explain: [program, '-f', yaml],
  'explain -o json': [program, '-f', yaml, '-o', 'json'],
});

/** What one run of a contender takes. */
function take(args) {
  const stdio = ['ignore', 'ignore', 'inherit', 'pipe'];
  const { status, output } = spawnSync(process.execPath, ['--require', pathOf('bench/usage.cjs'), ...args], {
    cwd: pathOf('..'),
    stdio,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`exit code ${status}: node ${args.join(' ')}`);
  return JSON.parse(output[3]);
}

/** The least that each contender takes in some rounds, in which they take turns. */
function contest(contenders) {
  const best = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, args] of Object.entries(contenders)) {
      const { cpuMs, peakMiB } = take(args);
      const before = best[name];
      best[name] = {
        cpuMs: Math.min(cpuMs, before?.cpuMs ?? Number.POSITIVE_INFINITY),
        peakMiB: Math.min(peakMiB, before?.peakMiB ?? Number.POSITIVE_INFINITY),
      };
    }
  }
  return best;
}

function dumpOf(folder, n) {
  const written = (format) => {
    const file = join(folder, `${n}.${format}`);
    const { status } = spawnSync(
      process.execPath,
      [pathOf('bench/gen-dump.mjs'), '--n', String(n), '--format', format, '-o', file],
      { stdio: 'inherit' },
    );
    if (status !== 0) throw new Error(`the dump of ${n} was not written`);
    return file;
  };
  return { yaml: written('yaml'), json: written('json') };
}

function print(title, results, base, smaller) {
  console.log(`\n${title}`);
  console.log(
    `${'CONTENDER'.padEnd(18)}${'CPU'.padStart(9)}${'RATIO'.padStart(9)}${'PEAK'.padStart(10)}${'GROWTH'.padStart(9)}`,
  );
  for (const [name, { cpuMs, peakMiB }] of Object.entries(results)) {
    const ratio = `${(cpuMs / results[base].cpuMs).toFixed(2)}x`;
    const growth = smaller === undefined ? '' : `${(cpuMs / smaller[name].cpuMs).toFixed(1)}x`;
    console.log(
      `${name.padEnd(18)}${`${Math.round(cpuMs)} ms`.padStart(9)}${ratio.padStart(9)}${`${Math.round(peakMiB)} MiB`.padStart(10)}${growth.padStart(9)}`,
    );
  }
}

print('Start-up', contest(startUp), 'node -e 0');
const folder = mkdtempSync(join(tmpdir(), 'pvc-explain-bench-'));
try {
  let smaller;
  for (const n of sizes) {
    const dump = dumpOf(folder, n);
    const results = contest(onDump(dump));
    print(
      `${n} volumes and claims, ${(statSync(dump.yaml).size / 2 ** 20).toFixed(1)} MiB of YAML`,
      results,
      'js-yaml',
      smaller,
    );
    smaller = results;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

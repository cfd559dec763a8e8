#!/usr/bin/env node
// Compares our engine with the real controllers on fresh random clusters:
//   npm run conformance -- --seed N --count N [--profile bind|wild|odd|schedule|rich|validate] [--kubernetes-version vX.Y.Z] [--all-releases]
// Uses the oracle of the release that PVORACLE_DIR or the cache holds, or builds it (needs Go). Exit 1 on a difference.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { normal } from '../test/conformance/oracle/normal.mjs';
import { generatorOf, profiles } from '../test/conformance/oracle/profiles.mjs';

const releases = ['v1.37.2', 'v1.36.3', 'v1.35.4', 'v1.34.4'];
const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    profile: { type: 'string', multiple: true, default: Object.keys(profiles) },
    'kubernetes-version': { type: 'string', default: releases[0] },
    'all-releases': { type: 'boolean', default: false },
    show: { type: 'string', default: '3' },
  },
});
const oracleFolder = new URL('../test/conformance/oracle/', import.meta.url).pathname;

/** The oracle of a release, built if need be. */
function oracleOf(release) {
  const name = `pvoracle-${release.slice(1)}`;
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'pvoracle');
  const found = [process.env.PVORACLE_DIR, cache]
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(existsSync);
  if (found) return found;
  const built = join(cache, name);
  mkdirSync(cache, { recursive: true });
  execFileSync(join(oracleFolder, 'build.sh'), [release, built], { stdio: ['ignore', 'inherit', 'inherit'] });
  return built;
}

/** Runs a command with a file as input and a file as output. */
async function pipe(command, args, input, output) {
  const child = spawn(command, args, { stdio: [input ?? 'ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  await pipeline(child.stdout, createWriteStream(output));
  const [code] = await ended;
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}

const linesOf = (file) => readFileSync(file, 'utf8').split('\n').filter(Boolean);
const same = (a, b) => isDeepStrictEqual(normal(JSON.parse(a)), normal(JSON.parse(b)));

/**
 * The requests that no run of the oracle answers as we do. Upstream leaves some choices to Go's maps (which of two volumes
 * reserved for one claim the scheduler takes), so that the oracle does not answer the same each time.
 */
async function unexplained(oracle, different, file) {
  let left = different;
  for (let run = 0; run < mostRuns && left.length > 0; run++) {
    writeFileSync(file('again'), left.map(({ request }) => request).join('\n'));
    await pipe(oracle, [], openSync(file('again')), file('answered'));
    const answers = linesOf(file('answered'));
    left = left.filter(({ actual }, i) => !same(answers[i], actual));
  }
  return left;
}

/** How often the oracle is asked again where it differs from us. */
const mostRuns = 40;

const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
let failed = false;
try {
  for (const release of options['all-releases'] ? releases : [options['kubernetes-version']]) {
    const oracle = oracleOf(release);
    for (const profile of options.profile) {
      const file = (name) => join(folder, `${profile}.${name}.ndjson`);
      await pipe(process.execPath, generatorOf(profile, options.seed, options.count), undefined, file('requests'));
      await pipe(oracle, [], openSync(file('requests')), file('expected'));
      const answerer = [new URL('conformance-answer.mjs', import.meta.url).pathname, '--kubernetes-version', release];
      await pipe(process.execPath, answerer, openSync(file('requests')), file('actual'));
      const [requests, expected, actual] = ['requests', 'expected', 'actual'].map((name) => linesOf(file(name)));
      const different = requests
        .map((request, i) => ({ request, expected: expected[i], actual: actual[i] ?? '{}' }))
        .filter((one) => !same(one.expected, one.actual));
      const left = await unexplained(oracle, different, file);
      const open = different.length - left.length;
      console.log(
        `${release} ${profile}, seed ${options.seed}: ${requests.length} compared, ${left.length} different, ${open} where the oracle gives several answers and ours is among them`,
      );
      if (left.length === 0) continue;
      failed = true;
      writeFileSync(file('expected'), left.map((one) => one.expected).join('\n'));
      writeFileSync(file('actual'), left.map((one) => one.actual).join('\n'));
      const compare = [join(oracleFolder, 'compare.mjs'), file('expected'), file('actual'), '--show', options.show];
      spawnSync(process.execPath, compare, { stdio: 'inherit' });
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

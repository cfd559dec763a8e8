#!/usr/bin/env node
// Holds the predictions for every case of test/scenarios against what a real API server, real controllers and a real scheduler make of
// it:
//   KUBELAB=path/to/kubelab node scripts/e2e.mjs [CASE...]
// Takes about 10 minutes on 2 cores. Exit 1 on a difference.
import { spawnSync } from 'node:child_process';

const cases = process.argv.slice(2);
const vitest = new URL('../node_modules/vitest/vitest.mjs', import.meta.url).pathname;
const args = [vitest, 'run', 'test/e2e/cases.test.ts', '--maxConcurrency', '1000'];
const { status } = spawnSync(process.execPath, args, {
  cwd: new URL('../', import.meta.url).pathname,
  env: { ...process.env, E2E: cases.length === 0 ? 'all' : cases.join(',') },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

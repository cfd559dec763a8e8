import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { ClaimReport } from '../../src/report/claim-report.ts';
import { type Scenario, scenarios } from '../scenarios/scenario.ts';
import { differences } from './differences.ts';
import { kubelab, reality, scratch, skipped } from './kubelab.ts';

// What the program predicts from a dump, and what a real API server, real controllers and a real scheduler make of the same dump.
// scripts/e2e.mjs runs all cases; here a sample of all sorts.
const bin = process.env.PVC_EXPLAIN ?? new URL('../../bin/kubectl-pvc_explain', import.meta.url).pathname;

const sample = '012,016,024,030,034,048,066,072,082,084';
const wanted = process.env.E2E ?? sample;
const chosen = scenarios().filter(({ name }) => wanted === 'all' || wanted.split(',').includes(name.slice(0, 3)));

/** Of a control plane each, so many run at a time. */
const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];

function inLane<T>(i: number, run: () => Promise<T>): Promise<T> {
  const lane = i % lanes.length;
  const done = (lanes[lane] as Promise<unknown>).then(run, run);
  lanes[lane] = done;
  return done;
}

function predict({ input }: Scenario): readonly ClaimReport[] {
  const args = [bin, '-f', input, '-A', '--all', '-o', 'json', '--kubernetes-version', '1.37'];
  return JSON.parse(spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e9 }).stdout).items;
}

async function compare(scenario: Scenario): Promise<readonly string[]> {
  const folder = scratch();
  try {
    const real = await reality(folder.path, scenario.input);
    const reports = predict(scenario);
    expect(reports).not.toEqual([]);
    return reports.flatMap((report) => differences(report, real));
  } finally {
    folder.remove();
  }
}

if (kubelab === undefined) console.warn(skipped);
describe.skipIf(kubelab === undefined)(`the real components do what was predicted from the dump`, () => {
  it.concurrent.each(chosen.map((scenario, i) => ({ name: scenario.name, scenario, i })))(
    '$name',
    async ({ scenario, i }) => expect(await inLane(i, () => compare(scenario))).toEqual([]),
    1_200_000,
  );
});

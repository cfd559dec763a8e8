import { readdirSync, readFileSync } from 'node:fs';
import { CORE_SCHEMA, load } from 'js-yaml';
import type { CheckReport } from '../../src/report/check-report.ts';
import { run } from '../cli/run.ts';

export const folder = 'test/check/scenarios';

/** One situation: manifests, the arguments of `check` (`@` is the folder), and the exit code. */
export interface Scenario {
  readonly name: string;
  readonly args: readonly string[];
  readonly exit: number;
}

export const scenarios: readonly Scenario[] = readdirSync(folder).map((name) => {
  const { args, exit } = load(readFileSync(`${folder}/${name}/case.yaml`, 'utf8'), { schema: CORE_SCHEMA }) as {
    readonly args: string;
    readonly exit: number;
  };
  return { name, args: args.replaceAll('@/', `${folder}/${name}/`).split(' '), exit };
});

/** The report of a check. */
export async function checked(args: readonly string[]): Promise<CheckReport> {
  const { stdout } = await run(['check', ...args, '-o', 'json']);
  return JSON.parse(stdout);
}

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { CORE_SCHEMA, load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { run } from '../cli/run.ts';

const folder = 'test/check/scenarios';

/** One situation: manifests, the arguments of `check` (`@` is the folder), the exit code, and what is printed. */
const scenarios = readdirSync(folder).map((name) => {
  const { args, exit } = load(readFileSync(`${folder}/${name}/case.yaml`, 'utf8'), { schema: CORE_SCHEMA }) as {
    readonly args: string;
    readonly exit: number;
  };
  return { name, args: args.replaceAll('@/', `${folder}/${name}/`).split(' '), exit };
});

describe.each(scenarios)('$name', ({ name, args, exit }) => {
  // Read the difference of a golden file as carefully as code; UPDATE_GOLDEN=1 npm test rewrites them.
  it(`ends with ${exit}, and says why`, async () => {
    const { code, stdout, stderr } = await run(['check', ...args]);
    const golden = `${folder}/${name}/expected.txt`;
    if (process.env.UPDATE_GOLDEN !== undefined) writeFileSync(golden, stdout);
    expect(stderr).toBe('');
    expect(existsSync(golden), `${golden} is missing; UPDATE_GOLDEN=1 npm test writes it`).toBe(true);
    expect(stdout).toBe(readFileSync(golden, 'utf8'));
    expect(code).toBe(exit);
  });

  it('every finding that counts names a file, a line of it, and the field at fault', async () => {
    const { stdout } = await run(['check', ...args, '-o', 'json']);
    const { findings, failed } = JSON.parse(stdout);
    expect(failed).toBe(exit === 1);
    for (const { location, counts } of findings) {
      if (!counts) continue;
      const line = readFileSync(location.file, 'utf8').split('\n')[location.line - 1] as string;
      const named = line.slice(location.column - 1, location.endColumn - 1);
      const [last = ''] = /[^.[\]"]+(?="?\]?$)/.exec(location.field) ?? [];
      // A field that is not there stands for the nearest one around it.
      expect(`${location.field} ${named}`, `${location.file}:${location.line}`).toMatch(
        named === last || /^\d*$/.test(last) ? /./ : /^\S* ?\S+$/,
      );
    }
  });
});

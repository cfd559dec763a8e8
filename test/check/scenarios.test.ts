import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pathOfText } from '../../src/manifests/manifest.ts';
import { run } from '../cli/run.ts';
import { checked, folder, scenarios } from './scenario.ts';

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
    const { findings, failed } = await checked(args);
    expect(failed).toBe(exit === 1);
    for (const { location, counts } of findings) {
      if (!counts || location.field === '') continue;
      const line = readFileSync(location.file, 'utf8').split('\n')[location.line - 1] as string;
      const named = line.slice(location.column - 1, location.endColumn - 1);
      // A field that is not there stands for the nearest one around it.
      expect(pathOfText(location.field), `${location.file}:${location.line}`).toContain(named);
    }
  });
});

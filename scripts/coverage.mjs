#!/usr/bin/env node
// Which branches of the PersistentVolume controller do the recorded clusters reach?
//   npm run coverage
// Our engine answers every recorded request under V8's block coverage, which counts how often each block ran. A decision has two
// ways out, counted from the block behind it and from what is left over; `?.`, `??=` and default values are no blocks to V8 and
// are left out, and what stands behind a call that throws counts as run. test/conformance/coverage.md says why what is missing
// cannot be reached.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename, dirname, relative, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { parseAst } from 'vitest/node';

const measured = /^src\/engine\/(pv-controller\/.*|volume-checks)\.ts$/;
const folder = resolve('build/coverage');
const bundle = `${folder}/answer.mjs`;
const recorded = 'test/conformance/golden';

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await build({
  stdin: { contents: "import { serve } from './answer.ts'; await serve([]);", resolveDir: 'test/conformance' },
  outfile: bundle,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
});
const requests = readdirSync(recorded)
  .filter((name) => name.endsWith('.requests.ndjson.gz'))
  .map((name) => gunzipSync(readFileSync(`${recorded}/${name}`)));
const run = spawnSync(process.execPath, [bundle], {
  input: Buffer.concat(requests),
  env: { ...process.env, NODE_V8_COVERAGE: folder },
  stdio: ['pipe', 'ignore', 'inherit'],
});
if (run.status !== 0) throw new Error(`answering ended with ${run.status ?? run.signal}`);

const code = readFileSync(bundle, 'utf8');
const ranges = readdirSync(folder)
  .filter((name) => name.startsWith('coverage-'))
  .flatMap((name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')).result)
  .filter(({ url }) => url.endsWith(`/${basename(bundle)}`))
  .flatMap(({ functions }) => functions.flatMap((one) => one.ranges))
  .sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset));
/** How often the code at an offset ran: what the smallest block around it says. */
const timesAt = (offset) => ranges.find((one) => one.startOffset <= offset && offset < one.endOffset).count;

const lineStarts = [0];
for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) lineStarts.push(at + 1);
const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
/** The source file and line (from 1) of an offset. */
function sourceOf(offset) {
  const line = lineStarts.findLastIndex((start) => start <= offset);
  const { originalSource, originalLine } = map.findEntry(line, offset - lineStarts[line]);
  const file = originalSource && relative('.', resolve(dirname(bundle), originalSource));
  return { file, line: originalLine + 1 };
}

/** The ways out of a piece of syntax, with how often each was taken. */
function* waysOf(node) {
  const times = () => timesAt(node.start);
  const split = function* (taken, other, [yes, no]) {
    const count = timesAt(taken.start);
    yield [yes, count, taken];
    yield [no, other ? timesAt(other.start) : times() - count, other ?? node];
  };
  switch (node.type) {
    case 'IfStatement':
      return yield* split(node.consequent, node.alternate, ['if', 'if not']);
    case 'ConditionalExpression':
      return yield* split(node.consequent, node.alternate, ['?', ':']);
    case 'LogicalExpression':
      return yield* split(node.right, undefined, [`right of ${node.operator}`, `only left of ${node.operator}`]);
    case 'ForStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
      return yield ['loop', timesAt(node.body.start), node];
    case 'SwitchCase':
      return yield [node.test ? 'case' : 'default', timesAt((node.consequent[0] ?? node).start), node];
    case 'CatchClause':
      return yield ['catch', timesAt(node.body.start), node];
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return yield ['function', timesAt(node.body.start), node];
  }
}

const files = new Map();
function visit(node, isCalled) {
  let inside = isCalled;
  for (const [way, times, at] of waysOf(node)) {
    const { file, line } = sourceOf(at.start);
    if (!measured.test(file ?? '')) continue;
    const found = files.get(file) ?? { ways: 0, missed: [] };
    files.set(file, found);
    found.ways++;
    // What stands in a function that nobody calls is counted, but not named one by one.
    if (times === 0) found.missed.push({ line, way, named: isCalled });
    if (way === 'function' && times === 0) inside = false;
  }
  for (const child of Object.values(node).flat()) if (child?.type) visit(child, inside);
}
visit(parseAst(code), true);

const percent = (reached, ways) => `${((100 * reached) / ways).toFixed(1)} %`;
let [ways, reached] = [0, 0];
const list = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
for (const [file, found] of list) {
  const got = found.ways - found.missed.length;
  ways += found.ways;
  reached += got;
  console.log(`${percent(got, found.ways).padStart(8)} ${`${got}/${found.ways}`.padStart(8)}  ${file}`);
}
console.log(`${percent(reached, ways).padStart(8)} ${`${reached}/${ways}`.padStart(8)}  of all branches`);
for (const [file, { missed }] of list) {
  const source = readFileSync(file, 'utf8').split('\n');
  const named = missed.filter((one) => one.named).sort((a, b) => a.line - b.line);
  if (named.length > 0) console.log(`\n${file}`);
  for (const { line, way } of named) console.log(`  ${line} ${way}: ${source[line - 1].trim().slice(0, 120)}`);
}

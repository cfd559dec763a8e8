#!/usr/bin/env node
// Writes what is made from the program itself: docs/rules.md, man/, completions/.
//   node scripts/docs.mjs [--check]
// With --check nothing is written; exit 1 and the names of the files that are stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';
import { build } from 'esbuild';
import { manPage } from './man.mjs';

process.chdir(new URL('../', import.meta.url).pathname);

const outfile = 'build/docs.mjs';
await build({
  stdin: {
    contents: `
      export { createProgram } from './src/cli/program.ts';
      export { scripts } from './src/cli/complete/scripts.ts';
      export { ownVersion } from './src/cli/version.ts';
      export { exitCodes } from './src/report/exit-code.ts';
      export { ruleList } from './src/report/rule-report.ts';
    `,
    resolveDir: '.',
  },
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['@kubernetes/client-node', 'ink', 'react', 'cli-table3'],
  logLevel: 'error',
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
});
const source = await import(new URL(`../${outfile}`, import.meta.url));

const exitMeanings = {
  clean: 'The question was answered.',
  findings: 'A command that judges found something, or --until-bound gave up waiting.',
  failure: 'It could not be answered: usage, unreadable input, no access.',
};

const files = new Map([
  ['docs/rules.md', rulesPage(source.ruleList().items)],
  ['man/kubectl-pvc_explain.1', man()],
  ...Object.entries(source.scripts).map(([shell, text]) => [`completions/kubectl-pvc_explain.${shell}`, text]),
]);

const isCheck = process.argv.includes('--check');
const stale = [...files].filter(([path, text]) => read(path) !== text);
for (const [path, text] of stale) {
  if (isCheck) console.error(`${path} is stale: node scripts/docs.mjs writes it`);
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(path);
  }
}
process.exitCode = isCheck && stale.length > 0 ? 1 : 0;

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function man() {
  let help = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      help += chunk;
      done();
    },
  });
  const program = source.createProgram({ stdin: process.stdin, stdout, stderr: stdout });
  program.outputHelp();
  const codes = Object.entries(source.exitCodes).map(([name, code]) => [code, exitMeanings[name]]);
  return manPage(program, help, source.ownVersion, codes);
}

function rulesPage(rules) {
  const lines = [
    '# Rules',
    '',
    'Every code that a report can hold: the rule behind it, and what is said about a claim that it meets. `kubectl pvc-explain rules CODE`',
    'prints the same. Codes are public: none is ever renamed or used for something else.',
    '',
    '| Code | Severity | In short, for example |',
    '|---|---|---|',
    ...rules.map(
      ({ metadata: { name }, severity, example }) =>
        `| [${name}](#${name.toLowerCase()}) | ${severity} | ${text(example.short)} |`,
    ),
  ];
  for (const { metadata, severity, since, rule, example } of rules) {
    lines.push('', `## ${metadata.name}`, '', `${severity}, since ${since}`, '', text(rule), '');
    lines.push(`> **${text(example.what)}**`, '>', `> ${text(example.why)}`);
    if (example.todo !== undefined) lines.push('>', `> *Fix:* ${text(example.todo)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Text that Markdown prints as it is. */
function text(plain) {
  return plain.replace(/[\\*_<>`[\]|]/g, '\\$&');
}

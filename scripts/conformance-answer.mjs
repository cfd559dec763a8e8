#!/usr/bin/env node
// Speaks the oracle's protocol: requests on standard input, answers on standard output. Bundled first, since Node runs no TypeScript.
import { build } from 'esbuild';

await build({
  entryPoints: ['test/conformance/answer.ts'],
  outfile: 'build/conformance-answer.mjs',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
const { serve } = await import(new URL('../build/conformance-answer.mjs', import.meta.url));
await serve(process.argv.slice(2));

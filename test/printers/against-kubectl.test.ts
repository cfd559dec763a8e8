import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { columnsFromSpec, printCustomColumns } from '../../src/printers/custom-columns.ts';
import { printJson } from '../../src/printers/json.ts';
import { parseJsonpath, printJsonpath } from '../../src/printers/jsonpath/print.ts';
import { printNames } from '../../src/printers/name.ts';
import { sortBy } from '../../src/printers/sort-by.ts';
import { printYaml } from '../../src/printers/yaml.ts';

const isInstalled = spawnSync('kubectl', ['version', '--client']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'printers-'));
const run = promisify(execFile);

beforeEach(({ skip }) => skip(!isInstalled, 'no kubectl on the PATH to compare with'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What kubectl prints, or the first line it complains in. */
async function kubectl(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, KUBECONFIG: join(folder, 'no-kubeconfig') };
  try {
    return (await run('kubectl', ['--cache-dir', folder, ...args], { env, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { stderr } = error as { stderr: string };
    return stderr.split('. Printing more information')[0]!.trimEnd();
  }
}

/** What kubectl prints of a document of ours, without a cluster. */
async function kubectlPrints(document: object, format: string): Promise<string> {
  const file = join(folder, 'document.json');
  writeFileSync(file, JSON.stringify(document));
  return kubectl('annotate', '--local', '-f', file, 'absent-', '-o', format);
}

function ours(print: () => Iterable<string>): string {
  try {
    return [...print()].join('');
  } catch (error) {
    return `error: ${(error as Error).message}`;
  }
}

const report = {
  apiVersion: 'pvc-explain/v1',
  kind: 'ClaimReport',
  metadata: { name: 'films', namespace: 'media', annotations: { 'a.b/c': 'x' } },
  verdict: { outcome: 'Stuck', certainty: 'certain', volumes: [] },
  volumes: [
    { name: 'archive-03', bytes: 500e9, checks: [{ code: 'CapacityTooSmall', pass: false }], ratio: 0.93 },
    { name: 'archive-02', bytes: 2 ** 40, checks: [{ code: 'AccessModes', pass: false }], ratio: 1.5 },
    {
      name: 'nfs-07',
      bytes: 2 ** 41,
      checks: [
        { code: 'ClassName', pass: false },
        { code: 'Size', pass: true },
      ],
    },
  ],
  nodes: { 'node-a': { free: '<1 cpu> & more' } },
  note: null,
  large: 1234567.5,
};

describe('kubectl prints the same', () => {
  it('by templates', async () => {
    const templates = [
      'plain {.kind}/{.metadata.name} {$.kind} {@.kind} { .kind }',
      '{.note} {.nope} {.large} {.volumes[*].bytes} {.volumes[*].ratio}',
      '{.volumes[0]} {.verdict} {.nodes}',
      "{.metadata.annotations.a\\.b/c} {.metadata['annotations']['a\\.b/c']} {['metadata.name','kind']}",
      '{.volumes[-1].name} {.volumes[0:2].name} {.volumes[::2].name} {.volumes[0,2].name} {.volumes[].name}',
      '{range .volumes[*]}{.name}{"\\t"}{range .checks[*]}{.code},{end}{"\\n"}{end}{.kind}',
      '{range .volumes[*]}{.name}',
      '{range .nope[*]}{.name}{end}.',
      '{.volumes[?(@.name=="nfs-07")].bytes} {.volumes[?(@.bytes>1000000000000)].name} {.volumes[?(@.ratio)].name}',
      '{.volumes[?(@.checks[0].code!="ClassName")].name} {.volumes[*].checks[?(@.pass==true)].code}',
      '{.volumes[*].checks[*].pass} {.volumes..code}',
      "{\"\\u00e9\\x41\\101\"}{'it\\'s'}{5}{1.50}{true}",
      '{.kind.*}',
    ];
    // One call for all of them: a process takes longer than a template.
    const template = templates.join('{"\\n--\\n"}');
    expect(ours(() => printJsonpath(report, parseJsonpath(template), { asJson: false }))).toBe(
      await kubectlPrints(report, `jsonpath=${template}`),
    );
    expect(ours(() => printJsonpath(report, parseJsonpath(template), { asJson: true }))).toBe(
      await kubectlPrints(report, `jsonpath-as-json=${template}`),
    );
  });

  it.each([
    '{.kind',
    '{.volumes[?(@.name=="a" && @.bytes==1)]}',
    '{.volumes["name"]}',
    '{.volumes[9]}',
    '{.kind[0]}',
    '{.nodes[?(@.free)]}',
    '{.volumes[?(@.name<>"a")]}',
    '{.volumes[?(@.name==1)]}',
    '{word}',
    '{end}',
  ])('its complaint about %s', async (template) => {
    expect(ours(() => printJsonpath(report, parseJsonpath(template), { asJson: false }))).toBe(
      await kubectlPrints(report, `jsonpath=${template}`),
    );
  });

  it('as name, YAML and JSON', async () => {
    expect(ours(() => printNames([report]))).toBe(await kubectlPrints(report, 'name'));
    expect(ours(() => printYaml(report))).toBe(await kubectlPrints(report, 'yaml'));
    expect(ours(() => printJson(report))).toBe(await kubectlPrints(report, 'json'));
  });

  it('as YAML and JSON, whatever the strings', async () => {
    const document = { ...report, spec: { values: fc.sample(anything, { numRuns: 300, seed: 11 }) } };
    const plain = JSON.parse(JSON.stringify(document));
    expect(ours(() => printYaml(plain))).toBe(await kubectlPrints(plain, 'yaml'));
    expect(ours(() => printJson(plain))).toBe(await kubectlPrints(plain, 'json'));
  });
});

describe('kubectl get prints the same', () => {
  const claims = [
    { name: 'films', size: '500Gi', retries: 3 },
    { name: 'series', size: '500M', retries: 10 },
    { name: 'books', size: '1Ti' },
  ].map(({ name, size, retries }) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default', labels: { app: 'player', tier: 'b c' } },
    spec: { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], resources: { requests: { storage: size } } },
    status: { phase: 'Pending', message: '\x1b[31mred', retries },
  }));
  let server: Server;
  let get: (...args: readonly string[]) => Promise<string>;

  beforeAll(async () => {
    server = apiServer(claims);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    get = (...args) => kubectl('--server', url, 'get', 'pvc', ...args);
  });
  afterAll(() => server.close());

  it.each([
    'NAME:.metadata.name,SIZE:spec.resources.requests.storage',
    'Name:{.metadata.name},LABELS:.metadata.labels,MODES:.spec.accessModes,EACH:.spec.accessModes[*]',
    'RETRIES:.status.retries,MESSAGE:.status.message,NONE:',
    'NAME:.metadata.name,',
    'MODE:.spec.accessModes[9]',
  ])('custom columns %s', async (spec) => {
    expect(ours(() => printCustomColumns(claims, columnsFromSpec(spec), { headers: true })).trimEnd()).toBe(
      (await get('-o', `custom-columns=${spec}`)).trimEnd(),
    );
  });

  it.each(['.metadata.name', 'spec.resources.requests.storage', '{.status.retries}', '.nope'])(
    'sorted by %s',
    async (field) => {
      expect(ours(() => printNames(sortBy(claims, field)))).toBe(await get('-o', 'name', '--sort-by', field));
    },
  );
});

/** As much of an API server as `kubectl get pvc` asks for. */
function apiServer(items: readonly object[]): Server {
  const claims = { name: 'persistentvolumeclaims', singularName: 'persistentvolumeclaim', shortNames: ['pvc'] };
  const resource = { ...claims, kind: 'PersistentVolumeClaim', namespaced: true, verbs: ['get', 'list'] };
  const answers: Readonly<Record<string, object>> = {
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
    '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources: [resource] },
    '/api/v1/namespaces/default/persistentvolumeclaims': {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaimList',
      metadata: { resourceVersion: '1' },
      items,
    },
  };
  return createServer((request, response) => {
    const answer = answers[request.url!.split('?')[0]!];
    response.statusCode = answer === undefined ? 404 : 200;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer ?? { kind: 'Status', status: 'Failure', code: 404 }));
  });
}

// Control characters other than these stop kubectl's YAML printer altogether.
const pieces = fc.constantFrom(
  ...[
    'a',
    'b1',
    ' ',
    '  ',
    ':',
    ': ',
    ' #',
    '-',
    '- ',
    '?',
    '\n',
    ' \n',
    '\n ',
    "'",
    '"',
    '\\',
    '{',
    ']',
    ',',
    '&',
    '*',
    '!',
  ],
  ...[
    '|',
    '>',
    '%',
    '@',
    '`',
    '~',
    '.',
    '---',
    'é',
    '保',
    '🔥',
    '\u00a0',
    '\t',
    '\r',
    '0',
    '7',
    '_',
    'e',
    '+',
    'yes',
    'no',
  ],
  ...['null', '0x', '0b', '2026-03-10', 'T12:00:00Z', '12:30', '<', 'available:', 'persistent', 'volumes'],
);
const anyText = fc.oneof(
  fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join('')),
  fc.array(pieces, { minLength: 25, maxLength: 40 }).map((parts) => parts.join(' ')),
);
const anything = fc.oneof(
  { weight: 5, arbitrary: anyText },
  { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })) },
  { weight: 1, arbitrary: fc.array(anyText, { maxLength: 3 }) },
  {
    weight: 2,
    arbitrary: fc.dictionary(anyText, fc.oneof(anyText, fc.array(anyText, { maxLength: 2 })), { maxKeys: 3 }),
  },
);

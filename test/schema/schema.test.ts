import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Relation, Standing } from '../../src/diagnosis/census.ts';
import type { Severity } from '../../src/diagnosis/codes.ts';
import type { EventsReport, SeenEvent } from '../../src/diagnosis/events.ts';
import type { DataSafety } from '../../src/diagnosis/remedies.ts';
import { type Certainty, outcomes, type Verdict } from '../../src/diagnosis/verdict.ts';
import type {
  Amount,
  ClaimFacts,
  ClaimReport,
  ClaimReportList,
  ClusterReport,
  FindingReport,
  NodeReport,
  PodNodesReport,
  RemedyReport,
  VolumeExample,
  VolumesReport,
} from '../../src/report/claim-report.ts';
import type { ClaimDifference, DifferingVerdict } from '../../src/report/difference.ts';
import { type RuleList, type RuleReport, ruleList } from '../../src/report/rule-report.ts';
import type { Change, SimulationReport, State, SyncReport } from '../../src/report/simulation-report.ts';
import type { Coverage, LoadIssue, Provenance } from '../../src/snapshot/snapshot.ts';
import { run } from '../cli/run.ts';
import { scenarios } from '../scenarios/scenario.ts';
import { problemsOf, type Schema } from './validate.ts';

const folder = new URL('../../schema/', import.meta.url);
const read = (name: string): Schema => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const claims = read('claim-report-list.json');
const simulation = read('simulation-report.json');
const rules = read('rule-report.json');
const library = new URL('../../examples/media-library.yaml', import.meta.url).pathname;

async function printed(args: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await run([...args, '-o', 'json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

it('the folder holds these schemas and no other', () => {
  expect(readdirSync(folder).sort()).toEqual(['claim-report-list.json', 'rule-report.json', 'simulation-report.json']);
});

describe('what is printed is as its schema says', () => {
  const inputs = [
    ...scenarios().map(({ name, input }) => ({ name, input })),
    { name: 'the media library', input: library },
  ];

  it.each(inputs)('$name', async ({ input }) => {
    expect(problemsOf(await printed(['-f', input]), claims)).toEqual([]);
    expect(problemsOf(await printed(['simulate', '-f', input]), simulation)).toEqual([]);
  });

  it('a what-if', async () => {
    const raised = ['--set', 'pv/archive-03:spec.capacity.storage=600Gi'];
    const gone = ['--without', 'pvc/media/films'];
    for (const change of [raised, gone]) {
      const document = (await printed(['-f', library, ...change])) as { readonly differences: readonly unknown[] };
      expect(document.differences).not.toEqual([]);
      expect(problemsOf(document, claims)).toEqual([]);
    }
  });

  it('the rules', async () => {
    expect(problemsOf(await printed(['rules']), rules)).toEqual([]);
  });
});

describe('what is not so is found', () => {
  const wrong = [
    {
      name: 'an outcome that there is not',
      at: 'items.0.verdict.outcome',
      value: 'Maybe',
      says: '.items[0].verdict.outcome is "Maybe"',
    },
    {
      name: 'a number for a text',
      at: 'items.0.summary',
      value: 1,
      says: '.items[0].summary is 1, not of type string',
    },
    { name: 'a field that is missing', at: 'items.0.findings', value: undefined, says: '.items[0] lacks findings' },
    {
      name: 'a field that nobody described',
      at: 'items.0.mood',
      value: 'good',
      says: '.items[0] has mood, which the schema does not know',
    },
    { name: 'another version', at: 'apiVersion', value: 'v2', says: '.apiVersion is not "pvc-explain/v1"' },
    {
      name: 'a line before the first',
      at: 'items.0.claim.source.line',
      value: 0,
      says: '.items[0].claim.source.line is less than 1',
    },
    {
      name: 'a code in other letters',
      at: 'items.0.cause',
      value: 'too-small',
      says: '.items[0].cause is not like ^[A-Z][A-Za-z]+$',
    },
  ];
  it.each(wrong)('$name', async ({ at, value, says }) => {
    const document = (await printed(['-f', library])) as Record<string, unknown>;
    const steps = at.split('.');
    const last = steps.pop() as string;
    let holder = document;
    for (const step of steps) holder = holder[step] as Record<string, unknown>;
    if (value === undefined) delete holder[last];
    else holder[last] = value;
    expect(problemsOf(document, claims)).toEqual([says]);
  });
});

/** Which fields of a type may be absent. A field that is not listed, or not so, does not compile. */
type Presence<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K>
    ? 'optional'
    : undefined extends T[K]
      ? 'optional'
      : 'always';
};

const always = 'always';
const optional = 'optional';

const described = (schema: Schema, path: string): Schema => {
  let found = schema;
  for (const step of path.split('.').filter((part) => part !== '')) {
    found = (step === '[]' ? found.items : (found.$defs?.[step] ?? found.properties?.[step])) as Schema;
    if (found === undefined) throw new Error(`${path}: ${step} is not there`);
  }
  return found;
};

describe('types and schemas name the same fields', () => {
  const list: Presence<ClaimReportList> = {
    apiVersion: always,
    kind: always,
    metadata: always,
    cluster: always,
    load: always,
    differences: optional,
    items: always,
  };
  const cluster: Presence<ClusterReport> = {
    simulated: always,
    kubernetesVersion: optional,
    sources: always,
    capturedAt: optional,
    coverage: always,
  };
  const issue: Presence<LoadIssue> = {
    severity: always,
    file: always,
    document: optional,
    line: optional,
    reason: always,
  };
  const claimReport: Presence<ClaimReport> = {
    apiVersion: always,
    kind: always,
    metadata: always,
    claim: optional,
    verdict: always,
    summary: always,
    cause: optional,
    findings: always,
    volumes: always,
    nodes: always,
    remedies: optional,
    notTried: optional,
    events: always,
  };
  const metadata: Presence<ClaimReport['metadata']> = {
    name: always,
    namespace: always,
    uid: optional,
    creationTimestamp: optional,
  };
  const claim: Presence<ClaimFacts> = {
    phase: always,
    request: optional,
    accessModes: always,
    volumeMode: always,
    class: always,
    volumeName: optional,
    selector: optional,
    volumeAttributesClass: optional,
    deletionTimestamp: optional,
    source: optional,
  };
  const classFacts: Presence<ClaimFacts['class']> = {
    name: always,
    from: always,
    bindingMode: optional,
    provisioner: optional,
    exists: always,
  };
  const source: Presence<Provenance> = { file: always, document: always, line: always };
  const amount: Presence<Amount> = { quantity: always, bytes: always };
  const verdict: Presence<Verdict> = {
    outcome: always,
    certainty: always,
    volumes: always,
    volumeCount: optional,
    orNone: optional,
    atLeast: optional,
    rivals: optional,
    provisioner: optional,
    pods: always,
    lacks: always,
  };
  const difference: Presence<ClaimDifference> = { claim: always, before: optional, after: optional };
  const ending: Presence<DifferingVerdict> = { ...verdict, summary: always };
  const finding: Presence<FindingReport> = {
    code: always,
    severity: always,
    what: always,
    why: always,
    todo: optional,
    short: always,
    args: always,
  };
  const volumes: Presence<VolumesReport> = {
    relation: always,
    count: always,
    codes: always,
    standing: optional,
    examples: always,
  };
  const volume: Presence<VolumeExample> = {
    name: always,
    capacity: always,
    accessModes: always,
    class: always,
    phase: always,
    claim: optional,
    reasons: always,
    skipped: optional,
  };
  const podNodes: Presence<PodNodesReport> = { pod: always, message: optional, nodes: always };
  const node: Presence<NodeReport> = {
    node: always,
    verdict: always,
    plugin: optional,
    reason: optional,
    pod: always,
    claim: optional,
  };
  const remedy: Presence<RemedyReport> = {
    title: always,
    effect: always,
    addresses: always,
    edit: always,
    commands: always,
    dataSafety: always,
    verified: always,
    verdict: always,
    others: always,
  };
  const events: Presence<EventsReport> = { is: always, seen: always, expected: always };
  const seen: Presence<SeenEvent> = {
    type: always,
    reason: always,
    message: always,
    count: always,
    lastSeen: optional,
    component: optional,
  };
  const report: Presence<SimulationReport> = {
    apiVersion: always,
    kind: always,
    metadata: always,
    simulated: always,
    settled: always,
    items: always,
    claims: always,
    volumes: always,
  };
  const sync: Presence<SyncReport> = {
    number: always,
    metadata: always,
    of: always,
    took: always,
    writes: always,
    events: always,
    error: optional,
    lacks: optional,
  };
  const change: Presence<Change> = { key: always, before: optional, after: optional };
  const state: Presence<State> = { phase: always, bound: optional };
  const ruleLists: Presence<RuleList> = { apiVersion: always, kind: always, metadata: always, items: always };
  const rule: Presence<RuleReport> = {
    apiVersion: always,
    kind: always,
    metadata: always,
    severity: always,
    since: always,
    rule: always,
    example: always,
  };

  it.each([
    ['ClaimReportList', claims, '', list],
    ['ClusterReport', claims, 'cluster', cluster],
    ['LoadIssue', claims, 'issue', issue],
    ['ClaimReport', claims, 'claimReport', claimReport],
    ['metadata', claims, 'claimReport.metadata', metadata],
    ['ClaimFacts', claims, 'claim', claim],
    ['class', claims, 'claim.class', classFacts],
    ['Provenance', claims, 'claim.source', source],
    ['Amount', claims, 'amount', amount],
    ['Verdict', claims, 'verdict', verdict],
    ['ClaimDifference', claims, 'difference', difference],
    ['DifferingVerdict', claims, 'ending', ending],
    ['FindingReport', claims, 'finding', finding],
    ['VolumesReport', claims, 'volumes', volumes],
    ['VolumeExample', claims, 'volume', volume],
    ['PodNodesReport', claims, 'podNodes', podNodes],
    ['NodeReport', claims, 'node', node],
    ['RemedyReport', claims, 'remedy', remedy],
    ['EventsReport', claims, 'events', events],
    ['SeenEvent', claims, 'events.seen.[]', seen],
    ['SimulationReport', simulation, '', report],
    ['SyncReport', simulation, 'sync', sync],
    ['Change', simulation, 'change', change],
    ['State', simulation, 'state', state],
    ['RuleList', rules, '', ruleLists],
    ['RuleReport', rules, 'rule', rule],
  ] as const)('%s', (_name, schema, path, fields: Readonly<Record<string, string>>) => {
    const { properties = {}, required = [] } = path === '' ? schema : described(schema, path);
    expect(Object.keys(properties).sort()).toEqual(Object.keys(fields).sort());
    expect([...required].sort()).toEqual(
      Object.keys(fields)
        .filter((field) => fields[field] === always)
        .sort(),
    );
  });
});

describe('types and schemas name the same values', () => {
  // A value that is not listed, or does not exist, does not compile.
  const every = <T extends string>(values: Readonly<Record<T, true>>): readonly string[] => Object.keys(values);
  it.each([
    ['outcome', 'outcome', [...outcomes]],
    ['certainty', 'verdict.certainty', every<Certainty>({ certain: true, open: true, assumed: true })],
    ['severity', 'severity', every<Severity>({ error: true, warning: true, info: true })],
    [
      'coverage',
      'coverage.is',
      every<Coverage['is']>({ present: true, empty: true, unstated: true, notCollected: true }),
    ],
    [
      'relation',
      'volumes.relation',
      every<Relation>({ free: true, bound: true, reserved: true, former: true, misspelt: true, other: true }),
    ],
    ['standing', 'volumes.standing', every<Standing>({ taken: true, larger: true, moreModes: true, equal: true })],
    ['node', 'node.verdict', every<NodeReport['verdict']>({ fits: true, rejected: true, error: true, unknown: true })],
    [
      'data safety',
      'remedy.dataSafety',
      every<DataSafety>({ safe: true, 'recreates-claim': true, 'exposes-old-data': true, 'storage-side': true }),
    ],
    ['events', 'events.is', every<EventsReport['is']>({ agree: true, disagree: true, absent: true })],
    [
      'class',
      'claim.class.from',
      every<ClaimFacts['class']['from']>({ annotation: true, field: true, none: true, default: true }),
    ],
  ] as const)('%s', (_name, path, values) => {
    expect(described(claims, path).enum).toEqual(values);
  });

  it('every code is like a code', () => {
    const pattern = new RegExp(claims.$defs?.code?.pattern as string);
    expect(ruleList().items.filter(({ metadata }) => !pattern.test(metadata.name))).toEqual([]);
  });
});

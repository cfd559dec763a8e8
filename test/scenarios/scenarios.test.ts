import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { execute } from '../../src/cli/main.ts';
import type { ClaimReport, VolumeExample, VolumesReport } from '../../src/report/claim-report.ts';
import { type ExpectedClaim, type Scenario, scenarios } from './scenario.ts';

/** What one command line prints. */
async function output(args: readonly string[]): Promise<string> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const text = readAll(stdout);
  const code = await execute(args, { stdin: Readable.from([]), stdout, stderr });
  stdout.end();
  expect(code, stderr.read()?.toString()).toBe(0);
  return text;
}

async function readAll(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

async function reportsOf({ input }: Scenario): Promise<ReadonlyMap<string, ClaimReport>> {
  const document = JSON.parse(await output(['-f', input, '-o', 'json', '--all']));
  return new Map(document.items.map((item: ClaimReport) => [`${item.metadata.namespace}/${item.metadata.name}`, item]));
}

/** The verdicts that an expected outcome maps to (the design's table). */
const verdicts: Readonly<Record<string, readonly ClaimReport['verdict']['outcome'][]>> = {
  bind: ['WillBind', 'MayBind'],
  provision: ['WillBeProvisioned', 'WaitsForProvisioner'],
  'wait-for-consumer': ['WaitsForConsumer'],
  'wait-for-pod-scheduled': ['WaitsForPod'],
  'no-match': ['Stuck', 'WaitsForPod'],
  blocked: ['Stuck', 'Missing'],
  lost: ['Lost'],
  'already-bound': ['Bound', 'Terminating'],
  invalid: ['Invalid'],
};

const acceptable = ({ outcome, alsoAcceptable = [] }: ExpectedClaim) =>
  [outcome, ...alsoAcceptable].flatMap((one) => verdicts[one] ?? []);

/** The tags of case.yaml that our codes stand for. */
const tags: Readonly<Record<string, string>> = {
  CapacityTooSmall: 'too-small',
  VolumeModeMismatch: 'volume-mode-mismatch',
  VolumeAttributesClassMismatch: 'vac-mismatch',
  VolumeTerminating: 'terminating',
  VolumeNotAvailable: 'phase-not-available',
  SelectorMismatch: 'selector-mismatch',
  ClassMismatch: 'class-mismatch',
  AccessModesMissing: 'access-mode-mismatch',
  BoundToOtherClaim: 'bound-to-other',
  ReservedForOtherClaim: 'reserved-for-other',
  VolumeReleased: 'reserved-for-other',
  VolumeFailed: 'reserved-for-other',
  ClaimRefUidMismatch: 'claimref-uid-mismatch',
  ClaimRefNameMismatch: 'claimref-name-mismatch',
  ClaimRefNamespaceMismatch: 'claimref-namespace-mismatch',
};

const ofClaimRef = [
  'bound-to-other',
  'reserved-for-other',
  'claimref-uid-mismatch',
  'claimref-name-mismatch',
  'claimref-namespace-mismatch',
];

/** What we say about a volume in the tags of case.yaml; only what decides without a node. */
function tagsOf({ relation, standing }: VolumesReport, { reasons, skipped = [] }: VolumeExample): readonly string[] {
  const found = [...reasons, ...skipped].map(({ code }) => tags[code] ?? code);
  const owner = found.filter((tag) => ofClaimRef.includes(tag));
  if (owner.length > 0) return owner;
  if (relation === 'bound') return ['bound-to-this-claim', ...found];
  if (relation === 'reserved' && (standing !== 'taken' || found.length > 0))
    return ['prebound-to-this-claim', ...found];
  if (standing === 'larger') return ['match-not-smallest'];
  if (standing === 'moreModes') return ['match-more-modes'];
  return found.length > 0 ? found : ['match'];
}

const all = scenarios();

describe.each(all.map((scenario) => [scenario.name, scenario] as const))('%s', (_name, scenario) => {
  const claims = scenario.expected.claims;

  it('every claim has the right verdict', async () => {
    const reports = await reportsOf(scenario);
    for (const claim of claims) {
      const report = reports.get(`${claim.namespace}/${claim.name}`);
      expect(acceptable(claim), `${claim.name}: ${report?.summary}`).toContain(report?.verdict.outcome);
    }
  });

  it('every claim gets the volume that it really gets', async () => {
    const reports = await reportsOf(scenario);
    for (const claim of claims.filter(({ outcome }) => outcome === 'bind' || outcome === 'already-bound')) {
      const possible = claim.nondeterministic ?? [claim.volume];
      const { verdict } = reports.get(`${claim.namespace}/${claim.name}`) as ClaimReport;
      if (verdict.outcome === 'WaitsForPod') continue;
      expect([...verdict.volumes].sort(), claim.name).toEqual([...possible].sort());
    }
  });

  it('the events of the controller are the real ones', async () => {
    const reports = await reportsOf(scenario);
    for (const [key, { events, verdict }] of reports) {
      if (verdict.outcome === 'Bound' || verdict.outcome === 'WillBind' || verdict.outcome === 'MayBind') continue;
      if (verdict.outcome === 'Lost' || verdict.outcome === 'Invalid') continue;
      const real = scenario.truth.events
        .filter(({ object }) => object === `claim ${key}`)
        .map(({ reason, message }) => `${reason} ${message}`);
      for (const { reason, message } of events.expected) expect(real, key).toContain(`${reason} ${message}`);
    }
  });

  it('every volume fails for the right reasons', async () => {
    const reports = await reportsOf(scenario);
    for (const claim of claims) {
      const { volumes } = reports.get(`${claim.namespace}/${claim.name}`) as ClaimReport;
      for (const [name, expected] of Object.entries(claim.perVolumeReasons ?? {})) {
        const group = volumes.find(({ examples }) => examples.some((example) => example.name === name));
        const example = group?.examples.find((one) => one.name === name);
        // Of a claim with another volume than this one nothing needs to be told.
        if (group === undefined || example === undefined) continue;
        const wanted = expected.filter((tag) => tag !== 'node-affinity-mismatch' && tag !== 'delay-binding-skipped');
        const got = tagsOf(group, example);
        if (wanted.length === 0) continue;
        expect([...got].sort(), `${claim.name} ${name}`).toEqual([...wanted].sort());
      }
    }
  });

  // Read the difference of a golden file as carefully as code; UPDATE_GOLDEN=1 npm test rewrites them.
  it.each([
    ['expected.txt', []],
    ['expected.json', ['-o', 'json']],
  ] as const)('prints %s', async (file, more) => {
    const golden = scenario.input.replace('input.yaml', file);
    const folder = new URL('../../', import.meta.url).pathname;
    const text = (await output(['-f', scenario.input, ...more])).replaceAll(folder, '');
    if (process.env.UPDATE_GOLDEN !== undefined) writeFileSync(golden, text);
    expect(existsSync(golden), `${golden} is missing; UPDATE_GOLDEN=1 npm test writes it`).toBe(true);
    expect(text).toBe(readFileSync(golden, 'utf8'));
  });
});

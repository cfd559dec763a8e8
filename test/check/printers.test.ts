import { describe, expect, it } from 'vitest';
import { printCheck } from '../../src/printers/check-text.ts';
import { printGithub } from '../../src/printers/github.ts';
import { printGitlab } from '../../src/printers/gitlab.ts';
import { printJunit } from '../../src/printers/junit.ts';
import { printMarkdown } from '../../src/printers/markdown.ts';
import { printSarif } from '../../src/printers/sarif.ts';
import { themeFor } from '../../src/printers/theme.ts';
import { at, newFinding, report } from './reports.ts';

const text = (pieces: Iterable<string>) => [...pieces].join('');
const plain = { theme: themeFor(false), width: 100, all: false };
const sarif = (options = { version: '1.2.3', hasBaseline: false }, of = report) =>
  JSON.parse(text(printSarif(of, options)));

describe('text', () => {
  it('a line for each finding, what each release changes, and how many claims come to what', () => {
    expect(
      text(printCheck(report, plain)),
    ).toBe(`deploy/cache.yaml:8:3: error: claim shop/cache: Stuck: no volume fits, and class "fsat" does not exist ("fast" does) [ClassMissing]
  In   Kubernetes 1.36 only.
  Why  There is no StorageClass "fsat", so nothing makes a volume.
  Fix  Recreate the claim with storageClassName: fast.

-:12:3: warning: StorageClass fast: it is also in deploy/b, c.yaml:1 [DuplicateManifest]
  From chart/templates/library.yaml
  Why  100% of it; <b>really</b> | so.
  Fix  Recreate the claim with storageClassName: fast.

CLAIM        1.35       1.36
shop/cache   WillBind   Stuck
1.35 → 1.36  claim shop/cache: WillBind: to volume disk-1 → Stuck: no volume fits

2 claims checked against cluster.yaml, Kubernetes 1.35, 1.36: 1 Stuck, 1 WillBind. 1 error, 1
warning; 1 accepted by the baseline, 1 ignored.
Assumed  Webhooks are not asked.
Note     1 custom resource was left alone: Cluster.
`);
  });

  it('everything with --all: remarks, what is accepted, and what is ignored with the reason', () => {
    const all = text(printCheck(report, { ...plain, all: true }));
    expect(all).toContain('error (accepted): claim shop/old: Stuck: known [ClassMissing]\n');
    expect(all).toContain('error (ignored): claim shop/older: Stuck: meant [ClassMissing]\n');
    expect(all).toContain('  Ignored it is meant so\n');
    expect(all).toContain('info: claim media/films: it takes all [MuchLargerVolume]\n');
  });

  it('nothing that a terminal would obey', () => {
    const hostile = newFinding({
      message: 'claim \x1b[31mred\x07',
      why: ['a\nb'],
      location: at('a\x1b]0;x\x07.yaml', 1),
    });
    const printed = text(printCheck({ ...report, findings: [hostile], notes: ['\x1b[2J'] }, plain));
    expect(printed).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
    expect(printed).toContain('claim ^[[31mred^G');
  });

  it('colour carries nothing alone', () => {
    const coloured = text(printCheck(report, { ...plain, theme: themeFor(true) }));
    expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(text(printCheck(report, plain)));
  });
});

describe('junit', () => {
  it('a suite for each file, a case for each claim and for what else has a finding', () => {
    expect(text(printJunit(report))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="kubectl-pvc-explain" tests="4" failures="1" errors="0">
  <testsuite name="chart/templates/library.yaml" tests="2" failures="0" errors="0" skipped="1">
    <testcase classname="PersistentVolumeClaim@v1" name="media/films"/>
    <testcase classname="StorageClass@v1" name="fast">
      <skipped>does not count: StorageClass fast: it is also in deploy/b, c.yaml:1</skipped>
      <system-out>chart/templates/library.yaml</system-out>
    </testcase>
  </testsuite>
  <testsuite name="deploy/cache.yaml" tests="2" failures="1" errors="0" skipped="1">
    <testcase classname="PersistentVolumeClaim@v1" name="shop/cache">
      <failure message="claim shop/cache: Stuck: no volume fits, and class &quot;fsat&quot; does not exist (&quot;fast&quot; does)" type="ClassMissing">deploy/cache.yaml:8:3: error: claim shop/cache: Stuck: no volume fits, and class "fsat" does not exist ("fast" does) [ClassMissing]
There is no StorageClass "fsat", so nothing makes a volume.
Recreate the claim with storageClassName: fast.</failure>
      <system-out>deploy/cache.yaml:4:3</system-out>
    </testcase>
    <testcase classname="PersistentVolumeClaim@v1" name="shop/cache">
      <skipped>accepted by the baseline: claim shop/old: Stuck: known</skipped>
      <system-out>deploy/cache.yaml:8:3</system-out>
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  it('says what was not judged', () => {
    const [item] = report.items;
    const unjudged = {
      ...item!,
      releases: [{ ...item!.releases[0]!, unjudged: true as const, summary: 'the input lacks volumes' }],
    };
    expect(text(printJunit({ ...report, items: [unjudged], findings: [] }))).toContain(
      '<skipped>not judged without a cluster: the input lacks volumes</skipped>',
    );
  });

  it('has no character that XML forbids', () => {
    const hostile = newFinding({ message: 'a\x00b\ud800\uffff<&">', why: [']]>'] });
    expect(text(printJunit({ ...report, findings: [hostile] }))).toContain(
      'message="a\ufffdb\ufffd\ufffd&lt;&amp;&quot;&gt;"',
    );
  });
});

describe('sarif', () => {
  it('a result for each finding that is no remark, at its field, under a name that stays', () => {
    const [run] = sarif().runs;
    expect(run.tool.driver).toMatchObject({ name: 'kubectl-pvc-explain', version: '1.2.3' });
    expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(['ClassMissing', 'DuplicateManifest']);
    expect(run.results).toHaveLength(4);
    expect(run.results[0]).toEqual({
      ruleId: 'ClassMissing',
      ruleIndex: 0,
      level: 'error',
      message: {
        text: 'claim shop/cache: Stuck: no volume fits, and class "fsat" does not exist ("fast" does).\nThere is no StorageClass "fsat", so nothing makes a volume.\nRecreate the claim with storageClassName: fast.',
      },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'deploy/cache.yaml', uriBaseId: '%SRCROOT%' },
            region: { startLine: 8, startColumn: 3, endColumn: 19 },
          },
          logicalLocations: [{ fullyQualifiedName: 'shop/cache', kind: 'resource' }],
        },
      ],
      partialFingerprints: { 'pvcExplain/v1': '00c0ffee00c0ffee' },
    });
  });

  it('what was rendered from standard input is at its template, without a line of it', () => {
    expect(sarif().runs[0].results[1].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'chart/templates/library.yaml', uriBaseId: '%SRCROOT%' },
      region: { startLine: 1 },
    });
  });

  it('what is accepted or ignored is suppressed, and with a baseline the rest is new', () => {
    const results = sarif({ version: '1', hasBaseline: true }).runs[0].results;
    expect(
      results.map((one: { baselineState: string; suppressions?: { justification: string }[] }) => [
        one.baselineState,
        one.suppressions?.[0]?.justification,
      ]),
    ).toEqual([
      ['new', undefined],
      ['new', undefined],
      ['unchanged', 'accepted by the baseline'],
      ['new', 'it is meant so'],
    ]);
  });

  it('a path is a URI', () => {
    const odd = { ...report, findings: [newFinding({ location: at('a b/100%#1.yaml', 1) })] };
    expect(sarif(undefined, odd).runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(
      'a%20b/100%25%231.yaml',
    );
  });

  it('GitHub refuses more than 25,000 results', () => {
    const many = { ...report, findings: Array.from({ length: 25_001 }, () => newFinding()) };
    expect(sarif(undefined, many).runs[0].results).toHaveLength(25_000);
  });
});

describe('github', () => {
  it('an annotation for each finding, errors first, with what GitHub would read as its own escaped', () => {
    expect(text(printGithub({ ...report, findings: [...report.findings].reverse() }))).toBe(
      [
        '::error file=deploy/cache.yaml,line=8,col=3,endColumn=19,title=ClassMissing::claim shop/cache: Stuck: no volume fits, and class "fsat" does not exist ("fast" does)%0AThere is no StorageClass "fsat", so nothing makes a volume.%0ARecreate the claim with storageClassName: fast.',
        '::warning file=chart/templates/library.yaml,line=1,title=DuplicateManifest::StorageClass fast: it is also in deploy/b, c.yaml:1%0A100%25 of it; <b>really</b> | so.%0ARecreate the claim with storageClassName: fast.',
        '2 claims checked against cluster.yaml, Kubernetes 1.35, 1.36: 1 Stuck, 1 WillBind. 1 error, 1 warning; 1 accepted by the baseline, 1 ignored.',
        '',
      ].join('\n'),
    );
  });

  it('a path with a comma or a colon stays one property', () => {
    const odd = { ...report, findings: [newFinding({ location: at('a,b:c\n.yaml', 1) })] };
    expect(text(printGithub(odd))).toContain('::error file=a%2Cb%3Ac%0A.yaml,line=1,');
  });

  it('an error that does not count is a warning', () => {
    expect(text(printGithub({ ...report, findings: [newFinding({ counts: false })] }))).toMatch(/^::warning /);
  });
});

it('gitlab: what is open, by severity, at a path without ./', () => {
  const findings = [
    ...report.findings,
    newFinding({ location: at('./a.yaml', 2), level: 'unknown', fingerprint: '5' }),
  ];
  expect(JSON.parse(text(printGitlab({ ...report, findings })))).toEqual([
    {
      description: 'claim shop/cache: Stuck: no volume fits, and class "fsat" does not exist ("fast" does)',
      check_name: 'ClassMissing',
      fingerprint: '00c0ffee00c0ffee',
      severity: 'critical',
      location: { path: 'deploy/cache.yaml', lines: { begin: 8 } },
    },
    {
      description: 'StorageClass fast: it is also in deploy/b, c.yaml:1',
      check_name: 'DuplicateManifest',
      fingerprint: '1111111111111111',
      severity: 'minor',
      location: { path: 'chart/templates/library.yaml', lines: { begin: 1 } },
    },
    {
      description: 'claim shop/cache: Stuck: no volume fits, and class "fsat" does not exist ("fast" does)',
      check_name: 'ClassMissing',
      fingerprint: '5',
      severity: 'major',
      location: { path: 'a.yaml', lines: { begin: 2 } },
    },
  ]);
});

describe('markdown', () => {
  it('a table of findings and one of claims, in which nothing is markup that should not be', () => {
    expect(
      text(printMarkdown(report)),
    ).toBe(`### Storage claims: 1 error, 1 warning; 1 accepted by the baseline, 1 ignored

2 claims checked against cluster.yaml, Kubernetes 1.35, 1.36: 1 Stuck, 1 WillBind. 1 error, 1 warning; 1 accepted by the baseline, 1 ignored.

|  | Where | What | Why |
| --- | --- | --- | --- |
| **error** | \`deploy/cache.yaml:8\` | claim shop/cache: Stuck: no volume fits, and class "fsat" does not exist ("fast" does) \`ClassMissing\` | There is no StorageClass "fsat", so nothing makes a volume.<br>**Recreate the claim with storageClassName: fast.** |
| warning | \`chart/templates/library.yaml\` | StorageClass fast: it is also in deploy/b, c.yaml:1 \`DuplicateManifest\` | 100% of it; &lt;b&gt;really&lt;/b&gt; \\| so.<br>**Recreate the claim with storageClassName: fast.** |

| Claim | From | Kubernetes 1.35 | Kubernetes 1.36 |
| --- | --- | --- | --- |
| \`shop/cache\` | \`PersistentVolumeClaim shop/cache\` | WillBind | Stuck |
| \`media/films\` | \`StatefulSet media/library\` | WillBind | WillBind |

- 1.35 → 1.36: claim shop/cache: WillBind: to volume disk-1 → Stuck: no volume fits
- Webhooks are not asked.
- 1 custom resource was left alone: Cluster.
`);
  });

  it('what does not fit under a limit is counted', () => {
    const many = {
      ...report,
      findings: Array.from({ length: 5000 }, (_, i) => newFinding({ message: `finding ${i}` })),
    };
    const printed = text(printMarkdown(many, { limit: 20_000 }));
    expect(Buffer.byteLength(printed)).toBeLessThanOrEqual(20_000);
    expect(printed).toMatch(/\n\d+ more are left out\.\n/);
  });
});

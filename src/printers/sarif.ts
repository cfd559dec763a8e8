import type { Level } from '../report/check-claims.ts';
import type { CheckFinding, CheckReport, Location } from '../report/check-report.ts';
import { type RuleReport, ruleList } from '../report/rule-report.ts';

export interface SarifOptions {
  /** The version of this program. */
  readonly version: string;
  /** Findings were held against a baseline. */
  readonly hasBaseline: boolean;
}

/** More are refused by GitHub: code-scanning, SARIF support. */
const mostResults = 25_000;

/**
 * A check as SARIF 2.1.0, for code scanning. Remarks are left out: an alert is something to act on.
 *
 * OASIS SARIF 2.1.0; GitHub "SARIF support for code scanning".
 */
export function* printSarif(report: CheckReport, options: SarifOptions): Iterable<string> {
  const findings = report.findings.filter(({ level }) => level !== 'info').slice(0, mostResults);
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  yield `${JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'kubectl-pvc-explain',
              version: options.version,
              semanticVersion: options.version,
              rules: ruleList()
                .items.filter(({ metadata }) => codes.includes(metadata.name))
                .map(descriptor),
            },
          },
          columnKind: 'utf16CodeUnits',
          invocations: [{ executionSuccessful: true }],
          results: findings.map((one) => result(one, codes.indexOf(one.code), options)),
        },
      ],
    },
    null,
    2,
  )}\n`;
}

const levels: Readonly<Record<Level, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  unknown: 'warning',
  info: 'note',
};

function descriptor({ metadata: { name }, rule, severity, example }: RuleReport): object {
  const help = [rule, ...(example.todo === undefined ? [] : [`For example: ${example.todo}`])].join(' ');
  return {
    id: name,
    name,
    shortDescription: { text: rule.split(/(?<=\.) /)[0] },
    fullDescription: { text: rule },
    help: { text: `${help} More: kubectl pvc-explain rules ${name}` },
    defaultConfiguration: { level: levels[severity] },
    properties: { tags: ['kubernetes', 'storage'] },
  };
}

function result(one: CheckFinding, ruleIndex: number, { hasBaseline }: SarifOptions): object {
  const { code, level, message, why, todo, location, object, claims, fingerprint, accepted, ignored } = one;
  const suppression = ignored ?? (accepted ? 'accepted by the baseline' : undefined);
  return {
    ruleId: code,
    ruleIndex,
    level: levels[level],
    message: { text: [`${message}.`, ...why, ...(todo === undefined ? [] : [todo])].join('\n') },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(location.path), uriBaseId: '%SRCROOT%' },
          region: regionOf(location),
        },
        logicalLocations: [{ fullyQualifiedName: claims[0] ?? object, kind: 'resource' }],
      },
    ],
    partialFingerprints: { 'pvcExplain/v1': fingerprint },
    ...(hasBaseline ? { baselineState: accepted ? 'unchanged' : 'new' } : {}),
    ...(suppression === undefined ? {} : { suppressions: [{ kind: 'external', justification: suppression }] }),
  };
}

/** Lines of what was rendered from standard input are not those of its template. */
function regionOf({ file, line, column, endColumn }: Location): object {
  return file === '-' ? { startLine: 1 } : { startLine: line, startColumn: column, endColumn };
}

const uriOf = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

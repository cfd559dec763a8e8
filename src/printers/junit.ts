import type { CheckedClaim, CheckFinding, CheckReport, Location } from '../report/check-report.ts';

/**
 * A check as JUnit XML: a suite for each file, a case for each claim and for each other object with a finding. What makes the check
 * fail is a failure, what does not is skipped with the reason.
 *
 * The elements and attributes are those that every reader knows: Jenkins' dtkit-junit-model, junit-4.xsd.
 */
export function* printJunit(report: CheckReport): Iterable<string> {
  const suites = suitesOf(report);
  const all = suites.flatMap(({ cases }) => cases);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="kubectl-pvc-explain"${totals(all)}>\n`;
  for (const { path, cases } of suites) {
    yield `  <testsuite name="${attribute(path)}"${totals(cases)}${skippedIn(cases)}>\n`;
    for (const one of cases) yield* testCase(one);
    yield '  </testsuite>\n';
  }
  yield '</testsuites>\n';
}

interface Case {
  readonly classname: string;
  readonly name: string;
  readonly place: string;
  readonly failures: readonly CheckFinding[];
  /** Why nothing is said. */
  readonly skipped: string | undefined;
}

interface Suite {
  readonly path: string;
  readonly cases: readonly Case[];
}

function suitesOf({ items, findings }: CheckReport): readonly Suite[] {
  const suites = new Map<string, Case[]>();
  const add = (path: string, one: Case) => {
    const cases = suites.get(path) ?? [];
    suites.set(path, cases);
    cases.push(one);
  };
  const ofClaims = new Set<CheckFinding>();
  for (const item of items) {
    const own = findings.filter(({ claims }) => claims.includes(`${item.metadata.namespace}/${item.metadata.name}`));
    for (const one of own) ofClaims.add(one);
    add(item.location.path, claimCase(item, own));
  }
  const others = findings.filter((one) => !ofClaims.has(one) && one.level !== 'info');
  for (const [i, one] of others.entries()) {
    const isFirst =
      others.findIndex(({ object, location }) => object === one.object && location.path === one.location.path) === i;
    if (!isFirst) continue;
    const same = others.filter(({ object, location }) => object === one.object && location.path === one.location.path);
    const [kind = '', name = one.object] = one.object.includes(' ') ? one.object.split(' ') : ['Manifest', one.object];
    add(one.location.path, caseOf(kind, name, one.location, same, undefined));
  }
  return [...suites].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, cases]) => ({ path, cases }));
}

function claimCase({ metadata, location, releases }: CheckedClaim, own: readonly CheckFinding[]): Case {
  const newest = releases.at(-1);
  const unjudged = newest?.unjudged ? `not judged without a cluster: ${newest.summary}` : undefined;
  return caseOf('PersistentVolumeClaim', `${metadata.namespace}/${metadata.name}`, location, own, unjudged);
}

function caseOf(
  kind: string,
  name: string,
  location: Location,
  found: readonly CheckFinding[],
  unjudged: string | undefined,
): Case {
  const [aside] = found.filter(({ level, counts }) => !counts && level !== 'info');
  const reason =
    aside && `${aside.ignored ?? (aside.accepted ? 'accepted by the baseline' : 'does not count')}: ${aside.message}`;
  return {
    classname: `${kind}@v1`,
    name,
    place: placeOf(location),
    failures: found.filter(({ counts }) => counts),
    skipped: reason ?? unjudged,
  };
}

function totals(cases: readonly Case[]): string {
  const failures = cases.filter((one) => one.failures.length > 0).length;
  return ` tests="${cases.length}" failures="${failures}" errors="0"`;
}

function skippedIn(cases: readonly Case[]): string {
  return ` skipped="${cases.filter((one) => one.failures.length === 0 && one.skipped !== undefined).length}"`;
}

function* testCase({ classname, name, failures, skipped, place }: Case): Iterable<string> {
  const head = `    <testcase classname="${attribute(classname)}" name="${attribute(name)}"`;
  const [first] = failures;
  if (first === undefined && skipped === undefined) {
    yield `${head}/>\n`;
    return;
  }
  yield `${head}>\n`;
  if (first === undefined) yield `      <skipped>${content(skipped ?? '')}</skipped>\n`;
  else {
    const message = failures.length === 1 ? first.message : `${first.message} (and ${failures.length - 1} more)`;
    const body = failures.map((one) => findingText(one)).join('\n\n');
    yield `      <failure message="${attribute(message)}" type="${attribute(first.code)}">${content(body)}</failure>\n`;
  }
  yield `      <system-out>${content(place)}</system-out>\n`;
  yield '    </testcase>\n';
}

function findingText({ location, level, message, code, why, todo }: CheckFinding): string {
  return [`${placeOf(location)}: ${level}: ${message} [${code}]`, ...why, ...(todo === undefined ? [] : [todo])].join(
    '\n',
  );
}

/** Lines of what was rendered from standard input are not those of its template. */
const placeOf = ({ file, path, line, column }: Location): string => (file === '-' ? path : `${path}:${line}:${column}`);

/** What XML 1.0 forbids even as a reference. */
const forbidden = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const content = (text: string): string =>
  text.replace(forbidden, '\ufffd').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const attribute = (text: string): string =>
  content(text).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;').replaceAll('\r', '&#13;');

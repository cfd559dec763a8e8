import type { CheckFinding, CheckReport } from '../report/check-report.ts';

/**
 * A check as a GitLab code quality report. What is accepted or ignored is left out: GitLab compares with the target branch itself.
 *
 * GitLab documentation, ci/testing/code_quality: "Code Quality report format".
 */
export function* printGitlab({ findings }: CheckReport): Iterable<string> {
  const shown = findings.filter(
    ({ level, accepted, ignored }) => level !== 'info' && accepted === undefined && ignored === undefined,
  );
  yield `${JSON.stringify(shown.map(issue), null, 2)}\n`;
}

function issue({ code, message, fingerprint, level, counts, location }: CheckFinding): object {
  return {
    description: message,
    check_name: code,
    fingerprint,
    severity: counts && level === 'error' ? 'critical' : level === 'error' || counts ? 'major' : 'minor',
    location: { path: location.path.replace(/^\.\//, ''), lines: { begin: location.file === '-' ? 1 : location.line } },
  };
}

import { apiVersion } from './claim-report.ts';

/** Findings that were there when somebody began to check; they are accepted until they are gone. */
export interface Baseline {
  readonly apiVersion: typeof apiVersion;
  readonly kind: 'CheckBaseline';
  readonly findings: readonly BaselineEntry[];
}

export interface BaselineEntry {
  readonly fingerprint: string;
  /** For whoever reads the file; only the fingerprint counts. */
  readonly code: string;
  readonly object: string;
  readonly path: string;
}

/** A file that is no baseline. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError';
}

/** Reads the text of a baseline. Throws BaselineError. */
export function readBaseline(text: string): Baseline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BaselineError('it is not JSON', { cause: error });
  }
  const { kind, findings } = (value ?? {}) as Partial<Baseline>;
  const isEntry = (entry: unknown): entry is BaselineEntry =>
    typeof (entry as BaselineEntry | null)?.fingerprint === 'string';
  if (kind !== 'CheckBaseline' || !Array.isArray(findings) || !findings.every(isEntry)) {
    throw new BaselineError('it is no CheckBaseline; --write-baseline writes one');
  }
  return { apiVersion, kind, findings };
}

/** The text of a baseline: sorted, one finding a line, so that a change of it can be reviewed. */
export function writeBaseline(findings: readonly BaselineEntry[]): string {
  const lines = [...findings]
    .sort((a, b) => compare(a.path, b.path) || compare(a.object, b.object) || compare(a.fingerprint, b.fingerprint))
    .map(({ fingerprint, code, object, path }) => `    ${JSON.stringify({ fingerprint, code, object, path })}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  return `{\n  "apiVersion": ${JSON.stringify(apiVersion)},\n  "kind": "CheckBaseline",\n  "findings": ${list}\n}\n`;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

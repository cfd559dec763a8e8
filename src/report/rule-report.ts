import { catalogue, short, todo, what, why } from '../diagnosis/catalogue.ts';
import type { Code, Finding, Severity } from '../diagnosis/codes.ts';
import { apiVersion } from './claim-report.ts';

/** What the catalogue says about one code, with an example. */
export interface RuleReport {
  readonly apiVersion: typeof apiVersion;
  readonly kind: 'Rule';
  readonly metadata: { readonly name: Code };
  readonly severity: Severity;
  /** The version of this program that introduced it. */
  readonly since: string;
  readonly rule: string;
  readonly example: { readonly what: string; readonly why: string; readonly todo?: string; readonly short: string };
}

export interface RuleList {
  readonly apiVersion: typeof apiVersion;
  readonly kind: 'RuleList';
  readonly metadata: Record<never, never>;
  readonly items: readonly RuleReport[];
}

/** Every code, by name. */
export function ruleList(): RuleList {
  const codes = (Object.keys(catalogue) as Code[]).sort();
  return { apiVersion, kind: 'RuleList', metadata: {}, items: codes.map(ruleReport) };
}

function ruleReport(code: Code): RuleReport {
  const { since, severity, rule, example } = catalogue[code];
  const shown = { code, args: example } as Finding;
  const help = todo(shown);
  return {
    apiVersion,
    kind: 'Rule',
    metadata: { name: code },
    severity,
    since,
    rule,
    example: { what: what(shown), why: why(shown), ...(help === undefined ? {} : { todo: help }), short: short(shown) },
  };
}

import { readdirSync, readFileSync } from 'node:fs';
import { CORE_SCHEMA, load } from 'js-yaml';

/** One situation from real life: its dump, what is expected of it (README.md), and what the real components do with it. */
export interface Scenario {
  readonly name: string;
  readonly input: string;
  readonly expected: {
    readonly claims: readonly ExpectedClaim[];
    readonly pods?: readonly {
      readonly namespace: string;
      readonly name: string;
      readonly perNode?: Readonly<Record<string, string>>;
    }[];
  };
  readonly truth: {
    readonly events: readonly {
      readonly object: string;
      readonly type: string;
      readonly reason: string;
      readonly message: string;
    }[];
    readonly claims: readonly { readonly claim: string; readonly volume?: string; readonly phase: string }[];
    readonly volumes: readonly { readonly volume: string; readonly claim?: string; readonly phase: string }[];
    readonly pods: readonly TruthPod[];
    readonly invalid: readonly { readonly object: string; readonly errors: readonly string[] }[];
  };
}

export interface ExpectedClaim {
  readonly namespace: string;
  readonly name: string;
  readonly outcome: string;
  readonly volume?: string;
  readonly event?: string;
  readonly effectiveClass?: string;
  readonly alsoAcceptable?: readonly string[];
  readonly nondeterministic?: readonly string[];
  readonly perVolumeReasons?: Readonly<Record<string, readonly string[]>>;
  readonly rootCause?: string;
}

export interface TruthPod {
  readonly pod: string;
  readonly nodes?: Readonly<
    Record<string, { readonly code: string; readonly plugin?: string; readonly reasons?: readonly string[] }>
  >;
  readonly message?: string;
  readonly feasible?: readonly string[];
}

const folder = new URL('.', import.meta.url);

export function scenarios(): readonly Scenario[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const file = (part: string) => new URL(`${name}/${part}`, folder);
      const { expected } = load(readFileSync(file('case.yaml'), 'utf8'), { schema: CORE_SCHEMA }) as Pick<
        Scenario,
        'expected'
      >;
      const truth = JSON.parse(readFileSync(file('truth.json'), 'utf8'));
      return { name, input: file('input.yaml').pathname, expected, truth };
    });
}

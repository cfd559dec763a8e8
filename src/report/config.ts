import { catalogue } from '../diagnosis/catalogue.ts';
import type { Code, Severity } from '../diagnosis/codes.ts';
import { nearestName } from '../diagnosis/words.ts';
import type { FieldPath } from '../manifests/manifest.ts';

/** The lowest level that makes a check fail: unknown verdicts are below warnings, warnings below errors. */
export type FailOn = (typeof failLevels)[number];
export const failLevels = ['error', 'warning', 'unknown'] as const;

/** What `.pvc-explain.yaml` says. Its schema is schema/config.json. */
export interface CheckConfig {
  readonly failOn?: FailOn;
  readonly kubernetesVersions?: readonly string[];
  readonly severities: Readonly<Partial<Record<Code, Severity | 'off'>>>;
  readonly ignore: readonly Ignore[];
}

/** Findings that somebody has decided to live with. All that is given must hold. */
export interface Ignore {
  readonly reason: string;
  readonly code?: Code;
  /** "namespace/name" of a claim, `*` for any part of it. */
  readonly claim?: string;
  /** A file relative to the repository; `*` for any part of a name, `**` across folders. */
  readonly path?: string;
}

export const noConfig: CheckConfig = { severities: {}, ignore: [] };

/** A configuration that cannot be what was meant. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** The place in the document. */
  readonly path: FieldPath;

  constructor(path: FieldPath, message: string) {
    super(message);
    this.path = path;
  }
}

/** Reads a parsed configuration; unknown words are errors, so that a slip never weakens a check. Throws ConfigError. */
export function readConfig(value: unknown): CheckConfig {
  if (value === undefined || value === null) return noConfig;
  const top = mapping(value, [], ['failOn', 'kubernetesVersions', 'severities', 'ignore']);
  const failOn = top.failOn === undefined ? undefined : oneOf(top.failOn, ['failOn'], failLevels);
  const versions = top.kubernetesVersions;
  return {
    ...(failOn === undefined ? {} : { failOn }),
    ...(versions === undefined ? {} : { kubernetesVersions: texts(versions, ['kubernetesVersions']) }),
    severities: severities(top.severities),
    ignore: list(top.ignore, ['ignore']).map((entry, i) => ignore(entry, ['ignore', i])),
  };
}

const codes = Object.keys(catalogue) as readonly Code[];
const levels = ['error', 'warning', 'info', 'off'] as const;

function severities(value: unknown): CheckConfig['severities'] {
  const entries =
    value === undefined || value === null ? [] : Object.entries(mapping(value, ['severities'], codes, 'code'));
  return Object.fromEntries(entries.map(([code, level]) => [code, oneOf(level, ['severities', code], levels)]));
}

function ignore(value: unknown, path: FieldPath): Ignore {
  const { reason, code, claim, path: file, ...others } = mapping(value, path, ['reason', 'code', 'claim', 'path']);
  if (typeof reason !== 'string' || reason.trim() === '') {
    throw new ConfigError(path, `${spelt(path)} needs a reason: why it is right to live with it`);
  }
  const chosen = {
    ...(code === undefined ? {} : { code: oneOf(code, [...path, 'code'], codes, 'code') }),
    ...(claim === undefined ? {} : { claim: text(claim, [...path, 'claim']) }),
    ...(file === undefined ? {} : { path: text(file, [...path, 'path']) }),
    ...others,
  };
  if (Object.keys(chosen).length === 0) {
    throw new ConfigError(path, `${spelt(path)} would ignore everything: name a code, a claim or a path`);
  }
  return { reason, ...chosen };
}

type Fields = Readonly<Record<string, unknown>>;

function mapping(value: unknown, path: FieldPath, known: readonly string[], what = 'key'): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigError(path, `${spelt(path)} must be a mapping`);
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) throw unknownWord(key, [...path, key], known, what);
  }
  return value as Fields;
}

function list(value: unknown, path: FieldPath): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new ConfigError(path, `${spelt(path)} must be a list`);
  return value;
}

const texts = (value: unknown, path: FieldPath): readonly string[] =>
  list(value, path).map((one, i) => text(one, [...path, i]));

function text(value: unknown, path: FieldPath): string {
  if (typeof value === 'string' && value !== '') return value;
  const hint = typeof value === 'number' ? `; put ${value} in quotes` : '';
  throw new ConfigError(path, `${spelt(path)} must be a text${hint}`);
}

function oneOf<W extends string>(value: unknown, path: FieldPath, words: readonly W[], what = 'value'): W {
  if (typeof value === 'string' && (words as readonly string[]).includes(value)) return value as W;
  throw unknownWord(String(value), path, words, what);
}

function unknownWord(word: string, path: FieldPath, known: readonly string[], what: string): ConfigError {
  const nearest = nearestName(word, known);
  const hint =
    nearest !== undefined
      ? `; did you mean ${JSON.stringify(nearest)}?`
      : known.length <= 8
        ? `; there are ${known.join(', ')}`
        : '; kubectl pvc-explain rules lists them all';
  return new ConfigError(path, `${spelt(path.slice(0, -1))}: unknown ${what} ${JSON.stringify(word)}${hint}`);
}

const spelt = (path: FieldPath): string =>
  path.length === 0
    ? 'the configuration'
    : path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');

/** Whether a text is what a pattern with `*` and `**` stands for. */
export function matchesPattern(pattern: string, text: string): boolean {
  const parts = pattern.split(/(\*\*\/?|\*)/).map((part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    return part === '*' ? '[^/]*' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`).test(text);
}

import { aggregate, quote } from './go-text.ts';
import { labelKeyFaults } from './label-names.ts';
import {
  describeRequirement,
  type LabelOperator,
  type LabelRequirement,
  requirementFaults,
  requirementMatches,
} from './label-requirement.ts';
import type { LabelSelector, Labels } from './objects.ts';

/** A selector that cannot be used, in upstream's words. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}

/** A selector that was found to be valid. All requirements must hold; none at all holds for everything. */
export interface ParsedLabelSelector {
  /** Sorted by key; a label of matchLabels is an In with one value. */
  readonly requirements: readonly LabelRequirement[];
  readonly matches: (labels: Labels | undefined) => boolean;
  readonly firstFailure: (labels: Labels | undefined) => LabelRequirement | undefined;
}

/**
 * Reads a selector as the controllers do; each requirement is checked on its own and the first bad one is told. Throws SelectorError.
 * apimachinery pkg/apis/meta/v1/helpers.go, LabelSelectorAsSelector (1.37); specification pv-controller 12.
 */
export function parseLabelSelector(selector: LabelSelector): ParsedLabelSelector {
  const requirements: LabelRequirement[] = [];
  // Upstream reads matchLabels in random order.
  for (const [key, value] of Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) {
    requirements.push(checked({ key, operator: 'In', values: [value] }));
  }
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    if (!isSelectorOperator(operator)) {
      throw new SelectorError(`${quote(operator)} is not a valid label selector operator`);
    }
    requirements.push(checked({ key, operator, values }));
  }
  return selectorOf(requirements);
}

/** A selector as kubectl prints it, sorted by key: "tier=gold,zone in (a,b)"; "<none>" if it asks for nothing. Any selector has a description. */
export function describeSelector(selector: LabelSelector | undefined): string {
  const parts = [
    ...Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...(selector?.matchExpressions ?? []).map((one) => ({ key: one.key, text: describeRequirement(one) })),
  ];
  if (parts.length === 0) return '<none>';
  return parts
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(',');
}

/**
 * Reads what kubectl takes after -l: "a=b,c!=d,e in (x,y),!f,g>4". Throws SelectorError.
 * apimachinery pkg/labels/selector.go, Parse (1.37).
 */
export function parseSelectorText(text: string): ParsedLabelSelector {
  const tokens = new Tokens(text);
  const requirements: LabelRequirement[] = [];
  for (;;) {
    const start = tokens.next;
    if (start.is === 'end') return selectorOf(requirements);
    if (start.is !== 'word' && start.is !== '!')
      throw unexpected(start, ", expected: !, identifier, or 'end of string'");
    requirements.push(readRequirement(tokens));
    const separator = tokens.take();
    if (separator.is === 'end') return selectorOf(requirements);
    if (separator.is !== ',') throw unexpected(separator, ", expected: ',' or 'end of string'");
    const { next } = tokens;
    if (next.is !== 'word' && next.is !== '!') throw unexpected(next, ", expected: identifier after ','");
  }
}

function selectorOf(unsorted: readonly LabelRequirement[]): ParsedLabelSelector {
  const requirements = [...unsorted].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return {
    requirements,
    matches: (labels) => requirements.every((one) => requirementMatches(one, labels)),
    firstFailure: (labels) => requirements.find((one) => !requirementMatches(one, labels)),
  };
}

function checked(requirement: LabelRequirement): LabelRequirement {
  const { values } = requirement;
  const faults = requirementFaults(requirement, '', values.length === 0 ? null : values);
  if (faults.length > 0) throw new SelectorError(aggregate(faults));
  return requirement;
}

function isSelectorOperator(operator: string): operator is 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' {
  return ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator);
}

const symbols = ['==', '!=', '=', '!', '(', ')', ',', '>', '<'] as const;

/** A word, a symbol, or the end. "in" and "notin" are words that readOperator knows. */
interface Token {
  readonly is: 'word' | 'end' | (typeof symbols)[number];
  readonly text: string;
}

/** Lexer.Lex: a run of symbols is read as its longest known beginning; white space only parts tokens. */
class Tokens {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = (text.match(/==|!=|[=!(),><]|[^ \t\r\n=!(),><]+/g) ?? []).map((token) => ({
      is: symbols.find((symbol) => symbol === token) ?? 'word',
      text: token,
    }));
  }

  get next(): Token {
    return this.#tokens[this.#position] ?? { is: 'end', text: '' };
  }

  take(): Token {
    const { next } = this;
    this.#position++;
    return next;
  }
}

function unexpected({ text }: Token, expected: string): SelectorError {
  return new SelectorError(`found '${text}'${expected}`);
}

function readRequirement(tokens: Tokens): LabelRequirement {
  try {
    const isNegated = tokens.next.is === '!';
    if (isNegated) tokens.take();
    const key = tokens.take();
    if (key.is !== 'word') throw unexpected(key, ', expected: identifier');
    const faults = labelKeyFaults(key.text);
    // Upstream prints the path of the field here, and has none.
    if (faults.length > 0) throw new SelectorError(`<nil>: Invalid value: ${quote(key.text)}: ${faults.join('; ')}`);
    if (isNegated) return checked({ key: key.text, operator: 'DoesNotExist', values: [] });
    if (tokens.next.is === 'end' || tokens.next.is === ',')
      return checked({ key: key.text, operator: 'Exists', values: [] });
    const { operator, takesList } = readOperator(tokens);
    const values = takesList ? readList(tokens) : [readValue(tokens)];
    return checked({ key: key.text, operator, values: [...new Set(values)].sort() });
  } catch (error) {
    if (error instanceof SelectorError) throw new SelectorError(`unable to parse requirement: ${error.message}`);
    throw error;
  }
}

function readOperator(tokens: Tokens): { readonly operator: LabelOperator; readonly takesList: boolean } {
  const token = tokens.take();
  switch (token.text) {
    case 'in':
      return { operator: 'In', takesList: true };
    case 'notin':
      return { operator: 'NotIn', takesList: true };
    case '=':
    case '==':
      return { operator: 'In', takesList: false };
    case '!=':
      return { operator: 'NotIn', takesList: false };
    case '>':
      return { operator: 'Gt', takesList: false };
    case '<':
      return { operator: 'Lt', takesList: false };
    default:
      throw unexpected(token, ', expected: in, notin, =, ==, !=, gt, lt');
  }
}

// parseExactValue: nothing before a comma or the end is the empty value.
function readValue(tokens: Tokens): string {
  if (tokens.next.is === 'end' || tokens.next.is === ',') return '';
  const value = tokens.take();
  if (value.is !== 'word') throw unexpected(value, ', expected: identifier');
  return value.text;
}

// parseValues and parseIdentifiersList: nothing between two commas, or between a comma and a parenthesis, is the empty value.
function readList(tokens: Tokens): readonly string[] {
  const open = tokens.take();
  if (open.is !== '(') throw unexpected(open, " expected: '('");
  const { next: first } = tokens;
  if (first.is !== 'word' && first.is !== ',' && first.is !== ')') {
    throw unexpected(first, ", expected: ',', ')' or identifier");
  }
  const values: string[] = [];
  for (;;) {
    if (tokens.next.is === ',' || tokens.next.is === ')') {
      values.push('');
    } else {
      const value = tokens.take();
      if (value.is !== 'word') throw unexpected(value, ", expected: ',', or identifier");
      values.push(value.text);
    }
    const separator = tokens.take();
    if (separator.is === ')') return values;
    if (separator.is !== ',') throw unexpected(separator, ", expected: ',' or ')'");
  }
}

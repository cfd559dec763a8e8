import { type Part, type Path, type Slice, type Step, type Template, TemplateError } from './template.ts';
import { unquote } from './unquote.ts';

/**
 * Parses a template of kubectl's JSONPath dialect. Throws TemplateError.
 *
 * kubernetes/client-go util/jsonpath/parser.go; specification ecosystem 7.4.
 */
export function parseTemplate(source: string): Template {
  return { source, parts: parseText(source) };
}

/** The place in the text that is read next. */
interface Cursor {
  readonly text: string;
  at: number;
}

function parseText(text: string): Part[] {
  const parts: Part[] = [];
  const cursor: Cursor = { text, at: 0 };
  while (cursor.at < text.length) {
    const brace = text.indexOf('{', cursor.at);
    const end = brace < 0 ? text.length : brace;
    if (end > cursor.at) parts.push({ is: 'text', text: text.slice(cursor.at, end) });
    cursor.at = end;
    if (brace >= 0) {
      cursor.at += 1;
      parts.push({ is: 'action', path: parseAction(cursor) });
    }
  }
  return parts;
}

/** An expression inside an expression: what follows a brace in it is lost, as in kubectl. */
function parseExpression(text: string): Path {
  return parseAction({ text: `${text}}`, at: 0 });
}

function parseAction(cursor: Cursor): Path {
  const path: Step[] = [];
  for (;;) {
    if (skip(cursor, '}')) return path;
    if (skip(cursor, '[?(')) path.push(parseFilter(cursor));
    else if (skip(cursor, '..')) path.push(...parseDescent(cursor, path.at(-1)));
    else path.push(...parseStep(cursor));
  }
}

function parseStep(cursor: Cursor): Step[] {
  const character = peek(cursor);
  if (character === '' || isLineEnd(character)) throw new TemplateError('unclosed action');
  if (' @$'.includes(character)) {
    cursor.at += 1;
    return [];
  }
  if (character === '[') return parseBrackets(cursor);
  if (character === '"' || character === "'") return [parseQuoted(cursor, character)];
  if (skip(cursor, '.')) return [parseField(cursor)];
  if (/[+\-\p{Nd}]/u.test(character)) return [parseNumber(cursor)];
  if (isWordCharacter(character)) return [parseWord(cursor)];
  throw new TemplateError(`unrecognized character in action: ${nameOf(character)}`);
}

function parseDescent(cursor: Cursor, before: Step | undefined): Step[] {
  if (before?.is === 'descent') throw new TemplateError('invalid multiple recursive descent');
  const descent: Step = { is: 'descent' };
  return isWordCharacter(peek(cursor)) ? [descent, parseField(cursor)] : [descent];
}

function parseField(cursor: Cursor): Step {
  const start = cursor.at;
  while (!isTerminator(peek(cursor))) cursor.at += peek(cursor) === '\\' ? 2 : 1;
  cursor.at = Math.min(cursor.at, cursor.text.length);
  const name = cursor.text.slice(start, cursor.at);
  return name === '*' ? { is: 'wildcard' } : { is: 'field', name: name.replaceAll('\\', '') };
}

function parseWord(cursor: Cursor): Step {
  const start = cursor.at;
  while (!isTerminator(peek(cursor))) cursor.at += 1;
  const word = cursor.text.slice(start, cursor.at);
  if (word === 'true' || word === 'false') return { is: 'literal', value: word === 'true' };
  return { is: 'identifier', name: word };
}

function parseNumber(cursor: Cursor): Step {
  const start = cursor.at;
  if ('+-'.includes(peek(cursor))) cursor.at += 1;
  while (/[.\p{Nd}]/u.test(peek(cursor))) cursor.at += peek(cursor).length;
  const number = cursor.text.slice(start, cursor.at);
  if (!/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)$/.test(number)) throw new TemplateError(`cannot parse number ${number}`);
  return { is: 'literal', value: Number(number) };
}

function parseQuoted(cursor: Cursor, quote: string): Step {
  const start = cursor.at;
  for (;;) {
    cursor.at += 1;
    const character = peek(cursor);
    if (character === '' || character === '\n') throw new TemplateError('unterminated quoted string');
    if (character === quote && cursor.text[cursor.at - 1] !== '\\') break;
  }
  cursor.at += 1;
  return { is: 'literal', value: unquote(cursor.text.slice(start, cursor.at)) };
}

function parseBrackets(cursor: Cursor): Step[] {
  const end = cursor.text.indexOf(']', cursor.at);
  const lineEnd = cursor.text.indexOf('\n', cursor.at);
  if (end < 0 || (lineEnd >= 0 && lineEnd < end)) throw new TemplateError('unterminated array');
  const text = cursor.text.slice(cursor.at + 1, end);
  cursor.at = end + 1;
  const alternatives = text.split(',');
  if (alternatives.length > 1) {
    return [{ is: 'union', members: alternatives.map((member) => parseExpression(`[${trimBlanks(member)}]`)) }];
  }
  const key = /^'([^']*)'$/.exec(text);
  // A quoted key is a path of its own: "['metadata.name']" are two fields, unless the dot is escaped.
  if (key !== null) return [...parseExpression(`.${key[1]!}`)];
  return [parseSlice(text === '*' ? ':' : text)];
}

function parseSlice(text: string): Slice {
  const match = /^(-?[0-9]*)(?::(-?[0-9]*))?(?::(-?[0-9]*))?$/.exec(text);
  if (match === null) throw new TemplateError(`invalid array index ${text}`);
  const [from, to, step] = [parseIndex(match[1]), parseIndex(match[2]), parseIndex(match[3])];
  const isDerived = match[2] === undefined;
  const end = isDerived ? (from ?? 0) + 1 : to;
  return {
    is: 'slice',
    isDerived,
    ...(from === undefined ? {} : { from }),
    ...(end === undefined ? {} : { to: end }),
    ...(step === undefined ? {} : { step }),
  };
}

function parseIndex(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const index = Number(text);
  if (text === '-' || !Number.isSafeInteger(index)) throw new TemplateError(`array index ${text} is not a number`);
  return index;
}

function parseFilter(cursor: Cursor): Step {
  const text = filterText(cursor);
  const comparison = /^([^!<>=]+)([!<>=]+)([^\n]+)$/.exec(text);
  if (comparison === null) return { is: 'filter', left: parseExpression(text) };
  const left = parseExpression(comparison[1]!);
  return { is: 'filter', left, comparison: { operator: comparison[2]!, right: parseExpression(comparison[3]!) } };
}

/** Up to the ")" that stands outside the one quoted string a filter may have, the cursor behind the "]" after it. */
function filterText(cursor: Cursor): string {
  const start = cursor.at;
  let quote = '';
  let isClosed = false;
  for (; ; cursor.at += 1) {
    const character = peek(cursor);
    if (character === '' || character === '\n') throw new TemplateError('unterminated filter');
    if (character === '"' || character === "'") {
      if (quote === '') quote = character;
      else if (character === quote && cursor.text[cursor.at - 1] !== '\\') isClosed = true;
    } else if (character === ')' && isClosed === (quote !== '')) {
      break;
    }
  }
  const text = cursor.text.slice(start, cursor.at);
  cursor.at += 1;
  if (!skip(cursor, ']')) throw new TemplateError('unclosed array expect ]');
  return text;
}

/** The character at the cursor, whole even where it takes two code units; empty at the end. */
function peek(cursor: Cursor): string {
  const codePoint = cursor.text.codePointAt(cursor.at);
  return codePoint === undefined ? '' : String.fromCodePoint(codePoint);
}

function skip(cursor: Cursor, prefix: string): boolean {
  if (!cursor.text.startsWith(prefix, cursor.at)) return false;
  cursor.at += prefix.length;
  return true;
}

function trimBlanks(text: string): string {
  return text.replace(/^ +| +$/g, '');
}

function isTerminator(character: string): boolean {
  return character === '' || ' \t\r\n.,[]$@{}'.includes(character);
}

function isLineEnd(character: string): boolean {
  return character === '\r' || character === '\n';
}

function isWordCharacter(character: string): boolean {
  return /^[_\p{L}\p{Nd}]/u.test(character);
}

function nameOf(character: string): string {
  const name = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character) ? `${name} '${character}'` : name;
}

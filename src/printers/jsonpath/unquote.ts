import { TemplateError } from './template.ts';

/**
 * The text in a quoted string of a template, with Go's escapes resolved: `\n`, `\t`, `\"` within double and `\'` within single
 * quotes, `\x41`, `\101` (bytes of UTF-8), `\u00e9`, `\U0001f525`. Throws TemplateError.
 *
 * kubernetes/client-go util/jsonpath/parser.go, UnquoteExtend.
 */
export function unquote(quoted: string): string {
  const quote = quoted[0]!;
  const text = quoted.slice(1, -1);
  if (!text.includes('\\') && !text.includes(quote)) return text;
  const bytes: number[] = [];
  let at = 0;
  while (at < text.length) {
    const token = nextToken(text, at);
    const decoded = token === undefined || token === quote ? undefined : decode(token, quote);
    if (token === undefined || decoded === undefined) {
      throw new TemplateError(`unquote string ${quoted} error invalid syntax`);
    }
    for (const byte of decoded) bytes.push(byte);
    at += token.length;
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

/** An escape or one character. */
function nextToken(text: string, at: number): string | undefined {
  if (text[at] !== '\\') return String.fromCodePoint(text.codePointAt(at)!);
  escapeSequence.lastIndex = at;
  return escapeSequence.exec(text)?.[0];
}

function decode(token: string, quote: string): (ArrayLike<number> & Iterable<number>) | undefined {
  if (token[0] !== '\\') return encoder.encode(token);
  const kind = token[1]!;
  const simple = simpleEscapes[kind];
  if (simple !== undefined) return [simple];
  if (kind === '"' || kind === "'") return kind === quote ? [quote.charCodeAt(0)] : undefined;
  if (kind === 'x') return [Number.parseInt(token.slice(2), 16)];
  if (kind === 'u' || kind === 'U') {
    const codePoint = Number.parseInt(token.slice(2), 16);
    const isCharacter = codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint < 0xe000);
    return isCharacter ? encoder.encode(String.fromCodePoint(codePoint)) : undefined;
  }
  const octal = Number.parseInt(token.slice(1), 8);
  return octal > 0xff ? undefined : [octal];
}

const encoder = new TextEncoder();

const escapeSequence = /\\(?:[abfnrtv\\"']|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3})/y;

const simpleEscapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '\\': 0x5c,
};

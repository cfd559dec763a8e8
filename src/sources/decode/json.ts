import { depthLimit, ParseError } from './parse-error.ts';
import { PlainScalar } from './plain-scalar.ts';

/**
 * Reads JSON like JSON.parse, but numbers keep their text, and errors say on which line they are. Slower: for what JSON.parse refuses
 * and for the rare object whose numbers count. Throws ParseError.
 */
export function parseJsonExactly(text: string): unknown {
  let at = 0;
  let depth = 0;
  const value = readValue();
  skipSpace();
  if (at < text.length) fail(`unexpected ${shown()} after the value`);
  return value;

  function readValue(): unknown {
    skipSpace();
    switch (text[at]) {
      case '{':
        return nested(readObject);
      case '[':
        return nested(readArray);
      case '"':
        return readString();
      default:
        return readScalar();
    }
  }

  function nested<T>(read: () => T): T {
    if (++depth > depthLimit) fail(`nesting exceeds ${depthLimit} levels`);
    const value = read();
    depth--;
    return value;
  }

  function readObject(): object {
    const object = {};
    at++;
    skipSpace();
    if (text[at] === '}') {
      at++;
      return object;
    }
    for (;;) {
      skipSpace();
      if (text[at] !== '"') fail(`expected a key in double quotes, found ${shown()}`);
      const key = readString();
      skipSpace();
      if (text[at] !== ':') fail(`expected ":" after a key, found ${shown()}`);
      at++;
      // As JSON.parse: the last of equal keys counts, and "__proto__" is a key like any other.
      Object.defineProperty(object, key, { value: readValue(), enumerable: true, configurable: true, writable: true });
      skipSpace();
      if (text[at] === '}') {
        at++;
        return object;
      }
      if (text[at] !== ',') fail(`expected "," or "}", found ${shown()}`);
      at++;
    }
  }

  function readArray(): readonly unknown[] {
    const array: unknown[] = [];
    at++;
    skipSpace();
    if (text[at] === ']') {
      at++;
      return array;
    }
    for (;;) {
      array.push(readValue());
      skipSpace();
      if (text[at] === ']') {
        at++;
        return array;
      }
      if (text[at] !== ',') fail(`expected "," or "]", found ${shown()}`);
      at++;
    }
  }

  function readString(): string {
    const start = at;
    for (at++; at < text.length && text[at] !== '"'; at++) {
      if (text[at] === '\\') at++;
      else if (text[at] === '\n') fail('line break inside a string');
    }
    at++;
    try {
      return JSON.parse(text.slice(start, at)) as string;
    } catch {
      at = start;
      return fail('malformed string');
    }
  }

  function readScalar(): unknown {
    const match = /(?:true|false|null)\b|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
    match.lastIndex = at;
    const found = match.exec(text)?.[0];
    if (found === undefined) return fail(`unexpected ${shown()}`);
    at += found.length;
    if (found === 'null') return null;
    if (found === 'true' || found === 'false') return found === 'true';
    return new PlainScalar(found);
  }

  function skipSpace(): void {
    while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  }

  function shown(): string {
    return at < text.length ? JSON.stringify(String.fromCodePoint(text.codePointAt(at) as number)) : 'the end';
  }

  function fail(reason: string): never {
    let lines = 0;
    for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) lines++;
    throw new ParseError(reason, lines);
  }
}

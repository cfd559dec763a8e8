import type { FieldPath } from './manifest.ts';

/** Where a field stands in a text. */
export interface FieldPosition {
  /** From 0, counted from the first line of the text. */
  readonly line: number;
  /** From 1, in UTF-16 units as editors count. */
  readonly column: number;
  /** The column behind the last character of the key, or of the item's first line. */
  readonly endColumn: number;
}

/**
 * Finds the key of a field (or the item of a list) in the text of a YAML or JSON document by looking at indentation and brackets
 * only: a light pass for the few objects that have findings, where the document is known to parse. A path that leads further than
 * the text (a field that is not there, an alias) ends at its last part that is.
 */
export function positionOfField(text: string, path: FieldPath): FieldPosition {
  const scanner = new Scanner(text);
  const start = scanner.firstContent();
  if (start === undefined) return { line: 0, column: 1, endColumn: 1 };
  return scanner.find(start, path);
}

interface Spot {
  readonly line: number;
  /** From 0. */
  readonly column: number;
}

class Scanner {
  readonly #lines: readonly string[];

  constructor(text: string) {
    this.#lines = text.split(/\r?\n/);
  }

  /** Where the document's value begins. */
  firstContent(): Spot | undefined {
    for (const [line, text] of this.#lines.entries()) {
      if (isBlank(text) || text.startsWith('%')) continue;
      const marker = /^---(?:\s+|$)/.exec(text);
      if (marker === null) return { line, column: indentOf(text) };
      const rest = text.slice(marker[0].length);
      if (!isBlank(rest)) return this.#behindProperties(line, marker[0].length) ?? { line, column: marker[0].length };
    }
    return undefined;
  }

  find(start: Spot, path: FieldPath): FieldPosition {
    let found = this.#token(start);
    let at: Spot | undefined = start;
    let end = this.#lines.length;
    for (const [i, step] of path.entries()) {
      if (at === undefined) return found;
      const first = this.#lines[at.line]?.[at.column];
      if (first === '{' || first === '[') return new FlowScanner(this.#lines, at).find(path.slice(i)) ?? found;
      const entry: Entry | undefined =
        typeof step === 'number' ? this.#item(at, end, step) : this.#entry(at, end, step);
      if (entry === undefined) return found;
      found = entry.at;
      at = entry.value;
      end = entry.end;
    }
    return found;
  }

  /** The entry of a block mapping whose keys stand at the column. */
  #entry({ line: first, column }: Spot, end: number, key: string): Entry | undefined {
    for (let line = first; line < end; line++) {
      const from = line === first ? column : this.#indentAt(line, column);
      if (from === undefined) continue;
      const found = keyAt(this.#lines[line] as string, column);
      if (found?.key !== key) continue;
      const stop = this.#endOfEntry(line, column, end, false);
      return {
        at: { line, column: column + 1, endColumn: found.end + 1 },
        value: this.#valueBehind(line, found.behind, column, stop),
        end: stop,
      };
    }
    return undefined;
  }

  /** The entry of a block sequence whose dashes stand at the column. */
  #item({ line: first, column }: Spot, end: number, index: number): Entry | undefined {
    let seen = -1;
    for (let line = first; line < end; line++) {
      const from = line === first ? column : this.#indentAt(line, column);
      const text = this.#lines[line] as string;
      if (from === undefined || !isDash(text, column) || ++seen < index) continue;
      const stop = this.#endOfEntry(line, column, end, true);
      const value = this.#valueBehind(line, column + 1, column, stop);
      return { at: this.#token(value ?? { line, column }), value, end: stop };
    }
    return undefined;
  }

  /** The column if the line's content begins there. */
  #indentAt(line: number, column: number): number | undefined {
    const text = this.#lines[line] as string;
    return !isBlank(text) && indentOf(text) === column ? column : undefined;
  }

  /** The line that no longer belongs to an entry: the next one that is indented as little. */
  #endOfEntry(from: number, column: number, end: number, isItem: boolean): number {
    for (let line = from + 1; line < end; line++) {
      const text = this.#lines[line] as string;
      if (isBlank(text)) continue;
      const indent = indentOf(text);
      // A sequence may stand at the column of its key.
      if (indent < column || (indent === column && (isItem || !isDash(text, column)))) return line;
    }
    return end;
  }

  /** Where the value of an entry begins: on its line, or below it, deeper. */
  #valueBehind(line: number, behind: number, column: number, end: number): Spot | undefined {
    const inline = this.#behindProperties(line, behind);
    if (inline !== undefined) return inline;
    for (let below = line + 1; below < end; below++) {
      const text = this.#lines[below] as string;
      if (isBlank(text)) continue;
      const indent = indentOf(text);
      return indent > column || isDash(text, indent) ? { line: below, column: indent } : undefined;
    }
    return undefined;
  }

  /** The first content behind a column of a line, anchors and tags passed over. */
  #behindProperties(line: number, behind: number): Spot | undefined {
    const match = /^(?:\s+[&!]\S*)*\s*/.exec((this.#lines[line] as string).slice(behind)) as RegExpExecArray;
    const column = behind + match[0].length;
    const rest = (this.#lines[line] as string).slice(column);
    // What a block scalar holds is no structure.
    return rest === '' || rest.startsWith('#') || /^[|>]/.test(rest) ? undefined : { line, column };
  }

  #token({ line, column }: Spot): FieldPosition {
    const text = this.#lines[line] ?? '';
    const key = keyAt(text, column);
    const end = key?.end ?? text.replace(/\s+(?:#.*)?$/, '').length;
    return { line, column: column + 1, endColumn: Math.max(column + 1, end) + 1 };
  }
}

interface Entry {
  readonly at: FieldPosition;
  readonly value: Spot | undefined;
  readonly end: number;
}

/** A key that begins at a column: where it ends, and where what is behind its colon begins. */
function keyAt(text: string, column: number): { key: string; end: number; behind: number } | undefined {
  const pattern =
    /(?:\?\s+)?(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s#:,[\]{}&*!|>'"%@`-][^:#]*?|-[^\s:][^:#]*?))\s*:(?=\s|$)/y;
  pattern.lastIndex = column;
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [whole, double, single, plain] = match;
  const key = double !== undefined ? unescaped(double) : (single?.replaceAll("''", "'") ?? plain ?? '');
  return { key, end: column + whole.slice(0, -1).trimEnd().length, behind: column + whole.length };
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

const isBlank = (text: string): boolean => /^\s*(?:#|$)/.test(text);
const indentOf = (text: string): number => text.length - text.trimStart().length;
const isDash = (text: string, column: number): boolean =>
  text[column] === '-' && /^(?:\s|$)/.test(text.slice(column + 1));

/** Finds fields between brackets: JSON, or YAML in flow style. */
class FlowScanner {
  readonly #lines: readonly string[];
  #line: number;
  #column: number;

  constructor(lines: readonly string[], { line, column }: Spot) {
    this.#lines = lines;
    this.#line = line;
    this.#column = column;
  }

  /** The position of the deepest part of the path that is there; undefined if not even the first is. */
  find(path: FieldPath): FieldPosition | undefined {
    const [step, ...rest] = path;
    if (step === undefined) return undefined;
    const open = this.#next();
    if (open !== '{' && open !== '[') return undefined;
    this.#column++;
    for (let index = 0; ; index++) {
      const first = this.#next();
      if (first === undefined || first === '}' || first === ']') return undefined;
      const start = { line: this.#line, column: this.#column };
      let name: string | number = index;
      let end = start.column;
      if (open === '{') {
        name = this.#scalar();
        end = this.#column;
        if (this.#next() === ':') this.#column++;
      }
      if (name === step) {
        const endColumn = open === '{' ? end : this.#endOnLine(start);
        const value = this.#next() === undefined ? undefined : this.find(rest);
        return (
          value ?? { line: start.line, column: start.column + 1, endColumn: Math.max(start.column + 1, endColumn) + 1 }
        );
      }
      this.#skipValue();
      if (this.#next() === ',') this.#column++;
    }
  }

  /** The next character that is neither white space nor in a comment, without passing it. */
  #next(): string | undefined {
    for (; this.#line < this.#lines.length; this.#line++, this.#column = 0) {
      const text = this.#lines[this.#line] as string;
      while (this.#column < text.length && /\s/.test(text[this.#column] as string)) this.#column++;
      if (this.#column >= text.length) continue;
      if (text[this.#column] === '#' && (this.#column === 0 || /\s/.test(text[this.#column - 1] as string))) continue;
      return text[this.#column];
    }
    return undefined;
  }

  /** Passes a scalar; its text. */
  #scalar(): string {
    const first = this.#next();
    if (first === '"' || first === "'") {
      const start = { line: this.#line, column: this.#column };
      this.#skipQuoted(first);
      if (this.#line !== start.line) return '';
      const text = (this.#lines[this.#line] as string).slice(start.column, this.#column);
      return first === '"' ? unescaped(text.slice(1, -1)) : text.slice(1, -1).replaceAll("''", "'");
    }
    const text = this.#lines[this.#line] as string;
    const start = this.#column;
    while (this.#column < text.length && !/[,{}[\]]/.test(text[this.#column] as string)) {
      if (text[this.#column] === ':' && /^(?:\s|[,{}[\]"']|$)/.test(text.slice(this.#column + 1))) break;
      this.#column++;
    }
    return text.slice(start, this.#column).trim();
  }

  #skipQuoted(quote: string): void {
    this.#column++;
    for (; this.#line < this.#lines.length; this.#line++, this.#column = 0) {
      const text = this.#lines[this.#line] as string;
      for (; this.#column < text.length; this.#column++) {
        const character = text[this.#column];
        // The character behind a backslash, and the second of two single quotes, end nothing.
        if (quote === '"' ? character === '\\' : character === quote && text[this.#column + 1] === quote)
          this.#column++;
        else if (character === quote) {
          this.#column++;
          return;
        }
      }
    }
  }

  /** Passes a value of any kind. */
  #skipValue(): void {
    let depth = 0;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (next === '"' || next === "'") this.#skipQuoted(next);
      else if (next === '{' || next === '[') {
        depth++;
        this.#column++;
      } else if (next === '}' || next === ']') {
        if (depth === 0) return;
        depth--;
        this.#column++;
      } else if (next === ',') {
        if (depth === 0) return;
        this.#column++;
      } else if (next === ':') this.#column++;
      else this.#scalar();
      if (depth === 0 && /[,}\]]/.test(this.#next() ?? ',')) return;
    }
  }

  /** The end of a value that begins here, if it ends on the same line; else the end of the line. */
  #endOnLine({ line, column }: Spot): number {
    const probe = new FlowScanner(this.#lines, { line, column });
    probe.#skipValue();
    return probe.#line === line
      ? (this.#lines[line] as string).slice(0, probe.#column).trimEnd().length
      : (this.#lines[line] as string).length;
  }
}

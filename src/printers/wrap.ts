import { displayWidth } from './display-width.ts';

export interface WrapOptions {
  /** Columns of the terminal, the indents included. */
  readonly width: number;
  /** Stands before the first line, "Why    " for instance. */
  readonly first?: string;
  /** Stands before every further line; blanks as wide as `first` if absent. */
  readonly rest?: string;
}

/**
 * Prose broken into lines at blanks, without line ends. A line of the text that begins with a blank is a command or a drawing:
 * it is indented and never broken. A word wider than the line stands alone on its line, whole, so that it can be copied.
 */
export function wrap(text: string, options: WrapOptions): string[] {
  const first = options.first ?? '';
  const rest = options.rest ?? ' '.repeat(displayWidth(first));
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    const room = options.width - displayWidth(lines.length === 0 ? first : rest);
    const broken = paragraph.startsWith(' ')
      ? [paragraph.trimEnd()]
      : fill(paragraph.split(' ').filter(isNotEmpty), room, options.width - displayWidth(rest));
    for (const line of broken)
      lines.push(`${lines.length === 0 ? first : rest}${line.replaceAll(noBreak, ' ')}`.trimEnd());
  }
  return lines;
}

/** Marks a text, a command within a sentence for instance, so that wrap() never breaks it. */
export function keepTogether(text: string): string {
  return text.replaceAll(' ', noBreak);
}

function fill(words: readonly string[], firstRoom: number, restRoom: number): string[] {
  const lines: string[] = [];
  let line = '';
  let taken = 0;
  for (const word of words) {
    const width = displayWidth(word);
    const room = lines.length === 0 ? firstRoom : restRoom;
    if (line !== '' && taken + 1 + width > room) {
      lines.push(line);
      line = word;
      taken = width;
    } else {
      taken += line === '' ? width : 1 + width;
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines;
}

function isNotEmpty(word: string): boolean {
  return word !== '';
}

const noBreak = '\u00a0';

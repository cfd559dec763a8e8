import type { Style } from './table.ts';

/** What a text means, for a printer to say; whether that shows in colour was decided elsewhere. */
export interface Theme {
  /** Something is stuck, lost or refused. */
  readonly bad: Style;
  /** Something deserves a look. */
  readonly warn: Style;
  /** Something is well. */
  readonly good: Style;
  /** Secondary text. */
  readonly dim: Style;
  readonly bold: Style;
  /** Titles of tables and sections. */
  readonly heading: Style;
}

/** The coloured theme, or the one that changes nothing. Texts must have been escaped before they are coloured. */
export function themeFor(colour: boolean): Theme {
  return colour ? coloured : plain;
}

function sgr(open: number, close: number): Style {
  const start = `\x1b[${open}m`;
  const end = `\x1b[${close}m`;
  // An inner style that ends with the same code would end the outer one too.
  return (text) => (text === '' ? '' : `${start}${text.replaceAll(end, `${end}${start}`)}${end}`);
}

function unchanged(text: string): string {
  return text;
}

// The 16 colours only, for the user's own palette; yellow is unreadable on white and blue on black, hence magenta warns.
const coloured: Theme = {
  bad: sgr(31, 39),
  warn: sgr(35, 39),
  good: sgr(32, 39),
  dim: sgr(2, 22),
  bold: sgr(1, 22),
  heading: sgr(1, 22),
};

const plain: Theme = {
  bad: unchanged,
  warn: unchanged,
  good: unchanged,
  dim: unchanged,
  bold: unchanged,
  heading: unchanged,
};

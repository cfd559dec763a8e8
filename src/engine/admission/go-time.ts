import { quote } from '../../api/go-text.ts';

/**
 * What is wrong with a point in time that is to be RFC 3339, in the words of Go's time.Parse. That is more lenient: an hour of one
 * digit and a comma before fractions of a second are fine. undefined if nothing is wrong.
 */
export function timeFault(text: string): string | undefined {
  let rest = text;
  const numbers: number[] = [];
  for (const { element, format, outOfRange } of elements) {
    const found = format.exec(rest);
    if (found === null) {
      return `parsing time ${quote(text)} as "2006-01-02T15:04:05Z07:00": cannot parse ${quote(rest)} as ${quote(element)}`;
    }
    const fields = found.slice(1).map(Number);
    const range = outOfRange?.(fields);
    if (range !== undefined) return `parsing time ${quote(text)}: ${range} out of range`;
    numbers.push(...fields);
    rest = rest.slice(found[0].length);
  }
  if (rest !== '') return `parsing time ${quote(text)}: extra text: ${quote(rest)}`;
  const [year = 0, month = 0, day = 0] = numbers;
  return day < 1 || day > daysIn(year, month) ? `parsing time ${quote(text)}: day out of range` : undefined;
}

interface Element {
  /** The element's spelling in Go's layout. */
  readonly element: string;
  readonly format: RegExp;
  /** What is too large or too small; the day waits until month and year are known. */
  readonly outOfRange?: (fields: readonly number[]) => string | undefined;
}

const literal = (element: string): Element => ({ element, format: new RegExp(`^${element}`) });

const elements: readonly Element[] = [
  { element: '2006', format: /^(\d{4})/ },
  literal('-'),
  { element: '01', format: /^(\d\d)/, outOfRange: ([month = 0]) => (month < 1 || month > 12 ? 'month' : undefined) },
  literal('-'),
  { element: '02', format: /^(\d\d)/ },
  literal('T'),
  { element: '15', format: /^(\d\d?)/, outOfRange: ([hour = 0]) => (hour > 23 ? 'hour' : undefined) },
  literal(':'),
  { element: '04', format: /^(\d\d)/, outOfRange: ([minute = 0]) => (minute > 59 ? 'minute' : undefined) },
  literal(':'),
  {
    element: '05',
    format: /^(\d\d)(?:[.,]\d+)?/,
    outOfRange: ([second = 0]) => (second > 59 ? 'second' : undefined),
  },
  {
    element: 'Z07:00',
    format: /^(?:Z|[+-](\d\d):(\d\d))/,
    outOfRange: ([hour = 0, minute = 0]) =>
      hour > 24 ? 'time zone offset hour' : minute > 60 ? 'time zone offset minute' : undefined,
  },
];

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

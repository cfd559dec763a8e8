/**
 * Whether YAML would read an unquoted text as something else than a string: a boolean, null, a number or a date, in the
 * spellings of YAML 1.1 that go-yaml 2 knows.
 *
 * go-yaml 2 resolve.go, and encode.go for numbers to the base of sixty ("12:30:45"), which other readers take for numbers.
 */
export function readsAsOther(text: string): boolean {
  if (words.has(text)) return true;
  if (/^\.[0-9]/.test(text)) return isFloat(text);
  if (!/^[-+0-9]/.test(text)) return false;
  const digits = text.replaceAll('_', '');
  return isTimestamp(text) || isInteger(digits) || isFloat(digits) || sexagesimal.test(text);
}

function isInteger(text: string): boolean {
  if (/^0b[-+][01]+$/.test(text)) return true;
  const match = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9][0-9]*)$/.exec(text);
  if (match === null) return false;
  const [sign, digits] = [match[1]!, match[2]!];
  const value = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
  return value <= (sign === '' ? unsignedLimit : sign === '-' ? signedLimit + 1n : signedLimit);
}

function isFloat(text: string): boolean {
  return /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text) && Number.isFinite(Number(text));
}

function isTimestamp(text: string): boolean {
  const match = timestamp.exec(text);
  if (match === null || ((match[4] ?? ' ') === ' ') !== (match[8] === undefined)) return false;
  const [year, month, day, hour, minute, second] = [1, 2, 3, 5, 6, 7].map((group) => Number(match[group] ?? 0));
  const daysInMonth = new Date(Date.UTC(2000 + (year! % 400), month!, 0)).getUTCDate();
  const isDate = month! >= 1 && month! <= 12 && day! >= 1 && day! <= daysInMonth;
  return isDate && hour! < 24 && minute! < 60 && second! < 60;
}

const words: ReadonlySet<string> = new Set(
  [
    ['', '~', 'null', 'Null', 'NULL'],
    ['true', 'True', 'TRUE', 'false', 'False', 'FALSE'],
    ['y', 'Y', 'yes', 'Yes', 'YES', 'n', 'N', 'no', 'No', 'NO'],
    ['on', 'On', 'ON', 'off', 'Off', 'OFF'],
    ['.nan', '.NaN', '.NAN', '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF', '-.inf', '-.Inf', '-.INF'],
  ].flat(),
);

const unsignedLimit = 2n ** 64n - 1n;
const signedLimit = 2n ** 63n - 1n;

// A zone belongs to the form with a "T", and only to that.
const timestamp = /^(\d{4})-(\d\d?)-(\d\d?)(?:([Tt ])(\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(Z|[+-]\d\d:\d\d)?)?$/;

const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

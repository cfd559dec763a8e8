import type { Piece } from './cuts.ts';
import { parseJsonExactly } from './json.ts';
import { ParseError } from './parse-error.ts';
import type { YamlReader } from './yaml.ts';

/** js-yaml has to be loaded before the piece can be read. */
export class YamlNeededError extends Error {}

/** The end of the piece was guessed wrongly. */
export class WrongGuessError extends Error {}

/**
 * The value of a document or of one item of a list. This is the place for faster readers: each tier either gives exactly what the
 * last one gives, or leaves the piece to the next. Throws ParseError, WrongGuessError, and YamlNeededError without a YAML reader.
 */
export function parsePiece(piece: Piece, isItem: boolean, yaml: YamlReader | undefined): unknown {
  const text = piece.bytes.toString('utf8');
  if (piece.format === 'json') return parseJson(text, piece.isGuess === true, yaml);
  if (yaml === undefined) throw new YamlNeededError();
  const value = yaml.parse(text);
  return isItem ? onlyEntry(value) : value;
}

/** What is between the brackets of JSON may still be YAML, as for kubectl: a trailing comma, a comment, an unquoted word. */
function parseJson(text: string, isGuess: boolean, yaml: YamlReader | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (isGuess) throw new WrongGuessError();
    if (yaml === undefined) throw new YamlNeededError();
    try {
      return yaml.parse(text);
    } catch {
      return parseJsonExactly(text);
    }
  }
}

function onlyEntry(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 1) return value[0];
  throw new ParseError('not an item of a list', 0);
}

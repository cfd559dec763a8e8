/** A stretch of a text that holds one document or one item of a list. */
export interface Piece {
  readonly format: 'yaml' | 'json';
  /** Valid until the receiver returns. */
  readonly bytes: Buffer;
  /** The line on which the bytes begin, from 1. */
  readonly line: number;
  /** The end was found by its looks: it is right if the bytes are valid JSON, and not otherwise. */
  readonly isGuess?: boolean;
}

/** What to do before the next piece. "recut": the piece was a guess and is not valid, or not looked into; nothing was kept of it. */
export type Reception = void | Promise<void> | 'recut';

/** What stands around the items of a list. */
export interface ListText {
  readonly format: 'yaml' | 'json';
  /** Nothing stands around the items. */
  readonly isArray: boolean;
  /** The text before the items. */
  readonly head: string;
  readonly line: number;
  /** The kind, if it stands before the items and is spelt plainly. */
  readonly kind: string | undefined;
}

/** Takes the pieces of a text as they are found. A promise asks to wait before the next piece. */
export interface Cuts {
  /** Documents are counted from 1; what follows belongs to this one. */
  beginDocument(document: number): void;
  /**
   * A document that was not cut. `isBlock`: its keys begin lines in the first column, so that its kind can be looked up; `line` is
   * that of its first content.
   */
  document(piece: Piece, isBlock: boolean, line: number): void | Promise<void>;
  beginList(list: ListText): void;
  /** An item of the list that was begun last; for YAML with the dash before it. `line` is that of the item's first content. */
  item(piece: Piece, line: number): Reception;
  /** `tail` is the text behind the items; undefined if the list was cut off. */
  endList(list: ListText, tail: string | undefined, tailLine: number): void | Promise<void>;
  /** Lists were appended without a separator: the document ends where the next one begins. */
  appended(line: number): void;
  /** Something that cannot be used. */
  problem(line: number, reason: string): void;
  /** Text that was made to be looked at, not read. */
  refuse(line: number, reason: string): void;
}

export interface CutOptions {
  /** Bytes that are read at a time. */
  readonly windowSize: number;
  /** The longest item, in bytes. */
  readonly pieceLimit: number;
}

export function tooLongReason(pieceLimit: number): string {
  return `longer than ${Math.ceil(pieceLimit / 1024 / 1024)} MiB: passed over`;
}

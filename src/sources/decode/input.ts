/** Bytes to decode: a file, standard input, a member of an archive. */
export interface Input {
  /** As the user would recognise it; "-" for standard input. */
  readonly name: string;
  /** The bytes in order. A chunk may be overwritten once the next one is asked for. */
  read(): AsyncIterable<Uint8Array>;
}

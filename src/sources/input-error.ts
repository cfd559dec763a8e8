/** The input as a whole is of no use. The message says what is wrong and what to run instead, in one line. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

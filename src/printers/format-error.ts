/** What the user asked of `-o`, a template or `--sort-by` cannot be had. The message is for them, in kubectl's words where it has some. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}

/** The lines of a text that comes in pieces, without their ends. A last line that was cut off is dropped. */
export async function* completeLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}

/** One command line of a document, and what the document says that it prints. */
export interface Shown {
  /** Of the line with the command, from 1. */
  readonly line: number;
  readonly command: string;
  readonly output: string;
}

/** The command lines in the `console` blocks of a Markdown text: a line with `$ `, and below it the output. */
export function shownIn(markdown: string): readonly Shown[] {
  const found: { line: number; command: string; output: string[] }[] = [];
  let isInside = false;
  for (const [i, line] of markdown.split('\n').entries()) {
    if (!isInside) isInside = line === '```console';
    else if (line === '```') isInside = false;
    else if (line.startsWith('$ ')) found.push({ line: i + 1, command: line.slice(2), output: [] });
    else if (found.length > 0) found.at(-1)?.output.push(line);
    else throw new Error(`line ${i + 1}: output without a command before it`);
  }
  return found.map(({ output, ...rest }) => ({ ...rest, output: output.map((line) => `${line}\n`).join('') }));
}

/** The Markdown text with other outputs in its `console` blocks, in their order. */
export function withOutputs(markdown: string, outputs: readonly string[]): string {
  const lines: string[] = [];
  let next = 0;
  let isInside = false;
  for (const line of markdown.split('\n')) {
    if (isInside && line !== '```' && !line.startsWith('$ ')) continue;
    if (line.startsWith('```')) isInside = line === '```console';
    lines.push(line);
    if (!isInside || !line.startsWith('$ ')) continue;
    const output = outputs[next++]?.replace(/\n$/, '') ?? '';
    if (output !== '') lines.push(output);
  }
  return lines.join('\n');
}

/** The words of a command line, with quotes as a shell reads them; no other character of a shell has a meaning. */
export function wordsOf(command: string): readonly string[] {
  const unquoted = command.replace(/'[^']*'|"[^"]*"/g, '');
  if (/[|<>;&`*?\\$]/.test(unquoted)) throw new Error(`only a shell can run this: ${command}`);
  return [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  );
}

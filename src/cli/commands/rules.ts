import { nearestName } from '../../diagnosis/words.ts';
import { parseFormat } from '../../printers/formats.ts';
import { printRule, printRules } from '../../printers/rules-text.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { ruleList } from '../../report/rule-report.ts';
import { UsageError } from '../errors.ts';
import { printObjects, readTemplate } from '../objects.ts';
import { presentation } from '../presentation.ts';
import { type Streams, writeAll } from '../streams.ts';

/** `kubectl pvc-explain rules [CODE]`: the catalogue. Throws UsageError, FormatError. */
export async function rules(
  code: string | undefined,
  options: { readonly output?: string; readonly color: 'auto' | 'always' | 'never' },
  streams: Streams,
): Promise<number> {
  const format = parseFormat(options.output ?? '', ['json', 'yaml', 'name'], readTemplate);
  const all = ruleList();
  const chosen =
    code === undefined
      ? all.items
      : all.items.filter(({ metadata }) => metadata.name.toLowerCase() === code.toLowerCase());
  if (chosen.length === 0) {
    const nearest = nearestName(
      code ?? '',
      all.items.map(({ metadata }) => metadata.name),
    );
    const hint = nearest === undefined ? '; kubectl pvc-explain rules lists them all' : `; did you mean ${nearest}?`;
    throw new UsageError(`there is no code ${JSON.stringify(code)}${hint}`);
  }
  const text = presentation(options.color, streams, 0);
  if (format.is !== 'table') await printObjects(format, { ...all, items: chosen }, 'Rule', { headers: true }, streams);
  else if (code === undefined) await writeAll(streams.stdout, printRules(chosen, text));
  else await writeAll(streams.stdout, printRule(chosen[0] as (typeof chosen)[0], text));
  return exitCodes.clean;
}

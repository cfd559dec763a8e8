import { simulate as run } from '../../engine/simulate.ts';
import { parseFormat } from '../../printers/formats.ts';
import { printSimulation } from '../../printers/simulation-text.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { simulationReport } from '../../report/simulation-report.ts';
import { featuresOf } from '../examine.ts';
import { type InputOptions, loadCluster, refusesIssues } from '../input.ts';
import { printObjects, readTemplate } from '../objects.ts';
import { presentation } from '../presentation.ts';
import { type Streams, writeAll } from '../streams.ts';

export interface SimulateOptions extends InputOptions {
  readonly trace?: boolean;
  readonly output?: string;
  readonly color: 'auto' | 'always' | 'never';
}

/** `kubectl pvc-explain simulate`: the run itself, as a timeline. Throws UsageError, InputError, FormatError. */
export async function simulate(options: SimulateOptions, streams: Streams): Promise<number> {
  const format = parseFormat(
    options.output ?? '',
    ['json', 'yaml', 'jsonpath', 'jsonpath-as-json', 'jsonpath-file'],
    readTemplate,
  );
  const snapshot = await loadCluster(options, streams);
  if (refusesIssues(snapshot, options, streams)) return exitCodes.failure;
  const features = featuresOf(snapshot, options);
  const report = simulationReport(run(snapshot, { features, trace: true }));
  if (format.is !== 'table') {
    await printObjects(format, report, 'Sync', { headers: true }, streams);
    return exitCodes.clean;
  }
  const text = presentation(options.color, streams, Date.now());
  await writeAll(streams.stdout, printSimulation(report, { ...text, trace: options.trace === true }));
  return exitCodes.clean;
}

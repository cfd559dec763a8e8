import { allKinds, type Kind } from '../../snapshot/kinds.ts';
import type { RecordedCoverage, SnapshotRecord } from '../../snapshot/record.ts';
import type { Coverage } from '../../snapshot/snapshot.ts';
import { isTimestamp } from '../../snapshot/timestamp.ts';
import { isMapping, type Mapping } from './classify.ts';

/** What a list that this program wrote records about itself (`snapshot --to`). Undefined for any other list; what is malformed is left out. */
export function recordedIn({ metadata }: Mapping): SnapshotRecord | undefined {
  const record = isMapping(metadata) ? metadata.pvcExplain : undefined;
  if (!isMapping(record)) return undefined;
  const { coverage, kubernetesVersion, capturedAt } = record;
  const found = allKinds.flatMap((kind): [Kind, RecordedCoverage][] => {
    const recorded = isMapping(coverage) ? recordedCoverage(coverage[kind]) : undefined;
    return recorded === undefined ? [] : [[kind, recorded]];
  });
  return {
    coverage: Object.fromEntries(found),
    ...(typeof kubernetesVersion === 'string' ? { kubernetesVersion } : {}),
    ...(typeof capturedAt === 'string' && isTimestamp(capturedAt) ? { capturedAt } : {}),
  };
}

function recordedCoverage(value: unknown): RecordedCoverage | undefined {
  if (!isMapping(value)) return undefined;
  const whole = coverageOf(value.whole);
  const elsewhere = coverageOf(value.elsewhere);
  const namespaces = isMapping(value.namespaces) ? Object.entries(value.namespaces) : [];
  if (whole === undefined) return undefined;
  return {
    whole,
    ...(elsewhere === undefined ? {} : { elsewhere }),
    namespaces: Object.fromEntries(
      namespaces.flatMap(([namespace, one]) => {
        const coverage = coverageOf(one);
        return coverage === undefined ? [] : [[namespace, coverage]];
      }),
    ),
  };
}

function coverageOf(value: unknown): Coverage | undefined {
  if (!isMapping(value)) return undefined;
  const { is, because, settledBy } = value;
  if (is === 'present' || is === 'empty' || is === 'unstated') return { is };
  if (is !== 'notCollected' || typeof because !== 'string') return undefined;
  return { is, because, ...(typeof settledBy === 'string' ? { settledBy } : {}) };
}

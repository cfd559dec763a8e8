import type { Event, KubernetesObject, PersistentVolumeClaim } from '../../src/api/objects.ts';
import type { ClaimReport } from '../../src/report/claim-report.ts';
import { keyOf } from '../../src/snapshot/snapshot.ts';
import type { Reality } from './kubelab.ts';

/** What was predicted of a claim from the dump and did not happen, one line each. */
export function differences(report: ClaimReport, reality: Reality): readonly string[] {
  const { name, namespace } = report.metadata;
  const key = `${namespace}/${name}`;
  const claim = reality.objects.find((object) => object.kind === 'PersistentVolumeClaim' && keyOf(object) === key) as
    | PersistentVolumeClaim
    | undefined;
  return [...fateOf(report, claim), ...eventsOf(report, reality), ...podsOf(report, reality)].map(
    (line) => `${key}: ${line}`,
  );
}

function fateOf({ verdict }: ClaimReport, claim: PersistentVolumeClaim | undefined): readonly string[] {
  const { outcome, volumes } = verdict;
  const real = claim === undefined ? 'absent' : `${claim.status?.phase} ${claim.spec.volumeName ?? ''}`.trim();
  const expect = (...allowed: readonly string[]) =>
    allowed.includes(real) ? [] : [`predicted ${[outcome, volumes.join(' or ')].join(' ').trim()}, real ${real}`];
  switch (outcome) {
    case 'Bound':
    case 'WillBind':
      return expect(...volumes.map((volume) => `Bound ${volume}`));
    case 'MayBind':
      return expect(...volumes.map((volume) => `Bound ${volume}`), 'Pending');
    case 'Invalid':
    case 'Missing':
      return expect('absent');
    case 'Lost':
      return real.startsWith('Lost') ? [] : [`predicted ${outcome}, real ${real}`];
    case 'Unknown':
    case 'Terminating':
      return [];
    case 'WillBeProvisioned':
    case 'WaitsForProvisioner':
    case 'WaitsForConsumer':
    case 'WaitsForPod':
    case 'Stuck':
      // No provisioner runs: what would be provisioned waits.
      return real.startsWith('Pending') ? [] : [`predicted ${outcome}, real ${real}`];
    default:
      return outcome satisfies never;
  }
}

/** Events that were loaded with the dump say nothing about this run. */
const ofThisRun = ({ objects }: Reality): readonly Event[] =>
  objects.filter(isEvent).filter(({ metadata }) => metadata.annotations?.['kubelab/loaded'] === undefined);

const isEvent = (object: KubernetesObject): object is Event => object.kind === 'Event';

function eventsOf({ metadata, verdict, events, claim }: ClaimReport, reality: Reality): readonly string[] {
  // Which of several ways it goes is open, and what the API server refuses has no events.
  if (verdict.certainty === 'open' || verdict.outcome === 'Invalid') return [];
  // That a claim is lost is said once, when it becomes so: the dump holds that event.
  const told = claim?.phase === 'Lost' ? reality.objects.filter(isEvent) : ofThisRun(reality);
  const real = told
    .filter(({ involvedObject }) => isClaim(involvedObject, metadata))
    .map(({ reason, message }) => `${reason} ${message}`);
  return events.expected
    .map(({ reason, message }) => `${reason} ${message}`)
    .filter((text) => !real.includes(text))
    .map((text) => `predicted event ${JSON.stringify(text)}, real ${JSON.stringify([...new Set(real)])}`);
}

const isClaim = (reference: Event['involvedObject'], { name, namespace }: ClaimReport['metadata']): boolean =>
  reference.kind === 'PersistentVolumeClaim' && reference.name === name && reference.namespace === namespace;

function podsOf({ nodes, verdict }: ClaimReport, reality: Reality): readonly string[] {
  if (verdict.certainty === 'open') return [];
  return nodes.flatMap(({ pod, message }) => {
    if (message === undefined) return [];
    const real = ofThisRun(reality)
      .filter(({ involvedObject: { kind, namespace, name } }) => kind === 'Pod' && `${namespace}/${name}` === pod)
      .filter(({ reason }) => reason === 'FailedScheduling')
      .map((event) => event.message ?? '');
    // What preemption could do is another matter, told behind.
    const isTold = real.some((text) => text === message || text.startsWith(`${message} `));
    return isTold
      ? []
      : [`predicted FailedScheduling of ${pod} ${JSON.stringify(message)}, real ${JSON.stringify(real)}`];
  });
}

import type { Container, KubernetesObject, Pod, PodSpec, Workload } from '../api/objects.ts';
import type { ProvisionerOptions } from '../engine/provisioner/request.ts';
import { keyOf, type Snapshot } from '../snapshot/snapshot.ts';

/** Something that runs a provisioner, or is to run one. */
export interface ProvisionerWorkload {
  readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Pod';
  readonly key: string;
  /** Undefined for a manifest, which does not tell. */
  readonly isHealthy: boolean | undefined;
  /** What is the matter with it, where something is: "has 0 of 2 replicas available". */
  readonly state: string;
  /** It runs on every node that wants it, and may serve the claims of that node only. */
  readonly isPerNode: boolean;
  /** The node of a pod. */
  readonly node?: string;
  readonly options: ProvisionerOptions;
  /** Its names, images and arguments, for looking for words. */
  readonly text: string;
}

const found = new WeakMap<Snapshot, readonly ProvisionerWorkload[]>();

/** All that calls itself a provisioner, by name, image or argument. Looked for once in a snapshot. */
// specification scheduler-and-provisioning 5.9
export function provisionerWorkloads(snapshot: Snapshot): readonly ProvisionerWorkload[] {
  let all = found.get(snapshot);
  if (all === undefined) {
    all = [
      ...snapshot.list('Deployment').flatMap((one) => ofWorkload('Deployment', one)),
      ...snapshot.list('StatefulSet').flatMap((one) => ofWorkload('StatefulSet', one)),
      ...snapshot.list('DaemonSet').flatMap((one) => ofWorkload('DaemonSet', one)),
      ...snapshot.list('Pod').flatMap(ofPod),
    ];
    found.set(snapshot, all);
  }
  return all;
}

/** Whether a workload is that of the provisioner: it bears the full name, or every word of it that says something. */
export function isOfProvisioner({ text }: ProvisionerWorkload, provisioner: string): boolean {
  const name = provisioner.toLowerCase();
  if (text.includes(name) || wellKnown.get(provisioner)?.some((image) => text.includes(image))) return true;
  const words = name.split(/[./-]/).filter((word) => word.length > 1 && !saysNothing.has(word));
  return words.length > 0 && words.every((word) => text.includes(word));
}

/** Images whose name does not tell the provisioner. */
const wellKnown: ReadonlyMap<string, readonly string[]> = new Map([
  ['k8s.io/minikube-hostpath', ['k8s-minikube/storage-provisioner']],
  ['docker.io/hostpath', ['desktop-storage-provisioner']],
  ['microk8s.io/hostpath', ['hostpath-provisioner']],
  ['rancher.io/local-path', ['local-path-provisioner']],
]);

const saysNothing: ReadonlySet<string> = new Set(
  'cloud com csi dev driver external io k8s kubernetes net org plugin provisioner sigs storage volume x'.split(' '),
);

function ofWorkload(
  kind: 'Deployment' | 'StatefulSet' | 'DaemonSet',
  workload: Workload,
): readonly ProvisionerWorkload[] {
  const text = textOf(workload, workload.spec?.template?.spec);
  if (text === undefined) return [];
  const common = {
    kind,
    key: keyOf(workload),
    isPerNode: kind === 'DaemonSet',
    options: optionsOf(workload.spec?.template?.spec),
    text,
  };
  const { status } = workload;
  if (status === undefined) return [{ ...common, isHealthy: undefined, state: '' }];
  const wanted = kind === 'DaemonSet' ? status.desiredNumberScheduled : (workload.spec?.replicas ?? 1);
  const available =
    kind === 'DaemonSet' ? (status.numberAvailable ?? 0) : (status.availableReplicas ?? status.readyReplicas ?? 0);
  if (available > 0) return [{ ...common, isHealthy: true, state: '' }];
  const state =
    wanted === 0
      ? kind === 'DaemonSet'
        ? 'is wanted on no node'
        : 'is scaled to 0'
      : `has 0 of ${wanted ?? 'its'} replicas available`;
  return [{ ...common, isHealthy: false, state }];
}

function ofPod(pod: Pod): readonly ProvisionerWorkload[] {
  const { phase } = pod.status ?? {};
  if (phase === 'Succeeded' || phase === 'Failed') return [];
  const text = textOf(pod, pod.spec);
  if (text === undefined) return [];
  const { nodeName } = pod.spec;
  return [
    {
      kind: 'Pod',
      key: keyOf(pod),
      ...healthOf(pod),
      isPerNode: pod.metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') === true,
      ...(nodeName ? { node: nodeName } : {}),
      options: optionsOf(pod.spec),
      text,
    },
  ];
}

/** Whether a pod does its work, and what is the matter if not. */
export function healthOf({ status }: Pod): Pick<ProvisionerWorkload, 'isHealthy' | 'state'> {
  if (status === undefined) return { isHealthy: undefined, state: '' };
  const { phase, conditions, containerStatuses = [] } = status;
  const waiting = containerStatuses.find(({ state }) => state?.waiting !== undefined);
  const ready = conditions?.find(({ type }) => type === 'Ready')?.status;
  const isReady = ready === undefined ? phase === 'Running' && waiting === undefined : ready === 'True';
  if (isReady) return { isHealthy: true, state: '' };
  const reason = waiting?.state?.waiting?.reason;
  if (reason !== undefined) return { isHealthy: false, state: `is in ${reason}` };
  return { isHealthy: false, state: phase === 'Running' ? 'is not ready' : `is ${phase ?? 'Pending'}` };
}

/** What a workload is called, in small letters; undefined if it does not call itself a provisioner. */
function textOf({ metadata }: KubernetesObject, spec: PodSpec | undefined): string | undefined {
  const own = `${metadata.name} ${(spec?.containers ?? []).map(wordsOf).join(' ')}`.toLowerCase();
  return own.includes('provisioner') ? `${metadata.namespace ?? ''} ${own}`.toLowerCase() : undefined;
}

const wordsOf = ({ name = '', image = '', command = [], args = [] }: Container): string =>
  [name, image, ...command, ...args].join(' ');

/** The flags of the provisioner that decide about topology. */
function optionsOf(spec: PodSpec | undefined): ProvisionerOptions {
  const own = (spec?.containers ?? []).filter((container) => wordsOf(container).toLowerCase().includes('provisioner'));
  const flags = own.flatMap(({ command = [], args = [] }) => [...command, ...args]);
  const flagOf = (flag: string): boolean | undefined => {
    const given = flags.map((text) => new RegExp(`^--?${flag}(?:=(.*))?$`).exec(text)).find((match) => match !== null);
    return given === undefined ? undefined : given?.[1] !== 'false';
  };
  const [strictTopology, immediateTopology] = [flagOf('strict-topology'), flagOf('immediate-topology')];
  return {
    ...(strictTopology === undefined ? {} : { strictTopology }),
    ...(immediateTopology === undefined ? {} : { immediateTopology }),
  };
}

import type { ClaimKey } from '../../api/accessors.ts';
import type { Features } from '../../api/features.ts';
import { type ParsedLabelSelector, parseLabelSelector, SelectorError } from '../../api/label-selector.ts';
import type { LabelSelector, Labels, Pod, PodAffinityTerm } from '../../api/objects.ts';
import type { HostPort } from './facts.ts';
import { podRequests, requestsOnNode } from './pod-requests.ts';
import { type Resources, resourcesOf } from './resources.ts';

// kubernetes/kubernetes pkg/scheduler/framework/types.go, PodInfo, and pkg/scheduler/util/utils.go, GetHostPorts (1.37).

/** A volume of a pod that is backed by a claim. */
export interface ClaimVolume {
  readonly volume: string;
  /** The claim's name; "" if the pod names none. */
  readonly claim: string;
  readonly key: ClaimKey;
  /** The claim is made for the pod, and must be owned by it. */
  readonly ephemeral: boolean;
}

/** A required term of pod (anti-)affinity, read once. */
export interface AffinityTerm {
  readonly topologyKey: string;
  readonly namespaces: ReadonlySet<string>;
  /** "all": every namespace, whatever its labels; undefined: none but the named ones. */
  readonly namespaceSelector: ParsedLabelSelector | 'all' | undefined;
  /** Undefined matches nothing. */
  readonly selector: ParsedLabelSelector | undefined;
}

/** A pod with everything that plugins read of it, read once. */
export interface PodInfo {
  readonly pod: Pod;
  /** "namespace/name" */
  readonly key: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly claims: readonly ClaimVolume[];
  readonly hostPorts: readonly HostPort[];
  /** What it asks for when it is scheduled. */
  readonly requests: Resources;
  /** What it holds on its node. */
  readonly requested: Resources;
  readonly affinityTerms: readonly AffinityTerm[];
  readonly antiAffinityTerms: readonly AffinityTerm[];
  /** Why its terms cannot be read, in upstream's words. */
  readonly termsError: string | undefined;
}

export function podInfoOf(pod: Pod, features: Features): PodInfo {
  const namespace = pod.metadata.namespace ?? '';
  const errors: string[] = [];
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
  const affinityTerms = readTerms(
    namespace,
    podAffinity?.requiredDuringSchedulingIgnoredDuringExecution,
    'requiredAffinityTerms',
    errors,
  );
  const antiAffinityTerms = readTerms(
    namespace,
    podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution,
    'requiredAntiAffinityTerms',
    errors,
  );
  let requests: Resources | undefined;
  let requested: Resources | undefined;
  return {
    pod,
    key: `${namespace}/${pod.metadata.name}`,
    namespace,
    labels: pod.metadata.labels ?? {},
    claims: claimVolumesOf(pod),
    hostPorts: hostPortsOf(pod),
    get requests() {
      requests ??= resourcesOf(podRequests(pod, features));
      return requests;
    },
    get requested() {
      requested ??= resourcesOf(requestsOnNode(pod, features));
      return requested;
    },
    affinityTerms,
    antiAffinityTerms,
    termsError: errors.length > 1 ? `[${errors.join(', ')}]` : errors[0],
  };
}

/** The claims of a pod, in the order of its volumes (component-helpers storage/ephemeral; specification 1.2, 4.1). */
export function claimVolumesOf(pod: Pod): readonly ClaimVolume[] {
  const namespace = pod.metadata.namespace ?? '';
  const found: ClaimVolume[] = [];
  for (const { name: volume, persistentVolumeClaim, ephemeral } of pod.spec.volumes ?? []) {
    if (persistentVolumeClaim !== undefined) {
      const claim = persistentVolumeClaim.claimName;
      found.push({ volume, claim, key: `${namespace}/${claim}`, ephemeral: false });
    } else if (ephemeral !== undefined) {
      const claim = `${pod.metadata.name}-${volume}`;
      found.push({ volume, claim, key: `${namespace}/${claim}`, ephemeral: true });
    }
  }
  return found;
}

function hostPortsOf(pod: Pod): readonly HostPort[] {
  const sidecars = (pod.spec.initContainers ?? []).filter((container) => container.restartPolicy === 'Always');
  const ports: HostPort[] = [];
  for (const container of [...sidecars, ...(pod.spec.containers ?? [])]) {
    for (const { hostPort = 0, hostIP, protocol } of container.ports ?? []) {
      if (hostPort > 0) ports.push({ hostIP: hostIP || '0.0.0.0', protocol: protocol || 'TCP', hostPort });
    }
  }
  return ports;
}

function readTerms(
  namespace: string,
  terms: readonly PodAffinityTerm[] | undefined,
  field: string,
  errors: string[],
): readonly AffinityTerm[] {
  try {
    return (terms ?? []).map((term) => readTerm(namespace, term));
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    errors.push(`${field}: ${error.message}`);
    return [];
  }
}

function readTerm(namespace: string, term: PodAffinityTerm): AffinityTerm {
  const { namespaces = [], namespaceSelector } = term;
  const isOwnOnly = namespaces.length === 0 && namespaceSelector === undefined;
  return {
    topologyKey: term.topologyKey,
    selector: term.labelSelector === undefined ? undefined : parseLabelSelector(term.labelSelector),
    namespaces: new Set(isOwnOnly ? [namespace] : namespaces),
    namespaceSelector:
      namespaceSelector !== undefined && isEmptySelector(namespaceSelector)
        ? 'all'
        : namespaceSelector && parseLabelSelector(namespaceSelector),
  };
}

export function isEmptySelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

/** Whether a term means the pod, whose namespace has these labels. */
export function termMatches(term: AffinityTerm, pod: PodInfo, namespaceLabels: Labels): boolean {
  const { namespaceSelector } = term;
  const isInNamespace =
    term.namespaces.has(pod.namespace) ||
    namespaceSelector === 'all' ||
    namespaceSelector?.matches(namespaceLabels) === true;
  return isInNamespace && term.selector?.matches(pod.labels) === true;
}

import type { Taint } from '../api/objects.ts';
import type { ClaimOnNode, InsufficientResource, PluginFacts, ProvisionRefusal } from '../engine/scheduler/facts.ts';
import type { Status } from '../engine/scheduler/framework.ts';
import { short } from './catalogue.ts';
import { findingOfFailure } from './census.ts';
import type { OnNode } from './nodes.ts';
import { humanAmount, list } from './words.ts';

// What a plugin of the scheduler has against a node, in a few words for the cell of a table.

type Words = { readonly [P in keyof PluginFacts]: (facts: PluginFacts[P]) => string };

const words: Words = {
  NodeName: ({ nodeName }) => `the pod names node ${nodeName}`,
  NodeUnschedulable: () => 'cordoned',
  TaintToleration: ({ taints }) => `untolerated taint ${taints.map(taintText).join(', ')}`,
  NodeAffinity: ({ failed }) =>
    failed === 'nodeSelector' ? 'node selector does not match' : 'node affinity does not match',
  NodePorts: ({ ports }) => `port ${ports.map(({ hostPort }) => hostPort).join(', ')} is taken`,
  NodeResourcesFit: ({ insufficient }) => insufficient.map(insufficientText).join(', '),
  VolumeRestrictions: (facts) => {
    switch (facts.is) {
      case 'claimMissing':
        return `claim ${facts.claim} does not exist`;
      case 'diskInUse':
        return `disk of volume ${facts.volume} is used by ${facts.pod}`;
      case 'claimInUse':
        return `${list(facts.claims)} (ReadWriteOncePod) is used by another pod`;
    }
  },
  NodeVolumeLimits: (facts) => {
    switch (facts.is) {
      case 'claimMissing':
        return `claim ${facts.claim} does not exist`;
      case 'driverMissing':
        return `${list(facts.drivers)} is not installed`;
      case 'limitExceeded':
        return facts.drivers
          .map(
            ({ driver, limit, attached, wanted }) =>
              `attach limit of ${driver}: ${limit}, ${attached} used, ${wanted} more wanted`,
          )
          .join('; ');
    }
  },
  VolumeBinding: (facts) =>
    facts.is === 'claims' ? facts.claims.map((claim) => claimText(claim)).join('; ') : 'claims are not ready',
  VolumeZone: (facts) =>
    facts.is === 'otherZone'
      ? `volume ${facts.volume} is in ${list(facts.allowed)}, the node ${facts.value === undefined ? `has no ${facts.key}` : `in ${facts.value}`}`
      : 'zone of a volume cannot be told',
  PodTopologySpread: (facts) =>
    facts.is === 'labelMissing'
      ? `no label ${facts.topologyKey} to spread over`
      : `spread: ${facts.topologyKey}=${facts.value} has ${facts.matching} already, at most ${facts.least + facts.maxSkew}`,
  InterPodAffinity: (facts) => {
    switch (facts.is) {
      case 'affinity':
        return 'no pod here that the pod wants to be with';
      case 'antiAffinity':
        return 'a pod here that the pod avoids';
      case 'existingAntiAffinity':
        return 'a pod here that avoids the pod';
      case 'unreadable':
        return facts.error;
    }
  },
  NodeList: ({ plugins }) => `not among the nodes of ${list(plugins)}`,
};

export function statusText(status: Status): string {
  switch (status.code) {
    case 'Error':
      return status.reasons[0] ?? 'error';
    case 'Unknown':
      return `not known (${list(status.lacks)} not collected)`;
    default:
      return (words[status.plugin] as (facts: unknown) => string)(status.facts);
  }
}

const taintText = ({ key, value = '', effect }: Taint): string => `${key}${value === '' ? '' : `=${value}`}:${effect}`;

function insufficientText({ resource, requested, used, capacity }: InsufficientResource): string {
  if (resource === 'pods') return `no room for another pod (${capacity} at most)`;
  const free = capacity - used;
  return `Insufficient ${resource} (${humanAmount(resource, requested)} asked, ${humanAmount(resource, free < 0n ? 0n : free)} free)`;
}

/** What the binder makes of a claim on a node. */
export function claimText(claim: ClaimOnNode, nearest?: OnNode['nearest']): string {
  switch (claim.is) {
    case 'bound':
      return `${claim.volume} can be reached`;
    case 'outOfReach':
      return `${claim.volume} cannot be reached (its node affinity)`;
    case 'volumeMissing':
      return `volume ${claim.volume} does not exist`;
    case 'static':
      return `${claim.volume} fits`;
    case 'provision':
      return `class ${claim.className} can make one`;
    case 'refused':
      return refusalText(claim.refusal, claim.reserved, nearest);
    case 'selectedElsewhere':
      return `node ${claim.selectedNode} was selected`;
    case 'unknown':
      return `not known (${list(claim.lacks)} not collected)`;
  }
}

function refusalText(refusal: ProvisionRefusal, reserved: string | undefined, nearest: OnNode['nearest']): string {
  if (reserved !== undefined) return `${reserved} is reserved, but not here`;
  switch (refusal.is) {
    case 'noProvisioner': {
      if (nearest === undefined) return 'none here';
      const volume = nearest.volume.metadata.name;
      const why = nearest.failures.map((failure) => short(findingOfFailure(failure, volume)));
      return `${volume} ${why.join('; ') || 'is taken by another claim of the pod'}`;
    }
    case 'topology':
      return `class ${refusal.className} allows none here`;
    case 'capacity':
      return `not enough free storage for ${refusal.className}`;
  }
}

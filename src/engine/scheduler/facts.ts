import type { ClaimKey } from '../../api/accessors.ts';
import type { Taint } from '../../api/objects.ts';
import type { Kind } from '../../snapshot/kinds.ts';

// What each filter plugin has to tell when it rejects, as data: sentences are made elsewhere.

/** A port that a pod wants on the node itself. */
export interface HostPort {
  readonly hostIP: string;
  readonly protocol: string;
  readonly hostPort: number;
}

/** One resource that a node has too little of. CPU is in thousandths, everything else in the resource's own unit. */
export interface InsufficientResource {
  readonly resource: string;
  readonly requested: bigint;
  readonly used: bigint;
  readonly capacity: bigint;
  /** Even an empty node of this size would not do. */
  readonly unresolvable: boolean;
}

/** Why a claim cannot be provisioned on a node (specification 1.7). */
export type ProvisionRefusal =
  | { readonly is: 'noProvisioner'; readonly className: string }
  | { readonly is: 'topology'; readonly className: string }
  | { readonly is: 'capacity'; readonly className: string; readonly driver: string; readonly request: string };

/** What the volume binder makes of one claim of the pod on one node. */
export type ClaimOnNode =
  /** Bound, and the node can reach the volume. */
  | { readonly is: 'bound'; readonly claim: ClaimKey; readonly volume: string }
  /** Bound, but the volume's node affinity excludes the node; `translated`: after its translation to CSI. */
  | {
      readonly is: 'outOfReach';
      readonly claim: ClaimKey;
      readonly volume: string;
      readonly translated: boolean;
    }
  /** Bound to a volume that does not exist. */
  | { readonly is: 'volumeMissing'; readonly claim: ClaimKey; readonly volume: string }
  /** Would take this existing volume; with `equals`, as well as that many others of the same size. */
  | { readonly is: 'static'; readonly claim: ClaimKey; readonly volume: string; readonly equals: number }
  /**
   * No volume fits, but one would be provisioned. `reserved`: a volume that is reserved for the claim but cannot be reached from the
   * node, because of which no other volume was looked at.
   */
  | { readonly is: 'provision'; readonly claim: ClaimKey; readonly className: string; readonly reserved?: string }
  /** No volume fits, and none can be provisioned here. */
  | { readonly is: 'refused'; readonly claim: ClaimKey; readonly refusal: ProvisionRefusal; readonly reserved?: string }
  /** Another node was selected for the claim earlier. */
  | { readonly is: 'selectedElsewhere'; readonly claim: ClaimKey; readonly selectedNode: string }
  /** Some kind that decides was not collected. */
  | { readonly is: 'unknown'; readonly claim: ClaimKey; readonly lacks: readonly Kind[] };

export interface PluginFacts {
  readonly NodeName: { readonly nodeName: string };
  readonly NodeUnschedulable: Readonly<Record<never, never>>;
  /** Every taint that the pod does not tolerate; the first decided. */
  readonly TaintToleration: { readonly taints: readonly Taint[] };
  readonly NodeAffinity: { readonly failed: 'nodeSelector' | 'requiredTerms' | 'nameConflict' };
  /** The ports that are taken. */
  readonly NodePorts: { readonly ports: readonly HostPort[] };
  readonly NodeResourcesFit: { readonly insufficient: readonly InsufficientResource[] };
  readonly VolumeRestrictions:
    | { readonly is: 'claimMissing'; readonly claim: ClaimKey }
    | { readonly is: 'diskInUse'; readonly volume: string; readonly pod: string }
    | { readonly is: 'claimInUse'; readonly claims: readonly ClaimKey[] };
  readonly NodeVolumeLimits:
    | { readonly is: 'claimMissing'; readonly claim: ClaimKey }
    | { readonly is: 'driverMissing'; readonly drivers: readonly string[] }
    | {
        readonly is: 'limitExceeded';
        readonly drivers: readonly {
          readonly driver: string;
          readonly limit: number;
          readonly attached: number;
          readonly wanted: number;
        }[];
      };
  readonly VolumeBinding:
    | { readonly is: 'claimMissing'; readonly claim: ClaimKey; readonly ephemeral: boolean }
    | { readonly is: 'claimLost'; readonly claim: ClaimKey; readonly volume: string }
    | { readonly is: 'claimTerminating'; readonly claim: ClaimKey }
    | { readonly is: 'claimNotOwned'; readonly claim: ClaimKey }
    | { readonly is: 'unboundImmediate'; readonly claims: readonly ClaimKey[] }
    | { readonly is: 'claims'; readonly claims: readonly ClaimOnNode[] };
  readonly VolumeZone:
    | { readonly is: 'claimUnnamed' }
    | { readonly is: 'claimMissing'; readonly claim: ClaimKey }
    | { readonly is: 'volumeMissing'; readonly claim: ClaimKey; readonly volume: string }
    | { readonly is: 'classMissing'; readonly claim: ClaimKey; readonly className: string }
    | { readonly is: 'claimUnbound'; readonly claim: ClaimKey }
    | {
        readonly is: 'otherZone';
        readonly volume: string;
        readonly key: string;
        readonly allowed: readonly string[];
        /** The node's value, if it has the label. */
        readonly value?: string;
      };
  readonly PodTopologySpread:
    | { readonly is: 'labelMissing'; readonly topologyKey: string }
    | {
        readonly is: 'skew';
        readonly topologyKey: string;
        readonly value: string;
        readonly matching: number;
        readonly least: number;
        readonly maxSkew: number;
      };
  readonly InterPodAffinity:
    | { readonly is: 'affinity'; readonly topologyKeys: readonly string[] }
    | { readonly is: 'antiAffinity'; readonly topologyKey: string }
    | { readonly is: 'existingAntiAffinity'; readonly topologyKey: string }
    | { readonly is: 'unreadable'; readonly error: string };
  /** Not a plugin: the node lists of several plugins have no node in common. */
  readonly NodeList: { readonly plugins: readonly PluginName[] };
}

export type PluginName = Exclude<keyof PluginFacts, 'NodeList'>;

import { accessModesAsString } from '../../api/access-modes.ts';
import { quote } from '../../api/go-text.ts';
import type { Kind } from '../../snapshot/kinds.ts';
import { type Answer, fail, pass, unknown } from './answer.ts';
import {
  askClone,
  askGrant,
  askSnapshot,
  type CloneProblem,
  type DataSource,
  dataSourceOf,
  type SnapshotProblem,
  snapshotGroup,
} from './data-source.ts';
import type { ProvisionRequest } from './request.ts';
import { askSecrets, reservedPrefix, type SecretProblem, secretParameters } from './secrets.ts';
import { askTopology, type TopologyProblem } from './topology.ts';
import type { ProvisionerView } from './view.ts';

// Every question that the external provisioner asks before it has a driver make a volume, as data: it stops at the first that fails,
// the explanation asks all of them. What only the driver can tell (P7 to P11: its capabilities) and the translation of in-tree
// classes (P3) are not among them. external-provisioner pkg/controller/controller.go, prepareProvision (6.3);
// specification scheduler-and-provisioning 5.2.

/** What each check has to tell when it fails. */
export interface ProvisionFacts {
  readonly SourceNotGranted: DataSource;
  readonly SourceUnnamed: { readonly kind: string };
  readonly SourceOfOtherGroup: { readonly kind: string; readonly group: string };
  readonly SourceNeedsPopulator: DataSource;
  readonly SelectorNotSupported: Record<never, never>;
  readonly FsTypeTwice: { readonly keys: readonly string[] };
  readonly AccessModeUnknown: { readonly mode: string };
  readonly SnapshotUnusable: { readonly snapshot: string; readonly problem: SnapshotProblem };
  readonly CloneUnusable: { readonly source: string; readonly problem: CloneProblem };
  readonly NoTopology: TopologyProblem;
  readonly SecretUnusable: SecretProblem;
  readonly ParameterUnknown: { readonly parameter: string };
  readonly AttributesClassMissing: { readonly attributesClass: string };
  readonly AttributesClassOfOtherDriver: { readonly attributesClass: string; readonly driver: string };
}

export type ProvisionCode = keyof ProvisionFacts;

/**
 * What the library makes of a failure: it tries again with a growing delay, it does so and takes a call for under way, it asks the
 * scheduler for another node, it leaves the claim alone.
 */
export type ProvisioningState = 'Finished' | 'NoChange' | 'Reschedule' | 'Ignored';

interface Check<C extends ProvisionCode> {
  readonly state: ProvisioningState;
  readonly ask: (request: ProvisionRequest, view: ProvisionerView) => Answer<ProvisionFacts[C]>;
}

export const provisionChecks: { readonly [C in ProvisionCode]: Check<C> } = {
  // P2
  SourceNotGranted: { state: 'Finished', ask: askGrant },
  // P4
  SourceUnnamed: {
    state: 'Finished',
    ask: ({ claim }) => {
      const source = dataSourceOf(claim);
      if (source === undefined || source.name !== '') return pass;
      return fail({ kind: source.kind }, `the PVC source not found for PVC ${claim.metadata.name}`);
    },
  },
  // P5
  SourceOfOtherGroup: {
    state: 'Finished',
    ask: ({ claim }) => {
      const source = dataSourceOf(claim);
      if (source?.kind !== 'VolumeSnapshot' || source.group === snapshotGroup) return pass;
      const message = `the PVC source does not belong to the right APIGroup. Expected ${snapshotGroup}, Got ${source.group}`;
      return fail({ kind: source.kind, group: source.group }, message);
    },
  },
  // P6
  SourceNeedsPopulator: {
    state: 'Ignored',
    ask: ({ claim }) => {
      const source = dataSourceOf(claim);
      if (source === undefined || source.kind === 'VolumeSnapshot' || source.kind === 'PersistentVolumeClaim')
        return pass;
      return fail(source, 'Assuming an external populator will provision the volume');
    },
  },
  // P12
  SelectorNotSupported: {
    state: 'Finished',
    ask: ({ claim }) => (claim.spec.selector === undefined ? pass : fail({}, 'claim Selector is not supported')),
  },
  // P13
  FsTypeTwice: {
    state: 'Finished',
    ask: ({ storageClass, driver }) => {
      // The class of an in-tree plugin is translated first.
      if (storageClass.provisioner !== driver) return pass;
      const key = `${reservedPrefix}fstype`;
      const keys = Object.keys(storageClass.parameters ?? {}).filter(
        (one) => one.toLowerCase() === 'fstype' || one === key,
      );
      if (keys.length < 2) return pass;
      return fail({ keys }, `fstype specified in parameters with both "fstype" and "${key}" keys`);
    },
  },
  // P14
  AccessModeUnknown: {
    state: 'Finished',
    ask: ({ claim }) => {
      const mode = claim.spec.accessModes?.find((one) => accessModesAsString([one]) === '');
      return mode === undefined ? pass : fail({ mode }, `unsupported AccessMode combination: [${mode}]`);
    },
  },
  // P15
  SnapshotUnusable: {
    state: 'NoChange',
    ask: (request, view) => {
      const source = dataSourceOf(request.claim);
      if (source?.kind !== 'VolumeSnapshot') return pass;
      return mapped(askSnapshot(request, source, view), (problem) => ({ snapshot: keyOf(source), problem }));
    },
  },
  CloneUnusable: {
    state: 'NoChange',
    ask: (request, view) => {
      const source = dataSourceOf(request.claim);
      if (source?.kind !== 'PersistentVolumeClaim') return pass;
      return mapped(askClone(request, source, view), (problem) => ({ source: keyOf(source), problem }));
    },
  },
  // P16 and P17; the former is asked again with another node.
  NoTopology: { state: 'NoChange', ask: askTopology },
  // P18
  SecretUnusable: { state: 'NoChange', ask: askSecrets },
  // P19
  ParameterUnknown: {
    state: 'Finished',
    ask: ({ storageClass }) => {
      const parameter = Object.keys(storageClass.parameters ?? {})
        .sort()
        .find((key) => key.startsWith(reservedPrefix) && !knownParameters.includes(key));
      if (parameter === undefined) return pass;
      const detail = `found unknown parameter key "${parameter}" with reserved namespace ${reservedPrefix}`;
      return fail({ parameter }, `failed to strip CSI Parameters of prefixed keys: ${detail}`);
    },
  },
  // P20
  AttributesClassMissing: {
    state: 'NoChange',
    ask: ({ claim }, view) => {
      const attributesClass = claim.spec.volumeAttributesClassName ?? '';
      if (attributesClass === '') return pass;
      const seen = view.attributesClass(attributesClass);
      if (seen.is === 'unknown') return unknown(seen);
      if (seen.is === 'found') return pass;
      return fail({ attributesClass }, `volumeattributesclasses.storage.k8s.io ${quote(attributesClass)} not found`);
    },
  },
  // P21
  AttributesClassOfOtherDriver: {
    state: 'Finished',
    ask: ({ claim, driver }, view) => {
      const attributesClass = claim.spec.volumeAttributesClassName ?? '';
      const seen = attributesClass === '' ? undefined : view.attributesClass(attributesClass);
      if (seen?.is === 'unknown') return unknown(seen);
      const other = seen?.is === 'found' ? (seen.value.driverName ?? '') : driver;
      if (other === driver) return pass;
      const message = `VAC ${attributesClass} referenced in PVC is for driver ${other} which does not match driver name ${driver}`;
      return fail({ attributesClass, driver: other }, message);
    },
  },
};

const knownParameters: readonly string[] = [`${reservedPrefix}fstype`, ...secretParameters];

/** The order in which the provisioner asks. */
export const prepareOrder = Object.keys(provisionChecks) as readonly ProvisionCode[];

/** One failed check with its facts, and what the provisioner says. */
export type ProvisionFailure = {
  readonly [C in ProvisionCode]: {
    readonly code: C;
    readonly facts: ProvisionFacts[C];
    readonly message: string;
    readonly state: ProvisioningState;
  };
}[ProvisionCode];

/** What stands against making a volume, and what is not known. */
export interface Preparation {
  /** In the order of the provisioner: the first is what it tells. */
  readonly failures: readonly ProvisionFailure[];
  /** The checks without an answer, with the kinds that would give one. */
  readonly unknown: readonly { readonly code: ProvisionCode; readonly lacks: readonly Kind[] }[];
}

/** Asks all that the provisioner asks; where it leaves the claim to a populator, nothing after that. */
export function prepareProvision(request: ProvisionRequest, view: ProvisionerView): Preparation {
  const failures: ProvisionFailure[] = [];
  const unanswered: { code: ProvisionCode; lacks: readonly Kind[] }[] = [];
  for (const code of prepareOrder) {
    const { state, ask } = provisionChecks[code];
    const answer = ask(request, view);
    if (answer.is === 'unknown') unanswered.push({ code, lacks: answer.lacks });
    if (answer.is !== 'fail') continue;
    const { facts, message } = answer;
    const isGone = code === 'NoTopology' && (facts as TopologyProblem).is === 'csiNodeMissing';
    failures.push({ code, facts, message, state: isGone ? 'Reschedule' : state } as ProvisionFailure);
    if (state === 'Ignored') break;
  }
  return { failures, unknown: unanswered };
}

const keyOf = ({ namespace, name }: DataSource): string => `${namespace}/${name}`;

function mapped<A, B>(answer: Answer<A>, map: (facts: A) => B): Answer<B> {
  return answer.is === 'fail' ? { ...answer, facts: map(answer.facts) } : answer;
}

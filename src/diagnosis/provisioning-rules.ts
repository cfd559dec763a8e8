import { type ClaimKey, volumeModeOf } from '../api/accessors.ts';
import { AnnDynamicallyProvisioned } from '../api/annotations.ts';
import { getOrSet } from '../api/get-or-set.ts';
import type { Labels, PersistentVolumeClaim, StorageClass } from '../api/objects.ts';
import type { CloneProblem, SnapshotProblem } from '../engine/provisioner/data-source.ts';
import type { ProvisionFailure } from '../engine/provisioner/prepare-provision.ts';
import type { SecretProblem } from '../engine/provisioner/secrets.ts';
import type { TopologyProblem } from '../engine/provisioner/topology.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Finding, finding } from './codes.ts';
import type { Examination } from './diagnose.ts';
import { statusText } from './node-words.ts';
import { admitsPod, nodesFor } from './nodes.ts';
import type { ProvisionerFailure } from './provisioner-events.ts';
import type { Told } from './provisioning-codes.ts';
import { type ProvisioningOutlook, provisioningOutlook } from './provisioning-outlook.ts';
import { nearestName, requirementText } from './words.ts';

/**
 * What stands between a claim and the volume that a provisioner is to make for it, the cause first: whether anybody acts, what the
 * provisioner refuses by its own checks, what it told. That a provisioner is missing, or refuses selectors, is told by rules.ts.
 */
export function provisioningFindings(
  examination: Examination,
  key: ClaimKey,
  claim: PersistentVolumeClaim,
  after: PersistentVolumeClaim,
  provisioner: string,
  className: string,
): readonly Finding[] {
  const outlook = provisioningOutlook(examination, key, after, provisioner);
  const subject: Subject = { examination, key, claim, after, provisioner, className, outlook };
  const found = [
    ...availability(subject),
    ...outlook.failures.map((failure) => findingOf(subject, failure)),
    ...modes(subject),
    outlook.told === undefined ? undefined : toldFinding(subject, outlook.told),
    outlook.silence === undefined ? undefined : finding('ProvisionerSilent', { provisioner, times: outlook.silence }),
    someNodes(subject),
    outlook.unchecked.length === 0
      ? undefined
      : finding('ProvisioningUnchecked', { provisioner, about: outlook.unchecked }),
  ];
  return found.filter((one) => one !== undefined);
}

interface Subject {
  readonly examination: Examination;
  readonly key: ClaimKey;
  readonly claim: PersistentVolumeClaim;
  /** The claim when all is settled. */
  readonly after: PersistentVolumeClaim;
  readonly provisioner: string;
  readonly className: string;
  readonly outlook: ProvisioningOutlook;
}

type Found = readonly (Finding | undefined)[];

/** Whether anybody acts on the claim. */
function availability({ provisioner, outlook: { evidence, unservedNode, goneNode, controller } }: Subject): Found {
  return [
    controller === undefined ? undefined : finding('ControllerSilent', controller),
    evidence.is === 'down' && evidence.down !== undefined
      ? finding('ProvisionerDown', { provisioner, ...evidence.down })
      : undefined,
    evidence.isOnNoNode ? finding('DriverOnNoNode', { driver: provisioner }) : undefined,
    goneNode === undefined
      ? undefined
      : goneNode === ''
        ? finding('SelectedNodeEmpty', { provisioner })
        : finding('SelectedNodeGone', { node: goneNode }),
    unservedNode === undefined || goneNode !== undefined
      ? undefined
      : finding('ProvisionerNotOnNode', { provisioner, node: unservedNode }),
  ];
}

function findingOf(subject: Subject, failure: ProvisionFailure): Finding | undefined {
  const { after, provisioner, className } = subject;
  const namespace = after.metadata.namespace ?? '';
  switch (failure.code) {
    case 'SourceNotGranted': {
      const { namespace: other, name, kind } = failure.facts;
      return finding('SourceNotGranted', {
        source: `${other}/${name}`,
        kind,
        namespace: other,
        claimNamespace: namespace,
      });
    }
    case 'SourceUnnamed':
    case 'SourceOfOtherGroup':
      return finding('SourceInvalid', { kind: failure.facts.kind, why: failure.message });
    case 'SourceNeedsPopulator': {
      const { namespace: at, name, kind, group } = failure.facts;
      return finding('SourceNeedsPopulator', { source: `${at}/${name}`, kind, group });
    }
    case 'SelectorNotSupported':
      return undefined;
    case 'FsTypeTwice':
      return finding('ClassParameterInvalid', { class: className, parameters: failure.facts.keys, isTwice: true });
    case 'AccessModeUnknown':
      return finding('AccessModeUnknown', failure.facts);
    case 'SnapshotUnusable':
      return snapshotFinding(subject, failure.facts.snapshot, failure.facts.problem);
    case 'CloneUnusable':
      return cloneFinding(subject, failure.facts.source, failure.facts.problem);
    case 'NoTopology':
      // A node that is gone has no topology, and that it is gone is told.
      return subject.outlook.goneNode === undefined ? topologyFinding(subject, failure.facts) : undefined;
    case 'SecretUnusable':
      return secretFinding(className, failure.facts);
    case 'ParameterUnknown': {
      const parameters = [failure.facts.parameter];
      return finding('ClassParameterInvalid', { class: className, parameters, isTwice: false });
    }
    case 'AttributesClassMissing':
      return missingAttributesClass(subject, failure.facts.attributesClass);
    case 'AttributesClassOfOtherDriver':
      return finding('AttributesClassOfOtherDriver', { ...failure.facts, provisioner });
  }
}

function snapshotFinding({ examination, provisioner }: Subject, snapshot: string, problem: SnapshotProblem): Finding {
  const { snapshot: cluster } = examination.simulation;
  switch (problem.is) {
    case 'missing': {
      const keys = cluster.list('VolumeSnapshot').map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
      return finding('SnapshotMissing', { snapshot, ...nearestOf(snapshot, keys) });
    }
    case 'larger':
      return finding('SnapshotTooLarge', {
        snapshot,
        restoreSize: problem.restoreSize,
        request: problem.request,
      });
    case 'otherMode':
      return finding('SnapshotModeDiffers', {
        snapshot,
        sourceMode: problem.sourceMode,
        claimMode: problem.claimMode,
      });
    default: {
      const { spec, status } = cluster.get('VolumeSnapshot', snapshot) ?? {};
      const error = status?.error?.message;
      const wanted = spec?.volumeSnapshotClassName;
      const isClassMissing =
        problem.is === 'notBound' &&
        wanted !== undefined &&
        cluster.get('VolumeSnapshotClass', wanted) === undefined &&
        ['present', 'empty'].includes(cluster.coverage('VolumeSnapshotClass').is);
      return finding('SnapshotUnusable', {
        snapshot,
        is: problem.is,
        ...('content' in problem ? { content: problem.content } : {}),
        ...('driver' in problem ? { driver: problem.driver } : {}),
        provisioner,
        ...(error === undefined ? {} : { error }),
        ...(isClassMissing ? { missingClass: wanted } : {}),
      });
    }
  }
}

function cloneFinding({ examination, provisioner }: Subject, source: string, problem: CloneProblem): Finding {
  switch (problem.is) {
    case 'missing':
      return finding('CloneSourceMissing', { source, ...nearestOf(source, examination.claims.keys()) });
    case 'larger':
      return finding('CloneSourceTooLarge', { source, size: problem.size, request: problem.request });
    case 'otherMode':
      return finding('CloneModeDiffers', { source, sourceMode: problem.sourceMode, claimMode: problem.claimMode });
    default:
      return finding('CloneSourceUnusable', {
        source,
        is: problem.is,
        ...('phase' in problem ? { phase: problem.phase } : {}),
        ...('volume' in problem ? { volume: problem.volume } : {}),
        ...('driver' in problem ? { driver: problem.driver } : {}),
        provisioner,
      });
  }
}

/** The key in the same namespace that is nearest to one that is not there. */
function nearestOf(key: string, keys: Iterable<string>): { readonly nearest?: string } {
  const namespace = key.slice(0, key.indexOf('/') + 1);
  const nearest = nearestName(
    key,
    [...keys].filter((one) => one.startsWith(namespace)),
  );
  return nearest === undefined ? {} : { nearest };
}

function topologyFinding(subject: Subject, problem: TopologyProblem): Finding {
  const { examination, provisioner: driver, className } = subject;
  const storageClass = examination.simulation.snapshot.get('StorageClass', className);
  switch (problem.is) {
    case 'csiNodeMissing':
    case 'noKeys': {
      const topology = examination.provisionerView.topologyOf(driver);
      const { nodes, keys } = topology.is === 'found' ? topology.value : { nodes: [], keys: [] };
      const key = keys[0]?.[0];
      return finding('NoTopologyKey', {
        driver,
        node: problem.node,
        listed: problem.is === 'noKeys' && problem.listed,
        ...(key === undefined ? {} : { key }),
        others: nodes.filter((node) => node !== problem.node).slice(0, 8),
        isRestricted: (storageClass?.allowedTopologies ?? []).length > 0,
        class: className,
      });
    }
    case 'labelsMissing':
      return finding('TopologyLabelMissing', { driver, node: problem.node, keys: problem.keys });
    case 'nowhere':
      return finding('TopologyNowhere', { driver, keys: problem.keys });
    case 'notAllowed':
      return finding('SelectedNodeNotAllowed', {
        class: className,
        node: problem.node,
        topology: labelsText(problem.topology),
        allowed: allowedText(storageClass),
        foreignKeys: problem.foreignKeys,
        driver,
      });
  }
}

const labelsText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');

function allowedText(storageClass: StorageClass | undefined): string {
  const terms = (storageClass?.allowedTopologies ?? []).map(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.map(({ key, values = [] }) => requirementText({ key, operator: 'In', values })).join(' and '),
  );
  return terms.join(' or ');
}

function secretFinding(className: string, problem: SecretProblem): Finding {
  return problem.is === 'missing'
    ? finding('SecretMissing', { secret: `${problem.namespace}/${problem.secret}`, class: className })
    : finding('SecretTemplateInvalid', { class: className, why: problem.why });
}

function missingAttributesClass({ examination }: Subject, attributesClass: string): Finding {
  const all = examination.simulation.snapshot.list('VolumeAttributesClass').map(({ metadata }) => metadata.name);
  const nearest = nearestName(attributesClass, all);
  return finding('AttributesClassMissing', { attributesClass, ...(nearest === undefined ? {} : { nearest }) });
}

/** What the driver does not offer: as it told, or as drivers of its family are known. */
function modes({ after, provisioner, outlook: { notOffered, told } }: Subject): Found {
  const words = told?.topic === 'modes' ? told.words : undefined;
  if (notOffered === undefined && words === undefined) return [];
  return [
    finding('ModesNotOffered', {
      provisioner,
      ...(notOffered === undefined ? {} : { family: notOffered.family }),
      accessModes: notOffered?.accessModes ?? after.spec.accessModes ?? [],
      volumeMode: volumeModeOf(after),
      ...(words === undefined ? {} : { words }),
    }),
  ];
}

/** A failure that only the provisioner's own words tell. */
function toldFinding(
  subject: Subject,
  { topic, words, grpcCode, count, segments }: ProvisionerFailure,
): Finding | undefined {
  const { after, provisioner, className } = subject;
  const node = subject.outlook.nodes.length === 1 ? subject.outlook.nodes[0] : undefined;
  const told: Told = { provisioner, words, ...(grpcCode === undefined ? {} : { code: grpcCode }) };
  const atNode = node === undefined ? {} : { node };
  switch (topic) {
    case 'permission':
      return finding('ProvisionerForbidden', told);
    case 'topology':
    case 'place': {
      const known = placesOf(subject.examination.simulation.snapshot, provisioner);
      return finding('TopologyRefused', {
        ...told,
        ...atNode,
        ...(segments === undefined ? {} : { segments }),
        ...(known === undefined ? {} : { known }),
      });
    }
    case 'source':
      return finding('SourceRefused', told);
    case 'secret': {
      const missing = /error getting secret (\S+) in namespace (\S+): .*not found/.exec(words);
      return missing === null
        ? finding('SecretTemplateInvalid', { class: className, why: words })
        : finding('SecretMissing', { secret: `${missing[2]}/${missing[1]}`, class: className });
    }
    case 'attributesClass': {
      const attributesClass = after.spec.volumeAttributesClassName ?? '';
      const other = /is for driver (\S+) which/.exec(words)?.[1];
      return other === undefined
        ? missingAttributesClass(subject, attributesClass)
        : finding('AttributesClassOfOtherDriver', { attributesClass, driver: other, provisioner });
    }
    case 'selector':
      return after.spec.selector === undefined ? finding('ProvisioningFails', { ...told, times: count }) : undefined;
    case 'capability':
      return finding('DriverLacksCapability', told);
    case 'modes':
      return undefined;
    case 'exhausted':
      return finding('StorageExhausted', {
        ...told,
        request: after.spec.resources?.requests?.storage ?? '0',
        ...atNode,
        ...(node === undefined ? {} : tracking(subject)),
        others: node === undefined ? [] : unusableNodes(subject, node),
      });
    case 'credentials':
      return finding('DriverUnauthorized', told);
    case 'timeout':
      return finding('DriverTimesOut', { ...told, times: count });
    case 'parameters':
    case 'refused':
      return finding('RequestRefused', { ...told, class: className });
    case 'other':
      return finding('ProvisioningFails', { ...told, times: count });
  }
}

/** Whether the driver tells the scheduler how much room it has. */
function tracking({ examination, provisioner }: Subject): { readonly tracksCapacity?: boolean } {
  const driver = examination.simulation.snapshot.get('CSIDriver', provisioner);
  return driver === undefined ? {} : { tracksCapacity: driver.spec?.storageCapacity === true };
}

/** The other nodes, which the pod of the claim cannot use: "node-2 (cordoned)". */
function unusableNodes({ examination, key, after }: Subject, selected: string): readonly string[] {
  const { scheduler } = examination.simulation;
  return examination.consumers(key).flatMap(({ decision }) => {
    if (decision === undefined) return [];
    const rows = nodesFor(decision, after, scheduler, examination.site());
    return rows
      .filter((row) => row.node !== selected && !admitsPod(row))
      .map(({ node, pod: [status] }) => (status === undefined ? node : `${node} (${statusText(status)})`));
  });
}

/** The scheduler may choose a node on which the provisioner refuses. */
function someNodes({ provisioner, outlook: { onSomeNodes, nodes } }: Subject): Finding | undefined {
  const unfit = [...new Set(onSomeNodes.map(({ node }) => node))];
  if (unfit.length === 0) return undefined;
  return finding('SomeNodesUnfit', { driver: provisioner, nodes: unfit, fit: nodes.length - unfit.length });
}

const places = new WeakMap<Snapshot, Map<string, string | undefined>>();

/** Where the volumes of a driver are: "zone=a", or "zone=a or zone=b"; undefined if they do not tell. */
function placesOf(snapshot: Snapshot, driver: string): string | undefined {
  const known = places.get(snapshot) ?? new Map<string, string | undefined>();
  places.set(snapshot, known);
  return getOrSet(known, driver, () => {
    const seen = new Set<string>();
    for (const { metadata, spec } of snapshot.list('PersistentVolume')) {
      if (metadata.annotations?.[AnnDynamicallyProvisioned] !== driver) continue;
      for (const { matchExpressions = [] } of spec.nodeAffinity?.required?.nodeSelectorTerms ?? []) {
        const place = matchExpressions.map(
          ({ key, values = [] }) => `${key.slice(key.lastIndexOf('/') + 1)}=${values.join('|')}`,
        );
        if (place.length > 0) seen.add(place.join(', '));
      }
      if (seen.size > 3) break;
    }
    return seen.size === 0 || seen.size > 3 ? undefined : [...seen].join(' or ');
  });
}

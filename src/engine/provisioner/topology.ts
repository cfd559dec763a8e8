import { quote } from '../../api/go-text.ts';
import type { Labels, TopologySelectorTerm } from '../../api/objects.ts';
import { type Answer, fail, pass, unknown } from './answer.ts';
import type { ProvisionRequest } from './request.ts';
import type { ProvisionerView } from './view.ts';

// Where a volume may be made: external-provisioner pkg/controller/topology.go, GenerateAccessibilityRequirements (6.3);
// specification scheduler-and-provisioning 5.3.

/** Why no place is found. */
export type TopologyProblem =
  | { readonly is: 'csiNodeMissing'; readonly node: string }
  /** `listed`: the node lists the driver, but without keys. */
  | { readonly is: 'noKeys'; readonly node: string; readonly listed: boolean }
  | { readonly is: 'labelsMissing'; readonly node: string; readonly keys: readonly string[] }
  | {
      readonly is: 'notAllowed';
      readonly node: string;
      readonly topology: Labels;
      /** Keys of allowedTopologies that the driver does not use: they can never be satisfied. */
      readonly foreignKeys: readonly string[];
    }
  | { readonly is: 'nowhere'; readonly keys: readonly string[] };

/**
 * Whether the provisioner finds a place for the volume. Only drivers that report VOLUME_ACCESSIBILITY_CONSTRAINTS are asked; that is
 * known of those for which some node has topology keys.
 */
export function askTopology(request: ProvisionRequest, view: ProvisionerView): Answer<TopologyProblem> {
  const { driver, selectedNode = '', options } = request;
  const topology = view.topologyOf(driver);
  if (topology.is === 'unknown') return unknown(topology);
  // Without any node that lists the driver it cannot be told whether it cares.
  if (topology.is === 'absent' || topology.value.aware === 'unknown') return { is: 'unknown', lacks: [] };
  if (topology.value.aware === 'no') return pass;
  if (selectedNode !== '') return askSelectedNode(request, selectedNode, view);
  if ((request.storageClass.allowedTopologies ?? []).length > 0 || options.immediateTopology === false) return pass;
  return askCluster(topology.value.keys, view);
}

function askSelectedNode(
  { driver, storageClass, options }: ProvisionRequest,
  name: string,
  view: ProvisionerView,
): Answer<TopologyProblem> {
  const csiNode = view.csiNode(name);
  if (csiNode.is === 'unknown') return unknown(csiNode);
  if (csiNode.is === 'absent') {
    const message = `failed to get selected CSINode ${name}: csinode.storage.k8s.io ${quote(name)} not found`;
    return fail({ is: 'csiNodeMissing', node: name }, message);
  }
  const found = csiNode.value.spec?.drivers?.find((one) => one.name === driver);
  const keys = found?.topologyKeys ?? [];
  const refuse = (problem: TopologyProblem, detail: string): Answer<TopologyProblem> =>
    fail(problem, `error generating accessibility requirements: ${detail}`);
  if (keys.length === 0) {
    const problem = { is: 'noKeys', node: name, listed: found !== undefined } as const;
    return refuse(problem, `no topology key found for node ${name}`);
  }
  const node = view.node(name);
  if (node.is === 'unknown') return unknown(node);
  const labels = node.is === 'found' ? (node.value.metadata.labels ?? {}) : {};
  const missing = keys.filter((key) => !Object.hasOwn(labels, key));
  if (missing.length > 0) {
    const detail = `topology labels from selected node ${printedMap(labels)} does not match topology keys from CSINode [${keys.join(' ')}]`;
    return refuse({ is: 'labelsMissing', node: name, keys: missing }, detail);
  }
  const { allowedTopologies = [] } = storageClass;
  // The class of an in-tree plugin is translated first, keys and all.
  if (allowedTopologies.length === 0 || storageClass.provisioner !== driver) return pass;
  const topology = Object.fromEntries(keys.map((key) => [key, labels[key] as string]));
  if (flatten(allowedTopologies).some((term) => isSubset(term, topology))) return pass;
  const allowedKeys = allowedTopologies.flatMap(({ matchLabelExpressions = [] }) => matchLabelExpressions);
  const foreignKeys = [...new Set(allowedKeys.map(({ key }) => key))].filter((key) => !keys.includes(key)).sort();
  const [own, allowed] = [printedTerm(topology), `[${flatten(allowedTopologies).map(printedTerm).join(' ')}]`];
  const detail =
    options.strictTopology === true
      ? `selected node '${quote(name)}' topology '${own}' is not in allowed topologies: ${allowed}`
      : `topology ${own} from selected node ${quote(name)} is not in requisite: ${allowed}`;
  return refuse({ is: 'notAllowed', node: name, topology, foreignKeys }, detail);
}

/** Without a node all places count that nodes with the driver's keys are in; the keys are those of any node that has some. */
// aggregateTopologies
function askCluster(keySets: readonly (readonly string[])[], view: ProvisionerView): Answer<TopologyProblem> {
  for (const keys of keySets) {
    const nodes = view.nodesWithLabels(keys);
    if (nodes.is === 'unknown') return unknown(nodes);
    if (nodes.is === 'found' && nodes.value.length > 0) return pass;
  }
  const keys = keySets[0] ?? [];
  const detail = `topologyKeys [${keys.join(' ')}] were not found on any nodes`;
  return fail({ is: 'nowhere', keys }, `error generating accessibility requirements: ${detail}`);
}

/** The terms of a class with one value for each key: alternatives of values become alternatives of terms. */
export function flatten(terms: readonly TopologySelectorTerm[]): readonly Labels[] {
  return terms.flatMap(({ matchLabelExpressions = [] }) => {
    let flat: readonly Labels[] = [];
    for (const { key, values = [] } of matchLabelExpressions) {
      const before: readonly Labels[] = flat.length === 0 ? [{}] : flat;
      flat = values.flatMap((value) => before.map((term) => ({ ...term, [key]: value })));
    }
    return flat;
  });
}

const isSubset = (term: Labels, topology: Labels): boolean =>
  Object.entries(term).every(([key, value]) => topology[key] === value);

const sorted = (labels: Labels): readonly (readonly [string, string])[] =>
  Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));

/** As Go prints a map, and a list of pairs. */
const printedMap = (labels: Labels): string =>
  `map[${sorted(labels)
    .map(([key, value]) => `${key}:${value}`)
    .join(' ')}]`;
const printedTerm = (labels: Labels): string =>
  `[${sorted(labels)
    .map(([key, value]) => `{${key} ${value}}`)
    .join(' ')}]`;

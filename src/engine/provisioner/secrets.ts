import { quote } from '../../api/go-text.ts';
import type { Annotations, PersistentVolumeClaim } from '../../api/objects.ts';
import { dnsLabelFaults, dnsSubdomainFaults } from '../admission/name-rules.ts';
import { type Answer, fail, pass, unknown } from './answer.ts';
import type { ProvisionRequest } from './request.ts';
import type { ProvisionerView } from './view.ts';

// The Secrets that a class names: external-provisioner pkg/controller/controller.go, getSecretReference and getCredentials (6.3);
// specification scheduler-and-provisioning 5.4.

export const reservedPrefix = 'csi.storage.k8s.io/';

interface SecretKind {
  /** As messages call it. */
  readonly name: string;
  readonly key: string;
  /** The key of old, "csiProvisionerSecret" for "csiProvisionerSecretName". */
  readonly deprecated?: string;
}

/** In the order in which they are resolved. */
const secretKinds: readonly SecretKind[] = [
  { name: 'Provisioner', key: 'provisioner-secret', deprecated: 'csiProvisionerSecret' },
  { name: 'ControllerPublish', key: 'controller-publish-secret', deprecated: 'csiControllerPublishSecret' },
  { name: 'NodeStage', key: 'node-stage-secret', deprecated: 'csiNodeStageSecret' },
  { name: 'NodePublish', key: 'node-publish-secret', deprecated: 'csiNodePublishSecret' },
  { name: 'ControllerExpand', key: 'controller-expand-secret' },
  { name: 'NodeExpand', key: 'node-expand-secret' },
  { name: 'ControllerModify', key: 'controller-modify-secret' },
];
/** For all that name none of their own. */
const defaultKind: SecretKind = { name: 'Default', key: 'secret' };

export const secretParameters: readonly string[] = [...secretKinds, defaultKind].flatMap(({ key }) => [
  `${reservedPrefix}${key}-name`,
  `${reservedPrefix}${key}-namespace`,
]);

export type SecretProblem =
  /** `of`: which of the driver's calls it is for, "Provisioner". */
  | { readonly is: 'badTemplate'; readonly of: string; readonly why: string }
  | { readonly is: 'missing'; readonly secret: string; readonly namespace: string };

/** Whether the Secrets of the class can be named, and the one for making volumes is there. */
export function askSecrets({ claim, storageClass }: ProvisionRequest, view: ProvisionerView): Answer<SecretProblem> {
  const { parameters = {} } = storageClass;
  let lacking: Answer<SecretProblem> | undefined;
  for (const kind of secretKinds) {
    const found = referenceOf(kind, parameters, claim);
    if (found.is === 'bad') return fail({ is: 'badTemplate', of: kind.name, why: found.why }, found.why);
    if (found.is === 'unknown') lacking ??= { is: 'unknown', lacks: [] };
    if (found.is !== 'found' || kind.key !== 'provisioner-secret') continue;
    const { name, namespace } = found;
    const seen = view.secret(`${namespace}/${name}`);
    if (seen.is === 'absent') {
      const message = `error getting secret ${name} in namespace ${namespace}: secrets ${quote(name)} not found`;
      return fail({ is: 'missing', secret: name, namespace }, message);
    }
    if (seen.is === 'unknown') lacking ??= unknown(seen);
  }
  return lacking ?? pass;
}

type Reference =
  | { readonly is: 'none' | 'unknown' }
  | { readonly is: 'found'; readonly name: string; readonly namespace: string }
  | { readonly is: 'bad'; readonly why: string };

function referenceOf(
  kind: SecretKind,
  parameters: Readonly<Record<string, string>>,
  claim: PersistentVolumeClaim,
): Reference {
  const own = templatesOf(kind, parameters);
  if ('why' in own) return { is: 'bad', why: `failed to get name and namespace template from params: ${own.why}` };
  const templates = own.name === '' && own.namespace === '' ? templatesOf(defaultKind, parameters) : own;
  if ('why' in templates) {
    return { is: 'bad', why: `failed to get default name and namespace template from params: ${templates.why}` };
  }
  if (templates.name === '' && templates.namespace === '') return { is: 'none' };

  const { metadata } = claim;
  const inNamespaces = { 'pv.name': `pvc-${metadata.uid ?? ''}`, 'pvc.namespace': metadata.namespace ?? '' };
  const namespace = resolved(templates.namespace, inNamespaces, dnsLabelFaults, 'namespace name');
  if (typeof namespace !== 'string') return namespace;
  const inNames = { ...inNamespaces, 'pvc.name': metadata.name, ...annotationTokens(metadata.annotations) };
  const name = resolved(templates.name, inNames, dnsSubdomainFaults, 'secret name');
  return typeof name === 'string' ? { is: 'found', name, namespace } : name;
}

/** verifyAndGetSecretNameAndNamespaceTemplate */
function templatesOf(
  { name, key, deprecated }: SecretKind,
  parameters: Readonly<Record<string, string>>,
): { readonly name: string; readonly namespace: string } | { readonly why: string } {
  const given = (suffix: 'Name' | 'Namespace') =>
    [...(deprecated === undefined ? [] : [`${deprecated}${suffix}`]), `${reservedPrefix}${key}-${suffix.toLowerCase()}`]
      .filter((parameter) => Object.hasOwn(parameters, parameter))
      .map((parameter) => parameters[parameter] as string);
  const [names, namespaces] = [given('Name'), given('Namespace')];
  if (names.length > 1 || namespaces.length > 1) {
    return { why: `${name} secrets specified in parameters with both "csi" and "${reservedPrefix}" keys` };
  }
  if (names.length !== namespaces.length) {
    return { why: `either name and namespace for ${name} secrets specified, Both must be specified` };
  }
  const [found, where] = [names[0], namespaces[0]];
  if (found === undefined || where === undefined) return { name: '', namespace: '' };
  return found === '' || where === ''
    ? { why: `${name} secrets specified in parameters but value of either namespace or name is empty` }
    : { name: found, namespace: where };
}

const annotationTokens = (annotations: Annotations = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`pvc.annotations['${key}']`, value]));

/** A template with its tokens filled in; os.Expand of Go, which also knows $name. */
function resolved(
  template: string,
  tokens: Readonly<Record<string, string>>,
  faults: (value: string) => readonly string[],
  what: string,
): string | (Reference & { readonly is: 'bad' | 'unknown' }) {
  const missing = new Set<string>();
  const value = template.replace(/\$(?:\{([^}]*)\}|([A-Za-z_]\w*))/g, (_all, braced, plain) => {
    const token: string = braced ?? plain;
    if (Object.hasOwn(tokens, token)) return tokens[token] as string;
    missing.add(token);
    return '';
  });
  // Not every annotation is kept when a cluster is read.
  if ([...missing].some((token) => token.startsWith("pvc.annotations['"))) return { is: 'unknown' };
  if (missing.size > 0) {
    const tokensText = `[${[...missing].sort().map(quote).join(' ')}]`;
    return { is: 'bad', why: `error resolving value ${quote(template)}: invalid tokens: ${tokensText}` };
  }
  if (faults(value).length === 0) return value;
  const why =
    template === value
      ? `${quote(template)} is not a valid ${what}`
      : `${quote(template)} resolved to ${quote(value)} which is not a valid ${what}`;
  return { is: 'bad', why };
}

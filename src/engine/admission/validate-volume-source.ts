import { byteLength } from '../../api/go-text.ts';
import { asJson, type FieldError, forbidden, invalid, invalidFor, notSupported, required, tooLong } from './field.ts';
import { lowerCase, sortedEntries } from './go-strings.ts';
import type { VolumeSourceManifests } from './manifest-types.ts';
import { dnsLabelFaults, dnsSubdomainFaults } from './name-rules.ts';
import type { ValidationRules } from './validation-rules.ts';

// kubernetes/kubernetes pkg/apis/core/validation/validation.go, ValidatePersistentVolumeSpec and the functions for the sources
// (1.37); specification scheduler-and-provisioning 6.8

interface Context {
  readonly volumeName: string;
  readonly hasNodeAffinity: boolean;
  readonly rules: ValidationRules;
}

interface SourceRule {
  readonly source: keyof VolumeSourceManifests;
  /** Upstream's path for what is wrong inside the source, where it is not the field's name. */
  readonly inside?: string;
  /** Upstream's path when the source is one too many, where it is not the field's name. */
  readonly surplus?: string;
  /** Upstream forgets to refuse this source beside another one. */
  readonly neverSurplus?: true;
  /** The in-tree plugin of this source read the old annotation for mount options. */
  readonly mountOptions?: true;
  readonly errors: (source: never, path: string, context: Context) => readonly FieldError[];
}

const rule = <Source>(
  source: keyof VolumeSourceManifests,
  errors: (source: Source, path: string, context: Context) => readonly FieldError[],
  rest: Omit<SourceRule, 'source' | 'errors'> = {},
): SourceRule => ({ source, errors: errors as SourceRule['errors'], ...rest });

interface SecretReference {
  readonly name?: string;
  readonly namespace?: string;
}

/** The sources in upstream's order: the first one that is there is validated, each further one is refused. */
const sourceRules: readonly SourceRule[] = [
  rule('hostPath', hostPathErrors),
  rule('gcePersistentDisk', gcePersistentDiskErrors, { inside: 'persistentDisk', mountOptions: true }),
  rule('awsElasticBlockStore', awsElasticBlockStoreErrors, { mountOptions: true }),
  rule('glusterfs', glusterfsErrors, { mountOptions: true }),
  rule('flocker', flockerErrors),
  rule('nfs', nfsErrors, { mountOptions: true }),
  rule('rbd', rbdErrors, { mountOptions: true }),
  rule('quobyte', quobyteErrors, { mountOptions: true }),
  rule('cephfs', cephfsErrors, { surplus: 'cephFS', mountOptions: true }),
  rule('iscsi', iscsiErrors, { mountOptions: true }),
  rule('cinder', cinderErrors, { mountOptions: true }),
  rule('fc', fcErrors),
  rule('flexVolume', flexVolumeErrors, { neverSurplus: true }),
  rule('azureFile', azureFileErrors, { mountOptions: true }),
  rule('vsphereVolume', needs('volumePath'), { mountOptions: true }),
  rule('photonPersistentDisk', needs('pdID'), { mountOptions: true }),
  rule('portworxVolume', needs('volumeID')),
  rule('azureDisk', azureDiskErrors, { mountOptions: true }),
  rule('scaleIO', needs('gateway', 'system', 'volumeName')),
  rule('local', localErrors),
  rule('storageos', storageosErrors),
  rule('csi', csiErrors),
];

/** A volume has exactly one source, and that source says enough. */
export function validateVolumeSources(sources: VolumeSourceManifests, context: Context): readonly FieldError[] {
  const errors: FieldError[] = [];
  let count = 0;
  for (const { source, inside, surplus, neverSurplus, errors: errorsOf } of sourceRules) {
    const content = sources[source];
    if (content === undefined) continue;
    if (count > 0 && !neverSurplus) {
      errors.push(forbidden(`spec.${surplus ?? source}`, 'may not specify more than 1 volume type'));
      continue;
    }
    count++;
    errors.push(...errorsOf(content as never, `spec.${inside ?? source}`, context));
  }
  return count === 0 ? [...errors, required('spec', 'must specify a volume type')] : errors;
}

export const takesMountOptionAnnotation = (sources: VolumeSourceManifests): boolean =>
  sourceRules.some(({ source, mountOptions }) => mountOptions && sources[source] !== undefined);

/** Each named text that is empty is missing. */
const requiredTexts = (path: string, texts: Readonly<Record<string, string | undefined>>): readonly FieldError[] =>
  Object.entries(texts).flatMap(([name, text]) => (text ? [] : [required(`${path}.${name}`)]));

/** A source of which nothing but the presence of some texts is checked. */
function needs(...names: readonly string[]) {
  return (source: Readonly<Record<string, string | undefined>>, path: string): readonly FieldError[] =>
    requiredTexts(path, Object.fromEntries(names.map((name) => [name, source[name]])));
}

const requiredList = (path: string, list: readonly string[] | undefined): readonly FieldError[] =>
  list?.length ? [] : [required(path)];

function outOfRange(path: string, value: number, from: number, to: number): readonly FieldError[] {
  return value < from || value > to ? [invalid(path, value, `must be between ${from} and ${to}, inclusive`)] : [];
}

const backstepErrors = (path: string, text: string): readonly FieldError[] =>
  text.split('/').includes('..') ? [invalid(path, text, "must not contain '..'")] : [];

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

function hostPathErrors(
  source: { readonly path: string; readonly type?: string },
  path: string,
): readonly FieldError[] {
  if (source.path === '') return [required(`${path}.path`)];
  const errors = backstepErrors(`${path}.path`, source.path);
  if (source.type === undefined || hostPathTypes.includes(source.type)) return errors;
  return [...errors, notSupported(`${path}.type`, asJson(source.type), hostPathTypes)];
}

function gcePersistentDiskErrors(
  { pdName, partition = 0 }: { readonly pdName: string; readonly partition?: number },
  path: string,
): readonly FieldError[] {
  return [...requiredTexts(path, { pdName }), ...partitionErrors(`${path}.partition`, partition)];
}

function awsElasticBlockStoreErrors(
  { volumeID, partition = 0 }: { readonly volumeID: string; readonly partition?: number },
  path: string,
): readonly FieldError[] {
  return [...requiredTexts(path, { volumeID }), ...partitionErrors(`${path}.partition`, partition)];
}

/** No partition, 0, is fine, although the message does not say so. */
const partitionErrors = (path: string, partition: number): readonly FieldError[] =>
  partition === 0 ? [] : outOfRange(path, partition, 1, 255);

function glusterfsErrors(
  source: { readonly endpoints: string; readonly path: string; readonly endpointsNamespace?: string },
  path: string,
): readonly FieldError[] {
  const { endpoints, endpointsNamespace: namespace } = source;
  const at = `${path}.endpointsNamespace`;
  const errors = requiredTexts(path, { endpoints, path: source.path });
  if (namespace === undefined) return errors;
  if (namespace !== '') return [...errors, ...invalidFor(at, namespace, dnsLabelFaults(namespace))];
  return [...errors, invalid(at, '', 'if the endpointnamespace is set, it must be a valid namespace name')];
}

function flockerErrors(
  { datasetName = '', datasetUUID = '' }: { readonly datasetName?: string; readonly datasetUUID?: string },
  path: string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (datasetName === '' && datasetUUID === '') {
    errors.push(required(path, 'one of datasetName and datasetUUID is required'));
  }
  if (datasetName !== '' && datasetUUID !== '') {
    errors.push(invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  }
  if (datasetName.includes('/')) errors.push(invalid(`${path}.datasetName`, datasetName, "must not contain '/'"));
  return errors;
}

function nfsErrors(source: { readonly server: string; readonly path: string }, path: string): readonly FieldError[] {
  const errors = requiredTexts(path, { server: source.server, path: source.path });
  if (source.path.startsWith('/')) return errors;
  return [...errors, invalid(`${path}.path`, source.path, 'must be an absolute path')];
}

function rbdErrors(
  { monitors, image }: { readonly monitors?: readonly string[]; readonly image: string },
  path: string,
): readonly FieldError[] {
  return [...requiredList(`${path}.monitors`, monitors), ...requiredTexts(path, { image })];
}

function quobyteErrors(
  source: { readonly registry: string; readonly tenant?: string; readonly volume: string },
  path: string,
): readonly FieldError[] {
  const { registry, tenant = '', volume } = source;
  const at = `${path}.registry`;
  const pairs = 'must be a host:port pair or multiple pairs separated by commas';
  const errors: FieldError[] = [];
  if (registry === '') errors.push(required(at, pairs));
  else if (byteLength(tenant) >= 65) {
    errors.push(required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'));
  } else {
    const wrong = registry.split(',').filter((pair) => !isHostPort(pair));
    errors.push(...wrong.map(() => invalid(at, registry, pairs)));
  }
  return [...errors, ...requiredTexts(path, { volume })];
}

/** Go's net.SplitHostPort: one colon, or an address in brackets and a colon behind it; either side may be empty. */
const isHostPort = (text: string): boolean => /^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(text);

function cephfsErrors({ monitors }: { readonly monitors?: readonly string[] }, path: string): readonly FieldError[] {
  return requiredList(`${path}.monitors`, monitors);
}

interface ISCSISource {
  readonly targetPortal: string;
  readonly iqn: string;
  readonly lun: number;
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly secretRef?: SecretReference;
  readonly initiatorName?: string;
}

function iscsiErrors(source: ISCSISource, path: string, { volumeName }: Context): readonly FieldError[] {
  const { targetPortal, iqn, lun, secretRef, initiatorName } = source;
  const errors = [...requiredTexts(path, { targetPortal })];
  if (initiatorName !== undefined && byteLength(`${volumeName}:${targetPortal}`) > 64) {
    const detail =
      'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
    errors.push(invalid(`${path}.targetportal`, targetPortal, detail));
  }
  errors.push(...(iqn === '' ? [required(`${path}.iqn`)] : initiatorErrors(`${path}.iqn`, iqn)));
  errors.push(...outOfRange(`${path}.lun`, lun, 0, 255));
  if ((source.chapAuthDiscovery || source.chapAuthSession) && secretRef === undefined) {
    errors.push(required(`${path}.secretRef`));
  }
  if (secretRef !== undefined) errors.push(...requiredTexts(`${path}.secretRef`, { name: secretRef.name }));
  if (initiatorName !== undefined) errors.push(...initiatorErrors(`${path}.initiatorname`, initiatorName));
  return errors;
}

const initiatorFormats = [
  { prefix: 'iqn', format: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\t\n\f\r ]+)$/ },
  { prefix: 'eui', format: /^eui[^\n][A-Za-z0-9]{16}$/u },
  { prefix: 'naa', format: /^naa[^\n][A-Za-z0-9]{32}$/u },
];

function initiatorErrors(path: string, name: string): readonly FieldError[] {
  const known = initiatorFormats.find(({ prefix }) => name.startsWith(prefix));
  return known?.format.test(name) ? [] : [invalid(path, name, 'must be valid format')];
}

function cinderErrors(
  { volumeID, secretRef }: { readonly volumeID: string; readonly secretRef?: SecretReference },
  path: string,
): readonly FieldError[] {
  return [...requiredTexts(path, { volumeID }), ...secretErrors(`${path}.secretRef`, secretRef)];
}

/** A reference to a secret names it and its namespace. */
const secretErrors = (path: string, secretRef: SecretReference | undefined): readonly FieldError[] =>
  secretRef === undefined ? [] : requiredTexts(path, { name: secretRef.name, namespace: secretRef.namespace });

function fcErrors(
  source: { readonly targetWWNs?: readonly string[]; readonly wwids?: readonly string[]; readonly lun?: number },
  path: string,
): readonly FieldError[] {
  const { targetWWNs = [], wwids = [], lun } = source;
  const at = `${path}.targetWWNs`;
  const errors: FieldError[] = [];
  if (targetWWNs.length === 0 && wwids.length === 0) {
    errors.push(required(at, 'must specify either targetWWNs or wwids, but not both'));
  }
  if (targetWWNs.length > 0 && wwids.length > 0) {
    errors.push(invalid(at, asJson(targetWWNs), 'targetWWNs and wwids can not be specified simultaneously'));
  }
  if (targetWWNs.length === 0) return errors;
  if (lun === undefined) return [...errors, required(`${path}.lun`, 'lun is required if targetWWNs is specified')];
  return [...errors, ...outOfRange(`${path}.lun`, lun, 0, 255)];
}

function flexVolumeErrors(
  { driver, options }: { readonly driver: string; readonly options?: Readonly<Record<string, string>> },
  path: string,
): readonly FieldError[] {
  const reserved = sortedEntries(options).flatMap(([key]) => {
    const namespace = `.${lowerCase(key.split('/', 1)[0] ?? '')}`;
    if (!namespace.endsWith('.kubernetes.io') && !namespace.endsWith('.k8s.io')) return [];
    return [invalid(`${path}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved')];
  });
  return [...requiredTexts(path, { driver }), ...reserved];
}

function azureFileErrors(
  source: { readonly secretName: string; readonly shareName: string; readonly secretNamespace?: string },
  path: string,
): readonly FieldError[] {
  const { secretName, shareName, secretNamespace } = source;
  return [
    ...requiredTexts(path, { secretName, shareName }),
    ...(secretNamespace === undefined ? [] : requiredTexts(path, { secretNamespace })),
  ];
}

const azureCachingModes = ['None', 'ReadOnly', 'ReadWrite'];
const azureDiskKinds = ['Dedicated', 'Managed', 'Shared'];
const azureManagedDisk =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const azureBlobDisk = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

interface AzureDiskSource {
  readonly diskName: string;
  readonly diskURI: string;
  readonly cachingMode?: string;
  readonly kind?: string;
}

function azureDiskErrors(
  { diskName, diskURI, cachingMode, kind }: AzureDiskSource,
  path: string,
): readonly FieldError[] {
  const errors = [...requiredTexts(path, { diskName, diskURI })];
  if (cachingMode !== undefined && !azureCachingModes.includes(cachingMode)) {
    errors.push(notSupported(`${path}.cachingMode`, asJson(cachingMode), azureCachingModes));
  }
  if (kind === undefined) return errors;
  if (!azureDiskKinds.includes(kind)) errors.push(notSupported(`${path}.kind`, asJson(kind), azureDiskKinds));
  const [start, form] = kind === 'Managed' ? ['/subscriptions/', azureManagedDisk] : ['https://', azureBlobDisk];
  if (diskURI.startsWith(start)) return errors;
  return [...errors, notSupported(`${path}.diskURI`, diskURI, [form])];
}

function localErrors(
  source: { readonly path: string },
  path: string,
  { hasNodeAffinity }: Context,
): readonly FieldError[] {
  const at = `${path}.path`;
  const errors = source.path === '' ? [required(at)] : backstepErrors(at, source.path);
  return hasNodeAffinity ? errors : [...errors, required('spec.nodeAffinity', 'Local volume requires node affinity')];
}

function storageosErrors(
  source: { readonly volumeName?: string; readonly volumeNamespace?: string; readonly secretRef?: SecretReference },
  path: string,
): readonly FieldError[] {
  const { volumeName = '', volumeNamespace = '', secretRef } = source;
  const labelErrors = (name: string, text: string) => invalidFor(`${path}.${name}`, text, dnsLabelFaults(text));
  return [
    ...(volumeName === '' ? [required(`${path}.volumeName`)] : labelErrors('volumeName', volumeName)),
    ...(volumeNamespace === '' ? [] : labelErrors('volumeNamespace', volumeNamespace)),
    ...secretErrors(`${path}.secretRef`, secretRef),
  ];
}

interface CSISource {
  readonly driver: string;
  readonly volumeHandle: string;
  readonly controllerPublishSecretRef?: SecretReference;
  readonly controllerExpandSecretRef?: SecretReference;
  readonly nodePublishSecretRef?: SecretReference;
  readonly nodeExpandSecretRef?: SecretReference;
}

/** The secret for staging is not looked at. */
const csiSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const;

function csiErrors(source: CSISource, path: string, { rules }: Context): readonly FieldError[] {
  return [
    ...driverErrors(`${path}.driver`, source.driver, rules),
    ...requiredTexts(path, { volumeHandle: source.volumeHandle }),
    ...csiSecrets.flatMap((name) => csiSecretErrors(`${path}.${name}`, source[name])),
  ];
}

function driverErrors(path: string, driver: string, rules: ValidationRules): readonly FieldError[] {
  const formatErrors = invalidFor(path, driver, dnsSubdomainFaults(lowerCase(driver)));
  if (driver === '') return [required(path), ...(rules.formatsEmptyDriverName ? formatErrors : [])];
  return byteLength(driver) > 63 ? [tooLong(path, 63), ...formatErrors] : formatErrors;
}

function csiSecretErrors(path: string, secretRef: SecretReference | undefined): readonly FieldError[] {
  if (secretRef === undefined) return [];
  const { name = '', namespace = '' } = secretRef;
  return [
    ...requiredTexts(path, { name, namespace }),
    ...(name === '' ? [] : invalidFor(`${path}.name`, name, dnsSubdomainFaults(name))),
    ...(namespace === '' ? [] : invalidFor(`${path}.namespace`, namespace, dnsLabelFaults(namespace))),
  ];
}

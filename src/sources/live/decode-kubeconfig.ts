import { posix, win32 } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import type { Cluster, ExecConfig, Kubeconfig, User } from './kubeconfig.ts';
import { present } from './present.ts';
import type { Surroundings } from './surroundings.ts';

/** Decodes one file. Paths in it are relative to its folder. Throws errors whose messages name the field. */
export function decodeKubeconfig(text: string, file: string, { platform }: Pick<Surroundings, 'platform'>): Kubeconfig {
  const document = load(text, { schema: CORE_SCHEMA });
  if (document === undefined || document === null)
    return { clusters: new Map(), users: new Map(), contexts: new Map() };
  const root = fieldsOf(document, '');
  const kind = root.text('kind');
  if (kind !== undefined && kind !== 'Config') throw new Error(`kind is ${JSON.stringify(kind)}, not "Config"`);
  const paths = platform === 'win32' ? win32 : posix;
  const folder = paths.resolve(paths.dirname(file));
  const absolute = (path: string | undefined) => (path === undefined ? undefined : paths.resolve(folder, path));
  return present({
    currentContext: root.text('current-context'),
    clusters: named(root, 'clusters', 'cluster', (fields) => decodeCluster(fields, absolute)),
    users: named(root, 'users', 'user', (fields) =>
      // A command without a separator is looked up in PATH.
      decodeUser(fields, absolute, (command) =>
        command.includes(paths.sep) ? paths.resolve(folder, command) : command,
      ),
    ),
    contexts: named(root, 'contexts', 'context', (fields) =>
      present({ cluster: fields.text('cluster'), user: fields.text('user'), namespace: fields.text('namespace') }),
    ),
  });
}

type Absolute = (path: string | undefined) => string | undefined;

function decodeCluster(fields: Fields, absolute: Absolute): Cluster {
  const extension = fields
    .list('extensions')
    .find((entry) => entry.text('name') === 'client.authentication.k8s.io/exec');
  return present({
    server: fields.text('server'),
    tlsServerName: fields.text('tls-server-name'),
    insecureSkipTlsVerify: fields.flag('insecure-skip-tls-verify'),
    certificateAuthority: absolute(fields.text('certificate-authority')),
    certificateAuthorityData: fields.base64('certificate-authority-data'),
    proxyUrl: fields.text('proxy-url'),
    disableCompression: fields.flag('disable-compression'),
    execConfig: extension?.value.extension,
  });
}

function decodeUser(fields: Fields, absolute: Absolute, command: (text: string) => string): User {
  const provider = fields.object('auth-provider');
  const exec = fields.object('exec');
  return present({
    clientCertificate: absolute(fields.text('client-certificate')),
    clientCertificateData: fields.base64('client-certificate-data'),
    clientKey: absolute(fields.text('client-key')),
    clientKeyData: fields.base64('client-key-data'),
    token: fields.text('token'),
    tokenFile: absolute(fields.text('tokenFile')),
    as: fields.text('as'),
    asUid: fields.text('as-uid'),
    asGroups: fields.texts('as-groups'),
    asUserExtra: listsByKey(fields.object('as-user-extra')),
    username: fields.text('username'),
    password: fields.text('password'),
    authProvider: provider && { name: provider.text('name') ?? '', config: textsByKey(provider.object('config')) },
    exec: exec && decodeExec(exec, command),
  });
}

function decodeExec(fields: Fields, command: (text: string) => string): ExecConfig {
  const apiVersion = fields.text('apiVersion') ?? '';
  // api/v1/defaults.go: the mode may be left out before v1.
  const defaultMode = apiVersion.endsWith('/v1beta1') || apiVersion.endsWith('/v1alpha1') ? 'IfAvailable' : '';
  return present({
    apiVersion,
    command: command(fields.text('command') ?? ''),
    args: fields.texts('args') ?? [],
    env: fields.list('env').map((entry) => ({ name: entry.text('name') ?? '', value: entry.text('value') ?? '' })),
    installHint: fields.text('installHint'),
    provideClusterInfo: fields.flag('provideClusterInfo') ?? false,
    interactiveMode: fields.text('interactiveMode') ?? defaultMode,
  });
}

function named<T>(root: Fields, list: string, key: string, decode: (fields: Fields) => T): ReadonlyMap<string, T> {
  const entries = new Map<string, T>();
  for (const entry of root.list(list)) {
    const name = entry.text('name') ?? '';
    // api/v1/conversion.go
    if (entries.has(name)) throw new Error(`duplicate name ${JSON.stringify(name)} in ${list}`);
    entries.set(name, decode(entry.object(key) ?? fieldsOf({}, '')));
  }
  return entries;
}

function textsByKey(fields: Fields | undefined): Readonly<Record<string, string>> {
  if (fields === undefined) return {};
  return Object.fromEntries(Object.keys(fields.value).map((key) => [key, fields.text(key) ?? '']));
}

function listsByKey(fields: Fields | undefined): Readonly<Record<string, readonly string[]>> | undefined {
  return fields && Object.fromEntries(Object.keys(fields.value).map((key) => [key, fields.texts(key) ?? []]));
}

/** A mapping whose values are asked for by type. Asking for one of another type throws an error that names the field. */
interface Fields {
  readonly value: Readonly<Record<string, unknown>>;
  /** Undefined if it is absent or empty. */
  text(key: string): string | undefined;
  texts(key: string): readonly string[] | undefined;
  flag(key: string): boolean | undefined;
  base64(key: string): string | undefined;
  object(key: string): Fields | undefined;
  list(key: string): readonly Fields[];
}

/** What YAML 1.1 takes for booleans and js-yaml's core schema for texts; kubectl reads YAML 1.1. */
const yaml11Booleans: Readonly<Record<string, boolean>> = {
  yes: true,
  on: true,
  y: true,
  no: false,
  off: false,
  n: false,
};

function fieldsOf(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${path === '' ? 'the file' : path} is not a mapping`);
  }
  const record = value as Readonly<Record<string, unknown>>;
  const at = (key: string) => (path === '' ? key : `${path}.${key}`);
  const elements = (key: string): readonly unknown[] | undefined => {
    const found = record[key] ?? undefined;
    if (found !== undefined && !Array.isArray(found)) throw new Error(`${at(key)} is not a list`);
    return found;
  };
  const text = (key: string): string | undefined => {
    const found = record[key] ?? '';
    if (typeof found !== 'string') throw new Error(`${at(key)} is not a string`);
    return found === '' ? undefined : found;
  };
  return {
    value: record,
    text,
    texts: (key) =>
      elements(key)?.map((element, i) => {
        if (typeof element !== 'string') throw new Error(`${at(key)}[${i}] is not a string`);
        return element;
      }),
    flag(key) {
      const found = record[key] ?? undefined;
      const read = typeof found === 'string' ? yaml11Booleans[found.toLowerCase()] : found;
      if (found !== undefined && typeof read !== 'boolean') throw new Error(`${at(key)} is not a boolean`);
      return read as boolean | undefined;
    },
    base64(key) {
      const found = text(key);
      if (found !== undefined && !/^[A-Za-z0-9+/\r\n]*={0,2}[\r\n]*$/.test(found))
        throw new Error(`${at(key)} is not base64`);
      return found;
    },
    object: (key) => ((record[key] ?? undefined) === undefined ? undefined : fieldsOf(record[key], at(key))),
    list: (key) => elements(key)?.map((element, i) => fieldsOf(element, `${at(key)}[${i}]`)) ?? [],
  };
}

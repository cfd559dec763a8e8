import type { Event } from '../api/objects.ts';

// What provisioners tell in events about the volumes that they cannot make. Specification scheduler-and-provisioning 5.1, 5.2 and
// 8 F; the words of drivers and clouds are practical knowledge (12).

/** What a failure has to do with. Some of it can be seen in the cluster's objects; the rest only the driver knows. */
export type Topic =
  | 'permission'
  | 'topology'
  | 'place'
  | 'source'
  | 'secret'
  | 'attributesClass'
  | 'parameters'
  | 'selector'
  | 'capability'
  | 'modes'
  | 'exhausted'
  | 'credentials'
  | 'timeout'
  | 'refused'
  | 'other';

/** A failure that a provisioner told. */
export interface ProvisionerFailure {
  readonly topic: Topic;
  /** The message without what stands around it. */
  readonly words: string;
  /** The gRPC code of the driver's answer, "ResourceExhausted". */
  readonly grpcCode?: string;
  readonly count: number;
  /** The places that the message speaks of, "region=dc2, zone=a". */
  readonly segments?: string;
}

/** The latest failure that a provisioner told about a claim, if it has not succeeded since. */
export function latestFailure(
  events: readonly Event[],
  uid: string | undefined,
  provisioner: string,
): ProvisionerFailure | undefined {
  const own = events
    .filter(({ involvedObject }) => involvedObject.uid === undefined || uid === undefined || involvedObject.uid === uid)
    .filter((event) => isOfProvisioners(event, provisioner));
  const latest = (reason: string) =>
    own
      .filter((event) => event.reason === reason)
      .sort((a, b) => timeOf(a) - timeOf(b))
      .at(-1);
  const failed = latest('ProvisioningFailed');
  const succeeded = latest('ProvisioningSucceeded');
  if (failed === undefined || (succeeded !== undefined && timeOf(succeeded) >= timeOf(failed))) return undefined;
  return failureOf(failed);
}

const timeOf = ({ lastTimestamp, firstTimestamp, metadata }: Event): number =>
  Date.parse(lastTimestamp ?? firstTimestamp ?? metadata.creationTimestamp ?? '') || 0;

const frame = /^failed to provision volume with StorageClass "[^"]*": /;

/** The controller tells of failures under the same reason. */
function isOfProvisioners({ source, message = '' }: Event, provisioner: string): boolean {
  const component = source?.component ?? '';
  return (
    component.includes(provisioner) || component.includes('provisioner') || (component === '' && frame.test(message))
  );
}

function failureOf({ message = '', count = 1 }: Event): ProvisionerFailure {
  const grpc = /rpc error: code = (\w+) desc = /.exec(message);
  const words = (grpc === null ? message.replace(frame, '') : message.slice(grpc.index + grpc[0].length))
    .replace(/^Volume provisioning failed with infeasible error\. Retries will be delayed\. /, '')
    .replace(/\s+/g, ' ')
    .trim();
  const segments = segmentsOf(words);
  return {
    topic: topicOf(message, grpc?.[1]),
    words,
    ...(grpc?.[1] === undefined ? {} : { grpcCode: grpc[1] }),
    count,
    ...(segments === '' ? {} : { segments }),
  };
}

/** The first that is met decides: what the provisioner says itself, then the driver's code, then the driver's words. */
const topics: readonly (readonly [Topic, RegExp])[] = [
  ['permission', /is forbidden: User "system:serviceaccount:/],
  ['topology', /generating accessibility requirements|no available topology found|selected CSINode/],
  ['source', /error getting handle for DataSource|the PVC source |accessing \S+ of \S+ dataSource from/],
  [
    'secret',
    /error getting secret|name and namespace template from params|error resolving value|not a valid secret name/,
  ],
  ['attributesClass', /volumeattributesclasses\.storage\.k8s\.io|VAC \S+ referenced in PVC/],
  ['parameters', /unknown parameter key|fstype specified in parameters|strip CSI Parameters/],
  ['selector', /selector is not supported/i],
  ['capability', /capability is not reported/],
];

const driverTopics: readonly (readonly [Topic, RegExp])[] = [
  ['modes', /access ?mode|volume ?capabilit|multi[-_ ]?node|block access|volume ?mode|ReadWriteMany/i],
  [
    'exhausted',
    /ResourceExhausted|QuotaExceeded|quota|insufficient (?:space|storage|capacity|resources)|no space|not enough|limit exceeded|LimitExceeded/i,
  ],
  [
    'credentials',
    /UnauthorizedOperation|AccessDenied|not authorized|invalid credentials|AuthFailure|token.*expired|401|403 Forbidden/i,
  ],
  ['place', /topolog|availability ?zone|segments:</i],
  ['timeout', /DeadlineExceeded|deadline exceeded|timed out|timeout|already exists/i],
];

function topicOf(message: string, code: string | undefined): Topic {
  const told = topics.find(([, words]) => words.test(message));
  if (told !== undefined) return told[0];
  switch (code) {
    case 'ResourceExhausted':
    case 'OutOfRange':
      return 'exhausted';
    case 'Unauthenticated':
    case 'PermissionDenied':
      return 'credentials';
    case 'DeadlineExceeded':
    case 'Aborted':
    case 'Unavailable':
    case 'Canceled':
      return 'timeout';
    case 'InvalidArgument':
      return driverTopics[0]?.[1].test(message) ? 'modes' : 'refused';
    default:
      return driverTopics.find(([, words]) => words.test(message))?.[0] ?? 'other';
  }
}

/** The topology that a driver was asked for, as Go prints it: segments:<key:"region" value:"dc2" >. */
function segmentsOf(words: string): string {
  const pairs = [...words.matchAll(/key:\s*"([^"]+)"\s+value:\s*"([^"]*)"/g)];
  const all = pairs.map(([, key = '', value = '']) => `${key.slice(key.lastIndexOf('/') + 1)}=${value}`);
  return [...new Set(all)].join(', ');
}

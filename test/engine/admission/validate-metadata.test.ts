import { describe, expect, it } from 'vitest';
import type { ManifestMeta } from '../../../src/engine/admission/manifest-types.ts';
import { validateMetadata } from '../../../src/engine/admission/validate-metadata.ts';
import { notKeyName, notLabel, notLabelValue, notSubdomain, rules, rulesOf, texts } from './manifests.ts';

const claimMeta = (metadata: object): ManifestMeta => ({ name: 'films', namespace: 'media', ...metadata });
const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'u-1' };

const rows: readonly [name: string, metadata: ManifestMeta, expected: readonly string[]][] = [
  ['an ordinary name', claimMeta({}), []],
  ['an upper case name', claimMeta({ name: 'Films' }), [`metadata.name: Invalid value: "Films": ${notSubdomain}`]],
  [
    'a name of 254 bytes',
    claimMeta({ name: 'x'.repeat(254) }),
    [`metadata.name: Invalid value: "${'x'.repeat(254)}": must be no more than 253 characters`],
  ],
  ['a name of 253 bytes', claimMeta({ name: 'x'.repeat(253) }), []],
  [
    'a namespace of 64 bytes',
    claimMeta({ namespace: 'x'.repeat(64) }),
    [`metadata.namespace: Invalid value: "${'x'.repeat(64)}": must be no more than 63 characters`],
  ],
  ['a namespace of 63 bytes', claimMeta({ namespace: 'x'.repeat(63) }), []],
  ['no name', { namespace: 'media' }, ['metadata.name: Required value: name or generateName is required']],
  ['a prefix that ends in a dash', claimMeta({ generateName: 'films-' }), []],
  [
    'a prefix in upper case',
    claimMeta({ generateName: 'Films-' }),
    [`metadata.generateName: Invalid value: "Films-": ${notSubdomain}`],
  ],
  ['no namespace', { name: 'films' }, ['metadata.namespace: Required value']],
  [
    'a namespace with a dot',
    claimMeta({ namespace: 'me.dia' }),
    ['metadata.namespace: Invalid value: "me.dia": must not contain dots'],
  ],
  ['an upper case namespace', claimMeta({ namespace: 'M' }), [`metadata.namespace: Invalid value: "M": ${notLabel}`]],
  [
    'a negative generation',
    claimMeta({ generation: -1 }),
    ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
  ],
  ['a label with a domain', claimMeta({ labels: { 'example.com/tier': 'gold' } }), []],
  [
    'a label key with a space',
    claimMeta({ labels: { 'a b': '' } }),
    [`metadata.labels: Invalid value: "a b": ${notKeyName}`],
  ],
  [
    'a label key without a name',
    claimMeta({ labels: { 'example.com/': '' } }),
    [
      'metadata.labels: Invalid value: "example.com/": name part must be non-empty',
      `metadata.labels: Invalid value: "example.com/": ${notKeyName}`,
    ],
  ],
  [
    'a label key without a domain',
    claimMeta({ labels: { '/a': '' } }),
    ['metadata.labels: Invalid value: "/a": prefix part must be non-empty'],
  ],
  [
    'a label key with an upper case domain',
    claimMeta({ labels: { 'Example.com/a': '' } }),
    [`metadata.labels: Invalid value: "Example.com/a": prefix part ${notSubdomain}`],
  ],
  [
    'a label key with two slashes',
    claimMeta({ labels: { 'a/b/c': '' } }),
    [
      `metadata.labels: Invalid value: "a/b/c": a valid label key ${notKeyName.replace('name part ', '')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ],
  ],
  [
    'a label value with a space',
    claimMeta({ labels: { a: 'b c' } }),
    [`metadata.labels: Invalid value: "b c": ${notLabelValue}`],
  ],
  [
    'a label value of 64 bytes',
    claimMeta({ labels: { a: 'x'.repeat(64) } }),
    [`metadata.labels: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`],
  ],
  ['an annotation key in upper case', claimMeta({ annotations: { 'Example.com/a': 'any text' } }), []],
  [
    'an annotation key with a space',
    claimMeta({ annotations: { 'a b': '' } }),
    [`metadata.annotations: Invalid value: "a b": ${notKeyName}`],
  ],
  ['annotations of 256 KiB', claimMeta({ annotations: { a: 'x'.repeat(262_143) } }), []],
  [
    'annotations of a byte more',
    claimMeta({ annotations: { a: 'x'.repeat(262_144) } }),
    ['metadata.annotations: Too long: may not be more than 262144 bytes'],
  ],
  ['an owner', claimMeta({ ownerReferences: [owner] }), []],
  [
    'an owner without anything',
    claimMeta({ ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] }),
    ['apiVersion', 'kind', 'name', 'uid'].map(
      (field) => `metadata.ownerReferences[0].${field}: Required value: must not be empty`,
    ),
  ],
  [
    'an owner with a strange version',
    claimMeta({ ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] }),
    ['metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/c": must be <group>/<version> or <version>'],
  ],
  [
    'an event as owner',
    claimMeta({ ownerReferences: [{ ...owner, apiVersion: 'v1', kind: 'Event' }] }),
    [
      'metadata.ownerReferences[0]: Invalid value: {"apiVersion":"v1","kind":"Event","name":"db","uid":"u-1"}: /v1, Kind=Event is disallowed from being an owner',
    ],
  ],
  [
    'an event of another group as owner',
    claimMeta({ ownerReferences: [{ ...owner, apiVersion: 'events.k8s.io/v1', kind: 'Event' }] }),
    [],
  ],
  [
    'an event of another version as owner',
    claimMeta({ ownerReferences: [{ ...owner, apiVersion: 'v2', kind: 'Event' }] }),
    [],
  ],
  ['a pod as owner', claimMeta({ ownerReferences: [{ ...owner, apiVersion: 'v1', kind: 'Pod' }] }), []],
  [
    'two controllers',
    claimMeta({
      ownerReferences: [
        { ...owner, controller: true },
        { ...owner, name: 'web', controller: true },
      ],
    }),
    [
      'metadata.ownerReferences: Invalid value: [{"apiVersion":"apps/v1","kind":"StatefulSet","name":"db","uid":"u-1","controller":true},{"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","uid":"u-1","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for StatefulSet/db and StatefulSet/web',
    ],
  ],
  ['a finalizer with a domain', claimMeta({ finalizers: ['kubernetes.io/pvc-protection'] }), []],
  [
    'a finalizer without a domain',
    claimMeta({ finalizers: ['hold'] }),
    [
      'metadata.finalizers[0]: Invalid value: "hold": name is neither a standard finalizer name nor is it fully qualified',
    ],
  ],
  [
    'finalizers that exclude each other',
    claimMeta({ finalizers: ['orphan', 'foregroundDeletion'] }),
    [
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
  ],
  [
    'managed fields',
    claimMeta({
      managedFields: [{ operation: 'Apply', fieldsType: 'FieldsV1', manager: 'kubectl' }, { operation: 'Update' }],
    }),
    [],
  ],
  [
    'a long manager and subresource',
    claimMeta({ managedFields: [{ operation: 'Apply', manager: 'x'.repeat(129), subresource: 'x'.repeat(257) }] }),
    [
      'metadata.managedFields[0].manager: Too long: may not be more than 128 bytes',
      'metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes',
    ],
  ],
  [
    'almost too long ones',
    claimMeta({ managedFields: [{ operation: 'Apply', manager: 'x'.repeat(128), subresource: 'x'.repeat(256) }] }),
    [],
  ],
  [
    'managed fields that nobody manages',
    claimMeta({ managedFields: [{ operation: 'Delete', fieldsType: 'FieldsV2', manager: 'a\tb' }, {}] }),
    [
      'metadata.managedFields[0].operation: Unsupported value: "Delete": supported values: "Apply", "Update"',
      'metadata.managedFields[0].fieldsType: Invalid value: "FieldsV2": must be `FieldsV1`',
      'metadata.managedFields[0].manager: Invalid value: "a\\tb": invalid character U+0009 (at position 1)',
      'metadata.managedFields[1].operation: Required value: must not be empty',
    ],
  ],
];

describe('the metadata of a new claim', () => {
  it.each(rows)('%s', (_, metadata, expected) => {
    expect(texts(validateMetadata(metadata, 'namespaced', rules))).toEqual(expected);
  });

  it('a volume or class has no namespace', () => {
    expect(texts(validateMetadata({ name: 'archive' }, 'cluster', rules))).toEqual([]);
    expect(texts(validateMetadata({ name: 'archive', namespace: 'media' }, 'cluster', rules))).toEqual([
      'metadata.namespace: Forbidden: not allowed on this type',
    ]);
  });
});

describe('the words of earlier releases', () => {
  it('up to 1.34 a key of a label is a qualified name and its length counts characters', () => {
    const labels = { 'a/b/c': '', b: 'x'.repeat(64) };
    const [key, value] = texts(validateMetadata(claimMeta({ labels }), 'namespaced', rulesOf('1.34')));
    expect(key).toMatch(/^metadata.labels: Invalid value: "a\/b\/c": a qualified name must consist of /);
    expect(value).toMatch(/: must be no more than 63 characters$/);
  });

  it('up to 1.36 owners are not told apart, and what they lack is invalid', () => {
    const ownerReferences = [{ apiVersion: 'a/b/c', kind: '', name: '', uid: '' }];
    expect(texts(validateMetadata(claimMeta({ ownerReferences }), 'namespaced', rulesOf('1.36')))).toEqual([
      'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ]);
  });

  it('up to 1.36 the operation of managed fields is invalid', () => {
    const metadata = claimMeta({ managedFields: [{}] });
    expect(texts(validateMetadata(metadata, 'namespaced', rulesOf('1.36')))).toEqual([
      'metadata.managedFields[0].operation: Invalid value: "": must be `Apply` or `Update`',
    ]);
  });
});

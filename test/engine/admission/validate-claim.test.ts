import { describe, expect, it } from 'vitest';
import { decodeManifest } from '../../../src/engine/admission/decode-manifest.ts';
import { claimShape } from '../../../src/engine/admission/manifest-shapes.ts';
import type { ClaimManifest } from '../../../src/engine/admission/manifest-types.ts';
import { validateClaim } from '../../../src/engine/admission/validate-claim.ts';
import type { ValidationRules } from '../../../src/engine/admission/validation-rules.ts';
import {
  claimManifest,
  notKeyName,
  notLabel,
  notLabelValue,
  notSubdomain,
  rules,
  rulesOf,
  texts,
} from './manifests.ts';

const errorsOf = (spec: object, by: ValidationRules = rules): readonly string[] => {
  const decoded = decodeManifest<ClaimManifest>(claimShape, claimManifest(spec));
  if (decoded.is === 'refused') throw new Error(decoded.message);
  return texts(validateClaim(decoded.object, by));
};

const modes = 'supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"';
const storage = (size: unknown) => ({ resources: { requests: { storage: size } } });
const selector = (matchExpressions: readonly object[]) => ({ selector: { matchExpressions } });
const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'snap' };
const otherClaim = { kind: 'PersistentVolumeClaim', name: 'series' };

const rows: readonly [name: string, spec: object, expected: readonly string[]][] = [
  ['an ordinary claim', {}, []],

  ['no access modes', { accessModes: [] }, ['spec.accessModes: Required value: at least 1 access mode is required']],
  ['a mode by its short name', { accessModes: ['RWO'] }, [`spec.accessModes: Unsupported value: "RWO": ${modes}`]],
  [
    'each unknown mode is told',
    { accessModes: ['x', 'x'] },
    Array(2).fill(`spec.accessModes: Unsupported value: "x": ${modes}`),
  ],
  ['a mode named twice', { accessModes: ['ReadWriteOnce', 'ReadWriteOnce'] }, []],
  ['ReadWriteOncePod alone', { accessModes: ['ReadWriteOncePod'] }, []],
  [
    'ReadWriteOncePod with another mode',
    { accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] },
    ['spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes'],
  ],
  [
    'ReadWriteOncePod with an unknown mode',
    { accessModes: ['ReadWriteOncePod', 'x'] },
    [`spec.accessModes: Unsupported value: "x": ${modes}`],
  ],

  ['no resources', { resources: undefined }, ['spec.resources[storage]: Required value']],
  ['a limit only', { resources: { limits: { storage: '1Gi' } } }, ['spec.resources[storage]: Required value']],
  ['a request of nothing', storage('0'), ['spec.resources[storage]: Invalid value: "0": must be greater than zero']],
  [
    'a suffix without a number',
    storage('Gi'),
    ['spec.resources[storage]: Invalid value: "0": must be greater than zero'],
  ],
  [
    'a negative request',
    storage('-1024Mi'),
    ['spec.resources[storage]: Invalid value: "-1Gi": must be greater than zero'],
  ],
  ['a fraction of a byte', storage('1n'), []],

  ['a class', { storageClassName: 'fast' }, []],
  ['no class on purpose', { storageClassName: '' }, []],
  [
    'a class in upper case',
    { storageClassName: 'Fast' },
    [`spec.storageClassName: Invalid value: "Fast": ${notSubdomain}`],
  ],
  ['a block volume', { volumeMode: 'Block' }, []],
  [
    'a mode in lower case',
    { volumeMode: 'block' },
    ['spec.volumeMode: Unsupported value: "block": supported values: "Block", "Filesystem"'],
  ],
  [
    'an empty mode',
    { volumeMode: '' },
    ['spec.volumeMode: Unsupported value: "": supported values: "Block", "Filesystem"'],
  ],
  ['no VolumeAttributesClass on purpose', { volumeAttributesClassName: '' }, []],
  [
    'a VolumeAttributesClass in upper case',
    { volumeAttributesClassName: 'Gold' },
    [`spec.volumeAttributesClassName: Invalid value: "Gold": ${notSubdomain}`],
  ],

  ['an empty selector', { selector: {} }, []],
  [
    'a label of the selector',
    { selector: { matchLabels: { 'a b': 'c d' } } },
    [
      `spec.selector.matchLabels: Invalid value: "a b": ${notKeyName}`,
      `spec.selector.matchLabels: Invalid value: "c d": ${notLabelValue}`,
    ],
  ],
  [
    'all operators of a selector',
    selector([
      { key: 'tier', operator: 'In', values: ['gold'] },
      { key: 'tier', operator: 'NotIn', values: [''] },
      { key: 'tier', operator: 'Exists' },
      { key: 'tier', operator: 'DoesNotExist', values: [] },
    ]),
    [],
  ],
  [
    'In without values',
    selector([{ key: 'tier', operator: 'In' }]),
    ["spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'"],
  ],
  [
    'Exists with values',
    selector([{ key: 'tier', operator: 'Exists', values: ['gold'] }]),
    [
      "spec.selector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ],
  ],
  [
    'an operator of node selectors',
    selector([{ key: 'tier', operator: 'Gt', values: ['1'] }]),
    ['spec.selector.matchExpressions[0].operator: Invalid value: "Gt": not a valid selector operator'],
  ],
  [
    'key and value of an expression',
    selector([{ key: '', operator: 'In', values: ['ok', 'a b'] }]),
    [
      'spec.selector.matchExpressions[0].key: Invalid value: "": name part must be non-empty',
      `spec.selector.matchExpressions[0].key: Invalid value: "": ${notKeyName}`,
      `spec.selector.matchExpressions[0].values[1]: Invalid value: "a b": ${notLabelValue}`,
    ],
  ],

  ['a snapshot as source', { dataSource: snapshot, dataSourceRef: snapshot }, []],
  ['a claim as source', { dataSource: otherClaim }, []],
  [
    'a source of the core group that is no claim',
    { dataSource: { kind: 'Secret', name: 'films' } },
    [`spec.dataSource: Invalid value: "Secret": must be 'PersistentVolumeClaim' when referencing the default apiGroup`],
  ],
  [
    'an empty source',
    { dataSourceRef: {} },
    [
      'spec.dataSourceRef.name: Required value',
      'spec.dataSourceRef.kind: Required value',
      `spec.dataSourceRef: Invalid value: "": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
    ],
  ],
  [
    'a source of a group in upper case',
    { dataSource: { ...snapshot, apiGroup: 'A_b' } },
    [`spec.dataSource.apiGroup: Invalid value: "A_b": ${notSubdomain}`],
  ],
  [
    'two sources',
    { dataSource: snapshot, dataSourceRef: otherClaim },
    ['spec: Invalid value: {}: must match dataSourceRef'],
  ],
  [
    'two sources that differ in an empty group',
    { dataSource: otherClaim, dataSourceRef: { ...otherClaim, apiGroup: '' } },
    ['spec: Invalid value: {}: must match dataSourceRef'],
  ],
  [
    'a source in another namespace',
    { dataSourceRef: { ...otherClaim, namespace: 'Other' } },
    [`spec.dataSourceRef.namespace: Invalid value: "Other": ${notLabel}`],
  ],
  [
    'a source here and in another namespace',
    { dataSource: otherClaim, dataSourceRef: { ...otherClaim, namespace: 'other' } },
    ['spec: Invalid value: {}: may not be specified when dataSourceRef.namespace is specified'],
  ],
];

describe('the spec of a new claim', () => {
  it.each(rows)('%s', (_, spec, expected) => {
    expect(errorsOf(spec)).toEqual(expected);
  });
});

describe('gates', () => {
  it('without VolumeAttributesClass its name is not looked at', () => {
    expect(errorsOf({ volumeAttributesClassName: 'Gold' }, rulesOf('1.33'))).toEqual([]);
  });

  it('without ReadWriteOncePod the mode is unknown', () => {
    expect(errorsOf({ accessModes: ['ReadWriteOncePod'] }, rulesOf('1.26'))).toEqual([
      'spec.accessModes: Unsupported value: "ReadWriteOncePod": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
    ]);
  });
});

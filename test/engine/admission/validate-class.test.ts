import { describe, expect, it } from 'vitest';
import { withDefaults } from '../../../src/api/defaults.ts';
import type { StorageClass } from '../../../src/api/objects.ts';
import { validateClass } from '../../../src/engine/admission/validate-class.ts';
import { classManifest, notKeyName, rules, texts } from './manifests.ts';

const topologies = (...terms: readonly object[]) => ({ allowedTopologies: terms });
const term = (...matchLabelExpressions: readonly object[]) => ({ matchLabelExpressions });
const zone = (...values: readonly string[]) => ({ key: 'topology.kubernetes.io/zone', values });
const parameters = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, 'v']));

const rows: readonly [name: string, fields: object, expected: readonly string[]][] = [
  ['an ordinary class', {}, []],
  ['no provisioner', { provisioner: '' }, ['provisioner: Required value']],
  ['a provisioner in upper case', { provisioner: 'Example.com/NFS' }, []],
  [
    'a provisioner with a space',
    { provisioner: 'Example.com/N FS' },
    [`provisioner: Invalid value: "example.com/n fs": ${notKeyName}`],
  ],
  [
    'a parameter without a name',
    { parameters: { '': 'x' } },
    ['parameters: Invalid value: "": field can not be empty.'],
  ],
  ['512 parameters', { parameters: parameters(512) }, []],
  ['513 parameters', { parameters: parameters(513) }, ['parameters: Too long: may not be more than 512 bytes']],
  ['parameters of 256 KiB', { parameters: { a: 'x'.repeat(262_143) } }, []],
  [
    'parameters of a byte more',
    { parameters: { a: 'x'.repeat(262_144) } },
    ['parameters: Too long: may not be more than 262144 bytes'],
  ],
  ['retained volumes', { reclaimPolicy: 'Retain' }, []],
  [
    'recycled volumes',
    { reclaimPolicy: 'Recycle' },
    ['reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
  ],
  ['an empty reclaim policy', { reclaimPolicy: '' }, []],
  ['delayed binding', { volumeBindingMode: 'WaitForFirstConsumer' }, []],
  [
    'an unknown binding mode',
    { volumeBindingMode: 'Delayed' },
    ['volumeBindingMode: Unsupported value: "Delayed": supported values: "Immediate", "WaitForFirstConsumer"'],
  ],
  ['two zones', topologies(term(zone('a', 'b'))), []],
  [
    'a requirement without values',
    topologies(term(zone())),
    ['allowedTopologies[0].matchLabelExpressions[0].values: Required value'],
  ],
  [
    'a value named twice',
    topologies(term(zone('a', 'b', 'a'))),
    ['allowedTopologies[0].matchLabelExpressions[0].values[2]: Duplicate value: "a"'],
  ],
  [
    'a key named twice',
    topologies(term(zone('a'), zone('b'))),
    ['allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "topology.kubernetes.io/zone"'],
  ],
  [
    'a term named twice',
    topologies(term(zone('a', 'b')), term(zone('b', 'a'))),
    ['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
  ],
  [
    'a term without expressions counts as a duplicate',
    topologies({}),
    ['allowedTopologies[0].matchLabelExpressions: Duplicate value: ""'],
  ],
  [
    'once for each term',
    topologies(term(), term(zone('a'))),
    Array(2).fill('allowedTopologies[0].matchLabelExpressions: Duplicate value: ""'),
  ],
  [
    'a key with a space',
    topologies(term({ key: 'a b', values: ['c d'] })),
    [`allowedTopologies[0].matchLabelExpressions[0].key: Invalid value: "a b": ${notKeyName}`],
  ],
];

describe('a new class', () => {
  it.each(rows)('%s', (_, fields, expected) => {
    expect(texts(validateClass(withDefaults(classManifest(fields) as StorageClass), rules))).toEqual(expected);
  });

  it('without defaults it lacks a binding mode', () => {
    expect(texts(validateClass(classManifest(), rules))).toEqual(['volumeBindingMode: Required value']);
  });
});

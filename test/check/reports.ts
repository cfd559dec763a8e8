import type { CheckFinding, CheckReport, Location } from '../../src/report/check-report.ts';

export const at = (path: string, line: number, more: Partial<Location> = {}): Location => ({
  file: path,
  path,
  document: 1,
  line,
  column: 3,
  endColumn: 19,
  field: 'spec.storageClassName',
  ...more,
});

export const newFinding = (more: Partial<CheckFinding> = {}): CheckFinding => ({
  fingerprint: '00c0ffee00c0ffee',
  code: 'ClassMissing',
  level: 'error',
  object: 'PersistentVolumeClaim shop/cache',
  claims: ['shop/cache'],
  message: 'claim shop/cache: Stuck: no volume fits, and class "fsat" does not exist ("fast" does)',
  why: ['There is no StorageClass "fsat", so nothing makes a volume.'],
  todo: 'Recreate the claim with storageClassName: fast.',
  location: at('deploy/cache.yaml', 8),
  counts: true,
  ...more,
});

/** A check of two claims in two releases, with findings of every sort. */
export const report: CheckReport = {
  apiVersion: 'pvc-explain/v1',
  kind: 'CheckReport',
  metadata: {},
  simulated: ['1.35', '1.36'],
  cluster: { sources: ['cluster.yaml'], kubernetesVersion: 'v1.36.1' },
  manifests: { files: ['deploy/cache.yaml', '-'], objects: 3 },
  failOn: 'error',
  failed: true,
  summary: {
    claims: 2,
    outcomes: { Stuck: 1, WillBind: 1 },
    errors: 1,
    warnings: 1,
    unknown: 0,
    accepted: 1,
    ignored: 1,
    unjudged: 0,
  },
  items: [
    {
      metadata: { name: 'cache', namespace: 'shop' },
      from: 'PersistentVolumeClaim shop/cache',
      location: at('deploy/cache.yaml', 4, { field: 'metadata.name' }),
      releases: [
        {
          release: '1.35',
          outcome: 'WillBind',
          certainty: 'certain',
          summary: 'to volume disk-1',
          volumes: ['disk-1'],
        },
        {
          release: '1.36',
          outcome: 'Stuck',
          certainty: 'certain',
          summary: 'no volume fits',
          cause: 'ClassMissing',
          volumes: [],
          level: 'error',
        },
      ],
    },
    {
      metadata: { name: 'films', namespace: 'media' },
      from: 'StatefulSet media/library',
      location: at('chart/templates/library.yaml', 40, { file: '-', renderedFrom: 'chart/templates/library.yaml' }),
      releases: [
        {
          release: '1.35',
          outcome: 'WillBind',
          certainty: 'certain',
          summary: 'to volume disk-2',
          volumes: ['disk-2'],
        },
        {
          release: '1.36',
          outcome: 'WillBind',
          certainty: 'certain',
          summary: 'to volume disk-2',
          volumes: ['disk-2'],
        },
      ],
    },
  ],
  findings: [
    newFinding({ releases: ['1.36'] }),
    newFinding({
      fingerprint: '1111111111111111',
      code: 'DuplicateManifest',
      level: 'warning',
      object: 'StorageClass fast',
      claims: [],
      message: 'StorageClass fast: it is also in deploy/b, c.yaml:1',
      why: ['100% of it; <b>really</b> | so.'],
      location: at('-', 12, { path: 'chart/templates/library.yaml', renderedFrom: 'chart/templates/library.yaml' }),
      counts: false,
    }),
    newFinding({
      fingerprint: '2222222222222222',
      claims: ['shop/old'],
      message: 'claim shop/old: Stuck: known',
      accepted: true,
      counts: false,
    }),
    newFinding({
      fingerprint: '3333333333333333',
      claims: ['shop/older'],
      message: 'claim shop/older: Stuck: meant',
      ignored: 'it is meant so',
      counts: false,
    }),
    newFinding({
      fingerprint: '4444444444444444',
      code: 'MuchLargerVolume',
      level: 'info',
      claims: ['media/films'],
      message: 'claim media/films: it takes all',
      counts: false,
    }),
  ],
  changes: [
    {
      from: '1.35',
      to: '1.36',
      claim: 'shop/cache',
      before: 'WillBind',
      after: 'Stuck',
      text: 'claim shop/cache: WillBind: to volume disk-1 → Stuck: no volume fits',
    },
  ],
  assumptions: ['Webhooks are not asked.'],
  notes: ['1 custom resource was left alone: Cluster.'],
};

import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/manifests/manifest.ts';
import { orderProblem, stagesOf } from '../../src/manifests/rollout-order.ts';
import { newManifest } from './builders.ts';

const wave = (n: number) => ({ annotations: { 'argocd.argoproj.io/sync-wave': String(n) } });
const argo = (hook: string) => ({ annotations: { 'argocd.argoproj.io/hook': hook } });
const helm = (hook: string, weight = 0) => ({
  annotations: { 'helm.sh/hook': hook, 'helm.sh/hook-weight': String(weight) },
});
const claim = (metadata: object = {}) => newManifest('PersistentVolumeClaim', 'data', {}, metadata);
const user = (kind: 'Deployment' | 'Job' | 'Pod', metadata: object = {}) => newManifest(kind, 'user', {}, metadata);

interface Row {
  readonly name: string;
  readonly manifest: Manifest;
  readonly users: readonly Manifest[];
  readonly others?: readonly Manifest[];
  readonly isDelayed?: boolean;
  readonly problem: string | undefined;
}

describe('the order of a rollout', () => {
  it.each<Row>([
    {
      name: 'a pod in a later wave than a delayed claim never comes',
      manifest: claim(wave(-1)),
      users: [user('Deployment')],
      problem: 'claimWaitsForLaterPod',
    },
    {
      name: 'a claim that binds at once may come in an earlier wave',
      manifest: claim(wave(-1)),
      users: [user('Deployment')],
      isDelayed: false,
      problem: undefined,
    },
    {
      name: 'claim and pod in one wave are right',
      manifest: claim(wave(2)),
      users: [user('Deployment', wave(2))],
      problem: undefined,
    },
    {
      name: 'one of several users in the wave of the claim is enough',
      manifest: claim(wave(1)),
      users: [user('Job', wave(1)), user('Deployment', wave(2))],
      problem: undefined,
    },
    {
      name: 'a delayed claim without a pod holds up the waves behind it',
      manifest: claim(wave(-1)),
      users: [],
      others: [newManifest('Deployment', 'web')],
      problem: 'claimWaitsForLaterPod',
    },
    {
      name: 'a delayed claim without a pod in the last wave holds up nothing',
      manifest: claim(wave(1)),
      users: [],
      others: [newManifest('Deployment', 'web')],
      problem: undefined,
    },
    {
      name: 'a claim that comes after its pod comes too late',
      manifest: claim(wave(1)),
      users: [user('Deployment')],
      problem: 'podWaitsForLaterClaim',
    },
    {
      name: 'a hook before the sync does not wait for a claim of the sync',
      manifest: claim(),
      users: [user('Job', argo('PreSync'))],
      problem: 'podWaitsForLaterClaim',
    },
    {
      name: 'a claim that is a hook is waited for, too',
      manifest: claim(argo('PreSync')),
      users: [user('Deployment')],
      problem: 'claimWaitsForLaterPod',
    },
    {
      name: 'what is skipped takes no part',
      manifest: claim(argo('Skip')),
      users: [user('Deployment')],
      problem: undefined,
    },
    {
      name: 'Helm waits for the Jobs of its hooks',
      manifest: claim(),
      users: [user('Job', helm('pre-install,pre-upgrade'))],
      problem: 'podWaitsForLaterClaim',
    },
    {
      name: 'Helm does not wait for what else is a hook',
      manifest: claim(),
      users: [user('Deployment', helm('pre-install'))],
      problem: undefined,
    },
    {
      name: 'Helm does not wait for claims',
      manifest: claim(helm('pre-install')),
      users: [user('Deployment')],
      problem: undefined,
    },
    {
      name: 'hooks of Helm run by weight',
      manifest: claim(helm('pre-install', 5)),
      users: [user('Job', helm('pre-install', 1))],
      problem: 'podWaitsForLaterClaim',
    },
    {
      name: 'a claim of a lighter hook is there in time',
      manifest: claim(helm('pre-install', -5)),
      users: [user('Job', helm('pre-install'))],
      problem: undefined,
    },
    {
      name: 'a hook after the installation finds its claim',
      manifest: claim(),
      users: [user('Job', helm('post-install'))],
      problem: undefined,
    },
    {
      name: 'a hook of a test is no part of it',
      manifest: claim(),
      users: [user('Pod', helm('test'))],
      problem: undefined,
    },
  ])('$name', ({ manifest, users, others = [], isDelayed = true, problem }) => {
    const stages = stagesOf([manifest, ...users, ...others]);
    const found = stages && orderProblem({ claim: 'shop/data', manifest, isDelayed, users }, stages);
    expect(found?.is).toBe(problem);
  });

  it('without any word about steps there is none', () => {
    expect(stagesOf([claim(), user('Deployment')])).toBeUndefined();
  });

  it('is told in the words of the tool', () => {
    const manifest = claim(wave(-1));
    const pod = user('Deployment', helm('pre-install', 3));
    const stages = stagesOf([manifest, pod]);
    expect(stages?.get(manifest)).toEqual({ tool: 'Argo CD', name: 'sync wave -1', order: [1, -1] });
    expect(stages?.get(pod)).toEqual({ tool: 'Argo CD', name: 'hook pre-install, weight 3', order: [0, 3] });
  });
});

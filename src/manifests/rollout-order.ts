import type { ClaimKey } from '../api/accessors.ts';
import type { KubernetesObject } from '../api/objects.ts';
import type { Manifest } from './manifest.ts';

/** When a tool that rolls manifests out in steps gets to an object. */
export interface Stage {
  /** Who steps: Argo CD waits for all that it has applied, Helm for the Jobs and Pods of its hooks only. */
  readonly tool: 'Argo CD' | 'Helm';
  /** "sync wave -1", "hook pre-install" */
  readonly name: string;
  /** Earlier stages compare smaller, number by number. */
  readonly order: readonly [phase: number, step: number];
}

/** The phases of Argo CD, and the hooks of Helm that it takes for them. */
// argo-cd docs/user-guide/sync-waves.md and helm.md
const phases = { PreSync: 0, Sync: 1, PostSync: 2 } as const;
/** Hooks of Helm that run before, and after, what is no hook. Others are no part of a rollout. */
// helm pkg/action/hooks.go
const helmHooks: Readonly<Record<string, number>> = {
  'pre-install': 0,
  'pre-upgrade': 0,
  'post-install': 2,
  'post-upgrade': 2,
};

const argoWave = 'argocd.argoproj.io/sync-wave';
const argoHook = 'argocd.argoproj.io/hook';
const helmHook = 'helm.sh/hook';
const helmWeight = 'helm.sh/hook-weight';

/**
 * The stages of the manifests, if any of them asks for steps; undefined for one that is never rolled out. Manifests without a word
 * about it stand in the middle.
 */
export function stagesOf(manifests: readonly Manifest[]): ReadonlyMap<Manifest, Stage | undefined> | undefined {
  const all = manifests.map(({ object }) => annotationsOf(object));
  if (all.some((annotations) => argoWave in annotations || argoHook in annotations)) {
    return new Map(manifests.map((manifest) => [manifest, argoStage(annotationsOf(manifest.object))]));
  }
  if (all.some((annotations) => helmHook in annotations)) {
    return new Map(manifests.map((manifest) => [manifest, helmStage(annotationsOf(manifest.object))]));
  }
  return undefined;
}

const annotationsOf = ({ metadata }: KubernetesObject): Readonly<Record<string, string>> => metadata.annotations ?? {};

function argoStage(annotations: Readonly<Record<string, string>>): Stage | undefined {
  const wave = integer(annotations[argoWave]);
  const hooks = listed(annotations[argoHook]);
  if (hooks.length === 0 && helmHook in annotations) {
    const helm = helmStage(annotations);
    return helm && { ...helm, tool: 'Argo CD' };
  }
  if (hooks.length === 0) return { tool: 'Argo CD', name: `sync wave ${wave}`, order: [phases.Sync, wave] };
  const phase = hooks.find((hook): hook is keyof typeof phases => Object.hasOwn(phases, hook));
  if (phase === undefined) return undefined;
  return { tool: 'Argo CD', name: `hook ${phase}${wave === 0 ? '' : `, wave ${wave}`}`, order: [phases[phase], wave] };
}

function helmStage(annotations: Readonly<Record<string, string>>): Stage | undefined {
  const hooks = listed(annotations[helmHook]);
  if (hooks.length === 0) return { tool: 'Helm', name: 'the release itself', order: [1, 0] };
  const hook = hooks.find((one) => Object.hasOwn(helmHooks, one));
  if (hook === undefined) return undefined;
  const weight = integer(annotations[helmWeight]);
  return {
    tool: 'Helm',
    name: `hook ${hook}${weight === 0 ? '' : `, weight ${weight}`}`,
    order: [helmHooks[hook] as number, weight],
  };
}

const listed = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function integer(text: string | undefined): number {
  const number = Number(text ?? '0');
  return Number.isSafeInteger(number) ? number : 0;
}

export const isBefore = (a: Stage, b: Stage): boolean =>
  a.order[0] < b.order[0] || (a.order[0] === b.order[0] && a.order[1] < b.order[1]);

/** A claim and somebody who uses it, rolled out in an order in which the one keeps the other from coming. */
export type OrderProblem =
  /** The claim must be bound before the tool goes on, and its first pod comes later. */
  | {
      readonly is: 'claimWaitsForLaterPod';
      readonly claim: ClaimKey;
      readonly at: Stage;
      readonly pod?: Manifest;
      readonly podAt?: Stage;
    }
  /** The pod must be there before the tool goes on, and its claim comes later. */
  | {
      readonly is: 'podWaitsForLaterClaim';
      readonly claim: ClaimKey;
      readonly at: Stage;
      readonly pod: Manifest;
      readonly podAt: Stage;
    };

export interface OrderQuestion {
  readonly claim: ClaimKey;
  readonly manifest: Manifest;
  /** Only a pod that uses the claim gets it bound. */
  readonly isDelayed: boolean;
  /** Those whose pods use the claim. */
  readonly users: readonly Manifest[];
}

/** Whether the order of a rollout can work for a claim that does not exist yet. */
export function orderProblem(
  { claim, manifest, isDelayed, users }: OrderQuestion,
  stages: ReadonlyMap<Manifest, Stage | undefined>,
): OrderProblem | undefined {
  const at = stages.get(manifest);
  if (at === undefined) return undefined;
  const staged = users.flatMap((user) => {
    const podAt = stages.get(user);
    return podAt === undefined ? [] : [{ pod: user, podAt }];
  });
  const early = staged.find(({ pod, podAt }) => isBefore(podAt, at) && isAwaited(pod, podAt));
  if (early !== undefined) return { is: 'podWaitsForLaterClaim', claim, at, ...early };
  if (!isDelayed || at.tool !== 'Argo CD') return undefined;
  if (staged.some(({ podAt }) => !isBefore(at, podAt))) return undefined;
  const [first] = [...staged].sort((a, b) => (isBefore(a.podAt, b.podAt) ? -1 : 1));
  const hasLater = [...stages.values()].some((stage) => stage !== undefined && isBefore(at, stage));
  return hasLater ? { is: 'claimWaitsForLaterPod', claim, at, ...first } : undefined;
}

/** Argo CD waits for the health of everything, Helm for what runs to its end. */
function isAwaited({ kind }: Manifest, { tool, name }: Stage): boolean {
  return tool === 'Argo CD' || (name.startsWith('hook') && (kind === 'Job' || kind === 'Pod'));
}

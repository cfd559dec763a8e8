import { type Kind, kinds } from '../snapshot/kinds.ts';
import { count, list } from './words.ts';

/** What a check takes for granted, each told once; none of it counts as a finding. */
export type Assumption =
  | { readonly is: 'webhooks' }
  | { readonly is: 'offline'; readonly claims: number }
  | { readonly is: 'notRead'; readonly kinds: readonly Kind[] }
  | { readonly is: 'shortened'; readonly workload: string; readonly pods: number; readonly most: number };

export function assumptionText(assumption: Assumption): string {
  switch (assumption.is) {
    case 'webhooks':
      return 'Admission webhooks and policies are not asked: they may refuse or change what is judged here.';
    case 'offline':
      return `Without a cluster only what the manifests prove is judged${assumption.claims === 0 ? '' : `; ${count(assumption.claims, 'claim depends', 'claims depend')} on volumes, classes, nodes or quotas that are not known here`}.`;
    case 'notRead':
      return `The input says nothing about ${list(assumption.kinds.map((kind) => kinds[kind].resource))}: none are assumed.`;
    case 'shortened':
      return `${assumption.workload} has ${assumption.pods} replicas; the first ${assumption.most} were looked at.`;
  }
}

/** What is worth a line beside the findings. */
export type Note =
  | { readonly is: 'customResources'; readonly kinds: readonly string[]; readonly count: number }
  | { readonly is: 'passedOver'; readonly place: string; readonly reason: string }
  | { readonly is: 'unusedIgnore'; readonly reason: string }
  | { readonly is: 'staleBaseline'; readonly count: number };

export function noteText(note: Note): string {
  switch (note.is) {
    case 'customResources':
      return `${count(note.count, 'custom resource was', 'custom resources were')} left alone: ${list(note.kinds)}.`;
    case 'passedOver':
      return `${note.place}: passed over: ${note.reason}.`;
    case 'unusedIgnore':
      return `Nothing is ignored any more for the reason "${note.reason}": the entry can go.`;
    case 'staleBaseline':
      return `${count(note.count, 'finding', 'findings')} of the baseline ${note.count === 1 ? 'is' : 'are'} gone: --write-baseline drops ${note.count === 1 ? 'it' : 'them'}.`;
  }
}

/** What a newer release changes for a claim. */
export const changeText = (claim: string, before: string, after: string): string =>
  `claim ${claim}: ${before} → ${after}`;

/** How to get what the input lacks. */
export const captureText = (lacks: readonly Kind[]): string =>
  `To be sure, add: kubectl get ${lacks.map((kind) => kinds[kind].resource).join(',')} -A -o yaml`;

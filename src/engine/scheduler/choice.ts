import type { ClaimKey } from '../../api/accessors.ts';
import type { Options } from '../choose.ts';

/**
 * The places where the scheduler's binder leaves a choice to the order of a hash map: which of several volumes reserved for one claim it
 * meets first, and which of several equally large volumes it takes.
 */
export type SchedulerChoicePoint =
  | { readonly at: 'reservedVolume'; readonly claim: ClaimKey }
  | { readonly at: 'staticVolume'; readonly claim: ClaimKey; readonly node: string };

export type SchedulerChoose = <T>(point: SchedulerChoicePoint, options: Options<T>) => T;

export const chooseFirstVolume: SchedulerChoose = (_point, options) => options.first;

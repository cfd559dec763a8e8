import type { AccessMode } from './objects.ts';

/** A canonical set of access modes: the short names in Kubernetes' fixed order, joined by commas ("RWO,ROX"). */
export type AccessModes = string;

const order: readonly [AccessMode, string][] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/**
 * The short text of a list of access modes, without duplicates; modes that Kubernetes does not know are dropped.
 * kubernetes/kubernetes pkg/apis/core/v1/helper/helpers.go, GetAccessModesAsString (1.37); specification pv-controller 1.1.
 */
export function accessModesAsString(modes: readonly AccessMode[] | undefined): AccessModes {
  if (modes === undefined) return '';
  return order
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

/** The modes that a text of accessModesAsString holds (GetAccessModesFromString). */
export function accessModesFromString(modes: AccessModes): AccessMode[] {
  const parts = modes.split(',');
  return order.filter(([, short]) => parts.includes(short)).map(([mode]) => mode);
}

/**
 * Whether every requested mode is among the given ones. Plain containment: ReadWriteMany does not imply ReadWriteOnce.
 * component-helpers storage/volume/pv_helpers.go, CheckAccessModes (1.37); specification pv-controller 1.2.
 */
export function containsAccessModes(
  given: readonly AccessMode[] | undefined,
  requested: readonly AccessMode[] | undefined,
): boolean {
  return missingAccessModes(given, requested).length === 0;
}

/** The requested modes that the given ones lack. */
export function missingAccessModes(
  given: readonly AccessMode[] | undefined,
  requested: readonly AccessMode[] | undefined,
): readonly AccessMode[] {
  return (requested ?? []).filter((mode) => !(given ?? []).includes(mode));
}

/** The short name of one mode; an unknown one stays as it is. */
export function shortAccessMode(mode: AccessMode): string {
  return order.find(([long]) => long === mode)?.[1] ?? mode;
}

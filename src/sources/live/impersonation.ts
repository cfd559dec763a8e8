import type { User } from './kubeconfig.ts';

/** The headers that ask the server to see somebody else; a list is sent as one header each. client-go transport/round_trippers.go. */
export function impersonationHeaders({
  as,
  asUid,
  asGroups = [],
  asUserExtra = {},
}: User): Readonly<Record<string, string | readonly string[]>> {
  if (as === undefined) return {};
  return {
    'Impersonate-User': as,
    ...(asUid === undefined ? {} : { 'Impersonate-Uid': asUid }),
    ...(asGroups.length === 0 ? {} : { 'Impersonate-Group': asGroups }),
    ...Object.fromEntries(
      Object.entries(asUserExtra).map(([key, values]) => [`Impersonate-Extra-${escapeKey(key)}`, values]),
    ),
  };
}

/** Percent-encodes what may not stand in a header's name, and the percent sign. round_trippers.go, headerKeyEscape. */
function escapeKey(key: string): string {
  return [...Buffer.from(key)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[!#$&'*+.^_`|~0-9A-Za-z-]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

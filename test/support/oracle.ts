import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Request } from '../conformance/protocol.ts';

// Nothing here builds an oracle: scripts/conformance.mjs does, where there is Go.

const folders = [process.env.PVORACLE_DIR, join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'pvoracle')];

/** The oracle of the newest release, where there is one. */
export const oracle: string | undefined = folders
  .flatMap((folder) => (folder === undefined || folder === '' ? [] : [join(folder, 'pvoracle-1.37.2')]))
  .find(existsSync);

/** What a title says where there is none. */
export const needsOracle = oracle === undefined ? ' (skipped: no oracle in PVORACLE_DIR)' : '';

export interface OracleAnswer {
  readonly error?: string;
  readonly controller?: OracleState;
  readonly cluster?: OracleState;
}

export interface OracleState {
  readonly claims?: readonly {
    readonly metadata: {
      readonly name: string;
      readonly namespace: string;
      readonly annotations?: Record<string, string>;
    };
    readonly spec: { readonly volumeName?: string };
    readonly status?: { readonly phase?: string };
  }[];
}

/** The real controllers' answers, in the order of the requests. Throws if it ends with an error. */
export function askOracle(requests: readonly Request[]): readonly OracleAnswer[] {
  const { status, stdout, stderr } = spawnSync(oracle as string, ['-workers', '2'], {
    input: requests.map((request) => JSON.stringify(request)).join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 31 - 1,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Where a claim ends: the name of a volume, or "none". */
export function endOf(claim: NonNullable<OracleState['claims']>[number]): string {
  const isBound =
    claim.metadata.annotations?.['pv.kubernetes.io/bind-completed'] !== undefined && claim.status?.phase === 'Bound';
  return isBound ? (claim.spec.volumeName ?? '') : 'none';
}

/** What the process brings along: environment, platform, terminal, and where a pod finds its service account. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Whether a person can be asked on standard input. */
  readonly stdinIsTerminal: boolean;
  /** The folder with the files token, ca.crt and namespace. */
  readonly serviceAccount: string;
}

export const processSurroundings = (): Surroundings => ({
  env: process.env,
  platform: process.platform,
  stdinIsTerminal: process.stdin.isTTY === true,
  serviceAccount: '/var/run/secrets/kubernetes.io/serviceaccount',
});

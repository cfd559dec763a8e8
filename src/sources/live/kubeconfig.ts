// A kubeconfig as client-go reads it: kubernetes/client-go tools/clientcmd/loader.go, api/v1/types.go, api/v1/conversion.go (1.37).
// client-node's own loader differs in all of this, so it is only given the result.

/** Where an API server is and how to know it. */
export interface Cluster {
  readonly server?: string;
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** An absolute path, or one relative to the working directory if it came from a flag. */
  readonly certificateAuthority?: string;
  /** Base64. */
  readonly certificateAuthorityData?: string;
  readonly proxyUrl?: string;
  readonly disableCompression?: boolean;
  /** What the cluster has to say to exec plugins: its extension "client.authentication.k8s.io/exec". */
  readonly execConfig?: unknown;
}

/** A program that hands out credentials. */
export interface ExecConfig {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly installHint?: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: string;
}

/** Credentials as they were handled before exec plugins. */
export interface AuthProvider {
  readonly name: string;
  readonly config: Readonly<Record<string, string>>;
}

/** Who asks. */
export interface User {
  readonly clientCertificate?: string;
  readonly clientCertificateData?: string;
  readonly clientKey?: string;
  readonly clientKeyData?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly as?: string;
  readonly asUid?: string;
  readonly asGroups?: readonly string[];
  readonly asUserExtra?: Readonly<Record<string, readonly string[]>>;
  readonly username?: string;
  readonly password?: string;
  readonly authProvider?: AuthProvider;
  readonly exec?: ExecConfig;
}

/** Who is asked, and by whom. */
export interface Identity {
  readonly cluster: Cluster;
  readonly user: User;
}

/** A cluster and a user, by their names. */
export interface Context {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** One file, or several merged. Empty strings are absent, as everywhere in a kubeconfig. */
export interface Kubeconfig {
  readonly currentContext?: string;
  readonly clusters: ReadonlyMap<string, Cluster>;
  readonly users: ReadonlyMap<string, User>;
  readonly contexts: ReadonlyMap<string, Context>;
}

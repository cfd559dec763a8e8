/** The kubeconfig or the connection flags cannot be used. The message is one line, in client-go's words where it has some. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The server could not be reached, or what answered is no API server. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** The API server refused a request. The message is what kubectl prints. */
export class ApiStatusError extends Error {
  override readonly name = 'ApiStatusError';
  /** HTTP status code. */
  readonly code: number;
  /** As metav1.Status spells it: Forbidden, NotFound, Expired... */
  readonly reason: string;
  /** The server's own words, without kubectl's around them. */
  readonly serverMessage: string;

  constructor(code: number, reason: string, serverMessage: string) {
    super(kubectlWords(reason, serverMessage));
    this.code = code;
    this.reason = reason;
    this.serverMessage = serverMessage;
  }
}

/** kubernetes/kubectl pkg/cmd/util/helpers.go, StandardErrorMessage. */
function kubectlWords(reason: string, serverMessage: string): string {
  if (reason === 'Unauthorized') return `You must be logged in to the server (${serverMessage})`;
  return reason === '' ? `Error from server: ${serverMessage}` : `Error from server (${reason}): ${serverMessage}`;
}

export function isForbidden(error: unknown): boolean {
  return error instanceof ApiStatusError && error.code === 403;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiStatusError && error.code === 404;
}

/** What was listed or watched is too old: a continue token or a resource version that the server has dropped. */
export function isExpired(error: unknown): boolean {
  return (
    error instanceof ApiStatusError && (error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone')
  );
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiStatusError && error.code === 401;
}

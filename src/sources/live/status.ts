import { ApiStatusError } from './errors.ts';

/** The part of metav1.Status that tells what went wrong. */
interface Status {
  readonly kind?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
}

/** The error that an answer with an error code stands for: its Status object, or what the code alone says. */
export function statusError(code: number, body: string): ApiStatusError {
  const status = parseStatus(body);
  return status === undefined ? genericError(code, body.trim().slice(0, 2048)) : errorOfStatus(status, code);
}

/** The error of a Status object, as answers and ERROR events of a watch carry it. */
export function errorOfStatus(status: unknown, code: number): ApiStatusError {
  const { code: ownCode, reason, message } = status as Status;
  return new ApiStatusError(
    ownCode ?? code,
    reason ?? '',
    message || `the server responded with the status code ${code}`,
  );
}

function parseStatus(body: string): Status | undefined {
  try {
    const status = JSON.parse(body) as Status | null;
    return status?.kind === 'Status' ? status : undefined;
  } catch {
    return undefined;
  }
}

/** kubernetes/apimachinery pkg/api/errors/errors.go, NewGenericServerResponse: proxies and authenticators answer with no Status. */
function genericError(code: number, text: string): ApiStatusError {
  const known = genericErrors[code];
  if (known !== undefined) return new ApiStatusError(code, known.reason, known.message ?? (text || 'unknown'));
  if (code >= 500) {
    const message = `an error on the server (${JSON.stringify(text || 'unknown')}) has prevented the request from succeeding`;
    return new ApiStatusError(code, 'InternalError', message);
  }
  return new ApiStatusError(
    code,
    '',
    `the server responded with the status code ${code} but did not return more information`,
  );
}

/** Without a message the server's own text is told. */
const genericErrors: Readonly<Record<number, { readonly reason: string; readonly message?: string }>> = {
  400: { reason: 'BadRequest', message: 'the server rejected our request for an unknown reason' },
  401: { reason: 'Unauthorized', message: 'the server has asked for the client to provide credentials' },
  403: { reason: 'Forbidden' },
  404: { reason: 'NotFound', message: 'the server could not find the requested resource' },
  405: { reason: 'MethodNotAllowed', message: 'the server does not allow this method on the requested resource' },
  406: { reason: 'NotAcceptable' },
  429: {
    reason: 'TooManyRequests',
    message: 'the server has received too many requests and has asked us to try again later',
  },
  503: { reason: 'ServiceUnavailable', message: 'the server is currently unable to handle the request' },
  504: {
    reason: 'Timeout',
    message: 'the server was unable to return a response in the time allotted, but may still be processing the request',
  },
};

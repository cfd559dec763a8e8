const rfc3339 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
/** "2025-10-02T23:40:00Z" */
const secondsInUtc = 20;

export function isTimestamp(text: string): boolean {
  return rfc3339.test(text);
}

/** The later of two RFC 3339 timestamps; the one that is given if the other is not. */
export function laterTimestamp(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  // The API server's spelling sorts as text.
  if (a.length === secondsInUtc && b.length === secondsInUtc) return b > a ? b : a;
  return Date.parse(b) > Date.parse(a) ? b : a;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/**
 * A duration in milliseconds as kubectl prints ages: two or three significant figures ("90s", "3m20s", "4h12m", "3d4h", "3y12d").
 *
 * kubernetes/apimachinery pkg/util/duration/duration.go, HumanDuration; specification ecosystem 7.2. Clocks that differ by
 * less than two seconds count as equal, anything further in the future is "<invalid>".
 */
export function humanDuration(ms: number): string {
  if (ms <= -2 * second) return '<invalid>';
  if (ms < 0) return '0s';
  if (ms < 2 * minute) return `${Math.floor(ms / second)}s`;
  if (ms < 10 * minute) return two(ms, minute, 'm', second, 's');
  if (ms < 3 * hour) return `${Math.floor(ms / minute)}m`;
  if (ms < 8 * hour) return two(ms, hour, 'h', minute, 'm');
  if (ms < 2 * day) return `${Math.floor(ms / hour)}h`;
  if (ms < 8 * day) return two(ms, day, 'd', hour, 'h');
  if (ms < 2 * year) return `${Math.floor(ms / day)}d`;
  if (ms < 8 * year) return two(ms, year, 'y', day, 'd');
  return `${Math.floor(ms / year)}y`;
}

/**
 * The age of a timestamp (RFC 3339) as kubectl prints it; `now` is a moment or its milliseconds. Without a timestamp, or one
 * that nobody set or can read, "<unknown>".
 */
export function age(timestamp: string | undefined, now: Date | number): string {
  if (timestamp === undefined || !rfc3339.test(timestamp)) return '<unknown>';
  const then = Date.parse(timestamp);
  if (Number.isNaN(then) || then === unset) return '<unknown>';
  return humanDuration(Number(now) - then);
}

function two(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)}${largeUnit}${rest === 0 ? '' : `${rest}${smallUnit}`}`;
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Go's zero time, which stands for an absent timestamp. */
const unset = Date.parse('0001-01-01T00:00:00Z');

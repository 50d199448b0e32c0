/** ISO 8601 with a time of day and a zone. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/**
 * Where two JSON values differ, as sentences with the path. Two times are equal, because a replay happens later; so are
 * values at a path in `ignored`.
 */
export function differencesOf(recorded: unknown, now: unknown, ignored: ReadonlySet<string>, path = ''): string[] {
  if (ignored.has(path) || Object.is(recorded, now)) return [];
  if (isTime(recorded) && isTime(now)) return [];
  if (!isObject(recorded) || !isObject(now) || Array.isArray(recorded) !== Array.isArray(now))
    return [`${path || 'the payload'} was ${shown(recorded)}, now ${shown(now)}`];
  const names = new Set([...Object.keys(recorded), ...Object.keys(now)]);
  return [...names].flatMap((name) =>
    differencesOf(recorded[name], now[name], ignored, path === '' ? name : `${path}.${name}`),
  );
}

/** A JSON value whose times are later by some milliseconds. */
export function later(value: unknown, ms: number): unknown {
  if (isTime(value)) return new Date(Date.parse(value) + ms).toISOString();
  if (Array.isArray(value)) return value.map((entry) => later(entry, ms));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, later(inner, ms)]));
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}

function shown(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

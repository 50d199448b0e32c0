/** A field in which two records differ, or that was added or removed with its record. */
export interface FieldDifference {
  path: string;
  kind: 'added' | 'removed' | 'changed' | 'same';
  before: unknown;
  after: unknown;
}

/**
 * The fields of a record before and after a change (`levels.device.read`), sorted by name. Unchanged fields have the
 * kind `same`. Lists are compared as a whole.
 */
export function differences(before: unknown, after: unknown): FieldDifference[] {
  const one = placesOf(before);
  const other = placesOf(after);
  const paths = [...new Set([...one.keys(), ...other.keys()])].sort();
  return paths.map((path) => {
    const was = one.get(path);
    const is = other.get(path);
    const kind = !one.has(path)
      ? 'added'
      : !other.has(path)
        ? 'removed'
        : JSON.stringify(was) === JSON.stringify(is)
          ? 'same'
          : 'changed';
    return { path, kind, before: was, after: is };
  });
}

/** A value as the log displays it. */
export function shownValue(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function placesOf(value: unknown, path = ''): Map<string, unknown> {
  if (value === null || value === undefined) return path === '' ? new Map() : new Map([[path, value]]);
  if (typeof value !== 'object' || Array.isArray(value)) return new Map([[path || 'value', value]]);
  const entries = Object.entries(value);
  if (entries.length === 0 && path !== '') return new Map([[path, value]]);
  return new Map(entries.flatMap(([name, part]) => [...placesOf(part, path === '' ? name : `${path}.${name}`)]));
}

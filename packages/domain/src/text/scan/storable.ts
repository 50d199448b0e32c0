/**
 * A text as PostgreSQL can store it: NUL characters and lone surrogates become U+FFFD, everything else is unchanged.
 * The time is linear in the length of the text; nearly every text is returned as it is.
 */
export function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole;
}

/**
 * A value with texts that PostgreSQL can store on all levels, names of fields included. Values without texts, and dates,
 * are unchanged. Returns the same object when nothing changed, which is the usual case.
 */
export function storableParts<T>(value: T): T {
  if (typeof value === 'string') return storable(value) as T;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) {
    let copy: unknown[] | null = null;
    for (let index = 0; index < value.length; index += 1) {
      const part = storableParts(value[index]);
      if (part === value[index]) continue;
      copy ??= [...value];
      copy[index] = part;
    }
    return (copy ?? value) as T;
  }
  let changed = false;
  const entries: [string, unknown][] = [];
  for (const [name, part] of Object.entries(value)) {
    const entry: [string, unknown] = [storable(name), storableParts(part)];
    changed ||= entry[0] !== name || entry[1] !== part;
    entries.push(entry);
  }
  return changed ? (Object.fromEntries(entries) as T) : value;
}

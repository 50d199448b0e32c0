/** One of several lists that are shown as one. */
interface TimedSource<T> {
  /** newest first */
  entries: readonly T[];
  /** there are older ones that were not read */
  more: boolean;
}

/**
 * The entries of several lists as one, newest first. It ends where the first list with unread older entries ends: what
 * comes before that time is not complete.
 * @returns `until`: the time from which on it is complete; null when everything was read
 */
export function mergeByTime<T extends { at: string }>(
  sources: readonly TimedSource<T>[],
): { entries: T[]; until: string | null } {
  const timeOf = ({ at }: T) => Date.parse(at);
  const ends = sources.flatMap(({ entries, more }) => (more && entries.length > 0 ? [timeOf(entries.at(-1)!)] : []));
  const from = Math.max(Number.NEGATIVE_INFINITY, ...ends);
  const entries = sources
    .flatMap((source) => source.entries)
    .filter((entry) => timeOf(entry) >= from)
    .sort((a, b) => timeOf(b) - timeOf(a));
  return { entries, until: ends.length === 0 ? null : new Date(from).toISOString() };
}

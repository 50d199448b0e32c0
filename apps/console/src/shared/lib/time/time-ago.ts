/** The age of something in the largest unit that is still precise enough. */
export interface Ago {
  unit: 'now' | 'second' | 'minute' | 'hour' | 'day';
  count: number;
}

/** The distance between two times in milliseconds, rounded down. Future times count as now. */
export function agoOf(at: number, now: number): Ago {
  const seconds = Math.floor((now - at) / 1_000);
  if (seconds < 5) return { unit: 'now', count: 0 };
  if (seconds < 60) return { unit: 'second', count: seconds };
  if (seconds < 3_600) return { unit: 'minute', count: Math.floor(seconds / 60) };
  if (seconds < 86_400) return { unit: 'hour', count: Math.floor(seconds / 3_600) };
  return { unit: 'day', count: Math.floor(seconds / 86_400) };
}

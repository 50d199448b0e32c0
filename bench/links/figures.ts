import { at } from '../side-by-side.ts';

export const MB = 1_024 ** 2;

const missed: string[] = [];

/** Compares a value with the most that it may be, for the line that is printed. */
export function goal(name: string, value: number, most: number, unit: string): string {
  const reached = value <= most;
  if (!reached) missed.push(name);
  return `${name} ${value.toFixed(1)} ${unit} (goal ${most} ${unit} ${reached ? 'met' : 'MISSED'})`;
}

/** The names of the goals that were missed. */
export const missedGoals = (): readonly string[] => missed;

export function ratio(product: number, baseline: number): string {
  return `ratio ${(product / baseline).toFixed(2)}`;
}

/** p50 and p95 of times in milliseconds. */
export function spread(times: readonly number[]): string {
  return `p50 ${at(times, 0.5).toFixed(1)} ms, p95 ${at(times, 0.95).toFixed(1)} ms`;
}

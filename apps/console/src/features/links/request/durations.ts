import type { LinkOptions } from '@chargehand/contract';

const USUAL = [15, 30, 60, 120, 240, 480] as const;

/** The durations that can be selected, in minutes: the usual ones up to the longest possible one, and the latter. */
export function durationsOf({
  defaultMinutes,
  maxMinutes,
}: Pick<LinkOptions, 'defaultMinutes' | 'maxMinutes'>): number[] {
  const fitting = [...USUAL, defaultMinutes].filter((minutes) => minutes < maxMinutes);
  return [...new Set([...fitting, maxMinutes])].toSorted((a, b) => a - b);
}

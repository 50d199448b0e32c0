import type { Shift } from './on-call.ts';

/** A shift may last this long; a longer one is entered as several. */
export const LONGEST_SHIFT_MS = 7 * 86_400_000;
/** The minutes after which an incident that nobody has taken on is passed to the substitutes: what customers may set. */
export const ESCALATE_MINUTES = { least: 5, most: 240, usual: 15 } as const;

/** Why a shift cannot be saved. */
export const SHIFT_FAULTS = ['endsBeforeStart', 'tooLong', 'sameSubstitute', 'alreadyOnDuty'] as const;
export type ShiftFault = (typeof SHIFT_FAULTS)[number];

/** A period. Times in milliseconds; `to` is not part of it. */
export interface Period {
  from: number;
  to: number;
}

/**
 * What is wrong with a shift; null: nothing. Several users may be on duty for a place at the same time, each of them
 * once. `others` are the shifts of the same place.
 */
export function shiftFault(shift: Shift, others: readonly Shift[]): ShiftFault | null {
  if (shift.to <= shift.from) return 'endsBeforeStart';
  if (shift.to - shift.from > LONGEST_SHIFT_MS) return 'tooLong';
  if (shift.substituteId === shift.userId) return 'sameSubstitute';
  return others.some((other) => other.userId === shift.userId && overlaps(other, shift)) ? 'alreadyOnDuty' : null;
}

/** True if the periods have a time in common. */
export function overlaps(a: Period, b: Period): boolean {
  return a.from < b.to && b.from < a.to;
}

/** The times of a period in which nobody is on duty. */
export function gapsOf(shifts: readonly Period[], period: Period): Period[] {
  const gaps: Period[] = [];
  let covered = period.from;
  for (const { from, to } of shifts.toSorted((a, b) => a.from - b.from)) {
    if (from >= period.to) break;
    if (from > covered) gaps.push({ from: covered, to: from });
    covered = Math.max(covered, to);
  }
  if (covered < period.to) gaps.push({ from: covered, to: period.to });
  return gaps;
}

/** Until when the shifts without a pause from now on last; null: nobody is on duty now. */
export function coveredUntil(shifts: readonly Period[], now: number): number | null {
  let until: number | null = null;
  for (const { from, to } of shifts.toSorted((a, b) => a.from - b.from)) {
    if (from <= (until ?? now) && to > (until ?? now)) until = to;
  }
  return until;
}

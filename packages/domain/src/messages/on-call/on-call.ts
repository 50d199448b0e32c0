/** A shift of the on-call schedule. Times in milliseconds; `to` is not part of it. */
export interface Shift {
  userId: number;
  substituteId: number | null;
  from: number;
  to: number;
}

/** An incident, as far as escalation needs it. */
export interface Escalation {
  /** since when nobody has taken it on */
  waitingSince: number;
  acknowledged: boolean;
  escalatedAt: number | null;
  recovered: boolean;
}

/** The users on duty: of the shifts that include now, and after escalation their substitutes, too. */
export function onDuty(shifts: readonly Shift[], now: number, escalated: boolean): Set<number> {
  const current = shifts.filter(({ from, to }) => from <= now && now < to);
  return new Set(
    current.flatMap(({ userId, substituteId }) =>
      escalated && substituteId !== null ? [userId, substituteId] : [userId],
    ),
  );
}

/** What is older is not passed on any more, so that nobody is woken for what was left alone. Milliseconds. */
export const ESCALATE_WITHIN_MS = 86_400_000;

/**
 * True when an incident is due to be passed on: unacknowledged for some minutes and at most a day, going on, and not passed
 * on before.
 */
export function escalates(incident: Escalation, now: number, minutes: number): boolean {
  const age = now - incident.waitingSince;
  return (
    !incident.acknowledged &&
    !incident.recovered &&
    incident.escalatedAt === null &&
    age >= minutes * 60_000 &&
    age < ESCALATE_WITHIN_MS
  );
}

/** A shift of the on-call schedule. Times in milliseconds; `to` is not part of it. */
export interface Shift {
  userId: number;
  substituteId: number | null;
  from: number;
  to: number;
}

/** An incident, as far as escalation needs it. */
export interface Escalation {
  openedAt: number;
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

/** True when an incident is due to be passed on: unacknowledged for some minutes, going on, and not passed on before. */
export function escalates(incident: Escalation, now: number, minutes: number): boolean {
  return (
    !incident.acknowledged &&
    !incident.recovered &&
    incident.escalatedAt === null &&
    now - incident.openedAt >= minutes * 60_000
  );
}

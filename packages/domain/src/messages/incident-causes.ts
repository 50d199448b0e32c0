import { ALARM_LEVELS, type AlarmLevel } from '../alarms/alarms.ts';
import type { NoticeType } from './message-types.ts';

/** The period of `ALERT_LIMITS`. Milliseconds. */
export const ALERT_LIMIT_MS = 60 * 60_000;
/**
 * How many causes of a site are announced per period, by level. Causes of lower levels do not count, so they never hold
 * back a higher one. A charge point has six critical codes (OCPP 1.6 §7.6): twelve of a site are a broken reporter.
 */
export const ALERT_LIMITS: Readonly<Record<AlarmLevel, number>> = { OA: 2, MA: 4, CA: 12 };
/** How many announcements of a level at different times the limits may need. */
export const REMEMBERED_ALERTS = Math.max(...Object.values(ALERT_LIMITS));
/** An incident has at most this many causes by name. The others are one cause. */
export const NAMED_CAUSES = 50;
/** The cause of everything beyond `NAMED_CAUSES`. */
export const OTHER_CAUSES = '*';

/** A fault, as far as causes need it. Times in milliseconds. */
export interface CauseNotice {
  type: NoticeType;
  key: string;
  level: AlarmLevel | null;
  cause: string;
  /** the code of the alarm as the device reported it */
  code: string;
  connector: number | null;
  deviceId: number | null;
  /** when the alarm was raised */
  since: number;
  at: number;
}

/** What faults of an incident have in common. Alarm, code, connector and level are those that were announced last. */
export interface IncidentCause {
  type: NoticeType;
  /** the ID of the alarm */
  key: string;
  code: string;
  connector: number | null;
  level: AlarmLevel | null;
  /** when the earliest of its alarms was raised. Milliseconds */
  since: number;
  /** its alarms that are not over */
  open: number;
  devices: readonly number[];
  /** when receivers were notified of it; null: not yet */
  announcedAt: number | null;
  /** the limit of its site holds it back */
  held: boolean;
}

export type IncidentCauses = Readonly<Record<string, IncidentCause>>;

/** The open alarms of an incident with one cause, as they are now. Alarm, code, connector and level are those of the worst. */
export type OpenCause = Omit<IncidentCause, 'announcedAt' | 'held'> & { cause: string };

/** The causes of an incident as its open alarms are now; those without one are over. */
export function currentCauses(causes: IncidentCauses, open: readonly OpenCause[]): IncidentCauses {
  const members = new Map<string, OpenCause[]>();
  for (const one of worstFirst(open)) {
    const name = one.cause in causes ? one.cause : OTHER_CAUSES;
    const known = members.get(name);
    if (known) known.push(one);
    else members.set(name, [one]);
  }
  const over = Object.entries(causes).map(([name, cause]) => [name, { ...cause, open: 0 }] as const);
  const current = [...members].map(([name, all]) => {
    const { cause: _, ...worst } = all[0]!;
    const sums = {
      since: all.reduce((first, { since }) => Math.min(first, since), worst.since),
      open: all.reduce((sum, one) => sum + one.open, 0),
      devices: [...new Set(all.flatMap(({ devices }) => devices))],
    };
    return [name, { announcedAt: null, held: false, ...causes[name], ...worst, ...sums }] as const;
  });
  return Object.fromEntries([...over, ...current]);
}

/** An announcement of a site. */
export interface RecentAlert {
  at: number;
  level: AlarmLevel | null;
}

/** True when the limit of the site allows another announcement of this level now. */
export function allowsAlert(recent: readonly RecentAlert[], level: AlarmLevel | null, at: number): boolean {
  return timesOf(recent, level, at).length < limitOf(level);
}

/**
 * The announcements of a site with a further one, as far as the limits need them: of each level the newest times, because a
 * limit counts only so many. A device may announce thousands of alarms within an hour.
 */
export function rememberAlert(recent: readonly RecentAlert[], alert: RecentAlert): RecentAlert[] {
  const same = recent.filter(({ level }) => level === alert.level);
  if (same.some(({ at }) => at === alert.at)) return [...recent];
  if (same.length < REMEMBERED_ALERTS) return [...recent, alert];
  const oldest = same.reduce((one, other) => (other.at < one.at ? other : one), alert);
  return [...recent, alert].filter((one) => one !== oldest);
}

/**
 * When the limit allows the next announcement of this level, if one is made now; null when it allows one at any time.
 * Milliseconds.
 */
export function limitedUntil(recent: readonly RecentAlert[], level: AlarmLevel | null, at: number): number | null {
  const times = [...new Set([...timesOf(recent, level, at), at])].sort((a, b) => b - a);
  const last = times[limitOf(level) - 1];
  return last === undefined ? null : last + ALERT_LIMIT_MS;
}

/**
 * The causes after a fault that began or got worse. `alerted`: the cause of which receivers are notified at once, because it
 * is new or worse, and nothing more urgent is going on; null when there is none, or the limit of the site holds it back.
 */
export function raiseCause(
  causes: IncidentCauses,
  notice: CauseNotice,
  member: 'open' | 'over' | 'new',
  recent: readonly RecentAlert[],
): { causes: IncidentCauses; alerted: string | null } {
  const name = nameOf(causes, notice.cause);
  const known = causes[name];
  const { type, key, code, connector, level, deviceId, at } = notice;
  const worse = !known || rank(level) > rank(known.level);
  const unknown = known?.announcedAt == null;
  const urgent = Object.entries(causes).every(
    ([other, cause]) => other === name || cause.open === 0 || rank(cause.level) <= rank(level),
  );
  const wanted = (worse || (unknown && member !== 'open')) && urgent;
  const alert = wanted && allowsAlert(recent, level, at);
  const devices = known?.devices ?? [];
  return {
    alerted: alert ? name : null,
    causes: {
      ...causes,
      [name]: {
        ...(known && !worse && !alert ? known : { type, key, code, connector, level }),
        since: Math.min(known?.since ?? notice.since, notice.since),
        open: (known?.open ?? 0) + (member === 'open' && known ? 0 : 1),
        devices: deviceId === null || devices.includes(deviceId) ? devices : [...devices, deviceId],
        announcedAt: alert ? at : (known?.announcedAt ?? null),
        held: alert ? false : wanted || (known?.held ?? false),
      },
    },
  };
}

/** The causes after an alarm that is over. `member`: whether the incident counted it as going on. */
export function endCause(causes: IncidentCauses, cause: string, member: 'open' | 'over' | 'new'): IncidentCauses {
  const name = cause in causes ? cause : OTHER_CAUSES;
  const known = causes[name];
  if (!known || member !== 'open') return causes;
  const open = Math.max(0, known.open - 1);
  // What is over needs no announcement any more.
  return { ...causes, [name]: { ...known, open, held: known.held && open > 0 } };
}

/** The causes that are held back, the worst first. */
export function heldCauses(causes: IncidentCauses): IncidentCause[] {
  return worstFirst(Object.values(causes).filter(({ held }) => held));
}

/** The causes after those that were held back are announced together; null while the limit does not allow it. */
export function releaseCauses(
  causes: IncidentCauses,
  recent: readonly RecentAlert[],
  now: number,
): IncidentCauses | null {
  const [worst] = heldCauses(causes);
  if (!worst || !allowsAlert(recent, worst.level, now)) return null;
  return Object.fromEntries(
    Object.entries(causes).map(([name, cause]) => [
      name,
      cause.held ? { ...cause, held: false, announcedAt: now } : cause,
    ]),
  );
}

/** Causes in the order in which people should read them: the worst first, then what began last. */
export function worstFirst<T extends Pick<IncidentCause, 'level' | 'since'>>(causes: readonly T[]): T[] {
  return causes.toSorted((a, b) => rank(b.level) - rank(a.level) || b.since - a.since);
}

/** The urgency of a level, lowest first; 0 without a level. */
export function urgencyOf(level: AlarmLevel | null): number {
  return rank(level) + 1;
}

/** The times of the announcements that count for a level, each once. */
function timesOf(recent: readonly RecentAlert[], level: AlarmLevel | null, at: number): number[] {
  const counted = recent.filter((one) => rank(one.level) >= rank(level) && at - one.at < ALERT_LIMIT_MS);
  return [...new Set(counted.map((one) => one.at))];
}

function limitOf(level: AlarmLevel | null): number {
  return ALERT_LIMITS[level ?? 'OA'];
}

function nameOf(causes: IncidentCauses, cause: string): string {
  return cause in causes || Object.keys(causes).length < NAMED_CAUSES ? cause : OTHER_CAUSES;
}

function rank(level: AlarmLevel | null): number {
  return level === null ? -1 : ALARM_LEVELS.indexOf(level);
}

import { ALARM_LEVELS, type AlarmLevel, byName } from '../alarms/alarms.ts';
import {
  type CauseNotice,
  currentCauses,
  endCause,
  type IncidentCause,
  type IncidentCauses,
  limitedUntil,
  type OpenCause,
  type RecentAlert,
  raiseCause,
} from './incident-causes.ts';
import { isFaultType, isStateType, type NoticeType } from './message-types.ts';

/** Faults of a site with the same cause are one incident when each begins this soon after the previous one. */
export const GROUP_WINDOW_MS = 10 * 60_000;
/** An incident takes up no new faults after this time, so that what goes on without end is announced again. */
export const GROUP_CAP_MS = 30 * 60_000;
/** From this number of devices on, an incident concerns the whole site, so faults with another cause belong to it. */
export const SITE_WIDE_DEVICES = 3;
/** An incident is over, and its recovery is announced, when nothing has returned for this long. */
export const RECOVERY_SETTLE_MS = 5 * 60_000;
/** A fault of a device that starts this soon after its recovery was announced comes and goes. */
export const RETURN_WINDOW_MS = 60 * 60_000;
/** The recovery of a fault that comes and goes is announced when it has not returned for this long. */
export const RETURNED_SETTLE_MS = 60 * 60_000;

/** A notice, as far as grouping needs it. Times in milliseconds. */
export interface GroupedNotice extends CauseNotice {
  ended: boolean;
  siteId: number | null;
}

/** Something that happened once, from the first notice to the recovery. Users have one message about it. */
export interface Incident {
  siteId: number | null;
  type: NoticeType;
  cause: string;
  /** the highest so far */
  level: AlarmLevel | null;
  openedAt: number;
  lastAt: number;
  /** what it consists of, such as alarms, and how many of them are not over */
  members: number;
  open: number;
  devices: readonly number[];
  /** what its faults have in common; empty for anything but faults */
  causes: IncidentCauses;
  /** until then, the limit of the site holds back further causes of this urgency; null: it does not */
  limitedUntil: number | null;
  /** nothing of it is going on any more; it may return */
  recoveredAt: number | null;
  /** it is over: what happens later is another incident */
  closedAt: number | null;
  /** when users were last alerted of it */
  alertedAt: number;
  /** the same fault of the same device was over shortly before: it comes and goes */
  returned: boolean;
}

/**
 * What a notice does to its incident. `alert`: users are notified, otherwise the message only changes. `alerted`: of which
 * of its causes; null for anything but a fault.
 */
export interface IncidentStep {
  incident: Incident;
  alert: boolean;
  alerted: string | null;
}

/** The key of what a notice is about. All notices of an alarm have the same, whatever its level. */
export function memberKey({ type, key }: Pick<GroupedNotice, 'type' | 'key'>): string {
  return isFaultType(type) ? `fault ${key}` : `${type} ${key}`;
}

/**
 * True when a notice that belongs to no incident yet belongs to this one: it follows within the window on the same site,
 * not too late after the first one, and has the same cause or the whole site is concerned; or it is the same fault of the same device, whose recovery was not
 * announced yet. Waiting devices have no site; those of a window are one incident.
 */
export function joins(incident: Incident, notice: GroupedNotice): boolean {
  if (incident.closedAt !== null) return false;
  if (incident.recoveredAt !== null && isSameFault(incident, notice)) return true;
  if (notice.at - incident.lastAt > GROUP_WINDOW_MS || notice.at - incident.openedAt > GROUP_CAP_MS) return false;
  if (notice.type === 'waitingDevice') return incident.type === 'waitingDevice';
  return (
    isFaultType(notice.type) &&
    isFaultType(incident.type) &&
    notice.siteId !== null &&
    incident.siteId === notice.siteId &&
    (incident.cause === notice.cause || incident.devices.length >= SITE_WIDE_DEVICES)
  );
}

/** The keys of an incident that a notice is compared with. Few incidents of a site have one of them in common. */
export function incidentKeys({
  siteId,
  type,
  cause,
  devices,
}: Pick<Incident, 'siteId' | 'type' | 'cause' | 'devices'>): string[] {
  if (type === 'waitingDevice') return [type];
  return devices.length < SITE_WIDE_DEVICES ? [`${siteId} ${cause}`] : [`${siteId} ${cause}`, `${siteId}`];
}

/** The keys of a notice: it joins or returns after only incidents that have one of them. */
export function noticeKeys({ siteId, type, cause }: Pick<GroupedNotice, 'siteId' | 'type' | 'cause'>): string[] {
  return type === 'waitingDevice' ? [type] : [`${siteId} ${cause}`, `${siteId}`];
}

/**
 * True when a notice that starts an incident is about a fault whose recovery was announced shortly before. Users learn
 * that it is back, and of its recovery only when it stays away for longer.
 */
export function returnsAfter(
  earlier: Pick<Incident, 'siteId' | 'type' | 'cause' | 'devices' | 'closedAt'>,
  notice: GroupedNotice,
): boolean {
  return earlier.closedAt !== null && notice.at - earlier.closedAt <= RETURN_WINDOW_MS && isSameFault(earlier, notice);
}

/** The same cause at the same device, while it belongs to the same site. */
function isSameFault(
  { siteId, type, cause, devices }: Pick<Incident, 'siteId' | 'type' | 'cause' | 'devices'>,
  notice: GroupedNotice,
): boolean {
  return (
    isFaultType(notice.type) &&
    isFaultType(type) &&
    notice.siteId !== null &&
    siteId === notice.siteId &&
    cause === notice.cause &&
    notice.deviceId !== null &&
    devices.includes(notice.deviceId)
  );
}

/**
 * The incident that a notice starts. Users are always notified. `returned`: it is about a fault that was over shortly
 * before. `recent`: what was announced of the site within `ALERT_LIMIT_MS`.
 */
export function beginIncident(notice: GroupedNotice, returned = false, recent: readonly RecentAlert[] = []): Incident {
  const fault = isFaultType(notice.type);
  return {
    siteId: notice.siteId,
    type: notice.type,
    cause: notice.cause,
    level: notice.level,
    openedAt: notice.at,
    lastAt: notice.at,
    members: 1,
    open: isStateType(notice.type) ? 1 : 0,
    devices: notice.deviceId === null ? [] : [notice.deviceId],
    causes: fault ? raiseCause({}, notice, 'new', []).causes : {},
    limitedUntil: fault ? limitedUntil(recent, notice.level, notice.at) : null,
    recoveredAt: null,
    closedAt: null,
    alertedAt: notice.at,
    returned,
  };
}

/**
 * The incident after a further notice. `member` is what the notice is about within the incident: going on, over, or new.
 * Grouping and alerting are separate: a cause that is new or worse alerts (`raiseCause`), and a fault that returns does
 * not. News about anything but a fault alerts again after the window, unless it repeats a state that is known.
 * `recent`: what was announced of the site within `ALERT_LIMIT_MS`.
 */
export function continueIncident(
  incident: Incident,
  notice: GroupedNotice,
  member: 'open' | 'over' | 'new',
  recent: readonly RecentAlert[] = [],
): IncidentStep {
  const at = Math.max(incident.lastAt, notice.at);
  const fault = isFaultType(incident.type);
  if (notice.ended) {
    const open = incident.open - (member === 'open' ? 1 : 0);
    const recoveredAt = open === 0 && isStateType(incident.type) ? (incident.recoveredAt ?? at) : null;
    const causes = fault ? endCause(incident.causes, notice.cause, member) : incident.causes;
    return { incident: { ...incident, open, causes, recoveredAt }, alert: false, alerted: null };
  }
  const state = isStateType(incident.type);
  const { causes, alerted } = fault
    ? raiseCause(incident.causes, notice, member, recent)
    : { causes: incident.causes, alerted: null };
  const news = !fault && !(state && member === 'open') && at - incident.alertedAt > GROUP_WINDOW_MS;
  const alert = alerted !== null || news;
  return {
    alert,
    alerted,
    incident: {
      ...incident,
      type: alerted !== null ? notice.type : incident.type,
      level: higherLevel(incident.level, notice.level),
      lastAt: at,
      members: incident.members + (member === 'new' ? 1 : 0),
      open: incident.open + (state && member !== 'open' ? 1 : 0),
      devices:
        notice.deviceId === null || incident.devices.includes(notice.deviceId)
          ? incident.devices
          : [...incident.devices, notice.deviceId],
      causes,
      limitedUntil: alerted !== null ? limitedUntil(recent, notice.level, at) : incident.limitedUntil,
      recoveredAt: null,
      alertedAt: alert ? at : incident.alertedAt,
    },
  };
}

/**
 * An incident as its open alarms are now, for everything that people and programs read: what has cleared or changed since
 * the notice counts no more, so that a message says the same as the alarm. Without open alarms it is as it was stored.
 */
export function currentIncident<I extends Pick<Incident, 'level' | 'open' | 'devices' | 'causes'>>(
  incident: I,
  open: readonly OpenCause[],
): I {
  if (open.length === 0) return incident;
  return {
    ...incident,
    level: open.reduce((highest, cause) => higherLevel(highest, cause.level), null as AlarmLevel | null),
    open: open.reduce((sum, cause) => sum + cause.open, 0),
    devices: [...new Set(open.flatMap(({ devices }) => devices))],
    causes: currentCauses(incident.causes, open),
  };
}

/** The open cause that names an incident for someone who was notified of a type; undefined when none is open. */
export function namingCause(causes: IncidentCauses, notified: string): IncidentCause | undefined {
  const open = Object.values(causes).filter((cause) => cause.open > 0);
  const named = ({ level, devices, since, announcedAt }: IncidentCause) => ({
    ...{ level: level ?? 'OA', deviceCount: devices.length, since, announcedAt },
  });
  const sorted = open.toSorted((a, b) => byName(named(a), named(b)));
  return sorted.find(({ type }) => type === notified) ?? sorted[0];
}

/** How long nothing of an incident may have returned until its recovery is announced. Milliseconds. */
export function settleMsOf({ returned }: Pick<Incident, 'returned'>): number {
  return returned ? RETURNED_SETTLE_MS : RECOVERY_SETTLE_MS;
}

/** True when the recovery of an incident is certain enough to announce it. */
export function isOver(incident: Pick<Incident, 'recoveredAt' | 'closedAt' | 'returned'>, now: number): boolean {
  const { closedAt, recoveredAt } = incident;
  return closedAt === null && recoveredAt !== null && now - recoveredAt >= settleMsOf(incident);
}

/** The more urgent of two levels. */
export function higherLevel(one: AlarmLevel | null, other: AlarmLevel | null): AlarmLevel | null {
  return rank(other) > rank(one) ? other : one;
}

function rank(level: AlarmLevel | null): number {
  return level === null ? -1 : ALARM_LEVELS.indexOf(level);
}

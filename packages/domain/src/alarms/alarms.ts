/** Fault kinds and levels of spec §4. */
export const ALARM_KINDS = ['offline', 'alarm', 'fault', 'unavailable'] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

/** Alarm levels of spec §4, lowest first. */
export const ALARM_LEVELS = ['OA', 'MA', 'CA'] as const;
export type AlarmLevel = (typeof ALARM_LEVELS)[number];

/** System event types of spec §3. */
export const DEVICE_EVENT_TYPES = { disconnect: 0, minorAlarm: 1, alarm: 2, unavailable: 3 } as const;
export type DeviceEventType = keyof typeof DEVICE_EVENT_TYPES;

/** The fault information in the report of a connector. */
export interface FaultReport {
  status: string;
  errorCode: string;
  vendorErrorCode?: string | undefined;
}

/** The alarm a report raises. */
export interface RaisedAlarm {
  code: string;
  kind: AlarmKind;
  level: AlarmLevel;
}

/** OCPP 1.6 §7.6 error codes that endanger people or the device: they are critical whatever the status. */
const CRITICAL: ReadonlySet<string> = new Set([
  'GroundFailure',
  'HighTemperature',
  'OverCurrentFailure',
  'OverVoltage',
  'PowerSwitchFailure',
  'InternalError',
]);

/**
 * The alarm that a StatusNotification raises, or null. A fault (status Faulted) is critical (CA) for the codes above
 * and otherwise major (MA). An error of a connector that still works is an alarm: MA for those codes, otherwise
 * ordinary (OA). When the standard code is OtherError, the vendor's own code is used because it is more precise.
 */
export function alarmOf(report: FaultReport): RaisedAlarm | null {
  const faulted = report.status === 'Faulted';
  if (report.errorCode === 'NoError' && !faulted) return null;
  const code =
    (report.errorCode === 'OtherError' || report.errorCode === 'NoError') && report.vendorErrorCode
      ? report.vendorErrorCode
      : report.errorCode;
  const critical = CRITICAL.has(report.errorCode);
  if (faulted) return { code, kind: 'fault', level: critical ? 'CA' : 'MA' };
  return { code, kind: 'alarm', level: critical ? 'MA' : 'OA' };
}

/** The connector status (OCPP 1.6 §7.7) that takes a connector out of service, and the code of its alarm. */
const UNAVAILABLE = 'Unavailable';

/**
 * All alarms that the report of a connector raises: its fault, and that it is out of service. A report ends the alarms
 * that it no longer contains, so these are also all active alarms of the connector.
 */
export function alarmsOf(report: FaultReport): RaisedAlarm[] {
  const fault = alarmOf(report);
  const outOfService = report.status === UNAVAILABLE && fault?.code !== UNAVAILABLE;
  return [
    ...(fault ? [fault] : []),
    ...(outOfService ? [{ code: UNAVAILABLE, kind: 'unavailable' as const, level: 'OA' as const }] : []),
  ];
}

/** The alarm of a device that stays disconnected: nobody can charge there. */
export const OFFLINE_ALARM = { code: 'Offline', kind: 'offline', level: 'MA' } as const satisfies RaisedAlarm;

/** How long a connection may be lost before it is an alarm. Devices restart, and networks have short interruptions. */
export const OFFLINE_GRACE_MS = 5 * 60_000;

/** The device event that shows an alarm (spec §3). */
export function eventTypeOf(alarm: { kind: AlarmKind; level: AlarmLevel }): DeviceEventType {
  if (alarm.kind === 'offline') return 'disconnect';
  if (alarm.kind === 'unavailable') return 'unavailable';
  return alarm.level === 'OA' ? 'minorAlarm' : 'alarm';
}

/** The highest of several alarm levels; null when there is none. */
export function worstLevel(levels: readonly AlarmLevel[]): AlarmLevel | null {
  return ALARM_LEVELS.findLast((level) => levels.includes(level)) ?? null;
}

/** What decides which cause of an incident gives its name. Times in milliseconds. */
export interface NamedCause {
  level: AlarmLevel;
  /** when users were last notified of it; null: not yet, or never */
  announcedAt: number | null;
  deviceCount: number;
  since: number;
}

/**
 * Sorts the cause to name first, on every screen and in every message: the highest level, then the one that was announced
 * last, then most devices, then the oldest.
 */
export function byName(a: NamedCause, b: NamedCause): number {
  const rank = ({ level }: NamedCause) => ALARM_LEVELS.indexOf(level);
  const announced = (b.announcedAt ?? 0) - (a.announcedAt ?? 0);
  return rank(b) - rank(a) || announced || b.deviceCount - a.deviceCount || a.since - b.since;
}

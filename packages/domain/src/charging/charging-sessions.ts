import type { ConnectorStatus } from '../devices/devices.ts';

/** The stop reason of a charging session whose end the device did not report. A later report replaces it. */
export const NOT_REPORTED = 'NotReported';

/** Why a session counts as ended although the device did not report its end. */
export const SESSION_END_CAUSES = [
  'boot',
  'connectorAvailable',
  'connectorUnavailable',
  'laterStart',
  'closedByUser',
] as const;
export type SessionEndCause = (typeof SESSION_END_CAUSES)[number];

/** The connector states during a session. OCPP 2.0.1 has only Occupied for all of them. */
export const CHARGING_STATUSES = [
  'Charging',
  'SuspendedEV',
  'SuspendedEVSE',
] as const satisfies readonly ConnectorStatus[];

/** Connector states in which no session can be in progress, even if one is open. */
export const SESSIONLESS_STATUSES = [
  'Available',
  'Unavailable',
  'Faulted',
] as const satisfies readonly ConnectorStatus[];

/**
 * Why a status report ends the open session of its connector, or null if it does not. A fault may pass while the
 * vehicle stays plugged in, so it does not end a session.
 */
export function sessionEndCause(status: string): SessionEndCause | null {
  if (status === 'Available') return 'connectorAvailable';
  return status === 'Unavailable' ? 'connectorUnavailable' : null;
}

/**
 * True if a report shows that the session of its connector continues: a device may also send a BootNotification when it
 * reconnects.
 */
export function showsCharging(status: string): boolean {
  return (CHARGING_STATUSES as readonly string[]).includes(status);
}

/** True if the times of a session are invalid: an impossible time, or an end before the start. */
export function hasImpossibleTimes(session: { startedAt: Date; stoppedAt: Date | null; clockFault: boolean }): boolean {
  return session.clockFault || (session.stoppedAt !== null && session.stoppedAt < session.startedAt);
}

import type { ConnectorStatus } from '../devices/devices.ts';

/** Stop reason of a charging session whose end the device did not report; what it reports later takes its place. */
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

/** What a connector does while a session runs on it: more than Occupied, the one word that OCPP 2.0.1 has for all of it. */
export const CHARGING_STATUSES = [
  'Charging',
  'SuspendedEV',
  'SuspendedEVSE',
] as const satisfies readonly ConnectorStatus[];

/** Connector states in which no session can run, whatever is still open there. */
export const SESSIONLESS_STATUSES = [
  'Available',
  'Unavailable',
  'Faulted',
] as const satisfies readonly ConnectorStatus[];

/**
 * Why a status report ends the open session of its connector, or null when it does not. A fault may pass while the
 * vehicle stays plugged in, so it does not end a session; it only means that none is running now.
 */
export function sessionEndCause(status: string): SessionEndCause | null {
  if (status === 'Available') return 'connectorAvailable';
  return status === 'Unavailable' ? 'connectorUnavailable' : null;
}

/** True when a report means that the session of its connector runs on: a device that reconnects may say that it booted. */
export function showsCharging(status: string): boolean {
  return (CHARGING_STATUSES as readonly string[]).includes(status);
}

/** True when the times of a session cannot be right: the device reported an impossible one, or an end before the start. */
export function hasImpossibleTimes(session: { startedAt: Date; stoppedAt: Date | null; clockFault: boolean }): boolean {
  return session.clockFault || (session.stoppedAt !== null && session.stoppedAt < session.startedAt);
}

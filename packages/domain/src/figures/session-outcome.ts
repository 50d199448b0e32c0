import type { SessionEndCause } from '../charging/charging-sessions.ts';

/** How a session counts in the key figures. */
export type SessionOutcome = 'succeeded' | 'failed' | 'refused';

/** What decides the outcome of a session that has ended. */
export interface EndedSession {
  /** what the meter counted, Wh */
  energyWh: number;
  /** as reported: Reason of OCPP 1.6 §7.36 or StoppedReason of OCPP 2.0.1 */
  stopReason: string | null;
  /** why it counts as ended without a report */
  stopCause: SessionEndCause | null;
}

/** The reasons of OCPP 1.6 and 2.0.1 by which the equipment or its supply ended a session, not a person. */
const FAILURES: ReadonlySet<string> = new Set([
  'EmergencyStop',
  'GroundFault',
  'HardReset',
  'ImmediateReset',
  'OvercurrentFault',
  'PowerLoss',
  'PowerQuality',
  'Reboot',
  'SoftReset',
]);

/** The reasons by which a user was refused: the equipment did what it should. */
const REFUSALS: ReadonlySet<string> = new Set(['DeAuthorized', 'MasterPass', 'SOCLimitReached']);

/**
 * The outcome of an ended session. It failed if the device, a fault, the supply or a restart ended it, or if it ended
 * without energy, unless the user was refused, or the vehicle was full before it began.
 */
export function sessionOutcome({ energyWh, stopReason, stopCause }: EndedSession): SessionOutcome {
  if (stopReason !== null && FAILURES.has(stopReason)) return 'failed';
  if (stopCause === 'boot' || stopCause === 'connectorUnavailable') return 'failed';
  if (energyWh > 0) return 'succeeded';
  return stopReason !== null && REFUSALS.has(stopReason) ? 'refused' : 'failed';
}

import { evseConnector, evseNumber } from '../charging/connectors.ts';
import type { AlarmKind, AlarmLevel } from './alarms.ts';

/**
 * The code of a fault that a status report does not explain. OCPP 2.0.1 reports with StatusNotification that a
 * connector is faulted, and with NotifyEvent what is wrong: one fault in two messages, in either order.
 */
export const GENERIC_FAULT = 'ConnectorFault';

/** True when an alarm of the device explains why a connector is faulted. A warning does not. */
export function explainsFault({ kind, level }: { kind: AlarmKind; level: AlarmLevel }): boolean {
  return kind === 'fault' || level === 'CA';
}

/**
 * True when an alarm concerns the fault of a connector: it is at the same connector, or at its EVSE.
 */
export function concernsFault(alarmAt: number, faultAt: number): boolean {
  return placesConcerned(faultAt).includes(alarmAt);
}

/** The connectors whose alarms may explain the fault of a connector. */
export function placesConcerned(faultAt: number): number[] {
  const place = evseConnector(faultAt);
  return place === null || place.connector === null ? [faultAt] : [faultAt, evseNumber(place.evse)];
}

/** The active faults of a connector. */
export interface ConnectorFaults {
  /** the alarm of its status report, without a cause */
  generic: boolean;
  /** codes of the alarms that the device raised and that explain the fault */
  reported: ReadonlySet<string>;
}

/** The faults after a status report. A fault that the device has already explained does not raise a second alarm. */
export function faultsAfterStatus({ reported }: ConnectorFaults, faulted: boolean): ConnectorFaults {
  return { generic: faulted && reported.size === 0, reported };
}

/** The faults after the device raised or ended an alarm that explains the fault: it replaces the generic alarm. */
export function faultsAfterAlarm(
  { generic, reported }: ConnectorFaults,
  code: string,
  active: boolean,
): ConnectorFaults {
  const codes = new Set(reported);
  if (active) codes.add(code);
  else codes.delete(code);
  return { generic: generic && !active, reported: codes };
}

import { evseConnector } from '../charging/connectors.ts';
import type { AlarmKind, AlarmLevel } from './alarms.ts';

/**
 * The code of a fault of which a status report says no more than that it is there. OCPP 2.0.1 tells by StatusNotification
 * that a connector is faulted, and by NotifyEvent what is wrong with it: one trouble, told twice, in either order.
 */
export const GENERIC_FAULT = 'ConnectorFault';

/** Whether an alarm of the device's own tells why a connector is faulted: a warning beside it does not. */
export function explainsFault({ kind, level }: { kind: AlarmKind; level: AlarmLevel }): boolean {
  return kind === 'fault' || level === 'CA';
}

/**
 * Whether what is told of one connector is about a fault on another: on the same one, or on the EVSE of it, which has the
 * number of its first connector.
 */
export function concernsFault(alarmAt: number, faultAt: number): boolean {
  return placesConcerned(faultAt).includes(alarmAt);
}

/** The connectors of which an alarm may tell why a connector is faulted. */
export function placesConcerned(faultAt: number): number[] {
  const place = evseConnector(faultAt);
  return place === null || place.evse === faultAt ? [faultAt] : [faultAt, place.evse];
}

/** What goes on at a connector. */
export interface Trouble {
  /** an alarm of its status report, which does not say why */
  generic: boolean;
  /** codes of the alarms that the device raised and that tell why */
  reported: ReadonlySet<string>;
}

/** The trouble after a status report: a fault of which the device has told more is no second alarm. */
export function troubleAfterStatus({ reported }: Trouble, faulted: boolean): Trouble {
  return { generic: faulted && reported.size === 0, reported };
}

/** The trouble after the device raised or ended an alarm that tells why: the generic one becomes the one that tells. */
export function troubleAfterAlarm({ generic, reported }: Trouble, code: string, active: boolean): Trouble {
  const codes = new Set(reported);
  if (active) codes.add(code);
  else codes.delete(code);
  return { generic: generic && !active, reported: codes };
}

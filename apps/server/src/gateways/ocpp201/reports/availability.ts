import { connectorNumber, GENERIC_FAULT, reportedTime, trustedTime } from '@chargehand/domain';
import type { UplinkEvent } from '../../../ports/uplink.ts';
import type { EventData } from './alarms.ts';

type StatusEvent = Extract<UplinkEvent, { kind: 'connectorStatus' }>;

/** The EVSEs that report their connectors individually. For these the status of the whole EVSE adds nothing. */
export interface EvsesWithConnectors {
  has(evse: number): boolean;
  add(evse: number): unknown;
}

/** ConnectorStatusEnumType of OCPP 2.0.1, whose values AvailabilityState shares. */
const STATUSES: ReadonlySet<string> = new Set(['Available', 'Occupied', 'Reserved', 'Unavailable', 'Faulted']);

/** A status report of a connector, 0 for the station. */
export function statusEvent(connector: number, at: Date, status: string): StatusEvent {
  // The cause is reported by NotifyEvent; here only that there is a fault.
  const errorCode = status === 'Faulted' ? GENERIC_FAULT : 'NoError';
  return { kind: 'connectorStatus', connector, at, status, errorCode, vendorErrorCode: null, info: null };
}

/**
 * The status reports in a NotifyEvent: a station may report AvailabilityState of its connectors instead of sending
 * StatusNotification (OCPP 2.0.1 G01), and also of its EVSEs and itself. The status of an EVSE without reported
 * connectors applies to its first connector.
 */
export function availabilityReports(
  events: readonly EventData[],
  evses: EvsesWithConnectors,
  receivedAt: Date,
): { events: StatusEvent[]; notes: string[] } {
  const about = events.filter(
    ({ variable }) => variable.name === 'AvailabilityState' && variable.instance === undefined,
  );
  for (const { component } of about) {
    if (component.name === 'Connector' && placeOf(component, evses) !== null) evses.add(component.evse?.id ?? 0);
  }
  const reports: StatusEvent[] = [];
  const notes: string[] = [];
  for (const { component, actualValue, timestamp } of about) {
    const connector = placeOf(component, evses);
    if (connector === null) continue;
    if (!STATUSES.has(actualValue)) {
      notes.push(`AvailabilityState ${JSON.stringify(actualValue.slice(0, 40))} is not a status`);
      continue;
    }
    const { at } = trustedTime(reportedTime(timestamp), receivedAt);
    reports.push(statusEvent(connector, at, actualValue));
  }
  return { events: reports, notes };
}

function placeOf({ name, evse }: EventData['component'], evses: EvsesWithConnectors): number | null {
  if (name === 'ChargingStation') return 0;
  if (evse === undefined || evse.id === 0) return null;
  if (name === 'Connector') return connectorNumber(evse.id, evse.connectorId);
  return name === 'EVSE' && !evses.has(evse.id) ? connectorNumber(evse.id) : null;
}

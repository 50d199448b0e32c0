import { GENERIC_FAULT, reportedTime, trustedTime } from '@chargehand/domain';
import type { UplinkEvent } from '../../../ports/uplink.ts';
import type { EventData } from './alarms.ts';
import type { Evses } from './evses.ts';

type StatusEvent = Extract<UplinkEvent, { kind: 'connectorStatus' }>;

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
 * StatusNotification (OCPP 2.0.1 G01), and also of its EVSEs and itself. The status of an EVSE adds nothing if its
 * connectors report individually.
 */
export function availabilityReports(
  events: readonly EventData[],
  evses: Evses,
  receivedAt: Date,
): { events: StatusEvent[]; notes: string[] } {
  const about = events.filter(
    ({ variable }) => variable.name === 'AvailabilityState' && variable.instance === undefined,
  );
  for (const { component } of about) {
    const [place] = isConnector(component) ? placesOf(component, evses) : [];
    if (place !== undefined) evses.reportsIndividually(component.evse?.id ?? 0);
  }
  const reports: StatusEvent[] = [];
  const notes: string[] = [];
  for (const { component, actualValue, timestamp } of about) {
    const places = placesOf(component, evses);
    if (places.length === 0) continue;
    if (!STATUSES.has(actualValue)) {
      notes.push(`AvailabilityState ${JSON.stringify(actualValue.slice(0, 40))} is not a status`);
      continue;
    }
    const { at } = trustedTime(reportedTime(timestamp), receivedAt);
    reports.push(...places.map((place) => statusEvent(place, at, actualValue)));
  }
  return { events: reports, notes };
}

function placesOf(component: EventData['component'], evses: Evses): number[] {
  const { name, evse } = component;
  if (name === 'ChargingStation') return [0];
  if (evse === undefined || evse.id === 0) return [];
  if (isConnector(component)) {
    const place = evses.place(evse);
    return place === null ? [] : [place];
  }
  return name === 'EVSE' || name === 'Connector' ? evses.placesOfStatus(evse) : [];
}

/** True for a connector with its number. */
function isConnector({ name, evse }: EventData['component']): boolean {
  return name === 'Connector' && (evse?.connectorId ?? 0) > 0;
}

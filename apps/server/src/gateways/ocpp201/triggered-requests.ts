import { evseConnector } from '@chargehand/domain';
import type { MissingReports } from '../../ports/devices/device-directory.ts';
import type { FollowUp } from '../ocpp/dialect.ts';
import type { ServerRequest } from '../ocpp/server-requests.ts';

/**
 * TriggerMessage (OCPP 2.0.1 F06). A status is requested by EVSE and connector (F06.FR.12). A station without a known
 * connector is asked for all it has.
 */
export function requestsFor({ connectors, updating, uploading }: MissingReports, booted: boolean): ServerRequest[] {
  const places = connectors.flatMap((number) => {
    const place = evseConnector(number);
    return place?.connector ? [{ id: place.evse, connectorId: place.connector }] : [];
  });
  const transfers = [
    ...(updating ? [trigger('FirmwareStatusNotification')] : []),
    ...(uploading ? [trigger('LogStatusNotification')] : []),
  ];
  if (booted) return transfers;
  const statuses = places.map((evse) => trigger('StatusNotification', { evse }));
  return [...(statuses.length > 0 ? statuses : [trigger('StatusNotification')]), ...transfers, severities()];
}

function trigger(message: string, place: object = {}): ServerRequest {
  return { action: 'TriggerMessage', message, payload: { requestedMessage: message, ...place } };
}

/**
 * GetMonitoringReport (OCPP 2.0.1 N02): the station reports the severities of its monitors in NotifyMonitoringReport. A
 * station that has no monitors, or does not support the message, answers so; the level of its alarms then depends on
 * their component and variable.
 */
export function severities(): ServerRequest & FollowUp {
  return {
    action: 'GetMonitoringReport',
    message: 'NotifyMonitoringReport',
    payload: { requestId: SEVERITIES_REQUEST },
    optional: true,
    read: () => [],
    readAnswer: () => ({ note: null, stored: null }),
  };
}

/** Reports of monitors are all read alike: their severities apply whichever request they answer. */
const SEVERITIES_REQUEST = 1;

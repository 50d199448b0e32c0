import { evseConnector } from '@chargehand/domain';
import type { OpenMatters } from '../../ports/devices/device-directory.ts';
import type { Inquiry } from '../ocpp/dialect.ts';
import type { Question } from '../ocpp/questions.ts';

/**
 * TriggerMessage (OCPP 2.0.1 F06). A status is asked for by EVSE and connector (F06.FR.12); a station of which none is
 * known yet is asked for what it has.
 */
export function questionsOf({ connectors, updating, uploading }: OpenMatters): Question[] {
  const places = connectors.map(evseConnector).filter((place) => place !== null);
  return [
    ...(places.length > 0
      ? places.map(({ evse, connector }) =>
          trigger('StatusNotification', { evse: { id: evse, connectorId: connector } }),
        )
      : [trigger('StatusNotification')]),
    ...(updating ? [trigger('FirmwareStatusNotification')] : []),
    ...(uploading ? [trigger('LogStatusNotification')] : []),
    severities(),
  ];
}

function trigger(message: string, place: object = {}): Question {
  return { action: 'TriggerMessage', message, payload: { requestedMessage: message, ...place } };
}

/**
 * GetMonitoringReport (OCPP 2.0.1 N02): the station tells in NotifyMonitoringReport how grave what its monitors watch is.
 * One that has no monitors, or knows no such message, says so; its alarms are judged by what they are about.
 */
export function severities(): Question & Inquiry {
  return {
    action: 'GetMonitoringReport',
    message: 'NotifyMonitoringReport',
    payload: { requestId: SEVERITIES_REQUEST },
    optional: true,
    read: () => [],
    settle: () => ({ note: null, stored: null }),
  };
}

/** Reports of monitors are all read alike: whichever request they answer, their severities hold. */
const SEVERITIES_REQUEST = 1;

import type { Clock } from '../../platform/clock.ts';
import type { ConnectorState } from '../../ports/devices/device-directory.ts';
import type { CallContext, Dialect, DialectConnection } from '../ocpp/dialect.ts';
import { ocppSchemas } from '../ocpp/schemas.ts';
import { CALLS } from './calls.ts';
import { planOf, readMessage, readUnexpected } from './commands.ts';
import { rangeViolation } from './ranges.ts';
import { connectionState } from './reports/state.ts';
import { requestsFor } from './triggered-requests.ts';

/** Messages of part 2 that a CSMS sends. */
export const REQUESTS = [
  ...['CancelReservation', 'CertificateSigned', 'ChangeAvailability', 'ClearCache', 'ClearChargingProfile'],
  ...['ClearDisplayMessage', 'ClearVariableMonitoring', 'CostUpdated', 'CustomerInformation', 'DataTransfer'],
  ...['DeleteCertificate', 'GetBaseReport', 'GetChargingProfiles', 'GetCompositeSchedule', 'GetDisplayMessages'],
  ...['GetInstalledCertificateIds', 'GetLocalListVersion', 'GetLog', 'GetMonitoringReport', 'GetReport'],
  ...['GetTransactionStatus', 'GetVariables', 'InstallCertificate', 'PublishFirmware', 'RequestStartTransaction'],
  ...['RequestStopTransaction', 'ReserveNow', 'Reset', 'SendLocalList', 'SetChargingProfile', 'SetDisplayMessage'],
  ...['SetMonitoringBase', 'SetMonitoringLevel', 'SetNetworkProfile', 'SetVariableMonitoring', 'SetVariables'],
  ...['TriggerMessage', 'UnlockConnector', 'UnpublishFirmware', 'UpdateFirmware'],
];

/** OCPP 2.0.1 in JSON. */
export const OCPP201: Dialect = {
  subprotocol: 'ocpp2.0.1',
  name: 'OCPP 2.0.1',
  // OCPP-J 2.0.1 §3.4 requires it of every CSMS.
  compresses: true,
  schemas: ocppSchemas('ocpp2_0_1', 'OCPP 2.0.1'),
  defaults: {
    StatusNotification: { timestamp: 'now', connectorId: 0 },
    TransactionEvent: { timestamp: 'now' },
    SecurityEventNotification: { timestamp: 'now' },
  },
  // OCPP-J 2.0.1 §4.3 spells two codes differently.
  codes: {
    FormationViolation: 'FormatViolation',
    OccurenceConstraintViolation: 'OccurrenceConstraintViolation',
  },
  answersUnreadable: true,
  heartbeatKey: 'OCPPCommCtrlr.HeartbeatInterval',
  rangeViolation,
  requests: REQUESTS,
  requestsFor,
  connection: ocpp201Connection,
};

function ocpp201Connection(clock: Clock, known: readonly ConnectorState[] = []): DialectConnection {
  const connection = connectionState(clock, known);
  return {
    takes: (action) => Object.hasOwn(CALLS, action),
    handle(action: string, payload: object, context: CallContext) {
      const handler = CALLS[action];
      if (!handler) throw new Error(`OCPP 2.0.1: ${action} is not supported`);
      const handled = handler(payload as never, { ...context, connection });
      connection.evses.follow(handled.events);
      return handled;
    },
    plan: (call) => planOf(call, connection),
    readMessage,
    readUnexpected,
    unfinished: () => connection.requestedReports?.unfinished() ?? NOTHING,
    tick: (now) => connection.requestedReports?.tick(now) ?? NOTHING,
  };
}

const NOTHING: [] = [];

import type { DeviceCall } from '../../ports/devices/device-link.ts';
import type { CallContext, Dialect, DialectConnection } from '../ocpp/dialect.ts';
import { ocppSchemas } from '../ocpp/schemas.ts';
import { CALLS } from './calls.ts';
import { COMMANDS, readMessage, readUnexpected } from './commands.ts';
import { rangeViolation } from './ranges.ts';
import { requestsFor } from './triggered-requests.ts';

/** OCPP 1.6 keeps no state between two messages, so all connections share this object. */
const LINE: DialectConnection = {
  takes: (action) => Object.hasOwn(CALLS, action),
  handle(action: string, payload: object, context: CallContext) {
    const handler = CALLS[action];
    if (!handler) throw new Error(`OCPP 1.6: ${action} is not supported`);
    return handler(payload as never, context);
  },
  plan: (call: DeviceCall) => COMMANDS[call.kind](call),
  readMessage,
  readUnexpected,
  unfinished: () => NOTHING,
  tick: () => NOTHING,
};
const NOTHING: [] = [];

/** From the profiles of OCPP 1.6 (§5) and its security whitepaper. */
const REQUESTS = [
  ...['CancelReservation', 'CertificateSigned', 'ChangeAvailability', 'ChangeConfiguration', 'ClearCache'],
  ...['ClearChargingProfile', 'DataTransfer', 'DeleteCertificate', 'ExtendedTriggerMessage', 'GetCompositeSchedule'],
  ...['GetConfiguration', 'GetDiagnostics', 'GetInstalledCertificateIds', 'GetLocalListVersion', 'GetLog'],
  ...['InstallCertificate', 'RemoteStartTransaction', 'RemoteStopTransaction', 'ReserveNow', 'Reset', 'SendLocalList'],
  ...['SetChargingProfile', 'SignedUpdateFirmware', 'TriggerMessage', 'UnlockConnector', 'UpdateFirmware'],
];

/** OCPP 1.6 in JSON. */
export const OCPP16: Dialect = {
  subprotocol: 'ocpp1.6',
  name: 'OCPP 1.6',
  // OCPP-J 1.6 §5.1 advises against it.
  compresses: false,
  schemas: ocppSchemas('ocpp1_6', 'OCPP 1.6'),
  defaults: {
    StatusNotification: { errorCode: 'NoError' },
    StartTransaction: { timestamp: 'now', meterStart: 0 },
    StopTransaction: { timestamp: 'now', meterStop: 0 },
    SecurityEventNotification: { timestamp: 'now' },
  },
  codes: {},
  answersUnreadable: false,
  heartbeatKey: 'HeartbeatInterval',
  rangeViolation,
  requests: REQUESTS,
  requestsFor,
  connection: () => LINE,
};

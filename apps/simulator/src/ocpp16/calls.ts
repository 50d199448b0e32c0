import { remoteDriver } from '../behaviour/drivers.ts';
import type { Station } from '../behaviour/station.ts';
import { takeCertificate } from '../identity/certificates.ts';
import { signingOf } from '../identity/signature.ts';
import { type Action, checkShape, FIRMWARE_SHAPE, isAction, REQUEST_SHAPES } from '../wire/shapes.ts';
import { CallError, type Payload } from '../wire/wire.ts';
import { type Connector, statusOf } from './connector.ts';
import { logFileName, reportSecurityEvent, updateFirmware, updatePlc, updating, uploadLog } from './maintenance.ts';
import { plugIn, restartSampling, sendMeterValues, startTransaction, stopTransaction } from './transactions/session.ts';

/** The response to a CALL, and what the charge point does after sending it. */
export interface Answer {
  payload: Payload;
  afterwards?: () => void;
}

/**
 * Responds to a CALL of the central system (OCPP 1.6 section 5) and executes it.
 * @param refuse respond like a charge point that cannot execute the CALL now, and do nothing. Throws CallError when the
 * response is a CALLERROR.
 */
export function answerCall(station: Station, action: string, payload: unknown, refuse: boolean): Answer {
  if (!isAction(action)) throw new CallError('NotImplemented', `${action.slice(0, 50)} is not known here`);
  const request = checkShape(REQUEST_SHAPES[action], payload);
  if (refuse) return refusalOf(action);
  const handle = HANDLERS[action] as (station: Station, request: Payload) => Answer;
  return handle(station, request);
}

interface Requests {
  CancelReservation: { reservationId: number };
  CertificateSigned: { certificateChain: string };
  ChangeAvailability: { connectorId: number; type: 'Inoperative' | 'Operative' };
  ChangeConfiguration: { key: string; value: string };
  ClearCache: object;
  ClearChargingProfile: object;
  DataTransfer: { vendorId: string; messageId?: string; data?: string };
  GetCompositeSchedule: object;
  GetConfiguration: { key?: unknown[] };
  GetDiagnostics: { location: string };
  GetLocalListVersion: object;
  GetLog: { logType: 'DiagnosticsLog' | 'SecurityLog'; requestId: number; log: { remoteLocation?: unknown } };
  RemoteStartTransaction: { connectorId?: number; idTag: string };
  RemoteStopTransaction: { transactionId: number };
  ReserveNow: object;
  Reset: { type: 'Hard' | 'Soft' };
  SendLocalList: { listVersion: number; localAuthorizationList?: unknown[]; updateType: 'Differential' | 'Full' };
  SetChargingProfile: object;
  SignedUpdateFirmware: { requestId: number; firmware: object; retries?: number; retryInterval?: number };
  TriggerMessage: { requestedMessage: string; connectorId?: number };
  UnlockConnector: { connectorId: number };
  UpdateFirmware: { location: string; retrieveDate: string; retries?: number; retryInterval?: number };
}

/** The vendor id of the DataTransfer messages that a charge point supports in addition to its own vendor's. */
const CONTROL_VENDOR = 'Chargehand';
/** The ids of these messages, case-insensitive. */
const VENDOR_MESSAGES = [
  'restartccu',
  'refreshconfiguration',
  'refreshparameters',
  'updateplcfirmware',
  'startvpn',
  'stopvpn',
];
const UPDATE_RETRY_SECONDS = 30;

const status = (value: string, afterwards?: () => void): Answer => ({
  payload: { status: value },
  ...(afterwards && { afterwards }),
});

const HANDLERS: { [A in Action]: (station: Station, request: Requests[A]) => Answer } = {
  CancelReservation: () => status('Rejected'),
  CertificateSigned: (station, { certificateChain }) =>
    status(takeCertificate(station, certificateChain) ? 'Accepted' : 'Rejected'),
  ChangeAvailability: changeAvailability,
  ChangeConfiguration: (station, { key, value }) => {
    const result = station.configuration.change(key, value);
    return status(result, result === 'Accepted' ? () => takeEffect(station, key) : undefined);
  },
  ClearCache: (station) => status(station.configuration.boolean('AuthorizationCacheEnabled') ? 'Accepted' : 'Rejected'),
  ClearChargingProfile: () => status('Unknown'),
  DataTransfer: (station, { vendorId, messageId, data }) => {
    if (vendorId !== station.identity.vendor && vendorId !== CONTROL_VENDOR) return status('UnknownVendorId');
    if (!VENDOR_MESSAGES.includes(messageId?.toLowerCase() ?? '')) return status('UnknownMessageId');
    switch (messageId?.toLowerCase()) {
      case 'updateplcfirmware':
        return updatePlcFirmware(station, data);
      case 'startvpn':
        return startLink(station, readData(data));
      case 'stopvpn':
        return status('Accepted', () => station.remoteLinks.close(readData(data)));
    }
    return { payload: { status: 'Accepted', ...(data === undefined ? {} : { data }) } };
  },
  GetCompositeSchedule: () => status('Rejected'),
  GetConfiguration: (station, { key = [] }) => {
    const keys = key.filter((name) => typeof name === 'string');
    if (keys.length < key.length) throw new CallError('TypeConstraintViolation', 'key is not a list of texts');
    if (keys.length > station.configuration.integer('GetConfigurationMaxKeys')) {
      throw new CallError('OccurenceConstraintViolation', 'More keys than GetConfigurationMaxKeys');
    }
    return { payload: { ...station.configuration.read(keys) } };
  },
  GetDiagnostics: (station, { location }) => {
    // Without a file name there is no file (section 6.26): only one upload at a time.
    if (station.diagnosticsStatus === 'Uploading') return { payload: {} };
    return {
      payload: { fileName: logFileName(station, 'diagnostics') },
      afterwards: () => uploadLog(station, { type: 'diagnostics', location }),
    };
  },
  GetLocalListVersion: (station) => ({
    payload: { listVersion: station.configuration.boolean('LocalAuthListEnabled') ? station.localListVersion : -1 },
  }),
  GetLog: (station, { logType, requestId, log }) => {
    const { remoteLocation: location } = log;
    if (typeof location !== 'string') throw new CallError('OccurenceConstraintViolation', 'log has no remoteLocation');
    if (station.diagnosticsStatus === 'Uploading') return status('Rejected');
    const type = logType === 'SecurityLog' ? 'security' : 'diagnostics';
    return {
      payload: { status: 'Accepted', filename: logFileName(station, type) },
      afterwards: () => uploadLog(station, { type, location, requestId }),
    };
  },
  RemoteStartTransaction: remoteStart,
  RemoteStopTransaction: (station, { transactionId }) => {
    const connector = station.outlets.find((outlet) => outlet.session?.transaction?.id === transactionId);
    if (connector === undefined || station.registration !== 'Accepted') return status('Rejected');
    return status('Accepted', () => stopTransaction(station, connector, 'Remote'));
  },
  ReserveNow: () => status('Rejected'),
  Reset: (station, { type }) => {
    if (station.rebooting) return status('Rejected');
    return status('Accepted', () => station.edges.reboot(type));
  },
  SendLocalList: sendLocalList,
  SetChargingProfile: () => status('NotSupported'),
  SignedUpdateFirmware: signedUpdateFirmware,
  TriggerMessage: triggerMessage,
  UnlockConnector: (station, { connectorId }) => {
    const connector = connectorId === 0 ? undefined : station.connector(connectorId);
    if (connector === undefined) return status('NotSupported');
    if (connector.fault?.errorCode === 'ConnectorLockFailure') return status('UnlockFailed');
    return status('Unlocked', () => stopTransaction(station, connector, 'UnlockCommand'));
  },
  UpdateFirmware: (station, { location, retrieveDate, retries = 0, retryInterval = UPDATE_RETRY_SECONDS }) => {
    if (updating(station)) return { payload: {} };
    const wanted = { location, retrieveDate, retries, retryInterval };
    return { payload: {}, afterwards: () => updateFirmware(station, wanted) };
  },
};

/** A command of the central system that has no message in OCPP 1.6. */
function updatePlcFirmware(station: Station, data: string | undefined): Answer {
  const { location, requestId, signingCertificate, signature } = JSON.parse(data ?? '{}') as Record<string, unknown>;
  if (typeof location !== 'string' || updating(station)) return status('Rejected');
  if (typeof signingCertificate !== 'string' || typeof signature !== 'string')
    return status('Accepted', () => updatePlc(station, { location }));
  const signing = signingOf(signingCertificate, signature);
  if (signing === null) return { payload: { status: 'Rejected', data: 'InvalidCertificate' } };
  return status('Accepted', () => updatePlc(station, { location, signing, requestId: Number(requestId) }));
}

/** Control 7: opens a link with an SSH client of this computer. */
function startLink(station: Station, command: unknown): Answer {
  const refusal = station.remoteLinks.refusal(command);
  if (refusal !== null) return { payload: { status: 'Rejected', data: refusal } };
  return status('Accepted', () => void station.remoteLinks.open(command));
}

function readData(data: string | undefined): unknown {
  try {
    return JSON.parse(data ?? '{}');
  } catch {
    return null;
  }
}

/** SignedUpdateFirmware (security whitepaper §5.21): the certificate is checked before the response. */
function signedUpdateFirmware(station: Station, request: Requests['SignedUpdateFirmware']): Answer {
  const { requestId, retries = 0, retryInterval = UPDATE_RETRY_SECONDS } = request;
  const firmware = checkShape(FIRMWARE_SHAPE, request.firmware) as Record<keyof typeof FIRMWARE_SHAPE, string>;
  const { location, retrieveDateTime: retrieveDate, signingCertificate, signature } = firmware;
  if (updating(station)) return status('Rejected');
  const signing = signingOf(signingCertificate, signature);
  if (signing === null)
    return status('InvalidCertificate', () => reportSecurityEvent(station, 'InvalidFirmwareSigningCertificate'));
  const wanted = { location, retrieveDate, retries, retryInterval, signing, requestId };
  return status('Accepted', () => updateFirmware(station, wanted));
}

/** Applies the values that are already in use. */
export function takeEffect(station: Station, key: string): void {
  if (key === 'HeartbeatInterval') station.edges.restartHeartbeat();
  if (key === 'MeterValueSampleInterval') restartSampling(station);
}

function changeAvailability(station: Station, { connectorId, type }: Requests['ChangeAvailability']): Answer {
  const named = station.connector(connectorId);
  if (named === undefined) return status('Rejected');
  const operative = type === 'Operative';
  const concerned = connectorId === 0 ? station.connectors : [named];
  const busy = concerned.filter(
    (connector) => connector.session?.transaction != null && connector.operative !== operative,
  );
  for (const connector of busy) connector.scheduled = operative;
  const free = concerned.filter((connector) => !busy.includes(connector));
  const apply = (): void => {
    for (const connector of free) {
      const before = statusOf(connector);
      connector.operative = operative;
      connector.scheduled = null;
      if (statusOf(connector) !== before) station.sendStatus(connector);
    }
  };
  return status(busy.length > 0 ? 'Scheduled' : 'Accepted', apply);
}

function remoteStart(station: Station, { connectorId, idTag }: Requests['RemoteStartTransaction']): Answer {
  const waits = (connector: Connector): boolean => ['Available', 'Preparing'].includes(statusOf(connector));
  const candidates =
    connectorId === undefined ? station.outlets : station.outlets.filter(({ id }) => id === connectorId);
  const connector = candidates.find(waits);
  if (connector === undefined || station.registration !== 'Accepted' || station.rebooting) return status('Rejected');
  const authorize = station.configuration.boolean('AuthorizeRemoteTxRequests');
  return status('Accepted', () => {
    if (connector.session === null) {
      plugIn(station, connector, remoteDriver(station, connector, idTag), authorize);
    } else {
      connector.session.plan = { ...connector.session.plan, idTag };
      startTransaction(station, connector);
    }
  });
}

function sendLocalList(station: Station, request: Requests['SendLocalList']): Answer {
  const { configuration, localList } = station;
  const { listVersion, localAuthorizationList = [], updateType } = request;
  if (!configuration.boolean('LocalAuthListEnabled')) return status('NotSupported');
  if (localAuthorizationList.length > configuration.integer('SendLocalListMaxLength')) return status('Failed');
  if (updateType === 'Differential' && listVersion <= station.localListVersion) return status('VersionMismatch');
  if (updateType === 'Full') localList.clear();
  for (const entry of localAuthorizationList) {
    const { idTag, idTagInfo } = (entry ?? {}) as { idTag?: unknown; idTagInfo?: { status?: unknown } };
    if (typeof idTag !== 'string') throw new CallError('OccurenceConstraintViolation', 'An entry has no idTag');
    // In a differential update, an entry without idTagInfo removes the card (section 7.1).
    if (idTagInfo === undefined) localList.delete(idTag);
    else localList.set(idTag, String(idTagInfo.status));
  }
  station.localListVersion = listVersion;
  return status('Accepted');
}

/** TriggerMessage (section 5.17). The requested message may be sent even while BootNotification is Pending. */
function triggerMessage(station: Station, { requestedMessage, connectorId }: Requests['TriggerMessage']): Answer {
  const { outbox } = station;
  if (connectorId !== undefined && station.connector(connectorId) === undefined) return status('Rejected');
  const concerned = station.connectors.filter(({ id }) => connectorId === undefined || id === connectorId);
  const messages: Record<string, () => void> = {
    BootNotification: () => station.edges.sendBootNotification(),
    Heartbeat: () => outbox.add('Heartbeat', 'early', () => ({})),
    StatusNotification: () => {
      for (const connector of concerned) station.sendStatus(connector, 'early');
    },
    MeterValues: () => {
      for (const connector of concerned) {
        if (connector.id > 0) sendMeterValues(station, connector, 'Trigger', true);
      }
    },
    FirmwareStatusNotification: () => {
      // The message has no status for signatures, so this reports that the file has arrived.
      const known = station.firmwareStatus === 'SignatureVerified' ? 'Downloaded' : station.firmwareStatus;
      const reported = updating(station) ? known : 'Idle';
      outbox.add('FirmwareStatusNotification', 'early', () => ({ status: reported }));
    },
    DiagnosticsStatusNotification: () => {
      const reported = station.diagnosticsStatus === 'Uploading' ? 'Uploading' : 'Idle';
      outbox.add('DiagnosticsStatusNotification', 'early', () => ({ status: reported }));
    },
  };
  const send = Object.hasOwn(messages, requestedMessage) ? messages[requestedMessage] : undefined;
  return send === undefined ? status('NotImplemented') : status('Accepted', send);
}

/** The rejection of each action. Actions without such a status only have a CALLERROR. */
function refusalOf(action: Action): Answer {
  switch (action) {
    case 'UnlockConnector':
      return status('UnlockFailed');
    case 'SendLocalList':
      return status('Failed');
    case 'ClearChargingProfile':
      return status('Unknown');
    case 'GetConfiguration':
    case 'GetDiagnostics':
    case 'GetLocalListVersion':
    case 'UpdateFirmware':
      throw new CallError('InternalError', 'The charge point cannot do this now');
    default:
      return status('Rejected');
  }
}

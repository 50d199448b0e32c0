import type { CommandKind, ExecutionReason, TriggerMessage } from '@chargehand/domain';
import type { DeviceCall } from '../../ports/devices/device-link.ts';
import { badAnswer, type Outcome, type Plan, readCallError } from '../ocpp/dialect.ts';
import { tokenListPlan } from '../ocpp/token-list.ts';
import { FILE_NAME_LENGTH, short } from '../ocpp/wire.ts';
import { LIST_DIALECT } from './token-list.ts';

/** The control types of the specification as messages of OCPP 1.6. Null: the call lacks a required value. */
export const COMMANDS: Readonly<Record<CommandKind, (call: DeviceCall) => Plan | null>> = {
  softReset: () => ({ action: 'Reset', payload: { type: 'Soft' }, read: readStatus }),
  hardReset: () => ({ action: 'Reset', payload: { type: 'Hard' }, read: readStatus }),
  disableSystem: () => changeAvailability(0, 'Inoperative'),
  enableSystem: () => changeAvailability(0, 'Operative'),
  disableConnector: ({ connector }) => changeAvailability(connector, 'Inoperative'),
  enableConnector: ({ connector }) => changeAvailability(connector, 'Operative'),
  upgradeSoftware: updateFirmware,
  uploadLog,
  updatePlcFirmware: vendorAction,
  startVpn: vendorAction,
  stopVpn: vendorAction,
  restartCcu: vendorAction,
  refreshConfiguration: () => getConfiguration(undefined),
  refreshParameters: ({ params }) => getConfiguration(params.key),
  setParameter: ({ params }) => changeConfiguration(params.key, params.value),
  remoteStart: ({ connector, params: { idTag } }) =>
    idTag === undefined
      ? null
      : { action: 'RemoteStartTransaction', payload: { connectorId: connector, idTag }, read: readStatus },
  remoteStop: ({ params: { transaction } }) =>
    transaction === undefined
      ? null
      : { action: 'RemoteStopTransaction', payload: { transactionId: Number(transaction) }, read: readStatus },
  unlockConnector: ({ connector }) => ({
    action: 'UnlockConnector',
    payload: { connectorId: connector },
    read: readStatus,
  }),
  clearCache: () => ({ action: 'ClearCache', payload: {}, read: readStatus }),
  triggerMessage,
  updateTokenList: ({ params: { tokenList } }) => tokenListPlan(LIST_DIALECT, tokenList),
  // Its fields are built from a message of the workbench (`messagePlan`).
  sendMessage: () => null,
  changePassword: ({ params: { password } }) =>
    password === undefined
      ? null
      : { action: 'ChangeConfiguration', payload: { key: 'AuthorizationKey', value: password }, read: readStatus },
};

/** Messages of the security whitepaper that ExtendedTriggerMessage (§5.9 there) requests, and their spelling there. */
const EXTENDED_TRIGGERS: Readonly<Partial<Record<TriggerMessage, string>>> = {
  LogStatusNotification: 'LogStatusNotification',
  SignCertificate: 'SignChargePointCertificate',
};

/** TriggerMessage (OCPP 1.6 §5.17): the answer comes before the message. */
function triggerMessage({ connector, params: { message } }: DeviceCall): Plan | null {
  if (message === undefined || message === 'TransactionEvent') return null;
  const extended = EXTENDED_TRIGGERS[message];
  const place = connector === 0 ? {} : { connectorId: connector };
  return {
    action: extended === undefined ? 'TriggerMessage' : 'ExtendedTriggerMessage',
    payload: { requestedMessage: extended ?? message, ...place },
    read: readStatus,
    awaits: (action, { connectorId = connector }) =>
      action === message && (connector === 0 || connectorId === connector),
  };
}

function changeAvailability(connectorId: number, type: 'Operative' | 'Inoperative'): Plan {
  return { action: 'ChangeAvailability', payload: { connectorId, type }, read: readStatus };
}

/** UpdateFirmware (OCPP 1.6 §5.19). Its answer is empty: any answer means accepted. */
function updateFirmware(call: DeviceCall): Plan | null {
  const { params } = call;
  if (params.signingCertificate !== undefined || params.signature !== undefined) return signedUpdateFirmware(call);
  const { location, retries, retryIntervalSeconds: retryInterval, retrieveAt: retrieveDate } = params;
  if (location === undefined || retrieveDate === undefined) return null;
  return {
    action: 'UpdateFirmware',
    payload: { location, retrieveDate, retries, retryInterval },
    read: () => ACCEPTED,
  };
}

/**
 * SignedUpdateFirmware of the security whitepaper (§5.21). No configuration key tells whether a charge point supports
 * it: the server sends it, and a charge point without support answers so. A signed firmware file is never sent
 * unsigned.
 */
function signedUpdateFirmware({ params }: DeviceCall): Plan | null {
  const { location, requestId, retrieveAt: retrieveDateTime, retries, retryIntervalSeconds: retryInterval } = params;
  const { signingCertificate, signature } = params;
  if (location === undefined || requestId === undefined || retrieveDateTime === undefined) return null;
  const firmware = { location, retrieveDateTime, signingCertificate, signature };
  return {
    action: 'SignedUpdateFirmware',
    payload: { retries, retryInterval, requestId, firmware },
    read: readStatus,
    readError: (code, description) =>
      code === 'NotImplemented' || code === 'NotSupported'
        ? { ...readCallError(code, description), reason: 'signedNotSupported' }
        : null,
  };
}

/** GetDiagnostics (OCPP 1.6 §5.9); logs of another kind by GetLog of the security extension. */
function uploadLog({ params }: DeviceCall): Plan | null {
  const { location, requestId, retries, retryIntervalSeconds: retryInterval, from, to, logType } = params;
  if (location === undefined || requestId === undefined) return null;
  if (logType === 'security') {
    const log = { remoteLocation: location, oldestTimestamp: from, latestTimestamp: to };
    const payload = { logType: 'SecurityLog', requestId, retries, retryInterval, log };
    return { action: 'GetLog', payload: JSON.parse(JSON.stringify(payload)), read: readLogStatus };
  }
  const payload = { location, retries, retryInterval, startTime: from, stopTime: to };
  return { action: 'GetDiagnostics', payload: JSON.parse(JSON.stringify(payload)), read: readDiagnostics };
}

const ACCEPTED: Outcome = { success: true, reason: 'accepted', detail: null, parameters: null };

/** No file name: the device has no log to upload (OCPP 1.6 §6.26). */
function readDiagnostics({ fileName }: Record<string, unknown>): Outcome {
  if (typeof fileName !== 'string' || fileName === '')
    return { success: false, reason: 'rejected', detail: null, parameters: null };
  return { ...ACCEPTED, detail: fileName.slice(0, FILE_NAME_LENGTH) };
}

/** The name of the file is the detail. */
function readLogStatus(answer: Record<string, unknown>): Outcome {
  const outcome = readStatus(answer);
  const { filename } = answer;
  return outcome.success && typeof filename === 'string'
    ? { ...outcome, detail: filename.slice(0, FILE_NAME_LENGTH) }
    : outcome;
}

/** Controls without a message in OCPP 1.6 use DataTransfer (§4.3), as the documentation for manufacturers describes. */
function vendorAction({ kind, params }: DeviceCall): Plan {
  const data = JSON.stringify(params);
  return {
    action: 'DataTransfer',
    payload: { vendorId: 'Chargehand', messageId: kind, data },
    // A device that only echoes the request reports nothing.
    read: (answer) => readVendorAnswer(answer, data),
  };
}

/** Statuses of DataTransfer (OCPP 1.6 §7.16). */
function readVendorAnswer(answer: Record<string, unknown>, sent: string): Outcome {
  const { status, data } = answer;
  const statusText = typeof data === 'string' && data !== '' && data !== sent ? data.slice(0, 500) : null;
  const unknown = { UnknownVendorId: 'unknownVendor', UnknownMessageId: 'unknownMessage' } as const;
  if (status === 'UnknownVendorId' || status === 'UnknownMessageId')
    return { success: false, reason: unknown[status], detail: statusText, parameters: null };
  const outcome = readStatus(answer);
  return { ...outcome, detail: outcome.detail ?? statusText };
}

function changeConfiguration(key: string | undefined, value: string | undefined): Plan | null {
  if (key === undefined || value === undefined) return null;
  return {
    action: 'ChangeConfiguration',
    payload: { key, value },
    read(answer) {
      const outcome = readStatus(answer);
      // OCPP 1.6 §5.3: NotSupported means that the key is unknown.
      if (outcome.reason === 'notSupported') return { ...outcome, reason: 'unknownKey' };
      if (!outcome.success) return outcome;
      const parameters = { entries: [{ key, value, readonly: false }], unknownKeys: [], complete: false };
      return { ...outcome, parameters };
    },
  };
}

function getConfiguration(key: string | undefined): Plan {
  return {
    action: 'GetConfiguration',
    payload: key === undefined ? {} : { key: [key] },
    read: (answer) => readConfiguration(answer, key),
  };
}

/**
 * Statuses of Reset, ChangeAvailability, ChangeConfiguration (OCPP 1.6 §7.8, §7.22, §7.40), remote start and stop,
 * TriggerMessage and UnlockConnector (§7.35, §7.51, §7.53), and of GetLog and SignedUpdateFirmware of the security
 * whitepaper.
 */
const STATUSES: Readonly<Record<string, { success: boolean; reason: ExecutionReason }>> = {
  Accepted: { success: true, reason: 'accepted' },
  Scheduled: { success: true, reason: 'scheduled' },
  RebootRequired: { success: true, reason: 'rebootRequired' },
  Rejected: { success: false, reason: 'rejected' },
  NotSupported: { success: false, reason: 'notSupported' },
  NotImplemented: { success: false, reason: 'notSupported' },
  Unlocked: { success: true, reason: 'unlocked' },
  UnlockFailed: { success: false, reason: 'unlockFailed' },
  // It cancelled an earlier update or upload for this one.
  AcceptedCanceled: { success: true, reason: 'acceptedCanceled' },
  InvalidCertificate: { success: false, reason: 'invalidCertificate' },
  RevokedCertificate: { success: false, reason: 'revokedCertificate' },
};

function readStatus(answer: Record<string, unknown>): Outcome {
  const { status } = answer;
  const known = typeof status === 'string' && Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined;
  return known ? { ...known, detail: null, parameters: null } : badAnswer(`status ${short(status)}`);
}

function readConfiguration(answer: Record<string, unknown>, key: string | undefined): Outcome {
  const { configurationKey = [], unknownKey = [] } = answer;
  if (!Array.isArray(configurationKey) || !Array.isArray(unknownKey)) return badAnswer('no list of keys');
  const entries = configurationKey
    .filter((entry) => typeof entry?.key === 'string')
    .map((entry) => ({
      key: entry.key as string,
      value: typeof entry.value === 'string' ? (entry.value as string) : null,
      readonly: entry.readonly === true,
    }));
  const unknownKeys = unknownKey.filter((name): name is string => typeof name === 'string');
  const parameters = { entries, unknownKeys, complete: key === undefined };
  if (key !== undefined && entries.length === 0) {
    return { success: false, reason: 'unknownKey', detail: key, parameters };
  }
  return { success: true, reason: 'accepted', detail: null, parameters };
}

/**
 * Reads an answer to a call that this connection did not send: an execution from before a restart, or one that timed
 * out. Its format shows what it answers. The value that was set is unknown, so only listed parameters are taken from
 * it.
 */
export function readUnexpected(answer: Record<string, unknown>): Outcome {
  if ('fileName' in answer) return readDiagnostics(answer);
  // UpdateFirmware is accepted with an empty answer; the device reports later whether it installed the firmware.
  if (Object.keys(answer).length === 0) return ACCEPTED;
  if (!('configurationKey' in answer) && !('unknownKey' in answer)) return readStatus(answer);
  const outcome = readConfiguration(answer, undefined);
  if (!outcome.parameters) return outcome;
  const parameters = { ...outcome.parameters, complete: false };
  const nothing = parameters.entries.length === 0 && parameters.unknownKeys.length > 0;
  return nothing
    ? { success: false, reason: 'unknownKey', detail: parameters.unknownKeys.join(', '), parameters }
    : { ...outcome, parameters };
}

/** Answers to messages from the workbench that contain parameters; null for any other. */
export function readMessage(
  { action, payload }: { action: string; payload: object },
  answer: Record<string, unknown>,
): Outcome | null {
  const { key, value } = payload as { key?: unknown; value?: unknown };
  if (action === 'ChangeConfiguration' && typeof key === 'string' && typeof value === 'string')
    return changeConfiguration(key, value)?.read(answer) ?? null;
  if (action !== 'GetConfiguration') return null;
  const outcome = readConfiguration(answer, undefined);
  // A request without keys requests all of them.
  const parameters = outcome.parameters && { ...outcome.parameters, complete: key === undefined };
  return { ...outcome, parameters };
}

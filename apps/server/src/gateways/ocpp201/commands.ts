import { type CommandKind, type EvseConnector, type ExecutionReason, evseConnector } from '@chargehand/domain';
import type { DeviceCall } from '../../ports/devices/device-link.ts';
import { badAnswer, type Outcome, type Plan } from '../ocpp/dialect.ts';
import { tokenListPlan } from '../ocpp/token-list.ts';
import { FILE_NAME_LENGTH, short } from '../ocpp/wire.ts';
import { type Component, KEY_CHARACTERS, readKey, type Variable, variableKey } from './keys.ts';
import type { ConnectionState } from './reports/state.ts';
import { LIST_DIALECT } from './tokens/token-list.ts';
import type { ParameterEntry } from './variables.ts';

type Planner = (call: DeviceCall, connection: ConnectionState) => Plan | null;

/** The control types of the specification as messages of OCPP 2.0.1. Null: the call lacks a required value. */
const COMMANDS: Readonly<Record<CommandKind, Planner>> = {
  softReset: (call) => reset('OnIdle', call),
  hardReset: (call) => reset('Immediate', call),
  disableSystem: () => changeAvailability(0, 'Inoperative'),
  enableSystem: () => changeAvailability(0, 'Operative'),
  disableConnector: ({ connector }) => changeAvailability(connector, 'Inoperative'),
  enableConnector: ({ connector }) => changeAvailability(connector, 'Operative'),
  upgradeSoftware: updateFirmware,
  uploadLog: getLog,
  updatePlcFirmware: vendorAction,
  startVpn: vendorAction,
  stopVpn: vendorAction,
  restartCcu: vendorAction,
  refreshConfiguration: (call, connection) => getBaseReport('FullInventory', call, connection),
  refreshParameters: (call, connection) =>
    call.params.key === undefined
      ? getBaseReport('ConfigurationInventory', call, connection)
      : getOne(call, connection),
  setParameter: ({ params }) => setVariables(params.key, params.value),
  remoteStart,
  remoteStop: ({ params: { transaction } }) =>
    transaction === undefined
      ? null
      : { action: 'RequestStopTransaction', payload: { transactionId: transaction }, read: readStatus },
  unlockConnector,
  clearCache: () => ({ action: 'ClearCache', payload: {}, read: readStatus }),
  triggerMessage,
  updateTokenList: ({ params: { tokenList } }) => tokenListPlan(LIST_DIALECT, tokenList),
  // Its fields are built from a message of the workbench (`messagePlan`).
  sendMessage: () => null,
  changePassword,
};

/** How a command is sent to a charging station. */
export function planOf(call: DeviceCall, connection: ConnectionState): Plan | null {
  return COMMANDS[call.kind](call, connection);
}

/** Resets the station, or one EVSE of it. */
function reset(type: 'OnIdle' | 'Immediate', { connector }: DeviceCall): Plan {
  const place = evseConnector(connector);
  return { action: 'Reset', payload: { type, ...(place ? { evseId: place.evse } : {}) }, read: readStatus };
}

/** RequestStartTransaction (OCPP 2.0.1 F01). Identifiers that the CSMS creates have the type Central. */
function remoteStart({ executionId, connector, params: { idTag, idTokenType = 'Central' } }: DeviceCall): Plan | null {
  const place = evseConnector(connector);
  if (idTag === undefined || !place) return null;
  return {
    action: 'RequestStartTransaction',
    payload: {
      evseId: place.evse,
      remoteStartId: requestIdOf(executionId),
      idToken: { idToken: idTag, type: idTokenType },
    },
    read: readStatus,
  };
}

/** UnlockConnector (OCPP 2.0.1 F05). */
function unlockConnector({ connector }: DeviceCall): Plan | null {
  const place = evseConnector(connector);
  if (place?.connector == null) return null;
  return {
    action: 'UnlockConnector',
    payload: { evseId: place.evse, connectorId: place.connector },
    read: readStatus,
  };
}

/** TriggerMessage (OCPP 2.0.1 F06): the answer comes before the message (F06.FR.04). */
function triggerMessage({ connector, params: { message } }: DeviceCall): Plan | null {
  if (message === undefined || message === 'DiagnosticsStatusNotification') return null;
  const place = evseConnector(connector);
  // Only statuses are reported by connector (F06.FR.12); meters and transactions belong to an EVSE.
  const connectorId = message === 'StatusNotification' && place ? connectorIn(place) : {};
  return {
    action: 'TriggerMessage',
    payload: {
      requestedMessage: message === 'SignCertificate' ? 'SignChargingStationCertificate' : message,
      ...(place ? { evse: { id: place.evse, ...connectorId } } : {}),
    },
    read: readStatus,
    awaits: (action, payload) => action === message && (place === null || isAt(payload, place)),
  };
}

/** True unless a message names another EVSE or connector. */
function isAt(payload: Record<string, unknown>, place: EvseConnector): boolean {
  const evse = payload.evse as { id?: unknown; connectorId?: unknown } | undefined;
  const { evseId = evse?.id ?? place.evse, connectorId = evse?.connectorId ?? place.connector } = payload;
  return evseId === place.evse && (place.connector === null || connectorId === place.connector);
}

/** The number of a connector in its EVSE; nothing for an EVSE as a whole. */
function connectorIn({ connector }: EvseConnector): { connectorId?: number } {
  return connector === null ? {} : { connectorId: connector };
}

/** SetBasicAuthPassword by the CSMS (OCPP 2.0.1 A01): the value is write-only. */
function changePassword({ params: { password } }: DeviceCall): Plan | null {
  if (password === undefined) return null;
  const place = { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' } };
  return {
    action: 'SetVariables',
    payload: { setVariableData: [{ attributeValue: password, ...place }] },
    read: readSetting,
  };
}

function changeAvailability(connector: number, operationalStatus: 'Inoperative' | 'Operative'): Plan {
  const place = evseConnector(connector);
  return {
    action: 'ChangeAvailability',
    payload: { operationalStatus, ...(place ? { evse: { id: place.evse, ...connectorIn(place) } } : {}) },
    read: readStatus,
  };
}

/** UpdateFirmware (OCPP 2.0.1 part 2 §1.62), with the manufacturer's signature and certificate (§L01). */
function updateFirmware({ params }: DeviceCall): Plan | null {
  const { location, requestId, retries, retryIntervalSeconds: retryInterval, retrieveAt } = params;
  const { signingCertificate, signature } = params;
  if (location === undefined || requestId === undefined || retrieveAt === undefined) return null;
  const firmware = { location, retrieveDateTime: retrieveAt, signingCertificate, signature };
  const payload = { requestId, retries, retryInterval, firmware };
  return { action: 'UpdateFirmware', payload: withoutGaps(payload), read: readStatus };
}

/** GetLog (OCPP 2.0.1 part 2 §1.30). The file name is the detail of the answer. */
function getLog({ params }: DeviceCall): Plan | null {
  const { location, requestId, retries, retryIntervalSeconds: retryInterval, from, to, logType } = params;
  if (location === undefined || requestId === undefined) return null;
  const log = { remoteLocation: location, oldestTimestamp: from, latestTimestamp: to };
  const type = logType === 'security' ? 'SecurityLog' : 'DiagnosticsLog';
  return {
    action: 'GetLog',
    payload: withoutGaps({ logType: type, requestId, retries, retryInterval, log }),
    read(answer) {
      const outcome = readStatus(answer);
      return outcome.success && typeof answer.filename === 'string'
        ? { ...outcome, detail: answer.filename.slice(0, FILE_NAME_LENGTH) }
        : outcome;
    },
  };
}

/** A payload without empty fields: the schemas do not allow null. */
function withoutGaps(payload: object): object {
  return JSON.parse(JSON.stringify(payload));
}

/** Controls without a message in OCPP 2.0.1 use DataTransfer, as the documentation for manufacturers describes. */
function vendorAction({ kind, params }: DeviceCall): Plan {
  const data = JSON.stringify(params);
  return {
    action: 'DataTransfer',
    payload: { vendorId: 'Chargehand', messageId: kind, data },
    read(answer) {
      const outcome = readStatus(answer);
      // A device that only echoes the request reports nothing.
      const answerData =
        typeof answer.data === 'string' && answer.data !== '' && answer.data !== data ? answer.data : null;
      return answerData === null ? outcome : { ...outcome, detail: answerData.slice(0, 500) };
    },
  };
}

/** The number of a report, derived from its execution, so that no two reports share one. */
function requestIdOf(executionId: string): number {
  return Number.parseInt(executionId.slice(0, 7), 16);
}

function getBaseReport(
  reportBase: 'FullInventory' | 'ConfigurationInventory',
  call: DeviceCall,
  connection: ConnectionState,
) {
  return report('GetBaseReport', { reportBase }, call, connection, reportBase === 'FullInventory');
}

/** Requests a report. The device's acceptance is only the start; success means that all parts have arrived. */
function report(
  action: 'GetBaseReport' | 'GetReport',
  what: object,
  { executionId }: DeviceCall,
  connection: ConnectionState,
  whole: boolean,
): Plan {
  const requestId = requestIdOf(executionId);
  connection.reports.requestReport(requestId, executionId, whole);
  return {
    action,
    payload: { requestId, ...what },
    read(answer) {
      if (answer.status === 'Accepted') return null;
      connection.reports.drop(requestId);
      return readStatus(answer);
    },
  };
}

/** For a variable its value is requested; for a component a report of all its variables. */
function getOne(call: DeviceCall, connection: ConnectionState): Plan | null {
  const place = readKey(call.params.key ?? '');
  if (!place) return null;
  const { component, variable } = place;
  if (!variable) return report('GetReport', { componentVariable: [{ component }] }, call, connection, false);
  return { action: 'GetVariables', payload: { getVariableData: [{ component, variable }] }, read: readVariables };
}

function setVariables(key: string | undefined, value: string | undefined): Plan | null {
  if (key === undefined || value === undefined) return null;
  const place = readKey(key);
  if (!place?.variable) return null;
  const { component, variable } = place;
  return {
    action: 'SetVariables',
    payload: { setVariableData: [{ attributeValue: value, component, variable }] },
    read(answer) {
      const outcome = readSetting(answer);
      if (!outcome.success) return outcome;
      return { ...outcome, parameters: parametersOutcome([{ key, value, readonly: false }]) };
    },
  };
}

/** The meaning of statuses in answers (OCPP 2.0.1 part 2 §3). */
const STATUSES: Readonly<Record<string, { success: boolean; reason: ExecutionReason }>> = {
  Accepted: { success: true, reason: 'accepted' },
  // It cancelled an earlier update or upload for this one.
  AcceptedCanceled: { success: true, reason: 'acceptedCanceled' },
  Scheduled: { success: true, reason: 'scheduled' },
  RebootRequired: { success: true, reason: 'rebootRequired' },
  // An empty report is complete.
  EmptyResultSet: { success: true, reason: 'accepted' },
  Rejected: { success: false, reason: 'rejected' },
  NotSupported: { success: false, reason: 'notSupported' },
  NotImplemented: { success: false, reason: 'notSupported' },
  Unlocked: { success: true, reason: 'unlocked' },
  UnlockFailed: { success: false, reason: 'unlockFailed' },
  OngoingAuthorizedTransaction: { success: false, reason: 'sessionInProgress' },
  UnknownConnector: { success: false, reason: 'connectorUnknown' },
  NotSupportedAttributeType: { success: false, reason: 'notSupported' },
  InvalidCertificate: { success: false, reason: 'invalidCertificate' },
  RevokedCertificate: { success: false, reason: 'revokedCertificate' },
  UnknownVendorId: { success: false, reason: 'unknownVendor' },
  UnknownMessageId: { success: false, reason: 'unknownMessage' },
  UnknownComponent: { success: false, reason: 'unknownKey' },
  UnknownVariable: { success: false, reason: 'unknownKey' },
};

function outcomeOf(status: unknown, info: unknown): Outcome {
  const known = typeof status === 'string' && Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined;
  return known ? { ...known, detail: wordsOf(info), parameters: null } : badAnswer(`status ${short(status)}`);
}

/** StatusInfoType in one line. */
function wordsOf(info: unknown): string | null {
  if (typeof info !== 'object' || info === null) return null;
  const { reasonCode, additionalInfo } = info as { reasonCode?: unknown; additionalInfo?: unknown };
  const words = [reasonCode, additionalInfo].filter((word) => typeof word === 'string' && word !== '');
  return words.length > 0 ? words.join(': ').slice(0, 500) : null;
}

function readStatus({ status, statusInfo }: Record<string, unknown>): Outcome {
  return outcomeOf(status, statusInfo);
}

/** One result of GetVariables or SetVariables. */
interface Result {
  attributeStatus: unknown;
  attributeStatusInfo?: unknown;
  attributeValue?: unknown;
  component: Component;
  variable: Variable;
}

function resultsIn(list: unknown): Result[] {
  if (!Array.isArray(list)) return [];
  return list.filter((one) => typeof one?.component?.name === 'string' && typeof one?.variable?.name === 'string');
}

function readSetting(answer: Record<string, unknown>): Outcome {
  const [result] = resultsIn(answer.setVariableResult);
  return result ? outcomeOf(result.attributeStatus, result.attributeStatusInfo) : badAnswer('no result');
}

function readVariables(answer: Record<string, unknown>): Outcome {
  const results = resultsIn(answer.getVariableResult);
  const [first] = results;
  if (!first) return badAnswer('no result');
  const outcome = outcomeOf(first.attributeStatus, first.attributeStatusInfo);
  const keyOf = ({ component, variable }: Result) => variableKey(component, variable).slice(0, KEY_CHARACTERS);
  const entries = results
    .filter(({ attributeStatus }) => attributeStatus === 'Accepted')
    .map((result) => ({
      key: keyOf(result),
      value: typeof result.attributeValue === 'string' ? result.attributeValue : null,
      // Only reports tell whether it can be set.
      readonly: null,
    }));
  const unknown = results.filter(
    ({ attributeStatus }) => attributeStatus === 'UnknownComponent' || attributeStatus === 'UnknownVariable',
  );
  return { ...outcome, parameters: parametersOutcome(entries, unknown.map(keyOf)) };
}

function parametersOutcome(entries: ParameterEntry[], unknownKeys: string[] = []): Outcome['parameters'] {
  return { entries, unknownKeys, complete: false };
}

/** Reads an answer to a call that this connection did not send, by its format. The value that was set is unknown. */
export function readUnexpected(answer: Record<string, unknown>): Outcome {
  if ('getVariableResult' in answer) return readVariables(answer);
  return 'setVariableResult' in answer ? readSetting(answer) : readStatus(answer);
}

/** Answers to messages from the workbench that contain parameters; null for any other. */
export function readMessage(
  { action, payload }: { action: string; payload: object },
  answer: Record<string, unknown>,
): Outcome | null {
  if (action === 'GetVariables') return readVariables(answer);
  if (action !== 'SetVariables') return null;
  const outcome = readSetting(answer);
  const { setVariableData } = payload as { setVariableData: (Result & { attributeValue: string })[] };
  const entries = resultsIn(answer.setVariableResult)
    .filter(({ attributeStatus }) => attributeStatus === 'Accepted')
    .flatMap(({ component, variable }) => {
      const key = variableKey(component, variable);
      const sent = setVariableData.find((one) => variableKey(one.component, one.variable) === key);
      return sent ? [{ key: key.slice(0, KEY_CHARACTERS), value: sent.attributeValue, readonly: null }] : [];
    });
  return { ...outcome, parameters: parametersOutcome(entries) };
}

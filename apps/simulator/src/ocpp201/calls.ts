import type { Station } from '../behaviour/station.ts';
import { type Answer, answerCall as answerCall16, takeEffect } from '../ocpp16/calls.ts';
import { CallError, type CallErrorCode, type Payload } from '../wire/wire.ts';
import { Ocpp201Outbox } from './outbox.ts';
import { ITEMS_PER_MESSAGE, isMatch, reported, type VariableName, variablesOf } from './variables.ts';

/** The fields of requests that the handlers below read; each handler reads those of its action. */
interface VariableRequest {
  certificateChain: string;
  certificateType?: string;
  operationalStatus: string;
  evse?: { id: number };
  evseId: number;
  requestId: number;
  reportBase: string;
  log: { remoteLocation: string };
  logType: string;
  componentVariable?: VariableName[];
  getVariableData: VariableName[];
  setVariableData: (VariableName & { attributeValue: string })[];
  idToken: { idToken: string };
  remoteStartId: number;
  transactionId: string;
  type: string;
  requestedMessage: string;
  firmware: { location: string; retrieveDateTime: string; signingCertificate?: string; signature?: string };
  retries?: number;
  retryInterval?: number;
}

/**
 * Responds to a CALL in OCPP 2.0.1 and executes it with the OCPP 1.6 functions of the charge point.
 * @param refuse respond like a charge point that cannot execute the CALL now, and do nothing. Throws CallError when the
 * response is a CALLERROR.
 */
export function answerCall(station: Station, action: string, payload: unknown, refuse: boolean): Answer {
  const handler = Object.hasOwn(HANDLERS, action) ? HANDLERS[action] : undefined;
  if (!handler) throw new CallError('NotImplemented', `${action.slice(0, 50)} is not known here`);
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw new CallError('FormationViolation', 'The payload is not an object');
  }
  if (refuse) {
    if (REFUSED_BY_ERROR.has(action)) throw new CallError('InternalError', 'The charging station cannot do this now');
    return { payload: { status: 'Rejected' } };
  }
  try {
    return handler(station, payload as VariableRequest);
  } catch (error) {
    if (error instanceof TypeError) throw new CallError('FormationViolation', 'The payload lacks what it needs');
    throw error;
  }
}

/** The codes of OCPP-J 2.0.1 §4.3 with a spelling different from OCPP 1.6. */
export const CODES_201: Readonly<Partial<Record<CallErrorCode, string>>> = {
  FormationViolation: 'FormatViolation',
  OccurenceConstraintViolation: 'OccurrenceConstraintViolation',
};

/** Actions whose response has no status to reject with. */
const REFUSED_BY_ERROR: ReadonlySet<string> = new Set(['GetVariables', 'SetVariables']);

const as16 = (station: Station, action: string, payload: Payload): Answer =>
  // Omits undefined fields, which would have the wrong type.
  answerCall16(station, action, JSON.parse(JSON.stringify(payload)), false);

const HANDLERS: Readonly<Record<string, (station: Station, request: VariableRequest) => Answer>> = {
  ChangeAvailability: (station, { operationalStatus, evse }) => {
    const connectorId = evse?.id ?? 0;
    return as16(station, 'ChangeAvailability', { connectorId, type: operationalStatus });
  },
  CertificateSigned: (station, { certificateChain, certificateType }) =>
    certificateType === 'V2GCertificate'
      ? { payload: { status: 'Rejected' } }
      : as16(station, 'CertificateSigned', { certificateChain }),
  ClearCache: (station) => as16(station, 'ClearCache', {}),
  DataTransfer: (station, request) => as16(station, 'DataTransfer', { ...request }),
  GetBaseReport: (station, { requestId, reportBase }) => {
    const writable = reportBase === 'ConfigurationInventory';
    return report(station, requestId, (entry) => !writable || entry.write !== null);
  },
  GetLog: (station, { requestId, log, logType }) => {
    outboxOf(station).requests.log = requestId;
    if (logType !== 'DiagnosticsLog') return { payload: { status: 'Rejected' } };
    const { payload, afterwards } = as16(station, 'GetDiagnostics', { location: log.remoteLocation });
    const { fileName } = payload;
    if (fileName === undefined) return { payload: { status: 'Rejected' } };
    return { payload: { status: 'Accepted', filename: fileName }, ...(afterwards && { afterwards }) };
  },
  GetReport: (station, { requestId, componentVariable = [] }) => {
    const all = componentVariable.length === 0;
    return report(station, requestId, (entry) => all || componentVariable.some((one) => isMatch(entry, one)));
  },
  GetVariables: (station, { getVariableData }) => ({
    payload: { getVariableResult: getVariableData.map((one) => getOne(station, one)) },
  }),
  // OCPP 1.6 has cards of 20 characters.
  RequestStartTransaction: (station, { evseId, idToken, remoteStartId }) => {
    const idTag = idToken.idToken.slice(0, 20);
    const answer = as16(station, 'RemoteStartTransaction', { connectorId: evseId, idTag });
    if (answer.afterwards) outboxOf(station).remoteStarts.set(idTag, remoteStartId);
    return answer;
  },
  RequestStopTransaction: (station, { transactionId }) => {
    const connector = outboxOf(station).connectorOf(transactionId);
    const running = connector === null ? undefined : station.connector(connector)?.session?.transaction?.id;
    if (running == null) return { payload: { status: 'Rejected' } };
    return as16(station, 'RemoteStopTransaction', { transactionId: running });
  },
  Reset: (station, { type, evseId }) => {
    // All outlets share one power stage, so a single one cannot be reset (OCPP 2.0.1 B11.FR.10).
    if (evseId !== undefined)
      return { payload: { status: 'Rejected', statusInfo: { reasonCode: 'UnsupportedRequest' } } };
    return as16(station, 'Reset', { type: type === 'Immediate' ? 'Hard' : 'Soft' });
  },
  SetVariables: (station, { setVariableData }) => {
    const changed: string[] = [];
    const results = setVariableData.map((one) => setOne(station, one, (key) => changed.push(key)));
    return {
      payload: { setVariableResult: results },
      afterwards: () => {
        for (const key of changed) takeEffect(station, key);
      },
    };
  },
  TriggerMessage: (station, { requestedMessage, evse }) => {
    const connectorId = evse?.id;
    const named = requestedMessage === 'LogStatusNotification' ? 'DiagnosticsStatusNotification' : requestedMessage;
    return as16(station, 'TriggerMessage', { requestedMessage: named, connectorId });
  },
  UnlockConnector: (station, { evseId }) => {
    const { payload, afterwards } = as16(station, 'UnlockConnector', { connectorId: evseId });
    const status = payload.status === 'NotSupported' ? 'UnknownConnector' : payload.status;
    return { payload: { status }, ...(afterwards && { afterwards }) };
  },
  UpdateFirmware: (station, { requestId, firmware, retries, retryInterval }) => {
    const { location, retrieveDateTime: retrieveDate, signingCertificate, signature } = firmware;
    outboxOf(station).requests.firmware = requestId;
    if (signingCertificate !== undefined && signature !== undefined)
      return as16(station, 'SignedUpdateFirmware', {
        ...{ requestId, retries, retryInterval },
        firmware: { location, retrieveDateTime: retrieveDate, signingCertificate, signature },
      });
    const { afterwards } = as16(station, 'UpdateFirmware', { location, retrieveDate, retries, retryInterval });
    // Nothing to do after the response means that an update is already in progress.
    return afterwards ? { payload: { status: 'Accepted' }, afterwards } : { payload: { status: 'Rejected' } };
  },
};

function outboxOf(station: Station): Ocpp201Outbox {
  if (!(station.outbox instanceof Ocpp201Outbox)) throw new Error(`${station.identity.sn} does not use OCPP 2.0.1`);
  return station.outbox;
}

/** Sends variables in as many NotifyReports as necessary, after the response. */
function report(
  station: Station,
  requestId: number,
  wanted: (entry: ReturnType<typeof variablesOf>[number]) => boolean,
): Answer {
  const entries = variablesOf(station, () => undefined).filter(wanted);
  if (entries.length === 0) return { payload: { status: 'EmptyResultSet' } };
  const parts = Array.from({ length: Math.ceil(entries.length / ITEMS_PER_MESSAGE) }, (_, part) =>
    entries.slice(part * ITEMS_PER_MESSAGE, (part + 1) * ITEMS_PER_MESSAGE),
  );
  const send = (): void => {
    for (const [seqNo, part] of parts.entries()) {
      const tbc = seqNo < parts.length - 1;
      const generatedAt = station.timestamp();
      station.outbox.add('NotifyReport', 'early', () => ({
        ...{ requestId, generatedAt, seqNo, tbc },
        reportData: part.map(reported),
      }));
    }
  };
  return { payload: { status: 'Accepted' }, afterwards: send };
}

function getOne(station: Station, { component, variable }: VariableName): Payload {
  const entries = variablesOf(station, () => undefined);
  const entry = entries.find((one) => isMatch(one, { component, variable }));
  const attributeStatus = entry ? 'Accepted' : missing(entries, component);
  return { component, variable, attributeStatus, ...(entry ? { attributeValue: entry.read() } : {}) };
}

function setOne(
  station: Station,
  { component, variable, attributeValue }: VariableName & { attributeValue: string },
  changed: (key: string) => void,
): Payload {
  const entries = variablesOf(station, changed);
  const entry = entries.find((one) => isMatch(one, { component, variable }));
  if (!entry) return { component, variable, attributeStatus: missing(entries, component) };
  return { component, variable, attributeStatus: entry.write?.(attributeValue) ?? 'Rejected' };
}

function missing(entries: readonly VariableName[], component: VariableName['component']): string {
  return entries.some((entry) => isMatch(entry, { component })) ? 'UnknownVariable' : 'UnknownComponent';
}

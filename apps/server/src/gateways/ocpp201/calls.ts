import { connectorNumber, reportedTime, trustedTime } from '@chargehand/domain';
import type { UplinkEvent } from '../../ports/uplink.ts';
import { type CallContext, type Handled, plain } from '../ocpp/dialect.ts';
import { securityAlarms } from '../ocpp/security-events.ts';
import { signCertificate } from './certificates.ts';
import type { EventData } from './reports/alarms.ts';
import { availabilityReports, statusEvent } from './reports/availability.ts';
import type { NamedEvse } from './reports/evses.ts';
import { type MeterValue, mapMeterValues } from './reports/readings.ts';
import type { ConnectionState } from './reports/state.ts';
import { type IdToken, idTokenInfo } from './tokens.ts';
import { transactionEvent } from './transactions.ts';
import { severities } from './triggered-requests.ts';
import { parameterOf, type ReportData, reportedVariables, valueEvents } from './variables.ts';

interface ConnectionContext extends CallContext {
  connection: ConnectionState;
}

type Handler = (payload: never, context: ConnectionContext) => Handled;

const UNTRUSTED = 'its time is not plausible; stored with the time of receipt';

/**
 * The messages that a charging station may send in OCPP 2.0.1 (part 2 §1), and their meaning. Payloads have passed
 * their schema. Messages that the product does not use are accepted and recorded in the protocol log. Requests that it
 * cannot fulfil are answered with the status that the specification defines for that.
 */
export const CALLS: Readonly<Record<string, Handler>> = {
  Authorize: authorize,
  BootNotification: bootNotification,
  ClearedChargingLimit: () => plain({}),
  // No vendor data is supported yet.
  DataTransfer: () => plain({ status: 'UnknownVendorId' }),
  FirmwareStatusNotification: (payload: Status, context) => plain({}, [statusOf('firmwareStatus', payload, context)]),
  // No contract certificates: this system has no clearing house.
  Get15118EVCertificate: () => plain({ status: 'Failed', exiResponse: '' }),
  GetCertificateStatus: () => plain({ status: 'Failed' }),
  Heartbeat: (_payload: object, { receivedAt }) => plain({ currentTime: receivedAt.toISOString() }),
  LogStatusNotification: (payload: Status, context) => plain({}, [statusOf('diagnosticsStatus', payload, context)]),
  MeterValues: meterValues,
  NotifyChargingLimit: () => plain({}),
  NotifyCustomerInformation: () => plain({}),
  NotifyDisplayMessages: () => plain({}),
  // This system does not plan charging for vehicles. OCPP 2.0.1 K15.FR.06: the station then plans by itself.
  NotifyEVChargingNeeds: () => plain({ status: 'Rejected' }),
  NotifyEVChargingSchedule: () => plain({ status: 'Accepted' }),
  NotifyEvent: notifyEvent,
  NotifyMonitoringReport: notifyMonitoringReport,
  NotifyReport: notifyReport,
  PublishFirmwareStatusNotification: () => plain({}),
  ReportChargingProfiles: () => plain({}),
  ReservationStatusUpdate: () => plain({}),
  SecurityEventNotification: (payload: { type: string; timestamp: string; techInfo?: string }, { receivedAt }) =>
    plain({}, securityAlarms(payload, receivedAt)),
  SignCertificate: signCertificate,
  StatusNotification: statusNotification,
  TransactionEvent: transactionEvent,
};

interface Status {
  status: string;
  requestId?: number;
}

function statusOf(
  kind: 'firmwareStatus' | 'diagnosticsStatus',
  { status, requestId }: Status,
  { receivedAt }: CallContext,
): UplinkEvent {
  return { kind, at: receivedAt, status, ...(requestId === undefined ? {} : { requestId: String(requestId) }) };
}

/** A contract certificate cannot be verified here, and an unverified one is not reported as valid. */
function authorize(
  payload: { idToken: IdToken; certificate?: string; iso15118CertificateHashData?: unknown[] },
  { receivedAt }: CallContext,
): Handled {
  const withContract = payload.certificate !== undefined || payload.iso15118CertificateHashData !== undefined;
  const { idToken: value, type } = payload.idToken;
  return {
    ...plain({}),
    token: {
      request: { value, type, purpose: 'authorize', at: receivedAt, connector: 0, session: null },
      answer: (decided) => ({
        idTokenInfo: idTokenInfo(decided),
        ...(withContract ? { certificateStatus: 'NoCertificateAvailable' } : {}),
      }),
    },
  };
}

/** Every device that passed the handshake is accepted: unregistered and disabled devices are refused before. */
function bootNotification(
  payload: { reason: string; chargingStation: Record<string, unknown> & { firmwareVersion?: string } },
  { receivedAt, heartbeatSeconds }: ConnectionContext,
): Handled {
  const { modem, customData: _, ...station } = payload.chargingStation;
  const answer = { status: 'Accepted', currentTime: receivedAt.toISOString(), interval: heartbeatSeconds };
  const booted: UplinkEvent = {
    kind: 'booted',
    at: receivedAt,
    softVersion: station.firmwareVersion ?? null,
    boot: { ...station, ...(modem as Record<string, unknown> | undefined), reason: payload.reason },
    triggered: payload.reason === 'Triggered',
  };
  return { ...plain(answer, [booted]), followUps: [severities()] };
}

function statusNotification(
  payload: { timestamp: string; connectorStatus: string; evseId: number; connectorId: number },
  { receivedAt, connection }: ConnectionContext,
): Handled {
  const reported = reportedTime(payload.timestamp);
  const { at, trusted } = trustedTime(reported, receivedAt);
  const { evseId: id, connectorId, connectorStatus } = payload;
  const places = connectorId === 0 ? connection.evses.placesOfStatus({ id }) : [connectorNumber(id, connectorId) ?? 0];
  if (connectorId !== 0) connection.evses.reportsIndividually(id);
  return {
    events: places.map((place) => statusEvent(place, at, connectorStatus)),
    notes: trusted ? [] : [UNTRUSTED],
    answer: {},
    deviceTime: reported,
  };
}

function meterValues(
  payload: { evseId: number; meterValue: MeterValue[] },
  { receivedAt, connection }: ConnectionContext,
): Handled {
  const connector = connection.evses.place({ id: payload.evseId }) ?? 0;
  return { ...mapMeterValues(connector, payload.meterValue, receivedAt), answer: {}, deviceTime: null };
}

function notifyEvent(
  payload: { generatedAt: string; eventData: EventData[] },
  { receivedAt, connection }: ConnectionContext,
): Handled {
  const values = payload.eventData.map(({ component, variable, actualValue }) => ({
    ...{ component, variable },
    value: actualValue,
  }));
  const { eventData } = payload;
  const { evses } = connection;
  const stored = valueEvents(values, payload.generatedAt, receivedAt, (evse) => evses.place(evse));
  const availability = availabilityReports(eventData, evses, receivedAt);
  const alarms = eventData.flatMap((event) => connection.monitors.alarms(event, evses, receivedAt));
  const unknown = eventData.filter(({ trigger }) => trigger === 'Alerting').filter(connection.monitors.needsSeverity);
  return {
    events: [...availability.events, ...alarms, ...stored.events],
    notes: availability.notes,
    refused: stored.refused,
    answer: {},
    deviceTime: null,
    ...(unknown.length > 0 ? { followUps: [severities()] } : {}),
  };
}

function notifyMonitoringReport(
  payload: { monitor?: { variableMonitoring: { id: number; severity: number }[] }[] },
  { connection }: ConnectionContext,
): Handled {
  const monitors = (payload.monitor ?? []).flatMap(({ variableMonitoring }) => variableMonitoring);
  return plain(
    {},
    monitors.flatMap(({ id, severity }) => connection.monitors.learn(id, severity)),
  );
}

function notifyReport(
  payload: { requestId: number; generatedAt: string; seqNo: number; tbc?: boolean; reportData?: ReportData[] },
  { receivedAt, connection }: ConnectionContext,
): Handled {
  const { requestId, seqNo, tbc = false, reportData = [], generatedAt } = payload;
  const executionId = connection.requestedReports?.executionOf(requestId);
  const entries = reportData.map(parameterOf).filter((entry) => entry !== null);
  const more = connection.requestedReports?.part({ requestId, seqNo, tbc }, entries, receivedAt) ?? [];
  const by = executionId ? { executionId } : {};
  const left = reportData.length - entries.length;
  // What a station has does not depend on the present use.
  const place = (evse: NamedEvse) => connection.evses.place(evse, { isNow: false });
  const values = valueEvents(reportedVariables(reportData), generatedAt, receivedAt, place);
  return {
    events: [
      ...(entries.length > 0
        ? [{ kind: 'parameters' as const, at: receivedAt, ...by, entries, unknownKeys: [], complete: false }]
        : []),
      ...values.events,
      ...more,
    ],
    refused: values.refused,
    notes: left > 0 ? [`${left} variables are left out: they have no actual value or their name is too long`] : [],
    answer: {},
    deviceTime: null,
  };
}

import { isWritableTime, reportedTime, statusIn16, TOKEN_LENGTHS, trustedTime } from '@chargehand/domain';
import type { Decided, TokenRequest } from '../../ports/devices/authorizer.ts';
import type { Stored } from '../../ports/uplink.ts';
import { type CallContext, type Handled, plain } from '../ocpp/dialect.ts';
import { securityAlarms } from '../ocpp/security-events.ts';
import { signCertificate } from './certificates.ts';
import { type MeterValue, mapMeterValues } from './mapping/readings.ts';

type Handler = (payload: never, context: CallContext) => Handled;

/**
 * The messages that a charge point may send in the OCPP 1.6 profiles Core and Firmware Management (Remote Trigger uses
 * the same ones) and in its security whitepaper, and their meaning. Payloads have passed their schema.
 */
export const CALLS: Readonly<Record<string, Handler>> = {
  Authorize: ({ idTag }: { idTag: string }, { receivedAt }) => ({
    ...plain({}),
    token: {
      request: presented(idTag, 'authorize', receivedAt),
      answer: (decided) => ({ idTagInfo: idTagInfo(decided) }),
    },
  }),
  BootNotification: bootNotification,
  // No vendor data is supported yet: OCPP 1.6 §4.3 defines the answer for that.
  DataTransfer: () => plain({ status: 'UnknownVendorId' }),
  DiagnosticsStatusNotification: (payload: { status: string }, { receivedAt }) =>
    plain({}, [{ kind: 'diagnosticsStatus', at: receivedAt, status: payload.status }]),
  FirmwareStatusNotification: (payload: { status: string }, { receivedAt }) =>
    plain({}, [{ kind: 'firmwareStatus', at: receivedAt, status: payload.status }]),
  Heartbeat: (_payload: object, { receivedAt }) => plain({ currentTime: receivedAt.toISOString() }),
  // Security whitepaper: logs that were requested by GetLog.
  LogStatusNotification: (payload: { status: string; requestId?: number }, { receivedAt }) => {
    const requestId = payload.requestId === undefined ? undefined : String(payload.requestId);
    return plain({}, [{ kind: 'diagnosticsStatus', at: receivedAt, status: payload.status, requestId }]);
  },
  MeterValues: meterValues,
  SecurityEventNotification: (payload: { type: string; timestamp: string; techInfo?: string }, { receivedAt }) =>
    plain({}, securityAlarms(payload, receivedAt)),
  SignCertificate: signCertificate,
  // Security whitepaper: progress of a SignedUpdateFirmware.
  SignedFirmwareStatusNotification: (payload: { status: string; requestId?: number }, { receivedAt }) => {
    const requestId = payload.requestId === undefined ? undefined : String(payload.requestId);
    return plain({}, [{ kind: 'firmwareStatus', at: receivedAt, status: payload.status, requestId }]);
  },
  StartTransaction: startTransaction,
  StatusNotification: statusNotification,
  StopTransaction: stopTransaction,
};

function presented(value: string, purpose: TokenRequest['purpose'], at: Date, connector = 0): TokenRequest {
  return { value, type: null, purpose, at, connector, session: null };
}

/** IdTagInfo (OCPP 1.6 §7.27). A group that is longer than an idTag cannot be sent. */
function idTagInfo({ status, group, until }: Decided): object {
  return {
    status: statusIn16(status),
    ...(group !== null && group.length <= TOKEN_LENGTHS['ocpp1.6'] ? { parentIdTag: group } : {}),
    ...(until === null ? {} : { expiryDate: until.toISOString() }),
  };
}

function bootNotification(payload: Record<string, unknown>, context: CallContext): Handled {
  const { firmwareVersion } = payload;
  return plain(
    { status: 'Accepted', currentTime: context.receivedAt.toISOString(), interval: context.heartbeatSeconds },
    [
      {
        kind: 'booted',
        at: context.receivedAt,
        softVersion: typeof firmwareVersion === 'string' ? firmwareVersion : null,
        boot: payload,
      },
    ],
  );
}

function statusNotification(
  payload: {
    connectorId: number;
    errorCode: string;
    status: string;
    info?: string;
    timestamp?: string;
    vendorErrorCode?: string;
  },
  { receivedAt }: CallContext,
): Handled {
  const reported = payload.timestamp === undefined ? null : reportedTime(payload.timestamp);
  const { at, trusted } = trustedTime(reported, receivedAt);
  return {
    events: [
      {
        kind: 'connectorStatus',
        connector: payload.connectorId,
        at,
        status: payload.status,
        errorCode: payload.errorCode,
        vendorErrorCode: payload.vendorErrorCode || null,
        info: payload.info || null,
      },
    ],
    notes: trusted ? [] : [UNTRUSTED],
    answer: {},
    deviceTime: reported,
  };
}

const UNTRUSTED = 'its time is not plausible; stored with the time of receipt';

function meterValues(
  payload: { connectorId: number; transactionId?: number; meterValue: MeterValue[] },
  { receivedAt }: CallContext,
): Handled {
  const transactionId = knownTransaction(payload.transactionId);
  const readings = mapMeterValues(payload.connectorId, transactionId, payload.meterValue, receivedAt);
  const last = payload.meterValue.at(-1);
  return {
    ...readings,
    answer: {},
    // Values of a transaction may have been stored in the charge point while it was offline (OCPP 1.6 §3.7.1), so they
    // do not show its clock.
    deviceTime: last && transactionId === null ? reportedTime(last.timestamp) : null,
  };
}

/** Charge points without a transaction send none, 0 or -1. */
function knownTransaction(id: number | undefined): number | null {
  return id !== undefined && id > 0 ? id : null;
}

function startTransaction(
  payload: { connectorId: number; idTag: string; meterStart: number; timestamp: string },
  { receivedAt }: CallContext,
): Handled {
  const reported = reportedTime(payload.timestamp);
  // The charge point's own time, even if wrong: it identifies a repeated start of the same transaction.
  const at = isWritableTime(reported) ? reported : receivedAt;
  const { trusted } = trustedTime(reported, receivedAt);
  return {
    events: [
      {
        kind: 'transactionStarted',
        connector: payload.connectorId,
        at,
        idTag: payload.idTag,
        meterStart: payload.meterStart,
        clockFault: !trusted,
      },
    ],
    notes: trusted ? [] : ['its time is not plausible; stored anyway to recognize a repetition'],
    answer: {},
    token: {
      // A charge point that was offline reports a start later: the token was presented at that time.
      request: presented(payload.idTag, 'start', trusted ? at : receivedAt, payload.connectorId),
      answer:
        (decided) =>
        ({ transactionId }: Stored) => {
          if (transactionId === null) throw new Error('The transaction was stored without an id');
          return { transactionId, idTagInfo: idTagInfo(decided) };
        },
    },
    deviceTime: null,
  };
}

function stopTransaction(
  payload: {
    transactionId: number;
    timestamp: string;
    meterStop: number;
    idTag?: string;
    reason?: string;
    transactionData?: MeterValue[];
  },
  { receivedAt }: CallContext,
): Handled {
  const { at, trusted } = trustedTime(reportedTime(payload.timestamp), receivedAt);
  // The message does not name the connector: the readings of the transaction belong to the charge point as a whole.
  const data = mapMeterValues(0, knownTransaction(payload.transactionId), payload.transactionData ?? [], receivedAt);
  return {
    events: [
      {
        kind: 'transactionStopped',
        transactionId: payload.transactionId,
        at,
        idTag: payload.idTag ?? null,
        meterStop: payload.meterStop,
        clockFault: !trusted,
        // OCPP 1.6 §4.10: a missing reason means Local.
        reason: payload.reason ?? 'Local',
      },
      ...data.events,
    ],
    notes: trusted ? data.notes : [UNTRUSTED, ...data.notes],
    refused: data.refused,
    answer: {},
    ...(payload.idTag === undefined
      ? {}
      : {
          token: {
            request: presented(payload.idTag, 'use', at),
            answer: (decided: Decided) => ({ idTagInfo: idTagInfo(decided) }),
          },
        }),
    deviceTime: null,
  };
}

import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '../behaviour/faults.ts';
import { type CallKind, Outbox, type Reply } from '../wire/outbox.ts';
import type { Payload } from '../wire/wire.ts';
import { meterValues } from './meter-values.ts';

/** An OCPP 2.0.1 transaction: the charging station assigns its id and numbers its events. */
interface Transaction {
  name: string;
  connectorId: number;
  seqNo: number;
}

/**
 * Translates the messages of an OCPP 1.6 charge point to OCPP 2.0.1, because its other parts only use 1.6. Responses
 * are translated back.
 */
export class Ocpp201Outbox extends Outbox {
  /** request ids of the last UpdateFirmware and GetLog, which their reports repeat */
  readonly requests: { firmware: number | null; log: number | null } = { firmware: null, log: null };
  /** remote start ids, by the id token of their transactions */
  readonly remoteStarts = new Map<string, number>();
  readonly #transactions = new Map<number, Transaction>();
  /** the last reported fault, by connector */
  readonly #faults = new Map<number, string>();
  #boots = 0;
  #numbers = 0;
  #events = 0;

  override add(action: string, kind: CallKind, build: () => Payload, onReply?: (reply: Reply) => void): void {
    const say = (
      name: string,
      payload: () => Payload,
      read: (answer: Payload) => Payload = (answer) => answer,
    ): void => {
      const listener = onReply && ((reply: Reply) => onReply(translated(reply, read)));
      super.add(name, kind, once(payload), listener);
    };
    switch (action) {
      case 'BootNotification':
        say(action, () => this.#boot(build()));
        break;
      case 'Authorize':
        say(action, () => ({ idToken: tokenOf(build().idTag) }), idTagInfo);
        break;
      case 'StartTransaction':
        this.#start(build(), say);
        break;
      case 'StopTransaction':
        say('TransactionEvent', this.#ended(build), idTagInfo);
        break;
      case 'MeterValues':
        if (kind === 'transaction') say('TransactionEvent', this.#sampled(build));
        else say(action, () => sampled(build()));
        break;
      case 'StatusNotification':
        this.#status(build(), kind, say, onReply);
        break;
      case 'FirmwareStatusNotification':
        say(action, () => ({ ...build(), ...requestId(this.requests.firmware) }));
        break;
      case 'SignedFirmwareStatusNotification':
        say('FirmwareStatusNotification', build);
        break;
      case 'DiagnosticsStatusNotification':
        say('LogStatusNotification', () => ({ status: logStatus(build()), ...requestId(this.requests.log) }));
        break;
      default:
        say(action, build);
    }
  }

  /** The connector of the running transaction with this id. */
  connectorOf(transactionId: string): number | null {
    for (const { name, connectorId } of this.#transactions.values()) if (name === transactionId) return connectorId;
    return null;
  }

  #boot({ chargePointVendor, chargePointModel, chargePointSerialNumber, firmwareVersion, iccid }: Payload): Payload {
    this.#boots += 1;
    return {
      reason: this.#boots === 1 ? 'PowerUp' : 'RemoteReset',
      chargingStation: {
        vendorName: chargePointVendor,
        model: String(chargePointModel).slice(0, 20),
        serialNumber: String(chargePointSerialNumber).slice(0, 25),
        firmwareVersion,
        modem: { iccid },
      },
    };
  }

  #start(start: Payload, say: Say): void {
    const { connectorId, idTag, meterStart, timestamp } = start as { connectorId: number } & Payload;
    this.#numbers += 1;
    const number = this.#numbers;
    const transaction = { name: randomUUID(), connectorId, seqNo: 0 };
    this.#transactions.set(number, transaction);
    const offline = !this.ready;
    const remoteStartId = this.remoteStarts.get(String(idTag));
    this.remoteStarts.delete(String(idTag));
    const [trigger, remote] = remoteStartId === undefined ? ['Authorized', {}] : ['RemoteStart', { remoteStartId }];
    say(
      'TransactionEvent',
      () => ({
        ...event(transaction, 'Started', trigger, { timestamp, offline, chargingState: 'Charging', ...remote }),
        evse: { id: connectorId, connectorId: 1 },
        idToken: tokenOf(idTag),
        meterValue: [register(meterStart, timestamp, 'Transaction.Begin')],
      }),
      // The number is internal, because the other parts identify transactions by numbers.
      (answer) => ({ transactionId: number, ...idTagInfo(answer) }),
    );
  }

  #sampled(build: () => Payload): () => Payload {
    const offline = !this.ready;
    return () => {
      const { transactionId, meterValue } = build();
      const transaction = this.#of(transactionId);
      const timestamp = (meterValue as Payload[])[0]?.timestamp;
      return {
        ...event(transaction, 'Updated', 'MeterValuePeriodic', { timestamp, offline }),
        meterValue: meterValues(meterValue),
      };
    };
  }

  #ended(build: () => Payload): () => Payload {
    const offline = !this.ready;
    return () => {
      const { transactionId, meterStop, timestamp, reason, idTag } = build();
      const transaction = this.#of(transactionId);
      this.#transactions.delete(Number(transactionId));
      const stoppedReason = stoppedReasonOf(String(reason));
      return {
        ...event(transaction, 'Ended', TRIGGERS[stoppedReason] ?? 'AbnormalCondition', {
          timestamp,
          offline,
          stoppedReason,
        }),
        meterValue: [register(meterStop, timestamp, 'Transaction.End')],
        ...(idTag === undefined ? {} : { idToken: tokenOf(idTag) }),
      };
    };
  }

  /** A transaction whose start got no response is reported with an id of its own. */
  #of(number: unknown): Transaction {
    return this.#transactions.get(Number(number)) ?? { name: randomUUID(), connectorId: 1, seqNo: 0 };
  }

  #status(
    { connectorId, status, errorCode, timestamp, info, vendorErrorCode }: Payload,
    kind: CallKind,
    say: Say,
    onReply: ((reply: Reply) => void) | undefined,
  ): void {
    const connector = Number(connectorId);
    const fault = errorCode === 'NoError' ? '' : `${String(errorCode)} ${String(vendorErrorCode ?? '')}`;
    const before = this.#faults.get(connector) ?? '';
    if (fault !== before) {
      this.#faults.set(connector, fault);
      if (before !== '') this.#reportFault(connector, before, { timestamp, info: '' }, kind, true);
      if (fault !== '') this.#reportFault(connector, fault, { timestamp, info }, kind, false);
    }
    const running = [...this.#transactions.values()].find((one) => one.connectorId === connector);
    if (status === 'SuspendedEV' && running && kind === 'ordinary') {
      const changed = { timestamp, offline: !this.ready, chargingState: 'SuspendedEV' };
      super.add(
        'TransactionEvent',
        'transaction',
        once(() => event(running, 'Updated', 'ChargingStateChanged', changed)),
      );
    }
    // OCPP 2.0.1 has no status for the station itself; its faults are reported instead.
    if (connector === 0) {
      onReply?.({ ok: true, payload: {} });
      return;
    }
    const connectorStatus = STATUSES[String(status)] ?? 'Available';
    say('StatusNotification', () => ({ timestamp, connectorStatus, evseId: connector, connectorId: 1 }));
  }

  #reportFault(connector: number, fault: string, payload: Payload, kind: CallKind, cleared: boolean): void {
    const [errorCode = '', vendorErrorCode = ''] = fault.split(' ');
    this.#events += 1;
    const { timestamp, info } = payload;
    const eventData = {
      eventId: this.#events,
      ...faultData(connector, { errorCode, vendorErrorCode, info, timestamp, cleared }),
    };
    super.add('NotifyEvent', kind, () => ({ generatedAt: timestamp, seqNo: 0, eventData: [eventData] }));
  }
}

/** The EventData of a fault on a connector, without its number. */
export function faultData(
  connector: number,
  fault: { errorCode: string; vendorErrorCode: string; info?: unknown; timestamp: unknown; cleared: boolean },
) {
  const { errorCode, vendorErrorCode, info, timestamp, cleared } = fault;
  const { component, variable } = PLACES[errorCode as ErrorCode] ?? PLACES.OtherError;
  const evse = connector === 0 ? {} : { evse: { id: connector, connectorId: 1 } };
  return {
    ...{ timestamp, trigger: 'Alerting', cleared },
    ...{ actualValue: cleared ? 'false' : 'true', eventNotificationType: 'HardWiredNotification' },
    ...(vendorErrorCode === '' ? {} : { techCode: vendorErrorCode }),
    ...(info ? { techInfo: info } : {}),
    component: { name: component, ...evse },
    variable: { name: variable },
  };
}

type Say = (action: string, payload: () => Payload, read?: (answer: Payload) => Payload) => void;

/** A repeated CALL has the same content: its sequence number is assigned only once. */
function once(build: () => Payload): () => Payload {
  let built: Payload | null = null;
  return () => {
    built ??= build();
    return built;
  };
}

function translated(reply: Reply, read: (answer: Payload) => Payload): Reply {
  return reply.ok ? { ok: true, payload: read((reply.payload ?? {}) as Payload) } : reply;
}

function idTagInfo({ idTokenInfo }: Payload): Payload {
  return { idTagInfo: idTokenInfo ?? { status: 'Accepted' } };
}

/** Meter values outside of transactions. */
function sampled({ connectorId, meterValue }: Payload): Payload {
  return { evseId: connectorId, meterValue: meterValues(meterValue) };
}

/** DiagnosticsStatus as UploadLogStatusEnumType. */
function logStatus({ status }: Payload): unknown {
  return status === 'UploadFailed' ? 'UploadFailure' : status;
}

function tokenOf(idTag: unknown): Payload {
  return { idToken: String(idTag), type: 'ISO14443' };
}

function requestId(number: number | null): Payload {
  return number === null ? {} : { requestId: number };
}

function event(
  transaction: Transaction,
  eventType: 'Started' | 'Updated' | 'Ended',
  triggerReason: string,
  { timestamp, offline, ...info }: Payload,
): Payload {
  const { seqNo, name } = transaction;
  transaction.seqNo += 1;
  return {
    ...{ eventType, timestamp, triggerReason, seqNo, ...(offline ? { offline } : {}) },
    transactionInfo: { transactionId: name, ...info },
  };
}

/** Only the energy register, for the start and end of a transaction. */
function register(value: unknown, timestamp: unknown, context: string): Payload {
  return { timestamp, sampledValue: [{ value, context, unitOfMeasure: { unit: 'Wh' } }] };
}

/** ChargePointStatus as ConnectorStatusEnumType. */
const STATUSES: Readonly<Record<string, string>> = {
  Available: 'Available',
  Preparing: 'Occupied',
  Charging: 'Occupied',
  SuspendedEV: 'Occupied',
  Finishing: 'Occupied',
  Unavailable: 'Unavailable',
  Faulted: 'Faulted',
};

/** Reason as ReasonEnumType. */
export function stoppedReasonOf(reason: string): string {
  return REASONS[reason] ?? 'Other';
}

const REASONS: Readonly<Record<string, string>> = {
  EVDisconnected: 'EVDisconnected',
  HardReset: 'ImmediateReset',
  SoftReset: 'Reboot',
  Reboot: 'Reboot',
  Local: 'Local',
  Remote: 'Remote',
  DeAuthorized: 'DeAuthorized',
  UnlockCommand: 'Other',
  PowerLoss: 'PowerLoss',
};

/** The trigger of the end of a transaction, by its reason. */
const TRIGGERS: Readonly<Record<string, string>> = {
  EVDisconnected: 'EVDeparted',
  ImmediateReset: 'ResetCommand',
  Reboot: 'ResetCommand',
  Local: 'StopAuthorized',
  Remote: 'RemoteStop',
  DeAuthorized: 'Deauthorized',
};

/** The component of each fault in OCPP 2.0.1 (part 2, appendix 3). */
const PLACES: Readonly<Record<ErrorCode, { component: string; variable: string }>> = {
  ConnectorLockFailure: { component: 'ConnectorPlugRetentionLock', variable: 'Problem' },
  EVCommunicationError: { component: 'CPPWMController', variable: 'Problem' },
  GroundFailure: { component: 'RCD', variable: 'Tripped' },
  HighTemperature: { component: 'TemperatureSensor', variable: 'Problem' },
  InternalError: { component: 'Controller', variable: 'Problem' },
  LocalListConflict: { component: 'LocalAuthListCtrlr', variable: 'Problem' },
  OtherError: { component: 'EmergencyStopSensor', variable: 'Tripped' },
  OverCurrentFailure: { component: 'OverCurrentBreaker', variable: 'Tripped' },
  OverVoltage: { component: 'ElectricalFeed', variable: 'Problem' },
  PowerMeterFailure: { component: 'FiscalMetering', variable: 'Problem' },
  PowerSwitchFailure: { component: 'PowerContactor', variable: 'Problem' },
  ReaderFailure: { component: 'TokenReader', variable: 'Problem' },
  ResetFailure: { component: 'Controller', variable: 'Problem' },
  UnderVoltage: { component: 'ElectricalFeed', variable: 'Problem' },
  WeakSignal: { component: 'DataLink', variable: 'Problem' },
};

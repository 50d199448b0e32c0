import type { AlarmLevel, DisconnectReason, ExecutionReason } from '@chargehand/domain';
import type { Decided } from './devices/authorizer.ts';

/** One entry of the protocol log (spec §3: open, close, receive, send). */
export interface FrameEvent {
  kind: 'frame';
  type: 'open' | 'close' | 'receive' | 'send';
  connectionId: string | null;
  at: Date;
  action: string | null;
  messageId: string | null;
  /** the text as transmitted; the sink shortens it to the stored limit */
  body: string | null;
  bytes: number;
  note: string | null;
}

export interface ReadingEvent {
  kind: 'reading';
  connector: number;
  at: Date;
  receivedAt: Date;
  transactionId: number | null;
  /** for a transaction whose connector is not known yet: stored for the device itself until it is, and not shown */
  unplaced?: boolean;
  values: { key: string; unit: string; counter: boolean; value: number }[];
}

/** An event of one device, as a gateway reports it to the fleet (design §2, uplink event). */
export type UplinkEvent =
  | FrameEvent
  | ReadingEvent
  | { kind: 'connected'; connectionId: string; at: Date; protocol: string; remoteAddress: string }
  | { kind: 'disconnected'; connectionId: string; at: Date; reason: DisconnectReason; detail: string }
  | {
      kind: 'booted';
      at: Date;
      softVersion: string | null;
      boot: Record<string, unknown>;
      /** it did not start: it only repeats what it reported then, on request or with a status */
      triggered?: boolean;
    }
  | { kind: 'clock'; skewMs: number }
  /** messages with an action that violated the protocol since the last such event */
  | {
      kind: 'messageFault';
      /** `partial`: its good parts are stored, the others are refused */
      outcome: 'rejected' | 'partial' | 'tolerated';
      action: string;
      /** of the latest one */
      reason: string;
      count: number;
      since: Date;
      at: Date;
    }
  | {
      kind: 'connectorStatus';
      connector: number;
      at: Date;
      status: string;
      errorCode: string;
      vendorErrorCode: string | null;
      info: string | null;
    }
  /** an alarm that the device raises (`active`) and clears itself; no status report of a connector clears it */
  | {
      kind: 'alarm';
      connector: number;
      at: Date;
      code: string;
      alarmKind: 'alarm' | 'fault' | 'unavailable';
      level: AlarmLevel;
      info: string | null;
      active: boolean;
    }
  /**
   * An event of a transaction that the device numbers itself (OCPP 2.0.1 TransactionEvent). Events may be late,
   * repeated and in any order. `seqNo` is their order.
   */
  | {
      kind: 'transactionEvent';
      /** the device's own id of the transaction */
      transaction: string;
      /** the number of the remote start, if the device repeats it */
      remoteStartId?: number;
      phase: 'started' | 'updated' | 'ended';
      seqNo: number;
      at: Date;
      /** it happened while the device was offline, so it does not describe the present */
      offline: boolean;
      /** null when the event does not contain it */
      connector: number | null;
      idTag: string | null;
      /** minimum and maximum of the energy registers in it, in Wh; null when there are none */
      meter: { least: number; greatest: number } | null;
      /** the stop reason */
      reason: string | null;
      /** the activity of the connector as ConnectorStatus; null when the event does not contain it */
      activity: string | null;
      /** the device reported an impossible time */
      clockFault: boolean;
      /** about its token */
      decision?: Decided;
    }
  | {
      kind: 'transactionStarted';
      connector: number;
      at: Date;
      idTag: string;
      meterStart: number;
      /** `at` is impossible: it identifies the start, but is not the time of it */
      clockFault: boolean;
      /** about its token */
      decision?: Decided;
    }
  | {
      kind: 'transactionStopped';
      transactionId: number;
      at: Date;
      /** the device reported an impossible time; `at` is the time of receipt */
      clockFault: boolean;
      idTag: string | null;
      meterStop: number;
      reason: string | null;
    }
  /** texts that a device reports; numbers are readings */
  | { kind: 'texts'; connector: number; at: Date; receivedAt: Date; values: { key: string; value: string }[] }
  /** `requestId` is the number that was sent with the request, if the protocol has one */
  | { kind: 'firmwareStatus'; at: Date; status: string; requestId?: string }
  | { kind: 'diagnosticsStatus'; at: Date; status: string; requestId?: string }
  | {
      kind: 'parameters';
      at: Date;
      /** the execution that requested them; without one the device reported them by itself */
      executionId?: string;
      /** `readonly` is null when the device does not report it: the stored value is kept */
      entries: { key: string; value: string | null; readonly: boolean | null }[];
      unknownKeys: string[];
      complete: boolean;
    }
  | {
      kind: 'answer';
      executionId: string;
      at: Date;
      success: boolean;
      reason: ExecutionReason;
      detail: string | null;
      answer: unknown;
    }
  /** the device sent the message that an execution requested */
  | { kind: 'messageReceived'; executionId: string; at: Date }
  /** what is known about a command that the device has not answered yet */
  | {
      kind: 'executionProgress';
      executionId: string;
      at: Date;
      /** `working`: it has the same time again to answer; the others: no answer will arrive */
      state: 'working' | 'noAnswer' | 'connectionLost';
      detail: string | null;
    };

/** The result of storing one submission. */
export interface Stored {
  /** the id of the transaction that a `transactionStarted` opened, or had opened before */
  transactionId: number | null;
}

/**
 * Where gateways submit what devices report. `submit` resolves once everything of the submission is committed; only
 * then does a gateway acknowledge to the device. Submissions of one device are stored in order. Rejects with
 * `SinkOverloaded` when the queue is full, and with the database's error when storing failed.
 */
export interface UplinkSink {
  submit(deviceId: number, events: UplinkEvent[]): Promise<Stored>;
}

/** The queue is at its limit: telemetry is refused before it uses memory (design §6). */
export class SinkOverloaded extends Error {
  override name = 'SinkOverloaded';
}

/** A device's report that affects its transfers. */
export type TransferReport = { deviceId: number; at: Date } & (
  | { kind: 'word'; of: 'firmware' | 'log'; word: string; requestId?: string | undefined }
  | { kind: 'version'; of: 'software' | 'plc'; version: string }
  | { kind: 'restart' }
);

/** Stores such reports by the rule of the transfers module, in order. Returns the devices whose transfers changed. */
export type StoreReports = (query: QueryClient, reports: TransferReport[]) => Promise<number[]>;

/** Runs a statement in the transaction that stores device reports. */
export interface QueryClient {
  query<Row>(config: { name?: string; text: string; values: unknown[] }): Promise<{ rows: Row[] }>;
}

/** A device's answer to an execution, as it is stored. */
export interface ExecutionAnswer {
  executionId: string;
  /** the device that answered; an answer to an execution of another device is ignored */
  deviceId: number;
  at: Date;
  success: boolean;
  reason: ExecutionReason;
  detail: string | null;
  answer: unknown;
}

/**
 * Stores answers by the rule of the operations module, in the transaction that also stores their frames. May run again
 * for the same answers when a transaction is repeated.
 */
export type StoreAnswers = (query: QueryClient, answers: ExecutionAnswer[]) => Promise<unknown>;

/** A charging session that a device reported as started. */
export interface StartedSession {
  deviceId: number;
  idTag: string | null;
  /** null where the device does not say where */
  connector: number | null;
  /** the number of the remote start that it answers */
  remoteStartId: number | null;
}

/** What was stored that may show that an accepted command was carried out. */
export interface Confirmations {
  started: StartedSession[];
  /** executions whose requested message arrived */
  messages: { deviceId: number; executionId: string }[];
  /** devices whose sessions may have ended */
  sessions: number[];
  /** devices that booted, or opened a connection over MQTT */
  restarted: number[];
  /** devices that opened a connection, in any protocol */
  connected: number[];
  /** devices that reported the status of a connector */
  reportedStatus: number[];
}

/**
 * Ends the executions that stored reports confirm, in the transaction that stores these. Returns the changes. May run
 * again for the same reports.
 */
export type StoreConfirmations = (
  query: QueryClient,
  reports: Confirmations,
) => Promise<{ deviceId: number; executionId: string }[]>;

/** What is known about an execution that the device has not answered yet, as it is stored. */
export interface ExecutionProgress {
  executionId: string;
  deviceId: number;
  at: Date;
  state: 'working' | 'noAnswer' | 'connectionLost';
  detail: string | null;
}

/** Stores such reports by the rule of the operations module, as `StoreAnswers` does with answers. */
export type StoreProgress = (query: QueryClient, progress: ExecutionProgress[]) => Promise<unknown>;

import type { AlarmLevel, DisconnectReason, ExecutionReason } from '@chargehand/domain';

/** One frame of a conversation, as the protocol log keeps it (spec §3: open, close, receive, send). */
export interface FrameEvent {
  kind: 'frame';
  type: 'open' | 'close' | 'receive' | 'send';
  connectionId: string | null;
  at: Date;
  action: string | null;
  messageId: string | null;
  /** the text on the wire; the sink shortens what exceeds the stored limit */
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
  /** of a transaction whose connector is not known yet: stored under the device itself until it is, and shown nowhere */
  unplaced?: boolean;
  values: { key: string; unit: string; counter: boolean; value: number }[];
}

/** What a gateway tells the fleet of one device (design §2, uplink event). */
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
      /** it only repeats on request how it booted long ago */
      triggered?: boolean;
    }
  | { kind: 'clock'; skewMs: number }
  | {
      kind: 'connectorStatus';
      connector: number;
      at: Date;
      status: string;
      errorCode: string;
      vendorErrorCode: string | null;
      info: string | null;
    }
  /** an alarm that the device raises (`active`) and ends by itself; no status report of a connector ends it */
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
   * What a device tells of a transaction that it numbers itself (OCPP 2.0.1 TransactionEvent). Events may come late,
   * repeated and in any order; `seqNo` is their order.
   */
  | {
      kind: 'transactionEvent';
      /** the device's own name of the transaction */
      transaction: string;
      /** the number of the remote start that began it, where the device repeats it */
      remoteStartId?: number;
      phase: 'started' | 'updated' | 'ended';
      seqNo: number;
      at: Date;
      /** it happened while the connection was down: it says nothing of the present */
      offline: boolean;
      /** null where the event does not name it */
      connector: number | null;
      idTag: string | null;
      /** least and greatest of the energy registers in it, in Wh; null when it tells none */
      meter: { least: number; greatest: number } | null;
      /** why it ended */
      reason: string | null;
      /** what the connector does, in the words of ConnectorStatus; null when the event does not say it */
      activity: string | null;
      /** the device reported a time that cannot be */
      clockFault: boolean;
    }
  | {
      kind: 'transactionStarted';
      connector: number;
      at: Date;
      idTag: string;
      meterStart: number;
      /** `at` cannot be: it identifies the start, and says nothing of when that was */
      clockFault: boolean;
    }
  | {
      kind: 'transactionStopped';
      transactionId: number;
      at: Date;
      /** the device reported a time that cannot be; `at` is when the report came */
      clockFault: boolean;
      idTag: string | null;
      meterStop: number;
      reason: string | null;
    }
  /** what a device says of itself in words; numbers are readings */
  | { kind: 'texts'; connector: number; at: Date; receivedAt: Date; values: { key: string; value: string }[] }
  /** `requestId` is what the device was given with the request, where its protocol has such a thing */
  | { kind: 'firmwareStatus'; at: Date; status: string; requestId?: string }
  | { kind: 'diagnosticsStatus'; at: Date; status: string; requestId?: string }
  | {
      kind: 'parameters';
      at: Date;
      /** the execution that made them known; without one the device told them of itself */
      executionId?: string;
      /** `readonly` is null where the device does not say it: what is known of it stays */
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
  /** what is known of a command that the device has not answered yet */
  | {
      kind: 'executionSign';
      executionId: string;
      at: Date;
      /** `working`: it has as long again to answer; the others: no answer is coming */
      sign: 'working' | 'noAnswer' | 'connectionLost';
      detail: string | null;
    };

/** What storing one submission yields. */
export interface Stored {
  /** the id of the transaction that a `transactionStarted` opened, or had opened before */
  transactionId: number | null;
}

/**
 * Where gateways bring what devices say. `submit` resolves once everything of the submission is committed; a gateway
 * acknowledges to the device only then. Submissions of one device are stored in the order in which they are made.
 * Rejects with `SinkOverloaded` when the queue is full, and with the database's error when it could not be stored.
 */
export interface UplinkSink {
  submit(deviceId: number, events: UplinkEvent[]): Promise<Stored>;
}

/** The queue is at its bound: telemetry is refused before it costs memory (design §6). */
export class SinkOverloaded extends Error {
  override name = 'SinkOverloaded';
}

/** What a device tells of itself that concerns what moves between here and it. */
export type TransferReport = { deviceId: number; at: Date } & (
  | { kind: 'word'; of: 'firmware' | 'log'; word: string; requestId?: string | undefined }
  | { kind: 'version'; of: 'software' | 'plc'; version: string }
);

/** Stores such reports by the rule of the transfers room, in the order in which they came; yields the devices whose transfers changed. */
export type StoreReports = (query: QueryClient, reports: TransferReport[]) => Promise<number[]>;

/** Whatever runs a statement within the transaction that stores what devices say. */
export interface QueryClient {
  query<Row>(config: { text: string; values: unknown[] }): Promise<{ rows: Row[] }>;
}

/** A device's answer to an execution, as it is to be stored. */
export interface ExecutionAnswer {
  executionId: string;
  /** the device that gave the answer: an execution of another device is not answered by it */
  deviceId: number;
  at: Date;
  success: boolean;
  reason: ExecutionReason;
  detail: string | null;
  answer: unknown;
}

/**
 * Stores answers by the rule of the operations room, in the transaction that also stores the frames they came in; it
 * may run again for the same answers when a transaction had to be repeated.
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
}

/**
 * Ends the executions that stored reports confirm, in the transaction that stores these; yields what changed. May run
 * again for the same reports.
 */
export type StoreConfirmations = (
  query: QueryClient,
  reports: Confirmations,
) => Promise<{ deviceId: number; executionId: string }[]>;

/** What is known of an execution that the device has not answered yet, as it is to be stored. */
export interface ExecutionSign {
  executionId: string;
  deviceId: number;
  at: Date;
  sign: 'working' | 'noAnswer' | 'connectionLost';
  detail: string | null;
}

/** Stores such signs by the rule of the operations room, as `StoreAnswers` does with answers. */
export type StoreSigns = (query: QueryClient, signs: ExecutionSign[]) => Promise<unknown>;

import type { ExecutionReason } from '@chargehand/domain';
import type { Clock } from '../../platform/clock.ts';
import type { Decided, TokenRequest } from '../../ports/devices/authorizer.ts';
import type { ConnectorState, MissingReports } from '../../ports/devices/device-directory.ts';
import type { DeviceCall } from '../../ports/devices/device-link.ts';
import type { Stored, UplinkEvent } from '../../ports/uplink.ts';
import type { CertificateRequest } from './admission/certificates.ts';
import type { OcppSchemas, Violation } from './schemas.ts';
import type { ServerRequest } from './server-requests.ts';
import type { ErrorCode } from './wire.ts';

/** The result of a CALL of a charge point. */
export interface Handled {
  events: UplinkEvent[];
  /** the note about the frame for the protocol log */
  notes: string[];
  /** the parts of the message that are not stored, and why; operators see them with the device */
  refused?: readonly string[];
  /** the payload of the CALLRESULT; a function when it depends on the result of storing */
  answer: object | ((stored: Stored) => object);
  /** a token that the device presents: the answer then depends on the decision, which is stored with the session */
  token?: { request: TokenRequest; answer(decided: Decided): object | ((stored: Stored) => object) };
  /** the device's own clock, when the message contains it */
  deviceTime: Date | null;
  /** a certificate that the device requests; the answer above applies if it is signed */
  request?: CertificateRequest;
  /** what to request from the device as soon as its connection is free */
  followUps?: readonly FollowUp[];
}

/** A request of ours that follows from what the device sent, in addition to commands. */
export interface FollowUp {
  action: string;
  payload: object;
  /** left out when devices are not queried automatically */
  optional?: boolean;
  /** The meaning of the device's answer, which conforms to its schema or is tolerated. */
  read(answer: Record<string, unknown>, at: Date): UplinkEvent[];
}

/** What reading a CALL may depend on. */
export interface CallContext {
  receivedAt: Date;
  /** the interval in the answer to BootNotification */
  heartbeatSeconds: number;
  /** this server signs certificates */
  signs: boolean;
}

/** The result of a device's answer to a command. */
export interface Outcome {
  success: boolean;
  reason: ExecutionReason;
  detail: string | null;
  /** what the answer reports about the device's parameters */
  parameters: Omit<Extract<UplinkEvent, { kind: 'parameters' }>, 'kind' | 'at' | 'executionId'> | null;
}

/** How a command is sent to a charge point, and how its answer is read. */
export interface Plan {
  action: string;
  payload: object;
  /** what the protocol log stores instead of the payload, and its note about that */
  logged?: { payload: object; note: string };
  /**
   * Reads the answer, which conforms to its schema or is tolerated. Null: the device reports the result later in its
   * own messages, and the code that reads those sets the result.
   */
  read(answer: Record<string, unknown>): Outcome | null;
  /** Reads a CALLERROR that has a specific meaning for this call; null when this one has none. */
  readError?(code: string, description: string): Outcome | null;
  /** The message that the device sends after it accepted, which is the result: true for the matching CALL. */
  awaits?(action: string, payload: Record<string, unknown>): boolean;
}

/**
 * One version of OCPP on one connection. A version without state between messages uses one object for all its
 * connections.
 */
export interface DialectConnection {
  /** True for the actions that a central system accepts. */
  takes(action: string): boolean;
  /** The meaning of a CALL with such an action. Its payload conforms to its schema or is tolerated. */
  handle(action: string, payload: object, context: CallContext): Handled;
  /** Reads a message without an answer (SEND of OCPP 2.1); null when this system does not accept the action. */
  receive?(action: string, payload: object, context: CallContext): Omit<Handled, 'answer'> | null;
  /**
   * The call that sends a command to the device; null when the protocol has none for it, or when the command lacks a
   * required value.
   */
  plan(call: DeviceCall): Plan | null;
  /** Reads the status and the parameters of an answer to a message from the workbench. */
  readMessage(message: { action: string; payload: object }, answer: Record<string, unknown>): Outcome | null;
  /**
   * Reads an answer to a call that this connection did not send: an execution from before a restart, or one that timed
   * out.
   */
  readUnexpected(answer: Record<string, unknown>): Outcome;
  /**
   * Executions whose result the device was going to report in its own messages and has not reported. They are lost with
   * the connection.
   */
  unfinished(): readonly string[];
  /** The results of time passing alone; called about every second. */
  tick(now: number): UplinkEvent[];
}

/** The parts of the common format (OCPP-J) that differ by version of OCPP. */
export interface Dialect {
  /** the WebSocket subprotocol; it is also stored with the device */
  subprotocol: string;
  /** the name for people */
  name: string;
  /** the connection may be compressed (RFC 7692) when the device offers that */
  compresses: boolean;
  schemas: OcppSchemas;
  /** supports SEND and CALLRESULTERROR (OCPP-J 2.1 §4.2) */
  sends?: boolean;
  /** the subprotocol of the older version, which is not chosen for a device that offers both */
  supersedes?: string;
  /**
   * Fields that off-spec charge points leave out, by action, and their default values; `now` is the time of receipt.
   */
  defaults: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  /** the spelling of the CALLERROR codes; codes that are not listed are unchanged */
  codes: Readonly<Partial<Record<ErrorCode, string>>>;
  /** an unreadable frame is answered with the id "-1" (OCPP-J 2.0.1 §4.2.3) */
  answersUnreadable: boolean;
  /** the parameter that holds the heartbeat interval in seconds */
  heartbeatKey: string;
  /** The first number of a payload that the fleet cannot store although its schema allows it, or null. */
  rangeViolation(payload: object): Violation | null;
  /** The messages that a CSMS sends to charging stations, by action. */
  requests: readonly string[];
  /**
   * The messages that a reconnected device is asked to send, depending on what is unknown about it. After a boot, only
   * what it does with firmware and logs is unknown.
   */
  requestsFor(open: MissingReports, booted: boolean): ServerRequest[];
  /** Call this once for each connection, with the connectors that are known. */
  connection(clock: Clock, known?: readonly ConnectorState[]): DialectConnection;
}

/**
 * The subprotocol for a device that offers several: the first of its list that the server supports (OCPP-J 1.6 §3.1.2),
 * or the newer version when it offers that too.
 */
export function chooseProtocol(
  offered: readonly string[],
  dialects: ReadonlyMap<string, Pick<Dialect, 'supersedes'>>,
): string | undefined {
  const first = offered.find((protocol) => dialects.has(protocol));
  return offered.find((protocol) => first !== undefined && dialects.get(protocol)?.supersedes === first) ?? first;
}

/** An answer that does not match the request. */
export function badAnswer(detail: string): Outcome {
  return { success: false, reason: 'badAnswer', detail, parameters: null };
}

/** A CALLERROR. The detail is the device's own text. */
export function readCallError(code: string, description: string): Outcome {
  const detail = description === '' ? code : `${code}: ${description}`;
  return { success: false, reason: 'callError', detail: detail.slice(0, 500), parameters: null };
}

/** A CALL that needs nothing but its answer. */
export function plain(answer: object, events: UplinkEvent[] = []): Handled {
  return { events, notes: [], answer, deviceTime: null };
}

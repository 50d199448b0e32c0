import type { ExecutionReason } from '@chargehand/domain';
import type { Clock } from '../../platform/clock.ts';
import type { OpenMatters } from '../../ports/devices/device-directory.ts';
import type { DeviceCall } from '../../ports/devices/device-link.ts';
import type { Stored, UplinkEvent } from '../../ports/uplink.ts';
import type { CertificateRequest } from './admission/certificates.ts';
import type { Question } from './questions.ts';
import type { OcppSchemas, Violation } from './schemas.ts';
import type { ErrorCode } from './wire.ts';

/** What a CALL of a charge point amounts to. */
export interface Handled {
  events: UplinkEvent[];
  /** what is to be said of the frame in the protocol log */
  notes: string[];
  /** the payload of the CALLRESULT; a function where it depends on what storing yields */
  answer: object | ((stored: Stored) => object);
  /** the device's own clock, where the message tells it */
  deviceTime: Date | null;
  /** a certificate that the device asks for; the answer above holds if it is signed */
  request?: CertificateRequest;
  /** what to request from the device as soon as its connection is free */
  inquiries?: readonly Inquiry[];
}

/** A request of ours that follows from what the device sent, beside all commands. */
export interface Inquiry {
  action: string;
  payload: object;
  /** left out where devices are not asked anything by themselves */
  optional?: boolean;
  /** What the device's answer means, which has passed its schema or is tolerated. */
  read(answer: Record<string, unknown>, at: Date): UplinkEvent[];
}

/** What the reading of a CALL may depend on. */
export interface CallContext {
  receivedAt: Date;
  /** the interval that BootNotification answers */
  heartbeatSeconds: number;
  /** certificates are signed here */
  signs: boolean;
}

/** What a device's answer to a command amounts to. */
export interface Outcome {
  success: boolean;
  reason: ExecutionReason;
  detail: string | null;
  /** what the answer tells of the device's parameters */
  parameters: Omit<Extract<UplinkEvent, { kind: 'parameters' }>, 'kind' | 'at' | 'executionId'> | null;
}

/** How a command is put to a charge point, and how its answer is read. */
export interface Plan {
  action: string;
  payload: object;
  /**
   * Reads the answer, which has passed its schema or is tolerated. Null: the device will tell the outcome in messages of
   * its own, and whoever reads those says so.
   */
  read(answer: Record<string, unknown>): Outcome | null;
  /** Reads a CALLERROR that says more of this call than of others; null when this one does not. */
  readError?(code: string, description: string): Outcome | null;
  /** The message that the device sends once it agreed, which is the result: true for a CALL that is this one. */
  awaits?(action: string, payload: Record<string, unknown>): boolean;
}

/** One version of OCPP on one connection. A version that keeps nothing between messages has one for all its connections. */
export interface DialectConnection {
  /** True for the actions that a Central System takes. */
  takes(action: string): boolean;
  /** What a CALL with such an action means; its payload has passed its schema, or is tolerated. */
  handle(action: string, payload: object, context: CallContext): Handled;
  /** Reads a message that gets no answer (SEND of OCPP 2.1); null when this system does not take the action. */
  receive?(action: string, payload: object, context: CallContext): Omit<Handled, 'answer'> | null;
  /** How a command is put to the device; null when the protocol has no words for it, or the call lacks what it needs. */
  plan(call: DeviceCall): Plan | null;
  /** Reads the status and the parameters of an answer to a message that somebody wrote. */
  readMessage(message: { action: string; payload: object }, answer: Record<string, unknown>): Outcome | null;
  /**
   * Reads an answer whose call this connection did not send: an execution of before a restart, or one that was given
   * up.
   */
  readUnexpected(answer: Record<string, unknown>): Outcome;
  /**
   * Executions whose outcome the device was to tell in messages of its own and has not: with the connection they are
   * lost.
   */
  unfinished(): readonly string[];
  /** What follows from the time alone; called every second or so. */
  tick(now: number): UplinkEvent[];
}

/** What one version of OCPP says in the frames that all share (OCPP-J). */
export interface Dialect {
  /** the WebSocket subprotocol, under which it is also kept with the device */
  subprotocol: string;
  /** as people write it */
  name: string;
  /** the connection may be compressed (RFC 7692) where the device offers that */
  compresses: boolean;
  schemas: OcppSchemas;
  /** it knows SEND and CALLRESULTERROR (OCPP-J 2.1 §4.2) */
  sends?: boolean;
  /** the subprotocol of the older version that a device with both does not get */
  supersedes?: string;
  /** Fields that off-spec piles leave out, by action, and what stands for them; `now` is the time of receipt. */
  standIns: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  /** how it spells the codes of CALLERROR; those not named as they stand */
  codes: Readonly<Partial<Record<ErrorCode, string>>>;
  /** a frame that cannot be read at all is answered under the id "-1" (OCPP-J 2.0.1 §4.2.3) */
  answersUnreadable: boolean;
  /** the parameter that holds the heartbeat interval in seconds */
  heartbeatKey: string;
  /** The first number of a payload that the fleet cannot keep, though its schema admits it, or null. */
  rangeViolation(payload: object): Violation | null;
  /** The messages that a CSMS sends to stations, by their actions. */
  requests: readonly string[];
  /** What a device that came back is asked to tell by itself, by what is open about it. */
  questionsOf(open: OpenMatters): Question[];
  /** To be called once for each connection. */
  connection(clock: Clock): DialectConnection;
}

/**
 * The subprotocol that a device speaks which offers several: the first of its own list that is known here (OCPP-J 1.6
 * §3.1.2), or the newer version where it offers that, too.
 */
export function chooseProtocol(
  offered: readonly string[],
  dialects: ReadonlyMap<string, Pick<Dialect, 'supersedes'>>,
): string | undefined {
  const first = offered.find((protocol) => dialects.has(protocol));
  return offered.find((protocol) => first !== undefined && dialects.get(protocol)?.supersedes === first) ?? first;
}

/** An answer that cannot be what was asked for. */
export function badAnswer(detail: string): Outcome {
  return { success: false, reason: 'badAnswer', detail, parameters: null };
}

/** A CALLERROR: the device's own words are the detail. */
export function readCallError(code: string, description: string): Outcome {
  const detail = description === '' ? code : `${code}: ${description}`;
  return { success: false, reason: 'callError', detail: detail.slice(0, 500), parameters: null };
}

/** A CALL that says nothing more than its answer. */
export function plain(answer: object, events: UplinkEvent[] = []): Handled {
  return { events, notes: [], answer, deviceTime: null };
}

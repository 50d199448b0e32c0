import type { Decided, TokenRequest } from '../../../ports/devices/authorizer.ts';
import type { Stored, UplinkEvent } from '../../../ports/uplink.ts';
import type { ConnectorLimit } from '../../connector-limit.ts';
import type { CertificateRequest } from '../admission/certificates.ts';
import type { Dialect, DialectConnection, FollowUp, Handled } from '../dialect.ts';
import type { GatewayMetrics } from '../metrics.ts';
import type { Violation } from '../schemas.ts';
import { readAnyway } from '../tolerance/tolerance.ts';
import { type CallFrame, type ErrorCode, type SendFrame, writeError, writeResult } from '../wire.ts';
import { type MessageFault, partialFault, toleratedFault } from './faults/message-faults.ts';

/** The answer to a CALL once its events are stored. */
export interface Answer {
  events: UplinkEvent[];
  notes: string[];
  /** the frame to send; a function when it depends on the result of storing */
  text: string | ((stored: Stored) => string);
  deviceTime: Date | null;
  /** the parsed payload; null for a refused CALL */
  taken: object | null;
  /** a token that the device presents; the frame to send follows from the decision */
  token: { request: TokenRequest; text(decided: Decided): Answer['text'] } | null;
  /** a certificate that the device requests; refusing it gives another frame to send */
  request: CertificateRequest<string> | null;
  followUps: readonly FollowUp[];
  /** what is wrong with the CALL, which was refused or tolerated */
  fault: MessageFault | null;
}

export interface AnswerContext {
  dialect: Dialect;
  connection: DialectConnection;
  tolerant: boolean;
  receivedAt: Date;
  heartbeatSeconds: number;
  signs: boolean;
  connectors: ConnectorLimit;
  metrics: GatewayMetrics;
}

/** Decides the answer to a CALL: checks it against its schema, reads it and checks the answer too. Stores nothing. */
export function answerCall(frame: CallFrame, context: AnswerContext): Answer {
  const { id, action } = frame;
  const { dialect, connection } = context;
  if (!dialect.schemas.isKnownAction(action)) {
    return refuse(id, 'NotImplemented', `${action.slice(0, 60)} is not an action of ${dialect.name}`, context);
  }
  if (!connection.takes(action)) {
    return refuse(id, 'NotSupported', `${action} is not supported by this central system`, context);
  }
  const checked = checkedPayload(frame, context);
  if (checked.violation) return refuse(id, checked.violation.code, checked.violation.description, context);
  const { payload, notes, refused } = checked;

  const handled = connection.handle(action, payload, context);
  refused.push(...(handled.refused ?? []));
  const fault = partialFault(refused) ?? toleratedFault(notes);
  notes.push(...handled.notes, ...refused);
  const excess = context.connectors.excess(handled.events);
  if (excess) return refuse(id, 'PropertyConstraintViolation', excess, context);
  const { answer, token, request, followUps = [] } = handled;
  const write = (result: object) => writeValid(dialect, id, action, result);
  const textOf = (result: Handled['answer']): Answer['text'] =>
    typeof result === 'function' ? (stored) => write(result(stored)) : write(result);
  return {
    events: handled.events,
    notes,
    // Without the decision about a token, the answer is not complete.
    text: token ? '' : textOf(answer),
    token: token ? { request: token.request, text: (decided) => textOf(token.answer(decided)) } : null,
    deviceTime: handled.deviceTime,
    taken: payload,
    request: request ? { ...request, refused: (why) => write(request.refused(why)) } : null,
    followUps,
    fault,
  };
}

/** Reads a SEND (OCPP-J 2.1 §4.2.5), which has no answer. Errors in it are only noted. Stores nothing. */
export function readSend(
  frame: SendFrame,
  context: AnswerContext,
): Pick<Answer, 'events' | 'notes' | 'followUps' | 'fault'> {
  const { dialect, connection } = context;
  const refused = (note: string) => ({
    ...{ events: [], notes: [note], followUps: [] },
    fault: { outcome: 'rejected', reason: note } as const,
  });
  if (!dialect.schemas.isKnownAction(frame.action)) {
    return refused(`${frame.action.slice(0, 60)} is not an action of ${dialect.name}`);
  }
  const checked = checkedPayload(frame, context);
  if (checked.violation) return refused(checked.violation.description);
  const handled = connection.receive?.(frame.action, checked.payload, context);
  if (!handled) return refused(`${frame.action} needs an answer, but was sent as a message without one; ignored`);
  const excess = context.connectors.excess(handled.events);
  if (excess) return refused(excess);
  const leftOut = [...checked.refused, ...(handled.refused ?? [])];
  const fault = partialFault(leftOut) ?? toleratedFault(checked.notes);
  const notes = [...checked.notes, ...handled.notes, ...leftOut];
  return { events: handled.events, notes, followUps: handled.followUps ?? [], fault };
}

/** The payload when it conforms to its schema, without faulty entries or read tolerantly; else the violations. */
function checkedPayload(
  { action, payload: given }: CallFrame | SendFrame,
  { dialect, tolerant, receivedAt, metrics }: AnswerContext,
): { violation: Violation } | { violation: null; payload: object; notes: string[]; refused: string[] } {
  let payload = given as object;
  const notes: string[] = [];
  const refused: string[] = [];
  const violation = dialect.schemas.violationOf(action, 'req', payload);
  if (violation) {
    const tolerated = readAnyway(dialect, { action, kind: 'req', payload }, { tolerant, receivedAt });
    if (!tolerated) return { violation };
    payload = tolerated.payload;
    notes.push(...tolerated.notes);
    refused.push(...tolerated.refused);
    if (tolerated.notes.length > 0) metrics.tolerated.inc({ action }, tolerated.notes.length);
  }
  const outOfRange = dialect.rangeViolation(payload);
  return outOfRange ? { violation: outOfRange } : { violation: null, payload, notes, refused };
}

function writeValid(dialect: Dialect, id: string, action: string, result: object): string {
  const violation = dialect.schemas.violationOf(action, 'conf', result);
  if (violation) throw new Error(`Our answer to ${action} violates its schema: ${violation.description}`);
  return writeResult(id, result);
}

function refuse(id: string, code: ErrorCode, description: string, { metrics, dialect }: AnswerContext): Answer {
  metrics.callErrors.inc({ code });
  const text = writeError(id, dialect.codes[code] ?? code, description);
  const fault = { outcome: 'rejected', reason: description } as const;
  return {
    ...{ events: [], notes: [description], text, deviceTime: null, taken: null },
    ...{ token: null, request: null, followUps: [], fault },
  };
}

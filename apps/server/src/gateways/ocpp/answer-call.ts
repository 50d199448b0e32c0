import type { Stored, UplinkEvent } from '../../ports/uplink.ts';
import type { CertificateRequest } from './certificates.ts';
import type { Dialect, DialectLine } from './dialect.ts';
import type { GatewayMetrics } from './metrics.ts';
import { tolerate } from './tolerance.ts';
import { type CallFrame, type ErrorCode, writeError, writeResult } from './wire.ts';

/** How a CALL is to be answered, once its events are stored. */
export interface Answer {
  events: UplinkEvent[];
  notes: string[];
  /** the frame to send; a function where it depends on what storing yields */
  text: string | ((stored: Stored) => string);
  deviceTime: Date | null;
  /** a certificate that the device asks for; refusing it is another frame to send */
  request: CertificateRequest<string> | null;
}

export interface AnswerContext {
  dialect: Dialect;
  line: DialectLine;
  tolerant: boolean;
  receivedAt: Date;
  heartbeatSeconds: number;
  signs: boolean;
  metrics: GatewayMetrics;
}

/** Decides the answer to a CALL: checks it against its schema, reads it and checks the answer likewise. Stores nothing. */
export function answerCall(frame: CallFrame, context: AnswerContext): Answer {
  const { id, action } = frame;
  const { dialect, line } = context;
  if (!dialect.schemas.isKnownAction(action)) {
    return refuse(id, 'NotImplemented', `${action.slice(0, 60)} is not an action of ${dialect.name}`, context);
  }
  if (!line.takes(action)) {
    return refuse(id, 'NotSupported', `${action} is not a message this Central System takes`, context);
  }
  let payload = frame.payload as object;
  const notes: string[] = [];
  const violation = dialect.schemas.violationOf(action, 'req', payload);
  if (violation) {
    const tolerated = context.tolerant ? tolerate(dialect, { action, kind: 'req', payload }, context.receivedAt) : null;
    if (!tolerated) return refuse(id, violation.code, violation.description, context);
    payload = tolerated.payload;
    notes.push(...tolerated.notes);
    context.metrics.tolerated.inc({ action }, tolerated.notes.length);
  }
  const outOfRange = dialect.rangeViolation(payload);
  if (outOfRange) return refuse(id, outOfRange.code, outOfRange.description, context);

  const handled = line.handle(action, payload, context);
  if (handled.notes.length > 0) notes.push(...handled.notes);
  const { answer, request } = handled;
  const write = (result: object) => writeValid(dialect, id, action, result);
  return {
    events: handled.events,
    notes,
    text: typeof answer === 'function' ? (stored) => write(answer(stored)) : write(answer),
    deviceTime: handled.deviceTime,
    request: request ? { ...request, refused: (why) => write(request.refused(why)) } : null,
  };
}

function writeValid(dialect: Dialect, id: string, action: string, result: object): string {
  const violation = dialect.schemas.violationOf(action, 'conf', result);
  if (violation) throw new Error(`Our answer to ${action} does not fit its schema: ${violation.description}`);
  return writeResult(id, result);
}

function refuse(id: string, code: ErrorCode, description: string, { metrics, dialect }: AnswerContext): Answer {
  metrics.callErrors.inc({ code });
  const text = writeError(id, dialect.codes[code] ?? code, description);
  return { events: [], notes: [description], text, deviceTime: null, request: null };
}

/** OCPP-J 1.6 framing, independent of the actions. Section numbers refer to "OCPP-J 1.6". */

/** A JSON object in a message. */
export type Payload = Record<string, unknown>;

/** The error codes of section 4.2.3. `OccurenceConstraintViolation` has the spelling of the specification. */
export type CallErrorCode =
  | 'NotImplemented'
  | 'NotSupported'
  | 'InternalError'
  | 'ProtocolError'
  | 'SecurityError'
  | 'FormationViolation'
  | 'PropertyConstraintViolation'
  | 'OccurenceConstraintViolation'
  | 'TypeConstraintViolation'
  | 'GenericError';

/**
 * A parsed frame. `ignored`: the receiver must drop it (section 4.1.3); `malformed`: it must respond with a CALLERROR.
 */
export type Frame =
  | { kind: 'call'; id: string; action: string; payload: unknown }
  | { kind: 'result'; id: string; payload: unknown }
  | { kind: 'error'; id: string; code: string; description: string }
  | { kind: 'malformed'; id: string; reason: string }
  | { kind: 'ignored'; reason: string };

const CALL = 2;
const CALLRESULT = 3;
const CALLERROR = 4;

/** Parses a received text. Never throws: unreadable text is `ignored` or `malformed`. */
export function readFrame(text: string): Frame {
  let parts: unknown;
  try {
    parts = JSON.parse(text);
  } catch {
    return { kind: 'ignored', reason: 'not JSON' };
  }
  if (!Array.isArray(parts)) return { kind: 'ignored', reason: 'not an array' };
  const [type, id, third, fourth] = parts as unknown[];
  if (typeof id !== 'string') return { kind: 'ignored', reason: 'no message id' };
  switch (type) {
    case CALL:
      if (typeof third !== 'string' || parts.length !== 4) {
        return { kind: 'malformed', id, reason: 'a CALL is [2, id, action, payload]' };
      }
      return { kind: 'call', id, action: third, payload: fourth };
    case CALLRESULT:
      return { kind: 'result', id, payload: third };
    case CALLERROR:
      return { kind: 'error', id, code: String(third), description: String(fourth ?? '') };
    default:
      return { kind: 'ignored', reason: `message type ${String(type)}` };
  }
}

/** The text of a CALL (section 4.2.1). */
export function callText(id: string, action: string, payload: Payload): string {
  return JSON.stringify([CALL, id, action, payload]);
}

/** The text of a CALLRESULT (section 4.2.2). */
export function resultText(id: string, payload: Payload): string {
  return JSON.stringify([CALLRESULT, id, payload]);
}

/** The text of a CALLERROR (section 4.2.3). */
export function errorText(id: string, code: string, description: string): string {
  return JSON.stringify([CALLERROR, id, code, description, {}]);
}

/** Thrown while a CALL is handled; the response is then this CALLERROR. */
export class CallError extends Error {
  readonly code: CallErrorCode;

  constructor(code: CallErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}

import { exceededJsonLimit, jsonLimitSentence } from '@chargehand/domain';

/** Message type numbers of OCPP-J 1.6 §4.1.3, which 2.0.1 shares. */
export const CALL = 2;
export const CALLRESULT = 3;
export const CALLERROR = 4;
/** Message type numbers that OCPP 2.1 adds (OCPP-J 2.1 §4.2.4, §4.2.5): an error in a CALLRESULT, and a message without an answer. */
export const CALLRESULTERROR = 5;
export const SEND = 6;

/**
 * The error codes of OCPP-J 1.6 §4.2.3, spelt as there, and the one of OCPP-J 2.0.1 §4.3 for a frame that is not a
 * valid message.
 */
export type ErrorCode =
  | 'NotImplemented'
  | 'NotSupported'
  | 'InternalError'
  | 'ProtocolError'
  | 'SecurityError'
  | 'FormationViolation'
  | 'PropertyConstraintViolation'
  | 'OccurenceConstraintViolation'
  | 'TypeConstraintViolation'
  | 'GenericError'
  | 'RpcFrameworkError';

/** OCPP-J 1.6 §4.1.4: a unique message id has at most 36 characters, the length of a GUID. */
const ID_CHARACTERS = 36;
/** OCPP-J 1.6 §4.2.3: an error description is shorter than 256 characters. */
const DESCRIPTION_CHARACTERS = 255;

export interface CallFrame {
  type: typeof CALL;
  id: string;
  action: string;
  payload: unknown;
}
/** A message that gets no answer (OCPP 2.1). */
export interface SendFrame {
  type: typeof SEND;
  id: string;
  action: string;
  payload: unknown;
}
export interface ResultFrame {
  type: typeof CALLRESULT;
  id: string;
  payload: unknown;
  /** the response cannot be read, and why; it still answers the call with its id */
  broken?: string;
}
export interface ErrorFrame {
  type: typeof CALLERROR;
  id: string;
  code: string;
  description: string;
  details: unknown;
}
/** The other side could not process our CALLRESULT (OCPP 2.1). */
export interface ResultErrorFrame extends Omit<ErrorFrame, 'type'> {
  type: typeof CALLRESULTERROR;
}
/** A frame that cannot be processed. With `answer`, its sender receives an error with its id. */
export interface BadFrame {
  type: 'bad';
  problem: string;
  id: string | null;
  action: string | null;
  answer: { rawId: string | number; code: ErrorCode } | null;
  /** the error answer cannot contain the id of the message, or that it answers an answer */
  unreadable: boolean;
}
export type Frame = CallFrame | SendFrame | ResultFrame | ErrorFrame | ResultErrorFrame | BadFrame;

const TYPES: readonly unknown[] = [CALL, CALLRESULT, CALLERROR];
const TYPES_21: readonly unknown[] = [...TYPES, CALLRESULTERROR, SEND];

/**
 * Reads a frame (OCPP-J 1.6 §4). Never throws: an invalid frame is returned as a `bad` frame.
 * @param sends true for versions that support SEND and CALLRESULTERROR (OCPP 2.1)
 */
export function readFrame(received: string, sends = false): Frame {
  const text = withoutMarks(received);
  const exceeded = exceededJsonLimit(text);
  if (exceeded !== null) return readStart(text, jsonLimitSentence(exceeded));
  let data: unknown;
  try {
    data = JSON.parse(text, LONG_INTEGER.test(text) ? (keepDigits as never) : undefined);
  } catch {
    // The parser's message quotes the frame, so the note only says that it is not JSON.
    return readStart(text, 'not JSON');
  }
  if (!Array.isArray(data)) return { ...bad('not a JSON array'), unreadable: true };
  const [type, rawId] = data as unknown[];
  if (typeof type === 'string' && /^[2-4]$/.test(type)) return readStart(text, 'the message type is a text');
  if (!(sends ? TYPES_21 : TYPES).includes(type)) {
    // OCPP-J 1.6 §4.1.3: a message of an unknown type is ignored.
    return bad(`unknown message type ${short(type)}; ignored`);
  }
  if ((typeof rawId !== 'string' && typeof rawId !== 'number') || rawId === '') {
    return { ...bad('no message id'), unreadable: type === CALL };
  }
  const id = String(rawId);
  if (typeof rawId === 'number' || id.length > ID_CHARACTERS) {
    const problem = `the message id is not a text of at most ${ID_CHARACTERS} characters`;
    if (type !== CALL || id.length > 255) return bad(problem);
    return bad(problem, { rawId, code: 'FormationViolation' }, id);
  }
  if (type === CALL) return readCall(id, data);
  return type === SEND ? readSend(id, data) : readAnswer(type as 3 | 4 | 5, id, data);
}

/** Some firmware starts a frame with a byte order mark or ends it with NUL characters. Neither is part of the message. */
function withoutMarks(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end -= 1;
  return text.slice(text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0, end);
}

const BYTE_ORDER_MARK = 0xfeff;

/** A text that may contain an integer with more digits than a JavaScript number keeps. */
const LONG_INTEGER = /\d{16}/;

/**
 * Keeps the digits of such an integer as text (ECMAScript 2026, JSON.parse source text access): a serial number or a
 * card that a device sends as a number would otherwise be another one.
 */
function keepDigits(_key: string, value: unknown, { source = '' }: { source?: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;
}

/** Type, id and action of a frame are within its first characters; an id that is not may not be longer than this. */
const START_CHARACTERS = 400;
const START = /^\s*\[\s*"?([2-4])"?\s*,\s*(?:"([^"\\]{1,255})"|(\d{1,15}))\s*(?:,\s*"([^"\\]{1,64})"|,|\]|$)/;

/**
 * What the start of a frame says that is not valid as a whole. A CALL is answered with an error, and a response ends
 * its call, because neither side would otherwise learn that it failed.
 */
function readStart(text: string, problem: string): ResultFrame | BadFrame {
  const [, type, words, digits, action = null] = START.exec(text.slice(0, START_CHARACTERS)) ?? [];
  const rawId = words ?? (digits === undefined ? undefined : Number(digits));
  if (rawId === undefined) return { ...bad(problem), unreadable: true };
  const id = String(rawId);
  if (Number(type) === CALL) return bad(problem, { rawId, code: 'FormationViolation' }, id, action);
  return brokenResult(id, problem);
}

function brokenResult(id: string, broken: string): ResultFrame {
  return { type: CALLRESULT, id, payload: null, broken };
}

/** Nothing is answered to a SEND, even when it is invalid. */
function readSend(id: string, data: unknown[]): SendFrame | BadFrame {
  const read = readCall(id, data);
  return read.type === CALL ? { ...read, type: SEND } : { ...read, answer: null };
}

function readCall(id: string, data: unknown[]): CallFrame | BadFrame {
  const [, , action, payload] = data;
  const refuse = (problem: string, code: ErrorCode) =>
    bad(problem, { rawId: id, code }, id, typeof action === 'string' ? action.slice(0, 64) : null);
  if (typeof action !== 'string' || action === '') return refuse('no action', 'FormationViolation');
  if (data.length < 4) return refuse('no payload', 'ProtocolError');
  if (data.length > 4) return refuse('more than four elements', 'FormationViolation');
  if (!isObject(payload)) return refuse('the payload is not an object', 'FormationViolation');
  return { type: CALL, id, action, payload };
}

function readAnswer(type: 3 | 4 | 5, id: string, data: unknown[]): ResultFrame | ErrorFrame | ResultErrorFrame {
  if (type === CALLRESULT) {
    return data.length === 3 ? { type, id, payload: data[2] } : brokenResult(id, 'a CALLRESULT has three elements');
  }
  const [, , code, description, details] = data;
  return {
    type,
    id,
    code: typeof code === 'string' ? code : short(code),
    description: typeof description === 'string' ? description : '',
    details: details ?? {},
  };
}

function bad(
  problem: string,
  answer: BadFrame['answer'] = null,
  id: string | null = null,
  action: string | null = null,
) {
  return { type: 'bad' as const, problem, id, action, answer, unreadable: false };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As long as a file name that a device reports: OCPP 1.6 allows 255 characters (§6.26). */
export const FILE_NAME_LENGTH = 255;

/** A value of a device in a few characters, for a note. Nested values may be deep, so only their type is named. */
export function short(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return (JSON.stringify(value) ?? 'none').slice(0, 40);
}

/** A CALL (OCPP-J 1.6 §4.2.1). */
export function writeCall(id: string, action: string, payload: object): string {
  return JSON.stringify([CALL, id, action, payload]);
}

/** A CALLRESULT (OCPP-J 1.6 §4.2.2). */
export function writeResult(id: string, payload: object): string {
  return `[3,${JSON.stringify(id)},${JSON.stringify(payload)}]`;
}

/** A CALLERROR (OCPP-J 1.6 §4.2.3). */
export function writeError(id: string | number, code: string, description: string): string {
  return JSON.stringify([CALLERROR, id, code, description.slice(0, DESCRIPTION_CHARACTERS), {}]);
}

/** A CALLRESULTERROR (OCPP-J 2.1 §4.2.4). */
export function writeResultError(id: string, code: string, description: string): string {
  return JSON.stringify([CALLRESULTERROR, id, code, description.slice(0, DESCRIPTION_CHARACTERS), {}]);
}

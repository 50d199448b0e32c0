import type { FleetFrameRow, ProtocolFrameRow } from '@chargehand/contract';

/** The number of frames in memory; older ones are fetched again when the user scrolls to them. */
export const MOST_FRAMES = 5_000;

/** A parsed OCPP-J message (OCPP-J 1.6 §4.2): its kind and content. */
export interface DecodedMessage {
  kind: 'call' | 'result' | 'error';
  /** the action of a CALL, otherwise null */
  action: string | null;
  /** the payload of a CALL or CALLRESULT; code, description and details of a CALLERROR */
  payload: unknown;
}

/** The message in a frame's body, or null when it is not an OCPP-J message. */
export function decode(body: string | null): DecodedMessage | null {
  if (body === null) return null;
  const message = parse(body);
  if (!Array.isArray(message)) return null;
  if (message[0] === 2) return { kind: 'call', action: String(message[2]), payload: message[3] };
  if (message[0] === 3) return { kind: 'result', action: null, payload: message[2] };
  if (message[0] === 4)
    return {
      kind: 'error',
      action: null,
      payload: { errorCode: message[2], errorDescription: message[3], errorDetails: message[4] },
    };
  return null;
}

/** A frame's body as formatted JSON; other text is unchanged. */
export function prettyBody(body: string): string {
  const value = parse(body);
  return value === undefined ? body : JSON.stringify(value, null, 2);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The counterpart of a frame: the response of a request, the request of a response, and the time between them. */
export interface Pair {
  otherId: number;
  /** the action of the request, which its response does not contain */
  action: string | null;
  /** the response time of the device; null for responses of the server, because they are stored before they are sent */
  ms: number | null;
}

const RECEIVE = 2;
const SEND = 3;

/**
 * Pairs requests with their responses: the same message id in opposite directions, the response after the request. If a
 * message id is used again, or by both sides, the nearest request before the response is used.
 * @param frames newest first
 */
export function pairFrames(frames: readonly (ProtocolFrameRow & { deviceId?: number })[]): Map<number, Pair> {
  const pairs = new Map<number, Pair>();
  const open = new Map<string, ProtocolFrameRow>();
  for (let index = frames.length - 1; index >= 0; index -= 1) {
    const frame = frames[index]!;
    if (frame.messageId === null || (frame.type !== RECEIVE && frame.type !== SEND)) continue;
    const requestKey = keyOf(frame.type === RECEIVE ? SEND : RECEIVE, frame);
    // Messages over MQTT do not say which of the two they are.
    const kind = kindOf(frame) ?? (open.has(requestKey) ? 'answer' : 'call');
    if (kind === 'call') open.set(keyOf(frame.type, frame), frame);
    if (kind !== 'answer') continue;
    const request = open.get(requestKey);
    if (!request) continue;
    open.delete(requestKey);
    const ms = frame.type === RECEIVE ? Date.parse(frame.at) - Date.parse(request.at) : null;
    pairs.set(frame.id, { otherId: request.id, action: request.action, ms });
    pairs.set(request.id, { otherId: frame.id, action: request.action, ms });
  }
  return pairs;
}

/** Devices choose their message IDs independently. */
function keyOf(type: number, { deviceId, messageId }: ProtocolFrameRow & { deviceId?: number }): string {
  return `${type} ${deviceId ?? ''} ${messageId}`;
}

/** The frames without the responses whose request is also there: a request and its response are one row. */
export function withoutResponses(frames: readonly FleetFrameRow[], pairs: ReadonlyMap<number, Pair>): FleetFrameRow[] {
  return frames.filter(({ id }) => !((pairs.get(id)?.otherId ?? id) < id));
}

/** Detected from the first characters, so that a log with thousands of frames is not parsed completely. */
function kindOf({ body }: ProtocolFrameRow): 'call' | 'answer' | null {
  const type = /^\s*\[\s*([234])\s*,/.exec(body ?? '')?.[1];
  if (type === undefined) return null;
  return type === '2' ? 'call' : 'answer';
}

/** True for a frame with a CALLERROR. */
export function isCallError({ body }: ProtocolFrameRow): boolean {
  return /^\s*\[\s*4\s*,/.test(body ?? '');
}

/** The known frames merged with newer and older ones; each once, newest first, at most `most`. */
export function joinFrames<Row extends ProtocolFrameRow>(
  known: readonly Row[],
  more: readonly Row[],
  most: number = MOST_FRAMES,
): Row[] {
  const byId = new Map([...known, ...more].map((frame) => [frame.id, frame]));
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, most);
}

/** The protocols whose recordings can be replayed. */
export const PROTOCOLS = ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1', 'mqtt-json', 'sparkplug-b'] as const;
export type RecordedProtocol = (typeof PROTOCOLS)[number];

const DIRECTIONS = ['open', 'close', 'receive', 'send'] as const;

/** A line of an exported protocol log. Directions are those of the server: it receives what a device sends. */
export interface RecordedFrame {
  line: number;
  /** in ms since 1970 */
  at: number;
  sn: string;
  protocol: RecordedProtocol;
  direction: (typeof DIRECTIONS)[number];
  action: string | null;
  messageId: string | null;
  text: string;
}

/** Lines that are not frames. The message names each of them. */
export class RecordingError extends Error {}

/** The maximum number of lines in the message of an error. */
const NAMED_LINES = 10;

/**
 * Reads an exported protocol log: one JSON object per line. The frames are in the order of their times, also when the
 * export has the newest first. Throws RecordingError; nothing of a file with a bad line is replayed.
 */
export function readRecording(text: string): RecordedFrame[] {
  const frames: RecordedFrame[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const read = readLine(line, index + 1);
    if (typeof read === 'string') problems.push(`line ${index + 1}: ${read}`);
    else frames.push(read);
  }
  if (problems.length > 0) {
    const more = problems.length - NAMED_LINES;
    throw new RecordingError([...problems.slice(0, NAMED_LINES), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'));
  }
  if (frames.length === 0) throw new RecordingError('the file has no frames');
  if (frames[0]!.at > frames.at(-1)!.at) frames.reverse();
  return frames.sort((one, other) => one.at - other.at);
}

/** A frame, or what is wrong with the line. */
function readLine(line: string, number: number): RecordedFrame | string {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return 'not JSON';
  }
  if (read === null || typeof read !== 'object' || Array.isArray(read)) return 'not a JSON object';
  const { at, sn, protocol, direction, action = null, messageId = null, text } = read as Record<string, unknown>;
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(time)) return '"at" must be a time, such as 2026-11-26T08:00:00.000Z';
  if (typeof sn !== 'string' || sn === '') return '"sn" must be the SN of a device';
  const ofProtocol = PROTOCOLS.find((one) => one === protocol);
  if (!ofProtocol) return `"protocol" must be one of ${PROTOCOLS.join(', ')}`;
  const ofDirection = DIRECTIONS.find((one) => one === direction);
  if (!ofDirection) return `"direction" must be one of ${DIRECTIONS.join(', ')}`;
  if (!isTextOrNull(action)) return '"action" must be a text or null';
  if (!isTextOrNull(messageId)) return '"messageId" must be a text or null';
  if (typeof text !== 'string') return '"text" must be a text';
  return { line: number, at: time, sn, protocol: ofProtocol, direction: ofDirection, action, messageId, text };
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

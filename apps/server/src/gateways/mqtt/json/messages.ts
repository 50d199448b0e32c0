import { isImpossibleTime, readingTime, reportedTime, trustedTime, unitProblem } from '@chargehand/domain';
import type { Static } from 'typebox';
import type { UplinkEvent } from '../../../ports/uplink.ts';
import { BoundedNotes } from '../../bounded-notes.ts';
import { statusOf } from '../condition.ts';
import type { Fact } from '../facts.ts';
import type { JsonLeaf } from '../topics.ts';
import type { Alarm, Answer, Parameters, Status, TelemetryOrList, Texts } from './schemas.ts';

/** The events of a message. */
export interface MessageContent {
  events: UplinkEvent[];
  facts: Fact[];
  notes: string[];
  /** the values that are not stored, and why */
  refused: string[];
  /** the clock of the device, if the message has the current time */
  deviceTime: Date | null;
  /** the device announces that it disconnects */
  disconnects: boolean;
}

type Reader = (message: never, receivedAt: Date) => Partial<MessageContent>;

/** Reads a message that matches its schema. */
export function readMessage(leaf: JsonLeaf, message: unknown, receivedAt: Date): MessageContent {
  const content = READERS[leaf](message as never, receivedAt);
  return { events: [], facts: [], notes: [], refused: [], deviceTime: null, disconnects: false, ...content };
}

const READERS: Readonly<Record<JsonLeaf, Reader>> = { status, telemetry, texts, alarm, parameters, answer };

function status(message: Static<typeof Status>, receivedAt: Date): Partial<MessageContent> {
  const { connector = 1, state, fault, info = null, softVersion, firmwareStatus, logStatus, requestId } = message;
  if (message.status === 'offline') return { disconnects: true };
  const { at, notes, deviceTime } = timeOf(message.at, receivedAt);
  const events: UplinkEvent[] = [];
  // A status repeats the version; units that start connect again.
  if (softVersion !== undefined)
    events.push({ kind: 'booted', at: receivedAt, softVersion, boot: { ...message }, triggered: true });
  if (state !== undefined || fault !== undefined) {
    const known = state === undefined ? null : statusOf(state);
    if (state !== undefined && !known) notes.push(`${String(state)} is not a known state`);
    const word = known?.status ?? (fault ? 'Faulted' : 'Available');
    const errorCode = fault || word === 'Faulted' ? 'OtherError' : 'NoError';
    const more = { status: word, errorCode, vendorErrorCode: fault ?? null, info: info ?? known?.info ?? null };
    events.push({ kind: 'connectorStatus', connector, at, ...more });
  }
  const request = requestId === undefined ? {} : { requestId: String(requestId) };
  if (firmwareStatus) events.push({ kind: 'firmwareStatus', at, status: firmwareStatus, ...request });
  if (logStatus) events.push({ kind: 'diagnosticsStatus', at, status: logStatus, ...request });
  return { events, notes, deviceTime };
}

function telemetry(message: Static<typeof TelemetryOrList>, receivedAt: Date): Partial<MessageContent> {
  const samples = Array.isArray(message) ? message : [message];
  const refused = new BoundedNotes();
  const events = samples.flatMap((sample): UplinkEvent[] => {
    const time = timeOfReading(sample.at, receivedAt);
    if (time.at === null) {
      refused.add(`the time ${sample.at} ${time.problem}; its readings are left out`);
      return [];
    }
    const texts: { key: string; value: string }[] = [];
    const values = Object.entries(sample.values).flatMap(([key, reported]) => {
      const { value, unit = '', counter } = typeof reported === 'object' ? reported : { value: reported };
      const problem = unitProblem(key, unit);
      if (problem !== null) {
        refused.add(`${problem}; left out`);
        return [];
      }
      if (typeof value === 'string') {
        texts.push({ key, value });
        return [];
      }
      const number = Number(value);
      return [{ key, unit, counter: counter ?? (COUNTS.test(key) || needsDigits(number)), value: number }];
    });
    const { connector = 0 } = sample;
    const { at } = time;
    return [
      ...(values.length > 0
        ? [{ kind: 'reading' as const, connector, at, receivedAt, transactionId: null, values }]
        : []),
      ...(texts.length > 0 ? [{ kind: 'texts' as const, connector, at, receivedAt, values: texts }] : []),
    ];
  });
  // The values of a list were buffered, so their times do not show the clock.
  const deviceTime = Array.isArray(message) ? null : timeOf(message.at, receivedAt).deviceTime;
  return { events, refused: refused.list, deviceTime };
}

/** True for an integer of more than 24 bits. Only counters store it exactly. */
function needsDigits(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) > 2 ** 24;
}

/** Quantities that are counters, as in metrics. */
const COUNTS = /(Energy|Register|Total|Count|Cycles)$/;

function texts(message: Static<typeof Texts>, receivedAt: Date): Partial<MessageContent> {
  const { at, deviceTime } = timeOf(message.at, receivedAt);
  const values = Object.entries(message.values).map(([key, value]) => ({ key, value }));
  const { connector = 0 } = message;
  return { events: values.length > 0 ? [{ kind: 'texts', connector, at, receivedAt, values }] : [], deviceTime };
}

function alarm(message: Static<typeof Alarm>, receivedAt: Date): Partial<MessageContent> {
  const { connector = 0, code, active, level = 'OA', kind = 'alarm', info = null } = message;
  const { at, notes, deviceTime } = timeOf(message.at, receivedAt);
  return { events: [{ kind: 'alarm', connector, at, code, alarmKind: kind, level, info, active }], notes, deviceTime };
}

function parameters(
  { complete = false, values }: Static<typeof Parameters>,
  receivedAt: Date,
): Partial<MessageContent> {
  const entries = Object.entries(values).map(([key, reported]) => {
    const { value, readonly = false } =
      typeof reported === 'object' && reported !== null ? reported : { value: reported };
    return { key, value: value === null ? null : String(value), readonly };
  });
  return {
    events: [{ kind: 'parameters', at: receivedAt, entries, unknownKeys: [], complete }],
    facts: entries.map(({ key, value }) => ({ type: 'value', key, value })),
  };
}

function answer(message: Static<typeof Answer>): Partial<MessageContent> {
  const { id, status: word, detail = null } = message;
  return { facts: [{ type: 'answer', id, status: word, detail, answer: message }] };
}

/** A message, or a part of it, that may have a time. */
export interface Timed {
  at?: string;
}

/**
 * Why a message is refused because of its times, null if it is not: its time is impossible, or it only has values, and
 * none has a plausible time.
 */
export function timeProblemOf(leaf: JsonLeaf, message: Timed | Timed[], receivedAt: Date): string | null {
  if (!Array.isArray(message)) {
    const isImpossible = message.at !== undefined && isImpossibleTime(reportedTime(message.at), receivedAt);
    if (isImpossible) return `/at ${message.at} is more than a day in the future`;
    if (leaf !== 'telemetry' && leaf !== 'texts') return null;
    const time = timeOfReading(message.at, receivedAt);
    return time.at === null ? `/at ${message.at} ${time.problem}` : null;
  }
  const times = message.map(({ at }) => timeOfReading(at, receivedAt));
  const [first] = times;
  if (!first || first.at !== null || times.some(({ at }) => at !== null)) return null;
  return `/0/at ${message[0]?.at} ${first.problem}`;
}

function timeOfReading(at: string | undefined, receivedAt: Date): ReturnType<typeof readingTime> {
  return readingTime(at === undefined ? null : reportedTime(at), receivedAt);
}

function timeOf(
  deviceTime: string | undefined,
  receivedAt: Date,
): { at: Date; notes: string[]; deviceTime: Date | null } {
  if (deviceTime === undefined) return { at: receivedAt, notes: [], deviceTime: null };
  const time = reportedTime(deviceTime);
  const { at, trusted } = trustedTime(time, receivedAt);
  const notes = trusted ? [] : [`the time ${deviceTime} is not plausible; stored with the time of receipt`];
  return { at, notes, deviceTime: Number.isNaN(time.getTime()) ? null : time };
}
